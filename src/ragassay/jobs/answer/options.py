"""What ``ragassay evaluate`` is asked to do: a system and a set, or recorded answers, and metrics."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple

from ragassay.datasets.selection import ROWS, RowsFrom, RowsMap, RowsOnly, RowsSample, RowsUnique, Selection
from ragassay.documents.read import ReadOptions
from ragassay.errors import RagassayError
from ragassay.jobs.answer.beside import BesideOptions
from ragassay.jobs.asking.model_options import JudgeCheck, ModelOptions
from ragassay.models import EMBEDDED
from ragassay.options import Count, Group, Names, Option, Processes, Seed, settings, typed_as
from ragassay.rag.setting import TOP_K
from ragassay.records import Document, Prediction, to_json

if TYPE_CHECKING:
    from ragassay.metrics.metric import Metric
    from ragassay.systems.spec import SystemSpec

NOWHERE = Path()
NO_METRICS = "none"
"""In the place of metrics: the system is asked, and nothing is scored."""
RankBy = Literal["rank", "score"]
_FILE_OPTIONS = ("guard", "prompt", "file")
_BUILT_IN = ("rag", "no_retrieval", "ground_truth_context")
_SYSTEM = "System"
_LOOKED_AT = 400
"""Records that tell whether a data set holds answers."""
OF_SYSTEMS: Mapping[str, Any] = {
    **dict.fromkeys(("chunks", "concurrency", "timeout", "system_version", "limit")),
    "system_options": (),
    "retry_failed": False,
}
"""Settings of a system that is asked, as they are where none is."""


class Chosen(NamedTuple):
    """The metrics asked for, by how they are worked out. by_judge: by a model or the user's own code.

    of_file: the published scorer's, from a DragonBall file.
    """

    plain: tuple[tuple[Metric, int], ...]
    by_encoder: tuple[Metric, ...]
    by_judge: tuple[Metric, ...]
    of_file: tuple[Metric, ...]

    @property
    def on_records(self) -> tuple[tuple[Metric, int], ...]:
        """All with their depths but those of a file."""
        return (*self.plain, *((metric, 0) for metric in (*self.by_encoder, *self.by_judge)))

    @property
    def judged(self) -> tuple[Metric, ...]:
        """Those that a model decides."""
        return tuple(metric for metric in self.by_judge if metric.is_judged)


def our_metrics(given: Any) -> tuple[str, ...]:
    """Return the names of metrics; those of the user's own are known by them from then on."""
    from ragassay.jobs.asking.asked_metrics import asked_metrics

    if not given:
        return ()
    parts = [given] if isinstance(given, str) else given
    if isinstance(parts, list | tuple):
        parts = [part for each in parts for part in (each.split(",") if isinstance(each, str) else [each])]
    return asked_metrics(parts)


def _set(given: Any) -> Any:
    if isinstance(given, Mapping):
        typed = ((name, str(value).lower() if isinstance(value, bool) else value) for name, value in given.items())
        return tuple(f"{name}={value}" for name, value in typed)
    return (given,) if isinstance(given, str) else given


