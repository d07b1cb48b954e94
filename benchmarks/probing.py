"""How a probe runs a command of Ragassay and sees what it took."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

CPU_S, PEAK_MB, CLOCK_S = 30.0, 2_000, 90.0
"""More than this, beside one small file, is a fault."""
TEXT = "# Opening\n\nThe archive opens at nine and closes at five. Visitors pay 3 euros at the desk.\n"


class CannotTryError(Exception):
    """What a probe needs is not there."""


class Ended(NamedTuple):
    """code: None where it had to be killed. cpu_s and peak_mb: of the process and those that it waited for."""

    code: int | None
    out: str
    err: str
    cpu_s: float
    peak_mb: float

    def wrong(self, *codes: int, most_cpu_s: float = CPU_S) -> str:
        """What is wrong with it, when it was to end with one of these codes."""
        said = f"{self.err[-250:]!r}"
        if self.code is None:
            return f"it did not end within its time, saying {said}"
        if "Traceback" in self.err or "Traceback" in self.out:
            return f"a traceback, ending {said}"
        if self.code not in codes:
            return f"exit code {self.code}, saying {said}"
        if self.cpu_s > most_cpu_s:
            return f"{self.cpu_s:.0f} s of the processor"
        return f"{self.peak_mb:,.0f} MB" if self.peak_mb > PEAK_MB else ""


class Place(NamedTuple):
    """Where a probe works: a folder of its own, which is its home too, and a cache folder that all share."""

    folder: Path
    cache: Path
    environment: Mapping[str, str]

    def variables(self) -> dict[str, str]:
        own = {"HOME": str(self.folder), "RAGASSAY_CACHE": str(self.cache), "RAGASSAY_OFFLINE": "1"}
        unset = {"ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME", "OPENAI_API_KEY"}
        return {"RAGASSAY_SMALL_MODEL": "off"} | {k: v for k, v in self.environment.items() if k not in unset} | own

    def ragassay(self, *arguments: object, **options: object) -> Ended:
        return self.python("-m", "ragassay", *arguments, **options)

    def python(
        self,
        *arguments: object,
        within_s: float = CLOCK_S,
        before: tuple[str, ...] = (),
        out: Path | None = None,
        **variables: str,
    ) -> Ended:
        """before: a command in front of Python's; out: what standard output goes to."""
        command = [*before, sys.executable, *map(str, arguments)]
        outputs = self.folder / ".out", self.folder / ".err"
        with (out or outputs[0]).open("wb") as output, outputs[1].open("wb") as error:
            process = subprocess.Popen(
                command,
                cwd=self.folder, env=self.variables() | variables, stdin=subprocess.DEVNULL, stdout=output,
                stderr=error, start_new_session=True,
            )  # fmt: skip
            killed = threading.Event()

            def kill() -> None:
                killed.set()
                os.killpg(process.pid, signal.SIGKILL)

            timer = threading.Timer(within_s, kill)
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
        said = "" if out else outputs[0].read_text("utf-8", "replace")
        return Ended(
            None if killed.is_set() else process.returncode,
            said,
            outputs[1].read_text("utf-8", "replace"),
            usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss / 1e3,
        )

    def documents(self) -> Path:
        """A folder with one good document."""
        folder = self.folder / "docs"
        folder.mkdir(exist_ok=True)
        (folder / "good.md").write_text(TEXT)
        return folder

    def set_of_one(self) -> Path:
        path = self.folder / "set.jsonl"
        one = {"user_input": "When does it open?", "reference": "At nine.", "reference_contexts": [TEXT]}
        path.write_text(json.dumps(one) + "\n")
        return path

    def run(self) -> Path:
        """A finished run of a document with examples."""
        vessels = Path(__file__).parents[1] / "demo" / "knowledge_base" / "vessels"
        ended = self.ragassay("run", min(vessels.glob("*.md")), "--out", self.folder / "run", "--n", 3)
        if ended.code not in (0, 5):
            raise RuntimeError(ended.err)
        return self.folder / "run"

    @contextmanager
    def serving(self, *arguments: object, before: tuple[str, ...] = ()) -> Iterator[dict[str, object]]:
        """A command that serves pages, until the end of the block: what it printed as JSON."""
        command = [*before, sys.executable, "-m", "ragassay", *map(str, arguments), "--port", "0", "--json"]
        process = subprocess.Popen(
            command, cwd=self.folder, env=self.variables(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, start_new_session=True,
        )  # fmt: skip
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())
        finally:
            os.killpg(process.pid, signal.SIGINT)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


Probe = Callable[[Place], str]


def is_running(words: str) -> bool:
    """Whether a process has just these words as its command line."""
    time.sleep(0.5)  # what was just killed may still be listed
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip() == words:
                return True
        except OSError:
            continue
    return False
