"""Faults that readers found in generated pairs, each with a text of the same form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ragassay.corpus.passages import to_passage
from ragassay.models.embedded.reading.analysis import analyse
from ragassay.models.embedded.reading.profiles import profile_of
from ragassay.models.embedded.reading.themes import theme_of
from ragassay.models.embedded.reasoning.rules import reasoning_drafts
from ragassay.models.embedded.structure.drafts import Draft, fault_of
from ragassay.models.embedded.writing.statements import drafts_of_facts
from ragassay.records import Document
from ragassay.tasks.statements import Passage

Generate = Callable[..., Any]
Read = Callable[..., Document]


def drafts(document: Document) -> list[Draft]:
    """What the rules make of a document as one passage: facts, then conclusions."""
    passage = to_passage(document, 0, len(document.text), ()).model_copy(update={"opening": document.text[:600]})
    theme = theme_of(passage) or ""
    facts, analysis = drafts_of_facts(passage, theme), analyse(passage, theme)
    return [*facts, *reasoning_drafts(analysis, facts)]


@pytest.mark.parametrize(
    ("noun", "is_person"),
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
def test_who_is_a_person(noun: str, is_person: bool) -> None:
    assert profile_of("Elm Oster", "Elm Oster", f"Elm Oster is a {noun} in Skaldar.").is_person == is_person


@pytest.mark.parametrize(
    "value",
    ["lib/elm.js", "src/elm/", "elm.js", "../elm", "C:\\elm\\oak", "Has named fields", "can be moved", "a::b"],
)
def test_paths_code_and_predicates_are_no_values(generated: Generate, value: str) -> None:
    known = frozenset({"module", "move", "length", "colour"})
    text = f"# Elm Tool\n\nModule: {value}\n\nLength: 4 m\n\nColour: dark green\n"
    questions = [question for question, _ in generated(text, known_keys=known).of("key_value")]
    assert questions == ["What is the length of Elm Tool?", "What is the colour of Elm Tool?"]


@pytest.mark.parametrize("value", ["Oak works", "AC/DC", "3.5 m", "120/80", "$50"])
def test_other_values_are_asked_for(generated: Generate, value: str) -> None:
    known = frozenset({"module", "length", "colour"})
    text = f"# Elm Tool\n\nModule: {value}\n\nLength: 4 m\n\nColour: dark green\n"
    assert "What is the module of Elm Tool?" in [
        question for question, _ in generated(text, known_keys=known).of("key_value")
    ]


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


def test_an_answer_that_only_announces_a_list(generated: Generate) -> None:
    text = "# Elm Tool\n\n## How does Elm Tool work with Oak Saw?\n\nElm Tool may call Oak Saw. {}"
    assert generated(text.format("It waits for the end.\n")).of("own_question")
    ((_, answer),) = generated(text.format("It has consequences:\n\n- One is sound.\n- One is dust.\n")).of(
        "own_question"
    )
    assert answer.endswith("One is sound. One is dust.")
    assert generated(text.format("This has consequences:\n")).of("own_question") == []


def test_a_lifespan_says_what_happened_when(markdown: Read) -> None:
    document = markdown("# Ada Moss\n\nAda Moss (3 May 1898 – 9 June 1961) was a Norwegian sailor. She was tall.")
    (draft,) = [draft for draft in drafts(document) if draft.pattern == "lifespan"]
    assert draft.statement == "Ada Moss was born on 3 May 1898 and died on 9 June 1961, 63 years old."


def test_numbers_of_things_in_a_table(markdown: Read) -> None:
    table = "| Boat | Passengers |\n| --- | --- |\n| {} | 390 |\n| {} | 220 |\n"
    told = [
        draft.statement
        for names in (("MV Elm", "MV Oak"), ("MV Ash", "MV Oak"), ("MV Fir", "MV Oak"), ("MV Fig", "MV Oak"))
        for draft in drafts(markdown("# The boat overview\n\nThe boat overview is new.\n\n" + table.format(*names)))
        if draft.pattern in {"larger", "difference"}
    ]
    assert told
    assert all(" has 390 passengers; MV Oak has 220" in each for each in told)


def test_one_of_a_kind(markdown: Read) -> None:
    passage = to_passage(
        document := markdown("# Elm Pier\n\nBerths: 1\n\nLength: 4 m\n\nColour: dark green\n"), 0, 0, ()
    )
    passage = passage.model_copy(update={"text": document.text, "blocks": document.blocks, "opening": document.text})
    facts = drafts_of_facts(passage.model_copy(update={"known_keys": frozenset({"berths"})}), "Elm Pier")
    assert [fact.statement for fact in facts if fact.pattern == "key_value"] == ["Elm Pier has 1 berth."]


def test_a_section_number_in_a_question() -> None:
    def question(of_what: str) -> Draft:
        asked = f"Which mode of wal_keeper controls {of_what}?"
        return Draft(pattern="term", question=asked, answer="Idle", statement="", quotes=("",))

    assert fault_of(question("the pump described in Section 4.3"), "") is not None
    assert fault_of(question("the pump described by Ada Moss"), "") is None
    assert fault_of(question("the fee of Section 4.3"), "") is None
