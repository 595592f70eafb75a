"""German: about recordings and pictures."""

from __future__ import annotations

from language.media_texts import MediaTexts

MEDIA = MediaTexts(
    nobody_listens=(
        "Ich kann hier keine Aufnahmen anhören: Es ist keine Spracherkennung eingerichtet "
        "(`voice.url`). Schreib es mir bitte."
    ),
    nobody_listens_user="Ich kann hier keine Aufnahmen anhören. Schreib es mir bitte.",
    too_long="Die Aufnahme ist länger als die {minutes} Minuten, die ich anhöre.",
    too_large="Die Aufnahme ist zu groß, um sie zu holen.",
    not_fetched="Ich konnte die Aufnahme nicht holen; bitte sende sie noch einmal.",
    not_heard="Ich konnte die Aufnahme nicht anhören: {reason}.",
    not_heard_user="Ich konnte die Aufnahme gerade nicht anhören. Versuch es bitte später noch einmal.",
    silent="Ich habe in der Aufnahme keine Worte gehört.",
    heard="Ich habe gehört: {text}",
    nobody_sees=(
        "Ich kann hier keine Bilder sehen und weiß nicht, was darauf ist. Sag mir in Worten, worauf es ankommt."
    ),
    picture_too_large="Das Bild ist größer als die {most} MB, die ich ansehe.",
    picture_unknown="Bilder in diesem Format kann ich nicht ansehen; JPEG, PNG, WebP und GIF kann ich.",
    picture_not_fetched="Ich konnte das Bild nicht holen; bitte sende es noch einmal.",
    not_seen="Das Modell kann keine Bilder sehen: Ich habe deine Worte gelesen, nicht das Bild gesehen.",
)
