"""Functions of a manual compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Generate = Callable[..., Any]


def parameters(*entries: tuple[str, str]) -> str:
    listed = "".join(f"<dt>{name}</dt><dd><p>{text}</p></dd>" for name, text in entries)
    return (
        "<html><head><title>Log settings</title></head><body><h1>Log settings</h1><h2>Parameters</h2>"
        f"<dl>{listed}</dl><p>After the list.</p></body></html>"
    )


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
