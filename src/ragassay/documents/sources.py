"""Finds the files of a corpus: sorted, each once, nothing hidden."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ragassay.errors import InputError
from ragassay.records import SkippedSource
from ragassay.remote import url_of

Format = Literal[
    "html", "rst", "pdf", "docx", "jsonl", "csv", "json", "pptx", "odt", "epub",
    "markdown", "plain", "spreadsheet", "notebook", "mail",
]  # fmt: skip

_FORMAT_OF: dict[str, Format] = {
    ".md": "markdown", ".markdown": "markdown", ".txt": "plain", ".rst": "rst", ".html": "html", ".htm": "html",
    ".pdf": "pdf", ".docx": "docx", ".odt": "odt", ".pptx": "pptx", ".epub": "epub", ".eml": "mail",
    ".xlsx": "spreadsheet", ".xlsm": "spreadsheet", ".xls": "spreadsheet", ".ods": "spreadsheet",
    ".csv": "csv", ".tsv": "csv", ".json": "json", ".jsonl": "jsonl", ".ipynb": "notebook",
}  # fmt: skip
_MOST_EXTENSIONS = 12

Report = Callable[[SkippedSource], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file to be read.

    name: its path relative to the folder that was given, with forward slashes; where several paths were given, after as
    much of that folder's own path as tells them apart.
    """

    path: Path
    name: str
    format: Format


def readable() -> str:
    """Return the extensions that are read, for messages."""
    return " ".join(_FORMAT_OF)


def find_sources(
    paths: Sequence[Path],
    on_skip: Report,
    on_note: Report,
    *,
    leave_out: Path | None = None,
    follow_links: bool = False,
) -> Iterator[SourceFile]:
    """Yield the files to read below the paths, in the order of the paths, then sorted by name.

    leave_out: a folder, such as the one that a run writes to, that is passed over without a word below the paths.
    follow_links: also out of the folders given; what such a link leads to may be no business of whoever gets the texts.
    Files of other kinds are counted in one note; links that form a loop, or lead nowhere or out, and what is named like
    a document but is a pipe, a socket or a device, are reported as skipped.
    Raises InputError for a path that is missing or a folder with nothing in it, when the walk comes to it.
    """
    within = None if follow_links else [path.resolve() for path in paths]
    walk = _Walk(on_skip, leave_out, within)
    for path, name in zip(paths, _names_apart(paths), strict=True):
        yield from walk.below(path, name, f"{name}/" if len(paths) > 1 else "")
    place = "The folders given" if len(paths) > 1 else "The folder given"
    if walk.ignored:
        common = sorted(walk.ignored.items(), key=lambda item: (-item[1], item[0]))
        named = ", ".join(f"{count} {kind} ({walk.first[kind]})" for kind, count in common[:_MOST_EXTENSIONS])
        rest = sum(count for _, count in common[_MOST_EXTENSIONS:])
        reason = (
            f"files of other kinds were ignored: {named}{f', {rest} others' if rest else ''}. Kinds read: {readable()}."
        )
        on_note(SkippedSource(source=place, reason=reason))


