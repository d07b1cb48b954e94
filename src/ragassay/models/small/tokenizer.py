"""The tokenizer of the small language model, made from the GGUF's own vocabulary and merges.

Byte-level BPE (Radford et al. 2019) that splits every number into its digits first. A text is always plain text: what
looks like a control token in it ("<|im_end|>") is encoded by its characters, so no text can end its own turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

TEXT_END = "<|endoftext|>"
_CONTROL = 3  # token type of GGUF


class Tokenizer:
    """Texts to token ids and back."""

    def __init__(self, metadata: Mapping[str, Any]) -> None:
        """metadata: the fields of the GGUF file."""
        import tokenizers
        from tokenizers import decoders, models, pre_tokenizers

        tokens: list[str] = metadata["tokenizer.ggml.tokens"]
        kinds: list[int] = metadata["tokenizer.ggml.token_type"]
        merges = [tuple(merge.split(" ")) for merge in metadata["tokenizer.ggml.merges"]]
        # No added tokens: the tokenizer would find them inside texts.
        self._bpe = tokenizers.Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, merges))
        self._bpe.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
        )
        self._bpe.decoder = decoders.ByteLevel()
        self.controls: Mapping[str, int] = {
            token: i for i, (token, kind) in enumerate(zip(tokens, kinds, strict=True)) if kind == _CONTROL
        }
        self.start: int = metadata["tokenizer.ggml.bos_token_id"]
        self.end_of_turn: int = metadata["tokenizer.ggml.eos_token_id"]
        self.end_of_text: int = self.controls[TEXT_END]
        self._control_ids = frozenset(self.controls.values())

    def encode(self, text: str) -> list[int]:
        """The text's tokens, none of them a control token. Bytes that the vocabulary lacks are left out."""
        return self.encode_all([text])[0]

    def encode_all(self, texts: Sequence[str]) -> list[list[int]]:
        """Each text's tokens. Half a surrogate pair, as broken files have it, is read as a question mark."""
        readable = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        return [encoding.ids for encoding in self._bpe.encode_batch_fast(readable, add_special_tokens=False)]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of tokens; control tokens have none."""
        text: str = self._bpe.decode([i for i in ids if i not in self._control_ids], skip_special_tokens=False)
        return text
