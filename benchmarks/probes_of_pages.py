"""Probes of the pages: hostile reports in a browser, notes that are no text, pipes named like a run's files."""

from __future__ import annotations

import os
import shutil
import socket
import time
import urllib.error
import urllib.request
from contextlib import suppress
from functools import partial

from probing import CannotTryError, Place, Probe

LEAVES = {
    "address": "<script>location.href = 'http://127.0.0.1:{tcp}/'</script>",
    "top": "<script>top.location = 'http://127.0.0.1:{tcp}/'</script>",
    "new window": "<script>window.open('http://127.0.0.1:{tcp}/')</script>",
    "refresh": "<meta http-equiv='refresh' content='0;url=http://127.0.0.1:{tcp}/'>",
    "webrtc": """<script>
        const made = new RTCPeerConnection({{iceServers: [{{urls: "stun:127.0.0.1:{udp}"}}]}});
        made.createDataChannel("x");
        made.createOffer().then(offer => made.setLocalDescription(offer));
        </script>""",
    "fetch": "<script>fetch('http://127.0.0.1:{tcp}/', {{mode: 'no-cors'}})</script>",
    "web socket": "<script>new WebSocket('ws://127.0.0.1:{tcp}/')</script>",
    "frame": "<iframe src='http://127.0.0.1:{tcp}/'></iframe>",
    "link elements": "<link rel=stylesheet href='http://127.0.0.1:{tcp}/'><link rel=prefetch href='http://127.0.0.1:{tcp}/'>",
    "pictures": "<img src='http://127.0.0.1:{tcp}/'><style>p {{ background: url(http://127.0.0.1:{tcp}/) }}</style>",
    "form": "<form action='http://127.0.0.1:{tcp}/'></form><script>document.forms[0].submit()</script>",
}
"""Each connects to one of two ports, from a file that is opened."""


class Listener:
    """A port for TCP and one for UDP that nobody should connect to."""

    def __init__(self) -> None:
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", 0))
        for each in (self._tcp, self._udp):
            each.setblocking(False)
        self.ports = {"tcp": self._tcp.getsockname()[1], "udp": self._udp.getsockname()[1]}

    def was_reached(self) -> bool:
        with suppress(BlockingIOError):
            self._tcp.accept()[0].close()
            return True
        with suppress(BlockingIOError):
            self._udp.recv(1)
            return True
        return False

    def close(self) -> None:
        self._tcp.close()
        self._udp.close()


def _report(way: str, place: Place) -> str:
    chromium = shutil.which("chromium")
    if chromium is None:
        raise CannotTryError("Chromium is not installed")
    from playwright.sync_api import Error, sync_playwright

    listener = Listener()
    hostile = f"<!doctype html><title>report</title>{LEAVES[way].format(**listener.ports)}<p>The end"
    (place.run() / "report.html").write_text(hostile)
    with place.serving("view", place.folder) as said, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with suppress(Error):
            browser.new_page().goto(f"{said['link']}report?run=run", wait_until="commit")
        until = time.monotonic() + 3
        while time.monotonic() < until and not (reached := listener.was_reached()):
            time.sleep(0.02)
        browser.close()
    listener.close()
    return "it connected" if reached else ""


def _note(body: str, place: Place) -> str:
    arguments = ("annotate", place.run(), "--annotators", "ana", "--out", place.folder / "judged")
    with place.serving(*arguments) as said:
        address, _, fragment = said["links"]["ana"].partition("#")  # type: ignore[index]
        key = fragment.rpartition("/")[2]
        put = address.replace("/annotate", "/api/annotators/ana/items/0/label")
        statuses = [_status(put, key, each) for each in (body, '{"value": "summary", "note": "whole"}')]
    return "" if statuses == [422, 200] else f"statuses {statuses}"


def _status(address: str, key: str, body: str) -> int:
    headers = {"X-Ragassay-Key": key, "Content-Type": "application/json"}
    request = urllib.request.Request(address, body.encode(), headers, method="PUT")
    try:
        return urllib.request.urlopen(request, timeout=20).status
    except urllib.error.HTTPError as error:
        return error.code


def _pipe(name: str, place: Place) -> str:
    path = place.run() / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    with place.serving("view", place.folder) as said:
        for ask in ("api/runs", "api/run?run=run", "api/items?run=run", "report?run=run", "api/runs"):
            try:
                urllib.request.urlopen(f"{said['link']}{ask}", timeout=10).read()
            except urllib.error.HTTPError as error:
                if error.code >= 500:
                    return f"{ask}: status {error.code}"
            except TimeoutError:
                return f"{ask}: no answer within 10 s"
    return ""


CLASSES: dict[str, dict[str, Probe]] = {
    "hostile reports": {way: partial(_report, way) for way in LEAVES},
    "notes that are no text": {
        body: partial(_note, body)
        for body in (
            '{"value": "summary", "note": "half \\ud83d"}',
            '{"value": "\\udc00", "note": ""}',
            '{"value": ["summary"], "note": ""}',
            '{"\\ud83d": 1',
        )
    },
    "pipes among a run's files": {
        name: partial(_pipe, name)
        for name in (
            "run.json",
            "examples.jsonl",
            "predictions.jsonl",
            "scores.jsonl",
            "documents.jsonl",
            "report.html",
            "summary.json",
            "stages.json",
            "calls.sqlite",
        )
    },
}
