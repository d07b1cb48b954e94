"""Greedy decoding of many prompts at once, and several candidates a prompt.

Rows of the cache are refilled from the queue as texts end. A text's tokens do not depend on the texts beside it.

Candidates: a beam search over the first few tokens (OPENING) finds the most probable different openings, and each is
then continued greedily. A beam search to the end would give texts that differ in their last words only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.models.small.gguf import Weight
from ragassay.models.small.running import Cache, Runner

MOST_ROWS = 16  # texts decoded at once: more gain little on two cores
CACHE_TOKENS = 4096  # of all rows: 46 KB a token
READ_TOKENS = 1024  # prompt tokens read at once
OPENING = 4


class Continuation(NamedTuple):
    """What a prompt is continued with, without the stop token.

    log_probabilities: of the tokens, in the model's own distribution, whatever was banned.
    score: their sum, with the stop token's. finished: a stop token came, not only the limit.
    """

    tokens: tuple[int, ...]
    log_probabilities: tuple[float, ...]
    score: float
    finished: bool


class Rules(NamedTuple):
    """Which tokens may come. stop: tokens that end a text; they may always come. banned: tokens that never do."""

    max_new_tokens: int
    stop: frozenset[int]
    banned: Collection[int]


class _Job:
    """One prompt, and the continuations found so far."""

    def __init__(self, number: int, prompt: Sequence[int], allowed: Collection[int] | None) -> None:
        self.number = number
        self.prompt = prompt
        self.allowed = None if allowed is None else np.array(sorted(allowed), np.int64)
        self.ended: list[Continuation] = []


class _Option(NamedTuple):
    """A token that may follow row number row of a job. score: of the row with it."""

    score: float
    row: int
    token: int


class _Row(NamedTuple):
    """One text in the making. Its last token is not in the cache yet. source: row of the cache that holds the rest."""

    job: _Job
    tokens: tuple[int, ...]
    log_probabilities: tuple[float, ...]
    score: float
    source: int

    @property
    def length(self) -> int:
        return len(self.job.prompt) + len(self.tokens)


def decode(
    runner: Runner,
    prompts: Sequence[Sequence[int]],
    rules: Rules,
    candidates: int = 1,
    allowed: Sequence[Collection[int] | None] | None = None,
) -> list[list[Continuation]]:
    """For each prompt its continuations, at most candidates, the most probable first.

    prompts: none empty. allowed: for each prompt the only tokens that may come, None for all that are not banned.
    """
    permitted = allowed if allowed is not None else [None] * len(prompts)
    jobs = [_Job(i, prompt, permitted[i]) for i, prompt in enumerate(prompts)]
    for group in _similar_lengths(jobs, rules.max_new_tokens):
        room = len(group[0].prompt) + rules.max_new_tokens
        n_rows = max(candidates, min(MOST_ROWS, CACHE_TOKENS // room, len(group) * candidates))
        _Decoder(runner, rules, candidates, n_rows, room).run(group)
    return [sorted(job.ended, key=lambda ended: (-ended.score, ended.tokens))[:candidates] for job in jobs]


def _similar_lengths(jobs: Sequence[_Job], new_tokens: int) -> Iterator[list[_Job]]:
    """Longest first, so that one long prompt does not make the cache large for all."""
    group: list[_Job] = []
    for job in sorted(jobs, key=lambda job: -len(job.prompt)):
        if group and 2 * (len(job.prompt) + new_tokens) < len(group[0].prompt) + new_tokens:
            yield group
            group = []
        group.append(job)
    if group:
        yield group


class _Decoder:
    def __init__(self, runner: Runner, rules: Rules, candidates: int, n_rows: int, room: int) -> None:
        self._runner = runner
        self._rules = rules
        self._candidates = candidates
        self._n_rows = n_rows
        self._cache: Cache = runner.cache(n_rows, room)
        self._stop = np.array(sorted(rules.stop), np.int64)
        self._banned = np.array(sorted(set(rules.banned) - rules.stop), np.int64)

    def run(self, jobs: Sequence[_Job]) -> None:
        """Fills jobs' ended."""
        queue = deque(jobs)
        rows: list[_Row] = []
        scores: list[Weight] = []
        while queue or rows:
            for job, read in self._admit(queue, len(rows)):
                rows.append(_Row(job, (), (), 0.0, len(rows)))
                scores.append(read)
            rows = self._placed(self._chosen(rows, scores))
            scores = list(self._extended(rows)) if rows else []

    def _extended(self, rows: Sequence[_Row]) -> Weight:
        """What may follow each row: (n_rows, vocabulary)."""
        return self._runner.extend(self._cache, [row.tokens[-1] for row in rows], [row.length for row in rows])

    def _admit(self, queue: deque[_Job], used: int) -> Iterator[tuple[_Job, Weight]]:
        """Reads the next prompts into free rows, if there are enough of these to be worth a run."""
        free = (self._n_rows - used) // self._candidates
        if not free or (used and free * self._candidates < min(self._n_rows // 4, len(queue) * self._candidates)):
            return
        taken: list[_Job] = []
        while queue and len(taken) < free and (not taken or (len(taken) + 1) * len(taken[0].prompt) <= READ_TOKENS):
            taken.append(queue.popleft())
        if not taken:
            return
        prompts = [job.prompt for job in taken]
        wanted = [(text, len(prompt) - 1) for text, prompt in enumerate(prompts)]
        read = self._runner.read(self._cache, prompts, wanted, "log_probabilities", first=used)
        yield from zip(taken, read, strict=True)

    def _chosen(self, rows: Sequence[_Row], scores: Sequence[Weight]) -> list[_Row]:
        """The rows with their next tokens; those that ended have left."""
        by_job: dict[int, list[int]] = {}
        for place, row in enumerate(rows):
            by_job.setdefault(row.job.number, []).append(place)
        extended: list[_Row] = []
        for places in by_job.values():
            extended += self._next([rows[place] for place in places], [scores[place] for place in places])
        return extended

    def _next(self, rows: Sequence[_Row], scores: Sequence[Weight]) -> list[_Row]:
        """The same for the rows of one job."""
        job = rows[0].job
        opening = self._candidates > 1 and len(rows[0].tokens) < OPENING
        width = self._candidates - len(job.ended) if opening else 1
        options: list[_Option] = []
        for number, (row, row_scores) in enumerate(zip(rows, scores, strict=True)):
            permitted = self._permitted(job, row_scores)
            best = _largest(permitted, width)
            options += [_Option(row.score + float(permitted[token]), number, int(token)) for token in best]
            if not len(best):
                job.ended.append(Continuation(row.tokens, row.log_probabilities, row.score, False))
        if opening:
            # Ties are broken by the tokens alone: where a row lies depends on the other prompts.
            options.sort(key=lambda option: (-option.score, rows[option.row].tokens, option.token))
            options = options[:width]
        kept: list[_Row] = []
        for score, number, token in options:
            row = rows[number]
            if token in self._rules.stop:
                job.ended.append(Continuation(row.tokens, row.log_probabilities, score, True))
                continue
            log_probabilities = (*row.log_probabilities, float(scores[number][token]))
            extended = _Row(job, (*row.tokens, token), log_probabilities, score, row.source)
            if len(extended.tokens) == self._rules.max_new_tokens:
                job.ended.append(Continuation(extended.tokens, log_probabilities, score, False))
            else:
                kept.append(extended)
        return kept

    def _permitted(self, job: _Job, scores: Weight) -> Weight:
        """scores, minus infinity where a token may not come."""
        if job.allowed is None:
            permitted = scores.copy()
        else:
            permitted = np.full_like(scores, -np.inf)
            permitted[job.allowed] = scores[job.allowed]
        permitted[self._banned] = -np.inf
        permitted[self._stop] = scores[self._stop]
        return permitted

    def _placed(self, rows: Sequence[_Row]) -> list[_Row]:
        """The rows, moved within the cache so that they fill its first places: row i of the result is text i."""
        free: list[_Row] = []
        places: dict[int, _Row] = {}
        for row in rows:
            if row.source < len(rows) and row.source not in places:
                places[row.source] = row
            else:
                free.append(row)
        # A place without a row is nobody's source: whoever had it as a source would have taken it first.
        for place in range(len(rows)):
            if place not in places:
                row = free.pop(0)
                self._cache.copy(row.source, place, row.length - 1)
                places[place] = row
        return [places[place]._replace(source=place) for place in range(len(rows))]


def _largest(scores: Weight, count: int) -> npt.NDArray[np.int64]:
    """The places of the largest scores, largest first; of equal ones the first place. None of minus infinity."""
    if count == 1:
        best = np.array([scores.argmax()], np.int64)
    else:
        # Also those that equal the last of them, so that ties do not depend on how they are partitioned.
        count = min(count, len(scores))
        least = np.partition(scores, -count)[-count]
        places = np.flatnonzero(scores >= least)
        best = places[np.argsort(-scores[places], kind="stable")][:count]
    return best[scores[best] > -np.inf]
