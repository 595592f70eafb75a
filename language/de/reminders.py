"""Requests in German to be reminded."""

from __future__ import annotations

from typing import Final

from language.reminders import ReminderPatterns

_WHEN: Final = r"(?:daran|an|heute|morgen|übermorgen|später|um|in|am|jeden|jede|vor|nach|rechtzeitig)\b"

REMINDERS: Final = ReminderPatterns(
    polite=(
        r"(?:(?:bitte|hallo|hey|und|auch|kannst|könntest|könnten|können|würdest|würden|du|sie|vergiss nicht|mich|"
        r"daran|ich möchte|ich will|dass)\b[, ]{1,3}){0,7}"
    ),
    requests=(
        rf"erinner(?:e|n sie)? (?:mich|uns) (?:bitte |doch |mal ){{0,2}}{_WHEN}",
        r"erinner(?:e|n sie)? (?:mich|uns)\b[^.?!]{0,100}?,? (?:\w{1,30} ){0,6}zu \w{2,30}(?:en|n)\b",
        rf"{_WHEN}(?:(?!\b(?:ich|er|wir|ihr|man|werde|muss)\b)[^,]){{0,120}}? (?:zu )?erinnern\b",
        (
            r"(?:stell|mach|setz|leg|richte)(?:en?)? (?:sie )?(?:mir |uns )?(?:bitte )?(?:einen?|eine|de[nr]|die) "
            r"(?:\w{1,20} ){0,2}(?:wecker|timer|erinnerung)\b"
        ),
        r"weck(?:e|en sie)? (?:mich|uns)\b",
        r"lass (?:mich|uns) (?:bitte )?nicht vergessen\b",
    ),
)
