"""Makes the files of the local models from the weights of two packages, which only this needs.

``python -m adapters.embedding.build FOLDER`` takes ten seconds and 470 MB of memory; whoever uses the files imports
none of this.  A file appears by an atomic rename after an fsync, and what is computed is the same on every run, so that
two processes that make them at once both find them whole.
"""

import json
import sys
import zlib
from collections.abc import Sequence
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from typing import Final

import numpy as np
from sentencepiece import SentencePieceProcessor

from adapters.embedding import graph
from adapters.embedding.e5 import STATES_READ, change_tensors, load_reading
from adapters.embedding.encoder import INNER, STATES, Tokenizer, embed_words, open_session, token_ids, write_table
from adapters.embedding.files import ANSWERS, CHANGES, ModelFiles, hash_file
from adapters.embedding.graph import Floats, Tensors, Vocabulary, WeightsFile, locate_e5, locate_use
from adapters.embedding.use import HEADER, PARTS
from bot.errors import EmbeddingUnavailable
from bot.files import write_whole

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
_UPPER: Final = range(graph.INNER, graph.LAYERS)
_NOTICE: Final = Path(__file__).with_name("LICENSES")
"""Whose work the weights are; the licence of the sentence encoder follows, as its package carries it."""


def make_models(folder: Path) -> ModelFiles:
    """Make all files, and remove those of earlier versions.

    Raises :class:`~bot.errors.EmbeddingUnavailable` when weights are missing or damaged or the folder is not writable.
    """
    use, use_tokenizer, licence = locate_use()
    files, weights = ModelFiles(folder), WeightsFile(locate_e5())
    vocabulary = weights.read_vocabulary()
    place_file(files.tokenizer, write_pieces(vocabulary))
    place_file(files.words, weights.word_rows[: len(vocabulary.pieces)].tobytes())
    place_file(files.characters, json.dumps(weights.replaced).encode())
    tensors, tokenizer = weights.read_tensors(), Tokenizer(files.tokenizer, weights.replaced)
    for path, made in zip(files.graphs, _make_graphs(tensors, weights, tokenizer), strict=True):
        place_file(path, made)
    for learnt in (ANSWERS, CHANGES):
        place_file(files.reading(learnt), pack_reading(learnt))
    place_file(files.use, pack_use(use))
    place_file(files.use_tokenizer, pack_pieces(use_tokenizer))
    place_file(files.licences, _NOTICE.read_bytes() + licence.read_bytes())
    lines = [f"{hash_file(path)}  {path.name}\n" for path in files.listed()]
    place_file(files.sums, "".join(lines).encode())
    for earlier in (path for kind in ("e5-*", "use-*", "LICENSES*") for path in folder.glob(kind)):
        if earlier not in files.listed():
            earlier.unlink(missing_ok=True)
    return files


def _make_graphs(tensors: Tensors, weights: WeightsFile, tokenizer: Tokenizer) -> tuple[bytes, bytes, bytes, bytes]:
    """Return both halves of the encoder, and what reads two texts together: for an answer, for a change."""
    words = [embed_words(weights.word_rows[token_ids(tokenizer, text)[0]])[None] for text in CALIBRATION]
    session, names = open_session(graph.build_lower(tensors, INNER)), _list_matrices(tensors, range(graph.INNER))
    below = [session.run([INNER, *names], {"words": each}) for each in words]
    lower = graph.build_lower(tensors, INNER, _find_largest(names, below))
    session, names = open_session(graph.build_upper(tensors, STATES)), _list_matrices(tensors, _UPPER)
    above = [session.run([STATES, *names], {"words": run[0]}) for run in below]
    centre = np.stack([run[0][0].mean(axis=0) for run in above]).mean(axis=0)
    upper = graph.build_upper(tensors, STATES, _find_largest(names, above), centre)
    session = open_session(lower)
    inner = [session.run([INNER], {"words": each})[0][0] for each in words]
    return lower, upper, _make_reader(tensors, inner, ANSWERS), _make_reader(tensors, inner, CHANGES)


