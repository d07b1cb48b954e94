"""Claims about passages, and questions that they answer or not: what a verifier learns."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ragassay.errors import InputError
from ragassay.models.embedded.judging.verdicts import statements_of
from ragassay.models.small import wording
from ragassay.training.passages import LEAST_ROWS, Fields, digest_of, objects_of, read_objects, text_of

SUPPORTED, CONTRADICTED, NOT_STATED = range(len(wording.LABELS))

_NOT_STATED_TYPES = frozenset({"addition", "unstated"})
"""Types of wrong claims that the passage says nothing about; the others change what it says."""
ANSWERED, UNANSWERED = "answered", "unanswered"
"""Kinds of the branches that ask whether the passage answers a question."""
_MOST_ANSWERED = 2
_FOREIGN = 2
"""Questions of other passages of the same document, for each passage: near misses that nobody had to write."""
STATEMENT, RESTATED, FOREIGN = "statement", "restated", "foreign"
"""Kinds of claims that nobody had to write: what a fact of the passage states, its answer made a sentence, and what
another passage states. People who write claims avoid both plain repetition and what has nothing to do with the text;
in answers these are the most frequent (docs/decisions/embedded-judge.md)."""
_MOST_STATEMENTS = 2
_WORD = re.compile(r"\w{4,}")
_MOST_SHARED = 0.5
"""Of the words of a foreign claim, the share that the passage may hold: it must not be true of it by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBranch:
    """What is asked about a passage. kind: a claim's type. label: place in wording.LABELS. quote: the sentence meant.

    lender: the document that a claim of another passage was taken from; a split keeps it from the other side.
    """

    kind: str
    prompt: str
    label: int
    quote: str = ""
    lender: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextItem:
    """A passage and what is asked about it. document: what a split never divides. text: plain."""

    id: str
    source: str
    document: str
    title: str
    heading: str
    text: str
    branches: tuple[TextBranch, ...]

    @property
    def place(self) -> tuple[str, str, str]:
        """Passages of one document, and of one source, are beside each other when sorted by it."""
        return self.source, self.document, self.id


def read_claims(paths: Sequence[Path]) -> tuple[list[TextItem], str]:
    """Return the items of all files, and their hash. Rows about the same passage become one item.

    Raises InputError for what are no claims, and for fewer than LEAST_ROWS.
    """
    items: dict[tuple[str, str], TextItem] = {}
    asked: dict[str, dict[str, list[str]]] = {}
    stated: dict[tuple[str, str, str], list[str]] = {}
    for where, row in (each for path in paths for each in read_objects(path)):
        item = _passage(where, row)
        asked.setdefault(item.document, {}).setdefault(item.id, []).extend(_answered_by(where, row))
        stated.setdefault(item.place, []).extend(_stated_by(where, row))
        earlier = items.get((item.source, item.id))
        branches = item.branches if earlier is None else (*earlier.branches, *item.branches)
        items[item.source, item.id] = replace(item, branches=branches)
    places = sorted(place for place in stated if stated[place])
    found = []
    for item in items.values():
        foreign = (*_foreign_questions(item, asked[item.document]), *_foreign_claims(item, places, stated))
        if item.branches or foreign:
            found.append(replace(item, branches=(*item.branches, *foreign)))
    count = sum(len(item.branches) for item in found)
    if count < LEAST_ROWS:
        raise InputError(f"training needs at least {LEAST_ROWS} claims, not {count}")
    return found, digest_of(repr(item) for item in found)


def of_their_own(items: Sequence[TextItem]) -> list[TextItem]:
    """Return the items without claims that were lent by documents which are not among them."""
    documents = {item.document for item in items}
    return [
        replace(item, branches=tuple(each for each in item.branches if not each.lender or each.lender in documents))
        for item in items
    ]


def _passage(where: str, row: Fields) -> TextItem:
    title = text_of(row, "title", where, default="")
    source = text_of(row, "source", where, default="")
    return TextItem(
        id=text_of(row, "id", where),
        source=source,
        document=f"{source}/{title}",
        title=wording.sentence(title),
        heading=wording.sentence(text_of(row, "heading", where, default="")),
        text=wording.plain(text_of(row, "text", where)),
        branches=tuple(_branches(where, row)),
    )


