"""What a source of summaries hands over: a question, its answer in parts, and where the parts stand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ragassay.models.embedded.prose.setting import Setting

LONGEST_ANSWER = 75
"""Words. What is longer is no summary but the passage again."""


LONGEST_LIST = 100


@dataclass(frozen=True, slots=True)
class Sketch:
    """A summary question before its theme is named.

    parts: what the answer consists of, each a clause or sentence. spans: verbatim stretches of the passage.
    anchored: whether the question names something by name. unresolved: words that point to something unknown.
    several: whether one part holds several things, such as both sides of a contrast.
    """

    question: str
    parts: Sequence[str]
    spans: tuple[tuple[int, int], ...]
    form: str
    setting: Setting
    anchored: bool
    unresolved: int = 0
    several: bool = False
    lead: str = ""
    features: Mapping[str, float] = field(default_factory=dict)

    @property
    def answer(self) -> str:
        return joined(self.parts, self.lead)


def joined(parts: Sequence[str], lead: str = "") -> str:
    """Sentences side by side; shorter parts as one list, after the words that lead to it."""
    if not lead and all(re.search(r"[.!?][\"'”’)]?$", part) for part in parts):
        return " ".join(parts)
    bare = [part.strip().rstrip(".;,") for part in parts]
    mark = ";" if any("," in part for part in bare) or any(len(part.split()) > 6 for part in bare) else ","
    text = f"{mark} ".join(bare[:-1])
    text = f"{text}{mark if mark == ';' or len(bare) > 2 else ''} and {bare[-1]}" if text else bare[-1]
    text = f"{lead} {text}" if lead else text
    return text[:1].upper() + text[1:] + "."
