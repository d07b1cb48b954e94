"""Entries of a reference page: the parameters of a command by name, and what each of them stands for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from ragassay.models.embedded.reading.analysis import Analysis, Entry, balanced, is_self_contained
from ragassay.models.embedded.reading.clarity import content_words
from ragassay.models.embedded.reading.grammar import tokens_of
from ragassay.models.embedded.reading.outline import heading_above
from ragassay.models.embedded.stated.drafts import Draft, pick
from ragassay.text import sentences

_COUNTED_SECTIONS = {
    "parameters": "parameters",
    "arguments": "arguments",
    "options": "options",
    "parameter": "parameters",
}
_FEWEST, _MOST = 3, 12
"""Entries that one would count or name in an answer."""


class Counted(NamedTuple):
    """All entries of a section, with what they are called."""

    noun: str
    entries: list[Entry]


def counted_entries(analysis: Analysis) -> Iterator[Counted]:
    """The sections whose heading says what their entries are, where the passage holds them whole."""
    sections: dict[str, list[Entry]] = defaultdict(list)
    for entry in analysis.terms:
        sections[entry.section].append(entry)
    for section, entries in sections.items():
        noun = _counted(section, analysis)
        if noun is None or not _FEWEST <= len(entries) <= _MOST or len({entry.group for entry in entries}) != 1:
            continue
        if _may_go_on(analysis, entries[-1]):
            continue
        if all(entry.names == 1 for entry in entries):  # where several names share an entry, what counts as one is open
            yield Counted(noun, entries)


def _counted(section: str, analysis: Analysis) -> str | None:
    """What the entries of a section are called; None where it belongs to one of several things on the page."""
    noun = _COUNTED_SECTIONS.get(section.lower().strip())
    text = analysis.passage.text
    headings = [text[block.start : block.end].strip() for block in analysis.passage.blocks if block.kind == "heading"]
    is_one_of_several = headings.count(section) > 1 or heading_above(analysis.passage, section)
    return None if is_one_of_several else noun


def _may_go_on(analysis: Analysis, last: Entry) -> bool:
    """Whether the passage ends with a list, which may go on in the next one."""
    return analysis.passage.text.rstrip().endswith(last.text[-40:].rstrip())


def entry_lists(analysis: Analysis) -> Iterator[Draft]:
    """'Which parameters are described for DROP VIEW?'"""
    theme = analysis.profile.theme
    for noun, entries in counted_entries(analysis) if theme else ():
        names = ", ".join(_plain(entry.name) for entry in entries)
        yield Draft(
            pattern="entry_names",
            question=pick(("Which {} are described for {}?", "What are the {} of {}?"), theme).format(noun, theme),
            answer=names,
            statement=f"The {noun} of {theme} are {names}.",
            quotes=tuple(entry.opening for entry in entries),
            attribute=noun,
        )


_ARGUMENT = re.compile(r"(?:(?:const|struct|unsigned) )?(?:[A-Za-z]\w*(?: \*+ ?| ))?(?P<name>[a-z]\w*)")
"""'lang_name', 'const char * command', 'long count'."""
_FEWEST_WORDS, _MOST_WORDS = 4, 24


def argument_facts(analysis: Analysis) -> Iterator[Draft]:
    """'What does the parameter lang_name of DROP TRANSFORM stand for?'"""
    theme = analysis.profile.theme
    for entry in analysis.terms if theme else ():
        noun = _counted(entry.section, analysis)
        name = _ARGUMENT.fullmatch(entry.name) if noun in {"parameters", "arguments"} and entry.names == 1 else None
        if noun is None or name is None:
            continue
        sentence = next(iter(sentences(entry.text)), "")
        told = re.sub(r"\s+", " ", sentence).strip().rstrip(".")
        if (
            _FEWEST_WORDS <= len(told.split()) <= _MOST_WORDS
            and balanced(told)
            and is_self_contained(told, subject_is_theme=False)
            and tokens_of(told)[0].tag in {"DT", "NN", "NNS", "JJ", "NNP"}
            and _is_noun_phrase(told)
            and len(set(content_words(told)) - set(content_words(f"{name['name'].replace('_', ' ')} {theme}"))) >= 2
        ):
            yield Draft(
                pattern="argument",
                question=f"What does the {noun.removesuffix('s')} {name['name']} of {theme} stand for?",
                answer=told[0].upper() + told[1:],
                statement=f"The {noun.removesuffix('s')} {name['name']} of {theme} stands for: {told}.",
                quotes=(entry.name_quote, sentence),
                attribute="meaning",
            )


def _is_noun_phrase(text: str) -> bool:
    """Whether no verb makes a sentence of it: those behind 'that' or 'whose' belong to the noun."""
    for token in tokens_of(text):
        if token.lower in {"that", "which", "whose", "when", "if", "where", "for", "to"}:
            return True
        if token.tag in {"VBZ", "VBP", "VBD", "MD"} and not token.is_name:
            return False
    return True


def _plain(name: str) -> str:
    """'const char * command' as it stands, 'name=value' without what the user fills in."""
    return re.sub(r"=.*", "", name)
