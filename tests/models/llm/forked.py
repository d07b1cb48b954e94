"""Scripts in processes of their own that begin at once: forked from one that has imported what takes long."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

_PARENT = """
import json, os, sys
import ragassay.cli, spacy, tokenizers, works  # not onnxruntime: its threads cannot be forked
for line in sys.stdin:
    asked = json.loads(line)
    if "pid" in asked:
        pid, status = os.waitpid(asked["pid"], os.WNOHANG)
        print(json.dumps(os.waitstatus_to_exitcode(status) if pid else None), flush=True)
        continue
    pid = os.fork()
    if pid == 0:
        break
    print(pid, flush=True)
else:
    os._exit(0)
for number, name in enumerate((os.devnull, asked["out"], asked["err"])):
    os.dup2(os.open(name, os.O_WRONLY if number else os.O_RDONLY), number)
os.environ.clear()
os.environ.update(asked["variables"])
os.chdir(asked["folder"])
sys.path[:] = asked["path"]
sys.argv = ["-c", *asked["arguments"]]
exec(compile(asked["code"], "<string>", "exec"), {"__name__": "__main__"})
"""


class Forking:
    """The process that others are forked from; it begins with the first of them."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._folder = tempfile.TemporaryDirectory()

    def begin(self, code: str, *arguments: str | Path) -> Forked:
        """As ``python -c CODE ARGUMENTS`` in the folder and with the environment of this moment."""
        out, err = (Path(tempfile.mkstemp(dir=self._folder.name)[1]) for _ in range(2))
        pid = self.ask(
            code=code,
            arguments=[str(each) for each in arguments],
            variables=dict(os.environ),
            folder=os.getcwd(),
            path=["", *sys.path],
            out=str(out),
            err=str(err),
        )
        return Forked(self, pid, out, err)

    def ask(self, **asked: Any) -> Any:
        if self._process is None:
            start = f"import sys; sys.path[:] = {sys.path!r}\n{_PARENT}"
            command = [sys.executable, "-c", start]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        orders, replies = self._process.stdin, self._process.stdout
        assert orders is not None
        assert replies is not None
        print(json.dumps(asked), file=orders, flush=True)
        return json.loads(replies.readline())

    def close(self) -> None:
        if self._process is not None:
            self._process.communicate()
        self._folder.cleanup()


class Forked:
    """One that was begun; what it wrote is whole once it has ended."""

    def __init__(self, parent: Forking, pid: int, out: Path, err: Path) -> None:
        self._parent, self.pid, self._out, self._err = parent, pid, out, err
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self._parent.ask(pid=self.pid)
        return self.returncode

    def wait(self, timeout_s: float = 300.0) -> int:
        end = time.monotonic() + timeout_s
        while (code := self.poll()) is None:
            assert time.monotonic() < end, f"still at work after {timeout_s} s"
            time.sleep(0.002)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    @property
    def out(self) -> str:
        return self._out.read_text("utf-8")

    @property
    def err(self) -> str:
        return self._err.read_text("utf-8")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is not None:
            self.send_signal(signal.SIGKILL)
        self.wait()
