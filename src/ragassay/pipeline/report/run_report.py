"""The page about a run, whatever command wrote it: what ``ragassay report`` and ``ragassay.write_report`` do."""

from __future__ import annotations

from pathlib import Path

from ragassay.errors import InputError, RunFolderError, UsageError
from ragassay.pipeline.folders.page_file import write_page
from ragassay.pipeline.folders.run_folder import REPORT_FILE, SWEEP_FILE, VERDICTS_FILE
from ragassay.pipeline.report.set_report import NOTHING, Beside, write_report
from ragassay.plain_files import read_plain
from ragassay.report.store import SUMMARY_FILE


def report_run(run: Path, out: Path | None = None, beside: Beside = NOTHING) -> Path:
    """Writes the page and says where, as ``write_report``; of a sweep, the page that it wrote.

    Raises what ``write_report`` raises, UsageError for what does not go together, and RunFolderError for a run that has
    a page of its own and no ``out``.
    """
    page = _page_of_sweep(run)
    if page is not None:
        if beside != NOTHING:
            raise UsageError(f"{run} is a sweep; only --out and --json apply to it")
        return run / REPORT_FILE if out is None else write_page(out, page)
    if beside.metric is not None and not beside.annotations:
        raise UsageError("--metric: needs --annotations to compare with")
    if out is None and (run / SUMMARY_FILE).exists() and not (run / VERDICTS_FILE).exists():
        raise RunFolderError(f"{run} already has a report; name another file with --out")
    return write_report(run, out, beside)


def _page_of_sweep(folder: Path) -> str | None:
    """The page that a sweep wrote; None for a folder of anything else.

    Raises InputError for a sweep that did not come to its page.
    """
    if not (folder / SWEEP_FILE).is_file():
        return None
    try:
        return read_plain(folder / REPORT_FILE).decode()
    except OSError as error:
        raise InputError(
            f"{folder} holds a sweep without a page ({error.strerror}); run `ragassay sweep` on its file "
            "again to write it"
        ) from None
