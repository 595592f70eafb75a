"""German: about files that the bot sends."""

from __future__ import annotations

from language.file_texts import FileTexts

FILES = FileTexts(
    whole_answer="Die ganze Antwort steht in der Datei {name}.",
    answer="Antwort",
    too_large="Die Datei {name} hat {size} MB; mehr als {most} MB lassen sich hier nicht senden.",
    not_here="Die Datei {name} lässt sich hier nicht senden.",
    gone="Die Datei {name} ist nicht mehr da.",
    refused="Die Datei {name} ließ sich nicht senden: Der Chat hat sie nicht angenommen.",
)
