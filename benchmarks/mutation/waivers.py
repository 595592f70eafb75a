"""Changes that no test can notice because they change nothing that anybody could see, each with its reason."""

from __future__ import annotations

WAIVED: dict[tuple[str, str], str] = {}
"""The file and the stripped source line, with " → " and the replacement where only one change of it is meant; why."""
