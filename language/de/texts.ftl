### Was der Bot sagt, auf Deutsch. Erklärungen stehen in en/texts.ftl.

## dates

dates-months =
    Januar
    Februar
    März
    April
    Mai
    Juni
    Juli
    August
    September
    Oktober
    November
    Dezember
dates-weekdays =
    Montag
    Dienstag
    Mittwoch
    Donnerstag
    Freitag
    Samstag
    Sonntag
dates-day = { $day }. { $month } { $year }
dates-weekday = { $weekday }, { $day }
dates-moment = { $day }, { $time } Uhr

## service

service-stranger =
    Dieser Assistent ist privat. Bitte den Besitzer um einen Kopplungscode und schick ihn mir so: /pair CODE
    Deine ID ist { $id }.
service-wrong_code = Dieser Code gilt nicht (mehr). Bitte den Besitzer um einen neuen.
service-group_not_listed = Diese Gruppe steht nicht auf meiner Liste. Ihre ID für die Konfiguration: { $id }
service-group_joined = Hallo! In dieser Gruppe arbeite ich noch nicht. Um mich zuzulassen, trage { $id } in der Konfiguration unter telegram.allowedChats ein.
service-group_served = Hallo! Ich antworte hier, wenn ihr mich erwähnt, auf meine Nachrichten antwortet oder einen Befehl schickt: /help
service-anonymous_admin = Du schreibst im Namen der Gruppe, deshalb weiß ich nicht, wer du bist. Schreib unter deinem eigenen Namen, oder trage { $id } unter telegram.allowedUsers ein, um anonyme Admins zuzulassen.
service-button_refused = Diese Schaltfläche ist nicht für dich.
service-button_not_yours = Hier darf nur drücken, wer gefragt hat.
service-button_expired = Diese Schaltfläche ist abgelaufen.
service-button_changed = Seit meiner Frage hat sich mein Gedächtnis geändert. Frag mich noch einmal.
service-button_not_now = Ich komme gerade nicht an mein Gedächtnis. Versuch es später noch einmal.

## notice

notice-failed = Tut mir leid, bei mir ist etwas schiefgegangen, deshalb fehlt die Antwort. Versuch es noch einmal.
notice-poisoned = Tut mir leid, an dieser Nachricht bin ich mehrmals gescheitert und habe sie beiseitegelegt. Der Betreiber kann sie sich ansehen.
notice-unsupported = { $what } kann ich nicht lesen und habe nichts davon behalten. Schreib mir, was wichtig ist.
notice-unread = { $what } kann ich nicht lesen: Ich habe deine Worte gesehen, aber nicht, was dabei war.
notice-edited = Die Änderung habe ich übernommen.
notice-attachments =
    .photo = Fotos
    .document = Dokumente
    .voice = Sprachnachrichten
    .audio = Audiodateien
    .video = Videos
    .video_note = Videonachrichten
    .animation = Animationen
    .sticker = Sticker
    .contact = Kontakte
    .location = Standorte
    .poll = Umfragen
notice-attachment_other = Nachrichten dieser Art
notice-memory_paused = Hinweis: Ich kann gerade nichts in mein Gedächtnis schreiben und vergesse dieses Gespräch, bis das behoben ist. Antworten kann ich trotzdem.
notice-memory_refused = Hinweis: Der Server des Langzeitgedächtnisses gehört einem anderen Chat, deshalb kommt dieser Chat vorerst nicht hinein. Was wir hier sagen, merke ich mir trotzdem.
notice-command_failed = Tut mir leid, das hat nicht geklappt: Ich komme gerade nicht an mein Gedächtnis. Versuch es später noch einmal.
notice-not_borne_out = (Vorsicht: Das geht aus meinen Erinnerungen nicht hervor.)

## answers

answers-greeting = Hallo! Erzähl mir, was ich mir merken soll, oder frag mich nach dem, was du mir erzählt hast.
answers-thanks = Gern geschehen!
answers-farewell = Bis bald! Was du mir erzählt hast, behalte ich.
answers-wellbeing = Danke, mir geht es gut. Erzähl mir, wie es dir geht, dann merke ich es mir.
answers-introduction = Ich bin Mneme, ein Assistent mit Gedächtnis. Erzähl mir, was dir einfällt, und frag mich Tage oder Monate später danach. Ich erinnere dich, sage Uhrzeit und Datum und rechne. Alle Befehle: /help
answers-other_smalltalk = Alles klar.
answers-noted = Ich merke mir: { $text }
answers-wish_noted = Als dauerhaften Wunsch notiert, für Antworten, die ein Sprachmodell schreibt: { $text }
answers-heard = Ich behalte das, wie du es geschrieben hast, und finde es wieder, wenn du fragst.
answers-secret_left_out = Das Geheimnis habe ich weggelassen: Passwörter und Schlüssel gehören nicht ins Gedächtnis.
answers-told = { $text } (Das hast du mir { $date } gesagt.)
answers-told_undated = { $text }
answers-told_quoted = Du hast mir { $date } gesagt: „{ $text }“
answers-told_quoted_undated = Du hast mir gesagt: „{ $text }“
answers-told_these = Das hast du mir { $date } gesagt:
answers-told_these_undated = Das hast du mir gesagt:
answers-listed = { $text } ({ $date })
answers-told_nothing = Nichts: Da hast du mir nichts erzählt.
answers-told_more = … und davor noch { $count }.
answers-nothing_then = Ich weiß von nichts { $day }.
answers-coming = Was ansteht:
answers-reminds = { $time } Uhr, Erinnerung: { $text }
answers-more_about = … und noch { $count }: /memory { $words }
answers-quoted = „{ $text }“
answers-said = { $name } hat { $date } gesagt: „{ $text }“
answers-said_undated = { $name } hat gesagt: „{ $text }“
answers-forwarded = Weitergeleitet von { $name } { $date }: „{ $text }“
answers-forwarded_undated = Weitergeleitet von { $name }: „{ $text }“
answers-forward_noted = Das merke ich mir als weitergeleitet von { $name }, nicht als deine eigenen Worte.
answers-shown = Mir gezeigt { $date }: „{ $text }“
answers-shown_undated = Mir gezeigt: „{ $text }“
answers-shown_noted = Das merke ich mir als etwas, das mir gezeigt wurde, nicht als deine eigenen Worte.
answers-answered = Ich habe { $date } geantwortet: „{ $text }“
answers-answered_undated = Ich habe geantwortet: „{ $text }“
answers-imported_answer = Ein anderer Assistent hat { $date } geantwortet, in dem, was du importiert hast: „{ $text }“
answers-found = Im Langzeitgedächtnis finde ich: „{ $text }“
answers-document = „{ $text }“ — { $place }
answers-document_page = S. { $page }
answers-earlier = Davor, { $date }: { $text }
answers-earlier_undated = Davor: { $text }
answers-rest = Damit sind noch { $amount } offen.
answers-sum = Zusammen: { $amount }.
answers-age = Alter heute: { $years }.
answers-age_then = Alter im Jahr { $year }: { $years }.
answers-perhaps = Sicher weiß ich es nicht. Vielleicht hilft dir das: { $line }
answers-unknown = Das weiß ich nicht: Nichts, was mir hier erzählt wurde, beantwortet das.
answers-unread = Das weiß ich noch nicht: Ich konnte nicht rechtzeitig alles durchsehen. Frag mich bitte noch einmal.
answers-not_answered = Weitere Fragen: { $count }. Schick sie bitte in einer eigenen Nachricht.
answers-how_to_forget = Noch ist nichts vergessen. Schreib /forget und ein Wort daraus: Ich zeige dir, was ich finde, und lösche es.
answers-needs_model = Ich kann nur wiederholen, was mir erzählt wurde; dafür braucht es ein Sprachmodell.
answers-in_order = Der zeitlichen Reihenfolge nach:
answers-gathered = Was ich dazu finde, nach Tagen:
answers-decided = Was entschieden wurde:
answers-no_model = (Es ist kein Sprachmodell eingerichtet, deshalb antworte ich nur aus dem Gedächtnis. So kommt eines dazu: llm.url und llm.model in preferences/runtime-config.json oder LLM_URL, LLM_MODEL und LLM_API_KEY.)
    .user = (Ich antworte nur aus dem Gedächtnis: Ich kann wiederholen, was mir hier erzählt wurde, mehr nicht.)
answers-another = Jemand anderes
answers-another_source = jemand anderem
answers-numbered = Person { $id }
answers-today = heute
answers-yesterday = gestern
answers-on_weekdays =
    am Montag
    am Dienstag
    am Mittwoch
    am Donnerstag
    am Freitag
    am Samstag
    am Sonntag
answers-on_date = am { $date }
answers-weekday_date = { $weekday }, { $date }
answers-day = { $day }. { $month }
answers-date = { dates-day }
answers-months = { dates-months }

## documents

