"""Systems and scores, of one system or of many settings."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.api.given import Chunks, Documents, at_hand, selection_of
from ragassay.api.metrics import AskedMetric
from ragassay.api.models import Model, models_of
from ragassay.errors import UsageError
from ragassay.remote import with_remote_paths

if TYPE_CHECKING:
    from ragassay.pipeline.answer.predict import Predicted
    from ragassay.pipeline.asking.model_options import ModelOptions
    from ragassay.pipeline.experiment.options import ExperimentKind
    from ragassay.pipeline.score.options import RankBy
    from ragassay.pipeline.score.result import Evaluation
    from ragassay.report.experiment import ExperimentSummary
    from ragassay.report.notebook import ShownSweep
    from ragassay.systems.base import System
    from ragassay.systems.spec import SystemSpec


@with_remote_paths("dataset", "documents", "out")
def predict(
    dataset: object,
    system: str | Callable[..., Any],
    out: str | Path,
    *,
    model: Model = "embedded",
    models: ModelOptions | None = None,
    from_format: str | None = None,
    documents: Documents | None = None,
    chunks: Chunks | None = None,
    only: Mapping[str, str] | None = None,
    limit: int | None = None,
    retry_failed: bool = False,
    overwrite: bool = False,
    **settings: Any,
) -> Predicted:
    """Puts the questions of a set to a system and keeps what it answers, as ``ragassay predict`` does.

    dataset: as the examples of ``evaluate``. out: folder of the predictions, which goes on where it was. model: who
    answers for the built-in systems; models: the same with all that can be set. overwrite: forget what the folder
    holds, and ask all again. The rest is as for ``evaluate``.
    Warns where more than a tenth of the chunks stand in none of the documents.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.pipeline.answer.options import PredictOptions
    from ragassay.pipeline.answer.predict import predict as run_system

    spec, target, chunks = _system(system, settings, chunks)
    with at_hand() as hand:
        data, beside = hand.dataset(dataset, documents, chunks, from_format)
        done = run_system(
            PredictOptions(
                dataset=data,
                system=spec,
                out=Path(out),
                from_format=from_format,
                documents=beside,
                chunks=hand.chunks(chunks),
                where=tuple((only or {}).items()),
                limit=limit,
                retry_failed=retry_failed,
                overwrite=overwrite,
                models=models_of(model, models),
            ),
            system=target,
        )
    for note in done.doubts:
        warnings.warn(note, stacklevel=3)
    return done


