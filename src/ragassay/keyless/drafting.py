"""All drafts of a document, from its structure, its sentences, and what it leaves open."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragassay.keyless.draft import Draft
from ragassay.keyless.open import open_drafts, other_years
from ragassay.keyless.page import Page
from ragassay.keyless.sections import section_drafts
from ragassay.keyless.sentences import sentence_drafts
from ragassay.keyless.structure import structure_drafts

LANGUAGES = frozenset({"en", "und"})
"""Languages that the rules read; short texts are often undetermined."""


def drafts_of(page: Page) -> Iterator[Draft]:
    """Yield all that rules can ask of a page."""
    drafts = [*structure_drafts(page), *section_drafts(page), *sentence_drafts(page)]
    yield from drafts
    yield from open_drafts(page, [found[1] for draft in drafts if (found := _TASK.match(draft.question))])
    yield from other_years(page, drafts)


_TASK = re.compile(r"How (?:do|can|should) I ([a-z]+ .+?)\?$")
