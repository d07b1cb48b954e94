"""How deep pages are nested: told from the tags, against the parser itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from ragassay.corpus.html_depth import MAX_DEPTH, depths, is_too_deep

_TAGS = (
    "div p span section table td ul li dl dd dt h1 h2 blockquote form a a-b svg g math button title script x".split()
)
_TRICKS = (
    "<!-- </div> -->",
    "<!x </div>",
    "<p a='</div>'>",
    '<p a=="></div>">',
    "<div title=/>",
    "<g/>",
    "</p>",
    "text",
)
_PIECES = [*(f"<{tag}>" for tag in _TAGS), *(f"</{tag}>" for tag in _TAGS), *_TRICKS]
_REPEATED = 100


def _parsed_depth(source: str) -> int:
    deepest = 0
    waiting: list[tuple[LexborNode, int]] = [(LexborHTMLParser(source).root, 1)]
    while waiting:
        node, depth = waiting.pop()
        deepest = max(deepest, depth)
        child = node.child
        while child is not None:
            waiting.append((child, depth + 1))
            child = child.next
    return deepest


@given(st.lists(st.sampled_from(_PIECES), max_size=3), st.lists(st.sampled_from(_PIECES), min_size=1, max_size=6))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_no_page_is_much_deeper_than_told(lead: list[str], unit: list[str]) -> None:
    source = "".join(lead) + "".join(unit) * _REPEATED
    told = max(depths(source), default=0)
    # a table is four elements deep at its cells, of which one is counted
    assert _parsed_depth(source) <= 5 * told + 30


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("<div><div></div>", [1, 2, 1]),
        ("<div></b></span>", [1, 1, 1]),  # nothing that these could close
        ("<div><!-- </div> -->", [1, 1]),
        ("<div title='</div>'>", [1]),
        ("<div title=x></div>", [1, 0]),
        ("<div><script></div></script>", [1, 1, 1]),
        ("<ul><li><li><ul><li></ul></ul>", [1, 2, 2, 3, 4, 2, 0]),
        ("<ul><li><ul></li>", [1, 2, 3, 3]),
        ("<div><table></div></table></div>", [1, 2, 2, 1, 0]),
        ("<b><div></b></div>", [1, 2, 1, 0]),  # the block stays open
        ("<span><div></span>", [1, 2, 2]),
        ("<svg><g/><g></svg>", [1, 1, 2, 0]),
        ("<svg><g><div></svg>", [1, 2, 1, 1]),  # a <div> ends SVG
        ("<h1><h2></h3>", [1, 2, 1]),
        ("<p><br><img>text", [0, 0, 0]),
    ],
)
def test_depth_after_each_tag(source: str, told: list[int]) -> None:
    assert list(depths(source)) == told


def test_the_limit() -> None:
    assert is_too_deep("<div>" * (MAX_DEPTH + 1))
    assert not is_too_deep("<div>" * MAX_DEPTH)
    assert not is_too_deep("<div>x</div>" * 10 * MAX_DEPTH)
