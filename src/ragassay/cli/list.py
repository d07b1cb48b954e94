"""``ragassay list``: metrics, prompts, prices and schemas that there are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from ragassay.cli.command import PROJECT_FILE, Command, Commands, Job
from ragassay.cli.output import print_json, write_new
from ragassay.options import Many, Option, settings

if TYPE_CHECKING:
    from rich.console import Console

    from ragassay.metrics.metric import Metric
    from ragassay.models.llm.prices import Price
    from ragassay.tasks.base import Task
    from ragassay.tasks.prompts import PromptOverrides

OLD_DAYS = 365
_HERE = "ragassay.cli.list"


def _listing(name: str, options: str, help_text: str) -> Command:
    job = Job(
        options=f"{_HERE}:{options}",
        run=f"{_HERE}:find_{name}",
        show=f"{_HERE}:show_{name}",
        has_progress=False,
        reads_file=False,
    )
    return Command(job, help_text)


command = Commands(
    "List metrics, prompts, prices and schemas.",
    {
        "list metrics": _listing(
            "metrics",
            "MetricsOptions",
            """List the metrics: inputs, model, range, direction, source.

            Lists the usual ten and rubrics of ragassay.toml; --all lists every metric.
            METRIC may be your own, as MODULE:FUNCTION or FILE.py, all of whose metrics are listed.

            Ground spans are the passages that a retriever should find: the references, or the context where nothing
            answers. Replace the k in a name that ends in @k by a number, as in recall@5.

            Examples:

            ragassay list metrics --all

            ragassay list metrics recall@5
            """,
        ),
        "list prompts": _listing(
            "prompts",
            "PromptsOptions",
            """List, show or export the prompts for language models.

            Examples:

            ragassay list prompts

            ragassay list prompts label --write my-prompts

            ragassay list prompts --prompts my-prompts
            """,
        ),
        "list prices": _listing(
            "prices",
            "PricesOptions",
            """List the prices that costs are computed with: age and source of each.

            US dollars for a million tokens.

            Examples:

            ragassay list prices openai:gpt-4o-mini ollama:llama3.1

            ragassay list prices --prices my-prices.toml
            """,
        ),
        "list schemas": _listing(
            "schemas",
            "SchemasOptions",
            """List the shipped schemas of scenarios and their languages.

            Example: ragassay list schemas
            """,
        ),
    },
)


@settings
class MetricsOptions:
    """Which metrics."""

    metric: Annotated[
        str | None, Option("Name of a metric; default: the usual ones.", metavar="METRIC", is_argument=True)
    ] = None
    all_metrics: Annotated[bool, Option("List every metric.", flags=("--all",))] = False


@settings
class PromptsOptions:
    """Which prompts, and where they are written."""

    task: Annotated[str | None, Option("Name of a task; default: all.", metavar="TASK", is_argument=True)] = None
    write: Annotated[
        Path | None, Option("Write <task>.md files to edit into this folder; replaces no file.", metavar="FOLDER")
    ] = None
    prompts: Annotated[Path | None, Option("Folder with your own <task>.md files.", metavar="FOLDER")] = None


@settings
class PricesOptions:
    """Prices of which models."""

    models: Annotated[
        tuple[str, ...],
        Many,
        Option("Names as --model takes them; default: all entries.", metavar="MODEL", is_argument=True),
    ] = ()
    prices: Annotated[Path | None, Option("TOML file with prices of models.", metavar="FILE")] = None


@settings
class SchemasOptions:
    """None."""


def find_metrics(options: MetricsOptions) -> tuple[list[Metric], bool]:
    """The metrics, and whether one was named."""
    from ragassay.metrics.catalogue import METRICS
    from ragassay.pipeline.asking.rubric_file import rubrics_in

    own, name = rubrics_in(Path(PROJECT_FILE)), options.metric
    listed = [metric for metric in METRICS.values() if metric.is_usual or options.all_metrics]
    chosen = _asked(name) if name is not None else [*listed, *own]
    return chosen, name is not None and len(chosen) == 1


def show_metrics(done: tuple[list[Metric], bool], as_json: bool) -> None:
    """Print a table of each kind, or all about one."""
    chosen, is_one = done
    if as_json:
        found = [described(each) for each in chosen]
        print_json(found[0] if is_one else {"metrics": found})
    elif is_one:
        _print_one(chosen[0])
    else:
        _print_list(chosen)


def _asked(name: str) -> list[Metric]:
    """The metric of a name, at any depth or at none, or all of the user's own code."""
    from ragassay.metrics.catalogue import METRICS, metric_named
    from ragassay.pipeline.asking.asked_metrics import asked_metrics

    return [METRICS[name]] if name in METRICS else [metric_named(each)[0] for each in asked_metrics(name)]


