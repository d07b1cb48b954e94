"""What counts as asked before: the same words, or the same question in others with the same answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pytest

from ragassay.models.embeddings import SentenceEncoder
from ragassay.synthesis.candidates import Candidate
from ragassay.synthesis.repeats import IN_OTHER_WORDS, IN_THE_SAME_WORDS, Repeats

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


def test_an_answer_that_tells_nothing_is_in_no_other(candidate: Make) -> None:
    repeats = Repeats(Angles())
    assert repeats.kept([candidate("0 What of it?", "unanswerable"), candidate("20 Who knows?", "unanswerable")]) == [
        None,
        None,
    ]
    assert repeats.kept([candidate("1 And then?", "unanswerable")]) == [IN_OTHER_WORDS]  # cos 1 = 0.9998


def test_the_first_of_several_alike_is_kept(candidate: Make) -> None:
    pool = [candidate(f"{place} Word{place} has it?", answer="Moss") for place in (0, 10, 90, 100)]
    assert Repeats(Angles()).kept(pool) == [None, IN_OTHER_WORDS, None, IN_OTHER_WORDS]
    assert Repeats(Angles()).faults(pool) == [None] * 4  # nothing was kept


def test_more_questions_than_there_is_room_for_at_first(candidate: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragassay.synthesis.repeats._ROOM", 4)
    repeats = Repeats(Angles())
    pool = [candidate(f"{place / 10} Word{place}?", answer=f"answer{place}") for place in range(0, 3600, 2)]
    kept = repeats.kept(pool)
    # Steps of 0.2 degrees; those within acos(0.98) = 11.48 degrees of one that was kept are repeats: one is kept
    # every 11.6 degrees, the last at 348.
    assert [place for place, fault in enumerate(kept) if fault is None] == list(range(0, 1741, 58))
    again = [candidate(f"{place / 10} Other{place}?", answer=f"answer{place}") for place in range(0, 3600, 2)]
    assert set(repeats.faults(again)) == {IN_OTHER_WORDS}


def test_without_an_encoder_only_words_count(candidate: Make) -> None:
    repeats = Repeats()
    assert repeats.kept([candidate("Where is the old lamp of Elm?")]) == [None]
    pool = [candidate("where is the old lamp of Elm"), candidate("In what place does the lamp of Elm stand?")]
    assert repeats.faults(pool) == [IN_THE_SAME_WORDS, None]
    assert repeats.faults([]) == []


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
