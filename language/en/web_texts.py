"""English: about pages of the web."""

from __future__ import annotations

from language.web_texts import WebTexts

WEB = WebTexts(
    ask_fetch="Shall I read this page? Its address leaves this machine, and the model chose it:\n\n{url}",
    agree_fetch="Read it",
)
