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

from adapters.page.changing import ChangedError, ChangingPages
from adapters.page.gate import Door, Gate, TooLargeError
from adapters.page.looking import LookingPages
from adapters.page.people import PeoplePages
from adapters.page.rendering import FOLDER
from adapters.page.sessions import Sessions
from adapters.page.visits import ForeignFormError, MissingError, PageParts, SignedOutError, Visits, show_page
from bot.errors import MnemeError

SIGNED_OUT: Final = 401
Handler = Callable[[Request], Awaitable[Response]]


def build_site(parts: PageParts, sessions: Sessions, door: Door) -> Gate:
    """Return the ASGI application of a door; nothing runs until somebody calls it."""
    visits = Visits(parts, sessions, door)
    looking, changing, entrance = LookingPages(visits), ChangingPages(visits), Entrance(visits)
    people = PeoplePages(visits)
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    pages: dict[str, Handler] = {
        "/": looking.choose,
        "/open/{token}": entrance.open,
        "/m/{tag}/timeline": looking.timeline,
        "/m/{tag}/turn/{uid}": looking.turn,
        "/m/{tag}/turn/{uid}/forget": changing.ask_turn,
        "/m/{tag}/people": people.people,
        "/m/{tag}/people/{number}": people.person,
        "/m/{tag}/memories": changing.memories,
        "/m/{tag}/memories/{number}": changing.memory,
        "/m/{tag}/memories/{number}/forget": changing.ask_memory,
        "/m/{tag}/search": looking.search,
        "/m/{tag}/forgotten": looking.forgotten,
    }
    forms: dict[str, Handler] = {
        "/leave": entrance.leave,
        "/m/{tag}/turn/{uid}/forget": changing.forget_turn,
        "/m/{tag}/memories/{number}/edit": changing.edit,
        "/m/{tag}/memories/{number}/pin": changing.pin,
        "/m/{tag}/memories/{number}/forget": changing.forget_memory,
        "/m/{tag}/undo": changing.undo,
    }
    for methods, routes in ((["GET"], pages), (["POST"], forms)):
        for path, handler in routes.items():
            app.add_route(path, handler, methods=methods, name=f"{methods[0]} {path}")
    app.mount("/static", StaticFiles(directory=FOLDER / "static"), name="static")
    refusals = Refusals(visits)
    for error in (
        SignedOutError,
        MissingError,
        ForeignFormError,
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

    async def leave(self, request: Request) -> Response:
        """End the session."""
        visit, _ = await self.visits.submit(request)
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
            case TooLargeError():
                status, title, text = 413, page.failed_title, page.missing
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
