"""Small files that take a reader much: each is read, or named with the reason, in the time that documents have."""

from __future__ import annotations

from pathlib import Path

import pytest
import worst_files

OUTCOMES = {
    "few-styles.docx": "28 characters",
    "wide-cell.docx": "9 characters",  # two cells of "wide" and a line break
    "empty-paragraphs-48m.docx": "it has more than 5,000,000 XML tags, the limit",
    "numberings.docx": "119,998 characters",  # 20,000 items of four letters, two line breaks between
    "line-breaks.docx": "3 characters",
    "tags-without-end.html": "4 characters",
    "marks-before-a-word.html": "100,001 characters",
    "wide-cells.html": "characters",
    "lines-after-han.html": "3 characters",  # a line break that Chinese text has for its width, none in "中 a"
    "roles.rst": "a line has 500,000 characters, more than the limit of 10,000",
    "role-of-spaces.rst": "1,248 characters",  # 250 times "a b", two line breaks between
    "items.txt": "549,999 characters",  # 110,000 items of four letters, a line break between
    "steps.txt": "153,996 characters",
    "wrapped.txt": "2,400,000 characters",
}


@pytest.mark.parametrize(("name", "became"), OUTCOMES.items(), ids=OUTCOMES)
def test_a_file_that_took_minutes_or_all_memory(tmp_path: Path, name: str, became: str) -> None:
    path = tmp_path / name
    path.write_bytes(worst_files.FILES[name]())
    assert became in worst_files.measure(path)[-1]
