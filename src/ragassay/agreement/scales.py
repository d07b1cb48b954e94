"""What kind of values the judgements of a task are."""

from __future__ import annotations

from dataclasses import dataclass

from ragassay.agreement.raters import Level
from ragassay.records import LABELS


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """values: in their order where there is one; none where any value may come. level: of measurement."""

    level: Level
    values: tuple[str, ...] = ()

    @property
    def is_numeric(self) -> bool:
        return self.level != "nominal"


KEPT_FROM = 4.0
"""The rating from which people are taken to keep an item: "good" on the scale from 1 to 5."""
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
