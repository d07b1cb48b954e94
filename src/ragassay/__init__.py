"""Ragassay: evaluation sets from documents, scores for RAG systems, and how far to believe them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pandas import DataFrame

    from ragassay.corpus.chunkers import ChunkerName
    from ragassay.pipeline.agreeing import Agreement
    from ragassay.pipeline.experiment_options import ExperimentKind
    from ragassay.pipeline.filtering import Filtered
    from ragassay.pipeline.judge_check import JudgeCheck, JudgeCheckOptions, JudgeRepeat
    from ragassay.pipeline.judge_pairs import JudgePairs
    from ragassay.pipeline.judging_stage import Judged
    from ragassay.pipeline.model_options import ModelOptions
    from ragassay.pipeline.predict import Predicted
    from ragassay.pipeline.run import Run
    from ragassay.pipeline.scoring_result import Evaluation
    from ragassay.pipeline.synthesis_options import SynthesizerName
    from ragassay.pipeline.synthesize import Synthesized
    from ragassay.records import Label
    from ragassay.report.experiment_summary import ExperimentSummary

__version__ = "0.1.0"
__all__ = [
    "__version__",
    "agree",
    "build_judge_pairs",
    "check_judge",
    "critique_dataset",
    "evaluate",
    "experiment",
    "filter_dataset",
    "label_dataset",
    "predict",
    "read_annotations",
    "repeat_judge",
    "run",
    "synthesize",
]


def run(
    documents: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    n: int = 100,
    mix: Mapping[str, float] | None = None,
    seed: int = 0,
    model: str = "embedded",
    models: ModelOptions | None = None,
    chunker: ChunkerName = "recursive",
    chunk_sizes: Sequence[int] | None = None,
    prefix: Sequence[str] = (),
    text_field: str | None = None,
    title_field: str | None = None,
    max_document_mb: float = 20,
    overwrite: bool = False,
    processes: int | None = None,
) -> Run:
    """Makes an evaluation set from documents, compares retrievers on it, writes a run folder, as ``ragassay run`` does.

    documents: files and folders. out: folder of the run. n: examples wanted. mix: label to share, adding up to 1.
    model: who writes, judges and answers, by name; models: the same with all that can be set about it.
    chunker, chunk_sizes: how documents are cut and the sizes to compare, in characters, sentences or tokens; None for
    the chunker's usual ones. prefix: fields of a document that are indexed in front of its chunks, such as title.
    text_field, title_field: of JSONL records. max_document_mb: larger files are skipped. overwrite: replace another run
    in the folder. processes: that share the work, one a core if None.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.corpus.read import ReadOptions  # imported late: `import ragassay` stays fast
    from ragassay.pipeline.options import RunOptions
    from ragassay.pipeline.run import run as run_all
    from ragassay.synthesis.options import DEFAULT_MIX, parse_mix

    paths = [documents] if isinstance(documents, str | Path) else documents
    shares = parse_mix(",".join(f"{label}={share}" for label, share in mix.items())) if mix is not None else DEFAULT_MIX
    return run_all(
        RunOptions(
            documents=tuple(Path(path) for path in paths),
            out=Path(out),
            n=n,
            mix=shares,
            seed=seed,
            models=_models(model, models),
            chunker=chunker,
            chunk_sizes=None if chunk_sizes is None else tuple(sorted(set(chunk_sizes))),
            prefix=tuple(prefix),
            read=ReadOptions(text_field=text_field, title_field=title_field, max_document_mb=max_document_mb),
            overwrite=overwrite,
            processes=processes,
        )
    )


