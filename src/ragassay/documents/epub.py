"""Read e-books: their chapters in reading order, as the web pages that they are."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import Any
from urllib.parse import unquote

from lxml import etree

from ragassay.documents.html import read_html
from ragassay.documents.packages import Package, target_of
from ragassay.documents.parsed import ParsedText, UnreadableError


def read_epub(data: bytes) -> ParsedText:
    """Read the chapters of a book. Raises UnreadableError where it is encrypted, damaged or too large."""
    package = Package(data, ".epub")
    places = package.parsed("META-INF/container.xml").xpath("//*[local-name() = 'rootfile']/@full-path")
    name = target_of("", places[0])
    book = package.parsed(name)
    items = {item.get("id"): item for item in book.xpath("//*[local-name() = 'manifest']/*[local-name() = 'item']")}
    order = [items.get(entry.get("idref")) for entry in book.xpath("//*[local-name() = 'itemref']")]
    chapters = [
        target_of(name, unquote(item.get("href") or ""))
        for item in order
        if item is not None and "nav" not in (item.get("properties") or "").split()
    ]
    if "META-INF/encryption.xml" in package:
        links = package.parsed("META-INF/encryption.xml").xpath("//*[local-name() = 'CipherReference']/@URI")
        if not {target_of("", unquote(link)) for link in links}.isdisjoint(chapters):
            raise UnreadableError("it is protected against copying (DRM)")
    pages, faults = [], []
    for chapter in dict.fromkeys(chapters):
        try:
            pages.append(_page(package.parsed(chapter, mend=True)))
        except UnreadableError as error:
            faults.append(error)
    if faults and not pages:
        raise faults[0]
    notes = [f"Left out: chapters that cannot be read ({len(faults)}); the first: {faults[0]}."] if faults else []
    return replace(read_html(f"<main>{''.join(pages)}</main>", package.title(name)), notes=tuple(notes))


def _page(root: Any) -> str:
    """Write the body as HTML: what XHTML writes as one tag would stay open there."""
    bodies = root.xpath("//*[local-name() = 'body']") or [etree.Element("body")]
    for element in bodies[0].iter(etree.Element):
        element.tag = etree.QName(element).localname
    inside = (etree.tostring(child, method="html", encoding="unicode") for child in bodies[0])
    return f"<div>{escape(bodies[0].text or '')}{''.join(inside)}</div>"
