"""Patterns with one of their questions each."""

from __future__ import annotations

from dataclasses import replace

from ragassay.records import Example
from ragassay.report.pattern_table import QUESTION_CHARS, pattern_groups
from ragassay.report.wording import share


def test_every_pattern_stands_with_its_first_question(examples: list[Example]) -> None:
    def made(question: str, pattern: str) -> Example:
        provenance = replace(examples[0].provenance, pattern=pattern)
        return replace(examples[0], question=question, verified_label="summary", provenance=provenance)

    found = [made("First?", "key_group"), made("Second?", "key_group"), made("long " * 100, "list")]
    patterns = {
        "summary": {"list": 1, "key_group": 2, "gone": 1},
        "reasoning": {"": 3},
        "fact_single": {"": 1, "term": 3},
    }
    facts, summary = pattern_groups(patterns, found)
    assert (facts.label, summary.label) == ("fact_single", "summary")
    assert [tuple(row) for row in facts.rows] == [
        ("term", "", "3", share(3, 4)),
        ("language model", "", "1", share(1, 4)),
    ]
    assert [row.name for row in summary.rows] == ["key group", "gone", "list"]
    assert [row.question for row in summary.rows[:2]] == ["First?", ""]
    assert len(summary.rows[2].question) <= QUESTION_CHARS + 2
    assert summary.rows[0].share == share(2, 4)
