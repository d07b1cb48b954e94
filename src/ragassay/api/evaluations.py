"""Systems and scores, of one system or of many settings."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.api.metrics import AskedMetric, Model
from ragassay.errors import UsageError
from ragassay.models import EMBEDDED
from ragassay.remote import with_remote_paths

if TYPE_CHECKING:
    from ragassay.api.given import Chunks, Documents
    from ragassay.jobs.asking.model_options import ModelOptions
    from ragassay.jobs.experiment.options import ExperimentKind
    from ragassay.jobs.score.result import Evaluation
    from ragassay.report.experiment import ExperimentSummary
    from ragassay.report.sweep import ShownSweep
    from ragassay.systems.base import System
    from ragassay.systems.spec import SystemSpec


@with_remote_paths("data", "documents", "predictions", "against", "judge_check", "out")
def evaluate(
    data: object,
    system: str | Callable[..., Any] | None = None,
    metrics: AskedMetric | Sequence[AskedMetric] = (),
    *,
    documents: Documents | None = None,
    chunks: Chunks | None = None,
    models: ModelOptions | None = None,
    **settings: Any,
) -> Evaluation:
    """Ask a system the questions of a set and score its answers, or score recorded answers.

    ``result["faithfulness"]`` is a mean, ``result.samples`` has every score, ``result.to_pandas()`` a table.

    data: path of a data set in any format that `ragassay convert` reads; or records (Example, Prediction, Document);
    or rows with user_input, response, retrieved_contexts and reference, as a list of mappings, a mapping of columns, a
    data set of Hugging Face or a pandas DataFrame.
    system: a function or object of LangChain or LlamaIndex; a name, such as "rag" or "http://localhost:8000/ask"; None
    for the answers in the data, and for the built-in system where these hold none.
    metrics: names, as `ragassay list metrics` has them, and metrics of your own: functions, ``module:function`` or the
    path of a file of functions; the usual ones that the data have the inputs for if there are none.
    documents: a path, or the documents themselves: mappings with id, title and text, or objects of LangChain or
    LlamaIndex. chunks: the user's own, with their document_id, or a JSONL file of them.
    models: all that can be set about models at once, in the place of ``model`` and the like.
    settings: options of ``ragassay evaluate`` with underscores, such as judge="openai:gpt-4o" or sample=100, and
    options of the system, such as top_k=5. A model may be a function from a prompt to a text, or an object with ask.
    Warns of what makes the figures doubtful, such as chunks that stand in none of the documents.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.jobs.answer.options import EvaluateOptions
    from ragassay.jobs.score.evaluate import evaluate as run
    from ragassay.options import read_settings_of, settings_of, unknown_keyword
    from ragassay.systems.options import KINDS

    known = {name for setting in settings_of(EvaluateOptions) for name in (setting.name, setting.key)}
    known -= {"system_options"}  # here they are arguments of their own
    given = {name: value for name, value in settings.items() if name in known and value is not None}
    of_system = {name: value for name, value in settings.items() if name not in known}
    for name in ("concurrency", "timeout", "system_version"):
        if name in given:
            of_system[name.removeprefix("system_")] = given.pop(name)
    known_of_system = {name for kind in KINDS.values() for name in kind.model_fields}
    if strange := next((name for name in of_system if name not in known_of_system), None):
        raise unknown_keyword(strange, known | known_of_system)
    spec, target = None, None
    if system or of_system:
        spec, target, chunks = _system(system or "rag", of_system, chunks)
    chunks = list(chunks) if isinstance(chunks, Iterator) else chunks  # they may be gone through twice
    if models is not None:
        given["models"] = models
    from ragassay.api.given import at_hand, records_of
    from ragassay.records import Prediction

    with at_hand() as hand:
        is_asked = spec is not None
        if isinstance(data, str | Path):
            given |= {"data": data, "documents": hand.path(documents)}
        else:
            if odd := {"from_format", "mapping", "map", "sample", "unique"} & given.keys():
                raise UsageError(f"{min(odd)}: only applies to files; leave it out")
            given["records"] = records_of(data, documents, chunks)
            is_asked = is_asked or not any(isinstance(each, Prediction) for each in given["records"])
        if is_asked or isinstance(data, str | Path):
            given["chunks"] = hand.chunks(chunks)
        given = {name: value for name, value in given.items() if value is not None}
        options = read_settings_of(EvaluateOptions, {"system": spec, "metrics": metrics, **given})
        done = run(options, system=target, keep_scores=True)
    doubts = done.predicted.doubts if done.predicted is not None else ()
    for note in dict.fromkeys((*doubts, *done.summary.doubts)):
        warnings.warn(note, stacklevel=3)
    return done


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
            "metrics=[...]"
        )
    if isinstance(chunks, str) and not chunks.endswith(".jsonl"):
        settings, chunks = settings | {"chunks": chunks}, None
    if not isinstance(system, str):
        return *spec_of(system, settings), chunks
    return parse_spec(system, more=settings, option="system"), None, chunks


