"""What is cited of the papers is in the one table of their parts, ``docs/papers.md``, with what rests on it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragassay.metrics.catalogue import METRICS
from ragassay.tasks.catalogue import TASKS

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "papers.md"
_ROW = re.compile(r"^\| (?P<paper>[^|]+) \| (?P<part>[^|]+) \| (?P<about>[^|]+) \|(?P<names>[^|]*)\|$", re.MULTILINE)
_PAPERS = r"Know Your RAG|RAGEval|RAGVAL|RAGAS(?= \(EACL)"
_CITED = re.compile(
    rf"\b(?P<paper>{_PAPERS})(?: \((?:COLING 2025|ACL 2025|EACL 2024)\))?, (?P<part>[a-zA-Z][^\".();]*)"
)
_NUMBERED = re.compile(rf"(?:{_PAPERS})[^.;]{{0,25}}\bsections? \d")


def table() -> dict[tuple[str, str], set[str]]:
    """Paper and part to the tasks and metrics that rest on it."""
    rows = [match for match in _ROW.finditer(PAGE.read_text("utf-8")) if match["paper"] not in ("Paper", "---")]
    return {(row["paper"], row["part"]): set(re.findall(r"`([^`]+)`", row["names"])) for row in rows}


PARTS = table()


def part_of(paper: str, cited: str) -> str | None:
    if re.match(r"(?:figures?|tables?) \d", cited):
        return cited
    parts = [part for of, part in PARTS if of == paper and cited.startswith(part)]
    return max(parts, key=len, default=None)


def _lines() -> Iterator[tuple[str, str]]:
    for path in sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").glob("*.md")]):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            yield f"{path.relative_to(ROOT)}:{number}", line


def test_docstrings_and_pages_cite_parts_that_there_are() -> None:
    unknown = [
        f"{where}: {match['paper']}, {match['part']}"
        for where, line in _lines()
        for match in _CITED.finditer(line)
        if "Source" in line or "source" in line or f"({match['paper']}" in line
        if part_of(match["paper"], match["part"]) is None
    ]
    assert not unknown
    assert not [where for where, line in _lines() if _NUMBERED.search(line)]


@pytest.mark.parametrize("key", PARTS)
def test_the_table_says_what_rests_on_a_part(key: tuple[str, str]) -> None:
    found = defaultdict(set)
    for name, cites in (*TASKS.items(), *METRICS.items()):
        source = cites.source
        for match in _CITED.finditer(source):
            part = part_of(match["paper"], match["part"])
            assert part is not None, f"{name}: {source}"
            found[match["paper"], part].add(name)
    assert PARTS[key] == found[key]


@pytest.mark.parametrize("page", ["security.md", "papers.md", "architecture.md"])
def test_tests_that_a_page_names_are_there(page: str) -> None:
    text, places = (ROOT / "docs" / page).read_text("utf-8"), {path.name for path in (ROOT / "tests").rglob("*.py")}
    named = re.findall(r"(?<![\w/])(tests/[\w/.]*\w|test_\w+\.py)/?(?:::(\w+))?", text)
    assert named
    missing = [
        f"{place}::{name}"
        for place, name in named
        if not ((ROOT / place).exists() if "/" in place else place in places)
        or (name and f"def {name}(" not in (ROOT / place).read_text("utf-8"))
    ]
    assert not missing
