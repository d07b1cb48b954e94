"""Pages that stand by themselves among runs: what ``--out`` of ``ragassay agree`` and ``ragassay report`` writes."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ragassay.pipeline.folders.file_state import FileState, is_settled, state_of
from ragassay.pipeline.folders.page_file import title_of_page
from ragassay.report.safe_text import excerpt

MOST_PAGES = 200
MOST_READ = 500
"""Files of which the head is read at a time; the others are looked at the next time."""
_MOST_TITLE_CHARS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class LonePage:
    """name: its path below the folder. changed_at: seconds since 1970."""

    name: str
    title: str
    changed_at: float


class LonePages:
    """Tells pages that Ragassay wrote from others by their heads, which are read once while a file is as it was."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str, tuple[FileState, LonePage | None]] = {}

    def among(self, files: Iterable[os.DirEntry[str]]) -> list[LonePage]:
        """The pages among these files, those that changed last first, and no more than MOST_PAGES."""
        at = time.time()
        stated = sorted(((_state(each), each.path) for each in files), key=lambda one: (-one[0].mtime_ns, one[1]))
        known: dict[str, tuple[FileState, LonePage | None]] = {}
        found: list[LonePage] = []
        read = 0
        for state, path in stated:
            before = self._known.get(path)
            if before is not None and before[0] == state:
                page = before[1]
            elif read >= MOST_READ or len(found) >= MOST_PAGES:
                continue
            else:
                read += 1
                page = _page(Path(path), state, self._root)
            if is_settled([state], at):
                known[path] = (state, page)
            if page is not None:
                found.append(page)
        self._known = known
        return found[:MOST_PAGES]


def is_page(entry: os.DirEntry[str]) -> bool:
    """Whether a file may be such a page by its name. Links are not followed."""
    return entry.name.endswith(".html") and entry.is_file(follow_symlinks=False)


def _state(entry: os.DirEntry[str]) -> FileState:
    try:
        return state_of(entry.stat(follow_symlinks=False))
    except OSError:  # gone meanwhile
        return FileState(0, 0, 0, 0)


def _page(path: Path, state: FileState, root: Path) -> LonePage | None:
    title = title_of_page(path)
    if title is None:
        return None
    title = excerpt(title, _MOST_TITLE_CHARS)
    return LonePage(name=path.relative_to(root).as_posix(), title=title, changed_at=state.mtime_ns / 1e9)
