"""Pairs of a better and a worse item from any collection of documents: what a judge of one's own can be checked on.

The recipe of WikiEval (RAGAS): an answer written with the context and one without it, a complete answer and
one that is incomplete on purpose, a passage and the same passage padded with related sentences. Which item is better is
known by construction; no person has looked at it.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ragassay.agreement.check_items import Quality
from ragassay.corpus.passages import PassageSpan, passages, to_passage
from ragassay.corpus.sampling import length_class, spread_order
from ragassay.models.base import Model
from ragassay.models.embedded.reading.terms import is_common_word, names, question_terms, terms, total_weight
from ragassay.models.embedded.reading.units import units
from ragassay.records import Document
from ragassay.tasks.pairs import GroundedPair
from ragassay.tasks.per_chunk import CHUNK_PAIRS, ChunkRequest
from ragassay.tasks.worse_answers import GUESSED_ANSWER, INCOMPLETE_ANSWER, RightAnswer
from ragassay.text import count_words

PAIR_QUALITIES: tuple[Quality, ...] = ("faithfulness", "answer_relevance", "context_relevance")

PASSAGE_CHARS = 1500
PAIRS_OF_A_PASSAGE = 3
BATCH = 16
"""Passages that are asked about together."""
AROUND = 2
"""Sentences before and after those that an answer rests on: the better context."""
LEAST_PADDING = 3
PADDING_POOL = 400
"""Sentences of other documents that padding is looked for among, besides those of the same document."""
_QUESTION_WORD = re.compile(r"(?:What|Who|Whom|Whose|When|Where|Which|Why|How)\b")
_RUN = re.compile(r"[A-Z][\w'’&-]+(?: [A-Z][\w'’&-]+)+")
_LONG_ENOUGH = 6
"""Words of a sentence that pads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltPair:
    """One line of the file that ``read_judge_set`` reads. document: that it was made from. how: the worse item."""

    quality: Quality
    question: str
    context: str
    better: str
    worse: str
    document: str
    how: str


@dataclass(slots=True)
class Built:
    """pairs: by quality, at most as many as were asked for. dropped: why others came to nothing, counted."""

    pairs: dict[Quality, list[BuiltPair]] = field(default_factory=lambda: {each: [] for each in PAIR_QUALITIES})
    dropped: Counter[str] = field(default_factory=Counter)

    def is_full(self, n: int) -> bool:
        return all(len(pairs) >= n for pairs in self.pairs.values())


class _Asked(NamedTuple):
    """A passage with the questions that it gave."""

    document: Document
    text: str
    pairs: tuple[GroundedPair, ...]


async def build_pairs(model: Model, documents: Sequence[Document], n: int, *, seed: int = 0) -> Built:
    """Up to n pairs of each quality, spread over the documents: each gives one passage before any gives a second.

    Raises ValueError if n < 1.
    """
    if n < 1:
        raise ValueError(f"{n} pairs cannot be made; ask for 1 or more")
    built = Built()
    padding = _Padding(documents, seed)
    names_of = _Names(documents, seed)
    places = _places(documents, seed)
    while not built.is_full(n):
        batch = [place for _, place in zip(range(BATCH), places, strict=False)]
        if not batch:
            break
        asked = await _asked(model, batch, built.dropped)
        await _add_answers(model, "faithfulness", _ungrounded(asked, names_of), built, n)
        await _add_answers(model, "answer_relevance", _in_two_parts(asked), built, n)
        _add_contexts(asked, padding, built, n)
    return built


def _places(documents: Sequence[Document], seed: int) -> Iterator[tuple[Document, PassageSpan]]:
    """One passage of each document in turn, documents in an order that spreads over folders and lengths."""
    keys = [(each.source.rpartition("/")[0], length_class(len(each.text))) for each in documents]
    cut: list[tuple[Document, list[PassageSpan]]] = []
    for place in spread_order(keys, seed):
        found = passages(documents[place], PASSAGE_CHARS)
        random.Random(f"{seed} {documents[place].id}").shuffle(found)
        cut.append((documents[place], found))
    for turn in range(max((len(found) for _, found in cut), default=0)):
        for document, found in cut:
            if turn < len(found):
                yield document, found[turn]


