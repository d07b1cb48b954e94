"""The contexts that questions are made from: whole documents where they fit, else their sections."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

from ragassay.corpus.chunkers import recursive_chunks, trimmed
from ragassay.corpus.trivial import Trivial, is_licence, is_trivial_heading, why_trivial
from ragassay.records import Block, Document

_SMALL_CHARS = 400
"""Sections below this are put together with their neighbours: alone they give hardly a question."""


class PassageSpan(NamedTuple):
    """A stretch of a document. section: the headings above it and at its start, outermost first, without the title."""

    start: int
    end: int
    section: tuple[str, ...]


class SortedOut(NamedTuple):
    """kept: contexts. left_out: why each of the others is trivial."""

    kept: list[PassageSpan]
    left_out: list[Trivial]


@dataclass(slots=True)
class _Section:
    """A heading with what follows, up to the next heading of its level.

    The root has no heading, nor has what begins with a title that stands below a heading.
    """

    heading: str
    level: int
    start: int
    end: int
    body_end: int
    children: list[_Section] = field(default_factory=list)


def passages(document: Document, max_chars: int = 4000) -> list[PassageSpan]:
    """Return contexts of at most ``max_chars``, in order and apart; trivial ones are left out (see ``trivial.py``)."""
    return sorted_out(document, max_chars).kept


def sorted_out(document: Document, max_chars: int = 4000) -> SortedOut:
    """Return contexts as ``passages``, with why what was left out is trivial. Raises ValueError if max_chars < 1."""
    if max_chars < 1:
        raise ValueError(f"max_chars must be at least 1, not {max_chars}")
    root = _outline(document)
    found = _merged(document.text, list(_parts(document, root, (), max_chars)), max_chars)
    if found and is_licence(document.text):
        return SortedOut([], ["licence"] * len(found))
    reasons = [why_trivial(document, span.start, span.end) for span in found]
    return SortedOut(
        [span for span, reason in zip(found, reasons, strict=True) if reason is None],
        [reason for reason in reasons if reason is not None],
    )


def blocks_within(blocks: Sequence[Block], start: int, end: int) -> Iterator[Block]:
    """Yield the blocks that overlap a stretch, in order."""
    for index in range(bisect_left(blocks, start + 1, key=lambda block: block.end), len(blocks)):
        if blocks[index].start >= end:
            return
        yield blocks[index]


def _headings(document: Document) -> Iterable[Block]:
    """Headings, and the title, since a box of contents may stand before it under a heading of its own."""
    return (block for block in document.blocks if block.kind in ("heading", "title"))


def _outline(document: Document) -> _Section:
    length = len(document.text)
    root = _Section("", 0, 0, length, length)
    path = [root]
    for block in _headings(document):
        is_title = block.kind == "title"
        if is_title and len(path) == 1:
            continue
        level = 0 if is_title else block.level
        while len(path) > 1 and path[-1].level >= level:
            path.pop().end = block.start
        path[-1].body_end = min(path[-1].body_end, block.start)
        heading = "" if is_title else document.text[block.start : block.end]
        section = _Section(heading, level, block.start, length, length)
        path[-1].children.append(section)
        path.append(section)
    waiting = [root]
    while waiting:
        section = waiting.pop()
        section.body_end = min(section.body_end, section.end)
        waiting += section.children
    return root


def _parts(document: Document, root: _Section, above: tuple[str, ...], max_chars: int) -> Iterator[PassageSpan]:
    """Every section whole where it fits, trivial sections inside it left out; else its body, then those below it."""
    waiting: list[tuple[_Section, tuple[str, ...]]] = [(root, above)]
    while waiting:
        section, path = waiting.pop()
        if section.heading:
            if is_trivial_heading(section.heading):
                continue
            path = (*path, section.heading)
        runs = [trimmed(document.text, start, end) for start, end in _without_trivial(section)]
        if sum(end - start for start, end in runs) <= max_chars:
            yield from (PassageSpan(start, end, path) for start, end in runs if end > start)
            continue
        yield from _body(document, section.start, section.body_end, path, max_chars)
        waiting += [(child, path) for child in reversed(section.children)]


def _without_trivial(section: _Section) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a section between the trivial sections inside it."""
    start = section.start
    waiting = section.children[::-1]
    while waiting:
        inner = waiting.pop()
        if not is_trivial_heading(inner.heading):
            waiting += inner.children[::-1]
            continue
        yield start, inner.start
        start = inner.end
    yield start, section.end


def _body(document: Document, start: int, end: int, path: tuple[str, ...], max_chars: int) -> Iterator[PassageSpan]:
    """Yield what stands before the first heading inside a section, cut between blocks where it is too long."""
    first, last = trimmed(document.text, start, end)
    if last <= first:
        return
    if last - first <= max_chars:
        yield PassageSpan(first, last, path)
        return
    piece = first
    for at in _cuts(document, first, last, max_chars):
        yield PassageSpan(*trimmed(document.text, piece, at), path)
        piece = at
    for begin, finish in recursive_chunks(document.text[piece:last], max_chars, 0):
        yield PassageSpan(piece + begin, piece + finish, path)


def _cuts(document: Document, start: int, end: int, max_chars: int) -> Iterator[int]:
    """Yield where to cut so that no piece is too long, between rows of lists and tables if possible."""
    piece, last_good = start, start
    previous: Block | None = None
    for block in blocks_within(document.blocks, start, end):
        same_row = (
            previous is not None and block.group >= 0 and (block.group, block.row) == (previous.group, previous.row)
        )
        if block.end - piece > max_chars and last_good > piece:
            yield last_good
            piece = last_good
        if not same_row:
            last_good = block.start
            if block.end - piece > max_chars and last_good > piece:
                yield last_good
                piece = last_good
        if block.end - piece > max_chars:
            cuts = [piece + first for first, _ in recursive_chunks(document.text[piece : block.end], max_chars, 0)][1:]
            yield from cuts
            piece = cuts[-1] if cuts else piece
        previous = block


def _merged(text: str, spans: Sequence[PassageSpan], max_chars: int) -> list[PassageSpan]:
    """Put small neighbours together, as far as they fit; the path is what their paths share."""
    merged: list[PassageSpan] = []
    for span in spans:
        if merged:
            last = merged[-1]
            is_small = min(last.end - last.start, span.end - span.start) < _SMALL_CHARS
            fits = span.end - last.start <= max_chars and not text[last.end : span.start].strip()
            shared = tuple(
                one
                for one, other in takewhile(
                    lambda pair: pair[0] == pair[1], zip(last.section, span.section, strict=False)
                )
            )
            if is_small and fits and len(shared) >= min(len(last.section), len(span.section)) - 1:
                merged[-1] = PassageSpan(last.start, span.end, shared)
                continue
        merged.append(span)
    return merged
