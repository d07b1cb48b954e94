"""Two small runs, and the pages that show them."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from view_runs import write_run

from ragassay.web.run_index import RunIndex
from ragassay.web.serving import names_of
from ragassay.web.view import view_app


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    write_run(folder / "first")
    write_run(folder / "below" / "second", value=0.0)
    return folder


@pytest.fixture
def client(runs: Path) -> TestClient:
    return TestClient(view_app(RunIndex(runs), names_of("127.0.0.1")), base_url="http://127.0.0.1")
