"""The verifier: whether a text supports a claim, contradicts it or does not state it; whether it answers a question.

A claim is read after the passage with the verifier's adapter; a linear head on the state of the last token gives the
three labels, others whether a question is answered (``benchmarks/fit_answered.py``) and how
(``benchmarks/fit_label.py``). Of a long text the windows that share most with the claim are read, and the best one
counts.
"""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ragassay.models.cache import Asked, Remembered
from ragassay.models.small import wording
from ragassay.models.small.adapters import Linear
from ragassay.models.small.model import SmallModel, kept_readings
from ragassay.text import sentence_spans
from ragassay.workers import usable_cores

ADAPTER = Path(__file__).with_name("verifier.safetensors")
CALIBRATION = Path(__file__).with_name("verifier.json")
ANSWERING = Path(__file__).with_name("answering.json")
LABELLING = Path(__file__).with_name("labelling.json")
"""Fitted to the adapter, as ``ANSWERING`` is: another adapter has no use for them."""
WINDOW_TOKENS = 160
"""Most tokens of a window of a text that is longer than ``wording.TEXT_TOKENS``: half as long, read twice as fast."""
WINDOWS = 1
LONGEST_CLAIM = 1_200
"""Characters of a claim that are read at once: about twice the longest it was trained with. A longer claim is read in
stretches of whole sentences, and holds as far as the least supported one does; of a longer question the first count."""
VERBATIM = 0.99
FEWEST_WORDS = 4
"""A claim of so many words that is a whole sentence of the text is supported; to read it again would cost time."""
AT_ONCE = 256
PASSAGES_KEPT, LONGEST_KEPT = 512, 20_000
"""Texts that are kept cut into windows, and the characters of the longest: the same contexts come again with other
claims. One of that length takes 0.3 MB."""
KEPT = 20_000
"""Judgements that are kept: several tasks ask the same of one pair."""


class Check(NamedTuple):
    """A text and claims, or questions that it may answer. windows: of a long text, how many are read for one claim."""

    text: str
    claims: Sequence[str]
    title: str = ""
    heading: str = ""
    questions: bool = False
    windows: int = WINDOWS


class Way(NamedTuple):
    """How a question is answered, as log-odds. several: things are stated. inferred: not stated, but follows."""

    several: float
    inferred: float


class Judged(NamedTuple):
    """Calibrated probabilities that add up to 1; of a question, ``supported`` means that the text answers it.

    window: the stretch of the text, made plain, that they were read off. way: of a question; None of a claim.
    """

    supported: float
    contradicted: float
    not_stated: float
    window: str
    way: Way | None = None


_ROW_BYTES = 24
"""Of the three logits of a reading; of a question, of the three log-odds that are read off for it."""
NOTHING = Judged(0.0, 0.0, 1.0, "")
"""What an empty text or an empty claim gets."""


class _Passage(NamedTuple):
    """A text made ready to be read. sentences: folded. windows: of a short text itself; words: of each."""

    sentences: frozenset[str]
    windows: tuple[str, ...]
    words: tuple[frozenset[str], ...]


class _Read(NamedTuple):
    """One claim on one window. place: of the claim in its check. part: of a long claim."""

    place: int
    part: int
    window: str
    prefix: str
    branch: str
    questions: bool


class Calibration(NamedTuple):
    """scale, shift: of the log-odds of "supported" (Platt 1999), fitted on unseen sources. threshold: of it."""

    scale: float
    shift: float
    threshold: float


class Answering(NamedTuple):
    """Read off a question's state: of_state, whether it is answered, by threshold; several, inferred: as in Way."""

    of_state: Linear
    threshold: float
    several: Linear
    inferred: Linear

    @classmethod
    def read(cls) -> Answering:
        threshold = json.loads(ANSWERING.read_text("utf-8"))["threshold"]
        several, inferred = (Linear.read(LABELLING, name) for name in ("several", "inferred"))
        return cls(Linear.read(ANSWERING), threshold, several, inferred)

    @property
    def digest(self) -> str:
        return " ".join(head.digest for head in (self.of_state, self.several, self.inferred))

    def odds(self, states: np.ndarray) -> np.ndarray:
        """Of each state, (n, hidden), the three log-odds: (n, 3)."""
        return np.array([head.odds(states) for head in (self.of_state, self.several, self.inferred)]).T


