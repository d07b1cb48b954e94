"""``ragassay list``: metrics, prompts and prices that there are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import click

from ragassay.cli.command import PROJECT_FILE, Command, Commands, Job, print_blocks, print_json
from ragassay.errors import RunFolderError, UsageError
from ragassay.options import Many, Option, settings

if TYPE_CHECKING:
    from ragassay.metrics.metric import Metric
    from ragassay.models.llm.prices import Price
    from ragassay.report.blocks import Block
    from ragassay.tasks.base import Task
    from ragassay.tasks.prompts import PromptOverrides

_SHOWN = tuple("name kind meaning unseen inputs needs tasks low high higher_is_better source origin".split())
"""Fields of a metric that are printed."""
_TITLES = {"origin": "comes from", "unseen": "does not see"}
_PRICED = ("prompt", "cached", "completion", "as_of", "source")
"""Fields of a price that are printed."""


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


class Metrics(NamedTuple):
    """is_one: whether one was named."""

    metrics: list[Metric]
    is_one: bool

    def as_object(self) -> dict[str, Any]:
        found = [{name: getattr(metric, name) for name in _SHOWN} for metric in self.metrics]
        return found[0] if self.is_one else {"metrics": found}

    def blocks(self) -> Iterator[Block]:
        """Yield a table of each kind, or all about one."""
        from ragassay.metrics.metric import BUILT_IN, range_words
        from ragassay.report.blocks import Table, terms

        if self.is_one:
            found = self.as_object() | {"range": range_words(self.metrics[0])}
            shown = {
                _TITLES.get(name, name.replace("_", " ")): ", ".join(value) if isinstance(value, tuple) else str(value)
                for name, value in found.items()
                if value != ""
            }
            yield terms("", shown)
            return
        for kind in dict.fromkeys(metric.kind for metric in self.metrics):
            rows = [
                (
                    metric.name,
                    metric.needs if metric.origin == BUILT_IN else f"{metric.needs}, from {metric.origin}",
                    range_words(metric) + ("" if metric.higher_is_better else ", lower is better"),
                    ", ".join(metric.inputs),
                    metric.unseen,
                )
                for metric in self.metrics
                if metric.kind == kind
            ]
            yield Table(kind.capitalize(), ("metric", "asks", "range", "needs of the data", "does not see"), rows)


def list_metrics(options: MetricsOptions) -> Metrics:
    from ragassay.jobs.asking.asked_metrics import asked_metrics, rubrics_in
    from ragassay.metrics.catalogue import METRICS, metric_named

    name = options.metric
    if name is None:
        listed = [metric for metric in METRICS.values() if metric.is_usual or options.all_metrics]
        return Metrics([*listed, *rubrics_in(Path(PROJECT_FILE))], is_one=False)
    named = [METRICS[name]] if name in METRICS else [metric_named(each)[0] for each in asked_metrics(name)]
    return Metrics(named, is_one=len(named) == 1)


class Prompts(NamedTuple):
    """tasks: those asked for. overrides: prompts of the user's own. written: files, where a folder was named."""

    tasks: list[Task[Any, Any]]
    overrides: PromptOverrides
    is_one: bool
    written: list[str]

    def as_object(self) -> dict[str, Any]:
        if self.written:
            return {"written": self.written}
        found = [self._object_of(task) for task in self.tasks]
        return found[0] if self.is_one else {"tasks": found}

    def blocks(self) -> Iterator[Block]:
        from ragassay.report.blocks import Table
        from ragassay.tasks.prompts import prompt_hash

        own = self.overrides.prompts
        rows = [
            (
                task.name,
                str(task.version),
                prompt_hash(task, self.overrides) + (" (your own)" if task.name in own else ""),
                task.source,
            )
            for task in self.tasks
        ]
        yield Table("", ("task", "version", "prompt hash", "source"), rows)

    def _object_of(self, task: Task[Any, Any]) -> dict[str, Any]:
        from ragassay.tasks.prompts import prompt_hash, system_text

        return {
            "name": task.name,
            "version": task.version,
            "source": task.source,
            "prompt_hash": prompt_hash(task, self.overrides),
            "own_prompt": task.name in self.overrides.prompts,
            "prompt": self.overrides.prompt_of(task),
            "system_text": system_text(task, self.overrides),
            "reply_schema": task.filled_in.model_json_schema(),
        }


