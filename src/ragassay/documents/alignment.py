"""Where a stretch of text stands in documents, whatever a loader or a splitter did to its form.

Only words count: signs of Markdown and HTML, bars of tables, list marks, quotes, dashes, white space, case, ligatures,
hyphens at line ends and addresses of links do not. Runs of words that a document does not have, such as a title put in
front or a page's header, are stepped over; so are heads before or above the values of a row. Documents are indexed by
runs of five words, so that a stretch is found in time that grows with its length, not with that of the documents.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from copy import copy
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.text import CJK

RUN = 5
"""Words in a row that are looked up together: fewer stand in many places, more are broken by every insertion."""
LEAST_SHARE = 0.5
"""Share of a stretch's words that must stand in one place of a document, in runs of ``RUN``; see ``LEAST_BEHIND``."""
LEAST_BEHIND, SHARE_BEHIND = 8, 0.9
"""Words, and their share of what follows the first run, that do where a long title or a summary was put in front."""
STRETCH, ALLOWANCE = 2.0, 40
"""A place is at most so many times as long as the stretch, and so many words more."""
COMMON = 200
"""A run with more places than this is passed over while another run of the stretch has fewer."""
MOST_HITS = 100_000
"""Places of runs that are looked at for one stretch: a table of zeros has more than memory does."""
WINDOWS = 4
"""Windows that are compared word by word: the one with most hits may be boilerplate that comes again and again."""
MOST_LOOKED_AT = 2_000
MOST_PLACES = 1_000
"""Places of one text that are listed: a heading, or a footer, may stand in every document."""

Ints = npt.NDArray[np.int64]

_SKIPPED = (
    r"<[a-zA-Z/!?][^<>]{0,400}>"  # tags
    r"|(?m:^[^\S\n]*(?:```|~~~)[^\n`]*)"  # fences of code, with its language
    r"|\]\([^()\s]{1,400}(?:\s\"[^\"\n]*\")?\)"  # addresses of Markdown links
    r"|&(?:[a-zA-Z]{2,8}|#\d{1,6}|#x[0-9a-fA-F]{1,5});"
)
_SOFT = "\u00ad"
_LETTERS = rf"(?:[^\W_{CJK}][\u0300-\u036f]*)+"
# A hyphen between letters is dropped, with a line end behind it: "co-\noperate", "co-operate", "cooperate" are one.
_BROKEN = r"[-\u2010\u2011][^\S\n]{0,20}\n\s{0,20}"
_TOKEN = re.compile(rf"{_SKIPPED}|[{CJK}]|{_LETTERS}(?:(?:{_BROKEN}|[-\u2010\u2011]|{_SOFT})(?=[^\W\d_]){_LETTERS})*")
_INSIDE = re.compile(rf"[-\u2010\u2011{_SOFT}\s]")
_FIRST_ROW, _BETWEEN = re.compile(r"(?:\A|\n\n)([^\n]*\S \| \S[^\n]*)"), re.compile(r"[|,;\t\"]|<[^<>]*>")
_KEY, _BEFORE_VALUE = re.compile(r"(?m)^([^\n:|]{1,80}):[^\S\n]"), re.compile(r"([^\n:=]{0,100}+)([:=])")


class Place(NamedTuple):
    """document: its number, as given. start, end: offsets of its text, with the signs around its words on their lines.

    share: of the stretch's words that stand there.
    """

    document: int
    start: int
    end: int
    share: float


class _Words(NamedTuple):
    """Words as numbers; starts, ends: offsets with the signs around on the line; are_keys: before values of records."""

    numbers: Ints
    starts: Ints
    ends: Ints
    are_keys: npt.NDArray[np.bool_]


class _Hits(NamedTuple):
    """Where runs that both have begin: word of the documents, word of the stretch; by place, then word."""

    found: Ints
    own: Ints


