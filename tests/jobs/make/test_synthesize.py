"""Every synthesizer from files to a folder, with the embedded model and with a stub server; nothing paid twice."""

from __future__ import annotations

import json
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import plausible_server
import pytest
from forked import Forking
from stub_server import RunningStub

from ragassay.documents.store import DocumentStore
from ragassay.errors import InputError, UsageError
from ragassay.generate.metadata_filter import parse_condition
from ragassay.jobs.asking.dry_run import dry_run
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.make.synthesis_options import SYNTHESIZERS, SynthesizeOptions, SynthesizerName
from ragassay.jobs.make.synthesize import Synthesized, synthesize_documents
from ragassay.models.llm.call_log import LOG_FILE
from ragassay.records import Example, read_jsonl

FILES = ("documents.jsonl", "examples.jsonl", "synthesis.json", "run.json")
Options = Callable[..., SynthesizeOptions]


@pytest.fixture(scope="session")
def asked(documents: Path) -> Options:
    """Options of a small synthesis from the knowledge base."""

    def make(out: Path, synthesizer: SynthesizerName = "statements", **fields: Any) -> SynthesizeOptions:
        given = SynthesizeOptions(documents=(documents,), out=out, synthesizer=synthesizer, n=4)
        return replace(given, **fields)

    return make


@pytest.fixture
def server() -> Iterator[RunningStub]:
    with plausible_server.running(latency_ms=2) as stub:
        yield stub


def on_server(server: RunningStub, **fields: Any) -> ModelOptions:
    return replace(ModelOptions(model=f"{server.url}#plausible"), **fields)


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


def check(made: Synthesized) -> None:
    """What holds of the folder of every synthesis from documents."""
    examples = list(read_jsonl(made.folder / "examples.jsonl", Example))
    assert examples == list(made.examples)
    assert len(examples) == made.summary.examples
    with DocumentStore.open(made.folder / "documents.jsonl") as store:
        for example in examples:
            for span in (example.context, *example.references):
                assert store.get(span.document_id).text[span.start : span.end] == span.text
    assert all(bool(example.verified_label) is (made.summary.synthesizer != "rules") for example in examples)
    assert {example.provenance.synthesizer for example in examples} <= {made.summary.synthesizer}
    assert json.loads((made.folder / "synthesis.json").read_text("utf-8"))["asked"] == made.summary.asked
    assert json.loads((made.folder / "run.json").read_text("utf-8"))["state"] == "finished"
    missing = sum(each.missing for each in made.summary.missing)
    assert len(examples) + missing == made.summary.asked


def test_without_a_language_model_rules_make_the_set(asked: Options, tmp_path: Path) -> None:
    made = synthesize_documents(asked(tmp_path / "first"))
    check(made)
    assert made.examples
    assert made.summary.synthesizer == "rules"
    assert contents(synthesize_documents(asked(tmp_path / "second")).folder) == contents(made.folder)
    assert made.as_object()["prompt_tokens"] is None  # no prompt was sent
    with pytest.raises(UsageError, match="--synthesizer simple: needs a language model"):
        synthesize_documents(asked(tmp_path / "third", "simple"))


@pytest.mark.parametrize("synthesizer", SYNTHESIZERS)
def test_a_language_model_can_be_any_of_them(
    synthesizer: SynthesizerName, asked: Options, server: RunningStub, tmp_path: Path
) -> None:
    options = asked(tmp_path / "first", synthesizer, models=on_server(server))
    made = synthesize_documents(options)
    check(made)
    assert made.examples
    assert made.as_object()["prompt_tokens"] > 0
    requests = server.stats.requests
    before = contents(made.folder)
    again = synthesize_documents(replace(options, overwrite=True))
    assert server.stats.requests == requests  # every reply was in the log
    assert contents(again.folder) == before  # tokens too: those of the log count
    assert again.summary.effort == made.summary.effort


def test_creative_examples_carry_both_baselines(asked: Options, server: RunningStub, tmp_path: Path) -> None:
    made = synthesize_documents(asked(tmp_path / "out", "creative", models=on_server(server)))
    for example in made.examples:
        values = {each.name: each.value for each in example.critiques}
        assert values["known_without_context"] in {1, 2, 3, 4, 5}
        assert values["answered_with_block"] in {1, 2, 3, 4, 5}
    figures = made.summary.baselines
    assert figures is not None
    assert figures.known.n == len(made.examples)
    assert sum(figures.sums.values()) == sum(figures.sums_with_block.values()) == len(made.examples)
    assert sum(each.asked for each in made.summary.effort if each.role == "answerer") == 2 * len(made.examples)


