"""PDF to text and blocks, as far as a PDF tells: lines, and what their wording shows."""

from __future__ import annotations

from pathlib import Path

from ragassay.corpus.parsed import ParsedText, UnreadableError


def read_pdf(path: Path) -> ParsedText:
    """Text of a PDF. Raises UnreadableError when it is broken, encrypted or has no text."""
    raise UnreadableError("PDF files are not read yet")
