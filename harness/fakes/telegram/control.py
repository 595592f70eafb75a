"""Control over HTTP, for tests in which the bot, or the fake, is another process.

Each route takes JSON; what it takes stands at its method.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from aiohttp import web

from harness.fakes.telegram.floods import Fault

if TYPE_CHECKING:
    from harness.fakes.telegram.server import FakeTelegram


def control_routes(telegram: FakeTelegram) -> list[web.RouteDef]:
    """Return the routes: ``POST /control/NAME`` for every order below, ``GET /control/sent`` and ``/control/state``."""
    control = Control(telegram)
    orders = (
        *(control.message, control.update, control.fault, control.chaos, control.floods, control.migrate),
        *(control.topic, control.expire, control.block, control.member, control.delete),
    )
    return [
        *(web.post(f"/control/{order.__name__}", order) for order in orders),
        web.get("/control/sent", control.sent),
        web.get("/control/state", control.state),
    ]


class Control:
    """Orders and looks."""

    def __init__(self, telegram: FakeTelegram) -> None:
        self._telegram = telegram

    async def message(self, request: web.Request) -> web.Response:
        """{"text", "user", "chat"?, "topic"?, any field of a message} → {"update_id"}."""
        return web.json_response({"update_id": await self._telegram.says(**await request.json())})

    async def update(self, request: web.Request) -> web.Response:
        """Any update → {"update_id"}."""
        return web.json_response({"update_id": await self._telegram.push(await request.json())})

    async def fault(self, request: web.Request) -> web.Response:
        """{"method", "fault", "times"?, "code"?, "seconds"?, "retry_after"?, "description"?}."""
        order = await request.json()
        self._telegram.fail(order.pop("method"), Fault(order.pop("fault")), **order)
        return web.json_response({})

    async def chaos(self, request: web.Request) -> web.Response:
        """{"chance", "seed"?, "faults"?: [names], "methods"?: [names]}."""
        wanted, faults = await request.json(), self._telegram.faults
        faults.chance = float(wanted["chance"])
        faults.seed = int(wanted.get("seed", 0))
        faults.by_chance = tuple(map(Fault, wanted.get("faults", faults.by_chance)))
        faults.methods = tuple(wanted.get("methods", faults.methods))
        return web.json_response({})

    async def floods(self, request: web.Request) -> web.Response:
        """{"enforced"?, "burst"?}."""
        wanted, floods = await request.json(), self._telegram.floods
        floods.enforced = bool(wanted.get("enforced", floods.enforced))
        floods.burst = int(wanted.get("burst", floods.burst))
        return web.json_response({})

    async def migrate(self, request: web.Request) -> web.Response:
        """{"chat"}: a basic group becomes a supergroup → {"chat"}."""
        return web.json_response({"chat": await self._telegram.migrates(int((await request.json())["chat"]))})

    async def topic(self, request: web.Request) -> web.Response:
        """{"chat", "topic", "opened"?}: close a topic, or open it again."""
        wanted = await request.json()
        self._telegram.close_topic(int(wanted["chat"]), int(wanted["topic"]), opened=bool(wanted.get("opened")))
        return web.json_response({})

    async def expire(self, _request: web.Request) -> web.Response:
        """{}: every press so far is too old to be answered."""
        self._telegram.expire_queries()
        return web.json_response({})

    async def block(self, request: web.Request) -> web.Response:
        """{"user", "blocked"?} → {"update_id"}."""
        wanted = await request.json()
        change = self._telegram.blocks if wanted.get("blocked", True) else self._telegram.unblocks
        return web.json_response({"update_id": await change(int(wanted["user"]))})

    async def member(self, request: web.Request) -> web.Response:
        """{"chat", "user", "removed"?}: the user adds the bot to a group, or throws it out → {"update_id"}."""
        wanted = await request.json()
        change = self._telegram.removes_bot if wanted.get("removed") else self._telegram.adds_bot
        return web.json_response({"update_id": await change(int(wanted["chat"]), user=int(wanted["user"]))})

    async def delete(self, request: web.Request) -> web.Response:
        """{"chat", "message_id"} → {"deleted"}."""
        wanted = await request.json()
        deleted = self._telegram.chats.delete(int(wanted["chat"]), int(wanted["message_id"]))
        return web.json_response({"deleted": deleted})

    async def sent(self, request: web.Request) -> web.Response:
        """Return what a ``chat``, or every one, shows of the bot."""
        chat = request.query.get("chat")
        return web.json_response([asdict(shown) for shown in self._telegram.chats.of(int(chat) if chat else None)])

    async def state(self, _request: web.Request) -> web.Response:
        """Return what the bot has asked for, and what it did wrong."""
        telegram = self._telegram
        return web.json_response(
            {
                "pending": telegram.updates.pending,
                "given": telegram.updates.given,
                "confirmed": telegram.updates.confirmed,
                "calls": [method for method, _params in telegram.calls],
                "commands": telegram.methods.commands,
                "violations": [asdict(violation) for violation in telegram.violations],
                "limited": telegram.floods.refused,
                "busiest": telegram.floods.busiest,
                "unmodified": telegram.chats.unmodified,
            }
        )
