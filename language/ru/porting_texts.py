"""What is said about taking a memory away and bringing conversations along, in Russian."""

from __future__ import annotations

from types import MappingProxyType

from language.porting_texts import ExportTexts, ImportTexts

EXPORTING = ExportTexts(
    ready=(
        "Всё, что я храню об этом чате. Сообщений: {turns}, воспоминаний: {items}, {size} МБ.\n\n"
        "README.md внутри говорит, что где лежит; если прислать файл обратно с /import, он будет прочитан снова."
    ),
    written="Файл: `{path}`",
    nothing="Об этом чате пока ничего не сохранено.",
    too_large=(
        "В экспорте {size} МБ, это больше, чем я могу отправить сюда ({limit} МБ). "
        "В терминале: `mneme export --scope {scope}`"
    ),
    confirm="Все в этой группе смогут открыть файл со всем, что я храню о группе. Отправить?",
    confirm_button="Отправить сюда",
    owner_only="Общую память нескольких людей экспортирует мой владелец, память группы — и её администраторы.",
    private="В этой группе я пользуюсь вашей личной памятью. Попросите её экспорт в нашем личном чате.",
)

IMPORTING = ImportTexts(
    usage=(
        "Пришлите мне экспорт переписки файлом с подписью /import: result.json из Telegram Desktop, чат WhatsApp, "
        "conversations.json из ChatGPT или Claude, канал Discord (DiscordChatExporter), message_1.json из Messenger "
        "или Instagram, рабочее пространство Slack, мой собственный экспорт или zip, в котором они пришли."
    ),
    usage_terminal="Назовите файл: `/import ФАЙЛ`",
    survey="{format}, сообщений: {messages}, чатов: {chats}, с {first} по {last}.",
    archive="Воспоминаний: {items}.",
    left_out="Не войдёт: {what}: {count}",
    reasons=MappingProxyType(
        {
            "SERVICE": "служебные сообщения (вступил, звонок, закреплено …)",
            "PICTURE": "изображения без подписи",
            "VIDEO": "видео без подписи",
            "VOICE": "голосовые сообщения и музыка",
            "STICKER": "стикеры",
            "FILE": "файлы без подписи",
            "NO_TEXT": "другие сообщения без слов",
            "VERSION": "заменённые версии сообщений",
            "HIDDEN": "скрытые сообщения и вызовы инструментов",
            "NO_AUTHOR": "сообщения без автора",
            "NO_DATE": "сообщения без даты",
            "TOO_LONG": "сообщения длиннее 1 000 000 знаков",
            "NOT_YOURS": "воспоминания других людей",
        }
    ),
    more_people="… и другие: {count}",
    who="Кто из них вы? Ваши слова станут вашими и здесь, чужие останутся чужими.",
    nobody_button="Никто из них",
    you="Вы: {name}.",
    own_export="Этот файл написал я сам: всё вернётся, как было.",
    tokens="Долговременная память даст прочитать своей языковой модели примерно {tokens} токенов из этого.",
    start="Пока ничего не сохранено. Импортировать?",
    start_button="Импортировать",
    cancel_button="Отменить",
    begun="Я начал импорт «{name}» и продолжаю отвечать. /import скажет, сколько сделано.",
    progress="«{name}»: {done} из {total} ({share} %)",
    done="«{name}» импортирован. Новых: {added}, уже были: {known}.",
    forgotten="Забыты раньше намеренно и такими остались: {count}.",
    refused="Это нельзя импортировать: {reason}",
    cancelled="Импорт «{name}» отменён. Пришедшее до этого остаётся: {added}.",
    gone="Этот импорт закончен или не начинался.",
    none="Сейчас ничего не импортируется.",
    busy="Здесь уже идёт импорт. /import скажет, сколько сделано.",
    too_large=(
        "Файл больше, чем мне можно получить здесь ({limit} МБ). "
        "Положите его на машину, где я работаю, и импортируйте в терминале: `mneme import ФАЙЛ`"
    ),
    not_fetched="Файл не удалось получить. Пришлите его, пожалуйста, ещё раз.",
    owner_only="В общую память нескольких людей импортирует мой владелец, в память группы — и её администраторы.",
    memory_off="Память выключена: ничего нельзя перенести.",
)
