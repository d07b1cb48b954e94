"""Calls to language models for the terminal: tables of counts, and one call in full."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ragassay.models.llm.call_records import PERCENTILES, Problem, ServedBy, TaskCalls
from ragassay.report.safe_text import excerpt, visible

REASON_CHARS = 200


def print_calls(
    tasks: Sequence[TaskCalls], overall: TaskCalls, served_by: Sequence[ServedBy], console: Console
) -> None:
    """Counts of each task and of all: answers, tokens, cost, time, lost tries."""
    if not overall.calls and not overall.lost:
        _print(console, "The log contains no calls.")
        return
    rows = [*tasks, overall] if len(tasks) > 1 else list(tasks)
    table = _table(console, "Calls", ["task", "calls", "failed", "unreadable", "tries", "lost tries"])
    for each in rows:
        lost = sum(one.tries for one in each.lost)
        _row(console, table, each.task, *map(_whole, (each.calls, each.failed, each.unreadable, each.tries, lost)))
    _show(console, table)
    kept = ["of it cached"] if overall.cached_tokens else []
    heads = ["task", "prompt", *kept, "reply", "US dollars", *(f"p{percent} s" for percent in PERCENTILES)]
    table = _table(console, "Tokens, cost, and time of the tries that were answered", heads)
    for each in rows:
        seconds = [f"{value:.2f}" for value in each.latencies_s] or ["-"] * len(PERCENTILES)
        prompts = [each.prompt_tokens, each.cached_tokens] if kept else [each.prompt_tokens]
        _row(console, table, each.task, *map(_whole, (*prompts, each.completion_tokens)), _cost(each), *seconds)
    _show(console, table)
    _print_notes(overall, console)
    for model, other, n in served_by:
        _print(console, f"{model}: {_calls(n)} served by {other}, as the server says.")
    _print_lost(tasks, console)


def _print_notes(overall: TaskCalls, console: Console) -> None:
    if overall.cost_usd is None:
        _print(console, "unknown: no price for a model; add it with --prices FILE.")
    if overall.estimated:
        _print(
            console, f"Tokens of {_calls(overall.estimated)} are estimates: the server did not say, or not credibly."
        )
    if overall.failed or overall.unreadable:
        _print(console, "--failed lists the calls without a usable answer, --show ID prints one.")
    if overall.cost_usd is None or overall.estimated or overall.failed or overall.unreadable:
        console.print()


def _print_lost(tasks: Sequence[TaskCalls], console: Console) -> None:
    if not any(each.lost for each in tasks):
        return
    table = _table(console, "Tries that brought no answer", ["task", "tries", "given up", "reason"], words=(0, 3))
    for each in tasks:
        for lost in each.lost:
            _row(
                console, table, each.task, _whole(lost.tries), _whole(lost.given_up), excerpt(lost.reason, REASON_CHARS)
            )
    _show(console, table)


def print_listed(calls: Sequence[Problem], what: str, console: Console) -> None:
    """Ids of calls, and why answers are of no use. what: the calls listed, "without a usable answer"."""
    if not calls:
        _print(console, f"No call in the log is {what}.")
        return
    table = _table(console, f"{_calls(len(calls))} {what}", ["id", "task", "reason"], words=(1, 2))
    for each in calls:
        _row(console, table, str(each.id), each.task, excerpt(each.reason, REASON_CHARS))
    console.print(table)


def print_call(call: dict[str, Any], console: Console) -> None:
    """One call in full, as ``CallRecords.call`` gives it.

    What the two sides said is set in by two spaces, so that nothing in it can pass for a line of ours.
    """
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
    }
    lines = [f"{name}: {_line(value)}" for name, value in head.items()]
    for name in ("failure", "unreadable"):
        if call[name] is not None:
            lines.append(f"{name}: {_line(call[name])}")
    for message in call["messages"]:
        lines += ["", f"{_line(str(message.get('role', '')))}:", *_set_in(_content(message))]
    if reasoning := call["aside"].get("reasoning"):
        lines += ["", "reasoning, which is no part of the reply:", *_set_in(reasoning)]
    lines += ["", "reply:", *_set_in(call["reply"])]
    for line in lines:
        console.print(Text(_written(line, console)), soft_wrap=True)


def print_prices(rows: Sequence[dict[str, Any]], old_days: int, console: Console) -> None:
    """Prices with their age and source, as ``ragassay prices --json`` has them."""
    kept = ["cached"] if any(row["cached"] is not None for row in rows) else []
    origins = {(row["table"], row["source"]) for row in rows if row["prompt"] is not None}
    told = ["table", "source"] if len(origins) > 1 else []
    heads = ["model", "prompt", "reply", *kept, "as of", "days", *told]
    words = tuple(place for place, head in enumerate(heads) if head in ("model", "as of", "table", "source"))
    table = _table(console, "US dollars for a million tokens", heads, words=words)
    for row in rows:
        dollars = ["unknown" if row[name] is None else f"{row[name]:.2f}" for name in ("prompt", "completion")]
        dollars += ["-" if row[name] is None else f"{row[name]:.3f}" for name in kept]
        age = "-" if row["age_days"] is None else _whole(row["age_days"])
        _row(console, table, row["model"], *dollars, row["as_of"] or "-", age, *(row[name] or "-" for name in told))
    _show(console, table)
    if len(origins) == 1:
        ((name, source),) = origins
        _print(console, f"Table: {name or '-'}. Source: {source or '-'}.")
    old = sum((row["age_days"] or 0) > old_days for row in rows)
    if old:
        _print(
            console,
            f"{old} of {len(rows)} are older than {old_days} days: check them, and give your own with --prices FILE.",
        )
    if any(row["prompt"] is None for row in rows):
        _print(console, "unknown: not in any table; add it with --prices FILE.")


def to_json_object(calls: TaskCalls) -> dict[str, Any]:
    """What ``--json`` prints of a task: all that is counted."""
    found = asdict(calls)
    found["lost"] = [each._asdict() for each in calls.lost]
    seconds = calls.latencies_s or (None,) * len(PERCENTILES)
    found["latencies_s"] = {f"p{percent}": value for percent, value in zip(PERCENTILES, seconds, strict=True)}
    return found


def _content(message: dict[str, Any]) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _set_in(text: str) -> list[str]:
    return [f"  {line}".rstrip() for line in visible(text).split("\n")]


def _line(text: str) -> str:
    return " ".join(visible(text).split())


def _whole(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def _calls(number: int) -> str:
    return "1 call" if number == 1 else f"{_whole(number)} calls"


def _cost(calls: TaskCalls) -> str:
    return "unknown" if calls.cost_usd is None else f"{calls.cost_usd:.4f}"


def _table(console: Console, title: str, columns: list[str], words: tuple[int, ...] = (0,)) -> Table:
    """words: columns that hold words; the others hold numbers."""
    _print(console, title, "bold")
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place in words else "right", overflow="fold")
    return table


def _row(console: Console, table: Table, *cells: str) -> None:
    table.add_row(*(Text(_written(_line(cell), console)) for cell in cells))


def _show(console: Console, table: Table) -> None:
    console.print(table)
    console.print()


def _print(console: Console, line: str, style: str = "") -> None:
    console.print(Text(_written(_line(line), console), style=style))


def _written(text: str, console: Console) -> str:
    """The text in characters that the console can write."""
    return text.encode(console.encoding, "backslashreplace").decode(console.encoding)
