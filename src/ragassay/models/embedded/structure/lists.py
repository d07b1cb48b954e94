"""Lists whose heading says what the items are: "Corrective actions" of a pump failure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ragassay.models.embedded.reading.analysis import Analysis, ListedItems, balanced
from ragassay.models.embedded.reading.grammar import noun_phrase
from ragassay.models.embedded.reading.outline import heading_above, plain_heading
from ragassay.models.embedded.structure.drafts import Draft
from ragassay.models.embedded.structure.sections import MAX_ANSWER_WORDS

_ITEMS = range(2, 11)
_FEWEST_WORDS, _LONGEST_ITEM, _LONGEST_HEADING = 4, 30, 4
"""Words: of all items together, of one, of the heading."""
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS", "JJ", "VBN", "VBG", "HYPH"})
_SAYS_NOTHING = re.compile(
    r"(?:details|items|things|notes|points|comments|considerations|results|links|references|sources|examples?|"
    r"contents|highlights|values|.*\b(?:links|references|sources|notes|reading))$",
    re.IGNORECASE,
)
"""Headings that do not say what the items below them are, or that head a list of other texts."""


def headed_lists(analysis: Analysis) -> Iterator[Draft]:
    """'What are the corrective actions of the pump failure?': of the one list below such a heading."""
    theme, sections = analysis.profile.theme, [each.section for each in analysis.lists]
    is_named = analysis.theme_is_a_name and "“" not in theme  # nobody quotes a title
    for listed in analysis.lists if is_named else ():
        items = [re.sub(r"\s+", " ", item).strip() for item in listed.items]
        asked = _asked(listed, analysis)
        if not asked or sections.count(listed.section) > 1 or not _is_whole(items):
            continue
        told = _joined(items)
        yield Draft(
            pattern="list",
            question=f"What are the {asked} of {theme}?",
            answer=told,
            statement=f"The {asked} of {theme}: {told}.",
            quotes=tuple(listed.items),
            attribute=asked,
        )


def _asked(listed: ListedItems, analysis: Analysis) -> str:
    """The heading as the plural noun that it is; empty for all others."""
    heading = re.sub(r"^[\d.]+ ", "", listed.section).strip(" :")
    if not heading or len(heading.split()) > _LONGEST_HEADING or _SAYS_NOTHING.match(heading):
        return ""
    if heading_above(analysis.passage, listed.section) or heading.lower() in analysis.profile.theme.lower():
        return ""
    tags = [token.tag for token in noun_phrase(heading.lower())]
    is_plural = tags[-1] in ("NNS", "NNPS") and _NOUNS.issuperset(tags)
    return plain_heading(heading, analysis.passage.text) if is_plural else ""


def _is_whole(items: Sequence[str]) -> bool:
    """Whether items are short, balanced, all different, and none announces more."""
    words = [len(item.split()) for item in items]
    return (
        len(items) in _ITEMS
        and _FEWEST_WORDS <= sum(words) <= MAX_ANSWER_WORDS
        and max(words) <= _LONGEST_ITEM
        and len({item.lower() for item in items}) == len(items)
        and all(balanced(item) and not item.endswith(":") for item in items)
    )


def _joined(items: Sequence[str]) -> str:
    """Items in one line, parted by semicolons where an item holds commas or is long."""
    stripped = [item.rstrip(" .;,") for item in items]
    is_long = any("," in item or len(item.split()) > 6 for item in stripped)
    return ("; " if is_long else ", ").join(stripped)
