"""Russian: about files that the bot sends."""

from __future__ import annotations

from language.file_texts import FileTexts

FILES = FileTexts(
    whole_answer="Весь ответ — в файле {name}.",
    answer="ответ",
    too_large="Файл {name} занимает {size} МБ, а больше {most} МБ сюда отправить нельзя.",
    not_here="Файл {name} сюда отправить нельзя.",
    gone="Файла {name} больше нет.",
    refused="Файл {name} не удалось отправить: чат его не принял.",
)
