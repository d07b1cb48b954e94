"""PDF to text and blocks. A PDF knows places and sizes, no structure: headings, paragraphs and lists are inferred.

Tables are not: their cells become lines of text.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from ragassay.corpus.parsed import ParsedText, UnreadableError
from ragassay.corpus.pdf_lines import Line, lines_of_page
from ragassay.corpus.pdf_structure import write_lines

_UNSOUND = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RuntimeError, AssertionError, OSError)
"""What pypdf raises on damaged files besides its own errors (``benchmarks/fuzz.py``)."""
_EDGE_LINES = 2
"""Lines at the top and at the bottom of a page among which running heads are sought."""
_RUNNING_SHARE = 0.3
_FEWEST_RUNNING = 3
_SAME_PLACE = 6.0
"""Points: a running head stands at the same height on each page."""
_PAGE_NUMBER = re.compile(
    r"(?:page|seite)?\s*[-–]?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–]?(?:\s*(?:/|of|von)\s*\d{1,4})?", re.IGNORECASE
)
_LEADERS = re.compile(r"(?:\. ?){5,}\s*(?:\d+|[ivxlc]+)\s*$")
"""The dots between an entry of a table of contents and its page."""
_DIGITS = re.compile(r"\d{1,9}")


def read_pdf(path: Path) -> ParsedText:
    """Text of a PDF, and as much structure as its layout shows.

    Raises UnreadableError when it is broken, protected by a password or has no text.
    """
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, FileNotDecryptedError, PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it warns of every flaw that it mends
    with path.open("rb") as file:
        if b"%PDF-" not in file.read(1024):
            raise UnreadableError("it is not a PDF file, despite its name")
    try:
        reader = PdfReader(path)
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableError("it is protected by a password")
        pages = [lines_of_page(page) for page in reader.pages]
        title = (reader.metadata.title if reader.metadata else None) or ""
    except (FileNotDecryptedError, DependencyError):
        raise UnreadableError("it is encrypted") from None
    except (PyPdfError, *_UNSOUND) as error:
        raise UnreadableError(f"it is not a valid PDF file ({type(error).__name__})") from None
    parted = _parted(pages)
    if not any(line.text.strip() for line in parted.lines) and not parted.repeated:
        raise UnreadableError("it has no text; scanned pages need text recognition first")
    parsed = write_lines(parted.lines, _real_title(title), parted.repeated)
    notes = ["Left out: lines of its table of contents."] if parted.has_contents else []
    if parted.repeated:
        notes.append("Kept once, at its end: lines that stand at the top or bottom of several pages.")
    return replace(parsed, notes=tuple(notes))


def _real_title(title: str) -> str:
    """Titles of PDF files are often leftovers: a file name, "untitled", "Microsoft Word - report.doc"."""
    cleaned = " ".join(title.split())
    if re.search(r"\.(?:docx?|tex|indd|pdf|pptx?|rtf|odt|dvi|qxd)\b|^untitled|^microsoft", cleaned, re.IGNORECASE):
        return ""
    return cleaned


class _Parted(NamedTuple):
    """lines: without page numbers, tables of contents and what repeats. repeated: each of these, as it first stands."""

    lines: list[Line]
    repeated: list[str]
    has_contents: bool


def _parted(pages: Sequence[Sequence[Line]]) -> _Parted:
    edges = [{id(line): _Keys.of(line, number) for line in _edges(lines)} for number, lines in enumerate(pages)]
    seen = Counter(key for keys in edges for key in set(chain.from_iterable(keys.values())))
    needed = max(_FEWEST_RUNNING, _RUNNING_SHARE * len(pages))
    repeated: dict[tuple[str, int], str] = {}
    parted = _Parted([], [], any(_LEADERS.search(line.text) for line in chain.from_iterable(pages)))
    for number, lines in enumerate(pages):
        for line in lines:
            keys = edges[number].get(id(line))
            text = line.text.strip()
            if _LEADERS.search(line.text) or (keys and _is_page_number(text, number, seen[keys.counting])):
                continue
            running = [key for key in keys or () if seen[key] >= needed]
            if not running:
                parted.lines.append(line)
            elif not any(key in repeated for key in running):
                parted.repeated.append(text)
            repeated.update(dict.fromkeys(running, text))
    return parted


def _is_page_number(text: str, number: int, pages: int) -> bool:
    """Whether a line names a page, is the number of its own, or grows with the pages. pages: that it grows with."""
    if not _PAGE_NUMBER.fullmatch(text):
        return False
    return not text.isdecimal() or int(text) == number + 1 or pages > 1


def _edges(lines: Sequence[Line]) -> Iterable[Line]:
    by_height = sorted(lines, key=lambda line: line.y)
    return by_height[:_EDGE_LINES] + by_height[-_EDGE_LINES:]


class _Keys(NamedTuple):
    """What a line has in common with lines of other pages. counting: but for numbers that grow with the pages."""

    same: tuple[str, int]
    counting: tuple[str, int]

    @classmethod
    def of(cls, line: Line, number: int) -> _Keys:
        text, place = line.text.strip(), round(line.y / _SAME_PLACE)
        return cls((text, place), (_DIGITS.sub(lambda digits: f"#{int(digits[0]) - number}", text), place))
