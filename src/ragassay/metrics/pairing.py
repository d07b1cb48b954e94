"""Examples and predictions put together: whatever does not fit is said before anything is scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite

from ragassay.errors import RecordError
from ragassay.metrics.judged.answered import Answered
from ragassay.records import Example, Prediction

NO_PREDICTION = "there is no prediction for this example"


def paired(examples: Sequence[Example], predictions: Sequence[Prediction]) -> list[Answered]:
    """Every example with each system's prediction, system by system, in the order of the examples.

    An example that a system has no prediction for gets one that failed, so that it counts as not scored. Chunk texts
    are those of the predictions, empty where a chunk has none.
    Raises RecordError for an example or prediction that is there twice, a prediction for an example that is not there,
    and a chunk score that is NaN or infinite; it names the record.
    """
    known = _examples(examples)
    made: dict[tuple[str, str], Prediction] = {}
    for prediction in predictions:
        _check(prediction, known, made)
        made[prediction.system, prediction.example_id] = prediction
    return list(_paired(examples, made))


def _paired(examples: Sequence[Example], made: dict[tuple[str, str], Prediction]) -> Iterator[Answered]:
    for system in dict.fromkeys(system for system, _ in made):
        for example in examples:
            prediction = made.get((system, example.id)) or Prediction(
                example_id=example.id, system=system, chunks=(), error=NO_PREDICTION
            )
            yield Answered(example, prediction, tuple(chunk.text or "" for chunk in prediction.chunks))


def _examples(examples: Sequence[Example]) -> set[str]:
    known: set[str] = set()
    for example in examples:
        if example.id in known:
            raise RecordError(f"example {example.id} is there twice; drop one or give it an id of its own")
        known.add(example.id)
    return known


def _check(prediction: Prediction, known: set[str], made: dict[tuple[str, str], Prediction]) -> None:
    name = f"the prediction of {prediction.system} for example {prediction.example_id}"
    if prediction.example_id not in known:
        raise RecordError(f"{name} has no example; drop it, or score it with the set that holds the example")
    if (prediction.system, prediction.example_id) in made:
        raise RecordError(f"{name} is there twice; drop one or name the systems apart")
    wrong = next((chunk for chunk in prediction.chunks if not isfinite(chunk.score)), None)
    if wrong is not None:
        raise RecordError(f"{name}: the score of chunk {wrong.chunk_id} is {wrong.score}; give a number")