@with_remote_paths("synthetic", "human", "documents", "out")
def experiment(
    kind: ExperimentKind,
    systems: Mapping[str, str | Callable[..., Any]],
    synthetic: object,
    human: object,
    out: str | Path,
    *,
    model: Model = EMBEDDED,
    models: ModelOptions | None = None,
    documents: Documents | None = None,
    **settings: Any,
) -> ExperimentSummary:
    """Compares systems on a synthetic and a human benchmark, as ``ragassay experiment`` does: do both rank them alike?

    kind: "retrievers" or "generators", what the systems differ in. systems: name to what ``predict`` takes as system.
    synthetic, human: data sets, as the examples of ``evaluate``. documents: for both; without them, a human set that
    brings none takes the synthetic set's. out: folder, which goes on where it was. model, models: as for ``evaluate``.
    settings: options of the command with underscores: metrics, from_human, limit, seed, retry_failed, overwrite.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.api.given import at_hand
    from ragassay.jobs.experiment.experiment import experiment as run_experiment
    from ragassay.jobs.experiment.options import ExperimentOptions
    from ragassay.options import read_settings_of

    with at_hand() as hand:
        shared = hand.path(documents)
        values = {name: value for name, value in settings.items() if value is not None} | {
            "kind": kind,
            "systems": [{"system": system, "name": name} for name, system in systems.items()],
            "synthetic": hand.dataset(synthetic, shared, settings.get("from_synthetic")),
            "human": hand.dataset(human, shared, settings.get("from_human")),
            "documents": shared,
            "out": out,
            "models": _models_of(model, models),
        }
        return run_experiment(read_settings_of(ExperimentOptions, values))


@with_remote_paths("dataset", "documents", "out")
def sweep_dataset(
    dataset: object,
    grid: Mapping[str, Any],
    out: str | Path,
    *,
    search: str | Mapping[str, Any] | None = None,
    model: Model = EMBEDDED,
    models: ModelOptions | None = None,
    from_format: str | None = None,
    documents: Documents | None = None,
    **settings: Any,
) -> ShownSweep:
    """Try every setting of a grid of the built-in system on a set, as ``ragassay sweep`` does.

    grid: part to a value or a list of values, as in the file of the command; see docs/sweeps.md. out: folder of the
    sweep, which goes on where it was. search: "grid", "random", or a mapping with its method and numbers. model: who
    judges and re-ranks, by name; models: the same with all that can be set; who answers and embeds stands in the grid.
    dataset, from_format, documents: as for ``evaluate``. settings: keys of the file: metrics, decides, only, seed,
    overwrite.
    ``outcome.best`` is the best setting of each label. A limit that was reached is in ``budget_reached``, what servers
    left unanswered in ``unanswered``.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.api.given import at_hand
    from ragassay.jobs.sweep.options import SweepOptions, mapping_of
    from ragassay.jobs.sweep.sweep import sweep
    from ragassay.options import read_settings_of
    from ragassay.rag.space import space_of
    from ragassay.report.sweep import ShownSweep

    given = mapping_of(grid, "sweep_dataset: grid")
    with at_hand() as hand:
        values = {name: value for name, value in settings.items() if value is not None} | {
            "dataset": hand.dataset(dataset, documents, from_format),
            "documents": hand.path(documents) if isinstance(dataset, str | Path) else None,
            "format_name": from_format,
            "out": out,
            "space": space_of(given, "sweep_dataset: grid"),
            **({"search": search} if search is not None else {}),
            "models": _models_of(model, models),
        }
        found = sweep(read_settings_of(SweepOptions, values))
    return ShownSweep.of(found)


def _models_of(model: Model, models: ModelOptions | None) -> ModelOptions:
    """The options, in which models that are at hand have names. Raises UsageError for what is no model."""
    from ragassay.jobs.asking.model_options import ModelOptions, model_name

    if models is None:
        return ModelOptions(model=model_name(model))
    if not isinstance(model, str) or model != EMBEDDED:
        raise UsageError("model and models are both given; name the model in models, or leave models out")
    return models
