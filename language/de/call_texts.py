"""The sentences about calls of foreign tools in German."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from language.call_texts import CallTexts

CALLS: Final = CallTexts(
    ask="Das tue ich nur, wenn du es willst. Genau diesen Aufruf machen? {text}",
    agree="Ausführen",
    done="Erledigt. {tool} von {server} antwortet:",
    nothing="Erledigt. {tool} von {server} antwortet ohne ein Wort.",
    failed="{tool} von {server} hat es nicht getan:",
    unsure="Niemand weiß, ob {tool} von {server} es getan hat; von selbst tue ich es nicht noch einmal:",
    too_late="Diese Frage ist nicht mehr offen. Nichts wurde getan. Frag mich noch einmal.",
    history="(Der Benutzer hat zugestimmt, {tool} von {server} wurde aufgerufen. Oben steht die Antwort.)",
    owner_only="Das darf nur, wem dieser Bot gehört.",
    none="Es sind keine Werkzeug-Server eingerichtet (mcp.servers).",
    head="Werkzeuge anderer Programme:",
    states=MappingProxyType({"starting": "startet", "ready": "bereit", "down": "nicht da"}),
    asks="fragt zuerst",
    runs="läuft von selbst",
    held="zurückgehalten: Es sagt anderes als bei der Freigabe: {text}",
    approve="{tool} freigeben",
    approved="{tool} von {server} darf benutzt werden, wie es sich jetzt beschreibt.",
    changed="{tool} von {server} beschreibt sich inzwischen anders. Sieh noch einmal nach: /tools",
)
