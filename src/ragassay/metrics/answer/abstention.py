"""Precision, recall and accuracy of abstaining: whether exactly the unanswerable questions are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ragassay.metrics.answered import Answered
from ragassay.metrics.metric import Measured, Metric, meaning_of
from ragassay.models.embedded.judging.refusals import is_refusal, only_refuses
from ragassay.records import UNLABELLED, Example, Prediction


def how_it_answered(prediction: Prediction) -> str:
    """In words, for the evidence of a score."""
    if prediction.abstained:
        return "the system abstained"
    return "the answer declines" if has_refused(prediction) else "the system answered"


def has_refused(prediction: Prediction) -> bool:
    """Whether the system abstained: it says so, or its answer opens or ends by declining or saying what is missing.

    The latter by rules, in twelve languages, for whichever system: the same answer counts alike wherever it comes from.
    """
    answer = prediction.answer or ""
    return prediction.abstained or (answer != "" and is_refusal(answer))


def all_refuse(texts: Iterable[str]) -> bool:
    """Whether reference answers or keypoints say no more than that there is no answer: then it is right to abstain."""
    stated = [text for text in texts if text.strip()]
    return bool(stated) and all(map(only_refuses, stated))


def is_unanswerable(example: Example) -> tuple[bool | None, str | None]:
    """Return whether a system is right to refuse the question; None with the reason where nobody has said so.

    By the label that was asked for. Where only the context is known to lack the answer, by its provenance or because
    only a labeller, who reads no more than that, has said so, a system that searches the whole corpus may find it
    elsewhere and be right to answer. Without a label, a reference answer, references or keypoints say that there is an
    answer, or, in words such as "Unable to answer", that there is none.
    """
    label = example.requested_label
    if label == "unanswerable" and example.provenance.unanswerable_in != "context":
        return True, None
    if "unanswerable" in (label, label or example.verified_label):
        return None, "only the context is known to lack the answer; the corpus may hold it"
    if example.label == UNLABELLED and all_refuse((example.answer, *example.keypoints)):
        return True, None
    if example.label != UNLABELLED or example.answer.strip() or example.references or example.keypoints:
        return False, None
    return None, "neither a label nor a reference says whether the question has an answer"


def abstention_precision(*, abstained: bool, is_unanswerable: bool) -> float | None:
    """1 if the refused question is unanswerable, else 0; its mean is the precision of refusing.

    None where the system answered. Source: precision over refusals, as in SQuAD 2.0 (Rajpurkar et al. 2018).
    """
    return float(is_unanswerable) if abstained else None


def abstention_recall(*, abstained: bool, is_unanswerable: bool) -> float | None:
    """1 if the unanswerable question is refused, else 0; its mean is the recall of refusing.

    None where the question is answerable. Source: as ``abstention_precision``.
    """
    return float(abstained) if is_unanswerable else None


def abstention_accuracy(*, abstained: bool, is_unanswerable: bool) -> float:
    """1 where the system refused an unanswerable question or answered an answerable one, else 0."""
    return float(abstained == is_unanswerable)


_SQUAD2 = "Rajpurkar et al. 2018 (SQuAD 2.0)"


def _abstaining(name: str, function: Callable[..., float | None], source: str, undefined: str | None = None) -> Metric:
    def measure(item: Answered, _: int) -> Measured:
        is_right, unknown = is_unanswerable(item.example)
        if is_right is None:
            return Measured(None, reason=unknown)
        prediction = item.prediction
        value = function(abstained=has_refused(prediction), is_unanswerable=is_right)
        return Measured(None, reason=undefined) if value is None else Measured(value, (how_it_answered(prediction),))

    return Metric(
        name=f"abstention_{name}",
        kind="answer",
        meaning=meaning_of(function),
        inputs=("answer",),
        source=source,
        unseen="whether the answers given are right",
        over_all=True,
        measure=measure,
        is_usual=name == "accuracy",
    )


METRICS = (
    _abstaining("precision", abstention_precision, _SQUAD2, "the system answered"),
    _abstaining("recall", abstention_recall, _SQUAD2, "the question is answerable"),
    _abstaining("accuracy", abstention_accuracy, "ours"),
)