def check_judge(
    data: str | Path | None = None,
    *,
    quality: str | None = None,
    model: str = "embedded",
    models: ModelOptions | None = None,
    blocks: str | Path | None = None,
    out: str | Path | None = None,
    seed: int = 0,
) -> JudgeCheck:
    """Measures a judge on what people have compared or rated, as ``ragassay judge check`` does.

    data: JSONL file of pairs, comparisons or rated answers; None for the set that comes with the package. quality: one
    of faithfulness, answer_relevance, context_relevance, preference, truthfulness; None for all that the lines say.
    model: who judges, by name; models: the same with all that can be set about it. blocks: file of knowledge blocks.
    out: folder for values, figures and the log of calls. seed: of intervals, the random control and ties of rankings.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.pipeline.judge_check import check_judge as check

    return check(_judge_check_options(data, quality, model, models, blocks, out, seed))


def repeat_judge(
    data: str | Path | None = None,
    *,
    quality: str | None = None,
    model: str = "embedded",
    models: ModelOptions | None = None,
    blocks: str | Path | None = None,
    out: str | Path | None = None,
    seed: int = 0,
) -> JudgeRepeat:
    """Asks a judge the same twice and sets the values against each other, as ``ragassay judge repeat`` does.

    The arguments are those of ``check_judge``.
    """
    from ragassay.pipeline.judge_check import repeat_judge as repeat

    return repeat(_judge_check_options(data, quality, model, models, blocks, out, seed))


def build_judge_pairs(
    documents: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    n: int = 20,
    seed: int = 0,
    model: str = "embedded",
    models: ModelOptions | None = None,
    overwrite: bool = False,
) -> JudgePairs:
    """Builds pairs of a better and a worse item from documents, to check judges on, as ``ragassay judge pairs`` does.

    documents: files and folders. out: JSONL file to write. n: pairs of each of three qualities. The same seed and
    documents give the same pairs. model: who writes them, by name; models: the same with all that can be set about it.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.pipeline.judge_pairs import JudgePairsOptions
    from ragassay.pipeline.judge_pairs import build_judge_pairs as build

    paths = [documents] if isinstance(documents, str | Path) else documents
    return build(
        JudgePairsOptions(
            documents=tuple(Path(path) for path in paths),
            out=Path(out),
            n=n,
            seed=seed,
            models=_models(model, models),
            overwrite=overwrite,
        )
    )


def _judge_check_options(
    data: str | Path | None,
    quality: str | None,
    model: str,
    models: ModelOptions | None,
    blocks: str | Path | None,
    out: str | Path | None,
    seed: int,
) -> JudgeCheckOptions:
    from ragassay.agreement.check_items import parse_quality
    from ragassay.pipeline.judge_check import JudgeCheckOptions

    return JudgeCheckOptions(
        data=None if data is None else Path(data),
        quality=None if quality is None else parse_quality(quality),
        blocks=None if blocks is None else Path(blocks),
        models=_models(model, models),
        out=None if out is None else Path(out),
        seed=seed,
    )


def synthesize(
    documents: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    synthesizer: SynthesizerName = "statements",
    n: int = 100,
    mix: Mapping[Label, float] | None = None,
    seed: int = 0,
    model: str = "embedded",
    models: ModelOptions | None = None,
    text_field: str | None = None,
    title_field: str | None = None,
    overwrite: bool = False,
    **settings: Any,
) -> Synthesized:
    """Makes an evaluation set from documents with one synthesizer, as ``ragassay synthesize`` does.

    documents: files and folders; none for a scenario from a schema. out: folder of the set. synthesizer: see
    docs/synthesizers.md. n: examples wanted. mix: label to share, adding up to 1; None for the synthesizer's own.
    model: who writes, judges and answers, by name; models: the same with all that can be set about it.
    text_field, title_field: of JSONL records. overwrite: replace another set in the folder.
    settings: further fields of ``ragassay.pipeline.synthesis_options.SynthesizeOptions``, such as pairs or schema.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.corpus.read import ReadOptions
    from ragassay.pipeline.synthesis_options import SynthesizeOptions
    from ragassay.pipeline.synthesize import synthesize_documents

    paths = [documents] if isinstance(documents, str | Path) else documents
    return synthesize_documents(
        SynthesizeOptions(
            documents=tuple(Path(path) for path in paths),
            out=Path(out),
            synthesizer=synthesizer,
            n=n,
            mix=mix,
            seed=seed,
            models=_models(model, models),
            read=ReadOptions(text_field=text_field, title_field=title_field),
            overwrite=overwrite,
            **settings,
        )
    )


def label_dataset(
    data: str | Path,
    out: str | Path,
    *,
    model: str = "embedded",
    models: ModelOptions | None = None,
    documents: str | Path | None = None,
    max_context_chars: int = 10_000,
    overwrite: bool = False,
) -> Judged:
    """Labels every example of a data set and writes the set with the labels, as ``ragassay label`` does.

    data, out: files or folders in any format that `ragassay convert` knows. model: who labels, by name; models: the
    same with all that can be set about it. documents: a file of documents beside the set. max_context_chars: pairs with
    a longer context are left out and counted. overwrite: replace a file ``out``.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.pipeline.judging_options import JudgingOptions
    from ragassay.pipeline.judging_stage import label_dataset as label

    return label(
        JudgingOptions(
            data=Path(data),
            out=Path(out),
            documents=None if documents is None else Path(documents),
            models=_models(model, models),
            max_context_chars=max_context_chars,
            overwrite=overwrite,
        )
    )


