"""Words of English."""

from __future__ import annotations

from typing import Final

from language.words import vocabulary

STOP_WORDS: Final = vocabulary(
    """
        a an the and or but if then else of to in on at by for with from as is are was were be been being am do does
    did done     doing have has had having i you he she it we they me him her us them my your his its our their mine
    yours hers ours     theirs this that these those there here what which who whom whose when where why how not no
    so too very can could will     would shall should may might must just also than into about over up out off again
    all any both each few more most other     some such only own same hey hi hello wow yeah yep yes ok okay thanks
    thank please oh ah hmm lol
    """
)

ABBREVIATIONS: Final = (
    r"mrs?|ms|dr|prof|st|jr|sr|vs|no|nr|approx|etc|e\.g|i\.e|a\.m|p\.m|dept|inc|ltd|"
    "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
)
