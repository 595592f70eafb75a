"""Forgets, with a receipt that was looked up and not assumed."""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final

import structlog

from adapters.sqlite.conversations.deliveries import remove_dropped_files
from adapters.sqlite.database import Database, Store, reading
from adapters.sqlite.erasure import tombstones
from adapters.sqlite.erasure.candidates import erase_copies
from adapters.sqlite.erasure.cascade import EraseCascade, Erased
from adapters.sqlite.erasure.erasure_rows import (
    find_quoting_exchanges,
    is_erase_pending,
    keep_own,
    list_older,
    list_present,
    list_sources,
    list_versions,
    read_last_numbers,
)
from adapters.sqlite.erasure.tombstones import Tombstone, drop_record, write_record
from adapters.sqlite.erasure.undo import KNOWN_S, find_undoable, finish_lapsed, hold_erased, list_erases, undo_erase
from adapters.sqlite.import_jobs import list_brought
from adapters.sqlite.rows.codec import (
    CLEAN_DUE,
    delete_meta,
    dump_list,
    ensure_scope,
    find_scope,
    get_id_range,
    list_column,
    load_trace,
    read_meta,
    split_time,
    write_meta,
)
from adapters.sqlite.rows.derived import Owner, Rooms, count_owned, count_scope
from adapters.sqlite.rows.documents import list_documents_named
from bot.errors import StorageUnavailable
from bot.memory.scope import Scope
from bot.ports.eraser import Erase, ErasureReceipt, ErasureRecord, ErasureTarget, Restored
from bot.ports.when import Clock
from language.analyser import Analyser

_VACUUM_BYTES: Final = 2 << 30
"""A larger file is not rewritten while people wait (some 10 s per GB) but by :meth:`SqliteEraser.clean`."""
_SCRUB_BYTES: Final = 64 << 20
"""In a larger file a single erase leaves all scrubbing to :meth:`SqliteEraser.clean`."""


