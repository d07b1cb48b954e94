"""What cannot be meant by the settings of ``ragassay evaluate``, said before anything is read or written."""

from __future__ import annotations

from pathlib import Path

from ragassay.errors import InputError, UsageError
from ragassay.jobs.answer.options import NO_METRICS, NOWHERE, OF_SYSTEMS, EvaluateOptions
from ragassay.models import EMBEDDED
from ragassay.options import settings_of
from ragassay.people.agreement.verdicts_by_people import read_verdicts

_OF_RECORDED = ("predictions", "system_name", "by", "rank_by", "against")


def check_evaluation(options: EvaluateOptions) -> None:
    """Raise UsageError or InputError for what cannot be meant."""
    data = options.data if options.records is None else None
    for path in (data, options.predictions, options.documents, options.against):
        if path is not None and (path == NOWHERE or not path.exists()):
            name = "DATA: missing" if path == NOWHERE else f"{path} does not exist"
            raise InputError(f"{name}; give the path of a file or folder")
    if options.beside.people is not None:
        read_verdicts(options.beside.people)
    if not options.uses_servers:
        options.models.check(lexical=True)  # no limit holds where nothing is asked
    if options.asks_system:
        check_system(options)
    if options.beside.decide_against is not None:
        _check_decision(options, options.beside.decide_against)
    check_metrics(options)


def _check_decision(options: EvaluateOptions, against: Path) -> None:
    if options.out == NOWHERE:
        raise UsageError("--out: missing; a comparison in batches keeps its answers in a folder")
    if options.out.resolve() == against.resolve():
        raise UsageError(f"--decide-against: {against} is also --out; name another folder for the new answers")
    if not options.asks_system:
        raise UsageError("--decide-against: needs a system to ask; use `ragassay compare` for recorded answers")
    if not options.names:
        raise UsageError("--metrics: missing; name the metric that decides, first")


def check_system(options: EvaluateOptions) -> None:
    """Raise UsageError or InputError for what cannot be meant of a system."""
    if given := [name for name in _OF_RECORDED if getattr(options, name) not in ((), None, "rank")]:
        raise UsageError(f"{_option(given[0])}: only applies to recorded answers, but a system is asked; leave one out")
    if options.chunks is not None:
        _check_chunks(options, options.chunks)
    if options.metrics == (NO_METRICS,):
        _check_nothing_is_scored(options)
    options.answering.check()


def _check_nothing_is_scored(options: EvaluateOptions) -> None:
    if options.out == NOWHERE:
        raise UsageError("--out: missing; name the folder for the answers")
    if options.models.judges:
        raise UsageError("--judge: no metric is computed; leave it out")
    named = {"model": options.models.model, "embeddings": options.models.embeddings}
    given = next((name for name, value in named.items() if value != EMBEDDED), None)
    if given is not None and not options.is_built_in:
        raise UsageError(f"--{given}: only applies to built-in systems, not to {options.spec.kind}; leave it out")


def _check_chunks(options: EvaluateOptions, chunks: Path) -> None:
    if not chunks.is_file():
        raise InputError(f"--chunks: {chunks} is not a file; give a JSONL file of chunks")
    if options.spec.kind in ("no_retrieval", "ground_truth_context"):
        raise UsageError(f"--chunks: {options.spec.kind} does not search; leave them out")
    cutting = sorted({"chunker", "chunk_size", "overlap"} & options.spec.options.model_fields_set)
    if cutting and options.is_built_in:
        raise UsageError(f"{cutting[0]}: cannot be combined with --chunks, which are searched as they are")


def check_metrics(options: EvaluateOptions) -> None:
    """Raise UsageError for metrics and judges that do not fit."""
    if not options.asks_system and (given := [name for name in OF_SYSTEMS if getattr(options, name)]):
        raise UsageError(
            f"{_option(given[0])}: no system is asked, as {options.predictions or options.data} holds answers; "
            "name one with --system, or leave it out"
        )
    options.judging.check(lexical=True)
    if "judge" not in options.judging.on_servers:
        own = dict(options.judging.further)
        by_model = [metric for metric in options.chosen.judged if metric.needs == "language model"]
        if lacking := [metric.name for metric in by_model if metric.name not in own]:
            needs = "needs a language model" if len(lacking) == 1 else "need a language model"
            raise UsageError(f"{', '.join(lacking)} {needs}; name one with --model, or leave the metric out")
    if options.judge_check is not None and options.names and not options.chosen.judged:
        raise UsageError("--judge-check: no metric uses a judge; leave it out")


def _option(name: str) -> str:
    """Return how a setting is typed."""
    return next(setting.said for setting in settings_of(EvaluateOptions) if setting.name == name)
