"""A few rows of each set of the papers, made after the form in which it is published."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragassay.datasets.registry import recognised
from ragassay.datasets.sets import SETS
from ragassay.errors import InputError
from ragassay.records import Example

Written = Callable[..., Path]
Reader = Callable[..., Any]
Said = tuple[str, str, list[str], str | None]

LAMP = "The lamp is red. It stands in the harbour."
MAST = "The mast is 12 m high. It was built in 1998."


def said(example: Example) -> Said:
    """Question, answer, references in their words, and how far nothing answers."""
    quotes = [span.text for span in example.references]
    return example.question, example.answer, quotes, example.provenance.unanswerable_in


HOTPOT = {
    "_id": "h1",
    "question": "Is the mast older?",
    "answer": "no",
    "supporting_facts": [["Mast", 1], ["Lamp", 0], ["Lamp", 5]],
    "context": [
        ["Lamp", ["The lamp is red.", " It stands in the harbour."]],
        ["Mast", ["The mast is 12 m high.", " It was built in 1998."]],
    ],
}
HOTPOT_COLUMNS = {
    **{name: HOTPOT[name] for name in ("question", "answer")},
    "id": "h1",
    "supporting_facts": {"title": ["Mast", "Lamp", "Lamp"], "sent_id": [1, 0, 5]},
    "context": {"title": ["Lamp", "Mast"], "sentences": [paragraph[1] for paragraph in HOTPOT["context"]]},
}
MARCO = [
    {
        "query": "colour of the lamp",
        "query_id": 19,
        "answers": ["Red."],
        "passages": [{"is_selected": 0, "passage_text": MAST}, {"is_selected": 1, "passage_text": LAMP}],
    },
    {
        "query": "weight of the lamp",
        "query_id": 20,
        "answers": ["No Answer Present."],
        "passages": [{"is_selected": 0, "passage_text": LAMP}],
    },
]
MARCO_SAID = [("colour of the lamp", "Red.", [LAMP], None), ("weight of the lamp", "", [], "context")]
PUBMED_ROW = {
    "pubid": 7,
    "question": "Does light help?",
    "context": {"contexts": [LAMP, MAST]},
    "long_answer": "It does.",
}
TRIVIA = {
    "question": "Which?",
    "question_id": "t1",
    "answer": {"aliases": ["Red", "Rouge"], "value": "Red"},
    "entity_pages": {"title": ["Lamp"], "wiki_context": [LAMP]},
    "search_results": {"title": ["Mast"], "search_context": [MAST]},
}
TRIVIA_ITEM = {"Answer": {"Aliases": ["Red"], "Value": "Red"}, "Question": "Which?", "QuestionId": "t1"}
RAGBENCH = {
    "id": "r1",
    "question": "Which?",
    "documents": [MAST, LAMP],
    "response": "It is red.",
    "documents_sentences": [[], [["1a", "The mast is 12 m high."]], [["2a", "The lamp is red."]]],
    "all_relevant_sentence_keys": ["2a", "9z"],
}
FACT = {"title": "A lamp", "fact": "The lamp is red."}
MULTIHOP = [
    {"query": "Which?", "answer": "Red", "question_type": "inference_query", "evidence_list": [FACT]},
    {"query": "Who?", "answer": "Insufficient information.", "question_type": "null_query", "evidence_list": []},
]
FINANCE = {
    "financebench_id": "f1",
    "doc_name": "LAMPS_2018_10K",
    "question": "Which?",
    "answer": "Red",
    "evidence": [{"evidence_text": "The lamp is red.", "evidence_text_full_page": f"Lamps\n{LAMP}"}],
}
OLDER: Said = ("Is the mast older?", "no", ["It was built in 1998.", "The lamp is red."], None)
SPAN: Said = ("Which?", "red", ["red"], None)
RED: Said = ("Which?", "Red", ["The lamp is red."], None)


@pytest.mark.parametrize(
    ("name", "file", "rows", "expected", "ids"),
    [
        ("nq_open", "o.jsonl", [{"question": "which", "answer": ["red", "rot"]}], [("which", "red", [], None)], None),
        *(
            ("hotpotqa", file, rows, [OLDER], ["h1"])
            for file, rows in (("hotpot.json", json.dumps([HOTPOT])), ("hotpot.jsonl", [HOTPOT_COLUMNS]))
        ),
        ("ms_marco", "marco.jsonl", MARCO, MARCO_SAID, ["19", "20"]),
        (
            "pubmedqa",
            "pqa.jsonl",
            [PUBMED_ROW],
            [("Does light help?", "It does.", [f"{LAMP}\n\n{MAST}"], None)],
            ["7"],
        ),
        *(
            ("triviaqa", file, rows, [("Which?", "Red", [], None)], ["t1"])
            for file, rows in (("trivia.jsonl", [TRIVIA]), ("dev.json", json.dumps({"Data": [TRIVIA_ITEM]})))
        ),
        ("ragbench", "r.jsonl", [RAGBENCH], [("Which?", "", [], None)], ["r1"]),
        ("multihop_rag", "MultiHopRAG.json", json.dumps(MULTIHOP), [RED, ("Who?", "", [], "corpus")], None),
        ("financebench", "finance.jsonl", [FINANCE], [RED], ["f1"]),
        *(
            ("squad", "rows.jsonl", [{"id": "a", "context": LAMP, "question": "Which?", **answers}], [SPAN], ["a"])
            for answers in ({"answers": {"text": ["red"], "answer_start": [12]}}, {"answers": ["red"]})
        ),
    ],
)  # fmt: skip
def test_questions_answers_and_references(
    written: Written, read: Reader, name: str, file: str, rows: Any, expected: list[Said], ids: list[str] | None
) -> None:
    path = written(file, *([rows] if isinstance(rows, str) else rows))
    assert recognised(path).name == name
    found = read(path)
    assert [said(each) for each in found.examples] == expected
    assert ids in (None, [each.id for each in found.examples])
    texts = {each.id: each.text for each in found.documents}
    for span in (span for example in found.examples for span in example.references):
        assert texts[span.document_id][span.start : span.end] == span.text


def test_what_else_is_told(written: Written, read: Reader) -> None:
    hotpot = read(written("hotpot.json", json.dumps([HOTPOT])))
    assert [(each.title, each.text) for each in hotpot.documents] == [("Lamp", LAMP), ("Mast", MAST)]
    assert (hotpot.examples[0].question_type, hotpot.examples[0].context.text) == ("multi_hop", MAST)
    assert hotpot.notes.counts == {"supporting facts that are in no paragraph": 1}
    trivia = read(written("trivia.jsonl", TRIVIA))
    assert [(each.title, each.text) for each in trivia.documents] == [("Lamp", LAMP), ("Mast", MAST)]
    assert trivia.examples[0].other_answers == ("Rouge",)
    (prediction,) = read(written("r.jsonl", RAGBENCH)).predictions
    assert (prediction.answer, [chunk.text for chunk in prediction.chunks]) == ("It is red.", [MAST, LAMP])


def test_evidence_is_found_in_the_articles_beside_it(written: Written, read: Reader) -> None:
    path = written("MultiHopRAG.json", json.dumps(MULTIHOP))
    written("corpus.json", json.dumps([{"title": "A lamp", "body": f"News. {LAMP}", "url": "https://a.example"}]))
    found = read(path)
    assert [each.title for each in found.documents] == ["A lamp"]
    assert [(span.document_id, span.start) for span in found.examples[0].references] == [(found.documents[0].id, 6)]
    assert [each.question_type for each in found.examples] == ["multi_hop", "unanswerable"]


def test_texts_without_words_are_counted_and_left_out(written: Written, read: Reader) -> None:
    empty = {"is_selected": 1, "passage_text": " "}
    found = read(written("marco.jsonl", *({**row, "passages": [empty, *row["passages"]]} for row in MARCO)))
    assert {each.text for each in found.documents} == {LAMP, MAST}
    assert [said(each)[2] for each in found.examples] == [[LAMP], []]
    assert found.notes.counts == {"texts without words, left out": 2, "references without words, left out": 1}


@pytest.mark.parametrize("name", [name for name, form in SETS.items() if not form.needs_documents])
def test_the_wrong_form_gives_no_empty_set(written: Written, read: Reader, name: str) -> None:
    path = written("set.jsonl", {"header": {"of": "nothing"}})
    with pytest.raises(InputError):
        read(path, format_name=name)
    assert "set.jsonl line 1" in str(read(path, format_name=name, keep_going=True).notes.faults[0])
