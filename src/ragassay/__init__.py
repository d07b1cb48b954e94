"""Ragassay: evaluation sets from documents, scores for RAG systems, and how far to believe them."""

from __future__ import annotations

__version__ = "0.1.0"
