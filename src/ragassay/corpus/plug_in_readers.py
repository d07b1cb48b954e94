"""Files read by other packages: in the process that reads all others, and what comes back is nothing but data."""

from __future__ import annotations

from dataclasses import replace
from operator import index
from pathlib import Path
from typing import Any, get_args

from ragassay.corpus.parsed import ParsedText, UnreadableError, clean_characters
from ragassay.corpus.plain import read_plain
from ragassay.corpus.sources import reader_of
from ragassay.errors import UsageError
from ragassay.models.llm.masking import one_line
from ragassay.models.plug_ins import plug_in_name
from ragassay.models.user_code import said_of
from ragassay.records import Block, BlockKind

_SHOWN = 300


def read_by_plug_in(path: Path) -> ParsedText:
    """The document of a file whose extension a package reads. Raises UnreadableError, with the package and the reason.

    The package is imported here: where documents are read, and nowhere else. Its metadata say who read the file.
    """
    plug_in = reader_of(path.suffix)
    if plug_in is None:
        raise UnreadableError("the package that reads it is not there any more")
    try:
        read = plug_in.load()
    except UsageError as error:
        raise UnreadableError(str(error)) from None
    try:
        found = read(path)
        parsed = read_plain(_text(found)) if isinstance(found, str) else _parsed(found)
    except MemoryError:
        raise
    except UnreadableError as error:
        raise UnreadableError(one_line(str(error))[:_SHOWN]) from None
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the code of others may raise anything
        raise UnreadableError(f"{plug_in} failed on it ({said_of(error)})") from None
    signed = {"format": plug_in_name(path.suffix), "reader": plug_in.origin}
    return replace(parsed, metadata={**parsed.metadata, **signed})


def _parsed(found: Any) -> ParsedText:
    """The same, of our own types alone. Raises ValueError or TypeError for what breaks a law of documents."""
    if not isinstance(found, ParsedText):
        raise TypeError(f"it gave {type(found).__name__}, not a text or a ParsedText")
    text = _text(found.text)
    if text != found.text and (found.blocks or found.literals):
        raise ValueError("its text has characters that clean_characters changes, so that its offsets are wrong")
    literals, at = [], 0
    for first, last in found.literals:
        literals.append(_stretch(first, last, at, len(text)))
        at = literals[-1][1]
    return ParsedText(
        title=" ".join(_text(found.title).split()),
        text=text,
        blocks=_blocks(found.blocks, len(text)),
        literals=tuple(literals),
        metadata={_text(name): _text(value) for name, value in found.metadata.items()},
    )


def _blocks(found: Any, most: int) -> tuple[Block, ...]:
    blocks, at = [], 0
    for each in found:
        kind = next((kind for kind in get_args(BlockKind) if kind == each.kind), None)
        if kind is None:
            raise ValueError(f"unknown kind of block {str(each.kind)[:60]!r}")
        start, at = _stretch(each.start, each.end, at, most)
        level, group, row, column = map(index, (each.level, each.group, each.row, each.column))
        blocks.append(Block(kind=kind, start=start, end=at, level=level, group=group, row=row, column=column))
    return tuple(blocks)


def _stretch(start: Any, end: Any, least: int, most: int) -> tuple[int, int]:
    first, last = index(start), index(end)
    if not least <= first < last <= most:
        raise ValueError(f"offsets {first} to {last} are not in order, or not in the text")
    return first, last


def _text(value: Any) -> str:
    """Clean, and of Python's own type: what is of a class of the package would have it imported where it is taken."""
    if not isinstance(value, str):
        raise TypeError(f"a text is needed, not {type(value).__name__}")
    return clean_characters(str.__str__(value))
