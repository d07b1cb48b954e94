"""What a strict reader made of the embedded model's questions: shipped as it was kept, said where they are shown."""

from __future__ import annotations

import json
import re
from pathlib import Path

from ragassay.agreement.questions_read import QuestionsRead, questions_read
from ragassay.report.wording import readers_words

KEPT = Path(__file__).parents[2] / "benchmarks" / "worth_kept"


def test_the_file_counts_the_latest_verdicts() -> None:
    """After a reading: ``python benchmarks/worth.py table --write`` with this file."""
    latest = max(folder for folder in KEPT.iterdir() if re.fullmatch(r"[0-9-]+", folder.name))
    verdicts = [json.loads(line) for line in (latest / "verdicts.jsonl").read_text("utf-8").splitlines()]
    accepted = [each["accept"] for each in verdicts]
    assert questions_read() == QuestionsRead(
        read=len(verdicts),
        accepted=sum(accepted),
        few_words=sum(each["few_words"] for each in verdicts),
        kinds=len({each["kind"] for each in verdicts}),
    )


def test_the_sentence() -> None:
    said = readers_words(QuestionsRead(read=200, accepted=50, few_words=100, kinds=4)).replace("\u202f", " ")
    assert "Of 200 such pairs on 4 kinds of documents" in said
    assert "took 25 % as they stood and 50 % after changing a few words." in said
