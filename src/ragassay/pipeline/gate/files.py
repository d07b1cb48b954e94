"""Where CI looks for what a gate found: JUnit XML, Markdown, GitHub's job summary."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ragassay.errors import RunFolderError, UsageError
from ragassay.plain_files import open_plain
from ragassay.report.gate_junit import JUNIT_MARK, gate_junit
from ragassay.report.gate_result import GateResult
from ragassay.report.gate_tables import MARKDOWN_MARK, gate_markdown

GITHUB_VARIABLE = "GITHUB_STEP_SUMMARY"
"""Names the file whose Markdown GitHub shows with the job."""
_HEAD_BYTES = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFiles:
    """junit, markdown: files that are written anew; None for none. github_summary: whether the job's summary grows."""

    junit: Path | None = None
    markdown: Path | None = None
    github_summary: bool = False

    def check(self) -> None:
        """Raises UsageError or RunFolderError for a place where nothing can be written, before anything is read."""
        if self.junit is not None and self.junit == self.markdown:
            raise UsageError("--markdown: it is the file of --junit; name another")
        if self.github_summary and not os.environ.get(GITHUB_VARIABLE):
            raise UsageError(
                f"--github-summary: {GITHUB_VARIABLE} is not set; it is on GitHub's runners, elsewhere use --markdown"
            )
        for target, option, mark in self._targets():
            _check_place(target, option, mark)

    def write(self, result: GateResult) -> None:
        """Writes what was asked for, each file whole or not at all. Raises RunFolderError where that cannot be."""
        for target, option, mark in self._targets():
            _write(target, option, gate_junit(result) if mark == JUNIT_MARK else gate_markdown(result))
        if self.github_summary:
            try:
                with open(os.environ[GITHUB_VARIABLE], "a", encoding="utf-8", newline="\n") as file:
                    file.write(gate_markdown(result))
            except OSError as error:
                raise RunFolderError(f"--github-summary: the summary cannot be written ({error.strerror})") from None

    def _targets(self) -> list[tuple[Path, str, str]]:
        asked = ((self.junit, "--junit", JUNIT_MARK), (self.markdown, "--markdown", MARKDOWN_MARK))
        return [(target, option, mark) for target, option, mark in asked if target is not None]


def _check_place(target: Path, option: str, mark: str) -> None:
    """Only an empty file, or one of an earlier gate, is replaced."""
    try:
        if target.is_symlink() or (target.exists() and not target.is_file()):
            raise RunFolderError(f"{option}: {target} is not a file; name a file")
        if target.exists() and target.stat().st_size:
            with open_plain(target) as file:
                if mark.encode() not in file.read(_HEAD_BYTES):
                    raise RunFolderError(
                        f"{option}: {target} already exists and is no file of a gate; name another, or remove it"
                    )
    except OSError as error:
        raise RunFolderError(f"{option}: {target} cannot be written ({error.strerror}); name another file") from None


def _write(target: Path, option: str, text: str) -> None:
    part = target.with_name(f"{target.name}.part")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(target)
    except OSError as error:
        raise RunFolderError(f"{option}: {target} cannot be written ({error.strerror}); name another file") from None
    finally:
        with suppress(OSError):  # where none could be written none can be taken away
            part.unlink()
