"""Probes of commands: the network, programs under test, servers, odd arguments, processes that may have no children."""

from __future__ import annotations

import base64
import http.server
import json
import re
import shutil
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from probing import CannotTryError, Place, Probe, is_running

_ADDRESS = re.compile(r'sa_family=AF_INET6?.*?"([^"]+)"')
_KEY = "sk-very-secret-0123456789"


def _watched(command: str, place: Place) -> str:
    """Addresses but this machine's, and files in the home folder that are no output."""
    strace = shutil.which("strace")
    if strace is None:
        raise CannotTryError("strace is not installed")
    run, log = place.run(), place.folder / ".log"
    watch = (strace, "-f", "-qq", "--seccomp-bpf", "-s", "4096", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o")
    before = (*watch, str(log))
    home = {*place.folder.iterdir()}
    out = place.folder / "out"
    docs = place.documents()
    home.add(docs)
    wrong = ""
    if command == "view":
        with place.serving("view", place.folder, before=before) as said:
            for path in ("", "api/runs", "api/run?run=run", "report?run=run"):
                urllib.request.urlopen(f"{said['link']}{path}", timeout=30).read()
    else:
        arguments = {
            "run": ("run", docs, "--out", out, "--n", 1),
            "evaluate": ("evaluate", run, "--system", "rag", "--out", out, "--limit", 1),
            "score": ("score", run, "--system", "512 dense", "--metrics", "exact_match"),
            "check": ("check", run),
        }[command]
        own = Place(place.folder, place.cache, {**place.environment, "RAGASSAY_SMALL_MODEL": "on"})
        wrong = own.ragassay(*arguments, before=before, within_s=300).wrong(0, 5)
    addresses = {*_ADDRESS.findall(log.read_text(errors="replace"))} - {"127.0.0.1", "::1"}
    files = {*place.folder.iterdir()} - home - {out, log, place.folder / ".out", place.folder / ".err"}
    asked = f"it asked {', '.join(sorted(addresses))}" if addresses else ""
    return asked or (f"it wrote {', '.join(path.name for path in files)}" if files else wrong)


def _program(shell: str, left: str, place: Place) -> str:
    script = place.folder / "program.sh"
    script.write_text(shell)
    options = ("--set", f"command=sh {script}", "--timeout", 1, "--out", place.folder / "out")
    ended = place.ragassay("predict", place.set_of_one(), "--system", "command", *options, within_s=60)
    wrong = ended.wrong(0, 6, 8)
    return wrong or (f"'{left}' is still running" if left and is_running(left) else "")


@contextmanager
def _server(reply: bytes, status: int = 200, kind: str = "application/json") -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            asked.append(self.path)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_: object) -> None: ...

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1#m", asked
    server.shutdown()
    server.server_close()


