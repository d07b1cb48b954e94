"""What ``ragassay synthesize`` made, what is missing, and what it took; RAGVAL's baselines without retrieval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.estimate import Estimate
from ragassay.generate.asked.likeness import Habits, distance
from ragassay.generate.baselines import KNOWN_FROM, Attempts, Baseline
from ragassay.generate.shortfall import Shortage
from ragassay.generate.synthesizer import Drafting
from ragassay.records import LABELS, SkippedSource
from ragassay.report.blocks import Block, Column, Table, Text, Value, typed
from ragassay.report.costs import StageCost
from ragassay.report.safe_text import excerpt
from ragassay.report.wording import count, label_order

SYNTHESIS_FILE = "synthesis.json"
LOSSES_SHOWN, FINDINGS_SHOWN = 6, 10


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskEffort:
    """What one task of one role took. role: writer, judge or answerer.

    asked: inputs put to the model. unanswered: of these. prompt_tokens, completion_tokens: of the replies, those of
    the log included; None for the embedded model, which gets no prompt.
    """

    role: str
    task: str
    asked: int
    unanswered: int
    prompt_tokens: int | None
    completion_tokens: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesisSummary:
    """requested: label, or "any label", to count. delivered: label to count, by the label that ``counted_by`` names.

    matrix: requested to verified label to candidates. dropped: label to reason to count. by_type: question type to
    examples. visited: documents that were read for examples, of ``documents``; used: that gave one.
    stopped_by: the limit that ended the calls, or empty. spare: label to good candidates that are not in the set.
    difficulty: to examples. files: that were read. by_model: the command that has a language model make all of it;
    empty where one did. like: how a log is asked, and the set.
    """

    version: str
    synthesizer: str
    models: str
    asked: int
    requested: Mapping[str, int]
    delivered: Mapping[str, int]
    matrix: Mapping[str, Mapping[str, int]]
    dropped: Mapping[str, Mapping[str, int]]
    missing: tuple[Shortage, ...]
    by_type: Mapping[str, int]
    documents: int
    visited: int
    used: int
    most_per_document: int
    skipped: tuple[SkippedSource, ...]
    notes: tuple[str, ...]
    effort: tuple[TaskEffort, ...]
    baselines: BaselineFigures | None = None
    stopped_by: str = ""
    counted_by: Literal["verified", "requested"] = "verified"
    spare: Mapping[str, int] = field(default_factory=dict)
    difficulty: Mapping[str, int] = field(default_factory=dict)
    drafting: Drafting | None = None
    files: int = 0
    by_model: str = ""
    like: tuple[Habits, Habits] | None = None

    @property
    def examples(self) -> int:
        """How many were made."""
        return sum(self.delivered.values())


def drafting_words(drafting: Drafting | None) -> str:
    """Say where findings about the documents and refused pairs are; empty where there are none."""
    if drafting is None or not (drafting.findings or drafting.refused):
        return ""
    found = f"{count(len(drafting.findings), 'finding')} about the documents in findings.jsonl"
    return f"{found}, {count(len(drafting.refused), 'refused pair')} in refused.jsonl"


def likeness_table(like: tuple[Habits, Habits] | None) -> Table:
    """Return how far a set is from the log that it follows, by aspect; without rows where it follows none."""
    rows: list[Sequence[Value]] = []
    for aspect, log in like[0].items() if like else ():
        made = like[1].get(aspect, {}) if like else {}
        names = sorted({*log, *made}, key=lambda name: -log.get(name, 0))
        mixes = (", ".join(f"{name} {100 * of.get(name, 0):.0f}" for name in names) for of in (log, made))
        rows.append((aspect, distance(log, made), *mixes))
    columns = ["of questions", Column("distance", "two"), "log, %", "set, %"]
    return Table("Total variation distance of log and set, 0 to 1", columns, rows)


def blocks_of_drafting(drafting: Drafting | None) -> Iterator[Block]:
    """Yield what drafts tell besides: faults of the documents, refused pairs, how close questions stay to the texts."""
    if drafting is None:
        return
    if drafting.about:
        yield Text(f"The collection: {excerpt(drafting.about, 320)}")
    if drafting.shared_words is not None:
        yield Text(
            f"Of a question's content words {100 * drafting.shared_words:.0f} % stand in its references, on average."
        )
    rows: list[Sequence[Value]] = [
        (each.kind, excerpt(each.note, 300), " | ".join(excerpt(place.text, 160) for place in each.places))
        for each in drafting.findings
    ]
    columns = ["what", "note", "passages"]
    yield Table("Findings about the documents", columns, rows, most=FINDINGS_SHOWN, rest="findings.jsonl")
    rows = [(each.question, excerpt(each.answer, 200), each.label, each.reason) for each in drafting.refused]
    yield Table("Refused pairs", ["question", "answer", "label", "reason"], rows, folded=True, on="page")


def matrix_table(matrix: Mapping[str, Mapping[str, int]], what: str = "Candidates") -> Table:
    """Return counts by the label asked for, in rows, and the label given; none where nothing was labelled."""
    asked = [label for label in label_order(list(matrix)) if any(matrix[label].values())]
    given = label_order({label for of in matrix.values() for label in of} | ({*LABELS} if asked else set()))
    rows: list[Sequence[Value]] = [
        (label or "no label", *(matrix[label].get(other, 0) for other in given), sum(matrix[label].values()))
        for label in asked
    ]
    if len(rows) > 1:
        sums = [sum(matrix[label].get(other, 0) for label in asked) for other in given]
        rows.append(("all", *sums, sum(sums)))
    columns = ["asked for", *typed("count", *(label or "no label" for label in given), "all")]
    note = "Rows: the label asked for. Stronger colour: a larger share of its row."
    title = f"{what}: requested label in rows, verified label in columns"
    return Table(title, columns, rows, note, shaded=True, has_total=len(rows) > 1)


def losses_table(dropped: Mapping[str, Mapping[str, int]], file: str) -> Table:
    """Return why candidates were dropped, the commonest reason first. dropped: label to reason to count."""
    labels = label_order(dropped)
    reasons = dict.fromkeys(reason for of in dropped.values() for reason in of)
    rows: list[Sequence[Value]] = [
        (excerpt(reason.replace("_", " "), 160), *(n := [dropped[label].get(reason, 0) for label in labels]), sum(n))
        for reason in sorted(reasons, key=lambda name: -sum(of.get(name, 0) for of in dropped.values()))
    ]
    note = "A candidate is counted once, at the first gate that it fails."
    return Table("Dropped", ["why", *typed("count", *labels, "all")], rows, note, most=LOSSES_SHOWN, rest=file)


def synthesis_object(summary: SynthesisSummary, stages: Sequence[StageCost], folder: Path) -> dict[str, Any]:
    """Return what ``--json`` prints: synthesis.json, what an example took, and the time of each stage."""
    calls = sum(each.asked for each in summary.effort)
    counts = [each.prompt_tokens for each in summary.effort if each.prompt_tokens is not None]
    return {
        "examples": summary.examples,
        **asdict(summary),
        "calls": calls,
        "prompt_tokens": sum(counts) if counts else None,
        "calls_per_example": calls / summary.examples if summary.examples else None,
        "stages": {stage.name: {"wall_s": stage.wall_s} for stage in stages},
        "folder": str(folder),
    }


KnowledgePart = Literal["all", "where", "new"]
"""Of a set: all of it; the documents that meet conditions on metadata; of these, the documents new to the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineFigures:
    """Answers with nothing retrieved beside answers with the right block (RAGVAL, baselines).

    Each estimate is a mean over the examples with an answer. known: share of examples that the answering model answers
    without the block. sums: rating sum, 2 to 10, to examples, for either baseline.
    """

    answerer: str
    truthfulness: Estimate
    relevance: Estimate
    truthfulness_with_block: Estimate
    relevance_with_block: Estimate
    known: Estimate
    sums: Mapping[int, int]
    sums_with_block: Mapping[int, int]
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeFigures:
    """What a model knows of the questions of a set, or of those of a part of it.

    always, sometimes, unknown: questions that it answers without context in every try, in some, in none.
    unrated: those of which a try has no answer or no ratings.
    """

    part: KnowledgePart
    always: int
    sometimes: int
    unknown: int
    unrated: int
    baselines: BaselineFigures


