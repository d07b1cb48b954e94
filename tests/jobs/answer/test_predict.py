"""Runs of systems: every question is accounted for, none is answered twice, whatever the system or the process does."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from by_hand import example_of
from forked import Forking
from rag_servers import Troubles, serving, toy_rag, troubled

from ragassay.errors import InputError, RecordError, RunFolderError, UsageError
from ragassay.jobs.answer.options import EvaluateOptions
from ragassay.jobs.answer.predict import Predicted, predict
from ragassay.jobs.folders.run_folder import PART_FILE
from ragassay.records import Document, Example, Prediction, Span, read_jsonl, write_jsonl
from ragassay.systems.base import UnusableSystemError
from ragassay.systems.spec import parse_spec

N = 60
TEXTS = {
    "bridge.md": "Gannet Bridge opened in 1998. It is a suspension bridge.",
    "ship.md": "Bluefin is a ferry. She was built in Oskay.",
}


def example(number: int) -> Example:
    name = list(TEXTS)[number % 2]
    span = Span(document_id=f"d-{name}", start=0, end=len(TEXTS[name]), text=TEXTS[name])
    question = ("Which bridge opened in 1998?", "Where was the ferry Bluefin built?")[number % 2] + f" {number}"
    return example_of(f"q{number:03}", question=question, context=span, references=(span,))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "set"
    folder.mkdir()
    documents = [Document(id=f"d-{name}", title=name, source=name, text=text) for name, text in TEXTS.items()]
    write_jsonl(folder / "documents.jsonl", documents)
    write_jsonl(folder / "examples.jsonl", [example(number) for number in range(N)])
    return folder


@pytest.fixture
def run(data: Path, tmp_path: Path) -> Callable[..., Predicted]:
    def made(spec: str, *settings: str, out: str = "run", **options: Any) -> Predicted:
        system = parse_spec(spec, settings)
        return predict(EvaluateOptions(data=data, system=system, out=tmp_path / out, **options))

    return made


QUICK = ("timeout=8", "retries=1", "concurrency=16")
"""The time is for what hangs: a reply that comes takes milliseconds, and seconds where others share the cores."""
PATIENT = ("timeout=300", *QUICK[1:])


def test_nothing_is_lost_on_a_server_in_trouble(run: Any, tmp_path: Path) -> None:
    troubles = Troubles(failing=0.2, malformed=0.1, hanging=0.05, answerless=0.05, slow_ms=2)
    with troubled(troubles) as server:
        done = run(server.url, *QUICK)
        assert [each.example_id for each in done.predictions] == [f"q{number:03}" for number in range(N)]
        assert list(read_jsonl(tmp_path / "run" / "predictions.jsonl", Prediction)) == list(done.predictions)
        assert not (tmp_path / "run" / PART_FILE).exists()
        reasons = {(each.error or "").partition(": ")[0] for each in done.failures}
        assert (
            {"malformed JSON", "no answer in the reply"}
            <= reasons
            <= {"HTTP 500", "malformed JSON", "time-out", "no answer in the reply"}
        )
        assert {each.error is None for each in done.predictions} == {True, False}
        answered = sum(each.error is None for each in done.predictions)
        assert sum(server.stats.answered.values()) == answered  # and no answer was thrown away

        again = run(server.url, *QUICK)
        assert (again.asked, again.predictions) == (0, done.predictions)
        assert sum(server.stats.answered.values()) == answered

        failed_before = len(done.failures)
        server.troubles.failing = server.troubles.malformed = server.troubles.hanging = server.troubles.answerless = 0
        mended = run(server.url, *PATIENT, retry_failed=True)
    assert (mended.asked, mended.failures) == (failed_before, [])
    assert all(count == 1 for count in server.stats.answered.values())


def test_a_killed_run_goes_on_without_asking_twice(data: Path, tmp_path: Path, forking: Forking) -> None:
    entry = "from ragassay.cli import main; main()"
    with troubled(Troubles(slow_ms=30, failing=0.1)) as server:
        command = [entry, "evaluate", "--metrics", "none", data, "--system", server.url]
        command += ["--out", tmp_path / "run", "--concurrency", "3", "--json", "--coverage", "0"]
        for _ in range(2):
            before = server.stats.answered.total()
            server.troubles.silent_after = before + 12  # it cannot end before it is killed
            process = forking.begin(*command)
            while server.stats.answered.total() < before + 8 and process.poll() is None:
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
            process.wait()
            part = tmp_path / "run" / PART_FILE
            with part.open("ab") as file:  # what the end of a machine may leave
                file.write(b'{"example_id":"q0')
        server.troubles.silent_after = 0
        done = forking.begin(*command)
        done.wait()
    found = json.loads(done.out)["predicted"]
    assert (found["questions"], found["answered"] + found["failed"], found["not_asked"]) == (N, N, 0)
    kept = list(read_jsonl(tmp_path / "run" / "predictions.jsonl", Prediction))
    assert [each.example_id for each in kept] == [f"q{number:03}" for number in range(N)]
    repeats = Counter({question: count for question, count in server.stats.answered.items() if count > 1})
    assert len(repeats) <= 2 * 3  # at most those that were in flight at either end
    assert found["asked_now"] < N - 10


def test_a_fastapi_service(run: Any, data: Path) -> None:
    with serving(toy_rag(list(TEXTS.items()))) as address:
        done = run(f"{address}/ask", 'request={"question": "{question}", "top_k": 1}')
        assert {each.answer for each in done.predictions} == set(TEXTS.values())
        for each, prediction in zip(done.examples, done.predictions, strict=True):
            (chunk,) = prediction.chunks
            assert (chunk.document_id, chunk.start, chunk.end) == (each.context.document_id, 0, each.context.end)
        with pytest.raises(UnusableSystemError, match="HTTP 422: the request is not as the service wants it; say how"):
            run(f"{address}/ask", 'request={"query": "{question}"}', out="wrong")
        chain = run(f"{address}/chain/invoke", 'request={"input": {"input": "{question}"}}', out="chain")
        assert [each.answer for each in chain.predictions] == [each.answer for each in done.predictions]
        assert {len(each.chunks) for each in chain.predictions} == {2}


def test_the_built_in_system_and_what_it_was_run_on(run: Any, data: Path, tmp_path: Path) -> None:
    done = run("rag:retriever=bm25,generate=false,top_k=1")
    assert [each.chunks[0].document_id for each in done.predictions] == ["d-bridge.md", "d-ship.md"] * (N // 2)
    assert done.predictions[0].chunks[0].text == TEXTS["bridge.md"]
    # another answer, the same folder
    with pytest.raises(RunFolderError, match=r"holds other predictions \(other system\)"):
        run("rag:retriever=bm25,generate=false,top_k=2")
    assert run("rag:retriever=bm25,generate=false,top_k=2", overwrite=True).system == "rag 512 lexical top 2"
    # other documents
    write_jsonl(data / "documents.jsonl", [Document(id="d-bridge.md", title="", source="", text="Another text.")])
    with pytest.raises(RunFolderError, match="holds answers from other documents"):
        run("rag:retriever=bm25,generate=false,top_k=2")
    found = run("rag:retriever=bm25,generate=false,top_k=2", overwrite=True)
    assert (found.outside_corpus, found.asked) == (N // 2, N)


def test_a_set_that_grew_asks_what_is_new(run: Any, data: Path) -> None:
    with troubled() as server:
        run(server.url, limit=10)
        done = run(server.url, limit=15)
        assert (done.asked, len(done.predictions)) == (5, 15)
        changed = [example(number) for number in range(N)]
        changed[3] = Example(**{name: getattr(changed[3], name) for name in Example.__slots__} | {"question": "Else?"})
        write_jsonl(data / "examples.jsonl", changed)
        with pytest.raises(RunFolderError, match="name another folder, or start over with --overwrite"):
            run(server.url, limit=15)


def test_a_file_that_was_damaged_is_named(run: Any, tmp_path: Path) -> None:
    with troubled() as server:
        run(server.url, limit=3)
        part = tmp_path / "run" / PART_FILE
        part.write_text('{"example_id": 3}\n' + (tmp_path / "run" / "predictions.jsonl").read_text())
        with pytest.raises(RecordError, match=r"predictions\.part\.jsonl line 1: "):
            run(server.url, limit=4)


def test_nothing_is_left_of_a_system_that_cannot_be_used(run: Any, tmp_path: Path) -> None:
    with pytest.raises(UnusableSystemError, match="not connected"):
        run("http://127.0.0.1:9/ask", "retries=0")
    assert not (tmp_path / "run").exists()


def test_a_function_from_python(data: Path, tmp_path: Path) -> None:
    import ragassay

    def answer(question: str) -> tuple[str, list[str]]:
        return question, [TEXTS["bridge.md"]]

    done = ragassay.evaluate(data, answer, "none", out=tmp_path / "run", concurrency=2, limit=4).predicted
    assert [each.answer for each in done.predictions] == [each.question for each in done.examples]
    assert done.system.endswith("test_a_function_from_python.<locals>.answer")
    assert done.predictions[0].chunks[0].document_id == "d-bridge.md"
    scores = ragassay.evaluate(done.folder, metrics=["recall@1"])
    assert scores["recall@1"] == 0.5
    ships = ragassay.evaluate(data, answer, "none", out=tmp_path / "ships", only={"title": "ship.md"}).predicted
    assert {span.document_id for each in ships.examples for span in each.references} == {"d-ship.md"}
    assert len(ships.predictions) == N // 2
    again = ragassay.evaluate(
        data, "rag:retriever=bm25", "none", out=tmp_path / "rag", top_k=1, generate=False, limit=4
    ).predicted
    assert {len(each.chunks) for each in again.predictions} == {1}
    with pytest.raises(UsageError, match="unknown keyword 'concurency'; did you mean concurrency"):
        ragassay.evaluate(data, answer, "none", out=tmp_path / "run", concurency=2)


async def _in_a_notebook(data: Path, out: Path) -> Predicted:
    import ragassay

    return ragassay.evaluate(data, str.upper, "none", out=out, limit=2).predicted


def test_in_a_running_loop(data: Path, tmp_path: Path) -> None:
    done = asyncio.run(_in_a_notebook(data, tmp_path / "run"))
    assert [each.answer for each in done.predictions] == [each.question.upper() for each in done.examples]


def test_a_prompt_of_ones_own_takes_the_place_of_the_tasks(data: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("Answer like a pirate.\n")
    (tmp_path / "mine.toml").write_text('kind = "rag"\nprompt = "mine.md"\n')

    def options(spec: str) -> EvaluateOptions:
        return EvaluateOptions(data=data, system=parse_spec(spec), out=tmp_path / "run")

    asked = options(str(tmp_path / "mine.toml"))  # beside the file of the system
    assert asked.answering.prompts.prompts == {"answer": "Answer like a pirate."}
    closed_book = options(f"no_retrieval:prompt={tmp_path / 'mine.md'}")
    assert closed_book.answering.prompts.prompts == {"closed_book_answer": "Answer like a pirate."}
    before = asked.identity()
    (tmp_path / "mine.md").write_text("Answer like a sailor.\n")
    assert asked.identity() != before
    (tmp_path / "mine.md").write_text(" \n")
    with pytest.raises(InputError, match=r"prompt: .*mine\.md is empty"):
        assert asked.answering


def test_how_it_is_asked_makes_no_other_run(data: Path, tmp_path: Path) -> None:
    def identity(*settings: str) -> dict[str, Any]:
        spec = parse_spec("http://h/a", settings)
        return EvaluateOptions(data=data, system=spec, out=tmp_path / "run").identity()

    assert identity("retries=0", "timeout=3", "concurrency=2") == identity()
    assert identity("answer=data.text") != identity()
    assert identity('headers={"X-Key": "${A}"}') != identity('headers={"X-Key": "${B}"}')


class _same_port:  # noqa: N801 - reads as a function
    """A service at an address that was used before."""

    def __init__(self, url: str) -> None:
        self._port = urlsplit(url).port

    def __enter__(self) -> Any:
        from aiohttp import web
        from rag_servers import TroubledRag, _application

        self._rag = TroubledRag(Troubles())
        self._loop = asyncio.new_event_loop()
        self._runner = web.AppRunner(_application(self._rag), shutdown_timeout=0.1)
        self._loop.run_until_complete(self._runner.setup())
        self._loop.run_until_complete(web.TCPSite(self._runner, "127.0.0.1", self._port).start())
        import threading

        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        return self._rag

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.run_until_complete(self._runner.cleanup())
        self._loop.close()


def test_a_server_that_goes_away_keeps_what_it_answered(run: Any, tmp_path: Path) -> None:
    with troubled() as server:
        url = server.url
        run(url, limit=5)
    with socket.socket() as place:  # nobody else gets the port
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind(("127.0.0.1", urlsplit(url).port))
        with pytest.raises(UnusableSystemError, match="not connected"):
            run(url, "retries=0")
    with _same_port(url) as server:
        done = run(url)
        assert (done.asked, len(done.predictions)) == (N - 5, N)
        assert server.stats.answered.total() == N - 5
