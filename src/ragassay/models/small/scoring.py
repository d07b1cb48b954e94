"""Reads texts with the small language model without writing any: hidden states, and probabilities of given tokens.

Texts that share a beginning, such as claims about one passage, are read as branches: the beginning once, then each
branch after it, by itself, on the same cache. A branch's numbers do not depend on the other branches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ragassay.models.small.gguf import Weight
from ragassay.models.small.running import Cache, Runner

BATCH_TOKENS = 512
BATCH_TEXTS = 16
BATCH_TARGETS = 256  # of one run: 0.2 MB of probabilities each


def last_hidden(runner: Runner, texts: Sequence[Sequence[int]]) -> Weight:
    """The hidden states of the texts' last tokens: (n_texts, hidden) float32. texts: none empty."""
    states = np.empty((len(texts), runner.architecture.hidden), np.float32)
    for batch in _batches(texts, [1] * len(texts)):
        members = [texts[place] for place in batch]
        wanted = [(row, len(text) - 1) for row, text in enumerate(members)]
        states[batch] = runner.read(_cache(runner, members), members, wanted, "hidden")
    return states


def target_log_probabilities(
    runner: Runner, prompts: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> list[Weight]:
    """For each target the log-probability of each of its tokens after the prompt and the tokens before it.

    prompts: none empty.
    """
    texts = [[*prompt, *target[:-1]] for prompt, target in zip(prompts, targets, strict=True)]
    scores = [np.empty(0, np.float32) for _ in targets]
    for batch in _batches(texts, [len(target) for target in targets]):
        members = [texts[place] for place in batch]
        wanted = [
            (row, len(prompts[place]) - 1 + token)
            for row, place in enumerate(batch)
            for token in range(len(targets[place]))
        ]
        expected = [token for place in batch for token in targets[place]]
        read = runner.read(_cache(runner, members), members, wanted, "log_probabilities")
        found = read[np.arange(len(expected)), expected]
        ends = np.cumsum([len(targets[place]) for place in batch])
        for place, part in zip(batch, np.split(found, ends[:-1]), strict=True):
            scores[place] = part
    return scores


def branch_hidden(runner: Runner, prefix: Sequence[int], branches: Sequence[Sequence[int]]) -> Weight:
    """The hidden states of the branches' last tokens: (n_branches, hidden) float32. Neither may be empty."""
    states = np.empty((len(branches), runner.architecture.hidden), np.float32)
    cache = _room(runner, prefix, branches)
    runner.read(cache, [prefix], [(0, len(prefix) - 1)], "hidden")
    for place, branch in enumerate(branches):
        states[place] = runner.branch(cache, len(prefix), branch, [len(branch) - 1], "hidden")[0]
    return states


def _room(runner: Runner, prefix: Sequence[int], branches: Sequence[Sequence[int]]) -> Cache:
    """A cache with room for the prefix and any of the branches."""
    return runner.cache(1, len(prefix) + max((len(branch) for branch in branches), default=0))


def _cache(runner: Runner, texts: Sequence[Sequence[int]]) -> Cache:
    return runner.cache(len(texts), max(len(text) for text in texts))


def _batches(texts: Sequence[Sequence[int]], n_wanted: Sequence[int]) -> Iterator[list[int]]:
    """Numbers of texts of similar length, the longest first. Texts of which nothing is wanted are left out."""
    batch: list[int] = []
    targets = 0
    for place in sorted(range(len(texts)), key=lambda place: -len(texts[place])):
        if not n_wanted[place]:
            continue
        full = (
            len(batch) == BATCH_TEXTS
            or targets + n_wanted[place] > BATCH_TARGETS
            or (batch and (len(batch) + 1) * len(texts[batch[0]]) > BATCH_TOKENS)
            or (batch and 2 * len(texts[place]) < len(texts[batch[0]]))
        )
        if batch and full:
            yield batch
            batch, targets = [], 0
        batch.append(place)
        targets += n_wanted[place]
    if batch:
        yield batch
