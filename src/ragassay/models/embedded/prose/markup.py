"""Inline markup out of a sentence: Markdown, reStructuredText and MediaWiki, for texts whose reader left it in."""

from __future__ import annotations

import re
from typing import NamedTuple

_STEPS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"<!--.*?-->|<ref[^>]*?/>|<ref[^>]*>.*?</ref>|\{\{[^{}]*\}\}", re.DOTALL), ""),
    (re.compile(r"</?[a-zA-Z][^<>]{0,200}>"), ""),
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), ""),
    (re.compile(r"\[\[(?:[^\]|]*\|)?([^\]|]+)\]\]"), r"\1"),
    (re.compile(r"\[([^\[\]]+)\](?:\([^()\s]*(?:\([^()]*\)[^()\s]*)?\)|\[[^\[\]]*\])"), r"\1"),
    (re.compile(r"\[(?:\^?[\w-]{0,3}|citation needed|edit)\](?!\()|(?<=\w)\[[a-z ?]+\](?![(\[])"), ""),
    (re.compile(r"\[([^\[\]]{4,})\](?!\()"), r"\1"),
    (re.compile(r":[a-z]+(?::[a-z]+)?:`([^`<]+?)(?:\s*<[^>`]*>)?`"), r"`\1`"),
    (re.compile(r"`([^`<]+?)\s*<[^>`]*>`_{1,2}"), r"\1"),
    (re.compile(r"``([^`]+)``"), r"`\1`"),
    (re.compile(r"'''''|'''|(?<!')''(?!')"), ""),
    (re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<![\w*])\*(?=[^\s*])([^*]+?)(?<=\S)\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<![\w_])_(?=[^\s_])([^_]+?)(?<=\S)_(?![\w_])"), r"\1"),
    (re.compile(r"(?<=[.!?])\s*(?:\[\d+\])+"), ""),
    (re.compile("[\ufeff\u200b]"), ""),
)
_INNER = re.compile(r"\((\w+)\)(?=\w)|(?<=\w)\((s|es)\)")
"""Part of a word in brackets: "(re)use", "file(s)"."""
_ASIDE = re.compile(r"\s+\([^()]*(?:\([^()]*\)[^()]*)*\)")
_DASHED_ASIDE = re.compile(r"\s+[—–]\s+[^—–]{3,160}?\s+[—–]\s+|—[^—\s][^—]{2,160}—(?=\w)")
_LABEL = re.compile(r"^(?:`[^`]+`|[A-Z][\w’'/-]*(?: (?:[\w’'/&-]+)){0,4}): (?=[A-Z\"“])")
"""A heading run into its sentence: "Opening hours: We open at nine."."""
_POINTER = re.compile(r"\s+[-–—]\s+(?:see|e\.g\.|i\.e\.|for example)\b.*(?=[.!]$)")
_LITERAL = re.compile(r"`([^`\n]+)`|(?<![\w./])(?:https?://|www\.)[^\s<>]*[\w/]")
_CAPITALS = re.compile(r"(?<![\w-])[A-Z]{2,}(?:[ _][A-Z]{2,})+(?![\w-])")
"""Names of commands and the like, in capitals: "CREATE TABLE AS"."""
_REQUIREMENT = re.compile(r"\b(?:MUST|SHOULD|SHALL|MAY|NOT|REQUIRED|RECOMMENDED|OPTIONAL)\b")
"""The words of RFC 2119 in capitals."""
_SPACES = re.compile(r"\s+")
_BEFORE_MARK = re.compile(r"\s+(?=[,;:!?]|\.(?:\s|$))")


class PlainSentence(NamedTuple):
    """A sentence as it is parsed. literals: what stands for each placeholder word in it, such as a command."""

    text: str
    literals: dict[str, str]


def without_markup(text: str) -> str:
    """The words of a stretch of text as a reader of the finished page sees them; code keeps its backquotes."""
    for pattern, replacement in _STEPS:
        text = pattern.sub(replacement, text)
    return _SPACES.sub(" ", text).strip()


def without_asides(text: str) -> str:
    """Without what stands in brackets or between dashes, which no question needs."""
    text = _INNER.sub(lambda match: match.group(1) or match.group(2), text)
    return _BEFORE_MARK.sub("", _SPACES.sub(" ", _DASHED_ASIDE.sub(" ", _ASIDE.sub("", text)))).strip()


def for_parsing(clean: str) -> PlainSentence:
    """A sentence without asides, each literal in backquotes and each address replaced by one word that is a name."""
    literals: dict[str, str] = {}

    def stand_in(match: re.Match[str]) -> str:
        literal = match.group(1) if match.re is _LITERAL and match.group(1) else match.group()
        if match.re is _LITERAL and match.group(1) and re.fullmatch(r"[A-Za-z]+", literal) and literal.islower():
            return literal
        name = f"Literal{chr(ord('A') + len(literals))}" if len(literals) < 26 else f"Literal{len(literals)}"
        literals[name] = literal
        return name

    if not clean.isupper():
        clean = _REQUIREMENT.sub(lambda match: match.group().lower(), clean)
    text = _LITERAL.sub(stand_in, _LABEL.sub("", _POINTER.sub("", clean)))
    if not clean.isupper():
        text = _CAPITALS.sub(stand_in, text)
    return PlainSentence(without_asides(text.replace("`", "")), literals)
