"""The embedded judge by words alone: without sentence vectors, many times as fast, nearly as good where it judges.

docs/decisions/embedded-judge.md has what the vectors add.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.model import handler
from ragassay.tasks.base import In, Out, Task

LEXICAL_TASKS = frozenset(
    (
        "answer_statements",
        "answer_claims",
        "statement_verdicts",
        "statement_inferences",
        "keypoints",
        "keypoint_verdicts",
        "correctness",
        "block_ratings",
    )
)
"""Tasks whose rules do without an encoder: ``support`` leaves the vectors out where there is none."""


class LexicalModel:
    """Judges support, keypoints, correctness and answers by their knowledge block; everything else it leaves alone."""

    name = "embedded, words alone"

    async def ask(self, task: Task[In, Out], inputs: In) -> Reply[Out]:
        """Answers one task; many at once are faster with ``ask_all``."""
        return (await self.ask_all(task, [inputs]))[0]

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        """Answers one task for many inputs, in their order; None with the reason where it needs sentence vectors."""
        if task.name not in LEXICAL_TASKS:
            reason = (
                f"the lexical judge has no rule for {task.name}, which needs sentence vectors: name embedded instead"
            )
            return [Reply(None, reason) for _ in inputs]
        return handler(task.name)(cast("Encoder", None), inputs)  # the handlers of these tasks take None
