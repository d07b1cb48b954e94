"""Questions on keys and terms."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ragassay.keyless.page import Page
from ragassay.keyless.records import key_question, missing_drafts, record_drafts, term_drafts

PagesOf = Callable[[dict[str, str]], list[Page]]


@pytest.mark.parametrize(
    ("key", "value", "question"),
    [
        ("Gross tonnage", "5,420", "What is the gross tonnage of MV Elm?"),
        ("Length (m)", "98.4", "What is the length of MV Elm?"),
        ("Opening hours", "06:00 to 22:00", "What are the opening hours of MV Elm?"),
        ("Berths", "2", "How many berths does MV Elm have?"),
        ("Employees", "412 at 31 December 2024", "How many employees does MV Elm have?"),
        ("Crew", "26", "What is the crew size of MV Elm?"),
        ("Builder", "Vesterholt Yard", "Who is the builder of MV Elm?"),
        ("Chair of the board", "Ada Moss, since 1 July 2021", "Who is the chair of the board of MV Elm?"),
        ("Price", "£40", "How much does MV Elm cost?"),
        ("Next review", "31 August 2026", "When is the next review of MV Elm?"),
        ("Built", "3 May 1998", "When was MV Elm built?"),
        ("Opened", "7 July 1989", "When did MV Elm open?"),
        ("End", "20 August 2021, 16:10", "When did MV Elm end?"),
        ("In service since", "14 March 2019", "Since when has MV Elm been in service?"),
        ("Designed by", "Ada Moss", "Who was MV Elm designed by?"),
        ("Operated by", "Elm Line", "Who operates MV Elm?"),
        ("Based at", "Kirk Harbour", "Where is MV Elm based?"),
        # no attributes
        ("Notes", "painted last year", None),
        ("Staff based here", "68", None),
        ("Vehicle marshalling", "140 cars", None),
        ("Joined on", "9 May 2016", None),
        ("Reports to", "Helena Strand", None),
        ("Employees", "about forty in all", "What are the employees of MV Elm?"),
        ("Employees", "40 to 50 in summer", None),
    ],
)
def test_key_questions(key: str, value: str, question: str | None) -> None:
    assert key_question(key, value, "MV Elm") == question


SHIPS = {
    "fleet.md": "# Ferries\n\n"
    "## MV Elm\n\n**Length (m):** 98.4\n**Home port:** Kirk\n**Crew:** 26\n\nMV Elm is new.\n\n"
    "## MV Oak\n\n**Length (m):** 76\n**Home port:** Marrow\n**Crew:** 20\n",
}


def test_records_below_headings(pages_of: PagesOf) -> None:
    (page,) = pages_of(SHIPS)
    drafts = list(record_drafts(page))
    assert [(draft.question, draft.answer) for draft in drafts[:6:2]] == [
        ("What is the length of MV Elm?", "98.4 m"),
        ("What is the crew size of MV Elm?", "26"),
        ("What is the home port of MV Oak?", "Marrow"),
    ]
    assert [draft.label for draft in drafts] == ["fact_single"] * 6 + ["summary"] * 2
    assert drafts[-1].question == "What are the length, home port and crew size of MV Oak?"
    assert drafts[-1].answer == "Length: 76 m; Home port: Marrow; Crew size: 20"
    assert [page.document.text[start:end] for start, end in drafts[3].spans] == ["MV Oak", "Length (m): 76"]
    assert drafts[-1].keypoints[1] == "The home port of MV Oak is Marrow."


def test_records_as_documents(pages_of: PagesOf) -> None:
    row = '{{"title": "{}", "text": "Colour: {}\\nWeight: {} kg\\nMaterial: {}{}"}}'
    rows = [
        row.format("Elm 40", "red", 3, "steel", "\\nWarranty: 2 years"),
        row.format("Elm 50", "blue", 4, "glass", "\\nWarranty: 3 years"),
        row.format("Elm 60", "green", 5, "wood", "\\nWarranty: 4 years"),
        row.format("Elm 70", "grey", 6, "brass", "\\nWarranty: 5 years"),
        row.format("Elm 80", "black", 7, "cork", ""),
    ]
    pages = pages_of({"products.jsonl": "\n".join(rows)})
    facts = [draft for draft in record_drafts(pages[1]) if draft.label == "fact_single"]
    assert [(draft.question, draft.answer) for draft in facts] == [
        ("What is the colour of Elm 50?", "blue"),
        ("What is the weight of Elm 50?", "4 kg"),
        ("What is the material of Elm 50?", "glass"),
        ("What is the warranty of Elm 50?", "3 years"),
    ]
    assert [list(missing_drafts(page)) for page in pages[:4]] == [[]] * 4
    (missing,) = missing_drafts(pages[4])
    assert (missing.question, missing.answer, missing.spans) == ("What is the warranty of Elm 80?", "", ())


def test_mail_headers_and_lone_keys_are_not_asked(pages_of: PagesOf) -> None:
    mail = "From: Ada Moss\nTo: Elm Line\nSubject: Weights\nPriority: high\n\nThe weights were wrong.\n"
    remark = "# Elm Pier\n\nOwner: Ada Moss\n\nElm Pier is a pier.\n"
    assert [list(record_drafts(page)) for page in pages_of({"mail.txt": mail, "pier.md": remark})] == [[], []]


def test_terms(pages_of: PagesOf) -> None:
    glossary = (
        "<html><head><title>Glossary</title></head><body><h1>Glossary</h1><dl>"
        "<dt>Linkspan</dt><dd>A hinged bridge between the quay and the ship. It moves.</dd>"
        "<dt>Berth</dt><dd>See quay.</dd></dl></body></html>"
    )
    table = (
        "# Timetable\n\n| Term | Meaning |\n|---|---|\n"
        "| Ro-ro time | The time at a berth |\n| Slack water | Time to spare |\n"
    )
    drafts = [list(term_drafts(page)) for page in pages_of({"a.html": glossary, "b.md": table})]
    assert [[(draft.question, draft.answer) for draft in of_page] for of_page in drafts] == [
        [("What does “Linkspan” mean?", "A hinged bridge between the quay and the ship.")],
        [("What does “Ro-ro time” mean?", "The time at a berth"), ("What does “Slack water” mean?", "Time to spare")],
    ]
