"""Who or what a document is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.embedded.reading.profiles import profile_of
from ragassay.models.embedded.reading.themes import theme_of
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
        ("file 12", "There is some text.", None),  # no title: a file's name and a number
        ("A title with far too many words in it to be a name", "Nothing.", None),
        ("", "", None),
        pytest.param("MV Bluefin returns on 16 August", "MV Bluefin sails again.", None),
        pytest.param("Elm (Skaldar, north)", "It is a town.", "Elm"),
    ],
)
def test_the_theme_of_a_title(title: str, text: str, named: str | None) -> None:
    assert theme(title, text) == named


def test_the_names_and_the_kind_of_a_person() -> None:
    text = "Ada Moss (born 1952) is a Norwegian sailor. She sails."
    profile = profile_of("Ada Moss", "Ada Moss", text)
    assert profile.names == ("Ada Moss", "Moss")
    assert profile.type_nouns == ("sailor",)
    assert profile.is_person


@pytest.mark.parametrize(
    ("name", "text", "nouns"),
    [
        ("Gannet Bridge", "Gannet Bridge is a suspension bridge in Skaldar.", ("bridge", "suspension bridge")),
        ("Brinelog", "Brinelog is a database server.", ("server", "database server")),
        ("Osk", "The Osk is a river in the north.", ("river",)),
        ("Elm", "It rains a lot.", ()),
    ],
)
def test_a_thing_is_no_person(name: str, text: str, nouns: tuple[str, ...]) -> None:
    profile = profile_of(name, name, text)
    assert profile.type_nouns == nouns
    assert not profile.is_person


def test_a_coded_title_goes_by_its_code_and_its_name() -> None:
    profile = profile_of("the pump failure", "INC-204: Pump failure", "The pump broke.")
    assert {"INC-204", "Pump failure", "pump failure"} <= set(profile.names)
    assert [len(name) for name in profile.names] == sorted((len(name) for name in profile.names), reverse=True)


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=60), st.text("aB (.\n|:-", max_size=60))
def test_any_title_gives_a_theme_or_none(title: str, text: str) -> None:
    named = theme(title, text)
    assert named is None or (named.strip() and "\n" not in named)
    if named:
        assert profile_of(named, title, text).theme == named
