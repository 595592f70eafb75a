"""Results of the server: which become memories, whose they are, and which do not."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from adapters.rag.query import map_results
from adapters.rag.transport import ServerNames
from bot.memory.items import Channel
from bot.memory.scope import Installation
from harness.fakes.lightrag import INSTALLATION
from tests.adapters.rag.fixtures import ANNA, BORIS, document
from tests.cases import each_row

OURS, SHARED = ServerNames(INSTALLATION), ServerNames(INSTALLATION, shared=lambda: True)

_MINE = document(ANNA, 1, "My sister Vera lives in Porto.")
_OTHER = document(ANNA, 2, "Vera has a cat.")
_FOREIGN = document(BORIS, 3, "My sister Vera is a spy.")


def _chunk(**changes: Any) -> dict[str, Any]:
    return {"content": _MINE.text, "file_path": _MINE.source, "chunk_id": "doc-1-chunk-000", **changes}


def _entity(*sources: str, description: str = "Vera lives in Porto.") -> dict[str, Any]:
    return {"entity_name": "Vera", "description": description, "file_path": "<SEP>".join(sources)}


def _relation(*sources: str) -> dict[str, Any]:
    ends = {"src_id": "Vera", "tgt_id": "Porto"}
    return ends | {"description": "lives there", "file_path": "<SEP>".join(sources)}


def test_a_chunk_is_what_each_side_said() -> None:
    """The user's words come first, with author, date, exchange and a stable key; the assistant's are weaker."""
    found = map_results(ANNA, {"chunks": [_chunk()]}, OURS).found

    user, assistant = found
    assert (user.text, user.role, user.author) == ("My sister Vera lives in Porto.", "user", "Anna")
    assert (user.exchange, user.channel, user.key) == ("x1", Channel.CHUNK, "chunk:doc-1-chunk-000")
    assert user.said_at == datetime(2026, 2, 7, 13, 31, tzinfo=UTC)
    assert (assistant.role, assistant.exchange) == ("assistant", "x1")
    assert assistant.score < user.score


def test_another_scopes_chunk_is_dropped() -> None:
    """A result whose document names another scope never gets through, whatever the server thinks.

    Mutation check: without the comparison of tags the spy appears.
    """
    tail = _chunk(content="And my sister Vera is a spy.", file_path=_FOREIGN.source, chunk_id="doc-3-chunk-001")

    mapped = map_results(ANNA, {"chunks": [_chunk(), tail]}, OURS)

    assert mapped.foreign == 1
    assert len(mapped.found) == 2
    assert all("spy" not in memory.text for memory in mapped.found)


def test_a_lying_document_name_does_not_help() -> None:
    """A chunk whose text says that it is another scope's is dropped although its name says ours."""
    mapped = map_results(ANNA, {"chunks": [_chunk(content=_FOREIGN.text)]}, OURS)

    assert (mapped.found, mapped.foreign) == ((), 1)


def test_an_entity_that_two_scopes_fed_is_dropped() -> None:
    """A merged description cannot be un-mixed, so one foreign source condemns it."""
    mapped = map_results(ANNA, {"entities": [_entity(_MINE.source, _FOREIGN.source)]}, OURS)

    assert (mapped.found, mapped.foreign) == ((), 1)


def test_in_a_shared_workspace_only_proven_origins_count() -> None:
    """Where several chats share a workspace, a source that is not one of our documents is not believed."""
    data = {
        "entities": [_entity(_MINE.source, "...truncated...(KEEP 75/80)")],
        "chunks": [_chunk(file_path="notes.pdf")],
    }

    marked = data | {"relationships": [_relation(SHARED.document(_MINE.source))]}
    alone, shared = map_results(ANNA, data, OURS), map_results(ANNA, marked, SHARED)

    assert len(alone.found) == 3
    assert ([memory.channel for memory in shared.found], shared.foreign) == ([Channel.RELATION], 2)


@each_row("names", [OURS, SHARED])
def test_what_another_bot_was_told_by_the_same_person_is_dropped(names: ServerNames) -> None:
    """Every terminal is ``cu1``: a document that carries another installation's name is nobody's here.

    Mutation check: without the comparison of the names this test is red.
    """
    theirs = ServerNames(Installation("z123456789012345"), shared=lambda: True).document(_MINE.source)
    data = {"chunks": [_chunk(file_path=theirs)], "entities": [_entity(theirs, names.document(_MINE.source))]}

    mapped = map_results(ANNA, data, names)

    assert (mapped.found, mapped.foreign) == ((), 2)


def test_an_entity_of_one_exchange_knows_it() -> None:
    """One source gives the exchange and its date; several give none; joined descriptions become lines."""
    one, several = (
        map_results(
            ANNA,
            {"entities": [_entity(*sources, description="She is Vera.<SEP>Vera has a cat.<SEP>She is Vera.")]},
            OURS,
        )
        for sources in ((_MINE.source, _MINE.source), (_MINE.source, _OTHER.source))
    )

    assert (one.found[0].exchange, several.found[0].exchange) == ("x1", "")
    assert one.found[0].text == "She is Vera.\nVera has a cat."
    assert one.found[0].key == "entity:Vera"


def test_a_relation_names_its_ends() -> None:
    """A description that does not say who is meant is completed."""
    found = map_results(ANNA, {"relationships": [_relation(_MINE.source)]}, OURS).found

    assert (found[0].text, found[0].channel) == ("Vera – Porto: lives there", Channel.RELATION)


def test_saying_that_nothing_is_known_is_no_memory() -> None:
    """LightRAG's "[no-context]" sentences are not put into anybody's prompt."""
    apology = "Sorry, I'm not able to provide an answer to that question.[no-context]"

    mapped = map_results(ANNA, {"chunks": [_chunk(content=apology)], "entities": [_entity(description=apology)]}, OURS)

    assert mapped.found == ()


def test_kinds_are_interleaved_best_first() -> None:
    """The first of each kind stands before the second of any."""
    data = {"chunks": [_chunk(), _chunk(chunk_id="b", content="A plain text.")], "entities": [_entity(_MINE.source)]}

    found = map_results(ANNA, data, OURS).found

    assert [memory.score for memory in found] == sorted((memory.score for memory in found), reverse=True)
    assert [memory.channel for memory in found[:2]] == [Channel.CHUNK, Channel.ENTITY]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(sorted(_chunk())), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["chunks", "entities", "relationships", "other"]), _JSON | st.lists(_JSON)))
def test_no_shape_of_answer_is_an_accident(data: dict[str, object]) -> None:
    """Whatever JSON a server sends, the result is memories with a text and a key, and no exception."""
    mapped = map_results(ANNA, data, OURS)

    assert all(memory.text and memory.key for memory in mapped.found)
