"""A question of fact whose answer goes on: in the words joined to it, or in the sentences that add to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.drafting import Written, written
from ragassay.models.embedded.prose.passages import LEAST_FACT, Line, ReadPassage, Section, fact_acceptability
from ragassay.models.embedded.prose.summaries.sketch import Sketch

if TYPE_CHECKING:
    from spacy.tokens import Token

ADDING = frozenset(
    "also additionally besides furthermore moreover another second secondly third finally lastly then next"
    " further".split()
)
"""English words with which a sentence adds to the one before it."""
GOES_ON = frozenset({"why", "what_do", "how_to", "use"})
"""Forms whose answer another sentence can add to."""
LISTED = frozenset({"object", "meaning", "subject", "what_do", "how", "why", "how_to"})
LONGEST_EVENT = 14
"""Words of a question for time and place."""
FEWEST = 3
"""Things named in one sentence that make an enumeration."""


def sequels(read: ReadPassage) -> Iterator[Sketch]:
    for section in read.sections:
        for at, line in enumerate(section.lines):
            drafts = list(written(section.setting, line.sentence, line.doc, line.resolved, dict(line.literals)))
            for draft in drafts:
                if draft.form in LISTED:
                    yield from _enumerated(draft, line, section)
            yield from _when_and_where(drafts, line, section)
            following = section.lines[at + 1 : at + 3]
            for draft in drafts:
                if draft.form in GOES_ON:
                    yield from _going_on(draft, line, following, section)


def things(gap: Token) -> int:
    """How many things are joined in a phrase by commas and "and"."""
    noun = gap
    if gap.dep_ in ("prep", "agent"):
        noun = next((c for c in gap.children if c.dep_ in ("pobj", "pcomp")), gap)
    return 1 + len(noun.conjuncts)


def _enumerated(draft: Written, line: Line, section: Section) -> Iterator[Sketch]:
    count = max(things(draft.asked.gap), _verbs(draft) if draft.asked.whole else 0)
    if count < (2 if draft.form in ("why", "how", "what_do") else FEWEST):
        return
    if len(draft.answer.split()) < 5 or draft.outward:
        return
    quality = fact_acceptability(draft, line, section.setting)
    if quality < LEAST_FACT:
        return
    yield Sketch(
        draft.question,
        [draft.answer[:1].upper() + draft.answer[1:]],
        line.spans,
        f"enumerated_{draft.form}",
        section.setting,
        True,
        draft.unresolved,
        several=True,
        features={"things": float(count), "risky": float(draft.risky), "fact": quality},
    )


def _verbs(draft: Written) -> int:
    return 1 + sum(1 for t in draft.answer_tokens if t.dep_ == "conj" and t.pos_ == "VERB" and t.head.pos_ == "VERB")


def _when_and_where(drafts: Sequence[Written], line: Line, section: Section) -> Iterator[Sketch]:
    """Two circumstances of one event, asked for together."""
    for place in drafts:
        if place.form != "place" or not place.question.startswith("Where "):
            continue
        for time in drafts:
            if place.unresolved or place.outward or "," in place.question:
                break
            if time.form != "time" or time.clause is not place.clause or not time.question.startswith("When "):
                continue
            where = list(place.answer_tokens)
            gone = {t.i for t in time.answer_tokens} | {t.i for t in where}
            question = place.question
            said = line.words(list(time.answer_tokens))
            if said and f" {said}" in question and not gone & {t.i for t in where if t in time.answer_tokens}:
                question = re.sub(r",(?=\\s*[,?])", "", question.replace(f" {said}", "", 1))
                if len(question.split()) > LONGEST_EVENT:
                    continue
                question = f"When and w{question[1:]}"
                whole = line.whole(set())
                yield Sketch(
                    question,
                    [whole],
                    line.spans,
                    "when_and_where",
                    section.setting,
                    True,
                    place.unresolved,
                    several=True,
                )
                return


def _going_on(draft: Written, line: Line, following: Sequence[Line], section: Section) -> Iterator[Sketch]:
    """The draft, with the sentences after it that add to its answer."""
    more: list[Line] = []
    for other in following:
        if not _adds(other, line) or other.sentence.in_list != line.sentence.in_list:
            break
        more.append(other)
    if not more:
        return
    quality = fact_acceptability(draft, line, section.setting)
    if quality < LEAST_FACT or "," in draft.question:
        return
    parts = [line.whole(set()), *(other.whole(set()) for other in more)]
    yield Sketch(
        draft.question,
        parts,
        tuple(dict.fromkeys((*line.spans, *(span for other in more for span in other.spans)))),
        f"goes_on_{draft.form}",
        section.setting,
        True,
        draft.unresolved,
        features={"fact": quality, "dangling": float(sum(other.dangling(other.doc) for other in more))},
    )


def _adds(other: Line, line: Line) -> bool:
    clause = other.clauses[0] if other.clauses else None
    if clause is None or not line.clauses:
        return False
    opening = other.doc[: clause.verb.i + 2]
    return any(token.lower_ in ADDING for token in opening) and not any(
        token.lower_ in ("however", "but", "instead") for token in opening
    )
