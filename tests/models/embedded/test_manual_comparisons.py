"""Two statements of a manual put together; the expected answers are worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from ragassay.models.embedded.parameter_comparisons import milliseconds

Generate = Callable[..., Any]


def parameters(*entries: tuple[str, str]) -> str:
    listed = "".join(f"<dt>{name}</dt><dd><p>{text}</p></dd>" for name, text in entries)
    return (
        "<html><head><title>Log settings</title></head><body><h1>Log settings</h1><h2>Parameters</h2>"
        f"<dl>{listed}</dl><p>After the list.</p></body></html>"
    )


START = "This parameter can only be set at server start."
FILE = "This parameter can only be set in the brine.conf file."


def test_conditions_that_differ(generated: Generate) -> None:
    found = generated(
        parameters(
            ("log_size_max (integer)", f"Sets the largest size. {START}"),
            ("log_room_max (integer)", f"Limits the room. {FILE}"),
        ),
        html=True,
    )
    ((question, answer),) = found.of("condition")
    assert question in {
        "Which of log_size_max and log_room_max can only be set at server start?",
        "Which of log_size_max and log_room_max can only be set in the brine.conf file?",
    }
    asked = "log_size_max" if "start" in question else "log_room_max"
    assert answer.startswith(f"{asked} (the other one only ")


def test_conditions_that_agree(generated: Generate) -> None:
    found = generated(
        parameters(
            ("log_size_max (integer)", f"Sets the largest size. {START}"),
            ("log_room_max (integer)", f"Limits the room. {START}"),
        ),
        html=True,
    )
    assert found.of("condition") == [
        (
            "Can log_size_max and log_room_max be set under the same conditions?",
            "Yes, both can only be set at server start",
        )
    ]


@pytest.mark.parametrize("other", ["It limits the room.", f"{FILE} {START}"])
def test_no_condition_is_made_up(generated: Generate, other: str) -> None:
    """Of one parameter nothing is said, or two things."""
    found = generated(
        parameters(
            ("log_size_max (integer)", f"Sets the largest size. {START}"),
            ("log_room_max (integer)", f"Limits. {other}"),
        ),
        html=True,
    )
    assert found.of("condition") == []


UNIT = "If this value is specified without units, it is taken as {}."


def test_units_and_defaults_without_them(generated: Generate) -> None:
    found = generated(
        parameters(
            ("log_wait_max (integer)", f"Sets a wait. {UNIT.format('milliseconds')} The default is 2 minutes."),
            ("log_keep_time (integer)", f"Sets a time. {UNIT.format('seconds')} The default is three seconds."),
        ),
        html=True,
    )
    assert found.of("same_unit") == [
        (
            "Is a value without units taken in the same unit for log_wait_max and log_keep_time?",
            "No, it is taken as milliseconds for log_wait_max and as seconds for log_keep_time",
        )
    ]
    # two minutes are 120 seconds are 120 000 milliseconds; three seconds are written 3, which nobody need work out
    assert found.of("default_without_unit") == [
        (
            "What number without units stands for the default value of log_wait_max?",
            "120000 (2 minutes, counted in milliseconds)",
        )
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("five minutes", 300_000), ("1 day", 86_400_000), ("250ms", 250), ("10 buffers", None), ("soon", None)],
)
def test_lengths_of_time(text: str, expected: int | None) -> None:
    assert milliseconds(text) == (None if expected is None else Decimal(expected))


@pytest.mark.parametrize(("default", "verdict"), [("0", "Yes"), ("60 seconds", "No"), ("-1", "No")])
def test_what_a_default_disables(generated: Generate, default: str, verdict: str) -> None:
    text = f"Sets the wait. A value of zero disables the watchdog. The default is {default}."
    found = generated(parameters(("log_wait_max (integer)", text), ("log_b_c (integer)", "Sets b.")), html=True)
    assert found.of("disabled_by_default") == [
        (
            "Does the default value of log_wait_max disable the watchdog?",
            f"{verdict}, that takes a value of zero, and the default is {default}",
        )
    ]


def test_room_above_a_default(generated: Generate) -> None:
    text = "Sets the number. Valid values are between 1 and 1,024. The default is 24."
    found = generated(parameters(("log_count_max (integer)", text), ("log_b_c (integer)", "Sets b.")), html=True)
    assert found.of("room_above_default") == [
        (
            "By how much does the largest allowed value of log_count_max exceed its default?",
            "By 1,000 (1,024 against 24)",
        )
    ]


def options(*entries: tuple[str, str]) -> str:
    return "# wal_keeper\n\nIt copies files.\n\n## Options\n\n" + "\n".join(
        f"{name}\n:   {text}\n" for name, text in entries
    )


def test_which_option_takes_an_argument(generated: Generate) -> None:
    found = generated(options(("`--jobs=njobs`", "Copies in parallel."), ("`--quiet`", "Does not print anything.")))
    ((question, answer),) = found.of("takes_argument")
    assert "wal_keeper options" in question
    assert {"--jobs", "--quiet"} <= set(question.split())
    assert answer.startswith("--jobs (it is written --jobs=njobs,")


@pytest.mark.parametrize("plain", ["`--quiet[=level]`", "`--help`"])
def test_arguments_that_may_be_left_out_are_not_asked_for(generated: Generate, plain: str) -> None:
    assert generated(options(("`--jobs=njobs`", "Copies."), (plain, "Prints."))).of("takes_argument") == []


def test_versions(generated: Generate) -> None:
    needs = "Prints it. This option is only available for servers running Brine {} and later."
    found = generated(options(("`--old-one`", needs.format("9.6")), ("`--new-one`", needs.format("12"))))
    # 12 is newer than 9.6 although 9 is the larger first sign
    assert found.of("newer_version") == [
        (
            "Which wal_keeper option needs a newer version of Brine, --old-one or --new-one?",
            "--new-one (Brine 12 or later, against Brine 9.6)",
        )
    ]
    same = generated(options(("`--old-one`", needs.format("12")), ("`--new-one`", needs.format("12"))))
    assert same.of("newer_version") == []


def test_introductions(generated: Generate) -> None:
    found = generated(
        options(("`ROOT_DIR`", "Added in version 3.18. The root."), ("`RAW_NAME`", "Added in version 3.7. The name."))
    )
    assert found.of("introduced_earlier") == [
        ("Which was added earlier to wal_keeper, ROOT_DIR or RAW_NAME?", "RAW_NAME (version 3.7, against 3.18)")
    ]


def test_same_result_and_more_arguments(generated: Generate) -> None:
    found = generated(
        parameters(
            ("tub_count ( depth integer, tub text ) → integer", "Counts the tubs of a depth."),
            ("tub_name ( text ) → text", "Returns the name of a tub."),
            ("tub_pick ( VARIADIC text[] ) → text", "Picks a tub."),
        ),
        html=True,
    )
    ((question, answer),) = found.of("same_result")
    assert {"tub_count", "tub_name"} <= set(question.rstrip("?").split())
    assert answer == "No, the first returns integer, the second text"
    assert found.of("more_arguments") == [
        ("Which function takes more arguments, tub_count or tub_name?", "tub_count (2 against 1)")
    ]
    assert "tub_pick" not in f"{found.of('same_result')}{found.of('more_arguments')}"


def test_overloaded_functions_are_not_compared(generated: Generate) -> None:
    found = generated(
        parameters(
            ("tub_count ( integer ) → integer", "Counts."),
            ("tub_count ( text, text ) → text", "Counts."),
            ("tub_name ( text ) → text", "Names."),
        ),
        html=True,
    )
    assert found.of("same_result") == found.of("more_arguments") == []


def test_the_entries_of_a_section_by_name(generated: Generate) -> None:
    ((question, answer),) = generated(
        parameters(("tub_name", "Names the tub."), ("tub_depth", "Tells how deep."), ("tub_hall", "Tells where.")),
        html=True,
    ).of("entry_names")
    assert question == "Which parameters are described for the log settings?"
    assert answer == "tub_name, tub_depth, tub_hall"


def test_a_file_name_is_a_default_as_a_whole(generated: Generate) -> None:
    text = "Specifies the file of the certificate. The default is brine.crt. Restart after a change."
    found = generated(parameters(("log_cert_file (string)", text), ("log_b_c (integer)", "Sets b.")), html=True)
    assert [answer for _, answer in found.of("default")] == ["brine.crt"]


def test_a_sentence_that_begins_with_a_name_in_small_letters(generated: Generate) -> None:
    found = generated(options(("`--mode=mode`", "Specifies the mode of leaving. mode can be fast or slow.")))
    assert found.of("meaning") == []


def test_which_option_has_a_short_form(generated: Generate) -> None:
    found = generated(options(("`-q`, `--quiet`", "Does not print."), ("`--color=when`", "Colours the lines.")))
    ((question, answer),) = found.of("has_short_form")
    assert question.startswith("Which of the wal_keeper options --")
    assert answer == "--quiet (it may be written -q, the other one in full only)"
    both = generated(options(("`-q`, `--quiet`", "Does not print."), ("`-c`, `--color=when`", "Colours the lines.")))
    assert both.of("has_short_form") == []


def test_what_an_argument_stands_for(generated: Generate) -> None:
    found = generated(
        parameters(
            ("tub_name", "The name of the tub."),  # says nothing that the question does not
            ("tub_hall", "The hall in which the tub stands at night."),
            ("tub_depth", "It is measured from the rim to the floor."),
        ),
        html=True,
    )
    assert found.of("argument") == [
        (
            "What does the parameter tub_hall of the log settings stand for?",
            "The hall in which the tub stands at night",
        )
    ]
