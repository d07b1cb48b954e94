"""What scoring is asked to do."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, get_args

from ragassay.corpus.sources import printable, shown_path
from ragassay.datasets.format import Record
from ragassay.datasets.registry import recognised
from ragassay.datasets.selection import EVERYTHING, Selection
from ragassay.errors import InputError, UsageError, check_seed
from ragassay.metrics.aliases import ours
from ragassay.metrics.catalogue import metrics_named, own_code
from ragassay.metrics.metric import Metric
from ragassay.metrics.released.dragonball_file import FILE_METRICS
from ragassay.pipeline.asking.model_options import ModelOptions
from ragassay.pipeline.folders.run_folder import fingerprint_of
from ragassay.pipeline.score.default_metrics import TOP_K
from ragassay.records import to_json
from ragassay.tasks.verdicts import QUESTIONS_OF_AN_ANSWER

NOWHERE = Path()
RankBy = Literal["rank", "score"]


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

    @property
    def asks_models(self) -> bool:
        """Whether an encoder, a judge or the user's own code is needed."""
        return bool(self.by_encoder or self.by_judge)


@dataclass(frozen=True, kw_only=True)
class ScoreOptions:
    """metrics: names, as ``ragassay metrics`` has them; () for the usual ones that the data have the inputs for.

    data: file or folder with examples, and predictions; records: the same where they are at hand already.
    predictions: a file of predictions, or a run folder that holds one, in place of those of the data.
    from_format, documents, selection: as ``datasets.registry.read_dataset`` takes them. system: whose predictions,
    where there are several. against: predictions of the other system, for rankings.
    questions: n of answer relevance; evasive_is_zero: its value for answers that do not commit themselves.
    by: fields of documents, such as domain, that tables of their own are for.
    top_k: depth of the usual metrics. rank_by: chunks as they stand, or by score. seed: of the ties of rankings.
    models: who judges, and what that may cost.
    judge_check: folder of a check of the judge, whose figures are shown beside; None for what the package knows.
    published: the DragonBall file that the answers come from, whose texts the published scorer takes to the letter;
        None to find out whether the data are one.
    out: folder for the results, NOWHERE for none. overwrite: replace another run in it. processes: that share the work.
    """

    command: ClassVar[str] = "score"

    metrics: tuple[str, ...] = ()
    data: Path = NOWHERE
    records: Sequence[Record] | None = None
    predictions: Path | None = None
    from_format: str | None = None
    documents: Path | None = None
    selection: Selection = EVERYTHING
    system: str | None = None
    against: Path | None = None
    questions: int = QUESTIONS_OF_AN_ANSWER
    evasive_is_zero: bool = False
    by: tuple[str, ...] = ()
    top_k: int = TOP_K
    rank_by: RankBy = "rank"
    seed: int = 0
    models: ModelOptions = field(default_factory=ModelOptions)
    judge_check: Path | None = None
    published: Path | None = None
    out: Path = NOWHERE
    overwrite: bool = False
    processes: int | None = None

    def check(self) -> None:
        """Raises for what cannot be meant, before anything is read or written."""
        if self.questions < 1:
            raise UsageError(f"--questions: must be at least 1, not {self.questions}")
        if self.rank_by not in get_args(RankBy):
            raise UsageError(f"--rank-by: unknown value {self.rank_by!r}; choose rank or score")
        check_seed(self.seed)
        if self.processes is not None and self.processes < 1:
            raise UsageError(f"--processes: must be at least 1, not {self.processes}")
        self.models.check(lexical=True)
        self._check_judge()
        if self.judge_check is not None and self.names and not self.chosen.judged:
            raise UsageError("--judge-check: no metric uses a judge; leave it out")
        for path in (self.data if self.records is None else None, self.predictions, self.documents, self.against):
            if path is not None and not path.exists():
                raise InputError(f"{path} does not exist; give the path of a file or folder")

    @cached_property
    def chosen(self) -> Chosen:
        """The metrics of the names. Raises UsageError for one that there is not."""
        names = self.names
        of_file = [name for name in names if name in FILE_METRICS]
        if of_file and self.dragonball is None:
            of_file = []
        others = [name for name in names if name not in of_file]
        metrics = metrics_named(others) if others else []
        return Chosen(
            plain=tuple(each for each in metrics if each[0].needs == "nothing"),
            by_encoder=tuple(metric for metric, _ in metrics if metric.needs == "encoder"),
            by_judge=tuple(metric for metric, _ in metrics if metric.judge is not None),
            of_file=tuple(metric for metric, _ in metrics_named(of_file)) if of_file else (),
        )

    @property
    def dragonball(self) -> Path | None:
        """The file with the answers that the published scorer reads, if there is one."""
        if self.published is not None:
            return self.published
        if self.records is not None or self.predictions is not None or self.selection.mapping:
            return None
        return self.data if is_dragonball(self.data, self.from_format) else None

    @property
    def names(self) -> list[str]:
        """The metrics by our names, in the order in which they were asked for; none for the usual ones."""
        named = (ours(name.strip()).replace("_released_at_", "_released@") for name in self.metrics if name.strip())
        return list(dict.fromkeys(named))

    def settings(self) -> dict[str, str]:
        """Option name to value as text, as reports show them."""
        beside = {
            "predictions": self.predictions,
            "against": self.against,
            "documents": self.documents,
            "judge check": self.judge_check,
        }
        return {
            "data": printable(str(self.data)) if self.records is None else f"{len(self.records)} records",
            **{name: shown_path(path) for name, path in beside.items() if path is not None},
            **self.selection.settings(),
            "metrics": ", ".join(self.names),
            "questions of answer relevance": str(self.questions),
            "evasive answers": "0" if self.evasive_is_zero else "as judged",
            **({"rank by": "score"} if self.rank_by == "score" else {}),
            "seed": str(self.seed),
            **self.models.settings(),
        }

    def fingerprint(self) -> str:
        """Equal for two runs that are asked the same of the same paths by the same version."""
        data: dict[str, Any] = {"data": None, "records": self._digest()} if self.records is not None else {}
        return fingerprint_of(self, metrics=self.names, own_code=own_code(self.names), **data)

    def _digest(self) -> str:
        lines = "\n".join(to_json(record) for record in self.records or ())
        return hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()

    def _check_judge(self) -> None:
        if "judge" in self.models.on_servers:
            return
        by_judge = [metric for metric in self.chosen.judged if metric.name not in dict(self.models.further)]
        lacking = [metric.name for metric in by_judge if metric.needs == "language model"]
        if lacking:
            needs = "needs a language model" if len(lacking) == 1 else "need a language model"
            raise UsageError(f"{', '.join(lacking)} {needs}; name one with --model, or leave the metric out")


def is_dragonball(data: Path, from_format: str | None) -> bool:
    """Whether it is a file of DragonBall's queries, by the name of its format or its content."""
    return data.is_file() and (from_format or recognised(data).name) == "dragonball"
