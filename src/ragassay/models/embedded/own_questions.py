"""Questions that a document asks itself, with what it answers: headings, terms, and paragraphs of a page of questions.

Somebody who knows the readers wrote them, so they are kept as they stand. Only one that says too little without its
page is framed by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ragassay.models.embedded.analysis import Analysis
from ragassay.models.embedded.drafts import Draft, capitalised, content_words
from ragassay.models.embedded.labelling import label_of_stated
from ragassay.models.embedded.list_rules import SENDS_ELSEWHERE
from ragassay.models.embedded.scoped.scope import source_of
from ragassay.records import Block, Label
from ragassay.text import sentence_spans

PATTERN = "own_question"
LONGEST_ANSWER = 150
"""Words. Of a longer one the first paragraph is taken, if that is shorter."""
CLEAR_WORDS = 3
"""Words with a meaning from which on a question is clear without its page."""
FEWEST_ON_A_PAGE = 3
"""Paragraphs that begin with a question, from which on a page is one of questions and answers."""

_ASKED_PAGE = re.compile(r"\b(?:faqs?|questions?|q ?& ?a)\b", re.IGNORECASE)
_NUMBER = re.compile(r"^(?:(?:Q(?:uestion)?\s*\d*|\d+(?:\.\d+)*)\s*[.:)]|\d+(?:\.\d+)+)\s*", re.IGNORECASE)
_ANSWER = re.compile(r"^A(?:nswer)?\s*\d*\s*[.:)]\s*", re.IGNORECASE)
_POINTS_OUT = re.compile(
    r"\b(?:this|these|those|they|them|their|he|she|him|her|above|below)\b"
    r"|\b(?:it|its)\b(?!\s+(?:possible|necessary|safe|true|legal|allowed|ok|okay|mean|take|worth)\b)",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(r"(?:However|Additionally|Furthermore|Moreover|But|And|So|Therefore|Thus|Such|Also)\b")
_INTERVIEW = re.compile(r"\b(?:are|do|did|have|were|would) you\b", re.IGNORECASE)
_OF_ONESELF = re.compile(r"\b(?:I|my|me|I['’]m|I['’]ve)\b")
_ANSWERING = frozenset({"paragraph", "item", "step", "definition", "value", "key"})


class _Asked(NamedTuple):
    """question: plain. spans: stretches of the passage that answer it, in order. is_cut: whether more was to follow."""

    question: str
    spans: list[tuple[int, int]]
    is_cut: bool


def own_question_facts(analysis: Analysis) -> Iterator[Draft]:
    """Those that the labeller takes for questions of a single fact."""
    return _labelled(analysis, "fact_single")


def own_question_summaries(analysis: Analysis) -> Iterator[Draft]:
    """Those that ask for several things, or that several units answer."""
    return _labelled(analysis, "summary")


def _labelled(analysis: Analysis, label: Label) -> Iterator[Draft]:
    text = analysis.passage.text
    for asked, quotes in _answered(analysis):
        draft = _draft(analysis, asked.question, quotes)
        if label_of_stated(draft.question, text) == label:
            yield draft


def has_own_questions(text: str, title: str, blocks: Iterable[Block]) -> bool:
    """Whether a passage asks questions itself: they then need no theme."""
    return next(_found(text, title, tuple(blocks)), None) is not None


def _answered(analysis: Analysis) -> Iterator[tuple[_Asked, list[str]]]:
    passage = analysis.passage
    for asked in _found(passage.text, passage.title, passage.blocks):
        quotes = _quotes(passage.text, asked)
        told = " ".join(quotes)
        is_interview = _INTERVIEW.search(asked.question) is not None and _OF_ONESELF.search(told) is not None
        if quotes and not is_interview and len(content_words(asked.question)) > 1 and not _POINTS_BACK.match(told):
            yield asked, quotes


def _quotes(text: str, asked: _Asked) -> list[str]:
    """The stretches that answer, as many as are short enough together; none where they break off or send elsewhere."""
    quotes: list[str] = []
    words = 0
    is_cut = asked.is_cut
    for start, end in asked.spans:
        stretch = text[start:end].strip()
        words += len(stretch.split())
        if words > LONGEST_ANSWER:
            is_cut = True
            break
        quotes.append(stretch)
    kept = [each for each in quotes if not SENDS_ELSEWHERE.match(each)]
    if not kept or len(kept) < len(quotes) or SENDS_ELSEWHERE.match(_last_sentence(kept[-1])):
        return []
    announces = kept[-1].endswith(":") or (is_cut and kept[0].endswith(":"))
    return [] if announces or len(" ".join(kept).split()) < 3 else kept


def _last_sentence(text: str) -> str:
    start, end = sentence_spans(text)[-1]
    return text[start:end]


def _draft(analysis: Analysis, question: str, quotes: list[str]) -> Draft:
    answer = re.sub(r"\s+", " ", " ".join(quotes))
    return Draft(
        pattern=PATTERN,
        question=_clear(analysis, question),
        answer=answer,
        statement=answer,
        quotes=tuple(quotes),
        attribute="faq",
    )


def _clear(analysis: Analysis, question: str) -> str:
    """The question, framed by its page where it says too little without it."""
    words = [word for word in content_words(question) if word not in _OF_NOBODY]
    if len(words) >= CLEAR_WORDS or not (source := source_of(analysis)):
        return question
    lowered = question[:1].lower() + question[1:] if question[1:2].islower() else question
    return f"According to {source}, {lowered}"


_OF_NOBODY = frozenset(
    "i my me we our us you your can could should may must will would there get use make need".split()
)


def _found(text: str, title: str, blocks: tuple[Block, ...]) -> Iterator[_Asked]:
    blocks = blocks or (Block(kind="paragraph", start=0, end=len(text)),)
    begun = [block for block in blocks if block.kind == "paragraph" and _opening_question(text, block)]
    is_page = _ASKED_PAGE.search(title) is not None or len(begun) >= FEWEST_ON_A_PAGE
    asked: _Asked | None = None
    for block in sorted(blocks, key=lambda each: each.start):
        question = ""
        if block.kind in ("heading", "term"):
            question = _question_of(text[block.start : block.end])
        elif is_page and block in begun:
            question = _opening_question(text, block)
        is_unclear = is_page and block.kind == "paragraph" and _opens_with_question(text, block)
        if question or is_unclear or block.kind in ("heading", "term", "title"):
            if asked is not None:
                yield asked
            asked = _Asked(question, [], is_cut=False) if question else None
            if asked is not None and block.kind == "paragraph":
                asked = _with(asked, text, _behind_question(text, block), block.end)
        elif asked is not None and not asked.is_cut:
            is_answer = block.kind in _ANSWERING and not text[block.start : block.end].rstrip().endswith("?")
            asked = _with(asked, text, block.start, block.end) if is_answer else asked._replace(is_cut=True)
    if asked is not None:
        yield asked


def _with(asked: _Asked, text: str, start: int, end: int) -> _Asked:
    label = _ANSWER.match(text[start:end])
    start += label.end() if label else 0
    if not text[start:end].strip() or any(start < last for _, last in asked.spans):
        return asked
    return asked._replace(spans=[*asked.spans, (start, end)])


def _opening(text: str, block: Block) -> str:
    """The first sentence of a block."""
    spans = sentence_spans(text[block.start : block.end])
    return text[block.start :][slice(*spans[0])] if spans else ""


def _opens_with_question(text: str, block: Block) -> bool:
    return _opening(text, block).rstrip().endswith("?")


def _opening_question(text: str, block: Block) -> str:
    """The question that a paragraph begins with, or is."""
    return _question_of(_opening(text, block))


def _behind_question(text: str, block: Block) -> int:
    spans = sentence_spans(text[block.start : block.end])
    return block.start + (spans[1][0] if len(spans) > 1 else block.end - block.start)


def _question_of(text: str) -> str:
    """The question that a heading or sentence is, without its number; empty if it is none or points out of itself."""
    plain = " ".join(_NUMBER.sub("", text.strip()).split())
    if not plain.endswith("?") or plain.count("?") > 1 or not 3 <= len(plain.split()) <= 26:
        return ""
    return "" if _POINTS_OUT.search(plain) else capitalised(plain)
