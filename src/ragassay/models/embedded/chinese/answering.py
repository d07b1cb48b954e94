"""The extractive answerer for Chinese: the sentences, rows or lines of the chunks that answer, or an abstention."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.chinese.labelling import SAYS_ABOVE, SEVERAL
from ragassay.models.embedded.chinese.parsed_question import ParsedQuestion, pairs, parts_of, read_question
from ragassay.models.embedded.chinese.reading import Place, Text, rank_places, read_text
from ragassay.models.embedded.judging.answering import ABSTENTION_ZH
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.reading.units import Unit, list_around, section_under
from ragassay.tasks.answering import Answer, QuestionWithChunks

# A later chunk is a little less likely to hold the answer than an earlier one.
RANK_COST = 0.02
# What the names of a question that stand in a chunk add: another company's figures are no answer.
NAME_SHARE = 0.4
MOST_SENTENCES, MOST_LIST_ITEMS = 3, 12


class _Candidate(NamedTuple):
    chunk: int
    place: Place
    unit: Unit
    score: float


def _answers(_: Encoder, inputs: Sequence[QuestionWithChunks]) -> list[Reply[Answer]]:
    return [Reply(_answer(read_question(each.question), each.chunks)) for each in inputs]


def _answer(asked: ParsedQuestion, chunks: Sequence[str]) -> Answer:
    if asked.computes:
        found = [one for part in parts_of(asked) for one in _best(asked, pairs(part), chunks)]
    else:
        found = _best(asked, asked.wanted, chunks, most=MOST_SENTENCES if asked.parts > 1 else 1)
    if not found:
        return Answer(text=ABSTENTION_ZH, abstained=True)
    best = found[0]
    listed = "" if asked.computes else _listed(asked, read_text(chunks[best.chunk]), best)
    if listed:
        return Answer(text=listed, abstained=False, used=(best.chunk,))
    found = sorted(dict.fromkeys(found), key=lambda one: (one.chunk, one.place.unit))
    text = "".join(_ended(said) for said in dict.fromkeys(one.unit.text for one in found))
    return Answer(text=text, abstained=False, used=tuple(sorted({one.chunk for one in found})))


def _ended(text: str) -> str:
    return text if text.endswith(("。", "！", "？", "；", "：", ".")) else f"{text}。"


def _best(asked: ParsedQuestion, wanted: Sequence[str], chunks: Sequence[str], most: int = 1) -> list[_Candidate]:
    """The best units for these words, those that say enough; none where no unit does."""
    part = asked._replace(
        wanted=tuple(dict.fromkeys(pair for pair in wanted if pair not in asked.about)) or asked.wanted
    )
    found = []
    for number, chunk in enumerate(chunks):
        text = read_text(chunk)
        named = len(asked.about & text.every) / len(asked.about) if asked.about else 1.0
        for place in rank_places(part, text)[:MOST_SENTENCES]:
            if place.share >= SAYS_ABOVE and (place.fits or asked.computes):
                score = place.score + NAME_SHARE * named - RANK_COST * number
                found.append(_Candidate(number, place, text.units[place.unit], score))
    found.sort(key=lambda one: (-one.score, one.chunk, one.place.unit))
    return found[:most]


def _listed(asked: ParsedQuestion, text: Text, best: _Candidate) -> str:
    """The list or the section that the best unit belongs to, where the question asks for one; empty otherwise."""
    if best.unit.kind == "heading":
        return "".join(_ended(unit.text) for unit in section_under(text.units, best.place.unit)[:MOST_LIST_ITEMS])
    items = list_around(text.units, best.place.unit)[:MOST_LIST_ITEMS]
    if len(items) < MOST_SENTENCES - 1 or not SEVERAL.search(asked.text):
        return ""
    return "；".join(text.units[place].text.rstrip(" ；;，。") for place in items) + "。"


HANDLERS: dict[str, Handler] = {"answer": _answers}
