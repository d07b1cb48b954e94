"""What notebooks show: text, wherever rich would colour it or show it by itself."""

from __future__ import annotations

import pytest
import rich.console
from rich.console import Console

from ragassay.evaluation.gates import Condition, GateRow
from ragassay.report.gate_result import GateResult
from ragassay.report.notebook import notebook_html, printed


def show(console: Console) -> None:
    console.print("a table", style="bold red")


@pytest.fixture(params=["notebook", "colours"], autouse=True)
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "notebook":
        monkeypatch.setattr(rich.console, "_is_jupyter", lambda: True)
    else:
        monkeypatch.setenv("FORCE_COLOR", "1")


def test_it_is_text_and_comes_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(show) == "a table\n"
    assert notebook_html(show) == "<pre>a table\n</pre>"
    found = GateResult(
        run="runs/a",
        system="rag",
        baseline="",
        use="mean",
        strict=False,
        coverage=1,
        rows=(
            GateRow(
                condition=Condition(kind="fail_under", metric="mrr", bound=0.5),
                verdict="failed",
                value=0.4,
                low=None,
                high=None,
                n=9,
                total=9,
            ),
        ),
    )
    assert str(found).startswith("Gate failed: 1 of 1 condition failed\nruns/a, rag")
    assert capsys.readouterr().out == ""
