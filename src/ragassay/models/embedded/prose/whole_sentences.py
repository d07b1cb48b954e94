"""From a passage to whole sentences: wrapped lines joined, items completed by their lead-in, all else left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ragassay.models.embedded.prose.clause_numbers import clause_numbers
from ragassay.models.embedded.prose.markup import without_markup
from ragassay.records import Block, BlockKind
from ragassay.tasks.statements import Passage
from ragassay.text import sentence_spans

PROSE = frozenset({"paragraph", "item", "step", "definition", "quote"})
LONGEST = 600
"""Characters. What is longer is no sentence, and takes the parser's time."""
SHORTEST_WORDS = 4

_HEADING = re.compile(r"\s*(?:#{1,6}\s+(?P<hash>.+?)\s*#*|(?P<eq>={1,6})\s*(?P<wiki>[^=].*?)\s*(?P=eq))\s*")
_ITEM = re.compile(r"(\s*)(?:[-*+•‣▪◦–]|\(?\d{1,3}[.)]|\(?[a-z][)])\s+(?=\S)")
_FENCE = re.compile(r"\s*(?:```|~~~|\{%|<[a-z/!])")
_ROW = re.compile(r"\s*\|.*\|\s*|\s*\S+(?:\s{3,}|\t)\S.*(?:\s{3,}|\t)\S.*")
_RULE = re.compile(r"\s*([-=*_~^#+.])(?:\s?\1){2,}\s*")
_ENDS = re.compile(r"[.!?][\"'”’)\]*_`]*\s*\Z")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_LINK_ONLY = re.compile(r"\s*(?:!?\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\]|:\s*\S+)?[\s.,|]*)+\s*")


@dataclass(frozen=True, slots=True)
class WholeSentence:
    """A sentence of a passage.

    start, end: its characters in the passage; ``quote`` there is verbatim.
    clean: its words without markup, an item completed by its lead-in.
    lead_in: the words that introduce the list it stands in, empty if none complete it.
    lead_span: where they stand in the passage.
    in_list: whether it stands in a list. paragraph: number of its paragraph or item; place: its number in there.
    heading: the headings above it, outermost first, with those inside the passage.
    """

    start: int
    end: int
    clean: str
    heading: tuple[str, ...]
    paragraph: int
    place: int
    in_list: bool = False
    lead_in: str = ""
    lead_span: tuple[int, int] | None = None


def whole_sentences(passage: Passage) -> list[WholeSentence]:
    """The sentences of a passage, in order. Headings, code, tables, links by themselves give none."""
    blocks = passage.blocks or tuple(raw_blocks(passage.text))
    numbers = clause_numbers(passage.text, blocks)
    found: list[WholeSentence] = []
    path: list[tuple[int, str]] = [(0, heading) for heading in passage.section]
    lead: tuple[int, int] | None = None
    for number, block in enumerate(blocks):
        text = passage.text[block.start : block.end]
        if block.kind in ("heading", "title"):
            title = without_markup(_plain_heading(text))
            while path and path[-1][0] >= max(block.level, 1):
                path.pop()
            if block.kind == "heading" and (not path or path[-1][1] != title):
                path.append((max(block.level, 1), title))
            lead = None
            continue
        if block.kind not in PROSE or _LINK_ONLY.fullmatch(text):
            continue
        in_list = block.kind in ("item", "step")
        if not in_list:
            lead = None
        heading = tuple(title for _, title in path)
        found += _of_block(passage, block, number, heading, in_list, lead if in_list else None, numbers)
        if text.rstrip().endswith(":"):
            lead = _lead_in(passage.text, block)
    return found


def _of_block(
    passage: Passage,
    block: Block,
    number: int,
    heading: tuple[str, ...],
    in_list: bool,
    lead: tuple[int, int] | None,
    numbers: Mapping[int, int],
) -> Iterator[WholeSentence]:
    flat = passage.text[block.start : block.end].replace("\n", " ")
    protected = [
        (start - block.start, end - block.start)
        for start, end in passage.literals
        if start >= block.start and end <= block.end
    ]
    mark = _ITEM.match(flat) if in_list else None
    shift = mark.end() if mark else 0
    flat = " " * shift + flat[shift:]
    for place, (start, end) in enumerate(sentence_spans(flat, protected)):
        start = numbers.get(block.start + start, block.start + start) - block.start
        if end - start > LONGEST or flat[end - 1] == ":":
            continue
        is_led = lead is not None and place == 0
        if not is_led and len(flat[start:end].split(maxsplit=SHORTEST_WORDS)) < SHORTEST_WORDS:
            continue  # taking markup out, which takes long, adds no word
        clean = without_markup(_with_backquotes(flat, start, end, protected))
        lead_in, span = "", None
        if lead is not None and place == 0:
            lead_in = without_markup(passage.text[lead[0] : lead[1]].replace("\n", " ")).rstrip(": ")
            span = lead
            joined = completed(lead_in, clean)
            if joined is None:
                lead_in, span = "", None
            else:
                clean = joined
        if len(_LETTERS.findall(clean)) < SHORTEST_WORDS - 1 or len(clean.split()) < SHORTEST_WORDS:
            continue
        if not _ENDS.search(clean):
            if not lead_in and not (in_list and _looks_whole(clean)):
                continue
            clean = clean.rstrip(" ,;") + "."
        yield WholeSentence(
            block.start + start, block.start + end, clean, heading, number, place, in_list, lead_in, span
        )


