"""Questions on plain sentences: read, parsed, asked in every form that fits, and what they leave open."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from ragassay.keyless.clause import clause_of, instruction_of, is_plain
from ragassay.keyless.draft import Draft
from ragassay.keyless.forms import FORMS, Asked, instructed
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


def _leaks(asked: str, answer: str) -> bool:
    words = re.findall(r"\d+|\w{3,}", answer.lower())
    return bool(words) and all(word in asked.lower() for word in words)
