"""The whole of ``runtime-config.json`` as one immutable value.

Every field has a default that is safe and works, so that an empty object is a complete configuration.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeVar, cast

from pydantic import Field, create_model

from bot.config.memory_schema import MemorySettings, RagSettings, RecallSettings
from bot.config.section import (
    LIVE,
    RESTART,
    TURN,
    DatabaseAddress,
    FeatureSection,
    ListenAddress,
    Secret,
    Section,
    TelegramId,
    WebAddress,
    setting,
)

S = TypeVar("S", bound=FeatureSection)
_Tokens = Annotated[int, Field(ge=0, le=1_000_000)]
_Days = Annotated[int, Field(ge=0, le=36_500)]


class SessionSettings(Section, applies=LIVE):
    """Conversations."""

    idle_minutes: Annotated[int, Field(ge=0, le=525_600)] = setting(
        360, "Minutes of silence after which a session ends by itself; 0 never. Six hours part two talks."
    )
    history_exchanges: Annotated[int, Field(ge=0, le=500)] = setting(
        200,
        "Exchanges of the session shown to the model verbatim, at most; beyond it half of them are left out at "
        "once. `prompt.historyTokens` is what counts before.",
        applies=TURN,
    )
    compact_after_tokens: Annotated[int, Field(ge=0, le=10_000_000)] = setting(
        0,
        "Tokens of history after which its older three quarters become a summary. `0`: when nine "
        "tenths of what history may fill are full.",
    )


class PromptSettings(Section, applies=TURN):
    """Token budgets of the prompt; what is over is trimmed and said to be."""

    sections_tokens: _Tokens = setting(2000, "Tokens for `prompts/*.md` together.")
    relevant_tokens: _Tokens = setting(1500, "Tokens for `# Relevant Memory`; recall gains little beyond this.")
    skill_tokens: _Tokens = setting(2000, "Tokens for the active skill.")
    history_tokens: _Tokens = setting(
        32_000,
        "Tokens for the session's history, at most; beyond it half of them are left out at once. What stands in "
        "it was sent before, so that servers which keep a prompt's front need not read it again; with one that "
        "keeps nothing, less is cheaper.",
    )
    history_share: Annotated[float, Field(ge=0, le=0.9)] = setting(
        0.5, "Share of what the model can read (`llm.contextTokens`) that history may fill."
    )


class StorageSettings(Section, applies=RESTART):
    """Where everything is kept."""

    url: DatabaseAddress = setting(
        "",
        "Address of a PostgreSQL (15 or newer) that keeps everything; `DATABASE_URL` overrides it. Empty: one "
        "SQLite file in the data folder, which needs nothing.",
    )
    worker_term_seconds: Annotated[int, Field(ge=1, le=300)] = setting(
        10, "Seconds of silence after which a worker's chats go to the others (`mneme worker`)."
    )


class RetentionSettings(Section, applies=LIVE):
    """How long things are kept that are not memory; memories stay until they are forgotten on purpose."""

    journal_days: _Days = setting(7, "Days to keep ids of answered messages, against redelivery.")
    delivery_days: _Days = setting(30, "Days to keep the record of sent replies.")
    trace_days: _Days = setting(90, "Days `/why` can look back.")
    backups: Annotated[int, Field(ge=0, le=365)] = setting(
        7, "Daily back-ups of the store to keep beside it, in `backups`; 0 makes none."
    )
    sweep_minutes: Annotated[int, Field(ge=1, le=10_080)] = setting(60, "Minutes between clean-ups; they are cheap.")


class LogSettings(Section, applies=LIVE):
    """Logs; message texts and keys never appear in them."""

    level: Literal["debug", "info", "warning", "error"] = setting("info", "Least important line.")
    format: Literal["auto", "console", "json"] = setting(
        "auto", "`auto`: coloured lines in a terminal, JSON elsewhere."
    )


_Names = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=100)], ...], Field(max_length=50)]


class PluginSettings(Section, applies=RESTART):
    """Code of others, found by entry points; only what is named here is loaded."""

    tools: _Names = setting((), "Tools for the model: entry points in the group `mneme.tools`.", applies=TURN)
    channels: _Names = setting(
        (), "Channels beside Telegram and the terminal: entry points in the group `mneme.channels`."
    )
    subscribers: _Names = setting(
        (), "Listeners to events: entry points in the group `mneme.subscribers`; read at the start."
    )


class TelegramSettings(Section, applies=LIVE):
    """Telegram."""

    token: Secret = setting("", "Bot token; `TELEGRAM_TOKEN` overrides it. Empty: terminal chat.", applies=RESTART)
    allowed_users: tuple[TelegramId, ...] = setting(
        (),
        "Numeric user ids that may talk to the bot. Empty means nobody but paired users. The id of a group of "
        "`allowedChats` lets its anonymous admins in.",
    )
    allowed_chats: tuple[TelegramId, ...] = setting(
        (), "Numeric ids of groups (negative) the bot works in. Pairing never grants a group."
    )
    owner_id: TelegramId | None = setting(
        None, "User id of the operator: always allowed, trusted most, told when something needs a hand."
    )
    strangers: Literal["silent", "answer"] = setting(
        "silent", "What others get: nothing, or one short refusal. Silence does not tell that somebody is there."
    )
    open_groups: bool = setting(
        False,
        "`true` serves every member of a listed group; `false` only those who are allowed themselves, because "
        "whoever is added to a group later would get in.",
    )
    pairing: bool = setting(True, "Let one-time codes (`mneme pair`) add users in direct chats.")
    pairing_code_minutes: Annotated[int, Field(ge=1, le=10_080)] = setting(
        60, "Minutes a pairing code is valid; long enough to send it, short enough to forget it."
    )
    streaming: bool = setting(True, "Show the answer while it is written.")
    drafts: bool = setting(
        True,
        "In direct chats show the growing answer as Telegram's own draft, which leaves nothing behind; `false` "
        "edits a message there too, with a button that stops the answer.",
    )
    reactions: bool = setting(
        False,
        "Acknowledge what is only noted by a reaction to it; where the chat forbids reactions a message comes, as "
        "with `false`.",
    )
    edit_interval_seconds: Annotated[float, Field(ge=0.3, le=60)] = setting(
        1.0, "Seconds between such edits; Telegram allows about one message a second in a chat."
    )
    file_after_messages: Annotated[int, Field(ge=0, le=100)] = setting(
        4,
        "An answer of more messages than this comes as a file, with its beginning as the message; 0 never does so.",
        applies=TURN,
    )
    api_url: WebAddress = setting("", "A local Bot API server; empty means api.telegram.org.", applies=RESTART)
    webhook_url: WebAddress = setting(
        "",
        "Public `https://` address, on port 443, 80, 88 or 8443, at which Telegram calls the bot; a reverse proxy "
        "with TLS passes the calls on to `webhookListen`. Empty: the bot polls, and needs no address.",
        applies=RESTART,
    )
    webhook_listen: ListenAddress = setting(
        "127.0.0.1:8443", "Where the webhook listens, over plain HTTP: for the reverse proxy alone.", applies=RESTART
    )


_ModelName = Annotated[str, Field(max_length=200)]


class FallbackSettings(Section, applies=TURN):
    """A model that is asked when the ones before it are down or refuse."""

    url: WebAddress = setting("", "Address of the endpoint; empty means `llm.url`.")
    api_key: Secret = setting("", "Its key; empty means `llm.apiKey` if the address is `llm.url`.")
    model: _ModelName = setting(..., "Its model name; required.")


class LlmSettings(Section, applies=TURN):
    """Language model."""

    enabled: bool = setting(True, "`false`: answer from memory alone even if a model is configured.")
    url: WebAddress = setting(
        "",
        "OpenAI-compatible endpoint with its version path, e.g. `https://api.openai.com/v1` or "
        "`http://localhost:11434/v1`; `LLM_URL` overrides it. Empty: no model, answers come from memory.",
    )
    api_key: Secret = setting(
        "",
        "Its key; `LLM_API_KEY` overrides it, `OPENAI_API_KEY` fills in when the address is api.openai.com. Local "
        "servers need none.",
    )
    model: _ModelName = setting("", "Model name as the endpoint spells it; `LLM_MODEL` overrides it.")
    fallbacks: Annotated[tuple[FallbackSettings, ...], Field(max_length=5)] = setting(
        (), "Models asked in order when the first is down."
    )
    temperature: Annotated[float, Field(ge=0, le=2)] | None = setting(
        None, "Sampling temperature (0..2); `null` leaves it to the model, some accept no other."
    )
    max_tokens: Annotated[int, Field(ge=16, le=1_000_000)] | None = setting(
        None, "Tokens of one answer at most; `null` leaves it to the model."
    )
    timeout_seconds: Annotated[float, Field(ge=1, le=3600)] = setting(
        60, "Seconds without a byte after which a call counts as dead; local models start slowly."
    )
    context_tokens: Annotated[int, Field(ge=0, le=10_000_000)] = setting(
        0,
        "Tokens the model can read, prompt and answer together; history is trimmed to fit. `0` asks the endpoint "
        "(vLLM, llama.cpp, Ollama, LM Studio, OpenRouter and others say it) and takes 64,000 where it does not "
        "say, less once it refuses a request for its length.",
    )
    cache_control: Literal["auto", "on", "off"] = setting(
        "auto",
        "Mark the part of a prompt that stays the same with `cache_control`, for endpoints that keep only what is "
        "marked. `auto`: Claude on OpenRouter. Most others keep a prompt's front by themselves.",
    )
    memory_role: Literal["auto", "system", "user"] = setting(
        "auto",
        "Role in which memories are told, right before the message they are for: `system`, or `user` as part of "
        "the message, which every endpoint takes. `auto` is `system` where that is known to be taken there.",
    )
    vision: Literal["auto", "on", "off"] = setting(
        "auto",
        "Show pictures to the model. `auto`: until its server refuses them, which is then said; `on`: always, a "
        "refusal is an error; `off`: never.",
    )
    max_calls: Annotated[int, Field(ge=1, le=100)] = setting(
        8, "Model calls in one turn; enough for tools in sequence, bounded for the bill."
    )
    max_tool_runs: Annotated[int, Field(ge=0, le=500)] = setting(16, "Tool runs in one turn.")
    wall_seconds: Annotated[float, Field(ge=1, le=3600)] = setting(
        120, "Seconds one turn may take in all before it ends with what it has."
    )

    @property
    def configured(self) -> bool:
        """Whether there is a model to ask."""
        return self.enabled and bool(self.url) and bool(self.model)


class CoreSettings(Section, applies=TURN):
    """Everything that can be set but what features have."""

    rag: RagSettings = Field(default=RagSettings(), description=RagSettings.__doc__)
    memory: MemorySettings = Field(default=MemorySettings(), description=MemorySettings.__doc__)
    recall: RecallSettings = Field(default=RecallSettings(), description=RecallSettings.__doc__)
    telegram: TelegramSettings = Field(default=TelegramSettings(), description=TelegramSettings.__doc__)
    llm: LlmSettings = Field(default=LlmSettings(), description=LlmSettings.__doc__)
    session: SessionSettings = Field(default=SessionSettings(), description=SessionSettings.__doc__)
    prompt: PromptSettings = Field(default=PromptSettings(), description=PromptSettings.__doc__)
    plugins: PluginSettings = Field(default=PluginSettings(), description=PluginSettings.__doc__)
    storage: StorageSettings = Field(default=StorageSettings(), description=StorageSettings.__doc__)
    retention: RetentionSettings = Field(default=RetentionSettings(), description=RetentionSettings.__doc__)
    log: LogSettings = Field(default=LogSettings(), description=LogSettings.__doc__)
    language: Annotated[str, Field(pattern=r"^(auto|[a-z]{2})$")] = setting(
        "auto",
        "Language of the bot's own words: `en`, `de`, `ru`, or `auto` for the author's, English when unknown.",
        spelling='"auto" or two letters such as "en"',
    )
    time_zone: Annotated[str, Field(max_length=60)] = setting(
        "", "IANA name such as `Europe/Lisbon` for dates and days; empty means the machine's.", applies=LIVE
    )

    def of(self, section: type[S]) -> S:
        """Return what is set for a feature."""
        return cast("S", getattr(self, section.key))

    def list_features(self) -> tuple[FeatureSection, ...]:
        """Return what is set for every feature."""
        return tuple(map(self.of, FEATURE_SECTIONS))


def _find_sections() -> Iterator[type[FeatureSection]]:
    features = import_module("bot.features")
    for name in sorted(each.name for each in pkgutil.iter_modules(features.__path__)):
        module = f"bot.features.{name}.settings"
        if find_spec(module) is not None:
            found = vars(import_module(module)).values()
            yield from (
                each
                for each in found
                if isinstance(each, type) and issubclass(each, FeatureSection) and each.__module__ == module
            )


FEATURE_SECTIONS: Final = tuple(_find_sections())
"""A feature's section goes with its folder."""
if TYPE_CHECKING:
    Settings = CoreSettings
else:
    Settings = create_model(
        "Settings",
        __base__=CoreSettings,
        __doc__="Everything that can be set.",
        **{each.key: (each, Field(default=each(), description=each.__doc__)) for each in FEATURE_SECTIONS},
    )
