"""Three documents, and the command line run inside the test's process or outside it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import plausible_server
import pytest
from forked import Forking
from stub_server import RunningStub

from ragassay.cli import main

DOCUMENTS = {
    "bridge.md": """# Gannet Bridge

- Designer: Ines Halvorsen
- Opened: 4 May 1998
- Closed: 9 June 1999
- Length: 412 m

Gannet Bridge is a suspension bridge in the north of Skaldar. The bridge was designed by Ines Halvorsen. It was opened
on 4 May 1998. Gannet Bridge was closed on 9 June 1999 after a storm. The bridge is 412 m long.
""",
    "lind.md": """# Ottar Lind

- Born: 12 May 1901
- Died: 11 May 1980
- Profession: poet
- Publisher: Gyldendal

Ottar Lind (12 May 1901 - 11 May 1980) was a Danish poet. Lind was elected as mayor of Ribe in March 1940. In 1945, he
became secretary of the Writers' Guild. Lind published his first volume of poems on 12 May 1925.
""",
    "review.md": """# Pump failure review

- Author: Olaf Brink
- Approved: 3 March 2001
- Duration: 12 days

The pump failure review was written after the bilge pump of the ferry had failed twice in one winter.

## Replacing the filter of the bilge pump

To replace the filter of the bilge pump, you stop both pumps and close the sea valve. Then you lift the cover, take out
the old cartridge and put in the new one. You open the sea valve again before you start a pump.

## Follow-up actions

- Replace the cartridge every year.
- Train the night crew in rope work.
- Inspect the sea valve after every storm.
""",
}
ENTRY = "from ragassay.cli import main; main()"


class Outcome(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """Standard output, which must be one JSON object and nothing else."""
        return json.loads(self.out)


Cli = Callable[..., Outcome]


@pytest.fixture(scope="session")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documents")
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Cli:
    """The console script's function with these arguments, its exit code and what it wrote."""

    def run(*arguments: str | Path) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["ragassay", *map(str, arguments)])
        capfd.readouterr()
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        return Outcome(code, *capfd.readouterr())

    return run


@pytest.fixture(scope="session")
def process() -> Cli:
    """The same in a process of its own."""

    def run(*arguments: str | Path) -> Outcome:
        command = [sys.executable, "-c", ENTRY, *map(str, arguments)]
        environment = {**os.environ, "COLUMNS": "100"}
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment, check=False)
        return Outcome(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture(scope="session")
def finished(documents: Path, tmp_path_factory: pytest.TempPathFactory, forking: Forking) -> Path:
    """The folder of a finished run."""
    folder = tmp_path_factory.mktemp("run") / "first"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "100")
        outcome = forking.begin(
            ENTRY, "run", documents, "--out", folder, "--n", "6", "--chunk-sizes", "256,512", "--json"
        )
    assert outcome.wait() == 0, outcome.err
    (folder.parent / "printed.json").write_text(outcome.out, "utf-8")
    (folder.parent / "progress.txt").write_text(outcome.err, "utf-8")
    return folder


@pytest.fixture
def server() -> Iterator[RunningStub]:
    """A server of a model that gives plausible replies."""
    with plausible_server.running() as stub:
        yield stub
