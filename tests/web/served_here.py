"""Pages served from a thread of the test's own process: no other process has to start for them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from ragassay.web.serving import address_of, listening


@contextmanager
def served_here(app: FastAPI) -> Iterator[str]:
    """The address of the application, until the end of the block."""
    bound = listening("127.0.0.1", 0)
    bound.listen()  # before a page is opened, which then waits for the thread however late that begins
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    try:
        yield address_of(bound, "127.0.0.1")
    finally:
        server.should_exit = True
        thread.join(60)
