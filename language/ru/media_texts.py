"""Russian: about recordings and pictures."""

from __future__ import annotations

from language.media_texts import MediaTexts

MEDIA = MediaTexts(
    nobody_listens=(
        "Я не могу слушать записи: распознавание речи не настроено (`voice.url`). Напишите, пожалуйста, словами."
    ),
    too_long="Запись длиннее {minutes} минут, больше я не слушаю.",
    too_large="Запись слишком большая, я не могу её получить.",
    not_fetched="Не удалось получить запись; пришлите её, пожалуйста, ещё раз.",
    not_heard="Не удалось прослушать запись: {reason}.",
    silent="В записи не слышно слов.",
    heard="Услышано: {text}",
    nobody_sees="Я не вижу картинок и не знаю, что на ней. Расскажите словами, что важно.",
    picture_too_large="Картинка больше {most} МБ, такие я не смотрю.",
    picture_unknown="Картинки такого формата я смотреть не могу; могу JPEG, PNG, WebP и GIF.",
    picture_not_fetched="Не удалось получить картинку; пришлите её, пожалуйста, ещё раз.",
    not_seen="Модель не видит картинок: я прочёл ваши слова, но не видел картинку.",
)