def _make_reader(tensors: Tensors, inner: Sequence[Floats], learnt: Path) -> bytes:
    """Return the layers that read two texts together, as :mod:`~adapters.embedding.e5` changes them."""
    changed, reading = change_tensors(tensors, learnt), load_reading(learnt)
    session, names = open_session(graph.build_upper(changed, STATES_READ)), _list_matrices(changed, _UPPER)
    questions = (*inner[3:], *inner[:3]) if reading.asks else [each[:0] for each in inner]
    pairs = map(reading.join, inner, (*inner[7:], *inner[:7]), questions)
    runs = [session.run([STATES_READ, *names], {"words": pair}) for pair in pairs]
    return graph.build_upper(changed, STATES_READ, _find_largest(names, runs))


def _list_matrices(tensors: Tensors, layers: range) -> list[str]:
    names = (name.removesuffix(".weight") for name in tensors if name.endswith((".query.weight", ".dense.weight")))
    return [name for name in names if int(name.split(".")[2]) in layers]


def _find_largest(names: Sequence[str], runs: Sequence[Sequence[Floats]]) -> Tensors:
    """Return the largest absolute input of each channel, by matrix, of runs whose first output is none."""
    return {name: np.max(rows, axis=0) for name, *rows in zip(names, *(run[1:] for run in runs), strict=True)}


def pack_reading(learnt: Path) -> bytes:
    """Return what was learnt beside the matrices, which are in the graph."""
    written = BytesIO()
    with np.load(learnt) as packed:
        np.savez(written, **{name: packed[name] for name in packed.files if not name.startswith("encoder.")})
    return written.getvalue()


def pack_use(packed: Path) -> bytes:
    """Return the sentence encoder's weights as they are read: floats as they are, each row of the table deflated.

    A row holds few different numbers, and few of them often: deflated it takes two fifths, and 5 µs to read.
    """
    with np.load(packed) as arrays:
        table = np.stack([arrays[f"q{part + 1}"] for part in range(PARTS)], axis=1)
        tensors = {name: each for name in arrays.files if (each := arrays[name]).dtype == np.float32}
    rows = [_deflate(row.tobytes()) for row in table.reshape(-1, table.shape[-1])]
    header = json.dumps({name: tensor.shape for name, tensor in tensors.items()}).encode().ljust(HEADER)
    ends = np.fromiter(accumulate(map(len, rows), initial=0), "<u4", len(rows) + 1)
    return b"".join([header, *(tensor.tobytes() for tensor in tensors.values()), ends.tobytes(), *rows])


def _deflate(row: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zlib.Z_HUFFMAN_ONLY)
    return packer.compress(row) + packer.flush()


def write_pieces(vocabulary: Vocabulary) -> bytes:
    """Return the table of the pieces of words; marks are none."""
    marks = {vocabulary.begin, vocabulary.end, vocabulary.pad, vocabulary.unknown}
    scored = enumerate(zip(vocabulary.pieces, vocabulary.scores.tolist(), strict=True))
    return write_table((number, piece, score) for number, (piece, score) in scored if number not in marks)


def pack_pieces(vocabulary: Path) -> bytes:
    """Return the table of the sentence encoder's pieces, of its model of SentencePiece."""
    read = SentencePieceProcessor(model_file=str(vocabulary))
    numbers = (number for number in range(read.get_piece_size()) if not _is_mark(read, number))
    return write_table((number, read.id_to_piece(number), read.get_score(number)) for number in numbers)


def _is_mark(vocabulary: SentencePieceProcessor, number: int) -> bool:
    return vocabulary.is_control(number) or vocabulary.is_unknown(number) or vocabulary.get_score(number) == 0


def place_file(path: Path, content: bytes) -> None:
    """Write a file whole, for everybody to read.  Raises :class:`EmbeddingUnavailable`."""
    try:
        write_whole(path, content)
        path.chmod(0o644)
    except OSError as error:
        raise EmbeddingUnavailable(f"cannot write the embedding model to {path.parent}: {error.strerror}") from error


if __name__ == "__main__":
    try:
        make_models(Path(sys.argv[1]))
    except EmbeddingUnavailable as error:
        sys.exit(str(error))
