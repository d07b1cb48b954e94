"""What became of the references of a set in documents that have changed since."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

from ragassay.documents.alignment import Alignment
from ragassay.generate.repeats import telling
from ragassay.records import NO_CONTEXT, UNLABELLED, Document, Example, Span, content_id
from ragassay.text import FEWEST_TELLING, LINK_TARGET, places_of, sentence_spans
from ragassay.text import words as _words

State = Literal["same", "moved", "changed", "gone"]
STATES: tuple[State, ...] = get_args(State)
"""The text stands as it stood; it stands elsewhere, or in another layout; its words have changed; it is not there."""
_STOPS = (".", "!", "?", "。", "！", "？")
_LEAST_ALIKE = 0.6
"""Share of words that a short text and what it has become have in common."""
_OF_ONE_PLACE = frozenset({"fact_single", "unanswerable"})
MOST_INDEXED_CHARS = 40_000_000
"""Of larger corpora a text is looked for word for word outside its own document: the index takes 40 bytes a word."""


class _Found(NamedTuple):
    state: State
    span: Span | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """An example and what became of it.

    example: with its places in the new documents, as far as they were found; else as it was. state: of the reference
    that fared worst. pairs: texts of references that changed, before and after; after is empty where nothing is like
    it. holds: whether the answer is still right; None where nobody has said so. reason: of the state, or of ``holds``.
    """

    example: Example
    state: State
    pairs: tuple[tuple[str, str], ...] = ()
    holds: bool | None = None
    reason: str = ""

    @property
    def is_kept(self) -> bool:
        """Whether the example belongs to the new set."""
        return self.state in ("same", "moved") if self.holds is None else self.holds

    def as_object(self) -> dict[str, Any]:
        """Return what ``--json`` prints of a change."""
        of = self.example
        return {"id": of.id, "question": of.question, "answer": of.answer, "state": self.state,
                "is_kept": self.is_kept, "reason": self.reason, "pairs": self.pairs}  # fmt: skip


def is_of_one_place(example: Example) -> bool:
    """Whether the answer does not change with what stands beside the reference; so where nobody says other."""
    is_plain = example.label == UNLABELLED and not example.question_type and len(example.references) < 2
    return is_plain or example.label in _OF_ONE_PLACE


class Follower:
    """Looks for references: in the document as it was, in the one of the same source, then in all others.

    A document is known by its id, which is given or made of its content, else by its source, else by its title.
    """

    def __init__(self, new: Sequence[Document], old: Iterable[Document] = ()) -> None:
        """old: the documents that the set was made from, where it has them."""
        self._new = new
        self._by_id = {document.id: row for row, document in enumerate(new)}
        self._by_source = {document.source: row for row, document in enumerate(new)}
        self._old = {document.id: document for document in old}
        titles = Counter(document.title for document in new)
        self._by_title = {each.title: row for row, each in enumerate(new) if each.title and titles[each.title] == 1}

    @cached_property
    def _all(self) -> Alignment | None:
        is_small = sum(len(document.text) for document in self._new) <= MOST_INDEXED_CHARS
        return Alignment(document.text for document in self._new) if is_small else None

    @property
    def fresh(self) -> frozenset[str]:
        """Ids of documents that are new, or have another text than the set was made from."""
        old = {name: document.text for name, document in self._old.items()}
        return frozenset(each.id for each in self._new if old.get(each.id) != each.text)

    def account(self) -> dict[str, int]:
        """Count the documents by what became of them."""
        found: Counter[str] = Counter()
        homes = set[int]()
        for name, old in self._old.items():
            row = self._home(name)
            new = None if row is None or row in homes else self._new[row]
            homes |= set() if row is None else {row}
            if new is None:
                found["gone"] += 1
            elif new.text != old.text:
                found["edited"] += 1
            else:
                is_given = name != content_id("doc", old.text)  # its id, which stays where its file is renamed
                is_there = (is_given and new.id == name) or _RECORD.sub("", new.source) == _RECORD.sub("", old.source)
                found["as they were" if is_there else "renamed"] += 1
        taken = found["edited"] + found["as they were"] + found["renamed"]
        names = ("as they were", "renamed", "edited", "new", "gone")
        return {each: found[each] if each != "new" else max(len(self._new) - taken, 0) for each in names}

    def follow(self, example: Example) -> Followed:
        """Find the references of an example; those of an unanswerable one are its context."""
        spans = example.ground_spans
        if not spans:
            if example.label == "unanswerable":  # it holds while nothing answers it
                return Followed(example=example, state="same")
            return Followed(example=example, state="gone", reason="it names no text of a document")
        found = [self._find(span) for span in spans]
        state = max((each.state for each in found), key=STATES.index)
        pairs = tuple(
            (span.text, each.span.text if each.span else "")
            for span, each in zip(spans, found, strict=True)
            if each.state in ("changed", "gone")
        )
        if not example.references and state == "changed":
            state = "moved"  # a question without an answer holds while nothing answers it
        placed = [each.span for each in found if each.span is not None]
        if len(placed) < len(spans):
            if example.label == "unanswerable" and example.provenance.unanswerable_in == "corpus":
                return Followed(example=replace(example, context=NO_CONTEXT), state="moved")
            return Followed(example=example, state="gone", pairs=pairs, reason="its reference is not in the documents")
        if state in ("same", "moved") and not is_of_one_place(example):
            around = [self._around(span, now) for span, now in zip(spans, placed, strict=True)]
            if changed := tuple(pair for pair in around if pair is not None):
                state, pairs = "changed", changed
        references = tuple(dict.fromkeys(placed)) if example.references else ()
        context = self._context(example.context, placed)
        moved = replace(example, context=context, references=references)
        return Followed(example=moved, state=state, pairs=pairs if state == "changed" else ())

    def _around(self, span: Span, now: Span) -> tuple[str, str] | None:
        """Return a reference with the lines beside it, before and after, where one of these lines has changed.

        A list that has grown by an item has all its old ones: what was counted, listed or compared may be another.
        """
        old, new = self._old.get(span.document_id), self._new[self._by_id[now.document_id]]
        if old is None or old.text == new.text:
            return None
        before, after = _with_lines_beside(old.text, span), _with_lines_beside(new.text, now)
        return None if telling(before) == telling(after) else (before, after)

    def _home(self, name: str) -> int | None:
        """Return the row of the document of the same id, or else of the same source, or else of the same title."""
        old = self._old.get(name)
        alike = None
        if old is not None:  # the number of a record among others is no name
            known = [self._by_source.get(old.source), self._by_title.get(old.title)]
            ordered = reversed(known) if _RECORD.search(old.source) else known
            alike = next((row for row in ordered if row is not None), None)
        return self._by_id.get(name, alike)

    def _find(self, span: Span) -> _Found:
        home = self._home(span.document_id)
        if home is not None and (places := places_of(span.text, self._new[home].text, span.start)):
            standing = [self._standing(home, *place, span) for place in places]
            return next((each for each in standing if each.state != "changed"), standing[0])
        if self._all is None:
            for row, document in enumerate(self._new):
                if places := places_of(span.text, document.text, span.start):
                    return self._standing(row, *places[0], span)
            return self._closest(span, home)
        near_by = [self._all.find(span.text, [home])] if home is not None else []
        if not near_by or near_by[0] is None or near_by[0].share < 1:
            near_by += [self._all.find(span.text), *self._all.everywhere(span.text)[:1]]
        best = max((place for place in near_by if place is not None), key=lambda place: place.share, default=None)
        if best is None:
            return self._closest(span, home)
        found = self._span(best.document, best.start, best.end)
        if telling(found.text) == telling(LINK_TARGET.sub("", span.text)):
            return self._standing(best.document, best.start, best.end, span)
        text = self._new[best.document].text
        return _Found("changed", self._span(best.document, *_whole_sentences(text, found.start, found.end)))

    def _standing(self, row: int, start: int, end: int, span: Span) -> _Found:
        """A text that stands somewhere: "12 months" is another text in a sentence about another thing."""
        old, new = self._old.get(span.document_id), self._new[row]
        first, last = _whole_sentences(new.text, start, end)
        found = self._span(row, start, end)
        if old is not None and old.text != new.text:
            was = old.text[slice(*_whole_sentences(old.text, span.start, span.end))]
            is_short = len(_words(span.text)) < FEWEST_TELLING and not (was == span.text and was.endswith(_STOPS))
            if is_short and _words(was.lower()) != _words(new.text[first:last].lower()):
                return _Found("changed", self._span(row, first, last))
        is_home = row == self._home(span.document_id)
        is_same = is_home and (found.start, found.text) == (span.start, span.text)
        return _Found("same" if is_same else "moved", found)

    def _closest(self, span: Span, home: int | None) -> _Found:
        """Return the sentences of the edited document that share most words with those of a text, if new there.

        What stood beside the text before is no successor of it, however like.
        """
        if home is None:
            return _Found("gone", None)
        old, text = self._old.get(span.document_id), self._new[home].text
        was = span.text if old is None else old.text[slice(*_whole_sentences(old.text, span.start, span.end))]
        wanted, size = Counter(_words(was)), len(_sentences(was, 0, len(was)))
        parts = _sentences(text, 0, len(text))
        best, share = _Found("gone", None), _LEAST_ALIKE
        for first in range(len(parts) - size + 1):
            start, end = parts[first][0], parts[first + size - 1][1]
            words = Counter(_words(text[start:end]))
            alike = 2 * (wanted & words).total() / max(wanted.total() + words.total(), 1)
            if alike >= share and (old is None or text[start:end] not in old.text):
                best, share = _Found("changed", self._span(home, start, end)), alike + 1e-9
        return best

    def _span(self, row: int, start: int, end: int) -> Span:
        text = self._new[row].text[start:end]
        start = end - len(text.lstrip())
        return self._new[row].span(start, start + len(text.strip()))

    def _context(self, context: Span, placed: Sequence[Span]) -> Span:
        """Return the context in its new place; where it has changed, what lies between the references."""
        if context == NO_CONTEXT:
            return context
        found = self._find(context)
        if found.span is not None and found.span.document_id == placed[0].document_id:
            return found.span
        home = [span for span in placed if span.document_id == placed[0].document_id]
        row = self._by_id[home[0].document_id]
        return self._span(row, min(span.start for span in home), max(span.end for span in home))


_RECORD = re.compile(r"#\d+\Z")
"""What a record of a file has behind the file's name."""


