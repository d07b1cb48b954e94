"""A few rows of each set of the papers, made after the form in which it is published, which each case names."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragassay.datasets.registry import recognised
from ragassay.datasets.sets import SETS as FORMATS
from ragassay.errors import InputError
from ragassay.records import Example

Written = Callable[..., Path]
Reader = Callable[..., Any]

LAMP = "The lamp is red. It stands in the harbour."
MAST = "The mast is 12 m high. It was built in 1998."


def _row(**fields: Any) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"


def said(example: Example) -> tuple[str, str, list[str], str | None]:
    """Question, answer, references in their words, and how far nothing answers."""
    quotes = [span.text for span in example.references]
    return example.question, example.answer, quotes, example.provenance.unanswerable_in


# github.com/google-research-datasets/natural-questions, README: tokens apart by spaces, those of HTML among them
PAGE = "<H1> Lamp </H1> <P> The lamp is red . </P> <Ul> <Li> It stands in the harbour . </Li> </Ul>"


def _natural(name: int, question: str, long: tuple[int, int], short: list[tuple[int, int]], polar: str = "NONE") -> str:
    return _row(
        annotations=[
            {
                "yes_no_answer": polar,
                "long_answer": {"start_token": long[0], "candidate_index": 0, "end_token": long[1]},
                "short_answers": [{"start_token": first, "end_token": last} for first, last in short],
                "annotation_id": 1,
            }
        ],
        document_url="https://en.wikipedia.org/?title=Lamp",
        question_text=question,
        document_text=PAGE,
        long_answer_candidates=[{"end_token": 10, "start_token": 3, "top_level": True}],
        example_id=name,
    )


def test_natural_questions_simplified(written: Written, read: Reader) -> None:
    path = written(
        "nq.jsonl",
        _natural(7, "which colour is the lamp", (3, 10), [(7, 8)]),
        _natural(8, "where is the lamp", (12, 20), []),
        _natural(9, "is the lamp red", (3, 10), [], "YES"),
        _natural(10, "who built the lamp", (-1, -1), []),
    )
    found = read(path)
    assert recognised(path).name == "natural_questions"
    (page,) = found.documents
    assert (page.title, page.text) == ("Lamp", "Lamp\nThe lamp is red .\nIt stands in the harbour .\n")
    assert [said(each) for each in found.examples] == [
        ("which colour is the lamp", "red", ["red"], None),
        ("where is the lamp", "It stands in the harbour .", ["It stands in the harbour ."], None),
        ("is the lamp red", "yes", ["The lamp is red ."], None),
        ("who built the lamp", "", [], "document"),
    ]
    assert [each.id for each in found.examples] == ["7", "8", "9", "10"]
    assert all(page.text[s.start : s.end] == s.text for each in found.examples for s in each.references)


def test_a_question_that_nobody_annotated_is_not_unanswerable(written: Written, read: Reader) -> None:
    path = written("nq.jsonl", _row(question_text="which colour", document_text=PAGE, annotations=[], example_id=1))
    assert [said(each) for each in read(path).examples] == [("which colour", "", [], None)]


def test_natural_questions_open(written: Written, read: Reader) -> None:
    path = written("open.jsonl", _row(question="which colour is the lamp", answer=["red", "the colour red"]))
    found = read(path)
    assert recognised(path).name == "nq_open"
    assert [said(each) for each in found.examples] == [("which colour is the lamp", "red", [], None)]
    assert (found.examples[0].other_answers, found.notes.counts) == (("the colour red",), {})


HOTPOT = {
    "_id": "h1",
    "question": "Is the mast older than the lamp?",
    "answer": "no",
    "type": "comparison",
    "level": "hard",
    "supporting_facts": [["Mast", 1], ["Lamp", 0], ["Lamp", 5]],
    "context": [
        ["Lamp", ["The lamp is red.", " It stands in the harbour."]],
        ["Mast", ["The mast is 12 m high.", " It was built in 1998."]],
    ],
}


def test_a_supporting_fact_of_hotpotqa_that_names_no_paragraph(written: Written, read: Reader) -> None:
    path = written("hotpot.json", json.dumps([{**HOTPOT, "supporting_facts": [[["Mast"], 0]]}]))
    found = read(path)
    assert [said(each)[2] for each in found.examples] == [[]]
    assert found.notes.counts == {"supporting facts that are in no paragraph": 1}


@pytest.mark.parametrize("form", ["json", "jsonl"])  # hotpotqa.github.io; hotpot_qa as the library datasets has it
def test_supporting_facts_of_hotpotqa_are_references(written: Written, read: Reader, form: str) -> None:
    columns = {
        **{name: HOTPOT[name] for name in ("question", "answer", "type", "level")},
        "id": "h1",
        "supporting_facts": {"title": ["Mast", "Lamp", "Lamp"], "sent_id": [1, 0, 5]},
        "context": {"title": ["Lamp", "Mast"], "sentences": [paragraph[1] for paragraph in HOTPOT["context"]]},
    }
    path = written("hotpot.json", json.dumps([HOTPOT])) if form == "json" else written("hotpot.jsonl", columns)
    found = read(path)
    assert recognised(path).name == "hotpotqa"
    assert [(each.title, each.text) for each in found.documents] == [("Lamp", LAMP), ("Mast", MAST)]
    (example,) = found.examples
    assert said(example) == (HOTPOT["question"], "no", ["It was built in 1998.", "The lamp is red."], None)
    assert [(span.start, span.end) for span in example.references] == [(23, 44), (0, 16)]
    assert (example.id, example.question_type, example.context.text) == ("h1", "multi_hop", MAST)
    assert found.notes.counts["supporting facts that are in no paragraph"] == 1


MARCO = [
    {
        "query": "colour of the lamp",
        "query_id": 19,
        "query_type": "DESCRIPTION",
        "answers": ["Red."],
        "wellFormedAnswers": [],
        "passages": [
            {"is_selected": 0, "passage_text": MAST, "url": "https://a.example"},
            {"is_selected": 1, "passage_text": LAMP, "url": "https://b.example"},
        ],
    },
    {
        "query": "weight of the lamp",
        "query_id": 20,
        "query_type": "NUMERIC",
        "answers": ["No Answer Present."],
        "wellFormedAnswers": [],
        "passages": [{"is_selected": 0, "passage_text": LAMP, "url": "https://b.example"}],
    },
]


@pytest.mark.parametrize("form", ["rows", "columns", "lists"])
# JSONL of version 1.1; one object of columns, of 2.1; ms_marco as the library datasets has it
def test_ms_marco(written: Written, read: Reader, form: str) -> None:
    if form == "columns":
        names = ("answers", "passages", "query", "query_id", "query_type", "wellFormedAnswers")
        columns = {name: {str(at): row[name] for at, row in enumerate(MARCO)} for name in names}
        path = written("dev_v2.1.json", json.dumps(columns))
    elif form == "rows":
        path = written("marco.jsonl", *MARCO)
    else:
        keys = ("is_selected", "passage_text", "url")
        rows = [{**row, "passages": {key: [each[key] for each in row["passages"]] for key in keys}} for row in MARCO]
        path = written("marco.jsonl", *rows)
    found = read(path)
    assert recognised(path).name == "ms_marco"
    assert [said(each) for each in found.examples] == [
        ("colour of the lamp", "Red.", [LAMP], None),
        ("weight of the lamp", "", [], "context"),
    ]
    assert [(each.id, each.context.text) for each in found.examples] == [("19", LAMP), ("20", LAMP)]
    assert {each.text for each in found.documents} == {LAMP, MAST}


# github.com/Maluuba/newsqa, README
STORIES = {
    "data": [
        {
            "storyId": "./cnn/stories/1.story",
            "type": "train",
            "text": LAMP,
            "questions": [
                {"q": "What is the colour?", "consensus": {"s": 12, "e": 17}, "isAnswerAbsent": 0.0, "answers": []},
                {"q": "Who built it?", "consensus": {"noAnswer": True}, "answers": []},
                {"q": "What?", "consensus": {"badQuestion": True}, "answers": []},
            ],
        }
    ],
    "version": "1",
}


def test_newsqa(written: Written, read: Reader) -> None:
    path = written("newsqa.json", json.dumps(STORIES))
    found = read(path)
    assert recognised(path).name == "newsqa"
    assert [said(each) for each in found.examples] == [
        ("What is the colour?", "red.", ["red."], None),
        ("Who built it?", "", [], "document"),
    ]
    assert found.examples[0].references[0].start == 12
    assert found.notes.counts["questions that annotators call bad, or do not agree on, left out"] == 1


@pytest.mark.parametrize("form", ["row", "shared task"])  # a copy of NewsQA in rows; github.com/mrqa, README
def test_a_newsqa_row_is_not_taken_for_squad(written: Written, read: Reader, form: str) -> None:
    if form == "row":
        row = {"context": LAMP, "question": "What is the colour?", "answers": ["red"], "key": "k1"}
        path = written("newsqa.jsonl", {**row, "labels": [{"end": [14], "start": [12]}]})
    else:
        asked = {
            "qid": "k1",
            "question": "What is the colour?",
            "answers": ["red"],
            "detected_answers": [{"text": "red", "char_spans": [[12, 14]], "token_spans": [[3, 3]]}],
        }
        header = {"header": {"dataset": "NewsQA", "split": "dev"}}
        path = written("newsqa.jsonl", header, {"id": "", "context": LAMP, "qas": [asked]})
    found = read(path)
    assert recognised(path).name == "mrqa"
    assert [said(each) for each in found.examples] == [("What is the colour?", "red", ["red"], None)]
    assert (found.examples[0].id, found.examples[0].references[0].start) == ("k1", 12)


def test_a_row_of_mrqa_without_an_answer_is_left_out_and_counted(written: Written, read: Reader) -> None:
    row = {"context": LAMP, "question": "What is the colour?", "answers": [], "labels": []}
    asked = {**row, "question": "Who built it?", "is_impossible": True}
    found = read(written("rows.jsonl", row, {**row, "answers": [" "]}, asked))
    assert [said(each) for each in found.examples] == [("Who built it?", "", [], "document")]
    assert found.notes.counts["questions without an answer, left out: all of MRQA's have one"] == 2


def test_texts_without_words_are_counted_and_left_out(written: Written, read: Reader) -> None:
    empty = {"is_selected": 0, "passage_text": " ", "url": ""}
    found = read(written("marco.jsonl", *({**row, "passages": [empty, *row["passages"]]} for row in MARCO)))
    assert {each.text for each in found.documents} == {LAMP, MAST}
    assert [said(each)[2] for each in found.examples] == [[LAMP], []]
    assert found.notes.counts["texts without words, left out"] == 2
    assert all(each.context.document_id for each in found.examples)


def test_what_an_empty_text_was_selected_for_has_no_context_and_no_reference(written: Written, read: Reader) -> None:
    passages = [{"is_selected": 1, "passage_text": " "}, {"is_selected": 0, "passage_text": MAST}]
    found = read(written("marco.jsonl", {**MARCO[0], "passages": passages}))
    assert [(said(each)[2], each.context.document_id) for each in found.examples] == [([], "")]
    assert found.notes.counts["references without words, left out"] == 1


def test_a_supporting_sentence_without_words_is_no_reference(written: Written, read: Reader) -> None:
    row = {"question": "Which colour?", "answer": "red", "context": [["Lamp", [LAMP, " "]], ["Mast", []]]}
    found = read(written("hotpot.jsonl", {**row, "supporting_facts": [["Lamp", 1], ["Lamp", 0]]}))
    assert [said(each)[2] for each in found.examples] == [[LAMP]]
    assert found.notes.counts["references without words, left out"] == 1
    assert len(found.documents) == 1


@pytest.mark.parametrize("form", ["json", "jsonl"])  # ori_pqal.json by PMID; pubmed_qa as the library datasets has it
def test_pubmedqa(written: Written, read: Reader, form: str) -> None:
    whole = {
        "QUESTION": "Does light help sailors?",
        "CONTEXTS": [LAMP, MAST],
        "LABELS": ["BACKGROUND", "RESULTS"],
        "LONG_ANSWER": "Light helps sailors.",
        "final_decision": "yes",
    }
    row = {
        "pubid": 21645374,
        "question": whole["QUESTION"],
        "context": {"contexts": whole["CONTEXTS"], "labels": whole["LABELS"], "meshes": []},
        "long_answer": "Light helps sailors.",
        "final_decision": "yes",
    }
    path = written("pqa.json", json.dumps({"21645374": whole})) if form == "json" else written("pqa.jsonl", row)
    found = read(path)
    assert recognised(path).name == "pubmedqa"
    context = f"{LAMP}\n\n{MAST}"
    assert [said(each) for each in found.examples] == [
        ("Does light help sailors?", "Light helps sailors.", [context], None)
    ]
    assert found.examples[0].id == "21645374"


def test_triviaqa(written: Written, read: Reader) -> None:
    # trivia_qa, configuration rc, as the library datasets has it; and the JSON of nlp.cs.washington.edu/triviaqa
    pages = {"doc_source": ["TagMe"], "filename": ["Lamp.txt"], "title": ["Lamp"], "wiki_context": [LAMP]}
    results = {"title": ["Mast"], "search_context": [MAST], "url": ["https://a.example"], "rank": [0]}
    answer = {"aliases": ["Red", "Rouge"], "value": "Red", "normalized_value": "red"}
    row = {"question": "Which colour?", "question_id": "tc_1", "question_source": "x", "entity_pages": pages}
    path = written("trivia.jsonl", {**row, "search_results": results, "answer": answer})
    found = read(path)
    assert recognised(path).name == "triviaqa"
    assert [(each.title, each.text) for each in found.documents] == [("Lamp", LAMP), ("Mast", MAST)]
    assert [said(each) for each in found.examples] == [("Which colour?", "Red", [], None)]
    assert (found.examples[0].id, found.examples[0].context.text) == ("tc_1", LAMP)

    item = {
        "Answer": {"Aliases": ["Red"], "Value": "Red"},
        "EntityPages": [{"Filename": "Lamp.txt", "Title": "Lamp"}],
        "Question": "Which colour?",
        "QuestionId": "tc_1",
        "SearchResults": [],
    }
    path = written("wikipedia-dev.json", json.dumps({"Data": [item], "Domain": "Wikipedia", "Version": 1.0}))
    found = read(path)
    assert recognised(path).name == "triviaqa"
    assert [said(each) for each in found.examples] == [("Which colour?", "Red", [], None)]


def test_crud_rag(written: Written, read: Reader) -> None:
    # github.com/IAAR-Shanghai/CRUD_RAG, data/crud_split/split_merged.json
    news = {"event": "开港", "news1": "港口于1998年开放。", "questions": "港口何时开放？", "answers": "1998年。"}
    tasks = {
        "event_summary": [{"ID": "s1", "event": "开港", "text": "港口开放了。", "summary": "开放。"}],
        "questanswer_1doc": [{"ID": "q1", **news}],
        "questanswer_2docs": [{"ID": "q2", **news, "news2": "灯塔是红色的。"}],
    }
    path = written("split_merged.json", json.dumps(tasks, ensure_ascii=False))
    found = read(path)
    assert recognised(path).name == "crud_rag"
    first, second = found.examples
    assert said(first) == ("港口何时开放？", "1998年。", ["港口于1998年开放。"], None)
    assert (second.id, len(second.references), second.question_type) == ("q2", 2, "information_integration")
    assert found.notes.counts == {"not read: the task 'event_summary'": 1}


def test_ragbench(written: Written, read: Reader) -> None:
    # huggingface.co/datasets/rungalileo/ragbench, dataset card
    row = {
        "id": "hotpotqa_1",
        "question": "Which colour?",
        "documents": [MAST, LAMP],
        "response": "It is red.",
        "documents_sentences": [
            [["0a", "The mast is 12 m high."], ["0b", "It was built in 1998."]],
            [["1a", "The lamp is red."], ["1b", "It stands in the harbour."]],
        ],
        "all_relevant_sentence_keys": ["1a", "9z"],
        "adherence_score": True,
    }
    path = written("ragbench.jsonl", row)
    found = read(path)
    assert recognised(path).name == "ragbench"
    assert [said(each) for each in found.examples] == [("Which colour?", "", ["The lamp is red."], None)]
    assert found.examples[0].context.text == LAMP
    (prediction,) = found.predictions
    assert (prediction.answer, [chunk.text for chunk in prediction.chunks]) == ("It is red.", [MAST, LAMP])


@pytest.mark.parametrize("with_corpus", [True, False])  # huggingface.co/datasets/yixuantt/MultiHopRAG
def test_multihop_rag(written: Written, read: Reader, with_corpus: bool) -> None:
    fact = {"title": "A lamp", "author": "A. Moss", "source": "The Verge", "fact": "The lamp is red."}
    queries = [
        {"query": "Which?", "answer": "Red", "question_type": "inference_query", "evidence_list": [fact]},
        {
            "query": "Who?",
            "answer": "Insufficient information.",
            "question_type": "null_query",
            "evidence_list": [],
        },
    ]
    path = written("MultiHopRAG.json", json.dumps(queries))
    if with_corpus:
        written("corpus.json", json.dumps([{"title": "A lamp", "body": LAMP, "url": "https://a.example"}]))
    found = read(path)
    assert recognised(path).name == "multihop_rag"
    assert [each.text for each in found.documents] == [LAMP if with_corpus else "The lamp is red."]
    assert [said(each) for each in found.examples] == [
        ("Which?", "Red", ["The lamp is red."], None),
        ("Who?", "", [], "corpus"),
    ]
    assert [each.question_type for each in found.examples] == ["multi_hop", "unanswerable"]
    assert found.examples[0].references[0].document_id == found.documents[0].id


def test_financebench(written: Written, read: Reader) -> None:
    # github.com/patronus-ai/financebench, data/financebench_open_source.jsonl
    page = f"Statement of lamps\n{LAMP}"
    row = {
        "financebench_id": "financebench_id_1",
        "company": "Lamps Ltd",
        "doc_name": "LAMPS_2018_10K",
        "question_type": "metrics-generated",
        "question": "Which colour?",
        "answer": "Red",
        "justification": "It says so.",
        "evidence": [
            {
                "evidence_text": "The lamp is red.",
                "doc_name": "LAMPS_2018_10K",
                "evidence_page_num": 59,
                "evidence_text_full_page": page,
            }
        ],
    }
    path = written("financebench_open_source.jsonl", row)
    found = read(path)
    assert recognised(path).name == "financebench"
    assert [(each.title, each.text) for each in found.documents] == [("LAMPS_2018_10K", page)]
    assert [said(each) for each in found.examples] == [("Which colour?", "Red", ["The lamp is red."], None)]
    assert found.examples[0].references[0].start == 19


def test_squad_rows_in_parquet(tmp_path: Path, read: Reader) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet")
    answers = {"text": ["red"], "answer_start": [12]}
    rows = [{"id": "1", "title": "Lamp", "context": LAMP, "question": "Which colour?", "answers": answers}]
    path = tmp_path / "squad.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    assert recognised(path).name == "squad"
    assert [said(each) for each in read(path).examples] == [("Which colour?", "red", ["red"], None)]


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "dragonball"])
def test_the_wrong_form_gives_no_empty_set(written: Written, read: Reader, name: str) -> None:
    path = written("set.jsonl", _row(header={"of": "nothing"}))
    with pytest.raises(InputError):
        read(path, format_name=name)
    assert name == "mrqa" or read(path, format_name=name, keep_going=True).notes.faults


def test_a_question_asked_of_two_texts_is_two_examples(written: Written, read: Reader) -> None:
    asked = [{"q": "Who?", "consensus": {"noAnswer": True}}]
    stories = [{"storyId": text, "text": text, "questions": asked} for text in (LAMP, MAST)]
    found = read(written("newsqa.json", json.dumps({"data": stories, "version": "1"})))
    assert [each.question for each in found.examples] == ["Who?", "Who?"]
    assert len({each.id for each in found.examples}) == 2


def test_a_missing_field_is_named(written: Written, read: Reader) -> None:
    path = written("nq.jsonl", _row(question_text="which", annotations=[]))
    with pytest.raises(InputError, match=r"nq\.jsonl line 1: the field 'document_text' is missing"):
        read(path, format_name="natural_questions")


def test_sentence_keys_count_empty_documents_too(written: Written, read: Reader) -> None:
    path = written(
        "ragbench.jsonl",
        _row(
            question="Who keeps the key?",
            documents=["", "First one.", "Second one."],
            documents_sentences=[[], [["1a", "First one."]], [["2a", "Second one."]]],
            all_relevant_sentence_keys=["2a"],
            response="Nobody.",
        ),
    )
    assert [said(each)[2] for each in read(path).examples] == [["Second one."]]
