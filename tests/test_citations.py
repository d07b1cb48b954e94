"""What is cited of the papers is in the one list of their parts, ``docs/papers.md``, with what rests on it."""

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
_PART = re.compile(r"^- (?P<part>[^:\n]+): (?P<names>.+)$", re.MULTILINE)
_PAPERS = r"Know Your RAG|RAGEval|RAGVAL|RAGAS(?= \(EACL)"
_CITED = re.compile(
    rf"\b(?P<paper>{_PAPERS})(?: \((?:COLING 2025|ACL 2025|EACL 2024)\))?, (?P<part>[a-zA-Z][^\".();]*)"
)
_NUMBERED = re.compile(rf"(?:{_PAPERS})[^.;]{{0,25}}\bsections? \d")


def parts() -> dict[tuple[str, str], set[str]]:
    """Paper and part to the tasks and metrics that rest on it."""
    _, *papers = re.split(r"^\*\*(.+)\*\*", PAGE.read_text("utf-8").partition("\n## ")[0], flags=re.MULTILINE)
    return {
        (paper, match["part"]): set(re.findall(r"`([^`]+)`", match["names"]))
        for paper, text in zip(papers[::2], papers[1::2], strict=True)
        for match in _PART.finditer(text)
    }


PARTS = parts()


def part_of(paper: str, cited: str) -> str | None:
    if re.match(r"(?:figures?|tables?) \d", cited):
        return cited
    known = [part for of, part in PARTS if of == paper and cited.startswith(part)]
    return max(known, key=len, default=None)


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
def test_the_list_says_what_rests_on_a_part(key: tuple[str, str]) -> None:
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
