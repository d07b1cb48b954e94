"""HTML to text and blocks: what a person reads of the page, without its navigation."""

from __future__ import annotations

import re
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ragassay.documents.html_blocks import ADMONITIONS, BLOCK_TAGS, BlockWriter
from ragassay.documents.parsed import ParsedText, Piece, running_text, split_number

_DROPPED_TAGS = frozenset(
    """
    script style noscript template head nav footer iframe object embed svg math canvas audio video button select
    textarea input datalist dialog menu rp
    """.split()
)
_READINGS = frozenset(("rt", "rtc"))
_DROPPED_CLASSES = frozenset(
    """
    navheader navfooter toc navigation nav navbar breadcrumb breadcrumbs sidebar sphinxsidebar related relbar headerlink
    permalink anchor hash-link hidden sr-only visually-hidden screen-reader-text skip-link skiplink mw-jump-link
    mw-editsection
    noprint printfooter cookie-banner contents toctree-wrapper edit-link pagination footnote-reference back-to-top
    """.split()
)
_DROPPED_IDS = frozenset("toc table-of-contents sidebar breadcrumbs navigation mw-navigation".split())
_DROPPED_ROLES = frozenset(
    "navigation banner contentinfo search complementary doc-toc doc-noteref doc-backlink menu menubar dialog".split()
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_CLASSED_TAGS = BLOCK_TAGS | {"a", "sup", "span"}
_HIDDEN_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)
_NOSCRIPT = re.compile(r"<noscript\b(?:(?!<noscript\b).)*?</noscript[^>]*>", re.IGNORECASE | re.DOTALL)
"""In a head, the parser would take what is in it for the page's text."""
_HIDDEN = "Left out: text that the page hides."
_RUBY = "Left out: readings above the characters (ruby)."
_GENERIC_TITLES = frozenset(("", "untitled", "untitled document", "home", "index", "document", "welcome"))
_PERMALINKS = "¶§#🔗"
_SITE_NAME = re.compile(r"(?<=\w\w)\s+[|»·]\s+\S.*\Z")
_DASHES = str.maketrans("‐‑‒–—’‘", "-----''")


def read_html(source: str, title: str = "") -> ParsedText:
    """Read text and structure of a page.

    title: where it is known from elsewhere; else that of the page, or its first heading.
    """
    tree = LexborHTMLParser(_NOSCRIPT.sub("", source))
    root = tree.css_first("main, [role=main]") or tree.body
    if root is None:
        return ParsedText(title="", text="")
    numbered = split_number(title or _page_title(tree, root))
    writer = BlockWriter(numbered.title)
    left_out = _walk(root, writer)
    parsed = writer.finish({"section_number": numbered.number} if numbered.number else {})
    return replace(parsed, notes=tuple(sorted(left_out)))


def _page_title(tree: LexborHTMLParser, root: LexborNode) -> str:
    """Return the <title> without the name of the site, or the first heading where it says the same or is missing."""
    named = tree.css_first("head > title")
    title = running_text([Piece(named.text())]).text if named else ""
    generic = title.lower() in _GENERIC_TITLES
    headings = root.css("h1")
    heading = next((each for each in headings if not _leads_away(each)), headings[0] if headings else None)
    first = running_text([Piece(heading.text())]).text.rstrip(_PERMALINKS).rstrip() if heading else ""
    if first and (generic or _comparable(first) in _comparable(title)):
        return first
    return "" if generic else _SITE_NAME.sub("", title)


def _leads_away(heading: LexborNode) -> bool:
    """Return whether a heading is a link to another page, as the name of a site is."""
    link = heading.css_first("a[href]:not([href^='#'])")
    return link is not None and link.text(strip=True) == heading.text(strip=True)


def _comparable(title: str) -> str:
    return title.lower().translate(_DASHES)


def _walk(root: LexborNode, writer: BlockWriter) -> set[str]:
    """Show the writer ``root`` and all below it, without recursion; return what is to be said of text left out."""
    left_out: set[str] = set()
    path: list[tuple[LexborNode, str]] = []
    node: LexborNode | None = root
    while node is not None:
        tag = node.tag or "-"
        if tag == "-text":
            writer.text(node.text_content or "")
        elif tag in _READINGS:
            left_out.add(_RUBY)
        elif tag[0] not in "-!" and tag not in _DROPPED_TAGS:
            classes = _classes(node, tag)
            if classes is None and _is_hidden(node) and node.text(strip=True):
                left_out.add(_HIDDEN)
            if classes is not None:
                writer.enter(tag, classes, node)
                path.append((node, tag))
                child = node.child
                if child is not None:
                    node = child
                    continue
                path.pop()
                writer.leave(tag)
        following = node.next if path else None
        while following is None and path:
            node, tag = path.pop()
            writer.leave(tag)
            following = node.next if path else None
        node = following
    return left_out


def _classes(node: LexborNode, tag: str) -> tuple[str, ...] | None:
    """Return the classes of an element in lower case; None where it is navigation or hidden, and is not read."""
    attributes = node.attributes
    if attributes and _is_hidden(node):
        return None
    if tag not in _CLASSED_TAGS:
        return ()
    classes = tuple((attributes.get("class") or "").lower().split()) if attributes else ()
    if tag in ("header", "aside") and ADMONITIONS.isdisjoint(classes):
        return None if tag == "aside" or not _heads_an_article(node) else classes
    if not attributes:
        return classes
    if attributes.get("aria-hidden") == "true":
        return None
    is_dropped = attributes.get("role") in _DROPPED_ROLES and not _leads_back_from_heading(node)
    if is_dropped or (attributes.get("id") or "").lower() in _DROPPED_IDS:
        return None
    if (tag == "sup" and "footnote" in classes) or not _DROPPED_CLASSES.isdisjoint(classes):
        return None
    return classes


def _is_hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    return "hidden" in attributes or _HIDDEN_STYLE.search(attributes.get("style") or "") is not None


def _leads_back_from_heading(node: LexborNode) -> bool:
    """Return whether the words of a heading are a link back to the table of contents, as Sphinx makes them."""
    parent = node.parent
    return node.attributes.get("role") == "doc-backlink" and parent is not None and parent.tag in _HEADINGS


def _heads_an_article(node: LexborNode) -> bool:
    """Return whether a header belongs to an article or section, whose title it holds, rather than to the site."""
    parent = node.parent
    return (
        parent is not None and parent.tag in ("article", "section", "main") and node.css_first("h1, h2, h3") is not None
    )
