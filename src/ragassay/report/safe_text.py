"""Makes text of users harmless to show: nothing in it can hide, reorder or steer what stands around it."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

if TYPE_CHECKING:
    from rich.console import Console


_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")

_HARMFUL = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f"  # control characters: terminal escapes, NUL
    "\u202a-\u202e\u2066-\u2069"  # bidirectional embeddings, overrides and isolates
    "\ufeff\ufff9-\ufffb\ufffe\uffff"  # byte order mark, interlinear annotations, non-characters
    "\ud800-\udfff"  # lone surrogates: cannot be written as UTF-8
    "\U000e0000-\U000e007f]"  # tags: text that no reader sees
)


def visible(text: str) -> str:
    """Write line ends as newlines and spell out harmful characters, as ``⟨U+202E⟩``.

    Joiners and left-to-right marks stay: scripts need them, and they reorder nothing outside their own element.
    """
    return _HARMFUL.sub(lambda match: f"⟨U+{ord(match.group()):04X}⟩", _LINE_ENDS.sub("\n", text))


def excerpt(text: str, chars: int) -> str:
    """Return at most the first ``chars`` characters, cut between words where there are any, and an ellipsis."""
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
    """Return what surrounds the marks, at most ``chars`` characters in all; the beginning where there are none.

    marks: (start, end) offsets into text, in any order; they may overlap.
    """
    merged = _merge([(max(start, 0), min(end, len(text))) for start, end in marks])
    pieces: list[Piece] = []
    position = 0
    for start, end in [(0, len(text))] if len(text) <= chars else _windows(text, merged, chars):
        left_out = start - position
        ends = sorted({start, end, *(each for mark in merged for each in mark if start < each < end)})
        for begin, stop in pairwise(ends):
            marked = any(first <= begin and stop <= last for first, last in merged)
            pieces.append(Piece(text[begin:stop], marked, left_out))
            left_out = 0
        position = end
    return Excerpt(tuple(pieces), len(text) - position)


def _merge(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _windows(text: str, marks: list[tuple[int, int]], chars: int) -> list[tuple[int, int]]:
    """The marks, each as much widened as there is room, to whole words where there are any near."""
    margin = max((chars - sum(end - start for start, end in marks)) // (2 * max(len(marks), 1)), 0)
    wanted = [
        (min(start, _space_after(text, start - margin)), max(end, _space_before(text, end + margin)))
        for start, end in marks
    ]
    windows: list[tuple[int, int]] = []
    left = chars
    for start, end in _merge(wanted or [(0, _space_before(text, chars))]):
        if left > 0:
            windows.append((start, min(end, start + left)))
        left -= end - start
    return windows


def _space_after(text: str, position: int) -> int:
    """Behind the next white space, but not far: a text may have none."""
    match = re.compile(r"\s").search(text, max(position, 0), position + 20) if position > 0 else None
    return match.end() if match else max(position, 0)


def _space_before(text: str, position: int) -> int:
    if position >= len(text):
        return len(text)
    space = max(text.rfind(" ", position - 20, position), text.rfind("\n", position - 20, position))
    return space if space >= 0 else position


class CleanStream:
    """A stream to which terminal escapes and other harmful characters are written spelt out, as in ``visible``.

    unclean: the stream behind it, for what steers the terminal on purpose.
    """

    def __init__(self, unclean: TextIO) -> None:
        self.unclean = unclean

    def write(self, text: str) -> int:
        self.unclean.write(visible(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unclean, name)


@contextmanager
def clean_streams() -> Iterator[None]:
    """Within it standard error is clean, and standard output where it is a terminal: what is piped stays as it is.

    Everything that is written there passes, whoever writes it: messages with names of files and of systems, warnings,
    tracebacks, the command line's own complaints.
    """
    before: tuple[TextIO, TextIO] = sys.stdout, sys.stderr
    if sys.stdout.isatty() and not isinstance(sys.stdout, CleanStream):
        sys.stdout = CleanStream(sys.stdout)
    if not isinstance(sys.stderr, CleanStream):
        sys.stderr = CleanStream(sys.stderr)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def open_console(*, stderr: bool = False) -> Console:
    """Open a console of rich, which writes escapes of its own; ``terminal.line`` cleans what it is given."""
    from rich.console import Console

    class PipedConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))  # rich would end with code 1

    stream: Any = sys.stderr if stderr else sys.stdout
    return PipedConsole(file=stream.unclean if isinstance(stream, CleanStream) else stream)
