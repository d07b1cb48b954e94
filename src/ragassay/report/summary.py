"""The figures of a run: what the report, the terminal and ``--json`` show, and how its folder keeps them.

``summary.json`` has the same bytes for the same run; the times, which differ, stand in ``stages.json``. Each setting
stands in it once, under ``tried``; all else names it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from ragassay.errors import InputError, RecordError
from ragassay.evaluation.clusters import ANSWERABLE
from ragassay.evaluation.estimate import Comparison, Estimate
from ragassay.evaluation.tally import Unanswerable
from ragassay.generate.synthesizer import Drafting
from ragassay.plain_files import read_plain, write_whole
from ragassay.rag.setting import Setting
from ragassay.records import SkippedSource, from_json, to_json
from ragassay.report.costs import StageCost
from ragassay.report.refresh import REFRESH_FILE
from ragassay.report.scores import ScoreSummary
from ragassay.report.synthesis import SYNTHESIS_FILE
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
    files: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingExamples:
    label: str
    missing: int
    reason: str


MOST_UNUSED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionFigures:
    """What was asked for and what was made.

    requested, delivered: label to count. matrix: requested label to verified label to number of candidate pairs.
    dropped: label to the gate that dropped a pair to count, gates in the order of their first occurrence.
    patterns: label to pattern to count. difficulty: to examples. unused: documents without a question, those of which
    the reason is known first, ``MOST_UNUSED`` at most. by_model: the command that has a language model make all of it;
    empty where one did.
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
    unused: tuple[SkippedSource, ...] = ()
    by_model: str = ""


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
    answered: examples that were answered and judged; None in runs without answers, and in earlier ones. drafting: what
    drafts tell besides the set; None of other sets.
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
    drafting: Drafting | None = None


SUMMARY_FILE = "summary.json"
STAGES_FILE = "stages.json"
_SETTINGS = ("setting", "cheapest")
"""Fields of a summary that hold a setting."""
METRICS_FILE = "metrics.json"
"""The figures of a scored set of predictions, as ``ScoreSummary`` has them: such a folder has no summary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageFile:
    """What ``stages.json`` holds."""

    stages: tuple[StageCost, ...]


def write_summary(folder: Path, summary: RunSummary) -> None:
    """Write both files into ``folder``, each whole or not at all, ``summary.json`` last: where it is, both are."""
    write_stages(folder, summary.stages)
    tried: dict[str, Any] = {}
    named = _renamed(json.loads(to_json(replace(summary, stages=()))), partial(_noted, tried))
    _write(folder / SUMMARY_FILE, json.dumps({"tried": tried, **named}))


def write_stages(folder: Path, stages: Sequence[StageCost]) -> None:
    """Write what it took, whole or not at all."""
    _write(folder / STAGES_FILE, to_json(StageFile(stages=tuple(stages))))


def read_stages(folder: Path) -> tuple[StageCost, ...]:
    """Return what it took; none where the folder does not say."""
    try:
        return from_json(StageFile, read_plain(folder / STAGES_FILE), where=STAGES_FILE).stages
    except FileNotFoundError:
        return ()


def write_metrics(folder: Path, summary: ScoreSummary, stages: Sequence[StageCost]) -> None:
    """Write the figures of scored predictions, and what it took, each file whole or not at all."""
    write_stages(folder, stages)
    _write(folder / METRICS_FILE, to_json(summary))


def read_metrics(folder: Path) -> ScoreSummary:
    """Read what ``write_metrics`` wrote.

    Raises InputError where there are no such figures, RecordError that names the field where they cannot be read.
    """
    try:
        return from_json(ScoreSummary, read_plain(folder / METRICS_FILE), where=METRICS_FILE)
    except FileNotFoundError:
        raise InputError(
            f"{folder} holds no {METRICS_FILE}; name a folder that `ragassay evaluate --out` wrote"
        ) from None


def read_summary(folder: Path) -> RunSummary:
    """Read what ``write_summary`` wrote. Without ``stages.json`` the costs are empty.

    Raises InputError where there is no summary, RecordError that names the file and field where it cannot be read.
    """
    try:
        written = read_plain(folder / SUMMARY_FILE)
    except FileNotFoundError:
        if any((folder / name).exists() for name in (SYNTHESIS_FILE, REFRESH_FILE)):
            raise InputError(f"{folder} holds a set, not a run; see it with `ragassay report {folder}`") from None
        raise InputError(
            f"{folder} holds no {SUMMARY_FILE}: it is not a run folder, or its run is not finished; run "
            "the same command again to finish it"
        ) from None
    summary = from_json(RunSummary, _with_settings(written), where=SUMMARY_FILE)
    return replace(summary, stages=read_stages(folder))


def _with_settings(written: bytes) -> bytes:
    """The settings in the places of their names; what is no JSON object stays as it is, for the reader to say so.

    Raises RecordError for a summary without its settings.
    """
    try:
        found = json.loads(written)
    except ValueError:
        return written
    if not isinstance(found, dict):
        return written
    tried = found.pop("tried", None)
    if not isinstance(tried, dict):
        raise RecordError(
            f"{SUMMARY_FILE}: no settings under 'tried': no run of this version wrote it; name the folder of "
            "`ragassay run` or `evaluate`, or make the run again"
        )
    return json.dumps(_renamed(found, lambda name: tried.get(name, name) if isinstance(name, str) else name)).encode()


def _noted(tried: dict[str, Any], setting: dict[str, Any]) -> str:
    name = Setting(**setting).name
    tried[name] = setting
    return name


def _renamed(value: Any, of: Callable[[Any], Any]) -> Any:
    """A JSON value with something else in the place of every setting."""
    if isinstance(value, list):
        return [_renamed(each, of) for each in value]
    if isinstance(value, dict):
        return {key: of(each) if key in _SETTINGS else _renamed(each, of) for key, each in value.items()}
    return value


def _write(path: Path, line: str) -> None:
    write_whole(path, json.dumps(json.loads(line), ensure_ascii=False, indent=1) + "\n")
