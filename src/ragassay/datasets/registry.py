"""The formats, and reading, writing and recognising a data set; files and folders are written whole or not at all."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path

from ragassay.datasets import beir, mapping, own, sets, writers
from ragassay.datasets.foreign import holds_documents
from ragassay.datasets.format import Format, Notes, Peek, Record, Source, lost_parts, matches
from ragassay.datasets.lines import header_of, read_objects
from ragassay.datasets.placing import with_places
from ragassay.datasets.rows import parquet_columns
from ragassay.datasets.selection import EVERYTHING, Selection, kept, select
from ragassay.datasets.traces import assembling
from ragassay.documents.read import ReadOptions, read_corpus
from ragassay.errors import InputError, RagassayError, RecordError, RunFolderError, UsageError
from ragassay.plain_files import open_plain
from ragassay.records import Document

_SETS = {**sets.FORMATS, **writers.FORMATS}
FORMATS: Mapping[str, Format] = {
    each.name: each
    for each in (
        own.FORMAT,
        beir.FORMAT,
        *(each for each in _SETS.values() if each.name != "messages"),
        own.CSV,
        assembling.OTEL,
        assembling.LANGFUSE,
        _SETS["messages"],  # spans hold messages, too
        mapping.FORMAT,
    )
}
OTHER_NAMES: Mapping[str, Format] = {
    "native": own.FORMAT,
    "phoenix": assembling.OTEL,
    "openinference": assembling.OTEL,
}
_JSON_START_BYTES = 4_000
_FIELD = re.compile(r'"([^"\\]{1,60})"\s*:')


def format_named(name: str, option: str) -> Format:
    """Return the format of a name. Raises UsageError that lists the names."""
    chosen = FORMATS.get(name) or OTHER_NAMES.get(name)
    if chosen is None:
        known = (each.name for each in FORMATS.values() if each.write or option != "--to")
        raise UsageError(f"{option}: unknown format {name!r}; choose one of {', '.join(known)}")
    return chosen


def recognised(path: Path, option: str = "--from", mapped: str = "`ragassay convert --map`") -> Format:
    """Return the format of a path, by its content. mapped: advice. Raises InputError that says what was seen there."""
    if not path.exists():
        raise InputError(f"{path} does not exist; give a file or folder with a data set")
    try:
        peek = _peek(path)
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from None
    own.refuse_results(peek.keys, path.name)
    for chosen in FORMATS.values():
        if any(matches(rule, peek) for rule in chosen.when):
            return chosen
    if path.is_file() and not path.stat().st_size:
        raise InputError(f"{path} is empty")
    if path.is_dir():
        seen = ", ".join(sorted(peek.files)[:6]) or "nothing"
    else:
        seen = f"the fields {', '.join(map(repr, sorted(peek.keys)[:8]))}" if peek.keys else "no fields"
    names = ", ".join(FORMATS)
    remedy = f", or name its fields with {mapped}" if peek.keys else ""
    raise InputError(f"the format of {path} is unclear: it holds {seen[:400]}; give it with {option} {names}{remedy}")


def _peek(path: Path) -> Peek:
    suffix = path.suffix.lower()
    if path.is_dir():
        return Peek(suffix="", files=frozenset(file.name for file in path.iterdir()))
    keys: Iterable[str] = ()
    if suffix == ".json":
        with open_plain(path) as file:  # all names of fields, whatever they are in
            keys = _FIELD.findall(file.read(_JSON_START_BYTES).decode("utf-8", "replace"))
    elif suffix == ".jsonl":
        notes = Notes(keep_going=True)
        first = next((row.value for row in read_objects(path, notes)), {})
        if not first and notes.faults:
            raise notes.faults[0]
        return Peek(suffix=suffix, keys=frozenset(first), record=first)
    elif suffix in (".csv", ".tsv"):
        keys = header_of(path)
    elif suffix == ".parquet":
        keys = parquet_columns(path)
    return Peek(suffix=suffix, keys=frozenset(keys))


def read_dataset(
    path: Path,
    *,
    format_name: str | None = None,
    documents: Path | None = None,
    corpus: Iterable[Document] | None = None,
    notes: Notes | None = None,
    selection: Selection = EVERYTHING,
) -> Iterator[Record]:
    """Read the records of a data set as they come: documents and predictions before the examples they belong to.

    format_name: by the content where it is None. documents: a file of them, or a folder of files. corpus: documents
    that take the place of all others. notes: takes what is not read; by default the first such record is an error.
    Raises InputError, or RecordError that names file and line.
    """
    notes = notes or Notes()
    chosen = mapping.FORMAT if selection.mapping else None
    if format_name or chosen is None:
        chosen = format_named(format_name, "--from") if format_name else recognised(path)
    if selection.mapping and not chosen.maps:
        raise UsageError(f"--map: the format {chosen.name} has fields of its own; leave out --from {chosen.name}")
    needs_places = documents is not None or corpus is not None or chosen.by_text
    if documents is None and corpus is None:
        folder = path if path.is_dir() else path.parent
        documents = next((folder / name for name in chosen.beside if (folder / name).is_file()), None)
    elif documents is not None and not holds_documents(documents):
        corpus = read_corpus(
            [documents], ReadOptions(), lambda each: notes.add(each.reason), lambda each: notes.add(each.reason)
        )
        documents = None
    has_documents = documents is not None or corpus is not None
    source = Source(path=path, documents=documents, has_corpus=corpus is not None, mapping=selection.mapping)
    read = _read(chosen, source, notes)
    if corpus is not None:
        read = chain(corpus, (record for record in read if not isinstance(record, Document)))
    if needs_places:
        read = with_places(read, notes, are_references=not has_documents, where=str(path))
    records = kept(read, selection.only)
    return select(records, selection, notes) if selection.sample is not None or selection.unique else records


def brings_documents(path: Path, format_name: str | None = None) -> bool:
    """Return whether a set has documents, not only what references become. Raises as ``read_dataset``."""
    chosen = format_named(format_name, "--from") if format_name else recognised(path)
    return (path / "documents.jsonl").is_file() if chosen is own.FORMAT else "documents" in chosen.holds


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
    """Return the format to write to a path: the one named, else by the suffix, or a folder's. Raises UsageError."""
    suffix = path.suffix.lower()
    writable = ", ".join(name for name, each in FORMATS.items() if each.write)
    if format_name is None:
        chosen = next((each for each in FORMATS.values() if suffix in each.suffixes), None)
        if chosen is None:
            raise UsageError(f"the format of {path} is not clear from {suffix!r}; give it with --to {writable}")
        return chosen
    chosen = format_named(format_name, "--to")
    if chosen.write is None:
        raise UsageError(f"--to {chosen.name}: this format is only read; choose one of {writable}")
    check_form(path, chosen.name, chosen.writes)
    return chosen


