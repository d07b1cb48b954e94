"""Two texts side by side that are no answers of systems: WikiEval's pairs, and made documents (RAGEval's study)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path

from ragassay.annotation.sheets import FIRST, SECOND, TIE, Sheet, SheetQuestion, Shown, options_of, sides
from ragassay.datasets.format import Notes
from ragassay.datasets.lines import Row, read_objects
from ragassay.errors import InputError, RecordError
from ragassay.records import Document, content_id, read_jsonl

PAIR_QUALITIES = {
    "faithfulness": ("Answer", "Which answer says only what the context supports?"),
    "answer_relevance": ("Answer", "Which answer answers the question better, and completely?"),
    "context_relevance": ("Context", "Which context holds what the question needs, and less besides?"),
}
"""Quality to what is compared, and what is asked (RAGAS, WikiEval)."""
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


def pair_id(quality: str, question: str, better: str, worse: str, context: str = "") -> str:
    """Return the subject of a pair: the same wherever its file lies."""
    return content_id("pair", quality, question, better, worse, context)


def pair_sheets(path: Path, quality: str = "") -> list[Sheet]:
    """Return a sheet for each line of a file of pairs; the better item, as it was built, is the first of its options.

    quality: of lines that do not say theirs. Who comes first on the page is a coin toss, as with answers. Raises
    InputError, or RecordError that names the line.
    """
    sheets = (_pair_sheet(row, row.value.get("quality", quality)) for row in _rows(path))
    return list({sheet.subject_id: sheet for sheet in sheets}.values())


def built_as_better(path: Path) -> dict[str, dict[str, str]]:
    """Task to the subject of each pair to the item that was built as the better one.

    A line that does not say its quality counts for each that it may be of. Raises as ``pair_sheets``.
    """
    found: dict[str, dict[str, str]] = {}
    for row in _rows(path):
        fit = [each for each in PAIR_QUALITIES if each != "faithfulness" or row.value.get("context")]
        for quality in [row.value["quality"]] if "quality" in row.value else fit:
            sheet = _pair_sheet(row, quality)
            found.setdefault(sheet.asked[0].name, {})[sheet.subject_id] = FIRST
    return found


def _rows(path: Path) -> list[Row]:
    try:
        found = list(read_objects(path, Notes()))
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from None
    if not found:
        raise InputError(f"{path} holds no pairs; each line needs quality, question, better and worse")
    return found


def _pair_sheet(row: Row, quality: object) -> Sheet:
    if not isinstance(quality, str) or quality not in PAIR_QUALITIES:
        said = (
            f"unknown quality {str(quality)[:40]!r}" if quality else "the pair has no quality, name it with --quality"
        )
        raise RecordError(f"{row.where}: {said}; choose one of {', '.join(PAIR_QUALITIES)}")
    names = ("question", "better", "worse", *(("context",) if quality == "faithfulness" else ()))
    texts = {name: row.value.get(name) for name in names}
    missing = next((name for name, text in texts.items() if not isinstance(text, str) or not text.strip()), None)
    if missing is not None:
        raise RecordError(f"{row.where}: {missing} must be a text that is not empty")
    given = {name: str(text) for name, text in texts.items()}
    noun, ask = PAIR_QUALITIES[quality]
    shown = [Shown(heading=name.capitalize(), text=given[name]) for name in ("question", "context") if name in given]
    return Sheet(
        subject_id=pair_id(quality, *given.values()),
        shown=(*shown, *sides(noun, (given["better"], given["worse"]))),
        asked=(_preference(quality, ask, noun),),
    )


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
    for (first, one), (second, other) in combinations(versions, 2):
        yield Sheet(
            subject_id=f"{home}@{first}|{second}",
            shown=sides("Document", (one.text, other.text)),
            asked=tuple(_preference(name, ask, "Document") for name, ask in DOCUMENT_QUALITIES.items()),
        )


def _documents(path: Path, command: str) -> list[Document]:
    if not path.is_file():
        raise InputError(f"{path} does not exist; make it with `{command}`")
    found = list(read_jsonl(path, Document))
    if not found:
        raise InputError(f"{path} holds no documents")
    return found


def _preference(quality: str, ask: str, noun: str) -> SheetQuestion:
    options = options_of({FIRST: f"{noun} 1", SECOND: f"{noun} 2", TIE: "Neither is better"})
    return SheetQuestion(name=f"preference:{quality}", ask=ask, options=options)
