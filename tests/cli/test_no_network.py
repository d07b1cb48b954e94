"""With the embedded model nothing leaves the machine: as the system sees it, in every process."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ragassay

PACKAGE = Path(ragassay.__file__).parent
DOCUMENT = next((Path(__file__).parents[2] / "demo" / "knowledge_base" / "vessels").glob("*.md"))
_OPENED = re.compile(r'\b(?:openat|mkdir|mkdirat)\((?:AT_FDCWD, )?"([^"\n]+)", ([^)\n]*)(?:\) = \d| <unfinished)')
"""A call that another process interrupts ends on a later line; what it opens for is said before."""
_ADDRESS = re.compile(r'sa_family=AF_INET6?.*?"([^"]+)"')
_LOOPBACK = {"127.0.0.1", "::1"}


def addresses_of(log: Path, *arguments: str | Path) -> set[str]:
    """Where a Python process and all that it started connected or sent to. The test is skipped where none can see."""
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is not installed")
    calls = "connect,sendto,sendmsg,sendmmsg,openat,mkdir,mkdirat"
    traced = ("-f", "-qq", "--seccomp-bpf", "-s", "4096", "-e", f"trace={calls}", "-o", str(log))
    command = [strace, *traced, sys.executable, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if "Operation not permitted" in done.stderr:
        pytest.skip("no process may be watched here")
    assert done.returncode == 0, done.stderr
    return set(_ADDRESS.findall(log.read_text(errors="replace")))


def written(log: Path) -> set[Path]:
    """The files and folders that were made or opened for writing; devices are left out."""
    opened = _OPENED.finditer(log.read_text(errors="replace"))
    made = {Path(each[1]) for each in opened if "mkdir" in each[0] or re.search("O_WRONLY|O_RDWR|O_CREAT", each[2])}
    return {each for each in made if each.parts[:2] not in (("/", "dev"), ("/", "proc"))}


def test_nothing_but_this_machine_is_connected_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGASSAY_OFFLINE", "0")  # the weights are installed, so nothing is to be fetched
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    run, log = tmp_path / "run", tmp_path / "log"
    made = ("-m", "ragassay", "run", DOCUMENT, "--out", run, "--n", "2", "--processes", "2")
    assert addresses_of(log, *made) <= _LOOPBACK
    assert (run / "report.html").is_file()
    cache = Path(os.environ["RAGASSAY_CACHE"])
    found = written(log)
    assert run in {*found, *(parent for each in found for parent in each.parents)}
    assert not [each for each in found if not each.is_relative_to(run) and not each.is_relative_to(cache)]
    evaluated = ("-m", "ragassay", "evaluate", run, "--system", "rag", "--out", tmp_path / "answers", "--limit", "1")
    assert addresses_of(log, *evaluated) <= _LOOPBACK


def test_a_connection_would_be_seen(tmp_path: Path) -> None:
    send = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.9', 9))"
    assert addresses_of(tmp_path / "log", "-c", send) == {"127.0.0.9"}


def test_onnxruntime_is_imported_in_one_place_which_switches_its_telemetry_off() -> None:
    importing = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py") if _imports_onnxruntime(path)}
    assert importing == {"models/small/runtime.py"}


def _imports_onnxruntime(path: Path) -> bool:
    """Whether a module does so when it runs: not below ``if TYPE_CHECKING``."""
    text = path.read_text("utf-8")
    waiting: list[ast.AST] = [ast.parse(text)] if "onnxruntime" in text else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            named = [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
            if any(name.partition(".")[0] == "onnxruntime" for name in named):
                return True
        if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)):
            waiting += ast.iter_child_nodes(node)
    return False
