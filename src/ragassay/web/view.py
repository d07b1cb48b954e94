"""The pages of ``ragassay view``: the runs below a folder, one run, two side by side. They change nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import asdict
from importlib.resources import files
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from ragassay.errors import RagassayError
from ragassay.pipeline.report.comparing import compare_runs
from ragassay.report.comparison import blocks_of_comparison
from ragassay.report.html import asset, render_fragment
from ragassay.report.items import detail, table_data
from ragassay.report.safe_text import visible
from ragassay.web.foreign_pages import FRAMED, frame, framed, without_frame
from ragassay.web.guard import guard, is_key
from ragassay.web.run_entry import At, RunEntry
from ragassay.web.run_index import NotThereError, RunIndex

COOKIE = "ragassay-view"
_SCRIPTS = {"state.js", "runs.js", "run.js", "compare.js"}
_MOST_CHANGED = 50

router = APIRouter()


def view_app(index: RunIndex, hosts: Iterable[str], secret: str | None = None) -> FastAPI:
    """Return the application. hosts: the names by which it may be called; see ``guard``.

    secret: where others than this machine can reach the pages; they open only with the key that is made of it.
    """
    app = FastAPI(title="Ragassay", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.index = index
    app.include_router(router)
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
    name = {"/": "runs", "/run": "run", "/compare": "compare"}[request.url.path]
    return Response(_read(f"{name}.html"), media_type="text/html")


@router.get("/file/{name}")
def static(name: str) -> Response:
    if name == "pages.css":
        return Response(_read(name) + asset("items.css"), media_type="text/css")
    if name == "items.js":
        return Response(asset(name), media_type="text/javascript")
    if name not in _SCRIPTS:
        raise HTTPException(404, "no such file")
    return Response(_read(name), media_type="text/javascript")


@router.get("/report")
def report(run: str, request: Request, index: Index) -> Response:
    """Return the report that a command wrote, or one of the examples of a command that writes none; in a frame."""
    if not index.entry(run).has_report:
        raise NotThereError(f"the run {run!r} has no report")
    return frame(request, _read("report.html"))


@router.get(f"/report{FRAMED}")
def framed_report(run: str, request: Request, index: Index) -> Response:
    return without_frame(request) or framed(index.report(run))


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
    return JSONResponse(table_data(index.items(run)))


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
    return {
        **asdict(entry),
        "name": visible(entry.name),
        **{name: visible(getattr(entry, name)) for name in ("command", "about", "model")},
        "id": entry.name,
        "stages": [visible(name) for name in entry.stages],
        "settings": {visible(name): visible(value) for name, value in entry.settings.items()},
        "metrics": {visible(name): value for name, value in entry.metrics.items()},
        "progress": None if entry.progress is None else _told(entry.progress),
    }


def _told(at: At) -> dict[str, Any]:
    return {**asdict(at), "stage": visible(at.stage), "stopped_by": visible(at.stopped_by)}


def _refused(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": visible(str(error))}, 404 if isinstance(error, NotThereError) else 409)


def _read(name: str) -> str:
    return files("ragassay.web").joinpath("pages", name).read_text(encoding="utf-8")
