"""Where CI looks for what a gate found: JUnit XML, Markdown, GitHub's job summary."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated

from ragassay.errors import RunFolderError, UsageError
from ragassay.options import Option, settings
from ragassay.pipeline.folders.page_file import Ours, check_place, write_page
from ragassay.report.gate import JUNIT_MARK, MARKDOWN_MARK, GateResult, gate_junit, gate_markdown

GITHUB_VARIABLE = "GITHUB_STEP_SUMMARY"
"""Names the file whose Markdown GitHub shows with the job."""
_OURS = {mark: Ours(re.compile(re.escape(mark)), "a file of a gate") for mark in (JUNIT_MARK, MARKDOWN_MARK)}


@settings
class GateFiles:
    """Files that are written anew, and whether the job's summary grows."""

    junit: Annotated[
        Path | None, Option("Write JUnit XML, a test for each condition.", metavar="FILE", panel="Output")
    ] = None
    markdown: Annotated[Path | None, Option("Write a summary in Markdown.", metavar="FILE", panel="Output")] = None
    github_summary: Annotated[bool, Option("Append the summary to that of the job on GitHub.", panel="Output")] = False

    def check(self) -> None:
        """Raises UsageError or RunFolderError for a place where nothing can be written, before anything is read."""
        if self.junit and self.markdown and os.path.realpath(self.junit) == os.path.realpath(self.markdown):
            raise UsageError("--markdown: it is the file of --junit; name another")
        if self.github_summary and not os.environ.get(GITHUB_VARIABLE):
            raise UsageError(
                f"--github-summary: {GITHUB_VARIABLE} is not set; it is on GitHub's runners, elsewhere use --markdown"
            )
        for target, option, mark in self._targets():
            check_place(target, option=option, ours=_OURS[mark])

    def write(self, result: GateResult) -> None:
        """Writes what was asked for, each file whole or not at all. Raises RunFolderError where that cannot be."""
        for target, option, mark in self._targets():
            text = gate_junit(result) if mark == JUNIT_MARK else gate_markdown(result)
            write_page(target, text, option=option, ours=_OURS[mark])
        if self.github_summary:
            try:
                with open(os.environ[GITHUB_VARIABLE], "a", encoding="utf-8", newline="\n") as file:
                    file.write(gate_markdown(result))
            except OSError as error:
                raise RunFolderError(f"--github-summary: the summary cannot be written ({error.strerror})") from None

    def _targets(self) -> list[tuple[Path, str, str]]:
        asked = ((self.junit, "--junit", JUNIT_MARK), (self.markdown, "--markdown", MARKDOWN_MARK))
        return [(target, option, mark) for target, option, mark in asked if target is not None]
