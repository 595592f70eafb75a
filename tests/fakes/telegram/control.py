"""Control over HTTP, for tests in which the bot is another process."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from aiohttp import web

from tests.fakes.telegram.floods import Fault

if TYPE_CHECKING:
    from tests.fakes.telegram.server import FakeTelegram


def control_routes(telegram: FakeTelegram) -> list[web.RouteDef]:
    """Return the routes.

    ``POST /control/message`` {"text", "user", "chat"?, "topic"?, …} → {"update_id"}; ``POST /control/update`` any;
    ``POST /control/fault`` {"method", "fault", "times"?, …}; ``POST /control/chaos`` {"chance", "seed"?};
    ``GET /control/sent?chat=`` what the chats show; ``GET /control/state`` ids pending, given and confirmed, and calls.
    """

    async def message(request: web.Request) -> web.Response:
        return web.json_response({"update_id": await telegram.says(**await request.json())})

    async def update(request: web.Request) -> web.Response:
        return web.json_response({"update_id": await telegram.push(await request.json())})

    async def fault(request: web.Request) -> web.Response:
        order = await request.json()
        telegram.fail(order.pop("method"), Fault(order.pop("fault")), **order)
        return web.json_response({})

    async def chaos(request: web.Request) -> web.Response:
        wanted = await request.json()
        telegram.faults.chance = float(wanted["chance"])
        telegram.faults.seed = int(wanted.get("seed", 0))
        return web.json_response({})

    async def sent(request: web.Request) -> web.Response:
        chat = request.query.get("chat")
        return web.json_response([asdict(shown) for shown in telegram.chats.of(int(chat) if chat else None)])

    async def state(_request: web.Request) -> web.Response:
        return web.json_response(
            {
                "pending": telegram.updates.pending,
                "given": telegram.updates.given,
                "confirmed": telegram.updates.confirmed,
                "calls": [method for method, _params in telegram.calls],
                "commands": telegram.methods.commands,
            }
        )

    return [
        web.post("/control/message", message),
        web.post("/control/update", update),
        web.post("/control/fault", fault),
        web.post("/control/chaos", chaos),
        web.get("/control/sent", sent),
        web.get("/control/state", state),
    ]
