"""The figures of a run: what the report, the terminal and ``--json`` show; kept by ``store.py``."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field

from ragassay.evaluation.clusters import ANSWERABLE
from ragassay.evaluation.estimate import Comparison, Estimate
from ragassay.evaluation.refusals import Unanswerable
from ragassay.rag.setting import Setting
from ragassay.records import SkippedSource
from ragassay.report.costs import StageCost
from ragassay.report.trust import JudgeTrust
from ragassay.sweep.best import Ties


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusFigures:
    """chunks: chunk size in characters to number of chunks; formats, languages: name to number of documents."""

    documents: int
    characters: int
    words: int
    formats: Mapping[str, int]
    languages: Mapping[str, int]
    chunks: Mapping[int, int]
    skipped: tuple[SkippedSource, ...]
    notes: tuple[SkippedSource, ...]
    """Sources that were used, with something the user should know (decoded as cp1252, duplicate of another ...)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingExamples:
    label: str
    missing: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionFigures:
    """What was asked for and what was made.

    requested, delivered: label to count. matrix: requested label to verified label to number of candidate pairs.
    dropped: label to the gate that dropped a pair to count, gates in the order of their first occurrence.
    patterns: label to pattern to count. difficulty: to examples.
    """

    requested: Mapping[str, int]
    delivered: Mapping[str, int]
    matrix: Mapping[str, Mapping[str, int]]
    dropped: Mapping[str, Mapping[str, int]]
    patterns: Mapping[str, Mapping[str, int]]
    missing: tuple[MissingExamples, ...]
    documents_used: int
    most_per_document: int
    difficulty: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One metric of one setting on one label (or ``answerable``)."""

    label: str
    setting: Setting
    metric: str
    estimate: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionTokens:
    """Tokens of a question and of the chunks that it would be answered with, over the answerable ones; estimated."""

    setting: Setting
    estimate: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class BestStrategy:
    """The setting with the highest Recall@5 for a label.

    Ties go to the smallest text weight, then the smallest chunk.
    dense, lexical: Recall@5 of the two ends at the same chunk size, None where the sweep did not try them.
    neighbours: the next text weights and chunk sizes on either side, tested against the best on the same examples.
    generation: metric name to estimate, for answers made with this setting. ties, next_best: of all other
    settings, the one after the best tested against it; None in earlier runs.
    """

    label: str
    setting: Setting
    recall_at_5: Estimate
    dense: Estimate | None
    lexical: Estimate | None
    neighbours: tuple[Comparison, ...]
    generation: Mapping[str, Estimate]
    ties: Ties | None = None
    next_best: Comparison | None = None


def recommended(best: Iterable[BestStrategy], answered: Container[str]) -> str:
    """Name the setting that is recommended, or the best over the answerable questions if only that answered.

    answered: names of settings. Empty where none did best.
    """
    top = next((each for each in best if each.label == ANSWERABLE), None)
    if top is None:
        return ""
    cheapest = top.ties.cheapest.name if top.ties else ""
    return cheapest if cheapest in answered else top.setting.name


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstQuestion:
    """An answerable question that the best setting of the headline served worst.

    first_rank: place of the first chunk with a reference among those retrieved, or None. answer_rank: of the first
    chunk with the answer word for word, perhaps of another passage; None too in earlier runs.
    retrieved: (source, text) of the first chunks.
    """

    example_id: str
    label: str
    question: str
    answer: str
    source: str
    references: tuple[str, ...]
    first_rank: int | None
    retrieved: tuple[tuple[str, str], ...]
    answer_rank: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """settings: option name to value as text. model: what the judge and generator were.

    sources: document id to where it came from, for the documents that the examples were made from.
    stopped_by: the limit on calls, tokens or cost that ended the calls to models, or empty.
    tokens: of every setting; none in runs that were made before they were counted.
    unanswerable: what the best setting of the headline made of these questions; None where there are none.
    trust: how far the figures of the answers can be believed; None in runs without answers.
    answered: examples that were answered and judged; None in runs without answers, and in earlier ones.
    """

    version: str
    model: str
    settings: Mapping[str, str]
    corpus: CorpusFigures
    composition: CompositionFigures
    results: tuple[Result, ...]
    best: tuple[BestStrategy, ...]
    worst: tuple[WorstQuestion, ...]
    stages: tuple[StageCost, ...]
    sources: Mapping[str, str] = field(default_factory=dict)
    stopped_by: str = ""
    tokens: tuple[QuestionTokens, ...] = ()
    trust: JudgeTrust | None = None
    unanswerable: Unanswerable | None = None
    answered: int | None = None
