"""What is said about taking a memory away and bringing conversations along, in English."""

from __future__ import annotations

from types import MappingProxyType

from language.porting_texts import ExportTexts, ImportTexts

EXPORTING = ExportTexts(
    ready=(
        "Everything that I keep of this chat. Messages: {turns}, memories: {items}, {size} MB.\n\n"
        "README.md in it says what stands where; sent back with /import, it is read again."
    ),
    written="The file: `{path}`",
    nothing="Nothing is kept of this chat yet.",
    too_large=(
        "The export has {size} MB, more than I can send here ({limit} MB). "
        "In the terminal: `mneme export --scope {scope}`"
    ),
    confirm="Everybody in this group will be able to open the file, with all that I keep of the group. Send it?",
    confirm_button="Send it here",
    owner_only="A memory that several people share is exported by my owner, that of a group also by its admins.",
    private="In this group I use your private memory. Ask for its export in our direct chat.",
)

IMPORTING = ImportTexts(
    usage=(
        "Send me an exported conversation as a file with the caption /import: result.json of Telegram Desktop, "
        "a chat of WhatsApp, conversations.json of ChatGPT or Claude, a channel of Discord (DiscordChatExporter), "
        "message_1.json of Messenger or Instagram, a workspace of Slack, an export of mine, or the zip they came in."
    ),
    usage_terminal="Name the file: `/import FILE`",
    survey="{format}, messages: {messages}, chats: {chats}, from {first} to {last}.",
    archive="Memories: {items}.",
    left_out="Left out: {what}: {count}",
    reasons=MappingProxyType(
        {
            "SERVICE": "notices (joined, called, pinned …)",
            "PICTURE": "pictures without a caption",
            "VIDEO": "videos without a caption",
            "VOICE": "voice messages and music",
            "STICKER": "stickers",
            "FILE": "files without a caption",
            "NO_TEXT": "other messages without words",
            "VERSION": "versions of messages that were replaced",
            "HIDDEN": "hidden messages and calls of tools",
            "NO_AUTHOR": "messages without an author",
            "NO_DATE": "messages without a date",
            "TOO_LONG": "messages of more than 1,000,000 characters",
            "NOT_YOURS": "memories of other people",
        }
    ),
    more_people="… and others: {count}",
    who="Who of these is you? Your words become yours here, all others' stay theirs.",
    nobody_button="None of them",
    you="You are {name}.",
    own_export="I wrote this file myself: everything comes back as it was.",
    tokens="Long-term memory will give about {tokens} tokens of it to its language model to read.",
    tokens_priced=(
        "Long-term memory will give about {tokens} tokens of it to its language model to read: "
        "about {money}, without what the model writes."
    ),
    start="Nothing is stored yet. Import it?",
    start_button="Import",
    cancel_button="Cancel",
    begun="I have begun to import “{name}”, and go on answering meanwhile. /import says how far it is.",
    progress="“{name}”: {done} of {total} ({share} %)",
    done="“{name}” is imported. New: {added}, here already: {known}.",
    forgotten="Forgotten on purpose before, and left so: {count}.",
    refused="This cannot be imported: {reason}",
    cancelled="The import of “{name}” was cancelled. What came in until then stays: {added}.",
    gone="This import is over, or was never begun.",
    none="No import is under way.",
    busy="An import is under way here already. /import says how far it is.",
    too_large=(
        "The file is larger than I may fetch here ({limit} MB). "
        "Put it on the machine that I run on, and import it in the terminal: `mneme import FILE`"
    ),
    not_fetched="The file could not be fetched. Please send it again.",
    owner_only="Into a memory that several people share my owner imports, into that of a group its admins, too.",
    memory_off="Memory is switched off: nothing can be brought along.",
)
