"""Lines that many documents share are known, whatever the order, in bounded memory; and nothing is asked about them."""

from __future__ import annotations

from collections.abc import Callable

from ragassay.records import Document, Span
from ragassay.synthesis.boilerplate import Boilerplate, LineCounter
from ragassay.synthesis.candidates import Candidate

FOOTER = "Questions about this page are answered at the front desk from eight in the morning until noon."
Make = Callable[..., Document]


def page(document: Make, number: int, *, footer: bool = True) -> Document:
    own = f"The pump of station {number} was built in {1900 + number} and is looked after by keeper number {number}."
    return document(f"# Station {number}\n\n{own}\n\n{FOOTER if footer else ''}\n", f"{number}.md")


def counted(documents: list[Document]) -> Boilerplate:
    counter = LineCounter()
    for each in documents:
        counter.add(each)
    return counter.result()


def span_of(document: Document, text: str) -> Span:
    start = document.text.index(text)
    return document.span(start, start + len(text))


def test_a_footer_is_boilerplate_and_what_one_document_says_is_not(document: Make) -> None:
    pages = [page(document, number) for number in range(8)]
    found = counted(pages)
    assert len(found) == 1
    assert found.holds(pages[3], span_of(pages[3], FOOTER))
    assert found.holds(pages[3], span_of(pages[3], "answered at the front desk"))
    assert not found.holds(pages[3], span_of(pages[3], "The pump of station 3"))
    assert not found.holds(pages[3], pages[3].span(0, len(pages[3].text)))  # only in part


def test_a_candidate_that_rests_on_boilerplate_is_dropped(
    small_corpus: Callable, document: Make, candidate: Callable[..., Candidate]
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
