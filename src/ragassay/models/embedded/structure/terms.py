"""What terms mean that a glossary or a page defines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ragassay.models.embedded.reading.analysis import Analysis, is_self_contained
from ragassay.models.embedded.reading.parser import parse
from ragassay.models.embedded.structure.drafts import Draft, pick
from ragassay.models.embedded.structure.framing import scoped
from ragassay.text import sentences


def glossary_facts(analysis: Analysis) -> Iterator[Draft]:
    """Terms of a glossary. Elsewhere a term is clear within its document only ('Angle'): see ``scoped/terms.py``."""
    if re.search(
        r"glossary|terms|definitions|vocabulary", f"{analysis.passage.title} {analysis.passage.section}", re.IGNORECASE
    ):
        yield from defined_terms(analysis)


def framed_terms(analysis: Analysis) -> Iterator[Draft]:
    """'What is meant by “row of a grid”?', outside glossaries; of definitions that are noun phrases."""
    for draft in defined_terms(analysis):
        if _is_phrase(draft.answer):
            yield from scoped(analysis, replace(draft, question=draft.question[:1].lower() + draft.question[1:]))


_SAYS_SOMETHING = re.compile(r"\b(?:I|[Yy]ou|[Ww]e|[Mm]y|[Yy]our|[Ii]ts?)\b|n['’]t\b")
"""What a term of a glossary does not hold, and a complaint in a list of answers does: 'I can't quit the program'."""


def defined_terms(analysis: Analysis) -> Iterator[Draft]:
    """Ordinary words or names with a definition of at least six words."""
    for entry in analysis.terms:
        if (
            not re.fullmatch(r"[A-Za-z][A-Za-z '’()-]{2,40}", entry.name)
            or _TECHNICAL.search(entry.name)
            or entry.name.split()[0].islower()
            or entry.name.isupper()
            or _SAYS_SOMETHING.search(entry.name)
        ):
            continue
        first = re.sub(r"\s+", " ", next(iter(sentences(entry.text)), ""))
        if not 6 <= len(first.split()) <= 32 or not first.endswith(".") or not is_self_contained(first):
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


_TECHNICAL = re.compile(r"(?<![\w-])--?[a-z]|\((?:integer|enum|boolean|string|float|int|bool|str|number|list)\)$", re.I)
"""An option of a command or a typed setting: its definition does not say what a word means."""


def _is_phrase(definition: str) -> bool:
    """Whether a definition is a noun phrase: a sentence tells something of a term, and not what it is."""
    if not re.match(r"(?:An?|The|Any) (?!\w+er the )", definition):
        return False
    (doc,) = parse([f"{definition}."])
    root = next(token for token in doc if token.dep_ == "ROOT")
    return root.pos_ in ("NOUN", "PROPN")