def critique_dataset(
    data: str | Path,
    out: str | Path,
    *,
    critiques: Sequence[str] | None = None,
    model: str = "embedded",
    models: ModelOptions | None = None,
    documents: str | Path | None = None,
    max_context_chars: int = 10_000,
    overwrite: bool = False,
) -> Judged:
    """Rates every example of a data set and writes the set with the ratings, as ``ragassay critique`` does.

    critiques: their names, all eight if None. The rest is as for ``label_dataset``.
    """
    from ragassay.pipeline.judging_options import JudgingOptions, parse_critiques
    from ragassay.pipeline.judging_stage import critique_dataset as critique

    return critique(
        JudgingOptions(
            data=Path(data),
            out=Path(out),
            critiques=parse_critiques("all" if critiques is None else ",".join(critiques)),
            documents=None if documents is None else Path(documents),
            models=_models(model, models),
            max_context_chars=max_context_chars,
            overwrite=overwrite,
        )
    )


def filter_dataset(
    data: str | Path,
    out: str | Path,
    *,
    least: Mapping[str, int] | None = None,
    most: Mapping[str, int] | None = None,
    labels: Sequence[str] = (),
    verified_only: bool = False,
    overwrite: bool = False,
) -> Filtered:
    """Writes the examples that meet all conditions, and why the others do not, as ``ragassay filter`` does.

    least, most: critique to the lowest and the highest rating that passes. labels: those that pass, all if none is
    named. verified_only: the verified label has to be the requested one.
    """
    from ragassay.pipeline.filtering import FilterOptions, parse_labels
    from ragassay.pipeline.filtering import filter_dataset as keep

    return keep(
        FilterOptions(
            data=Path(data),
            out=Path(out),
            least=dict(least or {}),
            most=dict(most or {}),
            labels=parse_labels(",".join(labels)),
            verified_only=verified_only,
            overwrite=overwrite,
        )
    )


