"""Numbers in running prose: what they are of, in words that a question can use."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragassay.corpus.markdown import read_markdown
from ragassay.records import Document
from ragassay.synthesis.scenario.infer import infer
from ragassay.synthesis.scenario.schema_file import parse_schema, schema_text

FILLER = " It was a good year, as many said when they met in the old harbour."


def seed(place: int, text: str) -> Document:
    return Document(id=f"d{place}", source=f"{place}.txt", title="", text=text + FILLER, language="en", metadata={})


@pytest.mark.parametrize(
    ("sentence", "question", "fact"),
    [
        (
            "The company's total liabilities amounted to $200 million.",
            "What are the total liabilities of {subject}?",
            "The total liabilities of {subject} are {total_liabilities}.",
        ),
        ("The net profit for the year came to $30 million.", "What is the net profit of {subject}?", None),
        ("The return on equity for Alder Foods was 7.5%.", "What is the return on equity of {subject}?", None),
        ("The debt to assets ratio stood at 25%.", "What is the debt to assets ratio of {subject}?", None),
    ],
)
def test_a_number_is_called_by_its_name(sentence: str, question: str, fact: str | None) -> None:
    schema = infer([seed(place, sentence) for place in range(3)], "mine").schema
    (found,) = (each for name, each in schema.fields.items() if name != "subject")
    assert found.ask == (question,)
    assert fact is None or found.fact == fact


def test_a_number_whose_name_stands_elsewhere_is_left_out() -> None:
    seeds = [
        seed(place, "The cost was $3 million. The ratio, which has risen, also stood at 25%.") for place in range(3)
    ]
    assert set(infer(seeds, "mine").schema.fields) == {"cost", "subject"}


def test_braces_of_seeds_are_no_fields_of_a_template() -> None:
    text = "# A\n\n- Ship: Heron {0}\n- Cost {{EUR}}: 3{0}\n- Port {{x: Lund {{crew}}\n- Fee: {{4{0}}} crowns\n"
    documents = []
    for place in range(3):
        read = read_markdown(f"{text.format(place)}\n{FILLER}")
        documents.append(replace(seed(place, ""), text=read.text, blocks=read.blocks))
    found = infer(documents, "mine").schema
    assert (found.fields["cost_eur"].label, found.fields["port_x"].label) == ("Cost EUR", "Port x")
    assert found.fields["fee"].type == "option"
    assert parse_schema(schema_text(found), "mine.toml") == found


def test_the_story_of_a_seed_is_no_subject() -> None:
    documents = []
    for place, word in enumerate(("fever", "cough", "pallor")):
        told = f"It began with {word} in the night, and it went on for many days after, as it often does when it rains"
        text = "".join(f"## {name}\n\n{told}, said {name.lower()} {place}.\n\n" for name in ("Onset", "Course", "Plan"))
        read = read_markdown(f"# Record\n\n{text}")
        documents.append(replace(seed(place, ""), text=read.text, blocks=tuple(read.blocks)))
    schema = infer(documents, "mine").schema
    assert schema.fields["story"].type == "option"
    assert "{story}" not in schema.title
    assert parse_schema(schema_text(schema), "mine").key == schema.key
