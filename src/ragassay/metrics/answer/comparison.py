"""Answers compared with their references word for word: exact match, presence, token F1 and ROUGE."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

from ragassay.metrics.answer.abstention import all_refuse, is_unanswerable
from ragassay.metrics.answer.tokens import answer_tokens, rouge_tokens, squad_tokens, stand_in
from ragassay.metrics.inputs import Input
from ragassay.metrics.item import Item
from ragassay.metrics.judged.answered import ABSTAINED
from ragassay.metrics.metric import Measure, Measured, Metric, meaning_of

Unit = TypeVar("Unit", bound=Hashable)
COMPARED: tuple[Input, ...] = ("answer", "reference answer")
LONGEST = 50_000
"""Tokens of the shorter list up to which seconds are enough; time grows with the product of both lengths."""


class Overlap(NamedTuple):
    """shared: units in both. said, wanted: units of the answer and of the reference."""

    shared: int
    said: int
    wanted: int

    @property
    def f1(self) -> float:
        """2 shared / (said + wanted); 1 where neither text has a unit."""
        units = self.said + self.wanted
        return 2 * self.shared / units if units else 1.0


def shared_count(said: Iterable[Unit], wanted: Iterable[Unit]) -> int:
    """Count the units that both have, each as often as it stands in both."""
    return (Counter(said) & Counter(wanted)).total()


def lcs_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence: tokens that stand in both in the same order, gaps allowed.

    One column of the usual table is one integer, of which bit i says whether the table rises at row i.
    Raises ValueError where both lists have more than ``LONGEST`` tokens.
    Source: Hyyro 2004, Bit-parallel LCS-length computation revisited.
    """
    rows, columns = (first, second) if len(first) <= len(second) else (second, first)
    if len(rows) > LONGEST:
        raise ValueError(f"both sides have more than {LONGEST} words, too many for a common subsequence")
    places: dict[str, int] = {}
    for place, token in enumerate(rows):
        places[token] = places.get(token, 0) | (1 << place)
    full = (1 << len(rows)) - 1
    level = full  # zeros are rises
    for rows_of_token in filter(None, map(places.get, columns)):
        if matches := level & rows_of_token:
            level = ((level + matches) | (level - matches)) & full
    return len(rows) - level.bit_count()


def exact_match(answer: str, reference: str) -> float:
    """1 if both have the same words, numbers and signs in the same order, else 0.

    Case, punctuation and articles do not count; "12.0" is "12", but "3.5" is not "35" (``answer_tokens``).
    Source: after Rajpurkar et al. 2016, whose rule is ``squad_exact_match``.
    """
    return float(answer_tokens(answer) == answer_tokens(reference))


def squad_exact_match(answer: str, reference: str) -> float:
    """Exact match by SQuAD's own rule: 1 if both are the same without case, ASCII punctuation and articles, else 0.

    So "3.5" and "35", "-5" and "5" are the same, "12.0" and "12" are not (``squad_tokens``). Where the question has no
    answer, 1 if the system abstained, else 0, as in SQuAD 2.0.
    Source: Rajpurkar et al. 2016 (SQuAD), its evaluation script.
    """
    return float(squad_tokens(answer) == squad_tokens(reference))


def string_presence(answer: str, reference: str) -> float:
    """1 if the tokens of the reference stand in the answer side by side, in their order, else 0.

    Tokens as in ``exact_match``: "5" is not in "15" nor in "-5".
    Source: RAGAS 0.2 (its documentation, string presence), which compares the texts sign by sign.
    """
    return float(stand_in(answer_tokens(reference), answer_tokens(answer)))


def token_f1(answer: str, reference: str) -> Overlap:
    """F1 of the words, numbers and signs that both have, each as often as it stands in both, in [0, 1].

    Case, punctuation and articles do not count; "12.0" is "12", but "3.5" is not "35" (``answer_tokens``); Chinese by
    characters. Source: after Rajpurkar et al. 2016, whose rule is ``squad_f1``.
    """
    return _shared(answer_tokens(answer), answer_tokens(reference))


def squad_f1(answer: str, reference: str) -> Overlap:
    """Token F1 by SQuAD's own rule: of tokens without case, ASCII punctuation and articles, in [0, 1].

    So "3.5" and "35" are the same, and Chinese is cut at spaces only (``squad_tokens``). Where either text has no
    token, 1 if neither has, else 0, as in SQuAD 2.0; where the question has no answer, 1 if the system abstained, else
    0. Source: Rajpurkar et al. 2016 (SQuAD), its evaluation script.
    """
    return _shared(squad_tokens(answer), squad_tokens(reference))


