"""English: about files that the bot sends."""

from __future__ import annotations

from language.file_texts import FileTexts

FILES = FileTexts(
    whole_answer="The whole answer is in the file {name}.",
    answer="answer",
    too_large="The file {name} has {size} MB; more than {most} MB cannot be sent here.",
    not_here="The file {name} cannot be sent here.",
    gone="The file {name} is not there any more.",
    refused="The file {name} could not be sent: the chat did not take it.",
)
