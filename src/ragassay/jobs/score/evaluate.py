"""A system on a set, or recorded answers, and what they are worth."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ragassay.datasets.beir import Grades
from ragassay.errors import BudgetError, InputError, RagassayError, UsageError
from ragassay.evaluation.estimate import Estimate
from ragassay.evaluation.sequential import Decision, confidence_sequence, next_look, verdict_of
from ragassay.jobs.answer.checks import check_evaluation
from ragassay.jobs.answer.options import NO_METRICS, NOWHERE, OF_SYSTEMS, EvaluateOptions, is_dragonball
from ragassay.jobs.answer.predict import Predicted, predict
from ragassay.jobs.answer.questions import judgements
from ragassay.jobs.asking.dry_run import estimates_now
from ragassay.jobs.asking.model_options import left
from ragassay.jobs.asking.models import Endpoints
from ragassay.jobs.folders.progress import Progress, Silent, followed
from ragassay.jobs.folders.run_folder import PART_FILE, SCORES_FILE, lasting_folder
from ragassay.jobs.judge.known_agreement import known_agreement
from ragassay.jobs.report.comparing import read_scored
from ragassay.jobs.report.set_report import write_report
from ragassay.jobs.score.result import Evaluation
from ragassay.jobs.score.score import score
from ragassay.metrics.catalogue import metric_named, metrics_named
from ragassay.metrics.inputs import OF_EXAMPLES, Input, inputs_of
from ragassay.models.llm.budget import Spent
from ragassay.plain_files import write_whole
from ragassay.rag.setting import TOP_K
from ragassay.records import Example
from ragassay.report.costs import StageCost, together
from ragassay.report.scores import ScoreSummary
from ragassay.report.summary import write_metrics
from ragassay.systems.base import System
from ragassay.systems.options import RagOptions, RecordedOptions
from ragassay.version import __version__

WHOLE_DOCUMENT = 10_000_000
"""A chunk size that leaves documents whole: what BEIR judges are documents."""
BEIR_METRICS = ("ndcg@10", "map@100", "recall@100", "mrr@10", "precision@10")
"""Those of BEIR (Thakur et al. 2021), at its depths."""
_RETRIEVAL: frozenset[Input] = frozenset(
    {
        "ground spans",
        "references",
        "chunks",
        "chunk documents",
        "chunk texts",
        "expected standalone question",
        "standalone question",
    }
)
"""What a system has to show that only retrieves, or what the example has."""
_OF_ROWS: Mapping[str, Any] = {"from_format": None, "documents": None, "mapping": {}, "sample": None, "unique": False}
"""Settings about the data, which have done their work once answers are in a folder."""
_DEPTH = re.compile(r"(?:@|_at_)([1-9]\d{0,5})\Z")


def evaluate(
    options: EvaluateOptions,
    progress: Progress | None = None,
    system: System | None = None,
    log_folder: Path | None = None,
    *,
    keep_scores: bool = False,
) -> Evaluation:
    """Ask the system the questions of the set and score its answers, or those that are recorded.

    system, log_folder: as ``predict`` takes them. keep_scores: as for ``score``.
    Names of metrics are checked before anything is asked. Raises what ``predict`` and ``score`` raise, and BudgetError
    where a limit ended the answers.
    """
    check_evaluation(options)
    ask = partial(_evaluated, progress=progress, system=system, log_folder=log_folder, keep_scores=keep_scores)
    return ask(options) if options.beside.decide_against is None else _until_decided(options, ask)


def _evaluated(
    options: EvaluateOptions,
    *,
    progress: Progress | None,
    system: System | None,
    log_folder: Path | None,
    keep_scores: bool,
) -> Evaluation:
    if not options.asks_system:
        if options.split is not None:
            raise UsageError("--split: only applies to BEIR folders, which hold no answers; leave it out")
        return score(options, progress, keep_scores=keep_scores)
    grades = judgements(options)
    names = names_of(options, grades)
    if names:
        metrics_named(names)
    if options.judge_check is not None:
        known_agreement(options.judging, Endpoints(options.judging), options.judge_check)
    with _folder(options.out) as folder:
        prepared = set_up(options, names, folder, grades)
        if names:
            _check_answers(prepared, names)
        predicted = predict(prepared, progress, system, log_folder, lambda examples: _check_set(examples, names))
        if predicted.budget_reached:
            where = "again" if options.out != NOWHERE else f"with --out {folder}"
            raise BudgetError(
                f"{predicted.budget_reached}: {len(predicted.predictions)} of {len(predicted.examples)} "
                f"questions are done and kept in {folder}; run the same command {where} to continue"
            )
        if options.metrics == (NO_METRICS,):
            return _not_scored(predicted, {}, options.out)
        if all(each.error is not None and not each.chunks for each in predicted.predictions):
            why = Counter(f"the system failed: {each.error}" for each in predicted.failures)
            reasons = {name: dict(why.most_common()) for name in names or (f"recall@{TOP_K}",)}
            return _not_scored(predicted, reasons, options.out)
        options = replace(options, models=left(options.models, predicted.spent))
        with lasting_folder(folder, lambda: None), followed(progress or Silent(), folder, options.command) as told:
            done = _scored(options, names, predicted, told, keep_scores=keep_scores or options.out != NOWHERE)
            told.stopped(done.summary.stopped_by)
            return done


def names_of(options: EvaluateOptions, grades: Grades | None) -> tuple[str, ...]:
    """The metrics by our names; those of BEIR for its folders, and () for what suits another set."""
    if options.metrics == (NO_METRICS,):
        return ()
    return tuple(options.names) or (BEIR_METRICS if grades is not None else ())


def set_up(options: EvaluateOptions, names: Sequence[str], folder: Path, grades: Grades | None) -> EvaluateOptions:
    """What the user left open about the built-in system is set as the metrics want it.

    Of a BEIR folder the queries with judgements are asked, as trec_eval scores them alone.
    """
    is_beir = grades is not None
    options = replace(options, judged=grades)
    given = options.spec.options
    if not isinstance(given, RagOptions):
        return replace(options, out=folder)
    update: dict[str, Any] = {"top_k": max([_top_k(options), *map(_depth, names)])}
    if names:
        update["generate"] = _need_answers(names)
    if is_beir:
        update |= {"prefix": ("title",), "generate": _need_answers(names)}
        update["top_k"] += 1  # in place of the query's own document
        update |= {"chunk_size": WHOLE_DOCUMENT, "overlap": 0} if options.chunks is None else {}
    still_open = {name: value for name, value in update.items() if name not in given.model_fields_set}
    spec = replace(options.spec, options=given.model_copy(update=still_open))
    return replace(options, out=folder, system=spec)


def _top_k(options: EvaluateOptions) -> int:
    given = options.spec.options
    return given.top_k if isinstance(given, RagOptions) else TOP_K


def _depth(name: str) -> int:
    found = _DEPTH.search(name)
    return int(found[1]) if found else 0


def _need_answers(names: Sequence[str]) -> bool:
    return any(not _RETRIEVAL.issuperset(metric.inputs) for metric, _ in metrics_named(names))


def _check_answers(options: EvaluateOptions, names: Sequence[str]) -> None:
    """Raises UsageError for a metric of answers where the user wants none."""
    given = options.spec.options
    if isinstance(given, RagOptions) and not given.generate:
        of_answers = next((metric.name for metric, _ in metrics_named(names) if "answer" in metric.inputs), None)
        if of_answers is not None:
            raise UsageError(f"--metrics: {of_answers} needs answers; leave out generate=false or the metric")


def _check_set(examples: Sequence[Example], names: Sequence[str]) -> None:
    """Raises InputError for metrics that need what no example has, before anything is asked."""
    there = {each for example in examples for each in inputs_of(example)}
    lacking = []
    for metric, _ in metrics_named(names) if names else ():
        missing = next((each for each in metric.inputs if each in OF_EXAMPLES and each not in there), None)
        if missing is not None:
            lacking.append(f"{metric.name} needs {missing}, which no example has; leave the metric out")
    if lacking:
        raise InputError("\n".join(lacking))


def of_answers(options: EvaluateOptions, names: tuple[str, ...], folder: Path) -> EvaluateOptions:
    """The settings for scoring the answers in a folder of predictions."""
    top_k = _top_k(options)
    return replace(
        options,
        metrics=names,
        top_k=top_k,
        data=folder,
        records=None,
        system=None,
        out=NOWHERE,
        only=(),
        **_OF_ROWS,
        **OF_SYSTEMS,
    )


def _published(options: EvaluateOptions, predicted: Predicted) -> Path | None:
    """The set, if it is a DragonBall file and the recorded answers are its own, to every question."""
    given = options.spec.options
    if predicted.failures or not isinstance(given, RecordedOptions) or not given.model_fields_set <= {"file", "name"}:
        return None
    is_own = options.data.is_file() and Path(given.file).resolve() == options.data.resolve()
    return options.data if is_own and is_dragonball(options.data, options.from_format) else None


def _scored(
    options: EvaluateOptions, names: tuple[str, ...], predicted: Predicted, progress: Progress, *, keep_scores: bool
) -> Evaluation:
    scoring = score(
        replace(of_answers(options, names, predicted.folder), published=_published(options, predicted)),
        progress,
        keep_scores=keep_scores,
    )
    summary = replace(
        scoring.summary,
        settings={"system": str(options.spec.settings()), "data": options.shown_data, **options.beside.settings()},
    )
    if options.out != NOWHERE:
        write_whole(options.out / SCORES_FILE, scoring.lines)
        write_metrics(options.out, summary, [scoring.cost] if scoring.cost is not None else [])
        write_report(options.out)
    folder = options.out if options.out != NOWHERE else None
    return replace(scoring, predicted=predicted, summary=summary, folder=folder, lines="" if folder else scoring.lines)


def _not_scored(predicted: Predicted, reasons: Mapping[str, Mapping[str, int]], folder: Path) -> Evaluation:
    """No metric has a value. reasons: metric to what is said for it."""
    total = len(predicted.examples)
    summary = ScoreSummary(
        version=__version__,
        system=predicted.system,
        judge="",
        settings={},
        examples=total,
        metrics=dict.fromkeys(reasons, Estimate(value=None, low=None, high=None, n=0, total=total)),
        labels={},
        types={},
        reasons=reasons,
    )
    return Evaluation(
        predicted=predicted,
        summary=summary,
        cost=None,
        examples=predicted.examples,
        predictions=predicted.predictions,
        folder=folder if folder != NOWHERE else None,
    )


@contextmanager
def _folder(out: Path) -> Iterator[Path]:
    """Where predictions are kept: without a folder of the user's only until they are scored, or if that fails."""
    if out != NOWHERE:
        yield out
        return
    outer = Path(tempfile.mkdtemp(prefix="ragassay-"))
    folder = outer / "run"
    try:
        yield folder
    except BaseException as error:
        if (folder / "predictions.jsonl").exists() or (folder / PART_FILE).exists():
            if isinstance(error, RagassayError):
                error.args = (f"{error}; the predictions are kept: add --out {folder} to continue from there",)
            elif isinstance(error, KeyboardInterrupt):
                error.args = (f"stopped; the predictions are kept: add --out {folder} to continue from there",)
            raise
        shutil.rmtree(outer, ignore_errors=True)
        raise
    shutil.rmtree(outer, ignore_errors=True)


