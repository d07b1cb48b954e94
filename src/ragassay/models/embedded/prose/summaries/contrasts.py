"""Differences that the text states: "while", "whereas", "unlike", and two like sentences about two kinds of a thing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import SUBJECTS, Clause
from ragassay.models.embedded.prose.forms.kinds import is_amount
from ragassay.models.embedded.prose.passages import Line, ReadPassage, Section, finished, is_anchored
from ragassay.models.embedded.prose.summaries.sketch import Sketch

if TYPE_CHECKING:
    from spacy.tokens import Token

LONGEST_SIDE = 8
"""Words of the name of either side."""
MARKS = frozenset({"while", "whereas"})


def contrasts(read: ReadPassage) -> Iterator[Sketch]:
    """What is the difference between the two, with both sides in the answer."""
    for section in read.sections:
        for line in section.lines:
            for sides in _within(line):
                yield from _difference([line, line], sides, [line.whole(set())], section, "contrast")
        for line, following in zip(section.lines, section.lines[1:], strict=False):
            pair = _across(line, following)
            if pair:
                parts = [line.whole(set()), following.whole(set())]
                yield from _difference([line, following], pair, parts, section, "contrast_pair")


def _difference(
    lines: list[Line], sides: tuple[list[Token], list[Token]], parts: list[str], section: Section, form: str
) -> Iterator[Sketch]:
    names = [line.words(side, asker=True) for line, side in zip(lines, sides, strict=True)]
    if names[0].lower() == names[1].lower() or not all(names):
        return
    anchored = any(is_anchored(side, line) for line, side in zip(lines, sides, strict=True))
    yield Sketch(
        finished(f"what is the difference between {names[0]} and {names[1]}"),
        parts,
        tuple(dict.fromkeys(span for line in lines for span in line.spans)),
        form,
        section.setting,
        anchored,
        sum(line.dangling(side) for line, side in zip(lines, sides, strict=True)),
        several=True,
    )


def _within(line: Line) -> Iterator[tuple[list[Token], list[Token]]]:
    for clause in line.clauses:
        if clause.head is None or not _names_thing(clause.head, clause.subject):
            continue
        for child in clause.verb.children:
            mark = next((c for c in child.children if c.dep_ == "mark"), None)
            if child.dep_ != "advcl" or mark is None or mark.lower_ not in MARKS:
                continue
            other = next((c for c in child.children if c.dep_ in SUBJECTS), None)
            if mark.lower_ == "while" and "VBD" in (child.tag_, clause.verb.tag_):
                continue
            if other is None or not _names_thing(other, list(other.subtree)) or not _alike(clause.head, other):
                continue
            subject = list(other.subtree)
            yield (subject, clause.subject) if other.i < clause.head.i else (clause.subject, subject)
        for phrase in clause.fronted:
            if phrase[0].lower_ == "unlike" and len(phrase) - 1 <= LONGEST_SIDE:
                yield clause.subject, phrase[1:]
    main = line.clauses
    if len(main) == 2 and main[0].head is not None and main[1].head is not None and main[1].head != main[0].head:
        joint = [t for t in line.doc[main[0].verb.i : main[1].verb.i] if t.dep_ == "cc"]
        if any(t.lower_ == "but" for t in joint) and _comparable(main[0], main[1]):
            yield main[0].subject, main[1].subject


def _across(line: Line, following: Line) -> tuple[list[Token], list[Token]] | None:
    """Subjects of two sentences that are two kinds of one thing: "hot backups …", "cold backups …"."""
    if not line.clauses or not following.clauses:
        return None
    first, second = line.clauses[0], following.clauses[0]
    if not first.subject or not second.subject:
        return None
    if second.subject[0].lower_ == "the" and first.subject[0].lower_ != "the":
        return None
    if _comparable(first, second) and first.verb.tag_ == second.verb.tag_:
        return first.subject, second.subject
    return None


def _comparable(first: Clause, second: Clause) -> bool:
    if first.head is None or second.head is None or first.head.lemma_ != second.head.lemma_:
        return False
    if first.head.pos_ != "NOUN" or first.verb.tag_ not in ("VBZ", "VBP"):
        return False
    return all(_names_thing(c.head, c.subject) for c in (first, second) if c.head is not None) and (
        _kind(first.head) != _kind(second.head) and bool(_kind(first.head)) and bool(_kind(second.head))
    )


def _kind(head: Token) -> tuple[str, ...]:
    return tuple(c.lower_ for c in head.children if c.dep_ in ("amod", "compound", "nmod") and c.i < head.i)


def _names_thing(head: Token, words: list[Token]) -> bool:
    return (
        head.pos_ in ("NOUN", "PROPN")
        and len(words) <= LONGEST_SIDE
        and not any(t.dep_ == "poss" or t.lower_ in ("this", "that", "these", "those", "some", "many") for t in words)
        and not is_amount(head)
        and head.ent_type_ not in ("DATE", "TIME", "CARDINAL", "PERSON")
    )


def _alike(head: Token, other: Token) -> bool:
    """Whether two nouns are likely of one kind: both names, or both plain nouns of the same number."""
    return head.lemma_ == other.lemma_ or (head.pos_ == other.pos_ == "PROPN" and head.ent_type_ == other.ent_type_)