def completed(lead_in: str, item: str) -> str | None:
    """The item as the end of its lead-in ("You must" and "Book early." give "You must book early.").

    None where the lead-in is a sentence of its own ("There are three reasons"), or the item one.
    """
    words = lead_in.split()
    if not words or len(words) > 25 or lead_in[-1] in ".!?":
        return None
    last = words[-1].lower()
    if last not in OPEN_ENDS or not item[:1].isalpha():
        return None
    if _ENDS.search(item) and item[:1].isupper() and item.rstrip().count(". ") > 0:
        return None
    first = item.split(maxsplit=1)[0]
    rest = item if first.isupper() and len(first) > 1 else item[:1].lower() + item[1:]
    rest = re.sub(r",?\s*(?:and|or)\s*\Z", "", rest.rstrip(" ;,"))
    return f"{lead_in} {rest}"


OPEN_ENDS = frozenset(
    "must should may can could will would shall to not you we they it by if when unless is are be of for in with that"
    " from at on about who which".split()
)
"""Words of the closed classes that no English sentence ends with: what follows completes it."""


def _looks_whole(clean: str) -> bool:
    """Whether an item without a full stop may be a sentence; the parse decides later."""
    return clean[:1].isupper() and len(clean.split()) >= 6


def _with_backquotes(flat: str, start: int, end: int, protected: Sequence[tuple[int, int]]) -> str:
    """The stretch, with the literals that the document's reader has marked in backquotes."""
    parts: list[str] = []
    at = start
    for first, last in protected:
        if first < at or last > end or "`" in flat[first:last]:
            continue
        parts += [flat[at:first], "`", flat[first:last].strip(), "`"]
        at = last
    return "".join([*parts, flat[at:end]])


def _lead_in(text: str, block: Block) -> tuple[int, int] | None:
    """Where the last sentence of a block that ends in a colon stands."""
    flat = text[block.start : block.end].replace("\n", " ")
    spans = sentence_spans(flat)
    if not spans:
        return None
    start, end = spans[-1]
    return block.start + start, block.start + end


def _plain_heading(text: str) -> str:
    match = _HEADING.fullmatch(text)
    return (match.group("hash") or match.group("wiki")) if match else text.strip()


def raw_blocks(text: str) -> Iterator[Block]:
    """The blocks of a text whose reader found none: paragraphs, items, headings, by blank lines and line starts."""
    pending: list[tuple[int, int]] = []
    kind: BlockKind = "paragraph"
    fenced = False

    def flush() -> Iterator[Block]:
        if pending:
            yield Block(kind=kind, start=pending[0][0], end=pending[-1][1])
            pending.clear()

    position = 0
    for line in text.split("\n"):
        start, end = position, position + len(line)
        position = end + 1
        stripped = line.strip()
        if stripped.startswith(("```", "~~~")):
            yield from flush()
            fenced = not fenced
            continue
        if fenced or _ROW.fullmatch(line) or (line.startswith(("    ", "\t")) and not pending):
            yield from flush()
            continue
        heading = _HEADING.fullmatch(line)
        underlined = bool(_RULE.fullmatch(line)) and len(pending) == 1
        if underlined and stripped:
            first, last = pending.pop()
            yield Block(kind="heading", start=first, end=last, level=2)
        elif heading:
            yield from flush()
            yield Block(kind="heading", start=start, end=end, level=len(heading.group("eq") or line.split()[0]))
        elif not stripped or _RULE.fullmatch(line) or _FENCE.match(line):
            yield from flush()
            kind = "paragraph"
        elif _ITEM.match(line):
            yield from flush()
            kind = "item"
            pending.append((start, end))
        else:
            if not pending:
                kind = "paragraph"
            pending.append((start, end))
    yield from flush()
