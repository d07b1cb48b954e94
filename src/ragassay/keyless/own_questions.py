"""Questions that a document asks itself, with what stands below them.

Somebody who knew the readers wrote these questions, so they are kept word for word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ragassay.keyless.framing import framed
from ragassay.keyless.layout import Stretch
from ragassay.keyless.page import Draft, Page
from ragassay.keyless.wording import capitalised, names_something, sentence_case, telling_words
from ragassay.records import Block
from ragassay.text import sentence_spans

_MOST_ANSWER_WORDS = 120
_FEWEST_ANSWER_WORDS = 3
_MOST_FACT_WORDS = 35
"""Of two sentences that still tell one thing."""
_QUESTION_WORDS = range(3, 31)
_FEWEST_ON_A_PAGE = 3
"""Paragraphs that begin with a question, from which on a page is one of questions and answers."""
_QUESTIONS_PAGE = re.compile(r"\b(?:faqs?|questions?|q ?& ?a)\b", re.IGNORECASE)
_NUMBER = re.compile(
    r"^(?:(?:Q(?:uestion)?\s*\d*|\d+(?:\.\d+)*)\s*[.:)](?!\d)|\d+(?:\.\d+)+(?=\s)|\[\d+\])\s*", re.IGNORECASE
)
"""In front of a question or heading: "Q:", "3.2", "[4]"."""
_MARKED = re.compile(r"Q(?:uestion)?\s*\d*\s*[.:)]", re.IGNORECASE)
_ANSWER_MARK = re.compile(r"\s*A(?:nswer)?\s*\d*\s*[.:)]\s*", re.IGNORECASE)
_ASKS = re.compile(
    r"(?:(?:for|in|on|at|to|by|under|with|from|until|since|after) )?(?:who|whom|whose|what|which|when|where|why|how)\b"
    r"|(?:is|are|was|were|am|do|does|did|can|could|may|must|should|shall|will|would|has|have)(?:n['’]t)? [a-z]"
    r"|(?:if|when|my|i|we|the|a|an) [^?]+[.,] "
    r"(?:who|what|which|when|where|why|how|am|is|are|do|does|can|should|will|may)\b",
    re.IGNORECASE,
)
"""A question word, an auxiliary with what follows it, or a case and then one of these."""
_TO_THE_READER = re.compile(r"(?:(?:have|did|are|were|will|do|can|could) you|(?:does|is|are|do) your)\b", re.IGNORECASE)
"""Begin what a text asks its reader, as checklists do: 'Have you told the maintainer?'"""
_CHECKS = re.compile(r"(?:was|were|did|had|(?:is|are) there)\b", re.IGNORECASE)
"""Begin the points of a checklist: what stands below says what to do, and not whether it is so."""
_POINTS_OUT = re.compile(
    r"\b(?:this|these|those|they|them|their|he|she|him|her|above|below|so)\b"
    r"|, then\?$|\b(?:it|its)\b(?!\s+(?:possible|necessary|safe|true|legal|allowed|ok|okay|mean|take|worth)\b)",
    re.IGNORECASE,
)
_LINK = re.compile(r"\w{4,}.* (?:and|but|to|if|when|before|after|while|without|because)\b", re.IGNORECASE)
"""What stands before a pronoun that means a thing of the same question."""
_POINTS_AWAY = re.compile(
    r"\b(?:(?:see|listed|described|shown|mentioned|table|list|example|section|figure|picture)s? (?:below|above)"
    r"|as follows|click here|(?:this|the present) (?:page|section|chapter|guide|document|tutorial))\b",
    re.IGNORECASE,
)
_SENDS_ELSEWHERE = re.compile(
    r"(?:For (?:an?|more|further|other)\b[^.]*?,? )?(?:please )?(?:see|refer to)\b", re.IGNORECASE
)
_ANSWERS = frozenset({"paragraph", "item", "step", "definition", "value", "key"})
_OPENS = frozenset({"heading", "term", "title"})


@dataclass(slots=True)
class _Section:
    """A question and what follows it. answers: in order, each with its kind. is_whole: whether that is all."""

    question: str
    start: int
    is_marked: bool = False
    is_whole: bool = True
    answers: list[tuple[Stretch, str]] = field(default_factory=list)


def own_question_drafts(page: Page) -> Iterator[Draft]:
    """Yield the questions of a page with their answers."""
    asked: set[str] = set()
    for section in _sections(page):
        question = _standing_alone(page, section)
        answer = _answer(page.document.text, section)
        if not question or not answer or question.lower() in asked:
            continue
        if _CHECKS.match(section.question) and not re.match(r"(?:Yes|No)\b", answer):
            continue
        asked.add(question.lower())
        sentences = [part for stretch, _ in section.answers for part in _sentences(page.document.text, stretch)]
        is_fact = len(sentences) == 1 or (len(sentences) == 2 and len(answer.split()) <= _MOST_FACT_WORDS)
        yield Draft(
            label="fact_single" if is_fact else "summary",
            form="own_question",
            question=question,
            answer=answer,
            spans=((section.start, section.answers[-1][0][1]),),
            keypoints=() if is_fact else tuple(sentences),
            source=f"section {section.question}",
            worth=1.0,
            is_certain=True,
        )


def _sections(page: Page) -> Iterator[_Section]:
    text = page.document.text
    blocks = sorted(page.document.blocks, key=lambda block: block.start)
    blocks = blocks or [Block(kind="paragraph", start=0, end=len(text))]
    running = {block.start: _first_sentence(text, block) for block in blocks if block.kind in {"paragraph", "item"}}
    asking = sum(bool(_question(text[slice(*first)])) for first in running.values())
    is_page = _QUESTIONS_PAGE.search(page.document.title) is not None or asking >= max(
        _FEWEST_ON_A_PAGE, len(running) // 3
    )
    current: _Section | None = None
    level = 0
    for block in blocks:
        is_marked = _MARKED.match(text, block.start) is not None
        start, end = running.get(block.start, (block.start, block.end))
        asks = text[start:end].rstrip().endswith("?")
        if block.kind in _OPENS or (block.start in running and asks and (is_page or is_marked)):
            if current is not None:
                # a deeper heading below it goes on with what it asks
                current.is_whole &= not (block.kind == "heading" and block.level > level)
                yield current
            question = _question(text[start:end])
            current = _Section(question, block.start, is_marked) if question else None
            if current is not None and end < block.end:
                _take(current, text, end, block.end, block.kind)
            level = block.level
        elif current is not None:
            if block.kind in _ANSWERS and not text[block.start : block.end].rstrip().endswith("?"):
                _take(current, text, block.start, block.end, block.kind)
            else:
                current.is_whole = False
    if current is not None:
        yield current


def _take(section: _Section, text: str, start: int, end: int, kind: str) -> None:
    """Adds a stretch to the answer, without white space and the "A:" in front."""
    mark = _ANSWER_MARK.match(text, start, end) if section.is_marked and not section.answers else None
    start = mark.end() if mark else start + len(text[start:end]) - len(text[start:end].lstrip())
    end = start + len(text[start:end].rstrip())
    if start >= end:
        return
    if kind == "value" and section.answers and section.answers[-1][1] == "key":
        section.answers[-1] = ((section.answers[-1][0][0], end), "item")
    elif not section.answers or section.answers[-1][0][1] <= start:
        section.answers.append(((start, end), kind))


def _first_sentence(text: str, block: Block) -> Stretch:
    """Of a block, without a number in front."""
    mark = _NUMBER.match(text[block.start : block.end])
    start = block.start + (mark.end() if mark else 0)
    spans = sentence_spans(text[start : block.end])
    return (start + spans[0][0], start + spans[0][1]) if spans else (start, block.end)


def _question(text: str) -> str:
    """The question that a heading or sentence is, without its number; empty if it is none or points out of itself."""
    plain = " ".join(_NUMBER.sub("", text.strip()).split())
    if not plain.endswith("?") or plain.count("?") > 1 or len(plain.split()) not in _QUESTION_WORDS:
        return ""
    if not _ASKS.match(plain) or _TO_THE_READER.match(plain) or re.search(r"[<>{}|]|\.\.\.|…", plain):
        return ""
    plain = re.sub(r"^(How|When|Where|What) to (?=\w)", r"\1 do I ", plain)
    pointing = _POINTS_OUT.search(plain)
    if pointing and not (pointing[0].lower() in _BACK and _LINK.match(plain, 0, pointing.start())):
        return ""
    return capitalised(plain)


_BACK = frozenset("it its they them their".split())


def _standing_alone(page: Page, section: _Section) -> str:
    """The question, with the name of its page where it says too little without; empty if the page has none."""
    question = section.question
    longer = [word for word in question.split()[1:] if len(word) > 3]
    if sum(word[0].isupper() for word in longer) * 3 > len(longer) * 2:  # a heading in title case
        question = capitalised(sentence_case(question, page.prose))
    words = telling_words(question)
    if not words or names_something(question) or page.collection.size == 1:
        return question if words else ""
    return framed(page, question) or (question if len(words) > 1 else "")


def _answer(text: str, section: _Section) -> str:
    """What is said below, as one paragraph; empty where it is long, breaks off, sends elsewhere or names no steps."""
    parts = [(text[start:end], kind) for (start, end), kind in section.answers]
    words = sum(len(part.split()) for part, _ in parts)
    if not section.is_whole or not _FEWEST_ANSWER_WORDS <= words <= _MOST_ANSWER_WORDS or parts[-1][0].endswith(":"):
        return ""
    said = [_sentences(text, stretch)[0] for stretch, _ in section.answers]
    if any(_SENDS_ELSEWHERE.match(sentence) for sentence in (*said, _sentences(text, section.answers[-1][0])[-1])):
        return ""
    if _POINTS_AWAY.search(said[0]):
        return ""
    if re.search(r"\b(?:I|my)\b", parts[0][0]) and not re.search(r"\b(?:I|my)\b", section.question):
        return ""  # an interview
    answer = ""
    for place, (part, kind) in enumerate(parts):
        goes_on = place + 1 < len(parts)
        is_listed = kind in {"item", "step"} and goes_on and parts[place + 1][1] in {"item", "step"}
        mark = "" if not goes_on or part[-1] in ".!?:…”" else ";" if is_listed else "."
        answer += f"{part.rstrip(' .;,') if mark else part}{mark} "
    return re.sub(r"\s+", " ", answer).strip()


def _sentences(text: str, stretch: Stretch) -> list[str]:
    part = text[slice(*stretch)]
    return [" ".join(part[start:end].split()) for start, end in sentence_spans(part)]
