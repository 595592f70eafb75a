"""Query time in one workspace while another indexes without pause, with the real embedding model.

python -m benchmarks.memory_server.interference --model-dir DIR
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
import tempfile
from itertools import islice
from pathlib import Path

import httpx

from harness.memory_server.exchanges import Said, exchanges
from harness.memory_server.figures import latency

SERVER = """
import asyncio, logging, sys
from pathlib import Path
import structlog
from adapters.embedding.minilm import MiniLmEmbedder
from memory_server.options import ServerOptions
from memory_server.serve import serve
structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
folder, models = Path(sys.argv[1]), Path(sys.argv[2])
asyncio.run(serve(ServerOptions(folder, "bench", port=0, ready_file=folder / "ready"), MiniLmEmbedder(models)))
"""


async def post(http: httpx.AsyncClient, workspace: str, said: Said) -> None:
    """Store an exchange."""
    body = {"text": said.text, "file_source": said.source}
    (await http.post("/documents/text", json=body, headers={"LIGHTRAG-WORKSPACE": workspace})).raise_for_status()


async def idle(http: httpx.AsyncClient) -> None:
    """Wait until nothing is indexed."""
    while (await http.get("/health")).json()["pipeline_busy"]:  # noqa: ASYNC110 - another process
        await asyncio.sleep(0.2)


async def measure(folder: Path, models: Path, count: int) -> dict[str, dict[str, float]]:
    """Return query latencies alone and beside indexing."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", SERVER, str(folder), str(models))
    while not (folder / "ready").exists():  # noqa: ASYNC110 - another process
        await asyncio.sleep(0.05)
    port = json.loads((folder / "ready").read_text("utf-8"))["port"]
    stored = list(islice(exchanges(count), count))
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port}", headers={"X-API-Key": "bench"}, timeout=60
    ) as http:
        for said in stored:
            await post(http, "asked", said)
        await asyncio.sleep(1)
        await idle(http)

        async def ask(number: int) -> None:
            said = stored[number * 7 % count]
            body = {
                "query": said.question,
                "mode": "mix",
                "ll_keywords": said.keywords,
                "hl_keywords": said.keywords[:2],
            }
            await http.post("/query/data", json=body, headers={"LIGHTRAG-WORKSPACE": "asked"})

        await latency(ask, 20)
        alone = await latency(ask, 100)
        for said in islice(exchanges(3000, seed=99), 600):
            await post(http, "busy", said)
        beside = await latency(ask, 100)
        still = (await http.get("/health")).json()["pipeline_busy"]
    process.send_signal(signal.SIGKILL)
    await process.wait()
    return {"idle": alone, "while_indexing": beside, "still_indexing": {"yes": float(still)}}


def main() -> None:
    """Parse the command line, run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model-dir", type=Path, required=True)
    parser.add_argument("--n", type=int, default=300)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measure(Path(folder), asked.model_dir, asked.n))))


if __name__ == "__main__":
    main()
