"""The texts that the small language model reads, and their tokens: the same for training and for use.

Every request is a prefix (where a passage comes from, and the passage) and a branch (what is asked of it), made into
tokens apart from each other: a passage is read once however much is asked of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ragassay.text import sentence_spans

TEXT_TOKENS = 320
"""Most tokens of a passage in a prefix: what the adapters were trained with."""

LABELS = ("supported", "contradicted", "not_stated")

_MARKUP = (
    (re.compile(r"<!--.*?-->|<%.*?%>|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL), ""),
    (re.compile(r"!\[[^\]\n]*\]\([^)\n]*\)"), ""),  # images
    (re.compile(r"\[([^\]\n]+)\](?:\([^)\n]*\)|\[[^\]\n]*\])"), r"\1"),  # links
    (re.compile(r"</?[a-zA-Z][^<>]*>"), ""),
    (re.compile(r"'''?(\S(?:.*?\S)?)'''?"), r"\1"),
    (re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<!\w)_(?=[^\s_])([^_\n]+?)(?<=[^\s_])_(?!\w)"), r"\1"),
    (re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?)", re.MULTILINE), ""),
    (re.compile(r"^[ \t]*={2,6}[ \t]*(.+?)[ \t]*={2,6}[ \t]*$", re.MULTILINE), r"\1"),
)
_ITEM = re.compile(r"\s*(?:[-*+•–]|\(?\d{1,3}[.)])\s+")
_OWN_LINE = re.compile(r"\s*(?:[-*+•–]\s|\(?\d{1,3}[.)]\s|\|)")


def plain(text: str) -> str:
    """A passage without markup, one paragraph, list item or table row a line; words and code in backticks stay."""
    for pattern, replacement in _MARKUP:
        text = pattern.sub(replacement, text)
    lines: list[str] = []
    begins = True
    for line in text.splitlines():
        folded = " ".join(line.split())
        if not folded:
            begins = True
        elif begins or _OWN_LINE.match(line):
            lines.append(folded)
            begins = False
        else:
            lines[-1] += " " + folded
    return "\n".join(lines)


def sentence(text: str) -> str:
    """A sentence, or several, as a branch holds it: plain, on one line, without the mark of a list item in front."""
    return " ".join(_ITEM.sub("", line, count=1) if _ITEM.match(line) else line for line in plain(text).split("\n"))


def window(text: str, start: int, end: int, count: Callable[[str], int]) -> tuple[int, int]:
    """(start, end) of as many whole sentences around text[start:end] as TEXT_TOKENS hold. count: tokens of a text.

    One sentence before, one after, and so on. Those that hold the span come in any case, however long.
    """
    spans = sentence_spans(text)
    inside = [number for number, (first, last) in enumerate(spans) if last > start and first < end]
    if not inside:
        return start, end
    low, high = inside[0], inside[-1]
    costs = [count(text[first:last]) + 1 for first, last in spans]
    left = TEXT_TOKENS - sum(costs[low : high + 1])
    grown = True
    while grown:
        grown = False
        if low > 0 and costs[low - 1] <= left:
            low, left, grown = low - 1, left - costs[low - 1], True
        if high + 1 < len(spans) and costs[high + 1] <= left:
            high, left, grown = high + 1, left - costs[high + 1], True
    return spans[low][0], spans[high][1]


def prefix(title: str, heading: str, text: str) -> str:
    """What all branches of a passage share. title, heading: as in the source. text: plain, at most TEXT_TOKENS."""
    return f"Title: {sentence(title)}\nSection: {sentence(heading)}\nText: {text}\n"


def claim_prompt(claim: str) -> str:
    """Asks whether the passage supports a claim; the answer is read off the hidden state of the last token."""
    return f"Claim: {sentence(claim)}\nSupported:"


def answered_prompt(question: str) -> str:
    """Asks whether the passage answers a question; read off like a claim: an answer that stands there is supported."""
    return f"Question: {sentence(question)}\nAnswered:"


TEXT_END = "<|endoftext|>"


class Tokenizer:
    """Texts to token ids, by byte-level BPE (Radford et al. 2019) that splits every number into its digits first.

    Of the GGUF's own vocabulary and merges. What looks like a control token in a text is encoded by its characters.
    """

    def __init__(self, metadata: Mapping[str, Any]) -> None:
        """metadata: the fields of the GGUF file."""
        import tokenizers
        from tokenizers import models, pre_tokenizers

        tokens: list[str] = metadata["tokenizer.ggml.tokens"]
        merges = [tuple(merge.split(" ")) for merge in metadata["tokenizer.ggml.merges"]]
        # No added tokens: the tokenizer would find them inside texts.
        self._bpe = tokenizers.Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, merges))
        self._bpe.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
        )
        self.start: int = metadata["tokenizer.ggml.bos_token_id"]
        self.end_of_text: int = tokens.index(TEXT_END)

    def encode(self, text: str) -> list[int]:
        """The text's tokens, none of them a control token. Bytes that the vocabulary lacks are left out."""
        return self.encode_all([text])[0]

    def encode_all(self, texts: Sequence[str]) -> list[list[int]]:
        """Each text's tokens. Half a surrogate pair, as broken files have it, is read as a question mark."""
        readable = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        return [encoding.ids for encoding in self._bpe.encode_batch_fast(readable, add_special_tokens=False)]