class SqliteEraser(Store):
    """The port :class:`~bot.ports.eraser.Eraser`.

    ``exports`` holds exports (``<scope tag>.zip``), which are erased, too, and so are those of earlier versions
    (``items/<scope tag>.jsonl`` beside it).  Each of ``erased``, to which features add, is called with the
    scope afterwards, to drop caches.  Tombstones are logged beside the database.
    ``undo_s`` says for how many seconds a single erase can be taken back; 0 erases it for good at once.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        exports: Path,
        *,
        erased: Sequence[Callable[[Scope], None]] = (),
        undo_s: Callable[[], float] = lambda: 0.0,
    ) -> None:
        super().__init__(database)
        self._clock = clock
        self._exports = exports
        self._erased = erased
        self._undo_s = undo_s
        self._words = Analyser()
        self._log = database.path.with_name("tombstones.jsonl")
        self._erasing = asyncio.Lock()

    async def erase_exchanges(self, scope: Scope, exchanges: tuple[str, ...]) -> ErasureReceipt:
        return await self.erase(scope, ErasureTarget(exchanges=exchanges))

    async def erase(
        self, scope: Scope, named: ErasureTarget, *, author_id: int = 0, only_own: bool = False, rest: str = ""
    ) -> ErasureReceipt:
        async with self._erasing:  # of two who erase the same at once one has erased it, and can take it back
            chosen, names, spared = await self._choose(scope, named, author_id if only_own else None)
            if not names and not chosen.items and not chosen.copies:
                return ErasureReceipt(0, 0, 0, spared=spared)
            stone = Tombstone(scope, tuple(names))
            undo_s = self._undo_s()
            await asyncio.to_thread(self.database.drop_replaced)
            async with self._announced(stone) if names else nullcontext():
                done = await self._erase_named(
                    stone, chosen.items, chosen.copies, author_id=author_id, undo_s=undo_s, rest=rest
                )
            return replace(done, spared=spared)

    @reading
    def _choose(
        self, connection: sqlite3.Connection, scope: Scope, named: ErasureTarget, author_id: int | None
    ) -> tuple[ErasureTarget, list[str], int]:
        """Return what is there of what is named, or this author's part of it."""
        scope_no = find_scope(connection, scope)
        theirs = named if author_id is None else keep_own(connection, scope, named, author_id)
        own = list_present(connection, scope_no, theirs.items)
        brought = list_brought(connection, scope_no, theirs.copies)
        uids = tuple(dict.fromkeys((*theirs.exchanges, *brought, *list_sources(connection, own))))
        names = [row[1] for row in list_versions(connection, scope_no, uids)]
        names += [uid for _, uid in list_documents_named(connection, scope_no, theirs.files)]
        return replace(theirs, items=own), names, len(named) - len(theirs)

    @reading
    def list_erases(
        self, connection: sqlite3.Connection, scope: Scope, author_id: int, since: datetime, *, anyones: bool = False
    ) -> tuple[Erase, ...]:
        (first, _), (now, _) = split_time(since), split_time(self._clock.now())
        return list_erases(connection, find_scope(connection, scope), author_id, first, now, anyones=anyones)

    async def undo(self, scope: Scope, author_id: int, uid: str = "", *, anyones: bool = False) -> Restored | None:
        seconds, _ = split_time(self._clock.now())
        whose = None if anyones else author_id
        found = await self.database.read(
            lambda connection: find_undoable(connection, find_scope(connection, scope), whose, uid, seconds)
        )
        if found is None:
            return None

        def bring_back(connection: sqlite3.Connection) -> Restored | None:
            scope_no = find_scope(connection, scope)
            if find_undoable(connection, scope_no, whose, found, seconds) is None:
                return None  # it has lapsed, or somebody else has taken it back
            drop_record(connection, found)
            return undo_erase(connection, self.database.rooms, self._words, scope, scope_no, found)

        if (back := await self.database.write(bring_back)) is None:
            return None
        # After the rows: a crash in between leaves an old back-up without them, and never brings back what was erased.
        await asyncio.to_thread(tombstones.lift, self._log, found)
        for forget in self._erased:
            forget(scope)
        structlog.get_logger().info("erase taken back", scope=scope.tag, exchanges=back.exchanges, items=back.items)
        return back

    async def lapse(self, *, everything: bool = False) -> int:
        """Make erases final whose time to be taken back is over (or all), down to the bytes; return how many.

        Raises :class:`~bot.errors.StorageUnavailable`; the next call tries again.
        """
        seconds, _ = split_time(self._clock.now())
        if not await self.database.has("SELECT 1 FROM held WHERE lapses_at > 0 OR made_at < ?", (seconds - KNOWN_S,)):
            return 0
        lapsed = await self.database.write(
            lambda connection: finish_lapsed(connection, None if everything else seconds)
        )
        if lapsed and await self.database.measure() <= _VACUUM_BYTES:
            await self.clean()
        return lapsed

    async def erase_scope(self, scope: Scope) -> ErasureReceipt:
        upto = await self.database.read(lambda connection: read_last_numbers(connection, scope))
        stone = Tombstone(scope, None, upto)
        await asyncio.to_thread(self.database.drop_replaced)
        async with self._announced(stone):
            return await self._erase_all(stone)

    async def resume(self) -> int:
        """Erase again what a crash spared or a restored back-up brought back; return how many erases that took.

        To be awaited at every start, before anything is answered; costs nothing when there is nothing to do.
        """
        known = await self.database.read(lambda connection: list_column(connection, "SELECT uid FROM tombstones"))
        missed = [stone for stone in await asyncio.to_thread(tombstones.read, self._log) if stone.uid not in known]
        for stone in missed:
            await self._erase_again(stone)
        return len(missed)

    async def clean(self) -> None:
        """Rewrite the file if anything was erased since it was rewritten last; for the upkeep, also soon after a start.

        SQLite overwrites what is deleted, but moving rows between pages leaves copies in their unused parts (seen with
        3.40, ``secure_delete`` on): only a rewrite takes the last byte.  Reads go on meanwhile, writes wait.
        Raises :class:`~bot.errors.StorageUnavailable`; the next call tries again.
        """
        if await self.database.read(lambda connection: read_meta(connection, CLEAN_DUE)) is not None:
            await self.database.backups.drop()  # those of before a crash, and while the erase could be taken back
            await self.database.vacuum()
            await self.database.write(lambda connection: delete_meta(connection, CLEAN_DUE))

    async def _erase_again(self, stone: Tombstone) -> None:
        """Erase what a crash or a back-up left of an earlier erase, and nothing that was said after it."""
        if stone.exchanges is not None:
            await self._erase_named(stone, ())
            return
        older = await self.database.read(lambda connection: list_older(connection, stone))
        if older is None:
            await self._erase_all(stone)
        else:
            uids, item_ids = older
            await self._erase_named(replace(stone, exchanges=uids), item_ids)

    async def _erase_named(
        self,
        stone: Tombstone,
        item_ids: tuple[int, ...],
        copies: tuple[str, ...] = (),
        *,
        author_id: int = 0,
        undo_s: float = 0.0,
        rest: str = "",
    ) -> ErasureReceipt:
        scope, rooms, uids = stone.scope, self.database.rooms, stone.exchanges or ()
        quoting = await self.database.read(
            lambda connection: find_quoting_exchanges(connection, scope, find_scope(connection, scope), uids, item_ids)
        )
        seconds, _ = split_time(self._clock.now())

        def erase(connection: sqlite3.Connection) -> tuple[int, Erased]:
            scope_no = ensure_scope(connection, scope)
            cascade = EraseCascade(connection, rooms, scope, scope_no)
            with hold_erased(connection, rooms, stone.uid, scope_no, author_id, made_at=seconds, lasts_s=undo_s):
                erased = cascade.erase_exchanges(uids, item_ids, quoting, rest)
                copied = erase_copies(connection, rooms, scope, scope_no, copies)
            _mark_erased(connection, stone)
            whole = replace(erased, items=erased.items + copied)
            write_record(connection, scope_no, stone.uid, _record(whole, self._clock.now(), everything=False))
            return scope_no, whole

        scope_no, erased = await self.database.write(erase)
        left = await self._drop_copies(stone.scope)
        if not undo_s and await self.database.measure() <= _SCRUB_BYTES:
            await _try_scrub(self.database.scrub)
        residue, pending = await self.database.read(
            lambda connection: (
                list_residue(connection, self.database.rooms, scope_no, erased),
                is_erase_pending(connection, scope_no),
            )
        )
        receipt = ErasureReceipt(
            exchanges=len(erased.exchange_ids),
            items=erased.items,
            documents=len(erased.sources),
            residue=residue + left,
            pending=pending or bool(undo_s and (erased.sources or erased.rest)),
            answers=erased.answers,
            undo=stone.uid if undo_s else "",
            undo_s=undo_s,
            files=len(erased.files),
            rest=erased.rest,
        )
        _log_receipt(stone.scope, receipt)
        return receipt

    async def _erase_all(self, stone: Tombstone) -> ErasureReceipt:
        seconds, _ = split_time(self._clock.now())

        def erase(connection: sqlite3.Connection) -> tuple[int, Erased]:
            scope_no = ensure_scope(connection, stone.scope)
            erased = EraseCascade(connection, self.database.rooms, stone.scope, scope_no).erase_scope(seconds)
            _mark_erased(connection, stone)
            write_record(connection, scope_no, stone.uid, _record(erased, self._clock.now(), everything=True))
            return scope_no, erased

        scope_no, erased = await self.database.write(erase)
        left = await self._drop_copies(stone.scope)
        if await self.database.measure() <= _VACUUM_BYTES:
            await _try_scrub(self.clean)
        found = await self.database.read(lambda connection: count_scope(connection, self.database.rooms, scope_no))
        residue = _name_counts(found) + left
        receipt = ErasureReceipt(
            len(erased.exchange_ids), erased.items, len(erased.sources), residue, pending=True, files=len(erased.files)
        )
        _log_receipt(stone.scope, receipt)
        return receipt

    @asynccontextmanager
    async def _announced(self, stone: Tombstone) -> AsyncIterator[None]:
        """Log an erase before it is done, and that it holds no more where the disk refuses it."""
        # Who is told that it has not worked is not to lose at the next start what they did not ask for again.
        await asyncio.to_thread(tombstones.append, self._log, stone)
        try:
            yield
        except StorageUnavailable:
            if not await self.database.has("SELECT 1 FROM tombstones WHERE uid = ?", (stone.uid,)):
                await asyncio.to_thread(tombstones.lift, self._log, stone.uid)
            raise

    async def _drop_copies(self, scope: Scope) -> tuple[str, ...]:
        """Delete what was made of a scope's rows elsewhere, the back-ups too; name what may be left."""
        for forget in self._erased:
            forget(scope)
        left = await asyncio.to_thread(self._drop_exports, scope)
        await asyncio.to_thread(self._drop_imports, scope)
        await remove_dropped_files(self.database)
        left += await self.database.backups.drop()
        doubtful = await asyncio.to_thread(self.database.list_left_files)  # damaged or moved ones: the operator's
        return left + tuple(f"perhaps {file.name}" for file in doubtful)

    def _drop_imports(self, scope: Scope) -> None:
        """Delete files that were being imported into a memory of which something is no more."""
        for folder in self._exports.with_name("imports").glob(f"{scope.tag}-*"):
            shutil.rmtree(folder, ignore_errors=True)

    def _drop_exports(self, scope: Scope) -> tuple[str, ...]:
        """Delete exports, also one that is being written, which its writer then finds gone; name those that refuse."""
        older, left = self._exports.with_name("items"), []
        for folder, pattern in (
            (self._exports, f"{scope.tag}.zip"),
            (self._exports, f"{scope.tag}-*.zip"),
            (self._exports, f".{scope.tag}.zip.*.draft"),
            (older, f"{scope.tag}.jsonl*"),
        ):
            for file in folder.glob(pattern):
                try:
                    file.unlink(missing_ok=True)
                except OSError:
                    left.append(f"export {file.name}")
        return tuple(left)


