"""Labels and critiques of sets made elsewhere: every example accounted for, nothing guessed, nothing asked twice."""

from __future__ import annotations

import json
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import plausible_server
import pytest
from forked import Forking
from stub_server import RunningStub, Settings

import ragassay
from ragassay.datasets.registry import read_dataset
from ragassay.errors import InputError, RecordError, RunFolderError, UsageError
from ragassay.pipeline.asking.model_options import ModelOptions
from ragassay.pipeline.label.judging import WITHOUT_ANSWER, critique_dataset, estimate_labels, label_dataset
from ragassay.pipeline.label.options import JudgingOptions, parse_critiques
from ragassay.pipeline.label.verdicts import Verdict
from ragassay.records import Critique, Example, Label, read_jsonl, to_json
from ragassay.tasks.critique import CRITIQUES

BRIDGE = "Gannet Bridge was opened on 4 May 1998. The bridge was designed by Ines Halvorsen. It is 412 m long."
ROWS = (
    ("Who designed Gannet Bridge?", "Ines Halvorsen", [BRIDGE]),
    ("How long is Gannet Bridge?", "412 m", [BRIDGE]),
    ("What does a ticket of the ferry to Elm cost?", "12 pounds", [BRIDGE]),
    ("Who is the mayor of Ribe?", "Nobody knows", []),
)


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """Four questions as ragas has them, the last one without a context."""
    path = tmp_path / "rows.jsonl"
    lines = [
        json.dumps({"user_input": question, "reference": answer, "reference_contexts": contexts})
        for question, answer, contexts in ROWS
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def server() -> Iterator[RunningStub]:
    with plausible_server.running() as stub:
        yield stub


def on_server(server: RunningStub, data: Path, out: Path, **fields: Any) -> JudgingOptions:
    models = ModelOptions(model=f"{server.url}#plausible", max_in_flight=8, **fields)
    return JudgingOptions(data=data, out=out, models=models)


def examples_of(path: Path) -> list[Example]:
    return [record for record in read_dataset(path) if isinstance(record, Example)]


def test_a_set_made_elsewhere_gets_labels_with_reasons(rows: Path, tmp_path: Path) -> None:
    out = tmp_path / "labelled.jsonl"
    done = ragassay.label_dataset(rows, out)
    labels = [each.verified_label for each in examples_of(out)]
    assert labels[:3] == ["fact_single", "fact_single", "unanswerable"]
    assert labels[3] is None
    verdicts = list(done.verdicts)
    assert [each.question for each in examples_of(out)] == [question for question, _, _ in ROWS]
    assert [each.verified_label for each in verdicts] == labels
    assert all(each.reason for each in verdicts[:3])
    assert verdicts[3].error == "no context: the example has no context, no references and no document"
    summary = done.summary
    assert (summary.examples, summary.judged, summary.coverage) == (4, 3, 0.75)
    assert summary.errors == {verdicts[3].error: 1}
    assert summary.matrix == {"unlabelled": {"fact_single": 2, "unanswerable": 1}}
    assert summary.agreement is None


def test_labels_are_set_against_those_that_were_requested(rows: Path, tmp_path: Path) -> None:
    source = tmp_path / "requested.jsonl"
    labels: tuple[Label, ...] = ("fact_single", "summary", "fact_single", "fact_single")
    asked = [replace(each, requested_label=label) for each, label in zip(examples_of(rows), labels, strict=True)]
    source.write_text("".join(to_json(each) + "\n" for each in asked), encoding="utf-8")
    summary = ragassay.label_dataset(source, tmp_path / "labelled.jsonl").summary
    # of three pairs with a context: asked fact, got fact; asked summary, got fact; asked fact, got unanswerable
    assert summary.matrix == {"fact_single": {"fact_single": 1, "unanswerable": 1}, "summary": {"fact_single": 1}}
    assert summary.agreement is not None
    assert summary.agreement.value == pytest.approx(1 / 3)
    assert summary.agreement.n == 3


def test_ratings_apply_where_they_can(rows: Path, tmp_path: Path) -> None:
    labelled, out = tmp_path / "labelled.jsonl", tmp_path / "rated.jsonl"
    ragassay.label_dataset(rows, labelled)
    done = ragassay.critique_dataset(labelled, out)
    fact, _, unanswerable, lost = examples_of(out)
    assert [each.name for each in fact.critiques] == list(CRITIQUES)
    rated = {each.name for each in fact.critiques if each.value in range(1, 6)}
    assert rated == {"question_groundedness", "answer_groundedness", "stand_alone", "tautology"}
    assert all(each.reason for each in fact.critiques)
    left_out = set(CRITIQUES) - {each.name for each in unanswerable.critiques}
    assert left_out == {"question_groundedness", "answer_groundedness", "tautology"}
    assert all(each.value is None and each.reason.startswith("no context") for each in lost.critiques)
    profile = {(each.label, each.critique): each for each in done.summary.profile}
    # 3 examples with an answer that are not unanswerable, one of which could not be rated; stand-alone: of all 4
    assert (profile["all", "tautology"].estimate.n, profile["all", "tautology"].estimate.total) == (2, 3)
    assert (profile["all", "stand_alone"].estimate.n, profile["all", "stand_alone"].estimate.total) == (3, 4)
    for each in done.summary.profile:
        assert sum(each.histogram) == each.estimate.n
        if each.estimate.value is not None:
            weighted = sum(rating * count for rating, count in enumerate(each.histogram, 1))
            assert each.estimate.value == pytest.approx(weighted / each.estimate.n)
    assert ("unanswerable", "tautology") not in profile
    assert profile["unlabelled", "stand_alone"].estimate.value is None


def test_what_no_rule_rates_is_a_failure_where_nothing_is_rated(rows: Path, tmp_path: Path) -> None:
    some = ragassay.critique_dataset(rows, tmp_path / "some.jsonl", critiques=["feasibility", "stand_alone"]).summary
    assert some.judged == 3
    assert any("--judge" in note for note in some.notes)
    none = ragassay.critique_dataset(rows, tmp_path / "none.jsonl", critiques=["feasibility"]).summary
    assert none.judged == 0
    assert any("feasibility" in error and "--judge" in error for error in none.errors)


def test_what_needs_an_answer_is_not_asked_without_one(tmp_path: Path, rows: Path) -> None:
    source = tmp_path / "unanswered.jsonl"
    bare = replace(examples_of(rows)[0], answer="")
    source.write_text(to_json(bare) + "\n", encoding="utf-8")
    done = ragassay.critique_dataset(source, tmp_path / "rated.jsonl", critiques=["tautology", "stand_alone"])
    (verdict,) = done.verdicts
    stand_alone, tautology = verdict.critiques
    assert stand_alone.value is not None
    assert (tautology.value, tautology.reason) == (None, "the example has no answer")
    assert verdict.error is None  # the judge did all that can be done
    assert (done.summary.judged, done.summary.notes[WITHOUT_ANSWER]) == (1, 1)
    (row,) = (each for each in done.summary.profile if (each.label, each.critique) == ("all", "tautology"))
    assert (row.estimate.value, row.estimate.n, row.estimate.total) == (None, 0, 1)


def test_new_ratings_take_the_place_of_old_ones_of_the_same_name(tmp_path: Path, rows: Path) -> None:
    source, out = tmp_path / "old.jsonl", tmp_path / "rated.jsonl"
    old = (
        Critique(name="stand_alone", value=1, reason="old"),
        Critique(name="known_without_context", value=5, reason=""),
    )
    source.write_text(to_json(replace(examples_of(rows)[0], critiques=old)) + "\n", encoding="utf-8")
    ragassay.critique_dataset(source, out, critiques=["stand_alone"])
    (example,) = examples_of(out)
    assert [each.name for each in example.critiques] == ["known_without_context", "stand_alone"]
    assert example.critiques[1].reason != "old"


class Undecided(plausible_server.PlausibleStub):
    """Says "maybe" until it was asked ``patience`` times; then what the plausible stub says."""

    patience = 1

    def value(self, body: dict[str, Any], chance: random.Random) -> Any:
        asked = sum(message["role"] == "user" for message in body["messages"])
        said = super().value({**body, "messages": body["messages"][:2]}, chance)
        return said if asked > self.patience else {**said, "label": "maybe"}


@pytest.fixture
def undecided() -> Iterator[RunningStub]:
    server = RunningStub(Undecided(Settings()))
    yield server
    server.stop()


def test_a_reply_outside_the_four_labels_is_asked_for_again(undecided: RunningStub, rows: Path, tmp_path: Path) -> None:
    done = label_dataset(on_server(undecided, rows, tmp_path / "labelled.jsonl"))
    assert done.summary.judged == 3
    assert undecided.stats.requests == 6


def test_a_reply_that_stays_outside_is_an_error_and_never_a_guess(
    undecided: RunningStub, rows: Path, tmp_path: Path
) -> None:
    undecided.stub.patience = 100  # type: ignore[attr-defined]  # of the class above
    out = tmp_path / "labelled.jsonl"
    done = label_dataset(on_server(undecided, rows, out))
    assert [each.verified_label for each in examples_of(out)] == [None] * 4
    assert done.summary.judged == 0
    errors = [each.error or "" for each in done.verdicts]
    assert all("could not be used, even after 4 more tries" in error for error in errors[:3])
    assert done.cost.unanswered == 3


def test_the_same_again_asks_nothing(server: RunningStub, rows: Path, tmp_path: Path) -> None:
    options = on_server(server, rows, tmp_path / "labelled.jsonl")
    first = label_dataset(options)
    bytes_of = {path: path.read_bytes() for path in (options.out, first.folder / "verdicts.jsonl")}
    asked = server.stats.requests
    again = label_dataset(replace(options, overwrite=True))
    assert server.stats.requests == asked == 3
    assert (again.cost.calls, again.summary) == (0, first.summary)
    assert all(path.read_bytes() == content for path, content in bytes_of.items())


def test_a_limit_leaves_the_rest_without_labels_and_a_later_run_goes_on(
    server: RunningStub, rows: Path, tmp_path: Path
) -> None:
    out = tmp_path / "labelled.jsonl"
    limited = label_dataset(on_server(server, rows, out, max_calls=2))
    assert limited.summary.stopped_by == "--max-calls 2 reached"
    assert sum(each.verified_label is not None for each in examples_of(out)) == 2
    later = label_dataset(replace(on_server(server, rows, out), overwrite=True))
    assert later.summary.judged == 3
    assert server.stats.requests == 3


_LABEL = """
import sys
from pathlib import Path
from ragassay.models.llm.limits import Limits
from ragassay.pipeline.label.options import JudgingOptions
from ragassay.pipeline.label.judging import critique_dataset
from ragassay.pipeline.asking.model_options import ModelOptions
models = ModelOptions(model=sys.argv[3], max_in_flight=4)
critique_dataset(JudgingOptions(data=Path(sys.argv[1]), out=Path(sys.argv[2]), models=models))
"""


def test_a_killed_critique_goes_on_where_it_was(
    server: RunningStub, rows: Path, tmp_path: Path, forking: Forking
) -> None:
    undisturbed = critique_dataset(on_server(server, rows, tmp_path / "undisturbed.jsonl"))
    complete = server.stats.requests
    server.stats.requests, server.settings.latency_ms = 0, 30
    server.settings.silent_from = complete  # it cannot end before it is killed
    out = tmp_path / "killed.jsonl"
    with forking.begin(_LABEL, rows, out, f"{server.url}#plausible") as process:
        while server.stats.requests < complete // 2 and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
    server.drain()
    assert not out.exists()
    server.settings.silent_from = 0
    critique_dataset(on_server(server, rows, out))
    assert out.read_bytes() == undisturbed.out.read_bytes()
    answered_twice = [count for count in server.stats.answered.values() if count > 2]  # undisturbed, and once more
    assert len(answered_twice) <= 4  # those under way when the process died


def test_an_estimate_sends_and_writes_nothing(server: RunningStub, rows: Path, tmp_path: Path) -> None:
    (row,) = estimate_labels(on_server(server, rows, tmp_path / "labelled.jsonl"))
    assert (row.task, row.calls, server.stats.requests) == ("label", 3, 0)
    assert row.prompt_tokens > 3 * 100
    assert {path.name for path in tmp_path.iterdir()} == {"rows.jsonl"}


def test_documents_and_predictions_stay(tmp_path: Path, rows: Path) -> None:
    source, out = tmp_path / "source", tmp_path / "labelled"
    ragassay_records = list(read_dataset(rows))
    source.mkdir()
    for name, kind in (("documents", "Document"), ("examples", "Example")):
        lines = [to_json(each) + "\n" for each in ragassay_records if type(each).__name__ == kind]
        (source / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    ragassay.label_dataset(source, out)
    assert (out / "documents.jsonl").read_bytes() == (source / "documents.jsonl").read_bytes()
    assert Counter(type(each).__name__ for each in read_dataset(out)) == {"Document": 1, "Example": 4}


def test_a_bad_line_is_named_before_anything_is_asked(server: RunningStub, rows: Path, tmp_path: Path) -> None:
    with rows.open("a", encoding="utf-8") as file:
        file.write("{broken\n")
    with pytest.raises(RecordError, match=r"rows\.jsonl line 5"):
        label_dataset(on_server(server, rows, tmp_path / "labelled.jsonl"))
    assert server.stats.requests == 0
    assert {path.name for path in tmp_path.iterdir()} == {"rows.jsonl"}


def test_what_cannot_be_meant_is_said_first(rows: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text("id,question,answer\n", encoding="utf-8")
    for options, error, said in (
        (JudgingOptions(data=rows, out=tmp_path / "beir", to_format="beir"), UsageError, "beir cannot hold labels"),
        (JudgingOptions(data=rows, out=rows), RunFolderError, "already exists"),
        (
            JudgingOptions(data=rows, out=tmp_path / "a.jsonl", max_context_chars=0),
            UsageError,
            "--max-context-chars: must be at least 1, not 0",
        ),
        (JudgingOptions(data=empty, out=tmp_path / "a.jsonl"), InputError, "holds no example"),
        (JudgingOptions(data=tmp_path / "none", out=tmp_path / "a.jsonl"), InputError, "does not exist"),
    ):
        with pytest.raises(error, match=said):
            label_dataset(options)
    with pytest.raises(UsageError, match="unknown critique 'charm'"):
        parse_critiques("charm")
    assert parse_critiques("tautology, stand-alone") == ("stand_alone", "tautology")
    assert {path.name for path in tmp_path.iterdir()} == {"rows.jsonl", "empty.csv"}


def test_verdicts_can_be_read_back(rows: Path, tmp_path: Path) -> None:
    done = ragassay.label_dataset(rows, tmp_path / "labelled.jsonl")
    assert list(read_jsonl(done.folder / "verdicts.jsonl", Verdict)) == list(done.verdicts)
