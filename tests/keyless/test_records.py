"""Questions on keys and terms."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ragassay.keyless.gaps import gap_drafts
from ragassay.keyless.page import Page
from ragassay.keyless.periods import period_drafts
from ragassay.keyless.records import key_question, record_drafts, term_drafts

PagesOf = Callable[[dict[str, str]], list[Page]]


@pytest.mark.parametrize(
    ("key", "value", "question"),
    [
        ("Gross tonnage", "5,420", "What is the gross tonnage of MV Elm?"),
        ("Length (m)", "98.4", "What is the length of MV Elm?"),
        ("Berths", "2", "How many berths does MV Elm have?"),
        ("Crew", "26", "What is the crew size of MV Elm?"),
        ("Builder", "Vesterholt Yard", "Who is the builder of MV Elm?"),
        ("Price", "£40", "How much does MV Elm cost?"),
        ("Next review", "31 August 2026", "When is the next review of MV Elm?"),
        ("Built", "3 May 1998", "When was MV Elm built?"),
        ("Opened", "7 July 1989", "When did MV Elm open?"),
        ("In service since", "14 March 2019", "Since when has MV Elm been in service?"),
        ("Designed by", "Ada Moss", "Who was MV Elm designed by?"),
        ("Operated by", "Elm Line", "Who operates MV Elm?"),
        ("Based at", "Kirk Harbour", "Where is MV Elm based?"),
        # no attributes
        ("Notes", "painted last year", None),
        ("Staff based here", "68", None),
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
    assert [(draft.label, draft.question, draft.answer) for draft in drafts] == [
        ("fact_single", "What is the length of MV Elm?", "98.4 m"),
        ("fact_single", "What is the home port of MV Elm?", "Kirk"),
        ("fact_single", "What is the crew size of MV Elm?", "26"),
        ("fact_single", "What is the length of MV Oak?", "76 m"),
        ("fact_single", "What is the home port of MV Oak?", "Marrow"),
        ("fact_single", "What is the crew size of MV Oak?", "20"),
        (
            "summary",
            "What are the length, home port and crew size of MV Elm?",
            "Length: 98.4 m; Home port: Kirk; Crew size: 26",
        ),
        (
            "summary",
            "What are the length, home port and crew size of MV Oak?",
            "Length: 76 m; Home port: Marrow; Crew size: 20",
        ),
    ]
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
    assert [list(gap_drafts(page)) for page in pages[:4]] == [[]] * 4
    (missing,) = gap_drafts(pages[4])
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


@pytest.mark.parametrize(
    ("keys", "drafts"),
    [
        (  # 28 January to 31 January, 31 days of a leap year's January to 1 March
            {"Ordered": "28 January 2024", "Delivered": "1 March 2024", "Crew": "7"},
            [("How many days after being ordered was MV Elm delivered?", "33 days")],
        ),
        (
            {"Built": "3 May 1998", "Acquired": "2 May 2011", "Crew": "7"},
            [("How many full years after being built was MV Elm acquired?", "12 years")],
        ),
        (
            {"Built": "1998", "Opened": "2011", "Closed": "2012"},
            [
                ("How many years after being built did MV Elm open?", "13 years"),
                ("How many years after being built did MV Elm close?", "14 years"),
            ],
        ),
        (
            {"Start": "6 June 2024, 10:00", "End": "9 June 2024, 11:30", "Crew": "7"},
            [("How many days passed between the start and the end of MV Elm?", "3 days")],
        ),
        ({"Born": "3 May 1938", "Died": "2 May 2011", "Crew": "7"}, [("At what age did MV Elm die?", "72 years")]),
        ({"Built": "1998", "Acquired": "2 May 2011", "Crew": "7"}, []),  # the years may be 12 or 13
    ],
)
def test_periods(pages_of: PagesOf, keys: dict[str, str], drafts: list[tuple[str, str]]) -> None:
    text = "# MV Elm\n\n" + "\n".join(f"**{key}:** {value}" for key, value in keys.items())
    (page,) = pages_of({"a.md": text})
    assert [(draft.question, draft.answer) for draft in period_drafts(page)] == drafts
