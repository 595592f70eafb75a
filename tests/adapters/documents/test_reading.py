"""Reading documents: every kind into sections that say where they stand."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.documents.formats import read_sections
from adapters.documents.reader import SubprocessReader
from adapters.documents.recognition import decode, recognise
from adapters.documents.source import ReadingLimits, Source
from bot.errors import DocumentUnreadable
from bot.memory.sanitise import flatten
from bot.ports.document_reading import DocumentContent
from harness.documents.samples import (
    CHAPTERS,
    FACTS,
    name_chapter,
    write_docx,
    write_drawn_pdf,
    write_long_docx,
    write_long_epub,
    write_long_html,
    write_long_pdf,
    write_long_pptx,
    write_long_xlsx,
    write_pdf,
    write_pptx,
    write_xlsx,
)
from tests.cases import each_row


async def read(folder: Path, name: str, content: bytes | str, **limits: float) -> DocumentContent:
    """Read a file of this content."""
    path = folder / "file"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    made = ReadingLimits(**limits)  # type: ignore[arg-type]  # each has its type
    return await SubprocessReader(lambda: made).read(path, name=name)


@pytest.mark.parametrize(
    ("kind", "write", "pages"),
    [
        ("pdf", write_long_pdf, (1, 101, 196)),
        ("html", lambda: write_long_html(100_000), (0, 0, 0)),
        ("xlsx", lambda: write_long_xlsx(60), (0, 0, 0)),
        ("pptx", write_long_pptx, (1, 21, 40)),
        ("docx", lambda: write_long_docx(40), (0, 0, 0)),
        ("epub", write_long_epub, (1, 21, 40)),
    ],
    ids=["pdf", "html", "xlsx", "pptx", "docx", "epub"],
)
async def test_a_fact_anywhere_is_read_under_its_heading(
    tmp_path: Path, kind: str, write: Callable[[], bytes], pages: tuple[int, ...]
) -> None:
    """At the beginning, in the middle and at the end; the kind is told by the content, whatever the name says."""
    document = await read(tmp_path, "holiday.jpg", write())

    assert (document.kind, document.cut) == (kind, False)
    for (chapter, fact), page in zip(FACTS.items(), pages, strict=True):
        found = [section for section in document.sections if fact in section.text]
        assert [section.page for section in found] == [page]
        assert name_chapter(chapter).replace(":", "") in " ".join(found[0].headings).replace(":", "")


def write_chosen_html() -> bytes:
    """Return a page of which trafilatura leaves lines out."""
    passage = (
        "<p>" + "The keeper of the lighthouse tends the lamp every night, whatever the weather brings. " * 3 + "</p>"
    )
    advert = '<div class="sidebar-ad"><p>Buy now</p></div>'
    return f"<html><body><article><h1>Lamps</h1>{passage * 9}</article>{advert}</body></html>".encode()


@pytest.mark.parametrize(
    "write",
    [
        write_chosen_html,
        lambda: write_long_html(20_000),
        lambda: write_long_pdf(40),
        lambda: write_long_xlsx(5),
        lambda: write_long_docx(40),
        lambda: "Теплица".encode("cp1251") * 9,
    ],
    ids=["chosen", "html", "pdf", "xlsx", "docx", "cp1251"],
)
async def test_confinement_takes_nothing_from_what_is_read(tmp_path: Path, write: Callable[[], bytes]) -> None:
    """What the confined process reads is what its parser reads in this one, which may do everything.

    Mutation check: without ``sched_getaffinity`` among the calls that are allowed trafilatura cannot be imported.
    """
    content = write()
    confined = await read(tmp_path, "file", content)
    file = io.BytesIO(content)
    source = Source(file, recognise(file, ""), "", ReadingLimits())

    assert [(one.headings, one.text, one.page) for one in confined.sections] == [
        (tuple(map(flatten, one.headings)), one.text.strip("\n"), one.page) for one in read_sections(source)
    ]


async def test_an_outline_divides_the_pages_of_a_pdf(tmp_path: Path) -> None:
    """Two headings on one page make two sections of it; what runs on keeps its heading on the next page."""
    pages = ["Intro\nfirst words\nMethods\nsecond words", "third words", "Results\nfourth words"]
    outline = [(0, 0, "Intro"), (1, 0, "Methods"), (0, 2, "Results")]

    document = await read(tmp_path, "a.pdf", write_pdf(pages, outline=outline, title="A study"))

    assert document.title == "A study"
    assert [(section.headings, section.page, section.text.split("\n")[-1]) for section in document.sections] == [
        (("Intro",), 1, "first words"),
        (("Intro", "Methods"), 1, "second words"),
        (("Intro", "Methods"), 2, "third words"),
        (("Results",), 3, "fourth words"),
    ]


async def test_numbers_of_neighbouring_cells_stay_apart(tmp_path: Path) -> None:
    """By their places, by the spacing within a line, raised; what is one number, spaced evenly or turned, stays one."""
    drawn = {
        "(400.01) Tj 31.6 0 Td (3) Tj": "400.01 3",
        "[(400.01) -900 (3)] TJ": "400.01 3",
        "(7) Tj 7 0 Td (8) Tj 7 0 Td (-9) Tj": "7 8 -9",
        "(62) Tj /F1 6 Tf 3 Ts (5) Tj": "62 5",
        "(1,234.56) Tj 45 0 Td ($3) Tj": "1,234.56 $3",
        "1.5 Tc (2025) Tj": "2025",
        "[(1) 20 (7) -20 (3)] TJ": "173",
        "(on 2025-03-04, +49 \\(0\\)30/123) Tj": "on 2025-03-04, +49 (0)30/123",
    }
    lines = "".join(f"BT /F1 10 Tf 50 {700 - 20 * n} Td {each} ET\n" for n, each in enumerate(drawn))
    turned = "q 0 1 -1 0 300 300 cm BT /F1 10 Tf 50 70 Td (12345.10) Tj ET Q"

    document = await read(tmp_path, "a.pdf", write_drawn_pdf(f"{lines}{turned}".encode()))

    assert document.sections[0].text == "\n".join(drawn.values()) + " 12345.10"


async def test_headings_nest(tmp_path: Path) -> None:
    """A heading ends what is as deep as itself, in Markdown as in Word; lines between fences are none."""
    text = "# A\none\n## B\ntwo\n```\n# no heading\n```\n## C\nthree\n# D\nfour\n"
    word = [(1, "A"), (0, "one"), (2, "B"), (0, "two"), (2, "C"), (0, "three"), (1, "D"), (0, "four")]
    paths = [("A",), ("A", "B"), ("A", "C"), ("D",)]

    markdown = await read(tmp_path, "notes.md", text)
    document = await read(tmp_path, "notes.docx", write_docx(word))

    assert [section.headings for section in markdown.sections] == paths
    assert "# no heading" in markdown.sections[1].text
    assert [section.headings for section in document.sections] == paths


async def test_rows_say_what_their_values_are(tmp_path: Path) -> None:
    """A row that is found by itself names its columns; a section names its range."""
    rows = [("Name", "City"), *((f"Person {number}", "Lisbon") for number in range(60))]

    csv = await read(tmp_path, "people.csv", "\n".join(";".join(row) for row in rows))
    book = await read(tmp_path, "people.xlsx", write_xlsx({"Staff": rows}))

    assert [section.headings for section in csv.sections] == [("A2:B51",), ("A52:B61",)]
    assert csv.sections[0].text.startswith("Name: Person 0 | City: Lisbon\n")
    assert [section.headings for section in book.sections] == [("Staff", "A2:B51"), ("Staff", "A52:B61")]


async def test_slides_bring_their_notes(tmp_path: Path) -> None:
    """A slide's section is named by its title and holds the speaker's notes, its number is the page."""
    document = await read(tmp_path, "deck.pptx", write_pptx([("Plan", "Dig"), ("End", "Rest")], notes="Mention Ada"))

    assert [(section.headings, section.page) for section in document.sections] == [(("Plan",), 1), (("End",), 2)]
    assert "Mention Ada" in document.sections[0].text


async def test_code_is_divided_at_its_definitions(tmp_path: Path) -> None:
    """Comments and decorators above a definition belong to it."""
    text = "import os\n\n# Adds.\n@cache\ndef add(a, b):\n    return a + b\n\nclass Tree:\n    pass\n"

    document = await read(tmp_path, "tree.py", text)

    assert (document.kind, document.title) == ("code", "tree")
    assert [section.headings for section in document.sections] == [(), ("add",), ("Tree",)]
    assert document.sections[1].text.startswith("# Adds.\n@cache\ndef add")


async def test_json_has_a_section_per_key_or_per_fifty_entries(tmp_path: Path) -> None:
    """Of lines of JSON, too; what is no JSON is text."""
    document = await read(tmp_path, "a.json", '{"port": 80, "hosts": ["a", "b"]}')
    lines = await read(tmp_path, "a.jsonl", "\n".join(f'{{"n": {number}}}' for number in range(60)))
    broken = await read(tmp_path, "a.json", '{"port": 80')

    assert [section.headings for section in document.sections] == [("port",), ("hosts",)]
    assert [section.headings for section in lines.sections] == [("1-50",), ("51-60",)]
    assert broken.sections[0].text == '{"port": 80'


async def test_what_a_page_hides_is_not_read(tmp_path: Path) -> None:
    """Neither scripts nor styles nor hidden elements nor comments, which only a model would read."""
    page = (
        "<html><body><p>Open daily.</p><script>evil()</script><!-- obey --><p hidden>obey</p>"
        '<div style="Display: none">obey</div><span aria-hidden="true">obey</span><p style="font-size:0">obey</p>'
        "<table><tr><td>Monday</td><td>9<br>to 17</td></tr></table><ul><li>one</li><li>two</li></ul></body></html>"
    )

    document = await read(tmp_path, "page.html", page)

    text = "\n".join(section.text for section in document.sections)
    assert "obey" not in text
    assert "evil" not in text
    assert "Monday | 9 to 17" in text
    assert "- one\n- two" in text


@each_row("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1251", "koi8-r"])
def test_encodings_are_told_apart(encoding: str) -> None:
    """Russian text in what editors of four decades wrote."""
    text = "Водопровод в северной теплице чинит Оттилия Брандт каждый вторник утром.\n" * 20

    assert decode(text.encode(encoding)) == text


async def test_names_are_not_trusted(tmp_path: Path) -> None:
    """Lone surrogates, line ends and control characters of a name reach neither the worker nor the title."""
    document = await read(tmp_path, "a\ud800\n\x1b[31mb.txt", "hello there")

    assert document.title == "a\ufffd [31mb"


async def test_what_is_too_long_is_cut_and_said_to_be(tmp_path: Path) -> None:
    """Pages, characters and rows; what is over in bytes is refused."""
    pages = await read(tmp_path, "a.pdf", write_pdf(["words"] * 300), pages=20)
    text = await read(tmp_path, "a.txt", "word " * 1000, characters=1000)
    with pytest.raises(DocumentUnreadable, match="maxMegabytes") as refused:
        await read(tmp_path, "a.txt", "word " * 1000, size=100)

    assert (pages.pages, len(pages.sections), pages.cut) == (300, 20, True)
    assert (len(text.sections[0].text), text.cut) == (1000, True)
    assert refused.value.why == "too_large"


def test_a_format_whose_reader_is_not_installed_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wheel leaves the readers of documents to an extra."""
    monkeypatch.delitem(sys.modules, "adapters.documents.formats.pdf", raising=False)
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    source = Source(io.BytesIO(write_pdf(["words"])), "pdf", ".pdf", ReadingLimits())

    with pytest.raises(DocumentUnreadable, match=r"pip install 'mneme\[documents\]'") as refused:
        list(read_sections(source))
    assert refused.value.why == "no_reader"


def test_the_samples_are_what_they_say() -> None:
    """Forty chapters, three facts."""
    assert (len(FACTS), max(FACTS)) == (3, CHAPTERS - 1)
