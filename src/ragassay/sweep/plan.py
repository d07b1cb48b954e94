"""What a sweep will do and what that takes, before anything is done: work that settings share counts once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ragassay.corpus.chunkers import Chunking
from ragassay.rag.setting import EMBEDDED, NO_GENERATOR, NOBODY, TOOL, Setting
from ragassay.retrieval.rerank import NO_RERANKER

ANSWER_TOKENS = 80
"""Of an answer, and of the rest of a reply: the prompt asks for brief ones."""
PASSAGE_TOKENS = 120
"""Of a passage that is made up for a search."""
INSTRUCTION_TOKENS = 250
"""Of the prompt around question and chunks."""

Cost = Callable[[str, int, int], float | None]
"""US dollars of a model for tokens read and written; None where its price is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRow:
    """One kind of work.

    alone: units if every setting were worked out by itself. shared: units with what settings share done once, at most;
    answers to the same question from the same chunks are found to be the same only once the chunks are known.
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
    """chunks: of each chunking. characters: of all documents. question_tokens: mean.

    follow_ups: share of questions in a conversation. turn_tokens: mean of what was said before one.
    """

    questions: int
    chunks: Mapping[Chunking, int]
    characters: int
    tokens: int
    question_tokens: float
    follow_ups: float = 0
    turn_tokens: float = 0


def plan(
    settings: Sequence[Setting],
    sizes: Sizes,
    judged: int,
    names: Mapping[str, str],
    cost: Cost,
) -> tuple[PlanRow, ...]:
    """The work in the order in which it is done.

    judged: metrics that a judge is asked for. names: of models on servers, by
    their names in the grid, and of the judge as ``judge``; others cost nothing. cost: of a model on a server.
    """
    asked = sizes.questions
    rows = [*_indexing(settings, sizes, names, cost), *_ranking(settings, sizes, asked)]
    rows += _queries(settings, asked, names, sizes, cost)
    rows += _reranking(settings, sizes, asked, names, cost)
    rows += _answering(settings, sizes, asked, judged, names, cost)
    return tuple(row for row in rows if row.alone)


def _indexing(settings: Sequence[Setting], sizes: Sizes, names: Mapping[str, str], cost: Cost) -> list[PlanRow]:
    indexes = {(setting.chunking, setting.prefix) for setting in settings}
    rows = [
        PlanRow(
            work="chunks indexed by words",
            alone=sum(sizes.chunks[setting.chunking] for setting in settings),
            shared=sum(sizes.chunks[chunking] for chunking, _ in indexes),
        )
    ]
    dense = [setting for setting in settings if setting.text_weight < 1]
    for encoder in dict.fromkeys(setting.encoder for setting in dense):
        own = [setting for setting in dense if setting.encoder == encoder]
        vectors = {(setting.chunking, setting.prefix, setting.vectors) for setting in own}
        chunks = sum(sizes.chunks[chunking] for chunking, _, _ in vectors)
        tokens = sizes.tokens * len(vectors)
        model = names.get(encoder)
        rows.append(
            PlanRow(
                work=f"vectors of chunks by {encoder}",
                alone=sum(sizes.chunks[setting.chunking] for setting in own),
                shared=chunks,
                model=model,
                tokens=tokens if model else 0,
                cost_usd=cost(model, tokens, 0) if model else None,
            )
        )
    return rows


def _ranking(settings: Sequence[Setting], sizes: Sizes, asked: float) -> list[PlanRow]:
    rankings = {_restated(setting.ranking, setting, sizes) for setting in settings}
    return [PlanRow(work="rankings", alone=round(asked * len(settings)), shared=sizes.questions * len(rankings))]


def _restated(shared: Setting, setting: Setting, sizes: Sizes) -> Setting:
    """With who answers, where it is the one who puts questions of conversations in other words."""
    return replace(shared, generator=setting.generator) if sizes.follow_ups else shared


def _queries(
    settings: Sequence[Setting], asked: float, names: Mapping[str, str], sizes: Sizes, cost: Cost
) -> list[PlanRow]:
    """Questions that are made to stand alone, decisions whether to search, passages made up to search with."""
    restating = [(EMBEDDED if s.generator == NO_GENERATOR else s.generator, s) for s in settings if sizes.follow_ups]
    deciding = [(setting.generator, setting) for setting in settings if setting.retrieval == TOOL]
    imagining = [(setting.hyde, setting) for setting in settings if setting.hyde != NOBODY]
    rows = []
    for work, written, some, share, turns in (
        ("questions restated", 40, restating, sizes.follow_ups, sizes.turn_tokens),
        ("searches decided", 40, deciding, 1, 0),
        ("passages made up", PASSAGE_TOKENS, imagining, 1, 0),
    ):
        for model in dict.fromkeys(name for name, _ in some):
            own = [setting for name, setting in some if name == model]
            # the question of a passage is the one that was asked, or what a decider made of it
            once = len({_restated(setting.ranking, setting, sizes).generator for setting in own})
            shared = round(asked * share * once)
            read = round(shared * (INSTRUCTION_TOKENS + turns + sizes.question_tokens))
            on_server = names.get(model)
            rows.append(
                PlanRow(
                    work=f"{work} by {model}",
                    alone=round(asked * share * len(own)),
                    shared=shared,
                    model=on_server,
                    tokens=read + written * shared if on_server else 0,
                    cost_usd=cost(on_server, read, written * shared) if on_server else None,
                )
            )
    return rows


def _reranking(
    settings: Sequence[Setting], sizes: Sizes, asked: float, names: Mapping[str, str], cost: Cost
) -> list[PlanRow]:
    rows = []
    for reranker in dict.fromkeys(setting.reranker for setting in settings if setting.reranker != NO_RERANKER):
        own = [setting for setting in settings if setting.reranker == reranker]
        distinct = {replace(_restated(each.retrieved, each, sizes), guard="", guard_threshold=0.0) for each in own}
        model = names.get(reranker)
        tokens = round(sum(_read(sizes, each, each.candidates) for each in distinct) * asked)
        rows.append(
            PlanRow(
                work=f"chunks re-ranked by {reranker}",
                alone=round(sum(each.candidates for each in own) * asked),
                shared=round(sum(each.candidates for each in distinct) * asked),
                model=model,
                tokens=tokens if model else 0,
                cost_usd=cost(model, tokens, round(6 * asked * sum(each.candidates for each in distinct)))
                if model
                else None,
            )
        )
    return rows


def _answering(
    settings: Sequence[Setting], sizes: Sizes, asked: float, judged: int, names: Mapping[str, str], cost: Cost
) -> list[PlanRow]:
    rows = []
    for generator in dict.fromkeys(setting.generator for setting in settings if setting.generator != NO_GENERATOR):
        own = [setting for setting in settings if setting.generator == generator]
        model = names.get(generator)
        read = round(sum(_read(sizes, each, each.top_k) for each in own) * asked)
        written = round(ANSWER_TOKENS * asked * len(own))
        answers = round(asked * len(own))
        rows.append(
            PlanRow(
                work=f"answers by {generator}",
                alone=answers,
                shared=answers,
                model=model,
                tokens=read + written if model else 0,
                cost_usd=cost(model, read, written) if model else None,
            )
        )
    n_answers = sum(row.shared for row in rows)
    judge = names.get("judge")
    if judged and n_answers:
        read = round(sum(_read(sizes, s, s.top_k) for s in settings if s.generator != NO_GENERATOR) * asked) * judged
        written = 2 * ANSWER_TOKENS * n_answers * judged
        rows.append(
            PlanRow(
                work="judgements",
                alone=n_answers * judged,
                shared=n_answers * judged,
                model=judge,
                tokens=read + written if judge else 0,
                cost_usd=cost(judge, read, written) if judge else None,
            )
        )
    return rows


def _read(sizes: Sizes, setting: Setting, chunks: int) -> float:
    n_chunks = sizes.chunks[setting.chunking]
    of_chunk = sizes.tokens / max(1, n_chunks)  # overlap left out: an estimate
    return INSTRUCTION_TOKENS + sizes.question_tokens + min(chunks, n_chunks) * of_chunk
