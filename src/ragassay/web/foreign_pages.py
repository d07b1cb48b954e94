"""Reports that somebody else may have made, shown so that they reach neither our pages nor the network."""

from __future__ import annotations

import html
import re

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from ragassay.report.html import script_sources

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


def frame(request: Request, page: str) -> Response:
    """Return the page around a foreign one, of which ``page`` is the template."""
    source = html.escape(f"{request.url.path}{FRAMED}?{request.url.query}")
    return _page(page.replace("FRAMED", source).encode(), _FRAME_POLICY)


def framed(page: bytes) -> Response:
    """Return a foreign page, for the frame.

    Elements that lead elsewhere become comments: a browser connects to the place that they name before it asks the
    policy. Those of our own reports say what the headers say here too.
    """
    # Without the marks of UTF-16, which count more than the header: there "<meta" would be other bytes.
    return _page(_LEADING_ELSEWHERE.sub(b"<!", page.lstrip(_MARKS)), _POLICY.format(scripts=script_sources()))


def without_frame(request: Request) -> Response | None:
    """Return the way to the frame, where a foreign page is asked for as a page of its own."""
    if request.headers.get("sec-fetch-dest", "iframe") == "iframe":
        return None
    return RedirectResponse(f"{request.url.path.removesuffix(FRAMED)}?{request.url.query}", 303)


def _page(page: bytes, policy: str) -> Response:
    headers = {"Content-Security-Policy": policy, "X-DNS-Prefetch-Control": "off"}
    return Response(page, media_type="text/html; charset=utf-8", headers=headers)
