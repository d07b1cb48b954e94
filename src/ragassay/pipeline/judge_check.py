"""A judge, embedded or on a server, against people; and one judge twice, against itself.

Calls of a judge on a server go through a log in the output folder, so the same command goes on where it was stopped.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from ragassay.agreement.check_files import JudgeSet, read_judge_set
from ragassay.agreement.check_items import Quality
from ragassay.agreement.check_statistics import QualityCheck, checked
from ragassay.agreement.check_values import Values, control_values, judged_values
from ragassay.agreement.repeatability import Repeated, repeatability
from ragassay.corpus.sources import printable
from ragassay.errors import RunFolderError, UsageError, check_seed
from ragassay.metrics.judged.judge import Judge
from ragassay.models.base import Model
from ragassay.models.estimating import CallEstimate, Estimates, EstimatingModel
from ragassay.models.llm.dialect import Format
from ragassay.models.llm.endpoints import Endpoint
from ragassay.pipeline.at_work import at_work
from ragassay.pipeline.folder import REPORT_FILE
from ragassay.pipeline.model_options import LEXICAL, ModelOptions
from ragassay.pipeline.models import Endpoints, RunModels
from ragassay.pipeline.progress import Progress, Silent
from ragassay.pipeline.run import finished
from ragassay.pipeline.versions import versions_here
from ragassay.report.judge_page import JudgePage, check_lines, check_tables, render_judge, repeat_table
from ragassay.report.judged_summary import JudgingCost
from ragassay.report.tables import DataTable
from ragassay.version import __version__
from ragassay.workers import Workers

CHECK, REPEAT = "judge check", "judge repeat"
CHECK_FILE = "check.json"
VALUES_FILE = "values.jsonl"
REPEAT_FILE = "repeat.json"

MakeModel = Callable[[Model, Endpoint], Model]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCheckOptions:
    """data: file of pairs, comparisons or rated answers; None for the set that comes with the package.

    quality: what to check; None for all that the lines say. blocks: file of knowledge blocks, see ``read_judge_set``.
    models: its judge is checked. out: folder for values, figures and the log of calls; None writes nothing, unless the
    judge is on a server. seed: of intervals, controls and ties of rankings.
    """

    data: Path | None = None
    quality: Quality | None = None
    blocks: Path | None = None
    models: ModelOptions = field(default_factory=ModelOptions)
    out: Path | None = None
    seed: int = 0

    def read(self) -> JudgeSet:
        """What is judged. Raises UsageError, InputError or ModelError for options that cannot be meant."""
        self.models.check(lexical=True)
        check_seed(self.seed)
        return read_judge_set(self.data, self.quality, self.blocks)

    def folder(self, command: str) -> Path | None:
        """Where results of a command go, which is not where those of another go; None for nowhere."""
        if self.out is None and self.models.uses_servers:
            return Path(f"{self.data.stem if self.data else 'shipped'}.{command.replace(' ', '-')}")
        return self.out

    def settings(self, judge_set: JudgeSet) -> dict[str, str]:
        """Option name to value, as pages show them."""
        quality = {} if self.quality is None else {"quality": self.quality}
        return {"data": printable(judge_set.where), **quality, **self.models.settings(), "seed": str(self.seed)}


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCheck:
    """data: file that was read. model: who judged. settings: of the models. stopped_by: the limit that ended the calls.

    folder: where values and calls are kept, or None.
    """

    version: str
    data: str
    model: str
    settings: Mapping[str, str]
    checks: tuple[QualityCheck, ...]
    cost: JudgingCost
    stopped_by: str = ""
    folder: Path | None = None

    @property
    def coverage(self) -> float:
        """Share of the judge's questions that have an answer, in [0, 1]; 1 where none was asked."""
        return 1 - self.cost.unanswered / self.cost.asked if self.cost.asked else 1.0

    @property
    def silent(self) -> tuple[Quality, ...]:
        """Qualities of which the judge gave no item a value."""
        return tuple(
            each.quality
            for each in self.checks
            if not any(found.n for row in each.rows if row.role == "judge" for found in row.measures.values())
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRepeat:
    """One judge asked twice. measures: by quality and metric."""

    version: str
    data: str
    model: str
    settings: Mapping[str, str]
    measures: tuple[Repeated, ...]
    costs: tuple[JudgingCost, ...]
    stopped_by: str = ""
    folder: Path | None = None


def check_judge(options: JudgeCheckOptions, progress: Progress | None = None) -> JudgeCheck:
    """Measures a judge on items that people have compared or rated, beside baselines and controls.

    Raises UsageError, InputError or ModelError for what cannot be used, before anything is asked.
    """
    judge_set = options.read()
    endpoints = Endpoints(options.models)
    folder = options.folder(CHECK)
    with at_work(folder, CHECK, options.settings(judge_set), progress or Silent()) as told:
        told.begin()
        asked = finished(_asked(options, judge_set, endpoints, folder, told))
        told.start("statistics", len(asked.values))
        checks = []
        for quality, values in asked.values.items():
            checks.append(checked(quality, judge_set.items[quality], values, seed=options.seed))
            told.advance()
        found = JudgeCheck(
            version=__version__,
            data=judge_set.where,
            model=asked.model,
            settings=options.models.settings(),
            checks=tuple(checks),
            cost=asked.cost,
            stopped_by=endpoints.budget.reached or "",
            folder=folder,
        )
        if folder is not None:
            _write(folder / VALUES_FILE, "".join(_value_lines(judge_set, asked.values)))
            _write(folder / CHECK_FILE, json.dumps(check_object(found), ensure_ascii=False, indent=1) + "\n")
            _write(folder / REPORT_FILE, render_judge(_check_page(found)))
        told.stopped(found.stopped_by)
    return found


def _check_page(found: JudgeCheck) -> JudgePage:
    return _page("A judge against people", found, check_tables(found.checks), check_lines(found.checks))


def _repeat_page(found: JudgeRepeat) -> JudgePage:
    return _page("A judge against itself", found, [repeat_table(found.measures)], ())


def _page(title: str, found: JudgeCheck | JudgeRepeat, tables: Iterable[DataTable], lines: Iterable[str]) -> JudgePage:
    return JudgePage(
        title=title,
        model=found.model,
        data=found.data,
        version=found.version,
        settings=found.settings,
        versions=versions_here(),
        tables=tuple(tables),
        lines=(*lines, *([found.stopped_by] if found.stopped_by else ())),
    )


def repeat_judge(
    options: JudgeCheckOptions, progress: Progress | None = None, *, second_format: Format | None = None
) -> JudgeRepeat:
    """Asks a judge twice, each time anew, and sets the values of the metrics against each other.

    second_format: what the server is asked to hold the replies of the second run to, the same as in the first if None;
    "text" sets structured replies against free text.
    Raises as ``check_judge``. Each of the two goes on where it was stopped.
    """
    if second_format is not None and not options.models.on_servers:
        raise UsageError("--second-format: no model on a server is asked; name one with --model, or leave this out")
    second = (
        options
        if second_format is None
        else replace(options, models=replace(options.models, reply_format=second_format))
    )
    judge_set = options.read()
    endpoints = Endpoints(options.models)  # one budget for both
    folder = options.folder(REPEAT)
    formats = {"replies of the second run": second_format} if second_format else {}
    with at_work(folder, REPEAT, options.settings(judge_set) | formats, progress or Silent()) as told:
        told.begin()
        runs = [
            finished(
                _asked(each, judge_set, endpoints, folder / f"run-{number}" if folder else None, told, controls=False)
            )
            for number, each in enumerate((options, second), 1)
        ]
        found = _repeat(options, judge_set, runs, formats, endpoints.budget.reached or "")
        if folder is not None:
            _write(folder / REPEAT_FILE, json.dumps(repeat_object(found), ensure_ascii=False, indent=1) + "\n")
            _write(folder / REPORT_FILE, render_judge(_repeat_page(found)))
        told.stopped(found.stopped_by)
    return found


def _repeat(
    options: JudgeCheckOptions,
    judge_set: JudgeSet,
    runs: Sequence[_Asked],
    formats: Mapping[str, str],
    stopped_by: str,
) -> JudgeRepeat:
    """What two runs came to."""
    return JudgeRepeat(
        version=__version__,
        data=judge_set.where,
        model=runs[0].model,
        settings={**options.models.settings(), **formats},
        measures=tuple(
            each
            for quality in judge_set.items
            for each in repeatability(quality, runs[0].values[quality], runs[1].values[quality], seed=options.seed)
        ),
        costs=tuple(run.cost for run in runs),
        stopped_by=stopped_by,
        folder=options.folder(REPEAT),
    )


def estimate_check(options: JudgeCheckOptions, progress: Progress | None = None) -> list[CallEstimate]:
    """What ``check_judge`` would ask of a model on a server; nothing is sent or written."""
    judge_set = options.read()
    endpoints = Endpoints(options.models, without_keys=True)
    estimates = Estimates(endpoints.prices)
    estimates.stage = "judge check"

    def stand_in(inner: Model, endpoint: Endpoint) -> Model:
        return EstimatingModel(inner, endpoint.name, estimates, overrides=options.models.prompts)

    with tempfile.TemporaryDirectory(prefix="ragassay-") as folder:
        finished(
            _asked(options, judge_set, endpoints, Path(folder), progress or Silent(), controls=False, make=stand_in)
        )
    return estimates.rows()


def check_object(found: JudgeCheck) -> dict[str, Any]:
    """What ``--json`` prints: quality to rows, each with its measures."""
    return {
        "version": found.version,
        "data": found.data,
        "model": found.model,
        "settings": dict(found.settings),
        "coverage": found.coverage,
        "checks": {each.quality: _check_object(each) for each in found.checks},
        "cost": _cost_object(found.cost),
        "stopped_by": found.stopped_by,
        "folder": str(found.folder) if found.folder else None,
    }


def _check_object(check: QualityCheck) -> dict[str, Any]:
    rows = [{**asdict(row), "undefined": row.undefined} for row in check.rows]
    return {**asdict(check), "rows": rows}


def repeat_object(found: JudgeRepeat) -> dict[str, Any]:
    """What ``--json`` prints."""
    return {
        "version": found.version,
        "data": found.data,
        "model": found.model,
        "settings": dict(found.settings),
        "measures": [asdict(each) for each in found.measures],
        "costs": [_cost_object(each) for each in found.costs],
        "stopped_by": found.stopped_by,
        "folder": str(found.folder) if found.folder else None,
    }


class _Asked(NamedTuple):
    values: dict[Quality, list[Values]]
    model: str
    cost: JudgingCost


async def _asked(
    options: JudgeCheckOptions,
    judge_set: JudgeSet,
    endpoints: Endpoints,
    folder: Path | None,
    progress: Progress,
    *,
    controls: bool = True,
    make: MakeModel | None = None,
) -> _Asked:
    """The values of the judge, of baselines and controls, by quality."""
    begun = time.perf_counter()
    before = endpoints.budget.spent
    on_server = "judge" in options.models.on_servers
    values: dict[Quality, list[Values]] = {}
    with ExitStack() as stack:
        workers = stack.enter_context(Workers(1, imports=()))
        async with RunModels(options.models, endpoints, workers, progress.replied) as models:
            if make is not None:
                models.stand_in(make)
            else:
                models.ask_servers(_made(folder) if folder is not None and on_server else Path())
            judge = Judge(
                model=models.judge,
                encoder=models.encoder,
                prompts=options.models.prompts if on_server else None,
                seed=options.seed,
            )
            for quality, items in judge_set.items.items():
                progress.start(quality.replace("_", " "), None)
                values[quality] = await judged_values(judge, quality, items, is_language_model=on_server)
                if controls:
                    encoder = None if options.models.name_of("judge") == LEXICAL else models.encoder
                    values[quality] += control_values(quality, items, seed=options.seed, encoder=encoder)
            counted = models.judge
    after = endpoints.budget.spent
    return _Asked(
        values,
        counted.name,
        JudgingCost(
            asked=counted.calls,
            unanswered=counted.unanswered,
            calls=after.calls - before.calls,
            prompt_tokens=after.prompt_tokens - before.prompt_tokens,
            completion_tokens=after.completion_tokens - before.completion_tokens,
            cost_usd=after.cost_usd - before.cost_usd,
            unpriced=after.unpriced - before.unpriced,
            wall_s=time.perf_counter() - begun,
        ),
    )


def _value_lines(judge_set: JudgeSet, values: Mapping[Quality, list[Values]]) -> list[str]:
    """One line for each item: what every scorer said of it, and what the judge went by."""
    lines = []
    for quality, items in judge_set.items.items():
        for number, where in enumerate(item.where for item in items):
            of_item: dict[str, Any] = {"where": where, "quality": quality, "values": {}, "evidence": {}}
            for each in values[quality]:
                name = f"{each.scorer} ({each.aspect})" if each.aspect else each.scorer
                of_item["values"][name] = [side[number] for side in each.sides]
                if each.evidence:
                    of_item["evidence"][name] = each.evidence[number]
            lines.append(json.dumps(of_item, ensure_ascii=False) + "\n")
    return lines


def _cost_object(cost: JudgingCost) -> dict[str, Any]:
    return {**asdict(cost), "cost_usd": None if cost.unpriced else cost.cost_usd}


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunFolderError(f"--out: {folder} cannot be made ({error.strerror}); name another folder") from None
    return folder


def _write(path: Path, text: str) -> None:
    """Whole or not at all."""
    part = _made(path.parent) / f"{path.name}.part"
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)
