"""Where a heading stands among the headings of its passage."""

from __future__ import annotations

from ragassay.models.embedded.reading.parser import is_word, parse
from ragassay.tasks.statements import Passage


def heading_above(passage: Passage, heading: str) -> str:
    """The heading that a heading stands below; '' for those right below the title, or below what repeats it."""
    path: list[tuple[int, str]] = []
    section = passage.section
    for block in passage.blocks:
        if block.kind == "title":
            path.clear()
        if block.kind != "heading":
            continue
        name = passage.text[block.start : block.end].strip()
        while path and path[-1][0] >= block.level:
            path.pop()
        if name == heading:
            above = [inner for _, inner in path] or [*(section[:-1] if section[-1:] == (name,) else section)]
            return _unless_title(above[-1], passage) if above else ""
        path.append((block.level, name))
    return _unless_title(section[section.index(heading) - 1], passage) if heading in section[1:] else ""


def _unless_title(heading: str, passage: Passage) -> str:
    title, name = passage.title.lower(), heading.lower()
    return "" if name in title or (title and title in name) else heading


def is_instruction(heading: str) -> bool:
    """'Install the package', 'Check external links': an imperative, as the parser reads it."""
    first, second, *rest = [*heading.lower().split(), "", ""]
    is_verb, is_noun = is_word(first, "verb"), is_word(first, "noun")
    if (is_noun and not is_verb) or second in {"versus", "vs", "vs."}:
        return False  # 'Menu by menu', 'Enter versus Return'
    if second in {"to", "up", "for", "with", "on"} and is_verb:
        # 'Focus on the journey', which the parser takes for a noun; but 'Action to open items', 'Letter with statement'
        return second in {"up", "on"} or not is_noun
    if second == "and" and is_verb:
        return len(rest) > 3 and is_word(rest[0], "verb")  # 'Build and test the app', not 'Water and wind'
    (doc,) = parse([f"{heading}."])
    return doc[0].tag_ in {"VB", "VBP"} and doc[0].dep_ == "ROOT"
