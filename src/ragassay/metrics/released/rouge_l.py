"""ROUGE-L as the published DragonBall figures have it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ragassay.metrics.answer.comparison import lcs_length

# In this order, each on what the one before made: after a mark; after six dots; after a double ellipsis; after a mark
# with its closing quote. The character behind is taken, so that of two marks in a row only the first breaks the line.
NO_JIEBA = "Chinese words are cut by jieba; install it with: pip install 'ragassay[jieba]'"
_BREAKS = (
    re.compile(r"([。！？?])([^”’])"),
    re.compile(r"(\.{6})([^”’])"),
    re.compile(r"(…{2})([^”’])"),
    re.compile(r"([。！？?][”’])([^，。！？?])"),
)


def released_rouge_l(answer: str, reference: str, language: str = "en") -> float | None:
    """F of the longest common subsequence of two word lists, in [0, 1); 0 where either text is empty.

    p = lcs / words of the answer, r = lcs / words of the reference, F = 2pr / (p + r + 1e-8).
    Words stand between white space, in Chinese (``zh``) between the cuts of jieba, case and punctuation kept, and are
    cut apart after 。！？? as well. A line that holds only white space counts as one empty word, which two texts may
    share.
    None for Chinese where jieba is not installed. Raises ValueError where both have more than 50 000 words.
    Source: the released RAGEval scorer, in which the package rouge-chinese 1.0.3 stands where it expects ``rouge``.
    """
    if not answer or not reference:
        return 0.0
    if language == "zh":
        try:
            answer, reference = (" ".join(jieba_words(text)) for text in (answer, reference))
        except ModuleNotFoundError:
            return None
    said, wanted = released_words(answer), released_words(reference)
    if not said or not wanted:
        return 0.0
    shared = lcs_length(said, wanted)
    precision, recall = shared / len(said), shared / len(wanted)
    return 2.0 * ((precision * recall) / (precision + recall + 1e-8))


def jieba_words(text: str) -> Iterable[str]:
    """What jieba cuts a Chinese text into, white space included. Raises ModuleNotFoundError where it is missing."""
    words: Iterable[str] = _jieba().cut(text)
    return words


@lru_cache(maxsize=1)
def _jieba() -> Any:
    """Its dictionary is read from the package: jieba would rather keep a cache in the folder of temporary files."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it imports pkg_resources
        import jieba
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return tokenizer


def released_words(text: str) -> list[str]:
    """Return the words that ``released_rouge_l`` compares."""
    if not text.isascii() or "?" in text or "......" in text:  # else no break applies
        for ending in _BREAKS:
            text = ending.sub(r"\1\n\2", text)
    return [word for line in text.rstrip().split("\n") if line for word in line.split() or [""]]
