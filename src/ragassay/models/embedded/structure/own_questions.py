"""Questions that a document asks itself, with what it answers: headings, terms, and paragraphs of a page of questions.

"How to renew your permit" asks, too: "How do I renew my permit?"

Somebody who knows the readers wrote them, so they are kept as they stand. Only one that says too little without its
page is framed by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ragassay.models.embedded.judging.extent import extent_of
from ragassay.models.embedded.reading.analysis import Analysis
from ragassay.models.embedded.reading.clarity import POINTS_AWAY, content_words, is_clear, placed
from ragassay.models.embedded.reading.outline import are_instructions, even_heading, is_instruction, plain_heading
from ragassay.models.embedded.reading.parser import is_word, parse
from ragassay.models.embedded.reading.themes import is_generic
from ragassay.models.embedded.structure.drafts import OWN_QUESTION, OWN_WORDS, Draft, capitalised
from ragassay.models.embedded.structure.framing import framed, source_of
from ragassay.records import Block, Label
from ragassay.tasks.statements import Passage
from ragassay.text import sentence_spans

if TYPE_CHECKING:
    from spacy.tokens import Token

LONGEST_ANSWER = 150
"""Words. Of a longer one the first paragraphs are taken."""
LONGEST_TASK = 220
"""Words. Of a task all that is said of it, or its steps: an introduction does not say how."""
SENDS_ELSEWHERE = re.compile(r"(?:For (?:an?|more|further|other)\b[^.]*?,? )?(?:[Pp]lease )?(?:[Ss]ee|[Rr]efer to)\b")
"""A sentence of an answer that holds none: 'For more details, see Deployment.'"""
FEWEST_ON_A_PAGE = 3
"""Paragraphs that begin with a question, from which on a page is one of questions and answers, if they are a third."""

_ASKED_PAGE = re.compile(r"\b(?:faqs?|questions?|q ?& ?a)\b", re.IGNORECASE)
_NUMBER = re.compile(
    r"^(?:(?:Q(?:uestion)?\s*\d*|\d+(?:\.\d+)*)\s*[.:)](?!\d)|\d+(?:\.\d+)+(?=\s)|\[\d+\])\s*", re.IGNORECASE
)
_MARKED = re.compile(r"^Q(?:uestion)?\s*\d*\s*[.:)]", re.IGNORECASE)
_ANSWER = re.compile(r"^A(?:nswer)?\s*\d*\s*[.:)]\s*", re.IGNORECASE)
_ASKS = re.compile(
    r"(?:(?:for|in|on|at|to|by|under|with|from|until|since|after) )?(?:who|whom|whose|what|which|when|where|why|how)\b"
    r"|(?:is|are|was|were|am|do|does|did|can|could|may|must|should|shall|will|would|has|have)"
    r"(?:n['’]t)? (?!you know\b)[a-z]"
    r"|(?!but\b|and\b|so\b)[^?]+[,.:;–—-] (?:why|how|why not|how come|what now)\?$"
    r"|(?:if|when|my|i|we|the|a|an) [^?]+[.,] "
    r"(?:who|what|which|when|where|why|how|am|is|are|do|does|can|should|will|may)\b",
    re.IGNORECASE,
)
"""A question word, an auxiliary with what follows it, a case and then one of these, or a statement and "why?"."""
_TO_BE_DONE = re.compile(r"how (?:do|can|should) (?:i|we|you)\b", re.IGNORECASE)
_POINTS_OUT = re.compile(
    r"\b(?:this|these|those|they|them|their|he|she|him|her|above|below)\b"
    r"|, then\?$|\b(?:it|its)\b(?!\s+(?:possible|necessary|safe|true|legal|allowed|ok|okay|mean|take|worth)\b)",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(r"(?:However|Additionally|Furthermore|Moreover|But|And|So|Therefore|Thus|Such|Also)\b")
_OF_ONESELF = re.compile(r"\b(?:I|my|me|I['’]m|I['’]ve)\b")
_OPENING = frozenset({"paragraph", "item"})
"""Blocks that may begin with a question, on a page of questions."""
_ANSWERING = frozenset({"paragraph", "item", "step", "definition", "value", "key"})


class _Asked(NamedTuple):
    """question: plain. spans: (start, end) of the passage that answer it, in order, and whether each is of a list.

    is_cut: whether more was to follow, code or a table. is_task: whether the heading names a task, so that the answer
    has to say how. is_turned: whether a title or heading tells what is asked, and has no question mark.
    """

    question: str
    spans: list[tuple[int, int, bool]]
    is_cut: bool = False
    is_task: bool = False
    is_turned: bool = False


def own_question_facts(analysis: Analysis) -> Iterator[Draft]:
    """Those that one sentence answers."""
    return _labelled(analysis, "fact_single")


def own_question_summaries(analysis: Analysis) -> Iterator[Draft]:
    """Those that several sentences or clauses answer."""
    return _labelled(analysis, "summary")


def _labelled(analysis: Analysis, label: Label) -> Iterator[Draft]:
    for asked, told in _answered(analysis):
        draft = _draft(analysis, asked, told)
        is_one = extent_of(draft.answer).parts == 0
        if draft.question and label == ("fact_single" if is_one else "summary"):
            yield draft


def has_own_questions(text: str, title: str, blocks: Iterable[Block]) -> bool:
    """Whether a passage asks questions itself: they then need no theme."""
    return next(_found(text, title, tuple(blocks)), None) is not None


def questions_of(analysis: Analysis) -> list[str]:
    """The questions that a passage asks itself, and those of the tasks that its headings name."""
    passage = analysis.passage
    return [asked.question for asked in _found(passage.text, passage.title, passage.blocks) if asked.spans]


def _answered(analysis: Analysis) -> Iterator[tuple[_Asked, _Told]]:
    passage = analysis.passage
    for asked in _found(passage.text, passage.title, passage.blocks):
        told = _told(passage.text, asked)
        if asked.is_cut and _TO_BE_DONE.match(asked.question):
            continue  # the code or the table that follows is part of what is to be done
        if asked.is_task and not _SAYS_HOW.search(told.answer):
            continue
        if asked.is_turned and _TO_BE_DONE.match(asked.question) and not _tells_to_do(told.answer):
            continue  # 'How to Turn the Moon' is an album
        is_interview = _OF_ONESELF.search(told.answer) is not None and not _OF_ONESELF.search(asked.question)
        if told.quotes and not is_interview and len(content_words(asked.question)) > 1:
            yield asked, told


def _tells_to_do(answer: str) -> bool:
    """Whether an answer speaks to its reader, or has a sentence in the imperative."""
    begun = (answer[start:end].rstrip(".:") for start, end in sentence_spans(answer)[:_SENTENCES])
    return _SAYS_HOW.search(answer) is not None or any(is_instruction(each) for each in begun)


_SENTENCES = 6
_SAYS_HOW = re.compile(r"\b(?:you|your)\b", re.IGNORECASE)


class _Told(NamedTuple):
    """An answer and the stretches that it is made of."""

    answer: str
    quotes: list[str]


def _told(text: str, asked: _Asked) -> _Told:
    """The stretches that answer, as many as are short enough together; none where they break off or send elsewhere."""
    kept: list[tuple[str, bool]] = []
    words = 0
    is_cut = asked.is_cut
    spans, longest = asked.spans, LONGEST_ANSWER
    if asked.is_task:
        longest = LONGEST_TASK
        if spans and len(text[spans[0][0] : spans[-1][1]].split()) > longest:
            spans = _steps(text, spans)
    for start, end, is_listed in spans:
        stretch = text[start:end].strip()
        words += len(stretch.split())
        if words > longest:
            is_cut = True
            break
        kept.append((stretch, is_listed))
    quotes = [stretch for stretch, _ in kept]
    if (
        not quotes
        or any(SENDS_ELSEWHERE.match(each) for each in (*quotes, _last_sentence(quotes[-1])))
        or POINTS_AWAY.search(quotes[0][slice(*sentence_spans(quotes[0])[0])])
        or _POINTS_BACK.match(quotes[0])
        or quotes[-1].endswith(":")
        or (is_cut and (kept[-1][1] or kept[0][0].endswith(":")))
        or words < _FEWEST_WORDS
    ):
        return _Told("", [])
    answer = ""
    for place, (stretch, is_listed) in enumerate(kept):
        is_last = place + 1 == len(kept)
        goes_on = not (is_last or is_listed) and kept[place + 1][0][:1].islower()  # a paragraph that was cut in two
        if is_last or goes_on or stretch[-1:] in '.!?:…"”)':
            mark = ""
        elif is_listed and kept[place + 1][1]:
            mark = ";"
        else:
            mark = "."
        answer += f"{stretch.rstrip(' .;,') if mark else stretch}{mark} "
    return _Told(re.sub(r"\s+", " ", answer).strip(), quotes)


def _steps(text: str, spans: list[tuple[int, int, bool]]) -> list[tuple[int, int, bool]]:
    """The first list, if it is one of instructions, with the paragraph that announces it."""
    first = next((place for place, (*_, is_listed) in enumerate(spans) if is_listed), None)
    if first is None:
        return []
    last = next((place for place in range(first, len(spans)) if not spans[place][2]), len(spans))
    if not are_instructions([text[start:end] for start, end, _ in spans[first:last]]):
        return []
    announced = first > 0 and text[: spans[first - 1][1]].rstrip().endswith(":")
    return spans[first - announced : last]


_FEWEST_WORDS = 3


def _last_sentence(text: str) -> str:
    start, end = sentence_spans(text)[-1]
    return text[start:end]


def _draft(analysis: Analysis, asked: _Asked, told: _Told) -> Draft:
    clear = _clear(analysis, asked)
    return Draft(
        pattern=OWN_QUESTION,
        question=placed(clear, analysis.passage.place) if " I " in clear else clear,
        answer=told.answer,
        statement=told.answer,
        quotes=tuple(told.quotes),
        attribute="faq",
    )


def _clear(analysis: Analysis, asked: _Asked) -> str:
    """The question, framed by its page where it says too little without it; empty where no frame can be had."""
    source, question = source_of(analysis), asked.question
    is_bare = _is_bare(analysis.passage, asked)
    has_source = bool(source) or is_generic(analysis.profile.theme)
    if is_clear(question, by_people=not is_bare) or not (has_source or is_bare):
        return question
    lowered = question[:1].lower() + question[1:] if question[1:2].islower() else question
    return framed(source, lowered) or (f"According to {source}, {lowered}" if source and not is_bare else "")


def _is_bare(passage: Passage, asked: _Asked) -> bool:
    """Whether it is a heading's task that takes its thing for known, "the" or "my", on a page called something else."""
    if not asked.is_task or passage.place or _IS_KNOWN.search(asked.question) is None:
        return False
    named = {word[:_STEM] for word in content_words(passage.title)}
    return not any(word[:_STEM] in named for word in content_words(asked.question))


