"""Erasure of memories: what would go, the erase with its receipt, and the undo."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.memory.scope import Scope


@dataclass(frozen=True, slots=True)
class ErasureReceipt:
    """What an erase removed, counted, and what a search for it finds afterwards (must be nothing).

    ``pending`` says that long-term memory was asked and has not confirmed yet; the outbox keeps asking.
    ``answers`` counts later answers that repeated what was erased and were blanked.
    ``undo`` names the erase for as long as it can be taken back, ``undo_s`` seconds from now; "" when it cannot.
    """

    exchanges: int
    items: int
    documents: int
    residue: tuple[str, ...] = ()
    pending: bool = False
    answers: int = 0
    undo: str = ""
    undo_s: float = 0.0
    files: int = 0
    """Documents that somebody had sent."""
    spared: int = 0
    """What was named and is not the words of whoever may erase their own alone."""
    rest: str = ""
    """What stays of the message that was named."""


@dataclass(frozen=True, slots=True)
class ErasureTarget:
    """What is to be erased: items by id, exchanges by uid, and other things that hold a text (:class:`KeptText`).

    ``files`` are documents, by uid.
    """

    items: tuple[int, ...] = ()
    exchanges: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def __len__(self) -> int:
        """Return how many things are named."""
        return len(self.items) + len(self.exchanges) + len(self.copies) + len(self.files)


@dataclass(frozen=True, slots=True)
class KeptText:
    """Something kept that holds words: ``ref`` names it ("item:ID", "turn:UID", or a copy: "summary:…", "entry:…").

    ``share`` is how many of the words stand in it, 1 when all do; ``certain`` that all do, beyond doubt.
    ``author_id`` and ``role`` say whose words they are, ``said_at`` when they were said, if that is known.
    """

    ref: str
    text: str
    share: float
    certain: bool
    author_id: int = 0
    author: str = ""
    role: str = "user"
    said_at: datetime | None = None


class KeptTexts(Protocol):
    """Looks through everything that is kept, remembered or not: to forget a word, all that holds it must be found."""

    async def find(self, scope: Scope, words: tuple[str, ...]) -> tuple[KeptText, ...]:
        """Return what holds any of these words, whole, in any inflection; most of them first, one per exchange.

        Copies (summaries, explanations, waiting texts) are named only where no memory of the same text is.
        """

    async def list_texts(self, scope: Scope, named: ErasureTarget) -> tuple[str, ...]:
        """Return the texts that would go if this were erased, oldest first; () if none of it is of this scope.

        An item takes the exchanges that said it with it, an exchange its other versions and its items.
        """


class Eraser(Protocol):
    """Forgets, with a receipt.  Documents of erased exchanges are queued for removal from long-term memory.

    A single erase may be taken back for a while (:class:`ErasureUndo`); nothing finds what it took meanwhile.
    """

    async def erase(
        self, scope: Scope, named: ErasureTarget, *, author_id: int = 0, only_own: bool = False, rest: str = ""
    ) -> ErasureReceipt:
        """Forget what is named, the exchanges that items come from, and everything derived from them.

        ``rest`` is what the only message that is named says from then on; of one that is finished after a crash, or
        brought back by an old back-up, nothing stays.

        ``author_id`` is who may take it back; 0 anybody in the scope.  With ``only_own`` only what that author said
        goes, and no copy, which may hold words of several; the rest is counted as spared.
        """

    async def erase_exchanges(self, scope: Scope, exchanges: tuple[str, ...]) -> ErasureReceipt:
        """Forget exchanges, by uid, and everything derived from them."""

    async def erase_scope(self, scope: Scope) -> ErasureReceipt:
        """Forget everything of a scope and leave a tombstone that keeps pending work from bringing it back."""


@dataclass(frozen=True, slots=True)
class Restored:
    """How much of what came back when an erase was taken back."""

    exchanges: int = 0
    items: int = 0
    files: int = 0
    """Documents that somebody had sent."""
    answers: int = 0
    """Exchanges that had been blanked in part."""
    reminders: int = 0


@dataclass(frozen=True, slots=True)
class Erase:
    """An erase that was not taken back, by its name, and when it was made."""

    uid: str
    made_at: datetime


class ErasureUndo(Protocol):
    """Takes an erase back."""

    async def list_erases(
        self, scope: Scope, author_id: int, since: datetime, *, anyones: bool = False
    ) -> tuple[Erase, ...]:
        """Return this author's erases since then, newest first, those of the last day that are final as well.

        ``anyones`` adds those of others that can still be taken back.
        """

    async def undo(self, scope: Scope, author_id: int, uid: str = "", *, anyones: bool = False) -> Restored | None:
        """Bring back what the newest erase of this author, or the one named, took.

        ``anyones`` looks at the erases of all authors.

        Returns ``None`` when there is nothing (any more) that this author may take back.
        """


@dataclass(frozen=True, slots=True)
class ErasureRecord:
    """An erase that was done and not taken back: when, and how much of what; not a word of it.

    ``everything`` says that the whole scope was forgotten; what was forgotten before that is not told any more.
    """

    erased_at: datetime
    everything: bool
    exchanges: int
    items: int
    answers: int
    documents: int
    files: int = 0
    """Documents that somebody had sent."""


class ErasureRecords(Protocol):
    """Receipts that are kept."""

    async def list_records(self, scope: Scope, *, offset: int = 0, size: int = 50) -> tuple[ErasureRecord, ...]:
        """Return the receipts of a scope, newest first.  Raises :class:`~bot.errors.StorageUnavailable`."""
