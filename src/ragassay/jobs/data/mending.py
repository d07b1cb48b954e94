"""The set that comes of a round of mending: what people kept and mended, with keypoints of the new answers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from ragassay.datasets.format import Notes
from ragassay.datasets.registry import read_dataset, refuse_taken, write_dataset
from ragassay.errors import InputError, UsageError
from ragassay.jobs.asking.event_loop import finished
from ragassay.models.embedded.model import EmbeddedModel
from ragassay.models.embeddings import SentenceEncoder
from ragassay.models.vector_cache import CachedEncoder
from ragassay.people.annotation.mending import Decision, Mended, example_of
from ragassay.people.annotation.sheets import MEND
from ragassay.people.annotation.store import Round
from ragassay.records import Document, Example, from_json
from ragassay.tasks.critique import LABEL, Pair
from ragassay.tasks.verdicts import KEYPOINTS, AnswerStatement


@dataclass(frozen=True, slots=True, kw_only=True)
class MendedSet:
    """kept, mended, dropped: how many of each. untouched: examples that nobody has judged; in the set where asked for.

    repeats: mended to what another example is, and left out. without_keypoints: id to why a new answer has none.
    doubted: id to the label that the embedded labeller gives, of mended pairs of which it says another than the person.
    notes: what the format cannot hold, to count.
    """

    file: Path
    examples: int
    kept: int
    mended: int
    dropped: int
    untouched: int
    repeats: tuple[str, ...]
    without_keypoints: dict[str, str]
    doubted: dict[str, str]
    notes: dict[str, int]


def write_mended(round_: Round, out: Path, *, untouched: bool = False, overwrite: bool = False) -> MendedSet:
    """Write the set to a file in any format, or with its documents to a folder.

    untouched: with the examples that nobody has judged, as they are.
    Raises UsageError for a round of another task, InputError where nothing is left or the documents are not to be had,
    and what ``write_dataset`` raises; nothing is written then.
    """
    if round_.task != MEND:
        raise UsageError(f"--export-set: the round is of the task {round_.task}, not of {MEND}; use --export")
    refuse_taken(out, overwrite=overwrite)
    said = {each.subject_id: from_json(Mended, each.value) for each in round_.annotations()}
    decisions: list[Decision] = [each.decision for each in said.values()]
    left: dict[str, Example] = {}
    repeats = []
    n_untouched = 0
    for example in _examples(round_):
        found = said.get(example.id)
        n_untouched += found is None
        if found is None and not untouched:
            continue
        after = example if found is None else example_of(example, found)
        if after is None:
            continue
        if after.id in left:
            repeats.append(example.id)
        else:
            left[after.id] = after
    if not left:
        raise InputError(
            f"--export-set: nobody has kept an example; judge some first, or add --untouched for the {n_untouched} "
            "that nobody has looked at"
        )
    examples, without_keypoints, doubted = finished(_completed(list(left.values())))
    documents = _documents(round_) if out.suffix == "" else ()
    notes = Notes()
    write_dataset(out, [*documents, *examples], notes=notes, overwrite=overwrite)
    return MendedSet(
        file=out,
        examples=len(examples),
        kept=decisions.count("kept"),
        mended=decisions.count("mended"),
        dropped=decisions.count("dropped"),
        untouched=n_untouched,
        repeats=tuple(repeats),
        without_keypoints=without_keypoints,
        doubted=doubted,
        notes=dict(notes.counts),
    )


def _examples(round_: Round) -> list[Example]:
    return [asked.example for sheet in round_.sheets() for asked in sheet.asked if asked.example is not None]


def _documents(round_: Round) -> list[Document]:
    where = round_.data
    if where is None or not where.exists():
        raise InputError(f"--export-set: {where}, which the round was begun with, is gone; name a .jsonl file instead")
    documents = [record for record in read_dataset(where) if isinstance(record, Document)]
    if not documents:
        raise InputError(f"--export-set: {where} holds no documents; name a .jsonl file instead of a folder")
    return documents


async def _completed(examples: Sequence[Example]) -> tuple[list[Example], dict[str, str], dict[str, str]]:
    """The examples with keypoints of new answers; why some have none; and what the labeller doubts of mended pairs."""
    with closing(CachedEncoder(SentenceEncoder())) as encoder:
        model = EmbeddedModel(encoder)
        mended = [each for each in examples if each.provenance.mending == "mended"]
        lacking = [each for each in mended if each.answer and not each.keypoints]
        answers = [AnswerStatement(question=each.question, answer=each.answer) for each in lacking]
        replies = dict(zip([each.id for each in lacking], await model.ask_all(KEYPOINTS, answers), strict=True))
        pairs = [Pair(context=each.context.text, question=each.question, answer=each.answer) for each in mended]
        labels = zip(mended, await model.ask_all(LABEL, pairs), strict=True)
    keypoints = {name: reply.value.items for name, reply in replies.items() if reply.value and reply.value.items}
    return (
        [replace(each, keypoints=keypoints.get(each.id, each.keypoints)) for each in examples],
        {name: reply.reason or "none found" for name, reply in replies.items() if name not in keypoints},
        {each.id: reply.value.label for each, reply in labels if reply.value and reply.value.label != each.label},
    )