@settings
class EvaluateOptions:
    """Which system is asked the questions of a set, or whose recorded answers are scored, by which metrics.

    Without ``system``, answers that the data hold are scored, and the built-in system is asked where they hold none.
    """

    command: ClassVar[str] = "evaluate"

    data: Annotated[
        Path,
        Option("File or folder with an evaluation set, or with recorded answers.", metavar="DATA", is_argument=True),
    ] = NOWHERE
    predictions: Annotated[
        Path | None,
        Option(
            "JSONL file of predictions, or a run folder, if DATA holds none.", metavar="PREDICTIONS", is_argument=True
        ),
    ] = None
    system: Annotated[
        Any,
        Option(
            "System to ask: rag, rag:NAME=VALUE,..., http://HOST/PATH, function:MODULE:NAME, "
            "recorded:FILE, no_retrieval, ground_truth_context, or a .toml file. "
            "default: the answers in DATA, else rag.",
            metavar="SYSTEM",
            panel=_SYSTEM,
        ),
    ] = None
    system_options: Annotated[
        tuple[str, ...],
        typed_as(_set),
        Option("Option of the system; repeatable.", flags=("--set",), metavar="NAME=VALUE", panel=_SYSTEM),
    ] = ()
    chunks: Annotated[
        Path | None,
        Option(
            "JSONL file of your own chunks (id, document_id, text): the built-in system searches them as they are, "
            "other systems cite their ids. Without documents, they also make up the documents.",
            metavar="FILE",
            panel=_SYSTEM,
        ),
    ] = None
    concurrency: Annotated[
        Count | None,
        Option(
            "Questions at the same time; default: what suits the system.",
            panel=_SYSTEM,
            is_rare=True,
            is_about_work=True,
        ),
    ] = None
    timeout: Annotated[
        float | None,
        Option("Seconds before a question counts as failed; default: 60.", panel=_SYSTEM, is_about_work=True),
    ] = None
    system_version: Annotated[
        str | None,
        Option(
            "Your version label for an external system; a new one asks all questions again.",
            panel=_SYSTEM,
            is_rare=True,
        ),
    ] = None
    retry_failed: Annotated[bool, Option("Ask failed questions again.", panel=_SYSTEM, is_about_work=True)] = False
    metrics: Annotated[
        tuple[str, ...],
        typed_as(our_metrics),
        Option(
            "Metrics, separated by commas, also your own as MODULE:FUNCTION or FILE.py; `none` only asks the system. "
            "default: the usual ones. `ragassay list metrics --all` lists all.",
            metavar="NAMES",
        ),
    ] = ()
    out: Annotated[
        Path,
        Option(
            "Folder for predictions and scores; continues earlier work.",
            metavar="RUN",
            panel="Output",
            is_about_work=True,
        ),
    ] = NOWHERE
    overwrite: Annotated[
        bool, Option("Forget what the folder holds, and start over.", panel="Output", is_about_work=True)
    ] = False
    documents: Annotated[
        Path | None, Option("Documents, if DATA does not hold them: JSONL, or files and folders.", metavar="PATH")
    ] = None
    from_format: RowsFrom = None
    split: Annotated[
        str | None, Option("Split of a BEIR folder; default: test, or all.", metavar="NAME", panel=ROWS, is_rare=True)
    ] = None
    only: RowsOnly = ()
    limit: Annotated[Count | None, Option("Only ask the first N questions.", metavar="N", panel=ROWS)] = None
    sample: RowsSample = None
    unique: RowsUnique = False
    mapping: RowsMap = field(default_factory=dict)
    system_name: Annotated[
        str | None,
        Option("Whose answers to score, where DATA holds those of several.", metavar="NAME", panel=ROWS, is_rare=True),
    ] = None
    against: Annotated[
        Path | None,
        Option(
            "Predictions of another system, for gpt_ranking metrics.", metavar="PREDICTIONS", panel=ROWS, is_rare=True
        ),
    ] = None
    rank_by: Annotated[
        RankBy,
        Option(
            "Rank chunks as they stand, or by their scores, highest first.",
            metavar="rank|score",
            panel=ROWS,
            is_rare=True,
        ),
    ] = "rank"
    by: Annotated[
        Names, Option("Fields of the documents, such as domain, to break the figures down by.", metavar="FIELDS")
    ] = ()
    seed: Annotated[Seed, Option("Random seed of ties in rankings by a judge, and of --sample.")] = 0
    questions: Annotated[
        Count,
        Option("Questions that a language model writes for each answer, for answer_relevance.", is_rare=True),
    ] = 3
    evasive_is_zero: Annotated[bool, Option("Give evasive answers an answer_relevance of 0.", is_rare=True)] = False
    judge_check: JudgeCheck = None
    beside: Annotated[BesideOptions, Group()] = field(default_factory=BesideOptions)
    processes: Processes = None
    read: Annotated[ReadOptions, Group()] = field(default_factory=ReadOptions)
    models: Annotated[ModelOptions, Group(frozenset({"answers"}))] = field(default_factory=ModelOptions)
    top_k: int = TOP_K
    """Depth of the usual metrics."""
    records: Sequence[Any] | None = None
    """What is asked about or scored, where it is at hand already."""
    judged: Mapping[str, Any] | None = None
    """Of a BEIR folder, whose other queries are not asked; None for those of its test split."""
    published: Path | None = None
    """The DragonBall file that the answers come from; None to find out whether the data are one."""

    # Of the system

    @cached_property
    def asks_system(self) -> bool:
        """Whether a system is asked; else recorded answers are scored."""
        if self.system is not None or self.system_options or self.metrics == (NO_METRICS,):
            return True
        if self.records is not None:
            return not any(isinstance(record, Prediction) for record in self.records)
        return self.predictions is None and not _holds_answers(self)

    @cached_property
    def spec(self) -> SystemSpec:
        """The system to ask. Raises UsageError."""
        from ragassay.systems.spec import SystemSpec, parse_spec

        if isinstance(self.system, SystemSpec):
            return self.system
        asking = {"concurrency": self.concurrency, "timeout": self.timeout, "version": self.system_version}
        return parse_spec(self.system or "rag", self.system_options, asking)

    @property
    def is_built_in(self) -> bool:
        """Whether the system is ours: models and documents are for it alone."""
        return self.spec.kind in _BUILT_IN

    @property
    def answering(self) -> ModelOptions:
        """Who answers and embeds for a built-in system; with its prompt in the place of that of the task."""
        from ragassay.systems.options import NoRetrievalOptions
        from ragassay.tasks.answering import ANSWER, CLOSED_BOOK
        from ragassay.tasks.prompts import read_own_text

        if not self.is_built_in:
            return ModelOptions(coverage=self.models.coverage)
        models = replace(self.models, judges=(), further=()).without_idle_limits()
        name = getattr(self.spec.options, "prompt", None)
        if name is None:
            return models
        task = CLOSED_BOOK if isinstance(self.spec.options, NoRetrievalOptions) else ANSWER
        text = read_own_text(self.spec.file(name), "prompt")
        return replace(models, prompts=models.prompts.with_prompt(task.name, text))

    @property
    def shown_data(self) -> str:
        """What settings say of the data."""
        from ragassay.documents.sources import shown_path

        return shown_path(self.data) if self.records is None else f"{len(self.records)} records"

    # Of the metrics

    @cached_property
    def judging(self) -> ModelOptions:
        """Who judges: with the models that metrics name themselves."""
        from ragassay.jobs.asking.asked_metrics import with_own_models

        judges = self.models.judges
        alone = replace(self.models, model=self.models.name_of("judge"), judges=judges if len(judges) > 1 else ())
        return with_own_models(alone, self.names).without_idle_limits()

    @property
    def uses_servers(self) -> bool:
        """Whether anything is asked of a server."""
        return self.judging.uses_servers or (self.asks_system and self.answering.uses_servers)

    @property
    def names(self) -> list[str]:
        """The metrics by name, in the order in which they were asked for; none for the usual ones."""
        named = (name.strip() for name in self.metrics if name.strip())
        return [name for name in dict.fromkeys(named) if name != NO_METRICS]

    @cached_property
    def chosen(self) -> Chosen:
        """The metrics of the names. Raises UsageError for one that there is not."""
        from ragassay.metrics.catalogue import metrics_named
        from ragassay.metrics.released import FILE_METRICS

        of_file = [name for name in self.names if name in FILE_METRICS]
        of_file = of_file if of_file and self.dragonball is not None else []
        others = [name for name in self.names if name not in of_file]
        metrics = metrics_named(others) if others else []
        return Chosen(
            plain=tuple(each for each in metrics if each[0].needs == "nothing"),
            by_encoder=tuple(metric for metric, _ in metrics if metric.needs == "encoder"),
            by_judge=tuple(metric for metric, _ in metrics if metric.judge is not None),
            of_file=tuple(metric for metric, _ in metrics_named(of_file)) if of_file else (),
        )

    @property
    def selection(self) -> Selection:
        """Which rows are taken."""
        only = () if self.asks_system else self.only  # a system searches only what it is asked about
        return Selection(only=only, mapping=self.mapping, sample=self.sample, seed=self.seed, unique=self.unique)

    @property
    def dragonball(self) -> Path | None:
        """The file with the answers that the published scorer reads, if there is one."""
        if self.published is not None:
            return self.published
        if self.records is not None or self.predictions is not None or self.mapping:
            return None
        return self.data if is_dragonball(self.data, self.from_format) else None

    # What a folder keeps

    def identity(self) -> dict[str, Any]:
        """What has to be the same for a run to go on; of a system outside, only how it is set up can be known."""
        from ragassay.tasks.answering import ANSWER, CLOSED_BOOK
        from ragassay.version import __version__

        found: dict[str, Any] = {"system": self.spec.settings()}
        for name in _FILE_OPTIONS:
            value = getattr(self.spec.options, name, None)
            if isinstance(value, str):
                found[f"content of {name}"] = _digest(self.spec.file(value))
        if self.chunks is not None:
            found["content of chunks"] = _digest(self.chunks)
        if self.is_built_in:
            found["version"] = __version__
            asked = replace(self.models, judges=(), further=()).without_idle_limits().asked()
            # no answer depends on how answers are judged
            found["models"] = {name: value for name, value in asked.items() if name not in ("prompts", "judging")}
            prompts = self.models.prompts.prompts
            found["prompts"] = {
                name: prompts[name] for name in sorted({ANSWER.name, CLOSED_BOOK.name} & prompts.keys())
            }
        return found

    def settings_of_answers(self) -> dict[str, Any]:
        """What run.json says besides."""
        from ragassay.documents.sources import shown_path

        said: dict[str, Any] = {
            "dataset": self.shown_data,
            "documents": shown_path(self.documents) if self.documents else None,
        }
        if self.only:
            said["only"] = ", ".join(f"{name}={value}" for name, value in self.only)
        answering = self.answering
        models = answering.settings() if self.is_built_in else {}
        if models and answering.answers is None and answering.model == EMBEDDED:
            models = {"model": EMBEDDED}
        return {"command": self.command, "settings": {**said, **models}}

    def settings(self) -> dict[str, str]:
        """Option name to value as text, as reports show them."""
        from ragassay.documents.sources import shown_path

        beside = {
            "predictions": self.predictions,
            "people": self.beside.people,
            "against": self.against,
            "documents": self.documents,
            "judge check": self.judge_check,
        }
        return {
            "data": self.shown_data,
            **{name: shown_path(path) for name, path in beside.items() if path is not None},
            **self.selection.settings(),
            "metrics": ", ".join(self.names),
            "questions of answer relevance": str(self.questions),
            "evasive answers": "0" if self.evasive_is_zero else "as judged",
            **({"rank by": "score"} if self.rank_by == "score" else {}),
            "seed": str(self.seed),
            **self.judging.settings(),
        }

    def fingerprint(self) -> str:
        """Equal for two runs that are asked the same of the same paths by the same version."""
        from ragassay.jobs.folders.run_folder import fingerprint_of
        from ragassay.metrics.catalogue import own_code

        data: dict[str, Any] = {}
        if self.records is not None:
            lines = "\n".join(map(to_json, self.records))
            data = {"data": None, "records": hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()}
        return fingerprint_of(self, metrics=self.names, own_code=own_code(self.names), models=self.judging, **data)


def _holds_answers(options: EvaluateOptions) -> bool:
    """Return whether recorded answers stand in a data set, as its first rows tell.

    A file that cannot be read counts as if: who scores it says what is wrong with it.
    """
    from ragassay.datasets.foreign import holds_documents
    from ragassay.datasets.registry import read_dataset

    data, beside = options.data, options.documents
    if data.is_dir():
        return (data / "predictions.jsonl").is_file()
    documents = beside if beside is not None and beside.exists() and holds_documents(beside) else None
    corpus = () if beside is not None and documents is None else None
    rows = read_dataset(
        data,
        format_name=options.from_format,
        documents=documents,
        corpus=corpus,
        selection=Selection(mapping=options.mapping),
    )
    try:
        first = islice((record for record in rows if not isinstance(record, Document)), _LOOKED_AT)
        return any(isinstance(record, Prediction) for record in first)
    except RagassayError:
        return True


def is_dragonball(data: Path, from_format: str | None) -> bool:
    """Whether it is a file of DragonBall's queries, by the name of its format or its content."""
    from ragassay.datasets.registry import recognised

    return data.is_file() and (from_format or recognised(data).name) == "dragonball"


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else ""
    except OSError:
        return ""
