"""How deep a page's elements are nested, told from its tags: the parser needs quadratic time in the depth.

Where the parser's rules are more than is done here, the depth comes out as greater than it is, never as much smaller.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

MAX_DEPTH = 4_000
"""Open elements: 0.07 s at 4 000, 40 s at 100 000."""

_ATTRIBUTES = r"""((?:\s++|/(?!>)|[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?+)*+)"""
_TAG = re.compile(rf"<(/?)([a-zA-Z][^\s/>]*+){_ATTRIBUTES}(/?)>|<!--(?:-?>|.*?(?:--!?>|\Z))|<[!?/][^>]*+>", re.DOTALL)
_NO_END_NEEDED = frozenset(
    """
    area base body br col embed head hr html img input link meta param source track wbr
    p tr td th option thead tbody tfoot a
    """.split()
)
"""Tags that are empty, stand once, or end when the next of their kind begins, but not inside SVG and MathML."""
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_ITEMS = frozenset("li dd dt".split())
"""The same, but only where no other block is open in between."""
_FOREIGN = frozenset(("svg", "math"))
_HTML_INSIDE = {
    "": frozenset[str](),
    "svg": frozenset("foreignobject desc title".split()),
    "math": frozenset("mi mo mn ms mtext".split()),
}
"""Of SVG and MathML: what is in them is HTML again."""
_BREAKS_OUT = frozenset(
    """
    b big blockquote body br center code dd div dl dt em embed h1 head hr i img li listing menu meta nobr ol p pre ruby
    s small span strong strike sub sup table tt u ul var font
    """.split()
)
"""Elements that end SVG or MathML where they stand directly in it."""
_RAW_TEXT = frozenset("script style xmp iframe noembed noframes textarea title".split())
_SCOPES = frozenset("table template applet marquee object frameset".split())
"""Elements past which an end tag closes nothing."""
_FORMATTING = frozenset("b big code em font i nobr s small strike strong tt u".split())
_BLOCKS = _ITEMS | frozenset(
    """
    address article aside blockquote button center details dialog dir div dl fieldset figcaption figure footer form
    h1 header hgroup listing main menu nav ol pre search section summary ul
    """.split()
)
"""Elements past which only the end tags of others of them close something."""
_SPECIAL = _BLOCKS | _SCOPES | frozenset(("noscript", "plaintext", "select"))
_MOST_PASSED = 100


def is_too_deep(source: str) -> bool:
    """Whether more than ``MAX_DEPTH`` elements of a page are open at once."""
    return source.count("<") > MAX_DEPTH and any(depth > MAX_DEPTH for depth in depths(source))


def depths(source: str) -> Iterator[int]:
    """How many elements are open after each tag."""
    elements = _OpenElements()
    position = 0
    end_of_tags = source.rfind(">") + 1  # of what begins behind it nothing ends, and each would be read to the end
    while (tag := _TAG.search(source, position, end_of_tags)) is not None:
        position = tag.end()
        name = (tag[2] or "").lower()
        if name in _HEADINGS:
            name = "h1"  # the end tag of any of them closes whichever is open
        if tag[1]:
            elements.close(name)
        elif name:
            is_raw = name in _RAW_TEXT and elements.may_hold_raw_text
            elements.begin(name, is_empty=bool(tag[4]))
            if is_raw:
                end = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(source, position)
                position = end.start() if end else len(source)
        yield len(elements)


class _OpenElements:
    def __init__(self) -> None:
        self._names: list[str] = []
        self._foreign: list[str] = []  # "svg", "math", or "" for HTML
        self._counts: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._names)

    @property
    def may_hold_raw_text(self) -> bool:
        """Whether a script, say, that begins here is no markup up to its end tag."""
        return not self._is_foreign() and not self._counts["frameset"]

    def begin(self, name: str, *, is_empty: bool) -> None:
        """An element begins. is_empty: whether its tag ends in a slash, which counts in SVG and MathML alone."""
        if name in _BREAKS_OUT:
            self._break_out()
        if self._is_foreign() or name in _FOREIGN:
            if not is_empty:
                self._open(name, self._foreign[-1] if self._is_foreign() else name)
        elif name not in _NO_END_NEEDED and name not in _RAW_TEXT:
            if name in _ITEMS:
                self._end_item(("li",) if name == "li" else ("dd", "dt"))
            self._open(name, "")

    def close(self, name: str) -> None:
        """Closes the innermost element of this name and those in it, where its end tag may."""
        if name in ("p", "br"):
            self._break_out()
        if not self._counts[name]:
            return
        stays = name == "form"
        for place in self._innermost_first():
            passed = self._names[place]
            if passed == name:
                # what is in a form, and a block in a <b>, stays open
                self._close_from(place, place + 1 if stays else None)
                return
            if (self._is_scope(place) and name not in _SCOPES) or (name == "li" and passed in ("ul", "ol")):
                return
            if name in _FOREIGN and not self._foreign[place]:
                return
            if passed in _SPECIAL and name not in _BLOCKS and name not in _SCOPES:
                if name not in _FORMATTING:
                    return
                stays = True

    def _is_scope(self, place: int) -> bool:
        name = self._names[place]
        return name in _SCOPES or name in _HTML_INSIDE[self._foreign[place]]

    def _is_foreign(self) -> bool:
        """Whether the next element is one of SVG or MathML."""
        return bool(self._names and self._foreign[-1]) and self._names[-1] not in _HTML_INSIDE[self._foreign[-1]]

    def _break_out(self) -> None:
        while self._is_foreign():
            self._close_from(len(self._names) - 1)

    def _end_item(self, names: tuple[str, ...]) -> None:
        for place in self._innermost_first():
            if self._names[place] in names:
                self._close_from(place)
                return
            special = self._names[place] in _SPECIAL and self._names[place] not in ("div", "address")
            if special or self._is_scope(place):
                return

    def _innermost_first(self) -> range:
        last = len(self._names) - 1
        return range(last, max(-1, last - _MOST_PASSED), -1)

    def _open(self, name: str, foreign: str) -> None:
        self._names.append(name)
        self._foreign.append(foreign)
        self._counts[name] += 1

    def _close_from(self, place: int, end: int | None = None) -> None:
        self._counts.subtract(self._names[place:end])
        del self._names[place:end], self._foreign[place:end]
