"""Every error of Mneme, in one tree.

    MnemeError
    ├── Temporary                 trying again later may help
    │   ├── MemoryUnavailable     long-term memory is down, slow or answers garbage
    │   ├── ModelUnavailable      the language model is down, slow or rate-limits us
    │   │   └── BudgetSpent       because what it may cost is used up
    │   ├── StorageUnavailable    our own database cannot write or read now (disk full, I/O error)
    │   │   ├── StorageAway       because its server does not answer; a start waits for it
    │   │   ├── LeaseLost         because what is written about is another worker's now
    │   │   └── StorageDamaged    because its file is damaged; what is readable is being recovered
    │   ├── EmbeddingUnavailable  the embedding model or endpoint cannot be reached
    │   ├── ToolUnavailable       the server of a tool cannot be reached, is slow or broke off
    │   └── NotDelivered          a message surely did not reach the chat
    │       └── DraftGone         because the draft it was to replace is not there any more
    ├── Permanent                 trying again changes nothing
    │   ├── ScopeMissing          memory was touched without naming whose
    │   ├── ConfigInvalid         a setting is wrong; the text says which, where and what was expected
    │   ├── ModelRefused          the model provider refuses us: key, credit, unknown model
    │   ├── ContextTooLong        the prompt does not fit the model
    │   ├── DocumentRejected      long-term memory will never accept this document
    │   ├── CommandInvalid        the user typed a command wrongly; the text is shown as it is
    │   ├── ButtonRefused         a button was pressed that does nothing for whoever pressed it
    │   ├── ImportRefused         a file cannot be read as an exported conversation; the text says where and why
    │   ├── DocumentUnreadable    a file cannot be read as a document; ``why`` says what is the matter
    │   ├── PageRefused           an address is not fetched, or gave nothing; ``why`` says what is the matter
    │   ├── FileUnavailable       a file of a message cannot be fetched; ``why`` says what is the matter
    │   └── Corrupt               one of our own files is damaged; the good part was kept
    └── DeliveryUnknown           a message may or may not have reached the chat; never sent again

Adapters translate the errors of their libraries into these with ``raise ... from``.
The text of an error says what happened, where, and which setting to change; it never holds a secret or a message.
"""


class MnemeError(Exception):
    """Something went wrong that Mneme knows how to report."""


class Temporary(MnemeError):
    """Trying again later may help."""


class Limited(Temporary):
    """Somebody else takes nothing now; ``retry_after_s`` is the pause that they asked for, in seconds, if any."""

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class MemoryUnavailable(Limited):
    """Long-term memory is down, slow or answers garbage."""


class WorkspaceTaken(MemoryUnavailable):
    """The server keeps everything in one workspace, which holds another chat: nothing of this one goes there."""


class ModelUnavailable(Limited):
    """The language model is down, slow or limits our rate."""


class BudgetSpent(ModelUnavailable):
    """A model is not asked, because what its calls may cost is used up; the text names the setting."""


class StorageUnavailable(Temporary):
    """Our own database cannot write or read now."""


class StorageInUse(StorageUnavailable):
    """Another Mneme uses our own database; the text says which."""


class StorageAway(StorageUnavailable):
    """The server of our own database does not answer, or is starting or ending; it may be back in a moment."""


class LeaseLost(StorageUnavailable):
    """What is to be written or sent is another worker's now, which begins where the store stands."""


class StorageDamaged(StorageUnavailable):
    """Our own database is damaged: a running Mneme recovers what is readable at once, else the next start does."""


class EmbeddingUnavailable(Temporary):
    """The embedding model or endpoint cannot be reached."""


class ToolUnavailable(Temporary):
    """The server of a tool cannot be reached, is slow or broke off.

    ``unsure`` says that the call may have been carried out all the same.
    """

    def __init__(self, message: str, *, unsure: bool = False) -> None:
        super().__init__(message)
        self.unsure = unsure


class NotDelivered(Limited):
    """A message surely did not reach the chat; without a pause trying again is pointless (the bot was blocked)."""


class DraftGone(NotDelivered):
    """The draft that a message was to replace was deleted: it may be sent anew, at once."""

    def __init__(self, message: str) -> None:
        super().__init__(message, retry_after_s=0.0)


class Permanent(MnemeError):
    """Trying again changes nothing."""


class ScopeMissing(Permanent):
    """Memory was touched without naming whose memory it is."""


class ConfigInvalid(Permanent):
    """A setting is wrong; the text says which, where and what was expected."""


class ModelRefused(Permanent):
    """The model provider refuses us: key, credit or model name."""


class ContextTooLong(Permanent):
    """The prompt does not fit the model."""


class DocumentRejected(Permanent):
    """Long-term memory will never accept this document."""


class CommandInvalid(Permanent):
    """The user typed a command wrongly; the text is shown to them as it is."""


class ButtonRefused(Permanent):
    """A button was pressed that does nothing (any more) for whoever pressed it.

    ``why`` names the service text about it; ``spent`` says that nobody may press it, so that it can be taken away.
    """

    def __init__(self, why: str, *, spent: bool) -> None:
        super().__init__(f"a button press was refused: {why}")
        self.why = why
        self.spent = spent


class ImportRefused(Permanent):
    """A file cannot be read as an exported conversation; the text says where and why, and what to do."""


class ContentMissing(Permanent):
    """There is nothing to read: ``why`` is one short word for it ("too_large", "encrypted", "private", "gone" …)."""

    def __init__(self, message: str, *, why: str) -> None:
        super().__init__(message)
        self.why = why


class DocumentUnreadable(ContentMissing):
    """A file cannot be read as a document."""


class PageRefused(ContentMissing):
    """An address is not fetched, or gave nothing."""


class FileUnavailable(ContentMissing):
    """A file of a message cannot be fetched; ``temporary`` says that trying again later may help."""

    def __init__(self, message: str, *, why: str, temporary: bool = False) -> None:
        super().__init__(message, why=why)
        self.temporary = temporary


class Corrupt(Permanent):
    """One of our own files is damaged; the good part was kept, the rest set aside."""


class DeliveryUnknown(MnemeError):
    """A message may or may not have reached the chat; it is never sent again."""
