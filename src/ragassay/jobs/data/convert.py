"""What ``ragassay convert`` does: a set in another format, what it is made of, or the results of a run for a tool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from ragassay.datasets.card import DataCard
from ragassay.datasets.format import Notes, Record
from ragassay.datasets.registry import FORMATS, format_for, format_named, read_dataset, recognised, write_dataset
from ragassay.datasets.selection import RowsFrom, Selection
from ragassay.datasets.validation import Findings, examine
from ragassay.errors import InputError, UsageError, choices
from ragassay.jobs.data.score_table import TARGET, chosen_system, write_results
from ragassay.jobs.folders.read_run import read_items
from ragassay.jobs.folders.run_folder import EXAMPLES_FILE
from ragassay.options import Group, Option, settings
from ragassay.records import Prediction
from ragassay.report.blocks import Block
from ragassay.report.labels import blocks_of_card, blocks_of_conversion, blocks_of_findings
from ragassay.report.notebook import Shown

_OUTPUT = "Output"
_FINDINGS_SHOWN = 20
_OF_ONE_SYSTEM = ("deepeval", "ragas")
"""Formats of sets with room for the predictions of one system."""


@settings
class ConvertOptions:
    """Which set or run is written where, and as what."""

    data: Annotated[Path, Option("File or folder with a data set, or a run folder.", metavar="DATA", is_argument=True)]
    output: Annotated[
        Path | None,
        Option(
            "File to write, or a new folder. Without it, DATA is described and its faults are listed.",
            metavar="OUTPUT",
            is_argument=True,
            is_about_work=True,
        ),
    ] = None
    to_format: Annotated[
        str | None,
        Option(
            "Format of OUTPUT: jsonl, csv, beir, ragas, deepeval, or scores (a .csv or .parquet table of the results "
            "of a run); default: from its suffix.",
            flags=("--to",),
            metavar="FORMAT",
        ),
    ] = None
    from_format: RowsFrom = None
    documents: Annotated[
        Path | None, Option("Documents, if DATA does not hold them: JSONL, or files and folders.", metavar="PATH")
    ] = None
    system: Annotated[str | None, Option("Only take the predictions of this system.", metavar="NAME")] = None
    rows: Annotated[Selection, Group(frozenset({"only"}))] = field(default_factory=Selection)
    overwrite: Annotated[bool, Option("Replace the file OUTPUT.", panel=_OUTPUT, is_about_work=True)] = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CheckedSet(Shown):
    """format: name of the format that was read. card: what the set is made of. findings: what is wrong with it.

    notes: what of the files is not read, to how often.
    """

    format: str
    card: DataCard
    findings: Findings
    notes: Mapping[str, int]

    def blocks(self) -> Iterable[Block]:
        return [*blocks_of_card(self.card), *blocks_of_findings(self.findings, _FINDINGS_SHOWN)]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Converted(Shown):
    """out: file or folder that was written. format: its name. records: kind (example, document, row) to count.

    notes: what was changed or left out, to how often.
    """

    out: Path
    format: str
    records: Mapping[str, int]
    notes: Mapping[str, int]

    def blocks(self) -> Iterable[Block]:
        return blocks_of_conversion(self.records, self.notes, f"{self.out} ({self.format})")


def convert(options: ConvertOptions) -> Converted | CheckedSet:
    """Write a set or the results of a run, whole or not at all, or check a set where no output is named.

    Raises InputError for what cannot be read, UsageError for a format or system that there is not, RunFolderError for
    the output.
    """
    to, out = options.to_format, options.output
    if out is None:
        if to is not None or options.system is not None or options.overwrite or options.rows != Selection():
            raise UsageError("OUTPUT: missing; name a file or folder to write, or leave out options of writing")
        return check_dataset(options.data, from_format=options.from_format, documents=options.documents)
    if to == TARGET:
        if options.rows != Selection() or options.from_format or options.documents:
            raise UsageError(f"--to {to}: a run is written as it is; leave out options of rows")
        records = write_results(options.data, out, options.system, overwrite=options.overwrite)
        return Converted(out=out, format=to, records=records, notes={})
    return _convert_set(options, out)


def check_dataset(data: Path, *, from_format: str | None = None, documents: Path | None = None) -> CheckedSet:
    """Read a data set to its end; records that cannot be read are findings.

    from_format: name of the format where it cannot be told. documents: a file of documents beside the set.
    Raises InputError for a set that is missing or of no format that is known.
    """
    chosen = format_named(from_format, "--from") if from_format else recognised(data)
    notes = Notes(keep_going=True)
    card, findings = examine(read_dataset(data, format_name=chosen.name, documents=documents, notes=notes), notes)
    return CheckedSet(format=chosen.name, card=card, findings=findings, notes=dict(notes.counts))


def _convert_set(options: ConvertOptions, out: Path) -> Converted:
    system = _system_for(options.data, options.to_format, options.system)
    format_for(out, options.to_format)  # before anything is read
    read, written, counts = Notes(), Notes(), Counter[str]()
    records = read_dataset(
        options.data,
        format_name=options.from_format,
        documents=options.documents,
        notes=read,
        selection=options.rows,
    )
    chosen = write_dataset(
        out,
        _counting(records, counts, system),
        format_name=options.to_format,
        notes=written,
        overwrite=options.overwrite,
    )
    return Converted(out=out, format=chosen.name, records=dict(counts), notes=dict(read.counts + written.counts))


def _system_for(data: Path, to: str | None, named: str | None) -> str | None:
    """Return whose predictions a format with room for one gets: of a run with several the recommended one's."""
    if named is not None or to not in _OF_ONE_SYSTEM or not (data / EXAMPLES_FILE).is_file():
        return named
    items = read_items(data)
    return chosen_system(items, None) if items.systems and "predictions" in FORMATS[to].holds else None


def _counting(records: Iterator[Record], counts: Counter[str], system: str | None) -> Iterator[Record]:
    """Yield the records, counted by kind; of predictions those of one system, if one is named."""
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
