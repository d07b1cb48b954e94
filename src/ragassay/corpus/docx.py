"""DOCX to text and blocks, as far as a DOCX tells: lines, and what their wording shows."""

from __future__ import annotations

from pathlib import Path

from ragassay.corpus.parsed import ParsedText, UnreadableError


def read_docx(path: Path) -> ParsedText:
    """Text of a DOCX. Raises UnreadableError when it is broken, encrypted or has no text."""
    raise UnreadableError("DOCX files are not read yet")
