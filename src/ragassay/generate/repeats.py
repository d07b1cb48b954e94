"""Questions that were asked already: in almost the same words, or in other words with the same answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from ragassay.generate.candidates import Candidate
from ragassay.models.base import Encoder
from ragassay.text import words

IN_THE_SAME_WORDS = "asked before in almost the same words"
IN_OTHER_WORDS = "asked before in other words"
ALIKE = 0.8
"""Cosine of two questions above which, if one answer holds the other, they ask the same. Of 36 such pairs among 1 190
questions that people wrote (XQuAD, English), 32 do; of 13 between 0.75 and 0.8, 8 do (docs/decisions/synthesis.md)."""
THE_SAME = 0.98
"""Cosine above which they do whatever the answers are; below it stand "When did it start?" and "When did it end?"."""
_NOT_TELLING = frozenset("a an and at by for from in is it of on or the to was were with".split())
_ROOM = 256
FloatArray = npt.NDArray[np.float32]


class AskedBefore:
    """Finds questions that were asked already in almost the same words.

    Source: Xiao et al. 2008, Efficient similarity joins for near duplicate detection (prefix filter).
    """

    def __init__(self) -> None:
        self._by_word: defaultdict[str, list[frozenset[str]]] = defaultdict(list)

    def is_repeat(self, words: Iterable[str]) -> bool:
        """Whether nine tenths of the words are an earlier question's (Jaccard); a question without words is one."""
        asked = frozenset(words)
        rarest = sorted(asked, key=lambda word: (len(self._by_word.get(word, ())), word))
        # With s shared words of n and m, s is at least 9/10 of n + m - s: 19 s >= 9 (n + m). So no more than a tenth of
        # these words is lacking there, and one of the rarest n // 10 + 1 is shared.
        return not asked or any(
            19 * len(asked & earlier) >= 9 * (len(asked) + len(earlier))
            for word in rarest[: len(asked) // 10 + 1]
            for earlier in self._by_word.get(word, ())
        )

    def remember(self, words: Iterable[str]) -> None:
        """Count a question as asked."""
        asked = frozenset(words)
        for word in asked:
            self._by_word[word].append(asked)


class Repeats:
    """Knows the questions that were kept so far.

    Other words are compared within a label only: "When and where was she born?" is a summary that a fact is part of,
    and no repeat of "Where was she born?".
    encoder: without one only words are compared. Memory: one vector a question that was kept.
    """

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._encoder = encoder
        self._by_words = AskedBefore()
        self._vectors: FloatArray = np.zeros((0, 0), np.float32)
        self._answers: list[tuple[str | None, frozenset[str]]] = []

    def faults(self, candidates: Sequence[Candidate]) -> list[str | None]:
        """For each candidate how a question that was kept repeats it, or None."""
        vectors = self._vectors_of(candidates)
        return [self._fault(candidate, vector) for candidate, vector in zip(candidates, vectors, strict=True)]

    def kept(self, candidates: Sequence[Candidate]) -> list[str | None]:
        """As ``faults``, one after the other: each that is no repeat counts as asked before for those after it."""
        found = []
        for candidate, vector in zip(candidates, self._vectors_of(candidates), strict=True):
            fault = self._fault(candidate, vector)
            if fault is None:
                self._remember(candidate, vector)
            found.append(fault)
        return found

    def _fault(self, candidate: Candidate, vector: FloatArray | None) -> str | None:
        if self._by_words.is_repeat(_words_of(candidate.question)):
            return IN_THE_SAME_WORDS
        if vector is None or not self._answers:
            return None
        cosines = self._vectors[: len(self._answers)] @ vector
        near = np.flatnonzero(cosines >= ALIKE)
        label, answer = _counted(candidate), telling(candidate.answer)
        for place in near.tolist():
            other_label, other = self._answers[place]
            if label == other_label and (cosines[place] >= THE_SAME or holds(other, answer)):
                return IN_OTHER_WORDS
        return None

    def _remember(self, candidate: Candidate, vector: FloatArray | None) -> None:
        self._by_words.remember(_words_of(candidate.question))
        if vector is None:
            return
        count = len(self._answers)
        if count == len(self._vectors):
            grown = np.zeros((max(_ROOM, 2 * count), len(vector)), np.float32)
            grown[:count] = self._vectors.reshape(-1, len(vector))[:count]
            self._vectors = grown
        self._vectors[count] = vector
        self._answers.append((_counted(candidate), telling(candidate.answer)))

    def _vectors_of(self, candidates: Sequence[Candidate]) -> Sequence[FloatArray | None]:
        if self._encoder is None or not candidates:
            return [None] * len(candidates)
        return list(self._encoder.encode([candidate.question for candidate in candidates]))


def _counted(candidate: Candidate) -> str | None:
    return candidate.verified or candidate.label


def _words_of(text: str) -> list[str]:
    return [word.lower() for word in words(text)]


def telling(answer: str) -> frozenset[str]:
    """The words of an answer that say something, in lower case."""
    return frozenset(_words_of(answer)) - _NOT_TELLING


def holds(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether all that one answer tells is in the other; an answer that tells nothing is in none."""
    return bool(one and other) and (one <= other or other <= one)
