"""Conditions on ratings and labels: who passes, and an account of everybody who does not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ragassay
from ragassay.datasets.foreign import example_of, prediction_of
from ragassay.datasets.registry import read_dataset
from ragassay.errors import InputError, RunFolderError, UsageError
from ragassay.pipeline.label.filtering import Dropped, FilterOptions, filter_dataset, parse_labels, parse_ratings
from ragassay.records import Critique, Document, Example, Label, Prediction, read_jsonl, to_json
from ragassay.synthesis.judging import NOT_RATED


def rated(
    name: str, ratings: Mapping[str, int | None], label: Label | None = "fact_single", asked: Label | None = None
) -> Example:
    made = example_of(origin="test", question=f"{name}?", answer="yes", example_id=name)
    critiques = tuple(
        Critique(name=each, value=value, reason="" if value else "no rule") for each, value in ratings.items()
    )
    fields = {field: getattr(made, field) for field in made.__slots__}
    return Example(**fields | {"critiques": critiques, "verified_label": label, "requested_label": asked})


def write(folder: Path, *records: object) -> Path:
    path = folder / "rated.jsonl"
    path.write_text("".join(to_json(each) + "\n" for each in records), encoding="utf-8")
    return path


def kept(path: Path) -> list[str]:
    return [record.id for record in read_dataset(path) if isinstance(record, Example)]


def test_thresholds_and_the_reasons_for_what_is_dropped(tmp_path: Path) -> None:
    source = write(
        tmp_path,
        rated("good", {"stand_alone": 4, "tautology": 3}),
        rated("low", {"stand_alone": 3, "tautology": 3}),
        rated("both", {"stand_alone": 1, "tautology": 1}),
        rated("unrated", {"stand_alone": 5, "tautology": None}),
        rated("absent", {"stand_alone": 5}),
    )
    out = tmp_path / "kept.jsonl"
    done = ragassay.filter_dataset(source, out, least={"stand_alone": 4, "tautology": 2})
    assert kept(out) == ["good"]
    assert done.reasons == {
        "rated below 4 for stand alone": 2,
        "no rating of tautology": 2,
        "rated below 2 for tautology": 1,
    }
    assert done.only == {"rated below 4 for stand alone": 1, "no rating of tautology": 2}
    dropped = {each.example_id: each.reasons for each in read_jsonl(done.dropped_file, Dropped)}
    assert dropped == {
        "low": ("rated below 4 for stand alone",),
        "both": ("rated below 4 for stand alone", "rated below 2 for tautology"),
        "unrated": ("no rating of tautology",),
        "absent": ("no rating of tautology",),
    }


def test_what_does_not_apply_to_an_unanswerable_pair_drops_it_not(tmp_path: Path) -> None:
    source = write(
        tmp_path,
        rated("fact", {"answer_groundedness": 2, "stand_alone": 5}),
        rated("none", {"stand_alone": 5}, "unanswerable"),
        rated("vague", {"stand_alone": 1}, "unanswerable"),
    )
    out = tmp_path / "kept.jsonl"
    ragassay.filter_dataset(source, out, least={"answer_groundedness": 3, "stand_alone": 2})
    assert kept(out) == ["none"]


def test_upper_bounds_labels_and_verified_labels(tmp_path: Path) -> None:
    source = write(
        tmp_path,
        rated("known", {"known_without_context": 5}, "summary", "summary"),
        rated("new", {"known_without_context": 1}, "summary", "summary"),
        rated("other", {"known_without_context": 1}, "summary", "reasoning"),
        rated("unverified", {"known_without_context": 1}, None, "summary"),
        rated("free", {"known_without_context": 1}, "summary", None),
        rated("fact", {"known_without_context": 1}, "fact_single", "fact_single"),
    )
    done = ragassay.filter_dataset(
        source, tmp_path / "kept.jsonl", most={"known_without_context": 3}, labels=["summary"], verified_only=True
    )
    assert kept(done.out) == ["new", "free"]
    assert done.examples == {"summary": 5, "fact_single": 1}
    assert done.kept == {"summary": 2}
    assert done.reasons == {
        "known without context above 3": 1,
        "the verified label is not the requested one": 1,
        "the label was not verified": 1,
        "the label is fact_single": 1,
    }


def test_documents_stay_and_predictions_go_with_their_examples(tmp_path: Path) -> None:
    source = tmp_path / "set"
    source.mkdir()
    examples = [rated("good", {"stand_alone": 5}), rated("bad", {"stand_alone": 1})]
    document = Document(id="d", title="", source="", text="A text.")
    for name, records in (
        ("examples", examples),
        ("documents", [document]),
        ("predictions", [prediction_of(each.id, "yes", ["A text."]) for each in examples]),
    ):
        (source / f"{name}.jsonl").write_text("".join(to_json(each) + "\n" for each in records), encoding="utf-8")
    done = ragassay.filter_dataset(source, tmp_path / "kept", least={"stand_alone": 2})
    records = list(read_dataset(done.out))
    assert [each.example_id for each in records if isinstance(each, Prediction)] == ["good"]
    assert [each for each in records if isinstance(each, Document)] == [document]


def test_what_cannot_be_meant_writes_nothing(tmp_path: Path) -> None:
    source = write(tmp_path, rated("good", {"stand_alone": 4, "feasibility": None}))
    out = tmp_path / "kept.jsonl"
    for options, error, said in (
        (FilterOptions(data=source, out=out), UsageError, "no condition given; give one with"),
        (FilterOptions(data=source, out=out, least={"stand_alone": 6}), UsageError, "must be between 1 and 5, not 6"),
        (FilterOptions(data=source, out=out, least={"charm": 3}), UsageError, "the set has feasibility, stand_alone"),
        (FilterOptions(data=source, out=out, least={"feasibility": 3}), UsageError, "rated by feasibility: no rule"),
        (FilterOptions(data=source, out=out, least={"stand_alone": 5}), UsageError, r"1 rated below 5 for stand alone"),
        (FilterOptions(data=source, out=source, least={"stand_alone": 3}), RunFolderError, "already exists"),
        (FilterOptions(data=tmp_path / "no", out=out, least={"stand_alone": 3}), InputError, "does not exist"),
    ):
        with pytest.raises(error, match=said):
            filter_dataset(options)
    assert {path.name for path in tmp_path.iterdir()} == {"rated.jsonl"}


def test_conditions_as_they_are_typed() -> None:
    assert parse_ratings(" standalone=4, answer-groundedness=3,", "--min") == {
        "stand_alone": 4,
        "answer_groundedness": 3,
    }
    assert parse_ratings("Known_Without_Context=3", "--max") == {"known_without_context": 3}
    assert parse_ratings("", "--min") == {}
    assert parse_labels("summary, fact_single") == ("fact_single", "summary")
    for text, said in (
        ("tautology", "must be CRITIQUE=RATING"),
        ("tautology=x", "must be CRITIQUE=RATING"),
        ("a=1,a=2", "given twice"),
    ):
        with pytest.raises(UsageError, match=said):
            parse_ratings(text, "--min")
    with pytest.raises(UsageError, match="unknown label 'sums'"):
        parse_labels("sums")


ratings = st.dictionaries(
    st.sampled_from(["stand_alone", "tautology", "feasibility"]), st.none() | st.integers(1, 5), max_size=3
)
pool = st.lists(st.tuples(ratings, st.sampled_from(["fact_single", "unanswerable"])), min_size=1, max_size=12)


@given(pool, st.integers(1, 5), st.integers(1, 5))
def test_a_higher_threshold_keeps_a_part(
    tmp_path_factory: pytest.TempPathFactory,
    pool: list[tuple[dict[str, int | None], Label]],
    first: int,
    second: int,
) -> None:
    """Nothing passes a threshold that does not pass a lower one; dropped and kept are all there are."""
    folder = tmp_path_factory.mktemp("filter")
    always = rated("always", {"stand_alone": 5, "tautology": 5, "feasibility": 5})
    source = write(folder, always, *(rated(f"e{n}", given, label) for n, (given, label) in enumerate(pool)))
    low, high = sorted((first, second))
    names: list[set[str]] = []
    for place, least in enumerate((low, high)):
        done = ragassay.filter_dataset(source, folder / f"kept{place}.jsonl", least={"tautology": least})
        names.append(set(kept(done.out)))
        dropped = {each.example_id for each in read_jsonl(done.dropped_file, Dropped)}
        assert names[-1] | dropped == {"always", *(f"e{n}" for n in range(len(pool)))}
        assert not names[-1] & dropped
    assert names[1] <= names[0]
    for place, (ratings_of, label) in enumerate(pool):
        value = ratings_of.get("tautology")
        passes = (label == "unanswerable" and "tautology" in NOT_RATED) or (value is not None and value >= low)
        assert (f"e{place}" in names[0]) == passes