def _with_lines_beside(text: str, span: Span) -> str:
    """Return a stretch with the lines that touch it: items and rows do, paragraphs do not."""
    start, end = _whole_lines(text, span.start, span.end)
    before = text[:start].removesuffix("\n")
    after = text[end:].removeprefix("\n")
    return f"{before[before.rfind(chr(10)) + 1 :]}\n{text[start:end]}\n{after.partition(chr(10))[0]}"


def _whole_lines(text: str, start: int, end: int) -> tuple[int, int]:
    line_end = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, len(text) if line_end < 0 else line_end


def _sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return where the sentences of a stretch stand; none goes across lines."""
    return [(start + first, start + last) for first, last in sentence_spans(text[start:end])]


def _whole_sentences(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the stretch with the rest of the sentences that it begins and ends in, on their lines."""
    while start < end and not text[start].isalnum():
        start += 1
    inside = [each for each in _sentences(text, *_whole_lines(text, start, end)) if each[0] < end and each[1] > start]
    return (inside[0][0], inside[-1][1]) if inside else (start, end)


def words_stand(followed: Followed) -> bool:
    """Whether the words of the answer that the references had stand in what they have become, and no more denials."""
    said = telling(" ".join((followed.example.answer, *followed.example.keypoints)))
    before = telling(" ".join(was for was, _ in followed.pairs))
    after = telling(" ".join(now for _, now in followed.pairs))
    return said & before <= after and not (after - before) & _DENIALS


_DENIALS = frozenset("not no never none neither nor without except unless only cannot".split())
