"""What the plausible stub writes for a scenario: what it is told to; it cites all sentences that it is shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Pieces = Mapping[str, str]
_NUMBERED = re.compile(r"^\d+\. (.*)$", re.MULTILINE)


def _listed(pieces: Pieces, name: str) -> list[str]:
    return _NUMBERED.findall(pieces.get(name, ""))


def _elements(_: Pieces) -> dict[str, Any]:
    return {"elements": [{"name": "Bridge", "value": "Gannet Bridge"}, {"name": "Length", "value": "412 m"}]}


def _value(_: Pieces) -> dict[str, Any]:
    return {"value": "a mild winter with little rain"}


def _section(pieces: Pieces) -> dict[str, Any]:
    return {"text": " ".join(f"It is on record that the {fact}." for fact in _listed(pieces, "facts"))}


def _question(pieces: Pieces) -> dict[str, Any]:
    facts, subjects = _listed(pieces, "facts"), ", ".join(_listed(pieces, "subjects"))
    about = facts[0][:40] if facts else "what nobody knows"
    return {"question": f"What about {subjects}: {about}?", "answer": " ".join(facts)}


def _references(pieces: Pieces) -> dict[str, Any]:
    return {"sentences": list(range(1, len(_listed(pieces, "sentences")) + 1))}


def _revision(_: Pieces) -> dict[str, Any]:
    return {"reason": "It is complete.", "verdict": "keep", "answer": ""}


def _keypoints(pieces: Pieces) -> dict[str, Any]:
    return {"keypoints": _listed(pieces, "statements") or [pieces.get("reference answer", "Nothing.")]}


WRITERS: Mapping[str, Callable[[Pieces], dict[str, Any]]] = {
    "scenario_schema": _elements,
    "scenario_value": _value,
    "scenario_section": _section,
    "scenario_question": _question,
    "scenario_references": _references,
    "scenario_revision": _revision,
    "keypoints": _keypoints,
}
