"""A judge, embedded or on a server, against people; and one judge twice, against itself.

Calls of a judge on a server go through a log in the output folder, so the same command goes on where it was stopped.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ragassay.agreement.check_files import JudgeSet
from ragassay.agreement.check_items import Quality
from ragassay.agreement.check_statistics import QualityCheck, checked
from ragassay.agreement.check_values import Values, control_values, judged_values, n_answered
from ragassay.agreement.claim_files import ClaimSet
from ragassay.agreement.claim_judging import ClaimJudgement, wrong_first
from ragassay.agreement.claim_statistics import ClaimCheck, checked_claims
from ragassay.agreement.repeatability import Repeated, repeatability
from ragassay.metrics.judged.judge import Judge
from ragassay.models.estimating import CallEstimate
from ragassay.pipeline.asking.event_loop import finished
from ragassay.pipeline.asking.model_options import LEXICAL
from ragassay.pipeline.asking.models import Endpoints
from ragassay.pipeline.folders.at_work import at_work
from ragassay.pipeline.folders.progress import Progress, Silent
from ragassay.pipeline.folders.run_folder import CHECK_FILE, REPORT_FILE
from ragassay.pipeline.folders.versions import versions_here
from ragassay.pipeline.judge.asking import JudgeResult, ask_judge, estimate_asking, write_result
from ragassay.pipeline.judge.check_options import JudgeCheckOptions
from ragassay.pipeline.judge.claims import asking_claims, claim_lines, claim_object
from ragassay.report.blocks import Block, Headline, Page, Text
from ragassay.report.costs import JudgingCost
from ragassay.report.html import render_page
from ragassay.report.judge import blocks_of_checks, blocks_of_claims, blocks_of_repeated
from ragassay.report.notebook import Shown
from ragassay.version import __version__

CHECK, REPEAT = "judge check", "judge repeat"
VALUES_FILE = "values.jsonl"
REPEAT_FILE = "repeat.json"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class JudgeCheck(Shown):
    """data: file that was read. model: who judged. settings: of the models. stopped_by: the limit that ended the calls.

    checks: empty for a file of claims. claims: their figures; None for other files. judgements: of all claims, wrong
    ones first. folder: where values and calls are kept, or None.
    """

    version: str
    data: str
    model: str
    settings: Mapping[str, str]
    checks: tuple[QualityCheck, ...]
    cost: JudgingCost
    claims: ClaimCheck | None = None
    judgements: tuple[ClaimJudgement, ...] = ()
    stopped_by: str = ""
    folder: Path | None = None

    def blocks(self) -> Iterable[Block]:
        yield Headline("A judge against people", [f"{self.model} on {self.data}"])
        yield Text(self.stopped_by or (), "warning")
        yield from blocks_of_checks(self.checks)
        if self.claims is not None:
            yield from blocks_of_claims(self.claims, self.judgements)
        yield Text(self.cost.words)

    @property
    def coverage(self) -> float:
        """Share of the judge's questions that have an answer, in [0, 1]; 1 where none was asked."""
        return 1 - self.cost.unanswered / self.cost.asked if self.cost.asked else 1.0

    @property
    def silent(self) -> tuple[str, ...]:
        """Qualities, or claims, of which the judge gave no item a value."""
        if self.claims is not None and not self.claims.figures.accuracy.n:
            return ("claims",)
        return tuple(
            each.quality
            for each in self.checks
            if not any(found.n for row in each.rows if row.role == "judge" for found in row.measures.values())
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class JudgeRepeat(Shown):
    """One judge asked twice. measures: by quality and metric."""

    version: str
    data: str
    model: str
    settings: Mapping[str, str]
    measures: tuple[Repeated, ...]
    costs: tuple[JudgingCost, ...]
    stopped_by: str = ""
    folder: Path | None = None

    def blocks(self) -> Iterable[Block]:
        yield Headline("A judge against itself", [f"{self.model} on {self.data}"])
        yield Text(self.stopped_by or (), "warning")
        yield from blocks_of_repeated(self.measures)
        yield Text([each.words for each in self.costs])


def check_judge(options: JudgeCheckOptions, progress: Progress | None = None) -> JudgeCheck:
    """Measures a judge on items that people have compared or rated, beside baselines and controls, or on claims.

    Raises UsageError, InputError or ModelError for what cannot be used, before anything is asked.
    """
    read = options.read()
    endpoints = Endpoints(options.models)
    folder = options.folder(CHECK)
    with at_work(folder, CHECK, options.settings(read.where), progress or Silent()) as told:
        told.begin()
        found, lines = _checked(options, read, endpoints, folder, told)
        if folder is not None:
            write_result(folder / VALUES_FILE, "".join(lines))
            write_result(folder / CHECK_FILE, json.dumps(check_object(found), ensure_ascii=False, indent=1) + "\n")
            write_result(folder / REPORT_FILE, _page(found))
        told.stopped(found.stopped_by)
    return found


def _checked(
    options: JudgeCheckOptions, read: JudgeSet | ClaimSet, endpoints: Endpoints, folder: Path | None, told: Progress
) -> tuple[JudgeCheck, list[str]]:
    """What came out, and a line for each item, or claim, with what the judge said of it."""
    if isinstance(read, ClaimSet):
        asking = asking_claims(read, told, on_server=_on_server(options))
        judged = finished(ask_judge(options, endpoints, folder, told, asking))
        told.start("statistics", None)
        figures = checked_claims(judged.said, seed=options.seed)
        found = _check(options, read.where, judged, endpoints, folder)
        ordered = wrong_first(judged.said)
        return replace(found, claims=figures, judgements=tuple(ordered)), claim_lines(ordered)
    asked = finished(ask_judge(options, endpoints, folder, told, _values_by(options, read, told)))
    told.start("statistics", len(asked.said))
    checks = []
    for quality, values in asked.said.items():
        checks.append(checked(quality, read.items[quality], values, seed=options.seed))
        told.advance()
    found = _check(options, read.where, asked, endpoints, folder)
    return replace(found, checks=tuple(checks)), _value_lines(read, asked.said)


def _check(
    options: JudgeCheckOptions, where: str, asked: JudgeResult[Any], endpoints: Endpoints, folder: Path | None
) -> JudgeCheck:
    """All but the figures."""
    return JudgeCheck(
        version=__version__,
        data=where,
        model=asked.model,
        settings=options.models.settings(),
        checks=(),
        cost=asked.cost,
        stopped_by=endpoints.budget.reached or "",
        folder=folder,
    )


def _page(found: JudgeCheck | JudgeRepeat) -> str:
    return render_page(
        Page(
            kind="judge",
            version=found.version,
            blocks=list(found.blocks()),
            settings=found.settings,
            versions=versions_here(),
        )
    )


def repeat_judge(options: JudgeCheckOptions, progress: Progress | None = None) -> JudgeRepeat:
    """Asks a judge twice, each time anew, and sets the values of the metrics against each other.

    Raises as ``check_judge``. Each of the two goes on where it was stopped.
    """
    judge_set = options.read_items()
    endpoints = Endpoints(options.models)  # one budget for both
    folder = options.folder(REPEAT)
    with at_work(folder, REPEAT, options.settings(judge_set.where), progress or Silent()) as told:
        told.begin()
        runs = [
            finished(
                ask_judge(
                    options,
                    endpoints,
                    folder / f"run-{number}" if folder else None,
                    told,
                    _values_by(options, judge_set, told, controls=False),
                )
            )
            for number in (1, 2)
        ]
        found = _repeat(options, judge_set, runs, endpoints.budget.reached or "")
        if folder is not None:
            write_result(folder / REPEAT_FILE, json.dumps(repeat_object(found), ensure_ascii=False, indent=1) + "\n")
            write_result(folder / REPORT_FILE, _page(found))
        told.stopped(found.stopped_by)
    return found


def _repeat(
    options: JudgeCheckOptions,
    judge_set: JudgeSet,
    runs: Sequence[JudgeResult[dict[Quality, list[Values]]]],
    stopped_by: str,
) -> JudgeRepeat:
    """What two runs came to."""
    return JudgeRepeat(
        version=__version__,
        data=judge_set.where,
        model=runs[0].model,
        settings=options.models.settings(),
        measures=tuple(
            each
            for quality in judge_set.items
            for each in repeatability(quality, runs[0].said[quality], runs[1].said[quality], seed=options.seed)
        ),
        costs=tuple(run.cost for run in runs),
        stopped_by=stopped_by,
        folder=options.folder(REPEAT),
    )


def estimate_check(options: JudgeCheckOptions, progress: Progress | None = None) -> list[CallEstimate]:
    """What ``check_judge`` would ask of a model on a server; nothing is sent or written."""
    read, told = options.read(), progress or Silent()
    if isinstance(read, ClaimSet):
        return estimate_asking(options, told, asking_claims(read, told, on_server=_on_server(options)))
    return estimate_asking(options, told, _values_by(options, read, told, controls=False))


def check_object(found: JudgeCheck) -> dict[str, Any]:
    """What ``--json`` prints: quality to rows, each with its measures."""
    return {
        "version": found.version,
        "data": found.data,
        "model": found.model,
        "settings": dict(found.settings),
        "coverage": found.coverage,
        "checks": {each.quality: _check_object(each) for each in found.checks},
        "claims": None if found.claims is None else claim_object(found.claims),
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


def _values_by(
    options: JudgeCheckOptions, judge_set: JudgeSet, progress: Progress, *, controls: bool = True
) -> Callable[[Judge], Awaitable[dict[Quality, list[Values]]]]:
    """Asks for the values of the judge, of baselines and controls, by quality."""
    on_server = _on_server(options)

    async def ask(judge: Judge) -> dict[Quality, list[Values]]:
        values: dict[Quality, list[Values]] = {}
        for quality, items in judge_set.items.items():
            progress.start(f"{quality.replace('_', ' ')} of answers", n_answered(items))
            values[quality] = await judged_values(judge, quality, items, progress.advance, is_language_model=on_server)
            if controls:
                encoder = None if options.models.name_of("judge") == LEXICAL else judge.encoder
                values[quality] += control_values(quality, items, seed=options.seed, encoder=encoder)
        return values

    return ask


def _on_server(options: JudgeCheckOptions) -> bool:
    return "judge" in options.models.on_servers


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
