"""The best setting of a label, and what the questions say of the others beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ragassay.evaluation.estimate import Comparison, Estimate
from ragassay.rag.setting import Setting
from ragassay.sweep.ties import LEVEL, Ties


@dataclass(frozen=True, slots=True, kw_only=True)
class BestSetting:
    """The best setting for a label, and every other that has enough values tested against it on the same questions.

    dense, lexical: the two ends with all else as in the best; None where not tried, or with few values. comparisons:
    other minus best, p-values adjusted over all of them (Holm), the best first. neighbours: the next text weights and
    chunk sizes on either side alone, a family of tests of their own. ties: those that the test does not tell from the
    best. A winner's own value is optimistic, because it was picked for it: the tests say how much that may matter.
    """

    label: str
    setting: Setting
    estimate: Estimate
    dense: Estimate | None
    lexical: Estimate | None
    comparisons: tuple[Comparison, ...]
    neighbours: tuple[Comparison, ...]
    ties: Ties

    @property
    def not_worse(self) -> tuple[Comparison, ...]:
        """The others that the test does not tell from the best."""
        return tuple(each for each in self.comparisons if each.p_of_family >= LEVEL)


def neighbours_of(setting: Setting, tried: Iterable[Setting]) -> list[Setting]:
    """The next lower and higher text weight with all else equal, then the next smaller and larger chunk size.

    At the ends, where all fusions are one, the weight next to it is that of the fusion that names the end.
    """
    alike = [each for each in tried if _is_alike(each, setting)]
    same_cut = [each for each in alike if each.chunking == setting.chunking]
    same_weight = [each for each in alike if each.text_weight == setting.text_weight]
    lower = [each for each in same_cut if each.text_weight < setting.text_weight]
    higher = [each for each in same_cut if each.text_weight > setting.text_weight]
    smaller = [each for each in same_weight if each.chunk_size < setting.chunk_size]
    larger = [each for each in same_weight if each.chunk_size > setting.chunk_size]
    nearest = [
        max(lower, key=lambda each: each.text_weight, default=None),
        min(higher, key=lambda each: each.text_weight, default=None),
        max(smaller, key=lambda each: each.chunk_size, default=None),
        min(larger, key=lambda each: each.chunk_size, default=None),
    ]
    return [each for each in nearest if each is not None]


def _is_alike(other: Setting, setting: Setting) -> bool:
    """Whether all but text weight and size is equal, where it makes a difference."""
    return (other.fusion == setting.fusion or other.text_weight in (0, 1)) and is_alike_but_mix(other, setting)


def is_alike_but_mix(other: Setting, setting: Setting) -> bool:
    """Whether all but fusion, text weight and chunk size is equal, where it makes a difference."""
    by_words = 1 in (setting.text_weight, other.text_weight)
    vectors = by_words or (other.encoder, other.vectors, other.hyde) == (setting.encoder, setting.vectors, setting.hyde)
    return vectors and _rest(other) == _rest(setting)


def _rest(setting: Setting) -> tuple[object, ...]:
    ranking = setting.chunker, setting.prefix, setting.reranker, setting.candidates, setting.guard
    return (*ranking, setting.guard_threshold, setting.top_k, setting.generator, setting.retrieval, setting.prompt)
