"""Secrets in German."""

from typing import Final

from language.secrets import SecretPatterns
from language.words import word_set

SECRETS: Final = SecretPatterns(
    keys=(
        r"(?:passwort|paßwort|passwörter|kennwort|zugangscode|losungswort|codewort|geheimwort|netzwerkschlüssel)"
        r"(?![^\W_-])|(?<![^\W_])(?:wlan|wi-?fi|wpa[23]?|wep|router|netzwerk)[- ]?schlüssel(?![^\W_-])|"
        r"(?<![^\W_])(?:wlan|wi-?fi)\b[^\n.!?]{0,60}?(?<![^\W_])schlüssel(?![^\W_-])"
    ),
    ambiguous="passwörter|zugang",
    participles=(
        r"(?:ab|an|auf|aus|be|ein|ver|zu)?ge[a-zäöüß]{3,}(?:t|en)|(?:ver|be|ent|zer)[a-zäöüß]{3,}t|[a-zäöüß]{3,}iert"
    ),
    vowels="aeiou",
    heads=("passwort", "kennwort"),
    refers=r"(?:das|es|dies|welches)\s+(?:ist|lautet|heißt|wäre)|nämlich",
    remembers="merk\\w*|notier\\w*|speicher\\w*|schreib",
    phrase_keys="pass-?phrase|pass(?:wort)?satz|merksatz|master-?(?:passwort|kennwort|schlüssel)",
    phrase_names="satz|wörtern?|worte|spruch|vers|zeile|liedzeile",
    namely="nämlich|und zwar|also|das heißt",
    tells="lautet|lautete|heißt|heisst|folgende[sr]?|wurde auf",
    begins=word_set("nie immer heute morgen gestern richtig falsch stark schwach sicher alt neu gut schlecht noch"),
    chooses=(
        r"(?:hab\w{0,2}|nehm\w{1,2}|nahm|nutz\w{1,2}|benutz\w{1,2}|verwende\w?|wählte|setzte)"
        r"(?:\s+(?:ich|wir|er|sie))?(?:\s+(?:jetzt|mal|einfach|nun))?|dient"
    ),
    chosen=(
        r"(?:genommen|geändert|umgestellt|gewählt|gesetzt|benutzt|verwendet|eingestellt|ausgesucht|genutzt|festgelegt)"
    ),
    logins=(
        r"(?:zugangs|anmelde|login|log-in-)daten|login|zugang|benutzer(?:name)? ?(?:/|und|&|\+) ?(?:passwort|kennwort)"
    ),
    conjoins="und|mit",
    unchanged=(
        r"(?:ist |lautet |bleibt |heißt )?(?:immer noch|nach wie vor|noch immer|weiterhin|unverändert|wie (?:gehabt|"
        r"immer|früher|bisher|zuvor)|dasselbe wie (?:immer|früher)|das (?:gleiche|alte) wie (?:immer|früher))"
    ),
    fillers="lol|übrigens|glaube ich|danke|bitte|haha",
    verbal=(
        r"[a-zäöüß]{2,}(?:ung|heit|keit|tion|en|ern|bar|lich|iert)|falls|verlust|wechsel|abfrage|eingabe|hilfe|"
        r"klappt|passt|stimmt|geht|ahnung"
    ),
    pin_keys="pin(?:[- ]?(?:nummer|kode))?|geheim(?:zahl|nummer|code|kode)",
    whose=(
        "meiner|meines|unserer|unseres|der|des|karte|handys|telefons|bankkarte|kreditkarte|ec-karte|girokarte|sim-karte"
    ),
    belongs_to="für|fürs|fuer|zum|zur|vom|von|bei|beim|im|am|der|des",
    being="ist|sind",
    verbs="wurde auf|ist|war|lautet|lautete|wird|heißt|heisst|wäre",
    adverbs=(
        "jetzt|nun|einfach|seit \\w{3,12}|ab (?:sofort|heute|jetzt)|wie immer|übrigens|eigentlich|folgendes|"
        "immer noch|noch"
    ),
    uses=r"benutzer(?:name)?|nimm|logg\w*|meld\w*|gib|gebe\w*|tipp\w*",
    changes="habe|wurde|ändere",
    changed_from="von|vom",
    changed_to="auf|als",
    is_the="ist|lautet|das ist|so lautet",
    possessives="mein|unser|das|dein",
    goes_on="für",
    goes_on_used="und|im|am",
    seed_before="seed|wallet|wiederherstellungs",
    seed_phrase="wörter|phrase|satz",
    uses_as=r"(?:nimm|nehmen|nehme|verwende\w{0,2}|benutze\w{0,2}|setze)(?:\s+bitte)?",
    as_what="als|für",
    next_clause="für|und|aber|bitte|geändert|gesetzt|übrigens|ein|an|dann",
    example_names="passwort|kennwort",
    such_as=r"z\.b\.?",
    hints=(
        *("geheim", "zugang", "anmelde", "kennwort", "zugangscode", "losungswort", "codewort", "geheimwort"),
        *("schlüssel", "merksatz"),
    ),
    key_words="schlüssel|geheim|lizenz|wiederherstellungs-?code|aktivierungs-?code|freischalt-?code",
    about=word_set(
        """
        ein eine einen der die das den dem des mein meine dein ihr sein unser euer nicht kein keine zu sehr noch schon
        immer nie auch nur und oder aber dass wenn ob wo wie wer im am auf aus bei mit nach von vom für zum zur über
        unter falsch richtig korrekt ungültig gültig schwach stark stärker sicher unsicher geheim gleich anders
        erforderlich nötig notwendig pflicht leer lang länger kurz kürzer gut besser schlecht einfach schwer kompliziert
        alt neu gespeichert hinterlegt versteckt bekannt unbekannt abgelaufen vergessen verloren weg geändert
        zurückgesetzt gesetzt verschlüsselt wichtig ist war hat haben muss müssen soll sollte kann wird werden bitte
        nochmal heute morgen gestern ändern zurücksetzen wurde worden geknackt unverändert innen hinter neben zwischen
        nirgends nirgendwo irgendwo geht passt stimmt klappt
        """
    ),
)
