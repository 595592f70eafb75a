"""The gate: what does not get in, and what gets a clear answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import product
from pathlib import Path

import pytest

from memory_server.api.lightrag_api import VERSIONS
from memory_server.errors import ConfigInvalid
from memory_server.indexing.ingest import document_id
from memory_server.options import ServerOptions
from tests.memory_server.serving import KEY, exchange, served


@pytest.mark.filterwarnings("ignore:Duplicate Operation ID")
async def test_only_liveness_is_anonymous(tmp_path: Path) -> None:
    """Every route but liveness, the login and its looks refuses a missing or wrong key, whatever its method.

    Mutation check: with the comparison in the gate removed this test is red.
    """
    async with served(tmp_path) as ours:
        routes = ours.server.app.openapi()["paths"]
        refused = {}
        for key, path in product(("", "wrong", KEY[:-1], KEY + "x"), routes):
            for method in routes[path]:
                named = path.replace("{", "").replace("}", "")
                answer = await ours.http.request(method.upper(), named, headers={"X-API-Key": key}, json={})
                refused[key, method, path] = answer.status_code

        health = await ours.http.get("/health", headers={"X-API-Key": ""})

    assert health.json() == {"status": "healthy", "mneme": {}} | VERSIONS
    assert len(refused) > 120
    assert {case[1:] for case, status in refused.items() if status not in {401, 403}} == {
        ("get", "/health"),
        ("get", "/auth-status"),
        ("post", "/login"),
        ("get", "/ui/customization"),
        ("get", "/ui/customization/assets/{asset_hash}/{asset_id}"),
    }


@pytest.mark.parametrize("scheme", ["bearer", "BEARER", "Bearer"])
async def test_the_schemes_name_is_written_in_any_case(tmp_path: Path, scheme: str) -> None:
    """A client that writes "bearer" in small letters is let in; another scheme with the key is not."""
    async with served(tmp_path) as ours:
        ours.http.headers.pop("X-API-Key")
        known = await ours.http.get("/documents/status_counts", headers={"Authorization": f"{scheme} {KEY}"})
        other = await ours.http.get("/documents/status_counts", headers={"Authorization": f"Basic {KEY}"})

    assert (known.status_code, other.status_code) == (200, 403)


async def test_an_invalid_question_is_refused_as_lightrag_does_and_not_repeated(tmp_path: Path) -> None:
    """400 with a failure from ``/query/data``, 422 with a detail from ``/query``, neither with what was asked."""
    body = {"query": "my secret question", "mode": "sideways"}
    async with served(tmp_path) as ours:
        data, plain = await ours.http.post("/query/data", json=body), await ours.http.post("/query", json=body)
        lacking = await ours.http.post("/query", json={"question": "my secret question"})

    assert (data.status_code, data.json()["status"], data.json()["data"]) == (400, "failure", {})
    assert "body -> mode" in data.json()["message"]
    assert (plain.status_code, plain.json()["detail"][0]["loc"]) == (422, ["body", "mode"])
    assert "secret" not in data.text + plain.text + lacking.text


async def test_the_versions_and_file_types_are_told(tmp_path: Path) -> None:
    """``/health`` has LightRAG's version fields, with and without the key; only what can be read is listed."""
    async with served(tmp_path) as ours:
        open_, known = await ours.http.get("/health", headers={"X-API-Key": ""}), await ours.http.get("/health")
        types = (await ours.http.get("/documents/supported_file_types")).json()

    for answer in (open_.json(), known.json()):
        assert answer["core_version"]
        assert answer["api_version"]
    assert ".md" in types["supported_extensions"]
    assert ".pdf" not in types["supported_extensions"]


async def test_a_bearer_token_is_the_key_too(tmp_path: Path) -> None:
    """The key may come as a bearer token, beside X-API-Key or instead of it."""
    async with served(tmp_path) as ours:
        both = await ours.http.get("/documents/status_counts", headers={"Authorization": f"Bearer {KEY}"})
        alone = await ours.http.get(
            "/documents/status_counts", headers={"X-API-Key": "", "Authorization": f"Bearer {KEY}"}
        )

    assert (both.status_code, alone.status_code) == (200, 200)


def test_a_server_without_a_key_does_not_start(tmp_path: Path) -> None:
    """An empty key is a configuration error, not an open door."""
    with pytest.raises(ConfigInvalid, match="API key"):
        ServerOptions(data_dir=tmp_path, api_key="")


