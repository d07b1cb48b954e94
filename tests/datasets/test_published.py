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
# tokens apart by spaces, those of HTML among them (github.com/google-research-datasets/natural-questions)
PAGE = "<H1> Lamp </H1> <P> The lamp is red . </P> <Ul> <Li> It stands in the harbour . </Li> </Ul>"


def said(example: Example) -> Said:
    """Question, answer, references in their words, and how far nothing answers."""
    quotes = [span.text for span in example.references]
    return example.question, example.answer, quotes, example.provenance.unanswerable_in


def natural(name: int, question: str, long: tuple[int, int], short: list[tuple[int, int]], polar: str = "NONE") -> Any:
    def tokens(place: tuple[int, int]) -> dict[str, int]:
        return {"start_token": place[0], "end_token": place[1]}

    annotation = {"yes_no_answer": polar, "long_answer": tokens(long), "short_answers": [*map(tokens, short)]}
    return {"annotations": [annotation], "question_text": question, "document_text": PAGE, "example_id": name}


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
MARCO_COLUMNS = {name: {str(at): row[name] for at, row in enumerate(MARCO)} for name in MARCO[0]}
MARCO_SAID = [("colour of the lamp", "Red.", [LAMP], None), ("weight of the lamp", "", [], "context")]
STORY = {
    "storyId": "1",
    "text": LAMP,
    "questions": [
        {"q": "What is the colour?", "consensus": {"s": 12, "e": 17}},
        {"q": "Who built it?", "consensus": {"noAnswer": True}},
        {"q": "What?", "consensus": {"badQuestion": True}},
    ],
}
MRQA_ROW = {"context": LAMP, "question": "Which?", "answers": ["red"], "key": "k1"}
MRQA_ASKED = {"qid": "k1", "question": "Which?", "answers": ["red"], "detected_answers": [{"char_spans": [[12, 14]]}]}
PUBMED = {"QUESTION": "Does light help?", "CONTEXTS": [LAMP, MAST], "LONG_ANSWER": "It does.", "final_decision": "yes"}
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
NEWS = {"news1": "港口于1998年开放。", "questions": "港口何时开放？", "answers": "1998年。"}
CRUD = {
    "event_summary": [{"ID": "s1", "text": "x"}],
    "questanswer_1doc": [{"ID": "q1", **NEWS}],
    "questanswer_2docs": [{"ID": "q2", **NEWS, "news2": "灯塔是红色的。"}],
}
RAGBENCH = {
    "id": "r1",
    "question": "Which?",
    "documents": ["", MAST, LAMP],  # keys count empty documents, too
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
        (
            "natural_questions",
            "nq.jsonl",
            [
                natural(7, "which colour", (3, 10), [(7, 8)]),
                natural(8, "where", (12, 20), []),
                natural(9, "is it red", (3, 10), [], "YES"),
                natural(10, "who built it", (-1, -1), []),
            ],
            [
                ("which colour", "red", ["red"], None),
                ("where", "It stands in the harbour .", ["It stands in the harbour ."], None),
                ("is it red", "yes", ["The lamp is red ."], None),
                ("who built it", "", [], "document"),
            ],
            ["7", "8", "9", "10"],
        ),
        ("nq_open", "o.jsonl", [{"question": "which", "answer": ["red", "rot"]}], [("which", "red", [], None)], None),
        *(
            ("hotpotqa", file, rows, [OLDER], ["h1"])
            for file, rows in (("hotpot.json", json.dumps([HOTPOT])), ("hotpot.jsonl", [HOTPOT_COLUMNS]))
        ),
        *(
            ("ms_marco", file, rows, MARCO_SAID, ["19", "20"])
            for file, rows in (("marco.jsonl", MARCO), ("dev_v2.1.json", json.dumps(MARCO_COLUMNS)))
        ),
        (
            "newsqa",
            "newsqa.json",
            json.dumps({"data": [STORY], "version": "1"}),
            [("What is the colour?", "red.", ["red."], None), ("Who built it?", "", [], "document")],
            None,
        ),
        *(
            ("mrqa", "newsqa.jsonl", rows, [SPAN], ["k1"])
            for rows in (
                [MRQA_ROW | {"labels": [{"end": [14], "start": [12]}]}],
                [{"header": {"dataset": "NewsQA"}}, {"id": "", "context": LAMP, "qas": [MRQA_ASKED]}],
            )
        ),
        *(
            ("pubmedqa", file, rows, [("Does light help?", "It does.", [f"{LAMP}\n\n{MAST}"], None)], ["7"])
            for file, rows in (("pqa.json", json.dumps({"7": PUBMED})), ("pqa.jsonl", [PUBMED_ROW]))
        ),
        *(
            ("triviaqa", file, rows, [("Which?", "Red", [], None)], ["t1"])
            for file, rows in (("trivia.jsonl", [TRIVIA]), ("dev.json", json.dumps({"Data": [TRIVIA_ITEM]})))
        ),
        (
            "crud_rag",
            "split_merged.json",
            json.dumps(CRUD, ensure_ascii=False),
            [
                ("港口何时开放？", "1998年。", [NEWS["news1"]], None),
                ("港口何时开放？", "1998年。", [NEWS["news1"], "灯塔是红色的。"], None),
            ],
            ["q1", "q2"],
        ),
        ("ragbench", "r.jsonl", [RAGBENCH], [("Which?", "", ["The lamp is red."], None)], ["r1"]),
        ("multihop_rag", "MultiHopRAG.json", json.dumps(MULTIHOP), [RED, ("Who?", "", [], "corpus")], None),
        ("financebench", "finance.jsonl", [FINANCE], [RED], ["f1"]),
        *(
            ("squad", "rows.jsonl", [{"id": "a", "context": LAMP, "question": "Which?", **answers}], [SPAN], ["a"])
            for answers in ({"answers": {"text": ["red"], "answer_start": [12]}}, {"answer": "red", "answer_start": 12})
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
    (page,) = read(written("nq.jsonl", natural(7, "which", (3, 10), [(7, 8)]))).documents
    assert (page.title, page.text) == ("Lamp", "Lamp\nThe lamp is red .\nIt stands in the harbour .\n")
    hotpot = read(written("hotpot.json", json.dumps([HOTPOT])))
    assert [(each.title, each.text) for each in hotpot.documents] == [("Lamp", LAMP), ("Mast", MAST)]
    assert (hotpot.examples[0].question_type, hotpot.examples[0].context.text) == ("multi_hop", MAST)
    assert hotpot.notes.counts == {"supporting facts that are in no paragraph": 1}
    trivia = read(written("trivia.jsonl", TRIVIA))
    assert [(each.title, each.text) for each in trivia.documents] == [("Lamp", LAMP), ("Mast", MAST)]
    assert trivia.examples[0].other_answers == ("Rouge",)
    crud = read(written("split_merged.json", json.dumps(CRUD, ensure_ascii=False)))
    assert [each.question_type for each in crud.examples] == [None, "information_integration"]
    assert crud.notes.counts == {"not read: the task 'event_summary'": 1}
    (prediction,) = read(written("r.jsonl", RAGBENCH)).predictions
    assert (prediction.answer, [chunk.text for chunk in prediction.chunks]) == ("It is red.", [MAST, LAMP])
    story = read(written("newsqa.json", json.dumps({"data": [STORY]})))
    assert story.notes.counts == {"questions that annotators call bad, or do not agree on, left out": 1}


def test_evidence_is_found_in_the_articles_beside_it(written: Written, read: Reader) -> None:
    path = written("MultiHopRAG.json", json.dumps(MULTIHOP))
    written("corpus.json", json.dumps([{"title": "A lamp", "body": f"News. {LAMP}", "url": "https://a.example"}]))
    found = read(path)
    assert [each.title for each in found.documents] == ["A lamp"]
    assert [(span.document_id, span.start) for span in found.examples[0].references] == [(found.documents[0].id, 6)]
    assert [each.question_type for each in found.examples] == ["multi_hop", "unanswerable"]


def test_a_row_of_mrqa_without_an_answer_is_left_out_and_counted(written: Written, read: Reader) -> None:
    row = {"context": LAMP, "question": "Which?", "answers": [], "labels": []}
    found = read(written("rows.jsonl", row, {**row, "answers": [" "]}, {**row, "is_impossible": True}))
    assert [said(each) for each in found.examples] == [("Which?", "", [], "document")]
    assert found.notes.counts["questions without an answer, left out: all of MRQA's have one"] == 2


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
    assert name == "mrqa" or "set.jsonl line 1" in str(read(path, format_name=name, keep_going=True).notes.faults[0])


def test_a_question_asked_of_two_texts_is_two_examples(written: Written, read: Reader) -> None:
    asked = [{"q": "Who?", "consensus": {"noAnswer": True}}]
    stories = [{"storyId": text, "text": text, "questions": asked} for text in (LAMP, MAST)]
    found = read(written("newsqa.json", json.dumps({"data": stories, "version": "1"})))
    assert len({each.id for each in found.examples}) == 2