documents-reading = Ich lese { $name } …
documents-read = Ich habe { $name } gelesen ({ $about }).
documents-known = { $name } kenne ich schon ({ $about }); es kam nichts dazu.
documents-renewed = Es tritt an die Stelle des früheren mit diesem Namen (Fassung { $version }).
documents-cut = Es ist länger, als ich lesen darf: Der Rest fehlt.
documents-masked = Was nach einem Geheimnis aussah, habe ich weggelassen.
documents-how_to_ask = Frag mich danach oder antworte auf diese Nachricht. /docs zeigt, was ich gelesen habe.
documents-failed = { $name } konnte ich nicht lesen: { $reason }.
documents-export = { $name } ist ein Export von Gesprächen. Um die Nachrichten mitzubringen, sende die Datei noch einmal mit der Beschriftung /import (im Terminal: /import PFAD). Ich habe nichts davon behalten.
documents-links_off = Links öffne ich hier nicht (documents.links); die Adresse behalte ich, wie du sie geschrieben hast.
documents-memory_off = Solange das Gedächtnis aus ist, behalte ich nichts; { $name } habe ich deshalb nicht gelesen.
documents-unnamed = die Datei
documents-reasons =
    .other = damit stimmt etwas nicht
    .encrypted = sie ist mit einem Passwort geschützt
    .too_large = sie ist zu groß (documents.maxMegabytes)
    .empty = sie ist leer
    .no_text = es ist kein Text darin, nur Bilder
    .damaged = sie ist beschädigt
    .no_reader = was sie liest, ist hier nicht installiert (pip install 'mneme[documents]')
    .unknown_kind = diese Art von Datei kenne ich nicht
    .rich_text = Rich Text (.rtf) lese ich nicht; speichere sie als .docx
    .archive = ein Archiv packe ich nicht aus; schick mir die Dateien darin einzeln
    .old_office = die alten Formate .doc, .xls und .ppt lese ich nicht; nimm .docx, .xlsx oder .pptx
    .outlook = Outlooks eigenes Format (.msg) lese ich nicht; speichere die Nachricht als .eml
    .timed_out = es hat zu lange gedauert
    .gone = sie ist nicht mehr da
    .unreachable = sie ist gerade nicht erreichbar; bitte versuch es später noch einmal
    .disk = hier ist kein Platz dafür
    .private = diese Adresse ist nicht öffentlich
    .scheme = nur Adressen mit http und https lassen sich lesen
    .port = nur gewöhnliche Webadressen werden gelesen
    .credentials = nur gewöhnliche Webadressen werden gelesen
    .kind = was dort liegt, kenne ich nicht
    .malformed = das ist keine Adresse
    .status = die Seite antwortet mit einem Fehler
    .unresolved = diese Adresse gibt es nicht
    .redirects = die Adresse führt im Kreis
documents-about_pages = Seiten: { $count }
documents-about_sections = Abschnitte: { $count }
documents-about_characters = Zeichen: { $count }
documents-place_page = S. { $page }
documents-listed = Dokumente: { $count }
documents-none = Ich habe hier noch keine Dokumente gelesen. Schick mir eine Datei oder einen Link.
documents-open_button = Öffnen { $number }
documents-forget_button = Vergessen
documents-added = Hinzugefügt am { $day } von { $author }.
documents-source = Von { $url }
documents-outline = Abschnitte:
documents-more_sections = … und weitere: { $count }
documents-confirm = Soll ich { $name } vergessen, mit allem, was ich darin gelesen habe?
documents-yes_forget = Ja, vergessen
documents-several = Mit „{ $name }“ können mehrere Dokumente gemeint sein:
documents-missing = Ein Dokument „{ $name }“ habe ich nicht. /docs zeigt, was ich gelesen habe.
documents-from_terminal = Ein Pfad geht nur im Chat des Terminals. Schick mir hier die Datei.
documents-usage = /docs zeigt die Dokumente; /docs NAME öffnet eines; /docs forget NAME vergisst es.
documents-ask_usage = So geht es: /ask NAME deine Frage (Name oder Nummer stehen in /docs).
documents-page_of = Seite { $page } von { $pages }

## files

files-whole_answer = Die ganze Antwort steht in der Datei { $name }.
files-answer = Antwort
files-too_large = Die Datei { $name } hat { $size } MB; mehr als { $most } MB lassen sich hier nicht senden.
files-not_here = Die Datei { $name } lässt sich hier nicht senden.
files-gone = Die Datei { $name } ist nicht mehr da.
files-refused = Die Datei { $name } ließ sich nicht senden: Der Chat hat sie nicht angenommen.

## chat

chat-stop_button = ■ Stopp
chat-description =
    Ein Assistent, der sich merkt, was du ihm erzählst, und zeigt, was er sich merkt.

    Schreib ihm wie einem Menschen. /memory zeigt, was er weiß, /why, woraus eine Antwort entstand, und /forget löscht endgültig.

    Er läuft auf einem eigenen Server: Er antwortet denen, die sein Betreiber zulässt.
chat-short_description = Ein Assistent mit einem Gedächtnis, das du siehst, berichtigst und löschst. Mehr mit /help.
chat-owner_commands =
    .users = wer mit einem Code hereinkam (Fremde schicken ihn: /pair CODE)
    .tools = Werkzeuge anderer Programme
    .again = Antworten, die vielleicht nicht ankamen
chat-topics =
    .memory = Erzähl mir etwas, und ich behalte es: wer du bist, was du beschlossen hast, was du magst. Frag, und ich antworte daraus. /memory zeigt alles, was ich behalte, /why, woraus meine letzte Antwort entstand.
    .privacy = Was du schreibst, bleibt auf dem Server meines Betreibers. /forget löscht eine Erinnerung oder alle, bis zum letzten Byte; Passwörter und Schlüssel werden unkenntlich gemacht, bevor etwas behalten wird. Was ein privater Chat behält, kommt in keiner Gruppe vor.
    .groups = In einer Gruppe antworte ich auf Befehle, auf meinen Namen und auf Antworten an mich; den Rest lese ich nicht. Die Gruppe hat ein eigenes Gedächtnis. Mein Betreiber legt fest, in welchen Gruppen ich arbeite.

## loop

loop-stopped = (abgebrochen)
loop-out_of_time = Hier habe ich aufgehört: Das hat länger als { $seconds } Sekunden gedauert (llm.wallSeconds).
    .user = Hier habe ich aufgehört: Das hat zu lange gedauert.
loop-out_of_calls = Hier habe ich aufgehört: Das brauchte mehr Schritte, als ich für eine Nachricht machen darf (llm.maxCalls).
    .user = Hier habe ich aufgehört: Das brauchte mehr Schritte, als ich für eine Nachricht machen darf.
loop-failed = Ich konnte das Sprachmodell nicht fragen: { $reason }
    .user = Ich erreiche mein Sprachmodell gerade nicht. Versuch es später noch einmal.
loop-broke_off = Hier brach die Antwort ab: { $reason }
    .user = Hier brach die Antwort ab. Frag bitte noch einmal nach dem Rest.
loop-empty = Das Sprachmodell hat nicht geantwortet. Formuliere es anders oder frag noch einmal.
loop-cut_short = Die Antwort wurde an der Längengrenze abgeschnitten (llm.maxTokens). Schreib „weiter“ für den Rest.
    .user = Die Antwort wurde an der Längengrenze abgeschnitten. Schreib „weiter“ für den Rest.
loop-ask = Ich habe hier fremden Text gelesen, deshalb merke ich mir nichts ohne dein Wort. Soll ich mir genau das merken? { $text }
loop-agree = Merken
loop-ask_forget = Ohne dein Wort vergesse ich nichts. Soll ich genau das vergessen? { $text }
loop-agree_forget = Vergessen

## basic

basic-start =
    Hallo{ $name }! Ich bin Mneme, ein Assistent mit Gedächtnis.

    Erzähl mir, was dir einfällt, und frag mich Tage oder Monate später danach. Ich erinnere dich, sage Uhrzeit und Datum und rechne. Alles bleibt im eigenen Gedächtnis dieses Chats; ich zeige dir, woher ich etwas weiß (/why), und vergesse, was du vergessen haben willst (/forget).

    Alle Befehle: /help
basic-start_without_model = Es ist kein Sprachmodell eingerichtet, deshalb antworte ich mit dem, was du mir erzählt hast. Um eines einzurichten, setze llm.url und llm.model in preferences/runtime-config.json (und LLM_API_KEY, falls es einen Schlüssel braucht).
    .user = Ich antworte mit dem, was du mir erzählt hast.
basic-help_head = Was ich kann:
basic-help_tail = Alles andere, was du schreibst, ist ein Gespräch, und ich merke es mir.
basic-commands =
    .start = wer ich bin
    .help = diese Liste aller Befehle
    .new = ein neues Gespräch beginnen; Erinnerungen bleiben
    .stop = die Antwort abbrechen, die gerade entsteht
    .status = Zustand, was ich weiß, was noch wartet
    .memory = Erinnerungen ansehen, suchen, ändern, anheften
    .remember = genau diesen Text merken
    .forget = eines, Gefundenes oder alle deine Daten vergessen und löschen
    .undo = rückgängig machen, was gerade vergessen oder geändert wurde
    .why = worauf die letzte Antwort beruht und warum; /why zahlen: mit Werten
    .docs = Dokumente (PDF, Word, Text …), die ich gelesen habe
    .ask = ein Dokument fragen: /ask NAME Frage
    .skill = eine Fähigkeit ein- oder ausschalten
    .settings = die Sprache, die ich spreche, Gedächtnis, Ruhezeiten und mehr für diesen Chat
    .sessions = Gespräche in diesem Chat, und der Weg zurück in eines
    .compact = den älteren Teil dieses Gesprächs zusammenfassen
    .page = dein Gedächtnis auf einer Seite im Browser
    .export = alle Daten dieses Chats als Datei exportieren
    .import = Unterhaltungen (Telegram, WhatsApp, ChatGPT …) aus einer Datei importieren
    .usage = verbrauchte Token, und was dieser Chat kostet
    .remind = eine Erinnerung stellen: /remind morgen um 9 Vera anrufen
    .reminders = Erinnerungen zeigen, verlegen, absagen
    .list = Listen machen, was zu kaufen oder zu tun ist: /list add Einkaufsliste: Milch
    .lists = alle Listen
