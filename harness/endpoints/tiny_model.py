"""Writes a tiny language model with random weights as a GGUF file, for llama.cpp's own server.

Run by the Python of the command's own environment: ``python tiny_model.py OUT.gguf WORDS.txt``.

What it says is chance: words of equal likelihood, and now and then the end.  What it costs is real: every token goes
through every layer, so that the time to the first token grows with what the server has not read before.
The residual stream carries the constant that the output reads; attention and feed-forward are computed and add nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import gguf
import numpy as np

WINDOW: Final = 32_768
_WIDTH, _LAYERS, _HEADS, _INNER = 128, 2, 2, 384
_LIKELY: Final = 39
"""llama.cpp draws from the 40 likeliest: these words and the end, so that an answer has about as many words."""
_CONTROL, _NORMAL, _BYTE = gguf.TokenType.CONTROL, gguf.TokenType.NORMAL, gguf.TokenType.BYTE
_TEMPLATE: Final = (
    "{% if tools %}<tools>{{ tools | tojson }}</tools>{% endif %}"
    "{% for message in messages %}<{{ message.role }}> {{ message.content or '' }}"
    "{% for call in message.tool_calls or [] %} {{ call | tojson }}{% endfor %}\n{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


def main(out: Path, words: Path) -> None:
    """Write the model, its vocabulary made of a list of words and all their beginnings."""
    tokens, scores, kinds = _build_vocabulary(words.read_text(encoding="utf-8").split())
    dice = np.random.default_rng(7)
    writer = gguf.GGUFWriter(str(out), "llama")
    writer.add_name("tiny-random")
    writer.add_context_length(WINDOW)
    writer.add_embedding_length(_WIDTH)
    writer.add_block_count(_LAYERS)
    writer.add_feed_forward_length(_INNER)
    writer.add_head_count(_HEADS)
    writer.add_head_count_kv(_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(_WIDTH // _HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores(scores)
    writer.add_token_types(kinds)
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_bos_token(True)
    writer.add_chat_template(_TEMPLATE)

    def random(*shape: int) -> np.ndarray:
        return (dice.standard_normal(shape) * 0.05).astype(np.float32)

    embedding = random(len(tokens), _WIDTH)
    embedding[:, 0] = 8.0
    output = np.zeros((len(tokens), _WIDTH), dtype=np.float32)
    constant = float(8.0 / np.sqrt(np.mean(embedding[0] ** 2)))  # of every state after the last norm, but for noise
    output[:, 0] = -20.0 / constant
    known = sorted(set(words.read_text(encoding="utf-8").split()))
    likely = [tokens.index(f"\u2581{word}") for word in known if len(word) > 3]
    output[dice.choice(likely, _LIKELY, replace=False), 0] = 0.0
    output[2, 0] = 0.01  # of the least likely twentieth nothing is drawn
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output.weight", output)
    writer.add_tensor("output_norm.weight", np.ones(_WIDTH, dtype=np.float32))
    for layer in range(_LAYERS):
        block = f"blk.{layer}"
        for name in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"{block}.{name}.weight", np.ones(_WIDTH, dtype=np.float32))
        for name in ("attn_q", "attn_k", "attn_v"):
            writer.add_tensor(f"{block}.{name}.weight", random(_WIDTH, _WIDTH))
        writer.add_tensor(f"{block}.attn_output.weight", np.zeros((_WIDTH, _WIDTH), dtype=np.float32))
        for name in ("ffn_gate", "ffn_up"):
            writer.add_tensor(f"{block}.{name}.weight", random(_INNER, _WIDTH))
        writer.add_tensor(f"{block}.ffn_down.weight", np.zeros((_WIDTH, _INNER), dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _build_vocabulary(words: list[str]) -> tuple[list[str], list[float], list[int]]:
    """Return tokens, scores and kinds: control tokens, bytes, characters, and the beginnings of words."""
    characters = sorted({character for word in words for character in word})
    begun = sorted({f"\u2581{word[:size]}" for word in set(words) for size in range(1, len(word) + 1)})
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "\u2581", *characters, *begun]
    kinds = [_CONTROL] * 3 + [_BYTE] * 256 + [_NORMAL] * (1 + len(characters) + len(begun))
    return tokens, [float(len(token)) for token in tokens], [int(kind) for kind in kinds]


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
