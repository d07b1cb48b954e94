"""Two things of one kind that a document defines: what the difference between them is."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ragassay.models.embedded.analysis import Analysis, balanced, is_self_contained
from ragassay.models.embedded.drafts import Draft, content_words
from ragassay.models.embedded.scoped.scope import scoped
from ragassay.text import sentences

_MOST_PAIRS = 4
_ITEM = re.compile(r"^(?P<name>[A-Z][\w’' /-]{1,30}?)(?::| [–—-]) (?P<text>.{12,})$", re.DOTALL)
_NO_DEFINITION = re.compile(
    r"(?:see|same as|like|this|these|those|as above|note|if|when|equivalent|synonym|deprecated|obsolete|you|we|"
    r"for example|by default|yes|no|\d)\b|.*\{\}",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"^(?:note|notes|tip|warning|example|examples|important|see also|step \w+|\d.*|the .*|.*\*.*|"
    r"(?:const|unsigned|struct|enum|int|char|void|bool|size_t|u?int(?:\d+\w*)?|[us]\d+) .*)$",
    re.IGNORECASE,
)


class _Defined(NamedTuple):
    """quotes: where it stands. text: its first sentence, which says what it is.

    are_kinds: whether its heading says that it is one of several things of a kind: 'Types of structure', 'Modes'.
    """

    name: str
    text: str
    quotes: tuple[str, ...]
    are_kinds: bool = False


def contrasts(analysis: Analysis, facts: Sequence[Draft]) -> Iterator[Draft]:
    """'What is the difference between the Auto and the Sleep mode?': neighbours in a list of definitions."""
    for group in _groups(analysis, facts):
        counts = Counter(word for each in group for word in _words(each.name))
        usual = {word for word, count in counts.items() if count > 2 and count * 2 > len(group)}
        pairs = [(one, other) for one, other in pairwise(group) if _are_comparable(one, other, usual)]
        for one, other in pairs[: 2 * _MOST_PAIRS : 2]:
            answer = f"{one.name}: {one.text.rstrip(' .,;')}; {other.name}: {other.text.rstrip(' .,;')}"
            yield from scoped(
                analysis,
                Draft(
                    pattern="contrast",
                    question=f"what is the difference between {_quoted(one.name)} and {_quoted(other.name)}?",
                    answer=answer,
                    statement=f"{answer}.",
                    quotes=(*one.quotes, *other.quotes),
                    attribute="difference",
                ),
            )


_KINDS = re.compile(
    r"\b(?:types|kinds|sorts|forms|modes|classes|categories|levels|stages|methods|strategies|styles|ways|roles|states|"
    r"phases|schemes|plans|tiers|formats|algorithms|layers|licen[cs]es)\b",
    re.IGNORECASE,
)


def _words(name: str) -> set[str]:
    return set(re.findall(r"[a-z]{3,}", name.lower())) - {"the", "and"}


def _are_comparable(one: _Defined, other: _Defined, usual: set[str]) -> bool:
    """Whether one would ask how they differ: things of a kind, or of names or definitions that share a word.

    usual: words in most names of the group, such as the prefix of all functions.
    """
    if one.name.lower() == other.name.lower() or one.text == other.text:
        return False
    if one.are_kinds and other.are_kinds:
        return True
    if (_words(one.name) & _words(other.name)) - usual:
        return True
    texts = [set(content_words(each.text)[:6]) for each in (one, other)]
    return not one.name.startswith("-") and len(texts[0] & texts[1]) >= 2


def _quoted(name: str) -> str:
    return name if re.search(r"^-|[_\d]", name) or name.isupper() else f"“{name}”"


def _groups(analysis: Analysis, facts: Sequence[Draft]) -> Iterator[list[_Defined]]:
    by_group: dict[int, list[_Defined]] = defaultdict(list)
    for entry in analysis.terms:
        if entry.names == 1 and (found := _defined(entry.name, entry.text, (entry.opening,))):
            by_group[entry.group].append(found._replace(are_kinds=_KINDS.search(entry.section) is not None))
    yield from by_group.values()
    for listed in analysis.lists:
        matches = [(item, match) for item in listed.items if (match := _ITEM.match(item.strip()))]
        if len(matches) == len(listed.items) >= 2:
            are_kinds = _KINDS.search(f"{listed.section} {listed.intro}") is not None
            found_here = [_defined(match["name"], match["text"], (item,)) for item, match in matches]
            yield [each._replace(are_kinds=are_kinds) for each in found_here if each]
    for table in analysis.tables:
        if len(table.header) == 2 and re.search(r"descri|meaning|definition|purpose", table.header[1], re.IGNORECASE):
            rows = zip(table.rows, table.quotes, strict=True)
            yield [each for row, quote in rows if (each := _defined(row[0], row[1], (quote,)))]
    by_head: dict[str, list[_Defined]] = defaultdict(list)
    for fact in facts:
        match = (
            re.search(r"what is (?:an? )?(?P<name>[^?]+)\?$", fact.question)
            if fact.pattern == "what_is_named"
            else None
        )
        if match:
            head = re.split(r" (?:of|that|which|for|used|to|in|with|by) |,", fact.answer)[0].split()[-1].lower()
            by_head[head].append(_Defined(match["name"], fact.answer, fact.quotes, are_kinds=True))
    yield from by_head.values()


def _defined(name: str, text: str, quotes: tuple[str, ...]) -> _Defined | None:
    first = re.sub(r"\s+", " ", next(iter(sentences(text)), "")).strip()
    name = re.sub(r"\s+", " ", name).strip(" .:")
    if not 1 <= len(name.split()) <= 4 or len(name) > 40 or _NO_NAME.match(name) or re.search(r"[,;?!“”\"=<>]", name):
        return None
    if not 4 <= len(first.split()) <= 28 or first.endswith(":") or _NO_DEFINITION.match(first) or not balanced(first):
        return None
    if (
        not is_self_contained(first, subject_is_theme=False)
        or len(set(content_words(first)) - set(content_words(name))) < 3
    ):
        return None
    return _Defined(name, first, quotes)
