"""``ragassay knowledge``: what a model knows of a set before it is shown anything (RAGVAL, filters and baselines)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import get_args

from ragassay.errors import UsageError
from ragassay.models.base import Model
from ragassay.models.estimating import CallEstimate
from ragassay.pipeline.asking.model_options import EMBEDDED
from ragassay.pipeline.asking.models import RunModels
from ragassay.pipeline.folders.progress import Progress, Silent
from ragassay.pipeline.label.judging import Judged, Stage, estimated, judged
from ragassay.pipeline.label.options import JudgingOptions
from ragassay.pipeline.label.verdicts import NO_ANSWER, Posed, Verdict, begun, with_critiques
from ragassay.records import Critique, Document, Example
from ragassay.report.baselines import KnowledgeFigures, KnowledgePart, knowledge_figures
from ragassay.synthesis.baselines import (
    ANSWERED_WITH_BLOCK,
    KNOWN_IN_EVERY_TRY,
    KNOWN_WITHOUT_CONTEXT,
    NEW_TO_MODEL,
    Attempts,
    Baseline,
    attempts,
)
from ragassay.synthesis.metadata_filter import Condition, FieldCheck
from ragassay.tasks.answering import ANSWER
from ragassay.tasks.creative import CLOSED_BOOK, KNOWLEDGE_CHECK, KnowledgeCheck
from ragassay.tasks.ratings import BLOCK_RATINGS
from ragassay.tasks.statements import Passage

COMMAND = "knowledge"
MOST_TRIES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeOptions(JudgingOptions):
    """tries: answers without context to each question, at least 1. cutoff: until when the answering model has learnt.

    conditions: on metadata of documents, which make a part of the table; nothing is left out of the set.
    """

    tries: int = 3
    cutoff: str = ""
    conditions: tuple[Condition, ...] = ()

    def settings(self) -> dict[str, str]:
        """Option name to value, as pages show them."""
        return {
            **JudgingOptions.settings(self),
            "tries": str(self.tries),
            **({"cutoff": self.cutoff} if self.cutoff else {}),
            **({"where": ", ".join(map(str, self.conditions))} if self.conditions else {}),
        }

    def check(self, part: str) -> None:
        """Raises UsageError for what cannot be meant, before anything is read."""
        JudgingOptions.check(self, part)
        if not 1 <= self.tries <= MOST_TRIES:
            raise UsageError(f"--tries: must be between 1 and {MOST_TRIES}, not {self.tries}")
        if self.models.name_of("answerer") == EMBEDDED:
            raise UsageError(
                "--model: needs a language model that may know the answers; the embedded model knows nothing "
                "but what it is shown"
            )


def measure_knowledge(options: KnowledgeOptions, progress: Progress | None = None) -> Judged:
    """Asks the answering model every question without context, several times, and with it, and has all rated.

    Writes the set with the critiques ``known_without_context`` (highest of the tries), ``known_in_every_try`` (lowest),
    ``answered_with_block`` and ``new_to_model``. Raises as ``label_dataset``.
    """
    return judged(_Knowledge(options).stage(), options, progress or Silent())


def estimate_knowledge(options: KnowledgeOptions, progress: Progress | None = None) -> list[CallEstimate]:
    """What ``measure_knowledge`` would ask of models on servers; nothing is sent or written."""
    return estimated(_Knowledge(options).stage(), options, progress or Silent())


class _Knowledge:
    """Asks, and keeps what the table is made of: a few numbers for each example."""

    def __init__(self, options: KnowledgeOptions) -> None:
        self._options = options
        self._fields = FieldCheck(options.conditions)
        self._titles: dict[str, str] = {}
        self._meets: set[str] = set()
        self._parts: dict[KnowledgePart, list[Attempts]] = {part: [] for part in get_args(KnowledgePart)}
        self._answerer = ""

    def stage(self) -> Stage:
        rated = (KNOWN_WITHOUT_CONTEXT, KNOWN_IN_EVERY_TRY, ANSWERED_WITH_BLOCK, NEW_TO_MODEL)
        tasks = (CLOSED_BOOK, ANSWER, BLOCK_RATINGS, KNOWLEDGE_CHECK)
        return Stage(COMMAND, "critiques", rated, tasks, self.judge, with_critiques, self.look, self.figures)

    def look(self, document: Document) -> None:
        """Notes what counts of a document: its title, and whether it meets the conditions."""
        self._titles[document.id] = document.title
        self._fields.add(document)
        if all(each.holds(document) for each in self._options.conditions):
            self._meets.add(document.id)

    async def judge(self, models: RunModels, posed: list[Posed]) -> list[Verdict]:
        """What the model knows of each example, in their order."""
        self._fields.check()
        self._answerer = models.answerer.name
        there = [each for each in posed if each.context.text is not None]
        asked = [each for each in there if each.example.answer.strip()]
        blocks = {each.example.id: each.context.text or "" for each in asked}
        new = dict(zip((each.example.id for each in there), await self._new(models.answerer, there), strict=True))
        examples = [each.example for each in asked]
        made = await attempts(examples, blocks, models.answerer, models.judge, self._options.tries)
        return [self._verdict(each, new.get(each.example.id), made.get(each.example.id)) for each in posed]

    def figures(self) -> tuple[KnowledgeFigures, ...]:
        """Of the whole set, of the documents that meet the conditions, and of those of them that are new."""
        parts: list[KnowledgePart] = ["all", *(["where"] if self._options.conditions else []), "new"]  # type: ignore[list-item]
        return tuple(knowledge_figures(part, self._parts[part], self._answerer) for part in parts)

    async def _new(self, model: Model, posed: Sequence[Posed]) -> list[Critique]:
        inputs = [
            KnowledgeCheck(
                passage=Passage(title=self._title(example), text=context.text or ""), cutoff=self._options.cutoff
            )
            for example, context in posed
        ]
        found = []
        for reply in await model.ask_all(KNOWLEDGE_CHECK, inputs):
            if reply.value is None:
                found.append(Critique(name=NEW_TO_MODEL, value=None, reason=reply.reason or ""))
            else:
                is_known = reply.value.known and not reply.value.after_cutoff
                found.append(Critique(name=NEW_TO_MODEL, value=1 if is_known else 5, reason=reply.value.reason))
        return found

    def _title(self, example: Example) -> str:
        return next((self._titles[name] for name in _documents_of(example) if name in self._titles), "")

    def _verdict(self, posed: Posed, new: Critique | None, made: Attempts | None) -> Verdict:
        example, context = posed
        if made is not None:
            self._count(example, new, made)
        answers = _critiques(made, NO_ANSWER if context.text is not None else context.fault)
        critiques = (
            *(answers if example.label != "unanswerable" else ()),
            new or Critique(name=NEW_TO_MODEL, value=None, reason=context.fault),
        )
        missing = next((each for each in critiques if each.value is None and each.reason != NO_ANSWER), None)
        verdict = replace(begun(posed, example.verified_label), critiques=critiques)
        if missing is None or verdict.error:
            return verdict
        return replace(verdict, error=f"{missing.name.replace('_', ' ')}: {missing.reason}")

    def _count(self, example: Example, new: Critique | None, made: Attempts) -> None:
        bare = Attempts(tuple(map(_bare, made.closed)), _bare(made.open))
        documents = _documents_of(example)
        meets = not self._options.conditions or (bool(documents) and all(each in self._meets for each in documents))
        self._parts["all"].append(bare)
        if meets:
            self._parts["where"].append(bare)
        if meets and new is not None and new.value == 5:
            self._parts["new"].append(bare)


def _documents_of(example: Example) -> list[str]:
    spans = (example.context, *example.references)
    return list(dict.fromkeys(each.document_id for each in spans if each.document_id))


def _bare(baseline: Baseline) -> Baseline:
    """Without the text of the answer, which the table does not need."""
    return Baseline(baseline.ratings and baseline.ratings.model_copy(update={"reason": ""}), baseline.reason[:200])


def _critiques(made: Attempts | None, why_not: str) -> tuple[Critique, ...]:
    names = (KNOWN_WITHOUT_CONTEXT, KNOWN_IN_EVERY_TRY, ANSWERED_WITH_BLOCK)
    if made is None:
        return tuple(Critique(name=name, value=None, reason=why_not) for name in names)
    failed = [each for each in made.closed if each.lower is None]
    if failed:
        n = len(made.closed)
        fault = Baseline(None, failed[0].reason if n == 1 else f"{len(failed)} of {n} tries: {failed[0].reason}")
        best = worst = fault
    else:
        best = max(made.closed, key=lambda each: each.lower or 0)
        worst = min(made.closed, key=lambda each: each.lower or 0)
    return tuple(each.critique(name) for name, each in zip(names, (best, worst, made.open), strict=True))
