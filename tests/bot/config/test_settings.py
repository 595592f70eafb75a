"""Settings: the meaning of a configuration file, and how its mistakes are told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.config.live import parse_settings
from bot.config.schema import Settings
from bot.errors import ConfigInvalid
from bot.features.voice.settings import VoiceSettings
from tests.cases import each_row

ROOT = Path(__file__).parents[3]


def settings(text: str, **environment: str) -> Settings:
    """Parse a text as the file c.json."""
    return parse_settings(text.encode(), "c.json", environment)


def diagnostics(text: str, **environment: str) -> list[str]:
    """Return the lines of the error that a text gives."""
    with pytest.raises(ConfigInvalid) as caught:
        settings(text, **environment)
    return str(caught.value).split("\n")


def test_an_empty_object_is_a_complete_and_safe_configuration() -> None:
    """Defaults need no key, let nobody in, and keep memories apart."""
    default = settings("{}")

    assert default == Settings()
    assert default.telegram.allowed_users == default.telegram.allowed_chats == ()
    assert not default.rag.shared_workspace
    assert not default.llm.configured
    assert (default.rag.query_mode, default.rag.timeout_seconds, default.rag.index_min_length) == ("hybrid", 10, 50)
    assert (default.memory.scope_direct, default.memory.scope_group) == ("user", "chat")


def test_the_file_that_ships_holds_the_defaults() -> None:
    """preferences/runtime-config.json shows the toggles and changes none."""
    shipped = (ROOT / "preferences" / "runtime-config.json").read_bytes()

    assert parse_settings(shipped, "runtime-config.json", {}) == Settings()


def test_every_setting_says_what_it_is() -> None:
    """The documentation is made of the descriptions, so none may be missing."""
    schema = Settings.model_json_schema()
    for section in (schema, *schema["$defs"].values()):
        for name, field in section["properties"].items():
            assert "$ref" in field or field.get("description"), name


def test_settings_are_immutable_through_and_through() -> None:
    """A snapshot that a turn holds cannot change under it."""
    snapshot = settings('{"telegram": {"allowedUsers": [7]}}')

    assert hash(snapshot) == hash(settings('{"telegram": {"allowedUsers": [7]}}'))
    with pytest.raises(ValueError, match="frozen"):
        snapshot.rag.enabled = False


@each_row(
    ("text", "line"),
    [
        ('{"rag": {"enabled": "true"}}', 'c.json:1:10: rag.enabled: wrong value: expected true or false, got "true"'),
        ('{"rag": {"enabled": 1}}', "c.json:1:10: rag.enabled: wrong value: expected true or false, got 1"),
        ('{"rag": {"topK": 60.0}}', "c.json:1:10: rag.topK: wrong value: expected a whole number, got 60.0"),
        ('{"rag": {"topK": true}}', "c.json:1:10: rag.topK: wrong value: expected a whole number, got true"),
        ('{"rag": {"topK": 0}}', "c.json:1:10: rag.topK: wrong value: expected at least 1, got 0"),
        ('{"rag": {"timeoutSeconds": null}}', "c.json:1:10: rag.timeoutSeconds: wrong value: expected a number"),
        ('{"rag": []}', "c.json:1:2: rag: wrong value: expected an object { … }, got a list"),
        ("[]", "c.json:1:1: (whole file): wrong value: expected an object { … }, got a list"),
        ('{"rag": {"url": "localhost:9621"}}', "c.json:1:10: rag.url: wrong value: expected an address that begins"),
        ('{"rag": {"queryMode": "fast"}}', "c.json:1:10: rag.queryMode: wrong value: expected 'local', 'global',"),
        ('{"telegram": {"allowedUsers": 7}}', "c.json:1:15: telegram.allowedUsers: wrong value: expected a list"),
        ('{"telegram":\n {"allowedUsers": [7,\n "8"]}}', "c.json:3:2: telegram.allowedUsers[1]: wrong value"),
        ('{"telegram": {"allowedUsers": [9223372036854775808]}}', "c.json:1:32: telegram.allowedUsers[0]: wrong value"),
        ('{"llm": {"fallbacks": [{}]}}', "c.json:1:24: llm.fallbacks[0].model: missing value: expected a value"),
        ('{"language": "xx"}', "c.json:1:2: language: settings contradict each other: expected one of auto, "),
        ('{"timeZone": "Mars/Base"}', "c.json:1:2: timeZone: settings contradict each other: expected an IANA name"),
        ('{"timeZone": "../../etc/passwd"}', "c.json:1:2: timeZone: settings contradict each other"),
        ('{"memory": {"softTokens": 2000}}', "c.json:1:13: memory.softTokens: settings contradict each other"),
        ('{"memory": {"scopeGroup": "shared"}}', "c.json:1:2: memory.sharedName: settings contradict each other"),
        ('{"rag": {"queryBudgetSeconds": 5}}', "c.json:1:10: rag.queryBudgetSeconds: settings contradict each other"),
        ('{"llm": {"model": "m"}}', "c.json:1:2: llm.url: settings contradict each other"),
        ('{"llm": {"url": "http://localhost:1/v1"}}', "c.json:1:2: llm.model: settings contradict each other"),
        (
            '{"llm": {"url": "http://a/v1", "model": "m", "contextTokens": 99000, "maxTokens": 99000}}',
            "c.json:1:70: llm.maxTokens: settings contradict each other",
        ),
        ('{"telegram": {"allowedUsers": [-5]}}', "c.json:1:32: telegram.allowedUsers[0]: settings contradict"),
        ('{"telegram": {"allowedChats": [5]}}', "c.json:1:32: telegram.allowedChats[0]: settings contradict"),
        ('{"telegram": {"webhookListen": "8443"}}', "c.json:1:15: telegram.webhookListen"),
        ('{"telegram": {"webhookListen": "localhost:0"}}', "c.json:1:15: telegram.webhookListen"),
        ('{"telegram": {"webhookListen": "::1:8443"}}', "c.json:1:15: telegram.webhookListen"),
        ('{"telegram": {"webhookListen": "localhost:65536"}}', "c.json:1:15: telegram.webhookListen"),
        ('{"telegram": {"webhookUrl": "bot.example"}}', "c.json:1:15: telegram.webhookUrl"),
        ('{"telegram": {"webhookUrl": "http://bot.example"}}', "c.json:1:15: telegram.webhookUrl: settings contradict"),
        ('{"telegram": {"webhookUrl": "https://b.example:8080"}}', "c.json:1:15: telegram.webhookUrl: settings contra"),
        ('{"telegram": {"webhookUrl": "https://b.example:99999"}}', "c.json:1:15: telegram.webhookUrl: settings contr"),
        ('{"rag": {"rerank": {"provider": "jina"}}}', "c.json:1:10: rag.rerank.apiKey: settings contradict each other"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_placed_and_explained(text: str, line: str) -> None:
    """One line with file, line, column, key path, what was expected and what was there; nothing is coerced."""
    assert [told[: len(line)] for told in diagnostics(text)] == [line]


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file() -> None:
    """Nobody should have to save five times to learn of five mistakes."""
    told = diagnostics('{"rag": {"enabled": 1,\n"nope": 2},\n"memory": {"maxTokens": "x"},\n"log": 3}')

    assert [line.split(":")[1] for line in told] == ["1", "2", "3", "4"]


@each_row(
    ("text", "hint"),
    [
        ('{"rag": {"query_mode": "mix"}}', 'did you mean "queryMode"?'),
        ('{"rag": {"queryMod": "mix"}}', 'did you mean "queryMode"?'),
        ('{"Rag": {}}', 'did you mean "rag"?'),
        ('{"queryMode": "mix"}', "did you mean rag.queryMode?"),
        ('{"rag.url": ""}', "write one object inside the other instead of a dot"),
        ('{"llm": {"fallbacks": [{"model": "m", "modle": 1}]}}', 'did you mean "model"?'),
        ('{"zzz": 1}', "the keys at the top are in docs/configuration.md"),
    ],
)
def test_an_unknown_key_gets_the_nearest_known_one(text: str, hint: str) -> None:
    """Snake case, typos, wrong levels and dotted keys each lead to the right place."""
    (line,) = diagnostics(text)

    assert "unknown key: expected a known key" in line
    assert line.endswith(hint)


@each_row(
    "text",
    [
        '{"llm": {"apiKey": 5318008}}',
        '{"llm": {"apikey": "5318008"}}',
        '{"llm": "5318008-x"}',
        '{"rag": {"enabled": "x5318008"}}',
        '{"rag": {"url": "redis://:5318008@host/"}}',
        '{"telegram": {"token": ["5318008"]}}',
        '{"rag": {"queryMode": "sk-proj-5318008"}}',
    ],
)
def test_a_secret_is_never_echoed(text: str) -> None:
    """Neither a wrong value of a secret, nor a secret in the wrong place, nor an address with a password is shown."""
    assert not any("5318008" in line for line in diagnostics(text))


def test_a_secret_is_not_shown_by_repr() -> None:
    """Whoever logs the settings logs no key."""
    fallback = '{"model": "m", "apiKey": "s3cret"}'
    keyed = settings('{"rag": {"apiKey": "s3cret"}, "llm": {"apiKey": "s3cret", "fallbacks": [' + fallback + "]}}")

    assert "s3cret" not in repr(keyed) + str(keyed)


def test_the_environment_overrides_and_completes() -> None:
    """A variable that is set wins over the file, an empty one does not count."""
    file = json.dumps({"rag": {"apiKey": "file"}, "telegram": {"token": "file"}})
    got = settings(file, RAG_API_KEY="env", TELEGRAM_TOKEN="", LLM_URL="http://h/v1", LLM_MODEL="m", LLM_API_KEY="k")

    assert (got.rag.api_key, got.telegram.token) == ("env", "file")
    assert (got.llm.url, got.llm.model, got.llm.api_key, got.llm.configured) == ("http://h/v1", "m", "k", True)


def test_the_voice_endpoint_gets_the_keys_that_are_its_own() -> None:
    """Its own, or that of the same server; no other server learns them.

    Mutation check: without the comparison of hosts the last assertion fails.
    """
    same = '{"llm": {"url": "https://h.test/v1", "model": "m", "apiKey": "k"}, "voice": {"url": "https://h.test/v1"}}'
    plain = same.replace('{"url": "https://h.test/v1"}}', '{"url": "http://h.test/v1"}}')
    other = same.replace('{"url": "https://h.test/v1"}}', '{"url": "https://h.test.evil.example/v1"}}')
    openai = '{"voice": {"url": "https://api.openai.com/v1"}}'

    assert settings(same).of(VoiceSettings).api_key == "k"
    assert settings(same, VOICE_API_KEY="own").of(VoiceSettings).api_key == "own"
    assert settings(openai, OPENAI_API_KEY="o").of(VoiceSettings).api_key == "o"
    assert [settings(each, OPENAI_API_KEY="o").of(VoiceSettings).api_key for each in (plain, other, "{}")] == [
        "",
        "",
        "",
    ]


def test_the_key_of_openai_goes_to_openai_only() -> None:
    """OPENAI_API_KEY lies around in many environments; another endpoint must never receive it.

    Mutation check: without the host comparison the second assertion fails.
    """
    openai = '{"llm": {"url": "https://api.openai.com/v1", "model": "m"}}'
    other = '{"llm": {"url": "https://api.openai.com.evil.example/v1", "model": "m"}}'

    assert settings(openai, OPENAI_API_KEY="k").llm.api_key == "k"
    assert settings(other, OPENAI_API_KEY="k").llm.api_key == ""
    assert settings(openai, OPENAI_API_KEY="k", LLM_API_KEY="own").llm.api_key == "own"
