"""/users: who may talk to the bot, since when and how much; letting in, and out again; for the owner alone."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import ClassVar, Final

from adapters.sqlite.conversations.chats import SqliteUsers
from bot.commands.formatting import count, escape, make_reply
from bot.config.schema import TelegramSettings
from bot.errors import ConfigInvalid
from bot.memory.items import Trust
from bot.messages import ChatKind
from bot.ports.chats import Access, UserFigures
from bot.ports.system import CommandCall
from bot.runtime.app import App
from bot.turn import Reply
from language.command_texts import UsersTexts
from language.texts import Texts

_LISTED: Final = 20
"""More would not be looked through; `mneme users` lists all."""


async def register(app: App) -> None:
    """Add /users to Mneme."""

    async def invite() -> Invitation:
        # aiogram takes a second to import, and the terminal does without
        from adapters.telegram.access import make_pairing_code  # noqa: PLC0415
        from adapters.telegram.account import make_api_server, make_invitation_link  # noqa: PLC0415

        settings = app.settings.current.telegram
        code, minutes = make_pairing_code(), settings.pairing_code_minutes
        await app.access.issue(read_bot_id(settings.token), code, app.clock.now() + timedelta(minutes=minutes))
        return Invitation(
            code, minutes, await make_invitation_link(settings.token, make_api_server(settings.api_url), code)
        )

    def admission() -> Admission:
        settings = app.settings.current.telegram
        return Admission(
            bot_id=read_bot_id(settings.token) if settings.token else None,
            listed=list_allowed(settings),
            owner=settings.owner_id,
            invite=invite if settings.pairing else None,
        )

    app.added.commands.append(Users(app.access, SqliteUsers(app.database), admission))


def list_allowed(settings: TelegramSettings) -> tuple[int, ...]:
    """Return the ids that the configuration lets in, the owner's among them."""
    owner = () if settings.owner_id is None else (settings.owner_id,)
    return tuple(dict.fromkeys((*owner, *settings.allowed_users)))


def read_bot_id(token: str) -> int:
    """Return the bot's id, which its token begins with.  Raises :class:`~bot.errors.ConfigInvalid`."""
    number = token.split(":", 1)[0]
    if not (number.isascii() and number.isdecimal()):
        raise ConfigInvalid("TELEGRAM_TOKEN is not a bot token: expected NUMBER:LETTERS as @BotFather shows it")
    return int(number)


@dataclass(frozen=True, slots=True)
class Invitation:
    """A one-time code, how long it is good for, and the link that sends it, "" where Telegram cannot be asked."""

    code: str
    minutes: int
    link: str = ""


@dataclass(frozen=True, slots=True)
class Admission:
    """What lets people in: the bot they talk to (``None`` without one), who is listed, and how to invite.

    ``listed`` are the ids in the configuration, ``owner`` among them; ``invite`` makes a code, ``None`` while codes are
    switched off.
    """

    bot_id: int | None
    listed: tuple[int, ...]
    owner: int | None
    invite: Callable[[], Awaitable[Invitation]] | None


