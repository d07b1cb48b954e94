"""Whole pairs by rules: one fact, facts and summaries of one passage, the richest of a block; never what was asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ragassay.corpus.markdown import read_markdown
from ragassay.models.base import Reply
from ragassay.models.embedded.model import handler
from ragassay.tasks.creative import BareQuestion, KnowledgeCheck
from ragassay.tasks.evolved import CombinedPair, CombinedPairs, SeedOnPassage, SeedsOnTwo
from ragassay.tasks.labelling import Pair
from ragassay.tasks.pairs import GroundedPair, GroundedPairs, PairRequest
from ragassay.tasks.per_chunk import ChunkRequest
from ragassay.tasks.statements import Passage

LIND = """Ottar Lind (12 May 1901 - 11 May 1980) was a Danish poet. Lind was elected as mayor of Ribe in March 1940. \
In 1945, he became secretary of the Writers' Guild. Lind published his first volume of poems on 12 May 1925."""
MOSS = """Ada Moss (born 29 February 1952) is a Norwegian sailor. Moss joined the rescue service on 28 February 1990. \
Moss won the Grey Anchor Medal in 1998."""
BRIDGE = """Gannet Bridge is a suspension bridge in the north of Skaldar. Gannet Bridge was opened on 4 May 1998. \
The bridge was closed on 9 June 1999 after a storm."""
TERN = "Tern Bridge is a suspension bridge in the south of Skaldar. Tern Bridge was opened on 2 March 2004."


def passage(title: str, text: str, language: str = "en") -> Passage:
    return Passage(title=title, text=text, language=language, opening=text[:600])


Ask = Callable[[str, Any], Reply[Any]]


@pytest.fixture
def ask(encoder: Any) -> Ask:
    """One task of the embedded model."""
    return lambda task, inputs: handler(task)(encoder, [inputs])[0]


def pairs_of(reply: Reply[GroundedPairs]) -> list[GroundedPair]:
    assert reply.value is not None, reply.reason
    return list(reply.value.items)


def test_a_simple_pair_is_one_fact_of_the_passage(ask: Ask) -> None:
    (pair,) = pairs_of(ask("simple_pair", PairRequest(passage=passage("Ottar Lind", LIND))))
    assert all(quote in LIND for quote in pair.quotes)
    assert pair.pattern
    assert pair.statement
    verdict = ask("label", Pair(context=LIND, question=pair.question, answer=pair.answer)).value
    assert verdict.label == "fact_single"


def test_the_same_passage_gives_other_pairs_until_there_is_none(ask: Ask) -> None:
    asked: list[str] = []
    while found := pairs_of(ask("simple_pair", PairRequest(passage=passage("Ottar Lind", LIND), asked=tuple(asked)))):
        assert found[0].question not in asked
        asked.append(found[0].question)
    assert len(asked) >= 3
    again = pairs_of(ask("simple_pair", PairRequest(passage=passage("Ottar Lind", LIND))))
    assert again[0].question == asked[0]  # chance depends on the text alone


def test_pairs_of_a_chunk_rest_on_different_words(ask: Ask) -> None:
    found = pairs_of(ask("chunk_pairs", ChunkRequest(passage=passage("Ottar Lind", LIND), n=3)))
    assert 2 <= len(found) <= 3
    quotes = [quote for pair in found for quote in pair.quotes]
    assert len(set(quotes)) == len(quotes)
    assert len(pairs_of(ask("chunk_pairs", ChunkRequest(passage=passage("Ottar Lind", LIND), n=1)))) == 1
    assert len({pair.pattern for pair in found}) > 1


def test_a_block_gives_more_than_a_single_fact_where_it_can(ask: Ask) -> None:
    (pair,) = pairs_of(ask("creative_question", PairRequest(passage=passage("Ottar Lind", LIND))))
    verdict = ask("label", Pair(context=LIND, question=pair.question, answer=pair.answer)).value
    assert verdict.label in {"reasoning", "summary"}


def test_a_passage_without_a_name_gives_a_reason(ask: Ask) -> None:
    reply = ask("simple_pair", PairRequest(passage=passage("", "It is cold. They like it.")))
    assert reply.value is None
    assert reply.reason == "neither title nor opening names what the document is about"


def test_it_says_that_it_knows_nothing(ask: Ask) -> None:
    for task, inputs in (
        ("knowledge_check", KnowledgeCheck(passage=passage("Ottar Lind", LIND))),
        ("closed_book_answer", BareQuestion(question="Who was Ottar Lind?")),
    ):
        reply = ask(task, inputs)
        assert (reply.value, reply.reason) == (None, "the embedded model only knows what it is shown")


def test_a_seed_grows_into_what_follows_from_it(ask: Ask) -> None:
    quote = "Lind published his first volume of poems on 12 May 1925."
    seed = GroundedPair(question="When did Ottar Lind publish?", answer="12 May 1925", quotes=(quote,))
    (pair,) = pairs_of(ask("evolve_reasoning", SeedOnPassage(passage=passage("Ottar Lind", LIND), seed=seed)))
    assert any(quote in each or each in quote for each in pair.quotes)
    assert len(pair.quotes) > 1
    verdict = ask("label", Pair(context=LIND, question=pair.question, answer=pair.answer)).value
    assert verdict.label == "reasoning"


