"""A message is joined to the one before it only where it says nothing without that."""

from __future__ import annotations

from bot.memory.answering.utterances import leans_back
from tests.cases import each_row


@each_row(
    ("said", "before"),
    [
        ("They live in Ely.", "Leo has grandparents."),
        ("They sold the house in May.", "My parents live in Ely."),
        ("There we met Tom.", "We went to Ely."),
        ("shes vegan", "priya is my flatmate"),
        ("I finally told her yesterday.", "My aunt sings."),
        ("No, on Monday.", "The concert is on Friday."),
        ("No wait, it leaves at 8:40.", "The ferry leaves at 8:20."),
        ("Sie haben das Haus verkauft.", "Meine Eltern wohnen in Ulm."),
        ("Es beginnt um 8.", "Am Freitag ist ein Konzert."),
        ("Nein, er fährt um 7:35.", "Der Zug fährt um 7:15."),
        ("Dort haben wir geheiratet.", "Wir waren in Ulm."),
        ("Она живёт в Туле.", "Вера вышла замуж."),
        ("Нет, он отправляется в 6:40.", "Поезд отправляется в 6:10."),
    ],
)
def test_what_names_nobody_needs_what_was_said_before(said: str, before: str) -> None:
    """It speaks of them, of there, or puts a value right."""
    assert leans_back(said, before)


@each_row(
    ("said", "before"),
    [
        ("They changed the gate code to 9902.", "My desk moved from the third floor to the fifth."),
        ("They put the fee up to 985.", "Leo goes to Hilltop Primary now."),
        ("There's a spare key under the mat.", "We went to Ely."),
        ("I wash the car on Sundays because it gets dirty.", "My aunt sings."),
        ("Actually I like olives by now.", "I moved my savings to Fonix."),
        ("Wait, the ferry to Oslo departs at 15:25.", "I paid Ben back."),
        ("Sie haben die Gebühr erhöht.", "Mika geht auf die Seeschule."),
        ("Es gibt freitags Pizza.", "Wir waren in Ulm."),
        ("Da ich krank war, blieb ich daheim.", "Wir waren in Ulm."),
        ("Nein, mein Bruder wohnt in Kiel.", "Ich mag Tee."),
        ("Мы поменяли код, он теперь 7214.", "Тётя поёт."),
        ("Нет, мой брат живёт в Туле.", "Я люблю чай."),
    ],
)
def test_what_is_complete_in_itself_needs_nothing(said: str, before: str) -> None:
    """It says itself what it is about, or the one before names nobody whom it can mean."""
    assert not leans_back(said, before)
