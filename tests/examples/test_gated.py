"""``examples/gated``: a change that breaks retrieval fails the gate, a harmless one passes; the action runs it."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

import ragassay
import ragassay.testing.answers  # what a test session imports within this process must still be there when it has ended
from ragassay.jobs.score.result import Evaluation

pytest_plugins = "pytester"
ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "examples" / "gated"
AS_IS = ("", "")
HARMLESS = ("K1, B = 1.5, 0.75", "K1, B = 1.2, 0.8")
BROKEN = ("reverse=True", "reverse=False")
CUT = ("places[:TOP_K]]", "places[TOP_K:]]")


def changed(folder: Path, change: tuple[str, str]) -> Path:
    """A copy of the sample with a change of the system."""
    shutil.copytree(SAMPLE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "runs"))
    code = (folder / "rag.py").read_text("utf-8")
    assert change[0] in code
    (folder / "rag.py").write_text(code.replace(*change, 1) if change[0] else code, "utf-8")
    return folder


def run_of(folder: Path) -> Evaluation:
    """The system of a copy, evaluated as the README says."""
    spec = importlib.util.spec_from_file_location("rag", folder / "rag.py")
    assert spec is not None
    assert spec.loader is not None
    rag: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rag)
    answer: Callable[[str], Any] = rag.answer
    return ragassay.evaluate(folder / "set.jsonl", answer, ["recall@3", "token_f1"], out=folder / "runs" / "now")


@pytest.mark.parametrize(
    ("change", "verdicts"),
    [
        (AS_IS, ["passed", "passed"]),
        (HARMLESS, ["passed", "passed"]),
        (BROKEN, ["failed", "failed"]),
        (CUT, ["failed", "failed"]),
    ],
)
def test_the_gate(tmp_path: Path, change: tuple[str, str], verdicts: list[str]) -> None:
    folder = changed(tmp_path, change)
    run_of(folder)
    found = ragassay.gate(
        folder / "runs" / "now", **tomllib.loads((folder / "ragassay.toml").read_text("utf-8"))["gate"]
    )
    assert [row.verdict for row in found.rows] == verdicts
    assert bool(found) == (verdicts == ["passed", "passed"])


def test_against_the_run_before(tmp_path: Path) -> None:
    before = run_of(changed(tmp_path / "before", AS_IS))
    worse = run_of(changed(tmp_path / "worse", BROKEN))
    same = run_of(changed(tmp_path / "same", HARMLESS))
    assert not ragassay.gate(worse, baseline=before, max_drop={"recall@3": 0.1})
    assert ragassay.gate(same, baseline=before, max_drop={"recall@3": 0.1})


@pytest.mark.parametrize(("change", "passed"), [(AS_IS, 30), (BROKEN, 0)])
def test_the_pytest_file(pytester: pytest.Pytester, change: tuple[str, str], passed: int) -> None:
    changed(pytester.path, change)
    found = pytester.runpytest_inprocess("-p", "ragassay.testing.plugin", "-p", "no:cacheprovider")
    found.assert_outcomes(passed=passed, failed=30 - passed)
    found.stdout.re_match_lines([rf"recall@3 +{passed // 30}.000 .* 30 of 30 +{30 - passed}"])


def step_done(
    name: str, folder: Path, tools: Path, programs: dict[str, str], **given: str
) -> subprocess.CompletedProcess[str]:
    """A step of the action, as a runner does it. programs: shell scripts that stand in for commands."""
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    (step,) = (each for each in action["runs"]["steps"] if each.get("name") == name)
    assert step["shell"] == "bash"
    assert set(given) >= set(step["env"])
    tools.mkdir()
    (tools / "python").symlink_to(sys.executable)
    for program, script in programs.items():
        (tools / program).unlink(missing_ok=True)
        (tools / program).write_text(f"#!/bin/sh\n{script}\n")
        (tools / program).chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),
        **given,
    }
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_action_runs_the_gate(tmp_path: Path) -> None:
    folder = changed(tmp_path / "sample", BROKEN)
    run_of(folder)
    done = step_done(
        "Gate",
        folder,
        tmp_path / "bin",
        {"ragassay": f'exec "{sys.executable}" -m ragassay "$@"'},
        GITHUB_STEP_SUMMARY=str(tmp_path / "summary.md"),
        RUN="runs/now",
        ARGUMENTS="--junit 'a gate.xml' --coverage 0.9",
    )
    assert done.returncode == 9, done.stderr
    assert "Gate failed: 2 of 2 conditions failed" in (tmp_path / "summary.md").read_text("utf-8")
    assert (folder / "a gate.xml").is_file()


def test_the_action_makes_the_run(tmp_path: Path) -> None:
    told = 'for each in "$@"; do echo "<$each>"; done; exit 3'
    done = step_done(
        "Make the run",
        tmp_path,
        tmp_path / "bin",
        {"ragassay": told},
        ARGUMENTS="run 'my docs' --out runs/a $(date) ;x",
    )
    words = ["run", "my docs", "--out", "runs/a", "$(date)", ";x"]
    assert (done.stdout.split("\n")[:-1], done.returncode) == ([f"<{each}>" for each in words], 3)


def test_the_action_installs_the_weights_that_the_package_names(tmp_path: Path) -> None:
    told = 'for each in "$@"; do echo "<$each>"; done'
    done = step_done("Install Ragassay", tmp_path, tmp_path / "bin", {"python": told}, PACKAGE="/a place/of ours; x")
    assert done.returncode == 0, done.stderr
    words = done.stdout.split()
    assert "</a place/of ours; x>" in done.stdout
    weights = [word.strip("<>") for word in words if "==" in word]
    locked = (ROOT / "requirements" / "runtime.lock").read_text("utf-8")
    assert len(weights) == 3
    assert all(f"\n{each} " in f"\n{locked}" for each in weights)


@pytest.mark.parametrize("name", ["action.yml", ".github/workflows/gate.yml"])
def test_no_input_is_read_as_a_script(name: str) -> None:
    content = yaml.safe_load((ROOT / name).read_text("utf-8"))
    jobs = [content["runs"]] if "runs" in content else content["jobs"].values()
    scripts = [step["run"] for job in jobs for step in job["steps"] if "run" in step]
    assert not [each for each in scripts if "${{" in each]


def test_the_workflow_gives_the_action_what_it_takes() -> None:
    inputs = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["inputs"]
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "gate.yml").read_text("utf-8"))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"] if step["uses"] == "./"]
    assert len(steps) == 2
    for step in steps:
        assert set(step["with"]) <= set(inputs)
        assert (SAMPLE if "working-directory" in step["with"] else ROOT / "demo").is_dir()
    commands = re.findall(r"^ragassay evaluate (.*)$", (SAMPLE / "README.md").read_text("utf-8"), re.MULTILINE)
    assert steps[1]["with"]["command"] == f"evaluate {commands[0]}"
