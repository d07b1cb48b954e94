"""Studies that need no answers of a system: what the sheets show and ask, and what comes of the judgements."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragassay.agreement.agree import agree
from ragassay.annotation.beside import PAIR_QUALITIES, document_sheets, pair_sheets
from ragassay.annotation.options import RoundOptions
from ragassay.annotation.rounds import begin_round
from ragassay.annotation.sheets import sheets_of
from ragassay.errors import InputError, RecordError
from ragassay.pipeline.data.agree import AgreeOptions, agree_on
from ragassay.records import Annotation, Document, Example, Span, write_jsonl

TEXT = "The Argo was built in 1931. The Argo carries 40 cars."
DOCUMENT = Document(id="d", title="Ferries", source="d.md", text=TEXT, metadata={"scenario": "ferries"})
PAIRS: tuple[dict[str, Any], ...] = (
    {"quality": "faithfulness", "question": "How many?", "context": TEXT, "better": "40.", "worse": "60."},
    {"quality": "answer_relevance", "question": "How many?", "better": "40 cars.", "worse": "Some."},
    {"quality": "context_relevance", "question": "How many?", "better": TEXT, "worse": TEXT + " It is blue."},
)


def pairs_file(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "pairs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def scenario(folder: Path, *ways: str) -> Path:
    write_jsonl(folder / "documents.jsonl", [DOCUMENT])
    beside = [replace(DOCUMENT, id=way, text=f"{way} text", metadata={"way": way, "of": "d"}) for way in ways]
    write_jsonl(folder / "baselines.jsonl", beside)
    return folder


def test_a_triple_is_shown_with_type_references_and_document(examples: list[Example]) -> None:
    reference = Span(document_id="d", start=28, end=len(TEXT), text=TEXT[28:])
    example = replace(examples[0], references=(reference,), question_type="multi_hop")
    sheet = sheets_of("triples", [example], documents={"d": DOCUMENT})[0]
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


def test_pairs_show_what_each_quality_is_judged_on(tmp_path: Path) -> None:
    sheets = pair_sheets(pairs_file(tmp_path, *PAIRS, PAIRS[0]))  # one twice: asked once
    assert [[(each.heading, each.side) for each in sheet.shown] for sheet in sheets] == [
        [("Question", ""), ("Context", ""), ("Answer 1", "first"), ("Answer 2", "second")],
        [("Question", ""), ("Answer 1", "first"), ("Answer 2", "second")],
        [("Question", ""), ("Context 1", "first"), ("Context 2", "second")],
    ]
    assert [sheet.asked[0].name for sheet in sheets] == [f"preference:{name}" for name in PAIR_QUALITIES]
    swapped = sheets[2].swapped()
    assert [each.text for each in swapped.shown[1:]] == [PAIRS[2]["worse"], PAIRS[2]["better"]]
    assert [option.value for option in swapped.asked[0].options] == ["second", "first", "tie"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"question": "q", "better": "a", "worse": "b"}, "the pair has no quality, name it with --quality"),
        ({**PAIRS[0], "context": ""}, "context must be a text that is not empty"),
        ({**PAIRS[1], "worse": 3}, "worse must be a text that is not empty"),
    ],
)
def test_a_pair_that_cannot_be_shown_is_named(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    with pytest.raises(RecordError, match=f"line 2: {said}"):
        pair_sheets(pairs_file(tmp_path, PAIRS[0], row))


def test_people_are_set_beside_what_was_built_as_better(tmp_path: Path) -> None:
    """Both find the better answer of the first pair and the worse of the second; on the third they differ."""
    path = pairs_file(tmp_path, *({**PAIRS[0], "question": f"How many, {number}?"} for number in range(3)))
    round_ = begin_round(tmp_path / "round", RoundOptions(data=path, task="pairs", annotators=("ana", "ben")))
    chosen = dict(zip([sheet.subject_id for sheet in round_.sheets()], ("first", "second", "tie"), strict=True))
    for name in round_.annotators:
        for turn in range(3):
            subject = round_.turn(name, turn).sheet.subject_id
            value = "first" if name == "ben" and chosen[subject] == "tie" else chosen[subject]
            round_.judge(name, turn, "preference:faithfulness", value)
    found = agree_on(AgreeOptions(annotations=(tmp_path / "round",), against=path)).tasks["preference:faithfulness"]
    assert found.judge is not None
    assert found.judge.pairwise is not None
    assert (found.judge.pairwise.value, found.judge.pairwise.n) == (0.5, 2)  # one of the two with a majority
    assert found.preferred == {}  # pairs have no names


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


def test_three_ways_have_places_by_wins_and_ties_share_them() -> None:
    pairs = ("scenario|zero_shot", "scenario|one_shot", "zero_shot|one_shot")
    said = [
        Annotation(
            id=f"{home}{who}{pair}", subject_id=f"{home}@{pair}", annotator=who, task="preference:x", value=value
        )
        for home, who, values in (
            ("d", "ana", ("first", "tie", "second")),  # scenario 1.5, one-shot 1.5, zero-shot 0: places 1 and 2 shared
            ("d", "ben", ("first", "first", "first")),  # scenario 2, zero-shot 1, one-shot 0
            ("e", "ana", ("second", "second", "tie")),  # the others 1.5 each, scenario 0
            ("f", "ana", ("first", "first")),  # not every two were compared: no ranking
        )
        for pair, value in zip(pairs, values, strict=False)
    ]
    found = agree(said)["preference:x"].places
    # scenario: of d the mean of (1/2, 1/2, 0) and (1, 0, 0), of e (0, 0, 1): (3/8, 1/8, 1/2), mean place 2.125
    assert [each.value for each in found["scenario"].shares] == [0.375, 0.125, 0.5]
    # one-shot: of d 1.5 and 3, of e 1.5: (2.25 + 1.5) / 2; zero-shot: of d 3 and 2, of e 1.5: (2.5 + 1.5) / 2
    assert {name: each.mean.value for name, each in found.items()} == {
        "one_shot": 1.875,
        "zero_shot": 2.0,
        "scenario": 2.125,
    }
    assert agree(said[:1])["preference:x"].places == {}


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
