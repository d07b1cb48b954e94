"""A small knowledge base in three formats, rich in dates, keys, lists and amounts, and one run on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragassay.jobs.make.run_options import RunOptions
from ragassay.jobs.run.run import Run, run

FILES = {
    "bridge.md": """# Gannet Bridge

Gannet Bridge is a suspension bridge in the north of Skaldar. The bridge was designed by Ines Halvorsen. It was opened
on 4 May 1998. Gannet Bridge was closed on 9 June 1999 after a storm. The bridge is 412 m long. Gannet Bridge was
repainted in July 2003. Gannet Bridge includes two towers, four main cables and a steel deck.

## Corrective actions

- Replace the bearings of the north tower.
- Inspect the cables after every storm.
- Train the night crew in rope work.
""",
    "ship.md": """# MV Bluefin

- Type: freight ferry
- Built: 12 March 2004
- Acquired: 1 October 2011
- Master: Olaf Brink
- Home port: Port Halden
- Lane metres: 1,450

MV Bluefin carries lorries between Port Halden and Elm. MV Bluefin was launched on 3 February 2003.
""",
    "ship2.md": """# MV Redfin

- Type: passenger ferry
- Built: 2 May 2009
- Acquired: 4 October 2012
- Master: Ada Moss
- Home port: Elm
- Berths: 212

MV Redfin carries passengers between Elm and the outer islands. MV Redfin was launched on 7 August 2008.
""",
    "people/lind.md": """# Ottar Lind

- Born: 12 May 1901
- Died: 11 May 1980
- Profession: poet
- Publisher: Gyldendal

Ottar Lind (12 May 1901 - 11 May 1980) was a Danish poet. Lind was elected as mayor of Ribe in March 1940. In 1945, he
became secretary of the Writers' Guild. Lind published his first volume of poems on 12 May 1925. Lind studied law at the
University of Aarhus. He won the Holberg Medal in 1950.
""",
    "people/moss.txt": """Ada Moss

Ada Moss (born 29 February 1952) is a Norwegian sailor. She was appointed as master of the ferry Redfin on
1 March 1992. Moss joined the rescue service on 28 February 1990. She served as director of the pilot school from 2001
to 2009. Moss won the Grey Anchor Medal in 1998.
""",
    "rates.html": """<html><head><title>Harbour tariff</title></head><body><h1>Harbour tariff</h1>
<p>The harbour tariff lists what every ship pays to the port of Elm. The tariff was revised in January 2020.</p>
<table><tr><th>Ticket</th><th>Price</th><th>Weight (kg)</th></tr>
<tr><td>Day pass</td><td>&pound;12.50</td><td>10</td></tr>
<tr><td>Week pass</td><td>&pound;41.25</td><td>25</td></tr>
<tr><td>Month pass</td><td>&pound;99</td><td>40</td></tr></table></body></html>
""",
    "reset.md": """# How to reset the bilge valve

The bilge valve closes by itself when the pump runs dry. Only the engineer on watch may reset it.

## Procedure

1. Close the inlet on the port side.
2. Press the red button twice.
3. Wait for the green lamp to light up.
4. Open the inlet slowly.
""",
    "tool.html": """<html><head><title>Log settings</title></head><body><h1>Log settings</h1>
<p>The log settings of Brinelog say what is written and for how long it is kept on the disk of the server.</p>
<dl><dt>log_size_max (integer)</dt><dd><p>Sets the largest size of one log file. Older lines are dropped. The default
is 64 MB.</p></dd><dt>log_age_max (integer)</dt><dd><p>Determines how long a log file is kept on disk. The default is
30 days.</p></dd></dl><p>Both are read when the server starts.</p></body></html>
""",
}


def write_files(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the knowledge base."""
    return write_files(tmp_path_factory.mktemp("documents"), FILES)


@pytest.fixture(scope="session")
def options(documents: Path) -> Callable[..., RunOptions]:
    """Options of a small run; two chunk sizes keep it short."""

    def make(out: Path, **fields: Any) -> RunOptions:
        given = RunOptions(documents=(documents,), out=out, n=12, chunk_sizes=(128, 512))
        return replace(given, **fields)

    return make


@pytest.fixture(scope="session")
def finished(options: Callable[..., RunOptions], tmp_path_factory: pytest.TempPathFactory, ragassay_cache: Path) -> Run:
    """A finished run. Tests look at it and leave it as it is."""
    return run(options(tmp_path_factory.mktemp("run") / "first"))
