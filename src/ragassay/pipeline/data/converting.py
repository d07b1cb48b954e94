"""A data set in another format: what ``ragassay convert`` and ``ragassay.convert_dataset`` do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ragassay.datasets.format import Notes, Record
from ragassay.datasets.registry import format_for, read_dataset, write_dataset
from ragassay.datasets.selection import EVERYTHING, Selection
from ragassay.errors import InputError, UsageError, choices
from ragassay.records import Prediction


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """out: file or folder that was written, or the address of what was sent. format: its name.

    records: kind (example, document, prediction) to count.

    notes: what was changed or left out, to how often.
    """

    out: Path | str
    format: str
    records: Mapping[str, int]
    notes: Mapping[str, int]


def convert_dataset(
    data: Path,
    out: Path,
    *,
    from_format: str | None = None,
    to_format: str | None = None,
    documents: Path | None = None,
    selection: Selection = EVERYTHING,
    system: str | None = None,
    overwrite: bool = False,
) -> Converted:
    """Write a data set in another format, whole or not at all.

    from_format, to_format: names of formats where they cannot be told. documents: a file of documents beside the set.
    selection: which rows are taken, and where their fields stand. system: only its predictions are taken.
    overwrite: replace a file ``out``.
    Raises InputError, UsageError for a format or system that there is not, RunFolderError for ``out``.
    """
    format_for(out, to_format)  # before anything is read
    read, written = Notes(), Notes()
    counts: Counter[str] = Counter()
    records = read_dataset(data, format_name=from_format, documents=documents, notes=read, selection=selection)
    chosen = write_dataset(
        out, _counting(records, counts, system), format_name=to_format, notes=written, overwrite=overwrite
    )
    return Converted(out=out, format=chosen.name, records=dict(counts), notes=dict(read.counts + written.counts))


def _counting(records: Iterator[Record], counts: Counter[str], system: str | None) -> Iterator[Record]:
    """Return the records as they pass, counted by kind; of predictions those of one system, if one is named."""
    others: set[str] = set()
    for record in records:
        if isinstance(record, Prediction) and system not in (None, record.system):
            others.add(record.system)
            continue
        counts[type(record).__name__.lower()] += 1
        yield record
    if system is not None and not counts["prediction"]:
        raise UsageError(f"--system: no predictions of {system!r}; choose one of {choices(sorted(others))}")
    if not counts["example"]:
        raise InputError("INPUT holds no examples; nothing was written")
