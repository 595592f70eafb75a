"""Russian: about documents that were sent."""

from __future__ import annotations

from types import MappingProxyType

from language.document_texts import DocumentTexts

DOCUMENTS = DocumentTexts(
    reading="Читаю {name} …",
    read="Прочитал: {name} ({about}).",
    known="Этот документ я уже знаю: {name} ({about}); ничего не добавлено.",
    renewed="Он занял место прежнего с этим именем (версия {version}).",
    cut="Он длиннее, чем мне можно читать: остальное не прочитано.",
    masked="То, что похоже на секрет, я не сохранил.",
    how_to_ask="Спросите меня о нём или ответьте на это сообщение. /docs показывает, что я прочитал.",
    failed="Не удалось прочитать {name}: {reason}.",
    export=(
        "{name} – это экспорт переписки. Чтобы перенести сообщения, пришлите файл ещё раз с подписью /import "
        "(в терминале: /import ПУТЬ). Я ничего из него не сохранил."
    ),
    memory_off="Пока память выключена, я ничего не сохраняю, поэтому {name} я не читал.",
    unnamed="файл",
    reasons=MappingProxyType(
        {
            "": "с ним что-то не так",
            "encrypted": "он защищён паролем",
            "too_large": "он слишком большой",
            "empty": "он пустой",
            "no_text": "в нём нет текста, только картинки",
            "damaged": "он повреждён",
            "unknown_kind": "такие файлы я не знаю",
            "rich_text": "формат .rtf я не читаю; сохраните его как .docx",
            "archive": "архивы я не распаковываю; пришлите файлы из него по одному",
            "old_office": "старые форматы .doc, .xls и .ppt я не читаю; сохраните файл как .docx, .xlsx или .pptx",
            "outlook": "собственный формат Outlook (.msg) я не читаю; сохраните письмо как .eml",
            "timed_out": "это заняло слишком много времени",
            "gone": "его больше нет",
            "unreachable": "сейчас он недоступен, попробуйте позже",
            "disk": "для него здесь нет места",
            "private": "этот адрес не публичный",
            "scheme": "читать можно только адреса http и https",
            "port": "читаются только обычные веб-адреса",
            "credentials": "читаются только обычные веб-адреса",
            "kind": "я не знаю, что там лежит",
            "malformed": "это не адрес",
            "status": "сайт отвечает ошибкой",
            "unresolved": "такого адреса нет",
            "redirects": "адрес ведёт по кругу",
        }
    ),
    about_pages="страниц: {count}",
    about_sections="разделов: {count}",
    about_characters="знаков: {count}",
    place_page="стр. {page}",
    listed="Документов: {count}",
    none="Здесь я ещё не прочитал ни одного документа. Пришлите мне файл или ссылку.",
    open_button="Открыть {number}",
    forget_button="Забыть",
    added="Добавлен {day}, {author}.",
    source="Источник: {url}",
    outline="Разделы:",
    more_sections="… и ещё: {count}",
    confirm="Забыть {name} и всё, что я в нём прочитал?",
    yes_forget="Да, забыть",
    several="Под именем «{name}» может подразумеваться несколько документов:",
    missing="Документа «{name}» у меня нет. /docs показывает, что я прочитал.",
    from_terminal="Путь можно указать только в чате терминала. Здесь пришлите мне файл.",
    usage="/docs показывает документы; /docs ИМЯ открывает один; /docs forget ИМЯ забывает его.",
    ask_usage="Спросите так: /ask ИМЯ вопрос (имя или номер есть в /docs).",
    page_of="Страница {page} из {pages}",
)