async def _asked(model: Model, batch: Sequence[tuple[Document, PassageSpan]], dropped: Counter[str]) -> list[_Asked]:
    requests = [
        ChunkRequest(passage=to_passage(document, span.start, span.end, span.section), n=PAIRS_OF_A_PASSAGE)
        for document, span in batch
    ]
    found = []
    for (document, span), reply in zip(batch, await model.ask_all(CHUNK_PAIRS, requests), strict=True):
        text = document.text[span.start : span.end]
        if reply.value is None:
            dropped[f"no question: {reply.reason}"] += 1
        elif not reply.value.items:
            dropped["no question: the passage gives nothing to ask about"] += 1
        else:
            found.append(_Asked(document, text, reply.value.items))
    return found


class _Wanted(NamedTuple):
    document: Document
    inputs: RightAnswer


def _ungrounded(asked: Sequence[_Asked], names_of: _Names) -> list[_Wanted]:
    return [
        _Wanted(
            each.document,
            RightAnswer(
                question=each.pairs[0].question,
                answer=_whole(each.pairs[0]),
                context=each.text,
                foreign=names_of.foreign_to(each.document, each.text),
            ),
        )
        for each in asked
    ]


def _in_two_parts(asked: Sequence[_Asked]) -> list[_Wanted]:
    """Questions of two parts where a passage gave two: then a half of the answer is incomplete beyond doubt."""
    wanted = []
    for each in asked:
        one, *others = each.pairs
        other = next((pair for pair in others if pair.question != one.question), None)
        question = one.question if other is None else _joined(one.question, other.question)
        answer = _whole(one) if other is None else f"{_ended(_whole(one))} {_ended(_whole(other))}"
        wanted.append(_Wanted(each.document, RightAnswer(question=question, answer=answer, context=each.text)))
    return wanted


def _whole(pair: GroundedPair) -> str:
    """The answer as a sentence where there is one: rules answer in a few words beside the statement that says it."""
    repeats = pair.statement.startswith(pair.question.rstrip(" ?？"))
    return pair.answer if repeats or not pair.statement else pair.statement


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?", "。", "！", "？", "…")) else f"{text}."


def _joined(first: str, second: str) -> str:
    """ "When was it opened?" and "Who designed it?": When was it opened, and who designed it?"""
    if first.endswith("？"):
        return first + second
    if _QUESTION_WORD.match(second):
        return f"{first.rstrip(' ?')}, and {second[0].lower()}{second[1:]}"
    return f"{first} {second}"


async def _add_answers(model: Model, quality: Quality, wanted: Sequence[_Wanted], built: Built, n: int) -> None:
    task = GUESSED_ANSWER if quality == "faithfulness" else INCOMPLETE_ANSWER
    pairs = built.pairs[quality]
    wanted = wanted[: max(0, n - len(pairs))]
    replies = await model.ask_all(task, [each.inputs for each in wanted]) if wanted else []
    for each, reply in zip(wanted, replies, strict=True):
        if reply.value is None:
            built.dropped[f"{quality}: {reply.reason}"] += 1
        elif quality == "faithfulness" and _says_the_same(each.inputs, reply.value.text):
            built.dropped[f"{quality}: the answer without the context says the same"] += 1
        else:
            pairs.append(
                BuiltPair(
                    quality=quality,
                    question=each.inputs.question,
                    context=each.inputs.context,
                    better=each.inputs.answer,
                    worse=reply.value.text,
                    document=each.document.source,
                    how=reply.value.how,
                )
            )


def _says_the_same(inputs: RightAnswer, guess: str) -> bool:
    """Whether a guess has all that the right answer adds to the question: it happened to be right."""
    asked = set(question_terms(inputs.question))
    return set(terms(inputs.answer)) - asked <= set(terms(guess))


