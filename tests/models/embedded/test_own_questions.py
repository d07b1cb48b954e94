"""Questions that a document asks itself: kept as they stand, with the whole answer, or left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import pytest

from ragassay.models.base import Encoder
from ragassay.models.embedded.judging import critique, labelling
from ragassay.models.embedded.judging.judgements import Answered, QuestionOnText
from ragassay.models.embedded.reading.framing import asks_itself
from ragassay.models.embedded.reading.outline import even_heading
from ragassay.models.embedded.structure.own_questions import asked_by
from ragassay.tasks.critique import CritiquedPair
from ragassay.tasks.labelling import Pair

Generate = Callable[..., Any]


PAGE = """# Frequently asked questions about membership

**How do I join?**

Fill in the form at the desk, or online. You need a photo and proof of address.

**What does it cost?**
Adults pay 18 euros a month.

**Can I bring my own bicycle to the campsite?**
Bicycles are free, but have to be locked at night.

Q: When is the reception of the campsite open?
A: From eight to noon. In July it is open until six.
"""


def test_a_page_gives_its_questions_however_it_marks_them(generated: Generate) -> None:
    assert sorted(generated(PAGE).of("own_question")) == [
        (
            "According to “Frequently asked questions about membership”, how do I join?",
            "Fill in the form at the desk, or online. You need a photo and proof of address.",
        ),
        ("Can I bring my own bicycle to the campsite?", "Bicycles are free, but have to be locked at night."),
        (
            "When is the reception of the campsite open?",
            "From eight to noon. In July it is open until six.",
        ),
    ]


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("Is Brackwater stable?", "Is Brackwater stable?"),
        ("What does “Brackwater” mean, and how do you pronounce it?", None),
        ("My key is lost and the office closed, why not ask the porter? - how?", ""),
        ("The lift stops between two floors - why?", None),
        ("Isn’t the boat house open on Sundays?", None),
        ("How do I install and use it?", ""),
        ("But why does the gate close at night?", ""),
        ("Where does the porter fit in, then?", ""),
    ],
)
def test_how_people_ask(generated: Generate, heading: str, question: str | None) -> None:
    told = "Since Brackwater opened in 1998, the porter has kept its keys, and its name is said as it is written."
    made = generated(f"# FAQ: General\n\n## {heading}\n\n{told}\n").of("own_question")
    assert [each for each, _ in made] == [each for each in [heading if question is None else question] if each]


def test_a_task_is_done_somewhere(generated: Generate) -> None:
    told = "To adopt a package, you send a mail to its maintainer, and you wait for the reply. It is yours then."
    text = f"# Packages\n\n## Adopting a package\n\n{told}\n\n## What is a trusted maintainer?\n\n{told}\n"
    asked = ["How do I adopt a package at Brinelog?", "What is a trusted maintainer?"]
    assert [question for question, _ in generated(text, place="at Brinelog").of("own_question")] == asked


def test_what_a_page_asks_it_answers_whatever_a_model_says() -> None:
    text = "Is Brackwater stable?\n\nThe quay has stood for\nninety years.\n\nWho built the quay?\n\nA. Lind did."
    assert asks_itself(text, "Is Brackwater stable?", "The quay has stood for ninety years.")
    assert asks_itself(text, "According to “FAQ”, is Brackwater stable?", "The quay has stood for ninety years.")
    assert asks_itself(text, "Who built the quay?", "A. Lind did.")
    assert not asks_itself(text, "Is Brackwater stable?", "A. Lind did.")
    assert not asks_itself(text, "Is Brackwater stable?", "")
    assert not asks_itself(text, "What has stood for ninety years?", "The quay")
    listed = f"- Is Brackwater stable?\n- Who built the quay?\n\n{text}"
    assert asks_itself(listed, "Who built the quay?", "A. Lind did.")
    assert not asks_itself(listed, "Is Brackwater stable?", "A. Lind did.")


@pytest.mark.parametrize("title", ["FAQ", "Frequently asked questions"])
def test_a_page_without_a_name_asks_what_is_clear_without_it(generated: Generate, title: str) -> None:
    assert generated(PAGE.replace("Frequently asked questions about membership", title)).of("own_question") == [
        ("Can I bring my own bicycle to the campsite?", "Bicycles are free, but have to be locked at night."),
        ("When is the reception of the campsite open?", "From eight to noon. In July it is open until six."),
    ]


def test_a_heading_that_asks_with_all_that_stands_below(generated: Generate) -> None:
    text = (
        "# Harbour museum\n\nThe museum is on the quay.\n\n## Can visitors bring a dog to the museum?\n\n"
        "Dogs are welcome in these rooms:\n\n- the hall\n- the yard\n\nThey must be kept on a lead.\n\n"
        "## How to get here\n\nBy tram.\n"
    )
    ((question, answer),) = generated(text).of("own_question")
    assert question == "Can visitors bring a dog to the museum?"
    assert answer == "Dogs are welcome in these rooms: the hall; the yard. They must be kept on a lead."


@pytest.mark.parametrize(
    ("heading", "answer"),
    [
        ("Why is it so slow?", "The pump has to fill the pan first, which takes a minute."),
        (
            "Which tickets does the harbour museum sell?",
            "There are two:\n\n| child | 4 |\n| --- | --- |\n| both | 9 |",
        ),
        ("How do you start your day in the bakery?", "I get up at three. I light the oven first."),
        ("How can I stop the pump of a Brine pan?", "Press the red button. See Deployment for an example of a pump."),
        ("What happens when the pan is full?", ""),
        ("Any questions about the pumps of the works?", "Ask the foreman of the day at the gate."),
        ("Did you know that the pan of the works moves?", "It moves by a hand a year."),
        (
            "How do I install the pump of the works?",
            "Download the plan.\n\n    pump --install\n\nThen run it.",
        ),
        ("What happens when the pan of the works is full?", "It has consequences:"),
        ("What happens when the pan of the works is full?", "The pump stops. " * 60),
    ],
)
def test_what_is_left_out(generated: Generate, heading: str, answer: str) -> None:
    page = (
        f"# Brine works\n\nThe Brine works are on the quay.\n\n## {heading}\n\n{answer}\n\n## More\n\nOf that later.\n"
    )
    assert generated(page).of("own_question") == []


def test_a_question_in_running_text_is_rhetorical(generated: Generate) -> None:
    page = "# Tides\n\nWhy does the water of the bay rise twice a day? The moon pulls at it from one side.\n"
    assert generated(page).of("own_question") == []


@pytest.mark.parametrize("verb", ["install", "control", "sell", "enroll", "set up"])
def test_a_verb_is_spelled_as_its_heading_spells_it(generated: Generate, verb: str) -> None:
    gerund = {"control": "Controlling", "set up": "Setting up"}.get(verb, f"{verb.capitalize()}ing")
    told = f"To {verb} the old pump, you open the lid first."
    page = f"# Pumps\n\nA pump lifts water.\n\n## {gerund} the old pump\n\n{told}\n"
    found = [question for question, _ in generated(page, widely=True).of("own_question")]
    assert found == [f"How do I {verb} the old pump?"]


def test_terms_may_ask(generated: Generate) -> None:
    html = (
        "<html><head><title>Help</title></head><body><h1>Help</h1><dl><dt>Where are the settings of the loom kept?</dt>"
        "<dd>In the folder of the user, under looms.</dd></dl></body></html>"
    )
    assert generated(html, html=True).of("own_question") == [
        ("Where are the settings of the loom kept?", "In the folder of the user, under looms.")
    ]


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("How to renew your permit", "How do I renew my permit?"),
        ("When to call the office", "When should I call the office?"),
        ("Where to find the key", "Where do I find the key?"),
        ("What to do if you lose your card", "What should I do if I lose my card?"),
        ("What you need to apply for a loan", "What do I need to apply for a loan?"),
        ("When you can cancel a booking", "When can I cancel a booking?"),
        ("How the deposit works", "How does the deposit work?"),
        ("How refunds work", "How do refunds work?"),
        ("Who can apply for a bursary", "Who can apply for a bursary?"),
        ("What is covered", "What is covered?"),
        ("How to Renew Your Permit", ""),  # which of the capitals are names?
        ("How we choose suppliers", ""),
        ("How your pension works", "How does my pension work?"),
        ("Who you are", ""),
        ("Who are you", ""),
        ("What works", ""),
        ("Renewing a permit", ""),
    ],
)
def test_headings_that_tell_what_they_ask(heading: str, question: str) -> None:
    assert asked_by(heading) == question


def test_capitals_of_a_title_are_kept_where_they_are_names(generated: Generate) -> None:
    text = (
        "# Permits\n\nPermits are given by the office in Kalvik.\n\n## How to Renew Your Fishing Permit in Kalvik\n\n"
        "Bring the old one to the office. It is stamped there.\n"
    )
    ((question, _),) = generated(text).of("own_question")
    assert question == "How do I renew my fishing permit in Kalvik?"


@pytest.mark.parametrize(
    ("heading", "told", "question"),
    [
        ("Renewing a permit", "Bring your old permit to the office.", "How do I renew a permit?"),
        ("Return a permit", "You have to call the desk before nine.", "How do I return a permit?"),
        ("Report an absence", "You have to call the desk before nine.", "How do I report an absence?"),
        ("Report your absence", "You have to call the desk before nine.", ""),  # from what?
        (
            "Report your absence from a course of the office",
            "You have to call the desk before nine.",
            "How do I report my absence from a course of the office?",
        ),
        ("Return a permit From abroad", "You have to call the desk.", "How do I return a permit from abroad?"),
        ("Renewing a permit", "Most permits are renewed in spring by the office.", ""),  # says nothing of how
        ("Training", "You have to attend two courses a year.", ""),
        ("Opening hours of the desk", "You can come at any time.", ""),
        ("Living in Kalvik", "Your neighbours are fishermen.", ""),
        ("Having a dog", "Your dog has to be kept on a lead.", ""),
        ("Watch your step", "You may fall.", ""),
    ],
)
def test_headings_that_name_a_task(generated: Generate, heading: str, told: str, question: str) -> None:
    text = f"# Permits\n\nPermits are given by the office.\n\n## {heading}\n\n{told} It is open all day long.\n"
    found = [asked for asked, _ in generated(text).of("own_question")]
    assert [each.removeprefix("According to “Permits”, h").removeprefix("H") for each in found] == [
        each.removeprefix("H") for each in filter(None, [question])
    ]


@pytest.mark.parametrize(
    ("heading", "told", "even"),
    [
        ("Insert a graphic From a file", "", "Insert a graphic from a file"),
        ("Apply a Character style", "Take a character style.", "Apply a character style"),
        ("Apply a Character style", "", "Apply a Character style"),
        ("What's New in GNU/Linux", "It has new parts.", "What's new in GNU/Linux"),
        ("Write to Ada Moss", "The desk of Ada Moss is here.", "Write to Ada Moss"),
        ("When I call", "", "When I call"),
        ("Permits", "", "Permits"),
    ],
)
def test_odd_capitals_of_a_heading(heading: str, told: str, even: str) -> None:
    assert even_heading(heading, told) == even


def test_an_initial_and_a_number_are_no_labels(generated: Generate) -> None:
    text = (
        "# Harbour museum\n\nThe museum is on the quay.\n\n## 1.2.3 Who founded the harbour museum?\n\n"
        "A. Lind founded the museum in 1860.\n\n## 2.5 percent: what does the loan of the museum cost?\n\n"
        "Nothing at all.\n"
    )
    found = dict(generated(text).of("own_question"))
    assert found["Who founded the harbour museum?"] == "A. Lind founded the museum in 1860."
    assert not [question for question in found if question.startswith("5 percent")]


def test_a_page_of_plain_text(generated: Generate) -> None:
    text = (
        "Weftline Frequently Asked Questions\n===================================\n\n"
        "1.1. What is the largest pattern that Weftline can open?\n\n   The limit is 4096 picks.\n\n"
        "1.2) How often are updates of the loom software released?\n   A new version appears every six weeks.\n"
        "   Fixes come\n   out as soon as they are ready.\n\n"
        "[4] Does the loom of Weftline need a network?\n\nNo. It works without.\n\n"
        "* Can the loom be shared between two people?\n  Yes. Each user has a profile.\n"
    )
    found = {
        question.removeprefix("According to the "): answer for question, answer in generated(text).of("own_question")
    }
    assert found["What is the largest pattern that Weftline can open?"] == "The limit is 4096 picks."
    assert found["How often are updates of the loom software released?"] == (
        "A new version appears every six weeks. Fixes come out as soon as they are ready."
    )
    assert found["Does the loom of Weftline need a network?"] == "No. It works without."
    assert found["Can the loom be shared between two people?"] == "Yes. Each user has a profile."


def test_the_verifier_has_no_say_in_whether_a_page_answers_what_it_asks_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Is Brackwater stable?\n\nThe quay has stood for ninety years."
    asked: list[str] = []

    def doubtful(_: object, items: Sequence[QuestionOnText]) -> list[Answered]:
        asked.extend(each.question for each in items)
        return [Answered(0.0, 0.5)] * len(items)

    for module in (labelling, critique):
        monkeypatch.setattr(module, "answered", doubtful)
    own, other = "Is Brackwater stable?", "How long has the quay stood?"
    pairs = [Pair(context=text, question=each, answer="The quay has stood for ninety years.") for each in (own, other)]
    labels = labelling.HANDLERS["label"](cast("Encoder", None), pairs)
    assert [each.value.label for each in labels if each.value] == ["fact_single", "unanswerable"]
    rated = [CritiquedPair(**pair.model_dump()) for pair in pairs]
    ratings = critique.HANDLERS["critique_question_groundedness"](cast("Encoder", None), rated)
    assert [each.value.rating for each in ratings if each.value] == [5, 1]
    assert asked[:2] == [own, other]  # the label asks how the page answers, not whether


@pytest.mark.parametrize(
    ("title", "question"),
    [
        ("Take a screenshot", "How do I take a screenshot?"),
        ("Why is the GNOME Classic panel empty?", "Why is the GNOME Classic panel empty?"),
    ],
)
def test_the_title_of_a_page_asks_too(generated: Generate, title: str, question: str) -> None:
    text = f"# {title}\n\nYou press the Print key in GNOME Classic. The picture is kept in your home folder.\n"
    found = dict(generated(text).of("own_question"))
    assert found == {question: "You press the Print key in GNOME Classic. The picture is kept in your home folder."}


def test_steps_answer_what_is_to_be_done(generated: Generate) -> None:
    introduction = " ".join(["You may want to keep a picture of the screen of your computer."] * 20)
    text = f"# Take a screenshot\n\n{introduction}\n\nTo take one:\n\n1. Press the Print key.\n2. Choose your window.\n"
    ((_, answer),) = generated(text).of("own_question")
    assert answer == "To take one: Press the Print key. Choose your window."


def test_a_checklist_asks_its_reader(generated: Generate) -> None:
    text = "# Questions before an upload\n\nHave you told the maintainer?\n\nA mail is enough, sent a week before.\n"
    assert generated(text).of("own_question") == []


@pytest.mark.parametrize(
    ("told", "is_asked"),
    [
        ("It is an album of two pianists, and was recorded in the winter of that year.", False),
        ("Lift the lid. Then turn the screw to the left until it stops.", True),
        ("You lift the lid and turn the screw to the left until it stops.", True),
    ],
)
def test_a_title_that_tells_how_is_asked_where_the_page_does(generated: Generate, told: str, is_asked: bool) -> None:
    found = generated(f"# How to turn the moon\n\n{told}\n").of("own_question")
    assert bool(found) is is_asked