def knowledge_figures(part: KnowledgePart, made: Sequence[Attempts], answerer: str) -> KnowledgeFigures:
    """Count the questions of a part and compare their baselines; the first try is the one without retrieval."""
    tries = [each.knows for each in made]
    rated = [each for each in tries if each is not None]
    always, never = sum(map(all, rated)), sum(not any(each) for each in rated)
    return KnowledgeFigures(
        part=part,
        always=always,
        sometimes=len(rated) - always - never,
        unknown=never,
        unrated=len(tries) - len(rated),
        baselines=baseline_figures([each.closed[0] for each in made], [each.open for each in made], answerer),
    )


def baseline_figures(closed: Sequence[Baseline], opened: Sequence[Baseline], answerer: str) -> BaselineFigures:
    """Return the figures of questions answered with nothing retrieved and, in the same order, with their block."""

    def mean(of: Sequence[Baseline], rating: str) -> list[float | None]:
        return [None if each.ratings is None else float(getattr(each.ratings, rating)) for each in of]

    known = [None if each.lower is None else float(each.lower >= KNOWN_FROM) for each in closed]
    scale = (1.0, 5.0)
    return BaselineFigures(
        answerer=answerer,
        truthfulness=estimate(mean(closed, "truthfulness"), bounds=scale),
        relevance=estimate(mean(closed, "relevance"), bounds=scale),
        truthfulness_with_block=estimate(mean(opened, "truthfulness"), bounds=scale),
        relevance_with_block=estimate(mean(opened, "relevance"), bounds=scale),
        known=estimate(known),
        sums=_sums(closed),
        sums_with_block=_sums(opened),
        reason=next((each.reason for each in closed if each.ratings is None), ""),
    )


