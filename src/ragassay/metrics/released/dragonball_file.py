"""The released scorer's figures straight from a DragonBall file, whose texts no other format keeps to the letter."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ragassay.errors import InputError, RecordError
from ragassay.metrics.released.dragonball import ReleasedScores, released_scores
from ragassay.plain_files import lines_of, open_plain

DEPTH = 5
"""Chunks that the published figures count."""
FILE_METRICS = (
    f"reference_recall_released@{DEPTH}",
    f"eir_released@{DEPTH}",
    f"all_references_recall_released@{DEPTH}",
    "rouge_l_released",
)
"""The four metrics that are worked out from such a file, in the order of ``ReleasedScores``."""


class ReleasedItem(NamedTuple):
    """query_id: the id of the example that our reader of DragonBall makes of the query."""

    query_id: str
    scores: ReleasedScores


def released_items(path: Path) -> Iterator[ReleasedItem]:
    """Yield the four figures of each query, over its first five chunks, in the order of the file.

    path: JSONL with query, ground_truth and prediction in every object.
    Raises InputError where the file cannot be read, RecordError that names the line of an object that is not one of
    DragonBall's, has no prediction, or repeats a query.
    """
    seen: set[str] = set()
    try:
        with open_plain(path) as file:
            for number, line in enumerate(lines_of(file, path.name), start=1):
                if line.strip():
                    item = _item(line.decode("utf-8"), f"{path.name} line {number}")
                    if item.query_id in seen:
                        raise RecordError(f"{path.name} line {number}: query {item.query_id} occurs twice; drop one")
                    seen.add(item.query_id)
                    yield item
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None


def _item(line: str, where: str) -> ReleasedItem:
    try:
        row: Any = json.loads(line)
        query, truth, prediction = row["query"], row["ground_truth"], row["prediction"]
        texts = [_text(prediction["content"]), _text(truth["content"])]
        references, chunks = ([_text(text) for text in part["references"]] for part in (truth, prediction))
        language = "zh" if row.get("language") == "zh" else "en"
        query_id = str(query["query_id"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RecordError(f"{where}: not an answered DragonBall query ({type(error).__name__}: {error})") from None
    scores = released_scores(
        answer=texts[0],
        reference_answer=texts[1],
        references=references,
        chunks=chunks[:DEPTH],
        language=language,
    )
    return ReleasedItem(query_id, scores)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} in place of a text")
    return value
