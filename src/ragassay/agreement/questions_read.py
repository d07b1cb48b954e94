"""What a strict reader made of the embedded model's questions, on documents that nobody who works on it may look at.

The counts are in ``questions_read.json``, which ``benchmarks/worth.py table --write`` makes from the verdicts
(docs/decisions/embedded-questions.md).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SHIPPED_FILE = Path(__file__).with_name("questions_read.json")


@dataclass(frozen=True, slots=True)
class QuestionsRead:
    """read: pairs of question and answer. kinds: of documents that they were made of.

    usable: what is asked is clear, a system that finds the passage can answer, and the answer is right. right: the
    answer is, whatever the question. accept: taken as they stood.
    """

    read: int
    kinds: int
    usable: int
    right: int
    accept: int


@cache
def questions_read() -> QuestionsRead:
    """Return the latest reading."""
    return QuestionsRead(**json.loads(SHIPPED_FILE.read_text(encoding="utf-8")))
