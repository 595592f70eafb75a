"""English: about documents that were sent."""

from __future__ import annotations

from types import MappingProxyType

from language.document_texts import DocumentTexts

DOCUMENTS = DocumentTexts(
    reading="Reading {name} …",
    read="I have read {name} ({about}).",
    known="I know {name} already ({about}); nothing was added.",
    renewed="It takes the place of the earlier one with this name (version {version}).",
    cut="It is longer than I may read: the rest is left out.",
    masked="What looked like a secret was left out.",
    how_to_ask="Ask me about it, or reply to this message. /docs lists what I have read.",
    failed="I could not read {name}: {reason}.",
    export=(
        "{name} is an export of conversations. To bring its messages along, send it again with the caption "
        "/import (in the terminal: /import PATH). I have kept nothing of it."
    ),
    memory_off="I keep nothing while memory is off, so I have not read {name}.",
    unnamed="the file",
    reasons=MappingProxyType(
        {
            "": "something is wrong with it",
            "encrypted": "it is protected by a password",
            "too_large": "it is too large",
            "empty": "it is empty",
            "no_text": "there is no text in it, only pictures",
            "damaged": "it is damaged",
            "unknown_kind": "I do not know this kind of file",
            "rich_text": "rich text (.rtf) is not read; save it as .docx",
            "archive": "an archive is not unpacked; send the files in it one by one",
            "old_office": "the old formats .doc, .xls and .ppt are not read; save it as .docx, .xlsx or .pptx",
            "outlook": "Outlook's own format (.msg) is not read; save the message as .eml",
            "timed_out": "it took too long",
            "gone": "it is not there any more",
            "unreachable": "it cannot be reached right now; please try again later",
            "disk": "there is no room for it here",
            "private": "that address is not public",
            "scheme": "only http and https addresses can be read",
            "port": "only ordinary web addresses are read",
            "credentials": "only ordinary web addresses are read",
            "kind": "I do not know what lies there",
            "malformed": "that is no address",
            "status": "the site answers with an error",
            "unresolved": "there is no such address",
            "redirects": "the address leads in circles",
        }
    ),
    about_pages="pages: {count}",
    about_sections="sections: {count}",
    about_characters="characters: {count}",
    place_page="p. {page}",
    listed="Documents: {count}",
    none="I have read no documents here yet. Send me a file or a link.",
    open_button="Open {number}",
    forget_button="Forget",
    added="Added {day} by {author}.",
    source="From {url}",
    outline="Sections:",
    more_sections="… and more: {count}",
    confirm="Forget {name} with everything that I have read in it?",
    yes_forget="Yes, forget it",
    several="Several documents can be meant by “{name}”:",
    missing="I have no document “{name}”. /docs lists what I have read.",
    from_terminal="A path can be given in the terminal chat only. Here, send me the file.",
    usage="/docs lists documents; /docs NAME opens one; /docs forget NAME forgets it.",
    ask_usage="Ask like this: /ask NAME your question (the name or number is in /docs).",
    page_of="Page {page} of {pages}",
)
