"""Judgements of several raters on the same items, and their agreement beyond chance: kappa and Krippendorff's alpha."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from ragassay.people.agreement.measure import Measure, defined, undefined
from ragassay.records import LABELS, Annotation

Level = Literal["nominal", "ordinal", "interval"]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
_NO_CHANCE = 1e-12
"""Where disagreement by chance is no more than this, it is 0 but for rounding."""
_NO_TWO = "no item was judged by two raters"


def table_of(units: Sequence[Sequence[str]], values: Sequence[str]) -> Floats:
    """Return how many raters gave each item each value: (n_items, n_values).

    units: what raters gave each item, all of it in ``values``.
    """
    place = {value: number for number, value in enumerate(values)}
    table = np.zeros((len(units), len(values)))
    for row, unit in enumerate(units):
        for value in unit:
            table[row, place[value]] += 1
    return table


def fleiss_kappa(counts: npt.ArrayLike) -> Measure:
    """Agreement of any number of raters, not the same ones for every item, at most 1; 0 is what chance gives.

    counts: (n_items, n_categories), how many raters put an item into a category. Items with fewer than two raters are
    left out. Every item weighs the same, in the observed agreement and in the shares that chance is worked out from;
    with equal numbers of raters that is Fleiss' formula (1971).
    None where no item has two raters, or all judgements are of one category.
    """
    table = np.asarray(counts, dtype=np.float64)
    table = table[table.sum(axis=1) >= 2]
    n = len(table)
    if not n:
        return undefined(_NO_TWO)
    raters = table.sum(axis=1)
    observed = float(((table * (table - 1)).sum(axis=1) / (raters * (raters - 1))).mean())
    shares = (table / raters[:, None]).mean(axis=0)
    by_chance = float(shares @ shares)
    if by_chance >= 1 - _NO_CHANCE:
        return undefined(f"all who judged {_items(n)} gave the same value: kappa is 0 / 0", n)
    return defined((observed - by_chance) / (1 - by_chance), n)


def _items(n: int) -> str:
    return "the one item" if n == 1 else f"the {n} items"


def krippendorff_alpha(
    items: Iterable[Sequence[str]], level: Level = "nominal", *, scale: Sequence[str] = ()
) -> Measure:
    """1 - observed disagreement / disagreement by chance, at most 1; 0 is what chance gives.

    items: the values that raters gave each item; items with fewer than two are left out. level: "nominal" takes any
    two values as equally far apart; "ordinal" counts the judgements between them, in the order of ``scale``;
    "interval" takes values as numbers and squares their distance.
    None where no item has two values, or all values are the same. Raises ValueError for a value that is not on the
    scale, or is no number where numbers are needed.
    Source: Krippendorff 2011, "Computing Krippendorff's alpha-reliability".
    """
    units = [list(values) for values in items if len(values) >= 2]
    values = ordered_values({value for unit in units for value in unit}, level, scale)
    return alpha_of_table(table_of(units, values), values, level)


def alpha_of_table(table: Floats, values: Sequence[str], level: Level) -> Measure:
    """Return the same of a table of items with two raters or more. values: of its columns, in their order."""
    n, totals = len(table), table.sum(axis=0)
    if not n:
        return undefined(_NO_TWO)
    if level == "nominal":
        apart = 1 - np.eye(len(values))
    elif level == "interval":
        apart = np.subtract.outer(*[np.array([_number(value) for value in values])] * 2) ** 2
    else:  # judgements below the middle of each value
        apart = np.subtract.outer(*[np.cumsum(totals) - totals / 2] * 2) ** 2
    by_chance = float(totals @ apart @ totals) / (totals.sum() - 1)
    if by_chance == 0:
        return undefined(f"the values of all judged items ({n}) are equal: alpha is 0 / 0", n)
    weighted = table / (table.sum(axis=1, keepdims=True) - 1)
    return defined(1 - float(((table.T @ weighted) * apart).sum()) / by_chance, n)


def ordered_values(found: set[str], level: Level, scale: Sequence[str] = ()) -> list[str]:
    """Return the values in their order. Raises ValueError as ``krippendorff_alpha``."""
    if level != "ordinal":
        return sorted(found) if level == "nominal" else sorted(sorted(found), key=_number)
    missing = sorted(found - set(scale))
    if missing:
        raise ValueError(f"the value {missing[0]!r} is not on the scale {', '.join(scale) or '(none was given)'}")
    return [value for value in scale if value in found]


def _number(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise ValueError(
            f"the value {value!r} is not a number; use the level nominal, or ordinal with a scale"
        ) from None


@dataclass(frozen=True)
class Judgements:
    """What raters said of items, in one task.

    of: item id to rater to value. Not every rater has to have judged every item.
    """

    of: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def raters(self) -> tuple[str, ...]:
        """In alphabetical order."""
        return tuple(sorted({rater for values in self.of.values() for rater in values}))

    @property
    def n(self) -> int:
        """Judgements in all."""
        return sum(len(values) for values in self.of.values())

    def by(self, rater: str) -> dict[str, str]:
        """Item to value, of one rater."""
        return {item: values[rater] for item, values in self.of.items() if rater in values}

    def of_others(self, rater: str) -> dict[str, list[str]]:
        """Item to the values of all others, of the items that this rater judged."""
        return {
            item: [value for who, value in values.items() if who != rater]
            for item, values in self.of.items()
            if rater in values
        }

    def majorities_of_others(self, rater: str) -> dict[str, str]:
        """Item to the value that more of the others gave than any other; items as in ``of_others``."""
        found = ((item, majority(values)) for item, values in self.of_others(rater).items())
        return {item: value for item, value in found if value is not None}

    def majorities(self) -> dict[str, str]:
        """Item to the value that more raters gave than any other; items without such a value are left out."""
        found = ((item, majority(values.values())) for item, values in self.of.items())
        return {item: value for item, value in found if value is not None}


def majority(values: Iterable[str]) -> str | None:
    """The value that stands there more often than any other; None where two stand there equally often, or none."""
    ranked = Counter(values).most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def by_task(annotations: Iterable[Annotation]) -> dict[str, Judgements]:
    """Return the judgements of each task; where a rater judged an item twice, the later one counts.

    The keypoints of all answers are one task, ``keypoint``, and so are their statements; items are ``SUBJECT#NUMBER``.
    """
    found: dict[str, dict[str, dict[str, str]]] = {}
    for each in annotations:
        task, item = folded(each.task, each.subject_id)
        found.setdefault(task, {}).setdefault(item, {})[each.annotator] = each.value
    return {task: Judgements(found[task]) for task in sorted(found)}


def folded(task: str, subject_id: str) -> tuple[str, str]:
    """Task and item of an annotation, with the number of a keypoint or statement in the item in place of the task."""
    name, _, number = task.partition(":")
    return (name, f"{subject_id}#{number}") if name in ("keypoint", "statement") and number else (task, subject_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """values: in their order where there is one; none where any value may come. level: of measurement."""

    level: Level
    values: tuple[str, ...] = ()

    @property
    def is_numeric(self) -> bool:
        return self.level != "nominal" and all(value.isdigit() for value in self.values)


VERDICTS = ("covered", "contradicted", "neither")
"""What an answer makes of a keypoint."""
SUPPORT = ("supported", "unsupported")
"""What a context makes of a statement."""
_RATINGS = Scale(level="ordinal", values=tuple("12345"))
_SCALES = {
    "label": Scale(level="nominal", values=LABELS),
    "critique": _RATINGS,
    "quality": Scale(level="ordinal", values=tuple("012345")),
    "correctness": Scale(level="ordinal", values=("wrong", "partly", "right")),
    "keypoint": Scale(level="nominal", values=VERDICTS),
    "triple": Scale(level="ordinal", values=tuple("012345")),
    "statement": Scale(level="nominal", values=SUPPORT),
    "preference": Scale(level="nominal", values=("first", "second", "tie")),
}


def scale_of(task: str) -> Scale:
    """Of a task as annotations name it, such as ``critique:stand_alone``; nominal for tasks of somebody else's."""
    return _SCALES.get(task.partition(":")[0], Scale(level="nominal"))
