"""Makes text of users harmless to show: nothing in it can hide, reorder or steer what stands around it."""

from __future__ import annotations

import re
from typing import NamedTuple

_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")

_HARMFUL = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f"  # control characters: terminal escapes, NUL
    "\u202a-\u202e\u2066-\u2069"  # bidirectional embeddings, overrides and isolates
    "\ufeff\ufff9-\ufffb\ufffe\uffff"  # byte order mark, interlinear annotations, non-characters
    "\ud800-\udfff"  # lone surrogates: cannot be written as UTF-8
    "\U000e0000-\U000e007f]"  # tags: text that no reader sees
)


def visible(text: str) -> str:
    """The text with line ends as newlines and harmful characters spelt out, as ``⟨U+202E⟩``.

    Joiners and left-to-right marks stay: scripts need them, and they reorder nothing outside their own element.
    """
    return _HARMFUL.sub(lambda match: f"⟨U+{ord(match.group()):04X}⟩", _LINE_ENDS.sub("\n", text))


def excerpt(text: str, chars: int) -> str:
    """At most the first ``chars`` characters, cut between words where there are any, and an ellipsis for the rest."""
    if len(text) <= chars:
        return text
    cut = text[:chars]
    space = max(cut.rfind(" "), cut.rfind("\n"))
    return (cut[:space] if space > chars // 2 else cut).rstrip() + " …"


class Piece(NamedTuple):
    """A stretch of a longer text. marked: part of a reference. left_out: characters that are not shown before it."""

    text: str
    marked: bool
    left_out: int


class Excerpt(NamedTuple):
    """pieces: in the order of the text. left_out: characters that are not shown after the last."""

    pieces: tuple[Piece, ...]
    left_out: int


def excerpt_around(text: str, marks: list[tuple[int, int]], chars: int) -> Excerpt:
    """What surrounds the marks, at most ``chars`` characters of the text in all; all of it if it is that short.

    marks: (start, end) offsets into text, in any order; they may overlap. Without marks: the beginning.
    """
    merged = _merge([(max(start, 0), min(end, len(text))) for start, end in marks])
    shown = [(0, len(text))] if len(text) <= chars else _windows(text, merged, chars)
    pieces: list[Piece] = []
    position = 0
    for start, end in shown:
        left_out = start - position
        for piece_start, piece_end, marked in _split(start, end, merged):
            pieces.append(Piece(text[piece_start:piece_end], marked, left_out))
            left_out = 0
        position = end
    return Excerpt(tuple(pieces), len(text) - position)


def _merge(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _windows(text: str, marks: list[tuple[int, int]], chars: int) -> list[tuple[int, int]]:
    if not marks:
        return [(0, _word_start(text, chars))]
    marked = sum(end - start for start, end in marks)
    margin = max((chars - marked) // (2 * len(marks)), 0)
    wanted = _merge([_widen(text, start, end, margin) for start, end in marks])
    windows: list[tuple[int, int]] = []
    left = chars
    for start, end in wanted:
        if left <= 0:
            break
        windows.append((start, min(end, start + left)))
        left -= end - start
    return windows


def _widen(text: str, start: int, end: int, margin: int) -> tuple[int, int]:
    return min(start, _word_end(text, start - margin)), max(end, _word_start(text, end + margin))


def _word_end(text: str, position: int) -> int:
    """The first place after white space at or after ``position``, but not far: a text may have no white space."""
    if position <= 0:
        return 0
    match = re.compile(r"\s").search(text, position, position + 20)
    return match.end() if match else position


def _word_start(text: str, position: int) -> int:
    """The last white space before ``position``, but not far."""
    if position >= len(text):
        return len(text)
    space = max(text.rfind(" ", position - 20, position), text.rfind("\n", position - 20, position))
    return space if space >= 0 else position


def _split(start: int, end: int, marks: list[tuple[int, int]]) -> list[tuple[int, int, bool]]:
    parts: list[tuple[int, int, bool]] = []
    position = start
    for mark_start, mark_end in marks:
        inner_start, inner_end = max(mark_start, start), min(mark_end, end)
        if inner_start >= inner_end:
            continue
        if position < inner_start:
            parts.append((position, inner_start, False))
        parts.append((inner_start, inner_end, True))
        position = inner_end
    if position < end:
        parts.append((position, end, False))
    return parts
