"""The words of /users in English."""

from __future__ import annotations

from typing import Final

from language.users_texts import UsersTexts

USERS: Final = UsersTexts(
    head="People who may talk to me",
    none="Nobody may talk to me yet. Let somebody in with a code:",
    owner_only="Only the owner (telegram.ownerId) can see and change who may talk to me.",
    not_here="I tell who may talk to me in our own chat alone.",
    line="{who} – messages: {messages}",
    by_code="Let in by a code on {day}",
    by_settings="Let in by the configuration (telegram.allowedUsers)",
    seen="Wrote last on {moment}",
    never_seen="Has not written yet",
    messages="Messages that are kept: {count}",
    tokens="Tokens this month: {count}",
    owner="(my owner)",
    revoke_button="Revoke",
    back="‹ Back",
    confirm="Let {who} in no longer? Their next message is a stranger's. What is remembered of them stays.",
    confirm_button="Revoke {id}",
    revoked="{id} is not paired any more. What is remembered of them stays, and a new code lets them in to it again.",
    unknown="{id} is not paired.",
    listed="{id} is let in by telegram.allowedUsers in the configuration, and can only be taken out there.",
    invite_button="Invite somebody",
    invited=(
        "Pass this on: `/start {code}`\nIt lets one person in, once, within {minutes} minutes, in a direct chat with "
        "me."
    ),
    link="Or as a link: {link}",
    no_bot="There is no Telegram bot: set TELEGRAM_TOKEN in .env or the environment.",
    pairing_off="Codes are switched off (telegram.pairing).",
)
