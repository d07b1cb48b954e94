"""What a page leaves open of the tasks that it explains."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Generate = Callable[..., Any]

PAGE = "# Renew your permit\n\n{}\n\n## The desk\n\nThe desk is on the ground floor. Please bring your old card.\n"


def misses(generated: Generate, told: str) -> set[str]:
    return {question for pattern, question in generated(PAGE.format(told)).misses if pattern.startswith("unstated_")}


def test_what_a_task_leaves_open(generated: Generate) -> None:
    found = misses(generated, "You fill in the form at the desk and hand it over with a photo.")
    assert found >= {
        "How long does it take to renew my permit?",
        "How much does it cost to renew my permit?",
        "How often should I renew my permit?",
        "Who do I contact if I cannot renew my permit?",
    }
    assert "Who is allowed to renew my permit?" not in found  # whose permit it is


def test_what_is_said_is_not_asked_without_the_verifier(generated: Generate) -> None:
    found = misses(generated, "You fill in the form at the desk and hand it over. It takes three days and costs £12.")
    assert found
    assert not {each for each in found if "take" in each or "cost" in each}
