"""The labeller for Chinese: how a context answers a question, seen from the context and the question alone.

A computation whose parts are there is reasoning; where nothing says what is asked, unanswerable; several things asked
for, summary; otherwise fact_single.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.chinese.parsed_question import ParsedQuestion, pairs, parts_of, read_question
from ragassay.models.embedded.chinese.reading import Text, rank_places, read_text
from ragassay.models.embedded.model import Handler
from ragassay.tasks.labelling import LabelVerdict, Pair

# Chosen on half of the questions of XQuAD in Chinese and their paragraphs (docs/chinese.md).
SAYS_ABOVE = 0.35
# A part of a computation is told in the words of the text.
PART_ABOVE = 0.5
SEVERAL = re.compile(r"哪些|哪几|分别|列出|概述|总结|概括|步骤|流程|(?<!结果)如何|是怎样的")


def _labels(_: Encoder, inputs: Sequence[Pair]) -> list[Reply[LabelVerdict]]:
    return [Reply(_label(read_question(pair.question), read_text(pair.context))) for pair in inputs]


def _label(asked: ParsedQuestion, text: Text) -> LabelVerdict:
    if not asked.wanted:
        return LabelVerdict(label="unanswerable", reason="the question asks for nothing that could be looked up")
    if asked.computes:
        parts = {part: [pair for pair in pairs(part) if pair not in asked.about] for part in parts_of(asked)}
        lacking = next((part for part, said in parts.items() if said and text.best_share(said) < PART_ABOVE), "")
        if lacking:
            return LabelVerdict(label="unanswerable", reason=f"the context lacks what is to be compared: {lacking}")
        return LabelVerdict(label="reasoning", reason="the parts are stated, and have to be compared or counted")
    best = next((place for place in rank_places(asked, text) if place.share >= SAYS_ABOVE and place.fits), None)
    if best is None:
        missing = "、".join(pair for pair in asked.wanted if pair not in text.every)
        reason = f"the context does not say this; missing: {missing or 'a place'}"
        return LabelVerdict(label="unanswerable", reason=reason)
    if asked.parts > 1 or (SEVERAL.search(asked.text) and asked.kind not in ("date", "amount", "person", "place")):
        return LabelVerdict(label="summary", reason="the question asks for several things")
    return LabelVerdict(label="fact_single", reason=f"one unit, stated in: {text.units[best.unit].text[:80]}")


HANDLERS: dict[str, Handler] = {"label": _labels}
