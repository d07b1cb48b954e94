"""Calls in batches: gathered, found again after a kill, and sent one by one where a batch brings nothing."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asking import asked, inputs, values
from forked import Forking

from ragassay.errors import ModelError, RunFolderError
from ragassay.models.llm.batches import Batching
from ragassay.models.llm.budget import Budget
from ragassay.models.llm.call_log import CallLog
from ragassay.models.llm.call_records import open_records
from ragassay.models.llm.prices import Price, Prices
from ragassay.models.openai_compatible import OpenAICompatible
from ragassay.tasks.verdicts import ANSWER_STATEMENTS, KEYPOINTS, AnswerStatement

N = 12
QUICK = Batching(quiet_s=0.02, first_look_s=0.01, longest_look_s=0.02)
RUN = """
import asyncio, json, sys
from pathlib import Path
from ragassay.models.llm.batches import Batching
from ragassay.models.llm.budget import Budget
from ragassay.models.llm.call_log import CallLog
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.openai_compatible import OpenAICompatible
from ragassay.tasks.verdicts import ANSWER_STATEMENTS, AnswerToQuestion

url, log, n = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])

async def main():
    given = [AnswerToQuestion(question=f"Question {i}?", answer=f"Lamp {i} is red. It is old.") for i in range(n)]
    batching = Batching(quiet_s=0.02, first_look_s=0.01, longest_look_s=0.02)
    with CallLog(log) as opened:
        async with OpenAICompatible(Endpoint("m", url, "m"), opened, Budget(), batching=batching) as model:
            replies = await model.ask_all(ANSWER_STATEMENTS, given)
    print(json.dumps([reply.value.items for reply in replies]))

