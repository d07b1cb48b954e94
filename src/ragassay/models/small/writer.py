"""The writer: questions in the words of people, by the small language model with the writer's adapter.

It is given a passage, a sentence of it and the answer, and writes the question, in several ways. What it writes is only
taken where nothing in it was added: every number and name of the question stands in the title, the section or the
passage. How likely the model holds a question tells good ones from bad ones better than anything that reads them later.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from ragassay.models.small import wording
from ragassay.models.small.model import Generated, SmallModel
from ragassay.models.small.remembered import Remembered
from ragassay.text import sentence_spans

ADAPTER = Path(__file__).with_name("writer.safetensors")
LONGEST_QUESTION = 48
"""Tokens."""
CANDIDATES = 4
"""Ways to ask that are written for each answer."""
WINDOW_TOKENS = 160
"""Most tokens of the passage around a sentence: half of what the adapter was trained with, for speed."""
WORDS = range(4, 33)
"""Words of a question."""


KEPT = 20_000
"""Questions that are kept: a document is asked about again at every visit."""


class Wanted(NamedTuple):
    """What a question is wanted for. quote: words of ``text``, one sentence or several. answer: what they say."""

    title: str
    heading: str
    text: str
    quote: str
    answer: str


class Likelihood(NamedTuple):
    """Natural logarithms of the probabilities of a question's tokens, the last of which ends it.

    total: their sum. mean: of one token. least: of the two least likely ones together.
    """

    total: float
    mean: float
    least: float

    @classmethod
    def of(cls, tokens: Sequence[float]) -> Likelihood:
        """tokens: log-probabilities, at least one."""
        return cls(sum(tokens), sum(tokens) / len(tokens), sum(sorted(tokens)[:2]))


class Written(NamedTuple):
    """A question that the writer asks, and how likely it held it."""

    question: str
    likelihood: Likelihood


class _Text(NamedTuple):
    """What the model wrote and ended itself. tokens: log-probabilities, with that of the end."""

    text: str
    tokens: tuple[float, ...]


class Writer:
    """Writes questions. What it writes depends on what is wanted alone. Several threads may ask."""

    def __init__(self, model: SmallModel) -> None:
        self._model = model
        self._lock = Lock()
        self._kept: dict[Wanted, list[Written]] = {}
        self._remembered = Remembered(model.identity, f"{LONGEST_QUESTION} {CANDIDATES}")

    @classmethod
    def load(cls, adapter: Path = ADAPTER, threads: int = 2) -> Writer:
        """The package's writer, or one that ``ragassay train writer`` made. Raises ModelError."""
        return cls(SmallModel.load(adapter, task="writer", threads=threads))

    @cached_property
    def name(self) -> str:
        return self._model.name

    def ask(self, wanted: Sequence[Wanted]) -> list[list[Written]]:
        """For each its questions, the likeliest first; none that says more than the passage, none in other letters."""
        with self._lock:
            if len(self._kept) > KEPT:
                self._kept.clear()
            new = list(dict.fromkeys(each for each in wanted if each not in self._kept))
            prompts = [
                self._prefix(each) + self._tokens(wording.asking_prompt(each.quote, each.answer)) for each in new
            ]
            for each, texts in zip(new, self._texts(prompts), strict=True):
                self._kept[each] = _questions(texts, each)
            return [self._kept[each] for each in wanted]

    def _texts(self, prompts: Sequence[list[int]]) -> list[list[_Text]]:
        """What the model wrote to each prompt, in this run or an earlier one."""
        keys = [self._remembered.key(" ".join(map(str, prompt))) for prompt in prompts]
        found = {key: _parsed(kept) for key, kept in self._remembered.known(keys).items()}
        unread = [place for place, key in enumerate(keys) if found.get(key) is None]
        fresh = {}
        asked = [prompts[place] for place in unread]
        made = self._model.generate(asked, LONGEST_QUESTION, candidates=CANDIDATES) if asked else []
        for place, candidates in zip(unread, made, strict=True):
            texts = [_text(each) for each in candidates if each.finished]
            found[keys[place]] = texts
            fresh[keys[place]] = json.dumps(texts).encode()
        self._remembered.keep(fresh)
        return [each for key in keys if (each := found[key]) is not None]

    def _prefix(self, wanted: Wanted) -> list[int]:
        def count(part: str) -> int:
            return len(self._tokens(part))

        text = wording.plain(wanted.text)
        places = _places(text, wording.sentence(wanted.quote))
        start, end = places[0]
        for _, last in places:
            if count(text[start:last]) <= WINDOW_TOKENS:
                end = max(end, last)
        start, end = wording.window(text, start, end, count, WINDOW_TOKENS)
        return self._tokens(wording.prefix(wanted.title, wanted.heading, text[start:end]))

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


def _text(generated: Generated) -> _Text:
    end = generated.score - sum(generated.log_probabilities)
    return _Text(generated.text, (*generated.log_probabilities, end))


def _parsed(kept: bytes) -> list[_Text] | None:
    """None for what is damaged."""
    try:
        return [_Text(str(text), tuple(map(float, tokens))) for text, tokens in json.loads(kept) if tokens]
    except (ValueError, TypeError):
        return None


def _questions(texts: Sequence[_Text], wanted: Wanted) -> list[Written]:
    found: dict[str, Written] = {}
    for each in texts:
        question = " ".join(each.text.split())
        if _is_plain(question) and _fits(question, wanted.answer) and not _added(question, wanted):
            found.setdefault(question.casefold(), Written(question, Likelihood.of(each.tokens)))
    return list(found.values())


def asks_yes_or_no(question: str) -> bool:
    """Whether a question begins with a verb, as one that yes or no answers."""
    return _first(question) in _AUXILIARIES


def _fits(question: str, answer: str) -> bool:
    """Whether yes or no is asked for only where that is the answer."""
    return not asks_yes_or_no(question) or _first(answer) in _YES_NO


def _first(text: str) -> str:
    found = _WORD.search(text)
    return found.group().lower() if found else ""


def _is_plain(question: str) -> bool:
    return question.endswith("?") and len(question.split()) in WORDS and question.count("?") == 1


_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")


_YES_NO = frozenset({"yes", "no"})
_AUXILIARIES = frozenset(
    """
    am are can could did do does had has have is may might must shall should was were will would
    """.split()
)

MOST_UNKNOWN = 1
"""Words of meaning of a question that may stand nowhere in what the writer was given: "happens", "mean"."""
_STEM = 5
_MORE_OPENINGS = {"shall", "according"}
"""First words of questions that spaCy's list of function words lacks."""


def _added(question: str, wanted: Wanted) -> bool:
    """Whether a number, a name, or several words of the question stand nowhere in what the writer was given."""
    given = f"{wanted.title} {wanted.heading} {wanted.text}"
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
