"""Access control: who is let in, and the replies to those who are not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from adapters.telegram.access import make_pairing_code
from bot.errors import StorageUnavailable
from bot.memory.items import Trust
from harness.fakes.telegram import FakeTelegram
from language.registry import choose_texts
from tests.adapters.telegram.fakes import (
    ANNA,
    GROUP,
    STRANGER,
    Journal,
    PairedUsers,
    WallClock,
    receiver_for,
    running,
)

SOON = datetime.now(UTC) + timedelta(hours=1)


async def test_a_stranger_is_refused_once_and_leaves_nothing(telegram: FakeTelegram) -> None:
    """A stranger hears one sentence with their id, however often they write, and nothing of theirs is accepted.

    Mutation checked: with access control admitting everybody the journal holds all three messages.
    """
    journal, access = Journal(), PairedUsers()
    async with running(receiver_for(telegram, journal, access=access)):
        for text in ("hello", "let me in", "please"):
            await telegram.says(text, user=STRANGER)
        await telegram.until(lambda: len(telegram.updates.confirmed) == 3 and telegram.texts(STRANGER))

    assert journal.accepted == []
    assert access.tried == 0
    [answer] = telegram.texts(STRANGER)
    assert str(STRANGER) in answer


async def test_an_empty_allow_list_means_nobody(telegram: FakeTelegram) -> None:
    """Without any entry nobody is let in."""
    journal = Journal()
    async with running(receiver_for(telegram, journal, allowed=frozenset)):
        await telegram.says("hello", user=ANNA)
        await telegram.until(lambda: telegram.updates.confirmed)

    assert journal.accepted == []


async def test_a_removed_entry_acts_at_once(telegram: FakeTelegram) -> None:
    """The list is asked for every message."""
    journal = Journal()
    lists = [frozenset({ANNA}), frozenset[int]()]
    async with running(receiver_for(telegram, journal, allowed=lambda: lists.pop(0))):
        await telegram.says("one", user=ANNA)
        await telegram.says("two", user=ANNA)
        await telegram.until(lambda: len(telegram.updates.confirmed) == 2)

    assert journal.texts == ["one"]


@pytest.mark.parametrize("form", ["/start {}", "/pair {}", "/pair {}-", "/START {}", "{upper}", "{spaced}"])
async def test_a_pairing_code_lets_its_user_in_once(telegram: FakeTelegram, form: str) -> None:
    """A code in a direct chat pairs its user, is not journaled, and works for one user only."""
    journal, access, code = Journal(), PairedUsers(), make_pairing_code()
    await access.issue(42, code, SOON)
    async with running(receiver_for(telegram, journal, access=access, allowed=frozenset)):
        await telegram.says(form.format(code.lower(), upper=code, spaced=f"{code[:5]}-{code[5:]}"), user=8)
        await telegram.says("hello", user=8)
        await telegram.says(f"/pair {code}", user=9)
        await telegram.until(lambda: len(telegram.updates.confirmed) == 3)
        await telegram.until(lambda: telegram.texts(9))

    assert journal.texts == ["/start", "hello"]
    assert access.paired_users == {8}


async def test_a_redelivered_code_does_no_harm(telegram: FakeTelegram) -> None:
    """When the same update comes again after a crash its author is paired already, and the code stays unwritten."""
    journal = Journal(failures=[StorageUnavailable("disk full")])
    access, code = PairedUsers(), make_pairing_code()
    await access.issue(42, code, SOON)
    async with running(receiver_for(telegram, journal, access=access)):
        await telegram.says(f"/start {code}", user=8)
        await telegram.until(lambda: journal.accepted)

    assert journal.texts == ["/start"]


async def test_guessing_codes_is_cut_off(telegram: FakeTelegram) -> None:
    """After five wrong codes in an hour a user's codes are not looked at, not even the right one; later they are.

    Mutation checked: without counting wrong codes the sixth guess pairs.
    """
    journal, access, clock = Journal(), PairedUsers(), WallClock()
    await access.issue(42, "RGHTCDE234", SOON)
    async with running(receiver_for(telegram, journal, access=access, clock=clock)):
        for guess in range(5):
            await telegram.says(f"/pair WRNGCDE23{guess + 2}", user=STRANGER)
        await telegram.says("/pair RGHTCDE234", user=STRANGER)
        await telegram.until(lambda: len(telegram.updates.confirmed) == 6)
        tried_at_first, paired_at_first = access.tried, set(access.paired_users)
        clock.moved_s = 3601
        await telegram.says("/pair RGHTCDE234", user=STRANGER)
        await telegram.until(lambda: len(telegram.updates.confirmed) == 7)

    assert (tried_at_first, paired_at_first) == (5, set())
    assert access.paired_users == {STRANGER}


async def test_a_links_parameter_is_no_guess(telegram: FakeTelegram) -> None:
    """What cannot be a code is not tried: strangers who follow a link do not burn the owner's code."""
    access = PairedUsers()
    async with running(receiver_for(telegram, Journal(), access=access)):
        for parameter in ("ref_12345", "hello world", "x" * 64, "\u202eABCDEFGHJK"):
            await telegram.says(f"/start {parameter}", user=STRANGER)
        await telegram.until(lambda: len(telegram.updates.confirmed) == 4)

    assert access.tried == 0


