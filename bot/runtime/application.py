"""A running Mneme: accepts messages, answers what a restart left behind, follows its settings, stops gracefully."""

import asyncio
from collections.abc import AsyncIterable, Awaitable, Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import Final

import structlog

from bot.commands.conversation import Halted
from bot.config.fields import list_changed
from bot.config.schema import Settings
from bot.config.section import Applies
from bot.core.delivery import Ending
from bot.core.dispatch import Dispatcher
from bot.core.live_draft import StopButtons
from bot.core.pipeline import Pipeline
from bot.core.sessions import Condensed, SessionKeeping
from bot.errors import StorageUnavailable
from bot.memory.scope import Scope
from bot.messages import Accepted, Address, InboundMessage
from bot.ports.chat_model import Judge
from bot.ports.events import AnswerProduced, Subscriber
from bot.ports.leases import LEADER, under
from bot.ports.messenger import Delivery, OfferWords
from bot.runtime.acceptance import Acceptance, Keyboards, asks_to_stop
from bot.runtime.after_turn import BackgroundEmbedding, Compaction, Evaluation, SecretTraces
from bot.runtime.alerts import OwnerAlerts
from bot.runtime.app import App
from bot.runtime.installation import describe_unread_variables, describe_waiting_settings, record_start
from bot.runtime.scheduling import Schedule, ScheduledJob, WatchedWork, supervise
from bot.runtime.sharing import Aftercare, RestartRecovery, Sharing, Taking
from bot.runtime.storage import PendingTurns, StorageRecovery, WholeKeptTexts
from bot.turn import StopSignal, Turn
from language.registry import choose_texts
from language.texts import Texts

_GRACE_S: Final = 10.0
_REFILLED: Final = 256


@dataclass(frozen=True, slots=True)
class TurnHooks:
    """What a pipeline tells of its turns, and asks about them.

    ``committed`` is told of every turn that was stored; ``unsettled`` takes deliveries that are not settled with it;
    ``pending`` keeps turns that could not be stored; ``take_halted`` says what a ``/stop`` has ended; ``stops`` are the
    buttons under answers that are being written; ``compact`` compacts the session of a place now.
    """

    pending: PendingTurns
    take_halted: Callable[[InboundMessage], Halted]
    compact: Callable[[Address, Scope], Awaitable[Condensed]]
    committed: Callable[[Turn], None]
    unsettled: Callable[[Delivery, Ending], None]
    stops: StopButtons


@dataclass(frozen=True, slots=True)
class Wiring:
    """Builds what the settings decide, by the settings in force when it is called."""

    pipeline: Callable[[App, TurnHooks], Pipeline]
    session_keeping: Callable[[App], SessionKeeping]
    judge: Callable[[App], Judge]
    subscribers: Callable[[Settings], tuple[Subscriber, ...]]
    offer_words: Callable[[str, str], OfferWords]
    adjust_logs: Callable[[Settings], None]


