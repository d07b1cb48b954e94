"""Markdown to text and blocks, by way of the HTML that it stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from ragassay.documents.html import read_html
from ragassay.documents.key_values import pairs_of
from ragassay.documents.parsed import ParsedText, Piece, running_text

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_FIELD = re.compile(r"([A-Za-z][\w -]*):[ \t]+(\S.*)")
_FOOTNOTE_MARK = re.compile(r"\[\^[^\]\n]{1,40}\]")
_FOOTNOTE = re.compile(r"^ {0,3}\[\^[^\]\n]{1,40}\]:[ \t]+", re.MULTILINE)
"""CommonMark would take it for the target of a link."""
_HEADING_ID = re.compile(r"\s*\{[#.:][^}\n]*\}\s*$")
_TASK_BOX = re.compile(r"\A\[[ xX]\]\s+")
_DEFINITION = re.compile(r":[ \t]+")
_MARKS = re.compile(
    r"^#{1,6} \S|^(?:[-*+]|\d+\.) +\S.*\*\*|^\|.+\|[ \t]*$|^```|\*\*[^*\n]{1,200}\*\*"
    r"|\[[^\[\]\n]{1,200}\]\((?:https?:|/|#|\.)[^)\n]{0,500}\)",
    re.MULTILINE,
)


_LABEL = re.compile(r"[A-Z][\w'’-]*(?: [\w'’-]+){0,5}:|[\u4e00-\u9fff]{2,12}[:：]")
_FEWEST_LABELLED = 2
"""Lines below a label that are keys and values, so that it is no sentence with a colon at its end."""


def read_markdown(source: str) -> ParsedText:
    """Read text and structure of a Markdown file; the scalars of its front matter become metadata.

    The title is the front matter's, else the first heading.
    """
    match = _FRONT_MATTER.match(source)
    found = (_FRONT_FIELD.fullmatch(line.rstrip()) for line in match[1].split("\n")) if match else ()
    fields = {field[1].strip(): field[2].strip("\"' ") for field in found if field}
    parsed = read_html(to_html(source[match.end() :] if match else source), fields.pop("title", ""))
    return replace(parsed, metadata={**fields, **parsed.metadata})


def to_html(source: str) -> str:
    """Return the HTML that a text without front matter stands for."""
    return str(_parser().render(_FOOTNOTE.sub("", source)))


def looks_like_markdown(text: str) -> bool:
    """Return whether a text of unknown format is Markdown: at least three marks of it."""
    return sum(1 for _, _ in zip(_MARKS.finditer(text), range(3), strict=False)) >= 3


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    parser.core.ruler.push("ragassay", lambda state: _mark_up(state.tokens))
    return parser


def _mark_up(tokens: list[Token]) -> None:
    """Mark up what CommonMark does not know: lines of keys and values, definition lists, notes, heading ids."""
    for index, token in enumerate(tokens):
        if token.type != "inline" or not token.children:
            continue
        _clean_texts(token.children, heading=tokens[index - 1].type == "heading_open")
        if tokens[index - 1].type == "paragraph_open" and any(child.type == "softbreak" for child in token.children):
            below = list(_lines(token.children))[1:]
            if all(line and line[0].type == "text" and _DEFINITION.match(line[0].content) for line in below):
                _to_definition_list(tokens[index - 1], token, tokens[index + 1])
            else:
                _keep_pair_lines(token.children)


def _clean_texts(children: Sequence[Token], heading: bool) -> None:
    for child in children:
        if child.type == "text":
            child.content = _FOOTNOTE_MARK.sub("", child.content)
            if heading:
                child.content = _HEADING_ID.sub("", child.content)
    first = children[0]
    if first.type == "text":
        first.content = _TASK_BOX.sub("", first.content)


def _lines(children: Sequence[Token]) -> Iterator[list[Token]]:
    line: list[Token] = []
    for child in children:
        if child.type in ("softbreak", "hardbreak"):
            yield line
            line = []
        else:
            line.append(child)
    yield line


def _keep_pair_lines(children: Sequence[Token]) -> None:
    """Keep lines that are all "Key: value", which Markdown flows together; the first may be a label above them."""
    lines = [running_text(_pieces(line)) for line in _lines(children)]
    labelled = len(lines) > _FEWEST_LABELLED and _LABEL.fullmatch(lines[0].text) is not None
    if all(pair is not None for pair in pairs_of(lines[labelled:])):
        for child in children:
            if child.type == "softbreak":
                child.type, child.tag = "hardbreak", "br"


def _pieces(line: Sequence[Token]) -> Iterator[Piece]:
    strong = 0
    for token in line:
        if token.type == "strong_open":
            strong += 1
        elif token.type == "strong_close":
            strong -= 1
        else:
            yield Piece(token.content, strong=strong > 0)


def _to_definition_list(opening: Token, inline: Token, closing: Token) -> None:
    from markdown_it.token import Token

    children: list[Token] = []
    for number, line in enumerate(_lines(inline.children or [])):
        tag = "dd" if number else "dt"
        if number:
            line[0].content = _DEFINITION.sub("", line[0].content, count=1)
        children += [Token(f"{tag}_open", tag, 1), *line, Token(f"{tag}_close", tag, -1)]
    inline.children = children
    opening.tag = closing.tag = "dl"
    opening.hidden = closing.hidden = False
