"""Labels and ratings of sets made elsewhere: every example accounted for, nothing guessed, nothing asked twice."""

from __future__ import annotations

import json
import random
import signal
import time
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
from ragassay.jobs.asking.dry_run import dry_run
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.label.label import label as label_set
from ragassay.jobs.label.options import LabelOptions
from ragassay.options import read_settings_of
from ragassay.records import Critique, Example, to_json
from ragassay.tasks.critique import CRITIQUES

BRIDGE = "Gannet Bridge was opened on 4 May 1998. The bridge was designed by Ines Halvorsen. It is 412 m long."
ROWS = (
    ("Who designed Gannet Bridge?", "Ines Halvorsen", [BRIDGE]),
    ("How long is Gannet Bridge?", "412 m", [BRIDGE]),
    ("What does a ticket of the ferry to Elm cost?", "12 pounds", [BRIDGE]),
    ("Who is the mayor of Ribe?", "Nobody knows", []),
)
NO_CONTEXT = "no context: the example has no context, no references and no document"


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


def on(server: RunningStub, **limits: Any) -> ModelOptions:
    return ModelOptions(model=f"{server.url}#plausible", max_in_flight=8, **limits)


def examples_of(path: Path) -> list[Example]:
    return [record for record in read_dataset(path) if isinstance(record, Example)]


def written(path: Path, *examples: Example) -> Path:
    path.write_text("".join(to_json(example) + "\n" for example in examples), encoding="utf-8")
    return path


def test_a_set_made_elsewhere_gets_labels_with_reasons(rows: Path, tmp_path: Path) -> None:
    done = ragassay.label(rows, tmp_path / "labelled.jsonl")
    examples, verdicts, summary = examples_of(done.out), list(done.verdicts), done.summary
    labels = [example.verified_label for example in examples]
    assert labels == ["fact_single", "fact_single", "unanswerable", None]
    assert [example.question for example in examples] == [question for question, _, _ in ROWS]
    assert [verdict.verified_label for verdict in verdicts] == labels
    assert all(verdict.reason for verdict in verdicts[:3])
    assert verdicts[3].error == NO_CONTEXT
    assert (summary.examples, summary.judged, summary.coverage, summary.errors) == (4, 3, 0.75, {NO_CONTEXT: 1})
    assert summary.matrix == {"unlabelled": {"fact_single": 2, "unanswerable": 1}}
    assert summary.agreement is None


def test_ratings_apply_where_they_can(rows: Path, tmp_path: Path) -> None:
    done = ragassay.label(rows, tmp_path / "rated.jsonl", what=["labels", "critiques"])
    fact, _, unanswerable, lost = examples_of(done.out)
    assert [critique.name for critique in fact.critiques] == list(CRITIQUES)
    rated = {critique.name for critique in fact.critiques if critique.value in range(1, 6)}
    assert rated == {"question_groundedness", "answer_groundedness", "stand_alone", "tautology"}
    assert all(critique.reason for critique in fact.critiques)
    left_out = set(CRITIQUES) - {critique.name for critique in unanswerable.critiques}
    assert left_out == {"question_groundedness", "answer_groundedness", "tautology"}
    assert all(critique.value is None and critique.reason == NO_CONTEXT for critique in lost.critiques)
    profile = {(row.label, row.critique): row for row in done.summary.profile}
    # 3 examples with an answer that are not unanswerable, one of which could not be rated; stand-alone: of all 4
    for name, counts in (("tautology", (2, 3)), ("stand_alone", (3, 4))):
        assert (profile["all", name].estimate.n, profile["all", name].estimate.total) == counts
    for row in done.summary.profile:
        assert sum(row.histogram) == row.estimate.n
        weighted = sum(rating * count for rating, count in enumerate(row.histogram, 1))
        assert row.estimate.value == (pytest.approx(weighted / row.estimate.n) if row.estimate.n else None)
    assert ("unanswerable", "tautology") not in profile


def test_new_ratings_take_the_place_of_old_ones_of_the_same_name(tmp_path: Path, rows: Path) -> None:
    old = tuple(Critique(name=name, value=1, reason="old") for name in ("stand_alone", "known_without_context"))
    source = written(tmp_path / "old.jsonl", replace(examples_of(rows)[0], critiques=old))
    (example,) = examples_of(ragassay.label(source, tmp_path / "rated.jsonl", critiques=["stand_alone"]).out)
    assert [critique.name for critique in example.critiques] == ["known_without_context", "stand_alone"]
    assert example.critiques[1].reason != "old"


