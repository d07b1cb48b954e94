"""Finds "Key: value" lines in running text, and adds prose to a text with those lines as pairs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from ragassay.corpus.parsed import LINE_BREAK, Piece, RunningText, TextBuilder, running_text
from ragassay.records import BlockKind

_PAIR = re.compile(r"(?P<key>[^\W_][^:：\n]{0,59}?)\s*(?:[:：]\s+|：)(?=\S)")
_MOST_KEY_WORDS = 6
_LONGEST_VALUE_ALONE = 100
"""Characters of a value that may stand alone as a pair; a longer one is a sentence that happens to hold a colon."""
_LONGEST_HEADING = 80
PSEUDO_HEADING_LEVEL = 6
"""Of lines that look like a heading without being marked as one: below all real ones."""
_NO_KEYS = frozenset(
    """
    note notes warning tip caution important example examples hint todo see also remember attention danger question
    answer q a for following result http https e.g i.e 注意 例如 提示 警告
    """.split()
)


class Pair(NamedTuple):
    """Where the key ends and the value begins in a line."""

    key_end: int
    value_start: int


def find_pair(line: RunningText) -> Pair | None:
    """The pair that a line is: by its bold start ("**Key:** value"), or by a short key in front of a colon."""
    if line.strong_end:
        return _bold_pair(line)
    match = _PAIR.match(line.text)
    if match is None:
        return None
    key = match.group("key")
    if key.lower() in _NO_KEYS or len(key.split()) > _MOST_KEY_WORDS or key[-1] in ".?!,;。，":
        return None
    if not (key[0].isupper() or not key[0].islower()) or any(sign in key for sign in '。，,;；!?！？"“'):
        return None
    return Pair(match.end("key"), match.end())


def _bold_pair(line: RunningText) -> Pair | None:
    text, end = line.text, line.strong_end
    lead = text[:end].rstrip()
    if lead[-1:] in ":：":
        key_end = len(lead[:-1].rstrip())
        value = text[end:]
    elif text[end : end + 1] in (":", "："):
        key_end = len(lead)
        value = text[end + 1 :]
    else:
        return None
    key = text[:key_end]
    if not value.strip() or not key or key.lower() in _NO_KEYS or ":" in key or "\n" in value:
        return None
    return Pair(key_end, len(text) - len(value.lstrip()))


def pairs_of(lines: Sequence[RunningText]) -> list[Pair | None]:
    """The pair that each line is, or None. Bold keys always count; others side by side, or alone when short."""
    found = [find_pair(line) for line in lines]
    kept: list[Pair | None] = []
    for index, (line, pair) in enumerate(zip(lines, found, strict=True)):
        beside = (index > 0 and found[index - 1] is not None) or (
            index + 1 < len(found) and found[index + 1] is not None
        )
        kept.append(pair if pair and (line.strong_end or beside or _stands_alone(line, pair)) else None)
    return kept


def _stands_alone(line: RunningText, pair: Pair) -> bool:
    value = line.text[pair.value_start :]
    return (
        len(value) <= _LONGEST_VALUE_ALONE
        and len(line.text[: pair.key_end].split()) <= 3
        and value[-1] not in ".!?。！？;；"
    )


def split_lines(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """The pieces of each line: parted at line breaks that a reader sees."""
    lines: list[list[Piece]] = [[]]
    for piece in pieces:
        if piece is LINE_BREAK:
            lines.append([])
        else:
            lines[-1].append(piece)
    return lines


def _strong_roles(lines: Sequence[RunningText], kind: BlockKind) -> list[Literal["heading", "key", "value"] | None]:
    """What the lines are that are bold from end to end, and the lines below them.

    "**Judge:**" above "M. Flores" are key and value; "**Case history**" is a heading in all but markup.
    """
    roles: list[Literal["heading", "key", "value"] | None] = [None] * len(lines)
    if kind != "paragraph":
        return roles
    for at, line in enumerate(lines):
        if not line.text or line.strong_end != len(line.text) or len(line.text) > _LONGEST_HEADING:
            continue
        below = lines[at + 1] if at + 1 < len(lines) else None
        is_value = below is not None and not below.strong_end and len(below.text) <= _LONGEST_VALUE_ALONE
        if line.text[-1] in ":：" and below is not None and is_value and find_pair(below) is None:
            roles[at : at + 2] = "key", "value"
        elif line.text[-1] not in ".!?。！？,，;；":
            roles[at] = "heading"
    return roles


class ProseWriter:
    """Adds paragraphs and list items to a text; lines that are pairs become keys and values."""

    def __init__(self, builder: TextBuilder) -> None:
        self._builder = builder
        self._record = -1
        self._record_end = -1
        self._record_row = 0

    def add(
        self,
        kind: BlockKind,
        pieces: Sequence[Piece],
        *,
        separator: str = "\n\n",
        level: int = 0,
        group: int = -1,
        row: int = -1,
    ) -> bool:
        """Adds the pieces as one leaf, or as pairs where lines are such. False when there was nothing to add."""
        if any(piece is LINE_BREAK for piece in pieces):
            lines = [line for line in map(running_text, split_lines(pieces)) if line.text]
        else:
            line = running_text(pieces)
            lines = [line] if line.text else []
        return self.add_lines(kind, lines, separator=separator, level=level, group=group, row=row)

    def add_lines(
        self,
        kind: BlockKind,
        lines: Sequence[RunningText],
        *,
        separator: str = "\n\n",
        level: int = 0,
        group: int = -1,
        row: int = -1,
    ) -> bool:
        """As ``add``, for lines that are running text already."""
        if group >= 0 and len(lines) > 1:
            self._add_joined(kind, lines, separator, level, group, row)
            return True
        pending: list[RunningText] = []
        for line, pair, role in zip(lines, pairs_of(lines), _strong_roles(lines, kind), strict=True):
            if pair is None and role is None:
                pending.append(line)
                continue
            if pending:
                self._add_joined(kind, pending, separator, level, group, row)
                pending, separator = [], "\n"
            separator = "\n\n" if self._after_heading() else separator
            if role == "heading":
                self._add_heading(line)
            elif role == "key":
                self._add_key_line(line, separator)
            elif role == "value":
                self._add_value_line(line)
            elif pair is not None:
                self._add_pair(line, pair, separator, level, group, row)
            separator = "\n"
        if pending:
            self._add_joined(kind, pending, "\n\n" if self._after_heading() else separator, level, group, row)
        return bool(lines)

    def _after_heading(self) -> bool:
        blocks = self._builder.blocks
        return bool(blocks) and blocks[-1].kind == "heading"

    def _add_heading(self, line: RunningText) -> None:
        text = line.text.rstrip(":： ")
        literals = [span for span in line.literals if span[1] <= len(text)]
        self._builder.add_text("heading", text, literals, level=PSEUDO_HEADING_LEVEL)

    def _add_key_line(self, line: RunningText, separator: str) -> None:
        group, row = self._place_in_record()
        text = line.text.rstrip(":： ")
        self._builder.add_text("key", text, separator=separator, group=group, row=row, column=0)
        self._builder.unmarked(line.text[len(text) :])

    def _add_value_line(self, line: RunningText) -> None:
        key = self._builder.blocks[-1]
        self._builder.add_text(
            "value", line.text, line.literals, separator="\n", group=key.group, row=key.row, column=1
        )
        self._record_end = len(self._builder)

    def _add_joined(
        self, kind: BlockKind, lines: Sequence[RunningText], separator: str, level: int, group: int, row: int
    ) -> None:
        literals: list[tuple[int, int]] = []
        shift = 0
        for line in lines:
            literals.extend((shift + start, shift + end) for start, end in line.literals)
            shift += len(line.text) + 1
        text = "\n".join(line.text for line in lines)
        self._builder.add_text(kind, text, literals, separator=separator, level=level, group=group, row=row)

    def _add_pair(self, line: RunningText, pair: Pair, separator: str, level: int, group: int, row: int) -> None:
        if group < 0:
            group, row = self._place_in_record()
        text = line.text
        key_literals = [span for span in line.literals if span[1] <= pair.key_end]
        value_literals = [
            (start - pair.value_start, end - pair.value_start)
            for start, end in line.literals
            if start >= pair.value_start
        ]
        self._builder.add_text(
            "key", text[: pair.key_end], key_literals, separator=separator, level=level, group=group, row=row, column=0
        )
        self._builder.unmarked(text[pair.key_end : pair.value_start])
        self._builder.add_text(
            "value", text[pair.value_start :], value_literals, separator="", level=level, group=group, row=row, column=1
        )
        self._record_end = len(self._builder)

    def _place_in_record(self) -> tuple[int, int]:
        """Pairs that follow each other with nothing between them are one record."""
        if self._record < 0 or self._record_end != len(self._builder):
            self._record, self._record_row = self._builder.new_group(), 0
        else:
            self._record_row += 1
        return self._record, self._record_row
