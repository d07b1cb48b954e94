"""A report that tries to leave, in a real browser: what would connect as a file does not, opened by ``view``."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error, Page
from served_here import served_here
from view_runs import write_run

from ragassay.web.run_index import RunIndex
from ragassay.web.serving import names_of
from ragassay.web.view import view_app

LEAVES = {
    "address": "<script>location.href = 'http://127.0.0.1:{tcp}/'</script>",
    "refresh": "<meta http-equiv='refresh' content='0;url=http://127.0.0.1:{tcp}/'>",
    "webrtc": """<script>
        const made = new RTCPeerConnection({{iceServers: [{{urls: "stun:127.0.0.1:{udp}"}}]}});
        made.createDataChannel("x");
        made.createOffer().then(offer => made.setLocalDescription(offer));
        </script>""",
    "frame": "<iframe src='http://127.0.0.1:{tcp}/'></iframe>",
    "link elements": "<link rel=stylesheet href='http://127.0.0.1:{tcp}/'><link rel=prefetch href='http://127.0.0.1:{tcp}/'>",
    "pictures": "<img src='http://127.0.0.1:{tcp}/'><style>p {{ background: url(http://127.0.0.1:{tcp}/) }}</style>",
    "form": "<form action='http://127.0.0.1:{tcp}/'></form><script>document.forms[0].submit()</script>",
}
"""Each connects to one of two ports."""


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


@pytest.fixture
def listener() -> Iterator[Callable[[], Listener]]:
    made: list[Listener] = []

    def begin() -> Listener:
        made.append(Listener())
        return made[-1]

    yield begin
    for each in made:
        each.close()


@contextmanager
def opened(page: Page, address: str) -> Iterator[None]:
    """In a page of its own beside the one of all tests, which would be left on its way somewhere."""
    leaving = page.context.new_page()
    with suppress(Error):  # the page leaves before it is there
        leaving.goto(address, wait_until="commit")
    yield
    leaving.close()


@pytest.mark.parametrize("way", LEAVES)
def test_a_report_that_tries_to_leave_stays(
    page: Page, tmp_path: Path, listener: Callable[[], Listener], way: str
) -> None:
    write_run(tmp_path / "run")
    report = tmp_path / "run" / "report.html"

    def reached(address: str, wait_s: float) -> bool:
        there = listener()
        report.write_text(f"<!doctype html><title>report</title>{LEAVES[way].format(**there.ports)}<p>The end")
        with opened(page, address):
            until = time.monotonic() + wait_s
            while time.monotonic() < until:
                if there.was_reached():
                    return True
                time.sleep(0.02)
        return there.was_reached()

    assert reached(report.as_uri(), 60)  # the probe works
    with served_here(view_app(RunIndex(tmp_path), names_of("127.0.0.1"))) as url:
        assert not reached(f"{url}/report?run=run", 0.5)


def test_a_link_in_a_report_is_not_followed(page: Page, tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    (tmp_path / "run" / "report.html").write_text("<!doctype html><a href='http://127.0.0.1:9/'>out</a>")
    with served_here(view_app(RunIndex(tmp_path), names_of("127.0.0.1"))) as url:
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.goto(f"{url}/report?run=run")
        for _ in range(60):  # a click on a frame that is still loading leads nowhere
            page.frame_locator("iframe").get_by_role("link", name="out").click(no_wait_after=True)
            page.wait_for_timeout(500)
            if any("frame-src 'self'" in each for each in said):
                break
        assert any("frame-src 'self'" in each for each in said), said
