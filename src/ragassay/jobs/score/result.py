"""Scores from Python: data sets as people have them in, means and every single score out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

from ragassay.errors import UsageError
from ragassay.evaluation.estimate import Estimate
from ragassay.jobs.answer.predict import Predicted
from ragassay.jobs.folders.run_folder import PREDICTIONS_FILE, SCORES_FILE
from ragassay.plain_files import read_plain
from ragassay.records import Example, Prediction, Score, from_json
from ragassay.report.costs import StageCost
from ragassay.report.notebook import WIDTH, Shown
from ragassay.report.predictions import blocks_of_predictions, predictions_object
from ragassay.report.scores import ScoreSummary, blocks_of_scores, means_words, score_object

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


@dataclass(frozen=True, kw_only=True, repr=False)
class Evaluation(Shown):
    """What was scored: ``result["faithfulness"]`` is a mean, the rest says how far to believe it.

    summary: all figures, with intervals, coverage and the reasons for what is missing. cost: None if nothing was asked.
    folder: where the files are; None where none was named. lines: the scores as JSON Lines, where there is no folder
    and they were to be kept. predicted: what a system answered, with notes and failures; None for recorded answers.
    """

    summary: ScoreSummary
    cost: StageCost | None
    examples: Sequence[Example]
    predictions: Sequence[Prediction]
    folder: Path | None = None
    lines: str = ""
    predicted: Predicted | None = None

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
    def scores(self) -> Iterator[Score]:
        """Every score with its evidence, in the order of the work."""
        text = read_plain(self.folder / SCORES_FILE).decode() if self.folder is not None else self.lines
        return (from_json(Score, line, where=SCORES_FILE) for line in text.split("\n") if line)

    def __getitem__(self, metric: str) -> float | None:
        """The mean of a metric; None where nothing has a value.

        Raises KeyError for one that was not asked for.
        """
        return self.metrics[metric].value

    @cached_property
    def samples(self) -> list[Sample]:
        """Every example in its order, with its prediction and its scores."""
        scores: dict[str, dict[str, Score]] = defaultdict(dict)
        for score in self.scores:
            scores[score.example_id][score.metric] = score
        predictions = {prediction.example_id: prediction for prediction in self.predictions}
        return [Sample(each, predictions.get(each.id), scores[each.id]) for each in self.examples]

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

    def blocks(self, *, is_brief: bool = False) -> Iterable[Block]:
        figures = None if self.predicted is None else self.predicted.figures
        if self.summary.metrics or figures is None:
            return blocks_of_scores(self.summary, self.cost, self.folder, figures, self.predictions, is_brief=is_brief)
        return blocks_of_predictions(figures, self._predictions_file)

    def as_object(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        found = score_object(self.summary, self.cost, self.folder)
        if self.predicted is not None:
            found["predicted"] = predictions_object(self.predicted.figures, self._predictions_file)
        return found

    @property
    def _predictions_file(self) -> str:
        return "" if self.folder is None else str(self.folder / PREDICTIONS_FILE)

    def __str__(self) -> str:
        """Return every mean with its interval, as a paragraph."""
        return fill(means_words(self.summary), WIDTH) if self.metrics else super().__str__()

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{name}={'none' if each.value is None else f'{each.value:.4f}'} ({each.n} of {each.total})"
            for name, each in self.metrics.items()
        )
        return f"Evaluation({shown})"
