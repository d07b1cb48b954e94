"""What a strict reader made of the embedded model's questions: shipped as it was kept, said where they are shown."""

from __future__ import annotations

import json
import re
from pathlib import Path

from ragassay.agreement.judge_agreement import QuestionsRead, questions_read
from ragassay.report.wording import readers_words

KEPT = Path(__file__).parents[2] / "benchmarks" / "worth_kept"


def test_the_file_counts_the_latest_verdicts() -> None:
    """After a reading: ``python benchmarks/worth.py table --write`` with this file."""
    latest = max(folder for folder in KEPT.iterdir() if re.fullmatch(r"[0-9-]+", folder.name))
    verdicts = [json.loads(line) for line in (latest / "verdicts.jsonl").read_text("utf-8").splitlines()]
    verdicts = [each for each in verdicts if not each["people"]]
    qualities = {name: sum(each[name] for each in verdicts) for name in ("usable", "right", "accept")}
    assert questions_read() == QuestionsRead(
        read=len(verdicts), kinds=len({each["kind"] for each in verdicts}), **qualities
    )


def test_the_sentence() -> None:
    read = QuestionsRead(read=200, kinds=4, usable=150, right=180, accept=50)
    said = readers_words(read).replace("\u202f", " ")
    assert "Of 200 pairs from pages of 4 kinds of documents" in said
    assert (
        "found 75 % usable and 90 % right in substance, and took 25 % as they stood; some rules have changed since."
        in said
    )
