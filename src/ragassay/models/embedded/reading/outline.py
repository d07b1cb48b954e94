"""Headings: where one stands among those of its passage, whether it tells to do something, how a sentence has it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragassay.models.embedded.reading.grammar import lemma, tokens_of
from ragassay.models.embedded.reading.parser import is_word, parse
from ragassay.tasks.statements import Passage


def heading_above(passage: Passage, heading: str) -> str:
    """The heading that a heading stands below; '' for those right below the title, or below what repeats it."""
    path: list[tuple[int, str]] = []
    section = passage.section
    for block in passage.blocks:
        if block.kind == "title":
            path.clear()
        if block.kind != "heading":
            continue
        name = passage.text[block.start : block.end].strip()
        while path and path[-1][0] >= block.level:
            path.pop()
        if name == heading:
            above = [inner for _, inner in path] or [*(section[:-1] if section[-1:] == (name,) else section)]
            return _unless_title(above[-1], passage) if above else ""
        path.append((block.level, name))
    return _unless_title(section[section.index(heading) - 1], passage) if heading in section[1:] else ""


def _unless_title(heading: str, passage: Passage) -> str:
    title, name = passage.title.lower(), heading.lower()
    return "" if name in title or (title and title in name) else heading


def is_instruction(heading: str) -> bool:
    """'Install the package', 'Check external links': an imperative, as the parser reads it."""
    first, second, *rest = [*heading.lower().split(), "", ""]
    is_verb, is_noun = is_word(first, "verb"), is_word(first, "noun")
    if (is_noun and not is_verb) or second in {"versus", "vs", "vs."}:
        return False  # 'Menu by menu', 'Enter versus Return'
    if second in {"to", "up", "for", "with", "on"} and is_verb:
        # 'Focus on the journey', which the parser takes for a noun; but 'Action to open items', 'Letter with statement'
        return second in {"up", "on"} or not is_noun
    if second == "and" and is_verb:
        return len(rest) > 3 and is_word(rest[0], "verb")  # 'Build and test the app', not 'Water and wind'
    (doc,) = parse([f"{heading}."])
    return doc[0].tag_ in {"VB", "VBP"} and doc[0].dep_ == "ROOT"


def plain_heading(heading: str, text: str) -> str:
    """A heading in sentence case: each word as the text writes it inside sentences, acronyms as they are."""
    words = []
    for word in heading.split():
        lower = len(re.findall(rf"(?<=[a-z,] ){re.escape(word.lower())}\b", text))
        same = len(re.findall(rf"(?:(?<=[a-z,] )|(?<=[A-Z]{{2}} )){re.escape(word)}\b", text))  # 'GNOME Classic'
        keep = _WRITTEN_SO.search(word) or same > lower
        words.append(word if keep else word.lower())
    return " ".join(words)


def even_heading(heading: str, text: str) -> str:
    """A heading in sentence case without its odd capitals: 'Insert a graphic From a file', 'Apply a Character style'.

    A word stays as it is unless it is one of grammar, or the text writes it small more often than not.
    """
    first, *rest = heading.split()
    words = [first]
    for word in rest:
        is_odd = word[:1].isupper() and not _WRITTEN_SO.search(word) and word != "I"
        if is_odd and word.lower() not in _OF_GRAMMAR:
            lower = len(re.findall(rf"(?<=[a-z,] ){re.escape(word.lower())}\b", text))
            is_odd = lower > len(re.findall(rf"(?<=[a-z,] ){re.escape(word)}\b", text))
        words.append(word.lower() if is_odd else word)
    return " ".join(words)


_WRITTEN_SO = re.compile(r"[_\d]|[a-z][A-Z]|[A-Z].*[A-Z]")
"""A word whose capitals say something: ID, IPv6, GNU/Linux."""
_OF_GRAMMAR = frozenset("a an the and or of in on at to for from with by as is are your my if when".split())


def are_instructions(items: Sequence[str]) -> bool:
    """Whether four fifths of the items begin with a verb in the imperative."""
    firsts = [item.split()[0].strip(",.:").lower() for item in items if item.split()]
    told = [
        word
        for word in firsts
        if lemma(word) == word and tokens_of(f"to {word} it")[1].tag in {"VB", "VBP", "NN"} and word not in _NO_VERB
    ]
    return len(told) * 5 >= len(items) * 4


_NO_VERB = frozenset(
    """
    the a an all any each every no not it this that these those if when you your we our in on at for from by with
    and or current is are was one two
""".split()
)
