"""The words of /users in German."""

from __future__ import annotations

from typing import Final

from language.users_texts import UsersTexts

USERS: Final = UsersTexts(
    head="Wer mit mir sprechen darf",
    none="Noch darf niemand mit mir sprechen. Lass jemanden mit einem Code herein:",
    owner_only="Nur der Betreiber (telegram.ownerId) sieht und ändert, wer mit mir sprechen darf.",
    not_here="Wer mit mir sprechen darf, sage ich nur in unserem eigenen Chat.",
    line="{who} – Nachrichten: {messages}",
    by_code="Durch einen Code hereingelassen am {day}",
    by_settings="Durch die Konfiguration hereingelassen (telegram.allowedUsers)",
    seen="Hat zuletzt geschrieben: {moment}",
    never_seen="Hat noch nie geschrieben",
    messages="Nachrichten, die behalten sind: {count}",
    tokens="Token diesen Monat: {count}",
    owner="(mein Betreiber)",
    revoke_button="Entziehen",
    back="‹ Zurück",
    confirm=(
        "{who} nicht mehr hereinlassen? Die nächste Nachricht ist dann die eines Fremden. Was ich mir gemerkt habe, "
        "bleibt."
    ),
    confirm_button="{id} den Zugang entziehen",
    revoked="{id} hat keinen Zugang mehr. Was ich mir gemerkt habe, bleibt, und ein neuer Code führt wieder dorthin.",
    unknown="{id} ist nicht durch einen Code hereingekommen.",
    listed="{id} steht in telegram.allowedUsers in der Konfiguration und kann nur dort gestrichen werden.",
    invite_button="Jemanden einladen",
    invited=(
        "Gib das weiter: `/start {code}`\nEs lässt eine Person herein, einmal, innerhalb von {minutes} Minuten, im "
        "direkten Chat mit mir."
    ),
    link="Oder als Link: {link}",
    no_bot="Es gibt keinen Telegram-Bot: setze TELEGRAM_TOKEN in .env oder in der Umgebung.",
    pairing_off="Codes sind ausgeschaltet (telegram.pairing).",
)
