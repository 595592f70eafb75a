"""The methods of the Bot API that the bot uses; every other one is refused."""

from __future__ import annotations

from typing import Any

from tests.fakes.telegram.chats import Chats, Shown
from tests.fakes.telegram.floods import Floods
from tests.fakes.telegram.refusal import Refusal, bad_request
from tests.fakes.telegram.updates import UpdateQueue
from tests.fakes.telegram.validation import checked_entities, checked_keyboard, checked_text

_Json = dict[str, Any]  # Any: JSON
_ACTIONS = {"typing", "upload_photo", "upload_document"}
_LONGEST_ALERT = 200


class Methods:
    """Answers calls; ``params`` are already decoded from form or JSON."""

    def __init__(self, me: _Json, updates: UpdateQueue, chats: Chats, floods: Floods) -> None:
        self.me = me
        self.webhook: _Json = {}
        self.commands: dict[str, list[_Json]] = {}
        self.answered: list[_Json] = []
        self._updates = updates
        self._chats = chats
        self._floods = floods

    async def call(self, method: str, params: _Json) -> Any:  # Any: JSON
        """Return the ``result`` of a call.  Raises :class:`Refusal`."""
        answer = {
            "getme": self._get_me,
            "getupdates": self._get_updates,
            "sendmessage": self._send_message,
            "editmessagetext": self._edit_message_text,
            "sendmessagedraft": self._send_message_draft,
            "sendchataction": self._send_chat_action,
            "answercallbackquery": self._answer_callback_query,
            "setmycommands": self._set_my_commands,
            "setwebhook": self._set_webhook,
            "deletewebhook": self._delete_webhook,
        }.get(method.lower())
        if answer is None:
            raise Refusal(404, "Not Found: method not found")
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
        return await self._updates.get(
            offset=params.get("offset"), limit=int(params.get("limit", 100)), timeout_s=float(params.get("timeout", 0))
        )

    async def _send_message(self, params: _Json) -> _Json:
        chat_id, topic = _chat_id(params), params.get("message_thread_id")
        text, entities, keyboard = _content(params)
        self._chats.reachable(chat_id, topic)
        self._floods.check(chat_id)
        self._chats.typing.pop(chat_id, None)
        self._chats.previews.pop(chat_id, None)
        shown = Shown(self._chats.next_message_id(), chat_id, text, topic, entities, keyboard)
        return self._chats.show(shown)

    async def _send_message_draft(self, params: _Json) -> bool:
        chat_id = _chat_id(params)
        text, _, _ = _content(params)
        self._chats.reachable(chat_id, params.get("message_thread_id"))
        self._floods.check(chat_id)
        if chat_id < 0 or not params.get("draft_id"):
            raise bad_request("TEXTDRAFT_PEER_INVALID")
        self._chats.previews[chat_id] = text
        return True

    async def _edit_message_text(self, params: _Json) -> _Json:
        chat_id = _chat_id(params)
        text, entities, keyboard = _content(params)
        self._chats.reachable(chat_id)
        self._floods.check(chat_id)
        return self._chats.edit(chat_id, int(params["message_id"]), text, entities, keyboard)

    async def _send_chat_action(self, params: _Json) -> bool:
        chat_id = _chat_id(params)
        self._chats.reachable(chat_id, params.get("message_thread_id"))
        if params.get("action") not in _ACTIONS:
            raise bad_request("wrong parameter action in request")
        self._chats.typing[chat_id] = self._chats.typing.get(chat_id, 0) + 1
        return True

    async def _answer_callback_query(self, params: _Json) -> bool:
        if len(str(params.get("text", ""))) > _LONGEST_ALERT:
            raise bad_request("MESSAGE_TOO_LONG")
        self.answered.append(params)
        return True

    async def _set_my_commands(self, params: _Json) -> bool:
        for command in params["commands"]:
            name, description = str(command["command"]), str(command["description"])
            if not (name.isascii() and name == name.lower() and 1 <= len(name) <= 32):
                raise bad_request("BOT_COMMAND_INVALID")
            if not 1 <= len(description) <= 256:
                raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
        self.commands[str(params.get("language_code", ""))] = params["commands"]
        return True

    async def _set_webhook(self, params: _Json) -> bool:
        self.webhook = params
        return True

    async def _delete_webhook(self, params: _Json) -> bool:
        self.webhook = {}
        if params.get("drop_pending_updates"):
            await self._updates.get(offset=2**62, limit=1, timeout_s=0)
        return True


def _chat_id(params: _Json) -> int:
    if not isinstance(params.get("chat_id"), int) or params["chat_id"] == 0:
        raise bad_request("chat_id is empty")
    return int(params["chat_id"])


def _content(params: _Json) -> tuple[str, list[_Json], _Json | None]:
    """Return text, entities and keyboard.  Markup modes are refused: the bot sends entities."""
    if params.get("parse_mode"):
        raise bad_request("this server reads entities, not parse_mode")
    text = str(params.get("text", ""))
    shown = checked_text(text)
    entities = checked_entities(params.get("entities") or [], text)
    if entities and shown != text:
        raise bad_request("can't parse entities: text around entities is trimmed, offsets would move")
    return shown, entities, checked_keyboard(params.get("reply_markup"))
