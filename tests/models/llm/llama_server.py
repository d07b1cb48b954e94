"""A real server of a small language model, by llama-cpp-python: for tests.

    python tests/models/llm/llama_server.py --weights MODEL.gguf --port 8200

Runs where llama-cpp-python[server] is installed, which need not be where Ragassay is (``make test-server`` keeps it in
an environment of its own); ``running`` starts it there and stops it. The first line printed is the address.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

PYTHON_VARIABLE = "RAGASSAY_SERVER_PYTHON"
"""Of the environment: the Python that has llama-cpp-python, where it is another one."""
STARTS_IN_S = 300.0


class Server(NamedTuple):
    """A running server. url: its base URL. log: the file with what it prints."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path


def python_with_llama() -> str | None:
    """The Python that can run the server, or None."""
    named = os.environ.get(PYTHON_VARIABLE)
    return named or (sys.executable if find_spec("llama_cpp") else None)


@contextmanager
def running(python: str, weights: Path, log: Path, *options: str, port: int | None = None) -> Iterator[Server]:
    """A server that runs while the block does. Raises RuntimeError, with its last words, where it does not start."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", port or 0))
        port = free.getsockname()[1]
    command = [python, __file__, "--weights", str(weights), "--port", str(port), *options]
    with log.open("wb") as printed:
        process = subprocess.Popen(command, stdout=printed, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    server = Server(f"http://127.0.0.1:{port}/v1", process, log)
    try:
        _wait(server)
        yield server
    finally:
        process.kill()
        process.wait()


def _wait(server: Server) -> None:
    until = time.monotonic() + STARTS_IN_S
    while server.process.poll() is None and time.monotonic() < until:
        try:
            urllib.request.urlopen(f"{server.url}/models", timeout=5).close()
        except urllib.error.HTTPError:  # a key is asked for: it is there
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"the server did not start: {server.log.read_text('utf-8', 'replace')[-2000:]}")


def _without_extra_buffers() -> None:
    """Processors with AMX: llama.cpp's repacked weights crashed there; its own parameter for it is not passed on."""
    from llama_cpp import llama_cpp

    defaults = llama_cpp.llama_model_default_params

    def parameters() -> Any:
        made = defaults()
        made.use_extra_bufts = False
        return made

    llama_cpp.llama_model_default_params = parameters


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", required=True)
    parser.add_argument("--port", type=int, default=8200)
    parser.add_argument("--context", type=int, default=2048, help="tokens of a prompt and its reply")
    parser.add_argument("--threads", type=int, default=1, help="two wait for each other on a busy machine")
    parser.add_argument("--key", help="that the Authorization header has to hold")
    parser.add_argument("--logprobs", action="store_true", help="offer log-probabilities, which takes more memory")
    arguments = parser.parse_args()
    _without_extra_buffers()
    import uvicorn
    from llama_cpp.server.app import create_app
    from llama_cpp.server.settings import ModelSettings, ServerSettings

    model = ModelSettings(
        model=arguments.weights,
        n_ctx=arguments.context,
        n_threads=arguments.threads,
        n_threads_batch=arguments.threads,
        logits_all=arguments.logprobs,
        verbose=False,
    )
    application = create_app(
        server_settings=ServerSettings(host="127.0.0.1", port=arguments.port, api_key=arguments.key),
        model_settings=[model],
    )
    print(f"http://127.0.0.1:{arguments.port}/v1", flush=True)
    uvicorn.run(application, host="127.0.0.1", port=arguments.port, log_level="warning")


if __name__ == "__main__":
    main()