def check_form(path: Path, name: str, suffixes: Sequence[str]) -> None:
    """Raise UsageError for an output whose suffix is none of those that ``--to`` NAME is written with."""
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
    """Write a data set, whole or not at all, and return its format.

    notes: takes what the format cannot hold. on_written: gets the path of the whole set before it is put in place.
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


@contextmanager
def whole_output(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Give the place of a file, or a new folder: put in place at the end, else removed. Raises as ``write_dataset``."""
    is_folder = path.suffix == ""
    refuse_taken(path, overwrite=overwrite)
    part = path.with_name(f"{path.stem}.part{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove(part)
        if is_folder:
            part.mkdir()
        yield part
        if is_folder and path.is_dir():
            path.rmdir()
        part.replace(path)
    except RagassayError:
        raise
    except UnicodeEncodeError as error:
        raise RecordError(f"a text contains half a surrogate pair, which cannot be stored ({error.reason})") from None
    except OSError as error:
        raise RunFolderError(
            f"{path} cannot be written ({error.strerror}); free some space, or name another place"
        ) from None
    finally:
        _remove(part)


def refuse_taken(path: Path, *, overwrite: bool) -> None:
    """Raise RunFolderError where ``whole_output`` would: work whose result has no place need not be begun."""
    is_folder = path.suffix == ""
    if is_folder and path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise RunFolderError(f"{path} already exists and is not empty; name a new folder")
    if not is_folder and path.is_dir():
        raise RunFolderError(f"{path} is a folder; name a file")
    if not is_folder and path.exists() and not overwrite:
        raise RunFolderError(f"{path} already exists; name another file, or replace it with --overwrite")


def _remove(part: Path) -> None:
    if part.is_dir():
        shutil.rmtree(part, ignore_errors=True)
    else:
        with suppress(OSError):  # where none could be written none can be taken away
            part.unlink()
