"""What stages and calls cost, before and after, and the calls in the log: counted, listed, one in full."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from operator import sub
from typing import Any, Protocol

from ragassay.errors import CONTINUE
from ragassay.models.estimating import CallEstimate, total
from ragassay.models.llm.budget import Spent
from ragassay.models.llm.call_records import PERCENTILES, Problem, ServedBy, TaskCalls
from ragassay.report.blocks import Block, Column, Table, Text, Value, typed
from ragassay.report.safe_text import excerpt
from ragassay.report.wording import count, duration, portion

LITTLE_COVERAGE = 0.95
_WHOLE = ("calls", "prompt_tokens", "completion_tokens", "cost_usd")


@dataclass(frozen=True, slots=True, kw_only=True)
class StageCost:
    """What a stage of the run cost.

    peak_rss_mb: the most memory that all processes held so far, in MiB. model_calls: tasks that models were asked.
    served: of those, put to a model on a server; unanswered: of these. sent: calls that servers answered to this
    process; answers that were in the call log are not among them. prompt_tokens, completion_tokens: of the calls sent.
    cost_usd: of those whose price is known; unpriced: how many of the others there are.
    embedded, reused: vectors that were computed, and that were found.
    """

    name: str
    wall_s: float
    cpu_s: float
    peak_rss_mb: float
    model_calls: int = 0
    served: int = 0
    unanswered: int = 0
    sent: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0
    embedded: int = 0
    reused: int = 0


def together(stages: Sequence[StageCost]) -> StageCost:
    """Sum stages as one; memory is the most of all."""
    summed = {
        name: sum(getattr(stage, name) for stage in stages)
        for name in StageCost.__slots__
        if name not in ("name", "peak_rss_mb")
    }
    return StageCost(name="whole run", peak_rss_mb=max((each.peak_rss_mb for each in stages), default=0.0), **summed)


class CountedCalls(Protocol):
    calls: int
    unanswered: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingCost:
    """calls: that a server answered now; those found in the log are not among them.

    asked: tasks put to the model. unanswered: of these. cost_usd: of calls whose price is known; unpriced: the others.
    """

    asked: int
    unanswered: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float
    unpriced: int
    wall_s: float

    @classmethod
    def of(cls, models: Iterable[CountedCalls], before: Spent, after: Spent, begun: float) -> JudgingCost:
        """Count what models were asked. before, after: what was spent; begun: by ``time.perf_counter``."""
        counted = list(models)
        return cls(
            asked=sum(model.calls for model in counted),
            unanswered=sum(model.unanswered for model in counted),
            wall_s=time.perf_counter() - begun,
            **Spent(*map(sub, after, before))._asdict(),
        )

    @property
    def words(self) -> str:
        """Say what was asked and, of a server, what it took."""
        cost = None if self.unpriced else self.cost_usd
        tokens = self.prompt_tokens + self.completion_tokens if self.calls else None
        return f"{judging_words(self.asked, self.unanswered, self.calls, tokens, cost)}, {self.wall_s:.1f} s"


def judging_words(asked: int, unanswered: int, sent: int | None, tokens: int | None, cost_usd: float | None) -> str:
    """Say what a judge was asked and, of a server, what it took. sent: calls now; None: not told apart."""
    words = f"{count(asked, 'question')} to the judge, {count(unanswered)} unanswered"
    if tokens is None:
        return words
    dollars = "price not known" if cost_usd is None else f"{cost_usd:.4f} US dollars"
    return f"{words}{'' if sent is None else f', {count(sent)} calls sent'}, {count(tokens)} tokens, {dollars}"


def spent_words(cost: StageCost) -> str:
    """Say how long it took and what models on servers were sent."""
    if not cost.served:
        return f"Took {duration(cost.wall_s)}"
    dollars = "price not known" if cost.unpriced else f"{cost.cost_usd:.4f} US dollars"
    tokens = count(cost.prompt_tokens + cost.completion_tokens)
    return f"Took {duration(cost.wall_s)}, {count(cost.sent, 'call')} to models, {tokens} tokens, {dollars}"


def blocks_of_costs(stages: Sequence[StageCost]) -> Iterator[Block]:
    """Yield time and memory by stage and, where servers were asked, their calls."""
    whole = together(stages)
    listed = [*stages, whole] if len(stages) > 1 else stages
    rows: list[Sequence[Value]] = [
        (each.name.replace("_", " "), each.wall_s, each.cpu_s, each.peak_rss_mb, each.model_calls, each.embedded,
         each.reused)
        for each in listed
    ]  # fmt: skip
    columns = [
        "stage",
        Column("wall", "seconds"),
        Column("CPU", "seconds"),
        *typed("count", "MiB", "calls", "embedded", "reused"),
    ]
    note = "Memory: the highest up to the end of the stage. Reused: from an earlier stage or run."
    yield Table("Cost by stage", columns, rows, note, has_total=len(stages) > 1)
    served = [each for each in stages if each.served or each.sent]
    rows = [
        (each.name.replace("_", " "), each.served, each.unanswered, each.sent, each.prompt_tokens,
         each.completion_tokens, f"{each.cost_usd:.4f}{' + ?' if each.unpriced else ''}")
        for each in ([*served, together(served)] if len(served) > 1 else served)
    ]  # fmt: skip
    heads = ["stage", *typed("count", "asked", "unanswered", "sent", "prompt tokens", "reply tokens"), "US dollars"]
    note = "Unanswered: nothing usable came back. Sent: not in the log already. + ?: a price is not known."
    yield Table("Models on servers", heads, rows, note, has_total=len(served) > 1)


def stopped_block(stopped_by: str | None) -> Iterator[Text]:
    """Warn that a limit ended the calls to models; nothing where none did."""
    if stopped_by:
        again = f"{CONTINUE[0].upper()}{CONTINUE[1:]}."
        yield Text(f"Stopped: {stopped_by}; what follows is incomplete. {again}", "warning")


def unanswered_words(stages: Sequence[StageCost]) -> list[str]:
    """Warn of stages in which servers left much unanswered."""
    return [
        f"Models on servers left {portion(each.unanswered, each.served)} questions unanswered in the stage "
        f"{each.name}: figures cover only those that were answered."
        for each in stages
        if each.served and each.unanswered > (1 - LITTLE_COVERAGE) * each.served
    ]


def call_cost_object(cost: StageCost) -> dict[str, Any]:
    """Return what servers were asked, for ``--json``; cost_usd is None where a price is not known."""
    return {
        "asked": cost.served,
        "unanswered": cost.unanswered,
        "sent": cost.sent,
        "prompt_tokens": cost.prompt_tokens,
        "completion_tokens": cost.completion_tokens,
        "cost_usd": None if cost.unpriced else cost.cost_usd,
    }


def blocks_of_estimate(rows: Sequence[CallEstimate], examples: int, asked: int) -> Iterator[Block]:
    """Yield calls, tokens and cost that are to be expected, by stage and task.

    examples: how many the embedded model made in the place of the real one, of those asked for.
    """
    models = list(dict.fromkeys(row.model for row in rows))
    whole = total(rows)
    shown: list[Sequence[Value]] = [
        (
            row.stage,
            row.task.replace("_", " ") + (f" ({row.model})" if len(models) > 1 else ""),
            row.calls,
            row.prompt_tokens,
            row.completion_tokens,
            "?" if row.cost_usd is None else row.cost_usd,
        )
        for row in rows
    ]
    cost = "?" if whole.cost_usd is None else whole.cost_usd
    shown.append(("all", "", whole.calls, whole.prompt_tokens, whole.completion_tokens, cost))
    columns = [
        "stage",
        "task",
        *typed("count", "calls", "prompt tokens", "reply tokens"),
        Column("US dollars", "dollars"),
    ]
    yield Table(f"What the run will ask of {', '.join(models)}", columns, shown, has_total=True)
    yield Text("Repair turns, repeated tries and calls that are in the log already are not counted.")
    if whole.cost_usd is None:
        unknown = ", ".join(sorted({row.model for row in rows if row.cost_usd is None}))
        yield Text(f"No price for {unknown}; add it with --prices FILE.")
    if examples < asked:
        yield Text(
            f"Counted for {examples} of the {asked} examples: so many came of a stand-in's placeholders, which are not "
            "the questions that are made without --model. The real model may make more, and then needs more calls."
        )


def estimate_object(rows: Sequence[CallEstimate], examples: int, asked: int) -> dict[str, Any]:
    """Return the same for ``--json``."""
    whole = total(rows)._asdict()
    return {
        "rows": [row._asdict() for row in rows],
        "all": {key: whole[key] for key in _WHOLE},
        "examples": examples,
        "asked": asked,
    }


REASON_CHARS = 200


def blocks_of_calls(tasks: Sequence[TaskCalls], overall: TaskCalls, served_by: Sequence[ServedBy]) -> Iterator[Block]:
    """Yield counts of each task and of all: answers, tokens, cost, time."""
    if not overall.calls:
        yield Text("The log contains no calls.")
        return
    listed = [*tasks, overall] if len(tasks) > 1 else tasks
    kept = ["of it cached"] if overall.cached_tokens else []
    rows: list[Sequence[Value]] = [
        (
            each.task, each.calls, each.failed, each.unreadable, each.tries, each.prompt_tokens,
            *([each.cached_tokens] if kept else []), each.completion_tokens,
            "unknown" if each.cost_usd is None else each.cost_usd,
            *(each.latencies_s or (None,) * len(PERCENTILES)),
        )
        for each in listed
    ]  # fmt: skip
    columns = [
        "task",
        *typed("count", "calls", "failed", "unreadable", "tries", "prompt tokens", *kept, "reply tokens"),
        Column("US dollars", "dollars"),
        *(Column(f"p{percent} s", "two") for percent in PERCENTILES),
    ]
    yield Table("Calls", columns, rows)
    if overall.cost_usd is None:
        yield Text("unknown: no price for a model; add it with --prices FILE.")
    if overall.estimated:
        number = count(overall.estimated, "call")
        yield Text(f"Tokens of {number} are estimates: the server did not say, or not credibly.")
    if overall.failed or overall.unreadable:
        yield Text("--failed lists the calls without a usable answer, --call ID prints one.")
    yield Text([f"{model}: {count(n, 'call')} served by {other}, as the server says." for model, other, n in served_by])


def blocks_of_listed(calls: Sequence[Problem], what: str) -> Iterator[Block]:
    """Yield ids of calls, and why answers are of no use. what: the calls listed, "without a usable answer"."""
    if not calls:
        yield Text(f"No call in the log is {what}.")
    rows: list[Sequence[Value]] = [(str(each.id), each.task, excerpt(each.reason, REASON_CHARS)) for each in calls]
    yield Table(f"{count(len(calls), 'call')} {what}", ["id", "task", "reason"], rows)


def blocks_of_call(call: dict[str, Any]) -> Iterator[Block]:
    """Yield one call in full, as ``CallRecords.call`` gives it."""
    finished = datetime.fromtimestamp(call["finished_at"], UTC).isoformat(sep=" ", timespec="seconds")
    estimated = ", estimated" if call["tokens_estimated"] else ""
    cached = f" ({call['cached_tokens']} cached)" if call["cached_tokens"] else ""
    head = {
        "call": f"{call['id']}, task {call['task']}, sample {call['sample']}",
        "model": call["model"] + (f", served by {served}" if (served := call["aside"].get("model")) else ""),
        "parameters": json.dumps(call["parameters"], ensure_ascii=False),
        "prompt hash": call["prompt_hash"],
        "finished": f"{finished}, after {call['latency_s']:.2f} s, tries: {call['tries']}",
        "tokens": f"{call['prompt_tokens']} prompt{cached}, {call['completion_tokens']} reply{estimated}",
        "ended": call["finish_reason"] or "the server did not say",
        "failure": call["failure"],
        "unreadable": call["unreadable"],
    }
    yield Text([f"{name}: {value}" for name, value in head.items() if value is not None])
    for message in call["messages"]:
        content = message.get("content")
        told = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        yield Text(told, title=f"{message.get('role', '')}:", verbatim=True)
    if reasoning := call["aside"].get("reasoning"):
        yield Text(reasoning, title="reasoning, which is no part of the reply:", verbatim=True)
    yield Text(call["reply"], title="reply:", verbatim=True)


def calls_object(calls: TaskCalls) -> dict[str, Any]:
    """Return what ``--json`` prints of a task: all that is counted."""
    seconds = calls.latencies_s or (None,) * len(PERCENTILES)
    return {
        **asdict(calls),
        "latencies_s": {f"p{percent}": value for percent, value in zip(PERCENTILES, seconds, strict=True)},
    }
