"""Questions on plain sentences: what each form asks and answers, and which sentences are left alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragassay.generate.collection import CollectionSurvey
from ragassay.keyless.page import Draft, Page
from ragassay.keyless.sentences import sentence_drafts
from ragassay.records import Document


def drafts(
    text: str, name: str = "the handbook", *, is_thing: bool = False, of: int = 1, title: str = "Handbook"
) -> list[Draft]:
    """The drafts of a document with this text, one of a collection of so many."""
    document = Document(id="doc", title=title, source="a.md", text=text, language="en")
    survey = CollectionSurvey()
    for number in range(of):
        survey.add(replace(document, id=f"doc-{number}", title=title if not number else "Another"))
    return list(sentence_drafts(Page(document, survey.result(), name, is_thing)))


ASKED = [
    ("when", "The lease began on 3 May 2021.", "when did the lease begin?", "on 3 May 2021"),
    ("when", "The lease will begins on 3 May 2021.", "when will the lease begin?", "on 3 May 2021"),
    ("how_long", "Claims must be submitted within 60 days of the expense.", "how soon must claims be submitted?",
     "within 60 days of the expense"),
    ("how_long", "The fan runs for at least 20 minutes.", "how long does the fan run?", "for at least 20 minutes"),
    ("how_often", "Headphones are wiped every two weeks.", "how often are headphones wiped?", "every two weeks"),
    ("how_many", "The office keeps 25 bikes for visitors.", "how many bikes does the office keep for visitors?",
     "25 bikes"),
    ("how_many", "The hall seats 20 choir members of the town.",
     "how many choir members of the town does the hall seat?", "20 choir members"),
    ("who", "The treasurer approves the budget of the club.", "who approves the budget of the club?",
     "the treasurer"),
    ("who", "Minutes are kept by the secretary of the board.", "by whom are minutes kept?",
     "the secretary of the board"),
    ("how_much", "The insurance covers 80 % of the repair costs.",
     "what percentage of the repair costs does the insurance cover?", "80 %"),
    ("what_is", "A lien is a claim on property that secures a debt.", "what is a lien?",
     "a claim on property that secures a debt"),
    ("what_do", "If rent is five days late, the landlord may add a fee.",
     "what may the landlord do if rent is five days late?", "add a fee"),
    ("instruction", "If your card is lost, call the office within one day.", "what should I do if my card is lost?",
     "call the office within one day"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "sentence", "question", "answer"), ASKED)
def test_a_form_asks_for_one_phrase_and_keeps_the_rest(form: str, sentence: str, question: str, answer: str) -> None:
    found = [draft for draft in drafts(sentence) if draft.form == form]
    (draft,) = found
    asked = question[0].upper() + question[1:] if form == "what_is" else f"According to the handbook, {question}"
    assert (draft.question, draft.answer) == (asked, answer)
    assert [sentence[slice(*span)] for span in draft.spans] == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "It was closed for three years.",  # what was?
        "This rule has applied for three years.",
        "However, they must pay within 5 days of the invoice.",
        "Grace said that the office closes for two weeks.",  # who says so is lost
        "The hall opened and closed within two weeks.",  # both verbs share the time
        "The bridge, which leaked, was closed for two weeks.",  # a riddle with all that is added
        "Fees might rise within two weeks.",
        "We closed the hall on 3 May 2021.",  # who asks whom?
        "Our deposit covers unpaid rent.",
        "Other deposits cover unpaid rent.",  # than which?
        "The deposit covers the same windows.",
        "The second deposit covers unpaid rent.",
        "The key is used to sign requests from other servers.",  # three forms that readers refused
        "The ferry stopped because the harbour froze.",
        "You can change your password in the settings.",
        "Closed for the last two weeks.",
        "The office * closed for two weeks.",
    ],
)
def test_a_sentence_that_does_not_stand_alone_is_left_alone(sentence: str) -> None:
    assert drafts(sentence) == []


def test_a_question_that_names_something_needs_no_page() -> None:
    (draft,) = [draft for draft in drafts("Marie Curie worked in Paris for ten years.") if draft.form == "how_long"]
    assert draft.question == "How long did Marie Curie work in Paris?"


def test_of_a_thing_the_name_takes_the_place_of_its_kind() -> None:
    text = "MV Aurora is a ferry. The ferry was repaired for three weeks."
    found = [draft for draft in drafts(text, "MV Aurora", is_thing=True) if draft.form == "how_long"]
    assert [draft.question for draft in found] == ["How long was MV Aurora repaired?"]


def test_without_a_name_a_question_that_names_nothing_is_not_asked_of_one_document_of_many() -> None:
    text = "The lease runs for ten years."
    assert [draft.question for draft in drafts(text, "")] == ["How long does the lease run?"]
    assert drafts(text, "", of=2, title="") == []
    (draft,) = drafts(text, "", of=2, title="Moving in")
    assert draft.question == "According to “Moving in”, how long does the lease run?"


def test_our_and_your_change_sides() -> None:
    found = drafts("We refund your ticket within 14 days of the cancellation.")
    assert [draft.question for draft in found] == ["According to the handbook, how soon do you refund my ticket?"]
