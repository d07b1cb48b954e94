"""What a run of a system came to: every question is accounted for, and what makes figures doubtful is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from statistics import mean, median, quantiles
from typing import Any

from ragassay.datasets.foreign import RECORDED
from ragassay.generate.candidates import RULES
from ragassay.metrics.answer.abstention import has_refused
from ragassay.metrics.retrieval.references import repeats
from ragassay.records import Example, Prediction, RankedChunk
from ragassay.report.blocks import Block, Headline, Text
from ragassay.report.safe_text import excerpt
from ragassay.report.wording import count, noun, portion

REASONS_SHOWN = 3
DETAIL_CHARS = 140


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionFigures:
    """Of one system on one set.

    answered includes those that abstained. without_answer: that only retrieved. not_asked: where a limit ended the run.
    reasons: of failures, each with one of its messages. unplaced: chunks of which no place in a document is known.
    notes: what has to be known before the figures are believed.
    not_judged: queries of a BEIR folder that were left out.
    latency_s: mean, median and 95th percentile of the questions whose time is known; n how many these are.
    """

    system: str
    questions: int
    answered: int
    abstained: int
    failed: int
    not_asked: int
    without_answer: int
    asked_now: int
    reasons: dict[str, int]
    messages: dict[str, str]
    chunks: int
    unplaced: int
    notes: tuple[str, ...]
    outside_corpus: int
    not_judged: int
    latency_s: dict[str, float] | None
    input_tokens: int | None
    output_tokens: int | None


def prediction_figures(
    system: str,
    questions: int,
    predictions: Sequence[Prediction],
    *,
    asked_now: int,
    outside_corpus: int = 0,
    not_judged: int = 0,
    notes: Sequence[str] = (),
) -> PredictionFigures:
    """Return the figures. questions: of the set. asked_now: how many of them were put to the system this time."""
    fine = [each for each in predictions if each.error is None]
    reasons = Counter(_reason(each) for each in predictions if each.error is not None)
    messages: dict[str, str] = {}
    for each in predictions:
        if each.error is not None:
            messages.setdefault(_reason(each), each.error)
    chunks = [chunk for each in fine for chunk in each.chunks]
    return PredictionFigures(
        system=system,
        questions=questions,
        answered=len(fine),
        abstained=sum(each.abstained for each in fine),
        failed=len(predictions) - len(fine),
        not_asked=questions - len(predictions),
        without_answer=sum(each.answer is None and not each.abstained for each in fine),
        asked_now=asked_now,
        reasons=dict(reasons.most_common()),
        messages=messages,
        chunks=len(chunks),
        unplaced=len(unplaced(chunks)),
        notes=tuple(notes),
        outside_corpus=outside_corpus,
        not_judged=not_judged,
        latency_s=_latency([each.latency_s for each in fine if each.latency_s is not None]),
        input_tokens=_sum([each.input_tokens for each in fine]),
        output_tokens=_sum([each.output_tokens for each in fine]),
    )


def whose_answers(system: str) -> str:
    """Write ``answers of NAME``, or ``recorded answers``, which the set brought along."""
    return "recorded answers" if system == RECORDED else f"answers of {system}"


def refused_words(predictions: Sequence[Prediction]) -> str:
    """Say how many answers refuse and how many failed; empty where there is no answer."""
    answers = [each for each in predictions if each.error is None and (each.answer or each.abstained)]
    failed = sum(each.error is not None for each in predictions)
    if not answers and not failed:
        return ""
    refused = sum(map(has_refused, answers))
    some = f"{portion(refused, len(answers), 'answer')} {noun(refused, 'refuses', 'refuse')}"
    return f"{some}; {count(failed)} failed"


MOST_UNPLACED = 0.1
"""Share of the chunks of unknown place from which on figures of retrieval are in doubt."""


def unplaced(chunks: Iterable[RankedChunk]) -> list[RankedChunk]:
    """Return those of which no place in a document is known."""
    return [chunk for chunk in chunks if not chunk.document_id or chunk.end <= chunk.start]


def lost_references_note(examples: Iterable[Example], whose: str = "") -> Iterator[str]:
    """Warn of references that stand in none of the documents. whose: " of the human benchmark", say."""
    spans = [span for each in examples for span in each.references if span.text.strip()]
    if lost := sum(span.end <= span.start for span in spans):
        yield (
            f"{portion(lost, len(spans))} references{whose} are in none of the documents, so no search can find them. "
            "Check that --documents names those that they are from; if these were edited, `ragassay refresh` renews "
            "the set."
        )


def doubts_of(examples: Iterable[Example], predictions: Iterable[Prediction]) -> tuple[str, ...]:
    """Return what makes figures of retrieval in documents that are at hand doubtful."""
    return (*lost_references_note(examples), *_unplaced_note(predictions))


def _unplaced_note(predictions: Iterable[Prediction]) -> Iterator[str]:
    chunks = [chunk for each in predictions if each.error is None for chunk in each.chunks]
    lost = unplaced(chunks)
    if chunks and len(lost) > MOST_UNPLACED * len(chunks):
        shown = excerpt(" ".join((lost[0].text or "").split()), 80)
        example = f", such as “{shown}”" if shown else ""
        said = f"{portion(len(lost), len(chunks))} retrieved chunks were not found in any document{example}"
        if 2 * len(lost) < len(chunks):
            yield f"{said}. Retrieval metrics mostly count them as misses."
            return
        yield (
            f"Do not rely on the retrieval figures: {said}. Most likely the system searches other documents, or "
            "returns texts that are rewritten, generated, or little but marks, such as images. Have it return "
            "document_id, start and end with each chunk (docs/systems.md)."
        )


def rules_note(examples: Sequence[Example]) -> Iterator[str]:
    """Warn where most questions repeat the words of the documents, as those made without a language model do."""
    made = sum(each.provenance.synthesizer == RULES for each in examples)
    if 2 * made > len(examples):
        yield (
            f"{portion(made, len(examples))} questions were made by rules and share their words with the documents; "
            "people's are harder to find: score ten of your own, too: a CSV with question, answer, context, "
            "and --documents with the files that hold them (docs/datasets.md)."
        )


def ranking_notes(predictions: Sequence[Prediction], *, by_rank: bool) -> Iterator[str]:
    """Warn of rankings without chunks, with repeats, in an order that scores contradict; by_rank: taken as they are."""
    n = sum(each.error is None for each in predictions)
    if n and not any(each.chunks for each in predictions):
        which = "the prediction" if n == 1 else f"any of the {count(n)} predictions"
        yield (
            f"No chunk came with {which}. Retrieval metrics count this as nothing found. If the system does retrieve, "
            "have it return its chunks, or give their place with chunks=PLACE."
        )
    counts = [len(repeats(each.chunks, [chunk.text or "" for chunk in each.chunks])) for each in predictions]
    if total := sum(counts):
        chunks = "1 retrieved chunk stands" if total == 1 else f"{count(total)} retrieved chunks stand"
        yield (
            f"{chunks} further up in the same ranking already ({portion(sum(map(bool, counts)), len(counts))} "
            "predictions). Retrieval metrics count a chunk at its first place and its repeats as misses."
        )
    rising = sum(any(after.score > before.score for before, after in pairwise(each.chunks)) for each in predictions)
    if rising and by_rank:
        yield (
            f"In {portion(rising, len(predictions))} predictions a chunk has a higher score than one before it. "
            "Metrics take chunks as they stand, which is right where low scores are the good ones, such as distances; "
            "`ragassay evaluate --rank-by score` takes the highest first, as trec_eval does."
        )


def predictions_object(figures: PredictionFigures, path: str) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    return {**asdict(figures), "predictions": path or None}


def blocks_of_predictions(figures: PredictionFigures, path: str = "") -> Iterator[Block]:
    """Yield how many answered, abstained and failed, why, and how long it took; not what did not happen."""
    if path:
        yield Headline(figures.system)
    yield Text([f"Note: {note}" for note in figures.notes], "warning")
    seconds = figures.latency_s
    parts = {
        "asked now": figures.asked_now,
        "abstained": figures.abstained,
        "retrieved only": figures.without_answer,
        "failed": figures.failed,
        "not asked yet": figures.not_asked,
        f"of {count(figures.chunks)} chunks of unknown place, compared by their text alone": figures.unplaced,
        "queries left out, no judgement says what is relevant to them": figures.not_judged,
        "resting on documents that were not given": figures.outside_corpus,
        "input tokens": figures.input_tokens,
        "output tokens": figures.output_tokens,
    }
    said = [f"{portion(figures.answered, figures.questions, 'question')} answered"]
    said += [f"{count(number)} {what}" for what, number in parts.items() if number]
    said += [f"median {seconds['median']:.3f} s, 95 % within {seconds['p95']:.3f} s"] if seconds else []
    yield Text("; ".join(said))
    worst = [*figures.reasons.items()][:REASONS_SHOWN]
    yield Text([f"Failed, {count(n)}: {excerpt(figures.messages[why], DETAIL_CHARS)}" for why, n in worst], "bad")
    if figures.failed:
        yield Text(f"{'' if path else 'With --out, '}--retry-failed asks them again.")
    yield Text(f"Predictions: {path}" if path else ())


def _reason(prediction: Prediction) -> str:
    return (prediction.error or "").partition(": ")[0]


def _latency(seconds: Sequence[float]) -> dict[str, float] | None:
    if not seconds:
        return None
    p95 = quantiles(seconds, n=20, method="inclusive")[-1] if len(seconds) > 1 else seconds[0]
    figures = {"mean": mean(seconds), "median": median(seconds), "p95": p95}
    return {**{name: round(value, 4) for name, value in figures.items()}, "n": len(seconds)}


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
