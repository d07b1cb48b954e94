"""``ragassay.toml``: what ``run`` and ``evaluate`` take from it, what is typed goes over it, and ``ragassay init``."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragassay.cli.app import app
from ragassay.cli.command import Command
from ragassay.cli.setup import TEMPLATE
from ragassay.options import read_settings_of

Cli = Callable[..., Any]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def parsed(command: str, *arguments: str) -> Any:
    """The settings that the command would be called with."""
    seen: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        keep = lambda self, values, places, **_: seen.append(read_settings_of(self.kind, values, places))  # noqa: E731
        patch.setattr(Command, "_do", keep)
        app.main([command, *arguments], standalone_mode=False)
    return seen[0]


def write(text: str, name: str = "ragassay.toml") -> None:
    Path(name).write_text(text, "utf-8")


def test_what_is_not_typed_comes_from_the_file() -> None:
    write(
        '[run]\ndocuments = ["docs", "/srv/more"]\nout = "runs/x"\nn = 4\nchunk_sizes = [256, 512]\n'
        'mix = { fact_single = 0.5, reasoning = 0.5 }\nstrict = true\nmax_cost = 1\nchunker = "tokens"\n'
    )
    found = parsed("run", "--n", "3", "--chunker=sentences")
    assert found.documents == (Path("docs"), Path("/srv/more"))
    assert (found.out, found.n, found.mix) == (Path("runs/x"), 3, {"fact_single": 0.5, "reasoning": 0.5})
    assert (found.chunk_sizes, found.strict, found.models.max_cost) == ((256, 512), True, 1.0)
    assert (found.chunker, found.seed) == ("sentences", 0)
    assert parsed("run", "other").documents == (Path("other"),)


def test_options_that_may_be_given_more_than_once() -> None:
    write(
        '[evaluate]\ndata = "-set.jsonl"\nset = { top_k = 5, prefix = "title" }\nonly = ["a=b", "c=d"]\n'
        'metrics = ["mrr"]'
    )
    found = parsed("evaluate")
    assert (str(found.data), found.system_options) == ("-set.jsonl", ("top_k=5", "prefix=title"))
    assert (found.only, found.metrics) == ((("a", "b"), ("c", "d")), ("mrr",))
    assert parsed("evaluate", "--only", "e=f").only == (("e", "f"),)


def test_paths_start_from_the_folder_of_the_file() -> None:
    Path("sub").mkdir()
    write('[run]\ndocuments = "docs"\nout = "runs/x"\nprices = "/srv/prices.toml"\n', "sub/own.toml")
    found = parsed("run", "--config", "sub/own.toml")
    assert (found.documents, found.out) == ((Path("sub/docs"),), Path("sub/runs/x"))
    assert found.models.prices == Path("/srv/prices.toml")


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("[run]\nm = 1", 2, "ragassay.toml: run.m: unknown key; choose one of documents, out, n, mix"),
        ("[run]\nconfig = 'x'", 2, "ragassay.toml: run.config: unknown key"),
        ("[run]\nn = 4.5", 2, "ragassay.toml: run.n: must be a whole number, not 4.5"),
        ("[run]\nn = 'many'", 2, "ragassay.toml: run.n: must be a whole number, not 'many'"),
        ("[run]\nmax_cost = 'much'", 2, "ragassay.toml: run.max_cost: must be a number, not 'much'"),
        ("[run]\nprefix = [[1]]", 2, "ragassay.toml: run.prefix: must be text, not [1]"),
        ("[run]\nout = ''", 2, "ragassay.toml: run.out: a path is empty; name a file or folder, such as '.'"),
        ("[run]\nout = ['a', 'b']", 2, "ragassay.toml: run.out: must be a path"),
        ("[run]\nmix = { summary = [1] }", 2, "ragassay.toml: run.mix: the share of summary must be a number"),
        ("run = 3", 2, "ragassay.toml: run must be a table, as in [run]"),
        ("[run", 3, "ragassay.toml is not valid TOML"),
    ],
)
def test_what_cannot_be_meant(cli: Cli, text: str, code: int, said: str) -> None:
    write(text)
    outcome = cli("run", "docs", *(() if "out =" in text else ("--out", "x")))
    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.startswith(f"ragassay: {said}")
    assert outcome.err.count("\n") == 1
    assert cli("run", "--help").code == 0


def test_a_file_that_is_named_must_be_there_with_its_table(cli: Cli) -> None:
    write("[gate]", "own.toml")
    outcome = cli("run", "docs", "--out", "x", "--config", "own.toml")
    assert (outcome.code, outcome.err) == (3, "ragassay: own.toml has no table [run]; add one, or leave --config out\n")
    assert cli("evaluate", "set", "--config", "none.toml").err.startswith("ragassay: none.toml cannot be read")


def test_the_template_is_read_as_it_is_and_with_all_that_it_proposes(cli: Cli) -> None:
    outcome = cli("init")
    assert (outcome.code, outcome.err) == (0, "")
    assert Path("ragassay.toml").read_bytes() == TEMPLATE.read_bytes()
    assert parsed("run", "docs", "--out", "x").n == 100
    again = cli("init")
    assert (again.code, again.err) == (4, "ragassay: ragassay.toml already exists; replace it with --overwrite\n")
    write("[gate]")
    assert cli("init", "--overwrite").code == 0
    text = TEMPLATE.read_text("utf-8")
    proposed = re.sub(r"^# (?=\w+ = |\[)", "", text, flags=re.MULTILINE)
    assert len(re.findall(r"^\w+ = ", proposed, flags=re.MULTILINE)) == 19
    write(proposed)
    assert parsed("run").mix == {"fact_single": 0.4, "summary": 0.2, "reasoning": 0.2, "unanswerable": 0.2}
    assert parsed("evaluate").metrics == ("recall@5", "faithfulness", "answer_relevance")
    from ragassay.jobs.asking.asked_metrics import rubrics_in

    assert len(parsed("gate", "run").conditions) == 3
    assert [each.name for each in rubrics_in(Path("ragassay.toml"))] == ["polite"]


def test_a_gate_says_what_it_read(cli: Cli) -> None:
    write('[gate]\nfail_under = { "recall@5" = 0.5 }\nuse = "mean"\n')
    outcome = cli("gate", "no-run", "--use", "interval")
    assert outcome.err.startswith("ragassay: ragassay.toml sets gate.fail_under\nragassay: ")


def test_the_settings_of_the_documentation_are_read() -> None:
    page = (Path(__file__).parents[2] / "docs" / "first-steps.md").read_text("utf-8")
    write(page.partition("## Project settings")[2].partition("```toml\n")[2].partition("```")[0])
    assert parsed("run").mix == {"fact_single": 0.5, "reasoning": 0.5}
    assert parsed("evaluate").spec.options.top_k == 5


def test_limits_of_models_hold_beside_a_file_of_the_command_and_their_keys_are_checked(cli: Cli) -> None:
    write("[models]\nmax_calls = 1\n")
    write('{"dataset": ".", "out": "o", "grid": {"chunk_size": [40]}}', "sweep.json")
    assert parsed("sweep", "sweep.json").models.max_calls == 1
    write("[models]\nmax_cots = 1\n")
    refused = cli("sweep", "sweep.json")
    assert (refused.code, "models.max_cots: unknown key" in refused.err) == (2, True)
    write("[models]\nmax_calls = true\n")
    assert "models.max_calls: must be a number, not true" in cli("sweep", "sweep.json").err


@pytest.mark.parametrize("key", ["api_key", "Authorization", "token"])
def test_a_key_is_no_field_of_calls(cli: Cli, key: str) -> None:
    body = f'{{"{key}": "s"}}'
    refused = cli("synthesize", ".", "--out", "o", "--model", "openai:m", "--extra-body", body)
    assert (refused.code, "looks like a key" in refused.err) == (2, True)