def _usage(usage: str, place: Place) -> str:
    """The reply is kept, the log can be read, and asking again asks nothing."""
    content = '{"answered": true, "answer": "At nine."}'
    message = json.dumps({"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}})
    with _server(f'{{"choices": [{message}], "usage": {usage}}}'.encode()) as (model, asked):
        out = place.folder / "out"
        command = ("predict", place.set_of_one(), "--system", "no-retrieval", "--model", model, "--out", out)
        wrong = place.ragassay(*command).wrong(0) or place.ragassay("calls", out).wrong(0)
        n_asked = len(asked)
        wrong = wrong or place.ragassay(*command).wrong(0)
        return wrong or ("it asked again" if len(asked) != n_asked else "")


def _web_page(place: Place) -> str:
    with _server(b"<!doctype html><title>Sign in</title>", kind="text/html") as (model, _):
        out = place.folder / "out"
        begun = time.monotonic()
        command = ("predict", place.set_of_one(), "--system", "no-retrieval", "--model", model, "--out", out)
        wrong = place.ragassay(*command).wrong(6, 8)
        seconds = time.monotonic() - begun
        return wrong or (f"given up after {seconds:.0f} s" if seconds > 25 else "")


def _echo(encode: str, place: Place) -> str:
    seen = _KEY if encode == "plain" else base64.b64encode(f":{_KEY}".encode()).decode()
    with _server(json.dumps({"error": {"message": f"wrong key {seen}"}}).encode(), status=401) as (model, _):
        own = Place(place.folder, place.cache, {**place.environment, "RAGASSAY_API_KEY": _KEY})
        command = ("predict", place.set_of_one(), "--system", "no-retrieval", "--model", model)
        ended = own.ragassay(*command, "--out", place.folder / "out")
        written = [path.read_bytes() for path in (place.folder / "out").rglob("*") if path.is_file()]
        shown = seen in ended.err + ended.out or any(seen.encode() in each for each in written)
        return ended.wrong(6, 8) or ("it was shown" if shown else "")


def _arguments(codes: tuple[int, ...], words: tuple[str, ...], place: Place) -> str:
    places = {"docs": place.documents(), "out": place.folder / "out", "set": place.set_of_one()}
    return place.ragassay(*(word.format(**places) for word in words)).wrong(*codes)


def _script(text: str, fault: str, place: Place) -> str:
    path = place.folder / "script.py"
    path.write_text(text.format(docs=str(place.documents()), folder=str(place.folder)))
    ended = place.python(path, within_s=200)
    return ended.err[-300:] if ended.code != 0 and fault in ended.err else ended.wrong(0)


def _full(command: tuple[str, ...], place: Place) -> str:
    return place.ragassay(*command, out=Path("/dev/full")).wrong(4)


_NONE = """
import ragassay
from ragassay import errors
try:
    ragassay.evaluate([None], metrics=["exact_match"])
except (errors.RagassayError, ValueError, TypeError) as error:
    print(error)
else:
    raise SystemExit("it was scored")
"""
_POOL = """
import multiprocessing
import ragassay
from ragassay import errors
def job(number):
    try:
        ragassay.run(["{docs}"], f"{folder}/out{{number}}", n=1, processes=2)
    except errors.RagassayError as error:
        return str(error)
if __name__ == "__main__":
    with multiprocessing.get_context("METHOD").Pool(2) as pool:
        print(pool.map(job, range(2)))
"""
_TIME = ("predict", "{set}", "--system", "no-retrieval", "--model", "http://127.0.0.1:9/v1#m", "--out", "{out}")

CLASSES: dict[str, dict[str, Probe]] = {
    "network, files elsewhere": {
        command: partial(_watched, command) for command in ("run", "evaluate", "view", "score", "check")
    },
    "programs that never stop": {
        "yes": partial(_program, "exec yes", "yes"),
        "no line has an end": partial(_program, "exec cat /dev/zero", "cat /dev/zero"),
        "it ignores what ends it": partial(_program, "trap '' TERM HUP INT PIPE; sleep 7301; sleep 7301", "sleep 7301"),
        "a session of its own": partial(
            _program, 'setsid sleep 7302 & while read -r l; do echo \'{"answer": "fine"}\'; done', "sleep 7302"
        ),
        "much on standard error": partial(_program, "yes >&2", "yes"),
    },
    "absurd usage": {
        usage: partial(_usage, usage)
        for usage in (
            '{"prompt_tokens": 4000000000000000000, "completion_tokens": 4000000000000000000}',
            '{"prompt_tokens": -5, "completion_tokens": -1}',
            '{"prompt_tokens": "many"}',
            '{"prompt_tokens": 1e400}',
            '{"prompt_tokens": NaN}',
            '{"prompt_tokens": [1], "completion_tokens": {}}',
            "7",
            '{"prompt_tokens": 1' + "0" * 400 + "}",
        )
    },
    "odd arguments and servers": {
        **{
            f"--call-timeout {value}": partial(_arguments, (2,), (*_TIME, "--call-timeout", value))
            for value in ("inf", "nan", "0", "-1")
        },
        'run ""': partial(_arguments, (2, 3), ("run", "", "--out", "{out}")),
        "evaluate([None])": partial(_script, _NONE, "Traceback"),
        "metrics to /dev/full": partial(_full, ("metrics",)),
        "--version to /dev/full": partial(_full, ("--version",)),
        "a web page with status 200": _web_page,
        "a key in an error": partial(_echo, "plain"),
        "a key in base64 in an error": partial(_echo, "base64"),
    },
    "daemonic processes": {
        method: partial(_script, _POOL.replace("METHOD", method), "Error") for method in ("spawn", "fork", "forkserver")
    },
}
