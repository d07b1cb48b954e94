"""What a data set is made of and what is wrong with it: ``ragassay convert`` and ``ragassay.check_dataset``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ragassay.datasets.card import DataCard
from ragassay.datasets.format import Notes
from ragassay.datasets.registry import format_named, read_dataset, recognised
from ragassay.datasets.validation import Findings, examine


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSet:
    """format: name of the format that was read. card: what the set is made of. findings: what is wrong with it.

    notes: what of the files is not read, to how often.
    """

    format: str
    card: DataCard
    findings: Findings
    notes: Mapping[str, int]


def check_dataset(data: Path, *, from_format: str | None = None, documents: Path | None = None) -> CheckedSet:
    """Read a data set to its end; records that cannot be read are findings.

    from_format: name of the format where it cannot be told. documents: a file of documents beside the set.
    Raises InputError for a set that is missing or of no format that is known.
    """
    chosen = format_named(from_format, "--from") if from_format else recognised(data)
    notes = Notes(keep_going=True)
    card, findings = examine(read_dataset(data, format_name=chosen.name, documents=documents, notes=notes), notes)
    return CheckedSet(format=chosen.name, card=card, findings=findings, notes=dict(notes.counts))
