"""Collections of documents for measuring only: fetched from packages and from ../shared, never shipped.

``worth_collections.toml`` is the fixed list. A collection is one kind of document, in one or more parts; a part comes
from a Debian package (``apt-get download``; nothing is installed, no script is run) or from a data set below
``../shared/data``.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import re
import shutil
import subprocess
import tarfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

Texts = dict[str, bytes]
"""File name to content."""

PARAGRAPHS_OF_AN_ARTICLE = 5
"""XQuAD takes five paragraphs of each of its 48 articles, one after the other (Artetxe et al. 2020, section 3)."""


def _records(data: bytes) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in data.decode("utf-8").splitlines() if line.strip())


def titles(data: bytes) -> frozenset[str]:
    """The titles of the records of a JSON Lines file, in lower case."""
    return frozenset(record["title"].lower() for record in _records(data))


def paragraphs(data: bytes, _: str) -> Texts:
    """xquad/en.jsonl: the paragraphs of each article, a plain text without a title."""
    contexts = list(dict.fromkeys(record["context"] for record in _records(data)))
    starts = range(0, len(contexts), PARAGRAPHS_OF_AN_ARTICLE)
    return {f"{at:03d}.txt": "\n\n".join(contexts[at : at + PARAGRAPHS_OF_AN_ARTICLE]).encode() for at in starts}


def articles(data: bytes, _: str) -> Texts:
    """ragval/knowledge_blocks.jsonl: an article a file of JSON Lines, with its title, as the data set has it."""
    return {
        f"{at:04d}.jsonl": json.dumps({"title": record["title"], "text": record["content"]}).encode()
        for at, record in enumerate(_records(data))
    }


def tables(data: bytes, name: str) -> Texts:
    """A table in CSV, as a page of Markdown that has the file's name as its title."""
    if not name.endswith(".csv"):
        return {}
    stem = name.removesuffix(".csv")
    rows = [" | ".join(cell.strip() for cell in row) for row in csv.reader(io.StringIO(data.decode("utf-8"))) if row]
    lines = [rows[0], " | ".join("---" for _ in rows[0].split(" | ")), *rows[1:]]
    title = stem.rsplit("/", 1)[-1].replace("-", " ")
    return {f"{stem}.md": "\n".join([f"# {title}", "", *(f"| {line} |" for line in lines), ""]).encode()}


READERS: dict[str, Callable[[bytes, str], Texts]] = {"articles": articles, "paragraphs": paragraphs, "tables": tables}


LIST = Path(__file__).with_name("worth_collections.toml")
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
CACHE = Path.home() / ".cache" / "ragassay-worth"
READABLE = frozenset((".md", ".txt", ".rst", ".html", ".htm", ".pdf", ".docx", ".jsonl"))
MOST_FILES, MOST_WORDS = 60, 40_000
"""Of a kind: enough for its readers not to see the same page twice, and a run takes seconds."""
FEWEST_WORDS, MOST_WORDS_OF_A_FILE = 100, 6_000
"""Shorter files are stubs and navigation, longer ones would be half of a collection."""

Fetch = Callable[[str, Path], Path]
"""Package name and cache folder to the package's file."""


class UnavailableError(Exception):
    """A collection that cannot be had on this machine; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Where some files of a collection come from.

    source: the package, or the file below ../shared/data.
    version: of the package, as seen when the list was written; "" for shared data.
    folder: the package's folder; with it, ``files`` are relative paths.
    files: what is taken; of a package always named, so that a new version changes nothing silently.
    reader: a key of ``READERS``; "copy" takes package files as they are.
    unlike: for shared data, a file whose records have titles of which none may be among the texts: what was trained on.
    drawn: how many texts of shared data are drawn with ``seed``; 0 for all.
    """

    source: str
    licence: str
    version: str = ""
    folder: str = ""
    files: tuple[str, ...] = ()
    reader: str = "copy"
    unlike: str = ""
    drawn: int = 0
    seed: int = 0

    @property
    def is_shared(self) -> bool:
        return not self.version


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """A kind of document. asks: examples to ask for, where the kind is a case with a number of its own; else None."""

    kind: str
    what: str
    asks: int | None
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What became of a collection. missing: why it could not be had, or ""; notes: what differs from the list."""

    kind: str
    files: int
    words: int
    missing: str
    notes: tuple[str, ...]


def read_collections(path: Path = LIST) -> dict[str, Collection]:
    """The fixed list, kind to collection. Raises ValueError for a part that does not say what to take."""
    collections = {}
    for kind, entry in tomllib.loads(path.read_text(encoding="utf-8")).items():
        parts = tuple(_part(kind, part) for part in entry["parts"])
        collections[kind] = Collection(kind=kind, what=entry["what"], asks=entry.get("asks"), parts=parts)
    return collections


def _part(kind: str, entry: Mapping[str, Any]) -> Part:
    part = Part(**{**entry, "files": tuple(entry.get("files", ()))})
    if not part.is_shared and not part.files:
        raise ValueError(f"the part {part.source} of {kind} names no files; list them")
    if part.reader != "copy" and part.reader not in READERS:
        raise ValueError(f"unknown reader {part.reader!r} in {kind}; choose one of copy, {', '.join(sorted(READERS))}")
    return part


def download(package: str, cache: Path) -> Path:
    """The package's file in the cache, downloaded if it is not there. Raises UnavailableError."""
    cache.mkdir(parents=True, exist_ok=True)
    kept = sorted(cache.glob(f"{package}_*.deb"))
    if not kept:
        try:
            done = subprocess.run(
                ["apt-get", "download", "-q", package], cwd=cache, capture_output=True, text=True, check=False
            )
        except FileNotFoundError as error:
            raise UnavailableError("there is no apt-get on this machine") from error
        kept = sorted(cache.glob(f"{package}_*.deb"))
        if not kept:
            raise UnavailableError(
                f"apt-get download {package}: {done.stderr.strip().splitlines()[-1:] or 'nothing came'}"
            )
    return kept[-1]


