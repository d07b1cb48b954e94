"""Follow-up questions out of two questions about one thing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from ragassay.datasets.foreign import example_of
from ragassay.records import Critique, Document, Example, Turn
from ragassay.synthesis.follow_ups import follow_up, with_follow_ups

TEXT = "The Gannet Bridge opened in 1998. It is 412 metres long and has 9 arches."
OPENED, LONG = "When did the Gannet Bridge open?", "How many arches does the Gannet Bridge have?"


def bridge(text: str = TEXT, title: str = "Gannet Bridge") -> Document:
    return Document(id="d", title=title, source="d.md", text=text)


@pytest.mark.parametrize(
    ("first", "answer", "second", "made"),
    [
        (OPENED, "In 1998.", LONG, "How many arches does it have?"),
        (OPENED, "12 May 1998", "Is the Gannet Bridge open at night?", "Is it open at night?"),
        # the same is asked "of" it: "the owner" is not what is meant
        ("What is the cost of the lease?", "412", "What is the length of the lease?", "What is the length of it?"),
    ],
)
def test_the_thing_becomes_a_pronoun(first: str, answer: str, second: str, made: str) -> None:
    assert follow_up(first, answer, second, bridge()) == made


@pytest.mark.parametrize(
    ("first", "answer", "second", "text", "why"),
    [
        (OPENED, "In 1998.", "Where was Bluefin built?", TEXT, "another thing"),
        (OPENED, "When Oskay was built.", LONG, TEXT, "a name in the answer fits as well"),
        (OPENED, "After the flood.", LONG, TEXT, "a noun phrase in the answer fits as well"),
        ("When did a ship hit the Gannet Bridge?", "In 1998.", LONG, TEXT, "a ship fits as well"),
        (OPENED, "In 1998.", "How far is the Gannet Bridge from Oskay?", TEXT, "a second name in the question"),
        (OPENED, "In 1998.", "Is it said how long the Gannet Bridge is?", TEXT, "a pronoun of its own"),
        (OPENED, "In 1998.", "Is the Gannet Bridge longer than another Bridge?", TEXT, "its words come twice"),
        (OPENED, "In 1998.", LONG, "He built it.", "it may be a person"),
        ("When did the Bridge Works open?", "In 1998.", "Who runs the Bridge Works?", TEXT, "a plural"),
        ("When did the chief pilot join?", "In 1998.", "Where does the chief pilot live?", TEXT, "a person"),
        ("桥何时开通？", "1998年", "桥有多长？", TEXT, "not English"),
        ("", "", "", "", "nothing at all"),
    ],
)
def test_what_might_be_misunderstood_stays(first: str, answer: str, second: str, text: str, why: str) -> None:
    assert follow_up(first, answer, second, bridge(text)) is None, why


@pytest.fixture
def pair() -> Callable[[], list[Example]]:
    def made() -> list[Example]:
        span = bridge().span(0, len(TEXT))
        first, second = (
            example_of(origin="ours", question=question, answer=answer, references=[span])
            for question, answer in ((OPENED, "In 1998."), (LONG, "9"))
        )
        return [first, second]

    return made


def test_history_id_and_provenance(pair: Callable[[], list[Example]]) -> None:
    examples = pair()
    rated = [Critique(name=name, value=5, reason="") for name in ("stand_alone", "feasibility")]
    examples = [replace(each, critiques=tuple(rated)) for each in examples]
    found = with_follow_ups(examples, 1, 0, lambda name: bridge())
    assert (found.made, found.wanted, len(found.examples)) == (1, 2, 2)
    [made] = [each for each in found.examples if each.history]
    [first] = [each for each in found.examples if not each.history]
    assert made.history == (
        Turn(role="user", content=first.question),
        Turn(role="assistant", content=first.answer),
    )
    assert made.provenance.pattern == "follow_up"
    assert made.id not in {each.id for each in examples}
    assert [each.name for each in made.critiques] == ["feasibility"]
    assert found == with_follow_ups(examples, 1, 0, lambda name: bridge())
    turned = with_follow_ups(examples[::-1], 1, 0, lambda name: bridge())
    assert set(turned.examples) == set(found.examples)


@pytest.mark.parametrize("share", [0, 0.2])
def test_no_more_than_were_asked_for(pair: Callable[[], list[Example]], share: float) -> None:
    examples = pair()
    assert with_follow_ups(examples, share, 0, lambda name: bridge()) == (tuple(examples), 0, 0)
