"""The pages of ``ragassay view``: the runs below a folder, one run, two side by side. They change nothing."""

from __future__ import annotations

import html
import re
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from ragassay.errors import RagassayError
from ragassay.jobs.report.comparing import compare_runs
from ragassay.metrics.catalogue import scale_of
from ragassay.metrics.metric import Scale, Scales
from ragassay.report.comparison import blocks_of_comparison
from ragassay.report.html import render_fragment, script_sources
from ragassay.report.items import detail, table_data
from ragassay.report.safe_text import visible
from ragassay.report.summary import METRICS_FILE, read_metrics
from ragassay.web.guard import application, guard, is_key, page_file, read_page, shown
from ragassay.web.run_entry import RunEntry
from ragassay.web.run_index import NotThereError, RunIndex

COOKIE = "ragassay-view"
_MOST_CHANGED = 50
FRAMED = "/framed"
"""Behind the path of a page: what stands in its frame."""
_FRAME_POLICY = (
    "default-src 'none'; style-src 'self'; img-src data:; frame-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Of the page around: its frame is led to no other place, by no refresh and no link."""
_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""A report brings a policy of its own, which may allow anything. Here no script runs but those of reports of this
version: one that is free to run can leave by ways that no policy closes, such as WebRTC."""
_LEADING_ELSEWHERE = re.compile(rb"<(?=(?:meta|link|base|iframe|frame|object|embed|portal|fencedframe)\b)", re.I)
_MARKS = b"\xff\xfe"

router = APIRouter()


def view_app(index: RunIndex, hosts: Iterable[str], secret: str | None = None) -> FastAPI:
    """Return the application. hosts: the names by which it may be called; see ``guard``.

    secret: where others than this machine can reach the pages; they open only with the key that is made of it.
    """
    app = application("Ragassay", router, index=index)
    app.add_exception_handler(RagassayError, _refused)
    if secret is not None:
        _ask_for_key(app, secret)
    guard(app, hosts)
    return app


def _ask_for_key(app: FastAPI, secret: str) -> None:
    """The link that was printed puts its key into a cookie, which everything else asks for."""

    @app.middleware("http")
    async def check(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        given = request.query_params.get("key")
        if given is not None and is_key(given, secret, "view"):
            reply = RedirectResponse("/", 303)
            # "strict" would not be sent along with the redirection where the link stood in a mail read in the browser.
            reply.set_cookie(COOKIE, given, httponly=True, samesite="lax")
            return reply
        if not is_key(request.cookies.get(COOKIE), secret, "view"):
            return JSONResponse({"error": "open the link that `ragassay view` printed"}, 403)
        return await call_next(request)


def _index(request: Request) -> RunIndex:
    found: RunIndex = request.app.state.index
    return found


Index = Annotated[RunIndex, Depends(_index)]


@router.get("/")
@router.get("/run")
@router.get("/compare")
def page(request: Request) -> Response:
    return page_file(f"{request.url.path[1:] or 'runs'}.html")


@router.get("/file/{name}")
def static(name: str) -> Response:
    return page_file(name)


@router.get("/report")
def report(run: str, request: Request, index: Index) -> Response:
    """Return the report that a command wrote, or one of the examples of a command that writes none; in a frame."""
    if not index.entry(run).has_report:
        raise NotThereError(f"the run {run!r} has no report")
    source = html.escape(f"{request.url.path}{FRAMED}?{request.url.query}")
    return _apart(read_page("report.html").replace("FRAMED", source).encode(), _FRAME_POLICY)


@router.get(f"/report{FRAMED}")
def framed_report(run: str, request: Request, index: Index) -> Response:
    if request.headers.get("sec-fetch-dest", "iframe") != "iframe":  # a foreign page, asked for as a page of its own
        return RedirectResponse(f"{request.url.path.removesuffix(FRAMED)}?{request.url.query}", 303)
    return _framed(index.report(run))


@router.get("/api/runs")
def runs(index: Index) -> Response:
    entries = [_described(entry) for entry in index.entries()]
    # A reply of its own: what FastAPI would look through first is plain.
    return JSONResponse({"folder": visible(str(index.folder)), "runs": entries})


@router.get("/api/run")
def run(run: str, index: Index) -> dict[str, Any]:
    return _described(index.entry(run))


@router.get("/api/items")
def items(run: str, index: Index) -> Response:
    """Return the rows of the table; bars: of each metric the middle of its scale, and whether more is better."""
    found = index.items(run)
    kept: Scales = {}
    with suppress(RagassayError):  # what cannot be read there keeps no item from being seen
        folder = index.path_of(run)
        kept = read_metrics(folder).scales if (folder / METRICS_FILE).exists() else {}
    scales = (scale_of(name, kept) or Scale() for name in found.metrics)
    bars = [[(each.low + (each.high or 1.0)) / 2, each.higher_is_better] for each in scales]
    return JSONResponse({**table_data(found), "bars": bars})


@router.get("/api/item")
def item(run: str, place: int, index: Index) -> dict[str, Any]:
    found = index.items(run)
    if not 0 <= place < len(found.examples):
        raise NotThereError(f"the run {run!r} has no item number {place + 1}")
    return detail(found, found.examples[place])


@router.get("/api/compare")
def compare(a: str, b: str, index: Index, system_a: str | None = None, system_b: str | None = None) -> Response:
    """Return two runs side by side, as HTML that the page takes in."""
    paths = index.path_of(a), index.path_of(b)
    of_a, of_b, found = compare_runs(*paths, system_a=system_a, system_b=system_b, most_changed=_MOST_CHANGED)
    blocks = blocks_of_comparison(found, f"{a}, {of_a.system}", f"{b}, {of_b.system}")
    return Response(render_fragment(blocks), media_type="text/html")


def _described(entry: RunEntry) -> dict[str, Any]:
    return {**shown(asdict(entry)), "id": entry.name}


def _refused(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": visible(str(error))}, 404 if isinstance(error, NotThereError) else 409)


def _framed(page: bytes) -> Response:
    """Return a foreign page, for the frame.

    Elements that lead elsewhere become comments: a browser connects to the place that they name before it asks the
    policy. Those of our own reports say what the headers say here too.
    """
    # Without the marks of UTF-16, which count more than the header: there "<meta" would be other bytes.
    return _apart(_LEADING_ELSEWHERE.sub(b"<!", page.lstrip(_MARKS)), _POLICY.format(scripts=script_sources()))


def _apart(page: bytes, policy: str) -> Response:
    headers = {"Content-Security-Policy": policy, "X-DNS-Prefetch-Control": "off"}
    return Response(page, media_type="text/html; charset=utf-8", headers=headers)
