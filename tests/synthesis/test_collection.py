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


def test_keys_with_unlike_values_are_no_attributes(document: Callable[..., Document]) -> None:
    pages = [
        document("# Crew\n\n- Rank: mate\n- Move: 3 cm\n- Call: `a()`\n- Length: 4 m\n", "1.md"),
        document("# Code\n\n- Rank: cook\n- Move: it has fields\n- Call: twice\n- Length: 12 m\n", "2.md"),
    ]
    assert surveyed(pages).known_keys == {"rank", "length"}


def test_two_attributes_make_no_record(document: Callable[..., Document]) -> None:
    assert surveyed([document("# A\n\n- Rank: mate\n- Ship: Bluefin\n")]).records == {}


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


def test_few_siblings_say_nothing() -> None:
    records = collection({"own": "name rank ship", "one": "name rank ship age", "two": "name rank ship age"})
    assert records.lacking("own") == ()
    assert records.lacking("unknown") == ()


@pytest.mark.parametrize(("shared", "lacking"), [("a b c", ("x",)), ("a b", ())])
def test_siblings_share_three_fifths_of_the_smaller(shared: str, lacking: tuple[str, ...]) -> None:
    # own has five keys, the others five or more: three shared are three fifths, two are not.
    filler = {"a b c": "p", "a b": "p q"}[shared]
    others = {f"other {number}": f"{shared} {filler} x" for number in range(3)}
    assert collection({"own": "a b c d e", **others}).lacking("own") == tuple(
        sorted({*lacking, *(filler.split() if lacking else ())})
    )


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


def test_nothing_surveyed() -> None:
    assert surveyed([]) == Collection(frozenset(), frozenset(), {})


PAGES = ("a", "b", "c", "open - pans", "e")


@pytest.mark.parametrize("name", ["Salt Works Manual", "Salt works manual"])
def test_the_name_of_the_site_is_no_part_of_a_title(document: Callable[..., Document], name: str) -> None:
    ends = [name, name, "Salt Works Manual", name, name]
    pages = [document(f"# {page} - {end}\n\nText.\n", f"{page}.md") for page, end in zip(PAGES, ends, strict=True)]
    others = [document("# Ferry - a boat\n\nText.\n", "f.md"), document("# Pans\n\nText.\n", "g.md")]
    found = surveyed([*pages, *others])
    assert [found.own_title(each.title) for each in (*pages, *others)] == [*PAGES, "Ferry - a boat", "Pans"]
    few = surveyed(pages[:4])
    assert few.own_title(pages[0].title) == pages[0].title
    many = [document(f"# Boat {number}\n\nText.\n", f"{number}.md") for number in range(6)]
    assert surveyed([*pages, *many]).own_title(pages[0].title) == pages[0].title


def test_titles_that_are_one_without_the_name_of_the_site(document: Callable[..., Document]) -> None:
    pages = [document(f"# {page} - Salt Manual\n\nText.\n", f"{page}.md") for page in "abcde"]
    twice = document("# a – salt manual\n\nOther text.\n", "twice.md")
    found = surveyed([*pages, twice])
    assert [found.own_title(each.title) for each in (pages[0], twice, pages[1])] == ["", "", "b"]


def test_what_titles_end_with_in_small_letters_is_theirs(document: Callable[..., Document]) -> None:
    pages = [document(f"# Meeting {page} - minutes\n\nText.\n", f"{page}.md") for page in "abcde"]
    assert surveyed(pages).own_title(pages[0].title) == "Meeting a - minutes"


def test_what_tells_titles_apart_is_no_name_of_a_site(document: Callable[..., Document]) -> None:
    pages = [
        document(f"# {subject} policy - {place}\n\nText.\n", f"{subject}-{place}.md")
        for subject in ("Vacation", "Travel", "Sick leave", "Parking", "Visitor", "Key")
        for place in ("Berlin", "Munich")
    ]
    found = surveyed(pages)
    assert [found.own_title(each.title) for each in pages] == [each.title for each in pages]
