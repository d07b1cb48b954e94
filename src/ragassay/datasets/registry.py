"""The formats, and reading, writing and recognising a data set."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from ragassay.datasets import (
    beir,
    deepeval,
    dragonball,
    flan,
    hub,
    langsmith,
    mapping,
    messages,
    own,
    parquet,
    promptfoo,
    published,
    ragas,
    squad,
    table,
)
from ragassay.datasets.csv_cells import header_of
from ragassay.datasets.format import Format, Notes, Peek, Record, Source, lost_parts
from ragassay.datasets.lines import read_objects
from ragassay.datasets.only import kept
from ragassay.datasets.output import whole_output
from ragassay.datasets.placing import with_places
from ragassay.datasets.rows import is_spread, parquet_columns
from ragassay.datasets.selection import EVERYTHING, Selection, select
from ragassay.datasets.traces import langfuse, mlflow, span_files
from ragassay.errors import InputError, UsageError
from ragassay.plain_files import open_plain
from ragassay.records import Document

FORMATS: Mapping[str, Format] = {
    each.name: each
    for each in (
        own.FORMAT,
        parquet.FORMAT,
        *published.FORMATS,
        beir.FORMAT,
        ragas.FORMAT,
        dragonball.FORMAT,
        squad.FORMAT,
        flan.FORMAT,
        langsmith.FORMAT,
        table.FORMAT,
        deepeval.FORMAT,
        promptfoo.FORMAT,
        hub.FORMAT,
        mlflow.FORMAT,
        *span_files.FORMATS,
        langfuse.FORMAT,
        messages.FORMAT,
        mapping.FORMAT,
    )
}
OTHER_NAMES: Mapping[str, Format] = {"native": own.FORMAT}
_JSON_START_BYTES = 4_000
_FIELD = re.compile(r'"([^"\\]{1,60})"\s*:')
_YAML_KEY = re.compile(r"^[ \t-]*(\w{1,60})[ \t]*:", re.MULTILINE)


def format_named(name: str, option: str) -> Format:
    """The format of a name. Raises UsageError that lists the names."""
    found = FORMATS.get(name) or OTHER_NAMES.get(name)
    if found is None:
        raise UsageError(f"{option}: unknown format {name!r}; choose one of {', '.join(FORMATS)}")
    return found


def recognised(path: Path, option: str = "--from") -> Format:
    """The format of what lies at a path, by its content.

    Raises InputError that says what was seen there, and the option that names the format.
    """
    if not path.exists():
        raise InputError(f"{path} does not exist; give a file or folder with a data set")
    try:
        peek = _peek(path)
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from None
    table.refuse_results(peek.keys, path.name)
    for each in FORMATS.values():
        if each.recognises(peek):
            return each
    if path.is_file() and not path.stat().st_size:
        raise InputError(f"{path} is empty")
    if path.is_dir():
        seen = ", ".join(sorted(peek.files)[:6]) or "nothing"
    else:
        seen = f"the fields {', '.join(map(repr, sorted(peek.keys)[:8]))}" if peek.keys else "no fields"
    remedy = ", or name its fields with `ragassay convert --map`" if peek.keys else ""
    raise InputError(
        f"the format of {path} is unclear: it holds {seen[:400]}; give it with {option} {_names()}{remedy}"
    )


def _names(*, writable: bool = False) -> str:
    return ", ".join(each.name for each in FORMATS.values() if each.write or not writable)


def _peek(path: Path) -> Peek:
    suffix = path.suffix.lower()
    if path.is_dir():
        return Peek(path=path, suffix="", files=frozenset(each.name for each in path.iterdir()))
    if suffix == ".json" or (suffix == ".jsonl" and is_spread(path)):
        return Peek(path=path, suffix=suffix, keys=_keys_at_the_start(path))
    if suffix == ".jsonl":
        first = _first_object(path)
        return Peek(path=path, suffix=suffix, keys=frozenset(first), record=first)
    if suffix in (".csv", ".tsv"):
        return Peek(path=path, suffix=suffix, keys=frozenset(header_of(path)))
    if suffix in (".yaml", ".yml"):
        return Peek(path=path, suffix=suffix, keys=frozenset(_YAML_KEY.findall(_start(path))))
    if suffix == ".parquet":
        return Peek(path=path, suffix=suffix, keys=frozenset(parquet_columns(path)))
    return Peek(path=path, suffix=suffix)


def _first_object(path: Path) -> dict[str, Any]:
    """The first object of a JSONL file, past lines that hold none; {} in a file without one."""
    notes = Notes(keep_going=True)
    for row in read_objects(path, notes):
        return row.value
    if notes.faults:
        raise notes.faults[0]
    return {}


def _keys_at_the_start(path: Path) -> frozenset[str]:
    """The names of fields in the first characters of a JSON file, whatever they are in."""
    return frozenset(_FIELD.findall(_start(path)))


def _start(path: Path) -> str:
    with open_plain(path) as file:
        return file.read(_JSON_START_BYTES).decode("utf-8", "replace")


def read_dataset(
    path: Path,
    *,
    format_name: str | None = None,
    documents: Path | None = None,
    corpus: Iterable[Document] | None = None,
    notes: Notes | None = None,
    selection: Selection = EVERYTHING,
) -> Iterator[Record]:
    """The records of a data set as they come: documents and predictions before the examples they belong to.

    format_name: a name out of FORMATS; by the content where it is None. documents: a file of documents beside it.
    corpus: documents that take the place of all others. References of unknown place are looked for in either.
    notes: takes what is not read; by default it raises at the first record that cannot be read. selection: which rows
    are taken; with places of fields, the rows may be of any form.
    Raises InputError, or RecordError that names file and line.
    """
    notes = notes or Notes()
    chosen = mapping.FORMAT if selection.mapping else None
    if format_name or chosen is None:
        chosen = format_named(format_name, "--from") if format_name else recognised(path)
    if selection.mapping and not chosen.maps:
        raise UsageError(f"--map: the format {chosen.name} has fields of its own; leave out --from {chosen.name}")
    has_documents = documents is not None or corpus is not None
    source = Source(path=path, documents=documents, has_corpus=corpus is not None, mapping=selection.mapping)
    read = _read(chosen, source, notes)
    if corpus is not None:
        read = chain(corpus, (record for record in read if not isinstance(record, Document)))
    if has_documents or chosen.by_text:
        read = with_places(read, notes, are_references=not has_documents, where=str(path))
    records = kept(read, selection.only)
    return select(records, selection, notes) if selection.sample is not None or selection.unique else records


def brings_documents(path: Path, format_name: str | None = None) -> bool:
    """Whether a set has documents, and not only what references of rows are made into. Raises as ``read_dataset``."""
    chosen = format_named(format_name, "--from") if format_name else recognised(path)
    if chosen in (own.FORMAT, parquet.FORMAT, hub.FORMAT):
        return any((path / f"documents{suffix}").is_file() for suffix in (".jsonl", ".parquet"))
    return "documents" in chosen.holds


def _read(chosen: Format, source: Source, notes: Notes) -> Iterator[Record]:
    path = source.path
    try:
        yield from chosen.read(source, notes)
    except FileNotFoundError as error:
        missing = Path(str(error.filename)).name
        raise InputError(f"{path} is not a data set in the format {chosen.name}: {missing} is missing") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder; the format {chosen.name} needs a file") from None
    except NotADirectoryError:
        raise InputError(f"{path} is a file; the format {chosen.name} needs a folder") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from None


def format_for(path: Path, format_name: str | None) -> Format:
    """The format to write to a path: the one that is named, else by the suffix; a path without one is a folder.

    Raises UsageError where the format cannot be told, or has no such form.
    """
    suffix = path.suffix.lower()
    if format_name is None:
        for each in FORMATS.values():
            if suffix in each.suffixes:
                return each
        raise UsageError(
            f"the format of {path} is not clear from {suffix!r}; give it with --to {_names(writable=True)}"
        )
    chosen = format_named(format_name, "--to")
    if chosen.write is None:
        raise UsageError(f"--to {chosen.name}: this format is only read; choose one of {_names(writable=True)}")
    check_form(path, chosen.name, chosen.writes)
    return chosen


def check_form(path: Path, name: str, suffixes: Sequence[str]) -> None:
    """Raises UsageError for an output whose suffix is none of those that ``--to`` NAME is written with."""
    if path.suffix.lower() not in suffixes:
        forms = " or ".join(f"a file that ends in {form}" if form else "a folder, without suffix" for form in suffixes)
        raise UsageError(f"--to {name}: {path.name} is not a valid output; name {forms}")


def write_dataset(
    path: Path,
    records: Iterable[Record],
    *,
    format_name: str | None = None,
    notes: Notes | None = None,
    overwrite: bool = False,
    on_written: Callable[[Path], None] = lambda part: None,
) -> Format:
    """Writes a data set, whole or not at all, and returns its format.

    notes: takes what the format cannot hold, as "not held: NAME OF PART" counts. on_written: told where the whole set
    is just before it is put in place.
    Raises UsageError for a format that does not fit, RunFolderError for a path that cannot be written to or is taken,
    unless ``overwrite`` allows to replace a file. A folder that holds anything is never replaced.
    """
    chosen = format_for(path, format_name)
    assert chosen.write is not None
    notes = notes or Notes()
    with whole_output(path, overwrite=overwrite) as part:
        chosen.write(part, _noting_losses(records, chosen, notes), notes)
        on_written(part)
    return chosen


def _noting_losses(records: Iterable[Record], chosen: Format, notes: Notes) -> Iterator[Record]:
    for record in records:
        for name in lost_parts(record, chosen.holds):
            notes.add(f"not held: {name}")
        yield record
