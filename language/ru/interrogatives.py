"""Question words of Russian."""

from __future__ import annotations

from typing import Final

from language.interrogatives import Interrogatives

INTERROGATIVES: Final = Interrogatives(
    when=r"когда|в како[мй] (?:год|месяц|ден)\w*|как(?:ого|ой) числа|как долго|сколько времени|с каких пор",
    how_many="сколько|как часто",
    named=r"где|куда|откуда|кто|кого|кому|как зовут|называ\w+|имя|имена|каком городе",
    why=r"почему|зачем|чувству\w+",
    several="сколько|как часто",
    several_begin="какие|каких|какими",
)
