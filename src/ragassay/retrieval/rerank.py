"""Re-rank the first chunks of a ranking: by late interaction, a cross-encoder, or a language model that grades them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ragassay.errors import ModelError, UsageError
from ragassay.models.base import Effort, Model, Reply
from ragassay.retrieval.chunk_table import Int32Array
from ragassay.retrieval.hybrid import NO_CHUNK
from ragassay.tasks.answering import CHUNK_GRADES, ChunkGrades, QuestionWithChunks

if TYPE_CHECKING:
    from ragassay.models.vector_cache import SpanEncoder

NO_RERANKER = "none"
LATE_INTERACTION = "late_interaction"
JUDGE = "judge"
CROSS_ENCODER = "cross_encoder:"
"""Followed by the name or folder of a model of sentence-transformers."""
_WORD = re.compile(r"\w+")
_TOGETHER = 32
_KEPT_WORDS = 200_000
"""Words whose vectors are kept for the questions to come: 150 MB of 384 numbers each."""

WordVectors = npt.NDArray[np.float16]


def is_reranker(name: str) -> bool:
    """Return whether a reranker has this name, or it says that there is none."""
    is_cross_encoder = name.startswith(CROSS_ENCODER) and len(name) > len(CROSS_ENCODER)
    return is_cross_encoder or name in (NO_RERANKER, LATE_INTERACTION, JUDGE)


class Candidates(NamedTuple):
    """A question and the texts of the chunks found for it, best first."""

    question: str
    texts: tuple[str, ...]


class Reranked(NamedTuple):
    """One score for each text, higher is better; None with the reason. effort: of the model asked, if any."""

    scores: tuple[float, ...] | None
    reason: str | None = None
    effort: Effort | None = None


class Reranker(Protocol):
    """name: what settings and reports call it. is_pointwise: a chunk's score does not depend on the other chunks."""

    @property
    def name(self) -> str: ...

    @property
    def is_pointwise(self) -> bool: ...

    async def score_all(self, asked: Sequence[Candidates]) -> list[Reranked]:
        """Score the candidates of many questions, in their order. A failure is a reason, never an error raised."""
        ...


def reordered(ranked: Int32Array, scores: Sequence[float]) -> Int32Array:
    """Return a ranking, (k,) ordinals, whose first chunks stand in the order of their new scores."""
    first = min(len(scores), int((ranked != NO_CHUNK).sum()))
    order = np.argsort(-np.asarray(scores[:first], dtype=np.float64), kind="stable")
    changed = ranked.copy()
    changed[:first] = ranked[:first][order]
    return changed


class CrossEncoderReranker:
    """Reads question and chunk together (extra ``sentence-transformers``); only the order within a question counts."""

    is_pointwise = True

    def __init__(self, model_name: str, model: Any = None) -> None:
        """model_name: on the model hub, or a folder. model: a CrossEncoder in its place.

        Raises UsageError where the extra is not installed, ModelError where the model cannot be loaded.
        """
        self.name = f"{CROSS_ENCODER}{model_name}"
        self._model = model or self._load(model_name)

    async def score_all(self, asked: Sequence[Candidates]) -> list[Reranked]:
        """Score all pairs in one batch. Raises ModelError for a model that gives a pair more than one score."""
        pairs = [(each.question, text) for each in asked for text in each.texts]
        scores = np.asarray(self._model.predict(pairs, show_progress_bar=False) if pairs else [], dtype=np.float64)
        if scores.size != len(pairs):
            raise ModelError(
                f"{self.name} gives {scores.size // len(pairs)} scores for a question and a chunk, as a "
                "classifier does; name a model for ranking"
            )
        parts = np.split(scores.reshape(len(pairs)), np.cumsum([len(each.texts) for each in asked])[:-1])
        return [
            Reranked(tuple(part.tolist())) if np.isfinite(part).all() else Reranked(None, "the cross-encoder gave NaN")
            for part in parts[: len(asked)]
        ]

    def _load(self, model_name: str) -> Any:
        from ragassay.models.published import hush_hub

        hush_hub()
        try:
            from sentence_transformers import CrossEncoder
        except ImportError:
            raise UsageError(
                f"{self.name} needs sentence-transformers; install it with: "
                "pip install 'ragassay[sentence-transformers]'"
            ) from None
        try:
            return CrossEncoder(model_name)
        except (OSError, ValueError) as error:
            raise ModelError(f"{self.name} cannot be loaded: {str(error).splitlines()[0]}") from None