class Alignment:
    """An index of documents. Memory: about 40 bytes a word."""

    def __init__(self, texts: Iterable[str]) -> None:
        """texts: of the documents, which are numbered in this order."""
        self._numbers: dict[str, int] = {}
        self._heads: set[str] = set()  # and ""
        parts = [self._learned(text) for text in texts]
        self._first = np.cumsum([0, *(len(part.numbers) for part in parts)])
        self._words = _Words(*map(np.concatenate, zip(self._learned(""), *parts, strict=True)))
        self._runs: dict[int, tuple[Ints, Ints]] = {}

    def find(self, text: str, documents: Sequence[int] | None = None) -> Place | None:
        """Return the place that has most of a text's words in their order; None where no place has enough of them.

        documents: look in these alone. Of places that are as good, the shortest counts, then the first; a text of fewer
        than ``RUN`` words must stand there word for word, and in no other place (``everywhere``).
        """
        if exact := self.everywhere(text, documents, surely=True):
            return exact[0]
        forms = dict.fromkeys([(self, text), (self._without_keys, self._values(text))])
        places = [place for index, form in forms for place in index.everywhere(form, documents, surely=True)[:1]]
        places += [place for index, form in forms if (place := index._best(index._read(form), documents)) is not None]
        return min(places, key=lambda place: (-place.share, place.end - place.start), default=None)

    def everywhere(self, text: str, documents: Sequence[int] | None = None, *, surely: bool = False) -> list[Place]:
        """Return every place where a text's words stand one after the other, in the order of the documents.

        documents: look in these alone. surely: of fewer than ``RUN`` words only whole lines, if there are any; none of
        those that stand inside several lines, unless ``documents`` are named.
        """
        wanted = self._read(text)
        if not len(wanted) or wanted.min() < 0:
            return []
        size = min(RUN, len(wanted))
        codes, begins = self._index(size)
        code = _codes(wanted[:size], size)[0]
        at = begins[np.searchsorted(codes, code, side="left") : np.searchsorted(codes, code, side="right")]
        at = at[at + len(wanted) <= self._first[self._document(at) + 1]]
        at = at if documents is None else at[np.isin(self._document(at), documents)]
        for step, word in enumerate(wanted.tolist()):
            at = at[self._words.numbers[at + step] == word]
        if surely and len(wanted) < RUN:
            opens = np.ones(len(self._words.numbers) + 1, bool)  # whether a line begins at a word
            opens[1:-1] = self._words.ends[:-1] < self._words.starts[1:]
            opens[self._first] = True
            lines = at[opens[at] & opens[at + len(wanted)]]
            at = lines if len(lines) or (documents is None and len(at) > 1) else at
        at = np.sort(at)[:MOST_PLACES]
        starts, ends = self._words.starts[at], self._words.ends[at + len(wanted) - 1]
        columns = (self._document(at).tolist(), starts.tolist(), ends.tolist())
        return [Place(*place, share=1.0) for place in zip(*columns, strict=True)]

    @cached_property
    def _without_keys(self) -> Alignment:
        """The same without the words of keys, with the numbers of the others; itself where there are none."""
        kept = ~self._words.are_keys
        if kept.all():
            return self
        other = copy(self)
        other._words = _Words._make(column[kept] for column in self._words)
        other._first = np.concatenate([[0], np.cumsum(kept)])[self._first]
        other._runs = {}
        return other

    def _values(self, text: str) -> str:
        """Return a text without the heads before or above the values of rows."""
        lines = _BEFORE_VALUE.sub(self._without_head, text).split("\n")
        return "\n".join(line for line in lines if not self._heads.issuperset(map(str.strip, _BETWEEN.split(line))))

    def _without_head(self, match: re.Match[str]) -> str:
        name = match[1].rstrip("\"'*_` ")
        starts = (word.start() for word in re.finditer(r"\b\w", name))
        return name[: next((start for start in starts if name[start:] in self._heads), None)] + match[2]

    def _learned(self, text: str) -> _Words:
        """Return the words of a document; new ones get a number."""
        numbers: list[int] = []
        starts, ends, begins = [], [], []
        known = self._numbers
        end = 0
        for match in _TOKEN.finditer(text):
            word = _folded(match.group())
            if not word:
                continue
            start, before = match.start(), end
            if numbers:
                line_end = text.find("\n", before, start)
                ends.append(line_end if line_end >= 0 else start)
            numbers.append(known.setdefault(word, len(known)))
            begins.append(start)
            starts.append(max(text.rfind("\n", before, start) + 1, before))
            end = match.end()
        if numbers:
            line_end = text.find("\n", end)
            ends.append(line_end if line_end >= 0 else len(text))
        rows, times = _FIRST_ROW.findall(text), Counter(_KEY.findall(text))
        keys = {key for key, count in times.items() if count > 1}
        self._heads |= keys.union(*(map(str.strip, row.split("|")) for row in rows), {""})
        edges = [at for match in _KEY.finditer(text) if match[1] in keys for at in match.span(1)]
        are_keys = np.searchsorted(edges, begins, side="right") % 2 == 1
        return _Words(np.array(numbers, np.int64), np.array(starts, np.int64), np.array(ends, np.int64), are_keys)

    def _read(self, text: str) -> Ints:
        """Return the numbers of a stretch's words, -1 for those of no document."""
        known = self._numbers
        return np.array([known.get(word, -1) for word in map(_folded, _TOKEN.findall(text)) if word], np.int64)

    def _index(self, size: int) -> tuple[Ints, Ints]:
        """Return codes of all runs of ``size`` words, sorted, and where each begins; none goes across documents."""
        if size not in self._runs:
            codes = _codes(self._words.numbers, size)
            begins = np.arange(len(codes))
            document = np.searchsorted(self._first, begins, side="right")
            inside = begins + size <= self._first[np.minimum(document, len(self._first) - 1)]
            codes, begins = codes[inside], begins[inside]
            order = np.argsort(codes, kind="stable")
            self._runs[size] = codes[order], begins[order]
        return self._runs[size]

    def _hits(self, wanted: Ints, documents: Sequence[int] | None) -> _Hits | None:
        """Return the rarest first, and no more than ``MOST_HITS`` places; ``COMMON`` ones only without rarer."""
        codes, begins = self._index(RUN)
        own = _codes(wanted, RUN)
        known = np.lib.stride_tricks.sliding_window_view(wanted, RUN).min(axis=1) >= 0
        places = np.flatnonzero(known)
        low = np.searchsorted(codes, own[places], side="left")
        counts = np.searchsorted(codes, own[places], side="right") - low
        if documents is not None:
            return self._hits_in(begins, places, low, counts, documents)
        rare = (counts > 0) & (counts <= COMMON)
        if not rare.any():
            rare = counts > 0
        places, low, counts = places[rare], low[rare], counts[rare]
        order = np.argsort(counts, kind="stable")
        kept = order[: max(int(np.searchsorted(np.cumsum(counts[order]), MOST_HITS, side="right")), 1)]
        return _sorted(*_spread(begins, places[kept], low[kept], np.minimum(counts[kept], MOST_HITS)))

    def _hits_in(self, begins: Ints, places: Ints, low: Ints, counts: Ints, documents: Sequence[int]) -> _Hits | None:
        """Return those within some documents, whose words lie together."""
        found, own = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for document in documents:
            first, last = self._first[document], self._first[document + 1]
            # Runs of one code are in the order of their places.
            for place, start, count in zip(places.tolist(), low.tolist(), counts.tolist(), strict=True):
                of_code = begins[start : start + count]
                found.append(of_code[np.searchsorted(of_code, first) : np.searchsorted(of_code, last)][:COMMON])
                own.append(np.full(len(found[-1]), place))
        return _sorted(np.concatenate(found), np.concatenate(own))

    def _document(self, words: Ints) -> Ints:
        return np.searchsorted(self._first, words, side="right") - 1

    def _best(self, wanted: Ints, documents: Sequence[int] | None) -> Place | None:
        """Return the best of the windows that hold most hits, by the share of the stretch's words that stand in it.

        A run that has many places counts the less at each.
        """
        hits = self._hits(wanted, documents) if len(wanted) >= RUN else None
        if hits is None:
            return None
        found, own = hits
        own_document = self._document(found)
        reach = int(STRETCH * len(wanted)) + ALLOWANCE
        stop = np.minimum(found + reach, self._first[own_document + 1])
        weights = np.concatenate([[0.0], np.cumsum(1 / np.bincount(own)[own])])
        counts = weights[np.searchsorted(found, stop, side="left")] - weights[:-1]
        chosen: list[int] = []  # the hits at which the fullest windows begin, that do not lie in each other
        left = np.argsort(-counts, kind="stable")[:MOST_LOOKED_AT]
        while len(left) and len(chosen) < WINDOWS:
            chosen.append(row := int(left[0]))
            left = left[(abs(found[left] - found[row]) > reach) | (own_document[left] != own_document[row])]
        best: Place | None = None
        for first in chosen:
            place = self._in_window(wanted, int(found[first]), int(stop[first]))
            if place is not None and (best is None or place.share > best.share):
                best = place
            if best is not None and best.share == 1:
                break
        return best

    def _in_window(self, wanted: Ints, begin: int, end: int) -> Place | None:
        """Return the place of a stretch in a window of one document, by all runs that both have, however common."""
        number = int(self._document(np.array([begin]))[0])
        begin = max(begin - len(wanted), int(self._first[number]))
        theirs, ours = _codes(self._words.numbers[begin:end], RUN), _codes(wanted, RUN)
        order = np.argsort(ours, kind="stable")
        low = np.searchsorted(ours[order], theirs, side="left")
        counts = np.searchsorted(ours[order], theirs, side="right") - low
        if not counts.sum() or counts.sum() > MOST_HITS:
            return None
        own, found = _spread(order, np.flatnonzero(counts) + begin, low[counts > 0], counts[counts > 0])
        begins, own_begins = _together(found, own, _in_order(found, own))
        held = np.zeros(len(wanted), bool)
        for step in range(RUN):
            held[own_begins + step] = True
        share, behind = float(held.mean()), held[int(own_begins[0]) :]
        is_put_in_front = behind.sum() >= LEAST_BEHIND and behind.mean() >= SHARE_BEHIND
        if share < LEAST_SHARE and not is_put_in_front:
            return None
        first, last = self._grown(wanted, begins, own_begins, number)
        return Place(number, int(self._words.starts[first]), int(self._words.ends[last]), share)

    def _grown(self, wanted: Ints, begins: Ints, own_begins: Ints, document: int) -> tuple[int, int]:
        """Return first and last word of a place, with the words before and after that both have."""
        numbers, begin, end = self._words.numbers, int(self._first[document]), int(self._first[document + 1])
        low, own_low = int(begins[0]), int(own_begins[0])
        while own_low and low > begin and numbers[low - 1] == wanted[own_low - 1]:
            low, own_low = low - 1, own_low - 1
        high, own_high = int(begins[-1]) + RUN - 1, int(own_begins[-1]) + RUN - 1
        while own_high + 1 < len(wanted) and high + 1 < end and numbers[high + 1] == wanted[own_high + 1]:
            high, own_high = high + 1, own_high + 1
        return low, high


