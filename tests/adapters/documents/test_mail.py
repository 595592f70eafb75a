"""E-mail: its head, what was written, and what is attached, as a reader of the message sees it."""

from __future__ import annotations

import base64
import string
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from bot.ports.document_reading import DocumentContent
from harness.documents.samples import write_docx, write_pdf, write_xlsx
from tests.adapters.documents.test_reading import read


def write_mail(subject: str, text: str = "", html: str = "", **attached: bytes) -> EmailMessage:
    """Return a message; the names of what is attached are given with an underscore for the point."""
    mail = EmailMessage()
    mail["From"], mail["To"] = "Jörg Çelik <joerg@example.org>", "Ольга <olga@example.org>"
    mail["Date"], mail["Subject"] = "Tue, 03 Mar 2026 10:00:00 +0100", subject
    mail["Message-ID"] = "<1@example.org>"
    if text:
        mail.set_content(text, cte="base64")
    if html and text:
        mail.add_alternative(html, subtype="html")
    elif html:
        mail.set_content(html, subtype="html", charset="cp1251")
    for name, content in attached.items():
        mail.add_attachment(content, maintype="application", subtype="octet-stream", filename=name.replace("_", "."))
    return mail


def join(document: DocumentContent) -> str:
    """Return everything that was read."""
    return "\n".join(" › ".join((*section.headings, section.text)) for section in document.sections)


async def test_a_message_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Head, text and each attachment by the reader of its kind, whatever the file is called; nothing as base64."""
    mail = write_mail(
        "Größe der Lieferung",
        "Die Ladung wiegt 40 Tonnen.\n",
        "<p>Die Ladung wiegt <b>40</b> Tonnen.</p>",
        plan_pdf=write_pdf(["The crane stands at gate seven."]),
        offer_docx=write_docx([(1, "Offer"), (0, "The price is 4711.")]),
        list_xlsx=write_xlsx({"Stock": [("Part", "Count"), ("bolt", 12)]}),
        logo_png=b"\x89PNG\r\n\x1a\n" + bytes(99),
        broken_docx=b"PK\x03\x04 nothing",
    )

    document = await read(tmp_path, "letter.txt", mail.as_bytes())

    assert (document.kind, document.title) == ("eml", "Größe der Lieferung")
    assert document.sections[0].text.split("\n") == [
        "From: Jörg Çelik <joerg@example.org>",
        "To: Ольга <olga@example.org>",
        "Date: Tue, 03 Mar 2026 10:00:00 +0100",
        "Subject: Größe der Lieferung",
        "Attachments: plan.pdf, offer.docx, list.xlsx, logo.png, broken.docx",
    ]
    said = join(document)
    assert said.count("wiegt 40 Tonnen") == 1
    assert "plan.pdf › The crane stands at gate seven." in said
    assert "offer.docx › Offer › " in said
    assert "list.xlsx › Stock › A2:B2 › Part: bolt | Count: 12" in said
    assert not any(base64.b64encode(secret)[:12].decode() in said for secret in (b"\x89PNG\r\n\x1a\n", b"The price"))


async def test_only_html_is_cleaned_and_a_forwarded_message_is_read(tmp_path: Path) -> None:
    """In the charset that the message names; what the page hides is not read; the inner message has its own head."""
    inner = write_mail("Der Kran", "He stands at gate nine.")
    mail = write_mail("Fwd", html="<p>Привет, <b>мир</b>.</p><p style='display:none'>obey</p><script>evil()</script>")
    mail.add_attachment(inner)

    said = join(await read(tmp_path, "a.eml", mail.as_bytes()))

    assert "Привет, мир." in said
    assert "obey" not in said
    assert "evil" not in said
    assert "Der Kran › From: Jörg" in said
    assert "Der Kran › He stands at gate nine." in said


@pytest.mark.parametrize(
    ("content", "held"),
    [
        (b"From: a\nSubject: =?no-such?B?xx?= =?utf-8?q?gr=C3=BCn?=\n\nHello there.", "Hello there."),
        (
            "From: a\nSubject: Größe\nContent-Type: text/plain; charset=cp1252\n\nEin Fuß.".encode("cp1252"),
            "Subject: Größe\nEin Fuß.",
        ),
        (b"From: a\nContent-Type: text/plain; charset=none-such\n\nStill here.", "Still here."),
        (b"From: a\nTo: b\nContent-Type: multipart/mixed; boundary=x\n\nNo parts at all.", "No parts at all."),
        (b"\r\nFrom: a\r\nTo: b\r\nContent-Transfer-Encoding: base64\r\n\r\nSGVsbG8gYWdhaW4", "Hello again"),
        (
            (
                b"From: a\nTo: b\nContent-Type: multipart/alternative; boundary=x\n\n"
                b"--x\n\n \n--x\nContent-Type: text/html\n\n<p>Only the page speaks.</p>\n--x--\n"
            ),
            "Only the page speaks.",
        ),
    ],
    ids=["subject", "8bit", "charset", "no parts", "base64", "empty plain"],
)
async def test_a_message_that_is_not_quite_right_is_read(tmp_path: Path, content: bytes, held: str) -> None:
    """Wrong charsets, raw letters, missing parts and paddings are everyday; what was written is found."""
    assert held in join(await read(tmp_path, "a.eml", content))


async def test_a_mailbox_has_a_section_per_message(tmp_path: Path) -> None:
    """Its number is the page; a line that only begins with From is none."""
    letters = [write_mail(f"Number {number}", f"From here on: {number} boxes.").as_bytes() for number in (1, 2)]
    box = b"".join(b"From joerg@example.org Tue Mar  3 10:00:00 2026\n" + letter + b"\n\n" for letter in letters)

    document = await read(tmp_path, "all.mbox", box)

    assert (document.kind, document.pages) == ("mbox", 2)
    assert [(one.headings, one.page) for one in document.sections] == [
        (("Number 1",), 1), (("Number 1",), 1), (("Number 2",), 2), (("Number 2",), 2),
    ]  # fmt: skip
    assert "From here on: 2 boxes." in document.sections[3].text


async def test_messages_in_messages_end(tmp_path: Path) -> None:
    """However deep and however many: it is read within its limits and said to be cut."""
    deep = write_mail("end", "The bottom.")
    for number in range(30):
        outer = write_mail(f"level {number}", "below")
        outer.add_attachment(deep)
        deep = outer
    many: dict[str, Any] = {f"n{one}{two}_txt": b"x" for one in string.ascii_letters for two in "abc"}

    nested = await read(tmp_path, "a.eml", deep.as_bytes())
    crowded = await read(tmp_path, "b.eml", write_mail("many", "all", **many).as_bytes())

    assert (nested.cut, crowded.cut) == (True, True)
    assert "The bottom" not in join(nested)


async def test_other_texts_are_no_mail(tmp_path: Path) -> None:
    """A letter that somebody pasted, settings, and a page's answer stay what they are."""
    kinds = [
        (await read(tmp_path, name, text)).kind
        for name, text in (
            ("note.txt", "From: the harbour\nSubject: cranes\n\nText."),
            ("a.yaml", "from: a\nother: 1\n"),
            ("answer.txt", "Date: today\nReceived: parcels\n\nText."),
        )
    ]

    assert kinds == ["txt", "code", "txt"]
