"""From accepted candidates to the set that was asked for: exact counts, spread over documents and over patterns."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from ragassay.synthesis.candidates import Candidate
from ragassay.synthesis.options import SynthesisOptions


def chosen(
    accepted: Sequence[Candidate],
    counts: Mapping[str, int],
    lengths: Mapping[str, int],
    options: SynthesisOptions,
) -> list[Candidate]:
    """As many candidates of each verified label as asked for, or all there are, in the order of documents and places.

    In turns: the candidate whose document has given least so far, then whose pattern has, then the best rated. A
    pattern goes beyond ``pattern_share`` of its label only when nothing else is left, and no document beyond its
    allowance.
    lengths: document id to characters.
    """
    used: Counter[str] = Counter()
    picked: list[Candidate] = []
    # labels that are hard to fill choose first, so that others do not use up their documents
    pools: dict[str, list[Candidate]] = {label: [] for label in counts}
    for each in accepted:
        pools.setdefault(options.counts_under(each.counted), []).append(each)
    for label in sorted(counts, key=lambda label: len(pools[label]) - counts[label]):
        picked += _of_label(pools[label], counts[label], used, lengths, options)
    return sorted(picked, key=lambda each: (each.ordinal, each.context.start, each.counted or "", each.question))


ONE_STATEMENT = frozenset({"count", "short_form_join", "age"})
"""Patterns of reasoning that one list, entry or sentence may be enough for: at most half of the label while others can
fill it, since joining two statements is what the label is about."""


def one_statement_cap(count: int) -> int:
    """Most examples of a label whose patterns need one statement only, while others can fill it."""
    return count // 2


def pattern_cap(count: int, options: SynthesisOptions) -> int:
    """Most examples of a label that one pattern writes while others can fill it."""
    return max(1, math.ceil(count * options.pattern_share))


def _of_label(
    pool: Sequence[Candidate], count: int, used: Counter[str], lengths: Mapping[str, int], options: SynthesisOptions
) -> list[Candidate]:
    cap = pattern_cap(count, options)
    patterns: Counter[str] = Counter()
    in_document: Counter[str] = Counter()
    left = list(pool)
    picked: list[Candidate] = []
    while left and len(picked) < count:
        easy_ones = sum(patterns[name] for name in ONE_STATEMENT)
        best = min(
            left,
            key=lambda each: (
                each.pattern in ONE_STATEMENT and easy_ones >= one_statement_cap(count),
                patterns[each.pattern] >= cap,
                used[each.context.document_id],
                patterns[each.pattern],
                -each.quality,
                each.ordinal,
                each.question,
            ),
        )
        left.remove(best)
        home = best.context.document_id
        if in_document[home] >= options.allowance(lengths[home]):
            continue
        picked.append(best)
        patterns[best.pattern] += 1
        in_document[best.context.document_id] += 1
        used[best.context.document_id] += 1
    return picked