def _sums(baselines: Sequence[Baseline]) -> Mapping[int, int]:
    """Rating sum, 2 to 10, to examples; sums between two whole numbers count for the nearer one."""
    sums = Counter(
        int(each.ratings.truthfulness + each.ratings.relevance + 0.5) for each in baselines if each.ratings is not None
    )
    return {number: sums[number] for number in range(2, 11)}


_HEADS: Mapping[KnowledgePart, str] = {"all": "all", "where": "--where", "new": "new to the model"}


def baseline_table(parts: Sequence[tuple[str, str, BaselineFigures]]) -> Table:
    """Return RAGVAL's table of ratings. parts: names of the columns without and with the block, and their figures."""
    figures = [each for _, _, each in parts]
    rows: list[Sequence[Value]] = [
        ("truthfulness", *(of for each in figures for of in (each.truthfulness, each.truthfulness_with_block))),
        ("relevance", *(of for each in figures for of in (each.relevance, each.relevance_with_block))),
    ]
    columns = ["", *(Column(name, "two") for one, other, _ in parts for name in (one, other))]
    title = f"Ratings from 1 to 5 by the block of answers by {figures[0].answerer}, means with 95 % intervals"
    return Table(title, columns, rows)


def blocks_of_knowledge(parts: Sequence[KnowledgeFigures]) -> Iterator[Block]:
    """Yield what a model knows of each part of a set already (RAGVAL, filters)."""
    columns = ["", *(Column(_HEADS[each.part], "count") for each in parts)]
    rows: list[Sequence[Value]] = [
        ("questions", *(each.baselines.truthfulness.total for each in parts)),
        ("always known", *(each.always for each in parts)),
        ("sometimes known", *(each.sometimes for each in parts)),
        ("unknown", *(each.unknown for each in parts)),
        ("not rated", *(each.unrated for each in parts)),
    ]
    answerer = parts[0].baselines.answerer
    yield Table(f"Questions that {answerer} answers without context, of several tries", columns, rows)
    names = [_HEADS[each.part] for each in parts]
    yield baseline_table(
        [(f"{name}, nothing retrieved", f"{name}, with the block", each.baselines)
         for name, each in zip(names, parts, strict=True)]
    )  # fmt: skip
    yield Text("Known: both ratings 4 or better. The first try is the baseline with nothing retrieved.")
