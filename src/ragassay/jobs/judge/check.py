"""A judge, embedded or on a server, against people; and one judge twice, against itself.

Calls of a judge on a server go through a log in the output folder, so the same command goes on where it was stopped.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ragassay.evaluation.estimate import Estimate
from ragassay.jobs.asking.event_loop import finished
from ragassay.jobs.asking.models import Endpoints
from ragassay.jobs.folders.job import kept_folder, opened_models
from ragassay.jobs.folders.progress import Progress, Silent
from ragassay.jobs.folders.run_folder import CHECK_FILE, REPORT_FILE
from ragassay.jobs.folders.versions import versions_here
from ragassay.jobs.judge.options import JudgeOptions
from ragassay.metrics.answered import Judge
from ragassay.models import LEXICAL
from ragassay.parts import LOCAL_BATCH, in_batches
from ragassay.people.agreement.check_items import JudgeSet, Quality
from ragassay.people.agreement.check_statistics import QualityCheck, checked
from ragassay.people.agreement.check_values import (
    Repeated,
    Values,
    control_values,
    judged_values,
    n_answered,
    repeatability,
)
from ragassay.people.agreement.claims import (
    ClaimCheck,
    ClaimJudgement,
    ClaimSet,
    checked_claims,
    has_scores,
    judged_claims,
    wrong_first,
)
from ragassay.people.agreement.wordings import own_preferred
from ragassay.plain_files import write_object, write_whole
from ragassay.report.agreement import blocks_of_checks, blocks_of_claims, blocks_of_repeated
from ragassay.report.blocks import Block, Column, Headline, Table, Text
from ragassay.report.costs import JudgingCost, stopped_block
from ragassay.report.html import render_page
from ragassay.report.notebook import Shown
from ragassay.version import __version__

CHECK, REPEAT = "judge check", "judge repeat"
VALUES_FILE = "values.jsonl"
REPEAT_FILE = "repeat.json"
Said = dict[Quality, list[Values]] | list[ClaimJudgement]
"""The values of the judge, of baselines and controls by quality; or its judgements of claims."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class JudgeReport(Shown):
    """data: file that was read. model: who judged. settings: of the models. stopped_by: the limit that ended the calls.

    checks: by quality. claims: figures of a file of claims; judgements: of all of them, wrong ones first.
    measures: of a judge that was asked twice, by quality and metric. own_preferred: share of right answers of which it
    prefers its own wording; None where it was not asked. costs: of each time that it was asked.
    folder: where values and calls are kept, or None.
    """

    version: str
    data: str
    model: str
    settings: Mapping[str, str]
    costs: tuple[JudgingCost, ...]
    checks: tuple[QualityCheck, ...] = ()
    claims: ClaimCheck | None = None
    judgements: tuple[ClaimJudgement, ...] = ()
    measures: tuple[Repeated, ...] = ()
    own_preferred: Estimate | None = None
    stopped_by: str = ""
    folder: Path | None = None

    def blocks(self) -> Iterable[Block]:
        yield Headline(f"A judge against {'itself' if self.measures else 'people'}", [f"{self.model} on {self.data}"])
        yield from stopped_block(self.stopped_by)
        if self.measures:
            yield from blocks_of_repeated(self.measures)
        yield from blocks_of_checks(self.checks)
        if self.own_preferred is not None:
            note = "Of right answers in its own and in other words, asked in both orders: 0.5 is no preference."
            columns = ["n", Column("own preferred", "two")]
            yield Table("Its own wording", columns, [(self.own_preferred.n, self.own_preferred)], note)
        if self.claims is not None:
            yield from blocks_of_claims(self.claims, self.judgements, str(self.folder or ""))
        yield Text([cost.words for cost in self.costs])

    @property
    def coverage(self) -> float:
        """Share of the judge's questions that have an answer, in [0, 1]; 1 where none was asked."""
        asked = sum(cost.asked for cost in self.costs)
        return 1 - sum(cost.unanswered for cost in self.costs) / asked if asked else 1.0

    @property
    def silent(self) -> tuple[str, ...]:
        """Qualities, or claims, of which the judge gave no item a value."""
        if self.claims is not None and not self.claims.figures.accuracy.n:
            return ("claims",)
        return tuple(
            check.quality
            for check in self.checks
            if not any(measure.n for row in check.rows if row.role == "judge" for measure in row.measures.values())
        )

    def as_object(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        checks = {
            check.quality: {
                **asdict(check),
                "rows": [{**asdict(row), "undefined": row.undefined} for row in check.rows],
            }
            for check in self.checks
        }
        return {
            "version": self.version,
            "data": self.data,
            "model": self.model,
            "settings": dict(self.settings),
            "coverage": self.coverage,
            "checks": checks,
            "claims": None if self.claims is None else asdict(self.claims),
            "measures": [asdict(measure) for measure in self.measures],
            "own_preferred": None if self.own_preferred is None else asdict(self.own_preferred),
            "costs": [{**asdict(cost), "cost_usd": None if cost.unpriced else cost.cost_usd} for cost in self.costs],
            "stopped_by": self.stopped_by,
            "folder": str(self.folder) if self.folder else None,
        }


def check_judge(options: JudgeOptions, progress: Progress | None = None) -> JudgeReport:
    """Measure a judge on items that people have compared or rated, beside baselines and controls, or on claims.

    Raises UsageError, InputError or ModelError for what cannot be used, before anything is asked.
    """
    return _judged(options, CHECK, progress or Silent())


def repeat_judge(options: JudgeOptions, progress: Progress | None = None) -> JudgeReport:
    """Ask a judge twice, each time anew, and set the values of the metrics against each other.

    Raises as ``check_judge``. Each of the two goes on where it was stopped.
    """
    return _judged(options, REPEAT, progress or Silent())


def _judged(options: JudgeOptions, command: str, progress: Progress) -> JudgeReport:
    is_check = command == CHECK
    read = options.read(takes_claims=is_check)
    endpoints = Endpoints(options.models)  # one budget for all times
    endpoints.enter(command)
    folder = options.folder(command)
    about = {"command": command, "settings": options.settings(read.where)}
    with kept_folder(folder, command, about, progress) as told:
        told.begin()
        asking = _Asking(options, read, told, controls=is_check)
        places = [folder] if is_check else [folder and folder / f"run-{number}" for number in (1, 2)]
        for place in places:
            if place is not None:
                place.mkdir(exist_ok=True)
        runs = [finished(asking.said(endpoints, place)) for place in places]
        told.start("statistics", None)
        report = JudgeReport(
            version=__version__,
            data=read.where,
            model=asking.model,
            settings=options.models.settings(),
            costs=tuple(asking.costs),
            stopped_by=endpoints.budget.reached or "",
            folder=folder,
            own_preferred=asking.own_preferred,
            **_figures(options, read, runs),
        )
        if folder is not None:
            if is_check:
                write_whole(folder / VALUES_FILE, "".join(_lines(read, runs[0])))
            write_object(folder / (CHECK_FILE if is_check else REPEAT_FILE), report.as_object())
            blocks, versions = list(report.blocks()), versions_here()
            page = render_page("judge", blocks, version=report.version, settings=report.settings, versions=versions)
            write_whole(folder / REPORT_FILE, page)
        told.stopped(report.stopped_by)
    return report


def _figures(options: JudgeOptions, read: JudgeSet | ClaimSet, runs: Sequence[Said]) -> dict[str, Any]:
    """Those of a report that come from what was said: once, or twice, which only items are asked."""
    first, seed = runs[0], options.seed
    if isinstance(first, list) or isinstance(read, ClaimSet):
        judgements = [each for each in first if isinstance(each, ClaimJudgement)]
        return {"claims": checked_claims(judgements, seed=seed), "judgements": tuple(wrong_first(judgements))}
    if len(runs) == 1:
        return {"checks": tuple(checked(name, read.items[name], of, seed=seed) for name, of in first.items())}
    second = runs[1]
    pairs = [(name, of, second[name]) for name, of in first.items()] if isinstance(second, dict) else []
    return {"measures": tuple(each for pair in pairs for each in repeatability(*pair, seed=seed))}


class _Asking:
    """Puts a set to a judge, and counts what that took."""

    def __init__(self, options: JudgeOptions, read: JudgeSet | ClaimSet, progress: Progress, *, controls: bool) -> None:
        self._options, self._read, self._progress, self._controls = options, read, progress, controls
        self.model = ""
        self.costs: list[JudgingCost] = []
        self.own_preferred: Estimate | None = None

    async def said(self, endpoints: Endpoints, folder: Path | None) -> Said:
        """Ask for everything."""
        options, begun, before = self._options, time.perf_counter(), endpoints.budget.spent
        async with opened_models(options.models, endpoints, self._progress, folder or Path()) as (models, _):
            judge = Judge(
                model=models.judging(),
                encoder=models.encoder,
                prompts=models.judges_prompts,
                seed=options.seed,
            )
            said = await (self._claims(judge) if isinstance(self._read, ClaimSet) else self._values(judge))
            if self._controls and options.is_on_server and not (options.claims or options.data or options.quality):
                self._progress.start("wordings of answers", None)
                self.own_preferred = await own_preferred(judge.model)
            self.model = models.judge.name
            self.costs.append(JudgingCost.of([models.judge], before, endpoints.budget.spent, begun))
        return said

    async def _values(self, judge: Judge) -> Said:
        options, progress, on_server = self._options, self._progress, self._options.is_on_server
        values: dict[Quality, list[Values]] = {}
        assert isinstance(self._read, JudgeSet)
        for quality, items in self._read.items.items():
            progress.start(f"{quality.replace('_', ' ')} of answers", n_answered(items))
            values[quality] = await judged_values(judge, quality, items, progress.advance, is_language_model=on_server)
            if self._controls:
                encoder = None if options.models.name_of("judge") == LEXICAL else judge.encoder
                values[quality] += control_values(quality, items, seed=options.seed, encoder=encoder)
        return values

    async def _claims(self, judge: Judge) -> Said:
        assert isinstance(self._read, ClaimSet)
        passages, judgements = self._read.passages, list[ClaimJudgement]()
        self._progress.start("judging claims", sum(len(passage.claims) for passage in passages))
        for batch in in_batches(passages, max(len(passages), 1) if self._options.is_on_server else LOCAL_BATCH):
            judgements += await judged_claims(judge.model, batch)
            self._progress.reach(len(judgements))
        return judgements


def _lines(read: JudgeSet | ClaimSet, said: Said) -> Iterable[str]:
    """One line of JSON for each item, or claim, wrong ones first: what was said of it, and what the judge went by."""
    rows = _claim_objects(said) if isinstance(said, list) else _value_objects(read, said)
    return (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _value_objects(read: JudgeSet | ClaimSet, said: Mapping[Quality, Sequence[Values]]) -> Iterable[dict[str, Any]]:
    assert isinstance(read, JudgeSet)
    for quality, items in read.items.items():
        for number, where in enumerate(item.where for item in items):
            row: dict[str, Any] = {"where": where, "quality": quality, "values": {}, "evidence": {}}
            for scored in said[quality]:
                name = f"{scored.scorer} ({scored.aspect})" if scored.aspect else scored.scorer
                row["values"][name] = [side[number] for side in scored.sides]
                if scored.evidence:
                    row["evidence"][name] = scored.evidence[number]
            yield row


def _claim_objects(judgements: Sequence[ClaimJudgement]) -> Iterable[dict[str, Any]]:
    scored = has_scores(judgements)
    for judgement in wrong_first(judgements):
        claim = judgement.claim
        yield {
            "where": claim.where,
            "source": judgement.source,
            "type": claim.type,
            "claim": claim.text,
            "supported": claim.supported,
            "verdict": judgement.verdict,
            "right": judgement.is_right,
            "probability": judgement.score if scored else None,
            "evidence": judgement.evidence,
            "reason": judgement.reason,
        }
