"""Calls to language models: counts by task, calls in a list, one call in full, prices."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from ragassay.models.llm.call_records import PERCENTILES, Problem, ServedBy, TaskCalls
from ragassay.report.blocks import Block, Column, Table, Text, Value, typed
from ragassay.report.safe_text import excerpt
from ragassay.report.wording import count

REASON_CHARS = 200


def blocks_of_calls(tasks: Sequence[TaskCalls], overall: TaskCalls, served_by: Sequence[ServedBy]) -> Iterator[Block]:
    """Yield counts of each task and of all: answers, tokens, cost, time."""
    if not overall.calls:
        yield Text("The log contains no calls.")
        return
    listed = [*tasks, overall] if len(tasks) > 1 else tasks
    rows: list[Sequence[Value]] = [(each.task, each.calls, each.failed, each.unreadable, each.tries) for each in listed]
    yield Table("Calls", ["task", *typed("count", "calls", "failed", "unreadable", "tries")], rows)
    kept = ["of it cached"] if overall.cached_tokens else []
    rows = [
        (
            each.task,
            each.prompt_tokens,
            *([each.cached_tokens] if kept else []),
            each.completion_tokens,
            "unknown" if each.cost_usd is None else each.cost_usd,
            *(each.latencies_s or (None,) * len(PERCENTILES)),
        )
        for each in listed
    ]
    columns = [
        "task",
        *typed("count", "prompt", *kept, "reply"),
        Column("US dollars", "dollars"),
        *(Column(f"p{percent} s", "two") for percent in PERCENTILES),
    ]
    yield Table("Tokens, cost, and time of the tries that were answered", columns, rows)
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
