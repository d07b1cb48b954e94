"""The contexts that questions are made from: whole documents where they fit, else their sections.

Left out are those that nobody asks about: navigation, lists of links, tables of contents, indexes, licences.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Literal, NamedTuple

from ragassay.documents.chunkers import recursive_chunks, trimmed
from ragassay.records import Block, Document
from ragassay.text import CJK

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
    """Return contexts of at most ``max_chars``, in order and apart; trivial ones are left out."""
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


def _line_start(text: str, block: Block) -> int:
    """Return where the line of a block begins, since its number stands before it."""
    return text.rfind("\n", 0, block.start) + 1


def _outline(document: Document) -> _Section:
    length = len(document.text)
    root = _Section("", 0, 0, length, length)
    path = [root]
    # the title too, since a box of contents may stand before it under a heading of its own
    for block in (block for block in document.blocks if block.kind in ("heading", "title")):
        is_title = block.kind == "title"
        if is_title and len(path) == 1:
            continue
        level = 0 if is_title else block.level
        start = _line_start(document.text, block)
        while len(path) > 1 and path[-1].level >= level:
            path.pop().end = start
        path[-1].body_end = min(path[-1].body_end, start)
        heading = "" if is_title else document.text[block.start : block.end]
        section = _Section(heading, level, start, length, length)
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
            last_good = _line_start(document.text, block)
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


Trivial = Literal["too short", "links", "names", "table of contents", "licence"]
"""Why a stretch gives nothing to ask about."""

FEWEST_CHARS = 150
"""Of prose, definitions, cells and values, code left out."""
_HEADINGS = re.compile(
    r"references|external links?|see also|further reading|bibliography|notes and references|footnotes|citations"
    r"|works cited|(?:table of )?contents|(?:general |subject |name )?index|site ?map"
    r"|related (?:articles|pages|links|topics)|navigation|(?:in|on) this (?:article|page|section)|quick links"
    r"|licen[cs]e(?: agreement)?|licensing|legal(?: notices?| information)?|copyright(?: notice| and licen[cs]e)?"
    r"|disclaimers?|trademarks?|imprint|impressum|contributors|acknowledge?ments?"
    r"|list of (?:figures|tables|examples)|sub-?sections"
    r"|参考文献|参考资料|外部链接|参见|延伸阅读|目录|索引|版权声明|免责声明|许可协议|致谢",
    re.IGNORECASE,
)
_STRUCTURED = frozenset(("definition", "cell", "value", "step", "quote"))
MOST_LINKS = 0.6
"""Share of a page's characters inside links above which it is an index or a table of contents."""
_LEADER = re.compile(
    r"^.{2,120}?(?:\.{4,}+|(?:\. ){3,}+|…{2,}+|·{4,}+|_{4,}+)[ \t]*(?:\d{1,4}|[ivxl]{1,6})?[ \t]*$", re.MULTILINE
)
"""A line of a table of contents: a title, dots, the page."""
_LEADERS = ("....", ". . . ", "……", "····", "____")
"""What such a line holds; looked for first, since the pattern tries every place of every line."""
_LEADERS_FROM = 0.5

