"""German sentences: which teach something, and which teach nothing."""

from __future__ import annotations

from adapters.embedding.e5 import E5Embedder
from bot.memory.items import ItemType
from bot.memory.learning.kinds import KindReader
from bot.memory.learning.statements import find_facts
from tests.cases import each_row

LEARNT: tuple[tuple[str, str, str, str], ...] = (
    ("Meine Schwester Vera wohnt in Porto.", "fact", "sister vera", "live"),
    ("Meine Schwester Vera ist nach Lissabon gezogen.", "fact", "sister vera", "live"),
    ("Merk dir, dass meine Schwester Vera in Porto wohnt.", "fact", "sister vera", "live"),
    ("Seit 2019 wohne ich in Bonn.", "fact", "i", "live"),
    ("Ich wohne nicht mehr in Bonn, sondern in Köln.", "fact", "i", "live"),
    ("Übrigens wohnt mein Bruder Max in Rom.", "fact", "brother max", "live"),
    ("Übrigens, mein Bruder Max lebt jetzt in Rom.", "fact", "brother max", "live"),
    ("Wir ziehen im Mai nach Hamburg.", "fact", "i", "live"),
    ("Ich bin letztes Jahr umgezogen.", "fact", "i", "live"),
    ("Anna wohnt bei ihren Eltern.", "fact", "anna", "live"),
    ("Ich arbeite bei Siemens.", "fact", "i", "work"),
    ("Ich arbeite jetzt für Bosch.", "fact", "i", "work"),
    ("Mein Vater arbeitet als Lokführer.", "fact", "father", "work"),
    ("Ich habe einen neuen Job.", "fact", "i", "work"),
    ("Meine Mutter ist in Rente.", "fact", "mother", "work"),
    ("Meine Mutter ist Ärztin.", "fact", "mother", ""),
    ("Mein Geburtstag ist am 3. Mai.", "fact", "birth", "is am"),
    ("Vera hat am 12. Juni Geburtstag.", "fact", "vera", "birth am"),
    ("Ich bin 1985 in Leipzig geboren.", "fact", "i", "birth"),
    ("Meine Tochter ist 7 Jahre alt.", "fact", "daughter", "age"),
    ("Ich werde im August 40.", "fact", "i", "age"),
    ("Ich heiße Anna.", "fact", "i", "name"),
    ("Mein Name ist Anna Weber.", "fact", "i", "name"),
    ("Unser Hund heißt Rex.", "fact", "dog", "name"),
    ("Meine Schwester heißt Vera.", "fact", "sister", "name"),
    ("Ich bin seit 2015 verheiratet.", "fact", "i", "marry"),
    ("Mein Bruder hat im Juli geheiratet.", "fact", "brother", "marry"),
    ("Meine Cousine studiert Physik in Wien.", "fact", "cousin", "study"),
    ("Mein Buchungscode ist 567-G0.", "fact", "buchungscod", "is"),
    ("Mein Buchungscode lautet jetzt 999-X1.", "fact", "buchungscod", "is"),
    ("Mein Flug geht am Freitag.", "fact", "flight", "is am"),
    ("Mein Flug geht um 9:40 Uhr.", "fact", "flight", "is um"),
    ("Der Schlüssel liegt unter der Fußmatte.", "fact", "schlüssel", "is unter"),
    ("Der Türcode ist 4711.", "fact", "türcod", "is"),
    ("Türcode: 4711", "fact", "türcod", "is"),
    ("Ich fliege am 3. Mai nach Rom.", "fact", "i", ""),
    ("Ich mag keine Oliven.", "preference", "i", "like oliven"),
    ("Ich mag Oliven.", "preference", "i", "like oliven"),
    ("Ich trinke gern Kaffee mit Hafermilch.", "preference", "i", "like hafermilch kaffe"),
    ("Ich esse am liebsten Pizza.", "preference", "i", "like pizza"),
    ("Ich hasse Rosenkohl.", "preference", "i", "like rosenkohl"),
    ("Meine Lieblingsfarbe ist Blau.", "preference", "lieblingsfarb", "is"),
    ("Mir schmeckt Sushi nicht.", "preference", "i", "like sushi"),
    ("Max mag Jazz.", "preference", "max", "like jazz"),
    ("Ich kann Koriander nicht ausstehen.", "preference", "i", "like koriander"),
    ("Ich bin allergisch gegen Nüsse.", "constraint", "i", ""),
    ("Ich bin gegen Penicillin allergisch.", "constraint", "i", ""),
    ("Meine Tochter hat eine Erdnussallergie.", "constraint", "daughter", ""),
    ("Ich bin Vegetarierin.", "constraint", "i", ""),
    ("Ich esse kein Fleisch.", "constraint", "i", ""),
    ("Deploye nie freitags.", "constraint", "i", ""),
    ("Bitte antworte mir immer auf Deutsch.", "constraint", "i", ""),
    ("Die Abgabefrist ist der 15. März.", "fact", "abgabefrist", "is"),
    ("Wir haben beschlossen, im Juni umzuziehen.", "decision", "i", ""),
    ("Wir haben uns für Postgres entschieden.", "decision", "i", ""),
    ("Lass uns Postgres nehmen.", "decision", "i", ""),
    ("Ich muss meinen Pass verlängern.", "task", "i", ""),
    ("Vergiss nicht, Vera anzurufen.", "task", "i", ""),
    ("Morgen muss ich zum Zahnarzt.", "task", "i", ""),
    ("Der Drucker funktioniert nicht mehr.", "failure", "i", ""),
    ("Das nächtliche Backup ist fehlgeschlagen.", "failure", "i", ""),
    ("Stimmt nicht, meine Schwester wohnt in Rom.", "fact", "sister", "live"),
    ("Mein Opa lebt in einem Pflegeheim in Kassel.", "fact", "grandfather", "live"),
    ("Meine Eltern sind vor drei Jahren nach Spanien ausgewandert.", "fact", "parent", "live"),
    ("In Leipzig wohnt meine beste Freundin Jana.", "fact", "best friend jana", "live"),
    ("Bitte merke dir, dass ich in der Gartenstraße 12 wohne.", "fact", "i", "live"),
    ("Wir wohnen seit Januar im dritten Stock.", "fact", "i", "live"),
    ("Tom ist nach Berlin umgezogen.", "fact", "tom", "live"),
    ("ich wohne jetzt in dresden", "fact", "i", "live"),
    ("Mein Nachbar ist ausgezogen.", "fact", "neighbour", "live"),
    ("Ich arbeite seit März als Lehrerin an einer Grundschule.", "fact", "i", "work"),
    ("Meine Frau arbeitet bei der Post.", "fact", "wife", "work"),
    ("Seit Mai arbeite ich nicht mehr bei Bosch.", "fact", "i", "work"),
    ("Ich habe bei Bosch gekündigt.", "fact", "i", "work"),
    ("Mein Mann ist Elektriker.", "fact", "husband", ""),
    ("Mein Sohn hat am 24. Dezember Geburtstag.", "fact", "son", "birth am"),
    ("Unsere Tochter wurde 2018 geboren.", "fact", "daughter", "birth"),
    ("Der Geburtstag von Oma ist am 7. Oktober.", "fact", "birth grandmother von", ""),
    ("Ich bin 34.", "fact", "i", "age"),
    ("Lukas wird nächsten Monat 12 Jahre alt.", "fact", "luka", "age"),
    ("Mein Chef heißt Herr Krüger.", "fact", "chef", "name"),
    ("Unsere Katze heißt Mimi.", "fact", "cat", "name"),
    ("Nenn mich bitte Alex.", "fact", "i", "name"),
    ("Meine Cousine ist mit Paul verlobt.", "fact", "cousin", "marry"),
    ("Wir sind seit letztem Jahr geschieden.", "fact", "i", "marry"),
    ("Mein Sohn geht in die 3. Klasse.", "fact", "son", "study"),
    ("Ich studiere Jura in Göttingen.", "fact", "i", "study"),
    ("Meine Kundennummer ist 8834-21.", "fact", "kundennummer", "is"),
    ("Unser Hochzeitstag ist der 9. September.", "fact", "hochzeitstag", "is"),
    ("Meine Zimmernummer ist 214.", "fact", "zimmernummer", "is"),
    ("Mein Auto steht in der Tiefgarage auf Platz 47.", "fact", "car", "is in"),
    ("Die Ersatzschlüssel liegen bei Frau Schmidt.", "fact", "ersatzschlüssel", "is bei"),
    ("Das Meeting beginnt um 14 Uhr.", "fact", "meeting", "is"),
    ("Um 18 Uhr beginnt mein Yogakurs.", "fact", "yogakur", "is um"),
    ("Mein Reisepass läuft im August 2028 ab.", "fact", "reisepass", "is im"),
    ("Notier dir: Meine Schuhgröße ist 43.", "fact", "schuhgröss", "is"),
    ("Mein Bruder fährt einen alten Volvo.", "fact", "brother", ""),
    ("Ich mag am liebsten dunkle Schokolade.", "preference", "i", "like dunkl schokolad"),
    ("Ich trinke lieber Tee als Kaffee.", "preference", "i", "like kaffe tee"),
    ("Ich liebe Krimis.", "preference", "i", "like krimis"),
    ("Merk dir bitte, dass ich keine Pilze mag.", "preference", "i", "like pilz"),
    ("Ich sitze am liebsten am Fenster.", "preference", "i", "like fenster"),
    ("Meine Frau mag keinen Fisch.", "preference", "wife", "like fisch"),
    ("Mein Lieblingsfilm ist Das Boot.", "preference", "lieblingsfilm", "is"),
    ("Klassische Musik gefällt mir sehr.", "preference", "i", "like klassisch musik"),
    ("Ich bin ein großer Fan von Dortmund.", "preference", "i", "like dortmund"),
    ("Ich vertrage keine Milch.", "constraint", "i", ""),
    ("Ich habe eine Laktoseintoleranz.", "constraint", "i", ""),
    ("Mein Sohn ist gegen Katzenhaare allergisch.", "constraint", "son", ""),
    ("Ich ernähre mich vegan.", "constraint", "i", ""),
    ("Ich trinke keinen Alkohol.", "constraint", "i", ""),
    ("Lösche niemals die Produktionsdatenbank.", "constraint", "i", ""),
    ("Verwende bitte keine Emojis.", "constraint", "i", ""),
    ("Niemand darf am Freitag deployen.", "constraint", "niemand", ""),
    ("Unser Budget beträgt 5000 Euro.", "fact", "budget", "is"),
    ("Wir haben uns auf Dienstag geeinigt.", "decision", "i", ""),
    ("Ab jetzt verwenden wir Python 3.12.", "decision", "i", ""),
    ("Ich habe mich entschieden, den Job anzunehmen.", "decision", "i", ""),
    ("Ich muss noch die Miete überweisen.", "task", "i", ""),
    ("Wir müssen bis Freitag die Steuererklärung abgeben.", "task", "i", ""),
    ("Denk dran, die Blumen zu gießen.", "task", "i", ""),
    ("Milch kaufen nicht vergessen!", "task", "i", ""),
    ("Seit dem Update stürzt die App dauernd ab.", "failure", "i", ""),
    ("Meine Waschmaschine ist kaputt.", "failure", "i", ""),
    ("Ab August wohnt mein Sohn in einer WG in Freiburg.", "fact", "son", "live"),
    ("Mein Onkel Jürgen, der früher in Kiel gewohnt hat, lebt jetzt in Kanada.", "fact", "jürg uncle", "live"),
    ("Nein, das stimmt nicht mehr: Vera wohnt jetzt in Madrid.", "fact", "vera", "live"),
    ("Meine Schwester wohnt nicht mehr in Porto, sie ist nach Lissabon gezogen.", "fact", "sister", "live"),
    ("Vera ist nach Lissabon gezogen.", "fact", "vera", "live"),
    ("Vergiss nicht, dass ich keine Nüsse vertrage.", "constraint", "i", ""),
    ("Du musst wissen: Ich habe panische Angst vor Spinnen.", "fact", "i", ""),
    ("Kannst du dir merken, dass ich am Gang sitzen möchte?", "fact", "i", ""),
    ("Wie gesagt, ich arbeite bei der Stadtverwaltung.", "fact", "i", "work"),
    ("Ach ja, mein Termin beim Zahnarzt ist am 12. Juni um 10:30 Uhr.", "fact", "beim meeting zahnarzt", "is am"),
    ("Mein Rückflug ist nicht am Montag, sondern am Mittwoch.", "fact", "rückflug", "is"),
    ("Das WLAN heißt BlauesHaus.", "fact", "wlan", "name"),
    ("Die Müllabfuhr kommt jeden zweiten Dienstag.", "fact", "müllabfuhr", "is"),
    ("Der Hausmeister heißt Herr Yilmaz.", "fact", "hausmeister", "name"),
    ("Ich schulde Peter 40 Euro.", "fact", "i", ""),
    ("Ich wiege 72 Kilo.", "fact", "i", ""),
    ("Ich habe 2019 mit dem Rauchen aufgehört.", "fact", "i", ""),
    ("Oliven mag ich nicht.", "preference", "i", "like oliven"),
    ("Meine Kinder essen am liebsten Nudeln.", "preference", "child", "like nudeln"),
    ("Tu nie Zucker in meinen Tee.", "constraint", "i", ""),
)
"""Sentence, kind, subject, and what of the subject only the latest word on holds ("" when several hold)."""
TOLD = (
    "Wir haben zwei Kinder.",
    "Ich komme aus Graz.",
    "Am Dienstag habe ich einen Zahnarzttermin.",
    "Gestern haben wir unser Auto verkauft.",
    "Meine Tochter spielt Klavier.",
    "Ich habe gestern Abend meinen Schlüssel verloren.",
)
NOTHING = (
    "Wo wohnt meine Schwester?",
    "wo wohnt meine schwester",
    "Weißt du noch, wie mein Hund heißt?",
    "Hallo zusammen!",
    "Danke, alles klar",
    "Wenn ich in Porto wohnen würde, würde ich surfen.",
    "Stell dir vor, meine Schwester wohnt auf dem Mond.",
    "Ich hätte gern einen Hund.",
    "Schreib mir ein Gedicht über meinen Hund",
    "Mein WLAN-Passwort ist hunter2",
    "Ich weiß nicht, wo mein Pass ist.",
    "Erinnere mich daran, Mama anzurufen.",
    "Was für ein schöner Tag!",
    "Das klingt gut.",
    "Wann hat meine Mutter Geburtstag",
    "Wohnt Vera noch in Porto?",
    "Weiß jemand, wo mein Schlüssel liegt?",
    "Kannst du mir sagen, wo ich wohne",
    "Ich frage mich, ob Tom noch in Berlin lebt.",
    "Guten Morgen! Wie geht's dir?",
    "Super, vielen Dank dir!",
    "Falls ich umziehe, sage ich dir Bescheid.",
    "Wäre ich reich, würde ich in Paris wohnen.",
    "Mein Passwort lautet Sommer2024!",
    "Übersetze bitte meinen Brief ins Englische.",
    "Erzähl mir einen Witz über meine Katze",
    "Sie schrieb: „Mein Bruder wohnt in Rom“",
    "Das ist ja toll!",
    "Keine Ahnung, wo mein Handy ist.",
    "Ich verstehe nicht, was du meinst.",
    "Was machst du gerade?",
    "Ich finde das sehr interessant.",
    "Ich mag es, wenn es regnet.",
    "Ich hab dich lieb!",
    "Ich habe eine Frage zu meinem Vertrag.",
    "Ich habe gerade keine Zeit.",
    "Kannst du das bitte wiederholen?",
    "Wer ist eigentlich mein Hausarzt",
    "Ist Vera nach Lissabon gezogen",
    "Hast du verstanden, wo ich wohne?",
    "Nehmen wir mal an, ich wohne in Rom.",
    "Ich würde gern mal nach Japan reisen.",
    "Hätte ich bloß einen Hund.",
    "Ich freue mich sehr.",
    "Das war ein anstrengender Tag.",
    "Du hast recht.",
    "Schönen Abend noch!",
    "Na gut, dann bis morgen!",
    "Suche mir einen Flug nach Rom am 3. Mai.",
    "Stell mir bitte einen Wecker auf 7 Uhr.",
    "Ich bin müde.",
    "Es regnet schon den ganzen Tag.",
)


