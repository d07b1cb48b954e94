"""``ragassay completion``: the words that each shell offers, asked of the shells that are installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]


def offered(script: Path, *words: str) -> set[str]:
    """What bash offers for the last word."""
    code = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ragassay; printf "%s\\n" "${COMPREPLY[@]}"'
    command = ["bash", "--norc", "-c", code, "bash", str(script), "ragassay", *words]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_offers_commands_options_and_files(cli: Cli, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text(cli("completion", "bash").out, "utf-8")
    assert offered(script, "ru") == {"run"}
    assert offered(script, "run", "docs", "--chunk") == {"--chunker", "--chunk-sizes"}
    assert offered(script, "judge", "") >= {"check", "repeat", "--help"}
    assert offered(script, "judge", "check", "--mod") == {"--model"}
    assert offered(script, "run", "check", "--se") == {"--seed"}
    assert offered(script, "run", "do") == set()  # bash then offers files


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_is_there_and_the_script_is_sound(cli: Cli, shell: str, tmp_path: Path) -> None:
    outcome = cli("completion", shell)
    assert (outcome.code, outcome.err) == (0, "")
    for word in ("doctor", "completion", "judge check", "chunk-sizes"):
        assert re.search(rf"[\s\"'-]{word}[\s\"':]", outcome.out), word
    script = tmp_path / "script"
    script.write_text(outcome.out, "utf-8")
    if shutil.which(shell):
        subprocess.run([shell, "-n", str(script)], check=True)


def test_another_shell_is_refused(cli: Cli) -> None:
    outcome = cli("completion", "tcsh")
    assert (outcome.code, outcome.err) == (
        2,
        "ragassay: SHELL: unknown shell 'tcsh'; choose one of bash, zsh, fish\n",
    )
