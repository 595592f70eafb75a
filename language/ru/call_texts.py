"""The sentences about calls of foreign tools in Russian."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from language.call_texts import CallTexts

CALLS: Final = CallTexts(
    ask="Я сделаю это, только если вы хотите. Выполнить именно этот вызов? {text}",
    agree="Выполнить",
    done="Сделано. {tool} ({server}) отвечает:",
    nothing="Сделано. {tool} ({server}) ничего не ответил.",
    failed="{tool} ({server}) этого не сделал:",
    unsure="Неизвестно, сделал ли это {tool} ({server}); сам я повторять не буду:",
    too_late="Этот вопрос уже закрыт. Ничего не сделано. Спросите меня ещё раз.",
    history="(Пользователь согласился, был вызван {tool} ({server}). Выше — его ответ.)",
    owner_only="Это может только владелец бота.",
    none="Серверы инструментов не настроены (mcp.servers).",
    head="Инструменты других программ:",
    states=MappingProxyType({"starting": "запускается", "ready": "готов", "down": "недоступен"}),
    asks="сначала спрашивает",
    runs="работает сам",
    held="придержан: описывает себя иначе, чем когда его одобрили: {text}",
    approve="Одобрить {tool}",
    approved="{tool} ({server}) можно использовать таким, как он описывает себя сейчас.",
    changed="{tool} ({server}) теперь описывает себя иначе. Посмотрите ещё раз: /tools",
)
