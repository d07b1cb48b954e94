"""``ragassay list``: metrics, prompts and prices that there are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import click

from ragassay.cli.command import PROJECT_FILE, Command, Commands, Job
from ragassay.cli.output import print_json, write_new
from ragassay.options import Many, Option, settings

if TYPE_CHECKING:
    from ragassay.metrics.metric import Metric
    from ragassay.models.llm.prices import Price
    from ragassay.tasks.base import Task
    from ragassay.tasks.prompts import PromptOverrides

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
    "List metrics, prompts and prices.",
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
            """List the prices that costs are computed with, in US dollars for a million tokens, and how old they are.

            Example: ragassay list prices openai:gpt-4o-mini
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


def find_metrics(options: MetricsOptions) -> tuple[list[Metric], bool]:
    """Return the metrics, and whether one was named."""
    from ragassay.metrics.catalogue import METRICS
    from ragassay.pipeline.asking.asked_metrics import rubrics_in

    own, name = rubrics_in(Path(PROJECT_FILE)), options.metric
    listed = [metric for metric in METRICS.values() if metric.is_usual or options.all_metrics]
    chosen = _named_metrics(name) if name is not None else [*listed, *own]
    return chosen, name is not None and len(chosen) == 1


def _named_metrics(name: str) -> list[Metric]:
    """Return the metric of a name, at any depth or at none, or all of the user's own code."""
    from ragassay.metrics.catalogue import METRICS, metric_named
    from ragassay.pipeline.asking.asked_metrics import asked_metrics

    return [METRICS[name]] if name in METRICS else [metric_named(each)[0] for each in asked_metrics(name)]


def show_metrics(done: tuple[list[Metric], bool], as_json: bool) -> None:
    """Print a table of each kind, or all about one."""
    from ragassay.metrics.metric import BUILT_IN, range_words
    from ragassay.report.blocks import Table
    from ragassay.report.terminal import show

    chosen, is_one = done
    found = [_metric_object(metric) for metric in chosen]
    if as_json:
        print_json(found[0] if is_one else {"metrics": found})
    elif is_one:
        for name, value in (found[0] | {"range": range_words(chosen[0])}).items():
            text = ", ".join(value) if isinstance(value, list) else value
            click.echo(f"{'comes from' if name == 'origin' else name.replace('_', ' '):<18} {text}")
    else:
        for kind in dict.fromkeys(metric.kind for metric in chosen):
            rows = [
                (
                    metric.name,
                    metric.needs,
                    range_words(metric) + ("" if metric.higher_is_better else ", lower is better"),
                    ", ".join(metric.inputs),
                    metric.source if metric.origin == BUILT_IN else f"{metric.source}, from {metric.origin}",
                )
                for metric in chosen
                if metric.kind == kind
            ]
            show([Table(kind.capitalize(), ("metric", "asks", "range", "needs of the data", "source"), rows)])


def _metric_object(metric: Metric) -> dict[str, Any]:
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


class Prompts(NamedTuple):
    """tasks: those asked for. overrides: prompts of the user's own. written: files, where a folder was named."""

    tasks: list[Task[Any, Any]]
    overrides: PromptOverrides
    is_one: bool
    written: list[Path]


def find_prompts(options: PromptsOptions) -> Prompts:
    """Return the prompts; written as files where a folder is named, none at all where one is there already."""
    from ragassay.errors import RunFolderError
    from ragassay.tasks.catalogue import TASKS
    from ragassay.tasks.prompts import NO_OVERRIDES, PromptOverrides

    overrides = PromptOverrides.from_folder(options.prompts) if options.prompts else NO_OVERRIDES
    tasks = [_task(options.task, TASKS)] if options.task is not None else list(TASKS.values())
    texts = {}
    if options.write is not None:
        if options.write.exists() and not options.write.is_dir():
            raise RunFolderError(f"--write: {options.write} is a file; name a folder")
        texts = {options.write / f"{task.name}.md": f"{overrides.prompt_of(task).strip()}\n" for task in tasks}
        write_new(texts, "--write")
    return Prompts(tasks, overrides, options.task is not None, list(texts))


def show_prompts(found: Prompts, as_json: bool) -> None:
    """Print the list, one prompt, or the files."""
    from ragassay.report.blocks import Table
    from ragassay.report.terminal import show
    from ragassay.tasks.prompts import prompt_hash, system_text

    if found.written:
        files = [str(file) for file in found.written]
        print_json({"written": files}) if as_json else click.echo("\n".join(files))
    elif as_json:
        objects = [_prompt_object(task, found.overrides) for task in found.tasks]
        print_json(objects[0] if found.is_one else {"tasks": objects})
    elif found.is_one:
        click.echo(system_text(found.tasks[0], found.overrides))
    else:
        own = found.overrides.prompts
        rows = [
            (
                task.name,
                str(task.version),
                prompt_hash(task, found.overrides) + (" (your own)" if task.name in own else ""),
                task.source,
            )
            for task in found.tasks
        ]
        show([Table("", ("task", "version", "prompt hash", "source"), rows)])


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


def find_prices(options: PricesOptions) -> dict[str, Price | None]:
    """Return a price for each model; None for one that no table has."""
    from ragassay.models.llm.prices import Prices

    table = Prices.load(options.prices)
    return {name: table.of(name) for name in options.models} if options.models else dict(table.entries())


def show_prices(found: dict[str, Price | None], as_json: bool) -> None:
    """Print the table."""
    from ragassay.report.blocks import Table
    from ragassay.report.terminal import show

    heads = ("model", "prompt", "cached", "completion", "as_of", "source")
    rows = [
        (name, *(getattr(price, head) for head in heads[1:])) if price else (name, *[None] * 4, "not known")
        for name, price in found.items()
    ]
    if as_json:
        objects = [dict(zip(heads, row, strict=True)) for row in rows]
        print_json({"prices": [each | {"as_of": each["as_of"] and str(each["as_of"])} for each in objects]})
    else:
        shown = [tuple("" if cell is None else str(cell) for cell in row) for row in rows]
        show([Table("", tuple(head.replace("_", " ") for head in heads), shown)])
