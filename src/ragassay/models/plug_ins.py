"""What other packages bring, found by their entry points; imported when somebody names it, and not before."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple

from ragassay.errors import UsageError
from ragassay.models.user_code import said_of

GROUPS: Mapping[str, str] = {
    "metric": "ragassay.metrics",
    "synthesizer": "ragassay.synthesizers",
}
"""What a plug-in is, and the group of its entry points."""


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

    def made(self, *given: Any) -> Any:
        """What the function that it names makes of what is given. Raises UsageError where it makes nothing."""
        make = self.load()
        try:
            return make(*given)
        except UsageError as error:
            said = f"cannot be used: {error}"
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the code of others may raise anything
            said = f"cannot be used ({said_of(error)})"
        raise UsageError(f"{self} {said}")

    def __str__(self) -> str:
        return f"the plug-in {self.point.name!r} of {self.origin}"


class NamedPlugIns(NamedTuple):
    """by_name: those that can be named. faults: a sentence for each that cannot, since its name is taken."""

    by_name: Mapping[str, PlugIn]
    faults: tuple[str, ...]

    @property
    def said(self) -> str:
        """The faults, a line each, as they end the message on a name that is unknown."""
        return "".join(f"\n{fault}" for fault in self.faults)


def plug_ins_of(kind: str) -> list[PlugIn]:
    """All that are installed, in the order of their packages. kind: one of ``GROUPS``."""
    found = map(PlugIn, entry_points(group=GROUPS[kind]))
    return sorted(found, key=lambda each: (each.origin, each.point.name))


@cache
def named_plug_ins(kind: str, built_in: frozenset[str]) -> NamedPlugIns:
    """Those whose entry points have the names that users give, as ``plug_in_name`` has them; looked for once.

    built_in: names of ragassay itself, which no other package can have.
    """
    by_name: dict[str, PlugIn] = {}
    faults = []
    for each in plug_ins_of(kind):
        name = plug_in_name(each.point.name)
        owner = "ragassay" if name in built_in else by_name[name].origin if name in by_name else None
        if owner is None:
            by_name[name] = each
        else:
            faults.append(f"{each.origin}: its {kind} {name!r} is not used; {owner} has one of the same name")
    return NamedPlugIns(by_name, tuple(faults))


def plug_in_name(written: str) -> str:
    """A name as users and packages may write it: ``My-System`` is ``my_system``, ``.adoc`` is ``adoc``."""
    return written.strip().lstrip(".").lower().replace("-", "_")