async def test_pairing_can_be_switched_off(telegram: FakeTelegram) -> None:
    """While pairing is off even the right code is not looked at."""
    access = PairedUsers()
    await access.issue(42, "RGHTCDE234", SOON)
    async with running(receiver_for(telegram, Journal(), access=access, pairing=lambda: False)):
        await telegram.says("/pair RGHTCDE234", user=STRANGER)
        await telegram.until(lambda: telegram.updates.confirmed)

    assert access.tried == 0


async def test_silence_can_be_kept(telegram: FakeTelegram) -> None:
    """With answers to strangers off nobody learns that the bot is there; who presses its button has seen it."""
    async with running(receiver_for(telegram, Journal(), answer_strangers=lambda: False)) as receiver:
        telegram.chats.meet(STRANGER)
        await receiver.bot.send_message(STRANGER, "before")
        [shown] = telegram.chats.of(STRANGER)
        for text in ("hello", "/start ref_12345", "strawberry", "STRAWBERR", "let me in"):
            await telegram.says(text, user=STRANGER)
        await telegram.presses("x", user=STRANGER, shown=shown)
        await telegram.until(lambda: telegram.methods.answered)

    assert telegram.texts(STRANGER) == ["before"]
    assert telegram.methods.answered[0]["text"] == choose_texts("en").service.button_refused


@pytest.mark.parametrize("text", ["/pair nonsense", "/start RGHTCDE234", "RGHTCDE234", "RGHTC-DE234"])
async def test_a_wrong_code_gets_one_sentence(telegram: FakeTelegram, text: str) -> None:
    """Whoever sends a code was told that the bot is there: silence would leave them alone with a typo."""
    journal = Journal()
    async with running(receiver_for(telegram, journal, answer_strangers=lambda: False)):
        await telegram.says(text, user=STRANGER)
        await telegram.until(lambda: telegram.texts(STRANGER))

    assert telegram.texts(STRANGER) == [choose_texts("en").service.wrong_code]
    assert journal.accepted == []


async def test_what_known_people_write_is_no_code(telegram: FakeTelegram) -> None:
    """A booking code of ten letters and digits is a message like any other."""
    journal = Journal()
    async with running(receiver_for(telegram, journal)):
        await telegram.says("RGHTCDE234", user=ANNA)
        await telegram.until(lambda: journal.accepted)

    assert journal.texts == ["RGHTCDE234"]


async def test_a_revoked_user_is_a_stranger_at_once(telegram: FakeTelegram) -> None:
    """Pairing is asked for every message: nothing has to be restarted."""
    journal, access = Journal(), PairedUsers(paired_users={8})
    async with running(receiver_for(telegram, journal, access=access)):
        await telegram.says("one", user=8)
        await telegram.until(lambda: journal.accepted)
        await access.unpair(42, 8)
        await telegram.says("two", user=8)
        await telegram.until(lambda: len(telegram.updates.confirmed) == 2)

    assert journal.texts == ["one"]


