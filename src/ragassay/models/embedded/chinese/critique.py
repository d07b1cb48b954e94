"""The eight critiques for Chinese, each by a formula that its function states, from 1 to 5 with a short reason.

Source: Know Your RAG (COLING 2025), critiques. Rules of thumb as for English, on pairs of characters for words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.chinese.asked import pairs, parts_of, read_question
from ragassay.models.embedded.chinese.clauses import HAN, POINTING
from ragassay.models.embedded.chinese.computed import recomputed
from ragassay.models.embedded.chinese.labelling import computes
from ragassay.models.embedded.chinese.reading import best_share, rank_places, read_text
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.reading.units import Unit, sentences, units
from ragassay.tasks.critique import CRITIQUES, CritiquedPair, Rating

_QUESTION = re.compile(r"[?？]|什么|谁|何|哪|几|多少|如何|是否|吗|怎|概述|列出|总结|说明|介绍")
# Share of what is asked in the best unit, for 2, 3, 4 and 5; about half of it is there for most answerable questions
# of people (docs/chinese.md).
_GROUNDED_STEPS = (0.2, 0.35, 0.55, 0.75)
_SUPPORT_STEPS = (0.25, 0.4, 0.6, 0.8)
_NEW_STEPS = (0.15, 0.3, 0.45, 0.6)
_FEASIBLE_STEPS = (2, 5, 9, 14)
_USEFUL_STEPS = (1.5, 3.0, 5.0, 8.0)
_LEAST_PAIRS = 5


def _step(value: float, steps: Sequence[float], reason: str) -> Rating:
    """1, and one more for each of the four steps that the value reaches."""
    return Rating(rating=1 + sum(value >= step for step in steps), reason=reason)


def _less(faults: Sequence[tuple[int, str]], fine: str) -> Rating:
    """5, less the points of the faults."""
    points = sum(cost for cost, _ in faults)
    return Rating(rating=max(1, 5 - points), reason="; ".join(reason for _, reason in faults) or fine)


def _is_question(text: str) -> bool:
    return _QUESTION.search(text) is not None and bool(read_question(text).wanted)


def _question_groundedness(pair: CritiquedPair) -> Rating:
    """By the share of what is asked in the unit of the context that has most; of a computation, in its poorest part."""
    if not _is_question(pair.question):
        return Rating(rating=1, reason="not a question")
    text, asked = read_text(pair.context), read_question(pair.question)
    if computes(asked, text):
        parts = [[each for each in pairs(part) if each not in asked.about] for part in parts_of(asked)]
        share = min((best_share(part, text) for part in parts if part), default=0.0)
        return _step(share, _GROUNDED_STEPS, f"the context has {share:.0%} of what is to be compared")
    share = max((place.score for place in rank_places(asked, text)), default=0.0)
    return _step(share, _GROUNDED_STEPS, f"the best sentence has {share:.0%} of what is asked for")


def _answer_groundedness(pair: CritiquedPair) -> Rating:
    """By the share of the answer that stands in the context; a computed one is computed again, 3 if that fails."""
    if not pair.answer.strip():
        return Rating(rating=1, reason="no answer")
    text, asked = read_text(pair.context), read_question(pair.question)
    if computes(asked, text):
        how = recomputed(pair.answer, asked, text)
        return Rating(rating=5, reason=how) if how else Rating(rating=3, reason="the result could not be recomputed")
    shares = []
    for sentence in sentences(pair.answer):
        said = [each for each in pairs(sentence) if each not in asked.about]
        shares.append(sum(each in text.every for each in said) / len(said) if said else float(sentence in pair.context))
    mean = sum(shares) / len(shares) if shares else 0.0
    if pair.answer.strip("。；") in pair.context:
        mean = 1.0
    return _step(mean, _SUPPORT_STEPS, f"the context has {mean:.0%} of the answer")


def _feasibility(pair: CritiquedPair) -> Rating:
    """By how many different pairs of characters of the question the context has, those of names twice."""
    asked = read_question(pair.question)
    held = read_text(pair.context).every
    shared, named = len(held & set(asked.wanted)), len(held & asked.about)
    return _step(
        shared + 2 * named, _FEASIBLE_STEPS, f"{shared} pairs of its characters and {named} of its names are there"
    )


_POINTS_AT_SOURCE = re.compile(
    r"本文|文中|上文|上述|该文|这篇|文章(?:中|里)|本段|以上|下列|如下|材料中|文档中(?!心)|根据(?:文|材料|段落)"
)
_THE_THING = re.compile(
    r"(?:该|这个|那个|此|本)(?:公司|政策|患者|医院|法院|项目|产品|系统|案件|人|书|城市|学校|方法|命令|函数|参数)"
)
_NAMED = re.compile(
    rf"[{HAN}]{{1,2}}某|[A-Za-z]{{2}}|·|《|[{HAN}]{{2,}}(?:公司|集团|医院|法院|大学|银行|中心|市|省|县|国)|\d{{4}}年|“"
)


def _stand_alone(pair: CritiquedPair) -> Rating:
    """1 if it points at a text, 2 if at a thing without a name, 3 if its words are few and common, 5 otherwise."""
    source, thing = _POINTS_AT_SOURCE.search(pair.question), _THE_THING.search(pair.question)
    if source:
        return Rating(rating=1, reason=f"it points at the text: {source.group()}")
    if thing and not _NAMED.search(pair.question):
        return Rating(rating=2, reason=f"{thing.group()} could be any")
    pointing = POINTING.search(pair.question)
    if pointing and not _NAMED.search(pair.question):
        return Rating(rating=2, reason=f"{pointing.group()} has nothing to refer to")
    asked = read_question(pair.question)
    if not _NAMED.search(pair.question) and len(asked.wanted) + len(asked.about) < _SPECIFIC_PAIRS:
        return Rating(rating=3, reason="it names nothing in particular")
    return Rating(rating=5, reason="it makes sense alone")


_SPECIFIC_PAIRS = 4
_SHORT, _LONG = 6, 64
_LABELS = re.compile(r"编号|案号|版本|页码|电话|网址|记录时间")


def _question_usefulness(pair: CritiquedPair) -> Rating:
    """5, less one or two for each thing that makes a question idle to somebody who searches."""
    if not _is_question(pair.question):
        return Rating(rating=1, reason="not a question")
    asked = read_question(pair.question)
    faults: list[tuple[int, str]] = []
    if len(asked.wanted) < _FEW_PAIRS:
        faults.append((2, "too general"))
    if _POINTS_AT_SOURCE.search(pair.question):
        faults.append((2, "about the text, not its subject"))
    if not _SHORT <= len(pair.question) <= _LONG:
        faults.append((1, f"{len(pair.question)} characters long"))
    if asked.kind == "choice" and not asked.computes:
        faults.append((1, "answered by yes or no"))
    if asked.computes == "count":
        faults.append((2, "counts entries"))
    if _LABELS.search(pair.question):
        faults.append((1, "asks for a label of the document"))
    return _less(faults, "specific, and asks for something a reader may need")


_FEW_PAIRS = 1


def _tells(unit: Unit) -> bool:
    return not unit.text.rstrip().endswith(("?", "？")) and len(set(pairs(unit.text))) >= _LEAST_PAIRS


def _context_usefulness(pair: CritiquedPair) -> Rating:
    """By the number of sentences with at least five different pairs, and half that of keys, rows and items."""
    found = units(pair.context)
    told = sum(unit.kind == "sentence" and _tells(unit) for unit in found)
    structured = sum(unit.kind in ("pair", "row", "item") and bool(pairs(unit.text)) for unit in found)
    return _step(told + 0.5 * structured, _USEFUL_STEPS, f"{told} sentences, {structured} structured entries")


_NOISE = re.compile(r"[{}<>\\^~`|=]|[_*#]{2,}|&\w+;|https?://")
_BROKEN = re.compile("\ufffd|[\u00c2\u00c3][\u0080-\u00bf]")
_WHOLE = ("。", "！", "？", "；", "：", "…", "”", "）", ".", "!", "?", ":", ")", "」")


def _context_clarity(pair: CritiquedPair) -> Rating:
    """5, less a point or two for each fault of form: noise, broken characters, cut sentences, a scrap."""
    text = pair.context.strip()
    if not text:
        return Rating(rating=1, reason="it is empty")
    found = units(text)
    prose = [unit for unit in found if unit.kind == "sentence"]
    cut = [unit for unit in prose if not unit.text.rstrip().endswith(_WHOLE)]
    noise = len(_NOISE.findall(text.replace(" | ", " "))) / (len(text) / 100)
    letters = sum(sign.isalnum() or sign.isspace() or sign in "，。、；：？！（）" for sign in text) / len(text)
    faults = [
        (1, "starts in the middle of a sentence") if text[0] in "，。；、）)" else None,
        (1, "ends in the middle of a sentence") if prose and found[-1] in cut else None,
        (2 if noise > _MUCH_NOISE else 1, f"{noise:.1f} signs of code or markup in 100 characters")
        if noise > 1
        else None,
        (1, "broken characters") if _BROKEN.search(text) else None,
        (1, f"only {letters:.0%} letters") if letters < _FEW_LETTERS else None,
        (1, f"{len(cut)} of {len(prose)} sentences have no end") if len(cut) > 0.4 * len(prose) + 1 else None,
        (2, f"a scrap of {len(text)} characters") if len(text) < _SCRAP else None,
    ]
    return _less([fault for fault in faults if fault is not None], "whole sentences, clean text")


_MUCH_NOISE, _FEW_LETTERS, _SCRAP = 4, 0.75, 30


def _tautology(pair: CritiquedPair) -> Rating:
    """By the share of the answer's pairs that the question has not; a number among them is worth one more."""
    said = set(pairs(pair.answer)) or set(pair.answer.strip())
    if not said:
        return Rating(rating=1, reason="no answer")
    new = {each for each in said if each not in pair.question}
    told = any(each[0].isdigit() for each in new)
    return _step(len(new) / len(said) + 0.15 * told, _NEW_STEPS, f"{len(new) / len(said):.0%} of the answer is new")


_RATES: dict[str, Callable[[CritiquedPair], Rating]] = {
    "question_groundedness": _question_groundedness,
    "answer_groundedness": _answer_groundedness,
    "feasibility": _feasibility,
    "stand_alone": _stand_alone,
    "question_usefulness": _question_usefulness,
    "context_usefulness": _context_usefulness,
    "context_clarity": _context_clarity,
    "tautology": _tautology,
}


def _each(rate: Callable[[CritiquedPair], Rating]) -> Handler:
    def rate_all(_: Encoder, inputs: Sequence[CritiquedPair]) -> list[Reply[Rating]]:
        return [Reply(rate(pair)) for pair in inputs]

    return rate_all


HANDLERS: dict[str, Handler] = {CRITIQUES[name].name: _each(rate) for name, rate in _RATES.items()}
