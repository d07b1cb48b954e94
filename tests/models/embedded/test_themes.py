"""Who or what a document is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.embedded.persons import is_person
from ragassay.models.embedded.themes import theme_of
from ragassay.tasks.statements import Passage


def theme(title: str, text: str = "Nothing is said here.", opening: str = "") -> str | None:
    return theme_of(Passage(title=title, text=text, language="en", opening=opening or text))


@pytest.mark.parametrize(
    ("title", "text", "named"),
    [
        ("Gannet Bridge", "It is old.", "Gannet Bridge"),
        ("Gannet Bridge", "The Gannet Bridge is old. We saw the Gannet Bridge.", "the Gannet Bridge"),
        ("Gannet Bridge | Skaldar Roads", "It is old.", "Gannet Bridge"),
        ("Panorama (album)", "It is old.", "the album Panorama"),
        ("Annual leave policy", "It is new.", "the annual leave policy"),
        ("INC-204: Pump failure", "It was loud.", "the pump failure"),
        ("2019 regatta", "It was wet.", "the 2019 regatta"),
        ("BILGE PUMP", "A bilge pump is old. The bilge pump works.", "bilge pump"),
        ("Index", "Gannet Bridge is a bridge over the sound in Skaldar.", "Gannet Bridge"),
        ("Overview", "This is a page about nothing in particular at all.", None),
        ("List of bridges", "There are many.", None),
        ("Trial of new timetable", "It starts soon.", None),
        ("file 12", "There is some text.", None),
        ("A title with far too many words in it to be a name", "Nothing.", None),
        ("", "", None),
        pytest.param("MV Bluefin returns on 16 August", "MV Bluefin sails again.", None),
        pytest.param("Elm (Skaldar, north)", "It is a town.", "Elm"),
    ],
)
def test_the_theme_of_a_title(title: str, text: str, named: str | None) -> None:
    assert theme(title, text) == named


def test_who_was_born_is_a_person() -> None:
    assert is_person("Ada Moss", "Ada Moss", "Ada Moss (born 1952) is a Norwegian sailor. She sails.")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Gannet Bridge", "Gannet Bridge is a suspension bridge in Skaldar."),
        ("Brinelog", "Brinelog is a database server."),
        ("Osk", "The Osk is a river in the north."),
        ("Elm", "It rains a lot."),
    ],
)
def test_a_thing_is_no_person(name: str, text: str) -> None:
    assert not is_person(name, name, text)


@pytest.mark.parametrize(("title", "person"), [("Elm Oster (1995 video game)", False), ("Elm Oster (gamer)", True)])
def test_a_title_may_say_that_it_is_a_person(title: str, person: bool) -> None:
    assert is_person("Elm Oster", title, "Nothing is said here.") == person


@pytest.mark.parametrize(
    ("noun", "person"),
    [
        ("fishery business", False),
        ("process of making things", False),
        ("management of water", False),
        ("natural stimulant", False),
        ("locomotive", False),
        ("young deer", False),
        ("film actress", True),
        ("civil engineer", True),
        ("government accountant", True),
        ("student", True),
        ("musician", True),
    ],
)
def test_who_is_a_person(noun: str, person: bool) -> None:
    assert is_person("Elm Oster", "Elm Oster", f"Elm Oster is a {noun} in Skaldar.") == person


@pytest.mark.parametrize(
    ("title", "text", "named"),
    [
        ("Old Mill (Skaldar)", "The Old Mill is old. The Old Mill burned.", "the Old Mill (Skaldar)"),
        ("Old Mill (Skaldar)", "Old Mill is old. Old Mill burned.", "Old Mill (Skaldar)"),
        ("Gannet Broadcasting Company", "It has a logo.", "the Gannet Broadcasting Company"),
        ("Gannet Company", "Gannet Company had one. The Gannet Company lost it. Gannet Company.", "the Gannet Company"),
        ("Gannet Corporation", "Gannet Corporation had one. Gannet Corporation lost it.", "Gannet Corporation"),
    ],
)
def test_the_article_of_a_name(title: str, text: str, named: str) -> None:
    assert theme_of(Passage(title=title, text=text, language="en", opening=text)) == named


@pytest.mark.parametrize(
    ("title", "opening", "named"),
    [
        ("FAQ", "Here are some answers to questions that many people have asked us.", None),
        ("FAQ", "What is the difference between a pan and a pot, and which is better?", None),
        ("FAQ", "Grey Harbour is a band that has played at the pier for many years.", "Grey Harbour"),
        ("SYNOPSIS", "brine [options] <command> [arguments] of the program for pans", None),
        ("General", "Every command of the program takes a number of options and arguments.", None),
        ("General Assembly", "The assembly of the works meets in May, as it always did.", "General Assembly"),
    ],
)
def test_titles_and_openings_that_name_nothing(title: str, opening: str, named: str | None) -> None:
    assert theme(title, opening) == named


@pytest.mark.parametrize(
    ("opening", "named"),
    [
        (
            "Brine Works Ltd., established on 4 May 1998 in Lund, is a listed maker of salt and pans.",
            "Brine Works Ltd.",
        ),
        ("Brine Works (founded in Lund) is a listed maker of salt and of pans for it.", "Brine Works"),
        ("Grey Harbour, formed in 1998 and based in Lund, has played folk music since then.", "Grey Harbour"),
        ("Grey Harbour, Lund, and the pier of the town were built in 1998 by the same man.", None),
    ],
)
def test_the_subject_of_an_opening_with_words_put_in(opening: str, named: str | None) -> None:
    assert theme("Untitled", opening) == named


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=60), st.text("aB (.\n|:-", max_size=60))
def test_any_title_gives_a_theme_or_none(title: str, text: str) -> None:
    named = theme(title, text)
    assert named is None or (named.strip() and "\n" not in named)
    if named:
        assert is_person(named, title, text) in {True, False}
