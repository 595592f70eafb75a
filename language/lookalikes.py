"""Letters of other scripts that look like Latin ones, so that a name cannot pass for a word that it only looks like.

The pairs are those of Unicode's table of confusables (UTS 39) that join Cyrillic and Greek letters to small Latin ones.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_LATIN: Final = str.maketrans(
    {
        **dict(zip("аеорсухіјѕԁһӏԛԝѵґвкмнт", "aeopcyxijsdhlqwvrbkmht", strict=True)),
        **dict(zip("αοριυνκτχηωϲϳ", "aopiuvktxnwcj", strict=True)),
    }
)


def fold_lookalikes(text: str) -> str:
    """Return ``text`` in small letters without marks and widths (NFKD), with Latin letters for what looks like them."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).translate(_LATIN)