@dataclass(frozen=True, slots=True)
class Users:
    """Lists the users, shows one, takes a pairing back once that was confirmed, and makes codes.

    A pairing that is taken back acts with that user's next message; what is remembered of them stays.
    """

    access: Access
    directory: SqliteUsers
    admission: Callable[[], Admission]

    name: ClassVar[str] = "users"
    REVOKE: ClassVar[str] = "revoke"
    INVITE: ClassVar[str] = "invite"

    async def run(self, call: CommandCall) -> Reply:
        """Return the list, a user's card, or what became of a pairing."""
        texts = call.texts
        if call.author.trust is not Trust.OWNER:
            return make_reply(texts.users.owner_only)
        if call.message.chat_kind is not ChatKind.DIRECT:
            return make_reply(texts.users.not_here)
        admission = self.admission()
        if admission.bot_id is None:
            return make_reply(texts.users.no_bot)
        return await self._answer(call, admission, admission.bot_id, texts)

    async def _answer(self, call: CommandCall, admission: Admission, bot_id: int, texts: Texts) -> Reply:
        match call.argument.casefold().split():
            case [self.INVITE]:
                return await self._invite(admission, texts.users)
            case [self.REVOKE, number, "yes"] if _is_id(number):
                return await self._revoke(bot_id, int(number), texts.users)
            case [self.REVOKE, number] if _is_id(number):
                return await self._ask(call, admission, bot_id, int(number), texts)
            case [number] if _is_id(number):
                return await self._show(call, admission, bot_id, int(number), texts)
        return await self._list(call, admission, bot_id, texts)

    async def _list(self, call: CommandCall, admission: Admission, bot_id: int, texts: Texts) -> Reply:
        words = texts.users
        users = await self._describe(call, admission, bot_id)
        buttons = tuple(
            (_who(user, words, admission, plain=True), f"/{self.name} {user.id}") for user in users[:_LISTED]
        )
        if admission.invite is not None:
            buttons = (*buttons, (words.invite_button, f"/{self.name} {self.INVITE}"))
        if not users:
            return make_reply(words.none, buttons=buttons, in_place=True)
        lines = "\n".join(
            f"- {words.line.format(who=_who(user, words, admission), messages=count(user.messages))}"
            for user in users[:_LISTED]
        )
        return make_reply(f"**{words.head}**", lines, buttons=buttons, in_place=True)

    async def _show(self, call: CommandCall, admission: Admission, bot_id: int, number: int, texts: Texts) -> Reply:
        words = texts.users
        back = (words.back, f"/{self.name}")
        user = next((each for each in await self._describe(call, admission, bot_id) if each.id == number), None)
        if user is None:
            return make_reply(words.unknown.format(id=number), buttons=(back,), in_place=True)
        zone = call.now.tzinfo
        paired, seen = user.paired_at, user.last_seen
        lines = (
            words.by_code.format(day=texts.day(paired, zone)) if paired is not None else words.by_settings,
            words.seen.format(moment=texts.moment(seen, zone)) if seen is not None else words.never_seen,
            words.messages.format(count=count(user.messages)),
            words.tokens.format(count=count(user.tokens)),
        )
        revoke = (words.revoke_button, f"/{self.name} {self.REVOKE} {number}")
        buttons = (revoke, back) if paired is not None else (back,)
        listed = "\n".join(f"- {line}" for line in lines)
        return make_reply(f"**{_who(user, words, admission)}**", listed, buttons=buttons, in_place=True)

    async def _ask(self, call: CommandCall, admission: Admission, bot_id: int, number: int, texts: Texts) -> Reply:
        words = texts.users
        user = next((each for each in await self._describe(call, admission, bot_id) if each.id == number), None)
        if user is None or user.paired_at is None:
            said = words.listed if number in admission.listed else words.unknown
            return make_reply(said.format(id=number), in_place=True)
        buttons = (
            (words.confirm_button.format(id=number), f"/{self.name} {self.REVOKE} {number} yes"),
            (words.back, f"/{self.name} {number}"),
        )
        asked = words.confirm.format(who=_who(user, words, admission))
        return make_reply(asked, buttons=buttons, in_place=True)

    async def _revoke(self, bot_id: int, number: int, words: UsersTexts) -> Reply:
        gone = await self.access.unpair(bot_id, number)
        said = (words.revoked if gone else words.unknown).format(id=number)
        return make_reply(said, buttons=((words.back, f"/{self.name}"),), in_place=True)

    async def _invite(self, admission: Admission, words: UsersTexts) -> Reply:
        if admission.invite is None:
            return make_reply(words.pairing_off)
        made = await admission.invite()
        told = words.invited.format(code=made.code, minutes=made.minutes)
        return make_reply(told, words.link.format(link=made.link) if made.link else "")

    async def _describe(self, call: CommandCall, admission: Admission, bot_id: int) -> tuple[UserFigures, ...]:
        today = call.now.astimezone(UTC).date()
        people = tuple(user for user in admission.listed if user > 0)  # a group's id stands for its anonymous admins
        return await self.directory.describe(bot_id, people, today.replace(day=1), today)


def _who(user: UserFigures, words: UsersTexts, admission: Admission, *, plain: bool = False) -> str:
    """Return name and id; a button shows no Markdown."""
    number = str(user.id) if plain else f"`{user.id}`"
    name = user.name[:40] if plain else escape(user.name, 40)
    owner = words.owner if user.id == admission.owner else ""
    return " ".join(part for part in (name, number, owner) if part)


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 18  # noqa: PLR2004 - digits of what a database can hold