def test_what_was_said_decides_who_is_kept(rows: Path, tmp_path: Path) -> None:
    done = ragassay.label(rows, tmp_path / "kept.jsonl", what="labels", labels="fact_single")
    assert [example.question for example in examples_of(done.out)] == [question for question, _, _ in ROWS[:2]]
    assert [example.label for example in done.dropped] == ["unanswerable", "unlabelled"]
    assert len(list(done.verdicts)) == 4  # of those that were dropped as well


class Undecided(plausible_server.PlausibleStub):
    """Says "maybe" until it was asked ``patience`` times; then what the plausible stub says."""

    patience = 1

    def value(self, body: dict[str, Any], chance: random.Random) -> Any:
        asked = sum(message["role"] == "user" for message in body["messages"])
        said = super().value({**body, "messages": body["messages"][:2]}, chance)
        return said if asked > self.patience else {**said, "label": "maybe"}


@pytest.mark.parametrize(("patience", "judged"), [(1, 3), (100, 0)])
def test_a_reply_outside_the_four_labels_is_asked_for_again_and_never_a_guess(
    rows: Path, tmp_path: Path, patience: int, judged: int
) -> None:
    stub = Undecided(Settings())
    stub.patience = patience
    undecided = RunningStub(stub)
    try:
        done = ragassay.label(rows, tmp_path / "labelled.jsonl", models=on(undecided))
    finally:
        undecided.stop()
    assert done.summary.judged == judged
    assert done.cost.unanswered == 3 - judged
    assert sum(example.verified_label is not None for example in examples_of(done.out)) == judged
    errors = [verdict.error or "" for verdict in done.verdicts][: 3 - judged]
    assert all("could not be used, even after 4 more tries" in error for error in errors)


def test_nothing_is_asked_twice_and_a_later_run_goes_on_after_a_limit(
    server: RunningStub, rows: Path, tmp_path: Path
) -> None:
    out = tmp_path / "labelled.jsonl"
    limited = ragassay.label(rows, out, models=on(server, max_calls=2))
    assert limited.summary.stopped_by == "--max-calls 2 reached"
    assert sum(example.verified_label is not None for example in examples_of(out)) == 2
    whole = ragassay.label(rows, out, models=on(server), overwrite=True)
    content = out.read_bytes()
    again = ragassay.label(rows, out, models=on(server), overwrite=True)
    assert (whole.summary.judged, again.cost.calls, server.stats.requests) == (3, 0, 3)
    assert (again.summary, out.read_bytes()) == (whole.summary, content)


_RATE = """
import sys
import ragassay
from ragassay.jobs.asking.model_options import ModelOptions
models = ModelOptions(model=sys.argv[3], max_in_flight=4)
ragassay.label(sys.argv[1], sys.argv[2], what="critiques", models=models)
"""


def test_what_was_killed_goes_on_where_it_was(
    server: RunningStub, rows: Path, tmp_path: Path, forking: Forking
) -> None:
    undisturbed = ragassay.label(rows, tmp_path / "undisturbed.jsonl", what="critiques", models=on(server))
    complete = server.stats.requests
    server.stats.requests, server.settings.latency_ms = 0, 30
    server.settings.silent_from = complete  # it cannot end before it is killed
    out = tmp_path / "killed.jsonl"
    with forking.begin(_RATE, rows, out, f"{server.url}#plausible") as process:
        while server.stats.requests < complete // 2 and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
    server.drain()
    assert not out.exists()
    server.settings.silent_from = 0
    ragassay.label(rows, out, what="critiques", models=on(server))
    assert out.read_bytes() == undisturbed.out.read_bytes()
    answered_twice = [count for count in server.stats.answered.values() if count > 2]  # undisturbed, and once more
    assert len(answered_twice) <= 4  # those under way when the process died


def test_an_estimate_sends_and_writes_nothing(server: RunningStub, rows: Path, tmp_path: Path) -> None:
    values = {"data": rows, "out": tmp_path / "labelled.jsonl", "models": on(server)}
    (row,) = dry_run(label_set, read_settings_of(LabelOptions, values)).rows
    assert (row.task, row.calls, server.stats.requests) == ("label", 3, 0)
    assert row.prompt_tokens > 3 * 100
    assert {path.name for path in tmp_path.iterdir()} == {"rows.jsonl"}
