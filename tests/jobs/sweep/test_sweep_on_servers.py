"""Sweeps with models on servers: nothing paid twice, nothing lost by a limit or a kill."""

from __future__ import annotations

import csv
import json
import signal
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import plausible_server
import pytest
from forked import Forking
from stub_server import RunningStub

import ragassay
from ragassay.errors import InputError, RunFolderError, UsageError
from ragassay.jobs.answer.options import EvaluateOptions
from ragassay.jobs.answer.predict import predict
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.run.run import Run
from ragassay.jobs.sweep.options import SweepOptions
from ragassay.jobs.sweep.sweep import sweep
from ragassay.models.llm.call_log import LOG_FILE
from ragassay.models.llm.server_replies import Answer, NoAnswer
from ragassay.models.openai_compatible import OpenAICompatible
from ragassay.rag.space import Space
from ragassay.records import Prediction, read_jsonl
from ragassay.systems.spec import parse_spec
from ragassay.systems.steps import REFUSAL

RESULTS = ("results.csv", "comparisons.csv", "summary.json")
Make = Callable[..., SweepOptions]


@pytest.fixture
def server() -> Iterator[RunningStub]:
    with plausible_server.running(latency_ms=3) as stub:
        yield stub


@pytest.fixture
def make(finished: Run, server: RunningStub) -> Make:
    """A sweep in which a server answers, judges and re-ranks."""
    space = Space(
        chunk_size=(128,),
        text_weight=(0.05, 1.0),
        reranker=("none", "judge"),
        candidates=(4,),
        top_k=(2,),
        generator=(f"{server.url}#answers",),
    )

    def options(out: Path, **fields: object) -> SweepOptions:
        models = ModelOptions(model=f"{server.url}#judge")
        given = SweepOptions(
            dataset=finished.folder, out=out, space=space, metrics=("recall@5", "faithfulness"), models=models
        )
        return replace(given, **fields)  # type: ignore[arg-type]

    return options


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in RESULTS}


def logged(folder: Path) -> dict[str, int]:
    with sqlite3.connect(folder / LOG_FILE) as log:
        return dict(log.execute("SELECT task, count(*) FROM calls GROUP BY task").fetchall())


