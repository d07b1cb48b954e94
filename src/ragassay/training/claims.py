"""Claims about passages, and questions that they answer or not: what a verifier learns, out of files of passages."""

from __future__ import annotations

import hashlib
import json
import random
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ragassay.errors import InputError, UsageError
from ragassay.models.embedded.judging.verdicts import statements_of
from ragassay.models.small import wording
from ragassay.plain_files import lines_of, open_plain
from ragassay.training.options import VerifierOptions

LEAST_ROWS = 50
"""Claims, below which nothing is learned that could be measured."""

Fields = Mapping[str, Any]

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
    """What is asked about a passage. label: place in wording.LABELS. quote: the sentence meant.

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
    """Return the items of all files, one for each passage, and their hash. Raises InputError for too few."""
    items: dict[tuple[str, str], TextItem] = {}
    asked: dict[str, dict[str, list[str]]] = {}
    stated: dict[tuple[str, str, str], list[str]] = {}
    for where, row in (each for path in paths for each in _read_objects(path)):
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
    digest = hashlib.sha256(b"".join(repr(item).encode("utf-8", "surrogatepass") + b"\0" for item in found))
    return found, digest.hexdigest()


def _of_their_own(items: Sequence[TextItem]) -> list[TextItem]:
    """Return the items without claims that were lent by documents which are not among them."""
    documents = {item.document for item in items}
    return [
        replace(item, branches=tuple(each for each in item.branches if not each.lender or each.lender in documents))
        for item in items
    ]


def split(items: Sequence[TextItem], options: VerifierOptions) -> tuple[list[TextItem], list[TextItem]]:
    """Return what is trained on and what is measured on: divided by source if sources are named, else by document."""
    known = {item.source for item in items}
    for option, names in (("--leave-out", options.leave_out), ("--hold-out-sources", options.hold_out_sources)):
        for name in names:
            if name not in known:
                raise UsageError(f"{option}: no source {name!r}; choose from {', '.join(map(repr, sorted(known)))}")
    used = [item for item in items if item.source not in options.leave_out]
    documents = sorted({(item.source, item.document) for item in used})
    if options.hold_out_sources:
        kept = {place for place in documents if place[0] in options.hold_out_sources}
    else:
        random.Random(f"hold out {options.seed}").shuffle(documents)
        kept = set(documents[: max(round(options.hold_out_share * len(documents)), 1)])
    sides: tuple[list[TextItem], list[TextItem]] = ([], [])
    for item in used:
        sides[(item.source, item.document) in kept].append(item)
    if not sides[0]:
        raise UsageError("nothing left to train on; leave out or hold out less")
    return _of_their_own(sides[0]), _of_their_own(sides[1])


def _passage(where: str, row: Fields) -> TextItem:
    title = _text(row, "title", where, default="")
    source = _text(row, "source", where, default="")
    return TextItem(
        id=_text(row, "id", where),
        source=source,
        document=f"{source}/{title}",
        title=wording.sentence(title),
        heading=wording.sentence(_text(row, "heading", where, default="")),
        text=wording.plain(_text(row, "text", where)),
        branches=tuple(_branches(where, row)),
    )


def _branches(where: str, row: Fields) -> Iterator[TextBranch]:
    for claim in _objects(row, "claims", where):
        supported = claim.get("supported")
        if not isinstance(supported, bool):
            raise InputError(f"{where}: 'supported' of each claim must be true or false")
        kind = _text(claim, "type", where, default="supported" if supported else "wrong")
        quote = _text(claim, "quote", where, default="")
        yield claim_branch(_text(claim, "text", where), label_of(supported, kind, quote), kind, quote)
    for fact in _objects(row, "facts", where)[:_MOST_STATEMENTS]:
        if statement := _text(fact, "statement", where, default=""):
            yield claim_branch(statement, SUPPORTED, STATEMENT, _text(fact, "quote", where, default=""))
        for restated in statements_of(_text(fact, "question", where), _text(fact, "answer", where, default="")):
            yield claim_branch(restated, SUPPORTED, RESTATED, _text(fact, "quote", where, default=""))
    for question in _answered_by(where, row)[:_MOST_ANSWERED]:
        yield _question_branch(question, ANSWERED)
    for gap in _objects(row, "unanswerable", where)[:_MOST_ANSWERED]:
        if question := _text(gap, "question", where):
            yield _question_branch(question, UNANSWERED)


def _answered_by(where: str, row: Fields) -> list[str]:
    """Return the questions that a passage answers, one of each kind first."""
    given: list[str] = []
    for name in ("summary", "reasoning"):
        given += [_text(each, "question", where) for each in _objects(row, name, where)][:1]
    given += [_text(each, "question", where) for each in _objects(row, "facts", where)]
    return list(filter(None, given))


def _foreign_questions(item: TextItem, asked: Mapping[str, Sequence[str]]) -> Iterator[TextBranch]:
    """Yield questions of the next passages of a document; the last question of each, which is of a single fact."""
    ids = sorted(asked)
    place = ids.index(item.id)
    following = [each for each in ids[place + 1 :] + ids[:place] if asked[each]]
    for each in following[:_FOREIGN]:
        if asked[each][-1] not in asked[item.id]:
            yield _question_branch(asked[each][-1], UNANSWERED)


def _stated_by(where: str, row: Fields) -> list[str]:
    found = [_text(fact, "statement", where, default="") for fact in _objects(row, "facts", where)]
    found += [_text(claim, "text", where) for claim in _objects(row, "claims", where) if claim["supported"]]
    return list(filter(None, found))


def _foreign_claims(
    item: TextItem, places: Sequence[tuple[str, str, str]], stated: Mapping[tuple[str, str, str], Sequence[str]]
) -> Iterator[TextBranch]:
    """Yield a claim of the next passage, mostly of the same document, and one of a passage half of all further on."""
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
    """Return place in wording.LABELS. A wrong claim of an unknown type contradicts the sentence that it names."""
    if supported:
        return SUPPORTED
    return NOT_STATED if kind in _NOT_STATED_TYPES or not quote else CONTRADICTED


def claim_branch(claim: str, label: int, kind: str, quote: str) -> TextBranch:
    """Return a claim as a branch; ``kind`` is its type."""
    return TextBranch(kind=kind, prompt=wording.claim_prompt(claim), label=label, quote=wording.sentence(quote))


def _read_objects(path: Path) -> Iterator[tuple[str, Fields]]:
    """Yield place and object of each line. Raises InputError for what is no JSON object."""
    try:
        with open_plain(path) as file:
            for number, line in enumerate(lines_of(file, str(path)), 1):
                if line.strip():
                    row = json.loads(line)
                    if not isinstance(row, dict):
                        raise InputError(f"{path}, line {number}: not a JSON object")
                    yield f"{path}, line {number}", row
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise InputError(f"{path} is not a file of JSON lines: {error}") from error


def _text(row: Fields, name: str, where: str, *, default: str | None = None) -> str:
    value = row.get(name, default)
    if not isinstance(value, str):
        raise InputError(f"{where}: {name!r} must be text")
    return value


def _objects(row: Fields, name: str, where: str) -> list[Fields]:
    """Return what a field holds, an object or a list of objects; empty where there is none."""
    value = row.get(name)
    found = value if isinstance(value, list) else [value] if value else []
    if not all(isinstance(one, dict) for one in found):
        raise InputError(f"{where}: {name!r} must be an object, or a list of objects")
    return found
