"""The extractive answerer: the sentences, rows or lines of the chunks that answer, or an abstention.

Words find the candidates; sentence vectors decide only between those that are about as good.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ragassay.models.base import Encoder, Lookup, Reply, encoded
from ragassay.models.embedded.judging.labelling import asks_for_several
from ragassay.models.embedded.judging.places import (
    CJK_ABOVE,
    ParsedQuestion,
    Place,
    Text,
    rank_places,
    read_question,
    says_enough,
)
from ragassay.models.embedded.languages import Handler
from ragassay.models.embedded.reading.terms import has_cjk, total_weight
from ragassay.models.embedded.reading.units import Unit, list_around, section_under
from ragassay.tasks.answering import Answer, QuestionWithChunks

# Candidates this close to the best are told apart by their vectors.
NEAR_SCORE = 0.08
MOST_COMPARED = 3
COSINE_SHARE = 0.3
TYPE_BONUS = 0.1
# A later chunk is a little less likely to hold the answer than an earlier one.
RANK_COST = 0.02
MOST_SENTENCES = 3
# How well a heading must name what is asked for, so that its section answers.
NAMED_ABOVE = 0.7
MOST_LIST_ITEMS = 12
# Chunks come up for many questions; one takes some 30 kB when read.
KEPT_INDEXES = 1024
ABSTENTION = "The given documents do not answer this question."
ABSTENTION_ZH = "所给文档没有回答这个问题。"


class _Candidate(NamedTuple):
    chunk: int
    place: Place
    unit: Unit
    score: float


_index = lru_cache(maxsize=KEPT_INDEXES)(Text)


def _answers(encoder: Encoder, inputs: Sequence[QuestionWithChunks]) -> list[Reply[Answer]]:
    read = [read_question(item.question) for item in inputs]
    candidates = [_candidates(asked, item.chunks) for asked, item in zip(read, inputs, strict=True)]
    close = [(item.question, _compared(found)) for item, found in zip(inputs, candidates, strict=True)]
    vectors = encoded(
        encoder,
        (text for asked, some in close if len(some) > 1 for text in (asked, *(one.unit.text for one in some))),
    )
    return [
        Reply(_answer(item, asked, _decided(item.question, found, vectors)))
        for item, asked, found in zip(inputs, read, candidates, strict=True)
    ]


def _candidates(asked: ParsedQuestion, chunks: Sequence[str]) -> list[_Candidate]:
    found = []
    shares = [_touched_weight(asked, _index(chunk)) for chunk in chunks]
    for number, chunk in enumerate(chunks):
        if shares[number] < PROMISING * max(shares):
            continue
        index = _index(chunk)
        places = [
            place
            for place in rank_places(asked, index)
            if index.units[place.unit].kind != "heading" or place.wanted >= NAMED_ABOVE
        ]
        for place in places[:MOST_SENTENCES]:
            score = place.score + TYPE_BONUS * place.fits_type - RANK_COST * number
            found.append(_Candidate(number, place, index.units[place.unit], score))
    found.sort(key=lambda one: (-one.score, one.chunk, one.place.unit))
    return found


def _touched_weight(asked: ParsedQuestion, index: Text) -> float:
    wanted = asked.wanted if has_cjk(asked.text) else asked.terms  # names in Chinese are several pairs of signs each
    return total_weight(term for term in wanted if term in index.postings)


# Chunks with less than this share of the terms that the best one has are not read.
PROMISING = 0.6


def _compared(found: Sequence[_Candidate]) -> list[_Candidate]:
    return [one for one in found[:MOST_COMPARED] if one.score >= found[0].score - NEAR_SCORE]


def _decided(question: str, found: list[_Candidate], vectors: Lookup) -> list[_Candidate]:
    compared = _compared(found)
    if len(compared) < 2:
        return found
    asked, *said = vectors([question, *(one.unit.text for one in compared)])
    nearness = {one: one.score + COSINE_SHARE * float(asked @ own) for one, own in zip(compared, said, strict=True)}
    compared.sort(key=lambda one: (-nearness[one], one.chunk, one.place.unit))
    return compared + found[len(compared) :]


def _answer(item: QuestionWithChunks, asked: ParsedQuestion, ranked: Sequence[_Candidate]) -> Answer:
    cjk = has_cjk(item.question)
    enough = [one for one in ranked if (one.place.wanted >= CJK_ABOVE if cjk else says_enough(one.place))]
    is_of_kind = asked.types[0] not in ("date", "amount") or any(one.place.fits_type for one in enough[:MOST_COMPARED])
    if not enough or not is_of_kind:
        return Answer(text=ABSTENTION_ZH if cjk else ABSTENTION, abstained=True)
    best = enough[0]
    index = _index(item.chunks[best.chunk])
    listed = _listed(asked, index, best)
    if listed:
        return Answer(text=listed, abstained=False, used=(best.chunk,))
    chosen = [best]
    if asks_for_several(item.question):
        chosen += [one for one in enough[1:] if one.unit.text != best.unit.text][: MOST_SENTENCES - 1]
    chosen.sort(key=lambda one: (one.chunk, one.place.unit))
    text = ("" if cjk else " ").join(dict.fromkeys(_said(one, item) for one in chosen))
    return Answer(text=text, abstained=False, used=tuple(sorted({one.chunk for one in chosen})))


def _listed(asked: ParsedQuestion, index: Text, best: _Candidate) -> str:
    """The list or the section that the best unit belongs to, where the question asks for one; empty otherwise."""
    if best.unit.kind == "heading":
        section = section_under(index.units, best.place.unit)
        if section and all(unit.kind == "item" for unit in section):
            return "; ".join(unit.text.rstrip(" ;,.") for unit in section[:MOST_LIST_ITEMS])
        return " ".join(unit.text for unit in section[:MOST_SENTENCES])
    if not asks_for_several(asked.text) and "list" not in asked.types:
        return ""
    items = list_around(index.units, best.place.unit)[:MOST_LIST_ITEMS]
    return "; ".join(index.units[place].text.rstrip(" ;,.") for place in items) if len(items) > 1 else ""


def _said(one: _Candidate, item: QuestionWithChunks) -> str:
    """The unit as an answer: a table row with the header of its columns."""
    if one.unit.kind != "row":
        return one.unit.text
    index = _index(item.chunks[one.chunk])
    header = one.place.unit
    while header > 0 and index.units[header - 1].kind == "row":
        header -= 1
    names = [cell.strip() for cell in index.units[header].text.strip("|").split("|")]
    cells = [cell.strip() for cell in one.unit.text.strip("|").split("|")]
    if header == one.place.unit or len(names) != len(cells):
        return one.unit.text
    return cells[0] + ": " + ", ".join(f"{name} {cell}" for name, cell in zip(names[1:], cells[1:], strict=True)) + "."


HANDLERS: dict[str, Handler] = {"answer": _answers}