_IS_KNOWN = re.compile(r"\b(?:the|my)\b")
_STEM = 4
"""Letters that forms of one word share."""


def _found(text: str, title: str, blocks: tuple[Block, ...]) -> Iterator[_Asked]:
    blocks = blocks or (Block(kind="paragraph", start=0, end=len(text)),)
    begun = [block for block in blocks if block.kind in _OPENING and _opening_question(text, block)]
    paragraphs = sum(block.kind in _OPENING for block in blocks)
    is_page = _ASKED_PAGE.search(title) is not None or len(begun) >= max(FEWEST_ON_A_PAGE, paragraphs // 3)
    asked: _Asked | None = None
    is_marked = False
    for block in sorted(blocks, key=lambda each: each.start):
        question = task = ""
        if block.kind in ("heading", "term", "title"):
            heading = text[block.start : block.end]
            question = _heading_question(heading, text)
            task = "" if question or block.kind == "term" else _task_question(heading, text)
        elif is_page and block in begun:
            question = _opening_question(text, block)
        is_unclear = is_page and block.kind in _OPENING and _opens_with_question(text, block)
        if question or is_unclear or block.kind in ("heading", "term", "title"):
            if asked is not None:
                yield asked
            is_turned = not text[block.start : block.end].rstrip().endswith("?")
            asked = _Asked(question or task, [], False, not question, is_turned) if question or task else None
            is_marked = _MARKED.match(text[block.start : block.end]) is not None
            if asked is not None and block.kind in _OPENING:
                asked = _with(asked, text, _behind_question(text, block), block.end, block.kind, marked=is_marked)
        elif asked is not None and not asked.is_cut:
            is_answer = block.kind in _ANSWERING and not text[block.start : block.end].rstrip().endswith("?")
            if is_answer:
                asked = _with(asked, text, block.start, block.end, block.kind, marked=is_marked)
            else:
                asked = asked._replace(is_cut=True)
    if asked is not None:
        yield asked


def _with(asked: _Asked, text: str, start: int, end: int, kind: str, *, marked: bool) -> _Asked:
    """marked: whether the question has a Q in front, so that an A in front of its answer is no initial."""
    label = _ANSWER.match(text[start:end]) if marked else None
    start += label.end() if label else 0
    if not text[start:end].strip() or any(start < last for _, last, _ in asked.spans):
        return asked
    return asked._replace(spans=[*asked.spans, (start, end, kind in ("item", "step"))])


def _opening(text: str, block: Block) -> str:
    """The first sentence of a block, without a number in front."""
    stretch = text[_behind_number(text, block) : block.end]
    spans = sentence_spans(stretch)
    return stretch[slice(*spans[0])] if spans else ""


def _behind_number(text: str, block: Block) -> int:
    label = _NUMBER.match(text[block.start : block.end])
    return block.start + (label.end() if label else 0)


def _opens_with_question(text: str, block: Block) -> bool:
    return _opening(text, block).rstrip().endswith("?")


def _opening_question(text: str, block: Block) -> str:
    """The question that a paragraph begins with, or is."""
    return _question_of(_opening(text, block))


def _behind_question(text: str, block: Block) -> int:
    start = _behind_number(text, block)
    spans = sentence_spans(text[start : block.end])
    return start + spans[1][0] if len(spans) > 1 else block.end


def _heading_question(heading: str, text: str) -> str:
    """The question that a heading is, or that it tells as a statement; empty if it does neither.

    text: what the heading stands in, which shows which of its capitals are names.
    """
    plain = " ".join(_NUMBER.sub("", heading.strip()).split()).rstrip(".: ")
    plain = capitalised(_in_sentence_case(plain, heading, text))
    return _question_of(plain) or _question_of(asked_by(plain))


def _in_sentence_case(plain: str, heading: str, text: str) -> str:
    elsewhere = text.replace(heading, " ", -1 if " " in heading else 1)
    if not plain:
        return plain
    return plain_heading(plain, elsewhere) if _is_title_case(plain) else even_heading(plain, elsewhere)


def _task_question(heading: str, text: str) -> str:
    """'Renewing a permit' and 'Renew your permit' as 'How do I renew a permit?'; empty for what names no task."""
    plain = " ".join(_NUMBER.sub("", heading.strip()).split()).rstrip(".: ")
    if not 2 <= len(plain.split()) <= _MOST_WORDS_OF_A_TASK or re.search(r"[?!:;,()“”\"/]", plain):
        return ""
    plain = _in_sentence_case(plain, heading, text)
    first, _, rest = plain.partition(" ")
    (doc,) = parse([f"{capitalised(plain)}."])
    if doc[0].lemma_.lower() in _STATES or re.search(r"\band (?:\w+ )?\w+ing\b", rest):
        return ""  # 'Updating the list and installing packages' are two
    if doc[0].tag_ == "VBG" and any(child.dep_ in ("dobj", "prt") for child in doc[0].children):
        # 'Opening hours' is parsed like 'Opening doors': an article, or the verb in the text, says that it is a task.
        done = rf"\b(?:to|you|can|must|should|may|please) {re.escape(doc[0].lemma_)}\b"
        if doc[1].tag_ not in ("DT", "PRP$") and not re.search(done, text, re.IGNORECASE):
            return ""
        return _question_of(asked_by(f"how to {_verb_of(doc[0])} {rest}"))
    return _question_of(asked_by(f"how to {first.lower()} {rest}")) if is_instruction(plain) else ""


def _verb_of(gerund: Token) -> str:
    """Its verb, spelled as the heading spells it: 'install' and not 'instal' for 'Installing'."""
    stem = gerund.lower_.removesuffix("ing")
    return stem if stem.endswith("ll") and is_word(stem, "verb") else gerund.lemma_


_MOST_WORDS_OF_A_TASK = 9
_STATES = frozenset("have be watch note remember see meet welcome thank enjoy live".split())
"""Verbs whose headings name no task, or warn or greet."""

_TOLD: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"how to (?=[a-z])", re.IGNORECASE), "How do I "),
    (re.compile(r"when (?:and (?:how|where) )?to (?=[a-z])", re.IGNORECASE), "When should I "),
    (re.compile(r"where to (?=[a-z])", re.IGNORECASE), "Where do I "),
    (re.compile(r"what to do (?=(?:if|when|before|after|in|with)\b)", re.IGNORECASE), "What should I do "),
    (re.compile(r"what (?:you|you['’]ll) (need|have)(?= to\b|$)", re.IGNORECASE), r"What do I \1"),
    (re.compile(r"(what|when|where|how) you (can|should|must|may) ", re.IGNORECASE), r"\1 \2 I "),
    (re.compile(r"how (.+) works$", re.IGNORECASE), r"How does \1 work"),
    (re.compile(r"how (.+s) work$", re.IGNORECASE), r"How do \1 work"),
    (re.compile(r"(who|what|which [a-z]+) (is|are|can|may|must|should) (?=[a-z])", re.IGNORECASE), r"\1 \2 "),
)
"""Headings that tell what they ask, and how the question begins."""
_YOURS = {"you": "I", "your": "my", "yours": "mine", "yourself": "myself"}


