"""Rules of Russian sentences to learn from: rules of work and taste, then the facts."""

from __future__ import annotations

from typing import Final

from language.learning import Learning, rule
from language.ru.facts import FACTS, KIN, NAME, NEAR, OFTEN
from language.words import word_set

_DO: Final = r"[а-яё]+(?:ть|ти|чь|ться|тись)\b"
"""An infinitive."""
_CHEER: Final = r"(?:сдава|сомнева|теря|забыв|останавлив|знаешь|думал|бойся|бойтесь|говори|унывай|отчаивай)"
"""What people encourage each other to; it is no rule for an assistant."""

_WHEN: Final = r"(?:(?:\d{1,2}\s|вчера|позавчера|сегодня|недавно|(?:в|во|на)\s)[^,.;:!?]{0,30}?,?\s+)?"
"""The time that a sentence may begin with."""

_RULES: Final = (
    rule(
        "task",
        "working",
        r"(?:задача|todo|туду|сделать|следующий шаг)\s*[:–—-]\s*\S",
        rf"(?:пожалуйста,?\s+)?(?:не забудь(?:те)?|не забыть)\s+{_DO}",
        salience=0.7,
        ttl_days=14,
    ),
    rule(
        "task",
        "working",
        rf"(?:мне|нам)\s+(?:ещё\s+|еще\s+)?(?:надо|нужно|необходимо|предстоит|пора)\s+(?:[а-яё]+\s+)?{_DO}",
        rf"(?:надо|нужно)\s+(?!знать|понять|признать|сказать){_DO}",
        r"(?:я\s+)?(?:сейчас\s+)?работаю над\b",
        rf"(?P<who>я|мы)\s+(?:должен|должна|должны|обязан\w*)\s+{_DO}",
        salience=0.6,
        ttl_days=14,
    ),
    rule(
        "decision",
        "semantic",
        r"(?:решение|решено)\s*[:–—-]?\s*\S",
        rf"{_WHEN}(?:(?P<who>я|мы){OFTEN}\s+)?(?:решил[аи]?|договорились|выбрали|остановились на|определились)\b"
        r"(?!\s+проблему)",
        r"(?:давай(?:те)?|будем)\s+(?:использовать|возьм[её]м|перейд[её]м|остановимся|оставим|переходить|используем)\b",
        salience=0.75,
        confidence=0.85,
    ),
    rule(
        "fix",
        "procedural",
        r"(?:.{0,40}\b)?(?:исправил[аи]?|починил[аи]?|пофиксил[аи]?|решил[аи]? проблему|помогло|заработал[аои]?|"
        r"решилось|решением было)\b",
        salience=0.65,
    ),
    rule(
        "result",
        "working",
        r"\$\s+\S",
        r".{0,80}\b(?:код (?:возврата|выхода) \d+|\d+ (?:тест\w*\s+)?(?:прош\w+|упал\w*)|сборка (?:прошла|упала)|"
        r"задеплоил[аи]?)\b",
        salience=0.5,
        ttl_days=7,
    ),
    rule(
        "failure",
        "episodic",
        r".{0,120}?\b(?:не работа[ею]т|сломал(?:ся|ась|ось|ись)|упал (?:сервер|прод|тест|билд)|"
        r"(?:сервер|прод|сайт|билд|сборка|тест\w*)\s+(?:упал\w*|леж[аи]т)|падает с ошибкой|перестал[аои]? работать|"
        r"завис(?:ает|ла|ло|ли)?)\b",
        salience=0.6,
    ),
    rule(
        "constraint",
        "semantic",
        r"у (?P<who>меня|нас|мо[а-яё]+ [\w -]{2,30}?)\s+(?:сильная\s+|есть\s+)?"
        r"(?P<what>аллергия на .+|непереносимость .+|диабет.*)",
        r"(?P<who>я)\s+(?:не ем|не пью|не переношу)\s+(?P<what>.+)",
        r"(?P<who>я)\s+(?P<what>веган\w*|вегетариан\w+|диабетик|аллергик)\b",
        r"(?:не ем|не пью)\s+(?P<what>.+)",
        salience=0.9,
        confidence=0.9,
    ),
    rule(
        "constraint",
        "procedural",
        rf"(?:пожалуйста,?\s+)?(?:всегда|никогда не|нельзя|ни в коем случае не|запрещено)\s+(?!{_CHEER})[а-яё]+",
        r"(?:пожалуйста,?\s+)?не (?:используй|пиши|делай|трогай|удаляй|отправляй|запускай|деплой|предлагай|меняй|"
        r"добавляй|называй)(?:те)?\b",
        salience=0.7,
    ),
    rule(
        "constraint",
        "semantic",
        r"(?:(?:наш|мой|общий)\s+)?(?P<who>(?:[\w-]+\s+){0,2}?(?:дедлайн|бюджет|лимит|срок сдачи|крайний срок))\s*"
        r"(?:[–—:-]|это|до|в)?\s*\S",
        relation="is",
        salience=0.8,
    ),
    rule(
        "preference",
        "semantic",
        r"(?P<who>(?:мо[йяёеи]|наш[аеи]?)\s+любим(?:ый|ая|ое|ые)\s+[\w -]{2,40}?)\s*(?:[–—:-]|это|\s)\s*\S",
        relation="is",
        salience=0.7,
        confidence=0.9,
    ),
    rule(
        "preference",
        "semantic",
        rf"(?:(?P<who>я|мы){OFTEN}\s+)?(?:не\s+)?(?:очень\s+)?(?:люблю|любим|обожаю|обожаем|предпочитаю|предпочитаем|"
        r"ненавижу|терпеть не могу|не выношу)\s+(?!тебя\b|вас\b|это\b|когда\b|его\b|её\b|их\b)(?P<what>.+)",
        r"(?:мне|нам)\s+(?:очень\s+|больше\s+|совсем\s+)?(?:не\s+)?(?:нравится|нравятся)\s+(?!это\b|как\b|что\b)(?P<what>.+)",
        relation="like",
        salience=0.7,
        confidence=0.9,
    ),
    rule(
        "preference",
        "semantic",
        rf"(?P<who>{NEAR}|{KIN}|{NAME}|он|она|они){OFTEN}\s+(?:не\s+)?(?:любит|любят|обожает|предпочитает|ненавидит|ест|"
        r"пь[её]т)\s+(?P<what>.+)",
        relation="like",
        salience=0.6,
    ),
    *FACTS,
)
"""In the order in which they are tried; the first that matches makes the item."""

LEARNING: Final = Learning(
    rules=_RULES,
    name=NAME,
    mine=word_set("я мы мой моя мое мои мне меня наш наша наше наши нас нам у"),
    pronouns=word_set("он она оно они его ее их"),
    articles=word_set("мой моя мое мои моего моей наш наша наше наши"),
    opinions=r"думаю|кажется|по-моему|наверное|возможно|вроде",
    vague=r"(?:я\s+)?(?:не знаю|не помню|не понял\w*|соглас\w+|хотел\w* бы|хочу спросить)\b",
    passing=r"сегодня|сейчас",
)
