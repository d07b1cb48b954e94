"""How pages are named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ragassay.keyless.page import Page

FACTS = "\n\n**Built:** 1998\n\n**Length:** 40 m\n\n**Crew:** 7\n"


@pytest.mark.parametrize(
    ("text", "name", "is_thing"),
    [
        ("# Travel and expenses policy\n\nClaims are paid within ten days.", "the travel and expenses policy", False),
        ("# Remote Work Policy\n\nStaff may work from home.", "the Remote Work Policy", False),
        (
            "# Annual review for the year to 31 March\n\nA good year.",
            "the annual review for the year to 31 March",
            False,
        ),
        ("# Fares 2025–26 | Elm Line\n\nAdults pay £4.", "the fares 2025–26", False),
        ("# MV Aurora" + FACTS, "MV Aurora", True),
        ("# About Elm Line\n\nIn 1961 the brothers founded Elm Line with one boat.", "Elm Line", True),
        ("# IR-2021-07: Engine failure at Elm Pier" + FACTS, "the engine failure at Elm Pier", True),
        ("# Morven K40 electric kettle" + FACTS, "the Morven K40 electric kettle", True),
        ("# Panorama (album)\n\nPanorama was released in 1980.", "the album Panorama", True),
        ("# Ada Moss\n\nShe is a botanist. In 1990 Moss moved to Elm.", "Ada Moss", True),
        ("Marrow Line is a ferry company on the Elm islands.", "Marrow Line", True),
        ("Name: Elm 40\nWeight: 3 kg\nColour: red\n", "Elm 40", True),
        # nothing names these
        ("# FAQ\n\nAnswers.", "", False),
        ("# How to renew a permit\n\nGo to the office.", "", False),
        ("# Set up a printer\n\nPlug it in.", "", False),
        ("# MV Aurora returns on 16 August\n\nMV Aurora was repaired.", "", False),
        ("# Cars, bicycles and motorhomes\n\nCars go first.", "", False),
        ("# Working from home\n\nStaff may work from home on two days.", "", False),
    ],
)
def test_names(pages_of: Callable[[dict[str, str]], list[Page]], text: str, name: str, is_thing: bool) -> None:
    (page,) = pages_of({"page.md": text})
    assert (page.name, page.is_thing) == (name, is_thing)


def test_a_title_of_several_documents_names_none(pages_of: Callable[[dict[str, str]], list[Page]]) -> None:
    pages = pages_of({"a.md": "# Leave policy\n\nOf Berlin.", "b.md": "# Leave policy\n\nOf Munich."})
    assert [page.name for page in pages] == ["", ""]
