"""The rules that wrote the questions of a set, as rows of finished text, each with a question that it wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ragassay.records import Example
from ragassay.report.safe_text import excerpt
from ragassay.report.wording import count, label_order, share

QUESTION_CHARS = 140


class PatternRow(NamedTuple):
    """question: one that the rule wrote; empty where none is there. share: of the questions of the label."""

    name: str
    question: str
    number: str
    share: str


class PatternGroup(NamedTuple):
    """The rules of a label, the most frequent first."""

    label: str
    rows: Sequence[PatternRow]


def pattern_groups(patterns: Mapping[str, Mapping[str, int]], examples: Sequence[Example]) -> list[PatternGroup]:
    """One group a label; none for a label of which a language model wrote all, which follows no patterns.

    patterns: label to pattern to count. examples: those that were counted; the first question of each pattern is shown.
    """
    asked = {
        (str(each.verified_label or each.requested_label), each.provenance.pattern): each.question
        for each in reversed(examples)
    }
    groups = []
    for label in label_order(patterns):
        if not patterns[label] or set(patterns[label]) == {""}:
            continue
        total = sum(patterns[label].values())
        rows = [
            PatternRow(
                name.replace("_", " ") or "language model",
                excerpt(asked.get((label, name), ""), QUESTION_CHARS),
                count(number),
                share(number, total),
            )
            for name, number in sorted(patterns[label].items(), key=lambda item: (-item[1], item[0]))
        ]
        groups.append(PatternGroup(label, rows))
    return groups
