"""Read Word documents, by way of the HTML that their styles, numbering and tables stand for.

Mammoth was measured on the same files: it drops the text of fields, directions, ruby and equations, and shows hidden
text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import replace
from html import escape
from itertools import takewhile
from typing import Any, NamedTuple

from ragassay.documents.html import read_html
from ragassay.documents.packages import Package
from ragassay.documents.parsed import ParsedText

_MOST_COLUMNS = 1_000
_MONOSPACED = re.compile(r"courier|consolas|mono|menlo|code|verbatim", re.IGNORECASE)
_CODE_STYLE = re.compile(r"code|source|listing|preformatted|verbatim", re.IGNORECASE)
_HEADING_STYLE = re.compile(r"(?:heading|überschrift|titre|标题) (\d)", re.IGNORECASE)
_LIST_STYLE = re.compile(r"list (bullet|number)(?: (\d))?", re.IGNORECASE)
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"


def _tags(names: str, namespace: str = _W) -> set[str]:
    return {f"{namespace}{name}" for name in names.split()}


# Around paragraphs, rows, cells or runs: controls, accepted changes, links, fields, directions; not the fallbacks.
_AROUND = _tags("sdt sdtContent customXml smartTag ins moveTo hyperlink fldSimple dir bdo")
_AROUND |= _tags("AlternateContent Choice", _MC)
_MATHS = _tags("oMath oMathPara", MATH)
_DRAWN = _tags("drawing pict object") | _tags("AlternateContent", _MC)
_NOTES = {f"{_W}footnoteReference": "footnotes", f"{_W}endnoteReference": "endnotes"}
_BREAKS = {f"{_W}tab": " ", f"{_W}ptab": " ", f"{_W}noBreakHyphen": "-", f"{_W}br": "<br>", f"{_W}cr": "<br>"}
_HOLDS_MORE = "descendant-or-self::*[local-name() = 'object' or contains(@uri, '/chart') or contains(@uri, '/diagram')]"


def read_docx(data: bytes) -> ParsedText:
    """Read text and structure of a Word document. Raises UnreadableError where it is encrypted or too large."""
    package = Package(data, ".docx")
    writer = _PageWriter(_read_parts(package))
    parsed = read_html(writer.write(), package.title())
    return replace(parsed, notes=tuple(sorted(writer.left_out)))


def _read_parts(package: Package) -> dict[str, Any]:
    """Parse the parts that are read, by the kind of the relationship that leads to them: "styles", "footnotes" ..."""
    main = package.main_part()
    wanted = {link.kind: link.target for link in reversed(package.relations(main))}
    wanted = {kind: wanted[kind] for kind in ("styles", "numbering", "footnotes", "endnotes") if kind in wanted}
    return {kind: package.parsed(name) for kind, name in {"officeDocument": main, **wanted}.items()}


class _OpenList(NamedTuple):
    id: str
    level: int
    tag: str


class _PageWriter:
    """Writes the document as HTML; ``left_out`` says what of it is not read."""

    def __init__(self, parts: dict[str, Any]) -> None:
        self._body = parts["officeDocument"].find(f"{_W}body")
        self._styles = _style_names(parts.get("styles"))
        self._numbered = _numbered_levels(parts.get("numbering"))
        self._notes = {
            (kind, note.get(f"{_W}id")): note
            for kind in _NOTES.values()
            for note in parts.get(kind, ())
            if kind in parts
        }
        self._html: list[str] = []
        self._lists: list[_OpenList] = []
        self._code: list[str] = []
        self._beside: list[Any] = []
        self.left_out: set[str] = set()

    def write(self) -> str:
        self._add_all(self._body)
        return "<body>" + "".join(self._html)

    def _add_all(self, container: Any) -> None:
        """Add the paragraphs and tables in an element; behind each, the notes and text boxes that belong to it."""
        for element in _inside(container, {f"{_W}p", f"{_W}tbl"}):
            if element.tag == f"{_W}tbl":
                self._end(lists=True)
                self._add_table(element)
            elif len(element):
                self._add_paragraph(element)
            else:
                self._end()
            beside, self._beside = self._beside, []
            for inner in beside:
                self._add_all(inner)
        self._end(lists=True)

    def _end(self, *, lists: bool = False) -> None:
        """End a listing of code, and lists too if so said."""
        if self._code:
            self._html.append("<pre>\n{}</pre>".format("\n".join(self._code)))
            self._code.clear()
        while lists and self._lists:
            self._html.append(f"</li></{self._lists.pop().tag}>")

    def _add_paragraph(self, paragraph: Any) -> None:
        text = self._inline(paragraph)
        style = self._style(paragraph, "p")
        if _CODE_STYLE.search(style):
            self._end(lists=True) if not self._code else None
            self._code.append(re.sub(r"</?(?:code|strong)>", "", text).replace("<br>", "\n"))
            return
        self._end()
        if not text.replace("<br>", "").strip():
            return
        heading = _HEADING_STYLE.match(style)
        marker = self._list_marker(paragraph, style)
        if heading or style.lower() == "title":
            self._end(lists=True)
            level = min(max(int(heading[1]), 1), 6) if heading else 1
            self._html.append(f"<h{level}>{text}</h{level}>")
        elif marker is not None:
            self._open_item(marker)
            self._html.append(text)
        elif not re.match(r"toc |(?:header|footer)$", style, re.IGNORECASE):
            self._end(lists=True)
            tag = "blockquote" if "quote" in style.lower() else "p"
            self._html.append(f"<{tag}>{text}</{tag}>")

    def _list_marker(self, paragraph: Any, style: str) -> _OpenList | None:
        number = paragraph.find(f"{_W}pPr/{_W}numPr/{_W}numId")
        list_id = "0" if number is None else _val(number, "0")
        if list_id != "0":
            level = paragraph.find(f"{_W}pPr/{_W}numPr/{_W}ilvl")
            place = int(_val(level, "0")) if level is not None else 0
            return _OpenList(list_id, place, "ol" if (list_id, str(place)) in self._numbered else "ul")
        match = _LIST_STYLE.match(style)
        if match is None:
            return None
        return _OpenList(match[1].lower(), int(match[2] or 1) - 1, "ol" if match[1].lower() == "number" else "ul")

    def _open_item(self, item: _OpenList) -> None:
        if self._lists and self._lists[-1].id != item.id:
            self._end(lists=True)
        while self._lists and self._lists[-1].level > item.level:
            self._html.append(f"</li></{self._lists.pop().tag}>")
        if self._lists and self._lists[-1] == item:
            self._html.append("</li><li>")
            return
        if self._lists and self._lists[-1].level == item.level:
            self._html.append(f"</li></{self._lists.pop().tag}>")
        self._lists.append(item)
        self._html.append(f"<{item.tag} type=unknown><li>")  # which numbers Word shows depends on more than the list

    def _add_table(self, table: Any) -> None:
        rows = list(_inside(table, {f"{_W}tr"}))
        above: dict[int, str] = {}
        heads = 0
        self._html.append("<table>")
        for number, row in enumerate(rows):
            cells = list(_inside(row, {f"{_W}tc"}))
            merges = [cell.find(f"{_W}tcPr/{_W}vMerge") for cell in cells]
            goes_on = [merge is not None and _val(merge, "continue") == "continue" for merge in merges]
            if heads == number < len(rows) - 1 and (_is_header(row, number) or (heads and any(goes_on))):
                heads += 1
            column = _span(row.find(f"{_W}trPr/{_W}gridBefore"), 0)
            self._html.append("<tr>" + "<td></td>" * bool(column))
            for cell, is_merged in zip(cells, goes_on, strict=True):
                columns = max(_span(cell.find(f"{_W}tcPr/{_W}gridSpan"), 1), 1)
                inner = above.get(column, "") if is_merged else self._cell(cell)
                above[column] = inner
                tag = "th" if number < heads else "td"
                self._html.append(f"<{tag} colspan={columns}>{inner}</{tag}>")
                column += columns
            self._html.append("</tr>")
        self._html.append("</table>")

    def _cell(self, cell: Any) -> str:
        """Write the text of a cell; what is in a table in it is its text too."""
        return "<br>".join(map(self._inline, _inside(cell, {f"{_W}p"}, _AROUND | _tags("tbl tr tc"))))

    def _inline(self, paragraph: Any) -> str:
        """Write the runs and equations of a paragraph; remember the notes and text boxes that belong to it."""
        parts: list[str] = []
        for element in _inside(paragraph, _MATHS | {f"{_W}r"}):
            if element.tag in _MATHS:
                parts.append(escape(math_text(element)))
                continue
            if _is_on(element, "vanish"):
                self.left_out.add("Left out: hidden text.")
                continue
            text = "".join(self._run_text(element))
            font = element.find(f"{_W}rPr/{_W}rFonts")
            names = self._style(element, "r"), "" if font is None else font.get(f"{_W}ascii") or ""
            if text.strip() and any(map(_MONOSPACED.search, names)):
                text = f"<code>{text}</code>"
            parts.append(f"<strong>{text}</strong>" if text and _is_on(element, "b") else text)
        return "".join(parts)

    def _run_text(self, run: Any) -> Iterator[str]:
        for child in run:
            if child.tag == f"{_W}t":
                yield escape(child.text or "")
            elif child.tag in _BREAKS:
                yield _BREAKS[child.tag]
            elif child.tag in _NOTES:
                note = self._notes.pop((_NOTES[child.tag], child.get(f"{_W}id")), None)
                self._beside += [] if note is None else [note]
            elif child.tag == f"{_W}ruby":
                self.left_out.add("Left out: readings above the characters (ruby).")
                yield escape("".join(text for base in child.iter(f"{_W}rubyBase") for text in base.itertext(f"{_W}t")))
            elif child.tag in _DRAWN:
                boxes = list(_text_boxes(child))
                self._beside += boxes
                if not boxes and child.xpath(_HOLDS_MORE):
                    self.left_out.add("Left out: charts, diagrams and embedded objects.")

    def _style(self, element: Any, kind: str) -> str:
        """Return the name of the style, or of the default one where there is no such style."""
        named = element.find(f"{_W}{kind}Pr/{_W}{kind}Style")
        names = self._styles[kind]
        return names.get(None if named is None else _val(named, "")) or names.get(None, "")


def _val(element: Any, default: str) -> str:
    value = element.get(f"{_W}val")
    return default if value is None else str(value)


def _span(element: Any, default: int) -> int:
    text = "" if element is None else _val(element, "").strip()
    return min(int(text), _MOST_COLUMNS) if text.isdecimal() and len(text) < 12 else default


def _is_on(run: Any, name: str) -> bool:
    found = run.find(f"{_W}rPr/{_W}{name}")
    return found is not None and _val(found, "true") not in ("0", "false", "off", "none")


def _inside(element: Any, wanted: Set[str], around: Set[str] = _AROUND) -> Iterator[Any]:
    """Yield the wanted elements right inside one, and inside what may stand around them, in order."""
    for child in element:
        if child.tag in wanted:
            yield child
        elif child.tag in around:
            yield from _inside(child, wanted, around)


def _is_header(row: Any, number: int) -> bool:
    """Return whether a row is repeated on each page; the first also if it is all bold, or holds no figure."""
    if number or row.find(f"{_W}trPr/{_W}tblHeader") is not None:
        return row.find(f"{_W}trPr/{_W}tblHeader") is not None
    runs = [run for run in row.iter(f"{_W}r") if "".join(run.itertext(f"{_W}t")).strip()]
    texts = ["".join(cell.itertext(f"{_W}t")).strip() for cell in row.iter(f"{_W}tc")]
    if runs and all(_is_on(run, "b") for run in runs):
        return True
    look = row.getparent().find(f"{_W}tblPr/{_W}tblLook")
    bits = None if look is None else re.fullmatch(r"[0-9A-Fa-f]{1,8}", _val(look, ""))
    first_row = look is not None and (look.get(f"{_W}firstRow") == "1" or (bits and int(bits[0], 16) & 0x20))
    return bool(first_row) and all(texts) and not any(re.search(r"\d", text) for text in texts)


def _style_names(styles: Any) -> dict[str, dict[str | None, str]]:
    """Return the names of paragraph ("p") and character ("r") styles by id; that of the default one by None."""
    found: dict[str, dict[str | None, str]] = {"p": {}, "r": {}}
    for style in () if styles is None else styles.iterchildren(f"{_W}style"):
        kind = {"paragraph": "p", "character": "r"}.get(style.get(f"{_W}type"))
        name = style.find(f"{_W}name")
        if kind is not None and name is not None:
            found[kind].setdefault(style.get(f"{_W}styleId"), _val(name, ""))
            if style.get(f"{_W}default") in ("1", "true", "on"):
                found[kind][None] = _val(name, "")
    return found


def _numbered_levels(numbering: Any) -> set[tuple[str, str]]:
    """Return (id of a list, level) of all whose items have numbers rather than bullets."""
    if numbering is None:
        return set()
    levels: dict[str, list[str]] = {}
    for definition in numbering.iterchildren(f"{_W}abstractNum"):
        formats = {level.get(f"{_W}ilvl"): level.find(f"{_W}numFmt") for level in definition.iterchildren(f"{_W}lvl")}
        levels[definition.get(f"{_W}abstractNumId")] = [
            level for level, kind in formats.items() if kind is not None and _val(kind, "") not in ("bullet", "none")
        ]
    found: set[tuple[str, str]] = set()
    for number in numbering.iterchildren(f"{_W}num"):
        link = number.find(f"{_W}abstractNumId")
        found.update((number.get(f"{_W}numId"), level) for level in levels.get(_val(link, ""), ()) if link is not None)
    return found


def _text_boxes(drawn: Any) -> Iterator[Any]:
    """Yield the contents of text boxes in a drawing, each once: what stands in a fallback, too, is its copy."""
    for box in drawn.iter(f"{_W}txbxContent"):
        above = {ancestor.tag for ancestor in takewhile(lambda ancestor: ancestor is not drawn, box.iterancestors())}
        if above.isdisjoint((f"{_MC}Fallback", f"{_W}txbxContent")):
            yield box


def math_text(element: Any) -> str:
    """Return an equation as one line: "E=mc^2", "(a+b)/2", "√(x)"."""
    name = str(element.tag).removeprefix(MATH)
    if name == "t":
        return str(element.text or "")
    parts = [(str(child.tag).removeprefix(MATH), math_text(child)) for child in element]
    of = {part: text if len(text) < 2 or text.isalnum() else f"({text})" for part, text in parts}
    scripts = "".join(mark + of[part] for mark, part in (("_", "sub"), ("^", "sup")) if of.get(part))
    if name == "f":
        return f"{of.get('num', '')}/{of.get('den', '')}"
    if name == "rad":
        return f"{of.get('deg', '')}√{of.get('e', '')}"
    if name == "nary":
        sign = element.find(f"{MATH}naryPr/{MATH}chr")
        return f"{'∫' if sign is None else sign.get(MATH + 'val')}{scripts} {of.get('e', '')}"
    if name == "d":
        return f"({', '.join(text for part, text in parts if part == 'e')})"
    return "".join(text for part, text in parts if part not in ("sub", "sup")) + scripts
