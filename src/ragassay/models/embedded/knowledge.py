"""What the embedded model knows without a text: nothing, which it says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.model import Handler

KNOWS_NOTHING = "the embedded model only knows what it is shown"


def _unknown(encoder: Encoder, inputs: Sequence[Any]) -> list[Reply[Any]]:
    return [Reply(None, KNOWS_NOTHING) for _ in inputs]


HANDLERS: dict[str, Handler] = {"knowledge_check": _unknown, "closed_book_answer": _unknown}
