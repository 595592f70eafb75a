"""The base of every settings section: strict, immutable, camelCase in the file.

Strict means that nothing is coerced: ``"true"`` is not ``true`` and ``1.0`` is not ``1``, because a guess that is right
today hides a typo tomorrow.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Final, Self

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from bot.config.strict_json import KeyPath


class Applies(StrEnum):
    """When a changed setting acts, in the words of docs/configuration.md."""

    LIVE = "at once"
    """Whoever uses it asks for the value in force each time, a running turn too."""
    TURN = "next message"
    """A running turn keeps what it began with."""
    RESTART = "restart"
    """Read at the start alone; a change is told in the log and by ``mneme check``."""


LIVE: Final = Applies.LIVE
TURN: Final = Applies.TURN
RESTART: Final = Applies.RESTART


def setting(
    default: Any, description: str, *, applies: Applies | None = None, spelling: str = ""
) -> Any:  # Any: whatever the field holds, and pydantic's own type of a field's default
    """Return a field that says what it means and, if not as its section does, when it applies.

    Without a ``default``, ``...``, the key is required.  ``spelling`` is what a text must look like.
    """
    extra: dict[str, Any] = {"applies": applies.value} if applies is not None else {}  # Any: JSON schema
    if spelling:
        extra["spelling"] = spelling
    return Field(default=default, description=description, json_schema_extra=extra)


Secret = Annotated[str, Field(repr=False, max_length=500, json_schema_extra={"secret": True})]
"""A key or token: never shown in ``repr``, never echoed in an error."""

DatabaseAddress = Annotated[
    str,
    Field(
        repr=False,
        max_length=2000,
        pattern=r"^(postgres(ql)?://[^\s]+)?$",
        json_schema_extra={
            "secret": True,
            "spelling": 'an address such as postgresql://user:password@host:5432/name, or ""',
        },
    ),
]
"""An address of a PostgreSQL, or "" for none; it may hold a password."""

TelegramId = Annotated[int, Field(ge=-(2**63), lt=2**63)]
"""A numeric 64-bit id; names are never identity."""

WebAddress = Annotated[
    str,
    Field(
        max_length=2000,
        pattern=r"^(https?://[^\s/?#]+[^\s]*)?$",
        json_schema_extra={"spelling": 'an address that begins with http:// or https://, or ""'},
    ),
]
"""An ``http://`` or ``https://`` address, or "" for none."""

_PORT = r"(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
_LISTEN = rf"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):{_PORT}"
ListenAddress = Annotated[
    str,
    Field(
        max_length=300,
        pattern=rf"^{_LISTEN}$",
        json_schema_extra={"spelling": 'host:port, such as "127.0.0.1:8443" or "[::1]:8443"'},
    ),
]
"""A host, an IPv4 or a bracketed IPv6 address, and a port from 1 to 65535."""
ListenAddressOrNone = Annotated[
    str,
    Field(
        max_length=300,
        pattern=rf"^(?:{_LISTEN})?$",
        json_schema_extra={"spelling": 'host:port, such as "127.0.0.1:9464", or ""'},
    ),
]
"""The same, or "" for none."""


class Section(BaseModel):
    """A group of settings.  In Python ``query_mode``, in the file ``queryMode``.

    A section is declared with when its settings apply that do not say so themselves: ``(Section, applies=LIVE)``.
    """

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        validate_default=True,
        hide_input_in_errors=True,
        allow_inf_nan=False,
    )

    def __init_subclass__(cls, *, applies: Applies | None = None) -> None:
        """Begin a section; pydantic makes its fields afterwards."""

    @classmethod
    def __pydantic_init_subclass__(cls, *, applies: Applies | None = None, **_: Any) -> None:  # Any: of pydantic
        """Note at every setting when it applies."""
        for field in cls.model_fields.values():
            if applies is not None and isinstance(field.json_schema_extra, dict):
                field.json_schema_extra.setdefault("applies", applies.value)


OPENAI: Final = "api.openai.com"
"""The one host that ``OPENAI_API_KEY`` is for; it must reach nobody else."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two settings that are fine alone and not together; ``path`` is the one to change."""

    path: KeyPath
    expected: str
    got: str


class FeatureSection(Section):
    """The section of a feature: it lies in the module ``settings`` of its folder, and is found there."""

    key: ClassVar[str]
    """What it is called in the file."""
    variables: ClassVar[Mapping[str, str]] = {}
    """Secrets of the environment that complete it, and the setting that each stands for."""

    def complete(self, environment: Mapping[str, str], url: str, api_key: str) -> Self:  # noqa: ARG002 - for others
        """Return it as the environment completes it; address and key are the language model's."""
        return self

    def find_conflicts(self, secrets: frozenset[str]) -> Iterator[Conflict]:  # noqa: ARG002 - as above
        """Yield every contradiction; ``secrets`` are the variables with secrets of Mneme itself."""
        return iter(())