_LEGAL = re.compile(
    r"""\b(?:copyright(?:s|ed)? | copyleft | licen[cs](?:e[sd]?|or|ors|ees?|ing) | sublicens\w+ | relicens\w+
    | warrant(?:y|ies) | merchantability | fitness\ for\ a\ particular | liab(?:le|ility|ilities) | indemnif\w+
    | (?:re)?distribut(?:e|ion|ions|ing|ed) | permission\ (?:is|notice) | hereby | disclaim(?:er|ers|s|ed)?
    | damages | tort(?:ious)? | infring\w+ | patents? | royalt\w+ | derivative\ works? | free\ software
    | public\ domain | source\ (?:code\ )?form | object\ code | all\ rights\ reserved | as\ is | l?gpl | contributors?
    | covered\ (?:work|code|software) | common-licenses | debianized | upstream-\w+ | third[- ]part(?:y|ies)
    | trademarks? | terms\ and\ conditions | notices? | without\ limitation)\b | © | \(c\)""",
    re.IGNORECASE | re.VERBOSE,
)
"""What licences, copyright files and legal notices are made of."""
_FORMULA = re.compile(
    r"""copyright\W{0,3}(?:\(c\)|©|\d{4}) | permission\ (?:is|notice) | hereby\ grant | \bas[ -]is\b
    | without\ (?:any\ )?warrant | licensed\ (?:under|to) | all\ rights\ reserved | public\ licen[cs]e
    | warranties\ of | free\ software | common-licenses | licen[cs]e\ agreement""",
    re.IGNORECASE | re.VERBOSE,
)
"""What a licence says and a report about a lawsuit does not."""
_WORD = re.compile(r"\w+")
_CERTAIN = ("copyright", "licen", "warrant", "redistribut", "all rights reserved", "trademark")
"""A text without any of these is no licence: looked for first, since it takes no time."""
_KIND_CHARS = 6
_KINDS_FROM = 3
LEGAL_DOCUMENT_FROM, LEGAL_STRETCH_FROM = 0.045, 0.075
"""Share of a text's words that begin such a term, above which it is a licence, if it has several kinds of them.

Of 602 licences and copyright files of a Linux system 593 are found. Of 2 567 other documents none that is no title
page or legal notice is; the next one, at 0.033, is an article about a lawsuit. A stretch of a document that is no
licence needs more, since sections of that article reach 0.067 (docs/decisions/synthesis.md).
"""


def is_trivial_heading(heading: str) -> bool:
    """Return whether a section is called something like "References" or "Contents"."""
    return _HEADINGS.fullmatch(heading.strip(" :.")) is not None


def is_licence(text: str, share: float = LEGAL_DOCUMENT_FROM) -> bool:
    """Return whether a text is a licence, a copyright file or a legal notice, by the share of legal terms in it."""
    lower = text.lower()
    if not any(term in lower for term in _CERTAIN):
        return False
    terms = _LEGAL.findall(lower)
    if len({term[:_KIND_CHARS] for term in terms}) < _KINDS_FROM or not _FORMULA.search(" ".join(lower.split())):
        return False
    return len(terms) >= share * len(_WORD.findall(lower))


def why_trivial(document: Document, start: int, end: int) -> Trivial | None:
    """Return why a stretch gives nothing to ask about; None where it may. ``is_licence`` knows whole licences."""
    if _size(document.text, start, end) < FEWEST_CHARS:
        return "too short"
    if float(document.metadata.get("link_share", "0")) > MOST_LINKS:
        return "links"
    text = document.text[start:end]
    if any(leader in text for leader in _LEADERS) and (
        sum(len(match.group()) for match in _LEADER.finditer(text)) >= _LEADERS_FROM * len(text)
    ):
        return "table of contents"
    if is_licence(text, LEGAL_STRETCH_FROM):
        return "licence"
    return "names" if _chars_with_content(document, start, end) < FEWEST_CHARS else None


def _size(text: str, start: int, end: int) -> int:
    """Count the characters of a stretch; each Han or kana sign counts as three, since about two of them make a word."""
    return end - start if text.isascii() else end - start + 2 * len(_DENSE.findall(text, start, end))


_DENSE = re.compile(f"[{CJK}]")


def _chars_with_content(document: Document, start: int, end: int) -> int:
    """Characters that say something: sentences, and the cells, values and definitions that a question may ask for."""
    if not document.blocks:
        return _size(document.text, start, end)
    total = 0
    for block in blocks_within(document.blocks, start, end):
        length = _size(document.text, max(block.start, start), min(block.end, end))
        if block.kind in _STRUCTURED or (block.kind in ("paragraph", "item") and length >= 40):
            total += length
    return total
