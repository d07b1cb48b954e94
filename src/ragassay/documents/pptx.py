"""Read presentations, by way of the HTML that their slides stand for: titles as headings, bodies as lists, notes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from typing import Any

from ragassay.documents.docx import MATH, math_text
from ragassay.documents.html import read_html
from ragassay.documents.packages import Package
from ragassay.documents.parsed import ParsedText

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_TITLES = ("title", "ctrTitle")
_RUNNING = ("dt", "ftr", "hdr", "sldNum", "sldImg")
"""Places of what stands on every slide."""
_BODIES = ("", "body", "obj")
"""Places whose paragraphs have bullets unless they say otherwise."""
_NO_TITLE = re.compile(r"(?:power ?point[- ]?)?pr[eäé]sentation|slide \d+|no slide title", re.IGNORECASE)


def read_pptx(data: bytes) -> ParsedText:
    """Read the slides that are shown, in order. Raises UnreadableError where it is encrypted, damaged or too large."""
    package = Package(data, ".pptx")
    place = package.main_part()
    slides = {link.id: link.target for link in package.relations(place) if link.kind == "slide"}
    left_out: set[str] = set()
    pages: list[str] = []
    for entry in package.parsed(place).iterfind(f"{_P}sldIdLst/{_P}sldId"):
        if entry.get(_LINK) in slides:
            name = slides[entry.get(_LINK)]
            slide = package.parsed(name)
            if slide.get("show") in ("0", "false"):
                left_out.add("Left out: hidden slides.")
            else:
                pages += _slide(package, name, slide, left_out, is_first=not pages)
    title = package.title()
    parsed = read_html("<body>" + "".join(pages), "" if _NO_TITLE.fullmatch(title) else title)
    return replace(parsed, notes=tuple(sorted(left_out)))


def _slide(package: Package, name: str, slide: Any, left_out: set[str], *, is_first: bool) -> Iterator[str]:
    """Write the title, the shapes in the order of the file, the text of diagrams, and the notes."""
    shapes = list(_shapes(slide.find(f"{_P}cSld/{_P}spTree")))
    for shape in shapes:
        if _place(shape) in _TITLES and (text := " ".join(_texts(shape.find(f"{_P}txBody")))):
            level = 1 if is_first and _place(shape) == "ctrTitle" else 2
            yield f"<h{level}>{text}</h{level}>"
    for shape in shapes:
        if _place(shape) not in (*_TITLES, *_RUNNING):
            yield _paragraphs(shape.find(f"{_P}txBody"), are_items=_place(shape) in _BODIES)
        for table in shape.iter(f"{_A}tbl"):
            yield _table(table)
        if shape.xpath(".//*[local-name() = 'oleObj' or contains(@uri, '/chart')]"):
            left_out.add("Left out: charts and embedded objects.")
    for link in package.relations(name):
        if link.kind == "diagramData":
            points = package.parsed(link.target).xpath("//*[local-name() = 'pt']/*[local-name() = 't']")
            items = [text for point in points if (text := " ".join(_texts(point)))]
            yield f"<ul><li>{'</li><li>'.join(items)}</ul>" if items else ""
        elif link.kind == "notesSlide":
            for shape in _shapes(package.parsed(link.target).find(f"{_P}cSld/{_P}spTree")):
                texts = list(_texts(shape.find(f"{_P}txBody"))) if _place(shape) == "body" else []
                yield f"<p>Notes: {'</p><p>'.join(texts)}</p>" if texts else ""


def _shapes(tree: Any) -> Iterator[Any]:
    """Yield the shapes and frames of a slide, those in groups too; of alternatives the first."""
    for child in tree if tree is not None else ():
        local = str(child.tag).rpartition("}")[2]
        if local in ("grpSp", "AlternateContent", "Choice"):
            yield from _shapes(child)
        elif local in ("sp", "graphicFrame"):
            yield child


def _place(shape: Any) -> str:
    """Return the kind of a placeholder, empty for a usual one; "box" where a shape is none."""
    place = shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
    return "box" if place is None else place.get("type") or ""


def _texts(body: Any) -> Iterator[str]:
    for paragraph in body.iter(f"{_A}p") if body is not None else ():
        if text := _inline(paragraph):
            yield text


def _paragraphs(body: Any, *, are_items: bool) -> str:
    """Write paragraphs and lists. are_items: paragraphs have bullets; one alone is none."""
    html: list[str] = []
    lists: list[str] = []
    paragraphs = [] if body is None else [(each, text) for each in body.iter(f"{_A}p") if (text := _inline(each))]
    for paragraph, text in paragraphs:
        properties = paragraph.find(f"{_A}pPr")
        marks = set() if properties is None else {str(child.tag).removeprefix(_A) for child in properties}
        level = 0 if properties is None else int(properties.get("lvl") or 0)
        has_bullet = bool(marks & {"buChar", "buAutoNum", "buBlip"}) or (
            are_items and "buNone" not in marks and len(paragraphs) > 1
        )
        while len(lists) > (level + 1 if has_bullet else 0):
            html.append(f"</li></{lists.pop()}>")
        if not has_bullet:
            html.append(f"<p>{text}</p>")
            continue
        if len(lists) == level + 1:
            html.append("</li><li>")
        while len(lists) <= level:
            lists.append("ol" if "buAutoNum" in marks else "ul")
            html.append(f"<{lists[-1]} type=unknown><li>")
        html.append(text)
    return "".join(html) + "".join(f"</li></{tag}>" for tag in reversed(lists))


def _inline(paragraph: Any) -> str:
    parts = []
    for run in paragraph:
        if run.tag == f"{_A}br":
            parts.append("<br>")
        elif run.tag in (f"{_A}r", f"{_A}fld") and run.get("type") != "slidenum":
            text = escape(run.findtext(f"{_A}t") or "")
            properties = run.find(f"{_A}rPr")
            is_bold = properties is not None and properties.get("b") in ("1", "true")
            parts.append(f"<strong>{text}</strong>" if is_bold and text.strip() else text)
        else:
            parts += (escape(math_text(equation)) for equation in run.iter(f"{MATH}oMath"))
    text = "".join(parts)
    return text if text.replace("<br>", "").strip() else ""


def _table(table: Any) -> str:
    look = table.find(f"{_A}tblPr")
    is_headed = look is not None and look.get("firstRow") in ("1", "true")
    html = ["<table>"]
    for number, row in enumerate(table.iterfind(f"{_A}tr")):
        tag = "th" if is_headed and number == 0 else "td"
        html.append("<tr>")
        for cell in row.iterfind(f"{_A}tc"):
            if cell.get("hMerge") not in ("1", "true") and cell.get("vMerge") not in ("1", "true"):
                spans = f"colspan={int(cell.get('gridSpan') or 1)} rowspan={int(cell.get('rowSpan') or 1)}"
                html.append(f"<{tag} {spans}>{'<br>'.join(_texts(cell))}</{tag}>")
        html.append("</tr>")
    return "".join([*html, "</table>"])
