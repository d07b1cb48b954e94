"""Facts of running text: the exact question and answer of each pattern, and the sentences that must be left alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Generate = Callable[..., Any]

BRIDGE = "Gannet Bridge is a suspension bridge in Skaldar. "
SAILOR = "Ada Moss is a Norwegian sailor. "
FIRM = "Brack Foods is a food company based in Ostby. "


def facts(generated: Generate, title: str, text: str) -> set[tuple[str, str, str]]:
    """(pattern, question, answer) of every fact, but for the definition and the place that open the text."""
    opening = {BRIDGE: "Gannet Bridge", SAILOR: "Ada Moss", FIRM: "Brack Foods"}
    known = next((start for start in opening if text.startswith(start)), "")
    usual = {(pair.pattern, pair.question) for pair in generated(f"# {title}\n\n{known}").facts} if known else set()
    found = generated(f"# {title}\n\n{text}").facts
    return {tuple(pair) for pair in found if (pair.pattern, pair.question) not in usual}


@pytest.mark.parametrize(
    ("sentence", "pair"),
    [
        ("It was opened on 4 May 1998.", ("when", "On what date was Gannet Bridge opened?", "4 May 1998")),
        (
            "The bridge was closed in July 2003.",
            ("when", "In which month and year was Gannet Bridge closed?", "July 2003"),
        ),
        (
            "In 2006, the bridge was repainted in red.",
            ("when", "In what year was Gannet Bridge repainted in red?", "2006"),
        ),
        ("The bridge was designed by Ines Halvorsen.", ("made_by", "Who designed Gannet Bridge?", "Ines Halvorsen")),
        ("The bridge is 412 m long.", ("attribute", "How long is Gannet Bridge?", "412 m")),
        ("It has a length of about 412.5 m.", ("attribute", "What is the length of Gannet Bridge?", "About 412.5 m")),
        (
            "The bridge was named after Ada Moss.",
            ("named_after", "Who or what was Gannet Bridge named after?", "Ada Moss"),
        ),
        (
            "Gannet Bridge is also known as the Grey Span because of its paint.",
            ("known_as", "By what name is Gannet Bridge also known?", "Grey Span"),
        ),
        (
            "It is used to carry freight trains across the sound.",
            ("used_for", "What is Gannet Bridge used for?", "To carry freight trains across the sound"),
        ),
        ("It belongs to the family Pontidae.", ("family", "To which family does Gannet Bridge belong?", "Pontidae")),
    ],
)
def test_one_fact_of_a_thing(generated: Generate, sentence: str, pair: tuple[str, str, str]) -> None:
    assert facts(generated, "Gannet Bridge", BRIDGE + sentence) == {pair}


@pytest.mark.parametrize(
    ("sentence", "pairs"),
    [
        (
            "She was appointed as master of the ferry Redfin on 1 March 1992.",
            {
                ("when", "On what date was Ada Moss appointed as master of the ferry Redfin?", "1 March 1992"),
            },
        ),
        (
            "She served as director of the pilot school from 2001 to 2009.",
            {("role", "What position did Ada Moss hold from 2001 to 2009?", "Director of the pilot school")},
        ),
        (
            "She graduated from the University of Elm.",
            {("studied", "From which institution did Ada Moss graduate?", "University of Elm")},
        ),
        (
            "Moss won the Grey Anchor Medal in 1998.",
            {
                ("when", "In which year did Ada Moss win the Grey Anchor Medal?", "1998"),
                ("award", "Which medal did Ada Moss win in 1998?", "Grey Anchor Medal"),
            },
        ),
    ],
)
def test_one_fact_of_a_person(generated: Generate, sentence: str, pairs: set[tuple[str, str, str]]) -> None:
    found = {pair for pair in facts(generated, "Ada Moss", SAILOR + sentence) if pair[0] != "role" or len(pairs) == 1}
    assert {(pattern, answer) for pattern, _, answer in found if pattern != "role"} == {
        (pattern, answer) for pattern, _, answer in pairs if pattern != "role"
    }
    assert {pair for pair in pairs if pair[0] == "role"} <= found
    for _, question, _ in found:
        assert "Ada Moss" in question


def test_birth_and_death_in_the_first_parenthesis(generated: Generate) -> None:
    found = facts(generated, "Ottar Lind", "Ottar Lind (12 May 1901 – 11 May 1980) was a Danish poet.")
    assert ("when", "When was Ottar Lind born?", "12 May 1901") in found
    assert ("when", "When did Ottar Lind die?", "11 May 1980") in found
    only_birth = facts(generated, "Ada Moss", "Ada Moss (born 29 February 1952) is a Norwegian sailor.")
    assert ("when", "When was Ada Moss born?", "29 February 1952") in only_birth
    assert not any("die" in question for _, question, _ in only_birth)


def test_prices(generated: Generate) -> None:
    found = facts(generated, "Brack Foods", FIRM + "In 2010, Brack Foods acquired the dairy of Elm for €3.5 million.")
    assert ("price", "For how much did Brack Foods acquire the dairy of Elm in 2010?", "€3.5 million") in found
    found = facts(generated, "Brack Foods", FIRM + "The company made an investment of $50 million in a new cold store.")
    assert found == {
        ("price", "How large was the investment that Brack Foods made in a new cold store?", "$50 million")
    }


def test_what_it_is_is_asked_only_where_the_document_opens(generated: Generate) -> None:
    late = "The sound is deep. " * 30 + "Gannet Bridge is a wide and well-known bridge."
    assert not generated(f"# Gannet Bridge\n\n{late}").of("what_is")
    assert generated(f"# Gannet Bridge\n\n{BRIDGE}").of("what_is") == [
        ("What is Gannet Bridge?", "A suspension bridge in Skaldar")
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "They widened the sound in 1999.",  # who?
        "He designed a tunnel in 1987.",
        "This was repaired in 1999.",
        "These were sold in 1999.",
        "The mayor opened the tunnel in 1999.",  # not about the theme
        "It was built between 1990 and 1998.",  # ranges
        "It was closed in 2001–2003.",
        "It was closed from 2001 to 2003.",
        "It was opened in late 1998.",
        "It was closed by 1999.",
        "It was opened on 31 June 1999.",  # no date
        "The bridge was not opened in 1998.",
        "The bridge was opened in 1998 and closed in 2004.",  # two dates
        "The bridge was painted (again in 1999.",  # loose ends
        "The bridge was designed by a team of engineers.",
        "The bridge was designed by Ines Halvorsen and Per Moe.",
        "The bridge was designed by his sister.",
        "Was the bridge opened in 1998?",
        "The bridge was opened in 1998!",
        "The bridge was opened in 1998",
        "The bridge cost 12 million.",
        "As of 2010, it was used daily.",
        "The bridge was said to be haunted in 1998.",
        "The following was opened in 1998.",
        "Opened in 1998.",
    ],
)
def test_what_must_be_left_alone(generated: Generate, sentence: str) -> None:
    assert facts(generated, "Gannet Bridge", BRIDGE + sentence) == set()


def test_an_amount_with_thousands(generated: Generate) -> None:
    found = facts(generated, "Gannet Bridge", BRIDGE + "It has a capacity of 12,000 vehicles.")
    assert found == {("attribute", "What is the capacity of Gannet Bridge?", "12,000 vehicles")}


def test_a_name_at_the_end_of_its_sentence(generated: Generate) -> None:
    found = facts(generated, "Gannet Bridge", BRIDGE + "The bridge is also known as the Grey Span.")
    assert found == {("known_as", "By what name is Gannet Bridge also known?", "Grey Span")}


def test_a_quotation_mark_without_its_partner(generated: Generate) -> None:
    assert facts(generated, "Gannet Bridge", BRIDGE + "The bridge was opened by “Queen Ada in 1999.") == set()


def test_an_owner_of_today(generated: Generate) -> None:
    found = facts(generated, "Gannet Bridge", BRIDGE + "Gannet Bridge is owned by Skaldar Roads Ltd.")
    assert found == {("made_by", "Which company owns Gannet Bridge?", "Skaldar Roads Ltd")}


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("Tern Song is a 2020 drama film written and directed by Ines Halvorsen.", "A 2020 drama film"),
        ("Tern Song is a 2020 drama film directed by Ines Halvorsen.", "A 2020 drama film directed by Ines Halvorsen"),
        # 'a sailor, singer' would leave the last one out
        ("Tern Song is a Norwegian sailor, folk singer, and songwriter who lives in Ostby.", None),
    ],
)
def test_a_definition_is_neither_cut_off_nor_left_incomplete(
    generated: Generate, sentence: str, answer: str | None
) -> None:
    found = facts(generated, "Tern Song", f"{sentence} It can be seen every winter in the old town hall of Ostby.")
    assert [told for pattern, _, told in found if pattern == "what_is"] == ([] if answer is None else [answer])
