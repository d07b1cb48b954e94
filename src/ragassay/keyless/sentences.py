"""Questions on plain sentences: read, parsed, asked in every form that fits, and what they leave open."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from ragassay.keyless.clause import Clause, clause_of, instruction_of, is_plain, question
from ragassay.keyless.draft import Draft
from ragassay.keyless.forms import DAY, FORMS, PEOPLE, Asked, instructed
from ragassay.keyless.framing import named
from ragassay.keyless.page import Page
from ragassay.models.embedded.reading.parser import parse
from ragassay.text import sentence_spans

if TYPE_CHECKING:
    from spacy.tokens import Doc

_MOST_SENTENCES = 1_500
"""Of a document that are parsed, some ten seconds of work: more than any set takes from one."""
_LONGEST = 26
"""Words of a question."""


def sentence_drafts(page: Page) -> Iterator[Draft]:
    """Ask about the plain sentences of a page, in their order."""
    spans = list(islice((span for span in _sentences(page) if is_plain(_plain(page, span))), _MOST_SENTENCES))
    parsed = parse([_plain(page, span) for span in spans])
    for span, doc in zip(spans, parsed, strict=True):
        yield from _of_sentence(page, span, doc)


def _sentences(page: Page) -> Iterator[tuple[int, int]]:
    text, within = page.document.text, sorted(page.document.literals)
    for start, end in page.paragraphs():
        begun = within[bisect_left(within, (start, start)) : bisect_left(within, (end, end))]
        literals = [(a - start, b - start) for a, b in begun if b <= end]
        for a, b in sentence_spans(text[start:end], literals):
            if not any(a < stop and begin < b for begin, stop in literals):
                yield start + a, start + b


def _plain(page: Page, span: tuple[int, int]) -> str:
    """A sentence on one line, without what stands in brackets and without the words that tie it to the one before."""
    flat = re.sub(r" *\([^()]*\)", "", " ".join(page.document.text[slice(*span)].split()))
    plain = _TIE.sub("", flat)
    if plain[-1:].isalnum():  # an item without a full stop
        plain += "."
    return f"{plain[:1].upper()}{plain[1:]}"


_TIE = re.compile(
    r"^(?:however|also|additionally|in addition|furthermore|moreover|besides|finally|therefore|so), ", re.I
)


def _of_sentence(page: Page, span: tuple[int, int], doc: Doc) -> Iterator[Draft]:
    clause, instruction = clause_of(doc), instruction_of(doc)
    asked: list[tuple[str, float, Asked]] = []
    if clause is not None:
        yield from _open(page, span, clause)
        asked = [(name, worth, each) for name, (form, worth) in FORMS.items() for each in form(clause)]
    elif instruction is not None:
        asked = [("instruction", 0.45, each) for each in instructed(instruction)]
    for name, worth, each in asked:
        framed = "" if not each.question else each.question if name == "what_is" else named(each.question, page)
        if not framed or len(framed.split()) > _LONGEST or _leaks(framed, each.answer):
            continue
        yield Draft(
            label="fact_single",
            form=name,
            question=framed,
            answer=each.answer,
            spans=(span,),
            claim=_plain(page, span) if each.is_inferred else "",
            source=f"sentence at {span[0]}",
            worth=worth,
            unframed=each.question or "",
        )


_NOT_DONE = frozenset(
    "know call name locate base use need require consider allow make see find mean say see suppose expect include "
    "relate give take have do get involve associate compose divide set follow list show describe define".split()
)
"""Verbs of which nobody asks who did it."""
_NEAR_TIME = re.compile(rf"{DAY.pattern}|\b(?:today|yesterday|tomorrow|ago|century|spring|summer|autumn|winter|now)\b")


_NEAR = 150
"""Characters on both sides of a sentence in which nothing may stand that could answer it."""


def _open(page: Page, span: tuple[int, int], clause: Clause) -> Iterator[Draft]:
    """Ask who did what a sentence says was done, and when, where neither it nor its paragraph tells."""
    if clause.verb.lemma_ in _NOT_DONE or not clause.is_passive or any(t.dep_ == "agent" for t in clause.verb.children):
        return
    paragraph = page.document.text[max(0, span[0] - _NEAR) : span[1] + _NEAR]
    is_past = clause.auxiliaries[0].lower_ in {"was", "were"} if clause.auxiliaries else False
    asked = []
    if not any(token.ent_type_ in {"PERSON", "ORG", "NORP"} for token in clause.doc) and not _names(paragraph):
        asked.append(("by whom", "open_who"))
    if is_past and not _NEAR_TIME.search(paragraph):
        asked.append(("when", "open_when"))
    for words, form in asked:
        bare = question(clause, words, ())
        framed = named(bare, page) if bare else ""
        if bare and framed and len(framed.split()) <= _LONGEST:
            yield Draft(
                label="unanswerable",
                form=form,
                question=framed,
                claim=_plain(page, span),
                source=f"sentence at {span[0]}",
                worth=0.4,
                unframed=bare,
            )


def _names(paragraph: str) -> bool:
    """Whether a paragraph may name somebody: a word with a capital inside a sentence, or a role."""
    words = re.findall(r"[\w'’-]+", paragraph)
    return re.search(r"(?<=[a-z,;] )(?:[A-Z][a-z]+|we|We|you)\b", paragraph) is not None or any(
        word.lower().rstrip("s") in PEOPLE for word in words
    )


def _leaks(asked: str, answer: str) -> bool:
    words = re.findall(r"\d+|\w{3,}", answer.lower())
    return bool(words) and all(word in asked.lower() for word in words)
