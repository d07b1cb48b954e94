"""From documents to candidate pairs, by statement extraction: theme, facts, then what each label asks for.

Source: Know Your RAG (COLING 2025), statement extraction. Steps 1 to 3 are asked once for each context and serve all
labels.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ragassay.documents.passages import PassageSpan, passages
from ragassay.generate.candidates import STATEMENTS, Candidate
from ragassay.generate.collection import Collection
from ragassay.generate.contexts import NOT_VERBATIM, Context, Contexts
from ragassay.generate.options import SetPlan
from ragassay.models.base import Model, Reply
from ragassay.records import Document, Label, Span
from ragassay.tasks.base import Task
from ragassay.tasks.statements import (
    CONCLUSIONS,
    FACTS,
    NEAR_MISSES,
    QUESTION,
    SUMMARIES,
    THEME,
    MissCandidates,
    Passage,
    PassageFacts,
    PassageOnTheme,
    Statement,
    StatementOnTheme,
    Statements,
)

_COMPOSED: tuple[tuple[Label, Task[PassageFacts, Statements]], ...] = (
    ("summary", SUMMARIES),
    ("reasoning", CONCLUSIONS),
)
"""Labels whose statements are made from several facts."""
_GROWTH = 4
"""By how much more is drawn of a document at each visit: a few visits reach the end of the longest one."""
_MISS_CHARS = 1200
"""Length of the passages that near misses are put to: so short that a fact of the same document stands elsewhere."""


@dataclass
class _Read:
    """A context on its way through the tasks. found: the statements that it gives for each label."""

    context: Context
    theme: str = ""
    found: dict[Label, tuple[Statement, ...]] = field(default_factory=dict)

    @property
    def facts(self) -> tuple[Statement, ...]:
        return self.found.get("fact_single", ())


class _Pick(NamedTuple):
    """A statement that is to have a question."""

    label: Label
    read: _Read
    statement: Statement


class _Miss(NamedTuple):
    """A short passage that near misses are put to. is_whole: whether it is all of its document."""

    context: Context
    asked: MissCandidates
    span: Span
    is_whole: bool


def _text(item: Candidate | _Pick) -> str:
    return f"{item.question} {item.context.start}" if isinstance(item, Candidate) else item.statement.text


class Extractor:
    """Makes candidates from batches of documents.

    Two documents of one theme cannot be told apart by a question; the second is passed over and counted.
    """

    name = STATEMENTS

    def __init__(self, model: Model, collection: Collection, options: SetPlan) -> None:
        self._model = model
        self._contexts = Contexts(collection, options)
        self._options = options
        self._themes: dict[str, str] = {}
        self._alike: set[str] = set()
        self._tried: set[tuple[str, Label, str]] = set()
        self._visits: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()

    async def candidates(
        self, documents: Sequence[tuple[int, Document]], wanted: Sequence[Label], *, all_allowed: bool = False
    ) -> list[Candidate]:
        """Candidates of the wanted labels from (ordinal, document) pairs, in their order, none that was given before.

        all_allowed: of every passage, enough for a document's whole allowance; otherwise of a few passages, enough
        for one example of each label.
        """
        counted = self.dropped.copy()
        groups = [
            [_Read(context) for context in self._contexts.of(document, ordinal, all_allowed=all_allowed)]
            for ordinal, document in documents
        ]
        groups = [group for group in groups if group]
        self.dropped += self._contexts.dropped
        self._contexts.dropped.clear()
        if self._options.theme:
            await self._name_themes(groups)
            groups = [group for group in groups if group[0].theme]
        await self._find_statements([read for group in groups for read in group], wanted)
        if all_allowed:
            if any(self._visits[document.id] for _, document in documents):
                self.dropped = counted  # these documents were visited, and their losses counted, before
            self._visits.update(document.id for _, document in documents)
        return await self._drawn(groups, wanted, all_allowed)

    async def _name_themes(self, groups: Sequence[Sequence[_Read]]) -> None:
        """One theme a document, asked of its first context; none where another document has it."""
        replies = await self._model.ask_all(THEME, [group[0].context.passage for group in groups])
        for group, reply in zip(groups, replies, strict=True):
            self._count_failure("theme", reply)
            theme, document_id = reply.value.theme if reply.value else "", group[0].context.document.id
            if theme and self._themes.setdefault(theme.lower(), document_id) != document_id:
                self.dropped["theme shared with another document"] += document_id not in self._alike
                self._alike.add(document_id)
                theme = ""
            for read in group:
                read.theme = theme

    async def _find_statements(self, reads: Sequence[_Read], wanted: Sequence[Label]) -> None:
        on_theme = [PassageOnTheme(passage=read.context.passage, theme=read.theme) for read in reads]
        for read, reply in zip(reads, await self._model.ask_all(FACTS, on_theme), strict=True):
            self._count_failure("facts", reply)
            read.found["fact_single"] = reply.value.items if reply.value else ()
        composed = [read for read in reads if read.facts]
        with_facts = [
            PassageFacts(passage=read.context.passage, theme=read.theme, facts=read.facts) for read in composed
        ]
        asked = [(label, task) for label, task in _COMPOSED if label in wanted]
        replies = await asyncio.gather(*(self._model.ask_all(task, with_facts) for _, task in asked))
        for (label, task), of_task in zip(asked, replies, strict=True):
            for read, statements in zip(composed, of_task, strict=True):
                self._count_failure(task.name, statements)
                read.found[label] = statements.value.items if statements.value else ()

    def _count_failure(self, what: str, reply: Reply[Any]) -> None:
        """Keep account of a task that the model did not answer: its candidates are missing, and the reader is told."""
        if reply.value is None:
            self.dropped[f"no {what}: {reply.reason}"] += 1

    async def _drawn(
        self, groups: Sequence[Sequence[_Read]], wanted: Sequence[Label], all_allowed: bool
    ) -> list[Candidate]:
        """A few candidates a label from each document, by chance."""
        misses = await self._near_misses(groups, all_allowed) if "unanswerable" in wanted else {}
        drawn: list[Candidate | _Pick] = []
        for group in groups:
            document = group[0].context.document
            for label in wanted:
                found: Sequence[Candidate | _Pick] = (
                    misses[document.id]
                    if label == "unanswerable"
                    else [_Pick(label, read, each) for read in group for each in read.found.get(label, ())]
                )
                drawn += self._untried(found, document, label, self._most_tries(document, all_allowed))
        return await self._asked(drawn)

    def _untried(
        self, found: Sequence[Candidate | _Pick], document: Document, label: Label, most: int
    ) -> list[Candidate | _Pick]:
        """At most so many of those that were not tried before, by chance; they count as tried."""
        drawn = [each for each in found if (document.id, label, _text(each)) not in self._tried]
        random.Random(f"{self._options.seed} {document.id} {label}").shuffle(drawn)
        self._tried.update((document.id, label, _text(each)) for each in drawn[:most])
        return drawn[:most]

    def _most_tries(self, document: Document, all_allowed: bool) -> int:
        """Candidates to draw of one label: each visit that may take all that is allowed draws more than the last."""
        if not all_allowed:
            return 1
        return int(self._options.allowance(len(document.text)) * _GROWTH ** (self._visits[document.id] - 1))

    async def _asked(self, drawn: Sequence[Candidate | _Pick]) -> list[Candidate]:
        """The drawn ones in their order, with a question for each statement; where that fails it is counted."""
        asked = [
            StatementOnTheme(
                statement=pick.statement, theme=pick.read.theme, passage=self._named(pick.read.context.passage)
            )
            for pick in drawn
            if isinstance(pick, _Pick)
        ]
        questions = iter(await self._model.ask_all(QUESTION, asked))
        candidates: list[Candidate] = []
        for item in drawn:
            if isinstance(item, Candidate):
                candidates.append(item)
                continue
            question = next(questions)
            self._count_failure("question", question)
            if question.value is None:
                continue
            candidate = item.read.context.candidate(
                question.value.question,
                question.value.answer,
                item.statement.quotes,
                synthesizer=STATEMENTS,
                label=item.label,
                statement=item.statement.text,
            )
            if candidate is None:
                self.dropped[NOT_VERBATIM] += 1
            else:
                candidates.append(candidate)
        return candidates

    def _named(self, passage: Passage) -> Passage:
        """The passage as questions may name it: without a theme, they are not to name their document either."""
        return passage if self._options.theme else passage.model_copy(update={"title": ""})

    async def _near_misses(self, groups: Sequence[Sequence[_Read]], all_allowed: bool) -> dict[str, list[Candidate]]:
        """Near misses by document id: of its short passages, with the facts that stand outside each."""
        misses = [miss for group in groups for miss in self._miss_passages(group, all_allowed)]
        found: dict[str, list[Candidate]] = defaultdict(list)
        replies = await self._model.ask_all(NEAR_MISSES, [miss.asked for miss in misses])
        for miss, reply in zip(misses, replies, strict=True):
            self._count_failure("near misses", reply)
            for question in reply.value.items if reply.value else ():
                candidate = Candidate(
                    ordinal=miss.context.ordinal,
                    label="unanswerable",
                    question=question.question,
                    answer="",
                    context=miss.span,
                    references=(),
                    language=miss.context.document.language,
                    unanswerable_in="document" if miss.is_whole else "context",
                )
                found[miss.span.document_id].append(candidate)
        return found

    def _miss_passages(self, group: Sequence[_Read], all_allowed: bool) -> list[_Miss]:
        """The short passages of one document, and the document itself where it is short."""
        first = group[0].context
        document = first.document
        facts = [(fact, read.context.located(fact.quotes)) for read in group for fact in read.facts]
        places = passages(document, _MISS_CHARS)
        if not all_allowed:
            places = self._contexts.few(places, document)
        is_whole = self._options.whole_documents or (
            len(group) == 1 and len(passages(document, self._options.context_chars)) == 1
        )
        if is_whole:
            places = [*places, PassageSpan(first.span.start, first.span.end, first.passage.section)]
        found = []
        for number, place in enumerate(places, 1):
            elsewhere = (
                fact
                for fact, spans in facts
                if spans and all(span.end <= place.start or span.start >= place.end for span in spans)
            )
            asked = MissCandidates(
                passage=self._contexts.passage(document, *place),
                theme=group[0].theme,
                facts_elsewhere=tuple(elsewhere),
            )
            span = document.span(place.start, place.end)
            found.append(_Miss(first, asked, span, is_whole and number == len(places)))
        return found
