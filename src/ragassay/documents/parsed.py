"""What the readers of all formats have in common: a text that grows leaf by leaf, with its blocks at exact offsets."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ragassay.records import Block, BlockKind
from ragassay.text import CJK


class UnreadableError(Exception):
    """A file or record that cannot be used. The message is the sentence that the user sees, without the file's name."""


class Piece(NamedTuple):
    """A stretch of running text. literal: inline code, a technical name. strong: in bold."""

    text: str
    literal: bool = False
    strong: bool = False


class RunningText(NamedTuple):
    """literals: (start, end) of each. strong_end: end of the bold text at its start, 0 if it does not start so."""

    text: str
    literals: list[tuple[int, int]]
    strong_end: int


LINE_BREAK = Piece("\n")
"""A line break that a reader sees, inside a leaf: compared by identity, since a "\\n" of the source is white space."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedText:
    """One document as a format's reader returns it. title: empty where the format names none.

    notes: what of it was left out or changed, in sentences for the user.
    """

    title: str
    text: str
    blocks: tuple[Block, ...] = ()
    literals: tuple[tuple[int, int], ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200b\u200e\u200f\u2060\ufeff]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_CJK_LINE_END = re.compile(
    rf"(?<=[{CJK}\u3001-\u303f\uff00-\uffef])[^\S\n]*+\n\s*+(?=[{CJK}\u3001-\u303f\uff00-\uffef])"
)
_SPACES = re.compile(r"[^\S\n]")


def clean_characters(text: str) -> str:
    """Return a text in NFC, with \\n line ends, and without control and invisible characters and lone surrogates."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        return _UNWANTED.sub("", text) if _UNWANTED.search(text) else text
    text = _UNWANTED.sub("", text)
    if _SURROGATES.search(text):
        text = _SURROGATES.sub("\ufffd", text)
    text = text.replace("\u2028", "\n").replace("\u2029", "\n").replace("\x85", "\n")
    return unicodedata.normalize("NFC", text)


def code_text(source: str) -> str:
    """Return a listing without empty lines at its ends, trailing white space, and the indentation its lines share."""
    lines = [line.rstrip() for line in clean_characters(source).expandtabs(8).split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    shared = min((len(line) - len(line.lstrip()) for line in lines if line), default=0)
    return "\n".join(line[shared:] for line in lines).replace("\xa0", " ")


class TextBuilder:
    """Collects leaves in reading order. Offsets hold because text and blocks grow together."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._groups = 0
        self.blocks: list[Block] = []
        self.literals: list[tuple[int, int]] = []
        self.lead: list[str] = []
        """What stands before the next block on its line and belongs to none, such as its number."""

    def __len__(self) -> int:
        return self._length

    def new_group(self) -> int:
        """Return the number for a list, table or record that begins."""
        self._groups += 1
        return self._groups - 1

    def separate(self, separator: str) -> None:
        """Put a separator after what is there; at the start of the text there is nothing to separate."""
        if self._length:
            self._append(separator)

    def unmarked(self, text: str) -> None:
        """Add text that belongs to no block, such as the colon between key and value."""
        self._append(text)

    def add(self, kind: BlockKind, pieces: Iterable[Piece], *, separator: str = "\n\n", **place: int) -> bool:
        """Add a leaf of running text, white space collapsed. False, and nothing added, when it is empty."""
        text, literals, _ = running_text(pieces)
        return self.add_text(kind, text, literals, separator=separator, **place)

    def add_text(
        self,
        kind: BlockKind,
        text: str,
        literals: Sequence[tuple[int, int]] = (),
        *,
        separator: str = "\n\n",
        **place: int,
    ) -> bool:
        """Add a leaf whose text is final, such as code. place: level, group, row and column, as of ``Block``."""
        if not text or text.isspace():
            return False
        if not text.isascii() and not unicodedata.is_normalized("NFC", text):
            text, literals = unicodedata.normalize("NFC", text), ()
        self.separate(separator)
        if self.lead:
            self._append("".join(self.lead))
            self.lead.clear()
        start = self._length
        self._append(text)
        self.blocks.append(Block(kind=kind, start=start, end=self._length, **place))
        self.literals.extend((start + first, start + last) for first, last in literals)
        return True

    def first_heading(self) -> str:
        """Return the text of the first heading, for a title; empty if there is none."""
        first = next((block for block in self.blocks if block.kind in ("title", "heading")), None)
        return self.text_of(first) if first else ""

    def text_of(self, block: Block) -> str:
        return "".join(self._parts)[block.start : block.end]

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def build(self, title: str, metadata: Mapping[str, str] | None = None) -> ParsedText:
        return ParsedText(
            title=title,
            text="".join(self._parts).rstrip(),
            blocks=tuple(self.blocks),
            literals=tuple(self.literals),
            metadata=metadata or {},
        )


def running_text(pieces: Iterable[Piece]) -> RunningText:
    """Join pieces into one text without superfluous white space."""
    parts: list[str] = []
    literals: list[tuple[int, int]] = []
    length = 0
    strong_end = 0
    gap = ""
    for piece in pieces:
        text, literal, strong = piece
        if piece is LINE_BREAK:
            gap = "\n"
            continue
        if not text:
            continue
        if not text.isascii():
            text = _UNWANTED.sub("", text)
            if "\n" in text:
                text = _CJK_LINE_END.sub("", text)
        core = " ".join(text.split())
        if not core:
            gap = gap or " "
            continue
        if text[0].isspace():
            gap = gap or " "
        contiguous = strong and strong_end == length
        if gap and length:
            parts.append(gap)
            length += 1
        if literal:
            literals.append((length, length + len(core)))
        parts.append(core)
        length += len(core)
        if contiguous:
            strong_end = length
        gap = " " if text[-1].isspace() else ""
    return RunningText("".join(parts), literals, strong_end)


_NUMBER = re.compile(
    r"(?:(?:Chapter|Appendix|Part|Section|§)\s*)(?P<word>[A-Z]|[IVXLC]+|\d+(?:\.\d+)*)[.:)]?\s+(?=\S)"
    r"|(?P<dotted>(?:\d{1,3}|[A-Z])(?:\.\d{1,3})+)\.?\s+(?=\S)"
    r"|(?P<plain>\d{1,3})[.)]\s+(?=\S)"
)


class NumberedTitle(NamedTuple):
    number: str
    title: str
    length: int
    """How many characters in front of the title were its number."""


def split_number(heading: str) -> NumberedTitle:
    """Part "20.4.1. Memory" into number and title; the number is empty where there is none."""
    match = _NUMBER.match(heading)
    if match is None:
        return NumberedTitle("", heading, 0)
    number = match.group("word") or match.group("dotted") or match.group("plain")
    return NumberedTitle(number, heading[match.end() :], match.end())
