"""What a sweep is asked to do, read from a YAML, TOML or JSON file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, field, fields, replace
from pathlib import Path
from typing import Annotated, Any

from ragassay.datasets.selection import RowsOnly
from ragassay.documents.sources import shown_path
from ragassay.errors import InputError, UsageError
from ragassay.jobs.answer.options import our_metrics
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.folders.run_folder import fingerprint_of
from ragassay.metrics.catalogue import metrics_named, own_code
from ragassay.metrics.metric import Metric
from ragassay.options import Group, Option, Seed, settings, typed_as
from ragassay.rag.setting import DECIDING, NO_GENERATOR, TOP_K, Setting
from ragassay.rag.space import Search, Space, space_of, tried
from ragassay.systems.steps import read_guard
from ragassay.tasks.prompts import read_own_text

RETRIEVAL_METRICS = (DECIDING, "recall@1", "mrr@10", "ndcg@10", f"reference_recall@{TOP_K}", f"eir@{TOP_K}")
ANSWER_METRICS = ("faithfulness", "answer_relevance", "completeness", "abstention_accuracy")
_BY_DATA = frozenset({"dataset", "documents", "format_name", "only", "space", "folder", "out", "overwrite"})
"""Options whose effect is in the documents, the examples and the settings, or that have none on values."""
_OF_CHOICE = frozenset({"search", "decides"})
"""Those that say which settings are tried and chosen."""


def _space(given: Any) -> Any:
    if isinstance(given, Space):  # made in Python, and not checked yet
        given = {each.name: value for each in fields(Space) if (value := getattr(given, each.name)) != each.default}
    return space_of(mapping_of(given, "grid:"), "grid")


def _search(given: Any) -> Any:
    return {"method": given} if isinstance(given, str) else given


@settings
class SweepOptions:
    """Which settings are tried on which set, and by which metric they are chosen.

    only: documents with this language, title, source or metadata alone are searched, and the examples that rest on them
    asked. folder: where files with guardrails and prompts that the grid names are looked for. models: what all of it
    may cost, and the share of the questions (coverage) that a setting needs values for to be chosen, and servers have
    to answer; who answers and embeds stands in the grid.
    """

    dataset: Annotated[Path, Option("Data set of the sweep.", is_in_file=True)]
    out: Annotated[Path, Option("Folder for the results; default: the one in CONFIG.", metavar="FOLDER")]
    space: Annotated[
        Space, typed_as(_space), Option("Values of each parameter.", flags=("--grid",), is_in_file=True)
    ] = field(default_factory=Space)
    format_name: Annotated[
        str | None, Option("Format of the set; default: detected.", flags=("--from",), is_in_file=True)
    ] = None
    documents: Annotated[Path | None, Option("Documents, if the set does not hold them.", is_in_file=True)] = None
    only: Annotated[RowsOnly, Option("Field and value of the documents to search.", is_in_file=True)] = ()
    metrics: Annotated[tuple[str, ...], typed_as(our_metrics), Option("Names of metrics.", is_in_file=True)] = ()
    decides: Annotated[str, Option("Metric that decides; default: the first.", is_in_file=True)] = ""
    search: Annotated[Search, typed_as(_search), Option("grid or random, with n.", is_in_file=True)] = field(
        default_factory=Search
    )
    seed: Annotated[Seed, Option("Random seed.", is_in_file=True)] = 0
    judge: Annotated[
        str | None,
        Option("Model that judges answers and re-ranks; default: the one in CONFIG.", metavar="MODEL", panel="Models"),
    ] = None
    overwrite: Annotated[
        bool, Option("Replace the results of another sweep; keep the settings that both have.", is_about_work=True)
    ] = False
    models: Annotated[
        ModelOptions, Group(frozenset({"model", "judges", "panel", "answers", "embeddings", "prompts"}))
    ] = field(default_factory=ModelOptions)
    folder: Path = Path()

    @property
    def with_judge(self) -> SweepOptions:
        """The same with the judge among the models."""
        if self.judge is None:
            return self
        return replace(self, judge=None, models=replace(self.models, model=self.judge))

    @property
    def answers(self) -> bool:
        """Whether any setting answers."""
        return any(name != NO_GENERATOR for name in self.space.generator)

    @property
    def metric_names(self) -> tuple[str, ...]:
        usual = (*RETRIEVAL_METRICS, *(ANSWER_METRICS if self.answers else ()))
        return tuple(dict.fromkeys((*(self.metrics or usual), *([self.decides] if self.decides else []))))

    @property
    def tried(self) -> tuple[Setting, ...]:
        """The settings that are tried at first. Raises UsageError for a space that is too large."""
        return tried(self.search, self.space, self.seed)[0]

    @property
    def deciding(self) -> str:
        return self.decides or self.metric_names[0]

    def check(self) -> list[tuple[Metric, int]]:
        """The metrics with their depths. Raises UsageError or InputError for what cannot be meant."""
        if not self.dataset.exists():
            raise InputError(f"{self.dataset} does not exist; give the data set of the sweep as dataset")
        metrics = metrics_named(self.metric_names)
        for metric, _ in metrics:
            if "other prediction" in metric.inputs:
                raise UsageError(
                    f"metrics: {metric.name} compares two systems, but a sweep scores each setting alone; leave it out"
                )
            if metric.model is not None:
                raise UsageError(f"metrics: {metric.name} has its own model, but a sweep has one judge; leave it out")
            if metric.kind != "retrieval" and not self.answers:
                raise UsageError(f"metrics: {metric.name} needs answers; add a generator to the grid, or leave it out")
        by_name = {metric.name: metric for metric, _ in metrics}
        if by_name[self.deciding].bounds is None:
            raise UsageError(f"decides: {self.deciding} has no upper bound; choose another metric")
        if not self.tried:
            raise UsageError("grid: must not be empty")
        for setting in self.tried:
            self.guarded(setting)
            self.prompt(setting)
        return metrics

    def guarded(self, setting: Setting) -> list[str]:
        """The questions that a setting refuses. Raises InputError for a file that cannot be used."""
        return read_guard(self.folder / Path(setting.guard).expanduser()) if setting.guard else []

    def prompt(self, setting: Setting) -> str:
        """The answerer's prompt in a setting, "" for the usual one. Raises InputError for a file that is no prompt."""
        return read_own_text(self.folder / Path(setting.prompt).expanduser(), "prompt") if setting.prompt else ""

    def settings(self) -> dict[str, Any]:
        """What the folder keeps of it."""
        return {
            "dataset": shown_path(self.dataset),
            "only": dict(self.only),
            "grid": {name: value for name, value in asdict(self.space).items() if value is not None},
            "search": asdict(self.search),
            "metrics": list(self.metric_names),
            "decides": self.deciding,
            "seed": self.seed,
            **self.models.settings(),
        }

    def fingerprint(self, data: str, setting: Setting | None = None) -> str:
        """Equal where a setting has the same values; without one, for the same sweep.

        data: the hash of documents and examples.
        """
        some = [setting] if setting else self.tried
        return fingerprint_of(
            self,
            _BY_DATA if setting is None else _BY_DATA | _OF_CHOICE,
            data=data,
            files=[(self.guarded(each), self.prompt(each)) for each in some if each.guard or each.prompt],
            metrics=self.metric_names,
            own_code=own_code(self.metric_names),
            settings=[each.fingerprint for each in some],
        )


def mapping_of(value: object, where: str) -> Mapping[str, Any]:
    """A mapping from names to values, none for None. Raises UsageError for anything else."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise UsageError(f"{where} must map names to values, not {type(value).__name__}")
    return value
