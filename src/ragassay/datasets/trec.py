"""Runs of TREC: ``query Q0 document rank score tag`` on each line, as trec_eval reads them.

Source: https://github.com/usnistgov/trec_eval. It goes by the scores: the ranks are not looked at, and of documents
with the same score the last id comes first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ragassay.datasets.format import Notes
from ragassay.datasets.lines import read_lines
from ragassay.errors import RecordError
from ragassay.records import Prediction, RankedChunk

_COLUMNS = 6


def is_run(path: Path) -> bool:
    """Return whether the first line of a file has the six columns."""
    lines = [line for _, line in islice(read_lines(path, Notes(keep_going=True)), 1)]
    return bool(lines) and len(cells := lines[0].split()) == _COLUMNS and _number(cells[4]) is not None


def read_run(path: Path) -> Iterator[Prediction]:
    """Yield one prediction for each query and system, named by its tag. Raises RecordError that names a line."""
    found: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for where, line in read_lines(path, Notes()):
        cells = line.decode("utf-8", "replace").split()
        score = _number(cells[4].encode()) if len(cells) == _COLUMNS else None
        if score is None:
            raise RecordError(f"{where}: must be query, Q0, document, rank, score and tag, separated by white space")
        query, _, document, _, _, tag = cells
        if document in found[tag, query]:
            raise RecordError(f"{where}: document {document!r} occurs twice for query {query!r}; drop one")
        found[tag, query][document] = score
    for (tag, query), scores in found.items():
        ranked = sorted(scores.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)
        yield Prediction(
            example_id=query,
            system=tag,
            chunks=tuple(
                RankedChunk(chunk_id=document, document_id=document, start=0, end=0, score=score)
                for document, score in ranked
            ),
        )


def _number(text: bytes) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None