class Application:
    """Joins the parts to something that answers.

    ``parts.messengers`` must hold a messenger per platform before :meth:`start`.
    """

    def __init__(self, parts: App, wiring: Wiring) -> None:
        self._wiring = wiring
        self.parts = parts
        leases = parts.leases
        self.pending_turns = PendingTurns(parts.turns, shared=leases is not None)
        parts.kept = WholeKeptTexts(parts.kept, self.pending_turns)
        parts.troubles["store"] = self.pending_turns.trouble
        self._storage = StorageRecovery(parts.housekeeping, self._store_late)
        parts.troubles["damage"] = self._storage.trouble
        house = parts.housekeeping
        self._backing_up = WatchedWork("there is no new back-up", house.back_up)
        self._scrubbing = WatchedWork("what was forgotten is not off the disk yet", house.scrub)
        parts.troubles |= {"back-ups": self._backing_up.trouble, "scrubbing": self._scrubbing.trouble}
        self._alerts = OwnerAlerts(
            parts.troubles,
            self._counted_troubles,
            parts.tell_operator,
            self._choose_operator_texts,
            parts.clock,
            parts.places.data / "state" / "alerts.json",
            quiet=self._is_operator_quiet,
        )
        self._begun_with = parts.settings.current
        self._waiting: tuple[str, ...] = ()
        """Settings that were changed and take effect at the next start."""
        self._unread = describe_unread_variables(parts.places, self._begun_with)
        parts.remarks["config"] = lambda: "; ".join(
            filter(None, (describe_waiting_settings(self._waiting), self._unread))
        )
        self.leading = asyncio.Event()
        """Set once we do what one Mneme alone does; at the start where the store is not shared."""
        self.embedding = BackgroundEmbedding(house.embed, house.lay_out, house.note_missed, self.leading.is_set)
        self._compaction = Compaction(parts.turns, lambda: wiring.session_keeping(parts), parts.clock.monotonic)
        self._secrets = SecretTraces(parts.housekeeping.database.checkpoint)
        self.evaluation = Evaluation(
            lambda: parts.settings.current.recall.evaluation.every, lambda: wiring.judge(parts)
        )
        parts.events.subscribe(self.evaluation, AnswerProduced)
        for subscriber in wiring.subscribers(parts.settings.current):
            parts.events.subscribe(subscriber)
        self._dispatcher = Dispatcher(self._handle, self._refill, current=parts.chats.current)
        self._aftercare = Aftercare(
            parts.deliveries,
            parts.doubts,
            parts.messengers,
            lambda address, sample: wiring.offer_words(parts.rules.find_language(address), sample),
            self._count_quiet_s,
            self._retake,
        )
        self._recovery = RestartRecovery(
            parts.deliveries,
            parts.journal,
            parts.messengers,
            self._dispatcher.submit,
            self._aftercare,
            self._say_refused,
            self._retake,
        )
        parts.answered, parts.unsettled, parts.wake = self._recovery.done, self._aftercare, self._arrived
        self._stops = StopButtons()
        self._acceptance = Acceptance(
            parts.journal, parts.buttons, self._dispatcher, parts.clock, self._stops, shared=leases is not None
        )
        self.sharing: Sharing | None = None
        if leases is not None:
            taking = Taking(
                self._acceptance.queue,
                self._acceptance.take,
                self._dispatcher.idle,
                self._dispatcher.forget,
                self._refresh,
                self._lead,
                self._look_for_texts,
            )
            self.sharing = Sharing(leases, parts.journal, self._recovery, self._aftercare, taking)
        self._pipeline = self._build_pipeline()
        parts.window.changed = parts.rebuild = self._rebuild_pipeline
        self._tasks: list[asyncio.Task[None]] = []
        self._schedule: Schedule | None = None
        self._stored: dict[Address, Scope] = {}

    async def start(self, changes: AsyncIterable[None]) -> None:
        """Begin background work, and send and answer what a crash or stop has left.

        ``changes`` yields whenever the preferences may have changed.  Receivers start after this has returned.
        """
        record_start(self.parts.places, self._begun_with)
        if self._unread:
            structlog.get_logger().warning(self._unread)
        await self.parts.housekeeping.resume()
        for prepare in self.parts.added.at_start:
            await prepare()
        if self.sharing is None:
            self.leading.set()  # what begins below looks for work at once
        self._supervise(
            {
                "long-term memory": self.parts.longterm.run,
                "settings": lambda: self.parts.settings.watch(changes),
                "model window": self.parts.window.run,
                "embedding": self.embedding.run,
                "events": self.parts.events.run,
                "storage recovery": self._storage.run,
            }
        )
        if self.sharing is None:
            await self._recovery.begin()
            await self._aftercare.begin()
            await self._lead()
        else:
            self._plan_jobs()
            self._supervise({"sharing": self.sharing.run})
        self._supervise({name: job.run for name, job in self.parts.added.jobs.items()})

    async def _lead(self) -> None:
        self.leading.set()
        self.embedding.look()
        self._plan_jobs()
        for name, work in (("rebuild", self.parts.housekeeping.rebuild), ("lay out", self._lay_out_long_chats)):
            self._tasks.append(asyncio.create_task(work(), name=name))
        self._supervise({"indexing": self.parts.longterm.run_indexing})
        self._supervise({name: job.run for name, job in self.parts.added.sole_jobs.items()})

    def _supervise(self, background: Mapping[str, Callable[[], Awaitable[None]]]) -> None:
        for name, run in background.items():
            self._tasks.append(asyncio.create_task(supervise(name, run), name=name))

    def settings_changed(self, old: Settings, new: Settings) -> None:
        """Take the new settings into force: running turns keep theirs, the next one has these.

        Nothing is done for a setting that whoever uses it asks for each time.
        What cannot be taken into force while we run is told, once for each change.
        """
        if new.log != old.log:
            self._wiring.adjust_logs(new)
        before, self._waiting = self._waiting, list_changed(self._begun_with, new, Applies.RESTART)
        if self._waiting and self._waiting != before:
            structlog.get_logger().warning(describe_waiting_settings(self._waiting))
        if list_changed(old, new, Applies.TURN):
            self._rebuild_pipeline()
        if new.rag != old.rag:
            self.parts.longterm.settings_changed()
        if new.llm != old.llm:
            self.parts.window.settings_changed()
        for section, take in self.parts.added.changed:
            if new.of(section) != old.of(section):
                take()
        if new.retention != old.retention:
            self._plan_jobs()
        if new.telegram != old.telegram:
            self._tasks = [task for task in self._tasks if not task.done()]
            self._tasks.append(asyncio.create_task(self._stop_answers(), name="stop answers"))

    async def _stop_answers(self) -> None:
        for address, author_id in self._dispatcher.list_asking():
            if not await self.parts.rules.is_admitted(address, author_id):
                self._dispatcher.stop(address, author_id)

    async def accept(self, message: InboundMessage) -> None:
        """Take a message in; see :meth:`~bot.runtime.acceptance.Acceptance.accept`."""
        await self._acceptance.accept(message)

    async def answered(self, address: Address | None = None) -> None:
        """Wait until every accepted message (of one place) is answered."""
        if self._recovery.sending:
            await self._recovery.done(address)
        await self._dispatcher.idle(address)

    def rest(self) -> None:
        """Do no work by the clock from now on."""
        if self._schedule is not None:
            self._schedule.stop()

    async def close(self, grace_s: float | None = None) -> None:
        """Let running turns finish for a while, then stop everything; what is left waits in the journal."""
        self.rest()
        grace_s = _GRACE_S if grace_s is None else grace_s
        if self.sharing is None:
            await self._dispatcher.close(grace_s)
        else:
            busy = self._dispatcher.list_busy()
            await self.sharing.close(busy)
            await asyncio.gather(self._dispatcher.close(grace_s), self.sharing.give_back(busy, self._store_late))
        await self._recovery.close()
        for end in self.parts.added.at_close:
            await end()
        await self._aftercare.close()
        with suppress(StorageUnavailable):
            await self._store_late()
        await self._compaction.close()
        await self._secrets.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.parts.close()

    def _rebuild_pipeline(self) -> None:
        self._pipeline = self._build_pipeline()

    def _build_pipeline(self) -> Pipeline:
        hooks = TurnHooks(
            self.pending_turns,
            self._acceptance.take_halted,
            self._compaction.run_now,
            self._start_follow_up,
            self._aftercare,
            self._stops,
        )
        return self._wiring.pipeline(self.parts, hooks)

    def _start_follow_up(self, turn: Turn) -> None:
        """Start what a committed turn makes possible, beside the conversation."""
        self.parts.longterm.indexer.wake()
        self._compaction.after(turn)
        self._secrets.committed(turn)
        self.parts.events.publish(AnswerProduced(turn))
        if turn.exchange is not None:
            self._stored[turn.address] = turn.scope

    async def _lay_out_long_chats(self) -> None:
        for scope in await self.parts.housekeeping.list_long_scopes():
            self.embedding.wake(scope)

    def _arrived(self, scope: Scope) -> None:
        """Have what came into a scope embedded, and taken to long-term memory."""
        self.parts.longterm.indexer.wake()
        self.embedding.wake(scope)

    async def _handle(self, batch: tuple[Accepted, ...], stop: StopSignal) -> None:
        address = batch[0].message.address
        if self._recovery.sending and not asks_to_stop(batch[0].message):
            await self._recovery.done(address)
        if self.sharing is None:
            if len(self.pending_turns):
                await self._store_late()  # first: what was said before is to be found, and forgotten, by this message
            await self._pipeline(batch, stop)
        else:
            with under(address.key):
                if not self.sharing.holds(address):
                    return  # it is read again
                try:
                    await self._pipeline(batch, stop)
                except StorageUnavailable as error:
                    structlog.get_logger().warning("turn given up, not stored", cause=str(error))
                    self.sharing.retake(address)
                    return
        self._secrets.answered(address)
        if (scope := self._stored.pop(address, None)) is not None:
            self.embedding.wake(scope)  # not before: what it writes goes to the disk with the fate of the answer

    def _retake(self, address: Address) -> None:
        """Find again what could not be written: other workers, or a restart, would; alone we have it in memory."""
        if self.sharing is not None:
            self.sharing.retake(address)

    def _look_for_texts(self) -> None:
        """Have what was said to other workers embedded, and taken to long-term memory."""
        if self.leading.is_set():
            self.embedding.look()
            self.parts.longterm.indexer.wake()

    async def _refresh(self) -> None:
        """Read again what other workers have changed, and forget texts, of which one may have been erased."""
        for refresh in self.parts.added.refresh:
            await refresh()

    async def _fill_long_term_memory(self) -> None:
        """Queue what it should hold and does not: said while it was off, or lost with the embedded server's folder."""
        rag = self.parts.settings.current.rag
        await self.parts.housekeeping.index_deferred()
        if rag.enabled and not rag.url:
            await self.parts.housekeeping.remake_if_lost(self.parts.places.memory_server)
        self.parts.longterm.indexer.wake()

    async def _store_late(self) -> None:
        """Store what a full disk has refused."""
        await self.pending_turns.retry()
        await self.parts.deliveries.retry()

    async def _counted_troubles(self, texts: Texts) -> dict[str, str]:
        counts = await self.parts.dead_letters.counts()
        dead = texts.operator.dead_letters.format(count=counts.dead) if counts.dead else ""
        problem = self.parts.settings.problem
        added = dict(tell(texts) for tell in self.parts.added.alerts)
        return {"dead letters": dead, "config": str(problem) if problem is not None else "", **added}

    async def _refill(self, address: Address, after: int) -> tuple[Accepted, ...]:
        return tuple(map(self._acceptance.join, await self.parts.journal.pending_at(address, after, _REFILLED)))

    def _count_quiet_s(self, address: Address) -> float:
        now = self.parts.clock.now()
        end = self.parts.rules.find_quiet_end(address, now)
        return (end - now).total_seconds() if end is not None else 0.0

    def _say_refused(self, delivery: Delivery) -> str:
        texts = choose_texts("", self.parts.rules.find_language(delivery.address), delivery.text)
        return texts.files.refused.format(name=delivery.file.name if delivery.file is not None else "")

    def _is_operator_quiet(self) -> bool:
        places = [place for find in self.parts.operator_at.values() if (place := find()) is not None]
        return any(self._count_quiet_s(place) > 0 for place in places)

    def _choose_operator_texts(self) -> Texts:
        places = [place for find in self.parts.operator_at.values() if (place := find()) is not None]
        chosen = (self.parts.rules.find_language(place) for place in places)
        return choose_texts("", next(chosen, self.parts.settings.current.language))

    def _plan_jobs(self) -> None:
        self.rest()
        jobs = [ScheduledJob("store what a full disk refused", 5, self._store_late)]
        if self.leading.is_set():
            jobs += self._list_sole_jobs()
        else:
            jobs.append(ScheduledJob("files of replies", 3600, self.parts.housekeeping.tidy_files, first_s=3600))
        self._schedule = Schedule(tuple(jobs))
        with under(LEADER) if self.sharing is not None else nullcontext():
            self._schedule.start()

    def _list_sole_jobs(self) -> tuple[ScheduledJob, ...]:
        def keep() -> SessionKeeping:
            return self._wiring.session_keeping(self.parts)

        sweep_s = self.parts.settings.current.retention.sweep_minutes * 60
        keyboards = Keyboards(self.parts.buttons, self.parts.messengers, self.parts.clock)
        return (
            ScheduledJob("idle sessions", 60, lambda: keep().close_idle()),
            ScheduledJob("learn from ended sessions", 30, lambda: keep().learn(), first_s=20),
            ScheduledJob("let erases lapse", 5, self.parts.housekeeping.lapse),
            ScheduledJob("scrub what was erased", 20, self._scrubbing, first_s=10),
            ScheduledJob("fill long-term memory", 10, self._fill_long_term_memory, first_s=0),
            ScheduledJob("back-up", 300, self._backing_up, first_s=20),
            ScheduledJob("operator alerts", 30, self._alerts.look, first_s=15),
            ScheduledJob("take away expired buttons", 60, keyboards.sweep),
            ScheduledJob("retention", sweep_s, self.parts.housekeeping.tidy, first_s=120),
        )
