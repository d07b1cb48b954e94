"""``ragassay.evaluate``: questions, documents and chunks that are at hand, put to a system and scored."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ragassay
from ragassay.errors import InputError, RecordError, UsageError
from ragassay.records import Document, read_jsonl

Rows = list[dict[str, Any]]


def test_one_call_puts_the_questions_and_scores(documents: Rows, rows: Rows) -> None:
    result = ragassay.evaluate(rows, "rag", ["recall@1", "token_f1"], documents=documents, retriever="bm25", top_k=1)
    assert (result["recall@1"], result.metrics["recall@1"].n) == (1, 2)
    first = result.samples[0]
    assert first.prediction is not None
    assert first.prediction.chunks[0].document_id == "bridge"
    assert {"recall@1", "token_f1"} == set(first.scores)
    assert result.folder is None


def test_usual_metrics_are_those_that_the_data_have_the_inputs_for(documents: Rows, rows: Rows) -> None:
    def answer(question: str) -> tuple[str, list[str]]:
        return ("It was opened in May 1998.", [documents[0]["text"]])

    of_chunks = ["recall@5", "mrr@5", "ndcg@5", "reference_recall@5", "eir@5"]
    of_answers = ["exact_match", "token_f1", "rouge_l", "correctness", "faithfulness"]
    result = ragassay.evaluate(rows, answer, documents=documents)
    assert set(result.metrics) == {*of_chunks, *of_answers}
    assert result["recall@5"] == 0.5
    assert result.summary.judge.startswith("embedded")
    answers_alone = ragassay.evaluate(rows, lambda question: "In May.", documents=documents)
    assert list(answers_alone.metrics) == ["exact_match", "token_f1", "rouge_l", "correctness"]
    scored = ragassay.evaluate([{**row, "response": "In May."} for row in rows])
    assert list(scored.metrics) == ["exact_match", "token_f1", "rouge_l", "correctness"]
    unlabelled = [{"user_input": row["user_input"], "response": "In May."} for row in rows]
    assert list(ragassay.evaluate(unlabelled).metrics) == ["relevance"]


def test_objects_of_other_libraries_are_documents(documents: Rows, rows: Rows) -> None:
    langchain = [
        SimpleNamespace(page_content=each["text"], metadata={"source": f"kb/{each['id']}.md"}, id=None)
        for each in documents
    ]
    llama_index = [SimpleNamespace(text=each["text"], metadata={}, id_=each["id"]) for each in documents]
    ours = [Document(id=each["id"], title="", source="", text=each["text"]) for each in documents]
    for given in (
        langchain,
        llama_index,
        ours,
        iter(documents),
        {"id": ["a", "b"], "text": [each["text"] for each in documents]},
    ):
        result = ragassay.evaluate(rows, "rag", ["recall@1"], documents=given, retriever="bm25", top_k=1)
        assert result["recall@1"] == 1

    def answer(question: str) -> dict[str, Any]:  # names its source, as LangChain does
        return {"answer": "", "source_documents": [langchain[0]]}

    result = ragassay.evaluate(rows[:1], answer, ["recall@1"], documents=langchain)
    assert result["recall@1"] == 1


def test_files_that_were_not_read_or_guessed_are_named(rows: Rows, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(rows[0]["reference_contexts"][0])
    (tmp_path / "b.md").write_text("")
    (tmp_path / "c.md").write_bytes("Café opens daily.".encode("cp1252"))
    with pytest.warns(UserWarning, match=r"documents: b\.md: .*; c\.md: .*cp1252"):
        ragassay.evaluate(rows[:1], lambda question: "In May.", documents=tmp_path)


def test_own_chunks_are_searched_as_they_are(documents: Rows, rows: Rows, chunks: Rows) -> None:
    asked = {"retriever": "bm25", "top_k": 3}
    result = ragassay.evaluate(rows, "rag", ["recall@3"], documents=documents, chunks=chunks, **asked)
    retrieved = [
        [chunk.chunk_id for chunk in sample.prediction.chunks] for sample in result.samples if sample.prediction
    ]
    assert {name for each in retrieved for name in each} <= {"b1", "b2", "f1"}
    assert set(retrieved[0]) >= {"b1", "b2"}  # both hold the sentence that answers
    assert result.summary.system == "rag own chunks lexical top 3"
    alone = ragassay.evaluate(rows, "rag", ["recall@3"], chunks=iter(chunks), **asked)  # they make up the documents
    assert alone["recall@3"] == result["recall@3"] == 1
    vectors = ragassay.evaluate(rows, "rag", ["recall@3"], chunks=chunks, top_k=3)
    assert vectors["recall@3"] == 1


def test_chunks_that_a_system_names_are_known_by_their_ids(documents: Rows, rows: Rows, chunks: Rows) -> None:
    def retrieve(question: str) -> list[dict[str, Any]]:
        return [{"id": "b2", "score": 0.7}]

    def nested(question: str) -> dict[str, Any]:
        return {"hits": {"top": [chunks[1]]}}

    placed = ragassay.evaluate(rows, nested, ["recall@1"], documents=documents, chunks="hits.top")
    assert placed["recall@1"] == 0.5  # a text is the place of the chunks in a reply
    result = ragassay.evaluate(rows, retrieve, ["recall@1", "reference_recall@1"], documents=documents, chunks=chunks)
    assert (result["recall@1"], result["reference_recall@1"]) == (0.5, 0.5)
    (chunk,) = result.samples[0].prediction.chunks  # type: ignore[union-attr]
    assert (chunk.document_id, chunk.start, chunk.score) == ("bridge", 31, 0.7)
    ids = ragassay.evaluate(rows, lambda question: ("In May.", ["b2", "b1"]), ["recall@1"], chunks=chunks)
    assert ids["recall@1"] == 0.5
    assert [each.chunk_id for each in ids.samples[0].prediction.chunks] == ["b2", "b1"]  # type: ignore[union-attr]


def test_score_finds_references_and_chunks_in_documents_at_hand(documents: Rows, rows: Rows, chunks: Rows) -> None:
    recorded = [{**row, "response": "x", "retrieved_contexts": [chunks[1]["text"]]} for row in rows]
    for given in ({"documents": documents}, {"chunks": chunks}):
        result = ragassay.evaluate(recorded, metrics=["recall@1"], **given)  # type: ignore[arg-type]
        assert result["recall@1"] == 0.5


def test_a_folder_goes_on_although_what_was_given_lay_elsewhere(documents: Rows, rows: Rows, tmp_path: Path) -> None:
    asked: list[str] = []
    told: list[dict[str, bytes]] = []

    def answer(question: str) -> str:
        asked.append(question)
        return "In May 1998."

    for _ in range(2):
        result = ragassay.evaluate(rows, answer, ["token_f1"], documents=documents, out=tmp_path / "run")
        names = ("run.json", "examples.jsonl", "documents.jsonl", "scores.jsonl", "metrics.json")
        told.append({name: (tmp_path / "run" / name).read_bytes() for name in names})
    assert len(asked) == 2
    assert told[0] == told[1]
    assert result["token_f1"] is not None
    assert {each.id for each in read_jsonl(tmp_path / "run" / "documents.jsonl", Document)} == {"bridge", "ferry"}
    recorded = [{**row, "response": "x"} for row in rows]
    for _ in range(2):
        ragassay.evaluate(recorded, metrics=["token_f1"], documents=documents, out=tmp_path / "scored")


def test_a_set_is_made_of_documents_at_hand(tmp_path: Path) -> None:
    ship = (
        "MV {0}\n\n- Type: {1} ferry\n- Built: {2} March 2004\n- Master: {3} Brink\n- Home port: Port {3}\n\n"
        "MV {0} was launched on 3 February 2003. MV {0} was repainted in July 2009 after a storm in the north."
    )
    named = {"bluefin": ("Bluefin", "freight", 12, "Olaf"), "redfin": ("Redfin", "passenger", 7, "Ada")}
    given = [{"id": name, "text": ship.format(*values), "fleet": "north"} for name, values in named.items()]
    for _ in range(2):  # the second time it is the same run
        made = ragassay.run(given, tmp_path / "run", n=2, chunk_sizes=[128])
    assert made.examples
    assert {span.document_id for each in made.examples for span in each.references} <= set(named)
    found, _ = read_jsonl(tmp_path / "run" / "documents.jsonl", Document)
    assert (found.id, found.source, found.title) == ("bluefin", "bluefin", "MV Bluefin")
    assert found.metadata["fleet"] == "north"
    halves = [{"document_id": each["id"], "text": part} for each in given for part in each["text"].split("\n\n")]
    of_chunks = ragassay.synthesize(None, tmp_path / "set", n=2, chunks=halves)
    assert {each.context.document_id for each in of_chunks.examples} <= set(named)
    with pytest.raises(UsageError, match="chunks: cannot be combined with documents; give one of the two"):
        ragassay.run(given, tmp_path / "other", chunks=halves)
    with pytest.raises(UsageError, match="DOCS: missing; name files or folders"):
        ragassay.run(None, tmp_path / "other")
    for empty in ("", [""]):  # not the current folder
        with pytest.raises(UsageError, match="a path is empty"):
            ragassay.run(empty, tmp_path / "other")


def test_errors_name_what_was_given_and_no_file_of_ours(documents: Rows, rows: Rows, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^the set given holds no examples with language = xx; "):
        ragassay.evaluate(rows, "rag", ["recall@1"], documents=documents, only={"language": "xx"})
    with pytest.raises(InputError, match=r"^no readable document in the documents given: "):
        ragassay.run([{"text": "..."}], tmp_path / "run")


def test_a_sweep_of_what_is_at_hand(documents: Rows, rows: Rows, tmp_path: Path) -> None:
    grid = {"chunk_size": [64], "text_weight": 1}
    swept = ragassay.sweep_dataset(rows, grid, tmp_path / "sweep", metrics="recall@1", documents=documents)
    assert swept.outcome.best[0].estimate.value == 1


@pytest.mark.parametrize(
    ("documents", "error", "said"),
    [
        ([], UsageError, "documents: must not be empty; give at least one, or a path"),
        ("", UsageError, 'a path is empty (""); name a file or folder'),
        (42, UsageError, "documents: must be a path, records of Ragassay, or rows as mappings, not int"),
        ([{"id": "a"}], RecordError, "documents: entry 1 has no text; it has the fields id"),
        (
            [Document(id="a", title="", source="", text="half \ud800")],
            RecordError,
            "documents: entry 1 contains half a surrogate pair, which cannot be stored; replace it",
        ),
        (
            [{"id": "a", "text": "x"}, {"id": "a", "text": "y"}],
            RecordError,
            "documents: entry 2 repeats the id 'a'; give each document its own id",
        ),
    ],
)
def test_documents_that_are_none(documents: Any, error: type[Exception], said: str, rows: Rows) -> None:
    with pytest.raises(error) as raised:
        ragassay.evaluate(rows, "rag", ["recall@1"], documents=documents)
    assert said in str(raised.value)


HUGE = "word " * 200_000


@pytest.mark.parametrize(
    ("chunks", "error", "said"),
    [
        ([], UsageError, "chunks: must not be empty; give at least one, or a path"),
        (
            [{"id": "c", "document_id": "tower", "text": "x"}],
            RecordError,
            "chunks: 'c' is of 'tower', which is not among the documents",
        ),
        (
            [{"id": f"c{n}", "document_id": "bridge", "text": "It is 412 m long."} for n in range(5_000)],
            RecordError,
            "chunks: entry 2 is a copy of chunks: entry 1",
        ),
        (
            [{"id": "c", "document_id": "bridge", "text": each} for each in ("It is 412 m long.", "It was opened")],
            RecordError,
            "chunks: entry 2 repeats the id 'c' of chunks: entry 1; give each chunk its own id",
        ),
        ([{"document_id": "bridge", "text": HUGE}], RecordError, "entry 1 has 1,000,000 characters, more than 200,000"),
        (
            [{"id": "c", "document_id": "bridge", "text": "It is", "start": 3, "end": 8}],
            RecordError,
            "chunks: 'c' of 'bridge' should be at 3 to 8, but that text is 'net B'; correct start and end",
        ),
        (
            [{"id": "c", "document_id": "bridge", "text": "Nobody wrote this down."}],
            RecordError,
            "chunks: the text of 'c', 'Nobody wrote this down.', does not occur in 'bridge'",
        ),
    ],
)
def test_chunks_that_cannot_be_used(
    chunks: Any, error: type[Exception], said: str, rows: Rows, documents: Rows
) -> None:
    with pytest.raises(error) as raised:
        ragassay.evaluate(rows, "rag", ["recall@1"], documents=documents, chunks=chunks)
    assert said in str(raised.value)


def test_options_that_go_with_other_input_are_refused(rows: Rows, documents: Rows, chunks: Rows) -> None:
    with pytest.raises(UsageError, match="from_format: only applies to files; leave it out"):
        ragassay.evaluate(rows, "rag", from_format="ragas", chunks=chunks)
    with pytest.raises(UsageError, match="chunk_size: cannot be combined with chunks=, which are searched as they are"):
        ragassay.evaluate(rows, "rag", chunks=chunks, chunk_size=64)
    with pytest.raises(UsageError, match=r"^chunks: no_retrieval does not search; leave them out"):
        ragassay.evaluate(rows, "no_retrieval", chunks=chunks)
    with pytest.raises(InputError, match=r"^chunks: .* is not a file; give a JSONL file of chunks"):
        ragassay.evaluate(rows, "rag", chunks="nowhere.jsonl", documents=documents)


def test_the_documentation_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "python.md").read_text("utf-8")
    code = page.partition("## A system of yours")[2].partition("```python\n")[2].partition("```")[0]
    exec(compile(code, "python.md", "exec"), {})
    table, *rest = capsys.readouterr().out.rsplit("\n", 3)
    assert "recall@5" in table
    assert "faithfulness" in table
    assert rest == ["1.0 ['b1', 'b2']", "1.0", ""]


def test_errors_name_keywords_and_advice_no_folder_that_goes(tmp_path: Path) -> None:
    rows = [{"user_input": "Who signs?", "response": "The manager."}]
    with pytest.raises(UsageError, match=r"^unknown keyword 'judg'; did you mean judge"):
        ragassay.evaluate(rows, judg="embedded")
    with pytest.raises(UsageError, match=r"^system rag: top_k: must be at least 1"):
        ragassay.evaluate(rows, system="rag", top_k=0)
    made = ragassay.run([{"id": "a", "text": "The pump stands in the yard."}], tmp_path / "run", n=2)
    advice = (made.folder / "summary.json").read_text("utf-8")
    assert "synthesize DOCS" in advice
    assert "/ragassay-in-memory" not in advice