def _until_decided(options: EvaluateOptions, ask: Callable[[EvaluateOptions], Evaluation]) -> Evaluation:
    """Ask in an order by chance, a batch more each time, until the first metric decides or all are asked.

    ask: scores so many questions, and those that the folder holds. A limit on calls holds for all batches together. A
    dry run takes one batch of all, the most that it may take. Raises UsageError or InputError for what cannot decide.
    """
    against, most = options.beside.decide_against, options.limit
    assert against is not None
    metric, _ = metric_named(options.names[0])
    if metric.bounds is None:
        raise UsageError(f"--metrics: {metric.name} has no range to decide by; name another metric first")
    reach = metric.bounds[1] - metric.bounds[0]
    margin = options.beside.margin * reach
    scored = read_scored(against, None, "--decide-against").values.get(metric.name, {})
    before = {name: value for name, value in scored.items() if value is not None}
    if not before:
        raise InputError(f"{against} has no value of {metric.name}; evaluate it by this metric first")
    costs: list[StageCost] = []
    asked_now, n, notes = 0, 0, None
    while True:
        batch = most if estimates_now() is not None else min(next_look(n), most or next_look(n))
        found = ask(replace(options, limit=batch))
        predicted = found.predicted
        assert predicted is not None
        if found.cost is None:  # the system failed throughout
            return found
        costs.append(found.cost)
        asked_now, n = asked_now + predicted.asked, predicted.at_random
        notes = predicted.notes if notes is None else notes  # later ones count this run's answers as earlier ones
        now = {each.example_id: each.value for each in found.scores if each.metric == metric.name}
        drawn = [(now.get(each.id), before.get(each.id)) for each in found.examples[:n]]
        apart = np.array([new - old for new, old in drawn if new is not None and old is not None], dtype=np.float64)
        low, high = confidence_sequence(apart, (-reach, reach)) if len(apart) else (-reach, reach)
        verdict = verdict_of(low, high, margin, higher_is_better=metric.higher_is_better)
        if verdict != "undecided" or n >= min(predicted.total, most or n + 1) or found.summary.stopped_by:
            break
        models = left(left(options.models, predicted.spent), _spent(found.cost))
        options = replace(options, models=models, overwrite=False, retry_failed=False)
    decision = Decision(
        metric=metric.name,
        against=str(against),
        verdict=verdict,
        difference=float(apart.mean()) if len(apart) else 0.0,
        low=low,
        high=high,
        margin=margin,
        asked=n,
        total=predicted.total,
    )
    last = {name: getattr(found.cost, name) for name in ("name", "model_calls", "served", "unanswered")}
    cost = replace(together(costs), **last)  # a batch is judged again with the next, from the log of calls
    summary = replace(found.summary, decision=decision)
    write_metrics(predicted.folder, summary, [cost])
    write_report(predicted.folder)
    return replace(found, summary=summary, cost=cost, predicted=replace(predicted, asked=asked_now, notes=notes))


def _spent(cost: StageCost) -> Spent:
    return Spent(cost.sent, cost.prompt_tokens, cost.completion_tokens, cost.cost_usd, cost.unpriced)
