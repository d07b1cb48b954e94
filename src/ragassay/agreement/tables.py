"""Judgements of several raters on the same items: who said what of which, on what scale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ragassay.agreement.raters import Level
from ragassay.records import LABELS, Annotation


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
        return self.level != "nominal"


VERDICTS = ("covered", "contradicted", "neither")
"""What an answer makes of a keypoint."""
SUPPORT = ("supported", "unsupported")
"""What a context makes of a statement."""
_RATINGS = Scale(level="ordinal", values=tuple("12345"))
_SCALES = {
    "label": Scale(level="nominal", values=LABELS),
    "critique": _RATINGS,
    "quality": Scale(level="ordinal", values=tuple("012345")),
    "keypoint": Scale(level="nominal", values=VERDICTS),
    "triple": Scale(level="ordinal", values=tuple("012345")),
    "statement": Scale(level="nominal", values=SUPPORT),
    "preference": Scale(level="nominal", values=("first", "second", "tie")),
}


def scale_of(task: str) -> Scale:
    """Of a task as annotations name it, such as ``critique:stand_alone``; nominal for tasks of somebody else's."""
    return _SCALES.get(task.partition(":")[0], Scale(level="nominal"))
