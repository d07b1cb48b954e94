"""Projects in PostgreSQL: several machines and jobs on one database, each with a cache of its own."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from forked import Forked, Forking
from typer.testing import CliRunner

from ragassay.cli.app import app
from ragassay.errors import InputError, RunFolderError, UsageError
from ragassay.remote import project, storage
from ragassay.remote.arguments import remote_paths
from ragassay.remote.mirror import mirrored

_NUMBERS = count()
_COMMAND = "from ragassay.cli import main; main()"
_SYSTEM = """
import os, signal
from pathlib import Path

def answer(question):
    asked = Path("asked")
    with asked.open("a") as file:
        print(question, file=file)
    if Path("die").exists() and len(asked.read_text().splitlines()) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return f"Of {question}"
"""
_RULES = "It is open from 8:00 to 18:00 on weekdays. Visitors must sign the register at the front desk.\n"


@pytest.fixture
def database(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A connection to a database of the test's own, to which the environment points, too."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    name = f"projects_{next(_NUMBERS)}"
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
    given = conninfo_to_dict(postgres_url) | {"dbname": name}
    for key, variable in (("host", "PGHOST"), ("user", "PGUSER"), ("dbname", "PGDATABASE"), ("port", "PGPORT")):
        if given.get(key):
            monkeypatch.setenv(variable, str(given[key]))
    storage._kept_projects.cache_clear()
    with psycopg.connect("", autocommit=True) as connection:
        yield connection
    storage._kept_projects.cache_clear()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes this process a machine of that name: another cache folder."""

    def become(name: str) -> None:
        monkeypatch.setenv("RAGASSAY_CACHE", str(tmp_path / name))

    become("first")
    return become


def write(url: str, **files: str) -> None:
    with mirrored() as mirror:
        place = mirror.write(url)
        place.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (place / f"{name}.jsonl").write_text(text, "utf-8")


def read(url: str) -> dict[str, str]:
    arguments: dict[str, Any] = {"run": Path(url)}
    with remote_paths(arguments):
        return {each.name: each.read_text("utf-8") for each in arguments["run"].iterdir()}


def test_what_one_machine_writes_another_reads_and_sql_sees(database: Any, machine: Any) -> None:
    write("pg://handbook/sets/first", examples='{"question": "When?"}\n{"question": "Why?"}\n')
    write("pg://handbook/sets/second", examples='{"question": "Who?"}\n')
    machine("second")
    assert read("pg://handbook/sets/first") == {"examples.jsonl": '{"question": "When?"}\n{"question": "Why?"}\n'}
    write("pg://handbook/sets/first", examples='{"question": "Where?"}\n')
    machine("first")
    assert read("pg://handbook/sets/first") == {"examples.jsonl": '{"question": "Where?"}\n'}
    rows = database.execute(
        "SELECT name, number, record ->> 'question' FROM ragassay.records WHERE project = 'handbook' ORDER BY 1, 2"
    ).fetchall()
    assert rows == [("sets/first", 1, "Where?"), ("sets/second", 1, "Who?")]
    with pytest.raises(InputError, match="pg://handbook/sets/third does not exist"):
        read("pg://handbook/sets/third")


