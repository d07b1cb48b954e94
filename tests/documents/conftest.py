"""What the tests of all readers share: a short form of a text's blocks, and the laws that every reader keeps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ragassay.documents.parsed import ParsedText
from ragassay.records import Document

Leaves = Callable[[ParsedText], list[tuple[str, str]]]


def check_offsets(parsed: ParsedText | Document) -> None:
    """Blocks and literals lie within the text, in order, apart, and without white space around them."""
    position = 0
    for block in parsed.blocks:
        text = parsed.text[block.start : block.end]
        assert position <= block.start < block.end <= len(parsed.text), block
        assert block.kind == "code" or text == text.strip(), (block, text)
        position = block.end
    position = 0
    for start, end in parsed.literals:
        assert position <= start < end <= len(parsed.text), (start, end)
        position = end
    parsed.text.encode("utf-8")


@pytest.fixture(scope="session")
def leaves() -> Leaves:
    """(kind, text) of each block, after a check that the offsets hold."""

    def of(parsed: ParsedText) -> list[tuple[str, str]]:
        check_offsets(parsed)
        return [(block.kind, parsed.text[block.start : block.end]) for block in parsed.blocks]

    return of


@pytest.fixture(scope="session")
def checked() -> Callable[[ParsedText], None]:
    """The check alone, for property tests."""
    return check_offsets
