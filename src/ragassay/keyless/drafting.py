"""All drafts of a document, from its structure, its sentences, and what it leaves open."""

from __future__ import annotations

from collections.abc import Iterator

from ragassay.keyless.draft import Draft
from ragassay.keyless.open import open_drafts
from ragassay.keyless.page import Page
from ragassay.keyless.sections import section_drafts
from ragassay.keyless.sentences import sentence_drafts
from ragassay.keyless.structure import structure_drafts

LANGUAGES = frozenset({"en", "und"})
"""Languages that the rules read; short texts are often undetermined."""


def drafts_of(page: Page) -> Iterator[Draft]:
    """Yield all that rules can ask of a page."""
    yield from structure_drafts(page)
    yield from section_drafts(page)
    yield from sentence_drafts(page)
    yield from open_drafts(page)
