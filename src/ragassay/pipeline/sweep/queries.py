"""What is searched for in a sweep: questions, or what a model makes of them (conversations, HyDE, search as a tool)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ragassay.models import EMBEDDED
from ragassay.models.base import Effort, Reply
from ragassay.models.llm.token_counts import estimate_tokens
from ragassay.pipeline.sweep.models import SettingModels
from ragassay.rag.setting import NO_GENERATOR, NOBODY, TOOL, Setting
from ragassay.records import Example
from ragassay.tasks.answering import HYPOTHETICAL_PASSAGE, SEARCH_DECISION, BareQuestion
from ragassay.tasks.base import Out, Task
from ragassay.tasks.follow_ups import STANDALONE_QUESTION, FollowUp


class Memory:
    """Asks each model the same thing once, for all settings that share it."""

    def __init__(self, models: SettingModels) -> None:
        self._models = models
        self._replies: dict[tuple[str, str, str, Any], Reply[Any]] = {}

    async def ask(self, name: str, task: Task[Any, Out], inputs: Sequence[Any], prompt: str = "") -> list[Reply[Out]]:
        """The replies, in the order of the inputs. name, prompt: of a model, as for ``SettingModels.model``."""
        keys = [(name, prompt, task.name, each) for each in inputs]
        new = list(dict.fromkeys(key for key in keys if key not in self._replies))
        if new:
            replies = await self._models.model(name, prompt).ask_all(task, [key[-1] for key in new])
            self._replies.update(zip(new, replies, strict=True))
        return [self._replies[key] for key in keys]


class Asker(NamedTuple):
    """Who makes queries of questions. decider: the generator that calls the search as a tool; imaginer: for HyDE.

    restater: who makes a question in a conversation stand alone, the generator or else the embedded model.
    """

    decider: str
    imaginer: str
    restater: str = NOBODY

    @classmethod
    def of(cls, setting: Setting, *, restates: bool) -> Asker:
        """restates: there are conversations."""
        decider = setting.generator if setting.retrieval == TOOL else NOBODY
        restater = EMBEDDED if setting.generator == NO_GENERATOR else setting.generator
        return cls(decider, setting.hyde, restater if restates else NOBODY)


class Queries:
    """Of every question.

    words: what BM25 and rerankers look for. passages: what is compared by its vector. alone: rows for which the model
    chose not to search. failed: row to the reason why it has no query. tokens: row to those read and written.
    standalone: row to what is asked in the place of a question in a conversation.
    """

    def __init__(self, examples: Sequence[Example]) -> None:
        self.words = [example.question for example in examples]
        self.passages = list(self.words)
        self.alone: set[int] = set()
        self.failed: dict[int, str] = {}
        self.tokens: dict[int, tuple[int, int]] = {}
        self.standalone: dict[int, str] = {}

    @property
    def searching(self) -> list[int]:
        """The rows that are still to be searched for."""
        return [row for row in range(len(self.words)) if row not in self.alone and row not in self.failed]

    def count(self, row: int, effort: Effort | None, written: str) -> None:
        """Tokens as the server counted them, else estimated from the texts."""
        before = self.tokens.get(row, (0, 0))
        now = (
            (effort.input_tokens, effort.output_tokens)
            if effort
            else (estimate_tokens(self.words[row]), estimate_tokens(written))
        )
        self.tokens[row] = (before[0] + now[0], before[1] + now[1])


async def queries_of(asker: Asker, examples: Sequence[Example], memory: Memory) -> Queries:
    """Make the queries of all examples."""
    queries = Queries(examples)
    if asker.restater != NOBODY:
        await _restate(asker.restater, queries, examples, memory)
    if asker.decider != NOBODY:
        await _decide(asker.decider, queries, memory)
    if asker.imaginer != NOBODY:
        await _imagine(asker.imaginer, queries, memory)
    return queries


async def _restate(name: str, queries: Queries, examples: Sequence[Example], memory: Memory) -> None:
    rows = [row for row, example in enumerate(examples) if example.history]
    asked = [FollowUp(turns=examples[row].history, question=examples[row].question) for row in rows]
    for row, reply in zip(rows, await memory.ask(name, STANDALONE_QUESTION, asked), strict=True):
        if reply.effort is not None:  # the embedded model reads no tokens
            queries.tokens[row] = (reply.effort.input_tokens, reply.effort.output_tokens)
        if reply.value is None:
            queries.failed[row] = f"the model did not restate the question: {reply.reason}"
        else:
            queries.standalone[row] = queries.words[row] = queries.passages[row] = reply.value.text


async def _decide(name: str, queries: Queries, memory: Memory) -> None:
    rows = queries.searching
    asked = [BareQuestion(question=queries.words[row]) for row in rows]
    for row, reply in zip(rows, await memory.ask(name, SEARCH_DECISION, asked), strict=True):
        queries.count(row, reply.effort, reply.value.query if reply.value else "")
        if reply.value is None:
            queries.failed[row] = f"the model did not decide whether to search: {reply.reason}"
        elif reply.value.needed:
            queries.words[row] = queries.passages[row] = reply.value.query
        else:
            queries.alone.add(row)


async def _imagine(name: str, queries: Queries, memory: Memory) -> None:
    rows = queries.searching
    asked = [BareQuestion(question=queries.words[row]) for row in rows]
    for row, reply in zip(rows, await memory.ask(name, HYPOTHETICAL_PASSAGE, asked), strict=True):
        queries.count(row, reply.effort, reply.value.text if reply.value else "")
        if reply.value is None:
            queries.failed[row] = f"the model wrote no passage to search with: {reply.reason}"
        else:
            queries.passages[row] = reply.value.text