def test_a_set_a_run_and_its_scores_have_the_bytes_of_files(database: Any, machine: Any, tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    for name, year in zip(("Alder", "Birch", "Cedar", "Damson", "Elder", "Fir"), range(1987, 1993), strict=True):
        text = f"The {name} office opened in {year}. The {name} office has {year - 1983} rooms. {_RULES}"
        (documents / f"{name}.md").write_text(f"# {name} office\n\n{text}", "utf-8")

    def ragassay(*arguments: str) -> None:
        outcome = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
        assert outcome.exit_code == 0, outcome.output

    for out in (str(tmp_path / "local"), "pg://offices/runs/first"):
        ragassay("run", str(documents), "--n", "6", "--out", out)
    machine("second")
    for of, out in ((str(tmp_path / "local"), str(tmp_path / "scored")), ("pg://offices/runs/first", "pg://offices/s")):
        ragassay("score", of, "--metrics", "exact_match", "--system", "256 dense", "--out", out)
    for url, folder in (("pg://offices/runs/first", "local"), ("pg://offices/s", "scored")):
        there = read(url)
        for name in ("examples.jsonl", "predictions.jsonl", "scores.jsonl"):
            path = tmp_path / folder / name
            assert there.get(name) == (path.read_text("utf-8") if path.exists() else None)
        assert "scores.jsonl" in there


def test_of_two_that_write_to_one_place_the_second_is_told(database: Any, machine: Any) -> None:
    with mirrored() as mirror:
        place = mirror.write("pg://handbook/run")
        place.mkdir(parents=True)
        machine("second")
        with pytest.raises(RunFolderError, match="another command works on pg://handbook/run; wait for it to end"):
            write("pg://handbook/run", scores="{}\n")
        write("pg://handbook/other", scores="{}\n")
        machine("first")
        (place / "scores.jsonl").write_text('{"value": 1}\n')
    machine("second")
    assert read("pg://handbook/run") == {"scores.jsonl": '{"value": 1}\n'}


def test_many_jobs_write_to_one_project_at_once(database: Any, tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    path.write_text('{"value": 1}\n' * 1000)
    each_has = (path.read_bytes(), 40)

    def job(number: int) -> None:
        files = project.ProjectFiles()  # the first ones make the tables, all at once
        for place in range(10):
            files.put_file(str(path), f"shared/{number}/{place}/scores.jsonl")
            files.put_file(str(path), "shared/all/scores.jsonl")
        files.connection.close()

    with ThreadPoolExecutor(4) as jobs:
        list(jobs.map(job, range(4)))
    files = project.ProjectFiles()
    found = files.find("shared")
    assert len(found) == each_has[1] + 1
    with files.open("shared/all/scores.jsonl") as source:
        assert source.read(0) + source.read(0) == each_has[0]
    files.connection.close()


@pytest.fixture
def questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set of five questions, beside a system that notes what it is asked."""
    (tmp_path / "mine.py").write_text(_SYSTEM)
    rows = [{"question": f"When does room {number} open?", "answer": f"At {number}."} for number in range(5)]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.chdir(tmp_path)
    mapping = ("--map", "question=question", "--map", "answer=answer")
    assert CliRunner().invoke(app, ["convert", "rows.jsonl", "set", *mapping]).exit_code == 0
    return tmp_path / "set"


def predictions(url: str) -> list[str]:
    return [json.loads(line)["example_id"] for line in read(url)["predictions.jsonl"].splitlines()]


def test_jobs_of_several_processes_lose_and_repeat_nothing(
    database: Any, machine: Any, questions: Path, forking: Forking
) -> None:
    jobs: list[Forked] = []
    for number in range(3):
        for name in (f"own-{number}", "shared"):
            machine(f"{name}-{number}")
            command = ("predict", questions, "--system", "function:mine:answer", "--out", f"pg://rooms/{name}")
            jobs.append(forking.begin(_COMMAND, *command))
    codes = [job.wait() for job in jobs]
    assert codes[::2] == [0, 0, 0], [job.err for job in jobs]
    assert set(codes[1::2]) in ({0}, {0, 4}), [job.err for job in jobs]
    for job, code in zip(jobs, codes, strict=True):
        assert code == 0 or "another command works on pg://rooms/shared; wait for it to end" in job.err
    machine("reader")
    of_one = predictions("pg://rooms/own-0")
    assert len(set(of_one)) == len(of_one) == 5
    assert all(predictions(f"pg://rooms/{name}") == of_one for name in ("own-1", "own-2", "shared"))
    assert len((questions.parent / "asked").read_text().splitlines()) == 4 * 5  # of the shared ones, one asked
    rows = "SELECT name, count(*) FROM ragassay.records WHERE file = 'predictions.jsonl' GROUP BY 1 ORDER BY 1"
    assert database.execute(rows).fetchall() == [("own-0", 5), ("own-1", 5), ("own-2", 5), ("shared", 5)]


def test_a_killed_job_goes_on_where_it_was_and_keeps_nobody_out(
    database: Any, machine: Any, questions: Path, forking: Forking
) -> None:
    command = ("predict", questions, "--system", "function:mine:answer", "--concurrency", "1")
    (questions.parent / "die").touch()
    assert forking.begin(_COMMAND, *command, "--out", "pg://rooms/one").wait() == -signal.SIGKILL
    (questions.parent / "die").unlink()
    for _ in range(500):  # the server sees in its own time that the connection is gone
        if not database.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone()[0]:
            break
        time.sleep(0.01)
    with pytest.raises(InputError, match="pg://rooms/one does not exist"):
        read("pg://rooms/one")
    again = forking.begin(_COMMAND, *command, "--out", "pg://rooms/one")
    assert again.wait() == 0, again.err
    assert len((questions.parent / "asked").read_text().splitlines()) == 5 + 1  # the one that it died of
    here = read("pg://rooms/one")
    machine("second")
    there = read("pg://rooms/one")
    assert there == here
    assert len(there["predictions.jsonl"].splitlines()) == 5


def test_a_page_of_a_run_waits_for_who_works_on_it(database: Any, machine: Any) -> None:
    write("pg://handbook/run", scores='{"value": 1}\n')
    machine("second")
    with mirrored() as reader:
        page = reader.read("pg://handbook/run") / "report.html"
        page.write_text("<html>")
        machine("first")
        with mirrored() as writer:
            place = writer.write("pg://handbook/run")
            (place / "scores.jsonl").write_text('{"value": 22}\n')
            machine("second")
            with pytest.raises(RunFolderError, match="another command works on pg://handbook/run") as caught:
                reader.upload()
            assert f"wait for it to end; what was made here is in {page.parent}" in str(caught.value)
            machine("first")
        machine("second")
        reader._written.clear()
    machine("third")
    assert read("pg://handbook/run") == {"scores.jsonl": '{"value": 22}\n'}


def test_a_claim_that_the_server_forgot_is_made_again(database: Any, machine: Any) -> None:
    with mirrored() as mirror:
        place = mirror.write("pg://handbook/run")
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        assert len(database.execute(f"{others} AND pid <> pg_backend_pid()").fetchall()) == 2
        place.mkdir(parents=True)
        (place / "scores.jsonl").write_text("{}\n")
    machine("second")
    assert read("pg://handbook/run") == {"scores.jsonl": "{}\n"}


def test_a_project_is_not_a_place_and_says_what_it_holds(database: Any, machine: Any) -> None:
    with pytest.raises(InputError, match="pg://handbook/set does not exist; check the path"):
        read("pg://handbook/set")
    assert database.execute("SELECT to_regnamespace('ragassay')").fetchone() == (None,)  # reading made nothing
    write("pg://handbook/sets/first", examples="{}\n")
    write("pg://handbook/runs/mine", scores="{}\n")
    with pytest.raises(UsageError, match="--out: pg://handbook is a whole project; add a name, such as pg://handbook/"):
        write("pg://handbook", scores="{}\n")
    machine("second")
    with pytest.raises(InputError, match="holds folders of results; name one of them: runs/mine, sets/first"):
        read("pg://handbook")
    with pytest.raises(InputError, match="pg://other/sets/first does not exist"):
        read("pg://other/sets/first")


def test_a_write_that_is_cut_off_leaves_what_there_was(
    database: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project, "_PART_BYTES", 4)
    files, path = project.ProjectFiles(), tmp_path / "a"
    path.write_bytes(b"twelve bytes")
    files.put_file(str(path), "p/a")

    original = type(files.connection).execute

    def cut_off(self: Any, query: Any, values: Any = None, **named: Any) -> Any:
        if "INSERT INTO ragassay.parts" in str(query) and values[2] == 1:
            raise KeyboardInterrupt
        return original(self, query, values, **named)

    path.write_bytes(b"other bytes, more of them")
    with monkeypatch.context() as patch:
        patch.setattr(type(files.connection), "execute", cut_off)
        with pytest.raises(KeyboardInterrupt):
            files.put_file(str(path), "p/a")
    assert [files.part("p", "a", number) for number in range(4)] == [b"twel", b"ve b", b"ytes", b""]
    assert files.info("p/a")["size"] == 12
    with pytest.raises(FileNotFoundError):
        files.info("p/b")
    files.connection.close()


def test_tables_of_the_first_version_are_brought_up_to_date(database: Any, machine: Any) -> None:
    database.execute("CREATE SCHEMA ragassay; CREATE TABLE ragassay.version (number int NOT NULL)")
    database.execute(project._MIGRATIONS[0])
    database.execute("INSERT INTO ragassay.version VALUES (1)")
    database.execute("INSERT INTO ragassay.files VALUES ('old', 'set/examples.jsonl', 3, 1)")
    database.execute("INSERT INTO ragassay.parts VALUES ('old', 'set/examples.jsonl', 0, '{}\n')")
    assert read("pg://old/set") == {"examples.jsonl": "{}\n"}
    assert database.execute("SELECT number FROM ragassay.version").fetchall() == [(len(project._MIGRATIONS),)]
    assert database.execute("SELECT count(*) FROM ragassay.records").fetchone() == (0,)


def test_what_keeps_a_database_from_being_used(database: Any, machine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    write("pg://handbook/set", examples=json.dumps({"question": "When?"}) + "\n")
    database.execute("CREATE ROLE reader LOGIN")
    database.execute(
        "GRANT USAGE ON SCHEMA ragassay TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA ragassay TO reader"
    )
    storage._kept_projects.cache_clear()
    machine("second")
    monkeypatch.setenv("PGUSER", "reader")
    assert list(read("pg://handbook/set")) == ["examples.jsonl"]
    with pytest.raises(RunFolderError, match=r"pg://handbook/mine.* cannot be written: no rights to it"):
        write("pg://handbook/mine", examples="{}\n")
    monkeypatch.delenv("PGUSER")
    monkeypatch.setenv("PGUSER", "postgres")
    database.execute("UPDATE ragassay.version SET number = 99")
    storage._kept_projects.cache_clear()
    with pytest.raises(InputError, match=r"projects of a later Ragassay \(tables of version 99, this one knows 2"):
        read("pg://handbook/set")
    storage._kept_projects.cache_clear()
    monkeypatch.setenv("PGPASSWORD", "hidden")
    with monkeypatch.context() as patch:
        patch.setenv("PGUSER", "nobody")
        with pytest.raises(InputError, match="the server refused the connection; check PGUSER, PGPASSWORD") as caught:
            read("pg://handbook/set")
        assert "hidden" not in str(caught.value)
    monkeypatch.setenv("PGHOST", "127.0.0.1")
    monkeypatch.setenv("PGPORT", "1")
    with pytest.raises(InputError, match=r"pg://handbook/set.* cannot be read: the storage cannot be reached"):
        read("pg://handbook/set")
