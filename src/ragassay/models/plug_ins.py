"""What other packages bring, found by their entry points; imported when somebody names it, and not before."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple

from ragassay.errors import UsageError
from ragassay.models.user_code import said_of

_GROUP = "ragassay.metrics"
"""Of entry points: only metrics are plug-ins."""


class PlugIn(NamedTuple):
    """point: where its package says that it is."""

    point: EntryPoint

    @property
    def origin(self) -> str:
        """The package with its version, as in ``my-checks 1.2``; what the entry point names where it is of none."""
        dist = self.point.dist
        return f"{dist.name} {dist.version}" if dist is not None else self.point.value

    def load(self) -> Any:
        """What the entry point names, imported now. Raises UsageError, one sentence, where it cannot be."""
        try:
            return self.point.load()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the code of others may raise anything
            said = f"cannot be loaded ({said_of(error)}); update or uninstall it"
        raise UsageError(f"{self} {said}")

    def __str__(self) -> str:
        return f"the plug-in {self.point.name!r} of {self.origin}"


def metric_plug_ins() -> list[PlugIn]:
    """Return all that are installed, in the order of their packages."""
    found = map(PlugIn, entry_points(group=_GROUP))
    return sorted(found, key=lambda each: (each.origin, each.point.name))
