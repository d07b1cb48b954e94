"""All tasks by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from ragassay.tasks import (
    answer_judgement,
    answering,
    contexts,
    critique,
    drafting,
    follow_ups,
    pair_judgement,
    pairs,
    ratings,
    scenarios,
    statements,
    verdicts,
)
from ragassay.tasks.base import Task

_MODULES = (
    statements, drafting, pairs, critique, pair_judgement, follow_ups, answering, verdicts, contexts, answer_judgement,
    ratings, scenarios,
)  # fmt: skip


def _declared(module: ModuleType) -> Iterator[Task[Any, Any]]:
    for value in vars(module).values():
        for each in value.values() if isinstance(value, Mapping) else (value,):
            if isinstance(each, Task):
                yield each


TASKS: dict[str, Task[Any, Any]] = {task.name: task for module in _MODULES for task in _declared(module)}
"""Task name to task, in the order of the work: all that these modules declare, alone or in a mapping."""