async def test_a_code_in_a_group_is_not_redeemed(telegram: FakeTelegram) -> None:
    """A code shown to a whole group pairs nobody."""
    access = PairedUsers()
    await access.issue(42, "RGHTCDE234", SOON)
    async with running(receiver_for(telegram, Journal(), access=access, allowed_chats=lambda: frozenset({GROUP}))):
        await telegram.says("/start@mneme_bot RGHTCDE234", user=STRANGER, chat=GROUP)
        await telegram.until(lambda: telegram.updates.confirmed)

    assert access.tried == 0


async def test_pairing_grants_no_group_rights(telegram: FakeTelegram) -> None:
    """A paired user is nobody in a listed group; a listed user is somebody there; the group being open changes that.

    Mutation checked: with paired users admitted in groups the first message comes in.
    """
    journal, access, opened = Journal(), PairedUsers(paired_users={8}), [False]
    lists = {"allowed_chats": lambda: frozenset({GROUP}), "open_groups": lambda: opened[0]}
    async with running(receiver_for(telegram, journal, access=access, **lists)):
        await telegram.says("@mneme_bot paired", user=8, chat=GROUP)
        await telegram.says("@mneme_bot listed", user=ANNA, chat=GROUP)
        await telegram.until(lambda: len(telegram.updates.confirmed) == 2)
        opened[0] = True
        await telegram.says("@mneme_bot anybody", user=STRANGER, chat=GROUP)
        await telegram.until(lambda: len(telegram.updates.confirmed) == 3)

    assert journal.texts == ["listed", "anybody"]


async def test_an_unlisted_group_is_closed_and_its_id_told_to_the_owner_only(telegram: FakeTelegram) -> None:
    """In a group that nobody allowed strangers hear nothing; a listed user learns the id for the configuration."""
    journal = Journal()
    async with running(receiver_for(telegram, journal, open_groups=lambda: True)):
        await telegram.says("@mneme_bot hi", user=STRANGER, chat=GROUP)
        await telegram.until(lambda: telegram.updates.confirmed)
        silence = telegram.texts(GROUP)
        await telegram.says("@mneme_bot hi", user=ANNA, chat=GROUP)
        await telegram.until(lambda: telegram.texts(GROUP))

    assert silence == []
    assert str(GROUP) in telegram.texts(GROUP)[0]
    assert journal.accepted == []


async def test_a_strangers_button_press_is_refused_and_answered(telegram: FakeTelegram) -> None:
    """Buttons are authorised like messages; either way the button stops waiting."""
    journal = Journal()
    async with running(receiver_for(telegram, journal, allowed_chats=lambda: frozenset({GROUP}))) as receiver:
        telegram.chats.meet(GROUP)
        await receiver.bot.send_message(GROUP, "Forget it?")
        [shown] = telegram.chats.of(GROUP)
        await telegram.presses("forget:7", user=STRANGER, shown=shown)
        await telegram.presses("forget:7", user=ANNA, shown=shown)
        await telegram.until(lambda: len(telegram.methods.answered) == 2)

    assert [message.author.id for message in journal.accepted] == [ANNA]
    assert sorted(answer.get("text", "") for answer in telegram.methods.answered) == ["", "This button is not for you."]


async def test_owners_are_trusted_most(telegram: FakeTelegram) -> None:
    """An owner's word carries the owner's trust, other users' the ordinary one."""
    journal = Journal()
    async with running(receiver_for(telegram, journal, owners=lambda: frozenset({1}))):
        await telegram.says("mine", user=1)
        await telegram.says("hers", user=ANNA)
        await telegram.until(lambda: len(journal.accepted) == 2)

    assert [message.author.trust for message in journal.accepted] == [Trust.OWNER, Trust.USER]


async def test_refusals_are_few_however_many_strangers_come(telegram: FakeTelegram) -> None:
    """A crowd of strangers gets ten answers a minute in all."""
    async with running(receiver_for(telegram, Journal())):
        for stranger in range(1000, 1040):
            await telegram.says("hi", user=stranger)
        await telegram.until(lambda: len(telegram.updates.confirmed) == 40)
        await telegram.until(lambda: len(telegram.chats.of()) == 10)

    assert len(telegram.chats.of()) == 10


def test_codes_are_long_and_never_alike() -> None:
    """A code has ten characters that people can read to each other."""
    codes = {make_pairing_code() for _ in range(1000)}

    assert len(codes) == 1000
    assert all(len(code) == 10 and code.isalnum() and not set(code) & set("01ILO") for code in codes)
