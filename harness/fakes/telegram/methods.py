"""The methods of the Bot API that the bot uses; every other one is refused."""

import inspect
import re
from typing import Any

from harness.fakes.telegram.chats import Chats, Files, SentFile, Shown, user_json
from harness.fakes.telegram.floods import Floods, Refusal, bad_request, wrong_request
from harness.fakes.telegram.updates import UpdateQueue
from harness.fakes.telegram.validation import (
    checked_alert,
    checked_caption_content,
    checked_commands,
    checked_content,
    checked_entities,
    checked_keyboard,
    checked_reaction,
    checked_text,
    checked_upload,
)

_Json = dict[str, Any]  # Any: JSON
_WITH_FILES = {"senddocument"}
_UPLOADS = " uploads"
"""Where the files stand beside the parameters: no parameter is called so."""
_WEBHOOK_PORTS = {"443", "80", "88", "8443", ""}


class Methods:
    """Answers calls; ``params`` are already decoded from form or JSON, and right by themselves."""

    def __init__(self, me: _Json, updates: UpdateQueue, chats: Chats, floods: Floods, files: Files) -> None:
        self.me = me
        self.webhook: _Json = {}
        self.webhook_error: _Json = {}
        self.commands: dict[str, list[_Json]] = {}
        self.scoped_commands: dict[tuple[str, str], list[_Json]] = {}
        self.descriptions: dict[str, str] = {}
        self.short_descriptions: dict[str, str] = {}
        self.answered: list[_Json] = []
        self.menu_button: _Json = {"type": "default"}
        self.queries: set[str] = set()
        self._updates = updates
        self._chats = chats
        self._floods = floods
        self._files = files
        answers = inspect.getmembers(self, inspect.iscoroutinefunction)
        self._answers = {name.replace("_", ""): answer for name, answer in answers if name.startswith("_")}
        """By the method's name in small letters; what answers ``sendMessage`` is called ``_send_message``."""

    async def call(self, method: str, params: _Json, uploads: dict[str, SentFile] | None = None) -> Any:  # Any: JSON
        """Return the ``result`` of a call; ``uploads`` are the files that came with it.  Raises :class:`Refusal`."""
        answer = self._answers.get(method.lower())
        if answer is None:
            raise Refusal(404, "Not Found: method not found", violation=True)
        if method.lower() in _WITH_FILES:
            return await answer(params | {_UPLOADS: uploads or {}})
        if uploads:
            raise wrong_request(f"{method} takes no files")
        return await answer(params)

    async def _get_me(self, _params: _Json) -> _Json:
        return self.me | {"can_join_groups": True, "can_read_all_group_messages": False}

    async def _get_updates(self, params: _Json) -> list[_Json]:
        if self.webhook:
            raise Refusal(
                409,
                "Conflict: can't use getUpdates method while webhook is active; "
                "use deleteWebhook to delete the webhook first",
            )
        if "allowed_updates" in params:
            self._updates.allow(params["allowed_updates"])
        return await self._updates.get(
            offset=params.get("offset"), limit=int(params.get("limit", 100)), timeout_s=float(params.get("timeout", 0))
        )

    async def _get_file(self, params: _Json) -> _Json:
        return self._files.get(params)

    async def _get_chat_member(self, params: _Json) -> _Json:
        chat_id, user_id = _chat_id(params), int(params["user_id"])
        self._chats.reachable(chat_id)
        if (chat_id, user_id) in self._chats.admins:
            return {"status": "creator", "user": user_json(user_id), "is_anonymous": False}
        return {"status": "member", "user": {"id": user_id, "is_bot": False, "first_name": f"User {user_id}"}}

    async def _send_message(self, params: _Json) -> _Json:
        return self._send(params, *checked_content(params))

    async def _send_document(self, params: _Json) -> _Json:
        file = checked_upload(params["document"], params[_UPLOADS])
        return self._send(params, *checked_caption_content(params), file)

    def _send(
        self, params: _Json, text: str, entities: list[_Json], keyboard: _Json | None, file: SentFile | None = None
    ) -> _Json:
        chat_id, topic = _chat_id(params), params.get("message_thread_id")
        self._chats.reachable(chat_id, topic)
        self._floods.check(chat_id)
        reply_to = self._chats.replied(chat_id, params.get("reply_parameters"))
        self._chats.typing.pop(chat_id, None)
        self._chats.previews.pop(chat_id, None)
        number = self._chats.next_message_id()
        return self._chats.show(Shown(number, chat_id, text, topic, entities, keyboard, reply_to=reply_to, file=file))

    async def _send_message_draft(self, params: _Json) -> bool:
        chat_id = _chat_id(params)
        text = checked_text(params.get("text", ""), empty=True)
        checked_entities(params.get("entities") or [], text)
        if not params.get("draft_id"):
            raise wrong_request("RANDOM_ID_INVALID")
        if chat_id < 0:
            raise wrong_request("TEXTDRAFT_PEER_INVALID")
        self._chats.reachable(chat_id, params.get("message_thread_id"))
        self._floods.check(chat_id)
        self._chats.previews[chat_id] = text
        return True

    async def _edit_message_text(self, params: _Json) -> _Json:
        chat_id, message_id = _chat_id(params), _message_id(params)
        text, entities, keyboard = checked_content(params)
        self._chats.reachable(chat_id)
        self._floods.check(chat_id)
        return self._chats.edit(chat_id, message_id, text, entities, keyboard)

    async def _edit_message_reply_markup(self, params: _Json) -> _Json:
        chat_id, message_id = _chat_id(params), _message_id(params)
        keyboard = checked_keyboard(params.get("reply_markup"))
        self._chats.reachable(chat_id)
        self._floods.check(chat_id)
        return self._chats.edit_keyboard(chat_id, message_id, keyboard)

    async def _send_chat_action(self, params: _Json) -> bool:
        chat_id = _chat_id(params)
        self._chats.reachable(chat_id, params.get("message_thread_id"))
        self._floods.check_overall()
        self._chats.typing[chat_id] = self._chats.typing.get(chat_id, 0) + 1
        return True

    async def _answer_callback_query(self, params: _Json) -> bool:
        checked_alert(params.get("text", ""))
        if str(params["callback_query_id"]) not in self.queries:
            raise bad_request("query is too old and response timeout expired or query ID is invalid")
        self.answered.append(params)
        return True

    async def _set_my_commands(self, params: _Json) -> bool:
        commands, language = checked_commands(params["commands"]), _language(params)
        self._check_scope(params)
        self.scoped_commands[_scope(params), language] = commands
        if _scope(params) == "default":
            self.commands[language] = commands
        return True

    async def _delete_my_commands(self, params: _Json) -> bool:
        language = str(params.get("language_code", ""))
        self.scoped_commands.pop((_scope(params), language), None)
        if _scope(params) == "default":
            self.commands.pop(language, None)
        return True

    def _check_scope(self, params: _Json) -> None:
        """A menu of one chat needs a chat that the bot has met."""
        scope = params.get("scope") or {}
        if "chat_id" in scope:
            self._chats.reachable(int(scope["chat_id"]))

    async def _set_my_description(self, params: _Json) -> bool:
        self.descriptions[_language(params)] = str(params.get("description", ""))
        return True

    async def _get_my_description(self, params: _Json) -> _Json:
        return {"description": self.descriptions.get(_language(params)) or self.descriptions.get("", "")}

    async def _set_my_short_description(self, params: _Json) -> bool:
        self.short_descriptions[_language(params)] = str(params.get("short_description", ""))
        return True

    async def _get_my_short_description(self, params: _Json) -> _Json:
        found = self.short_descriptions.get(_language(params)) or self.short_descriptions.get("", "")
        return {"short_description": found}

    async def _set_message_reaction(self, params: _Json) -> bool:
        chat_id, message_id = _chat_id(params), _message_id(params)
        emoji = checked_reaction(params.get("reaction") or [])
        self._chats.reachable(chat_id)
        self._floods.check_overall()
        self._chats.react(chat_id, message_id, emoji)
        return True

    async def _set_chat_menu_button(self, params: _Json) -> bool:
        button = params.get("menu_button") or {"type": "default"}
        if button["type"] == "web_app" and not str(button["web_app"]["url"]).startswith("https://"):
            raise wrong_request("BUTTON_URL_INVALID")
        self.menu_button = button
        return True

    async def _set_webhook(self, params: _Json) -> bool:
        url = re.fullmatch(r"https://[^/:]+(?::(\d+))?(?:/.*)?", params["url"])
        if params["url"] and url is None:
            raise wrong_request("bad webhook: An HTTPS URL must be provided for webhook")
        if url is not None and (url[1] or "") not in _WEBHOOK_PORTS:
            raise wrong_request("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443")
        if not re.fullmatch(r"[A-Za-z0-9_-]{0,256}", params.get("secret_token", "")):
            raise wrong_request("bad webhook: secret token contains unallowed characters")
        if "allowed_updates" in params:
            self._updates.allow(params["allowed_updates"])
        if params.get("drop_pending_updates"):
            await self._updates.get(offset=2**62, limit=1, timeout_s=0)
        self.webhook = params if params["url"] else {}
        self.webhook_error = {}
        return True

    async def _delete_webhook(self, params: _Json) -> bool:
        self.webhook = {}
        if params.get("drop_pending_updates"):
            await self._updates.get(offset=2**62, limit=1, timeout_s=0)
        return True

    async def _get_webhook_info(self, _params: _Json) -> _Json:
        return {
            "url": self.webhook.get("url", ""),
            "has_custom_certificate": False,
            "pending_update_count": len(self._updates.pending),
            **{name: self.webhook[name] for name in ("max_connections", "allowed_updates") if name in self.webhook},
            **self.webhook_error,
        }


def _chat_id(params: _Json) -> int:
    chat_id = params.get("chat_id")
    if isinstance(chat_id, str) and chat_id:
        raise bad_request("chat not found")
    if not isinstance(chat_id, int) or chat_id == 0:
        raise wrong_request("chat_id is empty")
    return chat_id


def _message_id(params: _Json) -> int:
    if not isinstance(params.get("message_id"), int) or params["message_id"] <= 0:
        raise wrong_request("message identifier is not specified")
    return int(params["message_id"])


def _language(params: _Json) -> str:
    language = str(params.get("language_code", ""))
    if language and not re.fullmatch(r"[a-z]{2}", language):
        raise wrong_request("LANGUAGE_CODE_INVALID")
    return language


def _scope(params: _Json) -> str:
    scope = params.get("scope") or {"type": "default"}
    return ":".join([scope["type"], *(str(scope[key]) for key in ("chat_id", "user_id") if key in scope)])