asyncio.run(main())
"""
MakeModel = Callable[..., OpenAICompatible]


def left(log: CallLog) -> list[str]:
    """Files of batches that are not done with."""
    return sorted(path.name for path in log.path.parent.glob("*-batches/*"))


def test_all_that_is_asked_goes_in_one_batch(servers: Any, model_at: MakeModel, log: CallLog) -> None:
    server = servers.stub()
    replies = asked(model_at(server.url, batching=QUICK), inputs(N))
    assert values(replies) == N
    assert (server.stats.batches, server.stats.batched, server.stats.requests) == (1, N, 0)
    assert left(log) == []
    one_by_one = asked(model_at(server.url), inputs(N))  # from the log
    assert [each.value for each in one_by_one] == [each.value for each in replies]
    assert server.stats.requests == 0


def test_calls_of_several_tasks_share_a_batch(servers: Any, model_at: MakeModel) -> None:
    server = servers.stub()
    statements = [AnswerStatement(question=f"q{i}", answer=f"Lamp {i}.", statements=("It is red.",)) for i in range(N)]

    async def ask() -> None:
        async with model_at(server.url, batching=QUICK) as model:
            await asyncio.gather(model.ask_all(ANSWER_STATEMENTS, inputs(N)), model.ask_all(KEYPOINTS, statements))

    asyncio.run(ask())
    assert (server.stats.batches, server.stats.batched) == (1, 2 * N)


def test_a_few_calls_are_not_worth_a_batch(servers: Any, model_at: MakeModel) -> None:
    server = servers.stub()
    assert values(asked(model_at(server.url, batching=QUICK), inputs(QUICK.fewest - 1))) == QUICK.fewest - 1
    assert (server.stats.batches, server.stats.requests) == (0, QUICK.fewest - 1)


@pytest.mark.parametrize("end", ["completed", "expired", "cancelled"])
def test_what_a_batch_does_not_bring_is_sent_by_itself(
    servers: Any, model_at: MakeModel, log: CallLog, end: str
) -> None:
    server = servers.stub(batch_missing=0.4, batch_end=end)
    assert values(asked(model_at(server.url, batching=QUICK), inputs(N))) == N
    assert 0 < server.stats.requests < N
    assert server.stats.summary()["answered_again"] == 0
    assert left(log) == []


def test_lines_that_failed_are_sent_by_themselves(servers: Any, model_at: MakeModel) -> None:
    server = servers.stub(broken=0.5, first_tries_only=True)
    assert values(asked(model_at(server.url, batching=QUICK), inputs(N))) == N
    assert server.stats.batches == 1
    assert server.stats.requests == server.stats.outcomes["broken"] > 0


def test_what_comes_twice_counts_once(servers: Any, model_at: MakeModel) -> None:
    server = servers.stub(batch_twice=True)
    assert values(asked(model_at(server.url, batching=QUICK), inputs(N))) == N
    assert server.stats.requests == 0


def test_a_field_that_is_refused_is_left_out_of_the_next_batch(servers: Any, model_at: MakeModel) -> None:
    server = servers.stub(unknown_fields=("temperature",))
    assert values(asked(model_at(server.url, batching=QUICK), inputs(N))) == N
    assert (server.stats.batches, server.stats.requests) == (2, 0)


def test_repair_turns_are_a_round_of_their_own(servers: Any, model_at: MakeModel) -> None:
    server = servers.stub(malformed=1.0, first_tries_only=True)
    assert values(asked(model_at(server.url, batching=QUICK), inputs(N))) == N
    assert server.stats.batches == 2


def test_a_server_without_batches_says_what_to_leave_out(servers: Any, model_at: MakeModel) -> None:
    server = servers.stub(no_batches=True)
    with pytest.raises(ModelError, match=r"--batch: .* has no batch interface \(HTTP 404.*leave out --batch"):
        asked(model_at(server.url, batching=QUICK), inputs(N))
    assert server.stats.requests == 0


def test_a_batch_that_is_not_accepted_is_no_reason_to_pay_double(
    servers: Any, model_at: MakeModel, log: CallLog
) -> None:
    server = servers.stub(batch_end="failed", batch_missing=1.0)
    with pytest.raises(ModelError, match=r"did not accept batch batch_1 .*leave out --batch"):
        asked(model_at(server.url, batching=QUICK), inputs(N))
    assert server.stats.requests == 0
    assert left(log) == []


def test_a_batch_that_never_ends_is_not_waited_for_for_ever(servers: Any, model_at: MakeModel, log: CallLog) -> None:
    server = servers.stub(batch_looks=1_000_000)
    never = Batching(quiet_s=0.02, first_look_s=0.01, longest_look_s=0.02, give_up_s=0.1)
    with pytest.raises(ModelError, match="has not ended in"):
        asked(model_at(server.url, batching=never), inputs(N))
    server.settings.batch_looks = 0
    assert values(asked(model_at(server.url, batching=QUICK), inputs(N))) == N
    assert (server.stats.batches, server.stats.requests) == (1, 0)


def test_replies_cost_what_batches_cost(servers: Any, model_at: MakeModel, log: CallLog) -> None:
    server = servers.stub()
    prices = Prices({"m": Price(2.0, 8.0, batch_prompt=1.0, batch_completion=4.0)})
    # a server in reach of one's own network costs nothing unless it is named as a whole
    prices = Prices({}, {f"{server.url}#m": prices.entries()["m"]})
    budget = Budget()
    asked(model_at(server.url, batching=QUICK, budget=budget, prices=prices), inputs(N))
    spent = budget.spent
    assert spent.calls == N
    assert spent.cost_usd == pytest.approx((spent.prompt_tokens * 1.0 + spent.completion_tokens * 4.0) / 1e6)
    with open_records(log.path.parent) as records:
        assert records.overall(prices).cost_usd == pytest.approx(spent.cost_usd)


def test_a_limit_holds_for_batches(servers: Any, model_at: MakeModel) -> None:
    server = servers.stub()
    budget = Budget(max_calls=7)
    replies = asked(model_at(server.url, batching=QUICK, budget=budget), inputs(N))
    assert values(replies) == 7
    assert (server.stats.batched, server.stats.requests) == (7, 0)
    assert budget.reached == "--max-calls 7 reached"


def test_a_record_that_cannot_be_read_stops_the_run(servers: Any, model_at: MakeModel, log: CallLog) -> None:
    folder = log.path.with_name(f"{log.path.name}-batches")
    folder.mkdir()
    (folder / "1.json").write_text("{")
    with pytest.raises(RunFolderError, match=r"1\.json cannot be read, and the batch .* may be paid for"):
        asked(model_at(servers.stub().url, batching=QUICK), inputs(N))


@pytest.mark.parametrize("point", ["files", "batches", "status", "content", "chat"])
def test_a_run_killed_in_a_batch_pays_for_nothing_twice(
    servers: Any, tmp_path: Path, forking: Forking, point: str
) -> None:
    """Killed before the server's id of the file, of the batch, in waiting, in reading, and half through the rest."""
    server = servers.stub(stalls_at=point, batch_missing=0.4, silent_from=1)
    server.stub.keeps_bodies = False
    log = tmp_path / "killed" / "calls.sqlite"
    process = forking.begin(RUN, server.url, log, str(N))
    for _ in range(3000):
        reached = server.stats.requests if point == "chat" else server.stats.outcomes["stalled"]
        if reached or process.poll() is not None:
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert process.returncode == -signal.SIGKILL
    server.drain()
    server.settings.stalls_at, server.settings.silent_from = "", 0
    again = forking.begin(RUN, server.url, log, str(N))
    assert (again.wait(), again.err) == (0, "")
    assert server.stats.batches == 1
    assert server.stats.summary()["answered_again"] == 0
    undisturbed = forking.begin(RUN, server.url, tmp_path / "undisturbed" / "calls.sqlite", str(N))
    assert (undisturbed.wait(), undisturbed.out) == (0, again.out)
    assert len(json.loads(again.out)) == N
    (n,) = sqlite3.connect(log).execute("SELECT count(*) FROM calls").fetchone()
    assert n == N
    assert not list(log.parent.glob("*-batches/*"))
