"""Questions whose answer is inferred: each case gives a sentence, the question that follows from it, and the answer."""

from __future__ import annotations

import pytest

from ragassay.models.embedded.prose.reasoning import SOURCES, reasoning_drafts, source
from ragassay.models.embedded.prose.reasoning.bounds import beyond
from ragassay.models.embedded.prose.reasoning.clock import clock
from ragassay.models.embedded.prose.reasoning.phrasing import third_person
from ragassay.models.embedded.prose.reasoning.spans import When, years_between
from ragassay.tasks.statements import Passage

CASES = [
    (
        "forbidden",
        "Tenants must not sublet the flat without permission from the landlord.",
        "May tenants sublet the flat without permission from the landlord?",
        "No",
    ),
    (
        "forbidden",
        "You cannot log in until your account has been activated.",
        "Can I log in before my account has been activated?",
        "No",
    ),
    (
        "only",
        "Only members of the board may sign contracts.",
        "May anybody other than members of the board sign contracts?",
        "No",
    ),
    (
        "needed_for",
        "To use the van, you need a driving licence and a key from reception.",
        "Can I use the van without a driving licence?",
        "No",
    ),
    (
        "goes_without",
        "You can search the catalogue without an account.",
        "Do I need an account to search the catalogue?",
        "No",
    ),
    (
        "threshold",
        "If a trip costs more than €500, you must get approval from your manager.",
        "If a trip costs €650, do I have to get approval from my manager?",
        "Yes",
    ),
    ("ceiling", "A meeting room can hold at most eight people.", "Can a meeting room hold eleven people?", "No"),
    (
        "floor",
        "Employees must give at least four weeks' notice.",
        "Is it enough if employees give two weeks' notice?",
        "No",
    ),
    (
        "interval",
        "Passwords must be changed every 90 days.",
        "Is it enough if passwords are changed every 120 days?",
        "No",
    ),
    (
        "therefore",
        "We moved all backups to a second site. As a result, a fire in the office no longer threatens our data.",
        "Why does a fire in the office no longer threaten our data?",
        "Because we moved all backups to a second site.",
    ),
    (
        "otherwise",
        "The deposit must be paid by Friday. Otherwise, the room is given to someone else.",
        "What happens if the deposit is not paid by Friday?",
        "The room is given to someone else.",
    ),
    (
        "difference",
        "A standard room costs €80 and a suite costs €120.",
        "How much more does a suite cost than a standard room?",
        "€40 more",
    ),
]


def _drafts(text: str) -> list[tuple[str, str, str]]:
    found = reasoning_drafts([Passage(title="", text=text, language="en")], [""])[0]
    return [(draft.form, draft.question, draft.answer) for draft in found]


@pytest.mark.parametrize(("form", "text", "question", "answer"), CASES)
def test_a_source_asks_what_follows(form: str, text: str, question: str, answer: str) -> None:
    drafts = {asked: (name, told) for name, asked, told in _drafts(text)}
    assert question in drafts, drafts
    assert drafts[question][0] == form
    assert drafts[question][1].startswith(answer)


@pytest.mark.parametrize(
    "text",
    [
        "Metrics may not be important to you.",  # how things may be, no rule
        "The form is not necessarily needed for every visit.",
        "The sale not only hurts the buyers of the shop.",
        "They must not open it.",  # pronouns that nothing explains
        "The lake was not deep in those years.",
    ],
)
def test_what_is_no_rule_gives_no_question(text: str) -> None:
    assert _drafts(text) == []


def test_quotes_are_verbatim_and_hold_both_sentences() -> None:
    text = "The deposit must be paid by Friday. Otherwise, the room is given to someone else."
    draft = next(d for d in reasoning_drafts([Passage(title="", text=text)], [""])[0] if d.form == "otherwise")
    assert [text[start:end] for start, end in draft.quotes] == [
        "The deposit must be paid by Friday.",
        "Otherwise, the room is given to someone else.",
    ]
    assert draft.features["statements"] == 2


def test_every_draft_has_an_acceptability_between_0_and_1() -> None:
    for _, text, _, _ in CASES:
        for draft in reasoning_drafts([Passage(title="", text=text)], [""])[0]:
            assert 0 < draft.acceptability < 1


def test_passages_and_themes_must_agree_in_number() -> None:
    with pytest.raises(ValueError, match="1 passages, but 0 themes"):
        reasoning_drafts([Passage(title="", text="Nothing.")], [])


def test_two_sources_of_one_name_are_refused() -> None:
    name = next(iter(SOURCES))
    with pytest.raises(ValueError, match=name):
        source(name, infers="", example="", accepted=0.5)(lambda reading: iter(()))


@pytest.mark.parametrize(
    ("value", "up", "key", "expected"),
    [
        (3, True, 0, 4),  # small counts: one or two more
        (8, True, 1, 11),
        (30, True, 1, 40),  # 42, rounded to fives
        (500, True, 1, 700),
        (12, False, 0, 8),  # 8.4, rounded to ones
        (2, False, 0, 1),
        (1, False, 0, None),  # nothing below one
    ],
)
def test_cases_lie_clear_of_the_bound(value: float, up: bool, key: int, expected: float | None) -> None:
    assert beyond(value, up=up, key=key) == expected


def test_years_between_counts_birthdays_where_days_are_known() -> None:
    born = When(1961, 11, 13, ())
    assert years_between(born, When(2020, 11, 12, ())) == (58, True)  # the day before the 59th birthday
    assert years_between(born, When(2020, 11, 13, ())) == (59, True)
    assert years_between(When(1961, 0, 0, ()), When(2020, 0, 0, ())) == (59, False)


def test_times_of_day_keep_the_style_of_the_text() -> None:
    five = clock("5", None, "p")
    assert five is not None
    assert (five.minutes, five.written(17 * 60 + 45)) == (1020, "5:45 p.m.")
    assert clock("9", None, None) is None  # nine what?
    assert clock("25", "00", None) is None


def test_third_person() -> None:
    assert [third_person(verb) for verb in ("have", "carry", "pay", "reach", "give")] == [
        "has",
        "carries",
        "pays",
        "reaches",
        "gives",
    ]
