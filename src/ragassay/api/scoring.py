"""Systems and scores, of one system or of many settings."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.api.models import models_of

if TYPE_CHECKING:
    from ragassay.pipeline.experiment_options import ExperimentKind
    from ragassay.pipeline.model_options import ModelOptions
    from ragassay.pipeline.predict import Predicted
    from ragassay.pipeline.scoring_result import Evaluation
    from ragassay.report.experiment_summary import ExperimentSummary
    from ragassay.sweep.swept import Swept


def predict(
    dataset: str | Path,
    system: str | Callable[..., Any],
    out: str | Path,
    *,
    model: str = "embedded",
    models: ModelOptions | None = None,
    from_format: str | None = None,
    documents: str | Path | None = None,
    only: Mapping[str, str] | None = None,
    limit: int | None = None,
    retry_failed: bool = False,
    overwrite: bool = False,
    **settings: Any,
) -> Predicted:
    """Puts the questions of a set to a system and keeps what it answers, as ``ragassay predict`` does.

    system: a function or object of LangChain or LlamaIndex; or a name, such as "rag" or "http://localhost:8000/ask".
    settings: options of the system, such as top_k=5 or concurrency=4. out: folder of the predictions, which goes on
    where it was. model: who answers for the built-in systems, by name; models: the same with all that can be set.
    from_format, documents: of the set, as for ``evaluate``. only: language, title, source or metadata that documents
    have to have, and the questions that rest on them. limit: only the first so many questions. retry_failed: ask those
    again that failed. overwrite: forget what the folder holds, and ask all again.
    Warns where more than a tenth of the chunks stand in none of the documents.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.pipeline.predict import predict as run_system
    from ragassay.pipeline.predict_options import PredictOptions
    from ragassay.systems.function import spec_of
    from ragassay.systems.spec import parse_spec

    asked = None
    if isinstance(system, str):
        spec = parse_spec(system, more=settings)
    else:
        spec, asked = spec_of(system, settings)
    done = run_system(
        PredictOptions(
            dataset=Path(dataset),
            system=spec,
            out=Path(out),
            from_format=from_format,
            documents=None if documents is None else Path(documents),
            where=tuple((only or {}).items()),
            limit=limit,
            retry_failed=retry_failed,
            overwrite=overwrite,
            models=models_of(model, models),
        ),
        system=asked,
    )
    for note in done.doubts:
        warnings.warn(note, stacklevel=2)
    return done


def evaluate(
    dataset: object,
    metrics: Sequence[str],
    *,
    predictions: str | Path | None = None,
    model: str = "embedded",
    models: ModelOptions | None = None,
    from_format: str | None = None,
    documents: str | Path | None = None,
    system: str | None = None,
    against: str | Path | None = None,
    questions: int = 3,
    evasive_is_zero: bool = False,
    judge_check: str | Path | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    overwrite: bool = False,
    processes: int | None = 1,
) -> Evaluation:
    """Scores recorded predictions, as ``ragassay score`` does: ``result["faithfulness"]``, ``result.to_pandas()``.

    dataset: path of a data set in any format that `ragassay convert` reads; or records (Example, Prediction, Document);
    or rows as RAGAS has them, with user_input, response, retrieved_contexts and reference, as a list of mappings, a
    mapping of columns, a data set of Hugging Face or a pandas DataFrame.
    metrics: names, as ``ragassay metrics`` lists them. predictions: a file of them, or a run folder, in place of those
    of the data set. model: who judges, by name; models: the same with all that can be set about it.
    system: whose predictions, where there are several systems'. against: those of another system, for rankings.
    questions: that a language model writes for answer_relevance; evasive_is_zero: its value for answers that do not
    commit themselves. judge_check: folder of a check of the judge, as ``check_judge`` writes it. out: folder for the
    results. processes: that share the work, one a core if None.
    A limit that was reached, and a judge that did not answer, are in ``result.summary``: missing values have reasons.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used, before anything is
    asked.
    """
    from ragassay.pipeline.scoring import score
    from ragassay.pipeline.scoring_options import NOWHERE, ScoreOptions
    from ragassay.pipeline.scoring_result import Evaluation, names_of, records_of

    is_path = isinstance(dataset, str | Path)
    options = ScoreOptions(
        metrics=names_of(metrics),
        data=Path(str(dataset)) if is_path else NOWHERE,
        records=None if is_path else records_of(dataset),
        predictions=None if predictions is None else Path(predictions),
        from_format=from_format,
        documents=None if documents is None else Path(documents),
        system=system,
        against=None if against is None else Path(against),
        questions=questions,
        evasive_is_zero=evasive_is_zero,
        seed=seed,
        models=models_of(model, models),
        judge_check=None if judge_check is None else Path(judge_check),
        out=NOWHERE if out is None else Path(out),
        overwrite=overwrite,
        processes=processes,
    )
    done = score(options, keep_scores=True)
    for doubt in done.summary.doubts:
        warnings.warn(doubt, stacklevel=2)
    return Evaluation(done)


