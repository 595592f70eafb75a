"""What the server does not carry out: refusals, Telegram's rates, and faults that can be ordered or left to chance."""

import asyncio
import math
import random
import time
from collections import deque
from dataclasses import dataclass, field
from enum import StrEnum

_TICK_S = 0.05


class Fault(StrEnum):
    """What may go wrong with one request."""

    LIMITED = "limited"
    """429 with ``retry_after``; nothing happens."""
    REFUSED = "refused"
    """400 with the given description; nothing happens."""
    FAILED = "failed"
    """``code`` (500, or another 5xx); nothing happens."""
    UNREAD = "unread"
    """``code`` as soon as the headers are there, and the connection closes: nobody takes the body."""
    FAILED_AFTER = "failed_after"
    """It happens, then ``code``."""
    GATEWAY = "gateway"
    """502 with HTML, as a proxy before Telegram answers; nothing happens."""
    DROPPED = "dropped"
    """The connection closes without an answer; nothing happens."""
    DROPPED_AFTER = "dropped_after"
    """It happens, then the connection closes without an answer."""
    GARBAGE = "garbage"
    """It happens, then 200 with HTML."""
    SLOW = "slow"
    """It happens, and is answered as it should be, after ``seconds``."""
    HANGS = "hangs"
    """No answer for ``seconds``; nothing happens."""


@dataclass(slots=True)
class Order:
    """A fault for the next ``times`` calls of a method."""

    method: str
    fault: Fault
    times: int = 1
    retry_after: int = 1
    description: str = "Bad Request"
    seconds: float = 60.0
    code: int = 500


@dataclass(slots=True)
class Faults:
    """Faults ordered one by one, and a share of all calls of ``methods`` that fails by chance (seeded)."""

    orders: list[Order] = field(default_factory=list)
    chance: float = 0.0
    by_chance: tuple[Fault, ...] = (Fault.DROPPED_AFTER,)
    methods: tuple[str, ...] = ("sendMessage",)
    seconds: float = 60.0
    """Of what is slow or hangs by chance."""
    seed: int = 0
    _random: random.Random | None = None

    def next(self, method: str) -> Order | None:
        """Return what goes wrong with this call, ``None`` if nothing does."""
        for order in self.orders:
            if order.method.lower() == method.lower() and order.times > 0:
                order.times -= 1
                return order
        if self._random is None:
            self._random = random.Random(self.seed)
        if method in self.methods and self.chance and self._random.random() < self.chance:
            return Order(method, self._random.choice(self.by_chance), seconds=self.seconds)
        return None


@dataclass(slots=True)
class Floods:
    """Telegram's limits: one message a second to a chat, thirty a second in all, twenty a minute to a group.

    https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this: a chat's second is no hard limit,
    ``burst`` messages may come at once.  ``enforced = False`` is for tests of something else.
    ``refused`` counts the answers 429, ``busiest`` is the largest number of calls in any second, ``busiest_group`` that
    of messages to a group in any minute.  What the server was held up in reading, by a machine with much to do, counts
    as come when that began: it may have, and comes at once.
    """

    enforced: bool = True
    chat: tuple[int, float] = (1, 1.0)
    burst: int = 3
    overall: tuple[int, float] = (30, 1.0)
    group: tuple[int, float] = (20, 60.0)
    refused: int = 0
    busiest: int = 0
    busiest_group: int = 0
    _ticked_at: float = math.inf
    _held_up: tuple[float, float] = (-math.inf, -math.inf)
    _second: deque[float] = field(default_factory=deque)
    _times: dict[tuple[str, int], deque[float]] = field(default_factory=dict)
    _due: dict[int, float] = field(default_factory=dict)

    def check(self, chat_id: int) -> None:
        """Count a message; raise 429 when it is one too many."""
        now = self._watch()
        if not self.enforced:
            return
        rules = [("overall", 0, self.overall)] + ([("group", chat_id, self.group)] if chat_id < 0 else [])
        self._refuse_after(max([self._chat_free_at(chat_id), *(self._free_at(*rule, now) for rule in rules)]), now)
        for name, key, _rule in rules:
            self._times[name, key].append(now)
        self.busiest_group = max([self.busiest_group, *(len(self._times[rule[:2]]) for rule in rules[1:])])
        count, period = self.chat
        self._due[chat_id] = max(self._due.get(chat_id, now), now) + period / count

    def check_overall(self) -> None:
        """Count a call that is no message, such as "typing…": only the limit over all chats is for it, too."""
        now = self._watch()
        if not self.enforced:
            return
        self._refuse_after(self._free_at("overall", 0, self.overall, now), now)
        self._times["overall", 0].append(now)

    def _watch(self) -> float:
        now = time.monotonic()
        self._note_delay(now)
        since, until = self._held_up
        self._second.append(since if now < until else now)
        self._second = deque(came for came in self._second if came > now - 1.0)
        self.busiest = max(self.busiest, len(self._second))
        return now

    async def watch_delays(self) -> None:
        """Note when the server was held up: by a machine with much to do."""
        while True:
            await asyncio.sleep(_TICK_S)
            self._note_delay(time.monotonic())
            self._ticked_at = time.monotonic()

    def _note_delay(self, now: float) -> None:
        if now > self._ticked_at + 2 * _TICK_S:
            since, until = self._held_up
            self._held_up = (since if now < until else self._ticked_at, now + 2 * _TICK_S)

    def _chat_free_at(self, chat_id: int) -> float:
        count, period = self.chat
        return self._due.get(chat_id, 0.0) - (self.burst - 1) * period / count

    def _free_at(self, name: str, key: int, rule: tuple[int, float], now: float) -> float:
        count, period = rule
        times = self._times.setdefault((name, key), deque())
        while times and times[0] <= now - period:
            times.popleft()
        return times[0] + period if len(times) >= count else now

    def _refuse_after(self, free_at: float, now: float) -> None:
        if free_at > now:
            self.refused += 1
            pause = math.ceil(free_at - now)
            raise Refusal(429, f"Too Many Requests: retry after {pause}", retry_after=pause)


class Refusal(Exception):
    """An answer with ``ok: false``.

    A ``violation`` is a request that no correct client sends, whatever the state of the chats.
    """

    def __init__(
        self,
        code: int,
        description: str,
        *,
        retry_after: int | None = None,
        migrate_to: int | None = None,
        violation: bool = False,
    ) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.retry_after = retry_after
        self.migrate_to = migrate_to
        self.violation = violation

    def body(self) -> dict[str, object]:
        answer: dict[str, object] = {"ok": False, "error_code": self.code, "description": self.description}
        parameters = {"retry_after": self.retry_after, "migrate_to_chat_id": self.migrate_to}
        if given := {name: value for name, value in parameters.items() if value is not None}:
            answer["parameters"] = given
        return answer


@dataclass(frozen=True, slots=True)
class Violation:
    """A request against the published rules: which method, and what was wrong with it."""

    method: str
    problem: str


class ViolationsSeen(AssertionError):
    """The client sent requests that the Bot API does not allow."""


def bad_request(description: str) -> Refusal:
    """Return an answer 400 that the state of the chats calls for."""
    return Refusal(400, f"Bad Request: {description}")


def wrong_request(description: str) -> Refusal:
    """Return an answer 400 to a request that is wrong in itself."""
    return Refusal(400, f"Bad Request: {description}", violation=True)
