"""What a sweep will do and what that takes, before anything is done: work that settings share counts once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ragassay.documents.chunkers import Chunking
from ragassay.models import EMBEDDED
from ragassay.rag.setting import NO_GENERATOR, NOBODY, TOOL, Setting
from ragassay.retrieval.rerank import NO_RERANKER

ANSWER_TOKENS = 80
"""Of an answer, and of the rest of a reply: the prompt asks for brief ones."""
PASSAGE_TOKENS = 120
QUERY_TOKENS, GRADE_TOKENS = 40, 6
INSTRUCTION_TOKENS = 250

Cost = Callable[[str, int, int], float | None]
"""US dollars of a model for tokens read and written; None where its price is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRow:
    """One kind of work. alone: units if every setting were worked out by itself; shared: with what they share, at most.

    model: whose tokens and US dollars these are; None where nothing is paid for. cost_usd: None where it is not known.
    """

    work: str
    alone: int
    shared: int
    model: str | None = None
    tokens: int = 0
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """chunks: of each chunking. tokens: of all documents. follow_ups: share of questions in a conversation."""

    questions: int
    chunks: Mapping[Chunking, int]
    tokens: int
    question_tokens: float
    follow_ups: float = 0
    turn_tokens: float = 0

    def read(self, setting: Setting, chunks: int) -> float:
        """Tokens of a prompt with so many chunks; their overlap is left out: an estimate."""
        n_chunks = self.chunks[setting.chunking]
        of_chunk = self.tokens / max(1, n_chunks)
        return INSTRUCTION_TOKENS + self.question_tokens + min(chunks, n_chunks) * of_chunk


def plan(
    settings: Sequence[Setting], sizes: Sizes, judged: int, names: Mapping[str, str], cost: Cost
) -> tuple[PlanRow, ...]:
    """The work in order. judged: metrics that a judge is asked for. names: of models on servers, by grid names."""
    made = _Plan(settings, sizes, names, cost)
    rows = (*made.indexing(), made.ranking(), *made.queries(), *made.reranking(), *made.answering(judged))
    return tuple(row for row in rows if row.alone)


class _Plan:
    def __init__(self, settings: Sequence[Setting], sizes: Sizes, names: Mapping[str, str], cost: Cost) -> None:
        self._settings, self._sizes, self._names, self._cost = settings, sizes, names, cost
        self._n = sizes.questions

    def _row(self, work: str, by: str, alone: float, shared: float, read: float, written: float = 0) -> PlanRow:
        """by: who does it. read, written: tokens, which count where that is a model on a server."""
        model = self._names.get(by)
        row = PlanRow(work=work, alone=round(alone), shared=round(shared))
        if model is None:
            return row
        tokens = round(read), round(written)
        return replace(row, model=model, tokens=sum(tokens), cost_usd=self._cost(model, *tokens))

    def _restated(self, shared: Setting, setting: Setting) -> Setting:
        """With who answers, where it is the one who puts questions of conversations in other words."""
        return replace(shared, generator=setting.generator) if self._sizes.follow_ups else shared

    def indexing(self) -> Iterator[PlanRow]:
        chunks = self._sizes.chunks
        indexes = {(setting.chunking, setting.prefix) for setting in self._settings}
        yield PlanRow(
            work="chunks indexed by words",
            alone=sum(chunks[setting.chunking] for setting in self._settings),
            shared=sum(chunks[chunking] for chunking, _ in indexes),
        )
        dense = [setting for setting in self._settings if setting.text_weight < 1]
        for encoder in dict.fromkeys(setting.encoder for setting in dense):
            own = [setting for setting in dense if setting.encoder == encoder]
            vectors = {(setting.chunking, setting.prefix, setting.vectors) for setting in own}
            alone = sum(chunks[setting.chunking] for setting in own)
            shared = sum(chunks[chunking] for chunking, _, _ in vectors)
            read = self._sizes.tokens * len(vectors)
            yield self._row(f"vectors of chunks by {encoder}", encoder, alone, shared, read)

    def ranking(self) -> PlanRow:
        rankings = {self._restated(setting.ranking, setting) for setting in self._settings}
        return PlanRow(work="rankings", alone=self._n * len(self._settings), shared=self._n * len(rankings))

    def queries(self) -> Iterator[PlanRow]:
        """Questions that are made to stand alone, decisions whether to search, passages made up to search with."""
        sizes, settings = self._sizes, self._settings
        restating = [(EMBEDDED if s.generator == NO_GENERATOR else s.generator, s) for s in settings]
        deciding = [(setting.generator, setting) for setting in settings if setting.retrieval == TOOL]
        imagining = [(setting.hyde, setting) for setting in settings if setting.hyde != NOBODY]
        for work, written, some, share, turns in (
            ("questions restated", QUERY_TOKENS, restating, sizes.follow_ups, sizes.turn_tokens),
            ("searches decided", QUERY_TOKENS, deciding, 1, 0),
            ("passages made up", PASSAGE_TOKENS, imagining, 1, 0),
        ):
            for model in dict.fromkeys(name for name, _ in some):
                own = [setting for name, setting in some if name == model]
                # the question of a passage is the one that was asked, or what a decider made of it
                once = len({self._restated(setting.ranking, setting).generator for setting in own})
                shared = round(self._n * share * once)
                read = shared * (INSTRUCTION_TOKENS + turns + sizes.question_tokens)
                yield self._row(f"{work} by {model}", model, self._n * share * len(own), shared, read, written * shared)

    def reranking(self) -> Iterator[PlanRow]:
        names = dict.fromkeys(each.reranker for each in self._settings if each.reranker != NO_RERANKER)
        for reranker in names:
            own = [setting for setting in self._settings if setting.reranker == reranker]
            distinct = {replace(self._restated(each.retrieved, each), guard="", guard_threshold=0.0) for each in own}
            shared = self._n * sum(each.candidates for each in distinct)
            read = self._n * sum(self._sizes.read(each, each.candidates) for each in distinct)
            alone = self._n * sum(each.candidates for each in own)
            yield self._row(f"chunks re-ranked by {reranker}", reranker, alone, shared, read, GRADE_TOKENS * shared)

    def answering(self, judged: int) -> Iterator[PlanRow]:
        answering = [setting for setting in self._settings if setting.generator != NO_GENERATOR]
        for generator in dict.fromkeys(setting.generator for setting in answering):
            own = [setting for setting in answering if setting.generator == generator]
            n = self._n * len(own)
            read = self._n * sum(self._sizes.read(each, each.top_k) for each in own)
            yield self._row(f"answers by {generator}", generator, n, n, read, ANSWER_TOKENS * n)
        n = self._n * len(answering) * judged
        read = self._n * sum(self._sizes.read(each, each.top_k) for each in answering) * judged
        yield self._row("judgements", "judge", n, n, read, 2 * ANSWER_TOKENS * n)
