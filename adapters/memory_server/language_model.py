"""The language model behind LightRAG's prompts: an endpoint when there is one, plain quoting when there is none."""

from __future__ import annotations

import re
from typing import Any, Protocol

import httpx
import orjson

from adapters.memory_server.options import LlmOptions
from bot.errors import ContextTooLong, ModelRefused, ModelUnavailable

QUOTED = 5
_CONTENT = re.compile(r'^\{.*"content": .*\}$', re.MULTILINE)


class LanguageModel(Protocol):
    """What LightRAG calls with its prompts."""

    @property
    def name(self) -> str:
        """The model's name, "" for none."""
        ...

    async def complete(self, prompt: str, system_prompt: str | None = None, **hints: Any) -> str:  # Any: LightRAG's
        """Return the model's answer."""
        ...


class NoModel:
    """Answers a question with the passages that LightRAG found for it, as they are."""

    name = ""

    async def complete(self, prompt: str, system_prompt: str | None = None, **_: Any) -> str:  # Any: LightRAG's hints
        """Return the first passages of the context; a sentence that says so when there are none."""
        return quoted(system_prompt or prompt, "No language model is configured.")


def quoted(context: str, why: str) -> str:
    """Return the first passages of what LightRAG would show a model, and ``why`` no model has read them."""
    passages = [orjson.loads(line).get("content", "") for line in _CONTENT.findall(context)]
    if not passages:
        return f"{why} No passage was found.[no-context]"
    return "\n\n".join([f"{why} What was found:", *passages[:QUOTED]])


class EndpointModel:
    """An OpenAI-compatible chat endpoint.

    Raises :class:`ModelUnavailable` for what may pass, :class:`ModelRefused` when key, credit or model name are wrong
    and :class:`ContextTooLong` when it is the prompt that the provider does not take.
    """

    def __init__(self, options: LlmOptions, http: httpx.AsyncClient) -> None:
        self._options, self._http = options, http

    @property
    def name(self) -> str:
        """The configured model."""
        return self._options.model

    async def complete(
        self,
        prompt: str,
        system_prompt: str | None = None,
        history_messages: list[dict[str, str]] | None = None,
        **_: Any,
    ) -> str:  # Any: LightRAG's hints, such as response formats that not every endpoint knows
        """Return the answer to a prompt."""
        system = [{"role": "system", "content": system_prompt}] if system_prompt else []
        messages = [*system, *(history_messages or []), {"role": "user", "content": prompt}]
        try:
            answer = await self._http.post(
                f"{self._options.url.rstrip('/')}/chat/completions",
                headers={"Authorization": f"Bearer {self._options.key}"} if self._options.key else {},
                json={"model": self._options.model, "messages": messages, "temperature": 0},
                timeout=self._options.timeout_s,
            )
            answer.raise_for_status()
            return str(answer.json()["choices"][0]["message"]["content"] or "")
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            if status in {401, 402, 403, 404}:
                raise ModelRefused(
                    f"the language model refuses: HTTP {status}; check llm url, key and model"
                ) from error
            if status in {400, 413, 422}:
                raise ContextTooLong(f"the language model rejects the prompt: HTTP {status}") from error
            raise ModelUnavailable(f"the language model answered HTTP {status}") from error
        except httpx.HTTPError as error:
            raise ModelUnavailable(f"the language model cannot be reached: {type(error).__name__}") from error
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise ModelUnavailable("the language model answered something else than a completion") from error
