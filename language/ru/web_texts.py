"""Russian: about pages of the web."""

from __future__ import annotations

from language.web_texts import WebTexts

WEB = WebTexts(
    ask_fetch="Прочитать эту страницу? Её адрес уйдёт с этой машины, и выбрала его модель:\n\n{url}",
    agree_fetch="Прочитать",
)