def predict(
    dataset: str | Path,
    system: str | Callable[..., Any],
    out: str | Path,
    *,
    model: str = "embedded",
    models: ModelOptions | None = None,
    from_format: str | None = None,
    documents: str | Path | None = None,
    limit: int | None = None,
    retry_failed: bool = False,
    overwrite: bool = False,
    **settings: Any,
) -> Predicted:
    """Puts the questions of a set to a system and keeps what it answers, as ``ragassay predict`` does.

    system: a function or object of LangChain or LlamaIndex; or a name, such as "rag" or "http://localhost:8000/ask".
    settings: options of the system, such as top_k=5 or concurrency=4. out: folder of the predictions, which goes on
    where it was. model: who answers for the built-in systems, by name; models: the same with all that can be set.
    from_format, documents: of the set, as for ``evaluate``. limit: only the first so many questions. retry_failed: ask
    those again that failed. overwrite: forget what the folder holds, and ask all again.
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
    return run_system(
        PredictOptions(
            dataset=Path(dataset),
            system=spec,
            out=Path(out),
            from_format=from_format,
            documents=None if documents is None else Path(documents),
            limit=limit,
            retry_failed=retry_failed,
            overwrite=overwrite,
            models=_models(model, models),
        ),
        system=asked,
    )


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
    commit themselves. out: folder for the results. processes: that share the work, one a core if None.
    A limit that was reached, and a judge that did not answer, are in ``result.summary``: missing values have reasons.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used, before anything is
    asked.
    """
    from ragassay.pipeline.scoring import score
    from ragassay.pipeline.scoring_options import NOWHERE, ScoreOptions
    from ragassay.pipeline.scoring_result import Evaluation, records_of

    is_path = isinstance(dataset, str | Path)
    options = ScoreOptions(
        metrics=tuple([metrics] if isinstance(metrics, str) else metrics),
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
        models=_models(model, models),
        out=NOWHERE if out is None else Path(out),
        overwrite=overwrite,
        processes=processes,
    )
    return Evaluation(score(options, keep_scores=True))


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
    limit: int | None = None,
    seed: int = 0,
    retry_failed: bool = False,
    overwrite: bool = False,
) -> ExperimentSummary:
    """Compares systems on a synthetic and a human benchmark, as ``ragassay experiment`` does: do both rank them alike?

    kind: "retrievers" or "generators", what the systems differ in. systems: name to what ``predict`` takes as system.
    synthetic, human: data sets; documents: for both, where they hold none. out: folder, which goes on where it was.
    metrics: names; the usual ones that both sets allow if there are none. model: who answers for built-in systems and
    judges, by name; models: the same with all that can be set, a judge of its own among it.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from dataclasses import replace

    from ragassay.pipeline.experiment import experiment as run_experiment
    from ragassay.pipeline.experiment_options import Benchmark, ExperimentOptions, named_systems

    chosen = _models(model, models)
    beside = None if documents is None else Path(documents)
    return run_experiment(
        ExperimentOptions(
            kind=kind,
            systems=named_systems(systems),
            synthetic=Benchmark(dataset=Path(synthetic), documents=beside),
            human=Benchmark(dataset=Path(human), documents=beside),
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


def read_annotations(paths: str | Path | Sequence[str | Path]) -> DataFrame:
    """Judgements of people as a data frame: subject_id, annotator, task, value, note.

    paths: folders of `ragassay annotate`, .jsonl or .csv files.
    Raises ragassay.errors.RagassayError with one clear sentence for files that cannot be used, and without pandas.
    """
    from ragassay.pipeline.agreeing import annotations_in

    return annotations_in([Path(path) for path in ([paths] if isinstance(paths, str | Path) else paths)])


def agree(
    annotations: str | Path | Sequence[str | Path],
    *,
    against: str | Path | None = None,
    metric: str | None = None,
    task: str | None = None,
    kept_from: float = 4.0,
    seed: int = 0,
) -> Agreement:
    """Agreement of people, and of a judge with them, as ``ragassay agree`` does: ``result["label"]``, ``to_pandas()``.

    annotations: folders of `ragassay annotate`, .jsonl or .csv files. against: what the judge said: a data set, a run
    folder or a file of scores. metric: the score that is set against people's ratings and preferences. task: only this
    one. kept_from: the rating from which people are taken to keep an item.
    Raises ragassay.errors.RagassayError with one clear sentence for files that cannot be used.
    """
    from ragassay.pipeline.agreeing import agree_on

    paths = [annotations] if isinstance(annotations, str | Path) else annotations
    return agree_on(
        [Path(path) for path in paths],
        against=None if against is None else Path(against),
        metric=metric,
        task=task,
        kept_from=kept_from,
        seed=seed,
    )


def _models(model: str, models: ModelOptions | None) -> ModelOptions:
    from ragassay.errors import UsageError
    from ragassay.pipeline.model_options import ModelOptions

    if models is not None and model != "embedded":
        raise UsageError("model and models are both given; name the model in models, or leave models out")
    return models or ModelOptions(model=model)
