"""Numbers of clauses, "4.1" before "The tenant pays the rent.", which are no words of their sentences.

A number may also belong to its sentence: "2.6 Linux kernels", "9.30 The chair opens the meeting". It is that of a
clause where another one, or a heading, has the number before or after it, or the one above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ragassay.records import Block

_NUMBER = re.compile(
    r"[ \t]*(?P<number>(?:§[ \t]*)?(?P<parts>[1-9]\d?(?:\.[1-9]\d?){1,2})[.)]?|(?:§[ \t]*|\()(?P<one>[1-9]\d?)\)?"
    r"|(?P<plain>[1-9]\d?)[.)])[ \t]+(?=[\"“'‘(]?(?P<first>[^\W\d_]))"
)
_OF_HEADING = re.compile(
    r"(?:§\s*|(?:article|section|part|clause|chapter)\s+)?(\d{1,3}(?:\.\d{1,3}){0,2})[.)]?\s", re.I
)

Parts = tuple[int, ...]


def clause_numbers(text: str, blocks: Sequence[Block]) -> dict[int, int]:
    """Where the number of a clause begins, and where the words after it do, of a passage and its blocks.

    Looked for at the start of each line of a paragraph.
    """
    found: list[tuple[Parts, int, int]] = []
    known: list[Parts] = []
    for block in blocks:
        if block.kind in ("heading", "title"):
            heading = _OF_HEADING.match(text[block.start : block.end].lstrip("#= \t"))
            known += [_parts(heading.group(1))] if heading else []
        elif block.kind == "paragraph":
            found += _of_paragraph(text, block)
    known += [parts for parts, _, _ in found]
    return {start: end for parts, start, end in found if any(_goes_on(parts, other) for other in known)}


def without_clause_numbers(quotes: Sequence[str], text: str, blocks: Sequence[Block]) -> list[str]:
    """Stretches of a passage, each without the number of a clause that it begins with."""
    numbers = sorted({text[start:end] for start, end in clause_numbers(text, blocks).items()}, key=len, reverse=True)
    return [quote.removeprefix(next((each for each in numbers if quote.startswith(each)), "")) for quote in quotes]


def _of_paragraph(text: str, block: Block) -> Iterator[tuple[Parts, int, int]]:
    at = block.start
    while 0 <= at < block.end:
        number = _NUMBER.match(text, at, block.end)
        if number and number["first"].isupper():
            yield _parts(number["parts"] or number["one"] or number["plain"]), number.start("number"), number.end()
        line_end = text.find("\n", at, block.end)
        at = line_end + 1 if line_end >= 0 else -1


def _parts(number: str) -> Parts:
    return tuple(map(int, number.split(".")))


def _goes_on(parts: Parts, other: Parts) -> bool:
    """Whether a number is the one before or after another (2.1 and 2.2), or one below it (2.1 and 2)."""
    if len(parts) == len(other):
        return parts[:-1] == other[:-1] and abs(parts[-1] - other[-1]) == 1
    return len(parts) == len(other) + 1 and parts[:-1] == other
