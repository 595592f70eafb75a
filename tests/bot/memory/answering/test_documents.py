"""Sentences of documents that answer: under their headings, after the sentence before, row by row of a table."""

from __future__ import annotations

from bot.memory.answering.answer import answer_from
from bot.memory.items import Channel, DocumentPlace, Recalled
from harness.samples import NOON
from language.registry import choose_texts
from tests.cases import each_row


def chunk(text: str, *headings: str, number: int = 1, page: int = 0, name: str = "pumps.pdf") -> Recalled:
    """Return a chunk as the search finds it."""
    place = DocumentPlace("d1", name, headings, page)
    return Recalled(f"document:d1:{number}", text, Channel.DOCUMENT, 1.0, said_at=NOON, place=place)


def ask(question: str, *memories: Recalled, language: str = "en") -> str:
    """Return the answer without a model."""
    phrases = choose_texts(language).answers
    found = answer_from(question, memories, asker_id=42, asker_name="Anna", now=NOON, phrases=phrases)
    return found.text


@each_row(
    ("question", "text", "headings", "quoted"),
    [
        (
            "How long is the warranty of the Falcon pump?",
            "It lasts 24 months from delivery. It is void under water.",
            ("Falcon pump", "Warranty"),
            "It lasts 24 months from delivery.",
        ),
        (
            "What is the weight of the Falcon pump?",
            "The Falcon pump is made in Graz. Its weight is 12 kg.",
            (),
            "Its weight is 12 kg.",
        ),
        (
            "How many people live in Graz?",
            "| City | People |\n|---|---|\n| Wien | 2000000 |\n| Graz | 300000 |",
            ("Cities",),
            "City: Graz; People: 300000",
        ),
        (
            "Where was the pump tested?",
            "The new pump was tested in the\nharbour of Porto by two crews.",
            (),
            "The new pump was tested in the harbour of Porto by two crews.",
        ),
    ],
)
def test_the_sentence_that_answers_is_quoted(question: str, text: str, headings: tuple[str, ...], quoted: str) -> None:
    """Word for word, however the page has broken its lines."""
    answer = ask(question, chunk(text, *headings, page=41))

    assert quoted in answer
    assert "— pumps.pdf" in answer
    assert answer.split("\n")[0].endswith("p. 41")


@each_row(("language", "shown"), [("en", "“"), ("de", "„"), ("ru", "«")])
def test_each_language_names_document_section_and_page(language: str, shown: str) -> None:
    """In its own quotation marks."""
    answer = ask(
        "Where was the pump tested?", chunk("The pump was tested in Porto.", "3 Results", page=41), language=language
    )

    assert answer.startswith(f"{shown}The pump was tested in Porto.")
    assert "pumps.pdf › 3 Results › " in answer


def test_what_somebody_told_comes_before_what_a_document_says() -> None:
    """Unless the document fits much better."""
    told = Recalled("turn:a:user", "The pump was tested in Linz.", Channel.TURN, 1.0, "Anna", 42, "user", NOON, "a")
    answer = ask("Where was the pump tested?", told, chunk("The pump was tested in Porto."))

    assert "Linz" in answer
    assert "Porto" not in answer


def test_a_question_about_a_whole_document_gets_its_beginning() -> None:
    """It shares no word with it."""
    chunks = (chunk("Later words.", number=9), chunk("This tells of pumps and their care.", number=2))

    assert "This tells of pumps" in ask("What is it about?", *chunks)


def test_what_documents_do_not_say_is_not_known() -> None:
    """The nearest sentence is shown as such."""
    answer = ask("Who invented the pump?", chunk("The pump was tested in Porto."))

    assert "don't know" in answer
