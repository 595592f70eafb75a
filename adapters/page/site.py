"""The site behind one door: its routes, and the pages for what went wrong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import structlog
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from adapters.page.changing import ChangingPages
from adapters.page.gate import Door, Gate, TooLargeError
from adapters.page.looking import LookingPages
from adapters.page.people import PeoplePages
from adapters.page.records import RecordPages
from adapters.page.rendering import FOLDER
from adapters.page.sessions import Sessions, Visitor
from adapters.page.visits import (
    ChangedError,
    ForeignFormError,
    MissingError,
    NotYoursError,
    PageParts,
    SignedOutError,
    Visits,
    read_form,
    show_page,
)
from bot.errors import MnemeError

SIGNED_OUT: Final = 401
Handler = Callable[[Request], Awaitable[Response]]


Admit = Callable[[str], Awaitable[Visitor | None]]
"""Returns whom Telegram's data let in, ``None`` for data that is forged or old, and for a stranger's."""


def build_site(parts: PageParts, sessions: Sessions, door: Door, admit: Admit | None = None) -> Gate:
    """Return the ASGI application of a door; nothing runs until somebody calls it.

    ``admit`` makes a Mini App of it: one comes in by what Telegram says of one, and not by a link.
    """
    visits = Visits(parts, sessions, door)
    looking, changing, entrance = LookingPages(visits), ChangingPages(visits), Entrance(visits, admit)
    people, records = PeoplePages(visits), RecordPages(visits)
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    pages: dict[str, Handler] = {
        "/": looking.choose,
        "/m/{tag}/timeline": looking.timeline,
        "/m/{tag}/turn/{uid}": looking.turn,
        "/m/{tag}/turn/{uid}/forget": changing.ask_turn,
        "/m/{tag}/people": people.people,
        "/m/{tag}/people/{number}": people.person,
        "/m/{tag}/memories": changing.memories,
        "/m/{tag}/memories/forget": changing.ask_chosen,
        "/m/{tag}/memories/{number}": changing.memory,
        "/m/{tag}/memories/{number}/forget": changing.ask_memory,
        "/m/{tag}/search": looking.search,
        "/m/{tag}/forgotten": looking.forgotten,
        "/m/{tag}/reminders": records.reminders,
        "/m/{tag}/documents": records.documents,
        "/m/{tag}/documents/{uid}": records.document,
        "/m/{tag}/documents/{uid}/forget": records.ask_document,
        "/m/{tag}/costs": records.costs,
        "/m/{tag}/settings": records.settings,
    }
    forms: dict[str, Handler] = {
        "/leave": entrance.leave,
        "/m/{tag}/turn/{uid}/forget": changing.forget_turn,
        "/m/{tag}/memories": changing.add,
        "/m/{tag}/memories/forget": changing.forget_chosen,
        "/m/{tag}/memories/{number}/edit": changing.edit,
        "/m/{tag}/memories/{number}/pin": changing.pin,
        "/m/{tag}/memories/{number}/forget": changing.forget_memory,
        "/m/{tag}/undo": changing.undo,
        "/m/{tag}/export": records.export,
        "/m/{tag}/reminders/{number}/cancel": records.cancel_reminder,
        "/m/{tag}/documents/{uid}/forget": records.forget_document,
        "/m/{tag}/settings": records.change_settings,
    }
    if admit is None:
        pages["/open/{token}"] = entrance.open
    else:
        pages["/app"], forms["/app"] = entrance.show_app, entrance.enter_app
    for methods, routes in ((["GET"], pages), (["POST"], forms)):
        for path, handler in routes.items():
            app.add_route(path, handler, methods=methods, name=f"{methods[0]} {path}")
    app.mount("/static", StaticFiles(directory=FOLDER / "static"), name="static")
    refusals = Refusals(visits)
    for error in (
        SignedOutError,
        MissingError,
        ForeignFormError,
        NotYoursError,
        ChangedError,
        TooLargeError,
        MnemeError,
        HTTPException,
    ):
        app.add_exception_handler(error, refusals)
    return Gate(app, door)


@dataclass(frozen=True, slots=True)
class Entrance:
    """The ways in and out."""

    visits: Visits
    admit: Admit | None = None

    async def open(self, request: Request) -> Response:
        """Exchange a link for a session, once.

        The answer is a page that goes on by itself, not a redirect: after a link on another site a browser would send
        a redirect without the cookie that came with it.
        """
        token = self.visits.sessions.redeem(request.path_params["token"][:200])
        words = self.visits.words(request)
        if token is None:
            return HTMLResponse(
                show_page(
                    "message.html",
                    words.page.link_title,
                    words,
                    self.visits.door.prefix,
                    None,
                    None,
                    text=words.page.link_spent,
                    back="",
                ),
                403,
            )
        page = show_page("enter.html", words.page.entered, words, self.visits.door.prefix, None, None)
        return HTMLResponse(page, headers={"set-cookie": self.visits.door.write_cookie(token)})

    async def show_app(self, request: Request) -> Response:
        """Let a script of ours hand over what Telegram tells the browser alone; whoever has come in goes on."""
        words, base = self.visits.words(request), self.visits.door.prefix
        if await self.visits.sessions.find(request.cookies.get(self.visits.door.cookie, "")) is not None:
            return HTMLResponse(show_page("enter.html", words.page.entered, words, base, None, None))
        return HTMLResponse(show_page("app.html", words.page.app_title, words, base, None, None))

    async def enter_app(self, request: Request) -> Response:
        """Begin the session of whoever opened the Mini App, if they may talk to the bot."""
        told = (await read_form(request)).get("init_data", "")
        visitor = await self.admit(told) if self.admit is not None else None
        words, base = self.visits.words(request, visitor), self.visits.door.prefix
        if visitor is None:
            structlog.get_logger().warning("page refused to a mini app")
            page = words.page
            shown = show_page("message.html", page.app_title, words, base, None, None, text=page.app_refused, back="")
            return HTMLResponse(shown, 403)
        token = self.visits.sessions.begin(visitor)
        shown = show_page("enter.html", words.page.entered, words, base, None, None)
        return HTMLResponse(shown, headers={"set-cookie": self.visits.door.write_cookie(token)})

    async def leave(self, request: Request) -> Response:
        """End the session."""
        visit, _ = await self.visits.submit(request, "page")
        self.visits.sessions.end(request.cookies.get(self.visits.door.cookie, ""))
        words = visit.words
        page = show_page(
            "message.html",
            words.page.closed_title,
            words,
            self.visits.door.prefix,
            None,
            None,
            text=words.page.closed,
            back="",
        )
        return HTMLResponse(page, headers={"set-cookie": self.visits.door.write_cookie("")})


@dataclass(frozen=True, slots=True)
class Refusals:
    """Says in the visitor's words why a page is not shown; whoever has not come in learns nothing else."""

    visits: Visits

    async def __call__(self, request: Request, error: Exception) -> Response:
        """Return the page for an error."""
        words = self.visits.words(request)
        page = words.page
        status, title, text = 404, page.missing_title, page.missing
        match error:
            case SignedOutError():
                status, title, text = SIGNED_OUT, page.closed_title, page.closed
            case ForeignFormError():
                status, title, text = 403, page.changed_title, page.changed
            case NotYoursError():
                status, title, text = 403, page.failed_title, words.texts.memory.not_yours
            case TooLargeError():
                status, title, text = 413, page.failed_title, page.too_large
            case ChangedError():
                status, title, text = 409, page.changed_title, page.changed
            case MnemeError():
                structlog.get_logger().warning("page unavailable", cause=type(error).__name__)
                status, title, text = 503, page.failed_title, page.failed
            case HTTPException():
                status = error.status_code
        base = self.visits.door.prefix
        back = "" if status == SIGNED_OUT else f"{base}/"
        shown = show_page("message.html", title, words, base, None, None, text=text, back=back)
        return HTMLResponse(shown, status)