basic-unknown_command = Den Befehl /{ $name } kenne ich nicht.
basic-did_you_mean = Meinst du /{ $name }?
basic-edited_command = Einen bearbeiteten Befehl führe ich nicht aus. Schick ihn bitte als neue Nachricht.
basic-new_session = Ein neuer Anfang. Dieses Gespräch ist abgeschlossen, und was ich weiß, behalte ich.
basic-stopped = Abgebrochen.
basic-nothing_to_stop = Es gibt nichts abzubrechen: Ich schreibe gerade nichts.
basic-not_yours_to_stop = Was ich gerade beantworte, hat jemand anderes gefragt: Abbrechen können es nur diese Person und mein Besitzer.
basic-waiting = Nachrichten, die noch auf eine Antwort warten: { $count }
basic-drop_waiting = Nicht mehr beantworten
basic-dropped = Nachrichten, die ohne Antwort bleiben: { $count }

## doubt

doubt-undelivered =
    { $count ->
        [1] Meine letzte Antwort ist vielleicht nicht angekommen.
       *[other] Antworten, die vielleicht nicht angekommen sind: { $count }
    }
doubt-show = Noch einmal zeigen
doubt-nothing = Es gibt nichts noch einmal zu zeigen: Meine Antworten sind angekommen oder nicht mehr gespeichert.

## users

users-head = Wer mit mir sprechen darf
users-none = Noch darf niemand mit mir sprechen. Lass jemanden mit einem Code herein:
users-owner_only = Nur der Betreiber (telegram.ownerId) sieht und ändert, wer mit mir sprechen darf.
users-not_here = Wer mit mir sprechen darf, sage ich nur in unserem eigenen Chat.
users-line = { $who } – Nachrichten: { $messages }
users-by_code = Durch einen Code hereingelassen am { $day }
users-by_settings = Durch die Konfiguration hereingelassen (telegram.allowedUsers)
users-seen = Hat zuletzt geschrieben: { $moment }
users-never_seen = Hat noch nie geschrieben
users-messages = Nachrichten, die behalten sind: { $count }
users-tokens = Token diesen Monat: { $count }
users-owner = (mein Betreiber)
users-revoke_button = Entziehen
users-back = ‹ Zurück
users-confirm = { $who } nicht mehr hereinlassen? Die nächste Nachricht ist dann die eines Fremden. Was ich mir gemerkt habe, bleibt.
users-confirm_button = { $id } den Zugang entziehen
users-revoked = { $id } hat keinen Zugang mehr. Was ich mir gemerkt habe, bleibt, und ein neuer Code führt wieder dorthin.
users-unknown = { $id } ist nicht durch einen Code hereingekommen.
users-listed = { $id } steht in telegram.allowedUsers in der Konfiguration und kann nur dort gestrichen werden.
users-invite_button = Jemanden einladen
users-invited =
    Gib das weiter: `/start { $code }`
    Es lässt eine Person herein, einmal, innerhalb von { $minutes } Minuten, im direkten Chat mit mir.
users-link = Oder als Link: { $link }
users-no_bot = Es gibt keinen Telegram-Bot: setze TELEGRAM_TOKEN in .env oder in der Umgebung.
users-pairing_off = Codes sind ausgeschaltet (telegram.pairing).

## status

status-head = Zustand
status-model = Sprachmodell: { $model }
status-no_model = Kein Sprachmodell eingerichtet: Antworten kommen nur aus dem Gedächtnis.
status-window = Fenster { $tokens } Token, { $source }
status-window_sources =
    .settings = eingestellt
    .server = laut Server
    .assumed = angenommen, der Server sagt es nicht
status-tokens_today = Token dieses Chats heute: { $prompt } gelesen{ $cached }, { $completion } geschrieben; davon { $background } im Hintergrund ({ $share } %)
status-tokens_in_all = Token dieses Chats insgesamt: { $prompt } gelesen{ $cached }, { $completion } geschrieben; davon { $background } im Hintergrund ({ $share } %)
status-tokens_cached = { " " }(davon { $share } % aus dem Cache des Servers)
status-memory = Erinnerungen dieses Chats: { $total }
status-memory_off = Das Gedächtnis ist ausgeschaltet (memory.enabled).
    .user = Das Gedächtnis ist ausgeschaltet.
status-parts =
    .config = Einstellungen
    .store = Speicher
    .lightrag = Langzeitgedächtnis (LightRAG)
    .llm = Sprachmodell
    .telegram = Telegram
    .memory = Erinnerungen
    .tokens = Token
    .outbox = Warteschlange des Langzeitgedächtnisses
    .deliveries = Zustellungen
    .imports = Importe
    .backups = Sicherungen
status-reasons =
    .switched-off-rag-enabled = ausgeschaltet (rag.enabled)
    .none-configured-llm-url-answers-come-from-memory-alone = keines eingerichtet (llm.url)
    .no-token-TELEGRAM_TOKEN-the-terminal-chat-is-used = kein Token (TELEGRAM_TOKEN)
    .the-embedded-memory-server-is-starting = wird gerade gestartet
status-waiting = Wartet auf das Langzeitgedächtnis: { $count }
status-dead = Vom Langzeitgedächtnis aufgegeben: { $count }; `mneme dead-letters --revive` versucht es noch einmal damit
status-nothing_waiting = Das Langzeitgedächtnis ist auf dem neuesten Stand.
status-unknown_deliveries = Antworten, die vielleicht nicht angekommen sind: { $count } (/again zeigt sie)
status-refused_deliveries = Antworten, die nicht zugestellt werden konnten: { $count }
status-refused_import = Der letzte Import, { $name }, wurde nicht ausgeführt: { $reason }
status-backups = Sicherungen: { $count }, die neueste vom { $at }, zusammen { $size } MB
status-no_backups = Sicherungen: noch keine; jeden Tag wird eine angelegt.
status-backed_up_by = Sicherungen: mit { $tool }, nicht von Mneme.
status-states =
    .ok = in Ordnung
    .degraded = eingeschränkt
    .down = ausgefallen

## memory

memory-head = Erinnerungen dieses Chats: { $total }
memory-found = Erinnerungen mit „{ $search }“: { $total }
memory-empty = Hier habe ich noch keine Erinnerungen. Erzähl mir etwas oder nimm /remember. Ganze Gespräche werden neben diesen Notizen aufbewahrt und ebenfalls durchsucht.
memory-none_found = Keine Erinnerung passt zu „{ $search }“. Gespräche durchsuche ich, wenn du mich einfach fragst.
memory-none_pinned = Nichts ist angeheftet. /memory pin NUMMER hält eine Erinnerung immer präsent.
memory-none_in_history = Noch wurde keine Erinnerung durch eine neuere ersetzt.
memory-no_wishes = Keine dauerhaften Wünsche. Sagen Sie, wie Sie Antworten möchten: „Antworte immer in metrischen Einheiten.“
memory-wishes = Dauerhafte Wünsche:
memory-more_wishes = … und { $count } weitere: /memory wishes
memory-page = Seite { $page } von { $pages }
memory-hint = Suchen, ändern, anheften und vergessen: /memory help
memory-usage =
    - /memory – was da ist, mit Knöpfen
    - /memory open NUMMER – eine Erinnerung mit ihrer Geschichte
    - /memory show kinds · show people · show times – nach Art, Person, Zeit
    - /memory WÖRTER – suchen
    - /memory page 2 – weitere
    - /memory wishes · /memory pinned · /memory history
    - /memory edit NUMMER neuer Text · /memory edit NUMMER fragt danach
    - /memory pin NUMMER · /memory unpin NUMMER
    - /memory forget NUMMER
memory-pinned_mark = angeheftet
memory-superseded_mark = ersetzt durch { $id }
memory-edited = Erinnerung { $id } lautet jetzt: { $text }
memory-corrected =
    Korrigiert: { $text }
    Vorher: { $before }
memory-what_holds = Was gilt statt { $text }? Sag es mir, oder sieh dir an, was du mir erzählt hast.
memory-look = Ansehen
memory-pinned = Erinnerung { $id } ist angeheftet: Ich habe sie immer im Kopf.
memory-unpinned = Erinnerung { $id } ist nicht mehr angeheftet.
memory-not_yours = Das hat jemand anders gesagt: Ändern oder vergessen lassen können es Admins der Gruppe und mein Besitzer. Sag mir mit eigenen Worten, was jetzt gilt.
memory-missing = Eine Erinnerung { $id } gibt es hier nicht.
memory-sources =
    .chat = aus dem Gespräch
    .remember = du wolltest, dass ich es mir merke
    .summary = aus einer Zusammenfassung
    .import = importiert
    .edit = geändert