class JudgeReranker:
    """Asks a model to grade all candidates of a question in one call; those of one grade keep the search's order.

    They are shown in an order of their texts alone, which favours no ranking: rankings of the same chunks are one call.
    """

    name = JUDGE
    is_pointwise = False

    def __init__(self, model: Model) -> None:
        self._model = model

    async def score_all(self, asked: Sequence[Candidates]) -> list[Reranked]:
        """Grade from 0 to 3."""
        orders = [_order_shown(each.texts) for each in asked]
        inputs = [
            QuestionWithChunks(question=each.question, chunks=tuple(each.texts[place] for place in order))
            for each, order in zip(asked, orders, strict=True)
        ]
        distinct = list(dict.fromkeys(inputs))
        replies = dict(zip(distinct, await self._model.ask_all(CHUNK_GRADES, distinct), strict=True))
        return [_in_order(replies[each], order) for each, order in zip(inputs, orders, strict=True)]


def _order_shown(texts: Sequence[str]) -> list[int]:
    digests = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
    return sorted(range(len(texts)), key=lambda place: (digests[place], place))


def _in_order(reply: Reply[ChunkGrades], order: Sequence[int]) -> Reranked:
    if reply.value is None:
        return Reranked(None, f"not re-ranked: {reply.reason}", reply.effort)
    grades = dict(zip(order, reply.value.grades, strict=True))
    return Reranked(tuple(float(grades[place]) for place in range(len(order))), effort=reply.effort)


class LateInteractionReranker:
    """MaxSim (Khattab and Zaharia 2020, ColBERT, section 3.2) over the words of question and chunk.

    A word's vector is the mean of its tokens in their text; the encoder was not trained for this (docs/retrieval.md).
    """

    name = LATE_INTERACTION
    is_pointwise = True

    def __init__(self, encoder: SpanEncoder) -> None:
        """encoder: without a cache on disk, which vectors of all words would flood."""
        self._encoder = encoder
        self._kept: dict[str, WordVectors] = {}
        self._n_kept = 0

    async def score_all(self, asked: Sequence[Candidates]) -> list[Reranked]:
        """Score by the mean over the question's words of the highest cosine with a word of the chunk, to 1e-6."""
        scored: list[Reranked] = []
        for begin in range(0, len(asked), _TOGETHER):
            some = asked[begin : begin + _TOGETHER]
            words = self._words([each.question for each in some] + [text for each in some for text in each.texts])
            scored += [_scored(words[each.question], [words[text] for text in each.texts]) for each in some]
        return scored

    def _words(self, texts: Sequence[str]) -> dict[str, WordVectors]:
        """Return the vectors of each text's words, (n_words, dimension) float16."""
        from ragassay.models.embeddings import SpannedText

        found = {text: self._kept[text] for text in texts if text in self._kept}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        spanned = [SpannedText(text, [(0, len(text))], [m.span() for m in _WORD.finditer(text)]) for text in missing]
        vectors = self._encoder.encode_spans(spanned).astype(np.float16)
        ends = np.cumsum([len(each.spans) for each in spanned])
        for text, own in zip(missing, np.split(vectors, ends[:-1]) if missing else (), strict=True):
            found[text] = self._kept[text] = own.copy()
            self._n_kept += len(own)
        while self._n_kept > _KEPT_WORDS:  # the oldest go
            self._n_kept -= len(self._kept.pop(next(iter(self._kept))))
        return found


def _scored(question: WordVectors, texts: Sequence[WordVectors]) -> Reranked:
    if not len(question):
        return Reranked(None, "not re-ranked: the question has no word")
    asked = question.astype(np.float32)
    best = [(asked @ text.astype(np.float32).T).max(axis=1, initial=-1).mean() for text in texts]
    return Reranked(tuple(round(float(score), 6) for score in best))
