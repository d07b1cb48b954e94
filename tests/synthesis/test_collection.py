"""What only the whole collection tells of one document."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from ragassay.records import Document
from ragassay.synthesis.collection import Collection, CollectionSurvey


def surveyed(documents: Iterable[Document]) -> Collection:
    survey = CollectionSurvey()
    for each in documents:
        survey.add(each)
    return survey.result()


def collection(records: dict[str, str]) -> Collection:
    return Collection(frozenset(), frozenset(), {name: frozenset(keys.split()) for name, keys in records.items()})


def test_titles_and_keys_of_several_documents(document: Callable[..., Document]) -> None:
    crew = [
        document("# Crew\n\n- Rank: mate\n- Ship: Bluefin\n- Hobby: chess\n", "1.md"),
        document("# Crew\n\n- Rank: cook\n- SHIP: Redfin\n- Age: 41\n", "2.md"),
        document("# Kitchen\n\nNothing here.\n", "3.md"),
    ]
    found = surveyed(crew)
    assert found.shared_titles == {"Crew"}
    assert found.known_keys == {"rank", "ship"}
    assert set(found.records.values()) == {frozenset({"rank", "ship", "hobby"}), frozenset({"rank", "ship", "age"})}


def test_what_siblings_have_is_lacking() -> None:
    records = collection(
        {
            "own": "name rank ship",
            "one": "name rank ship age berth cabin",
            "two": "name rank ship age berth cabin",
            "three": "name rank ship age berth cabin hobby",
            "four": "name rank ship age berth cabin hobby",
            "five": "name rank ship age hobby",
            "far": "price weight height",
        }
    )
    # Five siblings share all three keys of own; four fifths of them are four: age 5, berth 4, cabin 4, hobby 3.
    assert records.lacking("own") == ("age", "berth", "cabin")


@pytest.mark.parametrize(
    ("sentence", "place"),
    [
        ("Every berth is sold on Brinelog, and then Brinelog is run by us.", ("on", "Brinelog")),
        ("Every berth is sold on Brinelog, and then berths of Harrow are run by us.", ("", "")),
        ("Every berth is run by Brinelog, and by nobody but Brinelog.", ("", "")),
        ("Brinelog is here. Every berth is sold in Python, and Python is run by us. Brinelog is old.", ("", "")),
        ("Every berth is shown in Section 4, as well as in Section 5.", ("", "")),
        ("Every berth is sold in Policy, and the policy of Policy is ours.", ("", "")),
        ("Every berth is sold in March, as the month of March is wet.", ("", "")),
    ],
)
def test_what_a_folder_is_about(document: Callable[..., Document], sentence: str, place: tuple[str, str]) -> None:
    pages = [document(f"{sentence} {number}", f"berths/{number}.md") for number in range(6)]
    other = document("Nothing is sold here.", "other.md")
    found = surveyed([*pages, other])
    assert found.place_of(pages[0]) == place
    assert found.place_of(other) == ("", "")