def rouge_1(answer: str, reference: str) -> Overlap | None:
    """F1 of the words that both have, each as often as it stands in both, in [0, 1].

    Words in lower case without punctuation and signs, not stemmed (``rouge_tokens``): "-5" is "5". Chinese by
    characters. None where the reference has no word. Source: Lin 2004, section 2, as F with equal weights.
    """
    said, wanted = rouge_tokens(answer), rouge_tokens(reference)
    return _shared(said, wanted) if wanted else None


def rouge_2(answer: str, reference: str) -> Overlap | None:
    """F1 of the pairs of neighbouring words that both have, in [0, 1].

    None where the reference has fewer than two words. Source: as ``rouge_1``.
    """
    said, wanted = ([*pairwise(rouge_tokens(text))] for text in (answer, reference))
    return _shared(said, wanted) if wanted else None


def rouge_l(answer: str, reference: str) -> Overlap | None:
    """F1 of the words in the longest common subsequence of both texts, in [0, 1].

    Over the two whole texts; words as in ``rouge_1``. The published DragonBall figure is another:
    ``released_rouge_l``. Raises ValueError where both have more than 50 000 words.
    Source: Lin 2004, section 3.1, as F with equal weights.
    """
    said, wanted = rouge_tokens(answer), rouge_tokens(reference)
    return Overlap(lcs_length(said, wanted), len(said), len(wanted)) if wanted else None


def _shared(said: Sequence[Hashable], wanted: Sequence[Hashable]) -> Overlap:
    return Overlap(shared_count(said, wanted), len(said), len(wanted))


def _of_best(function: Callable[[str, str], float | Overlap | None], unit: str) -> Measure:
    """Compare with each reference answer, as SQuAD's script does: the best value counts.

    unit: what an overlap is counted in.
    """

    def compared(answer: str, reference: str) -> Measured:
        found = function(answer, reference)
        if found is None:
            return Measured(None, reason=f"the reference answer has no {unit}")
        if isinstance(found, Overlap):
            evidence = f"{found.shared} {unit}s in common; {found.said} in the answer, {found.wanted} in the reference"
            return Measured(found.f1, (evidence,))
        return Measured(found, (f"{len(answer):,} characters against {len(reference):,} of the reference",))

    def measure(item: Item, _: int) -> Measured:
        if item.answered.prediction.abstained:
            return Measured(float(all_refuse(item.reference_answers)), (ABSTAINED,))
        try:
            found = [compared(item.answer, reference) for reference in item.reference_answers]
        except ValueError as error:  # too long to compare
            return Measured(None, reason=str(error))
        best = max(
            (each for each in found if each.value is not None), key=lambda each: each.value or 0, default=found[0]
        )
        many = (f"the best of {len(found)} reference answers",) if len(found) > 1 else ()
        return best._replace(evidence=(*best.evidence, *many))

    return measure


def _with_unanswerable(measure: Measure) -> Measure:
    """Score questions without an answer too, as SQuAD 2.0's script does: 1 for an abstention, 0 for any answer."""

    def also(item: Item, depth: int) -> Measured:
        if item.reference_answer.strip():
            return measure(item, depth)
        has_none, unknown = is_unanswerable(item.answered.example)
        if not has_none:
            return Measured(None, reason=unknown or "the example has no reference answer")
        return Measured(float(item.answered.prediction.abstained), ("the question has no answer",))

    return also


_OURS, _SQUAD, _LIN = "ours, after Rajpurkar et al. 2016 (SQuAD)", "Rajpurkar et al. 2016 (SQuAD)", "Lin 2004"
METRICS = tuple(
    Metric(
        name=name,
        kind="answer and reference",
        meaning=meaning_of(function),
        inputs=("answer",) if source == _SQUAD else COMPARED,
        source=source,
        measure=_with_unanswerable(_of_best(function, unit)) if source == _SQUAD else _of_best(function, unit),
        is_usual=name in ("exact_match", "token_f1", "rouge_l"),
    )
    for name, function, source, unit in (
        ("exact_match", exact_match, _OURS, ""),
        ("squad_exact_match", squad_exact_match, _SQUAD, ""),
        ("string_presence", string_presence, "RAGAS 0.2, string presence", ""),
        ("token_f1", token_f1, _OURS, "token"),
        ("squad_f1", squad_f1, _SQUAD, "token"),
        ("rouge_1", rouge_1, _LIN, "word"),
        ("rouge_2", rouge_2, _LIN, "word pair"),
        ("rouge_l", rouge_l, _LIN, "word"),
    )
)