memory-assistant = Assistent
memory-forwarded = { $name }, weitergeleitet
memory-forwarded_by = { $name }, weitergeleitet ({ $by })
memory-you = du
memory-another = jemand anderes
memory-numbered = Person { $id }

## calls

calls-ask = Das tue ich nur, wenn du es willst. Genau diesen Aufruf machen? { $text }
calls-agree = Ausführen
calls-done = Erledigt. { $tool } von { $server } antwortet:
calls-nothing = Erledigt. { $tool } von { $server } antwortet ohne ein Wort.
calls-failed = { $tool } von { $server } hat es nicht getan:
calls-unsure = Niemand weiß, ob { $tool } von { $server } es getan hat; von selbst tue ich es nicht noch einmal:
calls-too_late = Diese Frage ist nicht mehr offen. Nichts wurde getan. Frag mich noch einmal.
calls-history = (Der Benutzer hat zugestimmt, { $tool } von { $server } wurde aufgerufen. Oben steht die Antwort.)
calls-owner_only = Das darf nur, wem dieser Bot gehört.
calls-none = Es sind keine Werkzeug-Server eingerichtet (mcp.servers).
calls-head = Werkzeuge anderer Programme:
calls-states =
    .starting = startet
    .ready = bereit
    .down = nicht da
calls-asks = fragt zuerst
calls-runs = läuft von selbst
calls-held = zurückgehalten: Es sagt anderes als bei der Freigabe: { $text }
calls-approve = { $tool } freigeben
calls-approved = { $tool } von { $server } darf benutzt werden, wie es sich jetzt beschreibt.
calls-changed = { $tool } von { $server } beschreibt sich inzwischen anders. Sieh noch einmal nach: /tools

## memory_views

memory_views-kinds =
    .decision = Entscheidungen
    .constraint = Regeln
    .failure = Probleme
    .fix = Lösungen
    .preference = Vorlieben
    .project_fact = Tatsachen
    .task_state = Aufgaben
    .command_result = Ergebnisse
memory_views-times =
    .week = Diese Woche
    .month = Diesen Monat
    .year = Dieses Jahr
    .older = Älter
memory_views-by_kind = Nach Art
memory_views-by_person = Nach Person
memory_views-by_time = Nach Zeit
memory_views-pinned = Angeheftet
memory_views-history = Ersetzt
memory_views-home = Alle Erinnerungen
memory_views-back = ‹ Zurück
memory_views-people_head = Wer es gesagt hat und um wen oder was es geht:
memory_views-times_head = Wann es gesagt wurde:
memory_views-kinds_head = Nach Art:
memory_views-counted = { $name } – { $total }
memory_views-said_by = Gesagt von: { $name }
memory_views-about = Über { $name }
memory_views-nobody = jemand Unbekanntes
memory_views-gone = Die Erinnerung { $id } gibt es nicht mehr. Das ist jetzt da:
memory_views-none_here = Da ist nichts mehr.
memory_views-opened = Erinnerung { $id } · { $kind }
memory_views-from_message = Aus der Nachricht: { $text }
memory_views-cut = … und { $count } weitere Zeichen
memory_views-replaced_head = Sie hat ersetzt:
memory_views-replaced_by = Ersetzt durch { $id }: { $text }
memory_views-withdrawn = Zurückgenommen: Die Nachricht, die es sagte, wurde bearbeitet.
memory_views-used = Für Antworten benutzt: { $count }
memory_views-used_last = Für Antworten benutzt: { $count }, zuletzt am { $day }
memory_views-never_used = Noch für keine Antwort benutzt.
memory_views-restated = Noch einmal gesagt: { $count }
memory_views-edit = Ändern
memory_views-pin = Anheften
memory_views-unpin = Lösen
memory_views-forget = Vergessen
memory_views-cancel = Abbrechen
memory_views-put_back = Zurücksetzen
memory_views-ask_edit = Deine nächste Nachricht wird, binnen { $minutes } Minuten, der neue Text der Erinnerung { $id }. Jetzt lautet sie:
memory_views-ask_edit_group = Antworte hierauf binnen { $minutes } Minuten mit dem neuen Text der Erinnerung { $id }. Jetzt lautet sie:
memory_views-changed = Die Erinnerung { $id } hat sich inzwischen geändert. Nichts wurde getan; so lautet sie jetzt:
memory_views-confirm_forget = Soll ich die Erinnerung { $id } vergessen? Mit ihr geht, woher sie stammt:
memory_views-answered = Meine Antwort: { $text }
memory_views-learned = Daraus gemerkt:
memory_views-open_number = { $number } öffnen
memory_views-pressed = „{ $label }“ gewählt.

## remember

remember-done = Gemerkt, als Nummer { $id }: { $text }
remember-masked = Was nach einem Geheimnis aussieht ({ $kinds }), habe ich weggelassen: Das gehört nicht ins Gedächtnis.
remember-kinds =
    .API-key = API-Schlüssel
    .bot-token = Bot-Token
    .token = Zugangstoken
    .password = Passwort
    .card-number = Kartennummer
    .IBAN = IBAN
    .PIN = Geheimzahl
    .seed-phrase = Seed-Phrase
    .private-key = privater Schlüssel
remember-nothing_left = Das sieht nach nichts als einem Geheimnis aus ({ $kinds }), und Geheimnisse gehören nicht ins Gedächtnis. Ich habe nichts behalten.
remember-usage = Was soll ich mir merken? Schreib es hinter den Befehl: /remember Vera hat am 3. Mai Geburtstag
remember-quoted = { $author } schrieb: { $text }
remember-off = Das Gedächtnis ist ausgeschaltet (memory.enabled), deshalb kann ich mir gerade nichts merken.
remember-too_long = Das ist zu lang für eine Erinnerung: { $length } Zeichen, erlaubt sind { $limit }. Erzähl es in Teilen.
remember-too_late = Diese Frage ist nicht mehr offen. Soll ich mir etwas merken, schick /remember mit dem Text.

## reminders

reminders-kept = Ich erinnere dich am { $when } ({ $zone }): { $text }
reminders-kept_repeated = Ich erinnere dich { $repeat } ({ $zone }), zuerst am { $when }: { $text }
reminders-changed = Die Erinnerung ist geändert.
reminders-assumed_time = Du hast keine Uhrzeit genannt, darum habe ich { $time } genommen.
reminders-assumed_zone = Ich habe { $zone } als deine Zeitzone angenommen. Stimmt das nicht, dann stelle deine mit /settings ein: Erinnerungen ziehen mit um.
reminders-untitled = deine Erinnerung
reminders-alarm = Aufstehen
reminders-ask_when = Wann soll ich dich erinnern: { $text }? Zum Beispiel: morgen um 9.
reminders-ask_when_event = Ich weiß nicht, wann das ist. Um wie viel Uhr soll ich dich erinnern: { $text }?
reminders-ambiguous = Welche Zeit meinst du: { $text }?
reminders-waiting = Noch nicht gestellt, ich weiß nicht für wann: { $text }
reminders-past = { $when } ist vorbei ({ $zone }), darum habe ich keine Erinnerung angelegt. Nenne eine Zeit, die noch kommt.
reminders-never = Diese Zeit gibt es nicht, oder sie ist zu weit weg, darum habe ich keine Erinnerung angelegt.
reminders-too_many = Hier gibt es schon { $count } Erinnerungen, mehr dürfen es nicht sein. Sage welche ab: /reminders
reminders-head = Erinnerungen: { $total }
reminders-none = Es gibt keine Erinnerungen. Sage zum Beispiel: Erinnere mich morgen um 9 daran, Vera anzurufen.
reminders-hint = Absagen: /remind cancel NUMMER · andere Zeit: /remind move NUMMER WANN
reminders-usage =
    /remind WANN WAS, zum Beispiel: /remind morgen um 9 Vera anrufen
    /remind jeden Montag um 8 Mülltonne rausstellen
    /remind cancel NUMMER · /remind move NUMMER WANN · /remind snooze NUMMER WANN
    /reminders zeigt sie alle
