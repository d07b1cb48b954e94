"""Questions that a document asks itself: kept as they stand, with the whole answer, or left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

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


def test_a_heading_that_asks_with_all_that_stands_below(generated: Generate) -> None:
    text = (
        "# Harbour museum\n\nThe museum is on the quay.\n\n## Can visitors bring a dog to the museum?\n\n"
        "Dogs are welcome in these rooms:\n\n- the hall\n- the yard\n\nThey must be kept on a lead.\n\n"
        "## How to get here\n\nBy tram.\n"
    )
    ((question, answer),) = generated(text).of("own_question")
    assert question == "Can visitors bring a dog to the museum?"
    assert answer == "Dogs are welcome in these rooms: the hall the yard They must be kept on a lead."


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


def test_terms_may_ask(generated: Generate) -> None:
    html = (
        "<html><head><title>Help</title></head><body><h1>Help</h1><dl><dt>Where are the settings of the loom kept?</dt>"
        "<dd>In the folder of the user, under looms.</dd></dl></body></html>"
    )
    assert generated(html, html=True).of("own_question") == [
        ("Where are the settings of the loom kept?", "In the folder of the user, under looms.")
    ]