def _add_contexts(asked: Sequence[_Asked], padding: _Padding, built: Built, n: int) -> None:
    pairs = built.pairs["context_relevance"]
    for each in asked:
        if len(pairs) >= n:
            return
        pair = each.pairs[0]
        better = _around(each.text, pair.quotes)
        added = padding.of(each.document, pair, better) if better else []
        between = "\n" if "\n" in each.text else " "
        if len(added) < LEAST_PADDING:
            built.dropped["context_relevance: too few related sentences that do not answer the question"] += 1
            continue
        pairs.append(
            BuiltPair(
                quality="context_relevance",
                question=pair.question,
                context="",
                better=between.join(better),
                worse=between.join([*added[::2], *better, *added[1::2]]),
                document=each.document.source,
                how=f"{len(added)} related sentences added to {len(better)}",
            )
        )


def _around(text: str, quotes: Sequence[str]) -> list[str]:
    """The sentences that hold the quotes, with their neighbours; none where a quote is not found."""
    found = units(text)
    held = []
    for quote in quotes:
        start = text.find(quote)
        if start < 0:
            return []
        held += [place for place, unit in enumerate(found) if unit.start < start + len(quote) and start < unit.end]
    if not held:
        return []
    return [unit.text for unit in found[max(0, min(held) - AROUND) : max(held) + AROUND + 1]]


class _Padding:
    """Sentences that are related to a context and say nothing of its question."""

    def __init__(self, documents: Sequence[Document], seed: int) -> None:
        self._chance = random.Random(f"{seed} padding")
        drawn = self._chance.sample(list(documents), min(len(documents), PADDING_POOL // 4))
        pool = [(each.id, text) for each in drawn for text in _prose(each.text)]
        self._pool = self._chance.sample(pool, min(len(pool), PADDING_POOL))

    def of(self, document: Document, pair: GroundedPair, better: Sequence[str]) -> list[str]:
        """As many as the context has, and at least three; those that share most with it first.

        What the answer adds to the question stands in none of them, nor do most of the question's terms.
        """
        asked = set(question_terms(pair.question))
        told = set(terms(_whole(pair))) - asked
        context = set(terms(" ".join(better))) - asked - told
        others = [text for text in _prose(document.text) if text not in better]
        others += [text for owner, text in self._pool if owner != document.id]
        ranked: list[tuple[float, str]] = []
        for text in dict.fromkeys(others):
            found = set(terms(text))
            if found & told or total_weight(found & asked) > total_weight(asked) / 2:
                continue
            ranked.append((total_weight(found & context), text))
        ranked.sort(key=lambda each: (-each[0], each[1]))
        return [text for _, text in ranked[: max(LEAST_PADDING, len(better))]]


def _prose(text: str) -> list[str]:
    return [unit.text for unit in units(text) if unit.kind == "sentence" and count_words(unit.text) >= _LONG_ENOUGH]


_MOST_NAMES = 50
"""Names of one document."""


def _names_in(text: str) -> list[str]:
    """Names of several words in its sentences, at least one of them no common word."""
    runs = {run for sentence in _prose(text) for run in _RUN.findall(sentence)}
    return sorted(run for run in runs if not all(map(is_common_word, run.split())))[:_MOST_NAMES]


class _Names:
    """Names of several words that occur in the collection."""

    def __init__(self, documents: Sequence[Document], seed: int) -> None:
        self._of = {each.id: _names_in(each.text) for each in documents}
        self._chance = random.Random(f"{seed} names")

    def foreign_to(self, document: Document, context: str) -> tuple[str, ...]:
        """A few names of other documents that the context does not have."""
        others = [name for owner, found in self._of.items() if owner != document.id for name in found]
        known = names(context)
        fitting = [name for name in self._chance.sample(others, min(len(others), 40)) if not names(name) & known]
        return tuple(fitting[:8])
