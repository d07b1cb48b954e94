"""Read e-books: their chapters in reading order, as the web pages that they are."""

from __future__ import annotations

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
    pages = "".join(_page(package.parsed(chapter, mend=True)) for chapter in chapters)
    return read_html(f"<main>{pages}</main>", package.title(name))


def _page(root: Any) -> str:
    """Write the body as HTML: what XHTML writes as one tag would stay open there."""
    bodies = root.xpath("//*[local-name() = 'body']")
    for element in bodies[0].iter(etree.Element) if bodies else ():
        element.tag = etree.QName(element).localname
    return "".join(
        str(etree.tostring(child, method="html", encoding="unicode")) for body in bodies[:1] for child in body
    )
