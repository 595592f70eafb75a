"""Russian sentences that are worth an item."""

from __future__ import annotations

from typing import Final

from bot.memory.items import ItemType, Layer
from bot.memory.learning.facts_ru import FACTS
from bot.memory.learning.rules import rule
from bot.memory.learning.subjects_ru import CHEER, DO, KIN, NAME, NEAR, OFTEN

RUSSIAN: Final = (
    rule(
        ItemType.TASK,
        Layer.WORKING,
        r"(?:задача|todo|туду|сделать|следующий шаг)\s*[:–—-]\s*\S",
        rf"(?:пожалуйста,?\s+)?(?:не забудь(?:те)?|не забыть)\s+{DO}",
        salience=0.7,
        ttl_days=14,
    ),
    rule(
        ItemType.TASK,
        Layer.WORKING,
        rf"(?:мне|нам)\s+(?:ещё\s+|еще\s+)?(?:надо|нужно|необходимо|предстоит|пора)\s+(?:[а-яё]+\s+)?{DO}",
        rf"(?:надо|нужно)\s+(?!знать|понять|признать|сказать){DO}",
        r"(?:я\s+)?(?:сейчас\s+)?работаю над\b",
        rf"(?P<who>я|мы)\s+(?:должен|должна|должны|обязан\w*)\s+{DO}",
        salience=0.6,
        ttl_days=14,
    ),
    rule(
        ItemType.DECISION,
        Layer.SEMANTIC,
        r"(?:решение|решено)\s*[:–—-]?\s*\S",
        rf"(?:(?P<who>я|мы){OFTEN}\s+)?(?:решил[аи]?|договорились|выбрали|остановились на|определились)\b"
        r"(?!\s+проблему)",
        r"(?:давай(?:те)?|будем)\s+(?:использовать|возьм[её]м|перейд[её]м|остановимся|оставим|переходить|используем)\b",
        salience=0.75,
        confidence=0.85,
    ),
    rule(
        ItemType.FIX,
        Layer.PROCEDURAL,
        r"(?:.{0,40}\b)?(?:исправил[аи]?|починил[аи]?|пофиксил[аи]?|решил[аи]? проблему|помогло|заработал[аои]?|"
        r"решилось|решением было)\b",
        salience=0.65,
    ),
    rule(
        ItemType.RESULT,
        Layer.WORKING,
        r"\$\s+\S",
        r".{0,80}\b(?:код (?:возврата|выхода) \d+|\d+ (?:тест\w*\s+)?(?:прош\w+|упал\w*)|сборка (?:прошла|упала)|"
        r"задеплоил[аи]?)\b",
        salience=0.5,
        ttl_days=7,
    ),
    rule(
        ItemType.FAILURE,
        Layer.EPISODIC,
        r".{0,120}?\b(?:не работа[ею]т|сломал(?:ся|ась|ось|ись)|упал (?:сервер|прод|тест|билд)|"
        r"(?:сервер|прод|сайт|билд|сборка|тест\w*)\s+(?:упал\w*|леж[аи]т)|падает с ошибкой|перестал[аои]? работать|"
        r"завис(?:ает|ла|ло|ли)?)\b",
        salience=0.6,
    ),
    rule(
        ItemType.CONSTRAINT,
        Layer.SEMANTIC,
        r"у (?P<who>меня|нас|мо[а-яё]+ [\w -]{2,30}?)\s+(?:сильная\s+|есть\s+)?"
        r"(?P<what>аллергия на .+|непереносимость .+|диабет.*)",
        r"(?P<who>я)\s+(?:не ем|не пью|не переношу)\s+(?P<what>.+)",
        r"(?P<who>я)\s+(?P<what>веган\w*|вегетариан\w+|диабетик|аллергик)\b",
        r"(?:не ем|не пью)\s+(?P<what>.+)",
        salience=0.9,
        confidence=0.9,
    ),
    rule(
        ItemType.CONSTRAINT,
        Layer.PROCEDURAL,
        rf"(?:пожалуйста,?\s+)?(?:всегда|никогда не|нельзя|ни в коем случае не|запрещено)\s+(?!{CHEER})[а-яё]+",
        r"(?:пожалуйста,?\s+)?не (?:используй|пиши|делай|трогай|удаляй|отправляй|запускай|деплой|предлагай|меняй|"
        r"добавляй|называй)(?:те)?\b",
        salience=0.7,
    ),
    rule(
        ItemType.CONSTRAINT,
        Layer.SEMANTIC,
        r"(?:(?:наш|мой|общий)\s+)?(?P<who>(?:[\w-]+\s+){0,2}?(?:дедлайн|бюджет|лимит|срок сдачи|крайний срок))\s*"
        r"(?:[–—:-]|это|до|в)?\s*\S",
        relation="is",
        salience=0.8,
    ),
    rule(
        ItemType.PREFERENCE,
        Layer.SEMANTIC,
        r"(?P<who>(?:мо[йяёеи]|наш[аеи]?)\s+любим(?:ый|ая|ое|ые)\s+[\w -]{2,40}?)\s*(?:[–—:-]|это|\s)\s*\S",
        relation="is",
        salience=0.7,
        confidence=0.9,
    ),
    rule(
        ItemType.PREFERENCE,
        Layer.SEMANTIC,
        rf"(?:(?P<who>я|мы){OFTEN}\s+)?(?:не\s+)?(?:очень\s+)?(?:люблю|любим|обожаю|обожаем|предпочитаю|предпочитаем|"
        r"ненавижу|терпеть не могу|не выношу)\s+(?!тебя\b|вас\b|это\b|когда\b|его\b|её\b|их\b)(?P<what>.+)",
        r"(?:мне|нам)\s+(?:очень\s+|больше\s+|совсем\s+)?(?:не\s+)?(?:нравится|нравятся)\s+(?!это\b|как\b|что\b)(?P<what>.+)",
        relation="like",
        salience=0.7,
        confidence=0.9,
    ),
    rule(
        ItemType.PREFERENCE,
        Layer.SEMANTIC,
        rf"(?P<who>{NEAR}|{KIN}|{NAME}|он|она|они){OFTEN}\s+(?:не\s+)?(?:любит|любят|обожает|предпочитает|ненавидит|ест|"
        r"пь[её]т)\s+(?P<what>.+)",
        relation="like",
        salience=0.6,
    ),
    *FACTS,
)
"""In the order in which they are tried; the first that matches makes the item."""
