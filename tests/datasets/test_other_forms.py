"""Forms in which other tools write the same things: cells, tool calls, runs and judgements of TREC, AutoRAG, traces."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ragassay
from ragassay.datasets.lines import list_in
from ragassay.datasets.registry import read_dataset, recognised
from ragassay.errors import InputError, RecordError
from ragassay.records import Document

FERRY, KIOSK = "The ferry leaves at noon.", "The kiosk sells soup, 'fresh' bread and tea."


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        ("['a' 'b']", ["a", "b"]),  # as numpy prints an array of texts
        ("['a'\n \"it's b\"\n 'c']", ["a", "it's b", "c"]),
        ("['a', 'b']", ["a", "b"]),
        ('["a", "b"]', ["a", "b"]),
        ("[]", []),
        ("['a' 3]", None),
        ("[a b]", None),
        ("'a' 'b'", None),
        ("['a' 'b", None),
    ],
)
def test_lists_in_cells(cell: str, texts: list[str] | None) -> None:
    assert list_in(cell) == texts


@pytest.mark.parametrize(
    ("nothing", "recall"),
    [
        ({"retrieved_contexts": []}, 1 / 4),
        ({"retrieved_contexts": [], "response": ""}, 1 / 4),
        ({"retrieved_contexts": [], "response": None}, 1 / 4),
        ({"retrieved_contexts": ""}, 1 / 4),
        ({"retrieved_contexts": None}, 1 / 4),
        ({"retrieved_contexts": None, "response": ""}, 1 / 4),
        ({"retrieved_contexts": None, "response": None}, 1),  # as pandas writes a failed question: no value, and why
    ],
)
def test_rows_that_retrieved_nothing(tmp_path: Path, nothing: dict[str, Any], recall: float) -> None:
    golds = [FERRY, KIOSK, "The museum opens at ten.", "The tower has eight floors."]
    rows = [{"user_input": f"Q{n}?", "reference": "x", "reference_contexts": [gold]} for n, gold in enumerate(golds)]
    rows = [{**rows[0], "retrieved_contexts": [FERRY], "response": "noon"}, *({**row, **nothing} for row in rows[1:])]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    assert ragassay.evaluate(path, metrics=["recall@5"])["recall@5"] == recall
    assert ragassay.evaluate(path, f"recorded:{path}", ["recall@5"])["recall@5"] == recall


def beir(folder: Path, qrels: str, name: str) -> Path:
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text(
        "".join(json.dumps({"_id": f"d{n}", "title": "", "text": f"Text number {n}."}) + "\n" for n in range(4))
    )
    (folder / "queries.jsonl").write_text(
        "".join(json.dumps({"_id": f"q{n}", "text": f"Which number is {n}?"}) + "\n" for n in range(2))
    )
    (folder / "qrels" / name).write_text(qrels)
    return folder


def test_a_misspelt_field_is_named_by_its_row(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"question": f"{n}?", "answer": "yes", "ground_truth": "yes", "took_s": 1} for n in range(4)
    ]
    rows[1]["reply"] = rows[1].pop("answer")
    rows[2]["reply"] = rows[2].pop("answer")
    del rows[3]["answer"]  # a system that said nothing, beside a field that all rows have
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with pytest.warns(UserWarning, match="unknown field"):
        found = ragassay.evaluate(path, metrics="token_f1")
    assert found.summary.doubts == ("rows.jsonl line 2, rows.jsonl line 3: no 'answer', but an unknown field 'reply'",)


@pytest.mark.parametrize(
    ("name", "qrels"),
    [
        ("test.tsv", "query-id\tcorpus-id\tscore\nq0\td0\t1.0\nq0\td1\t2\nq1\td2\t1.\nq1\td3\t0.0\n"),
        ("test.txt", "q0 0 d0 1\nq0 0 d1 2\nq1  0  d2 1\nq1 0 d3 0\n"),
        ("test.qrels", "q0\t0\td0\t1\nq0\t0\td1\t2\nq1\t0\td2\t1\nq1\t0\td3\t0\n"),
    ],
)
def test_runs_and_judgements_of_trec(tmp_path: Path, name: str, qrels: str) -> None:
    folder = beir(tmp_path / "set", qrels, name)
    run = tmp_path / "run.trec"
    # by the scores: d1 before d0 whatever the ranks say, and of equal scores the last id first, as trec_eval has it
    run.write_text("q0 Q0 d0 1 0.5 bm25\nq0 Q0 d1 2 0.9 bm25\nq1 Q0 d0 1 0.4 bm25\nq1 Q0 d2 2 0.4 bm25\n")
    for scored in (
        ragassay.evaluate(folder, metrics=["mrr@10", "ndcg@10"], predictions=run),
        ragassay.evaluate(folder, f"recorded:{run}", ["mrr@10", "ndcg@10"]),
    ):
        assert (scored["mrr@10"], scored["ndcg@10"]) == (1, 1)
    run.write_text("q0 Q0 d0 1 0.5 bm25\nq0 Q0 d1 2\n")
    with pytest.raises(RecordError, match=r"run.trec line 2: must be query, Q0, document, rank, score and tag"):
        ragassay.evaluate(folder, metrics=["mrr@10"], predictions=run)


def test_the_document_that_is_the_query_itself_does_not_count(tmp_path: Path) -> None:
    folder = beir(tmp_path / "set", "d0\td1\t1\nq1\td2\t1\n", "test.tsv")
    queries = folder / "queries.jsonl"
    queries.write_text(queries.read_text().replace('"q0"', '"d0"'))
    run = tmp_path / "run.trec"
    run.write_text("d0 Q0 d0 1 9 x\nd0 Q0 d1 2 8 x\nq1 Q0 d0 1 9 x\nq1 Q0 d2 2 8 x\n")
    # d0 without itself: rank 1; q1: rank 2; (1 + 1/2) / 2
    scored = ragassay.evaluate(folder, metrics=["mrr@10", "recall@1"], predictions=run)
    assert (scored["mrr@10"], scored["recall@1"]) == (0.75, 0.5)
    (folder / "qrels" / "test.tsv").write_text(
        (folder / "qrels" / "test.tsv").read_text() + "d0\td0\t1\n"
    )  # judged: another document of that number, as in Cranfield's files; ranks 1 and 2 are right
    scored = ragassay.evaluate(folder, metrics=["mrr@10", "recall@2"], predictions=run)
    assert (scored["mrr@10"], scored["recall@2"]) == (0.75, 1)
    assert not any("the same id" in doubt for doubt in scored.summary.doubts)


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "args": arguments}


@pytest.mark.parametrize(
    ("said", "accuracy"),
    [
        ([{"type": "ai", "content": "", "tool_calls": [call("search", query="ferry")]},
          {"type": "tool", "content": "noon"}, {"type": "ai", "content": "At noon."}], 1),
        ([{"type": "ai", "content": "", "tool_calls": [call("search", query="kiosk")]}], 0),
        ([{"type": "ai", "content": "At noon."}], 0),  # it called nothing
        ([], None),  # nobody was asked
    ],
)  # fmt: skip
def test_tool_calls_in_messages_of_ragas(said: list[dict[str, Any]], accuracy: float | None) -> None:
    row = {
        "user_input": [{"type": "human", "content": "When does the ferry leave?"}, *said],
        "reference_tool_calls": [call("search", query="ferry")],
    }
    other = {**row, "user_input": "Where?", "tool_calls": [call("search", query="ferry")]}
    scored = ragassay.evaluate([row, other], metrics=["tool_call_accuracy"])
    assert [sample.scores["tool_call_accuracy"].value for sample in scored.samples] == [accuracy, 1]


def test_spans_of_a_console_belong_into_a_list_and_one_of_a_splitter_is_no_example(tmp_path: Path) -> None:
    def span(number: int, attributes: dict[str, Any]) -> str:
        times = {"start_time": "2024-06-10T06:13:20.0Z", "end_time": 1718000002500}
        context = {"trace_id": f"0x{number}", "span_id": f"0x{number}"}
        return json.dumps({"name": "s", "context": context, "parent_id": None, **times, "attributes": attributes})

    path = tmp_path / "spans.json"
    split = span(1, {"input.value": json.dumps({"nodes": [FERRY]}), "output.value": json.dumps([FERRY])})
    asked = span(2, {"input.value": "When?", "output.value": "At noon."})
    path.write_text(f"[{split},\n{asked}]")
    prediction, example = read_dataset(path)
    assert (example.question, prediction.answer) == ("When?", "At noon.")  # type: ignore[union-attr]
    assert prediction.latency_s == 1718000002.5 - 1718000000  # type: ignore[union-attr]
    path.write_text(f"{split}\n{asked}")
    with pytest.raises(InputError, match=r"spans\.json line 2: .*put them into a list"):
        list(read_dataset(path))


Written = Callable[..., Path]
Reader = Callable[..., Any]
DOCUMENT = Document(id="d", title="", source="d", text="Opened in 1998.", metadata={"place": "north"})


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_goldens_as_deepeval_saves_them(written: Written, read: Reader, tmp_path: Path, suffix: str) -> None:
    golden = {
        "input": "When?",
        "actual_output": "1998",
        "expected_output": "In 1998.",
        "context": ["Opened in 1998.", "412 m long."],
        "retrieval_context": None,
        "source_file": "bridge.md",
    }
    path = written(f"g{suffix}", json.dumps([golden], indent=4) if suffix == ".json" else golden)
    assert recognised(path).name == "deepeval"
    found = read(path)
    assert [each.text for each in found.examples[0].references] == ["Opened in 1998.", "412 m long."]
    assert (found.examples[0].answer, found.predictions[0].answer) == ("In 1998.", "1998")
    assert found.notes.counts == {"not read: the field 'source_file'": 1}


def test_camel_case_and_conversations_of_deepeval(written: Written, read: Reader) -> None:
    path = written("g.jsonl", {"input": "When?", "expectedOutput": "In 1998.", "retrievalContext": ["c"]})
    found = read(path)
    assert (found.examples[0].answer, found.predictions[0].chunks[0].text) == ("In 1998.", "c")
    with pytest.raises(InputError, match=r"c\.jsonl line 1: the field 'turns' has no message of a user; add"):
        read(written("c.jsonl", {"scenario": "x", "turns": []}), format_name="deepeval")