def experiment(
    kind: ExperimentKind,
    systems: Mapping[str, str | Callable[..., Any]],
    synthetic: str | Path,
    human: str | Path,
    out: str | Path,
    *,
    metrics: Sequence[str] = (),
    model: str = "embedded",
    models: ModelOptions | None = None,
    documents: str | Path | None = None,
    from_synthetic: str | None = None,
    from_human: str | None = None,
    limit: int | None = None,
    seed: int = 0,
    retry_failed: bool = False,
    overwrite: bool = False,
) -> ExperimentSummary:
    """Compares systems on a synthetic and a human benchmark, as ``ragassay experiment`` does: do both rank them alike?

    kind: "retrievers" or "generators", what the systems differ in. systems: name to what ``predict`` takes as system.
    synthetic, human: data sets; from_synthetic, from_human: their formats, told by the content without a name.
    documents: for both; without them, a human set that brings none takes the synthetic set's.
    out: folder, which goes on where it was.
    metrics: names; the usual ones that both sets allow if there are none. model: who answers for built-in systems and
    judges, by name; models: the same with all that can be set, a judge of its own among it.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from dataclasses import replace

    from ragassay.pipeline.experiment import experiment as run_experiment
    from ragassay.pipeline.experiment_options import Benchmark, ExperimentOptions, named_systems

    chosen = models_of(model, models)
    beside = None if documents is None else Path(documents)
    return run_experiment(
        ExperimentOptions(
            kind=kind,
            systems=named_systems(systems),
            synthetic=Benchmark(dataset=Path(synthetic), documents=beside, from_format=from_synthetic),
            human=Benchmark(dataset=Path(human), documents=beside, from_format=from_human),
            out=Path(out),
            metrics=tuple([metrics] if isinstance(metrics, str) else metrics),
            models=replace(chosen, judge=None),
            judge=chosen,
            limit=limit,
            seed=seed,
            retry_failed=retry_failed,
            overwrite=overwrite,
        )
    )


def sweep_dataset(
    dataset: str | Path,
    grid: Mapping[str, Any],
    out: str | Path,
    *,
    metrics: Sequence[str] = (),
    decides: str | None = None,
    search: str | Mapping[str, Any] | None = None,
    model: str = "embedded",
    models: ModelOptions | None = None,
    from_format: str | None = None,
    documents: str | Path | None = None,
    only: Mapping[str, str] | None = None,
    seed: int = 0,
    overwrite: bool = False,
) -> Swept:
    """Tries every setting of a grid of the built-in system on a set, as ``ragassay sweep`` does.

    grid: part to a value or a list of values, as in the file of the command; see docs/sweeps.md. out: folder of the
    sweep, which goes on where it was. metrics: names; the first one decides which setting is best unless ``decides``
    names another. search: "grid", "random", "halving", or a mapping with its method and numbers.
    model: who judges and re-ranks, by name; models: the same with all that can be set, and the limits of all of it; who
    answers and embeds stands in the grid. from_format, documents, only: as for ``predict``. overwrite: replace another
    sweep's results.
    ``outcome.best`` is the best setting of each label. A limit that was reached is in ``budget_reached``, what servers
    left unanswered in ``unanswered``.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.pipeline.sweep_options import SweepOptions
    from ragassay.pipeline.sweep_stage import sweep
    from ragassay.rag.space import space_of
    from ragassay.sweep.search import search_of

    listed = {part: [*value] if isinstance(value, tuple | range) else value for part, value in grid.items()}
    asked = {"method": search} if isinstance(search, str) else search
    return sweep(
        SweepOptions(
            dataset=Path(dataset),
            out=Path(out),
            space=space_of(listed, "sweep_dataset"),
            format_name=from_format,
            documents=None if documents is None else Path(documents),
            only=tuple((only or {}).items()),
            metrics=tuple([metrics] if isinstance(metrics, str) else metrics),
            decides=decides or "",
            search=search_of(asked or {}, "sweep_dataset"),
            seed=seed,
            models=models_of(model, models),
            overwrite=overwrite,
        )
    )
