"""The embedded model: tasks by rules, statistics, a small sentence encoder and a verifier; no key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property, partial
from importlib import import_module
from typing import Any, NamedTuple, cast

from ragassay.models.base import Encoder, InBatches, Reply
from ragassay.models.embedded.languages import Handler, by_language
from ragassay.models.embeddings import SentenceEncoder
from ragassay.models.joint import part_by_part
from ragassay.models.small import roles
from ragassay.models.vector_cache import CachedEncoder
from ragassay.tasks.base import In, Out, Task
from ragassay.tasks.joint import JointTask
from ragassay.workers import FEWEST_SHARED, Lost, Workers

_SAME = {"answer_claims": "answer_statements", "statement_inferences": "statement_verdicts"}
"""Other wordings of a task: rules read no prompt."""
_HANDLER_MODULES = {
    "label": "labelling",
    "standalone_question": "questions",
    "answer": "answering",
    "answer_statements": "verdicts",
    "statement_verdicts": "verdicts",
    "keypoints": "verdicts",
    "keypoint_verdicts": "verdicts",
    "answer_relevance": "relevance",
    "context_usefulness": "relevance",
    "helpful_sentences": "relevance",
    "correctness": "whole_answers",
    "block_ratings": "whole_answers",
}
"""Task name to the module of ``judging`` whose ``HANDLERS`` has it; critiques are all in ``critique``."""
KNOWS_NOTHING = "the embedded model only knows what it is shown"
_REASONS = dict.fromkeys(("knowledge_check", "closed_book_answer"), KNOWS_NOTHING)
LEXICAL_TASKS = frozenset(
    "answer_statements answer_claims statement_verdicts statement_inferences keypoints keypoint_verdicts correctness "
    "block_ratings".split()
)
"""Tasks whose rules do without an encoder: ``support`` leaves the vectors out where there is none."""

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


class EmbeddedModel(InBatches):
    """Answers tasks without any language model. sharing: shares long lists out over processes; None answers here."""

    def __init__(self, encoder: Encoder, sharing: TaskSharing | None = None) -> None:
        self._encoder = encoder
        self._sharing = sharing

    @cached_property
    def name(self) -> str:
        return f"embedded ({', '.join(filter(None, (self._encoder.name, roles.identity())))})"

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        if isinstance(task, JointTask):
            joined: list[Reply[Any]] = await part_by_part(self, task, inputs)
            return joined
        answer = partial(handler(task.name), self._encoder)
        return answer(inputs) if self._sharing is None else self._sharing.replies(task.name, inputs, answer)


class LexicalModel(InBatches):
    """The embedded judge by words alone: without vectors, many times as fast, nearly as good where it judges."""

    name = "embedded, words alone"

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        if task.name not in LEXICAL_TASKS:
            reason = (
                f"the lexical judge has no rule for {task.name}, which needs sentence vectors: name embedded instead"
            )
            return [Reply(None, reason) for _ in inputs]
        return handler(task.name)(cast("Encoder", None), inputs)  # the handlers of these tasks take None


def handler(task_name: str) -> Handler:
    """Return the rules for a task; where there are none, what says so."""
    name = _SAME.get(task_name, task_name)
    module = "critique" if name.startswith("critique_") else _HANDLER_MODULES.get(name)
    if module is None:
        usual = f"the embedded model has no rules for {task_name.replace('_', ' ')}; name a language model with --model"
        return partial(_unanswered, _REASONS.get(task_name, usual))
    english: Handler = import_module(f"{__package__}.judging.{module}").HANDLERS[name]
    chinese: Handler | None = import_module(f"{__package__}.judging.chinese").HANDLERS.get(name)
    return english if chinese is None else by_language(english, chinese)


def _unanswered(reason: str, encoder: Encoder, inputs: Sequence[Any]) -> list[Reply[Any]]:
    return [Reply(None, reason) for _ in inputs]


Handle = Callable[[Sequence[Any]], list[Reply[Any]]]


class _Share(NamedTuple):
    """Replies of one process, and how many vectors it computed and found for them."""

    replies: list[Reply[Any]]
    computed: int
    reused: int


class TaskSharing:
    """Shares out what is asked. count_vectors: told how many vectors others computed and found in the store."""

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
    encoder = _encoder()
    computed, reused = encoder.computed, encoder.reused
    replies = handler(task_name)(encoder, inputs)
    return _Share(replies, encoder.computed - computed, encoder.reused - reused)
