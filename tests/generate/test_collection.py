"""What only the whole collection tells of one document."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ragassay.generate.candidates import Candidate
from ragassay.generate.collection import Collection, CollectionSurvey
from ragassay.records import Document, Span


def surveyed(documents: Iterable[Document]) -> Collection:
    survey = CollectionSurvey()
    for each in documents:
        survey.add(each)
    return survey.result()


def collection(records: dict[str, str]) -> Collection:
    return Collection(frozenset(), frozenset(), {name: frozenset(keys.split()) for name, keys in records.items()})


def test_titles_and_keys_of_several_documents(document: Callable[..., Document]) -> None:
    crew = [
        document("# Crew\n\n- Rank: mate\n- Ship: Bluefin\n- Hobby: chess\n", "1.md"),
        document("# Crew\n\n- Rank: cook\n- SHIP: Redfin\n- Age: 41\n", "2.md"),
        document("# Kitchen\n\nNothing here.\n", "3.md"),
    ]
    found = surveyed(crew)
    assert found.shared_titles == {"Crew"}
    assert found.known_keys == {"rank", "ship"}
    assert set(found.records.values()) == {frozenset({"rank", "ship", "hobby"}), frozenset({"rank", "ship", "age"})}


def test_what_siblings_have_is_lacking() -> None:
    records = collection(
        {
            "own": "name rank ship",
            "one": "name rank ship age berth cabin",
            "two": "name rank ship age berth cabin",
            "three": "name rank ship age berth cabin hobby",
            "four": "name rank ship age berth cabin hobby",
            "five": "name rank ship age hobby",
            "far": "price weight height",
        }
    )
    # Five siblings share all three keys of own; four fifths of them are four: age 5, berth 4, cabin 4, hobby 3.
    assert records.lacking("own") == ("age", "berth", "cabin")


FOOTER = "Questions about this page are answered at the front desk from eight in the morning until noon."


def page(document: Callable[..., Document], number: int, *, footer: bool = True) -> Document:
    own = f"The pump of station {number} was built in {1900 + number} and is looked after by keeper number {number}."
    return document(f"# Station {number}\n\n{own}\n\n{FOOTER if footer else ''}\n", f"{number}.md")


def span_of(document: Document, text: str) -> Span:
    start = document.text.index(text)
    return document.span(start, start + len(text))


def test_a_footer_is_boilerplate_and_what_one_document_says_is_not(document: Callable[..., Document]) -> None:
    pages = [page(document, number) for number in range(8)]
    found = surveyed(pages).boilerplate
    assert len(found.digests) == 1
    assert found.holds(pages[3], span_of(pages[3], FOOTER))
    assert found.holds(pages[3], span_of(pages[3], "answered at the front desk"))
    assert not found.holds(pages[3], span_of(pages[3], "The pump of station 3"))
    assert not found.holds(pages[3], pages[3].span(0, len(pages[3].text)))  # only in part


def test_a_candidate_that_rests_on_boilerplate_is_dropped(
    small_corpus: Callable, document: Callable[..., Document], candidate: Callable[..., Candidate]
) -> None:
    pages = [page(document, number) for number in range(8)]
    home = pages[2]
    gates = small_corpus(pages).gates
    shared, own = span_of(home, FOOTER), span_of(home, "was built in 1902")
    asked = [
        candidate("Where are questions about Station 2 answered?", home=home.id, references=(shared,)),
        candidate("When was the pump of Station 2 built?", home=home.id, references=(own,)),
        candidate("When was the pump of Station 2 built, and who answers?", home=home.id, references=(own, shared)),
    ]
    faults = [each.fault for each in gates.searched(asked)]
    assert faults[0] == "it asks about a line that many documents share"
    assert "many documents share" not in f"{faults[1]} {faults[2]}"