reminders-missing = Eine Erinnerung { $number } gibt es hier nicht.
reminders-not_yours = Nur wer um diese Erinnerung gebeten hat, kann sie ändern.
reminders-done = Erledigt: { $text }
reminders-cancelled = Abgesagt: { $text }
reminders-put_back_button = Zurückholen
reminders-which_cancel = Welche Erinnerung soll ich streichen?
reminders-which_move = Welche Erinnerung soll ich verschieben?
reminders-named = Daran erinnere ich dich:
reminders-is_set = Gestellt ist: { $line }
reminders-not_set = Eine solche Erinnerung ist jetzt nicht gestellt.
reminders-none_named = Dazu finde ich keine Erinnerung. Diese sind gestellt:
reminders-no_new_time = Auf wann soll ich sie verschieben? Zum Beispiel: verschieb sie auf morgen um 9.
reminders-confirm_cancel_all = Soll ich alle deine Erinnerungen hier streichen ({ $count })?
reminders-cancel_all_button = Alle streichen
reminders-cancelled_all = Gestrichen: { $count }
reminders-offer_new = Soll ich daran erinnern?
reminders-offer_move = Gestellt ist diese Erinnerung: { $text } Soll ich sie verschieben?
reminders-move_to_button = { $when }
reminders-snoozed = Ich erinnere dich noch einmal am { $when } ({ $zone }): { $text }
reminders-next = Das nächste Mal: { $when }
reminders-late_down = Das war am { $when } fällig. Da lief ich nicht.
reminders-late = Das war am { $when } fällig. Da konnte ich es nicht senden.
reminders-missed = Außerdem verpasst: { $count }
reminders-done_button = ✓ Erledigt
reminders-minutes_button = 10 Min.
reminders-hour_button = 1 Std.
reminders-tomorrow_button = Morgen
reminders-cancel_button = ✕ Absagen
reminders-back_button = ‹ Liste
reminders-open_button = Nr. { $number }
reminders-agree_button = Ja, erinnere mich
reminders-ask_agreement = Soll ich dich erinnern? { $when } ({ $zone }): { $text }
reminders-repeats =
    .minute =
        { $count ->
            [1] jede Minute
           *[other] alle { $count } Minuten
        }
    .hour =
        { $count ->
            [1] jede Stunde
           *[other] alle { $count } Stunden
        }
    .day =
        { $count ->
            [1] jeden Tag
           *[other] alle { $count } Tage
        }
    .week =
        { $count ->
            [1] immer { $days }
           *[other] alle { $count } Wochen ({ $days })
        }
    .month =
        { $count ->
            [1] am { $day }. jedes Monats
           *[other] alle { $count } Monate am { $day }.
        }
    .nth =
        { $count ->
            [1] am { $days } jedes Monats
           *[other] alle { $count } Monate am { $days }
        }
    .year =
        { $count ->
            [1] jedes Jahr am { $date }
           *[other] alle { $count } Jahre am { $date }
        }
    .workdays = werktags (montags bis freitags)
    .last = am letzten Tag jedes Monats
reminders-at = { $repeat } um { $time }
reminders-until = { $repeat }, bis zum { $date }
reminders-times = { $repeat }, { $count }-mal
reminders-each_weekday =
    montags
    dienstags
    mittwochs
    donnerstags
    freitags
    samstags
    sonntags
reminders-nth_weekday =
    { $nth ->
        [1] ersten
        [2] zweiten
        [3] dritten
        [4] vierten
        [5] fünften
       *[-1] letzten
    } { $weekday ->
        [0] Montag
        [1] Dienstag
        [2] Mittwoch
        [3] Donnerstag
        [4] Freitag
        [5] Samstag
       *[6] Sonntag
    }
reminders-day_and_month = { $day }. { $month }

## lists: $list ist der Name einer Liste, $items das, worum es geht, $count wie viel dort offen ist.

lists-names =
    .shopping = Einkaufsliste
    .todo = To-do-Liste
    .packing = Packliste
lists-added = { $list }: { $items } notiert. Offen: { $count }.
lists-known = { $list }: { $items } steht schon da. Offen: { $count }.
lists-full = { $list }: Mehr als { $count } Einträge können nicht offen sein. Hak erst etwas ab.
lists-done = { $list }: ✓ { $items }. Offen: { $count }.
lists-removed = { $list }: { $items } gestrichen. Offen: { $count }.
lists-opened = { $list }: { $items } wieder offen. Offen: { $count }.
lists-head = { $list } ({ $count }):
lists-closed_head = { $list }, nicht mehr offen:
lists-nothing_open = { $list }: Es ist nichts mehr offen.
lists-nothing_closed = { $list }: Es ist nichts abgehakt.
lists-none = Es gibt noch keine Liste. Sag zum Beispiel: Setz Milch auf die Einkaufsliste.
lists-which = Was davon ist gemeint?
lists-unclear = Was soll auf die Liste, und was davon weg? Sag zum Beispiel: Setz Bier drauf und streich das Brot.
lists-is_open = { $items } ist offen ({ $list }): { $name }, { $when }.
lists-is_done = { $items } ist abgehakt ({ $list }): { $name }, { $when }.
lists-is_removed = { $items } ist gestrichen ({ $list }): { $name }, { $when }.
lists-somebody = jemand
lists-not_there = { $items } steht nicht da ({ $list }).
lists-tick_button = ✓ { $item }
lists-open_button = ↺ { $item }
lists-closed_button = Abgehakt: { $count }
lists-back_button = Was offen ist
lists-missing = Einen Eintrag { $number } gibt es hier nicht.
lists-usage =
    /list: was offen ist
    /list NAME: eine Liste
    /list add NAME: Milch, Eier
    /list done NUMMER, /list drop NUMMER, /list back NUMMER
    /list closed NAME: was abgehakt ist

## forget

forget-usage =
    Was soll ich vergessen?

    - /forget WÖRTER – sucht und zeigt, was passt
    - /forget NUMMER – eine Erinnerung (siehe /memory)
    - /forget alles – alles, was ich in diesem Chat weiß
forget-none_found = Ich finde nichts zu „{ $search }“, also gibt es nichts zu vergessen; auch diese Nachricht merke ich mir nicht.
forget-candidates = Das finde ich zu „{ $search }“. Was davon soll ich vergessen?
forget-this_one = { $number } vergessen
forget-all_of_them = Alles davon
forget-which = Noch ist nichts vergessen. Welches soll es sein? Sag eine Nummer, „das zweite“, „alle“ oder „nein“.
forget-left = Gut, es wird nichts vergessen.
forget-more = Es gibt noch mehr; grenze es mit weiteren Wörtern ein.
forget-missing = { $ref } gibt es im Gedächtnis dieses Chats nicht.
forget-confirm_everything = Das löscht alles, was ich in diesem Chat weiß: jedes Gespräch, jede Erinnerung und auch das Langzeitgedächtnis. Es lässt sich nicht rückgängig machen. Wenn du sicher bist: /forget alles ja
forget-confirm_button = Ja, alles vergessen
forget-done = Vergessen.
forget-done_everything = Alles aus diesem Chat ist vergessen. Seine Einstellungen bleiben (/settings).
forget-not_yours = Alles, was diese Gruppe sich gemerkt hat, vergessen lassen nur ihre Admins und mein Besitzer. Was du selbst gesagt hast, kannst du vergessen lassen: `/forget WÖRTER`.
forget-replied_to_nothing = Von der Nachricht, auf die du antwortest, habe ich nichts behalten; es gibt nichts zu vergessen.
forget-spared = Von anderen gesagt und deshalb geblieben: { $count }. Das können Admins der Gruppe und mein Besitzer vergessen lassen.
forget-files = Geschickte Dateien und Seiten: { $count }
forget-exchanges = Entfernte Gesprächsbeiträge: { $count }
forget-items = Entfernte Erinnerungen: { $count }
forget-beside = Nachrichten verschwinden als Ganzes. Was sie sonst erzählten, ist auch weg: { $count }
forget-rest = Was die Nachricht sonst erzählt, bleibt: { $text }
forget-answers = Geleerte spätere Antworten, die es wiederholten: { $count }
forget-documents = Dokumente des Langzeitgedächtnisses: { $count }
forget-pending = Das Langzeitgedächtnis soll seinen Teil entfernen und hat es noch nicht bestätigt; ich frage nach, bis es das tut.
forget-confirmed = Das Langzeitgedächtnis hat die Löschung bestätigt.
forget-verified = Geprüft: Eine Suche danach findet nichts mehr.
forget-residue = Geprüft: Es ist noch etwas übrig, ich bleibe daran: { $count }
forget-everything_words =
    alles
forget-yes_words =
    ja
forget-withheld = Das Langzeitgedächtnis zeigt seinen Teil schon nicht mehr und entfernt ihn nach dieser Zeit.
forget-undoable = In { $seconds } Sekunden ist es aus jeder Datei verschwunden. Bis dahin holt /undo es zurück.
forget-undo_button = Rückgängig
forget-undone = Es ist wieder da.
forget-back_exchanges = Gesprächsbeiträge: { $count }
forget-back_items = Erinnerungen: { $count }
forget-back_files = Dateien und Seiten: { $count }
forget-back_answers = Geleerte Antworten und Zitate: { $count }
forget-back_reminders = Vorgemerkte Erinnerungen: { $count }
forget-taken_back = Zurückgenommen, ich habe es vergessen: { $text }
forget-taken_back_before = Das war das davor:
forget-taken_back_already = Das ist schon zurückgenommen.
forget-nothing_done = Hier gibt es nichts von dir zurückzunehmen.
forget-nothing_to_undo = Es gibt nichts zurückzuholen: Was vergessen wurde, ist weg.
forget-lapsed = Was ich zuletzt vergessen sollte, ist endgültig weg: Das lässt sich nicht mehr zurücknehmen. Sonst ist alles, wie es war.

## why

why-nothing_answered = Ich habe hier noch nichts geantwortet, was ich erklären könnte.
why-question = Du hast gefragt: { $text }
why-forwarded = Du hast von { $name } weitergeleitet: { $text }
why-no_memories = Diese Antwort beruht auf keinen Erinnerungen.
why-head = Erinnerungen, auf denen die Antwort beruht: { $count }
why-more = Weitere: { $count }
why-channels =
    .item = aus meinen Notizen
    .store = aus dem Speicher (wörtlich gesagt)
    .digest = in Kürze, aus dem Gesagten
    .document = aus dem Dokument
    .lightrag-chunk = aus LightRAG (Text)
    .lightrag-entity = aus LightRAG (was es über einen Namen weiß)
    .lightrag-relation = aus LightRAG (wie zwei Dinge zusammenhängen)
