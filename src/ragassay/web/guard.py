"""What all pages of ours have: files, and what keeps anybody else from using them: keys, hosts, headers, sizes."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Iterable
from hashlib import sha256
from importlib.resources import files
from ipaddress import ip_address
from typing import Any

from fastapi import APIRouter, FastAPI, HTTPException, Request, Response
from fastapi.responses import JSONResponse

from ragassay.report.html import asset
from ragassay.report.safe_text import visible

KEY_HEADER = "X-Ragassay-Key"
"""Where a page sends its key. No other site can set a header of its own without being asked by the browser first."""
MOST_BODY_BYTES = 64_000
_MOST_DIGITS = 10
"""Of a length: Python takes long to read a number of thousands of them, and at last refuses to."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def application(title: str, router: APIRouter, **state: object) -> FastAPI:
    """Return an application that has yet to be guarded. state: what its replies are made of."""
    app = FastAPI(title=title, docs_url=None, redoc_url=None, openapi_url=None)
    for name, value in state.items():
        setattr(app.state, name, value)
    app.include_router(router)
    return app


def page_file(name: str) -> Response:
    """Return a page, style sheet or script of ours. Raises HTTPException for anything else."""
    kinds = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
    if name == "items.js":
        return Response(asset(name), media_type=kinds["js"])
    stem, _, ending = name.partition(".")
    if not stem.isidentifier() or ending not in kinds or not files("ragassay.web").joinpath("pages", name).is_file():
        raise HTTPException(404, "no such file")
    text = read_page(name) + (asset("items.css") if ending == "css" else "")
    return Response(text, media_type=kinds[ending])


def read_page(name: str) -> str:
    """Return a file of ours; pages begin with what all of them have."""
    folder = files("ragassay.web").joinpath("pages")
    head = folder.joinpath("head.txt").read_text(encoding="utf-8") if name.endswith(".html") else ""
    return head + folder.joinpath(name).read_text(encoding="utf-8")


def shown(value: Any) -> Any:
    """Return a JSON value in which every text, names of fields too, can be shown: nothing reorders or hides."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {visible(name): shown(each) for name, each in value.items()}
    return [shown(each) for each in value] if isinstance(value, list | tuple) else value


def key_of(secret: str, name: str) -> str:
    """Return the key of one user; nobody can work it out from another's."""
    return hmac.new(secret.encode(), name.encode("utf-8", "surrogatepass"), sha256).hexdigest()[:32]


def is_key(given: str | None, secret: str, name: str) -> bool:
    return hmac.compare_digest((given or "").encode("utf-8", "replace"), key_of(secret, name).encode())


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def guard(app: FastAPI, hosts: Iterable[str]) -> None:
    """Refuse requests to other names, from other sites, or too large; every reply gets the headers above.

    hosts: the names and addresses by which the page may be called, without port; a page that is reached by a name of
    somebody else's choice (DNS rebinding) would be open to that site. Empty: any, for pages that ask for a key.
    """
    allowed = set(hosts)

    @app.middleware("http")
    async def check(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        refused = _refused(request, allowed)
        response = refused or await call_next(request)
        for name, value in _HEADERS.items():
            if name not in response.headers:
                response.headers[name] = value
        return response


def _refused(request: Request, hosts: set[str]) -> Response | None:
    host = _name_of(request.headers.get("host", ""))
    if hosts and host not in hosts:
        return _refusal(421, "this page is not known by that name")
    if _is_from_elsewhere(request):
        return _refusal(403, "this request comes from another site")
    if request.method not in {"GET", "HEAD"}:
        size = request.headers.get("content-length", "")
        if "transfer-encoding" in request.headers or not size.isascii() or not size.isdecimal():
            return _refusal(411, "a request has to say its length")
        if len(size) > _MOST_DIGITS or int(size) > MOST_BODY_BYTES:
            return _refusal(413, f"a request has {MOST_BODY_BYTES} bytes at most")
    return None


def _is_from_elsewhere(request: Request) -> bool:
    """Whether a page of another site asks: for anything but to be left for a page of ours, as by a link there."""
    if request.headers.get("sec-fetch-site", "same-origin") in {"same-origin", "none"}:
        return False
    return request.method != "GET" or request.headers.get("sec-fetch-dest") != "document"


def _name_of(host: str) -> str:
    """The host without its port; an IPv6 address without its brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


def _refusal(status: int, reason: str) -> Response:
    return JSONResponse({"error": reason}, status)