class _Walk:
    def __init__(self, on_skip: Report, leave_out: Path | None, within: Sequence[Path] | None) -> None:
        """within: where a link may lead; None: anywhere."""
        self._on_skip = on_skip
        self._within = within
        self._leave_out = leave_out
        self._seen: set[tuple[int, int]] = set()
        self.ignored: Counter[str] = Counter()
        self.first: dict[str, str] = {}  # of each kind that is ignored, the first file

    def below(self, path: Path, name: str, prefix: str) -> Iterator[SourceFile]:
        """Yield the files of one of the paths. name, prefix: of a file, and of what a folder holds."""
        if not path.exists():
            raise InputError(f"{shown_path(path)} does not exist; give the path of a folder or file with documents")
        if path.is_file():
            yield from self._file(path, name)
            return
        if not path.is_dir():
            raise InputError(f"{path} is neither a file nor a folder; give a folder or file with documents")
        empty = True
        for source in self._folder(path, prefix):
            empty = False
            if source is not None:
                yield source
        if empty:
            raise InputError(
                f"{shown_path(path)} is an empty folder; add documents ({readable()}) or give another path"
            )

    def _folder(self, top: Path, prefix: str) -> Iterator[SourceFile | None]:
        """Yield the files below a folder, and None for each that is not read: a folder of such is not called empty."""
        waiting: list[tuple[Path, str, tuple[tuple[int, int], ...]]] = [(top, prefix, ())]
        while waiting:
            path, name, above = waiting.pop()
            try:
                identity = _identity(path)
                if above and self._leads_out(path):
                    reason = "it is a link out of the folders given; name that place too, or use --follow-links"
                    self._skip(name, reason)
                elif not path.is_dir():
                    yield next(self._file(path, name), None)
                elif identity in above:
                    self._skip(name, "it is a link to a folder that contains it")
                elif above and self._leave_out is not None and path.resolve() == self._leave_out.resolve():
                    continue
                elif above and (path / "run.json").is_file() and (path / "documents.jsonl").is_file():
                    self._skip(name, "it is a run folder of ragassay")
                elif identity not in self._seen:
                    self._seen.add(identity)
                    slash = "" if not name or name.endswith("/") else "/"
                    waiting += [
                        (path / entry, f"{name}{slash}{entry}", (*above, identity))
                        for entry in sorted(os.listdir(path), reverse=True)
                        if not entry.startswith((".", "~$")) and entry not in ("CVS", "_darcs")
                    ]
            except OSError as error:
                self._skip(name or str(path), _cause(error))

    def _file(self, path: Path, name: str) -> Iterator[SourceFile]:
        extension = path.suffix.lower()
        if extension not in _FORMAT_OF:
            kind = extension or "without extension"
            self.ignored[kind] += 1
            self.first.setdefault(kind, printable(name))
        elif not path.is_file():
            self._skip(name, "it is a pipe, a socket or a device")
        elif (identity := _identity(path)) not in self._seen:
            self._seen.add(identity)
            yield SourceFile(path=path, name=printable(name), format=_FORMAT_OF[extension])

    def _leads_out(self, path: Path) -> bool:
        """Return whether it is a link to a place outside of the paths given, where such are not followed."""
        if self._within is None or not path.is_symlink():
            return False
        return not any(path.resolve().is_relative_to(top) for top in self._within)

    def _skip(self, name: str, reason: str) -> None:
        self._on_skip(SkippedSource(source=printable(name), reason=f"Not read: {reason}."))


def _names_apart(paths: Sequence[Path]) -> list[str]:
    """Return for each path as much of its end as tells all of them apart: ``x/docs`` and ``y/docs``, not ``docs``.

    A file that is a link keeps its own name, not its target's.
    """
    real = [path.parent.resolve() / path.name if path.is_file() else path.resolve() for path in paths]
    parts = {path: [part for part in path.as_posix().split("/") if part] for path in real}
    length = 1
    while len({tuple(part[-length:]) for part in parts.values()}) < len(parts):
        length += 1
    return ["/".join(parts[path][-length:]) for path in real]


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino


def _cause(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "it is a link that leads nowhere"
    if getattr(error, "errno", 0) == 40:  # ELOOP
        return "it is a link that leads back to itself"
    return f"the system reports: {error.strerror or error}"


IN_MEMORY = "ragassay-in-memory-"
"""Begins the name of a file or folder of what was handed over in memory; a hash of all that is in it follows.

The name says it, and no option beside it, so that it holds in every process that reads the file."""


def shown_path(path: Path) -> str:
    """Return a path as it was given, for settings; of what was handed over in memory the name alone."""
    return printable(path.name if path.name.startswith(IN_MEMORY) else url_of(path) or str(path))


def resolved(path: Path) -> str:
    """Return a path from the root, for fingerprints; of what was handed over in memory the name alone."""
    return shown_path(path if path.name.startswith(IN_MEMORY) or url_of(path) else path.resolve())


def printable(name: str) -> str:
    """Return a file name that can be written as UTF-8: bytes that are none are replaced."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


_OF_ONE = re.compile(r"that of .*|(?<![\w-])\d[\d.,]*")
"""What of a reason is of its one source: another one's name, a size, a place; but cp932 and utf-16 are names."""


_NAMED = 3


def by_reason(notes: Iterable[SkippedSource]) -> list[str]:
    """Return one sentence for each kind of reason: some sources that it holds for, and how many more there are."""
    alike: dict[str, list[SkippedSource]] = {}
    for note in notes:
        alike.setdefault(_OF_ONE.sub("", note.reason), []).append(note)
    found = []
    for group in alike.values():
        names = ", ".join(each.source for each in group[:_NAMED])
        more = f" and {len(group) - _NAMED:,} more" if len(group) > _NAMED else ""
        reason = group[0].reason
        found.append(f"{names}{more}: {re.sub(r'that of .*', 'that of another.', reason) if group[1:] else reason}")
    return found