why-reasons =
    .then = in der Zeit gesagt, nach der du gefragt hast
    .about = es geht um: { $whom }
    .same-words = dieselben Wörter
    .some-words = einige derselben Wörter
    .meaning = bedeutet fast dasselbe
    .speaker = gesagt von der Person, nach der du gefragt hast
    .pinned = angeheftet
    .long-term-memory = LightRAG stimmt zu
    .nearest = das Nächste, was ich weiß
why-figures = zahlen
why-signals =
    .words = Wörter
    .near-words = verwandte Wörter
    .meaning = Bedeutung
    .speaker = wer es gesagt hat
    .date = Datum
    .certainty = Sicherheit
    .recent = vor Kurzem
    .importance = Wichtigkeit
    .long-term-memory = LightRAG stimmt zu
    .rank = Platz in LightRAG
    .second-look = zweite Auswahl
    .pinned = angeheftet
    .kind-of-message = Art der Nachricht
why-exchange = Wortwechsel { $uid }
why-strength = Übereinstimmung { $score }
why-notes = Anmerkungen zu dieser Antwort:

## skill

skill-head = Fähigkeiten:
skill-none = Es sind keine Fähigkeiten installiert. Lege eine unter preferences/skills/NAME/SKILL.md ab.
    .user = Es sind keine Fähigkeiten installiert.
skill-active = eingeschaltet
skill-on = Die Fähigkeit { $name } ist für dieses Gespräch eingeschaltet. /skill off beendet sie.
skill-off = Zurzeit ist keine Fähigkeit eingeschaltet.
skill-unknown = Eine Fähigkeit { $name } gibt es nicht.

## exporting

exporting-ready =
    Alles, was ich von diesem Chat behalten habe. Nachrichten: { $turns }, Erinnerungen: { $items }, { $size } MB.

    README.md darin sagt, was wo steht; mit /import zurückgeschickt, wird die Datei wieder eingelesen.
exporting-written = Die Datei: `{ $path }`
exporting-nothing = Von diesem Chat ist noch nichts behalten.
exporting-too_large = Der Export hat { $size } MB, mehr, als ich hier senden kann ({ $limit } MB). Im Terminal: `mneme export --scope { $scope }`
exporting-confirm = Alle in dieser Gruppe können die Datei öffnen, mit allem, was ich von der Gruppe behalten habe. Soll ich sie senden?
exporting-confirm_button = Hier senden
exporting-owner_only = Ein Gedächtnis, das mehrere teilen, exportiert mein Besitzer, das einer Gruppe auch ihre Administratoren.
exporting-private = In dieser Gruppe verwende ich dein privates Gedächtnis. Bitte in unserem Direktchat um den Export.

## importing

importing-usage = Schick mir eine exportierte Unterhaltung als Datei mit der Bildunterschrift /import: result.json von Telegram Desktop, einen Chat von WhatsApp, conversations.json von ChatGPT oder Claude, einen Kanal von Discord (DiscordChatExporter), message_1.json von Messenger oder Instagram, einen Arbeitsbereich von Slack, einen Export von mir, oder die Zip-Datei, in der sie kamen.
importing-usage_terminal = Nenne die Datei: `/import DATEI`
importing-survey = { $format }, Nachrichten: { $messages }, Chats: { $chats }, von { $first } bis { $last }.
importing-archive = Erinnerungen: { $items }.
importing-left_out = Ausgelassen: { $what }: { $count }
importing-reasons =
    .SERVICE = Hinweise (beigetreten, angerufen, angeheftet …)
    .PICTURE = Bilder ohne Text
    .VIDEO = Videos ohne Text
    .VOICE = Sprachnachrichten und Musik
    .STICKER = Sticker
    .FILE = Dateien ohne Text
    .NO_TEXT = andere Nachrichten ohne Worte
    .VERSION = ersetzte Fassungen von Nachrichten
    .HIDDEN = verborgene Nachrichten und Aufrufe von Werkzeugen
    .NO_AUTHOR = Nachrichten ohne Absender
    .NO_DATE = Nachrichten ohne Datum
    .TOO_LONG = Nachrichten mit mehr als 1.000.000 Zeichen
    .NOT_YOURS = Erinnerungen anderer
importing-more_people = … und weitere: { $count }
importing-who = Wer davon bist du? Deine Worte werden hier deine, die der anderen bleiben ihre.
importing-nobody_button = Niemand davon
importing-you = Du bist { $name }.
importing-own_export = Diese Datei habe ich selbst geschrieben: Alles kommt zurück, wie es war.
importing-tokens = Das Langzeitgedächtnis gibt davon etwa { $tokens } Token seinem Sprachmodell zu lesen.
importing-tokens_priced = Das Langzeitgedächtnis gibt davon etwa { $tokens } Token seinem Sprachmodell zu lesen: etwa { $money }, ohne das, was das Modell schreibt.
importing-start = Noch ist nichts gespeichert. Soll ich es einlesen?
importing-start_button = Einlesen
importing-cancel_button = Abbrechen
importing-begun = Ich lese „{ $name }“ jetzt ein und antworte dabei weiter. /import sagt, wie weit es ist.
importing-progress = „{ $name }“: { $done } von { $total } ({ $share } %)
importing-done = „{ $name }“ ist eingelesen. Neu: { $added }, schon da: { $known }.
importing-forgotten = Früher mit Absicht vergessen, und das bleibt so: { $count }.
importing-refused = Das lässt sich nicht einlesen: { $reason }
importing-cancelled = Das Einlesen von „{ $name }“ wurde abgebrochen. Was bis dahin ankam, bleibt: { $added }.
importing-gone = Dieses Einlesen ist vorbei oder hat nie begonnen.
importing-none = Gerade wird nichts eingelesen.
importing-busy = Hier wird schon etwas eingelesen. /import sagt, wie weit es ist.
importing-too_large = Die Datei ist größer, als ich hier abholen darf ({ $limit } MB). Leg sie auf den Rechner, auf dem ich laufe, und lies sie im Terminal ein: `mneme import DATEI`
importing-not_fetched = Die Datei ließ sich nicht abholen. Bitte schick sie noch einmal.
importing-owner_only = In ein Gedächtnis, das mehrere teilen, liest mein Besitzer etwas ein, in das einer Gruppe auch ihre Administratoren.
importing-memory_off = Das Gedächtnis ist ausgeschaltet: Es lässt sich nichts übernehmen.

## abilities

abilities-year = Es ist das Jahr { $year }.
abilities-week = Es ist Kalenderwoche { $week }: { $weekday }, { $day }.
abilities-time = Es ist { $time } Uhr am { $weekday }, dem { $day }.
abilities-today = Heute ist { $weekday }, der { $day }.
abilities-day = Das ist ein { $weekday }: { $day }.
abilities-until =
    { $count ->
        [1] Noch ein Tag bis { $weekday }, { $day }.
       *[other] Noch { $count } Tage bis { $weekday }, { $day }.
    }
abilities-weeks = In Wochen: { $weeks }, Tage übrig: { $days }.
abilities-since =
    { $count ->
        [1] Das war gestern: { $weekday }, { $day }.
       *[other] Das war vor { $count } Tagen: { $weekday }, { $day }.
    }
abilities-between =
    { $count ->
        [1] Ein Tag, vom { $day } bis zum { $then }.
       *[other] { $count } Tage, vom { $day } bis zum { $then }.
    }
abilities-sum = { $sum } = { $result }
abilities-rounded = { $sum } ≈ { $result }
abilities-by_zero = { $sum }: Durch null kann man nicht teilen.

## operator

operator-needs_a_hand = Diese Mneme braucht Hilfe: { $what }
operator-solved = Behoben: { $what }
operator-dead_letters = Das Langzeitgedächtnis hat aufgegeben, was es nicht aufnehmen konnte: { $count }. `mneme dead-letters` nennt die Gründe, `mneme dead-letters --revive` versucht es noch einmal

## costs

costs-head = Was dieser Chat verbraucht hat
costs-none = Für diesen Chat wurde diesen Monat kein Sprachmodell gefragt.
costs-today = Heute
costs-month = Diesen Monat
costs-line = { $what }: Token gelesen { $prompt }{ $cached }, geschrieben { $completion }, Aufrufe { $calls }{ $money }
costs-cached = { " " }({ $share } % davon aus dem Zwischenspeicher des Servers)
costs-by_model = Nach Modell, diesen Monat
costs-by_kind = Nach Zweck, diesen Monat
costs-unknown_model = (nicht genannt)
costs-kinds =
    .answer = Antworten
    .summary = Zusammenfassungen langer Gespräche
    .learning = Lernen aus Gesprächen
    .search = Lesen von Fragen
    .check = Prüfen von Antworten
costs-unpriced = Diese Modelle haben keinen Preis, ihre Token stehen also in keiner Summe: { $models } (costs.prices)
costs-budgets =
    .chat-day = dem heutigen Budget dieses Chats
    .chat-month = dem Budget dieses Chats für diesen Monat
    .total-day = dem heutigen Budget aller Chats
    .total-month = dem Budget aller Chats für diesen Monat
