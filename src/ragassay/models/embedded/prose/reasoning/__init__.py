"""Questions whose answer follows from what a text says: importing this package registers all sources."""

from ragassay.models.embedded.prose.reasoning import (
    amounts,
    cases,
    clock,
    consequences,
    histories,
    limits,
    narrowing,
    parts_of_rules,
    requirements,
    rules,
    spans,
    steps,
    still,
)
from ragassay.models.embedded.prose.reasoning.inference import reasoning_drafts
from ragassay.models.embedded.prose.reasoning.source import SOURCES, Inferred, Source, source

__all__ = [
    "SOURCES",
    "Inferred",
    "Source",
    "amounts",
    "cases",
    "clock",
    "consequences",
    "histories",
    "limits",
    "narrowing",
    "parts_of_rules",
    "reasoning_drafts",
    "requirements",
    "rules",
    "source",
    "spans",
    "steps",
    "still",
]
