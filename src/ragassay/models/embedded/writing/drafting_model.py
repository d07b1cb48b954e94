"""The model that drafts questions on English prose, where those by rules leave a set short."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.model import EmbeddedModel, Handler
from ragassay.models.embedded.writing.prose_drafts import HANDLERS
from ragassay.tasks.statements import Passage, Theme

NOT_ENGLISH = "drafts are made of English text only"


class DraftingModel(EmbeddedModel):
    """Answers the tasks of statement extraction, and no others, with drafts that a person has to mend."""

    def _handler(self, task_name: str) -> Handler:
        return _theme if task_name == "theme" else HANDLERS[task_name]


def _theme(encoder: Encoder, inputs: Sequence[Any]) -> list[Reply[Any]]:
    """None for a text in another language, of which nothing more is asked then."""
    found: list[Reply[Theme]] = HANDLERS["theme"](encoder, inputs)
    return [reply if _is_english(each) else Reply(None, NOT_ENGLISH) for each, reply in zip(inputs, found, strict=True)]


def _is_english(passage: Passage) -> bool:
    return passage.language in ("en", "und")
