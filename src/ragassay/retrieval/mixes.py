"""Many fusions and text weights of the same questions: scores once for each index, every ranking once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.retrieval.chunk_table import Int32Array
from ragassay.retrieval.hybrid import Fusion, Rankings, ScorePair, hybrid_scores, scaled, top_k
from ragassay.retrieval.index import Index, joined_rankings
from ragassay.workers import usable_cores


class Mix(NamedTuple):
    """How lexical and dense scores are joined. text_weight: 0 is dense alone, 1 lexical alone."""

    fusion: Fusion
    text_weight: float


def rankings_of_mixes(
    indexes: Sequence[Index],
    mixes: Sequence[Sequence[Mix]],
    questions: Sequence[Int32Array],
    question_vectors: npt.NDArray[np.float32],
    depth: int,
    progress: Callable[[int], None] | None = None,
) -> list[dict[Mix, Rankings]]:
    """For each index the first ``depth`` chunks of every question by each of its mixes.

    questions: term ids of each. question_vectors: (n_questions, dimension) float32.
    progress is called with the number of rankings just made, each of one mix and block of questions.
    Memory grows with a block of questions for each core.
    """
    blocks: list[dict[Mix, list[Rankings]]] = [{mix: [] for mix in of_index} for of_index in mixes]
    tasks = [(place, block) for place, index in enumerate(indexes) for block in index.blocks(len(questions))]

    def work(task: tuple[int, slice]) -> dict[Mix, Rankings]:
        place, block = task
        index = indexes[place]
        parts: dict[Mix, list[Rankings]] = {mix: [] for mix in blocks[place]}
        for scores in index.parts(index.scores(questions[block], question_vectors[block])):
            on_scale: dict[Fusion, ScorePair] = {}  # of each fusion once; the ends of the weights need none
            for mix, rankings in parts.items():
                if mix.text_weight in (0, 1):
                    joined = hybrid_scores(*scores, *mix)
                else:
                    if mix.fusion not in on_scale:
                        on_scale[mix.fusion] = scaled(*scores, mix.fusion)
                    joined = on_scale[mix.fusion].joined(mix.text_weight)
                rankings.append(top_k(joined, depth))
        return {mix: joined_rankings(rankings, depth) for mix, rankings in parts.items()}

    with ThreadPoolExecutor(usable_cores()) as threads:  # numpy computes in several threads at once
        for (place, _), found in zip(tasks, threads.map(work, tasks), strict=True):
            for mix, rankings in found.items():
                blocks[place][mix].append(rankings)
            if progress is not None:
                progress(len(found))
    return [{mix: joined_rankings(parts, depth) for mix, parts in of_index.items()} for of_index in blocks]
