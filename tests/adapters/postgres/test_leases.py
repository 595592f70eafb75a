"""Leases on a real PostgreSQL: who has a chat, what is fenced, who is declared gone."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from adapters.sqlite.conversations.journal import INSERT_ENTRY, make_row
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.rows.codec import dump_list
from bot.errors import LeaseLost
from bot.memory.scope import Scope
from bot.messages import Address, InboundMessage
from bot.ports.leases import LEADER, under
from bot.ports.transfer import ImportJob, ImportRequest, JobState
from harness.processes import until
from harness.samples import ANNA, NOON
from harness.samples import message as make_message
from harness.samples import turn as make_turn
from tests.postgres import PostgresServer, open_postgres

if TYPE_CHECKING:
    from adapters.postgres.connection import PostgresConnection
    from adapters.postgres.leases import PostgresLeases

TERM_S = 60.0
_WAITS = "SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'"


class Workers:
    """Workers of one process, each with its connections; none is silent for a whole term."""

    def __init__(self, server: PostgresServer, folder: Path) -> None:
        self._server, self._folder = server, folder
        self.joined: list[PostgresLeases] = []

    async def join(self) -> PostgresLeases:
        """Let one more join."""
        from adapters.postgres.leases import PostgresLeases, WorkerDatabase  # noqa: PLC0415 - not without its driver
        from adapters.sqlite.rooms import ROOMS  # noqa: PLC0415 - as above

        database = WorkerDatabase(self._server.url, self._folder / "mneme.db", ROOMS, term_s=TERM_S)
        await database.open()
        leases = PostgresLeases(database)
        await leases.join()
        self.joined.append(leases)
        return leases

    async def close(self) -> None:
        for leases in self.joined:
            await leases.leave()
            await leases.database.close()


@pytest.fixture
async def workers(postgres_server: PostgresServer, tmp_path: Path) -> AsyncIterator[Workers]:
    """Empty tables, and nobody who works."""
    async with open_postgres(postgres_server, tmp_path):
        pass
    joining = Workers(postgres_server, tmp_path)
    yield joining
    await joining.close()


def said(user: int, update_id: int) -> InboundMessage:
    return make_message("hello", update_id, address=Address("telegram", 42, user))


async def test_a_turn_that_is_stored_twice_names_its_own_parts(
    workers: Workers, postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another worker plans in the middle of it has numbers between theirs, and is sent by that one alone.

    Mutation check: where the parts are counted on from the first, one of the other's is among them.
    """
    one, two = await workers.join(), await workers.join()
    entry = await one.make_journal(lambda: NOON).accept(said(7, 1))
    assert entry is not None
    for leases, chat in ((one, 7), (two, 8)):
        await SqliteTurns(leases.database).session(Address("telegram", 42, chat))
    plan = (
        "INSERT INTO mneme.deliveries (place_no, scope_no, text, buttons, planned_at) "
        "SELECT no, 1, 'theirs', '[]', 0 FROM mneme.places WHERE chat_id = 8"
    )

    def clean_late(text: str) -> str:
        postgres_server.run(plan)
        return text

    monkeypatch.setattr("adapters.sqlite.conversations.deliveries.clean", clean_late)
    scope, at = Scope("tu7"), Address("telegram", 42, 7)
    record = make_turn(None, scope=scope, address=at, closes=(entry,), parts=("some", "more", "last"))
    first = await SqliteTurns(one.database).commit(record)
    again = await SqliteTurns(one.database).commit(record)
    texts = await one.database.fetch(
        "SELECT text FROM deliveries WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
        (dump_list(list(again.deliveries)),),
    )

    assert [text for (text,) in texts] == ["some", "more", "last"]
    assert again == first


async def count_messages(leases: PostgresLeases) -> int:
    query = "SELECT count(*) FROM journal"
    count: int = await leases.database.read(lambda opened: opened.execute(query).fetchone()[0])
    return count