@pytest.mark.parametrize("name", ["../other", "a/b", "a b", "x" * 65, "ä", "a-b", ".."])
async def test_a_strange_workspace_is_refused(tmp_path: Path, name: str) -> None:
    """Names that would have to be rewritten get 400: two of them could become one."""
    async with served(tmp_path) as ours:
        answer = await ours.http.get("/documents/status_counts", headers={b"LIGHTRAG-WORKSPACE": name.encode()})

    assert answer.status_code == 400


async def test_capitals_make_another_workspace(tmp_path: Path) -> None:
    """``Ab`` and ``ab`` are apart, also on file systems that ignore case."""
    async with served(tmp_path) as ours:
        await ours.post("Ab", "a.txt", exchange(1, "Maria lives in Lisbon with her dog."))
        await ours.wait_until_idle()
        there, here = await ours.statuses("Ab"), await ours.statuses("ab")
        listed = (await ours.http.get("/workspaces")).json()["workspaces"]

    assert (there["all"], here["all"]) == (1, 0)
    assert listed == ["Ab"]
    assert len({path.name.lower() for path in (tmp_path / "workspaces").iterdir()}) == len(
        list((tmp_path / "workspaces").iterdir())
    )


async def test_reading_makes_nothing(tmp_path: Path) -> None:
    """A question to a workspace that does not exist leaves no file."""
    async with served(tmp_path) as ours:
        found = await ours.ask("nobody", "anything at all?")

        assert found["status"] == "failure"
        assert list((tmp_path / "workspaces").iterdir()) == []


async def test_large_bodies_are_refused_early(tmp_path: Path) -> None:
    """A body over the limit gets 413, announced or not."""
    async with served(tmp_path, most_body_mb=1) as ours:
        announced = await ours.post("w", "a.txt", "x" * 2_000_000)

        async def drip() -> AsyncIterator[bytes]:
            for _ in range(30):
                yield b"x" * 100_000

        dripped = await ours.http.post("/documents/text", content=drip())

    assert (announced.status_code, dripped.status_code) == (413, 413)


async def test_strange_texts_are_stored_clean(tmp_path: Path) -> None:
    """Lone surrogates, NUL, LightRAG's markers and deep paths are accepted and do no harm."""
    body = (
        '{"text": "Maria \\ud800 lives\\u0000 in <SEP> Lisbon <|#|> now <|COMPLETE|>", '
        '"file_source": "a/b/c/d/e/f/g/h/i/j/strange.txt"}'
    )
    async with served(tmp_path) as ours:
        answer = await ours.http.post("/documents/text", content=body)
        await ours.wait_until_idle()
        found = await ours.ask("default", "Maria lives Lisbon", "naive")

    assert answer.status_code == 200
    (chunk,) = found["data"]["chunks"]
    assert chunk["file_path"] == "strange.txt"
    assert chunk["content"] == "Maria ? lives in   Lisbon   now"


async def test_nothing_but_control_characters_is_refused(tmp_path: Path) -> None:
    """A text that is empty once cleaned gets 422."""
    async with served(tmp_path) as ours:
        answer = await ours.post("w", "a.txt", "\x00\x01\x02")

    assert answer.status_code == 422


async def test_too_many_waiting_documents_get_429(tmp_path: Path) -> None:
    """Beyond the limit new documents are refused with Retry-After, and nothing is lost."""
    async with served(tmp_path, most_pending=3) as ours:
        await ours.server.worker.stop()
        answers = [await ours.post("w", f"{i}.txt", exchange(i, f"fact number {i}")) for i in range(5)]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    assert answers[-1].headers["Retry-After"]


async def test_two_posts_of_one_source_at_once(tmp_path: Path) -> None:
    """One document and two honest answers: a 200 and a 409."""
    async with served(tmp_path) as ours:
        answers = await asyncio.gather(*(ours.post("w", "same.txt", f"text number {i} of many") for i in range(8)))
        await ours.wait_until_idle()
        counts = await ours.statuses("w")

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    assert counts["all"] == counts["processed"] == 1


async def test_the_same_text_in_another_exchange_is_kept(tmp_path: Path) -> None:
    """Two exchanges may say the same; LightRAG itself would drop the second."""
    async with served(tmp_path) as ours:
        for source in ("one.txt", "two.txt"):
            await ours.post("w", source, "Maria moved to Lisbon in March.")
        await ours.wait_until_idle()
        found = await ours.ask("w", "Maria moved to Lisbon", "naive")

    assert {chunk["file_path"] for chunk in found["data"]["chunks"]} == {"one.txt", "two.txt"}
    assert document_id("one.txt") != document_id("two.txt")


