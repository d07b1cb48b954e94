"""Two invented runs: a plausible one about a ferry line, and one whose every text is hostile and every figure odd."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragassay.evaluation.clusters import ANSWERABLE
from ragassay.evaluation.estimate import Estimate
from ragassay.rag.setting import Setting
from ragassay.records import LABELS, Critique, Example, Label, Provenance, SkippedSource, Span
from ragassay.report.costs import StageCost
from ragassay.report.summary import (
    BestStrategy,
    CompositionFigures,
    CorpusFigures,
    MissingExamples,
    QuestionTokens,
    Result,
    RunSummary,
    WorstQuestion,
)

METRICS = ("recall@5", "recall@10", "mrr@10", "eir@5")
ROUNDS = (*LABELS, ANSWERABLE)
DELIVERED = {"fact_single": 16, "summary": 12, "reasoning": 7, "unanswerable": 4}
LEVEL = {"fact_single": 0.9, "summary": 0.82, "reasoning": 0.66, "unanswerable": 0.84, ANSWERABLE: 0.82}
CONTEXT = (
    "MV Stonecutter entered service on 14 March 2009. Freight space is sold by the lane metre: 31.40 pounds "
    "accompanied, 34.90 pounds unaccompanied. Bookings close two hours before departure."
)


def estimate(value: float, n: int, total: int | None = None) -> Estimate:
    return Estimate(value=value, low=value - 0.1, high=min(1.0, value + 0.1), n=n, total=n if total is None else total)


def settings() -> list[Setting]:
    ends = [Setting(chunk_size=size, text_weight=weight) for size in (256, 512, 1024) for weight in (0.0, 1.0)]
    return ends + [
        Setting(chunk_size=size, fusion=fusion, text_weight=weight)
        for size in (256, 512, 1024)
        for fusion in ("raw_linear", "min_max", "rrf")
        for weight in (0.05, 0.1, 0.2, 0.5)
    ]


def _results() -> tuple[Result, ...]:
    """Best: chunks of 1024 at text weight 0.1."""
    return tuple(
        Result(label=label, setting=each, metric=metric, estimate=estimate(value, DELIVERED.get(label, 39)))
        for label in ROUNDS
        for each in settings()
        for metric in METRICS
        for value in [LEVEL[label] - abs(each.text_weight - 0.1) / 10 + 0.06 * (each.chunk_size // 512) / 2]
    )


def _best(results: tuple[Result, ...]) -> tuple[BestStrategy, ...]:
    rows = []
    for label in ROUNDS:
        if label == "unanswerable":
            continue  # has no passage to find
        own = {each.setting: each.estimate for each in results if each.label == label and each.metric == "recall@5"}
        top = max(own, key=lambda each: own[each].value or 0)
        n = own[top].n
        rows.append(
            BestStrategy(
                label=label,
                setting=top,
                recall_at_5=own[top],
                dense=own[Setting(chunk_size=1024, text_weight=0.0)],
                lexical=own[Setting(chunk_size=1024, text_weight=1.0)],
                neighbours=(),
                generation={
                    "answer_relevance": estimate(0.6, n),
                    "completeness": estimate(0.5, n - 1, n),
                    "faithfulness": estimate(0.97, n),
                },
            )
        )
    return tuple(rows)


def plain_example(number: int, label: Label) -> Example:
    first, last = CONTEXT.index("Freight"), CONTEXT.index(" Bookings")
    unanswerable = label == "unanswerable"
    reference = Span(document_id=f"doc-{number % 5}", start=first, end=last, text=CONTEXT[first:last])
    return Example(
        id=f"ex-{number:04d}",
        question=f"What does a lane metre of unaccompanied freight cost on MV Stonecutter, sailing {number}?",
        answer="" if unanswerable else "34.90 pounds",
        context=Span(document_id=reference.document_id, start=0, end=len(CONTEXT), text=CONTEXT),
        references=() if unanswerable else (reference,),
        keypoints=() if unanswerable else ("A lane metre of unaccompanied freight costs 34.90 pounds.",),
        requested_label=label,
        verified_label=label,
        provenance=Provenance(synthesizer="statements", model="embedded", pattern="amount_of_attribute"),
        critiques=(
            Critique(name="feasibility", value=3, reason="four passages score nearly as high"),
            Critique(name="tautology", value=None, reason="there is no answer to compare"),
        ),
    )


def plausible_summary() -> RunSummary:
    results = _results()
    return RunSummary(
        version="0.1.0",
        model="embedded (all-MiniLM-L6-v2 int8)",
        settings={"examples": "40", "mix": "40/30/20/10", "seed": "7"},
        corpus=CorpusFigures(
            documents=34,
            characters=182_340,
            words=31_207,
            formats={"markdown": 31, "pdf": 3},
            languages={"en": 33, "und": 1},
            chunks={256: 812, 512: 421, 1024: 220},
            skipped=(
                SkippedSource(source="archive/scan-1987.pdf", reason="it holds no text, only images of pages"),
                SkippedSource(source="media/logo.png", reason="not a format that holds text"),
            ),
            notes=(SkippedSource(source="company/history.txt", reason="decoded as cp1252, not UTF-8"),),
        ),
        composition=CompositionFigures(
            requested={**DELIVERED, "reasoning": 8},
            delivered=DELIVERED,
            matrix={label: {other: 40 if other == label else 3 for other in LABELS} for label in LABELS},
            dropped={label: {"words": 12, "critiques": 4} for label in LABELS},
            patterns={"fact_single": {"amount_of_attribute": 11, "when_fronted": 5}, "summary": {"two_keys": 12}},
            missing=(MissingExamples(label="reasoning", missing=1, reason="no eighth pair passes all gates"),),
            documents_used=21,
            most_per_document=4,
        ),
        results=results,
        best=_best(results),
        worst=(
            WorstQuestion(
                example_id="ex-0003",
                label="reasoning",
                question="How many years after MV Stonecutter did MV Morning Tide enter service?",
                answer="9 years",
                source="vessels/fleet-overview.md",
                references=("MV Stonecutter entered service on 14 March 2009.",),
                first_rank=None,
                retrieved=(("vessels/major-ferries.md", "MV Morning Tide carries 420 passengers and 80 cars."),),
            ),
        ),
        stages=(
            StageCost(name="make examples", wall_s=9.7, cpu_s=18.2, peak_rss_mb=611.0, model_calls=4120, embedded=2210),
            StageCost(name="sweep", wall_s=74.2, cpu_s=140.0, peak_rss_mb=744.0, embedded=1453, reused=2210),
        ),
        tokens=tuple(
            QuestionTokens(setting=each, estimate=Estimate(value=spent, low=spent - 9, high=spent + 9, n=39, total=39))
            for each in settings()
            for spent in [each.chunk_size * 5 / 4 + 20 * each.text_weight]
        ),
        sources={f"doc-{number}": f"vessels/page-{number}.md" for number in range(5)},
    )


HOSTILE = (
    "</script></style></title></textarea><script>alert(1)</script><img src=x onerror=alert(2)>"
    "\" onmouseover=\"alert(3)' x='<svg/onload=alert(4)> {{ 7 * 7 }} {% raw %} <!-- ]]> &lt;b&gt; "
    "[red]markup[/red] [/] \x1b[31m\x00\x07 \u202egnp.exe\u2066 \ud800 \ufeff https://evil.example/track.png"
)
HUGE = "Überlang" * 4000


def hostile_example() -> Example:
    text = HOSTILE + " " + HUGE
    reference = Span(document_id=HOSTILE, start=10, end=10 + len(HOSTILE), text=HOSTILE)
    return Example(
        id=HOSTILE,
        question=text,
        answer=text,
        context=Span(document_id=HOSTILE, start=10, end=10 + len(text), text=text),
        references=(reference, replace(reference, document_id="another")),
        keypoints=(HOSTILE, text),
        requested_label="summary",
        verified_label="fact_single",
        provenance=Provenance(synthesizer=HOSTILE, model=HOSTILE, pattern=HOSTILE, statement=HOSTILE),
        critiques=(Critique(name=HOSTILE, value=None, reason=HOSTILE), Critique(name="x", value=1, reason=HOSTILE)),
    )


def hostile_summary() -> RunSummary:
    """The hostile text wherever text can be, and estimates without a value."""
    plain, none_scored = plausible_summary(), Estimate(value=None, low=None, high=None, n=0, total=1)
    best = plain.best[0].setting
    skipped = (SkippedSource(source=HOSTILE, reason=HOSTILE),) * 300
    return replace(
        plain,
        version=HOSTILE,
        model=HOSTILE,
        settings={HOSTILE: HOSTILE},
        corpus=replace(
            plain.corpus, formats={HOSTILE: 1}, languages={HOSTILE: 1}, chunks={512: 1}, skipped=skipped, notes=skipped
        ),
        composition=replace(
            plain.composition,
            requested={"fact_single": 1, "reasoning": 3, HOSTILE: 0},
            delivered={"fact_single": 1},
            matrix={HOSTILE: {HOSTILE: 1}},
            dropped={"reasoning": {HOSTILE: 5}},
            patterns={HOSTILE: {HOSTILE: 1}},
            missing=(MissingExamples(label="reasoning", missing=3, reason=HOSTILE),),
        ),
        results=(Result(label=HOSTILE, setting=best, metric=HOSTILE, estimate=none_scored),),
        best=(
            replace(plain.best[0], label=HOSTILE, generation={HOSTILE: none_scored}),
            replace(plain.best[-1], recall_at_5=none_scored, dense=none_scored, lexical=None),
        ),
        worst=(replace(plain.worst[0], example_id=HOSTILE, label=HOSTILE, question=HOSTILE, source=HOSTILE),),
        stages=(StageCost(name=HOSTILE, wall_s=0.0, cpu_s=0.0, peak_rss_mb=0.0),),
        tokens=(QuestionTokens(setting=best, estimate=none_scored),) * 2,
        sources={HOSTILE: HOSTILE},
    )


@pytest.fixture(scope="session")
def summary() -> RunSummary:
    return plausible_summary()


@pytest.fixture(scope="session")
def examples() -> list[Example]:
    labels = [label for label in LABELS for _ in range(DELIVERED[label])]
    return [plain_example(number, label) for number, label in enumerate(labels)]


@pytest.fixture(scope="session")
def hostile() -> tuple[RunSummary, list[Example]]:
    return hostile_summary(), [hostile_example()]
