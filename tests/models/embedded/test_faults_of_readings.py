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
from ragassay.models.embedded.stated.drafts import Draft, fault_of
from ragassay.models.embedded.stated.summary_rules import summary_drafts
from ragassay.models.embedded.writing.statements import drafts_of_facts
from ragassay.records import Document
from ragassay.synthesis.candidates import located
from ragassay.tasks.statements import Passage

Generate = Callable[..., Any]
Read = Callable[..., Document]


def drafts(document: Document) -> list[Draft]:
    """All that the rules make of a document as one passage, in the order facts, summaries, conclusions."""
    passage = to_passage(document, 0, len(document.text), ()).model_copy(update={"opening": document.text[:600]})
    theme = theme_of(passage) or ""
    facts, analysis = drafts_of_facts(passage, theme), analyse(passage, theme)
    return [*facts, *summary_drafts(analysis, facts), *reasoning_drafts(analysis, facts)]


COMMAND = (
    "<html><head><title>DROP TUB</title></head><body><h1>DROP TUB</h1><p>DROP TUB — remove a tub</p>"
    "<h2>Synopsis</h2><p>DROP TUB name [ CASCADE | RESTRICT ]</p><h2>Parameters</h2><dl>"
    "<dt>name</dt><dd><p>The name of the tub.</p></dd>"
    "<dt>CASCADE</dt><dd><p>Drop the taps as well. This is rare.</p></dd>"
    "<dt>RESTRICT</dt><dd><p>Refuse where there are taps.</p></dd></dl><h2>Notes</h2><p>None of it is new.</p>"
    "</body></html>"
)


@pytest.mark.parametrize("pattern", ["entry_names", "count"])
def test_entries_are_referred_to_where_they_are_described(markdown: Read, pattern: str) -> None:
    document = markdown(COMMAND, html=True)
    draft = next(draft for draft in drafts(document) if draft.pattern == pattern)
    references = located(document, 0, len(document.text), draft.quotes)
    assert references
    described = document.text.index("Parameters")
    assert all(span.start > described for span in references)
    told = " ".join(span.text for span in references)
    assert "Drop the taps as well." in told
    assert "This is rare." not in told


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


LISTED = "# Elm Tool\n\nElm Tool is old.\n\n## {}\n\n- It is owned by you alone\n- It has been lent to you\n"


def test_a_heading_that_says_nothing_of_its_items(generated: Generate) -> None:
    assert generated(LISTED.format("Licences")).of("list")
    for heading in ("Details", "Items", "Things", "Important notes", "Two licences"):
        assert generated(LISTED.format(heading)).of("list") == []


def test_the_statement_of_a_list_is_no_question(markdown: Read) -> None:
    document = markdown("# Elm Tool\n\nElm Tool is old.\n\n## Licences\n\n- The green one of 1998\n- The blue one\n")
    (listed,) = [draft for draft in drafts(document) if draft.pattern == "list"]
    assert listed.statement == "The licences listed for Elm Tool: The green one of 1998, The blue one."


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


SONG = "# Elm Song\n\nElm Song is a folk song. The song {}.\n"


@pytest.mark.parametrize(
    "event",
    [
        "reached the top 20 in February 1977",
        "was performed on only two evenings in 1977 for the Skaldar choir",
        "was played in three halls in 1977 by the Skaldar choir",
        "reached the highest place in 1977 on the Skaldar list",
    ],
)
def test_a_number_keeps_what_belongs_to_it(generated: Generate, event: str) -> None:
    assert generated(SONG.format(event)).of("when") == []


@pytest.mark.parametrize("event", ["was performed in Skaldar in 1977 for the choir", "was released in 1977"])
def test_other_events_are_dated(generated: Generate, event: str) -> None:
    assert generated(SONG.format(event)).of("when")


def test_an_answer_that_only_announces_a_list(generated: Generate) -> None:
    text = "# Elm Tool\n\n## How does Elm Tool work with Oak Saw?\n\nElm Tool may call Oak Saw. {}"
    assert generated(text.format("It waits for the end.\n")).of("own_question")
    ((_, answer),) = generated(text.format("It has consequences:\n\n- One is sound.\n- One is dust.\n")).of(
        "own_question"
    )
    assert answer.endswith("One is sound. One is dust.")
    assert generated(text.format("This has consequences:\n")).of("own_question") == []


def test_a_definition_that_repeats_the_maker_in_its_title(generated: Generate) -> None:
    text = "# {}\n\nNow is a 2010 studio album {} American soul singer Ada Moss."
    assert generated(text.format("Now (2010 album)", "from")).of("what_is")
    assert generated(text.format("Now (Ada Moss album)", "from")).of("what_is") == []
    assert generated(text.format("Now (2010 album)", "by")).of("made_by")
    assert generated(text.format("Now (Ada Moss album)", "by")).of("made_by") == []


def test_an_album_has_an(markdown: Read) -> None:
    made = [draft for draft in drafts(markdown("# Now (2010 album)\n\nNow is an album by Ada Moss.")) if draft.quotes]
    told = [draft.statement for draft in made if draft.pattern == "made_by"]
    assert told == ["The 2010 album Now is an album by Ada Moss."]


CLIMATE = (
    "# Elmby\n\nElmby is a village.\n\n## Geography\n\nThe land is low and the river is slow, and there are many lakes "
    "to the north of it. {} a warm summer and a long winter with much snow in the valleys around.\n"
)


def test_words_that_were_run_together(generated: Generate) -> None:
    assert generated(CLIMATE.format("Elmby has")).of("section")
    assert generated(CLIMATE.format("ClimateElmby has")).of("section") == []
    assert generated(CLIMATE.format("There is grass at Elm HSFP.It has")).of("section") == []
    assert generated(CLIMATE.format("Using JavaScript it has")).of("section")


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
        asked = f"Which option of wal_keeper controls {of_what}?"
        return Draft(pattern="which_parameter", question=asked, answer="--mode", statement="", quotes=("",))

    assert fault_of(question("the pump described in Section 4.3"), "") is not None
    assert fault_of(question("the pump described by Ada Moss"), "") is None
    assert fault_of(question("the fee of Section 4.3"), "") is None
