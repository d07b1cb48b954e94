"""The writer: questions in the words of people, by the small language model with the writer's adapter.

It is given a passage and one of its sentences, and writes a question on it with its answer, or says that there is none
worth asking; or it writes what the passage leaves open. What it writes is only taken where nothing in it was added:
every number and name of the question stands in the title, the section or the passage.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ragassay.models.small import wording
from ragassay.models.small.model import Generated, SmallModel
from ragassay.text import sentence_spans

ADAPTER = Path(__file__).with_name("writer.safetensors")
LONGEST_QUESTION = 48
LONGEST_PAIR = 96
"""Tokens."""
WINDOW_TOKENS = 160
"""Most tokens of the passage around a sentence: half of what the adapter was trained with, for speed."""
WORDS = range(4, 33)
"""Words of a question."""


class Sentence(NamedTuple):
    """Words of a passage that a question is to be made of, and where they stand. quote: as in ``text``."""

    title: str
    heading: str
    text: str
    quote: str


class Written(NamedTuple):
    """question, answer: the latter empty where only a question was asked for.

    likelihood: mean log-probability of the question's tokens, at most 0.
    """

    question: str
    answer: str
    likelihood: float


class Writer:
    """Writes questions. What it writes depends on passage and sentence alone."""

    def __init__(self, model: SmallModel) -> None:
        self._model = model

    @classmethod
    def load(cls, adapter: Path = ADAPTER, threads: int = 2) -> Writer:
        """The package's writer, or one that ``ragassay train writer`` made. Raises ModelError."""
        return cls(SmallModel.load(adapter, task="writer", threads=threads))

    @cached_property
    def name(self) -> str:
        return self._model.name

    def write(self, sentences: Sequence[Sentence]) -> list[Written | None]:
        """A question on each sentence with its answer, which is words of the sentence.

        None where the sentence is not worth asking about, or the question says more than the passage.
        """
        prompts = [self._prefix(each) + self._tokens(wording.fact_prompt(each.quote)) for each in sentences]
        written = self._model.generate(prompts, LONGEST_PAIR)
        return [_pair(found, each) for found, each in zip(written, sentences, strict=True)]

    def ask_missing(self, sentences: Sequence[Sentence], candidates: int) -> list[list[Written]]:
        """Questions that the passages around these sentences leave open, most likely first; to be checked."""
        prompts = [self._prefix(each) + self._tokens(wording.GAP_PROMPT) for each in sentences]
        written = self._model.generate(prompts, LONGEST_QUESTION, candidates=candidates)
        return [
            [found for found in (_question(one, each) for one in several) if found is not None]
            for several, each in zip(written, sentences, strict=True)
        ]

    def _prefix(self, sentence: Sentence) -> list[int]:
        def count(part: str) -> int:
            return len(self._tokens(part))

        text = wording.plain(sentence.text)
        places = _places(text, wording.sentence(sentence.quote))
        start, end = places[0]
        for _, last in places:
            if count(text[start:last]) <= WINDOW_TOKENS:
                end = max(end, last)
        start, end = wording.window(text, start, end, count, WINDOW_TOKENS)
        return self._tokens(wording.prefix(sentence.title, sentence.heading, text[start:end]))

    def _tokens(self, text: str) -> list[int]:
        return self._model.tokenizer.encode(text)


def _places(text: str, quote: str) -> list[tuple[int, int]]:
    """Where the sentences of a quote stand in a text, in order; of a quote that does not, the sentence most like it."""
    patterns = (r"\s+".join(map(re.escape, quote[start:end].split())) for start, end in sentence_spans(quote))
    places = sorted(found.span() for pattern in patterns if (found := re.search(pattern, text)))
    if places:
        return places
    words = set(_WORD.findall(quote.lower()))
    spans = sentence_spans(text) or [(0, 0)]
    return [max(spans, key=lambda span: len(words & set(_WORD.findall(text[span[0] : span[1]].lower()))))]


def _question(found: Generated, sentence: Sentence) -> Written | None:
    question = " ".join(found.text.split())
    if not found.finished or not _is_plain(question) or _added(question, sentence):
        return None
    return Written(question, "", _mean(found))


def _pair(found: Generated, sentence: Sentence) -> Written | None:
    pair = wording.read_pair(found.text) if found.finished else None
    if pair is None or not _is_plain(pair.question) or _added(pair.question, sentence):
        return None
    answer = pair.answer.rstrip(".")
    words = set(_WORD.findall(answer.lower()))
    if not words or not words <= set(_WORD.findall(sentence.quote.lower())):
        return None
    return Written(pair.question, answer, _mean(found))


def _mean(found: Generated) -> float:
    return found.score / (len(found.tokens) + 1)


def _is_plain(question: str) -> bool:
    return question.endswith("?") and len(question.split()) in WORDS and question.count("?") == 1


_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")


MOST_UNKNOWN = 1
"""Words of meaning of a question that may stand nowhere in what the writer was given: "happens", "mean"."""
_STEM = 5
_MORE_OPENINGS = {"shall", "according"}
"""First words of questions that spaCy's list of function words lacks."""


def _added(question: str, sentence: Sentence) -> bool:
    """Whether a number, a name, or several words of the question stand nowhere in what the writer was given."""
    given = f"{sentence.title} {sentence.heading} {sentence.text}"
    known = {word[:_STEM] for word in _WORD.findall(given.lower())}
    if not _numbers(question) <= _numbers(given):
        return True
    unknown = [word for word in _WORD.findall(question) if word[:_STEM].lower() not in known]
    if not unknown:
        return False
    from spacy.lang.en.stop_words import STOP_WORDS  # importing spaCy takes a second

    first = _WORD.findall(question)[0]
    may_open = first.lower() in STOP_WORDS | _MORE_OPENINGS  # every question begins with a capital
    if any(word[:1].isupper() and word != "I" and not (word == first and may_open) for word in unknown):
        return True
    return sum(len(word) > 3 and word.lower() not in STOP_WORDS for word in unknown) > MOST_UNKNOWN


def _numbers(text: str) -> set[str]:
    """The numbers of a text, whole: 2,500 is neither 2 nor 500, and the same as 2500."""
    return {_THOUSANDS.sub("", number) for number in _NUMBER.findall(text)}
