"""Pages that stand by themselves among runs: what ``--out`` of ``ragassay agree`` and ``ragassay report`` writes."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from pathlib import Path

from ragassay.report.safe_text import excerpt

_HEAD_BYTES = 4_000
_MOST_TITLE_CHARS = 200
_OURS = re.compile(r'<meta name="generator" content="ragassay [^"<>]*">\s*<title>([^<]*)</title>')


@dataclass(frozen=True, slots=True, kw_only=True)
class LonePage:
    """name: its path below the folder. changed_at: seconds since 1970."""

    name: str
    title: str
    changed_at: float


def lone_pages(folder: Path, root: Path) -> list[LonePage]:
    """The pages in a folder that Ragassay wrote, by name. Links are not followed, other pages left out."""
    found = (_page(path, root) for path in sorted(folder.glob("*.html")) if path.is_file() and not path.is_symlink())
    return [each for each in found if each is not None]


def _page(path: Path, root: Path) -> LonePage | None:
    try:
        with path.open("rb") as file:
            ours = _OURS.search(file.read(_HEAD_BYTES).decode("utf-8", "replace"))
        changed_at = path.stat().st_mtime
    except OSError:
        return None
    if ours is None:
        return None
    title = excerpt(html.unescape(ours[1]), _MOST_TITLE_CHARS)
    return LonePage(name=path.relative_to(root).as_posix(), title=title, changed_at=changed_at)
