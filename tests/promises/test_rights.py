"""P18: nobody acts for another."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import bot.commands
import bot.features
from bot.core.rights import RIGHTS, Right, Role
from bot.memory.items import Trust
from tests.rights import DEEDS, FORMS, PEOPLE, SAID, SCOPE, open_group, try_everything


def test_every_command_is_in_the_table_of_rights() -> None:
    """One that is not could do nothing to others' words, and nobody would have decided that."""
    rooms = [("bot.commands.", bot.commands.__path__), ("bot.features.", bot.features.__path__)]
    modules = [import_module(each.name) for name, path in rooms for each in walk_packages(path, name)]
    kinds = {kind for module in modules for kind in vars(module).values() if isinstance(kind, type)}
    named = {getattr(kind, "name", None): kind for kind in kinds if hasattr(kind, "run")}
    names = {name for name in named if isinstance(name, str)}

    assert names >= {"forget", "memory", "users"}
    assert names == set(RIGHTS)


async def test_what_happens_in_a_group_is_what_the_table_says(tmp_path: Path) -> None:
    """Edits, pins, erases, undos and exports by everybody, through the receiver.

    Without the table a member edited in the owner's name, and a stranger in an open group erased all of its memory.
    """
    outcomes = await try_everything(tmp_path)

    assert {each.role for each in outcomes} == set(Role)
    assert [each for each in outcomes if each.allowed != each.happened] == []


def test_every_right_that_not_everybody_has_is_tried() -> None:
    """In the group or on the page, but two: people are invited in the owner's own chat, and a stop takes a model.

    That one is tried in ``tests/bot/runtime/test_stopping.py``.
    """
    anybody = Right(Role.STRANGER, Role.STRANGER, Role.STRANGER)
    kept = {name for name, right in RIGHTS.items() if right != anybody}
    tried = {command for command, _, _ in DEEDS} | {command for command, _, _ in FORMS.values()}

    assert kept - tried == {"users", "stop"}


async def test_an_edit_is_a_word_of_the_editor(tmp_path: Path) -> None:
    """With their name, their trust and its time, and it says so."""
    async with open_group(tmp_path) as talk:
        await talk.ask("/remember@mneme_bot My plumber is Mr. Kovacs.", user=SAID, chat=-100)
        before = await talk.app.parts.browser.open(SCOPE, 1)
        await talk.ask("/memory@mneme_bot edit 1 My plumber is Mr. Novak.", user=PEOPLE[Role.ADMIN], chat=-100)
        after = await talk.app.parts.browser.open(SCOPE, 1)
        card = await talk.ask("/memory@mneme_bot open 1", user=PEOPLE[Role.MEMBER], chat=-100)

    assert before is not None
    assert after is not None
    was, now = before.item.provenance, after.item.provenance
    assert (was.author_id, now.author_id) == (SAID, PEOPLE[Role.ADMIN])
    assert (now.trust, now.source) == (Trust.USER, "edit")
    assert now.said_at >= was.said_at
    assert "edited" in card


async def test_a_typed_yes_is_no_press_where_others_read_along(tmp_path: Path) -> None:
    """Everything goes by the button that is bound to who asked for it."""
    async with open_group(tmp_path) as talk:
        await talk.ask("/remember@mneme_bot My plumber is Mr. Kovacs.", user=SAID, chat=-100)
        asked = await talk.ask("/forget@mneme_bot everything yes", user=PEOPLE[Role.ADMIN], chat=-100)
        kept = await talk.app.parts.browser.open(SCOPE, 1)

    assert kept is not None
    assert "everything" in asked.lower()
