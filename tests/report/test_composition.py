"""What sets are made of, as stacked bars."""

from __future__ import annotations

from ragassay.report.composition import composition_of, label_parts, verified_labels


def test_a_label_looks_the_same_whichever_others_there_are() -> None:
    every = {part.name: part for part in label_parts({"fact_single", "summary", "reasoning", "unanswerable"})}
    assert len({(part.style, part.shape) for part in every.values()}) == 4
    assert label_parts({"unanswerable", "summary"}) == [every["summary"], every["unanswerable"]]


def test_bars_are_shares_and_say_what_the_whole_is() -> None:
    found = composition_of([("this set", {"summary": 30, "reasoning": 10}), ("empty", {"summary": 0})])
    assert (found.labels, len(found.keys)) == (["summary", "reasoning"], 2)
    assert ">75 %</text>" in found.drawing
    assert ">n = 40</text>" in found.drawing
    assert ">n = 0</text>" in found.drawing


def test_labels_given_by_label_asked_for() -> None:
    found = verified_labels({"summary": {"summary": 3, "": 1}, "reasoning": {"reasoning": 0}})
    assert found is not None
    assert found.rows == [("summary", {"summary": 3, "no label": 1})]
    assert found.labels == ["summary", "no label"]
    assert verified_labels({"summary": {}}) is None
