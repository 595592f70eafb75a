"""Messenger: what is sent to a chat, and the files that came from one.

Deliveries: the log of replies that were sent, surely not sent, or of which nobody can know.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol, runtime_checkable

from bot.files import InboundFile, OutboundFile
from bot.messages import Address

Mark = Callable[[], Awaitable[None]]
"""Writes down, durably, that something begins; awaited before the first byte of it leaves."""


class Draft(Protocol):
    """A reply that grows while the model writes."""

    @property
    def message_id(self) -> int | None:
        """The message being edited, ``None`` before the first frame and if the platform shows drafts without one.

        :data:`~bot.messages.LOST_DRAFT` when nobody knows whether the first frame made one.
        """

    async def update(self, text: str) -> bool:
        """Show the text so far, and return whether this frame was shown; it may be dropped, as needless too, or fail.

        Never raises but on cancellation.
        """


@runtime_checkable
class StoppableDraft(Protocol):
    """A draft that can have a button under it while it grows."""

    def offer_stop(self, button: tuple[str, str]) -> None:
        """Show a button, its label and its data, under the frames from now on, where the platform can.

        The final text takes it away.
        """


class Messenger(Protocol):
    """Sends to the chats of one platform."""

    def parts(self, text: str) -> tuple[str, ...]:
        """Split an answer into what fits one message each, at safe borders; at least one part, never an empty one."""

    async def send(
        self, to: Address, part: str, *, draft_id: int | None = None, buttons: tuple[tuple[str, str], ...] = ()
    ) -> int:
        """Deliver one part (or edit it into the draft) and return the message's id.

        The request goes out at once: where a platform limits the rate, :meth:`Paced.reserve` was awaited before.
        Raises :class:`~bot.errors.NotDelivered` when it surely did not arrive, with the pause to make before the next
        attempt if one makes sense (:class:`~bot.errors.DraftGone` when the draft was deleted), and
        :class:`~bot.errors.DeliveryUnknown` when nobody can know.
        """

    async def draft(self, to: Address, message_id: int | None = None, *, begins: Mark | None = None) -> Draft:
        """Show that an answer is being written (typing), and return what it can be streamed into.

        ``message_id`` continues a draft begun before a restart.  ``begins`` is awaited before the first byte of a frame
        that makes a message.  Never raises but on cancellation.
        """


@runtime_checkable
class ReachableMessenger(Protocol):
    """A messenger whose chats may be out of reach for a while, and can be asked whether they are."""

    async def can_reach(self, to: Address) -> bool:
        """Return whether a message to this place would come through now; asking shows nothing that stays."""


@runtime_checkable
class RateLimitedMessenger(Protocol):
    """A messenger whose platform limits how fast it may send."""

    async def reserve(self, to: Address) -> None:
        """Return once one message to this place may go, having taken its place in the limits: it is to go now.

        To be awaited before an attempt is marked as begun: a kill during a wait inside ``send`` would make the outcome
        of a message unknown that was never sent.  A place that is not used is lost, no more.
        """

    def is_shown(self, to: Address, draft_id: int, part: str, buttons: tuple[tuple[str, str], ...] = ()) -> bool:
        """Return whether this draft is known to show exactly this part: then there is nothing to send."""

    async def send_marked(
        self,
        to: Address,
        part: str,
        mark: Mark,
        *,
        draft_id: int | None = None,
        buttons: tuple[tuple[str, str], ...] = (),
    ) -> int:
        """Send like :meth:`Messenger.send`, with ``mark`` awaited before the first byte: once there is a connection.

        It may be awaited again for a repetition.  What it raises is raised, and nothing was sent.
        """

    def reserve_now(self, to: Address) -> bool:
        """Take a place in the limits if a message would go out at once, and return whether it would.

        That is, without waiting for a limit or for a connection.
        """


@runtime_checkable
class ButtonMessenger(Protocol):
    """A messenger whose buttons are pressed, not typed, and can be taken away again."""

    async def remove_buttons(self, to: Address, message_id: int) -> None:
        """Take the buttons under a message away; a message that is gone or has none is left alone.

        Never raises but on cancellation: a button that stays is refused when it is pressed.
        """


@runtime_checkable
class ReactingMessenger(Protocol):
    """A messenger that can put a sign on somebody's message."""

    @property
    def acknowledges(self) -> bool:
        """Return whether the operator wants signs where a message would only say that something was noted."""

    async def acknowledge(self, to: Address, message_id: int) -> bool:
        """Show on a message that it was noted, and return whether that is shown now; doing so again changes nothing.

        Never raises but on cancellation.
        """


