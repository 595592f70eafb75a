"""Words of English."""

from __future__ import annotations

from typing import Final

from language.vocabulary import Vocabulary
from language.words import word_set

VOCABULARY: Final = Vocabulary(
    stop_words=word_set(
        """
        a about again ah all also am an and any anything are aren as at be been being both but by can can't cannot
        could d did didn didn't do does doesn doesn't doing don don't done each else ever few for from had has have
        having he hello her here hers herself hey hi him himself his hmm how how's i i'd i'll i'm i've if in into is
        isn isn't it it's its itself just let's ll lol m may me might mine more most must my myself no nor not of off
        oh ok okay on only or other our ours ourselves out over own please re s same shall she should so some such t
        than thank thanks that that's the their theirs them themselves then there these they this those to too up us
        ve very was wasn we were what what's whatever when when's where where's which who who's whom whose why will
        with won't would wow yeah yep yes you you're your yours yourself yourselves
        """
    ),
    contrast_words=word_set(
        """
        all both each else few more most off only other out over own same such theirs up yes
        """
    ),
    negations=r"\b(?:not|never|no|none|nobody|nothing|nowhere|neither|nor|cannot|without)\b|n['’]t\b",
    asking_words=word_set(
        """
        currently exactly further get gets getting give know let lets many mention mentioned much now one really
        remember remind said say says show something still tell thing things told well
        """
    ),
    common_words=word_set(
        """
        able above across actually add added adds after against ago agree agreed almost along already although always
        amazing another anyone aren't around ask asked asking asks assistant awesome bad basically became because
        become becomes before began begin believe below best better between big bit bought bring brings brought build
        builds built buy buys call called calls came certainly change changed changes check checked checks close
        closed come comes coming cool couldn't decide decided definitely deploy deployed deploys different dont down
        during eg either enjoy enjoyed enjoys especially etc even every everyone everything far feel feels felt
        finally find finds fine first fix fixed fixes forget forgot found gave given gives giving glad go goes going
        gone good got gotten great guess happen happened happens happy help helped helps high hope hoped hopes however
        ie im important instead interesting ive keep keeps kept kind knew knowing known knows last later least leave
        leaves left less like liked likes little live lived lives long look looked looking looks lot lots love loved
        loves low made make makes making maybe mean means meant meet meets met moreover move moved moves near nearly
        need needed needs neither never new next nice nobody noted nothing often old once ones open opened opens
        otherwise paid pay per perhaps plan planned plans pm prefer preferred prefers previous probably put puts quite
        ran rather read reads recently remembered remembers reminds right run runs sad saw saying second see seeing
        seem seemed seems seen sees sell send sends sent set sets several short showed shown shows since small sold
        someone sometimes soon sorry sort speak speaks spoke start started starts stop stopped stops stuff sure take
        taken takes taking talk talked talks telling tells there's therefore they're think thinks though thought three
        through today tomorrow took toward towards tried tries try trying turn turned turns two under unless until
        upon use used user uses using usually via visit visited visits vs wait waited waits want wanted wants wasn't
        way ways we're we've welcome went weren't whether while within without work worked works worse worst write
        writes written wrong wrote yesterday yet you've
        """
    ),
    opening_words=word_set(
        "the a an this that these his her their our my in on at since for to is was has he she it they we you i"
    ),
    skill_words=word_set(
        "after ask asks assistant before get give help like make need now say skill use used user uses using want write"
    ),
)
ABBREVIATIONS: Final = (
    r"mrs?|ms|dr|prof|st|jr|sr|vs|no|nr|approx|etc|e\.g|i\.e|a\.m|p\.m|dept|inc|ltd|"
    "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
)