@with_remote_paths("examples", "documents", "judge_check", "out")
def evaluate(
    examples: object,
    system: str | Callable[..., Any] = "rag",
    metrics: Sequence[AskedMetric] = (),
    *,
    model: Model = "embedded",
    models: ModelOptions | None = None,
    from_format: str | None = None,
    documents: Documents | None = None,
    chunks: Chunks | None = None,
    only: Mapping[str, str] | None = None,
    limit: int | None = None,
    split: str | None = None,
    judge_check: str | Path | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    retry_failed: bool = False,
    overwrite: bool = False,
    **settings: Any,
) -> Evaluation:
    """Puts the questions of a set to a system and scores what it answers, as ``ragassay evaluate`` does.

    examples: path of a data set in any format that `ragassay convert` reads; or records (Example and Document); or rows
    with user_input, reference and reference_contexts, as a list of mappings, a mapping of columns, a data set of
    Hugging Face or a pandas DataFrame.
    system: a function or object of LangChain or LlamaIndex; or a name, such as "rag" or "http://localhost:8000/ask".
    settings: options of the system, such as top_k=5 or concurrency=4.
    metrics: names, as ``ragassay metrics`` lists them, and metrics of your own: functions, ``module:function`` or the
    path of a file of functions; the usual ones that the data have the inputs for if there are none.
    model: who answers for built-in systems and judges: a name, a function from a prompt to a text, or an object
    with ``ask``; models: the same with all that can be set, a judge of its own among it.
    documents: a path, or the documents themselves: mappings with id, title and text, or objects of LangChain or
    LlamaIndex. chunks: the user's own, with their document_id, or a JSONL file of them: the built-in system searches
    them as they are, those of another system are known by their ids, and they make up the documents where there are
    none.
    from_format: of a file of examples; split: of the judgements in a BEIR folder. only: language, title, source or
    metadata that documents have to have, and the questions that rest on them. limit: only the first so many questions.
    judge_check: folder of a check of the judge, as ``check_judge`` writes it. seed: of the ties of rankings.
    out: folder for predictions and scores, which goes on where it was. retry_failed: ask questions again that failed.
    overwrite: forget what the folder holds, and ask all again.
    Warns of what makes the figures doubtful, such as chunks that stand in none of the documents.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.pipeline.answer.options import PredictOptions
    from ragassay.pipeline.asking.model_options import ModelOptions
    from ragassay.pipeline.score.asked_metrics import asked_metrics, with_own_models
    from ragassay.pipeline.score.evaluate import EvaluateOptions
    from ragassay.pipeline.score.evaluate import evaluate as run_system
    from ragassay.pipeline.score.result import Evaluation
    from ragassay.systems.build import BUILT_IN

    spec, target, chunks = _system(system, settings, chunks)
    names = asked_metrics(metrics)
    chosen = with_own_models(models_of(model, models), names)
    if not chosen.uses_servers:
        chosen.check(lexical=True)  # no limit holds where nothing is asked
    answering = (
        replace(chosen, judges=(), further=()).without_idle_limits() if spec.kind in BUILT_IN else ModelOptions()
    )
    with at_hand() as hand:
        data, beside = hand.dataset(examples, documents, chunks, from_format)
        options = EvaluateOptions(
            predict=PredictOptions(
                dataset=data,
                system=spec,
                out=Path(),
                from_format=from_format,
                documents=beside,
                chunks=hand.chunks(chunks),
                where=tuple((only or {}).items()),
                limit=limit,
                retry_failed=retry_failed,
                overwrite=overwrite,
                models=answering,
            ),
            metrics=names,
            split=split,
            out=None if out is None else Path(out),
            judge=chosen.without_idle_limits(),
            judge_check=None if judge_check is None else Path(judge_check),
            seed=seed,
        )
        done = run_system(options, system=target, keep_scores=True)
    for note in dict.fromkeys((*done.predicted.doubts, *done.summary.doubts)):
        warnings.warn(note, stacklevel=3)
    return Evaluation(done)


def _system(
    system: str | Callable[..., Any], settings: dict[str, Any], chunks: Chunks | None
) -> tuple[SystemSpec, System | None, Chunks | None]:
    """What a system is, the system itself where it is at hand, and the chunks.

    Where these are the name of no JSONL file, they are an option: the place of the chunks in a reply.
    """
    from ragassay.systems.function import spec_of
    from ragassay.systems.spec import parse_spec

    if isinstance(system, list | tuple | set):
        raise UsageError(
            "system: must be a name, a function or an object that answers questions, not a list; give metrics as "
            "metrics=[...], and rows that hold their answers to ragassay.score(rows, metrics)"
        )
    if isinstance(chunks, str) and not chunks.endswith(".jsonl"):
        settings, chunks = settings | {"chunks": chunks}, None
    spec, target = (parse_spec(system, more=settings), None) if isinstance(system, str) else spec_of(system, settings)
    return spec, target, chunks


@with_remote_paths("rows", "predictions", "documents", "against", "judge_check", "out")
def score(
    rows: object,
    metrics: Sequence[AskedMetric] = (),
    *,
    predictions: str | Path | None = None,
    model: Model = "embedded",
    models: ModelOptions | None = None,
    from_format: str | None = None,
    documents: Documents | None = None,
    chunks: Chunks | None = None,
    mapping: Mapping[str, str] | None = None,
    sample: int | None = None,
    unique: bool = False,
    system: str | None = None,
    against: str | Path | None = None,
    questions: int = 3,
    evasive_is_zero: bool = False,
    rank_by: RankBy = "rank",
    judge_check: str | Path | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    overwrite: bool = False,
    processes: int | None = 1,
) -> Evaluation:
    """Scores recorded predictions, as ``ragassay score`` does: ``result["faithfulness"]``, ``result.to_pandas()``.

    rows: path of a data set in any format that `ragassay convert` reads; or records (Example, Prediction, Document);
    or rows as RAGAS has them, with user_input, response, retrieved_contexts and reference, as a list of mappings, a
    mapping of columns, a data set of Hugging Face or a pandas DataFrame.
    metrics, model, models, from_format, documents, judge_check, seed: as for ``evaluate``; the model judges. chunks: as
    there, for the documents that they make up. mapping, sample, unique: as for ``convert_dataset``, of rows in a file.
    predictions: a file of them, or a run folder, in place of those of the
    rows. system: whose predictions, where there are several systems'. against: those of another system, for rankings.
    questions: that a language model writes for answer_relevance; evasive_is_zero: its value for answers that do not
    commit themselves. rank_by: "rank" for chunks as they stand, "score" for those of the highest scores first. out:
    folder for the results; overwrite: replace another run in it. processes: that share the
    work, one a core if None.
    A limit that was reached, and a judge that did not answer, are in ``result.summary``: missing values have reasons.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used, before anything is
    asked.
    """
    from ragassay.pipeline.score.asked_metrics import asked_metrics, with_own_models
    from ragassay.pipeline.score.options import NOWHERE, ScoreOptions
    from ragassay.pipeline.score.result import Evaluation
    from ragassay.pipeline.score.score import score as score_rows

    names = asked_metrics(metrics)
    with at_hand() as hand:
        is_path = isinstance(rows, str | Path)
        selection = selection_of(mapping, sample, seed, unique)
        if not is_path and (mapping or sample or unique):
            raise UsageError("mapping, sample, unique: they are of rows in a file; choose from rows at hand yourself")
        options = ScoreOptions(
            metrics=names,
            data=Path(str(rows)) if is_path else NOWHERE,
            records=None if is_path else hand.records(rows, documents, chunks),
            predictions=None if predictions is None else Path(predictions),
            from_format=from_format,
            documents=hand.path(documents, chunks) if is_path else None,
            selection=selection,
            system=system,
            against=None if against is None else Path(against),
            questions=questions,
            evasive_is_zero=evasive_is_zero,
            rank_by=rank_by,
            seed=seed,
            models=with_own_models(models_of(model, models), names),
            judge_check=None if judge_check is None else Path(judge_check),
            out=NOWHERE if out is None else Path(out),
            overwrite=overwrite,
            processes=processes,
        )
        done = score_rows(options, keep_scores=True)
    for doubt in done.summary.doubts:
        warnings.warn(doubt, stacklevel=3)
    return Evaluation(done)


@with_remote_paths("synthetic", "human", "documents", "out")
def experiment(
    kind: ExperimentKind,
    systems: Mapping[str, str | Callable[..., Any]],
    synthetic: object,
    human: object,
    out: str | Path,
    *,
    metrics: Sequence[AskedMetric] = (),
    model: Model = "embedded",
    models: ModelOptions | None = None,
    documents: Documents | None = None,
    from_synthetic: str | None = None,
    from_human: str | None = None,
    limit: int | None = None,
    seed: int = 0,
    retry_failed: bool = False,
    overwrite: bool = False,
) -> ExperimentSummary:
    """Compares systems on a synthetic and a human benchmark, as ``ragassay experiment`` does: do both rank them alike?

    kind: "retrievers" or "generators", what the systems differ in. systems: name to what ``predict`` takes as system.
    synthetic, human: data sets, as the examples of ``evaluate``; from_synthetic, from_human: their formats, told by the
    content without a name.
    documents: for both; without them, a human set that brings none takes the synthetic set's.
    out: folder, which goes on where it was.
    metrics: names; the usual ones that both sets allow if there are none. model, models: as for ``evaluate``.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.metrics.aliases import ours
    from ragassay.pipeline.experiment.experiment import experiment as run_experiment
    from ragassay.pipeline.experiment.options import Benchmark, ExperimentOptions, named_systems
    from ragassay.pipeline.score.asked_metrics import asked_metrics, with_own_models

    names = tuple(map(ours, asked_metrics(metrics)))
    chosen = models_of(model, models)
    with at_hand() as hand:
        shared = hand.path(documents)
        made, beside_made = hand.dataset(synthetic, shared, None, from_synthetic)
        gold, beside_gold = hand.dataset(human, shared, None, from_human)
        return run_experiment(
            ExperimentOptions(
                kind=kind,
                systems=named_systems(systems),
                synthetic=Benchmark(dataset=made, documents=beside_made, from_format=from_synthetic),
                human=Benchmark(dataset=gold, documents=beside_gold, from_format=from_human),
                out=Path(out),
                metrics=names,
                models=replace(chosen, judges=()),
                judge=with_own_models(chosen, names),
                limit=limit,
                seed=seed,
                retry_failed=retry_failed,
                overwrite=overwrite,
            )
        )


