"""PDF to text and blocks. A PDF knows places and sizes, no structure: headings, paragraphs and lists are inferred.

Tables are not: their cells become lines of text.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

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
_DIGITS = re.compile(r"\d+")


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
    lines = list(_without_running_lines(pages))
    if not any(line.text.strip() for line in lines):
        raise UnreadableError("it has no text; scanned pages need text recognition first")
    return write_lines(lines, title=_real_title(title))


def _real_title(title: str) -> str:
    """Titles of PDF files are often leftovers: a file name, "untitled", "Microsoft Word - report.doc"."""
    cleaned = " ".join(title.split())
    if re.search(r"\.(?:docx?|tex|indd|pdf|pptx?|rtf|odt|dvi|qxd)\b|^untitled|^microsoft", cleaned, re.IGNORECASE):
        return ""
    return cleaned


def _without_running_lines(pages: Sequence[Sequence[Line]]) -> Iterator[Line]:
    """The lines without page numbers, tables of contents, and heads and feet that come back from page to page."""
    seen = Counter(key for lines in pages for key in {_key(line) for line in _edges(lines)})
    needed = max(_FEWEST_RUNNING, _RUNNING_SHARE * len(pages))
    for lines in pages:
        dropped = {
            id(line)
            for line in _edges(lines)
            if _PAGE_NUMBER.fullmatch(line.text.strip()) or seen[_key(line)] >= needed
        }
        yield from (line for line in lines if id(line) not in dropped and not _LEADERS.search(line.text))


def _edges(lines: Sequence[Line]) -> Iterable[Line]:
    by_height = sorted(lines, key=lambda line: line.y)
    return by_height[:_EDGE_LINES] + by_height[-_EDGE_LINES:]


def _key(line: Line) -> tuple[str, int]:
    return _DIGITS.sub("#", line.text.strip()), round(line.y / _SAME_PLACE)
