"""Tasks shared out over several processes, each with an encoder of its own on the same store of vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from ragassay.models.base import Reply
from ragassay.models.embeddings import SentenceEncoder
from ragassay.models.small import roles
from ragassay.models.vector_cache import CachedEncoder
from ragassay.workers import FEWEST_SHARED, Lost, Workers

SHARED = frozenset(
    """
    answer answer_statements statement_verdicts answer_relevance keypoints keypoint_verdicts
    answer_claims statement_inferences helpful_sentences correctness block_ratings
    """.split()
)
"""Tasks that come by the hundred. Those of synthesis come by the dozen and use what the one before worked out of the
same passage: to hand them over costs as much as to do them."""

READ_BY_THE_MODEL = frozenset({"statement_verdicts", "statement_inferences"})
"""Of these, those that the small language model reads: it uses all cores, and each process would need its own."""

_PIECES_EACH = 4
"""Pieces for each process of other machines, so that none waits long for the last one."""

Handle = Callable[[Sequence[Any]], list[Reply[Any]]]


class _Share(NamedTuple):
    """Replies of one process, and how many vectors it computed and found for them."""

    replies: list[Reply[Any]]
    computed: int
    reused: int


class TaskSharing:
    """Shares out what is asked of the embedded model.

    count_vectors: told how many vectors other processes computed and how many they found in the store.
    """

    def __init__(self, workers: Workers, count_vectors: Callable[[int, int], None]) -> None:
        self._workers = workers
        self._count_vectors = count_vectors

    def replies(self, task_name: str, inputs: Sequence[Any], here: Handle) -> list[Reply[Any]]:
        """The replies in the order of the inputs, all or a part of them by ``here``."""
        if self._workers.are_elsewhere and len(inputs) > 1:
            return self._by_pieces(task_name, inputs, here)
        if task_name not in SHARED or (task_name in READ_BY_THE_MODEL and roles.is_on()):
            return here(inputs)
        shares = self._workers.share_out(
            inputs, lambda some: _Share(here(some), 0, 0), partial(_answered_elsewhere, task_name)
        )
        replies: list[Any] = [None] * len(inputs)
        for number, share in enumerate(shares):
            self._count_vectors(share.computed, share.reused)
            replies[number :: len(shares)] = share.replies
        return replies

    def _by_pieces(self, task_name: str, inputs: Sequence[Any], here: Handle) -> list[Reply[Any]]:
        """Whatever the task: other machines have cores that do nothing else, and models of their own."""
        size = max(1, min(FEWEST_SHARED, len(inputs) // (_PIECES_EACH * self._workers.processes)))
        pieces = [inputs[begin : begin + size] for begin in range(0, len(inputs), size)]
        replies: list[Reply[Any]] = []
        for share in self._workers.map(partial(_answered_elsewhere, task_name), pieces):
            if isinstance(share, Lost):
                replies += here(share.item)
                continue
            self._count_vectors(share.computed, share.reused)
            replies += share.replies
        return replies


@cache
def _encoder() -> CachedEncoder:
    """Of a process that was started to help; one thread, for the other cores have processes of their own."""
    return CachedEncoder(SentenceEncoder(threads=1))


def _answered_elsewhere(task_name: str, inputs: Sequence[Any]) -> _Share:
    from ragassay.models.embedded.model import handler  # imported late: the model imports this module

    encoder = _encoder()
    computed, reused = encoder.computed, encoder.reused
    replies = handler(task_name)(encoder, inputs)
    return _Share(replies, encoder.computed - computed, encoder.reused - reused)
