"""Whose words an export of Mneme holds, where it is believed and where it is not."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.features.transfer import importing
from bot.features.transfer.importing import Survey, mask_names, plan_document, plan_exchanges
from bot.features.transfer.source import RestoreRules, name_turn, plan_documents, plan_items, plan_turns, survey_turn
from bot.memory.chunking import DocumentChunk
from bot.memory.items import ItemType, Layer, MemoryItem, Origin, Part, Provenance, Trust
from bot.ports.transfer import ArchivedDocument, ArchivedItem, ArchivedTurn, LeftOut, Speaks
from harness.samples import exchange
from tests.bot.features.transfer.test_importing import BEGIN, RULES, message, plan
from tests.cases import each_row

OWN, FOREIGN = 70, 80
"""Who in the file is the user (Bob, 7, here), and somebody else."""
LONGEST = 200
WHO = replace(RULES, own=frozenset({str(OWN)}))
BELIEVED, OUTSIDE = RestoreRules(WHO, True, "elsewhere"), RestoreRules(WHO, False, "elsewhere")


def turn(author: int, text: str = "My sister Vera lives in Porto.", **more: object) -> ArchivedTurn:
    """One exchange of a file."""
    said = ArchivedTurn("t1", 1, BEGIN, author, "Robert", Trust.OWNER, text, "Noted.", Trust.BOT)
    return replace(said, **more)  # type: ignore[arg-type]  # each of its own type


def document(author: int) -> ArchivedDocument:
    """A document of a file."""
    return ArchivedDocument(
        "d1", "plan.pdf", "Plan", "pdf", "", author, "Robert", Trust.OWNER, BEGIN, 1, False, "h", "t1",
        (DocumentChunk(("Plan",), "Paint the door.", 1),),
    )  # fmt: skip


def item(author: int) -> ArchivedItem:
    """A structured memory of a file."""
    said = Provenance(author, "Robert", "chat", Trust.OWNER, BEGIN, "t1")
    return ArchivedItem(MemoryItem(Layer.SEMANTIC, ItemType.FACT, "Vera", "Vera lives in Porto.", said, "f1"))


@each_row(
    ("rules", "author", "expected"),
    [
        (BELIEVED, OWN, (7, "Robert", Trust.OWNER)),
        (BELIEVED, FOREIGN, (FOREIGN, "Robert", Trust.OWNER)),
        (OUTSIDE, OWN, (7, "Bob", Trust.OWNER)),
        (OUTSIDE, FOREIGN, None),
    ],
)
def test_a_document_is_brought_by_whom_the_file_may_say(
    rules: RestoreRules, author: int, expected: tuple[int, str, Trust] | None
) -> None:
    """Of a file that is not believed only the user's own come along, under the user's name and number."""
    planned = [each.document for each in plan_documents([document(author)], rules)]

    assert [(each.author.id, each.author.name, each.author.trust) for each in planned] == (
        [expected] if expected else []
    )
    assert all((each.place, each.message_id, each.entry) == ("", 0, 0) for each in planned)


@each_row(("rules", "name"), [(BELIEVED, "Robert"), (OUTSIDE, "Bob")])
def test_ones_own_memory_goes_by_ones_own_number(rules: RestoreRules, name: str) -> None:
    """And is trusted no further than the user is."""
    lowly = replace(rules, rules=replace(WHO, user=replace(WHO.user, trust=Trust.USER)))
    (planned,) = plan_items([item(OWN)], lowly)

    said = planned.item.provenance
    assert (said.author_id, said.author_name, said.trust) == (7, name, Trust.USER)


def test_who_cannot_be_believed_is_nobody() -> None:
    """Another's turn is something that the user passed on; their own stays theirs."""
    (theirs,), (own,) = (list(plan_turns([turn(author)], OUTSIDE)) for author in (FOREIGN, OWN))
    (believed,) = plan_turns([turn(FOREIGN)], BELIEVED)

    assert (theirs.exchange.user_text, theirs.exchange.author) == ("", WHO.user)
    assert [(part.origin, part.author) for part in theirs.exchange.parts] == [(Origin.FORWARDED, "Robert")]
    assert (own.exchange.user_text, own.exchange.author) == ("My sister Vera lives in Porto.", WHO.user)
    assert (believed.exchange.author.id, believed.exchange.author.trust) == (FOREIGN, Trust.OWNER)


