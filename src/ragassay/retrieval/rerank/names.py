"""How rerankers are named in options and files."""

from __future__ import annotations

NO_RERANKER = "none"
LATE_INTERACTION = "late_interaction"
JUDGE = "judge"
CROSS_ENCODER = "cross_encoder:"
"""Followed by the name or folder of a model of sentence-transformers."""


def is_reranker(name: str) -> bool:
    """Whether a reranker has this name, or it says that there is none."""
    return name in (NO_RERANKER, LATE_INTERACTION, JUDGE) or (
        name.startswith(CROSS_ENCODER) and len(name) > len(CROSS_ENCODER)
    )
