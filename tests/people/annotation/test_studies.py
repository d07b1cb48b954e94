"""Studies that need no answers of a system: what the sheets show and ask, and what comes of the judgements."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ragassay.errors import InputError
from ragassay.jobs.data.agree import AgreeOptions, agree_on
from ragassay.people.agreement.agree import agree
from ragassay.people.annotation.options import RoundOptions
from ragassay.people.annotation.rounds import begin_round, document_sheets
from ragassay.people.annotation.sheets import sheets_of
from ragassay.records import Annotation, Document, Example, Span, write_jsonl

TEXT = "The Argo was built in 1931. The Argo carries 40 cars."
DOCUMENT = Document(id="d", title="Ferries", source="d.md", text=TEXT, metadata={"scenario": "ferries"})


def scenario(folder: Path, *ways: str) -> Path:
    write_jsonl(folder / "documents.jsonl", [DOCUMENT])
    beside = [replace(DOCUMENT, id=way, text=f"{way} text", metadata={"way": way, "of": "d"}) for way in ways]
    write_jsonl(folder / "baselines.jsonl", beside)
    return folder


def test_a_triple_is_shown_with_type_references_and_document(examples: list[Example]) -> None:
    reference = Span(document_id="d", start=28, end=len(TEXT), text=TEXT[28:])
    example = replace(examples[0], references=(reference,), question_type="multi_hop")
    sheet = sheets_of("triples", [example], documents=[DOCUMENT])[0]
    assert [(each.heading, each.text) for each in sheet.shown] == [
        ("Question", "How many cars, case 0?"),
        ("Question type", "multi hop"),
        ("Reference answer", "40"),
        ("References", "The Argo carries 40 cars."),
        ("Ferries", TEXT),
    ]
    assert [(each.name, [option.value for option in each.options]) for each in sheet.asked] == [
        ("triple", ["5", "4", "3", "2", "1", "0"])
    ]
    unanswerable = replace(example, answer="", references=())
    texts = [each.text for each in sheets_of("triples", [unanswerable])[0].shown]
    assert texts[2:4] == ["No answer: the documents do not contain it.", "None."]


def test_statements_are_keypoints_or_else_sentences(examples: list[Example]) -> None:
    bare = replace(examples[1], keypoints=(), answer="It carries 40 cars. It is blue.")
    by_keypoints, by_sentences = sheets_of("statements", [examples[0], bare])
    assert [(each.name, each.ask) for each in by_keypoints.asked] == [("statement:1", "It is 40.")]
    assert [each.ask for each in by_sentences.asked] == ["It carries 40 cars.", "It is blue."]
    assert [option.value for option in by_sentences.asked[0].options] == ["supported", "unsupported"]
    with pytest.raises(InputError, match="none of the 1 examples has what the task statements needs: an answer"):
        sheets_of("statements", [replace(bare, answer="")])


def test_documents_are_compared_two_by_two_and_ranked(tmp_path: Path) -> None:
    sheets = document_sheets(scenario(tmp_path, "zero_shot", "one_shot"))
    assert [sheet.subject_id for sheet in sheets] == [
        "d@scenario|zero_shot",
        "d@scenario|one_shot",
        "d@zero_shot|one_shot",
    ]
    assert [each.name for each in sheets[0].asked] == [
        f"preference:{name}" for name in ("safety", "clarity", "conformity", "richness")
    ]
    # the scenario wins once and draws once (0.75), one-shot draws and wins (0.75), zero-shot loses twice
    said = [
        Annotation(id=str(number), subject_id=sheet.subject_id, annotator="ana", task="preference:clarity", value=value)
        for number, (sheet, value) in enumerate(zip(sheets, ("first", "tie", "second"), strict=True))
    ]
    shares = agree(said)["preference:clarity"].preferred
    assert {name: measured.value for name, measured in shares.items()} == {
        "one_shot": 0.75,
        "scenario": 0.75,
        "zero_shot": 0.0,
    }
    assert list(shares) == ["one_shot", "scenario", "zero_shot"]


def test_ratings_have_means_and_shares_of_good_ones_by_domain_and_language(
    tmp_path: Path, examples: list[Example]
) -> None:
    homes = [replace(DOCUMENT, id=name, metadata={"domain": name}) for name in ("Law", "Finance")]
    spans = [Span(document_id=each.id, start=0, end=3, text="The") for each in homes]
    rows = [
        replace(examples[0], id=f"q{number}", context=spans[number > 1], references=(), language="en")
        for number in range(3)
    ]
    write_jsonl(tmp_path / "documents.jsonl", homes)
    write_jsonl(tmp_path / "examples.jsonl", rows)
    options = RoundOptions(data=tmp_path, task="triples", annotators=("ana", "ben"))
    round_ = begin_round(tmp_path / "round", options)
    given = {"q0": {"ana": "5", "ben": "4"}, "q1": {"ana": "3", "ben": "4"}, "q2": {"ana": "0", "ben": "1"}}
    for name in round_.annotators:
        for turn in range(3):
            round_.judge(name, turn, "triple", given[round_.turn(name, turn).sheet.subject_id][name])
    found = agree_on(AgreeOptions(annotations=(tmp_path / "round",)))["triple"].ratings
    # means of items 4.5, 3.5 and 0.5; shares of 4 and 5: 1, 1/2 and 0
    assert {name: (each.mean.value, each.good.value) for name, each in found.items()} == {
        "all": (pytest.approx(8.5 / 3), 0.5),
        "Finance, en": (0.5, 0.0),
        "Law, en": (4.0, 0.75),
    }