def list_prompts(options: PromptsOptions) -> Prompts:
    """Return the prompts; written as files where a folder is named, none at all where one is there already."""
    from ragassay.tasks.catalogue import TASKS
    from ragassay.tasks.prompts import NO_OVERRIDES, PromptOverrides

    overrides = PromptOverrides.from_folder(options.prompts) if options.prompts else NO_OVERRIDES
    if options.task is not None and options.task not in TASKS:
        near = get_close_matches(options.task, TASKS, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "`ragassay list prompts` lists the tasks"
        raise UsageError(f"unknown task {options.task!r}; {hint}")
    tasks = [TASKS[options.task]] if options.task is not None else list(TASKS.values())
    texts = {}
    if options.write is not None:
        texts = {options.write / f"{task.name}.md": f"{overrides.prompt_of(task).strip()}\n" for task in tasks}
        _write_new(options.write, texts)
    return Prompts(tasks, overrides, options.task is not None, list(map(str, texts)))


def show_prompts(found: Prompts, as_json: bool) -> None:
    """Print the files that were written, one prompt as a model is told it, or all in a table."""
    from ragassay.tasks.prompts import system_text

    if as_json:
        print_json(found.as_object())
    elif found.written:
        click.echo("\n".join(found.written))
    elif found.is_one:
        click.echo(system_text(found.tasks[0], found.overrides))
    else:
        print_blocks(found.blocks())


def _write_new(folder: Path, texts: dict[Path, str]) -> None:
    """Write files into a folder, which is made if missing. Raises RunFolderError, also where one of them is there."""
    if there := next((path for path in texts if path.exists()), None):
        raise RunFolderError(f"--write: {there} already exists; nothing was written: name another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        for path in texts:
            with suppress(OSError):
                path.unlink()
        raise RunFolderError(f"--write: {folder} cannot be written ({error.strerror}); name another folder") from None


class PriceTable(NamedTuple):
    """A price for each model; None for one that no table has."""

    prices: dict[str, Price | None]

    def as_object(self) -> dict[str, Any]:
        return {
            "prices": [
                {"model": name} | {field: _cell(price, field) for field in _PRICED}
                for name, price in self.prices.items()
            ]
        }

    def blocks(self) -> Iterator[Block]:
        from ragassay.report.blocks import Table

        rows = [
            (name, *("" if (cell := _cell(price, field)) is None else str(cell) for field in _PRICED))
            for name, price in self.prices.items()
        ]
        yield Table("", ("model", *(field.replace("_", " ") for field in _PRICED)), rows)


def _cell(price: Price | None, field: str) -> Any:
    if price is None:
        return "not known" if field == "source" else None
    value = getattr(price, field)
    return str(value) if value and field == "as_of" else value


def list_prices(options: PricesOptions) -> PriceTable:
    from ragassay.models.llm.prices import Prices

    table = Prices.load(options.prices)
    return PriceTable({name: table.of(name) for name in options.models} if options.models else dict(table.entries()))


def _listing(options: type[Any], run: Any, help_text: str, show: Any = None) -> Command:
    return Command(Job(options=options, run=run, show=show, has_progress=False, reads_file=False), help_text)


_LIST = Commands(
    "List metrics, prompts and prices.",
    {
        "list metrics": _listing(
            MetricsOptions,
            list_metrics,
            """List the metrics: inputs, model, range, direction, source.

            Lists the usual ones, which are computed where none is named, and the rubrics of ragassay.toml.
            METRIC may be your own, as MODULE:FUNCTION or FILE.py, all of whose metrics are listed.

            Ground spans are the passages that a retriever should find: the references, or the context where nothing
            answers. Replace the k in a name that ends in @k by a number, as in recall@5.

            Examples:

            ragassay list metrics --all

            ragassay list metrics recall@5
            """,
        ),
        "list prompts": _listing(
            PromptsOptions,
            list_prompts,
            """List, show or export the prompts for language models.

            Examples:

            ragassay list prompts

            ragassay list prompts label --write my-prompts

            ragassay list prompts --prompts my-prompts
            """,
            show_prompts,
        ),
        "list prices": _listing(
            PricesOptions,
            list_prices,
            """List the prices that costs are computed with, in US dollars for a million tokens, and how old they are.

            Example: ragassay list prices openai:gpt-4o-mini
            """,
        ),
    },
)
COMMANDS = {"list": _LIST}