@each_row(("text", "kind", "subject", "relation"), LEARNT)
def test_a_german_statement_is_learnt(text: str, kind: str, subject: str, relation: str) -> None:
    """In any order of its words, also in a subordinate clause."""
    (fact,) = find_facts(text)

    assert fact.rule.type is ItemType[kind.upper()]
    assert fact.subject == subject
    assert fact.key == (f"{subject}|{relation}" if relation else "")


async def test_what_has_no_form_of_its_own_is_learnt_by_its_meaning(model: E5Embedder) -> None:
    """Also where neither who nor what is to be keyed."""
    reader = KindReader(model.read_sentences, model.model)
    for text in TOLD:
        await reader.read((text,))

    assert [text for text in TOLD if [fact.key for fact in find_facts(text)] != [""]] == []


@each_row("text", NOTHING)
def test_what_states_nothing_in_german_teaches_nothing(text: str) -> None:
    """Questions, requests, suppositions, small talk, feelings, quotations and secrets."""
    assert find_facts(text) == ()


@each_row(
    ("first", "second"),
    [
        ("Meine Schwester Vera wohnt in Porto.", "Meine Schwester Vera ist nach Lissabon gezogen."),
        ("Meine Schwester Vera wohnt in Porto.", "Merk dir, dass meine Schwester Vera in Lissabon wohnt."),
        ("Vera wohnt in Porto.", "Übrigens, Vera ist nach Lissabon gezogen."),
        ("Ich wohne in Bonn", "Seit Mai wohne ich in Köln."),
        ("Ich arbeite bei Siemens.", "Ich arbeite nicht mehr bei Siemens."),
        ("Mein Buchungscode ist 567-G0.", "Mein Buchungscode lautet jetzt 999-X1."),
        ("Ich mag Oliven.", "Ich mag keine Oliven."),
        ("Ich liebe Pilze", "Pilze mag ich nicht."),
        ("Mein Flug geht am Freitag", "Mein Flug ist am Samstag"),
        ("Die Abgabefrist ist der 15. März.", "Die Abgabefrist ist der 20. März."),
        ("Ich heiße Anna.", "Mein Name ist Anne."),
    ],
)
def test_a_german_contradiction_has_the_same_key(first: str, second: str) -> None:
    """The later sentence takes the place of the first."""
    old, new = find_facts(first)[0], find_facts(second)[0]

    assert old.key == new.key != ""


