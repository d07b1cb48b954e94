"""Find "Key: value" lines in running text, and add prose to a text with those lines as pairs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from ragassay.documents.parsed import LINE_BREAK, Piece, RunningText, TextBuilder, running_text
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
    """Return the pair that a line is: by its bold start ("**Key:** value"), or by a short key in front of a colon."""
    if line.strong_end:
        return _bold_pair(line)
    match = _PAIR.match(line.text)
    if match is None:
        return None
    key = match.group("key")
    if key.lower() in _NO_KEYS or len(key.split()) > _MOST_KEY_WORDS or key[-1] in ".?!,;。，" or key[0].islower():
        return None
    return None if any(sign in key for sign in '。，,;；!?！？"“') else Pair(match.end("key"), match.end())


def _bold_pair(line: RunningText) -> Pair | None:
    text, end = line.text, line.strong_end
    lead = text[:end].rstrip()
    if lead[-1:] in ":：":
        key_end, value = len(lead[:-1].rstrip()), text[end:]
    elif text[end : end + 1] in (":", "："):
        key_end, value = len(lead), text[end + 1 :]
    else:
        return None
    key = text[:key_end]
    if not value.strip() or not key or key.lower() in _NO_KEYS or ":" in key or "\n" in value:
        return None
    return Pair(key_end, len(text) - len(value.lstrip()))


def pairs_of(lines: Sequence[RunningText]) -> list[Pair | None]:
    """Return the pair that each line is, or None. Bold keys always count; others side by side, or alone when short."""
    found = [None, *map(find_pair, lines), None]
    kept: list[Pair | None] = []
    for line, before, pair, after in zip(lines, found, found[1:], found[2:], strict=False):
        is_kept = pair is not None and (line.strong_end or before or after or _stands_alone(line, pair))
        kept.append(pair if is_kept else None)
    return kept


def _stands_alone(line: RunningText, pair: Pair) -> bool:
    value = line.text[pair.value_start :]
    is_short = len(value) <= _LONGEST_VALUE_ALONE and len(line.text[: pair.key_end].split()) <= 3
    return is_short and value[-1] not in ".!?。！？;；"


def split_lines(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Return the pieces of each line: parted at line breaks that a reader sees."""
    lines: list[list[Piece]] = [[]]
    for piece in pieces:
        if piece is LINE_BREAK:
            lines.append([])
        else:
            lines[-1].append(piece)
    return lines


def _strong_roles(lines: Sequence[RunningText], kind: BlockKind) -> list[Literal["heading", "key", "value"] | None]:
    """Return what the lines are that are bold from end to end, and the lines below them.

    "**Judge:**" above "M. Flores" are key and value; "**Case history**" is a heading in all but markup.
    """
    roles: list[Literal["heading", "key", "value"] | None] = [None] * len(lines)
    for at, line in enumerate(lines) if kind == "paragraph" else ():
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
        self._record = self._record_end = -1
        self._record_row = 0

    def add(self, kind: BlockKind, pieces: Sequence[Piece], *, separator: str = "\n\n", **place: int) -> bool:
        """Add the pieces as one leaf, or as pairs where lines are such. False when there was nothing to add.

        place: level, group and row, as of ``TextBuilder.add_text``.
        """
        lines = [running_text(line) for line in split_lines(pieces)]
        return self.add_lines(kind, [line for line in lines if line.text], separator=separator, **place)

    def add_lines(
        self, kind: BlockKind, lines: Sequence[RunningText], *, separator: str = "\n\n", **place: int
    ) -> bool:
        """Add as ``add`` does lines that are running text already."""
        if place.get("group", -1) >= 0 and len(lines) > 1:
            self._add_joined(kind, lines, separator, place)
            return True
        pending: list[RunningText] = []
        for line, pair, role in zip(lines, pairs_of(lines), _strong_roles(lines, kind), strict=True):
            if pair is None and role is None:
                pending.append(line)
                continue
            if pending:
                self._add_joined(kind, pending, separator, place)
                pending, separator = [], "\n"
            separator = self._after_heading(separator)
            if pair is not None and role is None:
                self._add_pair(line, pair, separator, place)
            else:
                self._add_strong(line, role, separator)
            separator = "\n"
        if pending:
            self._add_joined(kind, pending, self._after_heading(separator), place)
        return bool(lines)

    def _after_heading(self, separator: str) -> str:
        last = self._builder.blocks[-1] if self._builder.blocks else None
        return "\n\n" if last and last.kind == "heading" and last.end == len(self._builder) else separator

    def _add_strong(self, line: RunningText, role: str | None, separator: str) -> None:
        """Add a line by its role: a heading, a key, or the value of the key above it."""
        text = line.text.rstrip(":： ") if role != "value" else line.text
        literals = [span for span in line.literals if span[1] <= len(text)]
        if role == "heading":
            self._builder.add_text("heading", text, literals, level=PSEUDO_HEADING_LEVEL)
        elif role == "key":
            group, row = self._place_in_record()
            self._builder.add_text("key", text, separator=separator, group=group, row=row, column=0)
            self._builder.unmarked(line.text[len(text) :])
        else:
            key = self._builder.blocks[-1]
            self._builder.add_text("value", text, literals, separator="\n", group=key.group, row=key.row, column=1)
            self._record_end = len(self._builder)

    def _add_joined(self, kind: BlockKind, lines: Sequence[RunningText], separator: str, place: dict[str, int]) -> None:
        literals: list[tuple[int, int]] = []
        shift = 0
        for line in lines:
            literals.extend((shift + start, shift + end) for start, end in line.literals)
            shift += len(line.text) + 1
        text = "\n".join(line.text for line in lines)
        self._builder.add_text(kind, text, literals, separator=separator, **place)

    def _add_pair(self, line: RunningText, pair: Pair, separator: str, place: dict[str, int]) -> None:
        if place.get("group", -1) < 0:
            group, row = self._place_in_record()
            place = {**place, "group": group, "row": row}
        text, start = line.text, pair.value_start
        of_key = [span for span in line.literals if span[1] <= pair.key_end]
        of_value = [(first - start, last - start) for first, last in line.literals if first >= start]
        self._builder.add_text("key", text[: pair.key_end], of_key, separator=separator, column=0, **place)
        self._builder.unmarked(text[pair.key_end : start])
        self._builder.add_text("value", text[start:], of_value, separator="", column=1, **place)
        self._record_end = len(self._builder)

    def _place_in_record(self) -> tuple[int, int]:
        """Return group and row: pairs that follow each other with nothing between them are one record."""
        if self._record < 0 or self._record_end != len(self._builder):
            self._record, self._record_row = self._builder.new_group(), 0
        else:
            self._record_row += 1
        return self._record, self._record_row