def version_of(package_file: Path) -> str:
    """The version in a package file's name, where a colon is written as %3a."""
    return package_file.stem.split("_")[1].replace("%3a", ":")


def unpack(package_file: Path, folder: str) -> dict[str, bytes]:
    """The files below one folder of a package, by their paths relative to it; .gz are unpacked and lose that suffix."""
    prefix = PurePosixPath(folder)
    found = {}
    stream = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package_file)], stdout=subprocess.PIPE)
    with stream, tarfile.open(fileobj=stream.stdout, mode="r|") as archive:
        for member in archive:
            path = PurePosixPath(member.name)
            if member.isfile() and path.is_relative_to(prefix) and (content := archive.extractfile(member)) is not None:
                data, name = content.read(), str(path.relative_to(prefix))
                if name.endswith(".gz"):
                    data, name = gzip.decompress(data), name[: -len(".gz")]
                found[name] = data
    return found


def prepare(
    collection: Collection, into: Path, *, cache: Path = CACHE, shared: Path = SHARED, fetch: Fetch = download
) -> Prepared:
    """Writes a collection into the folder ``into / kind``, anew; of one that cannot be had, nothing is there."""
    folder = into / collection.kind
    shutil.rmtree(folder, ignore_errors=True)
    notes: list[str] = []
    texts: Texts = {}
    try:
        for part in collection.parts:
            texts |= _shared(part, shared) if part.is_shared else _packaged(part, cache, fetch, notes)
    except UnavailableError as error:
        return Prepared(kind=collection.kind, files=0, words=0, missing=str(error), notes=tuple(notes))
    for name, data in texts.items():
        path = folder / (name if PurePosixPath(name).suffix in READABLE else f"{name}.txt")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    words = sum(map(words_of, texts.values()))
    return Prepared(kind=collection.kind, files=len(texts), words=words, missing="", notes=tuple(notes))


def _shared(part: Part, shared: Path) -> Texts:
    for path in filter(None, (part.source, part.unlike)):
        if not (shared / path).is_file():
            raise UnavailableError(f"{shared / path} is not there")
    texts = READERS[part.reader]((shared / part.source).read_bytes(), part.source)
    if part.unlike:
        seen = titles((shared / part.unlike).read_bytes())
        texts = {name: data for name, data in texts.items() if not titles(data) & seen}
    if not part.drawn:
        return texts
    return {name: texts[name] for name in sorted(random.Random(part.seed).sample(sorted(texts), part.drawn))}


def _packaged(part: Part, cache: Path, fetch: Fetch, notes: list[str]) -> Texts:
    """Raises UnavailableError where less than half of the files are left in the package's present version."""
    package_file = fetch(part.source, cache)
    if (version := version_of(package_file)) != part.version:
        notes.append(f"{part.source} is {version}, the list was made with {part.version}")
    texts = _texts_of(part, package_file)
    gone = [name for name in part.files if name not in texts]
    if 2 * len(gone) > len(part.files):
        raise UnavailableError(f"{len(gone)} of {len(part.files)} files are not in {part.source} {version}")
    notes += [f"{name} is not in {part.source} {version}" for name in gone]
    several = f"{part.source}/" if part.reader == "copy" else ""
    return {f"{several}{name}": texts[name] for name in part.files if name in texts}


def _texts_of(part: Part, package_file: Path) -> Texts:
    files = unpack(package_file, part.folder)
    if part.reader == "copy":
        return files
    texts: Texts = {}
    for name in sorted(files):
        texts |= READERS[part.reader](files[name], name)
    return texts


_NOT_SHOWN = re.compile(rb"<(script|style)\b.*?</\1\s*>|<[^>]*>", re.DOTALL | re.IGNORECASE)


def words_of(data: bytes) -> int:
    """About how many words a text or HTML file shows."""
    return len(_NOT_SHOWN.sub(b" ", data).split())


def chosen_kinds(names: str, known: Iterable[str]) -> Sequence[str]:
    """The kinds of an option such as "a,b"; all where it is empty. Raises ValueError for one that is unknown."""
    known = list(known)
    kinds = [name.strip() for name in names.split(",") if name.strip()] or known
    if unknown := [kind for kind in kinds if kind not in known]:
        raise ValueError(f"unknown kind {unknown[0]!r}; choose from {', '.join(known)}")
    return kinds
