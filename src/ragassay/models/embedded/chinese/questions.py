"""Chinese answers to ``near_misses``; ``question`` is the same in all languages: the one drafted with its statement."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.chinese.misses import near_misses
from ragassay.models.embedded.chinese.profile import of_theme
from ragassay.tasks.questions import MissCandidates, NearMisses


def _near_misses(_: Encoder, inputs: Sequence[MissCandidates]) -> list[Reply[NearMisses]]:
    replies = []
    for each in inputs:
        found = {miss.question: miss for miss in near_misses(each, of_theme(each.passage, each.theme))}
        replies.append(Reply(NearMisses(items=tuple(found.values()))))
    return replies


HANDLERS = {"near_misses": _near_misses}
