"""Whose words an imported message is, and what follows from that."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.features.transfer.importing import ImportRules, Survey, plan_exchanges
from bot.memory.items import Origin, Trust
from bot.memory.scope import Scope
from bot.messages import Author
from bot.ports.transfer import ExportedMessage, ImportedExchange, LeftOut, Speaks

BEGIN = datetime(2023, 2, 7, 14, 30, tzinfo=UTC)
RULES = ImportRules(
    scope=Scope("tu7"),
    user=Author(7, "Bob", Trust.OWNER),
    own=frozenset({"user7"}),
    idle=timedelta(minutes=30),
    min_length=20,
    indexing=True,
    deriving=True,
    zone=UTC,
)


def message(
    number: int,
    text: str,
    author: str = "user7",
    *,
    chat: str = "c",
    minutes: int | None = None,
    forwarded_from: str = "",
    speaks: Speaks = Speaks.PERSON,
) -> ExportedMessage:
    """Return one message of a file; ``minutes`` after its beginning."""
    said_at = BEGIN + timedelta(minutes=number if minutes is None else minutes)
    name = {"user7": "Bob", "user8": "Anna"}.get(author, author)
    return ExportedMessage(
        f"telegram:{chat}:{number}", chat, author, name, speaks, text, said_at, forwarded_from=forwarded_from
    )


def plan(*messages: ExportedMessage | LeftOut) -> list[ImportedExchange]:
    """Return what is made of messages."""
    return list(plan_exchanges(messages, RULES))


def test_the_users_own_words_are_theirs_and_are_learned_from() -> None:
    """With the date on which they were said, and no younger than that."""
    (mine,) = plan(message(1, "My sister Vera lives in Porto."))
    (item,) = mine.items

    assert (mine.exchange.user_text, mine.exchange.parts) == ("My sister Vera lives in Porto.", ())
    assert mine.exchange.said_at == BEGIN + timedelta(minutes=1)
    assert (item.provenance.source, item.provenance.said_at) == ("import", mine.exchange.said_at)
    assert item.created_at == item.updated_at == mine.exchange.said_at
    assert mine.document is not None


def test_what_another_person_said_is_never_the_users_word() -> None:
    """It is what the user passed on, under its author's name; nothing is learned from it, wishes no more than facts."""
    hers, wish, passed = plan(
        message(1, "My sister Vera lives in Porto.", "user8"),
        message(2, "Always answer in metric units.", "user8"),
        message(3, "My sister Vera lives in Rome.", forwarded_from="Carl"),
    )

    for planned, name in ((hers, "Anna"), (wish, "Anna"), (passed, "Carl")):
        (part,) = planned.exchange.parts
        assert (planned.exchange.user_text, planned.items) == ("", ())
        assert (part.origin, part.author, part.trust) == (Origin.FORWARDED, name, Trust.FILE)
    assert hers.document is not None
    assert "Forwarded (from Anna): My sister Vera lives in Porto." in hers.document.text


def test_answers_of_an_assistant_are_its_own_and_believed_as_the_file_is() -> None:
    """They follow the message that they answer; one without a question stands alone."""
    first, answered = plan(
        message(1, "Hello, ask me anything.", "assistant", speaks=Speaks.ASSISTANT, chat="a"),
        message(2, "Which river flows through Porto?", chat="b"),
        message(3, "The Douro.", "assistant", speaks=Speaks.ASSISTANT, chat="b"),
        message(4, "It is 897 km long.", "assistant", speaks=Speaks.ASSISTANT, chat="b"),
    )[0:2]

    assert (first.exchange.user_text, first.exchange.assistant_text) == ("", "Hello, ask me anything.")
    assert answered.exchange.assistant_text == "The Douro.\n\nIt is 897 km long."
    assert answered.exchange.answer_trust is Trust.FILE


def test_secrets_are_masked_whoever_wrote_them() -> None:
    """In the exchange, in what is learned and in the document."""
    for author in ("user7", "user8"):
        (planned,) = plan(message(1, "My password is hunter2secret!9 since Monday.", author))
        assert "hunter2" not in repr(planned)
        assert "redacted" in planned.exchange.said


def test_a_conversation_begins_with_another_chat_and_after_a_pause() -> None:
    """As sessions of a live chat do."""
    planned = plan(
        message(1, "One two three."),
        message(2, "Four five six."),
        message(3, "Seven eight.", minutes=90),
        message(4, "Nine ten.", chat="d", minutes=91),
    )

    first, second, third, fourth = (each.conversation for each in planned)
    assert first == second
    assert len({second, third, fourth}) == 3


def test_uids_are_stable_distinct_and_fit_for_names() -> None:
    """The same message has the same one in every export; the place in the file does not matter."""
    first, second = plan(message(1, "One two three."), message(2, "One two three."))
    (again,) = plan(message(2, "One two three, edited."))

    assert first.exchange.uid != second.exchange.uid == again.exchange.uid
    assert second.exchange.uid.isalnum()
    assert second.exchange.uid.islower()


def test_a_survey_counts_people_dates_and_what_is_left_out() -> None:
    """People are found by id, or by a name in any case; two of one name are both found."""
    survey = Survey()
    for found in (
        message(1, "One", "user8"),
        message(9, "Two", "user8"),
        message(3, "Three"),
        LeftOut.SERVICE,
        message(4, "x" * 1_000_001),
    ):
        survey.note(found)

    assert [(seen.name, seen.messages) for seen in survey.people] == [("Anna", 2), ("Bob", 1)]
    assert survey.find_people("anna") == survey.find_people("user8") == survey.people[:1]
    assert survey.find_people("Carl") == ()
    assert (survey.first, survey.last) == (BEGIN + timedelta(minutes=1), BEGIN + timedelta(minutes=9))
    assert survey.left_out == {LeftOut.SERVICE: 1, LeftOut.TOO_LONG: 1}
