"""What a list holds, and how much it holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ragassay.keyless.layout import Listing, lists
from ragassay.keyless.page import Draft, Page
from ragassay.keyless.records import is_balanced
from ragassay.keyless.wording import FINITE_TAGS, is_plural, sentence_case
from ragassay.models.embedded.reading.grammar import noun_phrase

_ITEMS = range(2, 13)
_MOST_LIST_WORDS = 120
_NO_TOPIC = re.compile(
    r"\b(?:notes|examples|links|references|contents|tips|topics|pages|remarks|features|changes|files|resources|"
    r"questions|options|headlines|highlights|details|things|basics|points|fixes|updates)$",
    re.IGNORECASE,
)
"""Plurals above lists that hold anything."""


def list_drafts(page: Page) -> Iterator[Draft]:
    """Yield 'Which exceptions does the travel policy list?', and how many, of lists that are all of their section."""
    for number, listing in enumerate(lists(page), start=1):
        texts = [" ".join(page.document.text[start:end].split()) for start, end in listing.items]
        topic = _topic(page, listing)
        is_short = sum(len(text.split()) for text in texts) <= _MOST_LIST_WORDS
        if not topic or len(texts) not in _ITEMS or not is_short:
            continue
        if not all(text and is_balanced(text) and not text.endswith((":", "?")) for text in texts):
            continue
        items = tuple(text.rstrip(" .;,") for text in texts)
        asked = f"What are the {topic} of {page.name}?" if page.is_thing else f"Which {topic} does {page.name} list?"
        counted = f"are listed for {page.name}" if page.is_thing else f"does {page.name} list"
        above = listing.heading or listing.items[0]
        listed = Draft(
            label="summary",
            form="list",
            question=asked,
            answer="; ".join(items) + ".",
            spans=((above[0], listing.items[-1][1]),),
            keypoints=items,
            source=f"list {number}",
            worth=0.7,
            is_certain=True,
        )
        yield listed
        if len(items) > 2:
            yield replace(
                listed,
                label="reasoning",
                form="list_count",
                question=f"How many {topic} {counted}?",
                answer=str(len(items)),
                keypoints=(),
                worth=0.55,
            )


def _topic(page: Page, listing: Listing) -> str:
    """Return the plural that the heading right above a list is; empty for a list that nothing announces so."""
    topic = sentence_case(listing.section, page.prose.replace(listing.section, " "))
    is_under = listing.heading is not None and listing.is_alone and listing.lead is None
    if not (is_under and page.name and is_plural(topic)) or len(topic.split()) > 5 or _NO_TOPIC.search(topic):
        return ""
    tokens = noun_phrase(topic)
    is_plain = re.fullmatch(r"[A-Za-z][A-Za-z '’-]+", topic) is not None and tokens[-1].tag in {"NN", "NNS"}
    return topic if is_plain and not any(token.tag in FINITE_TAGS | {"CC", "VBG"} for token in tokens) else ""