def holds_words(text: str, quote: str) -> bool:
    """Return whether the words of a quote stand in a text one after the other, whatever stands between and around."""
    wanted = _word_line(quote)
    return wanted in _word_line(text) if wanted.strip() else bool(quote.strip()) and quote.strip() in text


def lies_in(text: str, other: str) -> bool:
    """Return whether a text of ``RUN`` words or more stands in another, as ``Alignment.find`` places it."""
    return _word_line(text).count(" ") > RUN and _alone(other).find(text) is not None


@lru_cache(maxsize=64)
def _alone(text: str) -> Alignment:
    return Alignment([text])


@lru_cache(maxsize=4_096)
def _word_line(text: str) -> str:
    return f" {' '.join(filter(None, map(_folded, _TOKEN.findall(text))))} "


def _together(found: Ints, own: Ints, kept: Ints) -> tuple[Ints, Ints]:
    """Return the hits of a chain; one that jumps to a repetition is taken beside its neighbour if that has it too."""
    begins, own_begins = found[kept].tolist(), own[kept].tolist()
    if begins[-1] - begins[0] != own_begins[-1] - own_begins[0]:
        there = set(zip(found.tolist(), own.tolist(), strict=True))
        order = range(len(begins))
        for rows, step in ((order[1:], -1), (order[-2::-1], 1)):
            for row in rows:
                beside = begins[row + step] + own_begins[row] - own_begins[row + step]
                if beside != begins[row] and (beside, own_begins[row]) in there:
                    begins[row] = beside
    return np.array(begins, np.int64), np.array(own_begins, np.int64)


