"""What a document leaves open about its own statements and headings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Generate = Callable[..., Any]

FILLER = "All of this was agreed upon by everybody concerned and it is read out to each of the newcomers. " * 4


def misses(generated: Generate, text: str, title: str = "Garden policy") -> set[str]:
    return {question for _, question in generated(f"# {title}\n\n{text} {FILLER}", widely=True).misses}


def test_when_it_happened(generated: Generate) -> None:
    asked = misses(generated, "The north wall was rebuilt with old bricks.", title="The walled garden")
    assert "According to “The walled garden”, when was the north wall rebuilt with old bricks?" in asked


@pytest.mark.parametrize("said", ["It was in 1998.", "The bricks of the north wall came in May."])
def test_not_when_where_a_date_stands_near(generated: Generate, said: str) -> None:
    asked = misses(generated, f"The north wall was rebuilt with old bricks. {said}", title="The walled garden")
    assert not any("when was the north wall" in question for question in asked)


def test_rules_without_a_penalty(generated: Generate) -> None:
    text = "## Watering\n\nMembers must water the beds each evening and shall close the tap."
    asked = misses(generated, text)
    assert "According to the garden policy, what is the penalty for breaking the rules on watering?" in asked
    fined = misses(generated, f"{text} A fine is paid by those who forget.")
    assert not any("penalty for breaking the rules on" in question for question in fined)


def test_abbreviations_that_nobody_spells_out(generated: Generate) -> None:
    text = "Reports are sent to the KTZ office of the county. Members of the KTZ read them with care."
    (asked,) = (each for each in misses(generated, text) if "KTZ" in each)
    assert asked.startswith("According to the garden policy, wh")
    assert asked not in misses(generated, f"{text} The Kitchen and Terrace Zone was founded by them.")
    assert asked not in misses(generated, text.replace("the KTZ office", "the Kitchen Zone (KTZ) office"))
    assert not any("WATER" in each for each in misses(generated, text.replace("KTZ", "WATER")))


def test_several_of_them(generated: Generate) -> None:
    asked = "According to “The walled garden”, exactly how many boats did the storm of the winter destroy?"
    text = "The storm of the winter destroyed several boats."
    assert asked in misses(generated, text, title="The walled garden")
    assert asked not in misses(generated, f"{text} The four boats are missed.", title="The walled garden")


def test_what_the_letters_give_away_is_not_asked(generated: Generate) -> None:
    text = "Write VAC in the subject of the letter and name the weeks of your vacation. Members of the board see VAC."
    assert not any("VAC" in question for question in misses(generated, text))
