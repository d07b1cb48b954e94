"""Conditions on ratings, labels and documents: who passes, and an account of everybody who does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ragassay
from ragassay.datasets.foreign import example_of, prediction_of
from ragassay.datasets.registry import read_dataset
from ragassay.errors import RagassayError
from ragassay.records import Critique, Document, Example, Label, Prediction, to_json


def rated(
    name: str, ratings: Mapping[str, int | None], label: Label | None = "fact_single", asked: Label | None = None
) -> Example:
    critiques = tuple(Critique(name=key, value=value, reason="") for key, value in ratings.items())
    example = example_of(origin="test", question=f"{name}?", answer="yes", example_id=name)
    return replace(example, critiques=critiques, verified_label=label, requested_label=asked)


def write(folder: Path, *records: object, name: str = "rated.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(to_json(record) + "\n" for record in records), encoding="utf-8")
    return path


def kept(path: Path) -> list[str]:
    return [record.id for record in read_dataset(path) if isinstance(record, Example)]


SET = (
    rated("good", {"stand_alone": 4, "tautology": 3}),
    rated("low", {"stand_alone": 3, "tautology": 3}),
    rated("both", {"stand_alone": 1, "tautology": 1}, "summary", "summary"),
    rated("unrated", {"stand_alone": 5, "tautology": None}, "summary", "reasoning"),
    rated("absent", {"stand_alone": 5}, None, "summary"),
    rated("nothing", {"stand_alone": 5}, "unanswerable"),
)
REASONS: tuple[tuple[dict[str, Any], dict[str, tuple[str, ...]]], ...] = (
    (
        {"min": {"stand_alone": 4, "tautology": 2}},
        {
            "low": ("rated below 4 for stand alone",),
            "both": ("rated below 4 for stand alone", "rated below 2 for tautology"),
            "unrated": ("no rating of tautology",),
            "absent": ("no rating of tautology",),
        },
    ),
    (
        {"max": "standalone=4", "labels": "fact_single,summary"},
        {
            "unrated": ("stand alone above 4",),
            "absent": ("stand alone above 4",),
            "nothing": ("the label is unanswerable", "stand alone above 4"),
        },
    ),
    (
        {"verified_only": True},
        {
            "unrated": ("the verified label is not the requested one",),
            "absent": ("the label was not verified",),
        },
    ),
)


@pytest.mark.parametrize(("conditions", "reasons"), REASONS)
def test_every_reason_for_what_is_dropped(
    tmp_path: Path, conditions: dict[str, Any], reasons: dict[str, tuple[str, ...]]
) -> None:
    done = ragassay.label(write(tmp_path, *SET), tmp_path / "kept.jsonl", **conditions)
    assert {example.example_id: example.reasons for example in done.dropped} == reasons
    assert kept(done.out) == [example.id for example in SET if example.id not in reasons]
    counts = done.summary.kept
    assert counts is not None
    assert sum(counts.before.values()) == sum(counts.kept.values()) + len(reasons) == len(SET)
    alone = [each[0] for each in reasons.values() if len(each) == 1]
    assert counts.only_reason == {reason: alone.count(reason) for reason in alone}
    assert counts.reasons == {
        reason: sum(reason in each for each in reasons.values()) for each in reasons.values() for reason in each
    }


def test_documents_stay_and_predictions_go_with_their_examples(tmp_path: Path) -> None:
    source = tmp_path / "set"
    source.mkdir()
    examples = [rated("good", {"stand_alone": 5}), rated("bad", {"stand_alone": 1})]
    document = Document(id="d", title="", source="", text="A text.")
    write(source, *examples, name="examples.jsonl")
    write(source, document, name="documents.jsonl")
    write(source, *(prediction_of(each.id, "yes", ["A text."]) for each in examples), name="predictions.jsonl")
    done = ragassay.label(source, tmp_path / "kept", min={"stand_alone": 2})
    records = list(read_dataset(done.out))
    assert [each.example_id for each in records if isinstance(each, Prediction)] == ["good"]
    assert [each for each in records if isinstance(each, Document)] == [document]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"what": "none"}, "what= none: give a condition"),
        ({"what": "lables"}, "what: unknown part 'lables'"),
        ({"critiques": "charm"}, "critiques: unknown critique 'charm'"),
        ({"critiques": "feasibility"}, "critiques: feasibility: the embedded model"),
        ({"labels": "sums"}, "labels: unknown label 'sums'"),
        ({"min": {"stand_alone": 6}}, "min: must be at most 5, not 6"),
        ({"min": "tautology"}, "min: must be CRITIQUE=RATING"),
        ({"max": "tautology=x"}, "max: must be CRITIQUE=RATING"),
        ({"max": "a=1,a=2"}, "max: a is given twice"),
        ({"min": {"charm": 3}}, "min: no ratings by 'charm'; the set has feasibility, stand_alone"),
        ({"min": {"feasibility": 3}}, "1 no rating of feasibility"),
        ({"min": {"stand_alone": 5}}, "1 rated below 5 for stand alone"),
        ({"only_new": True}, "only_new: the set does not say"),
        ({"where": "day"}, "where: must be FIELD>=VALUE"),
        ({"where": "day>1"}, "where: no document has the field 'day'"),
        ({"tries": 5}, "tries: needs what= knowledge"),
        ({"what": "knowledge", "tries": 0}, "tries: must be at least 1"),
        ({"what": "labels", "critiques": "tautology"}, "critiques: needs what= critiques"),
        ({"what": "knowledge"}, "model: what= knowledge needs a language model"),
        ({"max_context_chars": 0}, "max_context_chars: must be at least 1"),
        ({"to": "beir", "out": "kept"}, "out: the format beir cannot hold labels"),
        ({"data": "none.jsonl", "labels": "summary"}, "does not exist"),
        ({"out": "rated.jsonl"}, "already exists"),
    ],
)
def test_what_cannot_be_meant_writes_nothing(tmp_path: Path, options: dict[str, Any], named: str) -> None:
    source = write(tmp_path, rated("good", {"stand_alone": 4, "feasibility": None}))
    paths = {"data": tmp_path / options.pop("data", source.name), "out": tmp_path / options.pop("out", "kept.jsonl")}
    with pytest.raises(RagassayError, match=named):
        ragassay.label(**paths, **options)
    assert {path.name for path in tmp_path.iterdir()} == {"rated.jsonl"}