costs-budget_line = Verbraucht von { $budget }: { $spent } von { $limit } ({ $share } %)
costs-tokens = { $count } Token
costs-warned = (Von { $budget } sind { $share } % verbraucht: { $spent } von { $limit }. Erhöhen lässt es sich mit { $setting }.)
    .user = (Von { $budget } sind { $share } % verbraucht: { $spent } von { $limit }. Mein Betreiber kann es erhöhen.)
costs-stopped = (Von { $budget } ist nichts mehr übrig, deshalb antworte ich nur aus dem Gedächtnis. Erhöhen lässt es sich mit { $setting }.)
    .user = (Von { $budget } ist nichts mehr übrig, deshalb antworte ich nur aus dem Gedächtnis. Mein Betreiber kann es erhöhen.)
costs-operator_warned = von { $budget } ist nur noch wenig übrig ({ $setting })
costs-operator_stopped = von { $budget } ist nichts mehr übrig, alle bekommen Antworten nur aus dem Gedächtnis ({ $setting })
costs-all_head = Was alle Chats diesen Monat verbraucht haben
costs-all_line = { $scope }: Token { $tokens }, Aufrufe { $calls }{ $money }
costs-erased = vergessene Chats
costs-together = zusammen
costs-owner_only = Was alle Chats verbraucht haben, sieht nur mein Betreiber, in unserem eigenen Chat.
costs-status = Kosten: heute { $today }, diesen Monat { $month } (/usage)
costs-utc = Tage und Monate zählen nach UTC.

## sessions

sessions-titled = Dieses heißt { $title }.
sessions-head = Gespräche in diesem Chat
sessions-none = Hier gibt es noch kein Gespräch. Was ich mir gemerkt habe, steht in /memory.
sessions-line = { $number }. { $title } – { $begun }, Nachrichten: { $count }
sessions-current = (jetzt)
sessions-untitled = (ohne Worte)
sessions-hint = Eine Zahl führt zurück in dieses Gespräch.
sessions-opened = Wir sind wieder in { $title } (zuletzt { $active }, Nachrichten: { $count }). Was dort gesagt wurde, weiß ich wieder.
sessions-already = In diesem Gespräch sind wir schon.
sessions-missing = Dieses Gespräch gibt es nicht mehr.
sessions-compacted = Nachrichten, für die jetzt eine Zusammenfassung steht: { $count }. Die letzten { $staying } bleiben wörtlich. Gelöscht ist nichts.
sessions-too_short = Dieses Gespräch ist für eine Zusammenfassung zu kurz: Es bleibt, wie es ist.
sessions-no_model = Eine Zusammenfassung braucht ein Sprachmodell, und keines ist eingestellt. Verloren geht nichts: Wird ein Gespräch lang, lasse ich seinen ältesten Teil von selbst weg und finde ihn, wenn du danach fragst.
sessions-not_compacted = Mein Sprachmodell hat keine Zusammenfassung geliefert. Das Gespräch bleibt, wie es ist.
sessions-no_budget = Vom Budget ist nur noch wenig übrig, das bleibt für Antworten, und dieses Gespräch bleibt, wie es ist (/usage).

## settings

settings-zones =
    Europe/Berlin
    Europe/Vienna
    Europe/Zurich
    Europe/Luxembourg
settings-head = Einstellungen dieses Chats
settings-titles =
    .language = Sprache
    .memory = Gedächtnis
    .streaming = Mitlesen
    .quiet = Ruhezeiten
    .zone = Zeitzone
    .scope = Wessen Gedächtnis
settings-about =
    .language = Die Sprache meiner eigenen Worte hier: Hinweise, Knöpfe, das Menü.
    .memory = Aus: Was von da an hier gesagt wird, wird weder behalten noch durchsucht, und ich lerne nichts daraus; ich weiß es, bis das Gespräch endet. Was ich mir gemerkt habe, bleibt, wie es ist, und ist wieder da, wenn du das Gedächtnis einschaltest.
    .streaming = Ein: Du siehst eine Antwort, während sie entsteht. Aus: Sie kommt, wenn sie fertig ist.
    .quiet = Zu diesen Zeiten schicke ich nichts, worum du nicht gerade gebeten hast; es kommt, wenn sie vorbei sind.
    .zone = Daten und Uhrzeiten gelten in dieser Zone, Ruhezeiten und Erinnerungen richten sich nach ihr.
    .scope = Welches Gedächtnis ich hier lese und schreibe. Eine andere Wahl verschiebt nichts: Jedes bleibt, wo es ist.
settings-on = ein
settings-off = aus
settings-default = Wie vom Betreiber eingestellt
settings-as_set = { $value } (vom Betreiber eingestellt)
settings-by_client = wie deine App
settings-no_quiet = keine
settings-machine_zone = die des Servers
settings-scopes =
    .user = deines
    .chat = das dieses Chats
    .topic = eines für jedes Thema
    .shared = eines, das mehrere Chats teilen
settings-scope_changed =
    .user = Ab jetzt benutze ich hier dein eigenes Gedächtnis. Was im Gedächtnis des Chats steht, bleibt dort.
    .chat = Ab jetzt hat der ganze Chat ein einziges eigenes Gedächtnis. Was anderswo gemerkt wurde, bleibt dort und wird hier nicht durchsucht.
    .topic = Ab jetzt hat jedes Thema sein eigenes Gedächtnis, und keines weiß, was in den anderen gesagt wird. Was im Gedächtnis des Chats steht, bleibt dort und wird in Themen nicht durchsucht.
settings-memory_off = Das Gedächtnis ist hier aus: Von dem, was ab jetzt gesagt wird, behalte ich nichts als Erinnerungen und Listen, um die du bittest. Was ich mir gemerkt habe, bleibt; /forget löscht es.
settings-memory_on = Das Gedächtnis ist hier eingeschaltet.
settings-memory_off_for_all = Der Betreiber hat das Gedächtnis für alle ausgeschaltet, also bleibt es auch hier aus.
settings-not_kept = Das Gedächtnis ist hier aus, davon behalte ich also nichts (/settings memory).
settings-back = ‹ Zurück
settings-saved = { $title } – jetzt: { $value }
settings-admins_only = Die Einstellungen dieser Gruppe ändern nur ihre Admins, die mit mir sprechen dürfen, und mein Betreiber.
settings-owner_only = Die Einstellungen des Bots sieht nur sein Betreiber.
settings-not_here = Die Einstellungen des Bots nenne ich nur in unserem eigenen Chat.
settings-settled = Wessen Gedächtnis hier benutzt wird, hat der Betreiber festgelegt.
settings-unknown = Diese Einstellung kenne ich nicht. Es gibt: /settings language, memory, streaming, quiet, zone, scope – mit einem Wert dahinter oder allein.
settings-bad_language = Ich spreche: { $languages }. Mit auto richte ich mich nach deiner App.
settings-bad_switch = Möglich sind on, off und default.
settings-bad_quiet = Schreib Ruhezeiten so: /settings quiet 22:00-07:30, oder /settings quiet off
settings-bad_zone = Eine Zeitzone { $zone } kenne ich nicht. Schreib sie so: `/settings zone Europe/Berlin`.
settings-similar_zones = Vielleicht eine von diesen: { $zones }
settings-zone_saved = Dort ist es jetzt { $time }.
settings-type_zone = Jede andere: /settings zone Europe/Berlin
settings-type_quiet = Andere Zeiten: /settings quiet 22:00-07:30
settings-bot_button = Einstellungen des Bots
settings-bot_head = Einstellungen des Bots, die von ihren Vorgaben abweichen
settings-bot_where = Geändert werden sie in { $file }, und die meisten wirken sofort; docs/configuration.md nennt alle.
settings-bot_defaults = Alle Einstellungen haben ihre Vorgaben.
settings-bot_secret = (gesetzt, wird nicht gezeigt)
settings-bot_problem = Achtung: In der Datei ist ein Fehler, deshalb gilt die letzte gute Fassung. { $problem }

## web

web-ask_fetch =
    Soll ich diese Seite lesen? Das Modell hat sie gewählt, und ihre Adresse verlässt diesen Rechner:

    { $url }
web-agree_fetch = Lesen

## media

media-nobody_listens = Ich kann hier keine Aufnahmen anhören: Es ist keine Spracherkennung eingerichtet (`voice.url`). Schreib es mir bitte.
    .user = Ich kann hier keine Aufnahmen anhören. Schreib es mir bitte.
media-too_long = Die Aufnahme ist länger als die { $minutes } Minuten, die ich anhöre.
media-too_large = Die Aufnahme ist zu groß, um sie zu holen.
media-not_fetched = Ich konnte die Aufnahme nicht holen; bitte sende sie noch einmal.
media-not_heard = Ich konnte die Aufnahme nicht anhören: { $reason }.
    .user = Ich konnte die Aufnahme gerade nicht anhören. Versuch es bitte später noch einmal.