def test_only_what_is_new_to_the_answering_model(asked: Options, server: RunningStub, tmp_path: Path) -> None:
    options = asked(tmp_path / "out", "creative", n=8, only_new=True, cutoff="2023-10", models=on_server(server))
    made = synthesize_documents(options)
    left_out = made.summary.dropped["before a label"]
    assert any(reason.startswith("block that") and reason.endswith("knows already") for reason in left_out)
    # the stub knows what has a title of an even number of letters
    with DocumentStore.open(made.folder / "documents.jsonl") as store:
        assert all(len(store.get(each.context.document_id).title) % 2 for each in made.examples)


@pytest.mark.parametrize("synthesizer", ["creative", "statements", "simple"])
def test_blocks_by_their_metadata(asked: Options, server: RunningStub, tmp_path: Path, synthesizer: str) -> None:
    blocks = tmp_path / "blocks.jsonl"
    with blocks.open("w", encoding="utf-8") as file:
        for year, name in ((2021, "Gannet"), (2022, "Puffin"), (2023, "Tern"), (2024, "Skua")):
            text = (
                f"{name} Bridge is a suspension bridge in the north of Skaldar. It was opened on 4 May {year}. "
                f"{name} Bridge was repainted in July 2025, and it includes two towers, four cables and a steel deck."
            )
            file.write(json.dumps({"title": f"{name} Bridge", "text": text, "year": year}) + "\n")
    conditions = (parse_condition("year>=2023"),)
    options = asked(tmp_path / "out", synthesizer, documents=(blocks,), where=conditions, models=on_server(server))
    made = synthesize_documents(options)
    assert made.summary.dropped["before a label"]["block left out by --where year>=2023"] == 2
    assert made.examples
    spans = [span for each in made.examples for span in (each.context, *each.references)]
    with DocumentStore.open(made.folder / "documents.jsonl") as store:
        assert {store.get(span.document_id).metadata["year"] for span in spans} <= {"2023", "2024"}
    nothing = asked(tmp_path / "other", documents=(blocks,))
    with pytest.raises(InputError, match="--where: no document has the field 'date'; they have format, year"):
        synthesize_documents(replace(nothing, where=(parse_condition("date>=2023"),)))
    with pytest.raises(InputError, match="--where: no document meets 'year>=2050'"):
        synthesize_documents(replace(nothing, where=(parse_condition("year>=2050"),)))
    assert not (tmp_path / "other").exists()


def test_a_dry_run_counts_and_sends_nothing(asked: Options, server: RunningStub, tmp_path: Path) -> None:
    options = asked(tmp_path / "out", "creative", only_new=True, models=on_server(server))
    found = dry_run(synthesize_documents, options)
    assert server.stats.requests == 0
    assert not (tmp_path / "out").exists()
    calls = {row.task: row.calls for row in found.rows}
    assert calls["knowledge_check"] >= calls["creative_question"] >= found.examples > 0
    assert calls["closed_book_answer"] == calls["answer"] == found.examples


def test_a_limit_keeps_what_there_is_and_the_next_run_goes_on(
    asked: Options, server: RunningStub, tmp_path: Path
) -> None:
    whole = synthesize_documents(asked(tmp_path / "whole", "statements", models=on_server(server)))
    options = asked(tmp_path / "out", "statements", models=on_server(server, max_calls=12))
    stopped = synthesize_documents(options)
    assert stopped.summary.stopped_by == "--max-calls 12 reached"
    assert all("the calls were stopped after" in each.reason for each in stopped.summary.missing)
    made = synthesize_documents(replace(options, models=on_server(server)))
    assert contents(made.folder)["examples.jsonl"] == contents(whole.folder)["examples.jsonl"]


def test_calls_that_a_limit_kept_back_are_not_counted(asked: Options, server: RunningStub, tmp_path: Path) -> None:
    made = synthesize_documents(asked(tmp_path / "out", "drafts", n=20, models=on_server(server, max_calls=2)))
    assert server.stats.requests == made.as_object()["calls"] == 2


SCRIPT = """
import sys
from pathlib import Path
from ragassay.cli import main
sys.argv = ["ragassay", "synthesize", *sys.argv[1:]]
main()
"""


