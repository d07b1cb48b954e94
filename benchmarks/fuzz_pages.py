"""The annotation pages' API: whatever is sent, the server does not fail, and serves the next request."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from urllib.parse import quote_from_bytes, urlsplit

import fuzz_mutations as mutations
from fastapi.testclient import TestClient

from ragassay.annotation.sheets import sheets_of
from ragassay.annotation.store import Round
from ragassay.records import Example, Provenance, Span
from ragassay.web.annotate import annotation_app, link_of
from ragassay.web.guard import KEY_HEADER
from ragassay.web.serving import names_of

REQUESTS = 20
"""To one round."""
_PATHS = [
    "/api/annotators/ana/items/0/label",
    "/api/annotators/ana/items/1/label",
    "/api/annotators/ana/items/1",
    "/api/annotators/ana",
    "/api/progress",
    "/file/pages.css",
    "/annotate",
]
_BODY = {"value": "summary", "note": "why"}
_TYPES = ["application/json", "application/json; charset=utf-16", "text/plain", "multipart/form-data; boundary=x", ""]


def _annotate(rng: Random, folder: Path) -> None:
    examples = [_example(number) for number in range(3)]
    round_ = Round.begin(folder, "label", sheets_of("label", examples), ["ana", "ben"], 2, seed=0)
    key = urlsplit(link_of("http://x", round_, "ana")).fragment.rpartition("/")[2]
    app = annotation_app(round_, names_of("127.0.0.1"))
    with TestClient(app, base_url="http://127.0.0.1:8765") as client:
        for _ in range(REQUESTS):
            _request(rng, client, key)
        reply = client.put(_PATHS[0], json=_BODY, headers={KEY_HEADER: key})
        assert reply.status_code == 200, reply.text
    round_.annotations()


def _request(rng: Random, client: TestClient, key: str) -> None:
    path = rng.choice(_PATHS[:3] if rng.random() < 0.7 else _PATHS)
    if rng.random() < 0.3:
        path = "/" + quote_from_bytes(mutations.damaged(rng, path.encode())[:2_000], safe="/?&=%").lstrip("/")
    headers = {KEY_HEADER: key, "Content-Type": rng.choice([_TYPES[0]] * 6 + _TYPES)}
    if rng.random() < 0.2:
        name = rng.choice([KEY_HEADER, "Host", "Content-Type", "Origin", "Sec-Fetch-Site", "Accept", "Cookie", "Range"])
        headers[name] = (
            mutations.damaged(rng, key.encode()).decode("latin-1")[:500].translate({10: None, 13: None, 0: None})
        )
    method = rng.choice(["PUT", "PUT", "PUT", "GET", "POST", "DELETE", "HEAD", "OPTIONS", "PATCH"])
    content = None if method in {"GET", "HEAD"} else mutations.damaged_json(rng, _BODY)
    sent = {name: value.encode("latin-1") for name, value in headers.items()}
    reply = client.request(method, path, headers=sent, content=content, follow_redirects=False)
    assert reply.status_code < 500, f"{method} {path}: {reply.status_code} {reply.text}"


def _example(number: int) -> Example:
    text = f"How many cars, case {number}? \u202e<b>"
    return Example(
        id=f"q{number}",
        question=text,
        answer="40",
        context=Span(document_id="d", start=0, end=len(text), text=text),
        references=(),
        keypoints=(),
        requested_label=None,
        verified_label=None,
        provenance=Provenance(synthesizer="", model=""),
    )


TARGETS: dict[str, Callable[[Random, Path], None]] = {"annotate": _annotate}
