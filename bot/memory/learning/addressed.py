"""What is said to the assistant and says nothing of the world: greetings, questions in disguise, wishes and requests.

English, Russian and German, told by their form: who is addressed, and what the sentence wants of them.
"""

from __future__ import annotations

import re
from typing import Final

from bot.memory.patterns import compiled

_GREETING: Final = (
    r"(?:(?:hi|hiya|hello|hey|howdy|greetings|hallo|moin|servus|hola|salut|bonjour|"
    r"привет\w*|здравствуй(?:те)?|хай|салют)(?:[ ,]{1,2}(?:hi|hello|hey|hallo|привет))?"
    r"|good (?:morning|afternoon|evening|day)|g['’]?day|guten (?:morgen|tag|abend)|grüß (?:gott|dich|euch)"
    r"|добр(?:ый|ое|ой) (?:день|утро|утра|вечер|вечера|ночи)|доброго (?:дня|утра|вечера|времени суток))"
)
_NO_VOCATIVE: Final = (
    r"(?!(?:i|you|we|he|she|it|they|my|our|your|is|are|am|was|were|be|has|have|had|do|does|did|will|can|"
    r"\w+ed|from|in|at|to|about|with|or|but|because|when|where|what|who|how|why|"
    r"я|ты|вы|мы|он|она|они|мо[йяеё]|мои|наш\w*|у|из|в|на|с|о|это|был\w*|есть|или|но|когда|где|что|кто|как|почему|"
    r"ich|du|wir|er|es|sie|mein\w*|unser\w*|ist|sind|bin|war|hat|habe|aus|oder|aber|wenn|wo|was|wer|wie|wann|warum)"
    r"(?![\w-]))"
)
_NAME: Final = rf"(?:\s+{_NO_VOCATIVE}[\w'’-]+)"
_SUBJECT: Final = (
    r"(?:i|i['’]\w{1,2}|my|we|we['’]\w{1,2}|our|я|мы|мо[йяеё]|мои|наш\w*|у (?:меня|нас)|меня|мне|"
    r"ich|mein\w*|wir|unser\w*)\b"
)
GREETED: Final = compiled(
    rf"{_GREETING}(?:\s*,{_NAME}\s*[,!]\s*(?={_SUBJECT})"
    rf"|{_NAME}{{0,3}}\s*(?:[,!.…:;–—]|\s-)[,!.…:;–—\s-]*(?=\S+\s+\S)"
    rf"|{_NAME}{{0,2}}\s+(?={_SUBJECT}))",
    re.IGNORECASE,
)
"""A greeting, and whom it greets, before a clause of its own: "hello there, I am Bob", "привет всем, я Боб"."""
ONLY_GREETS: Final = compiled(rf"{_GREETING}(?:,?{_NAME}{{1,3}})?[\s,!.…)]*", re.IGNORECASE)
"""A sentence that greets somebody and says nothing else."""

_EN_ASKED: Final = (
    r"(?:,\s*)?\s*(?:(?:about|of|again|please)\s+)?"
    r"(?:if|whether|what|where|when|who|whom|whose|why|how|which|about|of)\b"
)
_RU_ASKED: Final = (
    r"[\s,:–—-]+(?:(?:в|на|о|об|с|у|за|от|из|к|по|до|для|про|а)\s+)?"
    r"(?:что|ч[её]м|чего|где|куда|откуда|кто|кого|кому|кем|ком|чей|чья|чь[её]|когда|как\w*|сколько|почему|зачем|котор\w+|"
    r"\S+\s+ли|(?:\S+\s+){0,2}ли)\b"
)
_DE_ASKED: Final = (
    r"(?:,\s*)?\s*(?:(?:in|an|auf|mit|von|zu|für|seit|bis|um|aus|wegen)\s+)?"
    r"(?:ob|was|wo|wohin|woher|womit|wann|wer|wen|wem|wessen|warum|wieso|weshalb|wie|welche[mnrs]?)\b"
)
WONDERS: Final = compiled(
    # "I wonder whether …", "I'd like to know where …", "no idea when …"
    r"(?:(?:i(?:['’]?m| am| was|['’]ve been| have been)?\s+(?:just\s+|also\s+|still\s+|always\s+)?wonder(?:ing|ed)?|"
    r"(?:just\s+)?wondering|i(?:['’]?m| am)?\s+(?:just\s+|really\s+)?curious|curious|"
    r"i(?:['’]d| would)?\s+(?:really\s+|just\s+|also\s+)?(?:like|love|want|need|wish)\s+to\s+"
    r"(?:know|ask(?:\s+you)?|find out)|"
    r"(?:(?:i|we)\s+(?:have|['’]ve got|got)\s+|i['’]ve got\s+)?(?:absolutely\s+)?no\s+(?:idea|clue)|"
    r"any\s+(?:idea|clue|chance you know)|(?:my|a|one|another|quick)\s+question(?:\s+is)?\s*[:,]?|"
    rf"(?:can|could|may)\s+i\s+ask(?:\s+you)?){_EN_ASKED}"
    r"|(?:(?:мне|нам)\s+)?(?:(?:очень|просто|было бы|стало|вот|даже)\s+){0,2}(?:интересно|любопытно)"
    rf"(?:\s+(?:бы|было бы|узнать|знать)){{0,3}}{_RU_ASKED}"
    r"|(?:(?:я|мне|нам)\s+)?(?:очень\s+)?(?:хочу|хотел[аи]?\s+бы|хотелось\s+бы|хочется|надо|нужно|можно)\s+"
    rf"(?:у (?:тебя|вас)\s+)?(?:узнать|знать|спросить|выяснить|уточнить){_RU_ASKED}"
    rf"|(?:(?:я|и)\s+)?(?:даже\s+)?(?:понятия не имею|без понятия|ума не приложу){_RU_ASKED}"
    rf"|ich\s+(?:frage|fragte|hab(?:e)?)\s+mich(?:\s+\w+){{0,2}}{_DE_ASKED}"
    r"|ich\s+(?:würde|möchte|will|wollte|wüsste|muss)(?:\s+(?:gern\w*|mal|nur|auch|bitte|doch)){0,3}"
    rf"(?:\s+(?:wissen|fragen|erfahren))?{_DE_ASKED}"
    r"|mich\s+(?:würde\s+)?interessier(?:t|te|en)(?:\s+(?:mal|auch|sehr))?"
    rf"{_DE_ASKED}|mich\s+würde(?:\s+\w+)?\s+interessieren{_DE_ASKED}"
    rf"|(?:ich\s+hab(?:e)?\s+)?(?:überhaupt\s+)?keine\s+ahnung{_DE_ASKED})",
    re.IGNORECASE,
)
"""A question in the form of a statement about who asks: it is answered, and says nothing that it asks about."""