def logged(folder: Path) -> int:
    if not (folder / LOG_FILE).exists():
        return 0
    with sqlite3.connect(f"file:{folder / LOG_FILE}?mode=ro", uri=True) as log:
        (tables,) = log.execute("SELECT count(*) FROM sqlite_master WHERE name = 'calls'").fetchone()
        return int(log.execute("SELECT count(*) FROM calls").fetchone()[0]) if tables else 0


def test_a_synthesis_that_was_killed_goes_on_where_it_was(
    asked: Options, documents: Path, server: RunningStub, tmp_path: Path, forking: Forking
) -> None:
    whole = synthesize_documents(asked(tmp_path / "whole", "simple", n=8, models=on_server(server)))
    calls = logged(whole.folder)
    server.settings.latency_ms = 40
    server.settings.silent_from = server.stats.requests + calls - 2  # it cannot end before it is killed
    folder = tmp_path / "killed"
    arguments = [documents, "--synthesizer", "simple", "--n", "8", "--model", f"{server.url}#plausible"]
    process = forking.begin(SCRIPT, *arguments, "--out", folder, "--max-in-flight", "2")
    while logged(folder) < 10 and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = logged(folder)
    assert 0 < kept < calls
    assert not (folder / "examples.jsonl").exists()
    server.drain()
    server.settings.latency_ms, server.settings.silent_from = 2, 0
    requests = server.stats.requests
    made = synthesize_documents(asked(folder, "simple", n=8, models=on_server(server)))
    assert server.stats.requests - requests <= calls - kept
    assert contents(made.folder)["examples.jsonl"] == contents(whole.folder)["examples.jsonl"]


def test_how_people_ask_is_recorded(asked: Options, tmp_path: Path) -> None:
    file = tmp_path / "people.txt"
    options = asked(
        tmp_path / "out", "drafts", about="x", personas=file, styles={"terse": 1.0}, ask_in="fr", findable=True
    )
    shown = {"about": "x", "persona": str(file), "style": "terse=1", "ask in": "fr", "findable": "yes"}
    assert shown.items() <= options.settings().items()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"synthesizer": "clever"},
            "--synthesizer: unknown synthesizer 'clever'; choose one of drafts, statements, simple, per_chunk",
        ),
        ({"mix": {"fact_single": 0.4}}, "--mix: shares must add up to 1"),
        (
            {"synthesizer": "simple", "mix": {"unanswerable": 1.0}},
            "--mix: the synthesizer simple makes no unanswerable pairs",
        ),
        ({"synthesizer": "simple", "pairs": 5}, "--pairs: only applies to --synthesizer per_chunk, not to"),
        ({"balance_by": "requested"}, "--balance-by: needs a language model"),
        ({"synthesizer": "statements", "theme": False}, "--no-theme: needs a language model; name one with --model"),
        (
            {"synthesizer": "creative", "only_new": True},
            "--only-new: needs a language model that may know the documents; name it with --answers",
        ),
        ({"synthesizer": "creative", "cutoff": "2023"}, "--cutoff: needs --only-new"),
        ({"contexts": "pages"}, "--contexts: unknown value 'pages'; choose passages or documents"),
        ({"max_context_chars": 0}, "--max-context-chars: must be at least 1, not 0"),
        ({"synthesizer": "scenario"}, "--synthesizer scenario: use `ragassay scenario`"),
        ({"documents": ()}, "DOCS: missing; name files or folders"),
        ({"models": ModelOptions(embeddings="openai:e")}, "--embeddings: nothing is retrieved; leave it out"),
        (
            {"ask_in": "french", "synthesizer": "drafts", "models": ModelOptions(model="openai:m")},
            "--ask-in: unknown language 'french'; give",
        ),
        ({"models": ModelOptions(answers="openai:m")}, "--answers: does not apply to --synthesizer"),
    ],
)
def test_what_cannot_be_meant(fields: dict[str, Any], message: str, asked: Options, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        synthesize_documents(asked(tmp_path / "out", **fields))
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_a_small_limit_goes_into_examples_that_are_finished(
    asked: Options, server: RunningStub, tmp_path: Path
) -> None:
    """Forty examples begun at once would use it up before the first is judged."""
    documents = (Path(__file__).parents[3] / "demo" / "knowledge_base",)
    options = asked(tmp_path / "out", "statements", documents=documents, n=40, models=on_server(server, max_calls=150))
    made = synthesize_documents(options)
    assert server.stats.requests == 150
    assert len(made.examples) >= 4
