"""Pieces of texts, held against SentencePiece over the same vocabulary."""

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from sentencepiece import SentencePieceProcessor

from adapters.embedding.encoder import PieceTable, PlainTokenizer, Tokenizer, write_table
from adapters.embedding.files import ModelFiles
from adapters.embedding.graph import Vocabulary, WeightsFile, locate_e5, locate_use
from adapters.embedding.use import UNKNOWN

_TEXTS = (
    "Where does my sister live?",
    "Meine Schwester wohnt seit 2019 in der Königsstraße 4b.",
    "Моя сестра работает врачом в Казани и летом приедет к нам с детьми.",
    "明天下午三点我要去看牙医。",
    "أخي يعمل مهندسًا في دبي",
    "😀😀 ☃𓀀𓀁 na ja",
    "def main(): print('x')  # TODO\n\n\tpass",
    "Donaudampfschifffahrtsgesellschaftskapitän " * 30,
    "-----BEGIN----- 0x9E3779B97F4A7C15 https://example.org/a?b=c&d=%20",
    "a",
    "",
)


@pytest.mark.parametrize("text", _TEXTS)
def test_pieces_are_those_of_sentencepiece(text: str, model_dir: Path, reference: SentencePieceProcessor) -> None:
    """The same numbers, and their letters put together are the text."""
    tokenizer = Tokenizer(ModelFiles(model_dir).tokenizer, WeightsFile(locate_e5()).replaced)
    plain, _ = tokenizer._normalise(text)

    pieces = tokenizer.split(text)

    assert pieces.ids.tolist() == reference.encode(plain)
    assert "".join(text[start:end] for start, end in pieces.spans) == "".join(text.split(" ")) or "\n" in text


def test_words_are_cut_as_by_the_sentence_encoders_own_sentencepiece(model_dir: Path) -> None:
    """The same numbers, together and alone, once words are known and where hardly any is remembered."""
    files, replaced = ModelFiles(model_dir), WeightsFile(locate_e5()).replaced
    texts = [
        *_TEXTS,
        "e\u0301cole, caf\u00e9",
        "\ufb01ne \u2163 \u00bd \uff46\uff55\uff4c\uff4c",
        "☃ 🎉🎉 ☃☃",
        "a\u200bb\tc  d ",
    ]
    expected = SentencePieceProcessor(model_file=str(locate_use()[1])).encode(texts)
    tokenizer = PlainTokenizer(PieceTable(files.use_tokenizer, UNKNOWN), replaced)
    forgetful = PlainTokenizer(PieceTable(files.use_tokenizer, UNKNOWN, cached=1), replaced)

    assert tokenizer.encode(texts) == tokenizer.encode(texts) == expected
    assert [forgetful.encode([text])[0] for text in texts] == expected


def test_a_table_knows_its_pieces(tmp_path: Path) -> None:
    """The likelier way is taken, what is no piece is one unknown, and two pieces with one key are refused."""
    path = tmp_path / "table"
    path.write_bytes(write_table([(4, "▁a", -1.0), (5, "▁", -2.0), (6, "ab", -1.5), (7, "b", -3.0), (8, "a", -3.0)]))

    assert PieceTable(path).cut("▁ab▁xyab") == ([5, 6, 5, 3, 6], [1, 2, 1, 2, 2])
    with pytest.raises(ValueError, match="same key"):
        write_table([(4, "a", -1.0), (5, "a", -2.0)])


@pytest.fixture(scope="module")
def reference() -> SentencePieceProcessor:
    """SentencePiece with the pieces of the weights, which changes nothing of a text but its spaces."""
    return SentencePieceProcessor(model_proto=b"".join(_write(WeightsFile(locate_e5()).read_vocabulary())))


def _write(vocabulary: Vocabulary) -> Iterator[bytes]:
    """Yield SentencePiece's protobuf: github.com/google/sentencepiece, src/sentencepiece_model.proto."""
    marks = {vocabulary.begin: 3, vocabulary.end: 3, vocabulary.pad: 3, vocabulary.unknown: 2}
    for number, (piece, score) in enumerate(zip(vocabulary.pieces, vocabulary.scores.tolist(), strict=True)):
        letters = piece.encode()
        entry = b"\x0a" + bytes([len(letters)]) + letters + b"\x15" + struct.pack("<f", score)
        entry += bytes([0x18, marks.get(number, 1)])
        yield b"\x0a" + bytes([len(entry)]) + entry
    places = ((40, vocabulary.unknown), (41, vocabulary.begin), (42, vocabulary.end), (43, vocabulary.pad))
    trainer = b"\x18\x01" + b"".join(
        struct.pack("<H", 0x80 | field << 3 & 0x7F | field >> 4 << 8) + bytes([place]) for field, place in places
    )
    yield b"\x12" + bytes([len(trainer)]) + trainer
    normaliser = b"\x0a\x08identity\x18\x01\x20\x00\x28\x01"
    yield b"\x1a" + bytes([len(normaliser)]) + normaliser