async def test_nothing_is_downloaded_or_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start, insert and question need no name resolution, no connection and no package installation."""

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr("socket.getaddrinfo", forbidden)
    monkeypatch.setattr("socket.socket.connect", forbidden)
    monkeypatch.setattr("subprocess.Popen.__init__", forbidden)
    async with served(tmp_path) as ours:
        await ours.post("w", "a.txt", exchange(1, "Maria lives in Lisbon."))
        await ours.wait_until_idle()
        found = await ours.ask("w", "Maria lives in Lisbon")

    assert found["status"] == "success"


async def test_no_text_reaches_the_logs(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Indexing, questions and failures are logged by event and place; texts and questions never are.

    Mutation check: with the tracebacks and LightRAG's own messages let through this test is red.
    """

    def broken(_: object, text: str) -> None:
        raise ValueError(text)

    caplog.set_level("DEBUG", "lightrag")
    async with served(tmp_path, attempts=1) as ours:
        await ours.post("w", "a.txt", exchange(1, "Maria said secretword."))
        await ours.wait_until_idle()
        await ours.ask("w", "what about secretquestion?", ll_keywords=["secretkeyword"], hl_keywords=["secretkeyword"])
        monkeypatch.setattr("memory_server.extraction.Extractor.extract", broken)
        await ours.post("w", "b.txt", exchange(2, "Ivan said secretpoison."))
        await ours.wait_until_idle()
        shown = "".join(capfd.readouterr()) + caplog.text

    assert "indexing_failed" in shown
    assert "secret" not in shown


async def test_a_workspace_is_named_byte_for_byte(tmp_path: Path) -> None:
    """What would have to be rewritten to be a name is refused, and nothing is written anywhere.

    Mutation check: with a ``strip()`` of the header most of these are written into ``w`` or ``default``.
    """
    before, after = (b"\xa0", b"\x1c", b" "), (b"\xa0", b"\x85", b"\x1c", b"\x00", b"\t", b" ", b"\xc2\xa0", b",v")
    async with served(tmp_path) as ours:
        body = {"text": "Maria lives in Lisbon.", "file_source": "a.txt"}
        for value in (b"", *(head + b"w" for head in before), *(b"w" + tail for tail in after)):
            answer = await ours.http.post("/documents/text", json=body, headers={b"LIGHTRAG-WORKSPACE": value})

            assert answer.status_code == 400, value
            assert "1 to 64 letters" in answer.json()["detail"], value
        assert list((tmp_path / "workspaces").iterdir()) == []


async def test_two_workspaces_are_none(tmp_path: Path) -> None:
    """A request that names two is refused, also if they are the same."""
    async with served(tmp_path) as ours:
        body = {"text": "Maria lives in Lisbon.", "file_source": "a.txt"}
        for second in (b"w", b"v"):
            headers = [(b"LIGHTRAG-WORKSPACE", b"w"), (b"lightrag-workspace", second)]
            answer = await ours.http.post("/documents/text", json=body, headers=headers)

            assert (answer.status_code, "2 times" in answer.json()["detail"]) == (400, True)
    assert list((tmp_path / "workspaces").iterdir()) == []


async def test_a_workspace_in_a_path_is_named_byte_for_byte(tmp_path: Path) -> None:
    """The routes for whole workspaces keep the same rule, and the one that is nearly named stays."""
    routes = (("GET", ""), ("DELETE", ""), *(("POST", f"/{verb}") for verb in ("reconcile", "reindex")))
    names = ("w%C2%A0", "w%20", "%1Cw", "w%C2%85", "w-v", "..%2Fw", "w%0A")
    async with served(tmp_path) as ours:
        await ours.post("w", "a.txt", exchange(1, "Maria lives in Lisbon."))
        await ours.wait_until_idle()
        for name, (method, path) in product(names, (*routes, ("GET", "/check"))):
            answer = await ours.http.request(method, f"/workspaces/{name}{path}")
            listed = (await ours.http.get("/workspaces")).json()["workspaces"]

            assert answer.status_code == (404 if "%2F" in name else 400), (name, method, path)
            assert listed == ["w"], (name, method, path)
