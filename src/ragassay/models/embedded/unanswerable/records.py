"""Keys that records of the same kind have, asked of the one that lacks them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragassay.models.embedded.reading.analysis import Analysis, Entry
from ragassay.models.embedded.reading.clarity import content_words
from ragassay.models.embedded.reading.grammar import noun_phrase
from ragassay.models.embedded.structure.record_keys import key_question
from ragassay.models.embedded.unanswerable.open import Open

_PATTERN = "missing_key"


def open_of_records(analysis: Analysis) -> Iterator[Open]:
    """Where no word of a key stands in the document, which the passage is."""
    theme, text = analysis.profile.theme, f"{analysis.passage.opening}\n{analysis.passage.text}".lower()
    for name in analysis.passage.sibling_attributes if theme else ():
        if any(word[:5] in text for word in content_words(name)) or not re.fullmatch(
            r"[a-z]{2,}(?:[ '-][a-z]+)*", name
        ):
            continue
        if is_plural(name):
            yield Open(_PATTERN, f"How many {name} does {theme} have?")
            continue
        entry = Entry(name=name, text="something", quote="", group=0, section="")
        question = key_question(entry, theme)
        if question is not None:
            yield Open(_PATTERN, question)


def is_plural(name: str) -> bool:
    """Whether a key counts something: berths, staff cabins."""
    return noun_phrase(name)[-1].tag == "NNS"
