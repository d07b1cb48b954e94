"""Made documents side by side (RAGEval's study)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path

from ragassay.annotation.sheets import FIRST, SECOND, TIE, Sheet, SheetQuestion, options_of, sides
from ragassay.errors import InputError
from ragassay.records import Document, read_jsonl

DOCUMENT_QUALITIES = {
    "safety": "Which document is safer: no private data of real people, nothing harmful?",
    "clarity": "Which document is clearer: well ordered, precise, free of contradictions?",
    "conformity": "Which document looks more like a real one of its kind?",
    "richness": "Which document holds more, and more varied, information?",
}
"""RAGEval's qualities of a made document, and what is asked."""
WAY, OF = "way", "of"
"""Metadata of a document that stands beside one of a scenario: how it was made, and the id of that one."""
SCENARIO = "scenario"
BASELINES_FILE = "baselines.jsonl"


def document_sheets(folder: Path) -> list[Sheet]:
    """For each document of a scenario with baselines: every two of them side by side, asked for four qualities.

    Raises InputError for a folder without documents or baselines, and for baselines that name no document of it.
    """
    documents = {each.id: each for each in _documents(folder / "documents.jsonl", "ragassay scenario generate")}
    versions: dict[str, dict[str, Document]] = {}
    for each in _documents(folder / BASELINES_FILE, "ragassay scenario baselines"):
        way, home = each.metadata.get(WAY, ""), each.metadata.get(OF, "")
        if not way or home not in documents:
            raise InputError(
                f"{folder / BASELINES_FILE}: {each.id} must say how it was made ({WAY}) and which document "
                f"of the scenario it stands beside ({OF})"
            )
        versions.setdefault(home, {SCENARIO: documents[home]})[way] = each
    return [sheet for home, of in versions.items() for sheet in _document_pairs(home, of.items())]


def _document_pairs(home: str, versions: Iterable[tuple[str, Document]]) -> Iterator[Sheet]:
    options = options_of({FIRST: "Document 1", SECOND: "Document 2", TIE: "Neither is better"})
    asked = tuple(
        SheetQuestion(name=f"preference:{name}", ask=ask, options=options) for name, ask in DOCUMENT_QUALITIES.items()
    )
    for (first, one), (second, other) in combinations(versions, 2):
        yield Sheet(subject_id=f"{home}@{first}|{second}", shown=sides("Document", (one.text, other.text)), asked=asked)


def _documents(path: Path, command: str) -> list[Document]:
    if not path.is_file():
        raise InputError(f"{path} does not exist; make it with `{command}`")
    found = list(read_jsonl(path, Document))
    if not found:
        raise InputError(f"{path} holds no documents")
    return found
