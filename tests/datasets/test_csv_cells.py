"""Tables whose quotes do not match: nothing of them is read as something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragassay.datasets.csv_cells import read_table
from ragassay.datasets.format import Notes
from ragassay.errors import InputError


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ('Where?,Lund\n"When?,1998\nWho?,Ada\n', "line 3: a quote is opened and never closed"),
        ('Where?,"Lund" in Sweden\n', "line 2: not valid CSV"),
    ],
)
def test_a_quote_that_does_not_match_is_named_with_its_line(tmp_path: Path, rows: str, said: str) -> None:
    path = tmp_path / "set.csv"
    path.write_text("question,answer\n" + rows, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        list(read_table(path, Notes()))


def test_quotes_within_quotes_and_line_ends_are_read(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    path.write_text('question,answer\n"Who said ""no""?","Ada,\nof Lund"\n', encoding="utf-8")
    assert [row.value for row in read_table(path, Notes())] == [
        {"question": 'Who said "no"?', "answer": "Ada,\nof Lund"}
    ]
