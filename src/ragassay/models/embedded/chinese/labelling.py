"""The labeller for Chinese: how a context answers a question, seen from the context and the question alone.

The order of its decisions is that of the English one: a computation whose parts are there is reasoning; where nothing
says what is asked, unanswerable; several things asked or several units answering, summary; otherwise fact_single.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.chinese.amounts import amounts
from ragassay.models.embedded.chinese.asked import ParsedQuestion, pairs, parts_of, read_question
from ragassay.models.embedded.chinese.reading import (
    Place,
    Text,
    best_share,
    list_around,
    rank_places,
    read_text,
    section_under,
)
from ragassay.models.embedded.model import Handler
from ragassay.records import Label
from ragassay.tasks.labelling import LabelVerdict, Pair

# Chosen on half of the questions of XQuAD in Chinese and their paragraphs (docs/chinese.md).
SAYS_ABOVE = 0.35
# A part of a computation is told in the words of the text.
PART_ABOVE = 0.5
_SEVERAL = re.compile(r"哪些|哪几|分别|列出|概述|总结|概括|步骤|流程")
_DESCRIBES = re.compile(r"是怎样的|怎么样？?$|情况如何")
_DEFINES = re.compile(r"^什么是|指什么|是什么|用来做什么")
_HOW_TO = re.compile(r"如何|怎样(?!的)|怎么(?!样)")


def _labels(_: Encoder, inputs: Sequence[Pair]) -> list[Reply[LabelVerdict]]:
    return [Reply(_label(read_question(pair.question), read_text(pair.context))) for pair in inputs]


def _label(asked: ParsedQuestion, text: Text) -> LabelVerdict:
    if not asked.wanted:
        return LabelVerdict(label="unanswerable", reason="the question asks for nothing that could be looked up")
    if computes(asked, text):
        lacking = lacking_part(asked, text)
        if lacking:
            return LabelVerdict(label="unanswerable", reason=f"the context lacks what is to be compared: {lacking}")
        return LabelVerdict(label="reasoning", reason="the parts are stated, and have to be compared or counted")
    places = rank_places(asked, text)
    saying = [place for place in places if place.share >= SAYS_ABOVE and place.fits]
    if not saying:
        missing = "、".join(pair for pair in asked.wanted if pair not in text.every)
        return LabelVerdict(
            label="unanswerable", reason=f"the context does not say this; missing: {missing or 'a place'}"
        )
    several = _several(asked, text, saying[0])
    label: Label = "summary" if several else "fact_single"
    return LabelVerdict(label=label, reason=several or f"one unit, stated in: {text.units[saying[0].unit].text[:80]}")


def computes(asked: ParsedQuestion, text: Text) -> bool:
    """Whether a question asks to compare, count or reckon, and its answer does not stand there as it is."""
    if asked.computes != "change":
        return bool(asked.computes)
    place = next(iter(rank_places(asked, text)), None)
    return place is not None and not re.search(
        r"(?:增加|减少|上升|下降|增长|提高|降低)了?约?\d", text.units[place.unit].text
    )


def lacking_part(asked: ParsedQuestion, text: Text) -> str:
    """The part of a computation that no unit of the context states; empty where all are there."""
    for part in parts_of(asked):
        wanted = [pair for pair in pairs(part) if pair not in asked.about]
        if wanted and best_share(wanted, text) < PART_ABOVE:
            return part
    if asked.computes == "age" and not any("生" in unit.text and "年" in unit.text for unit in text.units):
        return "出生日期"
    if asked.computes == "gap" and len([date for unit in text.units for date in _dated(unit.text)]) < _TWO:
        return "日期"
    if asked.computes == "more" and len([one for unit in text.units for one in amounts(unit.text)]) < _TWO:
        return "数值"
    return ""


_TWO = 2


def _dated(text: str) -> list[str]:
    return re.findall(r"\d{1,4}[年月]", text)


def _several(asked: ParsedQuestion, text: Text, best: Place) -> str:
    """Why the answer has several units; empty where it has one."""
    if asked.parts > 1:
        return "the question has several parts"
    unit = text.units[best.unit]
    if _SEVERAL.search(asked.text) and asked.kind not in ("date", "amount", "person", "place"):
        return "the question asks for several things"
    if _DESCRIBES.search(asked.text) and "结果如何" not in asked.text:
        return "a description is asked for"
    if _HOW_TO.search(asked.text) and "结果如何" not in asked.text and len(list_around(text, best.unit)) > 1:
        return "the steps of a list answer"
    if (
        unit.kind == "heading"
        and (asked.kind in ("what", "manner", "reason", "list", "choice") or unit.text.rstrip().endswith(("？", "?")))
        and not _DEFINES.search(asked.text)
        and len(section_under(text, best.unit)) > 1
    ):
        return "a whole section answers"
    return ""


HANDLERS: dict[str, Handler] = {"label": _labels}