def described(metric: Metric) -> dict[str, Any]:
    """One metric as the JSON object has it."""
    return {
        "name": metric.name,
        "kind": metric.kind,
        "meaning": metric.meaning,
        "inputs": list(metric.inputs),
        "needs": metric.needs,
        "tasks": list(metric.tasks),
        "low": metric.low,
        "high": metric.high,
        "higher_is_better": metric.higher_is_better,
        "source": metric.source,
        "origin": metric.origin,
    }


def _print_one(metric: Metric) -> None:
    from ragassay.metrics.metric import range_words

    rows = (
        ("name", metric.name),
        ("kind", metric.kind),
        ("meaning", metric.meaning),
        ("needs of the data", ", ".join(metric.inputs)),
        ("asks", metric.needs),
        *((("tasks", ", ".join(metric.tasks)),) if metric.tasks else ()),
        ("range", range_words(metric)),
        ("better", "higher" if metric.higher_is_better else "lower"),
        ("source", metric.source),
        ("comes from", metric.origin),
    )
    for label, text in rows:
        click.echo(f"{label:<18} {text}")


def _print_list(metrics: Sequence[Metric]) -> None:
    """A table of each kind where a person looks at it; one line a metric for other programs."""
    from ragassay.report.streams import open_console

    console = open_console()
    if console.is_terminal:
        for kind in dict.fromkeys(metric.kind for metric in metrics):
            _print_kind(kind, [metric for metric in metrics if metric.kind == kind], console)
        return
    _print_lines(metrics)


def _print_kind(kind: str, metrics: Sequence[Metric], console: Console) -> None:
    from rich import box
    from rich.table import Table

    from ragassay.metrics.metric import BUILT_IN, range_words

    table = Table(title=kind.capitalize(), title_justify="left", box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for place, head in enumerate(("metric", "asks", "range", "needs of the data", "source")):
        table.add_column(head, no_wrap=not place, overflow="fold")
    for each in metrics:
        better = "" if each.higher_is_better else ", lower is better"
        source = each.source if each.origin == BUILT_IN else f"{each.source}, from {each.origin}"
        table.add_row(each.name, each.needs, range_words(each) + better, ", ".join(each.inputs), source)
    console.print(table, markup=False)
    console.print()


def _print_lines(metrics: Sequence[Metric]) -> None:
    from ragassay.metrics.metric import range_words

    rows = [("METRIC", "KIND", "ASKS", "RANGE", "BETTER", "NEEDS OF THE DATA", "FROM", "SOURCE")]
    for each in metrics:
        better = "higher" if each.higher_is_better else "lower"
        needs = ", ".join(each.inputs)
        rows.append((each.name, each.kind, each.needs, range_words(each), better, needs, each.origin, each.source))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=True))
        click.echo("  ".join([*cells, row[-1]]))


class Prompts:
    """The tasks that were asked for, with prompts of the user's own."""

    def __init__(self, options: PromptsOptions) -> None:
        from ragassay.tasks.catalogue import TASKS
        from ragassay.tasks.prompts import NO_OVERRIDES, PromptOverrides

        self.overrides = PromptOverrides.from_folder(options.prompts) if options.prompts else NO_OVERRIDES
        self.is_one = options.task is not None
        self.tasks = [_task(options.task, TASKS)] if options.task is not None else list(TASKS.values())
        self.written: list[Path] = []


