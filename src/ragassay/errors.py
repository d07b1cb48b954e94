"""What can go wrong in a way that a user can mend. Each message names the file, record or option, and what to do."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

CONTINUE = "run the same command again to continue; its limits start from zero"
"""What to do after a limit was reached."""


class RagassayError(Exception):
    """Base of all errors that are meant for the user. ``exit_code`` is what the command line returns."""

    exit_code = 1


class UsageError(RagassayError):
    """An option or argument that cannot be used as given."""

    exit_code = 2


class InputError(RagassayError):
    """What is read: documents, data sets, runs or files that are missing, cannot be read or hold nothing to work on."""

    exit_code = 3


class RecordError(InputError):
    """A record that does not have the shape it should have."""


class RunFolderError(RagassayError):
    """What is written: a folder or file that holds something else, is in use, or cannot be written to."""

    exit_code = 4


class ShortfallError(RagassayError):
    """The documents give no example, or fewer than were asked for where the user asked for that to be an error."""

    exit_code = 5


class ModelError(RagassayError):
    """A model that cannot be used at all: weights missing, wrong hash, unknown name."""

    exit_code = 6


class BudgetError(RagassayError):
    """The limit on calls, tokens or cost was reached; what was done until then is kept."""

    exit_code = 7


class CoverageError(RagassayError):
    """Models on servers left more of what they were asked unanswered than the user allows; the results are kept."""

    exit_code = 8


class GateError(RagassayError):
    """A run does not meet the conditions of its gate; what was found is printed and written."""

    exit_code = 9


def choices(names: Iterable[str], most: int = 20) -> str:
    """Return names to choose from as a shell takes them, ``256, '1024 dense'``; those after ``most`` are left out."""
    named = list(names)
    return ", ".join([*map(shlex.quote, named[:most]), *["..."][: len(named) > most]]) or "none"


def check_dry_run(uses_servers: bool) -> None:
    """Raise UsageError where no model on a server would be called, so that there is nothing to estimate."""
    if not uses_servers:
        named = "name one with --model (and, for `refresh`, --out)"
        raise UsageError(f"--dry-run: no model on a server would be asked; {named}")


def check_coverage(share: float | None, least: float, answered: tuple[str, str], remedy: str) -> None:
    """Raise CoverageError for a share below the least. share: None where nothing was asked of a server.

    answered: the words before and after the share, such as ("the judge answered", "of the questions").
    """
    if share is not None and share < least:
        said = f"{answered[0]} {100 * share:.1f} % {answered[1]}".strip()
        raise CoverageError(f"--coverage: {said}, less than {100 * least:g} %; {remedy}")
