"""Synthesizers of other packages: their candidates are looked at before they are judged, like those of any model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from ragassay.errors import BudgetError, ModelError, RunFolderError, UsageError
from ragassay.models.base import Model
from ragassay.models.plug_ins import NamedPlugIns, PlugIn, named_plug_ins, plug_in_name
from ragassay.models.user_code import attribute_of, said_of
from ragassay.records import LABELS, Document, Label, Scope, Span
from ragassay.synthesis.candidates import Candidate
from ragassay.synthesis.collection import Collection
from ragassay.synthesis.options import SetPlan
from ragassay.synthesis.pair_writer import NOT_VERBATIM
from ragassay.tasks.prompts import readable


def synthesizer_plug_in(name: str, built_in: Sequence[str]) -> PlugIn | None:
    """The plug-in of a name; None where there is none."""
    return synthesizer_plug_ins(built_in).by_name.get(plug_in_name(name))


def synthesizer_plug_ins(built_in: Sequence[str]) -> NamedPlugIns:
    """All that are installed. built_in: names of ragassay itself."""
    return named_plug_ins("synthesizer", frozenset(built_in))


class PlugInStrategy:
    """What a package makes of a model, a collection and options; what goes wrong in it costs its documents alone."""

    def __init__(self, plug_in: PlugIn, model: Model, collection: Collection, options: SetPlan) -> None:
        """Raises UsageError where it makes no strategy."""
        self.name = full_name(plug_in)
        self._plug_in = plug_in
        self._made: Any = plug_in.made(model, collection, options)
        self._lost: Counter[str] = Counter()
        self._failed: set[int] = set()
        if not callable(attribute_of(self._made, "candidates")):
            raise UsageError(f"{plug_in} cannot be used: {type(self._made).__name__} has no method candidates")

    @property
    def dropped(self) -> Counter[str]:
        """Its own losses and those that were seen here."""
        own = attribute_of(self._made, "dropped")
        counts = own.items() if isinstance(own, Mapping) else ()
        return self._lost + Counter({str(why): count for why, count in counts if isinstance(count, int)})

    async def candidates(
        self, documents: Sequence[tuple[int, Document]], wanted: Sequence[Label], *, all_allowed: bool = False
    ) -> list[Candidate]:
        """As ``Strategy.candidates``, without those that break its terms."""
        try:
            given = list(await self._made.candidates(documents, wanted, all_allowed=all_allowed))
        except (BudgetError, ModelError, RunFolderError):  # a limit, a key, the log of calls: no fault of the package
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the code of others may raise anything
            failed = {ordinal for ordinal, _ in documents} - self._failed  # documents come again in later rounds
            self._lost[f"{self._plug_in} failed ({said_of(error)})"] += len(failed)
            self._failed |= failed
            return []
        ordinals = {document.id: ordinal for ordinal, document in documents}
        texts = {document.id: document.text for _, document in documents}
        kept = []
        for each in given:
            if not _is_candidate(each):
                self._lost[f"{self._plug_in} gave {type(each).__name__} that is not a candidate"] += 1
            elif not _is_grounded(each, texts):
                self._lost[NOT_VERBATIM] += 1
            else:
                kept.append(self._own(each, ordinals[each.context.document_id]))
        return sorted(kept, key=lambda each: (each.ordinal, each.context.start))

    def _own(self, given: Candidate, ordinal: int) -> Candidate:
        """As it can be written and is judged here, whatever the package has made of it before."""
        return replace(
            given,
            ordinal=ordinal,
            question=readable(given.question),
            answer=readable(given.answer),
            pattern=readable(given.pattern),
            statement=readable(given.statement),
            keypoints=tuple(map(readable, given.keypoints)),
            verified=None,
            critiques=(),
            synthesizer=self.name,
        )


def full_name(plug_in: PlugIn) -> str:
    """What provenance and reports call it: with package and version."""
    return f"{plug_in_name(plug_in.point.name)} ({plug_in.origin})"


def _is_candidate(each: Any) -> bool:
    """Whether it is a candidate with a question, and with labels of ours if any."""
    if not isinstance(each, Candidate):
        return False
    texts: tuple[Any, ...] = (each.question, each.answer, each.pattern, each.statement, each.language, *each.keypoints)
    return (
        all(isinstance(text, str) for text in (*texts, each.question_type or ""))
        and bool(each.question.strip())
        and each.label in (None, *LABELS)
        and each.unanswerable_in in (None, *get_args(Scope))
    )


def _is_grounded(each: Candidate, texts: Mapping[str, str]) -> bool:
    """Whether it names what its answer rests on, and all its spans are verbatim."""
    if not each.references and each.label != "unanswerable":
        return False
    return all(_is_verbatim(span, texts) for span in (each.context, *each.references, *each.further))


def _is_verbatim(span: Any, texts: Mapping[str, str]) -> bool:
    """Whether a span is what it says, in one of the documents that were handed over."""
    if not isinstance(span, Span) or span.document_id not in texts:
        return False
    return 0 <= span.start < span.end and texts[span.document_id][span.start : span.end] == span.text
