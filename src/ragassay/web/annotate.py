"""The pages of ``ragassay annotate``: one for each annotator, and one that shows how far everybody is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Body, Depends, FastAPI, Header, HTTPException, Path, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from ragassay.errors import RagassayError, UsageError
from ragassay.people.annotation.mending import MOST_ANSWER_CHARS, MOST_QUESTION_CHARS, pieces
from ragassay.people.annotation.store import MOST_NOTE_CHARS, Round, Turn
from ragassay.records import LABELS, Example
from ragassay.report.safe_text import visible
from ragassay.web.guard import KEY_HEADER, application, guard, is_key, key_of, page_file, shown

OVERSEER = ""
"""The name that whoever began the round has a key under; no annotator can be called that."""
MOST_VALUE_CHARS = 40_000
"""Of an answer: a mended example is one, in JSON; ``people/annotation/mending.py`` bounds its parts."""

router = APIRouter()


def annotation_app(round_: Round, hosts: Iterable[str]) -> FastAPI:
    """Return the application. hosts: the names by which it may be called; see ``guard``."""
    app = application("Ragassay annotation", router, round=round_)
    app.add_exception_handler(RagassayError, _refused)
    app.add_exception_handler(RequestValidationError, _not_understood)
    guard(app, hosts)
    return app


def link_of(address: str, round_: Round, annotator: str) -> str:
    """Return what an annotator opens. Name and key stand behind the #, so they are in no log of a server on the way."""
    return f"{address}/annotate#{quote(annotator, safe='')}/{key_of(round_.secret, annotator)}"


def overseer_link(address: str, round_: Round) -> str:
    """Return what whoever began the round opens: progress of all annotators."""
    return f"{address}/#{key_of(round_.secret, OVERSEER)}"


Key = Annotated[str | None, Header(alias=KEY_HEADER)]


def _round(request: Request) -> Round:
    found: Round = request.app.state.round
    return found


CurrentRound = Annotated[Round, Depends(_round)]


def _known(annotator: str, round_: CurrentRound, key: Key = None) -> str:
    if not is_key(key, round_.secret, annotator) or annotator not in round_.annotators:
        raise HTTPException(403, "this link is not right; ask for yours again")
    return annotator


Annotator = Annotated[str, Depends(_known)]
Number = Annotated[int, Path(ge=0, le=1_000_000_000)]


@router.get("/")
@router.get("/annotate")
def annotate_page() -> Response:
    return page_file("annotate.html")


@router.get("/file/{name}")
def asset(name: str) -> Response:
    return page_file(name)


@router.get("/api/progress")
def progress(round_: CurrentRound, key: Key = None) -> dict[str, Any]:
    if not is_key(key, round_.secret, OVERSEER):
        raise HTTPException(403, "this link is not right; it was printed when the round was started")
    return _all_progress(round_)


@router.get("/api/annotators/{annotator}")
def own_progress(annotator: Annotator, round_: CurrentRound) -> dict[str, Any]:
    return {**_all_progress(round_), **_progress(round_, annotator), "undone": round_.undone(annotator)}


@router.get("/api/annotators/{annotator}/items/{turn}")
def item(annotator: Annotator, turn: Number, round_: CurrentRound) -> dict[str, Any]:
    return _seen(round_.turn(annotator, turn))


@router.put("/api/annotators/{annotator}/items/{turn}/{task}")
def judge(
    annotator: Annotator,
    turn: Number,
    task: str,
    round_: CurrentRound,
    value: Annotated[str, Body(max_length=MOST_VALUE_CHARS)],
    note: Annotated[str, Body(max_length=MOST_NOTE_CHARS)] = "",
) -> dict[str, Any]:
    done, total = round_.judge(annotator, turn, task, value, note)
    return {"done": done, "total": total}


@router.post("/api/annotators/{annotator}/undo")
def undo(annotator: Annotator, round_: CurrentRound) -> dict[str, Any]:
    return {"turn": round_.undo(annotator), **_progress(round_, annotator)}


def _refused(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": visible(str(error))}, 404 if isinstance(error, UsageError) else 500)


def _not_understood(_: Request, error: Exception) -> Response:
    """Says what is wrong with a request and where, without what was sent: that may be no text that can be sent back."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(each) for each in first["loc"][1:]) or "request"
    return JSONResponse({"error": visible(f"{place}: {first['msg']}")}, 422)


def _all_progress(round_: Round) -> dict[str, Any]:
    return {"task": round_.task, "annotators": [_progress(round_, name) for name in round_.annotators]}


def _progress(round_: Round, annotator: str) -> dict[str, Any]:
    done, total = round_.progress(annotator)
    return {"name": visible(annotator), "done": done, "total": total}


def _seen(turn: Turn) -> dict[str, Any]:
    """As the page gets it: what could reorder or hide text is spelt out. The page shows texts as text, never markup."""
    sheet = turn.sheet
    asked = [
        {
            "name": each.name,
            "ask": visible(each.ask),
            "options": [{"value": option.value, "text": visible(option.text)} for option in each.options],
            "value": turn.answers.get(each.name),
            "example": None if each.example is None else shown(_to_be_mended(each.example)),
        }
        for each in sheet.asked
    ]
    texts = [{"heading": each.heading, "text": each.text, "is_answer": bool(each.side)} for each in sheet.shown]
    return {"shown": shown(texts), "asked": asked, "note": turn.note, "done": turn.is_done}


def _to_be_mended(example: Example) -> dict[str, Any]:
    """What may be changed of an example, and what it rests on; nothing that a model said of it but its label."""
    return {
        "label": example.label,
        "labels": LABELS,
        "question": example.question,
        "answer": example.answer,
        "most": {"question": MOST_QUESTION_CHARS, "answer": MOST_ANSWER_CHARS},
        "passage": [asdict(each) for each in pieces(example)],
    }
