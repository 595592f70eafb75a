"""Russian sentences that state a fact: where somebody lives, what something is, what happened."""

from __future__ import annotations

from typing import Final

from bot.memory.items import ItemType, Layer
from bot.memory.learning.rules import rule
from bot.memory.learning.subjects_ru import KIN, NAME, NEAR, OFTEN, PAST, WHO

FACTS: Final = (
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        rf"(?:{WHO}{OFTEN}\s+)?(?:живу|живём|живем|жив[её]т|живут|проживаю|проживает)\s+\S",
        rf"(?:{WHO}{OFTEN}\s+)?(?:переехал[аи]?|перебрал(?:ся|ась|ись)|переезжа\w+)\s+(?:в|на|из|к|от)\b",
        rf"{WHO}{OFTEN}\s+(?:переехал[аи]?|перебрал(?:ся|ась|ись))\b",
        relation="live",
        salience=0.75,
        confidence=0.9,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        rf"(?:{WHO}{OFTEN}\s+)?(?:работаю|работаем|работает|работают|устроил(?:ся|ась))\s+\S",
        relation="work",
        salience=0.7,
        confidence=0.9,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        rf"{WHO}{OFTEN}\s+родил(?:ся|ась|ись)\b",
        r"(?:у (?P<who>[\w -]{2,40}?)\s+)?день рождения\b(?:\s+у (?P<who>[\w-]+))?\s*[–—:-]?\s*\S+",
        relation="birth",
        salience=0.75,
        confidence=0.85,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        r"(?P<who>мне|нам|[\w-]+\s[\w-]+|[\w-]+)\s+(?:уже\s+|сейчас\s+|исполнилось\s+)?\d{1,3}\s+(?:год|года|лет)\b",
        relation="age",
        salience=0.6,
        confidence=0.85,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        r"(?P<who>меня|нас|(?:мо\w+\s+)?[\w-]+)\s+зовут\s+\S",
        r"мо[её] имя\b",
        relation="name",
        salience=0.85,
        confidence=0.9,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        rf"{WHO}{OFTEN}\s+(?:женат|замужем|женил(?:ся|ась|ись)|вышла замуж|разв[её]л\w*|холост|помолвлен\w*)\b",
        relation="marry",
        salience=0.7,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        rf"(?:{WHO}{OFTEN}\s+)?(?:учусь|учится|учатся|учимся)\s+\S",
        relation="study",
        salience=0.6,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        r"(?P<who>(?:мо[йяёеи]|наш[аеи]?)\s+(?:[\w-]+\s+){0,3}?[\w-]+)\s*(?:[–—=:]|\s-|\bэто|\bтеперь|\bбудет)\s*"
        r"(?P<how>в|на|у|под|за)?\b\s*\S",
        relation="is",
        salience=0.7,
        confidence=0.85,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        r"(?P<who>(?:мо[йяёеи]|наш[аеи]?)\s+(?:[\w-]+\s+){0,2}?[\w-]+)\s+(?P<how>в|на|у|под|за|с)\s+\S",
        relation="is",
        salience=0.6,
        confidence=0.75,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        r"(?P<who>(?:(?:мо[йяёеи]|наш[аеи]?)\s+)?(?:[\w-]+\s+)?"
        r"(?:код|номер|адрес|пин|телефон|логин|почта|рейс|место|размер)(?:\s+(?:от\s+)?[а-яё-]+){0,2}?)\s*[–—:-]?\s*"
        r"(?=\S*[\d@])\S+",
        relation="is",
        salience=0.7,
        confidence=0.85,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        r"у\s+(?:меня|нас|мо\w+\s+[\w-]+|(?-i:[А-ЯЁ])[а-яё]+)\s+(?:есть\s+|теперь\s+|сейчас\s+)?"
        r"(?!вопрос|проблем|просьба|идея|нет\s+(?:времени|идей|слов)|получил|всё|все)[\w-]+",
        salience=0.6,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        r"я\s+(?:из\s+\S|родом\b|говорю (?:на|по)\b|играю\b|езжу\b|пользуюсь\b|использую\b|занимаюсь\b|учу\b|изучаю\b|"
        r"вожу\b|хожу\b|читаю\b|пишу\b|бегаю\b|ем\b|пью\b|веду\b|преподаю\b|хочу\b|планирую\b|боюсь\b|храню\b)",
        r"я\s+(?:по профессии\s+)?[а-яё]+(?:ист|ер|ор|ник|тель|олог|граф|вед|ач|арь|анин|анка|истка|ница)\b",
        salience=0.55,
        confidence=0.75,
    ),
    rule(
        ItemType.FACT,
        Layer.EPISODIC,
        r"(?:я|мы)\s+(?:завтра\s+|послезавтра\s+|скоро\s+|в\s+\S+\s+)?(?:лечу|летим|еду|едем|поеду|поедем|иду|ид[её]м|"
        r"улетаю|уезжаю|встречаюсь|начинаю)\b",
        salience=0.55,
        confidence=0.75,
    ),
    rule(
        ItemType.FACT,
        Layer.EPISODIC,
        rf"(?P<who>я|мы|{NEAR}|{KIN}|{NAME}){OFTEN}\s+(?:не\s+)?"
        rf"(?!хотел|думал|спросил|спрашивал|сказал|говорил|понял|имел|был\w?\b|забыл|знал|решил){PAST}\b\s+(?!это\b|его\b)\S",
        salience=0.45,
        confidence=0.75,
    ),
    rule(
        ItemType.FACT,
        Layer.SEMANTIC,
        rf"(?P<who>{NEAR}|{KIN}|{NAME})\s*(?:[–—-]\s+|\s(?:это|стал|стала|вед[её]т|играет|ходит|ездит|учит|говорит на|"
        r"пользуется|знает|занимается|хочет)\s+)\S",
        salience=0.5,
        confidence=0.7,
    ),
)
"""From the telling to the general: the first that matches makes the item."""
