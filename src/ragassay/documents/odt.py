"""Read OpenDocument texts, by way of the HTML that their styles, lists and tables stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from typing import Any

from ragassay.documents.html import read_html
from ragassay.documents.packages import Package
from ragassay.documents.parsed import ParsedText, UnreadableError

_NAMES = "urn:oasis:names:tc:opendocument:xmlns"
_OFFICE, _TEXT, _TABLE, _STYLE = (f"{{{_NAMES}:{name}:1.0}}" for name in ("office", "text", "table", "style"))
_FO = f"{{{_NAMES}:xsl-fo-compatible:1.0}}"
_MONOSPACED = re.compile(r"courier|consolas|mono|menlo", re.IGNORECASE)
_DROPPED = frozenset(
    """
    tracked-changes table-of-content alphabetical-index forms ruby-text note-citation title desc image hidden-text
    sequence-decls variable-decls user-field-decls bibliography shapes annotation annotation-end
    """.split()
)
_HIDDEN, _OBJECTS = "Left out: hidden text.", "Left out: equations, charts and embedded objects."
_TOLD = {"annotation": "Left out: comments.", "hidden-text": _HIDDEN, "object": _OBJECTS, "object-ole": _OBJECTS}
_MOST_REPEATED = 100
"""Times that a cell or a space may say that it stands again."""


def read_odt(data: bytes) -> ParsedText:
    """Read text and structure of a document. Raises UnreadableError where it is encrypted, damaged or too large."""
    package = Package(data, ".odt")
    if "META-INF/manifest.xml" in package and b"encryption-data" in package.read("META-INF/manifest.xml"):
        raise UnreadableError("it is protected by a password; save it without one")
    content = package.parsed("content.xml")
    body = content.find(f"{_OFFICE}body/{_OFFICE}text")
    if body is None:
        raise UnreadableError("it is not a text document, despite its name")
    writer = _PageWriter([content, *([package.parsed("styles.xml")] if "styles.xml" in package else [])])
    html = "".join(writer.blocks(body))
    writer.left_out |= {said for name, said in _TOLD.items() if body.find(f".//{{*}}{name}") is not None}
    return replace(read_html(f"<body>{html}", package.title("meta.xml")), notes=tuple(sorted(writer.left_out)))


class _PageWriter:
    def __init__(self, roots: list[Any]) -> None:
        """roots: of the parts that have styles; those of the first count more."""
        styles = [style for root in reversed(roots) for style in root.iter(f"{_STYLE}style")]
        self._parents = {style.get(f"{_STYLE}name"): style.get(f"{_STYLE}parent-style-name") for style in styles}
        looks = ((style.get(f"{_STYLE}name"), style.find(f"{_STYLE}text-properties")) for style in styles)
        self._looks = {name: look for name, look in looks if look is not None}
        self._numbered = {
            (style.get(f"{_STYLE}name"), level.get(f"{_TEXT}level"))
            for root in roots
            for style in root.iter(f"{_TEXT}list-style")
            for level in style.iterfind(f"{_TEXT}list-level-style-number")
            if level.get(f"{_STYLE}num-format")
        }
        self._beside: list[Any] = []
        self.left_out: set[str] = set()

    def blocks(self, container: Any, style: str = "", level: int = 0) -> Iterator[str]:
        """Write what an element holds; behind each paragraph its notes and text boxes. style, level: of a list."""
        for element in container:
            local = str(element.tag).rpartition("}")[2]
            if element.tag == f"{_TEXT}h":
                depth = min(max(int(element.get(f"{_TEXT}outline-level") or 1), 1), 6)
                yield f"<h{depth}>{self._inline(element)}</h{depth}>"
            elif element.tag == f"{_TEXT}p":
                yield self._paragraph(element)
            elif element.tag == f"{_TEXT}list" and element.find(f".//{_TEXT}h") is None:
                named = element.get(f"{_TEXT}style-name") or style
                tag = "ol" if (named, str(level + 1)) in self._numbered else "ul"
                items = ["".join(self.blocks(item, named, level + 1)) for item in element]
                yield f"<{tag} type=unknown><li>{'</li><li>'.join(items)}</li></{tag}>"
            elif element.tag == f"{_TABLE}table":
                yield f"<table>{''.join(self._rows(element))}</table>"
            elif element.get(f"{_TEXT}display") == "none":  # of a section
                self.left_out.add(_HIDDEN)
            elif local not in _DROPPED:
                yield from self.blocks(element, style, level)
            beside, self._beside = self._beside, []
            for inner in beside:
                yield from self.blocks(inner)

    def _paragraph(self, paragraph: Any) -> str:
        text, names = self._inline(paragraph), self._styles(paragraph)
        if "Title" in names:
            return f"<h1>{text}</h1>"
        if any("Preformatted" in name for name in names):
            return f"<pre>{re.sub('</?(?:code|strong)>', '', text)}</pre>"
        tag = "blockquote" if "Quotations" in names else "p"
        return f"<{tag}>{text}</{tag}>"

    def _rows(self, table: Any, *, is_head: bool = False) -> Iterator[str]:
        for part in table:
            if part.tag == f"{_TABLE}table-row":
                cells = list(part.iterfind(f"{_TABLE}table-cell"))
                paragraphs = [each for cell in cells for each in cell.iter(f"{_TEXT}p") if "".join(each.itertext())]
                is_named = bool(paragraphs) and all("Table_20_Heading" in self._styles(each) for each in paragraphs)
                yield f"<tr>{''.join(self._cell(cell, 'th' if is_head or is_named else 'td') for cell in cells)}</tr>"
            elif str(part.tag).startswith(_TABLE):
                yield from self._rows(part, is_head=is_head or part.tag == f"{_TABLE}table-header-rows")

    def _cell(self, cell: Any, tag: str) -> str:
        columns, rows = (_count(cell, f"{_TABLE}number-{which}-spanned") for which in ("columns", "rows"))
        inner = "".join(self.blocks(cell))
        written = f"<{tag} colspan={columns} rowspan={rows}>{inner}</{tag}>"
        return written * _count(cell, f"{_TABLE}number-columns-repeated")

    def _inline(self, element: Any) -> str:
        parts = [escape(element.text or "")]
        for child in element:
            parts += [self._piece(child), escape(child.tail or "")]
        return "".join(parts)

    def _piece(self, element: Any) -> str:
        local = str(element.tag).rpartition("}")[2]
        if local in ("note-body", "text-box"):
            self._beside.append(element)
        elif local == "s":
            return " " * _count(element, f"{_TEXT}c")
        elif local in ("tab", "line-break"):
            return " " if local == "tab" else "<br>"
        elif local == "span":
            return self._span(element)
        elif local not in _DROPPED:
            return self._inline(element)
        return ""

    def _span(self, span: Any) -> str:
        text = self._inline(span)
        for name in self._styles(span):
            look: Any = self._looks.get(name, {})
            if look.get(f"{_TEXT}display") == "none":
                self.left_out.add(_HIDDEN)
                return ""
            is_code = name == "Source_20_Text" or _MONOSPACED.search(look.get(f"{_STYLE}font-name") or "")
            if text.strip() and (is_code or look.get(f"{_FO}font-weight") == "bold"):
                return f"<code>{text}</code>" if is_code else f"<strong>{text}</strong>"
        return text

    def _styles(self, element: Any) -> list[str]:
        """Return the names of an element's style and of those that it stands on."""
        names: list[str] = []
        name = element.get(f"{_TEXT}style-name")
        while name is not None and name not in names:
            names.append(name)
            name = self._parents.get(name)
        return names


def _count(element: Any, name: str) -> int:
    text = element.get(name) or "1"
    return min(max(int(text), 1), _MOST_REPEATED) if text.isdecimal() and len(text) < 9 else 1