def find_prompts(options: PromptsOptions) -> Prompts:
    """The prompts; written as files where a folder is named, none at all where one is there already."""
    from ragassay.errors import RunFolderError

    found, folder = Prompts(options), options.write
    if folder is not None:
        if folder.exists() and not folder.is_dir():
            raise RunFolderError(f"--write: {folder} is a file; name a folder")
        texts = {folder / f"{task.name}.md": f"{found.overrides.prompt_of(task).strip()}\n" for task in found.tasks}
        write_new(texts, "--write")
        found.written = list(texts)
    return found


def show_prompts(found: Prompts, as_json: bool) -> None:
    """Print the list, one prompt, or the files."""
    from ragassay.tasks.prompts import system_text

    if found.written:
        if as_json:
            print_json({"written": [str(file) for file in found.written]})
        else:
            click.echo("\n".join(map(str, found.written)))
    elif as_json:
        objects = [_prompt_object(each, found.overrides) for each in found.tasks]
        print_json(objects[0] if found.is_one else {"tasks": objects})
    elif found.is_one:
        click.echo(system_text(found.tasks[0], found.overrides))
    else:
        _print_prompts(found.tasks, found.overrides)


def _task(name: str, tasks: dict[str, Task[Any, Any]]) -> Task[Any, Any]:
    from difflib import get_close_matches

    from ragassay.errors import UsageError

    if name in tasks:
        return tasks[name]
    near = get_close_matches(name, tasks, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise UsageError(f"unknown task {name!r}{hint or '; `ragassay list prompts` lists the tasks'}")


def _prompt_object(task: Task[Any, Any], overrides: PromptOverrides) -> dict[str, Any]:
    from ragassay.tasks.prompts import prompt_hash, system_text

    return {
        "name": task.name,
        "version": task.version,
        "source": task.source,
        "prompt_hash": prompt_hash(task, overrides),
        "own_prompt": task.name in overrides.prompts,
        "prompt": overrides.prompt_of(task),
        "system_text": system_text(task, overrides),
        "reply_schema": task.filled_in.model_json_schema(),
    }


def _print_prompts(tasks: Sequence[Task[Any, Any]], overrides: PromptOverrides) -> None:
    from ragassay.tasks.prompts import prompt_hash

    rows = [("TASK", "VERSION", "PROMPT HASH", "SOURCE")]
    for task in tasks:
        own = task.name in overrides.prompts
        mark = " (your own)" if own else ""
        rows.append((task.name, str(task.version), prompt_hash(task, overrides) + mark, task.source))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        click.echo("  ".join([*(cell.ljust(width) for cell, width in zip(row[:3], widths, strict=True)), row[3]]))


def find_prices(options: PricesOptions) -> list[dict[str, Any]]:
    """A row for each model."""
    from ragassay.models.llm.prices import Prices

    table = Prices.load(options.prices)
    found = {name: table.of(name) for name in options.models} if options.models else table.entries()
    return [_price(name, price, date.today()) for name, price in found.items()]


def show_prices(rows: list[dict[str, Any]], as_json: bool) -> None:
    """Print the table."""
    from ragassay.report.calls import blocks_of_prices
    from ragassay.report.terminal import show

    if as_json:
        print_json({"prices": rows}, ascii_only=True)
    else:
        show(blocks_of_prices(rows, OLD_DAYS))


def _price(name: str, price: Price | None, today: date) -> dict[str, Any]:
    """None throughout for a model whose price is not known."""
    as_of = price.as_of if price else None
    return {
        "model": name,
        "prompt": price.prompt if price else None,
        "cached": price.cached if price else None,
        "completion": price.completion if price else None,
        "as_of": as_of.isoformat() if as_of else None,
        "age_days": (today - as_of).days if as_of else None,
        "table": price.table or None if price else None,
        "source": price.source or None if price else None,
    }


def find_schemas(_: SchemasOptions) -> list[tuple[str, str]]:
    """Name and language of each."""
    from ragassay.synthesis.scenario.schema_file import shipped_schemas

    return shipped_schemas()


def show_schemas(shipped: list[tuple[str, str]], as_json: bool) -> None:
    """Print a line for each."""
    if as_json:
        print_json({"schemas": [{"name": name, "language": code} for name, code in shipped]})
    else:
        click.echo("\n".join(f"{name}  {code}" for name, code in shipped))
