"""A synthesizer that is asked about some of the documents alone: those that are new to a model (RAGVAL, filters)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ragassay.models.base import Model
from ragassay.records import Document, Label
from ragassay.synthesis.candidates import Candidate
from ragassay.synthesis.collection import Collection
from ragassay.synthesis.contexts import Contexts
from ragassay.synthesis.metadata_filter import Condition
from ragassay.synthesis.options import SetPlan
from ragassay.synthesis.strategy import Strategy
from ragassay.tasks.answering import KNOWLEDGE_CHECK, KnowledgeCheck


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockFilters:
    """Which blocks are asked about.

    conditions: on metadata (K_d). new_to: the model that answers later; blocks that it says it knows are left out
    (K_f), None leaves that filter out. cutoff: until when that model has learnt, where that is known.
    """

    conditions: tuple[Condition, ...] = ()
    new_to: Model | None = None
    cutoff: str = ""


class Filtered:
    """A strategy that sees the documents that pass; the others are counted among what it dropped."""

    def __init__(
        self,
        strategy: Strategy,
        collection: Collection,
        options: SetPlan,
        filters: BlockFilters,
        document: Callable[[str], Document],
    ) -> None:
        """document: by its id; a second one that a question rests on has to pass as well."""
        self._document = document
        self._strategy = strategy
        self._filters = filters
        self._contexts = Contexts(collection, options)
        self._passed: dict[str, bool] = {}

    @property
    def name(self) -> str:
        """That of the strategy."""
        return self._strategy.name

    @property
    def dropped(self) -> Counter[str]:
        """Reason to what was lost before it was a candidate: blocks that a filter leaves out, too."""
        return self._strategy.dropped

    async def candidates(
        self, documents: Sequence[tuple[int, Document]], wanted: Sequence[Label], *, all_allowed: bool = False
    ) -> list[Candidate]:
        """As ``Strategy.candidates``."""
        await self._look_at([document for _, document in documents])
        fit = [each for each in documents if self._passed[each[1].id]]
        made = await self._strategy.candidates(fit, wanted, all_allowed=all_allowed)
        seconds = dict.fromkeys(span.document_id for each in made for span in each.further)
        await self._look_at([self._document(name) for name in seconds])
        kept = [each for each in made if all(self._passed[span.document_id] for span in each.further)]
        if len(kept) < len(made):
            self.dropped["its second document is left out by a filter"] += len(made) - len(kept)
        return kept

    async def _look_at(self, documents: Sequence[Document]) -> None:
        """Finds out which documents pass the filters, and counts those that do not; of each once."""
        asked = []
        for document in documents:
            if document.id in self._passed:
                continue
            failed = next((each for each in self._filters.conditions if not each.holds(document)), None)
            self._passed[document.id] = failed is None
            if failed is not None:
                self.dropped[f"block left out by --where {failed}"] += 1
            else:
                asked.append(document)
        if self._filters.new_to is not None:
            await self._ask_whether_known(self._filters.new_to, asked)

    async def _ask_whether_known(self, model: Model, documents: Sequence[Document]) -> None:
        inputs = [
            KnowledgeCheck(
                passage=self._contexts.passage(document, 0, len(document.text), ()), cutoff=self._filters.cutoff
            )
            for document in documents
        ]
        for document, reply in zip(documents, await model.ask_all(KNOWLEDGE_CHECK, inputs), strict=True):
            if reply.value is None:
                fault = f"no knowledge check: {reply.reason}"
            elif reply.value.known and not reply.value.after_cutoff:
                fault = f"block that {model.name} knows already"
            else:
                continue
            self._passed[document.id] = False
            self.dropped[fault] += 1
