"""What every settings section has in common: strict, immutable, camelCase in the file.

Strict means that nothing is coerced: ``"true"`` is not ``true`` and ``1.0`` is not ``1``, because a guess that is right
today hides a typo tomorrow.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

Secret = Annotated[str, Field(repr=False, max_length=500, json_schema_extra={"secret": True})]
"""A key or token: never shown in ``repr``, never echoed in an error."""

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


class Section(BaseModel):
    """A group of settings.  In Python ``query_mode``, in the file ``queryMode``."""

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