async def test_chats_go_to_who_has_least_and_a_message_counts_once(workers: Workers) -> None:
    """Four chats over two workers are two each, whoever accepts; the same update given to both is one entry."""
    one, two = await workers.join(), await workers.join()
    journals = [each.make_journal(lambda: NOON) for each in (one, two)]
    for number in range(4):
        message = said(number, update_id=number)
        accepted = [await journal.accept(message) for journal in journals]
        assert [each is None for each in accepted] == [False, True]
    shares = [len((await each.look()).given) for each in (one, two)]

    assert shares == [2, 2]
    assert await count_messages(one) == 4


async def test_topics_of_a_group_are_one_workers(workers: Workers) -> None:
    """They share the limits of the group, which one process keeps; another chat goes to who has less.

    Mutation check: given to who has least alone, the second topic goes to the other worker.
    """
    one, two = await workers.join(), await workers.join()
    journal = one.make_journal(lambda: NOON)
    for number, (chat, topic) in enumerate(((-500, 3), (-500, 4), (-500, None), (-50, None))):
        await journal.accept(make_message("hello", number, address=Address("telegram", 42, chat, topic)))
    given = [(await each.look()).given for each in (one, two)]

    assert {frozenset(each) for each in given} == {
        frozenset(("telegram:42:-500:0", "telegram:42:-500:3", "telegram:42:-500:4")),
        frozenset(("telegram:42:-50:0",)),
    }


async def test_what_is_written_for_a_chat_of_another_is_fenced(workers: Workers) -> None:
    """A worker whose chat went to another writes nothing under its lease; the other does, and learns what is refused.

    Mutation check: without the look at what ``hold_lease`` found the first one's write is stored.
    """
    one = await workers.join()
    message = said(7, update_id=1)
    place = message.address.key
    journal = one.make_journal(lambda: NOON)
    await journal.accept(message)
    two = await workers.join()
    await one.database.write(
        lambda opened: opened.execute("UPDATE workers SET gone = true WHERE id = ?", (one.database.me,))
    )
    await two.assign()
    given = (await two.look()).given
    with under(place):
        with pytest.raises(LeaseLost):
            await journal.accept(replace(message, update_id=2))
        await two.make_journal(lambda: NOON).accept(replace(message, update_id=3))

    with under(place), pytest.raises(sqlite3.IntegrityError):
        await two.database.write(lambda opened: opened.execute("INSERT INTO scopes (tag) VALUES (NULL)").rowcount)

    assert given == (place,)
    assert await count_messages(two) == 2


async def test_who_waits_to_accept_is_told_of_what_it_waited_for(
    workers: Workers, postgres_server: PostgresServer
) -> None:
    """A message that waited until another one of its place was stored is told of that one as the one before it.

    Mutation check: where one statement waits and reads, it reads what there was before it waited.
    """
    from adapters.postgres.connection import open_writer  # noqa: PLC0415 - as above
    from adapters.postgres.leases import name_chat  # noqa: PLC0415 - as above

    one = await workers.join()
    told: list[tuple[str, int, int]] = []

    def note(place: str, entry: int, before: int) -> bool:
        told.append((place, entry, before))
        return True

    one.is_next = note
    journal = one.make_journal(lambda: NOON)
    place = said(7, update_id=1).address.key
    await journal.accept(said(7, update_id=1))
    await one.keep(place)
    with closing(open_writer(postgres_server.url, "mneme")) as other:
        other.narrow((place, name_chat(place)))
        other.execute("BEGIN")
        (earlier,) = other.execute(INSERT_ENTRY, make_row(said(7, update_id=2))).fetchone()
        accepting = asyncio.create_task(journal.accept(said(7, update_id=3)))
        await until(lambda: accepting.done() or bool(postgres_server.run("SELECT 1 FROM pg_locks WHERE NOT granted")))
        other.execute("COMMIT")
        accepted = await accepting

    assert accepted is not None
    assert told == [(place, accepted.id, earlier)]


async def test_an_orderly_end_gives_everything_back_at_once(workers: Workers) -> None:
    """What is not busy is given back before the last turn is done, the lead too; all of it once the worker has left."""
    one = await workers.join()
    messages = [said(user, update_id=user) for user in (7, 8)]
    for message in messages:
        await one.make_journal(lambda: NOON).accept(message)
    busy, idle = (message.address.key for message in messages)
    await until(lambda: one.leads)
    two = await workers.join()
    await one.release(frozenset((busy,)))
    await until(lambda: two.leads)
    await two.assign()
    first = (await two.look()).given
    await one.leave()
    await two.assign()
    second = (await two.look()).given

    assert first == (idle,)
    assert set(second) == {busy, idle}