@runtime_checkable
class FileMessenger(Protocol):
    """A messenger that can send files."""

    @property
    def largest_file(self) -> int:
        """The most bytes that a file may have."""

    def is_caption(self, part: str) -> bool:
        """Return whether one message can show this part and a file; else the text goes as a message before it."""

    async def send_file(
        self, to: Address, file: OutboundFile, caption: str, mark: Mark, *, buttons: tuple[tuple[str, str], ...] = ()
    ) -> int:
        """Deliver a file and return its message's id; ``mark`` is awaited before the first byte of it leaves.

        Like :meth:`RateLimitedMessenger.send_marked` it goes out at once, raises the same, and what ``mark`` raises is
        raised and nothing was sent.  Raises :class:`~bot.errors.NotDelivered` for a file that is not there.
        """


class FileSource(Protocol):
    """Fetches the files of one platform's messages."""

    async def fetch(self, file: InboundFile, into: Path, *, limit: int) -> int:
        """Write the file to ``into`` and return its size in bytes; at most ``limit`` are taken.

        Raises :class:`~bot.errors.FileUnavailable`: too large, gone, or out of reach for now (then ``temporary``).
        """


class Fate(StrEnum):
    """How the attempts at a reply ended."""

    SENT = "sent"
    UNKNOWN = "unknown"
    """It may have arrived; it is not sent again, but offered."""
    REFUSED = "refused"
    """It surely did not arrive and never will: the bot was blocked, the chat is gone."""


@dataclass(frozen=True, slots=True)
class DeliveryOutcome:
    """A fate with what is known of it: the message's id when it was sent, else a reason without message texts."""

    fate: Fate
    message_id: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One planned message.  ``draft_id`` is the message it is to be edited into, if any (safe to repeat).

    ``buttons`` are pairs of label and callback data.  With a ``file`` the text is its caption, "" for none; a file is
    never edited into a draft.
    """

    id: int
    address: Address
    text: str
    draft_id: int | None = None
    buttons: tuple[tuple[str, str], ...] = ()
    file: OutboundFile | None = None


@dataclass(frozen=True, slots=True)
class Undelivered:
    """Replies of one chat that did not (surely) arrive; ``reason`` is that of the newest."""

    address: Address
    fate: Fate
    count: int
    reason: str


@dataclass(frozen=True, slots=True)
class OfferWords:
    """How a chat is told of replies that may not have arrived, by their number; ``show`` is a button."""

    tell: Callable[[int], str]
    show: str


class Attempts(Protocol):
    """The log that keeps a reply from being sent twice."""

    async def begin_attempt(self, delivery_id: int) -> bool:
        """Mark, durably, that an attempt starts now; ``False`` if one was made before (then do not send)."""

    async def finish(self, delivery_id: int, outcome: DeliveryOutcome) -> None:
        """Record the outcome.

        The text of a reply of unknown fate is kept, without secrets, to be shown on request, and so is its file; that
        of a reply that was sent or refused is deleted.
        """

    async def postpone(self, delivery_id: int, reason: str, *, draft_gone: bool = False) -> None:
        """Take the attempt back: the message surely did not arrive, or is an edit, and may be sent again.

        With ``draft_gone`` it is a first send from now on, which must not be repeated.
        """


class Deliveries(Attempts, Protocol):
    """The log, with what a restart reads in it."""

    async def list_unsent(self, address: Address | None = None) -> tuple[Delivery, ...]:
        """Return what a restart must send (in one place), oldest first, and settle interrupted attempts.

        Planned messages are returned, and interrupted edits of a draft (repeating an edit is harmless); an interrupted
        first send becomes "unknown" and is not returned.
        """

    async def draft(self, entry_id: int, message_id: int | None) -> None:
        """Remember the message that the answer to this journal entry is being streamed into.

        :data:`~bot.messages.LOST_DRAFT` while nobody knows whether it is there, ``None`` when it surely is not.
        """

    async def find_draft(self, entry_id: int) -> int | None:
        """Return what was remembered, after a restart; ``None`` if no draft was begun."""

    async def find_answer(self, address: Address, message_id: int) -> int | None:
        """Return the message that answered a message of a place, as it reads now, if it was one and surely arrived."""


class UncertainDeliveries(Protocol):
    """Replies of unknown fate, and what their chats are told of them."""

    async def list_uncertain_chats(self, address: Address | None = None) -> tuple[Address, ...]:
        """Return the chats that are still to be offered such a reply; of one place, that one or none."""

    async def offer(self, address: Address, words: Callable[[str], OfferWords]) -> Delivery | None:
        """Plan one offer for what a chat may have missed and return it; ``None`` if there is nothing to offer.

        ``words`` are chosen by what was last said in the chat, or else by the reply.
        An offer whose own fate is unknown is made again twice at most.
        """

    async def list_for_repetition(self, address: Address, doubt: int | None = None) -> tuple[Delivery, ...]:
        """Return the replies that an offer (without one: all offers) of this chat is about, noted as shown again."""

    async def list_undelivered(self, address: Address | None = None) -> tuple[Undelivered, ...]:
        """Return what did not surely arrive (in one chat), by chat and fate; what was shown again is left out."""