@with_remote_paths("dataset", "documents", "out")
def sweep_dataset(
    dataset: object,
    grid: Mapping[str, Any],
    out: str | Path,
    *,
    metrics: Sequence[AskedMetric] = (),
    decides: str | None = None,
    search: str | Mapping[str, Any] | None = None,
    model: Model = "embedded",
    models: ModelOptions | None = None,
    from_format: str | None = None,
    documents: Documents | None = None,
    only: Mapping[str, str] | None = None,
    seed: int = 0,
    overwrite: bool = False,
) -> ShownSweep:
    """Tries every setting of a grid of the built-in system on a set, as ``ragassay sweep`` does.

    grid: part to a value or a list of values, as in the file of the command; see docs/sweeps.md. out: folder of the
    sweep, which goes on where it was. metrics: names; the first one decides which setting is best unless ``decides``
    names another. search: "grid", "random", "halving", or a mapping with its method and numbers.
    model: who judges and re-ranks, by name; models: the same with all that can be set, and the limits of all of it; who
    answers and embeds stands in the grid. dataset, from_format, documents, only: as the examples and the rest of
    ``evaluate``. overwrite: replace another sweep's results.
    ``outcome.best`` is the best setting of each label. A limit that was reached is in ``budget_reached``, what servers
    left unanswered in ``unanswered``.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.metrics.aliases import ours
    from ragassay.pipeline.score.asked_metrics import asked_metrics
    from ragassay.pipeline.sweep.options import SweepOptions, asked_search, mapping_of
    from ragassay.pipeline.sweep.sweep import sweep
    from ragassay.rag.space import space_of
    from ragassay.report.notebook import ShownSweep

    given = mapping_of(grid, "sweep_dataset: grid")
    listed = {part: [*value] if isinstance(value, tuple | range) else value for part, value in given.items()}
    with at_hand() as hand:
        data, beside = hand.dataset(dataset, documents, None, from_format)
        found = sweep(
            SweepOptions(
                dataset=data,
                out=Path(out),
                space=space_of(listed, "sweep_dataset"),
                format_name=from_format,
                documents=beside,
                only=tuple((only or {}).items()),
                metrics=tuple(map(ours, asked_metrics(metrics))),
                decides=decides or "",
                search=asked_search(search, "sweep_dataset"),
                seed=seed,
                models=models_of(model, models),
                overwrite=overwrite,
            )
        )
    return ShownSweep.of(found)
