"""German: about pages of the web."""

from __future__ import annotations

from language.web_texts import WebTexts

WEB = WebTexts(
    ask_fetch=(
        "Soll ich diese Seite lesen? Das Modell hat sie gewählt, und ihre Adresse verlässt diesen Rechner:\n\n{url}"
    ),
    agree_fetch="Lesen",
)
