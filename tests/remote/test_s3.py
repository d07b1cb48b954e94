"""The command line against a server that speaks S3: moto's, in a process of its own on 127.0.0.1."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

pytestmark = pytest.mark.s3_server
SECRET = "do-not-show-this"
DOCUMENTS = sorted((Path(__file__).parents[2] / "demo" / "knowledge_base").rglob("*.md"))[:6]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Its environment. The bucket "open" holds documents, and one that is too large."""
    s3fs = pytest.importorskip("s3fs")
    pytest.importorskip("moto.server")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    endpoint = f"http://127.0.0.1:{port}"
    process = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(100):
            try:
                urlopen(f"{endpoint}/moto-api/").close()
                break
            except (URLError, ConnectionError):
                time.sleep(0.1)
        store = s3fs.S3FileSystem(key="key", secret=SECRET, endpoint_url=endpoint)
        store.mkdir("open")
        for path in DOCUMENTS:
            store.pipe_file(f"open/docs/{path.parent.name}/{path.name}", path.read_bytes())
        store.pipe_file("open/docs/large.txt", b"word " * 100_000)
        yield {
            **os.environ,
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": endpoint,
            "AWS_EC2_METADATA_DISABLED": "true",
            "RAGASSAY_SMALL_MODEL": "off",
            "RAGASSAY_CACHE": str(tmp_path_factory.mktemp("cache")),
        }
    finally:
        process.terminate()
        process.wait()


def ragassay(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ragassay", *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert SECRET not in done.stdout + done.stderr
    return done


def test_a_run_from_a_bucket(server: dict[str, str], tmp_path: Path) -> None:
    command = ("run", "s3://open/docs", "--out", str(tmp_path / "one"), "--n", "2", "--max-document-mb", "0.1")
    done = ragassay(server, *command)
    assert done.returncode == 0, done.stderr
    run, summary = (json.loads((tmp_path / "one" / name).read_text()) for name in ("run.json", "summary.json"))
    assert run["settings"]["documents"] == "s3://open/docs"
    assert summary["corpus"]["documents"] == len(DOCUMENTS)
    assert "large.txt" in json.dumps(summary["corpus"]["skipped"])
    assert not any(SECRET.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    done = ragassay(server, *command)  # the same run again: it is not another one
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("url", "changes", "code", "message"),
    [
        ("s3://missing/docs", {}, 3, "there is no such bucket or object"),
        ("s3://open/none", {}, 3, "s3://open/none does not exist"),
        ("s3://open/docs", {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}, 3, "no credentials"),
        ("s3://open/docs --out s3://open/run", {}, 2, "s3://open/run cannot be written to"),
        ("ftp://open/docs", {}, 2, "unknown scheme in ftp://open/docs"),
        (f"s3://key:{SECRET}@open/docs", {}, 2, "credentials do not belong in a path"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(
    server: dict[str, str], tmp_path: Path, url: str, changes: dict[str, str], code: int, message: str
) -> None:
    done = ragassay(server | changes, "run", "--out", str(tmp_path / "run"), "--n", "2", *url.split())
    assert (done.returncode, done.stderr.count("\n")) == (code, 1), done.stderr
    assert message in done.stderr


def test_a_bucket_without_rights(server: dict[str, str], tmp_path: Path) -> None:
    def checked_from(requests: bytes) -> None:
        """Keys are, of which the server knows none."""
        url = f"{server['AWS_ENDPOINT_URL']}/moto-api/reset-auth"
        urlopen(Request(url, data=requests, headers={"Content-Type": "text/plain"})).close()

    checked_from(b"0")
    try:
        done = ragassay(server, "run", "s3://open/docs", "--out", str(tmp_path / "run"), "--n", "2")
    finally:
        checked_from(b"inf")
    assert (done.returncode, done.stderr.count("\n")) == (3, 1), done.stderr
    assert "no rights to it" in done.stderr
