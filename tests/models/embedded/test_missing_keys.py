"""Keys that similar records have and this one lacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ragassay.corpus.passages import to_passage
from ragassay.models.embedded.analysis import analyse
from ragassay.models.embedded.missing_keys import missing_keys

Generate = Callable[..., Any]


def test_what_similar_documents_have(generated: Generate) -> None:
    text = "# MV Redfin\n\n- Type: passenger ferry\n- Built: 1998\n- Master: Ada Moss\n\nMV Redfin is red."
    lacking = ("home port", "master mariner", "x1")
    missing = [
        question for pattern, question in generated(text, sibling_attributes=lacking).misses if pattern == "missing_key"
    ]
    assert missing == ["What is the home port of MV Redfin?"]  # 'master' stands in the text, 'x1' is no noun


def test_only_a_whole_document_lacks_a_key(generated_of_document: Generate, markdown: Generate) -> None:
    document = markdown("# MV Redfin\n\n- Type: passenger ferry\n- Built: 1998\n- Master: Ada Moss\n")
    assert ("missing_key", "How many berths does MV Redfin have?") in generated_of_document(
        document, sibling_attributes=("berths",)
    ).misses
    analysis = analyse(to_passage(document, 0, len(document.text), ()), "MV Redfin")
    assert list(missing_keys(analysis, whole_document=False)) == []
