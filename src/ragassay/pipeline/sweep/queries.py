"""What is searched for in a sweep: questions, or what a model makes of them (conversations, HyDE, search as a tool)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragassay.models.base import Effort, Reply
from ragassay.models.llm.token_counts import estimate_tokens
from ragassay.pipeline.sweep.models import SettingModels
from ragassay.rag.setting import EMBEDDED, NO_GENERATOR, NOBODY, TOOL, Setting
from ragassay.records import Example
from ragassay.sweep.search import Rows
from ragassay.tasks.answering import HYPOTHETICAL_PASSAGE, SEARCH_DECISION, BareQuestion, HypotheticalPassage, Search
from ragassay.tasks.follow_ups import STANDALONE_QUESTION, FollowUp, StandaloneQuestion


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

    @property
    def asks(self) -> bool:
        """Whether a model is asked at all."""
        return self != (NOBODY, NOBODY, NOBODY)


class Queries(NamedTuple):
    """Of every question, right for the rows that were asked for.

    words: what BM25 and rerankers look for. passages: what is compared by its vector. alone: rows for which the model
    chose not to search. failed: row to the reason why it has no query. tokens: row to those read and written.
    standalone: row to what is asked in the place of a question in a conversation.
    """

    words: list[str]
    passages: list[str]
    alone: frozenset[int]
    failed: dict[int, str]
    tokens: dict[int, tuple[int, int]]
    standalone: dict[int, str]


class QueryMaker:
    """Asks for every query once, of one question at most."""

    def __init__(self, examples: Sequence[Example], models: SettingModels) -> None:
        self._examples = examples
        self._models = models
        self._restated: dict[tuple[str, int], Reply[StandaloneQuestion]] = {}
        self._decided: dict[tuple[str, str], Reply[Search]] = {}
        self._imagined: dict[tuple[str, str], Reply[HypotheticalPassage]] = {}

    async def of(self, asker: Asker, rows: Rows) -> Queries:
        """The queries for some rows; the other questions stand as they are."""
        words = [example.question for example in self._examples]
        found = Queries(words, list(words), frozenset(), {}, {}, {})
        if asker.restater != NOBODY:
            await self._restate(asker.restater, found, rows.tolist())
        if asker.decider != NOBODY:
            found = await self._searches(
                asker.decider, found, [row for row in rows.tolist() if row not in found.failed]
            )
        if asker.imaginer != NOBODY:
            still = [row for row in rows.tolist() if row not in found.alone and row not in found.failed]
            await self._imagine(asker.imaginer, found, still)
        return found

    async def _restate(self, name: str, queries: Queries, rows: Sequence[int]) -> None:
        rows = [row for row in rows if self._examples[row].history]
        new = [row for row in rows if (name, row) not in self._restated]
        asked = [FollowUp(turns=self._examples[row].history, question=self._examples[row].question) for row in new]
        replies = await self._models.model(name).ask_all(STANDALONE_QUESTION, asked)
        self._restated.update({(name, row): reply for row, reply in zip(new, replies, strict=True)})
        for row in rows:
            reply = self._restated[name, row]
            if reply.effort is not None:  # the embedded model reads no tokens
                queries.tokens[row] = (reply.effort.input_tokens, reply.effort.output_tokens)
            if reply.value is None:
                queries.failed[row] = f"the model did not restate the question: {reply.reason}"
            else:
                queries.standalone[row] = queries.words[row] = queries.passages[row] = reply.value.text

    async def _searches(self, name: str, queries: Queries, rows: Sequence[int]) -> Queries:
        texts = [queries.words[row] for row in rows]
        new = [text for text in dict.fromkeys(texts) if (name, text) not in self._decided]
        asked = [BareQuestion(question=text) for text in new]
        replies = await self._models.model(name).ask_all(SEARCH_DECISION, asked)
        self._decided.update({(name, text): reply for text, reply in zip(new, replies, strict=True)})
        alone = set()
        for row, text in zip(rows, texts, strict=True):
            reply = self._decided[name, text]
            _count(queries, row, reply.effort, text, reply.value.query if reply.value else "")
            if reply.value is None:
                queries.failed[row] = f"the model did not decide whether to search: {reply.reason}"
            elif reply.value.needed:
                queries.words[row] = queries.passages[row] = reply.value.query
            else:
                alone.add(row)
        return queries._replace(alone=frozenset(alone))

    async def _imagine(self, name: str, queries: Queries, rows: Sequence[int]) -> None:
        texts = [queries.words[row] for row in rows]
        new = [text for text in dict.fromkeys(texts) if (name, text) not in self._imagined]
        asked = [BareQuestion(question=text) for text in new]
        replies = await self._models.model(name).ask_all(HYPOTHETICAL_PASSAGE, asked)
        self._imagined.update({(name, text): reply for text, reply in zip(new, replies, strict=True)})
        for row, text in zip(rows, texts, strict=True):
            reply = self._imagined[name, text]
            _count(queries, row, reply.effort, text, reply.value.text if reply.value else "")
            if reply.value is None:
                queries.failed[row] = f"the model wrote no passage to search with: {reply.reason}"
            else:
                queries.passages[row] = reply.value.text


def _count(queries: Queries, row: int, effort: Effort | None, read: str, written: str) -> None:
    """Tokens as the server counted them, else estimated from the texts."""
    before = queries.tokens.get(row, (0, 0))
    now = (effort.input_tokens, effort.output_tokens) if effort else (estimate_tokens(read), estimate_tokens(written))
    queries.tokens[row] = (before[0] + now[0], before[1] + now[1])
