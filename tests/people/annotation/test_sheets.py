"""What annotators see, and that they are blind to what models said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragassay.errors import InputError, UsageError
from ragassay.people.annotation.sheets import TASKS, sheets_of
from ragassay.records import Example, Prediction, Span, to_json
from ragassay.tasks.critique import CRITIQUES


def made(system: str) -> list[Prediction]:
    return [
        Prediction(example_id=f"q{number}", system=system, chunks=(), answer=f"{system} says {number}")
        for number in range(6)
    ]


@pytest.mark.parametrize("task", [name for name, task in TASKS.items() if not task.is_of_documents])
def test_nothing_of_what_models_said_is_on_a_sheet(task: str, examples: list[Example]) -> None:
    predictions = [made("one"), made("two")][: TASKS[task].n_predictions]
    shown = " ".join(each.text for sheet in sheets_of(task, examples, *predictions) for each in sheet.shown)
    assert "statements" not in shown
    assert "embedded" not in shown
    assert "summary" not in shown  # the verified label


def test_without_a_reference_answer_only_what_can_be_rated_is_asked(examples: list[Example]) -> None:
    said = {each.name: each.ask for each in sheets_of("critique", examples)[0].asked}
    tautology = said.pop("critique:tautology")
    assert all(ask.endswith("(1 no, 5 yes)") for ask in said.values())
    assert tautology.startswith("1: ")  # is no question, and says what its ratings mean
    assert "(1 no" not in tautology
    asked = {each.name for each in sheets_of("critique", [replace(examples[0], answer="")])[0].asked}
    assert asked == {f"critique:{name}" for name in CRITIQUES} - {"critique:answer_groundedness", "critique:tautology"}


def test_swapping_exchanges_answers_and_keeps_what_a_choice_means(examples: list[Example]) -> None:
    sheet = sheets_of("preference", examples, made("one"), made("two"))[0]
    swapped = sheet.swapped()
    assert [(each.heading, each.text, each.side) for each in swapped.shown[-2:]] == [
        ("Answer 1", "two says 0", "second"),
        ("Answer 2", "one says 0", "first"),
    ]
    chosen = {option.text: option.value for option in swapped.asked[0].options}
    assert chosen == {"Answer 1 is better": "second", "Answer 2 is better": "first", "Neither is better": "tie"}
    assert swapped.swapped() == sheet
    assert to_json(swapped) != to_json(sheet)


def test_examples_without_what_is_needed_are_left_out(examples: list[Example], bare_example: Example) -> None:
    assert len(sheets_of("label", [*examples, bare_example])) == 6
    with pytest.raises(InputError, match="none of the 1 examples has what the task label needs: a context"):
        sheets_of("label", [bare_example])
    with pytest.raises(UsageError, match="unknown task 'labels'; choose one of label, critique, quality"):
        sheets_of("labels", examples)


def test_abstentions_without_words_are_judged_as_metrics_score_them_and_failures_are_not(
    examples: list[Example],
) -> None:
    ways = ({"abstained": True}, {"answer": " "}, {"error": "down"}, {"abstained": True, "error": "down"}, {})
    made = [
        Prediction(example_id=example.id, system="s", chunks=(), **way)  # type: ignore[arg-type]
        for example, way in zip(examples, ways, strict=False)
    ]
    sheets = sheets_of("correctness", examples, made)
    assert [(each.subject_id, each.shown[-1].text) for each in sheets] == [
        ("q0@s", "The system did not answer."),
        ("q1@s", "The system did not answer."),
    ]


def test_who_judges_an_answer_sees_the_passages_of_its_reference(examples: list[Example]) -> None:
    span = Span(document_id="d", start=0, end=9, text="It is 40.")
    (sheet,) = sheets_of("correctness", [replace(examples[0], references=(span,))], made("one"))
    assert ("References", "It is 40.") in [(each.heading, each.text) for each in sheet.shown]
