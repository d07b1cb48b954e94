"""Contexts that nobody asks questions about: navigation, lists of links, tables of contents, indexes, licences."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Literal

from ragassay.records import Document
from ragassay.text import CJK

Trivial = Literal["too short", "links", "names", "table of contents", "licence"]
"""Why a stretch gives nothing to ask about."""

FEWEST_CHARS = 150
"""Of prose, definitions, cells and values, code left out."""
_HEADINGS = re.compile(
    r"references|external links?|see also|further reading|bibliography|notes and references|footnotes|citations"
    r"|works cited|(?:table of )?contents|(?:general |subject |name )?index|site ?map"
    r"|related (?:articles|pages|links|topics)|navigation|(?:in|on) this (?:article|page|section)|quick links"
    r"|licen[cs]e(?: agreement)?|licensing|legal(?: notices?| information)?|copyright(?: notice| and licen[cs]e)?"
    r"|disclaimers?|trademarks?|imprint|impressum|contributors|acknowledge?ments?"
    r"|list of (?:figures|tables|examples)|sub-?sections"
    r"|参考文献|参考资料|外部链接|参见|延伸阅读|目录|索引|版权声明|免责声明|许可协议|致谢",
    re.IGNORECASE,
)
_STRUCTURED = frozenset(("definition", "cell", "value", "step", "quote"))
MOST_LINKS = 0.6
"""Share of a page's characters inside links above which it is an index or a table of contents."""
_LEADER = re.compile(
    r"^.{2,120}?(?:\.{4,}+|(?:\. ){3,}+|…{2,}+|·{4,}+|_{4,}+)[ \t]*(?:\d{1,4}|[ivxl]{1,6})?[ \t]*$", re.MULTILINE
)
"""A line of a table of contents: a title, dots, the page."""
_LEADERS = ("....", ". . . ", "……", "····", "____")
"""What such a line holds; looked for first, since the pattern tries every place of every line."""
_LEADERS_FROM = 0.5

_LEGAL = re.compile(
    r"""\b(?:copyright(?:s|ed)? | copyleft | licen[cs](?:e[sd]?|or|ors|ees?|ing) | sublicens\w+ | relicens\w+
    | warrant(?:y|ies) | merchantability | fitness\ for\ a\ particular | liab(?:le|ility|ilities) | indemnif\w+
    | (?:re)?distribut(?:e|ion|ions|ing|ed) | permission\ (?:is|notice) | hereby | disclaim(?:er|ers|s|ed)?
    | damages | tort(?:ious)? | infring\w+ | patents? | royalt\w+ | derivative\ works? | free\ software
    | public\ domain | source\ (?:code\ )?form | object\ code | all\ rights\ reserved | as\ is | l?gpl | contributors?
    | covered\ (?:work|code|software) | common-licenses | debianized | upstream-\w+ | third[- ]part(?:y|ies)
    | trademarks? | terms\ and\ conditions | notices? | without\ limitation)\b | © | \(c\)""",
    re.IGNORECASE | re.VERBOSE,
)
"""What licences, copyright files and legal notices are made of."""
_FORMULA = re.compile(
    r"""copyright\W{0,3}(?:\(c\)|©|\d{4}) | permission\ (?:is|notice) | hereby\ grant | \bas[ -]is\b
    | without\ (?:any\ )?warrant | licensed\ (?:under|to) | all\ rights\ reserved | public\ licen[cs]e
    | warranties\ of | free\ software | common-licenses | licen[cs]e\ agreement""",
    re.IGNORECASE | re.VERBOSE,
)
"""What a licence says and a report about a lawsuit does not."""
_WORD = re.compile(r"\w+")
_CERTAIN = ("copyright", "licen", "warrant", "redistribut", "all rights reserved", "trademark")
"""A text without any of these is no licence: looked for first, since it takes no time."""
_KIND_CHARS = 6
_KINDS_FROM = 3
LEGAL_DOCUMENT_FROM, LEGAL_STRETCH_FROM = 0.045, 0.075
"""Share of a text's words that begin such a term, above which it is a licence, if it has several kinds of them.

Of 602 licences and copyright files of a Linux system 593 are found. Of 2 567 other documents none that is no title
page or legal notice is; the next one, at 0.033, is an article about a lawsuit. A stretch of a document that is no
licence needs more, since sections of that article reach 0.067 (docs/decisions/synthesis.md).
"""


def is_trivial_heading(heading: str) -> bool:
    """Return whether a section is called something like "References" or "Contents"."""
    return _HEADINGS.fullmatch(heading.strip(" :.")) is not None


def is_licence(text: str, share: float = LEGAL_DOCUMENT_FROM) -> bool:
    """Return whether a text is a licence, a copyright file or a legal notice, by the share of legal terms in it."""
    lower = text.lower()
    if not any(term in lower for term in _CERTAIN):
        return False
    terms = _LEGAL.findall(lower)
    if len({term[:_KIND_CHARS] for term in terms}) < _KINDS_FROM or not _FORMULA.search(" ".join(lower.split())):
        return False
    return len(terms) >= share * len(_WORD.findall(lower))


def why_trivial(document: Document, start: int, end: int) -> Trivial | None:
    """Return why a stretch gives nothing to ask about; None where it may. ``is_licence`` knows whole licences."""
    if _size(document.text, start, end) < FEWEST_CHARS:
        return "too short"
    if float(document.metadata.get("link_share", "0")) > MOST_LINKS:
        return "links"
    text = document.text[start:end]
    if any(leader in text for leader in _LEADERS) and (
        sum(len(match.group()) for match in _LEADER.finditer(text)) >= _LEADERS_FROM * len(text)
    ):
        return "table of contents"
    if is_licence(text, LEGAL_STRETCH_FROM):
        return "licence"
    return "names" if _chars_with_content(document, start, end) < FEWEST_CHARS else None


def _size(text: str, start: int, end: int) -> int:
    """Count the characters of a stretch; each Han or kana sign counts as three, since about two of them make a word."""
    return end - start if text.isascii() else end - start + 2 * len(_DENSE.findall(text, start, end))


_DENSE = re.compile(f"[{CJK}]")


def _chars_with_content(document: Document, start: int, end: int) -> int:
    """Characters that say something: sentences, and the cells, values and definitions that a question may ask for."""
    if not document.blocks:
        return _size(document.text, start, end)
    total = 0
    blocks = document.blocks
    for index in range(bisect_left(blocks, start + 1, key=lambda block: block.end), len(blocks)):
        block = blocks[index]
        if block.start >= end:
            break
        length = _size(document.text, max(block.start, start), min(block.end, end))
        if block.kind in _STRUCTURED or (block.kind in ("paragraph", "item") and length >= 40):
            total += length
    return total
