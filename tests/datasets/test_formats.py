"""Each format of other people, read from files written by hand as their makers write them."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragassay.datasets.lines import guarded, unguarded
from ragassay.datasets.registry import read_dataset, recognised, write_dataset
from ragassay.datasets.sets import SETS
from ragassay.datasets.texts import find_quote
from ragassay.datasets.validation import examine
from ragassay.errors import InputError
from ragassay.records import NO_CONTEXT, content_id

Written = Callable[..., Path]
Reader = Callable[..., Any]
LAMP = "The lamp is red. It stands in the harbour."


def squad(*questions: dict[str, Any], text: str = LAMP) -> dict[str, Any]:
    return {"version": "v2.0", "data": [{"title": "Lamps", "paragraphs": [{"context": text, "qas": list(questions)}]}]}


def test_squad_answers_are_spans_and_impossible_questions_have_none(written: Written, read: Reader) -> None:
    path = written(
        "dev.json",
        squad(
            {"id": "1", "question": "Where?", "answers": [{"text": "the harbour", "answer_start": 30}]},
            {
                "id": "2",
                "question": "Who?",
                "answers": [],
                "plausible_answers": [{"text": "It", "answer_start": 17}],
                "is_impossible": True,
            },
        ),
    )
    found = read(path)
    document = found.documents[0]
    assert (document.text, document.title, document.id) == (LAMP, "Lamps", content_id("doc", LAMP))
    first, second = found.examples
    assert (first.id, first.answer, first.references) == ("1", "the harbour", (document.span(30, 41),))
    assert (first.requested_label, first.context.text) == (None, LAMP)
    assert (second.answer, second.references, second.requested_label) == ("", (), "unanswerable")
    assert second.provenance.unanswerable_in == "document"
    assert found.notes.counts == {"not read: the field 'plausible_answers'": 1}


def test_squad_takes_the_commonest_answer_and_mends_offsets_that_are_wrong(written: Written, read: Reader) -> None:
    three = [{"text": "harbour", "answer_start": 34}, {"text": "the harbour", "answer_start": 30}] * 2
    answers = [*three, {"text": "the harbour", "answer_start": 30}]
    moved = [{"text": "e", "answer_start": 29}]  # "e" stands at 2, 13 and 32: the nearest to 29 is 32
    missing = [{"text": "in the attic", "answer_start": 5}]
    path = written(
        "dev.json",
        squad(
            {"id": "1", "question": "Where?", "answers": answers},
            {"id": "2", "question": "Letter?", "answers": moved},
            {"id": "3", "question": "Where not?", "answers": missing},
        ),
    )
    found = read(path)
    assert [each.references[0].start for each in found.examples] == [30, 32, 0]
    assert found.examples[2].references[0].end == 0  # kept with no place, so that nothing is lost and check names it
    assert found.examples[2].answer == "in the attic"
    assert (found.examples[0].answer, found.examples[0].other_answers) == ("the harbour", ("harbour",))
    assert found.notes.counts == {
        "references that are not at their offset; the nearest place is used": 1,
        "references that are not in their text": 1,
    }


def test_beir_judgements_become_whole_documents(written: Written, read: Reader, tmp_path: Path) -> None:
    written(
        "beir/corpus.jsonl",
        {"_id": "d1", "title": "Lamps", "text": LAMP, "metadata": {"url": "a"}},
        {"_id": "d2", "title": "", "text": "Nothing."},
    )
    written("beir/queries.jsonl", {"_id": "q1", "text": "Which colour?", "metadata": {}}, {"_id": "q2", "text": "Why?"})
    written("beir/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td2\t1\nq1\td1\t2\nq2\td1\t0\nq9\td1\t1\n")
    found = read(tmp_path / "beir")
    assert [(each.id, each.metadata) for each in found.documents] == [("d1", {"url": "a"}), ("d2", {})]
    first, second = found.examples
    spans = [(span.document_id, span.start, span.end, span.grade) for span in first.references]
    assert spans == [("d1", 0, 42, 2), ("d2", 0, 8, 1)]
    write_dataset(tmp_path / "again", read_dataset(tmp_path / "beir"), format_name="beir")
    assert "\td1\t2\n" in (tmp_path / "again" / "qrels" / "test.tsv").read_text("utf-8")
    assert (second.references, second.context) == ((), NO_CONTEXT)
    assert found.notes.counts == {
        "not read: documents that are judged not relevant": 1,
        "queries without a relevant document": 1,
        "not read: qrels of queries that are not in queries.jsonl": 1,
    }


def test_a_published_beir_collection_has_gaps(written: Written, read: Reader, tmp_path: Path) -> None:
    # Cranfield has two documents without text; elsewhere judgements name documents that were taken out
    written(
        "beir/corpus.jsonl",
        {"_id": "1", "title": "Lamps", "text": LAMP},
        {"_id": "2", "title": "", "text": ""},
        {"_id": "3", "title": "Tall lamps", "text": " "},
    )
    written(
        "beir/queries.jsonl", {"_id": "a", "text": "Which?"}, {"_id": "b", "text": " "}, {"_id": "c", "text": "Why?"}
    )
    written("beir/qrels/test.tsv", "a\t1\t1\na\t2\t1\na\t9\t1\nb\t1\t1\nc\t9\t1\n")
    found = read(tmp_path / "beir")
    assert [(each.id, each.title, each.text) for each in found.documents] == [
        ("1", "Lamps", LAMP),
        ("2", "", ""),
        ("3", "Tall lamps", "Tall lamps"),
    ]
    first, second = found.examples
    assert [(span.document_id, span.text) for span in first.references] == [("1", LAMP), ("2", ""), ("9", "")]
    assert (first.context.document_id, second.context) == ("1", NO_CONTEXT)
    assert found.notes.counts == {
        "documents with neither text nor title, which no search can find": 1,
        "documents without text, whose titles are searched": 1,
        "judged documents without text": 1,
        "judgements of documents that are not in the corpus": 2,
        "queries without text, left out": 1,
    }
    examined = examine(found.records, found.notes)
    assert examined.findings.errors == 0
    assert examined.findings.counts == {"empty document": 1, "judged document": 3}


def dragonball(query_id: int, kind: str, question: str, **truth: Any) -> dict[str, Any]:
    return {
        "domain": "Finance",
        "language": "zh" if "问" in kind else "en",
        "query": {"query_id": query_id, "query_type": kind, "content": question},
        "ground_truth": {"doc_ids": [7], "content": "Red", "references": [], "keypoints": [], **truth},
    }


def test_dragonball(written: Written, read: Reader) -> None:
    written(
        "documents.jsonl", {"doc_id": 7, "domain": "Finance", "language": "en", "company_name": "L", "content": LAMP}
    )
    path = written(
        "queries.jsonl",
        dragonball(
            1,
            "Summary Question",
            "What of it?",
            references=["It stands in the harbour.", "The lamp is red.It stands"],
            keypoints=["1. It is red.", "2020. was early."],
        ),
        dragonball(2, "无关无解问", "谁？", content="无法回答", keypoints=["1. 无法回答"]),
        dragonball(3, "Riddle", "Why?", references=["The lamp is green."]),
    )
    found = read(path)
    document = found.documents[0]
    assert (document.id, document.title, document.metadata) == ("7", "L", {"domain": "Finance", "company_name": "L"})
    first, second, third = found.examples
    assert [(span.start, span.end) for span in first.references] == [(17, 42), (0, 26)]
    assert (first.question_type, first.keypoints) == ("summarization", ("It is red.", "2020. was early."))
    assert (second.question_type, second.requested_label, second.answer, second.keypoints) == (
        "unanswerable",
        "unanswerable",
        "",
        ("无法回答",),  # as published: an answer that refuses covers it
    )
    assert (third.question_type, third.references[0].start, third.references[0].end) == ("Riddle", 0, 0)
    assert found.notes.counts == {
        "references with other white space than their document; the document's is taken": 1,
        "question types that are not among the seven": 1,
        "references that are in none of their documents": 1,
    }


@pytest.mark.shared_data
def test_the_published_queries_of_dragonball(shared_data: Path, read: Reader) -> None:
    found = read(shared_data / "dragonball" / "finance_en_gpt4o.jsonl")
    assert (len(found.documents), len(found.examples), len(found.predictions)) == (216, 350, 350)
    assert Counter(each.question_type for each in found.examples) == {
        "unanswerable": 52,
        "factual": 50,
        "multi_hop": 50,
        "summarization": 50,
        "temporal_sequence": 50,
        "information_integration": 49,
        "numerical_comparison": 49,
    }
    texts = {each.id: each.text for each in found.documents}
    placed = [span for each in found.examples for span in each.references if span.end]
    assert len(placed) == 1_040  # of 1 050: the other ten have a first sentence that the document words differently
    assert all(texts[span.document_id][span.start : span.end] == span.text for span in placed)


@pytest.mark.shared_data
@pytest.mark.parametrize("name", ["en", "zh"])
def test_xquad(shared_data: Path, read: Reader, name: str) -> None:
    found = read(shared_data / "xquad" / f"{name}.jsonl")
    assert (len(found.documents), len(found.examples)) == (240, 1_190)
    assert {each.language for each in found.examples} == {name}
    assert not found.notes.counts


def test_a_table_of_others(written: Written, read: Reader) -> None:
    path = written(
        "set.csv",
        "\ufeffquestion;answer;context;mood;verified_label\r\nWhich colour?;'-red;The lamp is red.;calm;summary\r\n",
    )
    found = read(path)
    example = found.examples[0]
    assert (example.answer, example.references[0].text) == ("-red", "The lamp is red.")
    assert found.documents[0].source == "set.csv#2"
    assert found.notes.counts == {"not read: the field 'mood'": 1, "not read: the field 'verified_label'": 1}


def test_no_cell_of_a_table_runs(written: Written, read: Reader, tmp_path: Path) -> None:
    hostile = ["=1+1", "@SUM(A1)", "+1", "-1", "\t=1", "'=1", "''-", "＝1", "plain", "it's", "'quoted'"]
    path = written("rows.jsonl", *({"user_input": each, "reference": each} for each in hostile))
    for format_name in ("csv", "ragas"):
        target = tmp_path / f"{format_name}.csv"
        write_dataset(target, read_dataset(path), format_name=format_name)
        with target.open(encoding="utf-8", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert not any(cell[:1] in ("=", "+", "-", "@", "\t", "\r", "＝") for cell in cells)
        assert [each.answer for each in read(target).examples] == hostile
    assert guarded("'it") == "'it" == unguarded("'it")


def test_a_quote_is_found_word_for_word_first_and_nearest() -> None:
    assert find_quote("ab ab ab", "ab", near=4) == (3, 5)
    assert find_quote("ab ab ab", "ab", near=7) == (6, 8)
    assert find_quote("one.\ntwo", "one. two") == (0, 8)
    assert find_quote("one.\ntwo", "one.two") == (0, 8)
    assert find_quote("one", " ") is None


@pytest.mark.parametrize("answers", [{"answers": {"text": ["red"], "answer_start": [12]}}, {"answers": ["red"]}])
def test_squad_as_rows_with_columns(written: Written, read: Reader, answers: dict[str, Any]) -> None:
    path = written("rows.jsonl", {"id": "a", "context": LAMP, "question": "Which?", **answers})
    assert recognised(path).name == "squad"
    found = read(path)
    assert found.examples[0].references == (found.documents[0].span(12, 15),)


@pytest.mark.parametrize("name", [name for name, form in SETS.items() if not form.needs_documents])
def test_the_wrong_form_gives_no_empty_set(written: Written, read: Reader, name: str) -> None:
    path = written("set.jsonl", {"header": {"of": "nothing"}})
    with pytest.raises(InputError):
        read(path, format_name=name)
    assert "set.jsonl line 1" in str(read(path, format_name=name, keep_going=True).notes.faults[0])
