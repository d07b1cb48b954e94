"""The whole run on a tiny corpus with the embedded model and the real encoder."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ragassay
from ragassay.errors import InputError, UsageError
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.make.run_options import RunOptions
from ragassay.jobs.run.run import Run, run
from ragassay.jobs.run.stages import judged_metrics
from ragassay.keyless.making import NO_DRAFT
from ragassay.models.llm.token_counts import estimate_tokens
from ragassay.records import LABELS, Document, Example, Prediction, Score, read_jsonl
from ragassay.report.summary import read_summary

DATA_FILES = ("documents.jsonl", "examples.jsonl", "predictions.jsonl", "scores.jsonl", "summary.json", "run.json")
ALL_FILES = {*DATA_FILES, "stages.json", "report.html"}

Options = Callable[..., RunOptions]


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in DATA_FILES}


def stages_of(folder: Path) -> dict[str, dict[str, float]]:
    return {stage["name"]: stage for stage in json.loads((folder / "stages.json").read_text("utf-8"))["stages"]}


def test_a_run_leaves_its_files_and_nothing_else(finished: Run) -> None:
    assert {path.name for path in finished.folder.iterdir()} == ALL_FILES
    assert json.loads((finished.folder / "run.json").read_text("utf-8"))["state"] == "finished"
    assert finished.report == finished.folder / "report.html"
    assert "Gannet Bridge" in finished.report.read_text("utf-8")


def test_the_set_is_what_was_asked_for_or_says_why_not(finished: Run) -> None:
    composition = finished.summary.composition
    delivered = Counter(example.requested_label for example in finished.examples)
    # 12 in shares of .4 .2 .2 .2: 4.8 2.4 2.4 2.4, whole parts 4 2 2 2, then .8 and the first .4
    assert composition.requested == {"fact_single": 5, "summary": 3, "reasoning": 2, "unanswerable": 2}
    assert composition.delivered == {label: delivered[label] for label in LABELS}
    assert delivered["fact_single"] == 5
    assert min(delivered["summary"], delivered["reasoning"]) > 0
    assert delivered["unanswerable"] == 0  # only the verifier, which is off here, tells what is left open
    missing = {each.label: each.missing for each in composition.missing}
    for label in LABELS:
        assert delivered[label] + missing.get(label, 0) == composition.requested[label]
    assert all(each.reason for each in composition.missing)
    named = {each.source: each.reason for each in composition.unused}
    assert len(named) == finished.summary.corpus.documents - composition.documents_used > 0
    assert not {*named} & {*finished.summary.sources.values()}
    assert NO_DRAFT in named.values()
    assert finished.as_object()["without_question"][0]["source"] in named


def test_references_are_verbatim_and_inside_their_context(finished: Run) -> None:
    texts = {document.id: document.text for document in read_jsonl(finished.folder / "documents.jsonl", Document)}
    examples = list(read_jsonl(finished.folder / "examples.jsonl", Example))
    assert tuple(examples) == finished.examples
    assert len(texts) == 8
    for example in examples:
        context = example.context
        assert texts[context.document_id][context.start : context.end] == context.text
        for span in example.references:
            assert texts[span.document_id][span.start : span.end] == span.text
            assert span.document_id == context.document_id
            assert context.start <= span.start < span.end <= context.end
        assert bool(example.references) == bool(example.answer) == (example.requested_label != "unanswerable")
        assert example.verified_label is None  # no labeller has run
        assert example.question.endswith("?")
        assert finished.summary.sources[context.document_id]


def test_every_question_has_its_predictions_and_scores(finished: Run) -> None:
    ids = {example.id for example in finished.examples}
    predictions = list(read_jsonl(finished.folder / "predictions.jsonl", Prediction))
    scores = list(read_jsonl(finished.folder / "scores.jsonl", Score))
    systems = {prediction.system for prediction in predictions}
    assert Counter((each.example_id, each.system) for each in predictions) == Counter(
        (example_id, system) for example_id in ids for system in systems
    )
    best = {each.setting.name for each in finished.summary.best}
    assert best <= systems
    for prediction in predictions:
        assert (prediction.answer is None) == (prediction.system not in best)
        assert [chunk.score for chunk in prediction.chunks] == sorted(
            (chunk.score for chunk in prediction.chunks), reverse=True
        )
        assert len({chunk.chunk_id for chunk in prediction.chunks}) == len(prediction.chunks)
    metrics = {score.metric for score in scores}
    assert {"recall@5", "mrr@10", "ndcg@10", "reference_recall@5", "eir@5", "faithfulness", "completeness"} <= metrics
    assert {score.system for score in scores} == systems
    for score in scores:
        assert (score.value is None) == bool(score.reason), score
        assert score.value is None or 0 <= score.value <= 1, score
    assert len({(score.example_id, score.system, score.metric) for score in scores}) == len(scores)


def test_tokens_are_those_of_the_question_and_of_the_chunks_that_it_is_answered_with(finished: Run) -> None:
    texts = {document.id: document.text for document in read_jsonl(finished.folder / "documents.jsonl", Document)}
    questions = {each.id: each.question for each in finished.examples if each.label != "unanswerable"}
    assert 0 < len(questions) == len(finished.examples)
    spent: dict[str, list[int]] = {}
    for each in read_jsonl(finished.folder / "predictions.jsonl", Prediction):
        if each.example_id not in questions:
            continue
        chunks = (texts[chunk.document_id][chunk.start : chunk.end] for chunk in each.chunks[:5])
        spent.setdefault(each.system, []).append(sum(map(estimate_tokens, (questions[each.example_id], *chunks))))
    of_all = {each.setting.name: each.estimate for each in finished.summary.tokens}
    compared = {each.setting.name for each in finished.summary.results}
    assert of_all.keys() == compared > spent.keys()
    for system, tokens in spent.items():
        assert of_all[system].value == pytest.approx(sum(tokens) / len(questions))
        assert of_all[system].n == of_all[system].total == len(questions)
    report = finished.report.read_text("utf-8")
    assert "Pareto front: " in report
    assert read_summary(finished.folder).tokens == finished.summary.tokens


def test_the_same_run_again_gives_the_same_bytes_and_embeds_nothing(
    finished: Run, options: Options, tmp_path: Path
) -> None:
    first = contents(finished.folder)
    again = run(options(tmp_path / "deep" / "second"))
    assert contents(again.folder) == first
    assert sum(stage["embedded"] for stage in stages_of(again.folder).values()) == 0
    assert sum(stage["reused"] for stage in stages_of(again.folder).values()) > 0
    report = (again.folder / "report.html").read_bytes()
    once_more = run(options(again.folder))
    assert contents(again.folder) == first
    assert {path.name for path in again.folder.iterdir()} == ALL_FILES
    assert once_more.examples == finished.examples
    assert len((again.folder / "report.html").read_bytes()) == pytest.approx(len(report), rel=0.02)  # times differ


def test_documents_may_lie_elsewhere_and_in_another_order(
    finished: Run, options: Options, documents: Path, tmp_path: Path
) -> None:
    moved = tmp_path / "moved"
    shutil.copytree(documents, moved)
    there = contents(run(options(tmp_path / "run", documents=(moved,))).folder)
    here = contents(finished.folder)
    for name in ("documents.jsonl", "examples.jsonl", "predictions.jsonl", "scores.jsonl"):
        assert there[name] == here[name]


def test_what_is_said_of_the_judge_is_of_the_answers_that_it_judged(finished: Run) -> None:
    trust = finished.summary.trust
    assert trust is not None
    assert (trust.judge, trust.metrics) == (
        finished.summary.model,
        ("faithfulness", "answer_relevance", "completeness"),
    )
    assert trust.agreement == ()  # the tests judge without the verifier, and that was not measured
    scores = list(read_jsonl(finished.folder / "scores.jsonl", Score))
    assert {each.system: each.scored for each in trust.copied} == Counter(
        each.system for each in scores if each.metric == "faithfulness" and each.value is not None
    )
    assert any(each.copied for each in trust.copied)  # the embedded model answers with sentences of the chunks
    assert trust.own == ("questions", "answers")
    page = finished.report.read_text("utf-8")
    assert "agreement with people has not been measured" in page
    assert ("copied word for word" in page) == any(each.is_circular for each in trust.copied)


def test_a_sample_is_answered_and_judged_and_all_are_searched_for(
    finished: Run, options: Options, tmp_path: Path
) -> None:
    some = run(options(tmp_path / "some", judged=5))
    assert some.examples == finished.examples
    n = len(some.examples)
    assert (finished.summary.answered, some.summary.answered) == (n, 5)
    assert [replace(each, generation={}) for each in some.summary.best] == [
        replace(each, generation={}) for each in finished.summary.best
    ]
    assert some.summary.results == finished.summary.results
    labels = {example.id: example.requested_label for example in some.examples}
    system = some.summary.best[0].setting.name
    of_system = [each for each in read_jsonl(some.folder / "predictions.jsonl", Prediction) if each.system == system]
    answered = [each.example_id for each in of_system if each.answer is not None or each.abstained]
    assert len(of_system) == n
    share = {label: 5 * count / n for label, count in Counter(labels.values()).items()}
    assert all(abs(Counter(labels[each] for each in answered)[label] - share[label]) <= 1 for label in share)
    judged = [each for each in read_jsonl(some.folder / "scores.jsonl", Score) if each.metric == "completeness"]
    assert {each.example_id for each in judged if each.system == system} == set(answered)
    whole = {
        (each.example_id, each.system, each.metric): each
        for each in read_jsonl(finished.folder / "scores.jsonl", Score)
    }
    assert all(each == whole[each.example_id, each.system, each.metric] for each in judged)  # the same, asked of fewer
    assert f"Answered and judged: 5 of {n} examples" in some.report.read_text("utf-8")
    assert "Answered and judged: " not in finished.report.read_text("utf-8")


@pytest.mark.parametrize(
    ("judged", "judge", "most"),
    [
        (None, None, 40),
        (None, "http://127.0.0.1:9#m", None),
        ("all", None, None),
        (7, "http://127.0.0.1:9#m", 7),
    ],
)
def test_how_many_are_judged(
    options: Options, tmp_path: Path, judged: int | None, judge: str | None, most: int | None
) -> None:
    asked = options(tmp_path / "run", judged=judged, models=ModelOptions(judges=judge))
    assert asked.most_judged == most
    assert (asked.fingerprint() == replace(asked, judged=None).fingerprint()) is (judged is None)
    with pytest.raises(UsageError, match="--judged: must be a whole number above 0"):
        options(tmp_path / "run", judged=0).check()


def test_from_inside_a_running_event_loop(finished: Run, options: Options, tmp_path: Path) -> None:
    async def notebook() -> Run:
        return run(options(tmp_path / "run"))

    assert asyncio.run(notebook()).examples == finished.examples

    async def mistaken() -> Run:
        return run(options(tmp_path / "other", documents=(tmp_path / "nowhere",)))

    with pytest.raises(InputError, match="nowhere does not exist"):
        asyncio.run(mistaken())
    assert not (tmp_path / "other").exists()


def test_abstaining_is_measured_where_a_question_is_unanswerable(finished: Run) -> None:
    models: Any = SimpleNamespace(judge=SimpleNamespace(is_on_server=True))
    answerable = [example for example in finished.examples if example.answer]
    assert "abstention_accuracy" not in judged_metrics(models, answerable)
    open_one = replace(answerable[0], requested_label="unanswerable")
    assert judged_metrics(models, [*answerable, open_one]) == (
        *judged_metrics(models, answerable),
        "abstention_accuracy",
    )


def test_the_python_function_does_the_same(finished: Run, documents: Path, tmp_path: Path) -> None:
    only_facts = ragassay.run(str(documents), str(tmp_path / "run"), n=3, mix={"fact_single": 1})
    assert "3 questions from 2 of 8 documents, at most 2 from one" in str(only_facts)
    assert len(str(only_facts).splitlines()) < 10
    assert "<table" in only_facts._repr_html_()
    assert repr(only_facts).endswith("summary=<RunSummary>, examples=<3>, budget_reached=None)")  # not all of it
    assert [example.requested_label for example in only_facts.examples] == ["fact_single"] * 3
    assert only_facts.summary.composition.requested == {
        "fact_single": 3,
        "summary": 0,
        "reasoning": 0,
        "unanswerable": 0,
    }
    assert {each.label for each in only_facts.summary.best} == {"fact_single", "answerable"}
    with pytest.raises(UsageError, match=r"mix: shares must add up to 1, not 0\.5"):
        ragassay.run(documents, tmp_path / "half", mix={"fact_single": 0.5})
    with pytest.raises(UsageError, match=r"^n: must be at least 1, not 0"):
        ragassay.run(documents, tmp_path / "none", n=0)
    assert not (tmp_path / "half").exists()
    assert not (tmp_path / "none").exists()


def test_one_bad_file_stops_no_other(documents: Path, options: Options, tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    shutil.copytree(documents, folder)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\nnot really\n%%EOF")
    (folder / "empty.md").write_bytes(b"")
    (folder / "binary.txt").write_bytes(bytes(range(256)) * 64)
    (folder / "copy.md").write_bytes((folder / "bridge.md").read_bytes())
    (folder / "latin.txt").write_bytes("Die Fähre fährt täglich über den Sund nach Süden. ".encode("latin-1") * 9)
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    with (folder / "huge.txt").open("wb") as file:
        file.truncate(50_000_000)
    done = run(options(tmp_path / "run", documents=(folder,)))
    assert done.summary.corpus.documents == 9  # eight good ones and the Latin-1 one
    skipped = {each.source: each.reason for each in done.summary.corpus.skipped}
    assert set(skipped) == {"broken.pdf", "empty.md", "binary.txt", "huge.txt", "loop"}
    assert "it is empty" in skipped["empty.md"]
    assert "50.0 MB, more than the limit of 20 MB" in skipped["huge.txt"]
    assert "it is a link to a folder that contains it" in skipped["loop"]
    notes = {each.source: each.reason for each in done.summary.corpus.notes}
    assert notes["copy.md"] == "Left out: its text is the same as that of bridge.md."
    assert notes["latin.txt"].startswith("Not in UTF-8: read as ")
    report = done.report.read_text("utf-8")
    for name in (*skipped, "copy.md", "latin.txt"):
        assert name in report
    assert len(done.examples) >= 7


def test_hostile_text_goes_through(options: Options, tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    title = "Bridge (.*)+[a-z]{9} \\1 $^ <script>alert(1)</script>"
    (folder / "regex.md").write_text(
        f"# {title}\n\n{title} was opened on 4 May 1998. {title} was closed in 2001. {title} is 12 m long. " * 3,
        "utf-8",
    )
    (folder / "rtl.md").write_text(
        "# \u202eegdirB\u202c\n\n" + "The \u200fgate\u0301 was opened on 4 May 1998 \U0001f309\u200d\x0b. " * 9, "utf-8"
    )
    (folder / "half.jsonl").write_text(
        json.dumps({"title": "half \ud83d", "text": "The gate \ud83d was opened in 1999. It is a gate in Elm. " * 5})
        + "\n",
        "utf-8",
    )
    done = run(options(tmp_path / "run", documents=(folder,), n=6))
    assert done.summary.corpus.documents + len(done.summary.corpus.skipped) == 3
    assert "<script>alert(1)</script>" not in done.report.read_text("utf-8").replace("&lt;", "(")
