"""Keys that records of the same kind have and this one lacks: questions that fit it and that it does not answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ragassay.models.embedded.analysis import Analysis, Entry
from ragassay.models.embedded.drafts import content_words
from ragassay.models.embedded.grammar import tokens_of
from ragassay.models.embedded.record_keys import key_question


@dataclass(frozen=True, slots=True)
class Miss:
    """A question without an answer in its passage. pattern: the rule that wrote it."""

    pattern: str
    question: str


def missing_keys(analysis: Analysis, whole_document: bool) -> Iterator[Miss]:
    """A key that records of the same kind have, and this document, of which the passage is all, lacks."""
    theme, text = analysis.theme, f"{analysis.passage.opening}\n{analysis.passage.text}".lower()
    if not theme or not whole_document:
        return
    for name in analysis.passage.sibling_attributes:
        if any(word[:5] in text for word in content_words(name)) or not re.fullmatch(r"[a-z][a-z '-]+", name):
            continue
        if _counts(name):
            yield Miss("missing_key", f"How many {name} does {theme} have?")
            continue
        question = key_question(Entry(name=name, text="something", quote="", group=0, section=""), theme)
        if question is not None:
            yield Miss("missing_key", question)


def _counts(name: str) -> bool:
    """Whether a key counts something: berths, staff cabins."""
    return tokens_of(f"the {name}")[-1].tag == "NNS"
