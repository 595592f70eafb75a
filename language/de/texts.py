"""The bot's own texts in German."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from language.de.answer_phrases import ANSWER_PHRASES, DAY, MONTHS, WEEKDAYS
from language.de.call_texts import CALLS
from language.de.chat_texts import CHAT
from language.de.costs_texts import COSTS
from language.de.document_texts import DOCUMENTS
from language.de.file_texts import FILES
from language.de.media_texts import MEDIA
from language.de.memory_view_texts import MEMORY_VIEWS
from language.de.page_texts import PAGE_TEXTS
from language.de.porting_texts import EXPORTING, IMPORTING
from language.de.reminder_texts import REMINDER_TEXTS
from language.de.session_texts import SESSIONS
from language.de.settings_texts import SETTINGS
from language.de.users_texts import USERS
from language.de.web_texts import WEB
from language.texts import (
    BasicTexts,
    Dates,
    DoubtTexts,
    ForgetTexts,
    LoopTexts,
    MemoryTexts,
    NoticeTexts,
    OperatorTexts,
    RememberTexts,
    ServiceTexts,
    SkillTexts,
    StatusTexts,
    Texts,
    UserTexts,
    WhyTexts,
)

TEXTS: Final = Texts(
    dates=Dates(
        months=MONTHS,
        weekdays=WEEKDAYS,
        day=DAY,
        weekday="{weekday}, {day}",
        moment="{day}, {time} Uhr",
    ),
    service=ServiceTexts(
        stranger=(
            "Dieser Assistent ist privat. Bitte den Besitzer um einen Kopplungscode und schick ihn mir so: /pair CODE\n"
            "Deine ID ist {id}."
        ),
        wrong_code="Dieser Code gilt nicht (mehr). Bitte den Besitzer um einen neuen.",
        group_not_listed="Diese Gruppe steht nicht auf meiner Liste. Ihre ID für die Konfiguration: {id}",
        group_joined=(
            "Hallo! In dieser Gruppe arbeite ich noch nicht. Um mich zuzulassen, trage {id} in der Konfiguration unter "
            "telegram.allowedChats ein."
        ),
        group_served=(
            "Hallo! Ich antworte hier, wenn ihr mich erwähnt, auf meine Nachrichten antwortet oder einen Befehl "
            "schickt: /help"
        ),
        anonymous_admin=(
            "Du schreibst im Namen der Gruppe, deshalb weiß ich nicht, wer du bist. Schreib unter deinem eigenen "
            "Namen, oder trage {id} unter telegram.allowedUsers ein, um anonyme Admins zuzulassen."
        ),
        button_refused="Diese Schaltfläche ist nicht für dich.",
        button_not_yours="Hier darf nur drücken, wer gefragt hat.",
        button_expired="Diese Schaltfläche ist abgelaufen.",
        button_changed="Seit meiner Frage hat sich mein Gedächtnis geändert. Frag mich noch einmal.",
        button_not_now="Ich komme gerade nicht an mein Gedächtnis. Versuch es später noch einmal.",
    ),
    notice=NoticeTexts(
        failed="Tut mir leid, bei mir ist etwas schiefgegangen, deshalb fehlt die Antwort. Versuch es noch einmal.",
        poisoned=(
            "Tut mir leid, an dieser Nachricht bin ich mehrmals gescheitert und habe sie beiseitegelegt. Der Betreiber "
            "kann sie sich ansehen."
        ),
        unsupported="{what} kann ich nicht lesen und habe nichts davon behalten. Schreib mir, was wichtig ist.",
        unread="{what} kann ich nicht lesen: Ich habe deine Worte gesehen, aber nicht, was dabei war.",
        edited="Die Änderung habe ich übernommen.",
        attachments=MappingProxyType(
            {
                "photo": "Fotos",
                "document": "Dokumente",
                "voice": "Sprachnachrichten",
                "audio": "Audiodateien",
                "video": "Videos",
                "video_note": "Videonachrichten",
                "animation": "Animationen",
                "sticker": "Sticker",
                "contact": "Kontakte",
                "location": "Standorte",
                "poll": "Umfragen",
            }
        ),
        attachment_other="Nachrichten dieser Art",
        memory_paused=(
            "Hinweis: Ich kann gerade nichts in mein Gedächtnis schreiben und vergesse dieses Gespräch, bis das "
            "behoben ist. Antworten kann ich trotzdem."
        ),
        memory_refused=(
            "Hinweis: Der Server des Langzeitgedächtnisses gehört einem anderen Chat, deshalb kommt dieser Chat "
            "vorerst nicht hinein. Was wir hier sagen, merke ich mir trotzdem."
        ),
        command_failed=(
            "Tut mir leid, das hat nicht geklappt: Ich komme gerade nicht an mein Gedächtnis. Versuch es später noch "
            "einmal."
        ),
        not_borne_out="(Vorsicht: Das geht aus meinen Erinnerungen nicht hervor.)",
    ),
    answers=ANSWER_PHRASES,
    documents=DOCUMENTS,
    files=FILES,
    page=PAGE_TEXTS,
    chat=CHAT,
    loop=LoopTexts(
        stopped="(abgebrochen)",
        out_of_time="Hier habe ich aufgehört: Das hat länger als {seconds} Sekunden gedauert (llm.wallSeconds).",
        out_of_calls=(
            "Hier habe ich aufgehört: Das brauchte mehr Schritte, als ich für eine Nachricht machen darf "
            "(llm.maxCalls)."
        ),
        failed="Ich konnte das Sprachmodell nicht fragen: {reason}",
        broke_off="Hier brach die Antwort ab: {reason}",
        empty="Das Sprachmodell hat nicht geantwortet. Formuliere es anders oder frag noch einmal.",
        cut_short="Die Antwort wurde an der Längengrenze abgeschnitten (llm.maxTokens). Schreib „weiter“ für den Rest.",
        ask=(
            "Ich habe hier fremden Text gelesen, deshalb merke ich mir nichts ohne dein Wort. Soll ich mir genau das "
            "merken? {text}"
        ),
        agree="Merken",
        ask_forget="Ohne dein Wort vergesse ich nichts. Soll ich genau das vergessen? {text}",
        agree_forget="Vergessen",
    ),
    basic=BasicTexts(
        start=(
            "Hallo{name}! Ich bin Mneme, ein Assistent mit Gedächtnis.\n\n"
            "Erzähl mir, was dir einfällt, und frag mich Tage oder Monate später danach. Alles bleibt im eigenen "
            "Gedächtnis dieses Chats; ich zeige dir, woher ich etwas weiß (/why), und vergesse, was du vergessen haben "
            "willst (/forget).\n\n"
            "Alle Befehle: /help"
        ),
        start_without_model=(
            "Es ist kein Sprachmodell eingerichtet, deshalb antworte ich mit dem, was du mir erzählt hast. Um eines "
            "einzurichten, setze llm.url und llm.model in preferences/runtime-config.json (und LLM_API_KEY, falls es "
            "einen Schlüssel braucht)."
        ),
        help_head="Was ich kann:",
        help_tail="Alles andere, was du schreibst, ist ein Gespräch, und ich merke es mir.",
        commands=MappingProxyType(
            {
                "start": "wer ich bin",
                "help": "diese Liste",
                "new": "ein neues Gespräch beginnen; Erinnerungen bleiben",
                "stop": "die Antwort abbrechen, die gerade entsteht",
                "status": "Zustand, was ich weiß, was noch wartet",
                "memory": "Erinnerungen ansehen, suchen, ändern, anheften",
                "remember": "genau diesen Text merken",
                "forget": "eines, Gefundenes oder alles vergessen",
                "undo": "gerade Vergessenes oder Geändertes zurückholen",
                "why": "worauf die letzte Antwort beruht",
                "docs": "Dokumente, die ich gelesen habe",
                "ask": "ein Dokument fragen: /ask NAME Frage",
                "skill": "eine Fähigkeit ein- oder ausschalten",
                "settings": "Sprache, Gedächtnis, Ruhezeiten und mehr für diesen Chat",
                "sessions": "Gespräche in diesem Chat, und der Weg zurück in eines",
                "compact": "den älteren Teil dieses Gesprächs zusammenfassen",
                "page": "dein Gedächtnis auf einer Seite im Browser",
                "export": "alles aus diesem Chat als Datei mitnehmen",
                "import": "Unterhaltungen aus einer Datei übernehmen",
                "usage": "Token und Kosten dieses Chats",
                "remind": "Erinnerung anlegen: /remind morgen um 9 Vera anrufen",
                "reminders": "Erinnerungen zeigen, verlegen, absagen",
            }
        ),
        unknown_command="Den Befehl /{name} kenne ich nicht.",
        did_you_mean="Meinst du /{name}?",
        edited_command="Einen bearbeiteten Befehl führe ich nicht aus. Schick ihn bitte als neue Nachricht.",
        new_session="Ein neuer Anfang. Dieses Gespräch ist abgeschlossen, und was ich weiß, behalte ich.",
        stopped="Abgebrochen.",
        nothing_to_stop="Es gibt nichts abzubrechen: Ich schreibe gerade nichts.",
        waiting="Nachrichten, die noch auf eine Antwort warten: {count}",
        drop_waiting="Nicht mehr beantworten",
        dropped="Nachrichten, die ohne Antwort bleiben: {count}",
    ),
    doubt=DoubtTexts(
        one="Meine letzte Antwort ist vielleicht nicht angekommen.",
        many="Antworten, die vielleicht nicht angekommen sind: {count}",
        show="Noch einmal zeigen",
        nothing=("Es gibt nichts noch einmal zu zeigen: Meine Antworten sind angekommen oder nicht mehr gespeichert."),
    ),
    users=USERS,
    status=StatusTexts(
        head="Zustand",
        model="Sprachmodell: {model}",
        no_model="Kein Sprachmodell eingerichtet: Antworten kommen nur aus dem Gedächtnis.",
        window="Fenster {tokens} Token, {source}",
        window_sources=MappingProxyType(
            {"settings": "eingestellt", "server": "laut Server", "assumed": "angenommen, der Server sagt es nicht"}
        ),
        tokens_today="Token dieses Chats heute: {prompt} gelesen{cached}, {completion} geschrieben; "
        "davon {background} im Hintergrund ({share} %)",
        tokens_in_all="Token dieses Chats insgesamt: {prompt} gelesen{cached}, {completion} geschrieben; "
        "davon {background} im Hintergrund ({share} %)",
        tokens_cached=" (davon {share} % aus dem Cache des Servers)",
        memory="Erinnerungen dieses Chats: {total}",
        memory_off="Das Gedächtnis ist ausgeschaltet (memory.enabled).",
        parts=MappingProxyType(
            {
                "config": "Einstellungen",
                "store": "Speicher",
                "lightrag": "Langzeitgedächtnis (LightRAG)",
                "llm": "Sprachmodell",
                "telegram": "Telegram",
                "memory": "Erinnerungen",
                "tokens": "Token",
                "outbox": "Warteschlange des Langzeitgedächtnisses",
                "deliveries": "Zustellungen",
                "imports": "Importe",
                "backups": "Sicherungen",
            }
        ),
        reasons=MappingProxyType(
            {
                "switched off (rag.enabled)": "ausgeschaltet (rag.enabled)",
                "none configured (llm.url); answers come from memory alone": "keines eingerichtet (llm.url)",
                "no token (TELEGRAM_TOKEN); the terminal chat is used": "kein Token (TELEGRAM_TOKEN)",
                "the embedded memory server is starting": "wird gerade gestartet",
            }
        ),
        waiting="Wartet auf das Langzeitgedächtnis: {count}",
        dead=(
            "Vom Langzeitgedächtnis aufgegeben: {count}; `mneme dead-letters --revive` versucht es noch einmal damit"
        ),
        nothing_waiting="Das Langzeitgedächtnis ist auf dem neuesten Stand.",
        unknown_deliveries="Antworten, die vielleicht nicht angekommen sind: {count} (/again zeigt sie)",
        refused_deliveries="Antworten, die nicht zugestellt werden konnten: {count}",
        refused_import="Der letzte Import, {name}, wurde nicht ausgeführt: {reason}",
        backups="Sicherungen: {count}, die neueste vom {at}, zusammen {size} MB",
        no_backups="Sicherungen: noch keine; jeden Tag wird eine angelegt.",
        states=MappingProxyType({"ok": "in Ordnung", "degraded": "eingeschränkt", "down": "ausgefallen"}),
    ),
    memory=MemoryTexts(
        head="Erinnerungen dieses Chats: {total}",
        found="Erinnerungen mit „{search}“: {total}",
        empty=(
            "Hier habe ich noch keine Erinnerungen. Erzähl mir etwas oder nimm /remember. Ganze Gespräche werden neben "
            "diesen Notizen aufbewahrt und ebenfalls durchsucht."
        ),
        none_found="Keine Erinnerung passt zu „{search}“. Gespräche durchsuche ich, wenn du mich einfach fragst.",
        none_pinned="Nichts ist angeheftet. /memory pin NUMMER hält eine Erinnerung immer präsent.",
        none_in_history="Noch wurde keine Erinnerung durch eine neuere ersetzt.",
        no_wishes=(
            "Keine dauerhaften Wünsche. Sagen Sie, wie Sie Antworten möchten: „Antworte immer in metrischen Einheiten.“"
        ),
        wishes="Dauerhafte Wünsche:",
        more_wishes="… und {count} weitere: /memory wishes",
        page="Seite {page} von {pages}",
        hint="Suchen, ändern, anheften und vergessen: /memory help",
        usage=(
            "- /memory – was da ist, mit Knöpfen\n"
            "- /memory open NUMMER – eine Erinnerung mit ihrer Geschichte\n"
            "- /memory show kinds · show people · show times – nach Art, Person, Zeit\n"
            "- /memory WÖRTER – suchen\n"
            "- /memory page 2 – weitere\n"
            "- /memory wishes · /memory pinned · /memory history\n"
            "- /memory edit NUMMER neuer Text · /memory edit NUMMER fragt danach\n"
            "- /memory pin NUMMER · /memory unpin NUMMER\n"
            "- /memory forget NUMMER"
        ),
        pinned_mark="angeheftet",
        superseded_mark="ersetzt durch {id}",
        edited="Erinnerung {id} lautet jetzt: {text}",
        corrected="Korrigiert: {text}\nVorher: {before}",
        what_holds="Was gilt statt {text}? Sag es mir, oder sieh dir an, was du mir erzählt hast.",
        look="Ansehen",
        pinned="Erinnerung {id} ist angeheftet: Ich habe sie immer im Kopf.",
        unpinned="Erinnerung {id} ist nicht mehr angeheftet.",
        not_yours=(
            "Das hat jemand anders gesagt: Ändern oder vergessen lassen können es Admins der "
            "Gruppe und mein Besitzer. Sag mir mit eigenen Worten, was jetzt gilt."
        ),
        missing="Eine Erinnerung {id} gibt es hier nicht.",
        sources=MappingProxyType(
            {
                "chat": "aus dem Gespräch",
                "remember": "du wolltest, dass ich es mir merke",
                "summary": "aus einer Zusammenfassung",
                "import": "importiert",
                "edit": "geändert",
            }
        ),
        assistant="Assistent",
        forwarded="{name}, weitergeleitet",
        you="du",
        another="jemand anderes",
        numbered="Person {id}",
        forwarded_by="{name}, weitergeleitet ({by})",
    ),
    memory_views=MEMORY_VIEWS,
    reminders=REMINDER_TEXTS,
    calls=CALLS,
    remember=RememberTexts(
        done="Gemerkt, als Nummer {id}: {text}",
        masked="Was nach einem Geheimnis aussieht ({kinds}), habe ich weggelassen: Das gehört nicht ins Gedächtnis.",
        kinds=MappingProxyType(
            {
                "API key": "API-Schlüssel",
                "bot token": "Bot-Token",
                "token": "Zugangstoken",
                "password": "Passwort",
                "card number": "Kartennummer",
                "IBAN": "IBAN",
                "PIN": "Geheimzahl",
                "seed phrase": "Seed-Phrase",
                "private key": "privater Schlüssel",
            }
        ),
        nothing_left=(
            "Das sieht nach nichts als einem Geheimnis aus ({kinds}), und Geheimnisse gehören nicht ins Gedächtnis. "
            "Ich habe nichts behalten."
        ),
        usage="Was soll ich mir merken? Schreib es hinter den Befehl: /remember Vera hat am 3. Mai Geburtstag",
        quoted="{author} schrieb: {text}",
        off="Das Gedächtnis ist ausgeschaltet (memory.enabled), deshalb kann ich mir gerade nichts merken.",
        too_long="Das ist zu lang für eine Erinnerung: {length} Zeichen, erlaubt sind {limit}. Erzähl es in Teilen.",
        too_late="Diese Frage ist nicht mehr offen. Soll ich mir etwas merken, schick /remember mit dem Text.",
    ),
    forget=ForgetTexts(
        usage=(
            "Was soll ich vergessen?\n\n"
            "- /forget WÖRTER – sucht und zeigt, was passt\n"
            "- /forget NUMMER – eine Erinnerung (siehe /memory)\n"
            "- /forget alles – alles, was ich in diesem Chat weiß"
        ),
        none_found="Ich finde nichts zu „{search}“, also gibt es nichts zu vergessen.",
        candidates="Das finde ich zu „{search}“. Was davon soll ich vergessen?",
        this_one="{number} vergessen",
        all_of_them="Alles davon",
        more="Es gibt noch mehr; grenze es mit weiteren Wörtern ein.",
        missing="{ref} gibt es im Gedächtnis dieses Chats nicht.",
        confirm_everything=(
            "Das löscht alles, was ich in diesem Chat weiß: jedes Gespräch, jede Erinnerung und auch das "
            "Langzeitgedächtnis. Es lässt sich nicht rückgängig machen. Wenn du sicher bist: /forget alles ja"
        ),
        confirm_button="Ja, alles vergessen",
        done="Vergessen.",
        not_yours=(
            "Alles, was diese Gruppe sich gemerkt hat, vergessen lassen nur ihre Admins und mein "
            "Besitzer. Was du selbst gesagt hast, kannst du vergessen lassen: `/forget WÖRTER`."
        ),
        spared=(
            "Von anderen gesagt und deshalb geblieben: {count}. Das können Admins der Gruppe und "
            "mein Besitzer vergessen lassen."
        ),
        done_everything="Alles aus diesem Chat ist vergessen. Seine Einstellungen bleiben (/settings).",
        files="Geschickte Dateien und Seiten: {count}",
        exchanges="Entfernte Gesprächsbeiträge: {count}",
        items="Entfernte Erinnerungen: {count}",
        answers="Geleerte spätere Antworten, die es wiederholten: {count}",
        documents="Dokumente des Langzeitgedächtnisses: {count}",
        pending=(
            "Das Langzeitgedächtnis soll seinen Teil entfernen und hat es noch nicht bestätigt; ich frage nach, bis es "
            "das tut."
        ),
        confirmed="Das Langzeitgedächtnis hat die Löschung bestätigt.",
        verified="Geprüft: Eine Suche danach findet nichts mehr.",
        residue="Geprüft: Es ist noch etwas übrig, ich bleibe daran: {count}",
        everything_words=("alles",),
        yes_words=("ja",),
        withheld="Das Langzeitgedächtnis zeigt seinen Teil schon nicht mehr und entfernt ihn nach dieser Zeit.",
        undoable="In {seconds} Sekunden ist es aus jeder Datei verschwunden. Bis dahin holt /undo es zurück.",
        undo_button="Rückgängig",
        undone="Es ist wieder da.",
        back_exchanges="Gesprächsbeiträge: {count}",
        back_items="Erinnerungen: {count}",
        back_files="Dateien und Seiten: {count}",
        back_answers="Geleerte Antworten und Zitate: {count}",
        back_reminders="Vorgemerkte Erinnerungen: {count}",
        nothing_to_undo="Es gibt nichts zurückzuholen: Was vergessen wurde, ist weg.",
    ),
    why=WhyTexts(
        nothing_answered="Ich habe hier noch nichts geantwortet, was ich erklären könnte.",
        question="Du hast gefragt: {text}",
        forwarded="Du hast von {name} weitergeleitet: {text}",
        no_memories="Diese Antwort beruht auf keinen Erinnerungen.",
        head="Erinnerungen, auf denen die Antwort beruht: {count}",
        more="Weitere: {count}",
        channels=MappingProxyType(
            {
                "item": "aus meinen Notizen",
                "store": "aus dem Speicher (wörtlich gesagt)",
                "digest": "in Kürze, aus dem Gesagten",
                "document": "aus dem Dokument",
                "lightrag chunk": "aus LightRAG (Text)",
                "lightrag entity": "aus LightRAG (was es über einen Namen weiß)",
                "lightrag relation": "aus LightRAG (wie zwei Dinge zusammenhängen)",
            }
        ),
        signals=MappingProxyType(
            {
                "words": "Wörter",
                "near words": "verwandte Wörter",
                "meaning": "Bedeutung",
                "speaker": "wer es gesagt hat",
                "date": "Datum",
                "certainty": "Sicherheit",
                "recent": "vor Kurzem",
                "importance": "Wichtigkeit",
                "long-term memory": "LightRAG stimmt zu",
                "rank": "Platz in LightRAG",
                "second look": "zweite Auswahl",
                "pinned": "angeheftet",
                "kind of message": "Art der Nachricht",
            }
        ),
        exchange="Wortwechsel {uid}",
        strength="Übereinstimmung {score}",
        notes="Anmerkungen zu dieser Antwort:",
    ),
    skill=SkillTexts(
        head="Fähigkeiten:",
        none="Es sind keine Fähigkeiten installiert. Lege eine unter preferences/skills/NAME/SKILL.md ab.",
        active="eingeschaltet",
        on="Die Fähigkeit {name} ist für dieses Gespräch eingeschaltet. /skill off beendet sie.",
        off="Zurzeit ist keine Fähigkeit eingeschaltet.",
        unknown="Eine Fähigkeit {name} gibt es nicht.",
    ),
    exporting=EXPORTING,
    importing=IMPORTING,
    user=UserTexts(
        model_failed="Ich erreiche mein Sprachmodell gerade nicht. Versuch es später noch einmal.",
        broke_off="Hier brach die Antwort ab. Frag bitte noch einmal nach dem Rest.",
        out_of_time="Hier habe ich aufgehört: Das hat zu lange gedauert.",
        out_of_calls="Hier habe ich aufgehört: Das brauchte mehr Schritte, als ich für eine Nachricht machen darf.",
        cut_short="Die Antwort wurde an der Längengrenze abgeschnitten. Schreib „weiter“ für den Rest.",
        no_model="(Ich antworte nur aus dem Gedächtnis: Ich kann wiederholen, was mir hier erzählt wurde, mehr nicht.)",
        start_without_model="Ich antworte mit dem, was du mir erzählt hast.",
        memory_off="Das Gedächtnis ist ausgeschaltet.",
        no_skills="Es sind keine Fähigkeiten installiert.",
    ),
    operator=OperatorTexts(
        needs_a_hand="Diese Mneme braucht Hilfe: {what}",
        solved="Behoben: {what}",
        dead_letters=(
            "Das Langzeitgedächtnis hat aufgegeben, was es nicht aufnehmen konnte: {count}. `mneme dead-letters` nennt "
            "die Gründe, `mneme dead-letters --revive` versucht es noch einmal"
        ),
    ),
    costs=COSTS,
    sessions=SESSIONS,
    settings=SETTINGS,
    web=WEB,
    media=MEDIA,
)
