"""What a model knows of a set before it is shown anything (RAGVAL, filters and baselines)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ragassay.generate.baselines import (
    ANSWERED_WITH_BLOCK,
    KNOWN_IN_EVERY_TRY,
    KNOWN_WITHOUT_CONTEXT,
    NEW,
    NEW_TO_MODEL,
    Attempts,
    Baseline,
    attempts,
)
from ragassay.generate.filtered import knowledge_checks
from ragassay.jobs.asking.models import RunModels
from ragassay.jobs.label.conditions import documents_of
from ragassay.jobs.label.options import LabelOptions
from ragassay.jobs.label.verdicts import NO_ANSWER, Posed
from ragassay.records import Critique, Document, Example
from ragassay.report.synthesis import KnowledgeFigures, KnowledgePart, knowledge_figures
from ragassay.tasks.statements import Passage

RATINGS = (KNOWN_WITHOUT_CONTEXT, KNOWN_IN_EVERY_TRY, ANSWERED_WITH_BLOCK, NEW_TO_MODEL)


class Knowledge:
    """Asks the answering model every question without context, several times, and with it, and has all rated.

    Keeps what the table is made of: a few numbers for each example.
    """

    def __init__(self, options: LabelOptions, meets: Callable[[Example], bool]) -> None:
        """meets: whether the documents of an example meet ``--where``."""
        self._options = options
        self._meets = meets
        self._titles: dict[str, str] = {}
        self._parts: dict[KnowledgePart, list[Attempts]] = {
            "all": [],
            **({"where": []} if options.where else {}),
            "new": [],
        }
        self._answerer = ""

    def look(self, document: Document) -> None:
        self._titles[document.id] = document.title

    async def ask(self, models: RunModels, posed: Sequence[Posed]) -> list[Posed]:
        """Rate what the model knows of each example, in their order."""
        self._answerer = models.answerer.name
        there = [each for each in posed if each.has_context]
        asked = [each for each in there if each.example.answer.strip()]
        blocks = {each.example.id: each.context.text or "" for each in asked}
        passages = [Passage(title=self._title(each.example), text=each.context.text or "") for each in there]
        checks = await knowledge_checks(models.answerer, passages, self._options.cutoff)
        new = {each.example.id: check for each, check in zip(there, checks, strict=True)}
        examples = [each.example for each in asked]
        tried = await attempts(examples, blocks, models.answerer, models.judge, self._options.tries)
        return [self._rated(each, new.get(each.example.id), tried.get(each.example.id)) for each in posed]

    def figures(self) -> tuple[KnowledgeFigures, ...]:
        """Of the whole set, of the documents that meet the conditions, and of those of them that are new."""
        return tuple(knowledge_figures(part, tried, self._answerer) for part, tried in self._parts.items())

    def _title(self, example: Example) -> str:
        return next((self._titles[name] for name in documents_of(example) if name in self._titles), "")

    def _rated(self, posed: Posed, new: Critique | None, tried: Attempts | None) -> Posed:
        example, context, _ = posed
        if tried is not None:
            self._count(example, new, tried)
        answers = _critiques(tried, NO_ANSWER if posed.has_context else context.fault)
        return posed.rated(
            (
                *(answers if example.label != "unanswerable" else ()),
                new or Critique(name=NEW_TO_MODEL, value=None, reason=context.fault),
            )
        )

    def _count(self, example: Example, new: Critique | None, tried: Attempts) -> None:
        self._parts["all"].append(tried)
        if not self._meets(example):
            return
        if "where" in self._parts:
            self._parts["where"].append(tried)
        if new is not None and new.value == NEW:
            self._parts["new"].append(tried)


def _critiques(tried: Attempts | None, why_not: str) -> tuple[Critique, ...]:
    names = RATINGS[:3]
    if tried is None:
        return tuple(Critique(name=name, value=None, reason=why_not) for name in names)
    failed = [each for each in tried.closed if each.lower is None]
    if failed:
        n = len(tried.closed)
        best = worst = Baseline(None, failed[0].reason if n == 1 else f"{len(failed)} of {n} tries: {failed[0].reason}")
    else:
        best = max(tried.closed, key=lambda each: each.lower or 0)
        worst = min(tried.closed, key=lambda each: each.lower or 0)
    return tuple(each.critique(name) for name, each in zip(names, (best, worst, tried.open), strict=True))