@each_row(
    ("first", "second"),
    [
        ("Meine Schwester Vera wohnt in Porto", "Mein Bruder Max wohnt in Rom"),
        ("Mein Flug geht am Freitag", "Mein Flug geht um 9:40 Uhr"),
        ("Ich trinke gern Tee", "Ich trinke gern Kaffee"),
        ("Meine Lieblingsfarbe ist Blau.", "Mein Lieblingsfilm ist Das Boot."),
        ("Mein Buchungscode ist 567-G0.", "Mein Türcode ist 1234"),
        ("Meine Schwester ist Ärztin", "Meine Schwester ist Vegetarierin"),
    ],
)
def test_german_facts_that_both_hold_stand_side_by_side(first: str, second: str) -> None:
    """Different keys, or none: nothing is superseded by mistake."""
    old, new = find_facts(first)[0], find_facts(second)[0]

    assert not old.key or old.key != new.key


def test_a_german_pronoun_takes_the_subject_before_it() -> None:
    """What follows with "sie" is quoted together with the sentence that names her."""
    first, second = find_facts("Meine Schwester Vera ist Ärztin. Sie wohnt in Porto.")

    assert second.sentence == "Meine Schwester Vera ist Ärztin. Sie wohnt in Porto."
    assert (first.subject, second.key) == ("sister vera", "sister vera|live")
