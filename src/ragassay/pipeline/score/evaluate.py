"""Predict and score in one go: a system on a set, and what it is worth."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ragassay.corpus.sources import shown_path
from ragassay.datasets.beir import Grades
from ragassay.errors import BudgetError, InputError, RagassayError, UsageError, check_seed
from ragassay.evaluation.estimate import Estimate
from ragassay.metrics.aliases import aliases_in, ours
from ragassay.metrics.catalogue import metrics_named
from ragassay.metrics.inputs import OF_EXAMPLES, Input, inputs_of
from ragassay.pipeline.answer.judged_queries import judgements
from ragassay.pipeline.answer.options import PredictOptions
from ragassay.pipeline.answer.predict import Predicted, predict
from ragassay.pipeline.asking.model_options import ModelOptions, left
from ragassay.pipeline.asking.models import Endpoints
from ragassay.pipeline.folders.progress import Progress, Silent, followed
from ragassay.pipeline.folders.run_folder import PART_FILE, SCORES_FILE, lasting_folder
from ragassay.pipeline.judge.known_agreement import known_agreement
from ragassay.pipeline.report.set_report import write_report
from ragassay.pipeline.score.default_metrics import TOP_K
from ragassay.pipeline.score.options import ScoreOptions, is_dragonball
from ragassay.pipeline.score.score import Scoring, score
from ragassay.records import Example
from ragassay.report.costs import StageCost
from ragassay.report.scores import ScoreSummary
from ragassay.report.store import write_metrics
from ragassay.systems.base import System
from ragassay.systems.options import RagOptions, RecordedOptions
from ragassay.version import __version__

COMMAND = "evaluate"
WHOLE_DOCUMENT = 10_000_000
"""A chunk size that leaves documents whole: what BEIR judges are documents."""
BEIR_METRICS = ("ndcg@10", "map@100", "recall@100", "mrr@10", "precision@10")
"""Those of BEIR (Thakur et al. 2021), at its depths."""
_RETRIEVAL: frozenset[Input] = frozenset(
    {
        "ground spans",
        "references",
        "graded judgements",
        "chunks",
        "chunk documents",
        "chunk texts",
        "expected standalone question",
        "standalone question",
    }
)
"""What a system has to show that only retrieves, or what the example has."""
_DEPTH = re.compile(r"(?:@|_at_)([1-9]\d{0,5})\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateOptions:
    """predict: which system on which set; its ``out`` is not looked at. metrics: names; () for what suits the set.

    split: of the judgements in a BEIR folder; None for "test" where there is one, else all of them.
    out: folder for predictions and scores, None for none. judge: who judges, and makes the vectors of metrics.
    judge_check: as for ``ScoreOptions``. seed: of the ties of rankings.
    """

    predict: PredictOptions
    metrics: tuple[str, ...] = ()
    split: str | None = None
    out: Path | None = None
    judge: ModelOptions = field(default_factory=ModelOptions)
    judge_check: Path | None = None
    seed: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The metrics by our names."""
        return tuple(dict.fromkeys(map(ours, self.metrics)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated(Scoring):
    """What was predicted, scored."""

    predicted: Predicted


def evaluate(
    options: EvaluateOptions,
    progress: Progress | None = None,
    system: System | None = None,
    log_folder: Path | None = None,
    *,
    keep_scores: bool = False,
) -> Evaluated:
    """Runs the system on the set, then scores its predictions.

    system, log_folder: as ``predict`` takes them. keep_scores: as for ``score``.
    Names of metrics are checked before anything is asked. Raises what ``predict`` and ``score`` raise, and BudgetError
    where a limit ended the answers.
    """
    options.predict.check()
    check_seed(options.seed)
    grades = grades_of(options)
    names = names_of(options, grades)
    if names:
        metrics_named(names)
    score_options(options, names, records=()).check()
    if options.judge_check is not None:
        known_agreement(options.judge, Endpoints(options.judge), options.judge_check)
    with _folder(options.out) as folder:
        prepared = set_up(options.predict, names, folder, grades)
        if names:
            _check_answers(prepared, names)
        predicted = predict(prepared, progress, system, log_folder, lambda examples: _check_set(examples, names))
        if predicted.budget_reached:
            where = "again" if options.out is not None else f"with --out {folder}"
            raise BudgetError(
                f"{predicted.budget_reached}: {len(predicted.predictions)} of {len(predicted.examples)} "
                f"questions are done and kept in {folder}; run the same command {where} to continue"
            )
        if all(each.error is not None and not each.chunks for each in predicted.predictions):
            return _all_failed(predicted, names or (f"recall@{TOP_K}",), options.out)
        options = replace(options, judge=left(options.judge, predicted.spent))
        with lasting_folder(folder, lambda: None), followed(progress or Silent(), folder, COMMAND) as told:
            done = _scored(options, names, predicted, told, keep_scores=keep_scores or options.out is not None)
            told.stopped(done.summary.stopped_by)
            return done


def grades_of(options: EvaluateOptions) -> Grades | None:
    """The graded relevance that a BEIR folder brings; None for other sets. Raises UsageError or InputError."""
    return judgements(options.predict.dataset, options.predict.from_format, options.split)


def names_of(options: EvaluateOptions, grades: Grades | None) -> tuple[str, ...]:
    """The metrics by our names; those of BEIR for its folders, and () for what suits another set."""
    return options.names or (BEIR_METRICS if grades is not None else ())


def set_up(options: PredictOptions, names: Sequence[str], folder: Path, grades: Grades | None) -> PredictOptions:
    """What the user left open about the built-in system is set as the metrics want it.

    Of a BEIR folder the queries with judgements are asked, as trec_eval scores them alone.
    """
    is_beir = grades is not None
    options = replace(options, judged=grades)
    given = options.system.options
    if not isinstance(given, RagOptions):
        return replace(options, out=folder, command=COMMAND)
    update: dict[str, Any] = {"top_k": max([_top_k(options), *map(_depth, names)])}
    if names:
        update["generate"] = _need_answers(names)
    if is_beir:
        update |= {"prefix": ("title",), "generate": _need_answers(names)}
        update["top_k"] += 1  # in place of the query's own document
        update |= {"chunk_size": WHOLE_DOCUMENT, "overlap": 0} if options.chunks is None else {}
    still_open = {name: value for name, value in update.items() if name not in given.model_fields_set}
    spec = replace(options.system, options=given.model_copy(update=still_open))
    return replace(options, out=folder, system=spec, command=COMMAND)


def _top_k(options: PredictOptions) -> int:
    given = options.system.options
    return given.top_k if isinstance(given, RagOptions) else TOP_K


def _depth(name: str) -> int:
    found = _DEPTH.search(name)
    return int(found[1]) if found else 0


def _need_answers(names: Sequence[str]) -> bool:
    return any(not _RETRIEVAL.issuperset(metric.inputs) for metric, _ in metrics_named(names))


def _check_answers(options: PredictOptions, names: Sequence[str]) -> None:
    """Raises UsageError for a metric of answers where the user wants none."""
    given = options.system.options
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


def score_options(options: EvaluateOptions, names: tuple[str, ...], **data: Any) -> ScoreOptions:
    return ScoreOptions(
        metrics=names,
        top_k=_top_k(options.predict),
        models=options.judge,
        judge_check=options.judge_check,
        seed=options.seed,
        **data,
    )


def _published(options: PredictOptions, predicted: Predicted) -> Path | None:
    """The set, if it is a DragonBall file and the recorded answers are its own, to every question."""
    given = options.system.options
    if predicted.failures or not isinstance(given, RecordedOptions) or not given.model_fields_set <= {"file", "name"}:
        return None
    is_own = options.dataset.is_file() and Path(given.file).resolve() == options.dataset.resolve()
    return options.dataset if is_own and is_dragonball(options.dataset, options.from_format) else None


def _scored(
    options: EvaluateOptions, names: tuple[str, ...], predicted: Predicted, progress: Progress, *, keep_scores: bool
) -> Evaluated:
    scoring = score(
        score_options(options, names, data=predicted.folder, published=_published(options.predict, predicted)),
        progress,
        keep_scores=keep_scores,
    )
    summary = replace(
        scoring.summary,
        aliases=aliases_in(options.metrics),
        settings={"system": str(options.predict.system.settings()), "data": shown_path(options.predict.dataset)},
    )
    if options.out is not None:
        _write(options.out, scoring.lines, summary, scoring.cost)
    return _evaluated(predicted, summary, scoring.cost, options.out, "" if options.out is not None else scoring.lines)


def _evaluated(
    predicted: Predicted, summary: ScoreSummary, cost: StageCost | None, folder: Path | None, lines: str = ""
) -> Evaluated:
    return Evaluated(
        predicted=predicted,
        summary=summary,
        cost=cost,
        examples=predicted.examples,
        predictions=predicted.predictions,
        folder=folder,
        lines=lines,
    )


def _all_failed(predicted: Predicted, names: Sequence[str], folder: Path | None) -> Evaluated:
    """No metric has a value, for the reasons of the system."""
    total = len(predicted.examples)
    none = Estimate(value=None, low=None, high=None, n=0, total=total)
    why = Counter(f"the system failed: {each.error}" for each in predicted.failures)
    summary = ScoreSummary(
        version=__version__,
        system=predicted.system,
        judge="",
        settings={},
        examples=total,
        metrics=dict.fromkeys(names, none),
        labels={},
        types={},
        reasons={name: dict(why.most_common()) for name in names},
    )
    return _evaluated(predicted, summary, None, folder)


def _write(folder: Path, lines: str, summary: ScoreSummary, cost: StageCost | None) -> None:
    part = folder / f"{SCORES_FILE}.part"
    part.write_text(lines, "utf-8")
    part.replace(folder / SCORES_FILE)
    write_metrics(folder, summary, [cost] if cost is not None else [])
    write_report(folder)


@contextmanager
def _folder(out: Path | None) -> Iterator[Path]:
    """Where predictions are kept: without a folder of the user's only until they are scored, or if that fails."""
    if out is not None:
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
            raise
        shutil.rmtree(outer, ignore_errors=True)
        raise
    shutil.rmtree(outer, ignore_errors=True)
