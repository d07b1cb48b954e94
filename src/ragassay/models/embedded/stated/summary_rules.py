"""Questions whose complete answer has several units: lists, steps, pairs of facts, groups of keys, short sections."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from ragassay.models.embedded.reading.analysis import (
    Analysis,
    balanced,
)
from ragassay.models.embedded.reading.outline import heading_above
from ragassay.models.embedded.stated.drafts import Draft, capitalised, pick
from ragassay.models.embedded.stated.entry_lists import entry_lists
from ragassay.models.embedded.stated.list_rules import MAX_ANSWER_WORDS, enumerations, listed_items
from ragassay.models.embedded.stated.parameter_rules import accepted_values, meanings_with_defaults, option_pairs
from ragassay.models.embedded.stated.record_keys import is_mishap, key_question, plain_keys

_SECTIONS = {
    "plot": ("What is the plot of {}?", "What happens in {}?"),
    "premise": ("What is the premise of {}?",),
    "synopsis": ("What is {} about?",),
    "reception": ("How was {} received?", "What was the reception of {}?"),
    "critical reception": ("How did critics receive {}?", "What did critics make of {}?"),
    "early life": ("What is known about the early life of {}?",),
    "early life and education": ("What is known about the early life and education of {}?",),
    "personal life": ("What is known about the personal life of {}?",),
    "education": ("What education did {} receive?",),
    "death": ("What were the circumstances of the death of {}?",),
    "legacy": ("What is the legacy of {}?",),
    "etymology": ("What is the origin of the name of {}?",),
    "geography": ("What is the geography of {} like?",),
    "climate": ("What is the climate of {} like?",),
    "distribution": ("Where is {} found?",),
    "distribution and habitat": ("Where does {} occur, and in what habitat?",),
    "habitat": ("In what habitat does {} live?",),
    "ecology": ("What is known about the ecology of {}?",),
    "symptoms": ("What are the symptoms of {}?",),
    "cause": ("What caused {}?",),
    "causes": ("What caused {}?",),
    "impact": ("What was the impact of {}?",),
    "aftermath": ("What was the aftermath of {}?",),
    "background": ("What is the background to {}?",),
    "purpose": ("What is the purpose of {}?",),
    "scope": ("What is the scope of {}?", "What does {} cover?"),
    "eligibility": ("Who is eligible under {}?",),
    "what happened": ("What happened in {}?",),
    "responsibilities": ("What are the responsibilities of {}?",),
    "record keeping": ("What records are kept under {}?",),
}
_OF_THE_PART_ABOVE = frozenset(
    "background purpose scope eligibility impact aftermath cause causes symptoms responsibilities".split()
)
"""Headings that are about the part which they stand in, where they do not stand right below the title."""
_PERSONAL_SECTIONS = {"early life", "early life and education", "personal life", "education", "death"}


def summary_drafts(analysis: Analysis, facts: Sequence[Draft]) -> Iterator[Draft]:
    """Drafts of every rule for several units; facts: the single facts that some of them join."""
    theme = analysis.profile.theme
    if theme:
        yield from _known_sections(analysis)
        yield from _key_groups(analysis)
        yield from _joined_facts(analysis, facts)
    yield from listed_items(analysis)
    yield from enumerations(analysis)
    yield from option_pairs(analysis)
    yield from meanings_with_defaults(analysis)
    yield from accepted_values(analysis)
    yield from entry_lists(analysis)


def _known_sections(analysis: Analysis) -> Iterator[Draft]:
    """The text of a short section under a heading whose question is known."""
    by_heading: dict[str, list[str]] = defaultdict(list)
    for sentence in analysis.sentences:
        by_heading[sentence.section].append(sentence.quote)
    for heading, quotes in by_heading.items():
        wordings = _SECTIONS.get(heading.lower().strip())
        if wordings is None or (heading.lower() in _PERSONAL_SECTIONS and not analysis.profile.is_person):
            continue
        if heading.lower().strip() in _OF_THE_PART_ABOVE and heading_above(analysis.passage, heading):
            continue
        words = sum(len(quote.split()) for quote in quotes)
        if (
            not 2 <= len(quotes) <= 5
            or not 25 <= words <= MAX_ANSWER_WORDS
            or not all(quote.rstrip()[-1:] in '.”"' and balanced(quote) for quote in quotes)
        ):
            continue
        if not analysis.passage.text.rstrip().endswith((".", '"', "”")) or re.match(
            r"(?:This|These|However|But|And|It|They|Such|Also)\b", quotes[0]
        ):
            continue
        if any(item.section == heading for item in analysis.lists) or _is_glued(quotes, analysis):
            continue
        answer = re.sub(r"\s+", " ", " ".join(quotes))
        question = pick(wordings, analysis.profile.theme).format(analysis.profile.theme)
        yield Draft(
            pattern="section",
            question=question,
            answer=answer,
            statement=answer,
            quotes=tuple(quotes),
            attribute=heading.lower(),
        )


def _is_glued(quotes: Sequence[str], analysis: Analysis) -> bool:
    """Whether a heading or sentence was run into the next word: 'ClimateDerevenki has', 'for the club.He played'."""
    words = set(re.findall(r"\b[A-Z][a-z]+\b", f"{analysis.profile.theme} {analysis.passage.text}"))
    text = " ".join(quotes)
    return bool(re.search(r"\w\.(?:He|She|It|They|The|This|In|On|At|An?)\b", text)) or any(
        head in words or tail in analysis.profile.theme.split()
        for head, tail in re.findall(r"\b([A-Z][a-z]{2,})([A-Z][a-z]+)\b", text)
        if tail in words
    )


def _key_groups(analysis: Analysis) -> Iterator[Draft]:
    """Two or three keys of one record, asked together."""
    groups: dict[tuple[int, str], list[tuple[str, str, str]]] = defaultdict(list)
    for entry, owner in plain_keys(analysis):
        question = key_question(entry, owner)
        ending, finding = f" of {owner}?", f"What does the record of {owner} say about the "
        if question and len(entry.text.split()) <= 8 and question.startswith(finding):
            groups[entry.group, f"record of {owner}"].append(
                (question.removeprefix(finding).rstrip("?"), entry.text, entry.quote)
            )
        elif (
            question
            and re.match(r"What (?:is|are|was|were) the ", question)
            and question.endswith(ending)
            and len(entry.text.split()) <= 8
        ):
            key = question.split(" the ", 1)[1].removesuffix(ending)
            groups[entry.group, owner].append((key, entry.text, entry.quote))
    for (_, owner), entries in groups.items():
        size = 3 if len(owner.split()) <= 4 else 2
        for first in range(0, len(entries) - 1, size):
            chosen = entries[first : first + size]
            words = [word for key, _, _ in chosen for word in key.split()]
            if len(chosen) < 2 or len(set(words)) < len(words):
                continue
            keys = [key for key, _, _ in chosen]
            named = f"{', '.join(keys[:-1])} and {keys[-1]}"
            answer = "; ".join(f"{capitalised(key)}: {value.rstrip('.')}" for key, value, _ in chosen)
            quotes = tuple(quote for _, _, quote in chosen)
            if owner.startswith("record of "):
                named = f"{', the '.join(keys[:-1])} and the {keys[-1]}"
                question = f"What does the {owner} say about the {named}?"
            else:
                question = f"What {'were' if is_mishap(owner) else 'are'} the {named} of {owner}?"
            about = owner.removeprefix("record of ")
            yield Draft(
                pattern="key_group",
                question=question,
                answer=answer,
                statement=f"{capitalised(owner)}: {answer}.",
                quotes=quotes,
                attribute=named,
                about=about if about != analysis.profile.theme else "",
            )


def _joined_facts(analysis: Analysis, facts: Sequence[Draft]) -> Iterator[Draft]:
    """'When and where was X born?', 'Who directed X, and when was it released?': two facts of one theme."""
    theme = analysis.profile.theme
    whens = [
        fact for fact in facts if fact.pattern == "when" and fact.event is not None and fact.event.subject_is_theme
    ]
    wheres = [fact for fact in facts if fact.pattern == "where" and theme in fact.question]
    makers = [fact for fact in facts if fact.pattern == "made_by" and theme in fact.question]
    for where in wheres:
        for when in whens:
            if (
                when.question.split(" ", 1)[1].rstrip("?").split(theme)[0].strip().endswith(("was", "were"))
                and when.attribute.split()[0] == "bear"
                and "born" in where.question
            ):
                yield _pair("when_where", f"When and where was {theme} born?", when, where)
    for maker in makers:
        for when in whens:
            if maker.attribute not in when.attribute and when.event is not None and len(when.event.asked.split()) <= 9:
                yield _pair("who_when", f"{maker.question.rstrip('?')}, and when {when.event.asked}?", maker, when)
                break
    events = list(
        {
            when.event.told: when for when in whens if when.event is not None and len(when.event.asked.split()) <= 12
        }.values()
    )
    for first, second in zip(events[::2], events[1::2], strict=False):
        if first.event and second.event and first.answer != second.answer and first.event.told != second.event.told:
            yield _pair("two_dates", f"{first.question.rstrip('?')}, and when {second.event.asked}?", first, second)


def _pair(pattern: str, question: str, first: Draft, second: Draft) -> Draft:
    answer = (
        f"{first.answer} and {second.answer}, respectively"
        if pattern == "two_dates"
        else f"{first.answer}; {second.answer}"
        if pattern != "when_where"
        else f"{first.answer}, {second.answer[:1].lower()}{second.answer[1:]}"
    )
    return Draft(
        pattern=pattern,
        question=question,
        answer=answer,
        statement=f"{first.statement} {second.statement}",
        quotes=tuple(dict.fromkeys(first.quotes + second.quotes)),
        attribute="pair",
    )