media-silent = Ich habe in der Aufnahme keine Worte gehört.
media-heard = Ich habe gehört: { $text }
media-nobody_sees = Ich kann hier keine Bilder sehen (llm.url, llm.vision) und weiß nicht, was darauf ist. Sag mir in Worten, worauf es ankommt.
media-picture_too_large = Das Bild ist größer als die { $most } MB, die ich ansehe.
media-picture_unknown = Bilder in diesem Format kann ich nicht ansehen; JPEG, PNG, WebP und GIF kann ich.
media-picture_not_fetched = Ich konnte das Bild nicht holen; bitte sende es noch einmal.
media-not_seen = Das Modell kann keine Bilder sehen: Ich habe deine Worte gelesen, nicht das Bild gesehen.

## page

page-skip = Zum Inhalt springen
page-switch = Andere Gedächtnisse
page-leave = Schließen
page-nav = Teile dieses Gedächtnisses
page-back = Zurück
page-go_on = Weiter
page-choose_title = Wessen Gedächtnis?
page-choose_lead = Jeder Chat hat sein eigenes Gedächtnis. Wähle eines.
page-scope_counts = Gesprächsschritte: { $exchanges }, Erinnerungen: { $items }
page-nothing_yet = Hier ist noch nichts gemerkt. Schreibe dem Assistenten: Was du ihm erzählst, steht danach hier. /import im Chat bringt Gespräche aus anderen Programmen mit.
page-open_turn = diesen Schritt öffnen
page-more_text = Den Rest zeigen
page-pinned = angeheftet
page-replaced = ersetzt
page-because = Gefunden wegen:
page-fits =
    passt sehr gut
    passt gut
    passt vielleicht
page-pages = Seiten
page-newer = Neuere
page-older = Ältere
page-search_label = Dieses Gedächtnis durchsuchen
page-search_hint = Fragen oder suchen …
page-search = Suchen
page-by_month = Zu einem Monat
page-learned = Daraus gemerkt
page-named = Darin genannt
page-based_on = Worauf die Antwort beruhte
page-trace_gone = Das ist nicht (mehr) aufbewahrt.
page-forget_turn = Diesen Schritt vergessen …
page-filter_label = Wörter, die die Erinnerungen enthalten
page-filter_hint = Nach Wörtern filtern …
page-kinds_label = Arten von Erinnerungen
page-results = Hier gezeigt: { $count }
page-all_kinds = Alle
page-wishes = Wünsche
page-pinned_ones = Angeheftet
page-history = Ersetzt
page-kind = Art
page-said_by = Gesagt von
page-said_at = Wann
page-source = Woher
page-certainty = Wie sicher
page-used = Benutzt
page-used_times = in Anfragen: { $uses }, wiederholt gesagt: { $restated }
page-add = Erinnerung hinzufügen
page-add_label = Was gemerkt werden soll, als eigener Satz
page-forget_chosen = Ausgewählte vergessen …
page-choose_item = Erinnerung { $id } auswählen
page-edit_label = Was dort stehen soll
page-save = Speichern
page-pin = Anheften
page-unpin = Loslösen
page-forget = Vergessen …
page-replaced_by = Ersetzt durch
page-before = Vorher
page-where_said = Wo es gesagt wurde
page-memory_title = Erinnerung { $id }
page-turn_title = Schritt vom { $moment }
page-forget_title = Das vergessen?
page-forget_lead = Das verschwände aus allen Dateien, samt allem, was daraus abgeleitet ist:
page-and_more = Und weitere: { $count }
page-forget_yes = Vergessen
page-keep = Behalten
page-forgot_title = Vergessen
page-undo_within = Das lässt sich { $seconds } Sekunden lang zurücknehmen.
page-undone_title = Zurückgenommen
page-by_time = nach der Zeit geordnet
page-none_found = Nichts gefunden.
page-search_lead = Gesucht wird in allem Gesagten, Gemerkten und Indexierten, wie für eine Antwort; jeder Fund sagt, warum er gefunden wurde.
page-forgotten_lead = Belege über das, was hier gelöscht wurde: wann und wie viel, ohne ein Wort davon.
page-what = Was
page-turns = Schritte
page-items = Erinnerungen
page-answers = Antworten
page-documents = Dokumente
page-everything = alles
page-one_memory = einzelne Erinnerungen
page-nothing_forgotten = Hier wurde nichts vergessen.
page-saved = Gespeichert.
page-saved_masked = Gespeichert, ohne das, was wie ein Geheimnis aussieht: { $kinds }.
page-was_pinned = Angeheftet: Sie steht jetzt in jeder Anfrage.
page-was_unpinned = Nicht mehr angeheftet.
page-entered = Geöffnet
page-closed_title = Geschlossen
page-closed = Diese Seite ist geschlossen. mneme page oder /page im Chat öffnet sie wieder.
page-link_title = Dieser Link öffnet nichts (mehr)
page-link_spent = Jeder Link öffnet die Seite einmal, innerhalb einiger Minuten. mneme page oder /page im Chat macht einen neuen.
page-missing_title = Hier ist nichts
page-missing = Es wurde vergessen oder war nie da.
page-changed_title = Das Gedächtnis hat sich inzwischen geändert
page-changed = Nichts wurde getan. Bitte sieh noch einmal nach.
page-failed_title = Das ging nicht
page-failed = Das Gedächtnis ist gerade nicht erreichbar. Bitte versuche es später noch einmal.
page-too_large = Das war mehr, als dieses Formular aufnimmt. Nichts wurde geändert.
page-people_lead = Wen und was die Nachrichten nennen, und wer zusammen genannt wird.
page-name_search = Einen Namen finden
page-map_label = Karte der Namen
page-map_explains = Namen, die in denselben Nachrichten stehen, sind verbunden: je breiter eine Linie, desto öfter. Ein größeres Zeichen wird öfter genannt. Jedes führt zu seiner Seite.
page-legend = Zeichen
page-all_names = Alle Namen: { $count }
page-named_times = Nachrichten: { $count }
page-last_named = zuletzt am { $day }
page-nobody_yet = Hier wurde noch niemand und nichts genannt.
page-named_in_messages = Nachrichten mit diesem Namen
page-first_named = Zuerst
page-newest_named = Zuletzt
page-known_about = Was bekannt ist
page-nothing_known = Keine Erinnerung enthält diesen Namen.
page-named_together = Zusammen genannt mit
page-files_removed = Gesendete Dokumente: { $count }
page-indexed = Indexiert
page-document_size = Abschnitte: { $sections }, Zeichen: { $characters }
page-export = Alles als Datei mitnehmen
page-no_documents = Hier wurde noch kein Dokument gesendet.
page-outline = Abschnitte
page-page_number = Seite { $page }
page-previous = Davor
page-next = Danach
page-costs_lead = Tokens, wie die Server der Sprachmodelle sie zählen, und was sie kosten, wo ein Preis bekannt ist. Tage nach UTC.
page-by_month_and_model = Nach Monat und Modell
page-by_day = Tag für Tag
page-month_head = Monat
page-model = Modell
page-unnamed_model = ohne Namen
page-day_head = Tag
page-read_tokens = Gelesen
page-cached_tokens = davon im Cache
page-written_tokens = Geschrieben
page-calls = Aufrufe
page-money = Geld
page-together = In den letzten zwölf Monaten (gelesen / geschrieben)
page-no_costs = Hier wurde noch kein Sprachmodell gefragt.
page-quiet_from = Von
page-quiet_to = Bis
page-app_title = Dein Gedächtnis
page-app_lead = Öffne diese Seite über das Menü des Bots in Telegram.
page-app_script = Diese Seite braucht JavaScript, um von Telegram zu erfahren, wer du bist.
page-app_refused = Ich kann dich nicht hereinlassen. Wenn du mit dem Bot reden darfst, schließe diese Seite und öffne sie erneut.
page-menu_button = Gedächtnis
page-link = Deine Gedächtnisseite, auf der Maschine, auf der ich laufe, einmal innerhalb von { $minutes } Minuten: { $link }
page-by_menu = Deine Gedächtnisseite öffnet sich über den Menüknopf neben dem Eingabefeld.
page-not_here = Die Seite zeigt das Gedächtnis einer Person: Frag in unserem eigenen Chat danach.
page-not_yours = Für dich gibt es hier keine Seite: Der Betreiber kann page.publicUrl setzen.
page-off = Die Seite ist ausgeschaltet (page.enabled).
page-terminal = Terminal-Chat
page-direct = Direktchat mit { $name }
page-group = Gruppe { $id }
page-topic = Thema { $topic } der Gruppe { $id }
page-shared = Gemeinsames Gedächtnis „{ $name }“
page-tabs =
    .timeline = Zeitstrahl
    .people = Personen
    .memories = Erinnerungen
    .search = Suche
    .reminders = Erinnern
    .lists = Listen
    .documents = Dokumente
    .forgotten = Vergessenes
    .costs = Kosten
    .settings = Einstellungen
page-kinds =
    .decision = Entscheidung
    .constraint = Regel
    .failure = Fehlschlag
    .fix = Lösung
    .preference = Vorliebe
    .project_fact = Tatsache
    .task_state = Aufgabe
    .command_result = Ergebnis
page-name_kinds =
    .person = Person
    .place = Ort
    .organisation = Organisation
    .thing = Ding
    .name = Name
page-origins =
    .forwarded = weitergeleitet
    .quoted = zitiert
    .file = Datei
    .tool = Werkzeug
