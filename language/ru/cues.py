"""Cues of Russian."""

from __future__ import annotations

from typing import Final

from language.cues import Cues

CUES: Final = Cues(
    number=(
        "один|одна|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|пара|дважды|впервые|"
        r"втор\w+|трет\w+"
    ),
    reason=r"потому|чтобы|поэтому|чувств\w+|из-за",
    news=(
        "только что|недавно|наконец|вчера|сегодня|назад|кстати|на днях|на (?:прошлой|этой) неделе|"
        r"в прошл\w+"
    ),
)
