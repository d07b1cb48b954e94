"""What is written to a terminal: escapes of others spelt out, our own consoles as they are."""

from __future__ import annotations

import errno
import io
import sys

import pytest
from rich.text import Text

from ragassay.report.safe_text import CleanStream, clean_streams, open_console

STEERING = "a\x1b[31mred\x1b]0;title\x07b\x9bc\r\u202ed"
SPELT_OUT = "a⟨U+001B⟩[31mred⟨U+001B⟩]0;title⟨U+0007⟩b⟨U+009B⟩c\n⟨U+202E⟩d"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_escapes_are_spelt_out() -> None:
    shown = io.StringIO()
    clean = CleanStream(shown)
    assert clean.write(STEERING) == len(STEERING)
    clean.writelines(["\tüber\n", "\x00"])
    assert shown.getvalue() == f"{SPELT_OUT}\tüber\n⟨U+0000⟩"


@pytest.mark.parametrize(
    ("stdout", "expected"), [(Terminal(), SPELT_OUT), (io.StringIO(), STEERING)], ids=["terminal", "pipe"]
)
def test_standard_error_is_clean_and_standard_output_where_it_is_a_terminal(
    monkeypatch: pytest.MonkeyPatch, stdout: io.StringIO, expected: str
) -> None:
    stderr = Terminal()
    monkeypatch.setattr(sys, "stdout", stdout)
    monkeypatch.setattr(sys, "stderr", stderr)
    with clean_streams(), clean_streams():
        sys.stdout.write(STEERING)
        sys.stderr.write(STEERING)
        print(STEERING, file=sys.stderr)
    assert (sys.stdout, sys.stderr) == (stdout, stderr)
    assert stdout.getvalue() == expected
    assert stderr.getvalue() == f"{SPELT_OUT}{SPELT_OUT}\n"


def test_a_console_keeps_its_own_escapes(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = Terminal()
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    with clean_streams():
        open_console(stderr=True).print(Text("bold", style="bold"))
    assert stderr.getvalue() == "\x1b[1mbold\x1b[0m\n"


def test_a_pipe_without_a_reader_is_left_to_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    monkeypatch.setattr(sys, "stdout", Closed())
    with pytest.raises(BrokenPipeError) as broken:
        open_console().print("a table")
    assert broken.value.errno == errno.EPIPE
