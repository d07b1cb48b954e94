"""What becomes of references while documents change: every state by hand, and laws that hold for any text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from by_hand import example_of
from hypothesis import given
from hypothesis import strategies as st

from ragassay.generate.following import Followed, Follower, words_stand
from ragassay.records import NO_CONTEXT, Document, Example, content_id

FEES = """Fees

Members pay 30 euros a year. Guests pay 5 euros a visit.

Desks

The desks are:
North
South

Open daily."""


def document(text: str, source: str = "fees.md") -> Document:
    return Document(id=content_id("doc", text), title="", source=source, text=text)


def asked_of(text: str, quote: str, answer: str, label: str = "fact_single") -> Example:
    home = document(text)
    start = text.index(quote)
    span = home.span(start, start + len(quote))
    made = example_of("q1", requested_label=label, question_type=None)
    references = () if label == "unanswerable" else (span,)
    return replace(made, answer=answer, context=span, references=references, keypoints=(answer,) if answer else ())


def followed(example: Example, *new: Document, old: str = FEES) -> Followed:
    return Follower(new, [document(old)]).follow(example)


MEMBERS = asked_of(FEES, "Members pay 30 euros a year.", "30 euros")


@pytest.mark.parametrize(
    ("text", "source", "state"),
    [
        (FEES, "fees.md", "same"),
        (FEES, "renamed.md", "same"),
        (FEES + "\n\nA new end.", "fees.md", "same"),
        ("A new start.\n\n" + FEES, "fees.md", "moved"),
        (FEES.replace("Members pay 30", "**Members**\npay 30"), "fees.md", "moved"),
        ("Prices\n\nMembers pay 30 euros a year.", "prices.md", "moved"),
        (FEES.replace("30", "40"), "fees.md", "changed"),
        ("Nothing is said of money here, nor of anything like it.", "fees.md", "gone"),
    ],
)
def test_states(text: str, source: str, state: str) -> None:
    new = document(text, source)
    found = followed(MEMBERS, new)
    assert found.state == state
    if state in ("same", "moved", "changed"):
        (span,) = found.example.references
        assert (span.document_id, new.text[span.start : span.end]) == (new.id, span.text)


def test_a_change_is_shown_in_whole_sentences_and_a_number_does_not_stand() -> None:
    found = followed(MEMBERS, document(FEES.replace("30", "40")))
    assert found.pairs == (("Members pay 30 euros a year.", "Members pay 40 euros a year."),)
    assert (found.holds, found.is_kept, words_stand(found)) == (None, False, False)


def test_words_stand_where_only_others_changed_and_no_denial_was_added() -> None:
    reworded = followed(
        MEMBERS, document(FEES.replace("Members pay 30 euros a year", "Members pay 30 euros every year"))
    )
    assert (reworded.state, words_stand(reworded)) == ("changed", True)
    denied = followed(MEMBERS, document(FEES.replace("Members pay", "Members never pay")))
    assert (denied.state, words_stand(denied)) == ("changed", False)


def test_a_list_that_has_grown_changes_what_was_counted() -> None:
    example = asked_of(FEES, "North\nSouth", "2", "reasoning")
    grown = FEES.replace("South\n", "South\nWest\n")
    assert followed(example, document(grown)).state == "changed"
    assert followed(example, document(FEES.replace("30", "40"))).state == "same"
    assert followed(asked_of(FEES, "North", "North"), document(grown)).state == "same"


def test_what_nothing_answers_moves_with_its_text() -> None:
    example = asked_of(FEES, "Guests pay 5 euros a visit.", "", "unanswerable")
    assert followed(example, document(FEES.replace("5 euros a visit", "6 euros a visit"))).state == "moved"
    other = document("Another text altogether about trees and how they grow.")
    assert followed(example, other).state == "gone"
    of_corpus = replace(example, provenance=replace(example.provenance, unanswerable_in="corpus"))
    assert (followed(of_corpus, other).state, followed(of_corpus, other).example.context) == ("moved", NO_CONTEXT)
    assert followed(replace(example, context=NO_CONTEXT), other).state == "same"


def test_a_short_text_is_another_in_a_sentence_about_another_thing() -> None:
    shop = "The warranty runs for 12 months from delivery. Goods are kept."
    asked = asked_of(shop, "12 months", "12 months")
    later = document("The warranty runs for 24 months from delivery. Spare parts are kept for 12 months.")
    assert followed(asked, later, old=shop).state == "changed"
    assert followed(asked, document("We keep it for 112 months."), old=shop).state == "gone"
    long = asked_of(shop, "runs for 12 months from delivery", "12 months")
    assert (
        followed(long, document("Our warranty, as before, runs for 12 months from delivery."), old=shop).state
        == "moved"
    )
    found = followed(asked, document(f"Spare parts: 12 months.\n\nNew. {shop}"), old=shop)
    assert (found.state, found.example.references[0].start) == ("moved", 52)


def test_a_document_is_what_became_of_one_alone() -> None:
    old = [replace(document(f"Text {number}.", f"{number}.md"), title="Help") for number in range(3)]
    new = [replace(document("Another text.", "new.md"), title="Help")]
    assert Follower(new, old).account() == {"as they were": 0, "renamed": 0, "edited": 1, "new": 0, "gone": 2}


def test_an_edited_document_comes_before_another_with_the_same_text() -> None:
    edited, other = document("New.\n\n" + FEES), document("Copy.\n\nMembers pay 30 euros a year.", "copy.md")
    assert followed(MEMBERS, other, edited).example.references[0].document_id == edited.id


@given(st.text("ab .\n", max_size=60), st.text("ab .\n", max_size=60))
def test_a_text_that_still_stands_is_never_changed_or_gone(before: str, after: str) -> None:
    found = followed(MEMBERS, document(f"{before} Members pay 30 euros a year. {after}"))
    assert found.state in ("same", "moved")
    assert found.example.references[0].text == "Members pay 30 euros a year."
