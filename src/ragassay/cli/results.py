"""``ragassay compare``, ``gate``, ``convert`` and ``view``: what is done with results."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from ragassay.cli.command import PROJECT_FILE, Command, Job, print_json
from ragassay.errors import GateError, InputError, UsageError
from ragassay.options import Option, settings

if TYPE_CHECKING:
    from ragassay.evaluation.paired import RunComparison
    from ragassay.jobs.data.convert import CheckedSet, Converted, ConvertOptions
    from ragassay.jobs.gate.options import GateOptions
    from ragassay.jobs.report.comparing import ScoredRun
    from ragassay.report.blocks import Block
    from ragassay.report.gate import GateResult


def comparison_blocks(done: tuple[ScoredRun, ScoredRun, RunComparison]) -> Iterable[Block]:
    from ragassay.report.comparison import blocks_of_comparison

    a, b, found = done
    return blocks_of_comparison(found, f"{a.folder}, {a.system}", f"{b.folder}, {b.system}")


def comparison_object(done: tuple[ScoredRun, ScoredRun, RunComparison]) -> dict[str, Any]:
    from ragassay.report.comparison import comparison_object

    *runs, found = done
    return comparison_object(found, *({"run": str(each.folder), "system": each.system} for each in runs))


def gate(options: GateOptions) -> GateResult:
    """Hold the run against the bounds and write what was asked for."""
    from ragassay.jobs.asking.asked_metrics import register_rubrics
    from ragassay.jobs.gate.gate import gate

    if options.run is None:
        raise UsageError("RUN: missing; give it")
    register_rubrics(Path(PROJECT_FILE))  # their ranges and directions
    options.files.check()
    found = gate(options, options.run)
    options.files.write(found)
    return found


def check_gate(done: GateResult, _: GateOptions) -> None:
    from ragassay.report.gate import condition_words

    if not done:
        raise GateError(f"the gate failed: {'; '.join(condition_words(each.condition) for each in done.failing)}")


def converted_object(found: Converted | CheckedSet) -> dict[str, Any]:
    from ragassay.jobs.data.convert import CheckedSet
    from ragassay.report.labels import card_object

    if isinstance(found, CheckedSet):
        card = card_object(found.card, found.findings, found.format, len(found.findings.kept))
        return {**card, "notes": found.notes}
    counts = {"records": dict(found.records), "notes": dict(found.notes)}
    return {"out": str(found.out), "format": found.format, **counts}


def check_converted(found: Converted | CheckedSet, options: ConvertOptions) -> None:
    """Raise InputError for a set without examples; end with its code for one with errors, which are printed."""
    from ragassay.jobs.data.convert import CheckedSet

    if isinstance(found, CheckedSet):
        if found.findings.errors:
            raise SystemExit(InputError.exit_code)
        if not found.card.examples:
            raise InputError(f"{options.data} holds no examples")


@settings
class ViewOptions:
    """Which runs, and where they are served."""

    runs: Annotated[Path, Option("Folder with runs, or one run.", metavar="RUNS", is_argument=True)]
    host: Annotated[str, Option("Address to listen on; by default only this machine can connect.")] = "127.0.0.1"
    port: Annotated[int, Option("Port; 0 picks a free one.")] = 8764


def open_pages(options: ViewOptions) -> tuple[str, Callable[[Callable[[], None]], None]]:
    """The link, and what serves the pages."""
    from ragassay.web.guard import is_loopback, key_of
    from ragassay.web.run_index import RunIndex
    from ragassay.web.serving import address_of, listening, names_of
    from ragassay.web.serving import serve as serve_pages
    from ragassay.web.view import view_app

    index = RunIndex(options.runs)
    secret = None if is_loopback(options.host) else secrets.token_hex(16)
    bound = listening(options.host, options.port)
    link = address_of(bound, options.host) + (f"/?key={key_of(secret, 'view')}" if secret else "/")
    return link, lambda say: serve_pages(view_app(index, names_of(options.host), secret), bound, say)


def serve(pages: tuple[str, Callable[[Callable[[], None]], None]], as_json: bool) -> None:
    """Say where the pages are, and serve them until Ctrl-C."""
    link, until_stopped = pages

    def say() -> None:
        if as_json:
            print_json({"link": link})
        else:
            click.echo(f"Open {link}\nCtrl-C stops the pages.")

    until_stopped(say)


COMMANDS = {
    "compare": Command(
        Job(
            options="ragassay.jobs.report.comparing:CompareOptions",
            run="ragassay.jobs.report.comparing:compare",
            found=comparison_object,
            blocks=comparison_blocks,
            has_progress=False,
        ),
        """Compare two scored runs on the same examples.

    Prints for each metric over the answerable questions, and for each label and question type: both means, their
    difference with a 95 % interval, the p-value of the same paired test (over documents where questions share one), and
    that after Holm's correction; then the questions that changed most. Only examples with a value in both runs count.

    Examples:

    ragassay compare runs/first runs/second

    ragassay compare runs/first runs/second --metrics faithfulness,recall@5 --json

    ragassay compare runs/systems runs/systems --system-a bm25 --system-b dense
    """,
    ),
    "gate": Command(
        Job(
            options="ragassay.jobs.gate.options:GateOptions",
            run=gate,
            found="ragassay.report.gate:gate_object",
            check=check_gate,
            has_progress=False,
        ),
        """Check a run against bounds, for CI: exit code 0 if it passes, 9 if it fails.

    A condition passes where the whole 95 % interval is good enough, and fails where none of it is. In between it cannot
    be told from so few questions: that passes with a note, or fails with --strict. --use mean looks at the mean alone.
    --max-drop compares question by question, as `ragassay compare` does.

    Examples:

    ragassay gate runs/new --fail-under faithfulness=.8 --fail-under recall@5=.7@fact_single

    ragassay gate runs/new --baseline runs/main --max-drop recall@5=.02 --junit gate.xml
    """,
    ),
    "convert": Command(
        Job(
            options="ragassay.jobs.data.convert:ConvertOptions",
            run="ragassay.jobs.data.convert:convert",
            found=converted_object,
            check=check_converted,
            has_progress=False,
        ),
        """Write a data set in another format, or check it.

    Also prints what that format cannot hold.

    Without OUTPUT, describes the set and lists its faults: places of references, ids, duplicates, empty texts. Exits
    with code 3 if there is an error; warnings do not count.

    Results of a run: --to scores is a table with a row for each example and system and a column for each metric.

    Examples:

    ragassay convert runs/first

    ragassay convert queries.jsonl --documents documents.jsonl

    ragassay convert runs/first for_beir --to beir

    ragassay convert runs/judged scores.csv --to scores

    ragassay convert log.jsonl log_set --map question=inputs.query --map 'contexts=outputs.docs[*].text'
    """,
    ),
    "view": Command(
        Job(
            options=ViewOptions,
            run=open_pages,
            show=serve,
            has_progress=False,
        ),
        """Browse runs: list, follow, open items, compare two.

    The pages change nothing. On any address but this machine's own, they only open with the key in the printed link.
    Ctrl-C stops them.

    Examples:

    ragassay view runs

    ragassay view runs --host 0.0.0.0 --port 9000
    """,
    ),
}