def test_a_server_answers_judges_and_ranks_again(
    make: Make, server: RunningStub, tmp_path: Path, finished: Run
) -> None:
    done = sweep(make(tmp_path / "sweep"))
    n = len(finished.examples)
    calls = logged(tmp_path / "sweep")
    assert sum(calls.values()) == server.stats.requests
    assert 0 < calls["answer"] <= 4 * n
    # pairs that both rankings hold are graded once, so there are at most two calls a question
    assert n <= calls["chunk_grades"] <= 2 * n
    with (tmp_path / "sweep" / "results.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["group"] == "answerable"]
    tokens = defaultdict[str, list[float]](list)
    for row in rows:
        if row["metric"] == "input_tokens":
            tokens[row["reranker"]].append(float(row["value"]))
    assert {name: len(found) for name, found in tokens.items()} == {"none": 2, "judge": 2}
    assert min(tokens["none"]) > 50  # as the server counted them, with the prompt
    assert min(tokens["judge"]) > max(tokens["none"]) + 50  # that of the reranker too
    answerable = {each.id for each in finished.examples if each.label != "unanswerable"}
    recorded = [
        sum(each.input_tokens or 0 for each in read_jsonl(path, Prediction) if each.example_id in answerable)
        / len(answerable)
        for path in (tmp_path / "sweep" / "predictions").iterdir()
    ]
    assert sorted(recorded) == pytest.approx(sorted(tokens["none"] + tokens["judge"]))
    assert all(row["value"] for row in rows)
    assert done.planned.cost_usd == 0  # a server of one's own
    before, sent = contents(tmp_path / "sweep"), server.stats.requests
    sweep(make(tmp_path / "sweep"))
    assert (contents(tmp_path / "sweep"), server.stats.requests) == (before, sent)


def test_a_limit_stops_the_calls_and_a_later_sweep_goes_on(make: Make, server: RunningStub, tmp_path: Path) -> None:
    whole = make(tmp_path / "whole")
    sweep(whole)
    complete = server.stats.requests
    server.stats.requests = 0
    limited = sweep(make(tmp_path / "limited", models=replace(whole.models, max_calls=20)))
    assert limited.budget_reached == "--max-calls 20 reached"
    assert server.stats.requests == 20
    later = sweep(make(tmp_path / "limited"))
    assert later.budget_reached is None
    assert contents(tmp_path / "limited") == contents(tmp_path / "whole")
    assert server.stats.requests == complete


@pytest.mark.parametrize("task", ["answer", "answer_statements", "chunk_grades", "hypothetical_passage"])
def test_what_got_no_reply_is_asked_again(
    make: Make, server: RunningStub, tmp_path: Path, finished: Run, monkeypatch: pytest.MonkeyPatch, task: str
) -> None:
    space = Space(
        chunk_size=(128,),
        text_weight=(0.05,),
        reranker=("none", "judge"),
        candidates=(4,),
        top_k=(2,),
        generator=(f"{server.url}#answers",),
        hyde=(f"{server.url}#answers",),
    )
    options = make(tmp_path / "sweep", space=space)
    sweep(make(tmp_path / "whole", space=space))
    complete, server.stats.requests = server.stats.requests, 0
    asked: list[int] = []
    whole = OpenAICompatible._answer

    async def half(self: OpenAICompatible, call: Any) -> Answer | NoAnswer:
        if call.task == task:
            asked.append(1)
            if len(asked) % 2:
                return NoAnswer("no reply in 120 s, 4 tries")
        return await whole(self, call)

    with monkeypatch.context() as patch:
        patch.setattr(OpenAICompatible, "_answer", half)
        short = sweep(options)
    assert asked
    assert short.unanswered
    assert all(each.n == each.unheard for each in short.unanswered)
    assert short.unanswered[0].coverage < 0.95
    n = len(finished.examples)
    assert {len(list(read_jsonl(path, Prediction))) for path in (tmp_path / "sweep" / "predictions").iterdir()} == {n}
    later = sweep(options)
    assert later.unanswered == ()
    assert contents(tmp_path / "sweep") == contents(tmp_path / "whole")
    assert server.stats.requests == complete  # those alone that got no reply
    again = sweep(options)
    assert (again.reused, server.stats.requests) == (len(space.settings()), complete)


def test_steps_before_the_search_are_those_of_the_built_in_system(
    make: Make, server: RunningStub, tmp_path: Path, finished: Run
) -> None:
    guarded, prompt = finished.examples[0].question, "You answer in one short sentence."
    (tmp_path / "guard.txt").write_text(guarded)
    (tmp_path / "prompt.md").write_text(prompt)
    name = f"{server.url}#answers"
    space = Space(
        chunk_size=(512,),
        text_weight=(0.0, 0.1),
        top_k=(2,),
        generator=(name,),
        hyde=("none", name),
        retrieval=("always", "tool"),
        guard=("", "guard.txt"),
        guard_threshold=(0.99,),
        prompt=("", "prompt.md"),
    )
    options = make(tmp_path / "sweep", space=space, metrics=("recall@5", "token_f1"), folder=tmp_path)
    done = sweep(options)
    assert len(done.planned.settings) == 2**5
    n, calls = len(finished.examples), logged(tmp_path / "sweep")
    planned = {row.work: row.shared for row in done.planned.rows}
    assert (planned[f"searches decided by {name}"], planned[f"passages made up by {name}"]) == (n, 2 * n)
    assert calls["search_decision"] <= n  # once a question, whatever else the settings are
    assert 0 < calls["hypothetical_passage"] <= 2 * n
    found: dict[str, list[Prediction]] = {}
    for path in (tmp_path / "sweep" / "predictions").iterdir():
        for each in read_jsonl(path, Prediction):
            found.setdefault(each.system, []).append(each)
    for setting in done.planned.settings:
        if setting.text_weight == 0:
            continue
        values = {"hyde": setting.hyde != "none", "retrieval": setting.retrieval, "guard_threshold": 0.99}
        values |= {
            part: str(tmp_path / getattr(setting, part)) for part in ("guard", "prompt") if getattr(setting, part)
        }
        given = [f"{part}={value}" for part, value in values.items()]
        run = predict(
            EvaluateOptions(
                data=finished.folder,
                system=parse_spec("rag:chunk_size=512,top_k=2,text_weight=0.1", given),
                out=tmp_path / setting.fingerprint,
                models=ModelOptions(model=name),
            )
        )
        assert [_told(each) for each in found[setting.name]] == [_told(each) for each in run.predictions]
        refused = [each.example_id for each in run.predictions if each.answer == REFUSAL]
        assert refused == ([finished.examples[0].id] if setting.guard else [])
    before, sent = contents(tmp_path / "sweep"), server.stats.requests
    (tmp_path / "guard.txt").write_text("Who else?")
    with pytest.raises(RunFolderError, match="holds another sweep"):
        sweep(options)
    (tmp_path / "guard.txt").write_text(guarded)
    sweep(options)
    assert (contents(tmp_path / "sweep"), server.stats.requests) == (before, sent)


def test_a_follow_up_that_is_refused_costs_a_sweep_what_it_costs_the_system(
    server: RunningStub, tmp_path: Path
) -> None:
    earlier = [
        {"role": "user", "content": "When did Gannet Bridge open?"},
        {"role": "assistant", "content": "In 1998."},
    ]
    turns = ([*earlier, {"role": "user", "content": "How long is it?"}], [{"role": "user", "content": "Where is it?"}])
    rows = tmp_path / "rows.jsonl"
    text = "Gannet Bridge opened in 1998. It is 412 metres long."
    rows.write_text("".join(json.dumps({"messages": one, "reference_contexts": [text]}) + "\n" for one in turns))
    name = f"{server.url}#m"
    (tmp_path / "guard.txt").write_text("How long is it?\n", "utf-8")
    space = Space(chunk_size=(128,), top_k=(1,), generator=(name,), guard=("guard.txt",), guard_threshold=(0.01,))
    options = SweepOptions(dataset=rows, out=tmp_path / "swept", space=space, metrics=("recall@1",), folder=tmp_path)
    sweep(options)
    swept = [each for path in (tmp_path / "swept" / "predictions").iterdir() for each in read_jsonl(path, Prediction)]
    guard = f"guard={tmp_path / 'guard.txt'},guard_threshold=0.01"
    ragassay.evaluate(rows, f"rag:chunk_size=128,top_k=1,{guard}", "none", out=tmp_path / "one", model=name)
    alone = list(read_jsonl(tmp_path / "one" / "predictions.jsonl", Prediction))
    tokens = {each.example_id: (each.answer, each.input_tokens, each.output_tokens) for each in alone}
    assert {each.example_id: (each.answer, each.input_tokens, each.output_tokens) for each in swept} == tokens
    assert sorted(bool(each.input_tokens) for each in alone) == [False, True]  # to restate the one that follows up


def _told(each: Prediction) -> tuple[object, ...]:
    places = [(chunk.document_id, chunk.start, chunk.end) for chunk in each.chunks]
    return each.example_id, each.answer, each.abstained, places


@pytest.mark.parametrize(
    ("space", "said"),
    [
        (Space(hyde=("embedded",)), "hyde: needs a language model, such as openai:gpt-4o-mini"),
        (Space(retrieval=("always", "tool")), "retrieval: tool needs a language model; name one as generator"),
        (Space(generator=("embedded",), prompt=("mine.md",)), "prompt needs a language model"),
        (Space(guard=("none.txt",)), r"guard: .*none\.txt cannot be read"),
    ],
)
def test_steps_that_lack_a_model_or_a_file_are_refused(make: Make, tmp_path: Path, space: Space, said: str) -> None:
    with pytest.raises((UsageError, InputError), match=said):
        sweep(make(tmp_path / "sweep", space=space, metrics=("recall@5",)))
    assert not (tmp_path / "sweep").exists()


_SWEEP = """
import sys
from pathlib import Path
from ragassay.models.llm.pace import Limits
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.sweep.models import Failures
from ragassay.jobs.sweep.options import SweepOptions
from ragassay.jobs.sweep.sweep import sweep
from ragassay.rag.space import Space
data, out, url = sys.argv[1:]
space = Space(chunk_size=(128,), text_weight=(0.05, 1.0), reranker=("none", "judge"), candidates=(4,), top_k=(2,),
    generator=(f"{url}#answers",))
sweep(SweepOptions(dataset=Path(data), out=Path(out), space=space, metrics=("recall@5", "faithfulness"),
    models=ModelOptions(model=f"{url}#judge", max_in_flight=8)))
"""


@pytest.mark.parametrize("share", [0.5])
def test_a_killed_sweep_goes_on_where_it_was(
    make: Make, server: RunningStub, tmp_path: Path, finished: Run, forking: Forking, share: float
) -> None:
    sweep(make(tmp_path / "whole"))
    complete = server.stats.requests
    server.stats.requests = 0
    server.settings.latency_ms = 10
    server.settings.silent_from = complete - 8  # it cannot end before it is killed
    folder = tmp_path / "killed"
    with forking.begin(_SWEEP, finished.folder, folder, server.url) as process:
        while server.stats.requests < share * complete and process.poll() is None:
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
    server.drain()
    in_log = sum(logged(folder).values())
    assert 0 < in_log < complete
    server.stats.requests = server.settings.silent_from = 0
    assert forking.begin(_SWEEP, finished.folder, folder, server.url).wait() == 0
    assert contents(folder) == contents(tmp_path / "whole")
    assert server.stats.requests == complete - in_log
    assert not (folder / "work.part").exists()


def test_vectors_of_a_server_are_asked_once(make: Make, server: RunningStub, tmp_path: Path) -> None:
    space = Space(chunk_size=(128, 256), text_weight=(0.0, 0.1), encoder=("embedded", f"{server.url}#vectors"))
    done = sweep(make(tmp_path / "sweep", space=space, metrics=("recall@5",)))
    assert {table.encoder for table in done.outcome.tables} == {"embedded", f"{server.url}#vectors"}
    asked = server.stats.summary()["embedded_texts"]
    assert asked > 0
    sweep(make(tmp_path / "again", space=space, metrics=("recall@5",)))
    assert server.stats.summary()["embedded_texts"] == asked
