"""Questions over time and over everything in English."""

from __future__ import annotations

from typing import Final

from language.overviews import OverviewPatterns
from language.words import word_set

_GIVE: Final = r"(?:give|show|send|write|make|prepare|provide|create|need|want|like|have|get)"
_SUMMARY: Final = r"(?:overview|summary|recap|rundown|digest|review|synopsis|outline)"

OVERVIEWS: Final = OverviewPatterns(
    order=(
        r"in (?:what|which) (?:order|sequence)|(?:the|what) (?:order|sequence) (?:in which|that|of)|"
        r"what (?:was|is) the (?:\w+ )?(?:order|sequence|timeline|chronology) (?:of|in|for)|"
        r"in (?:the )?(?:chronological |right |correct )?order|chronologically|chronological (?:order|list|overview)|"
        r"(?:a |the )?(?:timeline|chronology|sequence) of|walk me through (?:how|what|when|everything|my|our|"
        r"the order)|"
        r"(?:which|what) came first|step by step,? (?:what|how) (?:i|we)|from (?:first|earliest) to (?:last|latest)"
    ),
    change=(
        r"(?:what|how much|which \w+)(?:['’]s| has| have|['’]ve)(?: \w+){0,2} changed|what changed|"
        r"what changes (?:have|did|were)|"
        r"how (?:has|have|had|did)(?: [\w'’-]+){1,10}? (?:chang(?:ed?)|progress(?:ed)?|develop(?:ed)?|evolved?|"
        r"improved?|grown?|grow|shift(?:ed)?|turn(?:ed)? out|come along|unfold(?:ed)?|gone|go)|"
        r"(?:what|how much)(?: \w+)? progress|how far (?:have|did) (?:i|we)"
    ),
    summary=(
        r"summari[sz]e|sum up|recap|sum(?:med)? it up|"
        rf"{_GIVE}(?: [\w'’-]+){{0,5}}? {_SUMMARY}(?: of| on| about|\b)|"
        rf"what(?:['’]s| is| was) (?:the|a) (?:\w+ )?{_SUMMARY} of"
    ),
    decisions=(
        r"what (?:all )?(?:did|have|had) (?:i|we)(?: \w+){0,3}? "
        r"(?:decided?|agreed?|settled?|chosen?|chose|choose|concluded?|resolved?)|"
        r"(?:what|which) (?:decisions?|agreements?|conclusions?) (?:did|have|had|were|was)(?: \w+)? "
        r"(?:i|we|made by us|our)|"
        r"(?:the|all|my|our|any|every)(?: \w+)? (?:decisions?|agreements?)(?: that)? (?:i|we)(?:['’]ve| have)? "
        r"(?:made|took|taken|reached|came to)|(?:list|show|recall|name)(?: me)?(?: all)? (?:of )?(?:my|our) "
        r"(?:decisions|agreements)|what (?:were|are) (?:my|our) (?:\w+ )?(?:decisions|agreements)"
    ),
    everything=(
        r"everything (?:that )?(?:i|we)(?:['’]ve| have|['’]d| had)?\b|everything (?:that )?you (?:\w+ )?"
        r"(?:know|remember|have|learn(?:ed|t)|noted|stored)|"
        r"everything (?:about|on|regarding|concerning) (?:my|our|me|us)|what all|all (?:that )?(?:i|we)(?:['’]ve|"
        r" have)? "
        r"(?:ever )?(?:told|said|mentioned|shared|discussed|talked)|"
        r"all (?:that )?you (?:know|remember)|(?:tell|show|give|list)(?: me)? (?:it all|all of (?:it|that|them))"
    ),
    shared=(
        r"(?<!for )(?<!in )(?:my|our)|me (?:and|or)|us|"
        r"(?:i|we)(?:['’]ve|['’]d)?(?! (?:should|can|could|must|need|may|might|ought|would|will|am|are)\b)"
    ),
    advice=(
        r"(?:should|must|shall|would|ought) (?:i|we|one|my|our)|(?:can|could|may) (?:i|we)(?! (?:have|get|see|ask))|"
        r"(?:do|does) (?:i|we|my|our|one)(?! (?:know|have))|(?:i|we) (?:should|must|need|have) to"
    ),
    given=(
        r"(?:this|these|that|the) (?:following |attached |above |pasted |linked )?"
        r"(?:articles?|texts?|essays?|pages?|papers?|passages?|paragraphs?|documents?|pdf|files?|links?|emails?|"
        r"videos?)|"
        r"(?:the )?following|below|attached|https?:|www\."
    ),
    asks=(
        r"(?:please )?(?:walk|take|guide|run) me through|(?:please )?(?:recap|sum up|outline|lay out|go over|name|"
        r"order|"
        r"arrange|provide|trace)|i(?:['’]d| would)? (?:like|love|want|need) (?:to (?:see|hear|have|get|know) )?"
        r"(?:an?|the|you|my|our|everything|what|how)"
    ),
    talk=word_set(
        """
        told tell tells telling said say talk talked talking talks discuss discussed discussing discussion discussions
        conversation conversations chat chats mention mentioned bring brought order sequence timeline chronological
        chronologically summary summarise summarize overview recap list walk provide give comprehensive brief short
        detailed complete full far time times past last first week weeks month months year years day days session
        sessions different various aspects over across throughout since ago until now together topics things everything
        changed change changes progress progressed developed develop development evolved evolve decided decide
        decisions decision agreed agree made make know remember include including mentioning only items five three four
        """
    ),
)