def _spread(values: Ints, keys: Ints, low: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """Return values[low : low + count] of each key, and the key beside each."""
    rows = np.repeat(low - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts) + np.arange(counts.sum())
    return values[rows], np.repeat(keys, counts)


def _sorted(found: Ints, own: Ints) -> _Hits | None:
    order = np.lexsort((own, found))
    return _Hits(found[order], own[order]) if len(found) else None


def _in_order(found: Ints, own: Ints) -> Ints:
    """Return rows of the longest chain of hits in which document and stretch both go forward (patience sorting)."""
    if (found - own == found[0] - own[0]).all():
        return np.arange(len(found))
    tails: list[int] = []
    ends: list[int] = []
    before = [-1] * len(own)
    # Of hits at one word of the document the later ones of the stretch come first, so that a chain takes one of them.
    order = np.lexsort((-own, found))
    for row, value in zip(order.tolist(), own[order].tolist(), strict=True):
        at = bisect_left(tails, value)
        before[row] = ends[at - 1] if at else -1
        tails[at : at + 1], ends[at : at + 1] = [value], [row]
    chain = []
    row = ends[-1]
    while row >= 0:
        chain.append(row)
        row = before[row]
    return np.array(chain[::-1], np.int64)


def _codes(numbers: Ints, size: int) -> Ints:
    """Return a number for each run of ``size`` words: equal for equal runs, and for others with a chance of 2^-64."""
    if len(numbers) < size:
        return np.zeros(0, np.int64)
    codes = np.zeros(len(numbers) - size + 1, np.uint64)
    for step in range(size):
        word = numbers[step : len(numbers) - size + 1 + step].astype(np.uint64)
        codes = (codes ^ (word + np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xBF58476D1CE4E5B9)
        codes ^= codes >> np.uint64(29)
    return codes.view(np.int64)


@lru_cache(maxsize=200_000)
def _folded(token: str) -> str:
    """Return a word as it is compared; empty for what is no word."""
    if token.lstrip()[0] in "<]`~":
        return ""
    if token[0] == "&":
        token = html.unescape(token)
        return unicodedata.normalize("NFKC", token).casefold() if token.isalnum() else ""
    if not token.isascii():
        token = unicodedata.normalize("NFKC", token)
    return _INSIDE.sub("", token).casefold()
