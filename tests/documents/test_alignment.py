"""Where stretches of text stand in documents, whatever became of their form."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragassay.documents.alignment import RUN, Alignment

GUIDE = """# Gannet Bridge

The bridge was opened by the mayor in **1998**, after a co-operative
effort of [five parishes](https://example.org/parishes) & two firms.

| Country | Points |
| --- | --- |
| Norway | 92 |
| Sweden | 88 |

- Lorries above 7.5 t have to take the ferry at Kalvik.
- The toll is 3 euros; it isn't taken on Sundays.
"""
LOG = "The ferry at Kalvik sails at six. Lorries wait at the northern ramp until the mate waves them on.\n"
BOTH = Alignment([GUIDE, LOG])


@pytest.mark.parametrize(
    ("text", "document", "held"),
    [
        ("The bridge was opened by the mayor in 1998, after a cooperative effort", 0, "opened by the mayor"),
        (
            "opened by the mayor in <b>1998</b>, after a co-\noperative effort of five parishes &amp; two ﬁrms",
            0,
            "& two",
        ),
        ("THE TOLL IS 3 EUROS; IT ISN’T TAKEN ON SUNDAYS", 0, "The toll is 3 euros; it isn't taken on Sundays"),
        ("Country Points\nNorway  92\nSweden  88", 0, "| Norway | 92 |"),
        (
            "file_name: log.txt\n\nThe ferry at Kalvik sails at six. Lorries wait at the northern ramp",
            1,
            "sails at six",
        ),
        ("Lorries wait at PORT OFFICE Page 3 the northern ramp until the mate waves them on", 1, "until the mate"),
        ("have to take the ferry at Kalvik", 0, "take the ferry at Kalvik"),
    ],
)
def test_a_stretch_is_found_by_its_words(text: str, document: int, held: str) -> None:
    place = BOTH.find(text)
    assert place is not None
    assert place.document == document
    assert held in (GUIDE, LOG)[document][place.start : place.end]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n|--|",
        "Nothing of this stands anywhere in them.",
        "The mayor opened a bridge in 1998 with five parishes and two firms helping.",  # in other words
        "at Kalvik",  # too short to say which document is meant
    ],
)
def test_what_is_in_no_place_has_none(text: str) -> None:
    assert BOTH.find(text) is None


def test_a_short_stretch_needs_a_document_or_a_single_place() -> None:
    named = BOTH.find("at Kalvik", [1])
    assert named is not None
    assert LOG[named.start : named.end].strip() == "at Kalvik"
    place = BOTH.find("Norway 92")
    assert place is not None
    assert GUIDE[place.start : place.end].strip(" |\n") == "Norway | 92"


def test_a_heading_that_is_mentioned_elsewhere_too_is_the_line_by_itself() -> None:
    guide = "Tolls\n\nOn tolls see Tolls and fees.\n\nmake all\n\nWhat make all does: make all, then tolls."
    at = [
        Alignment([guide, "See tolls."]).find(text)
        for text in ("## Tolls", "```bash\nmake all\n```", "On tolls", "see")
    ]
    assert [place and guide[place.start : place.end].strip() for place in at] == ["Tolls", "make all", "On tolls", None]


ROOMS = "room | opening hours | seats\nHeron | 9 | 12\nWren | 9 | 4\nSwift | 8 | 12"
RECORDS = "room: Heron\nopening hours: 9\nseats: 12\n\nroom: Wren\nopening hours: 9\nseats: 4\n\nroom: Swift\nseats: 12"


@pytest.mark.parametrize("document", [ROOMS, RECORDS])
@pytest.mark.parametrize(
    "row",
    [
        "room: Wren\nopening hours: 9\nseats: 4",
        "room: Wren opening hours: 9 seats: 4",
        '{"room": "Wren", "opening hours": 9, "seats": 4}',
        "**room**: Wren; opening hours=9; seats = 4",
        "Wren,9,4",
        "| Wren | 9 | 4 |",
        "| room | opening hours | seats |\n| --- | --- | --- |\n| Wren | 9 | 4 |",
    ],
)
def test_a_row_is_the_same_with_and_without_its_heads(document: str, row: str) -> None:
    place = Alignment([document, "Wren is the room in which 9 people have seats."]).find(row)
    assert place is not None
    held = document[place.start : place.end]
    assert ("Wren" in held, "4" in held, "Heron" in held, "Swift" in held) == (True, True, False, False)


def test_chinese_goes_sign_by_sign() -> None:
    text = "云杉公司于1998年在上海成立。它有四百名员工。"
    place = Alignment([text]).find("在上海成立它有四百名员工")
    assert place is not None
    assert text[place.start : place.end] == "在上海成立。它有四百名员工。"


WORDS = st.sampled_from([2, 60]).flatmap(  # two words alone: a text has runs of many places
    lambda count: st.lists(st.sampled_from([f"w{n}" for n in range(count)]), min_size=RUN, max_size=60)
)


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=5), st.data())
def test_every_stretch_of_a_document_is_found_with_its_words(documents: list[list[str]], data: st.DataObject) -> None:
    alignment = Alignment([" ".join(words) for words in documents])
    words = data.draw(st.sampled_from(documents))
    start = data.draw(st.integers(0, len(words) - RUN))
    wanted = words[start : start + data.draw(st.integers(RUN, 30))]
    place = alignment.find(" | ".join(wanted).upper())
    assert place is not None
    assert place.share == 1.0
    there = " ".join(documents[place.document])[place.start : place.end].split()
    assert " ".join(wanted) in " ".join(there)
    assert len(there) <= len(wanted) * 2 + 40


def test_a_short_document_beside_one_with_more_runs_of_a_stretch_is_looked_at() -> None:
    more, whole = "one one one one two one one one one one", "one one one one one two"
    alignment = Alignment([more, whole])
    for text, share in ((whole, 1.0), (f"Title {whole}", 6 / 7)):
        place = alignment.find(text)
        assert place is not None
        assert (place.document, place.share) == (1, share)


def words(name: str, count: int) -> str:
    return " ".join(f"{name}{number}" for number in range(count))


def test_tables_of_zeros_and_pages_of_line_ends_take_no_time() -> None:
    zeros = Alignment(["0 " * 100_000, "a-" + "\n" * 40_000 + "1"])
    zeros.find("0 " * 2_000)
    assert zeros.find("0 " * 100) is not None