class Verifier:
    """Judges claims. A judgement depends on text and claim alone, not on others beside them."""

    def __init__(
        self,
        model: SmallModel,
        claims: Calibration,
        questions: Calibration,
        threads: int = 1,
        answering: Answering | None = None,
    ) -> None:
        """threads: passages read at once. answering: None for the adapter's own head, calibrated by ``questions``."""
        self.model = model
        self._answering = answering
        self.threads = threads
        of_questions = questions if answering is None else Calibration(1.0, 0.0, answering.threshold)
        self._calibrations = {False: claims, True: of_questions}
        maker = f"{model.identity}-{answering.digest if answering else ''}"
        self._remembered = Remembered(kept_readings(model), maker, KEPT, np.ndarray.tobytes, _row)
        self._kept_passage = lru_cache(PASSAGES_KEPT)(self._made_ready)

    @classmethod
    def load(cls) -> Verifier:
        """The package's verifier. Raises ModelError where weights or adapter are missing or do not fit."""
        fitted = json.loads(CALIBRATION.read_text("utf-8"))
        # One thread a passage: two that share each step of one passage are a third slower.
        model = SmallModel.load(ADAPTER, threads=1)
        claims, questions = (Calibration(**fitted[task]) for task in ("claims", "questions"))
        return cls(model, claims, questions, usable_cores(), Answering.read())

    def threshold(self, *, questions: bool = False) -> float:
        """The probability from which on a claim is taken as supported, or a question as answered."""
        return self._calibrations[questions].threshold

    def judge(self, checks: Sequence[Check]) -> list[list[Judged]]:
        """For each check its claims judged; a passage is read once for all that is asked. Safe for threads."""
        found: list[list[Judged]] = []
        for first in range(0, len(checks), AT_ONCE):
            plans = [self._planned(check) for check in checks[first : first + AT_ONCE]]
            reads = [read for _, planned in plans for read in planned]
            are_questions: dict[Asked, bool] = {(read.prefix, read.branch): read.questions for read in reads}
            asked: list[Asked] = [(read.prefix, read.branch) for read in reads]
            rows = iter(self._remembered.values(asked, partial(self._rows, are_questions)))
            found += [self._judged(told, planned, rows) for told, planned in plans]
        return found

    def _planned(self, check: Check) -> tuple[list[Judged], list[_Read]]:
        """What is known of each claim without reading, and what has to be read."""
        made_ready = self._kept_passage if len(check.text) <= LONGEST_KEPT else self._made_ready
        passage = made_ready(check.text)
        told = [NOTHING for _ in check.claims]
        reads: list[_Read] = []
        prompt = wording.answered_prompt if check.questions else wording.claim_prompt
        for place, claim in enumerate(check.claims):
            if not check.questions and len(claim.split()) >= FEWEST_WORDS and _folded(claim) in passage.sentences:
                told[place] = verbatim(claim)
            elif claim.strip():
                stretches = [claim[:LONGEST_CLAIM]] if check.questions else _stretches(claim, passage.sentences)
                told[place] = NOTHING if stretches else verbatim(claim)
                for part, said in enumerate(stretches):
                    for number in _nearest(said, passage, check.windows):
                        window = passage.windows[number]
                        prefix = wording.prefix(check.title, check.heading, window)
                        reads.append(_Read(place, part, window, prefix, prompt(said), check.questions))
        return told, reads

    def _rows(self, are_questions: Mapping[Asked, bool], asked: Sequence[Asked]) -> list[np.ndarray]:
        """What the model says of each prefix with a branch; each prefix is read once."""
        of_prefix: dict[str, dict[str, bool]] = {}
        for each in asked:
            of_prefix.setdefault(each[0], {})[each[1]] = are_questions[each]
        rows: dict[Asked, np.ndarray] = {}
        with ThreadPoolExecutor(max(1, min(self.threads, len(of_prefix)))) as pool:
            found = pool.map(self._logits, of_prefix, of_prefix.values())
            for (prefix, branches), logits in zip(of_prefix.items(), found, strict=True):
                rows.update(zip(((prefix, branch) for branch in branches), logits.astype(np.float64), strict=True))
        return [rows[each] for each in asked]

    def _logits(self, prefix: str, branches: Mapping[str, bool]) -> np.ndarray:
        """For each branch, which is a question or not, the scores of the labels or what is read off for a question."""
        if self._answering is None or not any(branches.values()):
            return self.model.classify_branches(prefix, list(branches))
        states = self.model.branch_states(prefix, list(branches))
        is_question = np.array(list(branches.values()))
        return np.where(is_question[:, None], self._answering.odds(states), self.model.scores(states))

    def _judged(self, told: list[Judged], reads: Sequence[_Read], rows: Iterator[np.ndarray]) -> list[Judged]:
        best: dict[tuple[int, int], Judged] = {}
        for (place, part, window, _, _, questions), row in zip(reads, rows, strict=False):
            judged = self._told(row, questions)._replace(window=window)
            if (place, part) not in best or _tells_more(judged, best[place, part]):
                best[place, part] = judged
        for (place, part), judged in best.items():
            if part == 0 or judged.supported < told[place].supported:
                told[place] = judged
        return told

    def _told(self, row: np.ndarray, questions: bool) -> Judged:
        """What a row of logits or of log-odds says; the window is not known here."""
        if questions and self._answering is not None:
            answered = probability(row[0])
            return Judged(answered, (1 - answered) / 2, (1 - answered) / 2, "", Way(float(row[1]), float(row[2])))
        calibration = self._calibrations[questions]
        supported = probability(calibration.scale * float(row[0] - np.logaddexp(row[1], row[2])) + calibration.shift)
        contradicted = (1 - supported) * probability(row[1] - row[2])
        return Judged(supported, contradicted, 1 - supported - contradicted, "")

    def _made_ready(self, text: str) -> _Passage:
        text = wording.plain(text)
        if not text.strip():
            return _Passage(frozenset(), (), ())
        sentences = frozenset(_folded(text[start:end]) for start, end in sentence_spans(text))
        windows = tuple(self._windows(text))
        return _Passage(sentences, windows, tuple(frozenset(_words(window)) for window in windows))

    def _windows(self, text: str) -> list[str]:
        """The text if the adapter was trained with as long ones, else overlapping stretches of whole sentences."""
        encode = self.model.tokenizer.encode
        # A token is a byte at least, and a sign of Chinese is three.
        if len(text.encode("utf-8", "replace")) <= wording.TEXT_TOKENS or len(encode(text)) <= wording.TEXT_TOKENS:
            return [text]
        spans = [part for span in sentence_spans(text) for part in _parts(text, *span, lambda part: len(encode(part)))]
        costs = [len(encode(text[start:end])) + 1 for start, end in spans]
        windows, first = [], 0
        while first < len(spans):
            last, left = first, WINDOW_TOKENS
            while last < len(spans) and (last == first or costs[last] <= left):
                left -= costs[last]
                last += 1
            windows.append(text[spans[first][0] : spans[last - 1][1]])
            if last == len(spans):
                break
            first = max(first + 1, (first + last) // 2)  # half of each window is in the next one, too
        return windows


def _row(kept: bytes) -> np.ndarray | None:
    row = np.frombuffer(kept, np.float64)
    return row if len(kept) == _ROW_BYTES and np.isfinite(row).all() else None


def probability(odds: float) -> float:
    """Of log-odds."""
    return 1 / (1 + math.exp(-max(min(float(odds), 50.0), -50.0)))


def _parts(text: str, start: int, end: int, count: Callable[[str], int]) -> list[tuple[int, int]]:
    """A sentence as stretches that fit a window: itself, or halves of it, cut between words where it has any."""
    if end - start <= _MOST_SIGNS and count(text[start:end]) < WINDOW_TOKENS:
        return [(start, end)]
    middle = (start + end) // 2
    cut = max(text.rfind(" ", start + 1, middle), start)
    if cut == start:
        cut = text.find(" ", middle, end - 1)
    if cut <= start:
        cut = middle
    after = cut + (text[cut] == " ")
    return [*_parts(text, start, cut, count), *_parts(text, after, end, count)]


_MOST_SIGNS = 20 * WINDOW_TOKENS
"""Not counted beyond: no language has so many signs to a token."""


def verbatim(claim: str) -> Judged:
    """Return the judgement of a claim that the text has word for word."""
    return Judged(VERBATIM, 0.0, 1 - VERBATIM, claim)


def _stretches(claim: str, stated: Collection[str]) -> list[str]:
    """A claim as stretches that are read at once; of a long one without the sentences that are stated, folded."""
    if len(claim) <= LONGEST_CLAIM:
        return [claim]
    found: list[str] = []
    for said in dict.fromkeys(claim[start:end] for start, end in sentence_spans(claim)):
        for part in textwrap.wrap(said, LONGEST_CLAIM) if _folded(said) not in stated else ():
            if found and len(found[-1]) + len(part) < LONGEST_CLAIM:
                found[-1] += f" {part}"
            else:
                found.append(part)
    return found


def _folded(sentence: str) -> str:
    """A sentence, so that wrapping, capitals and the full stop at its end make no difference."""
    return " ".join(sentence.lower().split()).rstrip(".!")


def _tells_more(one: Judged, other: Judged) -> bool:
    """A window that supports the claim decides; without one, the window that contradicts it most."""
    if max(one.supported, other.supported) >= 0.5:
        return one.supported > other.supported
    return (one.contradicted, one.supported) > (other.contradicted, other.supported)


def _nearest(claim: str, passage: _Passage, most: int) -> list[int]:
    """The windows that share most with a claim, rare words counting more, in their order."""
    held = passage.words
    if len(held) <= most:
        return list(range(len(held)))
    weights = {word: math.log(1 + len(held) / (1 + sum(word in each for each in held))) for word in _words(claim)}
    scores = [sum(weight for word, weight in weights.items() if word in each) for each in held]
    return sorted(sorted(range(len(held)), key=lambda number: (-scores[number], number))[:most])


def _words(text: str) -> list[str]:
    """Words cut to their first five letters, a stem that is good enough to find a window."""
    return [word[:5] for word in "".join(c if c.isalnum() else " " for c in text.lower()).split()]
