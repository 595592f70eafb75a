"""Return whether a model begins its answer with thoughts that nothing opens, as far as that is known before it answers.

Such thoughts come from a chat template that opens them in the prompt: the model's own server would have to take them
out, and those that people run themselves often do not.  Nobody can tell them from an answer while they stream, however
many characters are looked at, so that an unknown model's first answer is shown whole.
Known are the vendors that keep thoughts apart, and families of models that do not think; what turns out otherwise is
taken out of the answer all the same, and known from then on.
"""

from __future__ import annotations

import re

_APART = frozenset(
    {
        *("api.openai.com", "api.anthropic.com", "generativelanguage.googleapis.com", "api.mistral.ai"),
        *("api.deepseek.com", "api.x.ai", "openrouter.ai", "api.cohere.ai", "api.cohere.com"),
    }
)
"""Vendors whose interface gives thoughts apart from the answer."""
_THINKS = re.compile(
    r"think|reason|distill|nemotron|magistral|deep|open-?r|s1k|(?<![a-z0-9])(?:r1|r0|o1|cot|grpo|s1)(?![a-z0-9])",
    re.IGNORECASE,
)
"""Words in the names of models that were taught to think."""
_PLAIN = re.compile(
    r"(?:(?:meta-)?(?:code)?llama-?[234](?!\d)|gemma-?[123](?!\d)|(?:code)?qwen-?(?:1\.5|2|2\.5)(?![\d.])"
    r"|(?:open-)?mi[sx]tral|ministral|phi-?[34](?!\d)|gpt-(?:3\.5|4)(?!\d)|claude-|gemini-|command-r|tinyllama|aya-"
    r"|smollm2?(?!\d)|olmo-?2(?!\d)|granite-?3\.[01](?!\d)|zephyr|vicuna)",
    re.IGNORECASE,
)
"""Families without a thinking mode, as the last part of a model's name begins."""


def begins_with_thoughts(host: str, model: str) -> bool | None:
    """Return ``False`` for a model that surely begins with its answer, ``None`` where only its first answer tells."""
    if host.partition(":")[0].lower() in _APART:
        return False
    name = model.rpartition("/")[2]
    return False if _PLAIN.match(name) and not _THINKS.search(model) else None