def test_a_turn_of_elsewhere_never_bears_the_name_of_one_of_here() -> None:
    """But for what was brought from the same place before: that is the same everywhere."""
    home, brought = replace(BELIEVED, origin=""), f"i{'0' * 24}"
    away = name_turn("t1", BELIEVED)

    assert name_turn("t1", home) == "t1"
    assert away.startswith("x")
    assert away != name_turn("t1", replace(BELIEVED, origin="another"))
    assert [name_turn(brought, rules) for rules in (home, BELIEVED)] == [brought, brought]
    with pytest.raises(ValueError, match="no name of a turn"):
        name_turn("../t1", BELIEVED)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let messages of more than 200 characters be documents, not those of more than a million."""
    monkeypatch.setattr(importing, "_LONGEST", LONGEST)


@pytest.mark.usefixtures("short")
def test_a_survey_counts_forwards_by_whoever_passed_them_on() -> None:
    """With their words; a turn without any of its own counts by its answer."""
    survey = Survey()
    forward = Part(Origin.FORWARDED, "Ferries leave at 8.", "Harbour")
    for each in (
        turn(OWN),
        turn(OWN, "", parts=(Part(Origin.QUOTED, "Which ones?", "Ann"), forward)),
        turn(OWN, "", parts=(replace(forward, author=""),)),
        turn(OWN, ""),
        turn(FOREIGN, "x" * LONGEST),
        turn(FOREIGN, "x" * (LONGEST + 1)),
    ):
        survey_turn(survey, each)

    assert (survey.messages, survey.forwards) == (5, 2)
    assert survey.characters == len("My sister Vera lives in Porto.") + 2 * len(forward.text) + len("Noted.") + LONGEST
    assert survey.left_out == {LeftOut.TOO_LONG: 1}


@pytest.mark.usefixtures("short")
def test_a_message_that_is_too_long_is_left_to_documents() -> None:
    """The last character that fits is taken."""
    planned = plan(message(1, "x" * LONGEST), message(2, "x" * (LONGEST + 1)))

    assert [len(each.exchange.said) for each in planned] == [LONGEST]
    assert [each.edited for each in planned] == [False]
    assert plan(replace(message(3, "My sister is Vera."), edited_at=BEGIN))[0].edited


def test_a_conversation_ends_when_nobody_writes_for_as_long_as_it_may_rest() -> None:
    """To the minute."""
    told = [message(number, f"Message {number}.", minutes=at) for number, at in enumerate((0, 30, 61))]
    conversations = [each.conversation for each in plan_exchanges(told, RULES)]

    assert conversations[0] == conversations[1] != conversations[2]
    assert RULES.idle == timedelta(minutes=30)


def test_a_name_is_cut_and_a_secret_one_hidden() -> None:
    """Of who wrote and of whose words were passed on; nobody known stays nobody known."""
    long, secret = "N" * 150, "sk-proj-" + "a1B2" * 12
    shown = mask_names(replace(message(1, "Hello.", long, forwarded_from="?"), author_name=long))
    hidden = mask_names(message(1, "Hello.", secret, forwarded_from=secret))

    assert not isinstance(shown, LeftOut)
    assert not isinstance(hidden, LeftOut)
    assert len(shown.author_name) == 100
    assert shown.forwarded_from == "?"
    assert secret not in f"{hidden.author} {hidden.forwarded_from}"
    assert hidden.forwarded_from != ""


@each_row(
    ("said", "answer", "indexed"),
    [
        ("My sister is Vera.", "", True),
        ("We met in the harbour of Porto yesterday.", "", True),
        ("thanks a lot, good night", "", False),
        ("Hm, maybe?", "", False),
        ("thanks", "You are welcome, and here is the whole recipe again.", True),
    ],
)
def test_what_says_nothing_is_not_indexed(said: str, answer: str, *, indexed: bool) -> None:
    """A stated fact is, however short it is."""
    planned = plan_document(exchange("e1", said, answer), RULES)

    assert (planned is not None) is indexed
    assert message(1, said).speaks is Speaks.PERSON
