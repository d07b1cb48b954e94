"""Scores from Python: data sets as people have them in, means and every single score out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ragassay.datasets.format import Notes, Record
from ragassay.datasets.lines import without_surrogates
from ragassay.datasets.sets import read_rows_at_hand
from ragassay.errors import RecordError, UsageError
from ragassay.evaluation.estimate import Estimate
from ragassay.pipeline.answer.predict import Predicted
from ragassay.pipeline.score.evaluate import Evaluated
from ragassay.records import Document, Example, Prediction, Score, to_json
from ragassay.report.notebook import Shown
from ragassay.report.scores import ScoreSummary

if TYPE_CHECKING:
    import pandas

    from ragassay.report.blocks import Block

_COLUMNS = ("example_id", "user_input", "reference", "response", "retrieved_contexts", "label", "question_type")
NO_PANDAS = "to_pandas() needs pandas; install it with: pip install 'ragassay[pandas]'"


class Sample(NamedTuple):
    """One example with what was made of it and what that is worth. scores: metric to its score."""

    example: Example
    prediction: Prediction | None
    scores: Mapping[str, Score]


class Evaluation(Shown):
    """What ``ragassay.evaluate`` returns: ``result["faithfulness"]`` is a mean, the rest says how far to believe it."""

    def __init__(self, scoring: Evaluated) -> None:
        self._scoring = scoring

    @property
    def summary(self) -> ScoreSummary:
        """All figures, with intervals, coverage and the reasons for what is missing."""
        return self._scoring.summary

    @property
    def metrics(self) -> Mapping[str, Estimate]:
        """Metric to its mean, interval and coverage."""
        return self.summary.metrics

    @property
    def labels(self) -> Mapping[str, Mapping[str, Estimate]]:
        """The same for each label."""
        return self.summary.labels

    @property
    def types(self) -> Mapping[str, Mapping[str, Estimate]]:
        """The same for each question type."""
        return self.summary.types

    @property
    def predicted(self) -> Predicted | None:
        """What a system answered, with notes and failures; None for recorded answers."""
        return self._scoring.predicted

    @property
    def folder(self) -> Path | None:
        """Where the files are, if a folder was named."""
        return self._scoring.folder

    def __getitem__(self, metric: str) -> float | None:
        """The mean of a metric; None where nothing has a value.

        Raises KeyError for one that was not asked for.
        """
        return self.metrics[metric].value

    @cached_property
    def samples(self) -> list[Sample]:
        """Every example in its order, with its prediction and its scores."""
        scores: dict[str, dict[str, Score]] = defaultdict(dict)
        for score in self._scoring.scores:
            scores[score.example_id][score.metric] = score
        predictions = {prediction.example_id: prediction for prediction in self._scoring.predictions}
        return [Sample(each, predictions.get(each.id), scores[each.id]) for each in self._scoring.examples]

    def to_pandas(self) -> pandas.DataFrame:
        """One row an example: id, question, reference, answer, contexts, label, type, and a column for each metric.

        Metrics are columns of numbers, where NaN stands for no value; ``samples`` has the reasons and the evidence. All
        other columns hold Python's objects, None for what is not there. A metric that has the name of another column is
        NAME_score. Raises UsageError without pandas.
        """
        try:
            import pandas
        except ImportError:
            raise UsageError(NO_PANDAS) from None
        rows = [self._row(sample) for sample in self.samples]
        texts = pandas.DataFrame(rows, columns=_COLUMNS, dtype=object)
        values = {
            f"{name}_score" if name in _COLUMNS else name: pandas.Series(
                [sample.scores[name].value if name in sample.scores else None for sample in self.samples],
                dtype="float64",
            )
            for name in self.metrics
        }
        return texts.assign(**values)

    def _row(self, sample: Sample) -> dict[str, Any]:
        example, prediction = sample.example, sample.prediction
        return {
            "example_id": example.id,
            "user_input": example.question,
            "reference": example.answer,
            "response": prediction.answer if prediction else None,
            "retrieved_contexts": [chunk.text for chunk in prediction.chunks] if prediction else [],
            "label": example.label,
            "question_type": example.question_type,
        }

    def blocks(self) -> Iterable[Block]:
        from ragassay.report.scores import blocks_of_scores

        return blocks_of_scores(self.summary, self._scoring.cost, self.folder)

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{name}={'none' if each.value is None else f'{each.value:.4f}'} ({each.n} of {each.total})"
            for name, each in self.metrics.items()
        )
        return f"Evaluation({shown})"


def records_of(dataset: object, documents: Sequence[Document] | None = None) -> list[Record]:
    """The records of a data set that is at hand: our own, rows as RAGAS has them, or whatever gives such rows.

    documents: of the set, in the place of its own; None for those.

    Understood are lists of Example, Prediction and Document; lists of mappings; a mapping of columns; and what has
    ``to_list`` (data sets of Hugging Face and of RAGAS) or is a pandas DataFrame.
    Raises UsageError for anything else, RecordError that names the row or record at fault.
    """
    rows = list(rows_of(dataset, "dataset"))
    ours = [row for row in rows if isinstance(row, Example | Prediction | Document)]
    if ours and len(ours) == len(rows):
        for record in ours:
            _check_texts(record)
        if documents is None:
            return ours
        return [*documents, *(record for record in ours if not isinstance(record, Document))]
    strange = next((type(row).__name__ for row in rows if not isinstance(row, Mapping)), None)
    if strange is not None:
        raise UsageError(
            f"dataset: an entry has the type {strange}; give a path, records of Ragassay, or rows as "
            "mappings with user_input, response, retrieved_contexts and reference"
        )
    try:
        plain = [_plain(row) for row in rows]
    except RecursionError:
        raise RecordError("dataset: lists in a row are nested too deeply; leave that column out") from None
    return list(read_rows_at_hand(plain, Notes(), documents or ()))


def rows_of(dataset: Any, what: str) -> Iterable[Any]:
    """The entries of a list, a mapping of columns, a data set of Hugging Face or a data frame.

    what: what it is called in messages. Raises UsageError for anything else.
    """
    if isinstance(dataset, Mapping) and dataset and all(hasattr(each, "column_names") for each in dataset.values()):
        splits = ", ".join(map(str, dataset))
        raise UsageError(
            f"{what}: it has the splits {splits}; give one of them, such as dataset[{next(iter(dataset))!r}]"
        )
    if isinstance(dataset, Mapping):
        if wrong := next((name for name, values in dataset.items() if not isinstance(values, Iterable)), None):
            raise UsageError(f"{what}: the column {wrong!r} has the type {type(dataset[wrong]).__name__}; give a list")
        columns = {name: list(values) for name, values in dataset.items()}
        lengths = {len(values) for values in columns.values()}
        if len(lengths) > 1:
            raise UsageError(f"{what}: its columns have different lengths")
        return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    if hasattr(dataset, "to_list"):
        return list(dataset.to_list())
    if hasattr(dataset, "columns") and hasattr(dataset, "to_dict"):
        return list(dataset.to_dict("records"))
    if isinstance(dataset, Iterable) and not isinstance(dataset, str | bytes):
        return dataset
    raise UsageError(f"{what}: must be a path, records of Ragassay, or rows as mappings, not {type(dataset).__name__}")


def _check_texts(record: Example | Prediction | Document) -> None:
    try:
        to_json(record)
    except ValueError:  # pydantic's error of what cannot be written is one
        name = record.example_id if isinstance(record, Prediction) else record.id
        raise RecordError(
            f"{type(record).__name__} {name}: a text contains half a surrogate pair, which cannot be stored; replace it"
        ) from None


def _plain(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Arrays and tuples as lists, pandas' NaN for an empty cell as None, texts as a file can hold them."""
    return {str(name): without_surrogates(_plain_value(value)) for name, value in row.items()}


def _plain_value(value: Any) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float) and isnan(value):
        return None
    return list(value) if isinstance(value, tuple) else value
