"""Documents, chunks and questions that are at hand."""

from __future__ import annotations

from typing import Any

import pytest

BRIDGE = "Gannet Bridge is in the north. It was opened in May 1998. It is 412 m long."
FERRY = "The ferry Bluefin was built in Oskay. The ferry takes forty lorries."


@pytest.fixture
def documents() -> list[dict[str, Any]]:
    return [
        {"id": "bridge", "title": "Gannet Bridge", "text": BRIDGE, "area": "north"},
        {"id": "ferry", "title": "Bluefin", "text": FERRY},
    ]


@pytest.fixture
def rows() -> list[dict[str, Any]]:
    return [
        {
            "user_input": "When was Gannet Bridge opened?",
            "reference": "In May 1998.",
            "reference_contexts": ["It was opened in May 1998."],
        },
        {
            "user_input": "How many lorries does the ferry take?",
            "reference": "Forty lorries.",
            "reference_contexts": ["The ferry takes forty lorries."],
        },
    ]


@pytest.fixture
def chunks() -> list[dict[str, Any]]:
    """Two of the bridge, which share a sentence, and one of the ferry."""
    return [
        {"id": "b1", "document_id": "bridge", "text": BRIDGE[:57]},
        {"id": "b2", "document_id": "bridge", "text": BRIDGE[31:]},
        {"id": "f1", "document_id": "ferry", "text": FERRY},
    ]