_ASK_EN: Final = (
    r"(?:please|pls|plz|kindly)\b|"
    r"i(?:['’]d| would)?\s+(?:really\s+|just\s+|also\s+)?(?:want|need|like|love|prefer|expect|ask|beg)\s+"
    r"(?:for\s+)?you\s+(?:guys\s+|all\s+)?(?:to|not)\b|"
    r"i(?:['’]d| would)\s+(?:really\s+)?(?:appreciate|be (?:grateful|glad|happy))\b.{0,20}\bif you\b|"
    r"it(?:['’]d| would) be (?:\w+\s+)?(?:great|nice|good|helpful|lovely|kind|cool) if you\b|"
    r"let['’]?s\b|let (?:me know|us)\b|shall we\b|how about\b|"
    r"(?:you\s+)?(?:make sure|be sure|feel free|try not|be so kind)\b|"
    r"remind us\b|(?:tell|teach|give|show|wake|ping|notify|alert|nudge|fetch)\s+"
    r"(?:me|us)\b|"
    r"(?:set|schedule|arrange|reserve|cancel|prepare|start|stop|pause)(?:\s+up)?\s+(?:me|us|an?|the|my|our)\b|"
    r"(?:do not|don['’]?t) let (?:me|us)\b"
)
_ASK_RU: Final = (
    r"пожалуйста\b|будь(?:те)? (?:добр\w*|любезн\w*)\b|"
    r"(?:я\s+)?(?:хочу|прошу|хотел[аи]?\s+бы|хотелось\s+бы|мне\s+(?:нужно|надо)|нужно)\s*,?\s+(?:(?:тебя|вас)\b|чтобы\s+(?:ты|вы)\b)|"
    r"(?:не\s+)?(?:мог(?:ла|ли)?|могл[аи]|можешь|можете|сможешь|сможете)\s+(?:бы\s+)?(?:ты|вы|мне|нам)\b|"
    r"(?:не\s+)?(?:мог(?:ла|ли)?)\s+бы\b|"
    r"(?:ты|вы)\s+(?:не\s+)?(?:мог(?:ла|ли)?\s+бы|можешь|можете|сможешь|сможете)\b|"
    r"(?:напомни|переведи|напиши|расскажи|скажи|покажи|объясни|помоги|найди|посчитай|опиши|сравни|составь|придумай|"
    r"сделай|подскажи|поищи|дай|закажи|забронируй|купи|позвони|отправь|пришли|включи|выключи|поставь|создай|добавь|разбуди|"
    r"проверь|прочитай|исправь|ответь)(?:те)?\b(?!\s*[-–—])|"
    r"не дай(?:те)? (?:мне|нам)\b|давай(?:те)?\b"
)
_ASK_DE: Final = (
    r"bitte\b|(?:kannst|könntest|würdest|willst|magst)\s+du\b|(?:können|könnten|würden)\s+sie\b|"
    r"ich\s+(?:will|möchte|hätte gern\w*|wünsche mir|bitte dich|bitte sie)\s*,?\s+dass\s+(?:du|sie)\b|"
    r"es wäre (?:\w+\s+)?(?:schön|nett|gut|toll|lieb),?\s+wenn (?:du|sie)\b|"
    r"(?:erinner|sag|zeig|gib|erklär|übersetz|schreib|such|find|hilf|erzähl|buch|bestell|ruf|schick|stell|mach|weck|"
    r"berechne|beschreib|vergleich|lies)e?\s+(?:sie\s+)?(?:mir|mich|uns|bitte|mal|doch|das|die|den|dem|einen?|ein)\b|"
    r"lass(?:t)?\s+uns\b|vergiss\s+(?:bitte\s+)?(?:nicht\b|mein\w*\b|das\b)"
)
REQUESTS: Final = compiled(rf"(?:(?:{_ASK_EN})|(?:{_ASK_RU})|(?:{_ASK_DE}))", re.IGNORECASE)
"""A request or wish addressed to the assistant, or to everybody: "I want you to …", "let's …", "я хочу, чтобы ты …"."""