async def test_others_are_declared_gone_only_after_a_term_of_ones_own(workers: Workers) -> None:
    """All have lapsed after an outage of the database: who is back first gives the others a term to come back.

    Mutation check: without that the first one back takes every chat.
    """
    from adapters.postgres.leases import Heartbeat  # noqa: PLC0415 - not without its driver

    one = await workers.join()
    database = one.database
    lapsed = "INSERT INTO workers (beat_until) VALUES (clock_timestamp() - interval '1 day') RETURNING id"
    (other,) = await database.write(lambda opened: opened.execute(lapsed).fetchone())
    heart = Heartbeat(database, lambda: None)
    states = []
    with closing(database.open_session()) as session:
        for began in (0.0, TERM_S / 2, TERM_S):
            assert heart.beat(session, began)
            states += session.execute("SELECT gone FROM workers WHERE id = %s", (other,)).fetchall()

    assert states == [(False,), (False,), (True,)]


async def test_who_starts_waits_for_nobody_that_writes_leases(workers: Workers) -> None:
    """Another one opens and joins in the middle of a sign of life, which would wait for its tables in turn.

    Mutation check: made again at every start, the tables are waited for without end.
    """
    one = await workers.join()
    with closing(one.database.open_session()) as other, other.transaction():
        other.execute("LOCK TABLE leases, workers IN ROW EXCLUSIVE MODE")
        two = await asyncio.wait_for(workers.join(), 60)

    assert two.database.me


async def test_a_frozen_transaction_ends_with_its_worker(workers: Workers, postgres_server: PostgresServer) -> None:
    """A worker that is frozen in the middle of a write loses it when it is declared gone, so that others write.

    Mutation check: without the end of its sessions the write of the other waits for ever.
    """
    from adapters.postgres.connection import Use, open_writer  # noqa: PLC0415 - as above
    from adapters.postgres.leases import Heartbeat  # noqa: PLC0415 - as above
    from postgres_session import LostConnection  # noqa: PLC0415 - as above

    database = (await workers.join()).database
    heart = Heartbeat(database, lambda: None)
    with closing(open_writer(postgres_server.url, "mneme", Use(name="frozen"))) as frozen:
        freeze(frozen, postgres_server)
        with closing(database.open_session()) as session:
            for began in (0.0, TERM_S):
                heart.beat(session, began)
        number = await database.fetch_one("SELECT 1")
        await database.write(lambda opened: opened.execute("SELECT 1").fetchone())
        with pytest.raises(LostConnection):
            frozen.execute("COMMIT")

    assert number == (1,)
    assert heart.reaped == 1


