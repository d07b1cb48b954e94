"""Where a heading stands among the headings of its passage."""

from __future__ import annotations

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
