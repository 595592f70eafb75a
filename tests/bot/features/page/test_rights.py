"""P18 on the page: nobody acts for another."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from starlette.routing import Route

from adapters.page.gate import Door
from adapters.page.site import build_site
from bot.core.rights import RIGHTS, Role
from bot.features.page.mini_app import AppGate
from bot.features.page.parts import build_page_parts, build_sessions
from harness.application import NO_RAG, run_console
from tests.rights import FORMS, LEAVE, try_page


async def test_what_a_form_of_the_page_does_is_what_the_table_says(tmp_path: Path) -> None:
    """Of everybody, come in by Telegram or by a link, in shared, own, others' and the group's memory.

    Seen to fail without each of the page's questions: of the scope, of whose words it is about, of the form.
    """
    outcomes = await try_page(tmp_path)

    assert {each.role for each in outcomes} == set(Role)
    assert [each for each in outcomes if each.allowed != each.happened] == []
    assert {each.deed.split(", ")[0] for each in outcomes if each.happened} == {
        f"page: {form}" for form in (*FORMS, LEAVE)
    }


async def test_every_form_of_the_page_is_tried(tmp_path: Path) -> None:
    """One that is not would be in nobody's mind when the table changes."""
    async with run_console(tmp_path, NO_RAG) as talk:
        parts, door = talk.app.parts, Door(frozenset(), frozenset(), "")
        gate = build_site(build_page_parts(parts), build_sessions(parts), door, admit=AppGate(parts, 1).admit)
    assert isinstance(gate.app, FastAPI)
    named = {
        each.path.removeprefix("/m/{tag}/")
        for each in gate.app.routes
        if isinstance(each, Route) and each.methods == {"POST"}
    }

    assert named == {*FORMS, LEAVE, "/app"}
    assert {command for command, _, _ in FORMS.values()} <= set(RIGHTS)
