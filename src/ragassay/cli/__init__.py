"""The command line. ``main`` is the console script."""

from __future__ import annotations

import gc
import sys

GC_THRESHOLD = 200_000


def main() -> None:
    """Runs the command line and exits with its code."""
    # Millions of small objects come and go that form no cycles: to look for some less often saves 5 % of a long run.
    gc.set_threshold(GC_THRESHOLD)
    from ragassay.cli.app import app  # imported here so that `import ragassay.cli` stays cheap
    from ragassay.errors import RagassayError

    try:
        app()
    except RagassayError as error:
        sys.stderr.write(f"ragassay: {error}\n")
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.stderr.write(
            "ragassay: stopped; vectors that were computed are kept, so that the same command goes faster\n"
        )
        sys.exit(130)
    finally:
        gc.freeze()  # the process ends: there is no need to look through all of its objects once more
