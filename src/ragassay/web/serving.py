"""Runs a page until it is stopped by hand."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

from ragassay.errors import UsageError
from ragassay.web.guard import is_loopback

if TYPE_CHECKING:
    from fastapi import FastAPI


_ALL = frozenset({"", "0.0.0.0", "::", "0:0:0:0:0:0:0:0"})
_SOMEBODY = "192.0.2.1"
"""An address of documentation (RFC 5737)."""


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to the address; port 0 takes a free one. Raises UsageError where that cannot be."""
    if not 0 <= port <= 65_535:  # the system would take the remainder for another port
        raise UsageError(f"--port: must be between 0 and 65535, not {port}")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError as error:
        raise UsageError(
            f"--port {port}: {host}:{port} cannot be used ({error.strerror or error}); choose another port"
        ) from None
    return bound


def address_of(bound: socket.socket, host: str) -> str:
    """Return the URL: ``http://127.0.0.1:8765``. For all addresses of this machine, one that others can open."""
    port = bound.getsockname()[1]
    if host in _ALL:
        host = _seen_from_outside()
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"


def _seen_from_outside() -> str:
    """The address of this machine on the way to others, else its name; nothing is sent."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
            way.connect((_SOMEBODY, 9))
            return str(way.getsockname()[0])
    except OSError:
        return socket.gethostname()


def names_of(host: str) -> list[str]:
    """Return names by which a page on this address may be called; [] for any, where other machines reach it."""
    return ["127.0.0.1", "localhost", "::1", host] if is_loopback(host) else []


def serve(app: FastAPI, bound: socket.socket, on_start: Callable[[], None]) -> None:
    """Serve until Ctrl-C. on_start: called when the page can be opened."""
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            on_start()

    config = uvicorn.Config(app, log_level="error", access_log=False, server_header=False, timeout_graceful_shutdown=2)
    try:
        Server(config).run(sockets=[bound])
    except KeyboardInterrupt:
        raise KeyboardInterrupt("the pages are closed") from None
