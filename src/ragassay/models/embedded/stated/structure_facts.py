"""Single facts from structure: keys and values, parameters, tables, terms, cast lists, one-line purposes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ragassay.models.embedded.reading.analysis import (
    Analysis,
    is_self_contained,
)
from ragassay.models.embedded.reading.clarity import content_words
from ragassay.models.embedded.reading.grammar import (
    inflect,
    lemma,
    tokens_of,
)
from ragassay.models.embedded.stated.drafts import Draft, capitalised, pick
from ragassay.models.embedded.stated.entry_lists import argument_facts
from ragassay.models.embedded.stated.parameters import OPTION, TYPE, parameter_facts, parameters_of
from ragassay.models.embedded.stated.record_keys import key_facts
from ragassay.models.embedded.stated.table_facts import table_facts
from ragassay.text import sentences


def structure_facts(analysis: Analysis) -> Iterator[Draft]:
    """Drafts from each kind of structure in turn."""
    yield from key_facts(analysis)
    for parameter in parameters_of(analysis):
        yield from parameter_facts(parameter, analysis.profile.theme, analysis.passage.collection)
    yield from argument_facts(analysis)
    yield from _glossary_facts(analysis)
    for table in analysis.tables:
        if analysis.theme_is_a_name:
            yield from table_facts(table, analysis.profile.theme)
    yield from _cast(analysis)
    yield from _purpose(analysis)


def _glossary_facts(analysis: Analysis) -> Iterator[Draft]:
    """Terms of a glossary. Elsewhere a term is clear within its document only ('Angle'): see ``scoped/terms.py``."""
    if re.search(
        r"glossary|terms|definitions|vocabulary", f"{analysis.passage.title} {analysis.passage.section}", re.IGNORECASE
    ):
        yield from defined_terms(analysis)


_SAYS_SOMETHING = re.compile(r"\b(?:I|[Yy]ou|[Ww]e|[Mm]y|[Yy]our|[Ii]ts?)\b|n['’]t\b")
"""What a term of a glossary does not hold, and a complaint in a list of answers does: 'I can't quit the program'."""


def defined_terms(analysis: Analysis) -> Iterator[Draft]:
    """Ordinary words or names with a definition of at least six words."""
    for entry in analysis.terms:
        if (
            not re.fullmatch(r"[A-Za-z][A-Za-z '’()-]{2,40}", entry.name)
            or OPTION.search(entry.name)
            or TYPE.match(entry.name)
            or entry.name.split()[0].islower()
            or entry.name.isupper()
            or _SAYS_SOMETHING.search(entry.name)
        ):
            continue
        first = re.sub(r"\s+", " ", next(iter(sentences(entry.text)), ""))
        if (
            not 6 <= len(first.split()) <= 32
            or not first.endswith(".")
            or not is_self_contained(first, subject_is_theme=False)
        ):
            continue
        term = re.sub(r" \([^)]*\)", "", entry.name)
        yield Draft(
            pattern="term",
            question=pick(
                (
                    f"What is meant by “{term}”?",
                    f"What does the term “{term}” mean?",
                    f"How is the term “{term}” defined?",
                ),
                term,
            ),
            answer=first.rstrip("."),
            statement=f"{term}: {first}",
            quotes=(entry.quote.split("\n")[0], first),
            attribute="definition",
        )


def _cast(analysis: Analysis) -> Iterator[Draft]:
    """'Jeff Bridges as Mike Olson' in a list or on lines under a heading such as Cast."""
    name = r"[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){1,3}"
    lines = re.findall(rf"^[^\w\n]*({name}) as ({name})(?:[,:;(]|$| – | - )", analysis.passage.text, re.MULTILINE)
    roles = Counter(role for _, role in lines)
    theme = analysis.profile.theme
    for actor, role in lines:
        if theme and len(lines) >= 3 and roles[role] == 1 and role not in theme:
            yield Draft(
                pattern="cast",
                question=pick(("Who plays {0} in {1}?", "Which actor plays {0} in {1}?"), role).format(role, theme),
                answer=actor,
                statement=f"{actor} plays {role} in {theme}.",
                quotes=(f"{actor} as {role}",),
                attribute="cast",
            )


_IN_ONE_LINE = re.compile(r" +[—–-]+ (?P<purpose>[a-z][^\n.]+)$")


def _purpose(analysis: Analysis) -> Iterator[Draft]:
    """'clusterdb — cluster a PostgreSQL database': what a reference page says in one line."""
    theme = analysis.profile.theme
    lines = (
        line[len(theme) :].removeprefix("()")
        for line in analysis.passage.text[:600].split("\n")
        if theme and line.startswith(theme)
    )
    match = next(filter(None, map(_IN_ONE_LINE.match, lines)), None)
    if not match:
        return
    verb, _, rest = match["purpose"].partition(" ")
    if (
        lemma(verb) != verb
        or not 2 <= len(rest.split()) <= 16
        or tokens_of(f"to {verb} {rest}")[1].tag not in {"VB", "VBP", "NN"}
        or not re.fullmatch(r"[a-z]+", verb)
    ):
        return
    third = inflect(verb, "VBZ")
    command = (
        "SQL command"
        if re.fullmatch(r"[A-Z ]+", theme)
        else "function"
        if re.search(r"^PQ|^SPI_|^lo_|\(\)|[a-z][A-Z]", theme)
        else "program"
    )
    statement = f"{theme} {third} {rest}."
    if set(content_words(rest)) - set(content_words(theme)):  # 'DROP VIEW' that removes a view says nothing new
        yield Draft(
            pattern="purpose",
            question=f"What does the {command} {theme} do?",
            answer=capitalised(f"{third} {rest}"),
            statement=statement,
            quotes=(match.group(),),
            attribute="purpose",
        )
    yield Draft(
        pattern="which_does",
        question=f"Which {command} {third} {rest}?",
        answer=theme,
        statement=statement,
        quotes=(match.group(),),
        attribute="name",
    )