async def test_who_starts_is_held_up_by_nobody_that_is_frozen(
    workers: Workers, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """Where no other worker lives to declare it gone, who opens the database ends what holds it up.

    Mutation check: without that it waits for ever.
    """
    from adapters.postgres.connection import Use, open_writer  # noqa: PLC0415 - as above
    from adapters.postgres.leases import WorkerDatabase  # noqa: PLC0415 - as above
    from adapters.sqlite.rooms import ROOMS  # noqa: PLC0415 - as above

    database = WorkerDatabase(postgres_server.url, tmp_path / "mneme.db", ROOMS, term_s=0.2)
    async with database:
        pass  # the tables are there
    with closing(open_writer(postgres_server.url, "mneme", Use(name="frozen"))) as frozen:
        freeze(frozen, postgres_server)
        async with database:
            found = await database.fetch_one("SELECT 1")

    assert found == (1,)


async def test_who_was_declared_gone_ends_where_all_others_are_frozen(
    workers: Workers, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """Nobody else would end what they were in the middle of, and who is gone could not begin anew.

    Mutation check: where a worker that is gone ends nothing of the kind, it waits for ever.
    """
    from adapters.postgres.connection import Use, open_writer  # noqa: PLC0415 - as above
    from adapters.postgres.leases import PostgresLeases, WorkerDatabase  # noqa: PLC0415 - as above
    from adapters.sqlite.rooms import ROOMS  # noqa: PLC0415 - as above

    database = WorkerDatabase(postgres_server.url, tmp_path / "mneme.db", ROOMS, term_s=0.2)
    await database.open()
    leases = PostgresLeases(database)
    await leases.join()
    postgres_server.run("UPDATE mneme.workers SET gone = true")
    await until(lambda: leases.gone)

    async def write() -> None:
        await database.write(lambda opened: opened.execute("SELECT 1").fetchone())

    for work in (write, leases.leave, database.close):
        name = f"frozen in {work.__name__}"  # one that has lapsed before is ended while it opens
        with closing(open_writer(postgres_server.url, "mneme", Use(name=name))) as frozen:
            freeze(frozen, postgres_server, name)
            await work()
            left = postgres_server.run(f"SELECT 1 FROM pg_stat_activity WHERE application_name = '{name}'")  # noqa: S608

            assert left == [] or work == database.close  # which waits for nobody where nothing is written


@pytest.mark.parametrize("rewriting", [False, True], ids=["", "while tables are rewritten"])
async def test_a_leader_that_is_frozen_in_the_middle_of_a_write_leads_no_more(
    workers: Workers, postgres_server: PostgresServer, tmp_path: Path, *, rewriting: bool
) -> None:
    """It holds the row of its lease, and with it the table, while another one erases.

    Mutation checks: where signs of life wait for that row, or a rewrite for that table and they for it, nobody leads
    again before the frozen one wakes up.
    """
    from adapters.postgres.leases import PostgresLeases, WorkerDatabase  # noqa: PLC0415 - as above
    from adapters.sqlite.rooms import ROOMS  # noqa: PLC0415 - as above

    database = WorkerDatabase(postgres_server.url, tmp_path / "mneme.db", ROOMS, term_s=0.4)
    async with database:
        postgres_server.run("INSERT INTO mneme.workers (beat_until, sessions) VALUES ('infinity', 'frozen')")
        postgres_server.run(f"INSERT INTO mneme.leases SELECT '{LEADER}', id, true FROM mneme.workers")  # noqa: S608
        leases = PostgresLeases(database)
        await leases.join()
        with closing(database.open_session()) as frozen:
            frozen.execute("SET application_name = 'frozen'; SET statement_timeout = 0")
            frozen.execute("BEGIN")
            frozen.execute("SELECT 1 FROM leases FOR UPDATE")
            led = leases.leads
            rewritten = asyncio.create_task(database.vacuum() if rewriting else asyncio.sleep(0))
            await until(lambda: rewritten.done() or postgres_server.run(_WAITS) != [])
            postgres_server.run("UPDATE mneme.workers SET beat_until = now() WHERE sessions = 'frozen'")
            await until(lambda: leases.leads)
            await rewritten
        await leases.leave()

    assert not led


def freeze(session: PostgresConnection, server: PostgresServer, name: str = "frozen") -> None:
    """Say nothing more in the middle of a transaction that all others wait for, after a term without a sign."""
    session.execute("BEGIN")
    session.execute("SELECT 1").fetchone()
    server.run(f"INSERT INTO mneme.workers (beat_until, sessions) VALUES (now() - interval '1 day', '{name}')")  # noqa: S608


async def no_delay() -> None:
    """Be ready at once."""


_PACES = "SELECT bot_id, CAST(extract(epoch FROM slot) AS DOUBLE PRECISION) FROM mneme.paces"


async def test_all_workers_share_one_pace(workers: Workers, postgres_server: PostgresServer) -> None:
    """Requests for one bot get slots that lie apart, whichever worker asks; other bots have their own."""
    one, two = await workers.join(), await workers.join()
    await asyncio.gather(one.take_slot(42, 0.01, no_delay), two.take_slot(43, 0.01, no_delay))
    before = dict(postgres_server.run(_PACES))
    for leases in (one, two) * 3:
        await leases.take_slot(42, 0.01, no_delay)
    after = dict(postgres_server.run(_PACES))

    assert after[42] - before[42] >= 6 * 0.01 - 1e-6
    assert after[43] == before[43]


async def test_what_was_held_up_behind_its_slot_waits_for_another(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waited for a failover, or was frozen, with its slot in hand leaves at the pace of all workers.

    Red while a slot was good for ever: 41 requests in one second behind a failover.
    """
    from adapters.postgres import leases as module  # noqa: PLC0415 - not without its driver

    passed_s, waiting = [0.0], []
    given: list[object] = []
    real_now, back = module.now_s, asyncio.Event()
    monkeypatch.setattr(module, "now_s", lambda: real_now() + passed_s[0])
    joined = [await workers.join() for _ in range(2)]

    async def mark() -> None:
        waiting.append(1)
        await back.wait()

    for leases in joined:
        count_given(leases, given, monkeypatch)
    sending = [asyncio.create_task(leases.take_slot(42, 0.01, mark)) for leases in joined * 4]
    await until(lambda: len(waiting) == len(sending))
    passed_s[0] = TERM_S / 4
    before = len(given)
    back.set()
    await asyncio.gather(*sending)

    assert before == len(sending)
    assert len(given) >= 2 * before


def count_given(leases: PostgresLeases, given: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Note each slot that is given."""
    ask = leases._ask

    def noting(*asked: Any) -> Any:  # Any: column values
        answer = ask(*asked)
        given.extend(answer[:1] if answer is not None and answer[0] else ())
        return answer

    monkeypatch.setattr(leases, "_ask", noting)


async def test_a_crash_of_the_database_makes_all_wait_for_what_was_sent_before_it(
    workers: Workers, postgres_server: PostgresServer
) -> None:
    """PostgreSQL empties the table in a crash and in a failover; an hour that its clock was set back is not waited for.

    Red while the slots were forgotten for a moment, or stood an hour ahead.
    """
    one = await workers.join()
    moment = "SELECT CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)"
    [(began,)] = postgres_server.run(moment)
    await one.take_slot(42, 0.01, no_delay)
    [(_, first)] = postgres_server.run(_PACES)
    postgres_server.run("UPDATE mneme.paces SET slot = slot + interval '1 hour'")
    async with asyncio.timeout(600):
        await one.take_slot(42, 0.01, no_delay)
    [(_, second)] = postgres_server.run(_PACES)

    assert postgres_server.run("SELECT relpersistence FROM pg_class WHERE relname = 'paces'") == [("u",)]
    assert first - began >= 2.0
    assert second - first < 3000


async def test_a_change_by_one_is_seen_by_the_others(workers: Workers) -> None:
    """Choices of chats, moves and erases are counted, so that who holds them in memory reads them again."""
    one, two = await workers.join(), await workers.join()
    before = (await two.look()).changes
    insert = "INSERT INTO left_chats VALUES (42, 7)"
    await one.database.write(lambda opened: opened.execute(insert).rowcount)

    assert (await two.look()).changes > before


async def test_the_leaders_work_is_fenced_like_a_chats(workers: Workers) -> None:
    """Who does not lead writes nothing under the leader's lease."""
    one, two = await workers.join(), await workers.join()
    await until(lambda: one.leads or two.leads)
    leader = one if one.leads else two
    other = two if leader is one else one
    with under(LEADER):
        await leader.hand_over()
        with pytest.raises(LeaseLost):
            await other.hand_over()


async def test_an_import_is_done_by_whoever_has_its_file(workers: Workers) -> None:
    """Of imports that wait, a worker is told of those whose files lie with it."""
    from adapters.sqlite.import_jobs import SqliteImportJobs  # noqa: PLC0415 - as above

    one = await workers.join()
    jobs = SqliteImportJobs(one.database, lambda: NOON)
    request = ImportRequest(ANNA)
    for token in ("there", "here"):
        await jobs.add(ImportJob(token, Scope("tu1"), ANNA.id, "chat.zip", request, 1, state=JobState.WAITING))
    found = [await jobs.next(tokens) for tokens in (frozenset(), frozenset({"here"}), None)]

    assert [job and job.token for job in found] == [None, "here", "there"]
