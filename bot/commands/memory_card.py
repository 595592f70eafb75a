"""One memory opened: its words as they are, who said them when and where, its history, and what can be done with it."""

import hashlib
from collections.abc import Sequence
from typing import Final

from bot.commands.formatting import make_reply, name_author, quote, show_verbatim, to_number
from bot.commands.memory_views import HOME, MemoryView, name_sayer
from bot.memory.items import MemoryItem
from bot.ports.memory_browser import OpenedExchange, OpenedMemory
from bot.ports.memory_store import Corrected
from bot.ports.system import CommandCall
from bot.turn import Exchange, Reply, ReplyKind
from language.texts import Texts

_SHOWN_WHOLE: Final = 2_500
"""Characters that fit one message of Telegram with all else that is told."""
_HISTORY_SHOWN: Final = 5


def show_memory(opened: OpenedMemory, view: MemoryView, call: CommandCall, texts: Texts, note: str = "") -> Reply:
    """Return a memory with its buttons; ``view`` is where it was opened from, ``note`` what has just been done."""
    item, words = opened.item, texts.memory_views
    number = to_number(item.id)
    head = words.opened.format(id=number, kind=words.kinds[item.type])
    facts = (head, texts.memory.pinned_mark if item.pinned else "")
    return make_reply(
        note,
        " · ".join(filter(None, facts)),
        show_whole(item.content, texts),
        _write_origin(opened, call, texts),
        _write_history(opened, texts),
        _write_use(opened, call, texts),
        buttons=(
            *(_list_changes(item, view, texts) if item.superseded_by is None else ()),
            (words.forget, f"/memory drop {number} {view.spelled}"),
            *_list_history(opened, view),
            make_back(view, texts),
        ),
        about=(f"item:{number}",),
        in_place=True,
    )


def _list_changes(item: MemoryItem, view: MemoryView, texts: Texts) -> tuple[tuple[str, str], ...]:
    number, words = to_number(item.id), texts.memory_views
    act, label = ("unpin", words.unpin) if item.pinned else ("pin", words.pin)
    return (words.edit, f"/memory edit {number}"), (label, f"/memory {act} {number} {view.spelled}")


def show_exchange(said: OpenedExchange, view: MemoryView, call: CommandCall, texts: Texts) -> Reply:
    """Return what was once said and answered, with what was remembered of it."""
    exchange, words = said.exchange, texts.memory_views
    numbers = tuple(
        (str(to_number(item.id)), f"/memory open {to_number(item.id)} {view.spelled}") for item in said.items
    )
    learned = "\n".join(f"- {to_number(item.id)}: {quote(item.content)}" for item in said.items)
    return make_reply(
        _write_sayer(exchange, call, texts),
        show_whole(exchange.said, texts),
        words.answered.format(text=quote(exchange.assistant_text)) if exchange.assistant_text.strip() else "",
        f"{words.learned}\n{learned}" if learned else "",
        buttons=(*numbers, (words.forget, f"/forget turn:{exchange.uid}"), make_back(view, texts)),
        about=(f"turn:{exchange.uid}",),
        in_place=True,
    )


def make_back(view: MemoryView, texts: Texts) -> tuple[str, str]:
    """Return the button back to where a memory was opened from."""
    if view.name == "why":
        return texts.memory_views.back, "/why"
    return texts.memory_views.back, f"/memory show {view.spelled}"


def compute_version(item: MemoryItem) -> str:
    """Return what names the words of a memory as they are now, so that a late edit does not meet others."""
    return _name_version(item.content)


def _name_version(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def tell_corrected(corrected: Sequence[Corrected], texts: Texts) -> Reply:
    """Return what says that memories were put right, with buttons that put the old words back while the new stand."""
    lines = [
        texts.memory.corrected.format(text=show_verbatim(one.after), before=show_verbatim(one.before))
        for one in corrected
    ]
    numbers = [to_number(one.item_id) for one in corrected]
    buttons = tuple(
        (texts.memory_views.put_back, f"/memory edit {number}@{_name_version(one.after)} {one.before}")
        for number, one in zip(numbers, corrected, strict=True)
    )
    return make_reply("\n\n".join(lines), buttons=buttons, about=tuple(f"item:{number}" for number in numbers))


def ask_what_holds(uid: str, sentence: str, texts: Texts) -> Reply:
    """Return the question what holds instead of a sentence that was told, with a button that opens where it was said.

    The next message may answer it in a word: it is read as a correction.
    """
    text = texts.memory.what_holds.format(text=quote(sentence))
    return Reply(text, ReplyKind.NOTED, ((texts.memory.look, f"/memory said {uid}"),))


def show_whole(text: str, texts: Texts) -> str:
    """Return a text as it is, byte for byte; of a very long one the beginning, and how much is left out."""
    if len(text) <= _SHOWN_WHOLE:
        return show_verbatim(text)
    return "\n".join(
        (show_verbatim(text[:_SHOWN_WHOLE]), texts.memory_views.cut.format(count=len(text) - _SHOWN_WHOLE))
    )


def _write_origin(opened: OpenedMemory, call: CommandCall, texts: Texts) -> str:
    origin, words = opened.item.provenance, texts.memory
    parts = (
        name_sayer(opened.item, call, texts),
        texts.moment(origin.said_at, call.now.tzinfo),
        words.sources.get(origin.source, origin.source),
    )
    lines = [f"— {' · '.join(filter(None, parts))}"]
    if opened.source is not None and opened.source.said.strip() not in ("", opened.item.content.strip()):
        lines.append(texts.memory_views.from_message.format(text=quote(opened.source.said)))
    return "\n".join(lines)


def _write_history(opened: OpenedMemory, texts: Texts) -> str:
    words, item = texts.memory_views, opened.item
    older = [f"- {to_number(each.id)}: {quote(each.content)}" for each in opened.replaced[-_HISTORY_SHOWN:]]
    lines = [words.replaced_head, *older] if older else []
    if opened.replaced_by is not None:
        newer = opened.replaced_by
        lines.append(words.replaced_by.format(id=to_number(newer.id), text=quote(newer.content)))
    elif item.superseded_by is not None:
        lines.append(words.withdrawn)
    return "\n".join(lines)


def _list_history(opened: OpenedMemory, view: MemoryView) -> tuple[tuple[str, str], ...]:
    near = (*opened.replaced[-_HISTORY_SHOWN:], *((opened.replaced_by,) if opened.replaced_by else ()))
    return tuple((str(to_number(each.id)), f"/memory open {to_number(each.id)} {view.spelled}") for each in near)


def _write_use(opened: OpenedMemory, call: CommandCall, texts: Texts) -> str:
    words, at = texts.memory_views, opened.item.accessed_at
    lines = [words.never_used]
    if opened.uses:
        last = words.used_last if at is not None else words.used
        lines = [last.format(count=opened.uses, day=texts.day(at, call.now.tzinfo) if at is not None else "")]
    lines += [words.restated.format(count=opened.restated)] if opened.restated else []
    return "\n".join(lines)


def _write_sayer(exchange: Exchange, call: CommandCall, texts: Texts) -> str:
    reader, forwarded = call.message.find_reader(call.scope), exchange.forwarded
    if exchange.user_text or forwarded is None:
        speaker = reader.identify_author(exchange.author.id, exchange.author.name, "user")
    else:
        speaker = reader.identify_part(forwarded.author_id, forwarded.author, "forwarded")
    return ", ".join(
        filter(None, (name_author(speaker, texts.memory), texts.moment(exchange.said_at, call.now.tzinfo)))
    )


NO_VIEW: Final = MemoryView(HOME)
"""Where a memory is opened from when nothing says where."""