def test_a_seed_from_which_nothing_follows(ask: Ask) -> None:
    seed = GroundedPair(question="What is Gannet Bridge?", answer="A bridge", quotes=("in the north of Skaldar",))
    short = passage("Gannet Bridge", BRIDGE.split(". ", maxsplit=1)[0] + ".")
    assert pairs_of(ask("evolve_reasoning", SeedOnPassage(passage=short, seed=seed))) == []


def two(first: Passage, second: Passage) -> SeedsOnTwo:
    seed = GroundedPair(question="q?", answer="a", quotes=("none",))
    return SeedsOnTwo(first=first, first_seed=seed, second=second, second_seed=seed)


# Which of its questions about two a pair of documents gives, chance decides by their texts.
ABOUT_BRIDGES = {
    "Which was opened earlier, Gannet Bridge or Tern Bridge?": "Gannet Bridge (4 May 1998; Tern Bridge: 2 March 2004)",
    # from 4 May 1998 to 2 March 2004: five whole years, and two months short of the sixth
    "How many whole years after Gannet Bridge was opened was Tern Bridge opened?": "5 years (4 May 1998; Tern Bridge: "
    "2 March 2004)",
}
ABOUT_PEOPLE = {
    "Who was born earlier, Ottar Lind or Ada Moss?": "Ottar Lind (12 May 1901; Ada Moss: 29 February 1952)",
    # from 12 May 1901 to 29 February 1952: 50 whole years
    "How many whole years after Ottar Lind was born was Ada Moss born?": "50 years (12 May 1901; Ada Moss: 29 February "
    "1952)",
}


def all_of_two(ask: Ask, first: Passage, second: Passage) -> dict[str, CombinedPair]:
    """Question to pair over several wordings of the second document, so that chance shows all there are."""
    found: dict[str, CombinedPair] = {}
    for number in range(12):
        other = second.model_copy(update={"text": f"{second.text} Note {number} is kept in the archive."})
        for pair in ask("evolve_combined", two(first, other)).value.items:
            found[pair.question] = pair
    return found


def test_two_documents_are_compared(ask: Ask) -> None:
    found = all_of_two(ask, passage("Gannet Bridge", BRIDGE), passage("Tern Bridge", TERN))
    assert {question: pair.answer for question, pair in found.items()} == ABOUT_BRIDGES
    for pair in found.values():
        assert pair.kind == "temporal_sequence"
        assert pair.first_quotes == ("Gannet Bridge was opened on 4 May 1998.",)
        assert pair.second_quotes == ("Tern Bridge was opened on 2 March 2004.",)


def test_the_order_of_the_documents_does_not_change_the_answer(ask: Ask) -> None:
    found = all_of_two(ask, passage("Tern Bridge", TERN), passage("Gannet Bridge", BRIDGE))
    turned = "Which was opened earlier, Tern Bridge or Gannet Bridge?"
    assert found[turned].answer == "Gannet Bridge (4 May 1998; Tern Bridge: 2 March 2004)"
    assert found[turned].first_quotes == ("Tern Bridge was opened on 2 March 2004.",)


def test_people_are_asked_about_as_people(ask: Ask) -> None:
    found = all_of_two(ask, passage("Ottar Lind", LIND), passage("Ada Moss", MOSS))
    assert {question: pair.answer for question, pair in found.items()} == ABOUT_PEOPLE


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (passage("Gannet Bridge", BRIDGE), passage("Ada Moss", MOSS)),  # nothing that both did
        (passage("Gannet Bridge", BRIDGE), passage("Gannet Bridge", BRIDGE)),  # one and the same
        (passage("Gannet Bridge", BRIDGE), passage("Tern Bridge", TERN.replace("2 March 2004", "May 1998"))),  # when?
        (passage("Gannet Bridge", BRIDGE), passage("Tern Bridge", TERN, "de")),  # no rules for that language
    ],
)
def test_what_cannot_be_compared(first: Passage, second: Passage, ask: Ask) -> None:
    assert ask("evolve_combined", two(first, second)).value == CombinedPairs(items=())


SHIPS = """# {title}

This page lists the {lower} of the line with what each of them can carry on a day in summer.

## MV {first}

**Service speed:** {speed}.5 knots
**Builder:** {first} Yard
**Home port:** Oskay

## MV {second}

**Service speed:** {speed}.0 knots
**Builder:** {second} Yard
**Home port:** Kirkvoe
"""


def test_what_belongs_to_a_record_of_the_page_is_not_said_of_the_page(ask: Ask) -> None:
    pages = []
    for title, first, second, speed in (
        ("Freight vessels", "Cedar", "Alder", 15),
        ("Relief vessels", "Dogwood", "Hazel", 12),
    ):
        parsed = read_markdown(SHIPS.format(title=title, lower=title.lower(), first=first, second=second, speed=speed))
        known = {"blocks": tuple(parsed.blocks), "known_keys": frozenset({"service speed", "builder", "home port"})}
        pages.append(passage(title, parsed.text).model_copy(update=known))
    facts = pairs_of(ask("chunk_pairs", ChunkRequest(passage=pages[0], n=9)))
    assert any("MV Cedar" in pair.question for pair in facts)  # the records do give facts
    assert all_of_two(ask, pages[0], pages[1]) == {}