def asked_by(heading: str) -> str:
    """The question to which a heading such as "When to call the office" is the title of the answer; empty for others.

    The reader asks: "your" becomes "my". Capitals of a title are kept where they may be names.
    """
    for told, asks in _TOLD:
        found = told.match(heading)
        if found is None:
            continue
        rest = heading[found.end() :]
        if re.search(r"[?!:;()“”\"/]|\b(?:I|we|our|us)\b", heading) or _is_title_case(rest):
            return ""
        words = [_YOURS.get(word, word) for word in [*found.expand(asks).split(), *rest.split()]]
        return "" if re.search(r"\b(?:is|are|was|were) I\b", " ".join(words)) else f"{' '.join(words)}?"
    return ""


def _is_title_case(text: str) -> bool:
    """Whether capitals say nothing: 'Renew Your Permit'."""
    words = [word for word in text.split() if len(word) > 3]
    return len(words) > 1 and all(word[0].isupper() for word in words)


def _question_of(text: str) -> str:
    """The question that a heading or sentence is, without its number; empty if it is none or points out of itself."""
    plain = " ".join(_NUMBER.sub("", text.strip()).split())
    if not plain.endswith("?") or plain.count("?") > 1 or len(plain.split()) not in OWN_WORDS:
        return ""
    is_question = _ASKS.match(plain) and not _TO_THE_READER.match(plain) and not _points_out(plain)
    return capitalised(plain) if is_question else ""


_TO_THE_READER = re.compile(r"(?:(?:have|did|are|were|will|do) you|(?:does|is|are|do) your)\b", re.IGNORECASE)
"""Begin what a text asks its reader, as checklists do: 'Have you told the maintainer?'"""


def _points_out(question: str) -> bool:
    """Whether a pronoun means something outside; one behind a thing that the question names means that thing."""
    found = _POINTS_OUT.search(question)
    if found is None or found[0].lower() not in _BACK:
        return found is not None
    links = list(_LINK.finditer(question, 0, found.start()))
    if not links:
        return True
    (doc,) = parse([question[: links[-1].start()]])
    return not any(token.pos_ in ("NOUN", "PROPN") for token in doc)


_BACK = frozenset("it its they them their".split())
_LINK = re.compile(r"\b(?:and|but|to|if|when|before|after|while|without|so that|because)\b", re.IGNORECASE)
"""Words that join two clauses; what stands before the last of them is what a pronoun may mean."""
