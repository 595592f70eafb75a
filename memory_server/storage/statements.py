"""SQL statements that are the same for several tables, written out once per table when the module is imported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType


def for_each_table(statement: str, tables: Iterable[str]) -> Mapping[str, str]:
    """Return a statement by table: the name of each in place of ``TABLE``, the rest as it is."""
    return MappingProxyType({table: statement.replace("TABLE", table) for table in tables})
