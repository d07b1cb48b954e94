"""Programs under test: they answer in any order, talk beside the point, hang, crash and leave children behind."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragassay.pipeline.answer.loop import ask_system
from ragassay.records import Prediction
from ragassay.systems.base import Question, UnusableSystemError, reason_of
from ragassay.systems.command import CommandSystem
from ragassay.systems.options import CommandOptions

Answered = Callable[..., dict[str, Prediction]]
QUESTIONS = [Question(f"q{number}", f"Question {number}?") for number in range(5)]
OPENING = "import json, os, subprocess, sys, time\n"


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., CommandSystem]:
    def made(body: str, **options: Any) -> CommandSystem:
        (tmp_path / "program.py").write_text(OPENING + body)
        given = {"timeout_s": 120, **options}
        return CommandSystem(CommandOptions(command=f"{sys.executable} program.py", **given), tmp_path)

    return made


def test_answers_in_any_order_and_noise_between(command: Any, answered: Answered) -> None:
    system = command(
        """
print("loading the model ...")
asked = [json.loads(line) for line in sys.stdin]
for each in reversed(asked):
    print(json.dumps({"id": each["id"], "answer": each["question"].upper(), "contexts": ["one"]}))
    print("[1, 2]")
"""
    )
    made = answered(system, QUESTIONS)
    assert {name: each.answer for name, each in made.items()} == {q.id: q.text.upper() for q in QUESTIONS}
    assert [chunk.text for chunk in made["q0"].chunks] == ["one"]


def test_a_crash_costs_the_question_that_causes_it(command: Any, answered: Answered) -> None:
    system = command(
        """
for line in sys.stdin:
    each = json.loads(line)
    if each["id"] == "q2":
        sys.stderr.write("Traceback ... cannot do q2")
        sys.exit(7)
    print(json.dumps({"id": each["id"], "answer": "fine"}))
"""
    )
    made = answered(system, QUESTIONS)
    assert [name for name, each in made.items() if each.error] == ["q2"]
    assert made["q2"].error == "command died: exit code 7, saying 'Traceback ... cannot do q2'"


def test_a_hang_costs_the_question_that_causes_it_and_takes_the_children_along(
    answered: Answered, tmp_path: Path
) -> None:
    # By the shell: the time for an answer holds its start too, and Python may take seconds for that on a busy machine.
    (tmp_path / "program.sh").write_text(
        """
while read -r line; do
    case "$line" in *q1*) sleep 600 & echo $! >> children; sleep 600;; esac
    echo '{"answer": "fine"}'
done
"""
    )
    system = CommandSystem(CommandOptions(command="sh program.sh", timeout_s=2.0), tmp_path)
    made = answered(system, QUESTIONS)
    assert [(name, reason_of(each.error)) for name, each in made.items() if each.error] == [("q1", "time-out")]
    for child in (tmp_path / "children").read_text().split():
        assert _is_gone(int(child))


def test_a_program_that_never_stops_talking_is_stopped_by_the_clock(answered: Answered, tmp_path: Path) -> None:
    system = CommandSystem(CommandOptions(command="yes", timeout_s=0.5), tmp_path)
    begun = time.monotonic()
    with pytest.raises(UnusableSystemError, match=r"time-out: no further answer within 0.5 s; \d+ lines of its output"):
        answered(system, QUESTIONS)
    assert time.monotonic() - begun < 60  # three processes, half a second each, on a busy machine


@pytest.mark.parametrize(
    ("body", "reason", "detail"),
    [
        (
            "for line in sys.stdin:\n    if 'q0' in line: print('no JSON')\n"
            "    else: print(json.dumps({'id': json.loads(line)['id'], 'answer': 'fine'}))",
            "no answer",
            "could not be used, the first being 'no JSON'",
        ),
        (
            "for line in sys.stdin:\n    i = json.loads(line)['id']\n"
            "    print(json.dumps({'id': i, 'error': 'out of memory'} if i == 'q0' else {'id': i, 'answer': 'fine'}))",
            "error reported by the system",
            "out of memory",
        ),
        (
            "for line in sys.stdin:\n    i = json.loads(line)['id']\n"
            "    print(json.dumps({'id': i, 'status': 1} if i == 'q0' else {'id': i, 'answer': 'fine'}))",
            "no answer in the line",
            "but no answer; give its place with answer=PLACE",
        ),
    ],
)
def test_lines_that_are_no_answer(command: Any, answered: Answered, body: str, reason: str, detail: str) -> None:
    made = answered(command(body), QUESTIONS)
    assert [name for name, each in made.items() if each.error] == ["q0"]
    assert made["q0"].error.startswith(f"{reason}: ")
    assert detail in made["q0"].error


def test_what_a_program_repeats_of_the_environment_is_masked(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-Zq81x5Ab")
    system = command(
        """
for line in sys.stdin:
    asked = json.loads(line)
    if asked["id"] == "q1":
        sys.exit("x" * 1980 + (" the key is " + os.environ["SOME_API_KEY"]) * 90)
    print(json.dumps({"answer": os.environ["SOME_API_KEY"], "contexts": [os.environ["SOME_API_KEY"]]}))
""",
        batch=1,
    )
    made: list[Prediction] = []
    asyncio.run(ask_system(system, QUESTIONS[:2], made.append))
    assert (made[0].answer, [chunk.text for chunk in made[0].chunks]) == ("[key]", ["[key]"])
    assert (made[1].error or "").endswith("the key is [key] the key is [key]'")
    assert "Zq81" not in repr(made)


def _is_gone(process: int) -> bool:
    for _ in range(1200):
        try:
            os.kill(process, 0)
            if " Z " in Path(f"/proc/{process}/stat").read_text():
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False
