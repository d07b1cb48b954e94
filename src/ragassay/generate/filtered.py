"""A synthesizer that is asked about some of the documents alone: those that are new to a model (RAGVAL, filters)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ragassay.generate.baselines import NEW, NEW_TO_MODEL
from ragassay.generate.candidates import Candidate, Strategy
from ragassay.generate.collection import Collection
from ragassay.generate.contexts import Contexts
from ragassay.generate.metadata_filter import Condition, failed_condition
from ragassay.generate.options import SetPlan
from ragassay.models.base import Model
from ragassay.records import Critique, Document, Label
from ragassay.tasks.answering import KNOWLEDGE_CHECK, KnowledgeCheck
from ragassay.tasks.statements import Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockFilters:
    """Which blocks are asked about.

    conditions: on metadata (K_d). new_to: the model that answers later; blocks that it says it knows are left out
    (K_f), None leaves that filter out. cutoff: until when that model has learnt, where that is known. documents: ids
    of those that are asked about; None for all.
    """

    conditions: tuple[Condition, ...] = ()
    new_to: Model | None = None
    cutoff: str = ""
    documents: frozenset[str] | None = None

    def left_out(self, document: Document) -> str:
        """Return why a document is not asked about; empty where it is, as far as it tells itself."""
        if self.documents is not None and document.id not in self.documents:
            return "not among the documents to ask about"
        failed = failed_condition(self.conditions, document)
        return f"block left out by --where {failed}" if failed else ""


EVERY_BLOCK = BlockFilters()


class Filtered:
    """A strategy that sees the documents that pass; the others are counted among what it dropped."""

    def __init__(self, strategy: Strategy, collection: Collection, options: SetPlan, filters: BlockFilters) -> None:
        self.name = strategy.name
        self._strategy = strategy
        self._filters = filters
        self._contexts = Contexts(collection, options)
        self._passed: dict[str, bool] = {}

    @property
    def dropped(self) -> Counter[str]:
        """Return what the strategy lost, and the blocks that a filter leaves out, by reason."""
        return self._strategy.dropped

    async def candidates(
        self, documents: Sequence[tuple[int, Document]], wanted: Sequence[Label], *, all_allowed: bool = False
    ) -> list[Candidate]:
        """As ``Strategy.candidates``."""
        await self._look_at([document for _, document in documents])
        fit = [each for each in documents if self._passed[each[1].id]]
        return await self._strategy.candidates(fit, wanted, all_allowed=all_allowed)

    async def _look_at(self, documents: Sequence[Document]) -> None:
        """Find out which documents pass the filters, and count those that do not; of each once."""
        asked = []
        for document in documents:
            if document.id in self._passed:
                continue
            reason = self._filters.left_out(document)
            self._passed[document.id] = not reason
            if reason:
                self.dropped[reason] += 1
            else:
                asked.append(document)
        if self._filters.new_to is not None:
            await self._ask_whether_known(self._filters.new_to, asked)

    async def _ask_whether_known(self, model: Model, documents: Sequence[Document]) -> None:
        passages = [self._contexts.passage(document, 0, len(document.text), ()) for document in documents]
        checks = await knowledge_checks(model, passages, self._filters.cutoff)
        for document, check in zip(documents, checks, strict=True):
            if check.value != NEW:
                is_known = check.value is not None
                fault = f"block that {model.name} knows already" if is_known else f"no knowledge check: {check.reason}"
                self._passed[document.id] = False
                self.dropped[fault] += 1


async def knowledge_checks(model: Model, passages: Sequence[Passage], cutoff: str) -> list[Critique]:
    """Ask a model what it knows already: NEW for a passage that is new to it, 1 for one that it knows.

    cutoff: until when it has learnt; what happened later is new to it. Empty where that is not known.
    """
    inputs = [KnowledgeCheck(passage=passage, cutoff=cutoff) for passage in passages]
    checks = []
    for reply in await model.ask_all(KNOWLEDGE_CHECK, inputs):
        if reply.value is None:
            checks.append(Critique(name=NEW_TO_MODEL, value=None, reason=reply.reason or ""))
        else:
            is_known = reply.value.known and not reply.value.after_cutoff
            checks.append(Critique(name=NEW_TO_MODEL, value=1 if is_known else NEW, reason=reply.value.reason))
    return checks
