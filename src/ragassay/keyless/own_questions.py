"""Questions that a document asks itself, kept word for word, and tasks that its headings name, with answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ragassay.keyless.framing import NUMBER, framed, task_question
from ragassay.keyless.layout import Stretch
from ragassay.keyless.page import Draft, Page
from ragassay.keyless.wording import capitalised, names_something, sentence_case, telling_words
from ragassay.models.embedded.reading.parser import parse
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
_POINTS_BACK = re.compile(
    r"(?:However|Additionally|Furthermore|Moreover|But|And|So|Therefore|Thus|Such|Also|It|They|Then|This|These)\b"
)
_ANSWERS = frozenset({"paragraph", "item", "step", "definition", "value", "key"})
_OPENS = frozenset({"heading", "term", "title"})


@dataclass(slots=True)
class _Section:
    """A question and what follows it. answers: in order, each with its kind. is_whole: whether that is all."""

    question: str
    start: int
    is_task: bool = False
    is_marked: bool = False
    is_whole: bool = True
    answers: list[tuple[Stretch, str]] = field(default_factory=list)


def own_question_drafts(page: Page) -> Iterator[Draft]:
    """The questions of a page and the tasks of its headings, with their answers."""
    asked: set[str] = set()
    for section in _sections(page):
        kinds = [kind for _, kind in section.answers]
        if section.is_task and kinds.count("step") > 1:  # a paragraph below the list is no step
            del section.answers[max(n for n, kind in enumerate(kinds, 1) if kind != "paragraph") :]
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
            form="task" if section.is_task else "own_question",
            question=question,
            answer=answer,
            spans=((section.start, section.answers[-1][0][1]),),
            keypoints=() if is_fact else tuple(sentences),
            source=f"section {section.question}",
            worth=0.8 if section.is_task else 1.0,
            is_certain=not section.is_task,
        )


def _sections(page: Page) -> Iterator[_Section]:
    text = page.document.text
    blocks = sorted(page.document.blocks, key=lambda block: block.start)
    if not blocks:
        blocks = [Block(kind="paragraph", start=0, end=len(text))]
    openings = {block.start: question for block in blocks if (question := _question(_opening(text, block)))}
    is_page = _QUESTIONS_PAGE.search(page.document.title) is not None or len(openings) >= max(
        _FEWEST_ON_A_PAGE, sum(block.kind in {"paragraph", "item"} for block in blocks) // 3
    )
    current: _Section | None = None
    level = 0
    for block in blocks:
        stretch = text[block.start : block.end]
        opening = openings.get(block.start, "") if is_page or _MARKED.match(stretch) else ""
        if block.kind in _OPENS or opening or (is_page and _opening(text, block).endswith("?")):
            if current is not None:
                # a deeper heading below it goes on with what it asks
                current.is_whole &= not (block.kind == "heading" and block.level > level)
                yield current
            current = _begun(page, block, opening)
            level = block.level
        elif current is not None:
            if block.kind in _ANSWERS and not stretch.rstrip().endswith("?"):
                _take(current, text, block.start, block.end, block.kind)
            else:
                current.is_whole = False
    if current is not None:
        yield current


def _begun(page: Page, block: Block, opening: str) -> _Section | None:
    text = page.document.text
    stretch = text[block.start : block.end]
    if block.kind not in _OPENS:
        if not opening:
            return None
        section = _Section(opening, block.start, is_marked=_MARKED.match(stretch) is not None)
        first = _first_sentence(text, block)
        if first[1] < block.end:
            _take(section, text, first[1], block.end, block.kind)
        return section
    if question := _question(stretch):
        return _Section(question, block.start, is_marked=_MARKED.match(stretch) is not None)
    task = task_question(stretch, page.prose.replace(stretch, " ")) if block.kind == "heading" else ""
    return _Section(task, block.start, is_task=True) if task else None


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
    mark = NUMBER.match(text[block.start : block.end])
    start = block.start + (mark.end() if mark else 0)
    spans = sentence_spans(text[start : block.end])
    return (start + spans[0][0], start + spans[0][1]) if spans else (start, block.end)


def _opening(text: str, block: Block) -> str:
    """The sentence that a paragraph or item begins with; empty for other blocks."""
    return text[slice(*_first_sentence(text, block))].rstrip() if block.kind in {"paragraph", "item"} else ""


def _question(text: str) -> str:
    """The question that a heading or sentence is, without its number; empty if it is none or points out of itself."""
    plain = " ".join(NUMBER.sub("", text.strip()).split())
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
    if len(words) < 1 + section.is_task:
        return ""
    if names_something(question) or page.collection.size == 1 or (section.is_task and len(words) > 2):
        return question
    return framed(page, question) or (question if len(words) >= 2 + section.is_task else "")


def _answer(text: str, section: _Section) -> str:
    """What is said below, as one paragraph; empty where it is long, breaks off, sends elsewhere or names no steps."""
    parts = [(text[start:end], kind) for (start, end), kind in section.answers]
    words = sum(len(part.split()) for part, _ in parts)
    if not section.is_whole or not _FEWEST_ANSWER_WORDS <= words <= _MOST_ANSWER_WORDS or parts[-1][0].endswith(":"):
        return ""
    said = [part[slice(*sentence_spans(part)[0])] for part, _ in parts]
    last = parts[-1][0]
    if any(_SENDS_ELSEWHERE.match(sentence) for sentence in (*said, last[slice(*sentence_spans(last)[-1])])):
        return ""
    if _POINTS_AWAY.search(said[0]) or (_POINTS_BACK.match(said[0]) and section.is_task):
        return ""
    if section.is_task and not _says_how(text, section):
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


def _says_how(text: str, section: _Section) -> bool:
    """Whether half of what stands below a task are steps: sentences in the imperative, or that say what you do."""
    sentences = [part for stretch, _ in section.answers for part in _sentences(text, stretch)]
    steps = sum(kind == "step" for _, kind in section.answers)
    if steps >= 2:
        return True
    told = 0
    for doc in parse(sentences):
        root = next((token for token in doc if token.dep_ == "ROOT"), None)
        if root is None:
            continue
        is_imperative = root.tag_ == "VB" and not any(child.dep_.startswith("nsubj") for child in root.children)
        told += is_imperative or re.search(r"\b[Yy]ou (?:can|must|should|need|may|have to)\b", doc.text) is not None
    return told * 2 >= len(sentences) and told > 0
