"""Predict and score in one go: what is retrieved and asked for follows from the metrics; BEIR folders with grades."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytrec_eval
from rag_servers import troubled

from ragassay.errors import InputError, UsageError
from ragassay.jobs.answer.options import NOWHERE, EvaluateOptions
from ragassay.jobs.gate.gate import gate
from ragassay.jobs.gate.options import GateOptions
from ragassay.jobs.report.comparing import compare_runs
from ragassay.jobs.score.evaluate import BEIR_METRICS, evaluate
from ragassay.jobs.score.result import Evaluation
from ragassay.jobs.score.score import score
from ragassay.records import Document, Example, Provenance, Score, Span, read_jsonl, write_jsonl
from ragassay.systems.spec import parse_spec

CORPUS = {
    "d1": ("Bridges", "Gannet Bridge is a suspension bridge. It opened in 1998 and has a toll of 3 crowns."),
    "d2": ("Tolls", "The toll of a bridge is paid in crowns. Ferries cost more than the bridge."),
    "d3": ("Ferries", "Bluefin is a ferry built in Oskay. The ferry takes lorries."),
    "d4": ("Poets", "Ottar Lind was a poet from Ribe."),
    "d5": ("Storms", "A storm closed the bridge and the ferry port in one winter."),
}
QUERIES = {"q1": "What does the bridge toll cost in crowns?", "q2": "Which ferry takes lorries?", "q3": "Who is Moss?"}
QRELS = {"q1": {"d1": 2, "d2": 1, "d4": 0}, "q2": {"d3": 3, "d5": 1}, "q3": {"d4": 1}}


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    corpus = [{"_id": name, "title": title, "text": text, "metadata": {}} for name, (title, text) in CORPUS.items()]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, corpus)))
    queries = [{"_id": name, "text": text, "metadata": {}} for name, text in QUERIES.items()]
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)))
    rows = [f"{query}\t{document}\t{grade}" for query, found in QRELS.items() for document, grade in found.items()]
    (folder / "qrels" / "test.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *rows]))
    return folder


@pytest.fixture
def native(tmp_path: Path) -> Path:
    folder = tmp_path / "native"
    folder.mkdir()
    write_jsonl(
        folder / "documents.jsonl",
        [Document(id=name, title=title, source=f"{name}.md", text=text) for name, (title, text) in CORPUS.items()],
    )
    quote = "It opened in 1998"
    start = CORPUS["d1"][1].index(quote)
    span = Span(document_id="d1", start=start, end=start + len(quote), text=quote)
    example = Example(
        id="q1",
        question="When did Gannet Bridge open?",
        answer="In 1998",
        context=span,
        references=(span,),
        keypoints=(),
        requested_label="fact_single",
        verified_label=None,
        provenance=Provenance(synthesizer="by_hand", model=""),
    )
    write_jsonl(folder / "examples.jsonl", [example])
    return folder


def run(data: Path, spec: str, *metrics: str, out: Path = NOWHERE, settings: Any = (), **more: Any) -> Evaluation:
    return evaluate(_options(data, spec, *metrics, out=out, settings=settings, **more))


def _options(
    data: Path, spec: str, *metrics: str, out: Path = NOWHERE, settings: Any = (), **more: Any
) -> EvaluateOptions:
    return EvaluateOptions(data=data, system=parse_spec(spec, settings, more), metrics=metrics, out=out)


def test_a_beir_folder_as_trec_eval_has_it(beir: Path, tmp_path: Path, ragassay_cache: Path) -> None:
    wanted = {"ndcg_cut.2,10", "recall.2,100", "map_cut.100", "P.2", "recip_rank"}
    names = ["ndcg@2", "ndcg@10", "recall@2", "recall@100", "map@100", "precision@2", "mrr@10"]
    done = run(beir, "rag:retriever=bm25", *names, out=tmp_path / "run")
    # every document is one chunk, and all that share a word with the question are ranked
    assert all(len({c.document_id for c in each.chunks}) == len(each.chunks) for each in done.predicted.predictions)
    made = {
        each.example_id: {chunk.document_id: chunk.score for chunk in each.chunks}
        for each in done.predicted.predictions
    }
    assert list(made["q1"])[:2] == ["d2", "d1"]
    expected = pytrec_eval.RelevanceEvaluator(QRELS, wanted).evaluate(
        {n: found or {"none": 1.0} for n, found in made.items()}
    )
    theirs = ["ndcg_cut_2", "ndcg_cut_10", "recall_2", "recall_100", "map_cut_100", "P_2", "recip_rank"]
    for name, their in zip(names, theirs, strict=True):
        mean = sum(expected[query][their] for query in QUERIES) / len(QUERIES)
        assert done.summary.metrics[name].value == pytest.approx(mean), name
        assert (done.summary.metrics[name].n, done.summary.metrics[name].total) == (3, 3)
    scores = list(read_jsonl(tmp_path / "run" / "scores.jsonl", Score))
    assert {score.metric for score in scores} >= {"ndcg@2", "ndcg@10"}
    assert (tmp_path / "run" / "metrics.json").exists()


def test_a_beir_folder_without_metrics_is_scored_by_beirs(beir: Path) -> None:
    done = run(beir, "rag:retriever=bm25")
    assert tuple(done.summary.metrics) == BEIR_METRICS
    assert done.predicted.predictions[0].answer is None
    assert done.folder is None
    assert not done.predicted.folder.exists()


def test_the_test_split_is_the_one_that_counts(beir: Path) -> None:
    (beir / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td5\t3\n")
    lines = (beir / "qrels" / "test.tsv").read_text().splitlines()
    (beir / "qrels" / "test.tsv").write_text("\n".join(line for line in lines if not line.startswith("q3")))
    done = run(beir, "rag:retriever=bm25", "ndcg@10")
    assert [each.id for each in done.predicted.examples] == ["q1", "q2"]
    train = evaluate(replace(_options(beir, "rag:retriever=bm25", "ndcg@10"), split="train"))
    assert [each.id for each in train.predicted.examples] == ["q1"]
    assert train.summary.metrics["ndcg@10"].value != done.summary.metrics["ndcg@10"].value
    with pytest.raises(InputError, match="has no split 'dev'; it has test, train"):
        evaluate(replace(_options(beir, "rag:retriever=bm25", "ndcg@10"), split="dev"))


def test_queries_whose_judgements_are_all_0_are_left_out_and_counted(beir: Path) -> None:
    with (beir / "qrels" / "test.tsv").open("a") as file:
        file.write("\nq4\td1\t0\nq5\td1\t-1")
    with (beir / "queries.jsonl").open("a") as file:
        file.write("".join(f'\n{{"_id": "q{n}", "text": "Who says what is relevant to {n}?"}}' for n in (4, 5, 6)))
    predicted = run(beir, "rag:retriever=bm25", "ndcg@10").predicted
    assert (len(predicted.examples), predicted.not_judged) == (3, 3)
    assert "Queries left out whose judgements are all 0, which trec_eval and BEIR count as 0: 2." in predicted.notes


def test_a_finished_run_is_scored_anew_without_an_index(
    native: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run(native, "rag:retriever=bm25,generate=false,top_k=5", "recall@5", out=tmp_path / "run")
    monkeypatch.setattr("ragassay.systems.rag_index.build_indexes", None)
    again = run(native, "rag:retriever=bm25,generate=false,top_k=5", "hit_rate@5", out=tmp_path / "run")
    assert (again.predicted.asked, again.predicted.system) == (0, first.predicted.system)
    assert again.summary.metrics["hit_rate@5"].value == 1


@pytest.mark.parametrize(
    ("metrics", "said"),
    [
        (("recal@5",), "unknown metric 'recal@5'; did you mean"),
        (("gpt_score_faithfulness",), "gpt_score_faithfulness needs a language model"),
    ],
)
def test_metrics_are_checked_before_anything_is_asked(native: Path, metrics: tuple[str, ...], said: str) -> None:
    with troubled() as server:
        with pytest.raises(UsageError) as raised:
            run(native, server.url, *metrics)
        assert server.stats.outcomes.total() == 0
    assert said in str(raised.value)


def test_what_can_be_known_to_fail_costs_no_question(native: Path) -> None:
    with troubled() as server:
        with pytest.raises(
            InputError, match=r"completeness needs keypoints, which no example has; leave the metric out"
        ):
            run(native, server.url, "completeness", "recall@5")
        with pytest.raises(UsageError, match="--seed: must be at least 0, not -1"):
            evaluate(replace(_options(native, server.url, "recall@5"), seed=-1))
        assert server.stats.outcomes.total() == 0
    with pytest.raises(UsageError, match="token_f1 needs answers; leave out generate=false or the metric"):
        run(native, "rag:retriever=bm25,generate=false", "recall@5", "token_f1")


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    import tempfile

    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    shutil.rmtree(folder)


def test_predictions_stay_where_scoring_fails(native: Path, temporary: Path) -> None:
    with troubled() as server:
        with pytest.raises(
            InputError, match=r"no prediction has; return the field document_id .*; the predictions are kept: add --out"
        ) as raised:
            run(native, server.url, "document_recall@5")  # the service does not name them
        kept = Path(str(raised.value).split("--out ")[1].removesuffix(" to continue from there"))
        again = run(native, server.url, "token_f1", out=kept)
        assert again.predicted.asked == 0
    assert kept.parent.parent == temporary


def test_metrics_decide_what_is_retrieved_and_whether_it_answers(native: Path) -> None:
    done = run(native, "rag:retriever=bm25,chunk_size=40,overlap=0", "recall@7")
    assert (done.predicted.system, done.predicted.predictions[0].answer) == ("rag 40 overlap 0 lexical top 7", None)
    done = run(native, "rag:retriever=bm25", "recall@7", "token_f1", top_k=2)
    assert done.predicted.system == "rag 512 lexical top 2"
    # token F1 of "It opened in 1998 and has a toll of 3 crowns." and "In 1998", articles aside: 2 of 10 and 2 of 2
    assert done.predicted.predictions[0].answer == "It opened in 1998 and has a toll of 3 crowns."
    assert done.summary.metrics["token_f1"].value == pytest.approx(2 * 0.2 * 1 / 1.2)


def test_a_name_has_one_value_in_every_command(beir: Path, tmp_path: Path) -> None:
    names = ("ndcg@2", "recall@2", "map@2", "document_recall@2")
    done = run(beir, "rag:retriever=bm25", *names, out=tmp_path / "run")
    scored_again = score(EvaluateOptions(metrics=names, data=tmp_path / "run", out=tmp_path / "again"))
    assert scored_again.summary.metrics == done.summary.metrics
    first, second = (list(read_jsonl(tmp_path / name / "scores.jsonl", Score)) for name in ("run", "again"))
    assert [(each.example_id, each.metric, each.value) for each in first] == [
        (each.example_id, each.metric, each.value) for each in second
    ]
    assert {each.metric for each in first} == {*names}
    *_, found = compare_runs(tmp_path / "run", tmp_path / "again")
    assert {name: (test.difference, test.p_value) for name, test in found.metrics.items()} == dict.fromkeys(
        names, (0, 1)
    )
    gated = gate(GateOptions(fail_under={"recall@2": 0.1}), tmp_path / "run")  # type: ignore[arg-type]
    assert gated.rows[0].value == done.summary.metrics["recall@2"].value
