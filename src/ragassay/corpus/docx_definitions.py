"""What a Word document defines once and its paragraphs name: styles and numberings, looked up in one pass each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_UNNUMBERED = ("bullet", "none")


class StyleNames:
    """Names of the styles of paragraphs and of runs; empty for a style without a name, or where none is the default."""

    def __init__(self, document: WordDocument) -> None:
        from docx.enum.style import WD_STYLE_TYPE

        self._paragraphs: dict[str | None, str] = {}
        self._runs: dict[str | None, str] = {}
        of_type = {WD_STYLE_TYPE.PARAGRAPH: self._paragraphs, WD_STYLE_TYPE.CHARACTER: self._runs}
        for style in document.styles:
            names = of_type.get(style.type)
            if names is None:
                continue
            names.setdefault(style.style_id, style.name or "")
            if style.element.default:
                names[None] = style.name or ""

    def of_paragraph(self, paragraph: Any) -> str:
        """paragraph: a <w:p> element."""
        return _named(self._paragraphs, paragraph.style)

    def of_run(self, run: Any) -> str:
        """run: a <w:r> element."""
        return _named(self._runs, run.style)


def _named(names: Mapping[str | None, str], style_id: str | None) -> str:
    """The name of the style, or of the default one where there is no such style."""
    name = names.get(style_id)
    return names.get(None, "") if name is None else name


def numbered_levels(document: WordDocument) -> set[tuple[str, str]]:
    """(id of a list, level) of all whose items have numbers rather than bullets."""
    try:
        root: Any = document.part.numbering_part.element
    except (KeyError, NotImplementedError, AttributeError):
        return set()
    formats = {
        definition.get(f"{_W}abstractNumId"): _formats(definition)
        for definition in root.iterchildren(f"{_W}abstractNum")
    }
    found: set[tuple[str, str]] = set()
    for number in root.iterchildren(f"{_W}num"):
        link = number.find(f"{_W}abstractNumId")
        levels = formats.get(link.get(f"{_W}val"), {}) if link is not None else {}
        found.update((number.get(f"{_W}numId"), level) for level, kind in levels.items() if kind not in _UNNUMBERED)
    return found


def notes_by_reference(document: WordDocument) -> dict[tuple[str, str], Any]:
    """("footnote" or "endnote", its id) to its element."""
    from docx.oxml.parser import parse_xml

    found: dict[tuple[str, str], Any] = {}
    for relation in document.part.rels.values():
        kind = relation.reltype.rpartition("/")[2].removesuffix("s")
        if kind in ("footnote", "endnote") and not relation.is_external:
            for note in parse_xml(relation.target_part.blob).iterchildren(f"{_W}{kind}"):
                found[kind, note.get(f"{_W}id")] = note
    return found


def _formats(definition: Any) -> dict[str, str]:
    found = {}
    for level in definition.iterchildren(f"{_W}lvl"):
        kind = level.find(f"{_W}numFmt")
        if kind is not None:
            found[level.get(f"{_W}ilvl")] = kind.get(f"{_W}val")
    return found
