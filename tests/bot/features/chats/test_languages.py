"""The pages of /settings in every language that there is."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.features.chats.register import Offered, name_language, render_choices, render_overview
from bot.memory.scope import ScopeKind
from bot.ports.chats import ChatSettings
from language import languages
from language.registry import choose_texts

NOW = datetime(2024, 5, 10, tzinfo=UTC)
OFFERED = Offered("auto", True, True, "", ScopeKind.USER, (ScopeKind.USER, ScopeKind.CHAT))


def test_every_language_is_offered_and_shows_its_own_pages() -> None:
    """Found by its folder: nothing here knows its name; one that does not say what it is called goes by its code."""
    for each in languages():
        texts, chosen = choose_texts(each.code), ChatSettings(each.code)
        page, _ = render_overview(chosen, OFFERED, texts)
        offered = {command for _, command in render_choices("language", ChatSettings(), OFFERED, texts, NOW)[1]}

        assert name_language(each.code) in page
        assert f"/settings language {each.code}" in offered
        assert all(all(render_choices(key, chosen, OFFERED, texts, NOW)) for key in texts.settings.titles)
    assert name_language("eo") == "eo"
