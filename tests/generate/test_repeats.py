"""What counts as asked before: the same words, or the same question in others with the same answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pytest

from ragassay.generate.candidates import Candidate
from ragassay.generate.repeats import IN_OTHER_WORDS, Repeats
from ragassay.models.embeddings import SentenceEncoder

Make = Callable[..., Candidate]


class Angles:
    """An encoder whose texts begin with an angle in degrees: "30 Where is it?"."""

    name, dimension = "angles", 2

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        angles = np.deg2rad([float(text.split()[0]) for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def test_the_same_answer_makes_near_questions_one(candidate: Make) -> None:
    # cos 30 = 0.866 and cos 40 = 0.766: above and below 0.8
    repeats = Repeats(Angles())
    assert repeats.kept([candidate("0 Where is the lamp?", answer="In the old harbour")]) == [None]
    pool = [
        candidate("30 What place has it?", answer="the old harbour of Elm"),
        candidate("40 What place has it?", answer="the old harbour of Elm"),
        candidate("30 Who lit it?", answer="Ada Moss"),
        candidate("5 Who lit it?", answer="Ada Moss"),  # cos 5 = 0.996
        candidate("30 What place has it?", "summary", answer="the old harbour of Elm"),
        candidate("30 What is nowhere?", "unanswerable"),
    ]
    assert repeats.faults(pool) == [IN_OTHER_WORDS, None, None, IN_OTHER_WORDS, None, None]


@pytest.mark.parametrize(
    ("first", "second", "answer", "fault"),
    [
        ("Who lost to the Broncos in the divisional round?", "Who did the Broncos beat in it?", "Steelers", True),
        ("How many Grammys has Lady Gaga won?", "How many Grammy Awards did Lady Gaga win?", "Six", True),
        ("How old was Eugene Casey when he died?", "How old was Umberto Ricagno when he died?", "74 years", False),
        ("When did Tesla die?", "When were Tesla's patents restored?", "1943", False),
    ],
)  # fmt: skip
def test_with_the_real_encoder(candidate: Make, first: str, second: str, answer: str, fault: bool) -> None:
    repeats = Repeats(SentenceEncoder())
    kept = repeats.kept([candidate(first, answer=answer), candidate(second, answer=answer)])
    assert kept == [None, IN_OTHER_WORDS if fault else None]
