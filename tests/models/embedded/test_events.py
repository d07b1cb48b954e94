"""What a text says happened on a date: read off its parse."""

from __future__ import annotations

import pytest

from ragassay.models.embedded.reading.analysis import analyse
from ragassay.models.embedded.reasoning.events import dated_events
from ragassay.tasks.statements import Passage

BRIDGE = "Gannet Bridge is a suspension bridge in Skaldar. "


def events(text: str, theme: str = "Gannet Bridge") -> list[tuple[str, str, str]]:
    """(what happened, the question for it by a pronoun, the date)."""
    passage = Passage(title=theme, text=text, opening=text)
    found = dated_events(analyse(passage, theme))
    assert all(quote in text for event in found for quote in event.quotes)
    return [(each.event.told, each.event.asked, each.answer) for each in found if each.event is not None]


@pytest.mark.parametrize(
    ("sentence", "event"),
    [
        ("It was opened on 4 May 1998.", ("Gannet Bridge was opened", "was it opened", "4 May 1998")),
        ("In 2006, the bridge lost a tower.", ("Gannet Bridge lost a tower", "did it lose a tower", "2006")),
        ("It closed in July 2003.", ("Gannet Bridge closed", "did it close", "July 2003")),
        (
            "Ines Halvorsen drew a plan in 1990.",
            ("Ines Halvorsen drew a plan", "did Ines Halvorsen draw a plan", "1990"),
        ),
    ],
)
def test_one_event(sentence: str, event: tuple[str, str, str]) -> None:
    assert events(BRIDGE + sentence) == [event]


@pytest.mark.parametrize(
    "sentence",
    [
        "They widened the sound in 1999.",  # who?
        "This was repaired in 1999.",
        "It was built between 1990 and 1998.",
        "It was closed in 2001–2003.",
        "It was closed from 2001 to 2003.",
        "It was opened in late 1998.",
        "It was closed by 1999.",
        "It was opened on 31 June 1999.",  # no date
        "The bridge was not opened in 1998.",
        "The bridge was opened in 1998 and closed in 2004.",  # two dates
        "Was the bridge opened in 1998?",
        "As of 2010, it was used daily.",
        "It will be opened in 2040.",
        "The bridge was said to be haunted in 1998.",
        "After the storm in 1998, it was closed.",  # the storm was
        "It was sold in 1500 pieces.",
        "It was crossed in 1985 races.",
        "It was built in 1200 BC.",
        "It was closed late in 1998.",
        "Nobody crossed the bridge in 1998.",
        "It was almost demolished in 1999.",
        "It was allegedly sold in 1999.",
        "It was scheduled to close in 1999.",  # the plan is older
    ],
)
def test_what_is_left_alone(sentence: str) -> None:
    assert events(BRIDGE + sentence) == []


def test_birth_and_death_in_the_first_parenthesis() -> None:
    lind = events("Ottar Lind (12 May 1901 – 11 May 1980) was a Danish poet. He is read.", "Ottar Lind")
    assert lind == [
        ("Ottar Lind was born", "was he born", "12 May 1901"),
        ("Ottar Lind died", "did he die", "11 May 1980"),
    ]
    moss = events("Ada Moss (born 29 February 1952) is a Norwegian sailor. She won a race in 1980.", "Ada Moss")
    assert moss == [
        ("Ada Moss was born", "was she born", "29 February 1952"),
        ("Ada Moss won a race", "did she win a race", "1980"),
    ]
    assert events("Ada Moss (c. 1952 – 1990) is a Norwegian sailor.", "Ada Moss") == []


@pytest.mark.parametrize(
    "text",
    [
        "Ada Moss (active 1921 – 1950) was a British engineer. She ran.",
        "Ada Moss was a British engineer who married Tom Reed (born 1901). She ran.",
        "Ada Moss and Tom Reed (born 1901) were British engineers. She ran.",
    ],
)
def test_what_is_no_life(text: str) -> None:
    assert events(text, "Ada Moss") == []


def test_of_a_person_whom_the_text_calls_neither_he_nor_she_the_name_is_said() -> None:
    moss = events("Ada Moss is a Norwegian sailor. Moss won a race in 1980.", "Ada Moss")
    assert moss == [("Ada Moss won a race", "did Ada Moss win a race", "1980")]


def test_of_two_dates_of_one_event_the_more_precise_one_stays() -> None:
    told = events(BRIDGE + "It was opened in 1998. The sound is deep. Gannet Bridge was opened on 4 May 1998.")
    assert told == [("Gannet Bridge was opened", "was it opened", "4 May 1998")]
