"""Questions over time and over everything are told from other questions, in three languages.

The sentences were written before the rules, and none of them is in a rule as it stands.
"""

from bot.memory.overviews import OverviewKind, find_overview
from tests.cases import each_row

_ORDER = (
    "In what order did we work on the parts of the garden project?",
    "in which order did I tell you about my job applications",
    "Can you walk me through the order in which I visited those cities?",
    "Could you list, in chronological order, what we discussed about the move?",
    "Give me a timeline of my training for the marathon.",
    "What was the sequence of my doctor's appointments this spring?",
    "In welcher Reihenfolge haben wir über die Küche gesprochen?",
    "Erzähl mir der Reihe nach, was ich über den Umzug gesagt habe.",
    "Kannst du chronologisch auflisten, wie unser Projekt gelaufen ist?",
    "Wie war der zeitliche Ablauf meiner Bewerbungen?",
    "В каком порядке мы обсуждали ремонт?",
    "Расскажи по порядку, что я говорил про переезд.",
    "В какой последовательности я проходил собеседования?",
    "Перечисли в хронологическом порядке мои поездки.",
)
_CHANGE = (
    "What has changed about our wedding plans?",
    "How has my running progressed since January?",
    "How did my relationship with Tom develop?",
    "what's changed with the budget since we last talked",
    "How have my plans for the shop evolved over time?",
    "What progress have I made with my Spanish?",
    "Was hat sich an unserem Plan geändert?",
    "Wie hat sich mein Rücken entwickelt?",
    "Welche Fortschritte habe ich beim Klavierspielen gemacht?",
    "Was hat sich seit letztem Monat bei meiner Arbeit getan?",
    "Что изменилось в наших планах на отпуск?",
    "Как менялось моё отношение к работе?",
    "Как развивался наш проект?",
    "Какой у меня прогресс в английском?",
)
_SUMMARY = (
    "Summarise what I told you about my brother.",
    "Can you summarize our conversations about the kitchen?",
    "Give me an overview of what I've said about the new job.",
    "Could I have a short recap of my progress on the thesis?",
    "Please sum up what we know about the flat in Leeds so far, I told you a lot.",
    "Could you provide a comprehensive summary of how my app developed over our talks?",
    "Fass zusammen, was ich dir über meine Schwester erzählt habe.",
    "Gib mir einen Überblick über unsere Gespräche zum Hausbau.",
    "Kannst du eine Zusammenfassung meiner Fortschritte machen?",
    "Подведи итог тому, что я рассказывал о работе.",
    "Сделай краткую сводку наших разговоров о ремонте.",
    "Резюмируй, что я говорил о здоровье.",
    "Обобщи, пожалуйста, всё, что мы обсуждали по проекту.",
)
_DECISIONS = (
    "What did we decide last month?",
    "What have we agreed on about the holiday?",
    "Which decisions did I make about the car?",
    "what did we settle on for the colour of the walls",
    "List the decisions we made in May.",
    "Was haben wir letzten Monat beschlossen?",
    "Worauf haben wir uns beim Budget geeinigt?",
    "Wofür habe ich mich bei der Versicherung entschieden?",
    "Welche Entscheidungen haben wir im Mai getroffen?",
    "Что мы решили в прошлом месяце?",
    "О чём мы договорились насчёт отпуска?",
    "Какие решения я принял по поводу машины?",
)
_EVERYTHING = (
    "Tell me everything I told you about Anna.",
    "What all have I told you about my garden?",
    "List everything we've talked about regarding the boat.",
    "What do you know about my project so far? Tell me all of it.",
    "Sag mir alles, was ich dir über den Garten erzählt habe.",
    "Was weißt du alles über meine Familie?",
    "Расскажи всё, что я говорил тебе об Анне.",
    "Что ты вообще знаешь о моей семье? Расскажи всё.",
)
_ORDINARY = (
    "In what order should I cook these dishes?",
    "In what order do I take the pills?",
    "Put these numbers in ascending order: 3, 1, 2.",
    "I ordered a pizza in the evening.",
    "What's the order of the planets?",
    "Walk me through setting up a VPN.",
    "Walk me through how to change a tyre.",
    "How has the climate changed since 1900?",
    "What has changed in Python 3.12?",
    "How did the Roman Empire develop?",
    "My plans have changed, we fly on Friday.",
    "I changed my phone number.",
    "How do I change my password?",
    "Summarise this article: https://example.com/a",
    "Summarize the following text: The cat sat on the mat. It was happy there for many years and nobody minded.",
    "Can you summarise the plot of Hamlet?",
    "Give me an overview of machine learning.",
    "Summarise my essay below.\n\nThe sea is wide. Ships cross it every day, and nobody counts them.",
    "Summarize my text: I went to the market and bought apples, pears and a large melon for the party.",
    "Please sum up 3, 4 and 5.",
    "What did the court decide?",
    "What did Anna decide about the job?",
    "What should we decide?",
    "I decided to take the job.",
    "We agreed on blue.",
    "Help me decide between tea and coffee.",
    "What was decided at the Yalta conference?",
    "Tell me everything about black holes.",
    "Tell me everything you know about Napoleon.",
    "Everything is fine, thanks.",
    "I told you everything about it already.",
    "Where does my sister live?",
    "When is my dentist appointment?",
    "What is my cat called?",
    "Did I tell you about Lisbon?",
    "What did I say about the dentist?",
    "Who is Anna?",
    "Write a summary of quantum mechanics for my class.",
    "Give me a recap of last night's Lakers game.",
    "What is the timeline of World War II?",
    "What progress has humanity made in fusion?",
    "Remind me to summarise the meeting tomorrow.",
    "I need to write a summary of our meeting.",
    "My sister told me everything about her trip.",
    "How has your day been?",
    "Good morning! How are you?",
    "Thanks, that's all.",
    "What order did I place at the restaurant?",
    "How old is my brother?",
    "We discussed the budget today and it went well.",
    "In welcher Reihenfolge soll ich die Schrauben anziehen?",
    "In welcher Reihenfolge stehen die Planeten?",
    "Ich habe mir eine neue Küche bestellt.",
    "Wie hat sich das Römische Reich entwickelt?",
    "Was hat sich in Python 3.12 geändert?",
    "Mein Plan hat sich geändert, wir fliegen am Freitag.",
    "Fass diesen Artikel zusammen: https://example.com/a",
    "Fass den folgenden Text zusammen: Die Katze saß auf der Matte und war viele Jahre lang glücklich dort.",
    "Gib mir einen Überblick über maschinelles Lernen.",
    "Ich habe mich für das blaue Auto entschieden.",
    "Wir haben uns auf Freitag geeinigt.",
    "Was hat das Gericht entschieden?",
    "Wo wohnt meine Schwester?",
    "Erzähl mir alles über schwarze Löcher.",
    "Alles klar, danke!",
    "Wie heißt meine Katze?",
    "Was habe ich über den Zahnarzt gesagt?",
    "Soll ich mich für Blau oder Grün entscheiden?",
    "В каком порядке нужно принимать таблетки?",
    "В каком порядке расположены планеты?",
    "Всё в порядке, спасибо.",
    "Что изменилось в Python 3.12?",
    "Как менялся климат с 1900 года?",
    "У меня изменился номер телефона.",
    "Мы решили ехать в пятницу.",
    "Что решил суд?",
    "Сделай краткое изложение этой статьи: https://example.com/a",
    "Перескажи следующий текст: Кошка сидела на коврике и была счастлива там много лет подряд.",
    "Дай обзор машинного обучения.",
    "Расскажи всё о чёрных дырах.",
    "Где живёт моя сестра?",
    "Как зовут мою кошку?",
    "Что я говорил про стоматолога?",
    "Помоги мне решить, что надеть.",
    "Подведи итоги Второй мировой войны.",
    "Сестра рассказала мне всё о поездке.",
)


@each_row(
    ("asked", "kind"),
    [
        (sentence, kind)
        for kind, sentences in (
            (OverviewKind.ORDER, _ORDER),
            (OverviewKind.CHANGE, _CHANGE),
            (OverviewKind.SUMMARY, _SUMMARY),
            (OverviewKind.DECISIONS, _DECISIONS),
            (OverviewKind.EVERYTHING, _EVERYTHING),
        )
        for sentence in sentences
    ],
)
def test_question_over_time_or_over_everything_is_recognised(asked: str, kind: OverviewKind) -> None:
    found = find_overview(asked)
    assert found is not None
    assert found.kind is kind


@each_row("said", _ORDINARY)
def test_ordinary_line_is_no_such_question(said: str) -> None:
    assert find_overview(said) is None
