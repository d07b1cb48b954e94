"""What is searched for in a sweep: the questions, or what a language model makes of them (HyDE, search as a tool)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragassay.models.base import Effort, Reply
from ragassay.models.llm.token_counts import estimate_tokens
from ragassay.pipeline.sweep.models import SettingModels
from ragassay.rag.setting import NOBODY, TOOL, Setting
from ragassay.sweep.search import Rows
from ragassay.tasks.creative import BareQuestion
from ragassay.tasks.searching import HYPOTHETICAL_PASSAGE, SEARCH_DECISION, HypotheticalPassage, Search


class Asker(NamedTuple):
    """Who makes queries of questions. decider: the generator that calls the search as a tool; imaginer: for HyDE."""

    decider: str
    imaginer: str

    @classmethod
    def of(cls, setting: Setting) -> Asker:
        return cls(setting.generator if setting.retrieval == TOOL else NOBODY, setting.hyde)

    @property
    def asks(self) -> bool:
        """Whether a model is asked at all."""
        return self != (NOBODY, NOBODY)


class Queries(NamedTuple):
    """Of every question, right for the rows that were asked for.

    words: what BM25 and rerankers look for. passages: what is compared by its vector. alone: rows for which the model
    chose not to search. failed: row to the reason why it has no query. tokens: row to those read and written.
    """

    words: list[str]
    passages: list[str]
    alone: frozenset[int]
    failed: dict[int, str]
    tokens: dict[int, tuple[int, int]]


class QueryMaker:
    """Asks for every query once, of one question at most."""

    def __init__(self, questions: Sequence[str], models: SettingModels) -> None:
        self._questions = questions
        self._models = models
        self._decided: dict[tuple[str, str], Reply[Search]] = {}
        self._imagined: dict[tuple[str, str], Reply[HypotheticalPassage]] = {}

    async def of(self, asker: Asker, rows: Rows) -> Queries:
        """The queries for some rows; the other questions stand as they are."""
        found = Queries(list(self._questions), list(self._questions), frozenset(), {}, {})
        if asker.decider != NOBODY:
            found = await self._searches(asker.decider, found, rows.tolist())
        if asker.imaginer != NOBODY:
            still = [row for row in rows.tolist() if row not in found.alone and row not in found.failed]
            await self._imagine(asker.imaginer, found, still)
        return found

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
