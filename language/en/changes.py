"""Changes in English."""

from __future__ import annotations

from typing import Final

from language.changes import Change, Changes

CHANGES: Final = Changes(
    kinds=(
        Change(
            r"mov(?:ed|ing)(?: (?:out|away|back|house|home))?|relocat(?:ed|ing)|left (?:town|the (?:city|country))",
            r"liv(?:e|es|ed|ing)|resid(?:e|es|ing)|stay(?:s|ing)?|based|home|address|flat|apartment|house",
            personal=True,
            own=True,
        ),
        Change(
            r"sold|g[ai]ven? (?:\w+ ){0,5}?away|gave (?:\w+ ){0,5}?to|got rid of|donated|scrapped|traded(?: \w+)"
            r"{0,4}? in|"
            r"threw (?:\w+ ){0,5}?"
            r"(?:away|out)|lost|(?:was|were|got|been) stolen|broke(?:n)?|returned|swapped|wrecked|totalled",
            r"have|has|had|own(?:s|ed)?|got|bought|drive[sn]?|ride[sn]?|use[sd]?|keep[s]?|is|are|wear[s]?|play[s]?",
        ),
        Change(
            r"(?:paid|pay(?:s|ing)?|gave|given)(?: \w+){0,5}? back|repaid|settled|paid off|(?:paid|returned)|"
            r"squared up|even now|(?:venmo|paypal|zelle|wire)(?:['’]?d|ed)|transferred",
            r"ow(?:e|es|ed|ing)|borrow(?:s|ed)?|lent|lend[s]?|loan(?:ed)?|debt|due",
            personal=True,
        ),
        Change(
            r"quit(?:ting)?|resign(?:ed|ing)|retire[ds]?|(?:was|were|got|been) (?:fired|laid off|made redundant|"
            r"let go)|"
            r"left (?:the|my|his|her|their) (?:job|company|firm|team)|changed jobs|handed in (?:my|his|her) notice|"
            r"lost (?:my|his|her|their) job|(?:left|leaving)|start(?:ed|ing)? (?:at|with|a new job)",
            r"work(?:s|ed|ing)?|job|employ\w{0,4}|boss|(?:am|is|are|['’]m|['’]s) an? \w+",
            personal=True,
            own=True,
        ),
        Change(
            r"broke(?:n)? up|split up|separated|divorced?|called off the (?:wedding|engagement)|(?:is|am|are|['’]m|"
            r"['’]s) single|"
            r"got (?:married|engaged|back together)",
            (
                r"married|marri\w{1,4}|together|dating|engaged|girlfriend|boyfriend|partner|husband|wife|fianc\w{1,2}|"
                r"single|couple"
            ),
            personal=True,
            own=True,
        ),
        Change(
            r"cancel(?:l?ed|s|ling)?|unsubscribed|call(?:ed|ing)?(?: \w+){0,3}? off|postponed|rescheduled|"
            r"(?:was|were|is|been|got)"
            r" moved|pushed back|"
            r"put off|brought forward|not happening|fell through|closed down|shut down",
        ),
        Change(
            r"recovered|(?:is|am|are|['’]m|['’]s) (?:better|well again|healthy again|cured|fine again|back home)|"
            r"healed|"
            r"(?:out of|left|discharged from|released from|home from) (?:the )?hospital|got (?:better|well)|"
            r"cast (?:is|came) off",
            (
                r"ill|sick|hospital|broke(?:n)?|flu|fever|injur\w{1,4}|surgery|operation|cold|infect\w{1,4}|pain|"
                r"hurt\w{0,3}|cast"
            ),
            personal=True,
            own=True,
        ),
        Change(r"died|passed away|(?:is|has been|was) put to sleep|is dead|is gone", personal=True),
        Change(
            r"no longer|(?:not|n['’]t)(?: \w+){1,8}? (?:any ?more|any longer)|stopped|gave up|given up|quit|finished|"
            r"done with|dropped out|ended|is over|used to|anymore|switched (?:from|to)|replaced|expired|fixed|"
            r"repaired|found",
        ),
    ),
    past=(
        r"used to|before(?: that| this| then)?(?=\s*[?.!,]|$)|formerly|previously|earlier|"
        r"in the past|back then|did|was|were|had|ever|first|original(?:ly)?"
    ),
    speaker=r"i|we|i['’](?:m|ve|d|ll)|we['’](?:re|ve|d|ll)",
    implied=(
        r"(?:finally |just |already |so )?(?:been|had|got|gotten|sold|quit|left|found|bought|gave|took|went|"
        r"made|have|am|"
        r"are|live|work|drive|take|fly|\w{2,}(?:ed|ing))"
    ),
    absent=(
        r"(?:not|n['’]t|never) (?:yet )?(?:move|sell|sold|pay|quit|cancel|give|lose|break|stop)|(?:want|wants|plan|"
        r"plans|"
        r"hope|hopes|going|need|needs|have|has|might|may|will|would|could|should|if|when)(?: to)? (?:move|sell|pay|"
        r"quit|"
        r"cancel|give|retire|divorce|stop)|"
        r"dream(?:s|t|ed|ing)?|nightmare|imagine|pretend(?:ing|ed)?|(?:just )?(?:kidding|joking)|offer(?:s|ed|ing)?|"
        r"threaten(?:s|ed|ing)?|almost|nearly|not (?:mine|ours|me|us)|"
        r"(?:does|do|did)(?:n['’]t| not) (?:affect|concern|change (?:anything|a thing) for) (?:me|us)"
    ),
    now=(
        r"now(?:adays)?|these days|from now on|as of|starting|since (?:today|yesterday|last|this)|again|instead|"
        r"any ?more|no longer|finally|ended up|only (?:\d+|\w+) (?:left|now)|by now|meanwhile|turned out|"
        r"bumped|upped|raised|lowered|dropped to|went (?:up|down)|switched|changed|swapped|reset|renamed|upgraded|"
        r"downgraded|new(?:ly)?|got rid of|emptied|handed in|over with|off the table|done|gone"
    ),
)
