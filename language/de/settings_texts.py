"""The words of /settings in German."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from language.settings_texts import SettingsTexts

SETTINGS: Final = SettingsTexts(
    own_name="Deutsch",
    zones=("Europe/Berlin", "Europe/Vienna", "Europe/Zurich", "Europe/Luxembourg"),
    head="Einstellungen dieses Chats",
    titles=MappingProxyType(
        {
            "language": "Sprache",
            "memory": "Gedächtnis",
            "streaming": "Mitlesen",
            "quiet": "Ruhezeiten",
            "zone": "Zeitzone",
            "scope": "Wessen Gedächtnis",
        }
    ),
    about=MappingProxyType(
        {
            "language": "Die Sprache meiner eigenen Worte hier: Hinweise, Knöpfe, das Menü.",
            "memory": (
                "Aus: Was von da an hier gesagt wird, wird weder behalten noch durchsucht, und ich lerne nichts "
                "daraus; "
                "ich weiß es, bis das Gespräch endet. Was ich mir gemerkt habe, bleibt, wie es ist, und ist wieder da, "
                "wenn du das Gedächtnis einschaltest."
            ),
            "streaming": "Ein: Du siehst eine Antwort, während sie entsteht. Aus: Sie kommt, wenn sie fertig ist.",
            "quiet": (
                "Zu diesen Zeiten schicke ich nichts, worum du nicht gerade gebeten hast; es kommt, wenn sie vorbei "
                "sind."
            ),
            "zone": "Daten und Uhrzeiten gelten in dieser Zone, Ruhezeiten und Erinnerungen richten sich nach ihr.",
            "scope": (
                "Welches Gedächtnis ich hier lese und schreibe. Eine andere Wahl verschiebt nichts: Jedes bleibt, wo "
                "es "
                "ist."
            ),
        }
    ),
    on="ein",
    off="aus",
    default="Wie vom Betreiber eingestellt",
    as_set="{value} (vom Betreiber eingestellt)",
    by_client="wie deine App",
    no_quiet="keine",
    machine_zone="die des Servers",
    scopes=MappingProxyType(
        {
            "user": "deines",
            "chat": "das dieses Chats",
            "topic": "eines für jedes Thema",
            "shared": "eines, das mehrere Chats teilen",
        }
    ),
    scope_changed=MappingProxyType(
        {
            "user": (
                "Ab jetzt benutze ich hier dein eigenes Gedächtnis. Was im Gedächtnis des Chats steht, bleibt dort."
            ),
            "chat": (
                "Ab jetzt hat der ganze Chat ein einziges eigenes Gedächtnis. Was anderswo gemerkt wurde, bleibt dort "
                "und wird hier nicht durchsucht."
            ),
            "topic": (
                "Ab jetzt hat jedes Thema sein eigenes Gedächtnis, und keines weiß, was in den anderen gesagt wird. "
                "Was "
                "im Gedächtnis des Chats steht, bleibt dort und wird in Themen nicht durchsucht."
            ),
        }
    ),
    memory_off=(
        "Das Gedächtnis ist hier aus: Von dem, was ab jetzt gesagt wird, behalte ich nichts. Was ich mir gemerkt habe, "
        "bleibt; /forget löscht es."
    ),
    memory_on="Das Gedächtnis ist hier eingeschaltet.",
    memory_off_for_all="Der Betreiber hat das Gedächtnis für alle ausgeschaltet, also bleibt es auch hier aus.",
    not_kept=(
        "Das Gedächtnis ist hier aus, davon behalte ich also nichts; ich weiß es, bis dieses Gespräch endet (/settings "
        "memory)."
    ),
    back="‹ Zurück",
    saved="{title} – jetzt: {value}",
    admins_only=(
        "Die Einstellungen dieser Gruppe ändern nur ihre Admins, die mit mir sprechen dürfen, und mein Betreiber."
    ),
    owner_only="Die Einstellungen des Bots sieht nur sein Betreiber.",
    not_here="Die Einstellungen des Bots nenne ich nur in unserem eigenen Chat.",
    settled="Wessen Gedächtnis hier benutzt wird, hat der Betreiber festgelegt.",
    unknown=(
        "Diese Einstellung kenne ich nicht. Es gibt: /settings language, memory, streaming, quiet, zone, scope – mit "
        "einem Wert dahinter oder allein."
    ),
    bad_language="Ich spreche: {languages}. Mit auto richte ich mich nach deiner App.",
    bad_switch="Möglich sind on, off und default.",
    bad_quiet="Schreib Ruhezeiten so: /settings quiet 22:00-07:30, oder /settings quiet off",
    bad_zone="Eine Zeitzone {zone} kenne ich nicht. Schreib sie so: /settings zone Europe/Berlin",
    similar_zones="Vielleicht eine von diesen: {zones}",
    zone_saved="Dort ist es jetzt {time}.",
    type_zone="Jede andere: /settings zone Europe/Berlin",
    type_quiet="Andere Zeiten: /settings quiet 22:00-07:30",
    bot_button="Einstellungen des Bots",
    bot_head="Einstellungen des Bots, die von ihren Vorgaben abweichen",
    bot_where="Geändert werden sie in {file}, und die meisten wirken sofort; docs/configuration.md nennt alle.",
    bot_defaults="Alle Einstellungen haben ihre Vorgaben.",
    bot_secret="(gesetzt, wird nicht gezeigt)",  # noqa: S106 - no password
    bot_problem="Achtung: In der Datei ist ein Fehler, deshalb gilt die letzte gute Fassung. {problem}",
)
