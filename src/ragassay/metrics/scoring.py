"""Examples and predictions put together, and scored by metrics that ask nobody or an encoder.

Whatever does not fit is said before anything is scored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite, isnan

from ragassay.errors import RecordError
from ragassay.metrics.answer.abstention import all_refuse
from ragassay.metrics.answer.comparison import embedding_similarity
from ragassay.metrics.answered import ABSTAINED, NO_PREDICTION, Answered, TextOf, no_text
from ragassay.metrics.inputs import OF_EXAMPLES, Input, first_missing, missing
from ragassay.metrics.metric import Measured, Metric, score_of
from ragassay.models.base import Encoder
from ragassay.records import Example, Prediction, RankedChunk, Score


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Every example with each system's prediction, put together anew whenever they are gone through."""

    examples: Sequence[Example]
    predictions: dict[tuple[str, str], Prediction]
    rivals: dict[str, Prediction]
    text_of: TextOf
    with_blocks: bool

    @property
    def systems(self) -> list[str]:
        """In the order of their first prediction."""
        return list(dict.fromkeys(system for system, _ in self.predictions))

    def __len__(self) -> int:
        return len(self.systems) * len(self.examples)

    def __iter__(self) -> Iterator[Answered]:
        for system in self.systems:
            for example in self.examples:
                rival = self.rivals.get(example.id)
                yield Answered(
                    example,
                    prediction := self.predictions.get((system, example.id)) or _absent(example, system),
                    self._texts(prediction),
                    self._block(example) if self.with_blocks else "",
                    Answered(example, rival, self._texts(rival)) if rival else None,
                    self.text_of,
                )

    def _texts(self, prediction: Prediction) -> tuple[str, ...]:
        return tuple(self._text(chunk) for chunk in prediction.chunks)

    def _text(self, chunk: RankedChunk) -> str:
        if chunk.text is not None:
            return chunk.text
        document = self.text_of(chunk.document_id) if chunk.document_id else None
        return document[chunk.start : chunk.end] if document is not None else ""

    def _block(self, example: Example) -> str:
        """Return the documents that an example was made from; where they are not known, its context and its references.

        References that stand in the context are not told twice.
        """
        ids = dict.fromkeys((example.context.document_id, *(span.document_id for span in example.references)))
        documents = [text for name in ids if name and (text := self.text_of(name))]
        if documents:
            return "\n\n".join(documents)
        context = example.context.text
        quoted = dict.fromkeys(span.text for span in example.references if span.text.strip())
        return "\n\n".join(text for text in (context, *(each for each in quoted if each not in context)) if text)


def paired(
    examples: Sequence[Example],
    predictions: Sequence[Prediction],
    text_of: TextOf = no_text,
    rivals: Sequence[Prediction] = (),
    *,
    with_blocks: bool = False,
) -> Pairs:
    """Return every example with each system's prediction, system by system, in the order of the examples.

    An example that a system has no prediction for gets one that failed, so that it counts as not scored. Chunk texts
    are those of the predictions, else those of their documents, else empty.
    text_of: of documents. rivals: predictions of the one system that rankings compare with. with_blocks: whether the
    knowledge block of each example is looked up, too.
    Raises RecordError for an example or prediction that is there twice, a prediction for an example that is not there,
    and a chunk score that is NaN or infinite; it names the record.
    """
    known = _examples(examples)
    made = _by_key(predictions, known)
    others = _by_key(rivals, known)
    systems = list(dict.fromkeys(system for system, _ in others))
    if len(systems) > 1:
        raise RecordError(
            f"the other predictions are from {len(systems)} systems ({', '.join(systems[:5])}); give those of one"
        )
    return Pairs(examples, made, {name: each for (_, name), each in others.items()}, text_of, with_blocks)


def _absent(example: Example, system: str) -> Prediction:
    return Prediction(example_id=example.id, system=system, chunks=(), error=NO_PREDICTION)


def _examples(examples: Sequence[Example]) -> set[str]:
    known: set[str] = set()
    for example in examples:
        if example.id in known:
            raise RecordError(f"example {example.id} occurs twice; drop one, or give it its own id")
        known.add(example.id)
    return known


