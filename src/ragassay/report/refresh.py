"""What ``ragassay refresh`` found: which questions hold, what stands where it stood, what was added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ragassay.generate.following import Followed
from ragassay.records import Example
from ragassay.report.blocks import Block, Headline, Section, Table, Text, Tile, Tiles, Value, next_steps, terms
from ragassay.report.costs import stopped_block
from ragassay.report.html import render_page
from ragassay.report.safe_text import excerpt
from ragassay.report.wording import count, portion

REFRESH_FILE, REFRESH_PAGE = "refresh.json", "refresh.html"
CHANGES_SHOWN, TEXT_CHARS = 5, 300


@dataclass(frozen=True, slots=True, kw_only=True)
class RefreshSummary:
    """What became of a set.

    states: same, moved, changed, gone to examples of the old set. kept: that hold. unjudged: changed ones of which
    nobody said whether they hold. answered: unanswerable ones that a new text answers. added: label to new examples.
    wanted: examples that the new set should have. by_model: whether a model on a server judged and asked. documents:
    what became of them, to how many. skipped: files.
    """

    version: str
    data: str
    states: Mapping[str, int]
    kept: int
    unjudged: int
    answered: int
    added: Mapping[str, int]
    wanted: int
    documents: Mapping[str, int]
    skipped: int
    changes: tuple[Followed, ...]
    by_model: bool = False
    stopped_by: str = ""

    @property
    def total(self) -> int:
        """How many examples the old set has."""
        return sum(self.states.values())

    def as_object(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return asdict(self) | {"changes": [each.as_object() for each in self.changes]}


def blocks_of_refresh(summary: RefreshSummary, folder: Path | None) -> Iterator[Block]:
    """Yield it in a few lines."""
    states = summary.states
    holding = "still hold" if folder is not None else "still hold as they are"
    yield Headline(
        f"{portion(summary.kept, summary.total, 'question')} of {summary.data} {holding}",
        [", ".join(f"{number} {state}" for state, number in states.items())],
    )
    yield from stopped_block(summary.stopped_by)
    yield Text(f"Documents: {', '.join(f'{number} {what}' for what, number in summary.documents.items() if number)}")
    if summary.states["gone"] == summary.total:
        yield Text("None of its texts is in these documents: are they those that it was made from?", "warning")
    if summary.skipped:
        yield Text(f"{count(summary.skipped, 'file')} skipped", "warning")
    if summary.answered:
        yield Text(f"{count(summary.answered, 'unanswerable question')} answered by a new text", "warning")
    if summary.unjudged and folder is not None:
        left_out = count(summary.unjudged, "changed question")
        why = "got no verdict" if summary.by_model else "`--model` judges them by the new words"
        yield Text(f"{left_out} left out: {why}", "warning")
    if folder is None:
        if open_ := summary.unjudged + states["gone"]:
            changed = count(open_, "changed or gone question")
            yield Text(f"With --out, {changed} {'is' if open_ == 1 else 'are'} judged by the new texts")
        yield _changes(summary.changes, is_new=False)
        if states["same"] < summary.total:
            yield next_steps((f"ragassay refresh {summary.data} DOCS --out FOLDER", "write the set that holds"))
        return
    added = sum(summary.added.values())
    have = summary.kept + added
    yield Text(f"{count(added, 'question')} added; the new set has {portion(have, summary.wanted, 'question')}")
    if have < summary.wanted:
        more = "" if summary.by_model else "; `--model` finds more questions in them"
        yield Text(f"New and changed texts give no more of the labels that are missing{more}.")
    yield _changes(summary.changes)
    yield Text(f"Written to {folder}; what changed, side by side: {folder / REFRESH_PAGE}", "strong")


def _changes(changes: Sequence[Followed], most: int = CHANGES_SHOWN, *, is_new: bool = True) -> Table:
    """is_new: whether a new set was made, so that what was kept is known."""
    rows: list[Sequence[Value]] = [
        (
            excerpt(each.example.question, TEXT_CHARS),
            excerpt(" | ".join(was for was, _ in each.pairs), TEXT_CHARS),
            excerpt(" | ".join(now for _, now in each.pairs), TEXT_CHARS),
            _state(each, is_new=is_new),
        )
        for each in changes
    ]
    columns = ["question", "before", "now", "new set" if is_new else "state"]
    return Table("Changed and gone", columns, rows, most=most, rest="--json")


def _state(each: Followed, *, is_new: bool) -> str:
    verdict = (", kept" if each.is_kept else ", left out") if is_new else ""
    return f"{each.state}{verdict}{each.reason and ': '}{each.reason}"


def render_refresh(summary: RefreshSummary, added: Sequence[Example]) -> str:
    """Return the whole page as text, to be written as UTF-8."""
    blocks: list[Block] = [
        Headline(f"{portion(summary.kept, summary.total, 'question')} still hold"),
        Tiles(
            [
                Tile("Still hold", portion(summary.kept, summary.total), summary.data),
                Tile("Changed", str(summary.states["changed"]), f"{summary.states['gone']} gone"),
                Tile("Added", str(sum(summary.added.values())), "from new and changed texts"),
            ]
        ),
        *stopped_block(summary.stopped_by),
        Section("What changed"),
        _changes(summary.changes, len(summary.changes)),
        Section("Questions added"),
        Table("", ["label", "question", "answer"], [(each.label, each.question, each.answer) for each in added]),
        Section("Documents"),
        terms("", dict(summary.documents)),
    ]
    return render_page("report", blocks, title="Refreshed set", version=summary.version, settings={}, versions={})
