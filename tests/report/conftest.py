"""Two invented runs: a plausible one about a ferry line, and one whose every text is hostile and every figure odd."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from ragassay.evaluation.answerable import ANSWERABLE
from ragassay.evaluation.estimate import Comparison, Estimate
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

CHUNK_SIZES = (256, 512, 1024)
WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)
METRICS = (
    "recall@1",
    "recall@3",
    "recall@5",
    "recall@10",
    "hit_rate@5",
    "mrr@10",
    "ndcg@10",
    "precision@5",
    "reference_recall@5",
    "eir@5",
)
ROUNDS = (*LABELS, ANSWERABLE)
DELIVERED = {"fact_single": 16, "summary": 12, "reasoning": 7, "unanswerable": 4}
LEVEL = {"fact_single": 0.9, "summary": 0.82, "reasoning": 0.66, "unanswerable": 0.84, ANSWERABLE: 0.82}

CONTEXT = (
    "MV Stonecutter entered service on 14 March 2009. She sails between Ravelside and Kirkvoe twice a day and carries "
    "freight and up to 12 drivers. Freight space is sold by the lane metre: 31.40 pounds accompanied, 34.90 pounds "
    "unaccompanied. Bookings close two hours before departure. Dangerous goods must be declared when booking."
)


def estimate(value: float, n: int, total: int | None = None) -> Estimate:
    half = 0.98 / max(n, 1) ** 0.5 * (value * (1 - value) + 0.02) ** 0.5 * 2
    low, high = max(0.0, value - half), min(1.0, value + half)
    return Estimate(value=value, low=low, high=high, n=n, total=n if total is None else total)


NOTHING = Estimate(value=None, low=None, high=None, n=0, total=0)


def settings() -> list[Setting]:
    found = []
    for size in CHUNK_SIZES:
        found.append(Setting(chunk_size=size, fusion="raw_linear", text_weight=0.0))
        found.extend(
            Setting(chunk_size=size, fusion=fusion, text_weight=weight)
            for fusion in ("raw_linear", "min_max", "rrf")
            for weight in WEIGHTS[1:-1]
        )
        found.append(Setting(chunk_size=size, fusion="raw_linear", text_weight=1.0))
    return found


def _recall_at_5(label: str, setting: Setting) -> float:
    peak = {"raw_linear": 0.1, "min_max": 0.5, "rrf": 0.2}[setting.fusion]
    weight = setting.text_weight
    hybrid = 0.07 * (1 - abs(weight - peak)) if 0 < weight < 1 else 0.0
    lexical = 0.05 * weight if label != "reasoning" else -0.06 * weight
    size = {256: -0.04, 512: 0.0, 1024: 0.025}[setting.chunk_size]
    return min(LEVEL[label] - 0.06 + hybrid + lexical + size, 1.0)


def _results() -> tuple[Result, ...]:
    n = {**DELIVERED, ANSWERABLE: sum(DELIVERED.values())}
    factor = dict(zip(METRICS, (0.7, 0.9, 1.0, 1.05, 1.02, 0.78, 0.83, 0.22, 0.88, 0.21), strict=True))
    results = []
    for label in ROUNDS:
        for setting in settings():
            for metric in METRICS:
                value = min(_recall_at_5(label, setting) * factor[metric], 1.0)
                scored = n[label] - 1 if metric == "eir@5" and label == ANSWERABLE else n[label]
                figure = estimate(value, scored, n[label])
                if metric.startswith("reference_recall") and label == "unanswerable":
                    figure = Estimate(value=None, low=None, high=None, n=0, total=n[label])
                results.append(Result(label=label, setting=setting, metric=metric, estimate=figure))
    return tuple(results)


def _tokens() -> tuple[QuestionTokens, ...]:
    """A quarter of the characters of five chunks; lexical retrieval finds somewhat longer ones."""
    return tuple(
        QuestionTokens(
            setting=each,
            estimate=Estimate(value=spent, low=spent - 9, high=spent + 9, n=39, total=39),
        )
        for each in settings()
        for spent in [each.chunk_size * 5 / 4 + 20 * each.text_weight]
    )


def _best(results: Sequence[Result]) -> tuple[BestStrategy, ...]:
    rows = []
    for label in ROUNDS:
        if label == "unanswerable":
            continue  # has no passage to find
        own = [item for item in results if item.label == label and item.metric == "recall@5"]
        top = max(own, key=lambda item: (item.estimate.value or 0, -item.setting.text_weight))
        size = top.setting.chunk_size
        ends = {
            item.setting.text_weight: item.estimate
            for item in own
            if item.setting.chunk_size == size and item.setting.text_weight in (0, 1)
        }
        n = top.estimate.n
        neighbours = (
            Comparison(other=f"{size} raw_linear w=0.05", difference=-0.01, low=-0.05, high=0.03, p_value=0.62, n=n),
            Comparison(other=f"{size} raw_linear w=0.2", difference=-0.008, low=-0.06, high=0.04, p_value=0.7, n=n),
            Comparison(
                other="512 raw_linear w=0.1",
                difference=-0.13 if label == ANSWERABLE else -0.025,
                low=-0.2,
                high=-0.04 if label == ANSWERABLE else 0.05,
                p_value=0.012 if label == ANSWERABLE else 0.4,
                n=n,
            ),
        )
        rows.append(
            BestStrategy(
                label=label,
                setting=top.setting,
                recall_at_5=top.estimate,
                dense=ends[0.0],
                lexical=ends[1.0],
                neighbours=neighbours,
                generation={
                    "answer_relevance": estimate(LEVEL[label] - 0.2, n),
                    "completeness": estimate(LEVEL[label] - 0.15, n - 1, n),
                    "faithfulness": estimate(0.97, n),
                    "abstention_accuracy": estimate(0.96, n),
                },
            )
        )
    return tuple(rows)


def plain_example(number: int, label: Label) -> Example:
    document = f"doc-{number % 5}"
    first = CONTEXT.index("She sails")
    last = CONTEXT.index(". Bookings") + 1
    unanswerable = label == "unanswerable"
    reference = Span(document_id=document, start=first, end=last, text=CONTEXT[first:last])
    return Example(
        id=f"ex-{number:04d}",
        question=f"What does a lane metre of unaccompanied freight cost on MV Stonecutter, sailing {number}?",
        answer="" if unanswerable else "34.90 pounds",
        context=Span(document_id=document, start=0, end=len(CONTEXT), text=CONTEXT),
        references=() if unanswerable else (reference,),
        keypoints=() if unanswerable else ("A lane metre of unaccompanied freight costs 34.90 pounds.",),
        requested_label=label,
        verified_label=label,
        provenance=Provenance(
            synthesizer="statements",
            model="embedded",
            pattern="amount_of_attribute",
            statement="Unaccompanied freight on MV Stonecutter costs 34.90 pounds per lane metre.",
            unanswerable_in="document" if unanswerable else None,
        ),
        language="en",
        critiques=(
            Critique(name="question_groundedness", value=5, reason="every term of the question stands in the context"),
            Critique(name="feasibility", value=3, reason="four passages of the collection score nearly as high"),
            Critique(name="stand_alone", value=5, reason="names its subject"),
            Critique(name="tautology", value=None, reason="there is no answer to compare"),
        ),
    )


def plausible_examples() -> list[Example]:
    labels = [label for label in LABELS for _ in range(DELIVERED[label])]
    return [plain_example(number, label) for number, label in enumerate(labels)]


def plausible_summary() -> RunSummary:
    results = _results()
    chance = random.Random(7)
    matrix = {label: {other: 40 if other == label else chance.randrange(6) for other in LABELS} for label in LABELS}
    gates = ("words", "theme", "answer_in_question", "second_answer", "not_found_by_bm25", "critiques")
    return RunSummary(
        version="0.1.0",
        model="embedded (all-MiniLM-L6-v2 int8)",
        settings={"examples": "40", "mix": "40/30/20/10", "seed": "7", "filter": "question_groundedness >= 3"},
        corpus=CorpusFigures(
            documents=34,
            characters=182_340,
            words=31_207,
            formats={"markdown": 20, "html": 11, "pdf": 3},
            languages={"en": 33, "und": 1},
            chunks={256: 812, 512: 421, 1024: 220},
            skipped=(
                SkippedSource(source="archive/scan-1987.pdf", reason="it holds no text, only images of pages"),
                SkippedSource(source="media/logo.png", reason="not a format that holds text"),
            ),
            notes=(SkippedSource(source="company/history.txt", reason="decoded as cp1252, not UTF-8"),),
        ),
        composition=CompositionFigures(
            requested={"fact_single": 16, "summary": 12, "reasoning": 8, "unanswerable": 4},
            delivered=DELIVERED,
            matrix=matrix,
            dropped={label: {gate: chance.randrange(40) for gate in gates} for label in LABELS},
            patterns={
                "fact_single": {"amount_of_attribute": 7, "when_fronted": 5, "what_is_key": 4},
                "summary": {"section_question": 8, "two_keys": 4},
                "reasoning": {"difference_of_amounts": 4, "whole_years": 3},
                "unanswerable": {"near_miss_passage": 4},
            },
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
                references=("MV Stonecutter entered service on 14 March 2009.", "MV Morning Tide followed in 2018."),
                first_rank=None,
                retrieved=(
                    ("vessels/major-ferries.md", "MV Morning Tide carries 420 passengers and 80 cars."),
                    ("company/history.md", "The line was founded in 1911 and bought its first steamer in 1912."),
                ),
            ),
            WorstQuestion(
                example_id="ex-0009",
                label="summary",
                question="What must be done before a trailer is shipped?",
                answer="Book it, declare dangerous goods, and deliver it two hours before departure.",
                source="guides/freight.md",
                references=("Bookings close two hours before departure.",),
                first_rank=8,
                retrieved=(("guides/freight.md", "Bookings close two hours before departure. Trailers wait."),),
            ),
        ),
        stages=(
            StageCost(name="read documents", wall_s=0.41, cpu_s=0.6, peak_rss_mb=142.0),
            StageCost(name="make examples", wall_s=9.7, cpu_s=18.2, peak_rss_mb=611.0, model_calls=4120, embedded=2210),
            StageCost(name="sweep", wall_s=74.2, cpu_s=140.0, peak_rss_mb=744.0, embedded=1453, reused=2210),
        ),
        tokens=_tokens(),
        sources={f"doc-{number}": f"vessels/page-{number}.md" for number in range(5)},
    )


HOSTILE = (
    "</script></style></title></textarea><script>alert(1)</script><img src=x onerror=alert(2)>"
    "\" onmouseover=\"alert(3)' x='<svg/onload=alert(4)> {{ 7 * 7 }} {% raw %} <!-- ]]> &lt;b&gt; "
    "[red]markup[/red] [/] [link=https://evil.example]x[/link] \x1b[31m\x00\x07 \u202egnp.exe\u2066 \ud800 \ufeff "
    "https://evil.example/track.png javascript:alert(5)"
)
HUGE = "Überlang" * 4000


def hostile_example() -> Example:
    text = HOSTILE + " " + HUGE
    return Example(
        id=HOSTILE,
        question=text,
        answer=text,
        context=Span(document_id=HOSTILE, start=10, end=10 + len(text), text=text),
        references=(
            Span(document_id=HOSTILE, start=10, end=10 + len(HOSTILE), text=HOSTILE),
            Span(document_id="another", start=0, end=len(HOSTILE), text=HOSTILE),
        ),
        keypoints=(HOSTILE, text),
        requested_label="summary",
        verified_label="fact_single",
        provenance=Provenance(synthesizer=HOSTILE, model=HOSTILE, pattern=HOSTILE, statement=HOSTILE),
        critiques=(
            Critique(name=HOSTILE, value=None, reason=HOSTILE),
            Critique(name="tautology", value=1, reason=HOSTILE),
        ),
    )


def hostile_summary() -> RunSummary:
    """One document, one label with nothing, estimates without value, and the hostile text wherever text can be."""
    best = Setting(chunk_size=512, fusion="raw_linear", text_weight=0.0)
    none_scored = Estimate(value=None, low=None, high=None, n=0, total=1)
    return RunSummary(
        version=HOSTILE,
        model=HOSTILE,
        settings={HOSTILE: HOSTILE},
        corpus=CorpusFigures(
            documents=1,
            characters=0,
            words=0,
            formats={HOSTILE: 1},
            languages={HOSTILE: 1},
            chunks={512: 1},
            skipped=(SkippedSource(source=HOSTILE, reason=HOSTILE),) * 300,
            notes=(SkippedSource(source=HUGE, reason=HOSTILE),),
        ),
        composition=CompositionFigures(
            requested={"fact_single": 1, "reasoning": 3, HOSTILE: 0},
            delivered={"fact_single": 1, "reasoning": 0},
            matrix={HOSTILE: {HOSTILE: 1}},
            dropped={"reasoning": {HOSTILE: 5}},
            patterns={HOSTILE: {HOSTILE: 1}},
            missing=(MissingExamples(label="reasoning", missing=3, reason=HOSTILE),),
            documents_used=1,
            most_per_document=1,
        ),
        results=(
            Result(label=HOSTILE, setting=best, metric=HOSTILE, estimate=none_scored),
            Result(label="fact_single", setting=best, metric="recall_at_5", estimate=none_scored),
        ),
        best=(
            BestStrategy(
                label=HOSTILE,
                setting=best,
                recall_at_5=Estimate(value=1.0, low=1.0, high=1.0, n=1, total=1),
                dense=none_scored,
                lexical=NOTHING,
                neighbours=(Comparison(other=HOSTILE, difference=-0.5, low=-1.0, high=0.0, p_value=0.0001, n=1),),
                generation={HOSTILE: none_scored},
            ),
            BestStrategy(
                label=ANSWERABLE,
                setting=best,
                recall_at_5=none_scored,
                dense=none_scored,
                lexical=None,
                neighbours=(),
                generation={},
            ),
        ),
        worst=(
            WorstQuestion(
                example_id=HOSTILE,
                label=HOSTILE,
                question=HOSTILE,
                answer=HOSTILE,
                source=HOSTILE,
                references=(HOSTILE,),
                first_rank=None,
                retrieved=((HOSTILE, HOSTILE + HUGE),),
            ),
        ),
        stages=(StageCost(name=HOSTILE, wall_s=0.0, cpu_s=0.0, peak_rss_mb=0.0),),
        tokens=(QuestionTokens(setting=best, estimate=none_scored),) * 2,
        sources={HOSTILE: HOSTILE},
    )


@pytest.fixture(scope="session")
def summary() -> RunSummary:
    return plausible_summary()


@pytest.fixture(scope="session")
def examples() -> list[Example]:
    return plausible_examples()


@pytest.fixture(scope="session")
def hostile() -> tuple[RunSummary, list[Example]]:
    return hostile_summary(), [hostile_example()]
