"""Russian: what is shown around a conversation."""

from __future__ import annotations

from language.chat_texts import ChatTexts

CHAT = ChatTexts(
    stop_button="■ Стоп",
    description=(
        "Помощник, который помнит, что вы ему рассказали, и показывает, что он помнит.\n\n"
        "Пишите ему как человеку. /memory покажет, что он знает, /why — из чего сложился ответ, а /forget удалит "
        "навсегда.\n\n"
        "Он работает на чьём-то собственном сервере и отвечает тем, кого допустил владелец."
    ),
    short_description="Помощник с памятью, которую можно увидеть, исправить и удалить. Что он умеет: /help.",
)
