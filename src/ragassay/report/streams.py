"""Standard output and standard error as a terminal may have them: no text that we are given can steer it."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from ragassay.report.safe_text import visible

if TYPE_CHECKING:
    from rich.console import Console


class CleanStream:
    """A stream to which terminal escapes and other harmful characters are written spelt out, as in ``visible``.

    unclean: the stream behind it, for what steers the terminal on purpose.
    """

    def __init__(self, unclean: TextIO) -> None:
        self.unclean = unclean

    def write(self, text: str) -> int:
        self.unclean.write(visible(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unclean, name)


@contextmanager
def clean_streams() -> Iterator[None]:
    """Within it standard error is clean, and standard output where it is a terminal: what is piped stays as it is.

    Everything that is written there passes, whoever writes it: messages with names of files and of systems, warnings,
    tracebacks, the command line's own complaints.
    """
    before: tuple[TextIO, TextIO] = sys.stdout, sys.stderr
    if sys.stdout.isatty() and not isinstance(sys.stdout, CleanStream):
        sys.stdout = CleanStream(sys.stdout)
    if not isinstance(sys.stderr, CleanStream):
        sys.stderr = CleanStream(sys.stderr)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def open_console(*, stderr: bool = False) -> Console:
    """Open a console of rich, which writes escapes of its own; ``terminal.line`` cleans what it is given."""
    from rich.console import Console

    class PipedConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))  # rich would end with code 1

    stream: Any = sys.stderr if stderr else sys.stdout
    return PipedConsole(file=stream.unclean if isinstance(stream, CleanStream) else stream)