def _branches(where: str, row: Fields) -> Iterator[TextBranch]:
    for claim in objects_of(row, "claims", where):
        supported = claim.get("supported")
        if not isinstance(supported, bool):
            raise InputError(f"{where}: 'supported' of each claim must be true or false")
        kind = text_of(claim, "type", where, default="supported" if supported else "wrong")
        quote = text_of(claim, "quote", where, default="")
        yield claim_branch(text_of(claim, "text", where), label_of(supported, kind, quote), kind, quote)
    for fact in objects_of(row, "facts", where)[:_MOST_STATEMENTS]:
        if statement := text_of(fact, "statement", where, default=""):
            yield claim_branch(statement, SUPPORTED, STATEMENT, text_of(fact, "quote", where, default=""))
        for restated in statements_of(text_of(fact, "question", where), text_of(fact, "answer", where, default="")):
            yield claim_branch(restated, SUPPORTED, RESTATED, text_of(fact, "quote", where, default=""))
    for question in _answered_by(where, row)[:_MOST_ANSWERED]:
        yield _question_branch(question, ANSWERED)
    for gap in objects_of(row, "unanswerable", where)[:_MOST_ANSWERED]:
        if question := text_of(gap, "question", where):
            yield _question_branch(question, UNANSWERED)


def _answered_by(where: str, row: Fields) -> list[str]:
    """The questions that a passage answers, one of each kind first."""
    given: list[str] = []
    for name in ("summary", "reasoning"):
        given += [text_of(each, "question", where) for each in objects_of(row, name, where)][:1]
    given += [text_of(each, "question", where) for each in objects_of(row, "facts", where)]
    return list(filter(None, given))


def _foreign_questions(item: TextItem, asked: Mapping[str, Sequence[str]]) -> Iterator[TextBranch]:
    """Questions of the next passages of the same document; the last question of each, which is of a single fact."""
    ids = sorted(asked)
    place = ids.index(item.id)
    following = [each for each in ids[place + 1 :] + ids[:place] if asked[each]]
    for each in following[:_FOREIGN]:
        if asked[each][-1] not in asked[item.id]:
            yield _question_branch(asked[each][-1], UNANSWERED)


def _stated_by(where: str, row: Fields) -> list[str]:
    found = [text_of(fact, "statement", where, default="") for fact in objects_of(row, "facts", where)]
    found += [text_of(claim, "text", where) for claim in objects_of(row, "claims", where) if claim["supported"]]
    return list(filter(None, found))


def _foreign_claims(
    item: TextItem, places: Sequence[tuple[str, str, str]], stated: Mapping[tuple[str, str, str], Sequence[str]]
) -> Iterator[TextBranch]:
    """A claim of the next passage, most often of the same document, and one of a passage half of all further on."""
    after = bisect_right(places, item.place)
    own = set(_WORD.findall(item.text.lower()))
    steps = (0, len(places) // 2) if places else ()
    for place in dict.fromkeys(places[(after + step) % len(places)] for step in steps):
        if place == item.place:
            continue
        claim = stated[place][after % len(stated[place])]
        words = _WORD.findall(claim.lower())
        if words and sum(word in own for word in words) <= _MOST_SHARED * len(words):
            yield replace(claim_branch(claim, NOT_STATED, FOREIGN, ""), lender=place[1])


def _question_branch(question: str, kind: str) -> TextBranch:
    label = SUPPORTED if kind == ANSWERED else NOT_STATED
    return TextBranch(kind=kind, prompt=wording.answered_prompt(question), label=label)


def label_of(supported: bool, kind: str, quote: str) -> int:
    """Place in wording.LABELS. A wrong claim of an unknown type contradicts the sentence that it names."""
    if supported:
        return SUPPORTED
    return NOT_STATED if kind in _NOT_STATED_TYPES or not quote else CONTRADICTED


def claim_branch(claim: str, label: int, kind: str, quote: str) -> TextBranch:
    """A claim as a branch; ``kind`` is its type."""
    return TextBranch(kind=kind, prompt=wording.claim_prompt(claim), label=label, quote=wording.sentence(quote))
