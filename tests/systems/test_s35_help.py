"""System 35: who asks how something is done with the assistant is shown the line of /help."""

from __future__ import annotations

from pathlib import Path

from adapters.embedding.e5 import E5Embedder
from bot.config.folders import PROJECT, find_model_folder
from harness.application import NO_RAG, run_chats
from tests.cases import each_row

ASKED = {
    "en": (
        ("how do I export my data?", "/export"),
        ("can I delete my data?", "/forget"),
        ("do you speak German?", "/"),
    ),
    "de": (("kann ich meine Daten löschen?", "/forget"), ("wie exportiere ich meine Daten?", "/export")),
    "ru": (("как отменить напоминание?", "/reminders"), ("можно ли что-то вернуть назад?", "/undo")),
}
OTHER = {
    "en": ("The garage opens with the blue key.", "how do I open the garage?", "blue key", "how do I get to Vera's?"),
    "de": ("Die Garage öffne ich mit dem blauen Schlüssel.", "wie öffne ich die Garage?", "Schlüssel", "wo parke ich?"),
    "ru": ("Гараж открывается синим ключом.", "как открыть гараж?", "ключом", "как доехать до Веры?"),
}


@each_row("language", list(ASKED))
async def test_a_question_about_the_assistant_is_answered_by_what_it_can_do(tmp_path: Path, language: str) -> None:
    """It is no order to forget; what was told is answered with that, and what nobody told is not known."""
    embedder = E5Embedder(find_model_folder(PROJECT / "data"), niceness=0)
    embedder.load()
    told, asked, answer, unknown = OTHER[language]
    async with run_chats(tmp_path / language, NO_RAG, embedder) as chats:
        await chats.say(1, told, language=language)
        for question, command in ASKED[language]:
            assert command in await chats.say(1, question, language=language), question
        await chats.app.embedding.embed()

        assert answer in await chats.say(1, asked, language=language)
        assert "/" not in (await chats.say(1, unknown, language=language)).partition("\n\n")[0]
    embedder.close()