def _by_key(predictions: Sequence[Prediction], known: set[str]) -> dict[tuple[str, str], Prediction]:
    made: dict[tuple[str, str], Prediction] = {}
    for prediction in predictions:
        _check(prediction, known, made)
        made[prediction.system, prediction.example_id] = prediction
    return made


def _check(prediction: Prediction, known: set[str], made: dict[tuple[str, str], Prediction]) -> None:
    name = f"the prediction of {prediction.system} for example {prediction.example_id}"
    if prediction.example_id not in known:
        raise RecordError(f"{name} belongs to no example; drop it, or score it with its own set")
    if (prediction.system, prediction.example_id) in made:
        raise RecordError(f"{name} occurs twice; drop one, or give the systems different names")
    wrong = next((chunk for chunk in prediction.chunks if not isfinite(chunk.score)), None)
    if wrong is not None:
        raise RecordError(f"{name}: the score of chunk {wrong.chunk_id} must be a number, not {wrong.score}")


def scored(metrics: Sequence[tuple[Metric, int]], answered: Iterable[Answered]) -> Iterator[Score]:
    """Yield one score for each example and metric, example by example, as they are taken: memory does not grow.

    metrics: with their depths, as ``metrics_named`` gives them. None with the reason where an input is missing, as
    ``first_missing`` says it. Raises ValueError for a metric that an encoder or a model has to be asked for.
    """
    for metric, _ in metrics:
        if metric.measure is None:
            raise ValueError(f"{metric.name} asks {'an encoder' if metric.needs == 'encoder' else 'a model'}")
    for each in answered:
        item = each
        for metric, depth in metrics:
            yield score_of(each, metric.name, measured(metric, depth, item))


def measured(metric: Metric, depth: int, item: Answered) -> Measured:
    """Measure one metric of one example; None with the reason where an input is missing or the metric is undefined."""
    if reason := first_missing(item, metric.inputs, depth):
        return Measured(None, reason=reason)
    if metric.measure is None:
        raise ValueError(f"{metric.name} cannot be computed for a single example")
    found = metric.measure(item, depth)
    if found.value is None or isnan(found.value):
        return Measured(None, found.evidence, found.reason or "the metric is undefined here")
    return found


def embedding_similarities(encoder: Encoder, metric: Metric, answered: Sequence[Answered]) -> list[Score]:
    """Score ``embedding_similarity`` of the two texts of each; 0 where the system abstained from giving one.

    Raises ValueError for a metric that needs no encoder.
    """
    if metric.texts is None:
        raise ValueError(f"{metric.name} needs no encoder")
    reasons = [first_missing(each, metric.inputs) for each in answered]
    pairs = {
        place: pair
        for place, (each, reason) in enumerate(zip(answered, reasons, strict=True))
        if not reason and (pair := metric.texts(each)) is not None
    }
    values = dict(zip(pairs, embedding_similarity(encoder, list(pairs.values())), strict=True))
    return [
        score_of(each, metric.name, _of_similarity(each, values.get(place), reason, encoder.name))
        for place, (each, reason) in enumerate(zip(answered, reasons, strict=True))
    ]


def never_there(metric: Metric, items: Iterable[Answered]) -> Input | None:
    """Return an input of the metric that no example of a set has: it would be None throughout. None if all occur.

    For a check before anything is spent. Stops at the first example that has everything. What a system that failed
    throughout did not give is a reason of each score, and no lack of the set.
    """
    open_inputs = list(metric.inputs)
    has_failed = True
    for item in items:
        has_failed = has_failed and item.prediction.error not in (None, NO_PREDICTION)
        open_inputs = [each for each in open_inputs if missing(item, each)]
        if not open_inputs:
            return None
    return next((each for each in open_inputs if each in OF_EXAMPLES or not has_failed), None)


def _of_similarity(each: Answered, value: float | None, reason: str | None, encoder: str) -> Measured:
    if value is None and reason is None:
        return Measured(float(all_refuse((each.example.answer,))), (ABSTAINED,))
    return Measured(value, (f"cosine of {encoder}",) if value is not None else (), reason)
