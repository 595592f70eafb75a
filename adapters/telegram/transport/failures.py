"""What an error of Telegram means for a message: not there, perhaps there, or there already."""

from __future__ import annotations

from aiogram.exceptions import (
    TelegramAPIError,
    TelegramBadRequest,
    TelegramConflictError,
    TelegramEntityTooLarge,
    TelegramForbiddenError,
    TelegramMigrateToChat,
    TelegramNotFound,
    TelegramRetryAfter,
    TelegramUnauthorizedError,
)

from adapters.telegram.transport.session import Unsent
from bot.errors import DeliveryUnknown, MnemeError, NotDelivered

_CONNECT_AGAIN_S = 5.0
_NEW_TOKEN_S = 60.0
"""A refused token is put right by the operator; the reply waits for that."""

_SAYS_UNREADABLE = ("can't parse entities", "entity_", "entities", "can't find end")
_SAYS_UNCHANGED = ("message is not modified",)
_SAYS_NO_CHAT = ("chat not found",)
_SAYS_GONE = ("message to edit not found", "message can't be edited", "message_id_invalid")


def translated(error: TelegramAPIError) -> MnemeError:
    """Return :class:`~bot.errors.NotDelivered` or :class:`~bot.errors.DeliveryUnknown`, without message texts.

    Sure are: a request that never left as a whole, and every answer 4xx.  After a whole request time-outs, lost
    connections, answers 5xx (a proxy's 502, 503 and 504 among them) and answers that cannot be read leave it open.
    """
    match error:
        case TelegramRetryAfter():
            return NotDelivered("Telegram limits our rate", retry_after_s=float(error.retry_after))
        case Unsent():
            return NotDelivered(f"no connection to Telegram ({error.message})", retry_after_s=_CONNECT_AGAIN_S)
        case TelegramUnauthorizedError():
            return NotDelivered("Telegram does not accept TELEGRAM_TOKEN", retry_after_s=_NEW_TOKEN_S)
        case TelegramMigrateToChat():
            return NotDelivered(f"the group has moved to id {error.migrate_to_chat_id}: allow that id instead")
        case (
            TelegramBadRequest()
            | TelegramForbiddenError()
            | TelegramNotFound()
            | TelegramConflictError()
            | TelegramEntityTooLarge()
        ):
            return NotDelivered(f"Telegram refuses the message: {error.message}")
        case _:
            return DeliveryUnknown(f"no whole answer from Telegram: {error.message}")


def unreadable(error: TelegramAPIError) -> bool:
    """Whether Telegram could not make sense of the formatting; the plain text would pass."""
    return _says(error, _SAYS_UNREADABLE)


def unchanged(error: TelegramAPIError) -> bool:
    """Whether an edit changed nothing because the message says this already."""
    return _says(error, _SAYS_UNCHANGED)


def unavailable(error: TelegramAPIError) -> bool:
    """Whether Telegram, or the server in between, does not know or allow this kind of call here."""
    return isinstance(error, (TelegramBadRequest, TelegramNotFound)) and not (
        unreadable(error) or unchanged(error) or _says(error, _SAYS_NO_CHAT)
    )


def gone(error: TelegramAPIError) -> bool:
    """Whether the message to edit is not there any more."""
    return _says(error, _SAYS_GONE)


def _says(error: TelegramAPIError, texts: tuple[str, ...]) -> bool:
    return isinstance(error, TelegramBadRequest) and any(text in error.message.lower() for text in texts)