def _mark_erased(connection: sqlite3.Connection, stone: Tombstone) -> None:
    """Remember that this erase is done, and that the file still has to be rewritten."""
    connection.execute("INSERT INTO tombstones VALUES (?) ON CONFLICT DO NOTHING", (stone.uid,))
    write_meta(connection, CLEAN_DUE)


def _record(erased: Erased, at: datetime, *, everything: bool) -> ErasureRecord:
    counts = (len(erased.exchange_ids), erased.items, erased.answers, len(erased.sources), len(erased.files))
    return ErasureRecord(at, everything, *counts)


async def _try_scrub(scrub: Callable[[], Awaitable[None]]) -> None:
    """Scrub; what the disk refuses now is done by a later :meth:`SqliteEraser.clean`."""
    try:
        await scrub()
    except StorageUnavailable as error:
        structlog.get_logger().warning("erased rows not scrubbed yet", cause=str(error))


def _log_receipt(scope: Scope, receipt: ErasureReceipt) -> None:
    structlog.get_logger().info(
        "memory erased",
        scope=scope.tag,
        exchanges=receipt.exchanges,
        items=receipt.items,
        documents=receipt.documents,
        answers=receipt.answers,
        files=receipt.files,
        residue=len(receipt.residue),
    )


def list_residue(connection: sqlite3.Connection, rooms: Rooms, scope_no: int, erased: Erased) -> tuple[str, ...]:
    """Return what is still there of a single erase, as short phrases such as "2 items by words"; () is the goal."""
    found = [
        *count_owned(connection, rooms, Owner.EXCHANGE, erased.exchange_ids),
        *count_owned(connection, rooms, Owner.ITEM, erased.item_ids),
        *count_owned(connection, rooms, Owner.DOCUMENT, [document for document, _ in erased.files]),
    ]
    (documents,) = connection.execute(
        "SELECT count(*) FROM outbox WHERE scope_no = ? AND erase = 0 AND source IN (SELECT value FROM json_each(?))",
        (scope_no, dump_list(erased.sources)),
    ).fetchone()
    traces = list_column(connection, "SELECT trace FROM traces WHERE id BETWEEN ? AND ?", *get_id_range(scope_no))
    gone = set(erased.uids)
    quoting = sum(any(memory.exchange in gone for memory in load_trace(each).memories) for each in traces)
    return _name_counts([*found, ("documents", documents), ("explanations", quoting)])


def _name_counts(found: list[tuple[str, int]]) -> tuple[str, ...]:
    return tuple(f"{count} {name}" for name, count in found if count)
