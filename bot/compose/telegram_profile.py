"""What Telegram shows of the bot, from the sentences of every language."""

from __future__ import annotations

from typing import Final

from adapters.telegram.account import Profile
from bot.compose.pipeline import list_commands
from language import languages
from language.registry import choose_texts
from language.texts import Texts

_PERSONAL: Final = frozenset({"start", "status", "export", "import", "sessions", "usage", "page"})
"""Commands that a group's menu leaves out: they are about one person, or about the server."""


def make_profile(menu: tuple[str, ...], language: str, owner: int | None, chosen: str = "auto") -> Profile:
    """Return the profile by language, with the commands of a ``menu``.

    ``language`` is the operator's for everybody, "auto" is each reader's own.  The owner's chat lists what is
    for the owner alone, too, in the language ``chosen`` there.
    """
    texts = {code: choose_texts(code, language) for code in ("", *(each.code for each in languages()))}
    everywhere = {code: list_commands(menu, each) for code, each in texts.items()}
    return Profile(
        everywhere=everywhere,
        groups={
            code: tuple(entry for entry in commands if entry[0] not in _PERSONAL)
            for code, commands in everywhere.items()
        },
        owners={code: _list_for_owner(menu, choose_texts(code, chosen)) for code in texts},
        owner=owner,
        descriptions={code: each.chat.description for code, each in texts.items()},
        short_descriptions={code: each.chat.short_description for code, each in texts.items()},
    )


def _list_for_owner(menu: tuple[str, ...], texts: Texts) -> tuple[tuple[str, str], ...]:
    return (*list_commands(menu, texts), *texts.chat.owner_commands.items())
