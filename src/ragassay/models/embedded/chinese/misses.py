"""Questions that fit a Chinese passage and that it does not answer: keys that it lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragassay.models.embedded.chinese.clauses import HAN
from ragassay.models.embedded.chinese.entry_facts import is_no_attribute, owner_of, word_of
from ragassay.models.embedded.chinese.profile import Profile
from ragassay.tasks.questions import MissCandidates, Question


def near_misses(asked: MissCandidates, profile: Profile) -> Iterator[Question]:
    """A key that documents of the same kind have, and this one lacks in any words.

    That is sure only where the passage is the whole document.
    """
    if not asked.whole_document:
        return
    text = f"{asked.passage.opening}\n{asked.passage.text}"
    for key in asked.passage.sibling_attributes:
        if (
            not re.fullmatch(rf"[{HAN}]{{2,8}}", key)
            or is_no_attribute(key)
            or any(key[at : at + 2] in text for at in range(len(key) - 1))
        ):
            continue
        question = f"{owner_of(key, profile)}的{key}是{word_of(key, '某某')}？"
        yield Question(question=question, answer="", pattern="missing_key")
