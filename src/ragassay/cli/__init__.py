"""The command line. ``main`` is the console script."""

from __future__ import annotations

import errno
import gc
import os
import sys
import traceback
from collections.abc import Callable, Sequence

GC_THRESHOLD = 200_000
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def _is_empty_path(arguments: Sequence[str]) -> bool:
    """Whether an argument is empty that would be read as the current folder; other options have words of their own."""
    before = zip(arguments[1:], arguments[:-1], strict=True)
    return any(each == "" and (option == "--out" or not option.startswith("-")) for each, option in before)


def main() -> None:
    """Runs the command line and exits with its code."""
    # Millions of small objects come and go that form no cycles: to look for some less often saves 5 % of a long run.
    gc.set_threshold(GC_THRESHOLD)
    from ragassay.cli.app import app  # imported here so that `import ragassay.cli` stays cheap
    from ragassay.report.streams import clean_streams

    with clean_streams():
        try:
            _run(app)
        except Exception:  # noqa: BLE001 - shown here, since it may quote text that steers a terminal
            traceback.print_exc()
            sys.exit(1)


def _run(app: Callable[[], None]) -> None:
    from ragassay.errors import RagassayError, RunFolderError, UsageError

    try:
        if _is_empty_path(sys.argv):
            raise UsageError('an argument is empty (""); give a value, or leave it out')
        app()
        sys.stdout.flush()
    except RagassayError as error:
        sys.stderr.write(f"ragassay: {error}\n")
        sys.exit(error.exit_code)
    except OSError as error:
        if error.errno not in _FULL:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left of it would fail once more
        sys.stderr.write(
            f"ragassay: the output cannot be written ({error.strerror}); free some space, or redirect it\n"
        )
        sys.exit(RunFolderError.exit_code)
    except KeyboardInterrupt:
        sys.stderr.write("ragassay: stopped\n")  # before or after the command, which says what is kept
        sys.exit(130)
    finally:
        gc.freeze()  # the process ends: there is no need to look through all of its objects once more
