"""From documents to candidate pairs, by statement extraction: theme, facts, then what each label asks for.

Source: Know Your RAG (COLING 2025), statement extraction. Steps 1 to 3 are asked once for each context and serve all
labels.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ragassay.corpus.passages import passages
from ragassay.models.base import Model, Reply
from ragassay.records import Document, Label, Span
from ragassay.synthesis.candidates import STATEMENTS, Candidate, from_miss, from_statement, located
from ragassay.synthesis.collection import Collection
from ragassay.synthesis.contexts import Contexts
from ragassay.synthesis.options import SetPlan
from ragassay.tasks.base import Task
from ragassay.tasks.questions import NEAR_MISSES, QUESTION, MissCandidates, StatementOnTheme
from ragassay.tasks.statements import (
    CONCLUSIONS,
    FACTS,
    SUMMARIES,
    THEME,
    Passage,
    PassageFacts,
    PassageOnTheme,
    Statement,
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
class _Context:
    """A passage on its way through the tasks."""

    document: Document
    ordinal: int
    span: Span
    passage: Passage
    theme: str = ""
    facts: tuple[Statement, ...] = ()
    found: dict[Label, tuple[Statement, ...]] = field(default_factory=dict)


class _Pick(NamedTuple):
    """A statement that is to have a question."""

    label: Label
    context: _Context
    statement: Statement


def _text(item: Candidate | _Pick) -> str:
    return f"{item.question} {item.context.start}" if isinstance(item, Candidate) else item.statement.text


class Extractor:
    """Makes candidates from batches of documents.

    Two documents of one theme cannot be told apart by a question; the second is passed over and counted.
    """

    name = STATEMENTS

    def __init__(self, model: Model, collection: Collection, options: SetPlan) -> None:
        self._model = model
        self._places = Contexts(collection, options)
        self._options = options
        self._themes: dict[str, str] = {}
        self._alike: set[str] = set()
        self._tried: set[tuple[str, Label, str]] = set()
        self._visits: Counter[str] = Counter()
        self._nameless: dict[str, str] = {}
        self._named_late: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()

    async def candidates(
        self, documents: Sequence[tuple[int, Document]], wanted: Sequence[Label], *, all_allowed: bool = False
    ) -> list[Candidate]:
        """Candidates of the wanted labels from (ordinal, document) pairs, in their order, none that was given before.

        all_allowed: of every passage, enough for a document's whole allowance; otherwise of a few passages, enough
        for one example of each label.
        """
        counted = self.dropped.copy()
        contexts = [
            context for ordinal, document in documents for context in self._contexts(document, ordinal, all_allowed)
        ]
        if self._options.theme:
            await self._name_themes(contexts)
            contexts = [context for context in contexts if context.theme]
        await self._find_statements(contexts, wanted)
        if all_allowed:
            is_known = any(self._visits[document.id] for _, document in documents)
            self._visits.update(document.id for _, document in documents)
            if is_known:
                self.dropped = counted  # these documents were visited, and their losses counted, before
        self.dropped -= self._named_late
        self._named_late.clear()
        return await self._drawn(_by_document(contexts), wanted, all_allowed)

    def _contexts(self, document: Document, ordinal: int, all_allowed: bool) -> list[_Context]:
        found = self._places.of(document, ordinal, all_allowed=all_allowed)
        self.dropped += self._places.dropped
        self._places.dropped.clear()
        return [_Context(document, ordinal, each.span, each.passage) for each in found]

    async def _name_themes(self, contexts: Sequence[_Context]) -> None:
        """One theme a document, asked of its first context."""
        groups = _by_document(contexts)
        replies = await self._model.ask_all(THEME, [group[0].passage for group in groups])
        for group, reply in zip(groups, replies, strict=True):
            theme = reply.value.text if reply.value else ""
            document_id = group[0].document.id
            self._count_failure("theme", reply)
            if reply.value is None:
                self._nameless[document_id] = f"no theme: {reply.reason}"
            elif document_id in self._nameless:  # a later visit found a name for it: it is no loss any more
                self._named_late[self._nameless.pop(document_id)] += 1
            is_shared = theme and self._themes.setdefault(theme.lower(), document_id) != document_id
            if is_shared:
                self.dropped["theme shared with another document"] += document_id not in self._alike
                self._alike.add(document_id)
                theme = ""
            for context in group:
                context.theme = theme

    async def _find_statements(self, contexts: Sequence[_Context], wanted: Sequence[Label]) -> None:
        on_theme = [PassageOnTheme(passage=context.passage, theme=context.theme) for context in contexts]
        for context, reply in zip(contexts, await self._model.ask_all(FACTS, on_theme), strict=True):
            self._count_failure("facts", reply)
            context.facts = reply.value.items if reply.value else ()
            context.found["fact_single"] = context.facts
        composed = [context for context in contexts if context.facts]
        with_facts = [
            PassageFacts(passage=context.passage, theme=context.theme, facts=context.facts) for context in composed
        ]
        asked = [(label, task) for label, task in _COMPOSED if label in wanted]
        replies = await asyncio.gather(*(self._model.ask_all(task, with_facts) for _, task in asked))
        for (label, task), of_task in zip(asked, replies, strict=True):
            for context, statements in zip(composed, of_task, strict=True):
                self._count_failure(task.name, statements)
                context.found[label] = statements.value.items if statements.value else ()

    def _count_failure(self, what: str, reply: Reply[Any]) -> None:
        """Keeps account of a task that the model did not answer: its candidates are missing, and the reader is told."""
        if reply.value is None:
            self.dropped[f"no {what}: {reply.reason}"] += 1

    async def _drawn(
        self, groups: Sequence[Sequence[_Context]], wanted: Sequence[Label], all_allowed: bool
    ) -> list[Candidate]:
        """A few candidates a label from each document, by chance."""
        misses = await self._misses(groups, all_allowed) if "unanswerable" in wanted else {}
        drawn: list[Candidate | _Pick] = []
        for group in groups:
            document = group[0].document
            most = self._most_tries(document, all_allowed)
            for label in wanted:
                found: Sequence[Candidate | _Pick] = (
                    misses[document.id]
                    if label == "unanswerable"
                    else [_Pick(label, context, each) for context in group for each in context.found.get(label, ())]
                )
                drawn += self._untried(found, document, label, most)
        return [each for each in await self._asked(drawn) if each is not None]

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
            return self._options.first_tries
        allowed = self._options.allowance(len(document.text)) * self._options.tries
        return int(allowed * _GROWTH ** (self._visits[document.id] - 1))

    async def _asked(self, drawn: Sequence[Candidate | _Pick]) -> list[Candidate | None]:
        """The drawn ones in their order, with a question for each statement; None, and counted, where that fails."""
        picks = [each for each in drawn if isinstance(each, _Pick)]
        questions = iter(
            await self._model.ask_all(
                QUESTION,
                [
                    StatementOnTheme(
                        statement=pick.statement, theme=pick.context.theme, passage=self._named(pick.context.passage)
                    )
                    for pick in picks
                ],
            )
        )
        candidates: list[Candidate | None] = []
        for each in drawn:
            if isinstance(each, Candidate):
                candidates.append(each)
                continue
            question = next(questions)
            if question.value is None:
                self._count_failure("question", question)
                candidates.append(None)
                continue
            label, context, statement = each
            candidate = from_statement(
                context.document, context.ordinal, label, context.span, statement, question.value
            )
            if candidate is None:
                self.dropped["reference not verbatim in its context"] += 1
            candidates.append(candidate)
        return candidates

    def _named(self, passage: Passage) -> Passage:
        """The passage as questions may name it: without a theme, they are not to name their document either."""
        return passage if self._options.theme else passage.model_copy(update={"title": ""})

    async def _misses(self, groups: Sequence[Sequence[_Context]], all_allowed: bool) -> dict[str, list[Candidate]]:
        """Near misses by document id: of its short passages, with the facts that stand outside each."""
        inputs: list[MissCandidates] = []
        places: list[tuple[Document, int, Span, bool]] = []
        for group in groups:
            for miss_input, span, is_whole in self._miss_inputs(group, all_allowed):
                inputs.append(miss_input)
                places.append((group[0].document, group[0].ordinal, span, is_whole))
        found: dict[str, list[Candidate]] = {group[0].document.id: [] for group in groups}
        for (document, ordinal, span, is_whole), reply in zip(
            places, await self._model.ask_all(NEAR_MISSES, inputs), strict=True
        ):
            self._count_failure("near misses", reply)
            for miss in reply.value.items if reply.value else ():
                found[document.id].append(from_miss(document, ordinal, span, miss, is_whole=is_whole))
        return found

    def _miss_inputs(self, group: Sequence[_Context], all_allowed: bool) -> list[tuple[MissCandidates, Span, bool]]:
        """The short passages of one document, and the document itself where it is short; whether each is all of it."""
        document, theme = group[0].document, group[0].theme
        facts = [
            (statement, located(document, context.span.start, context.span.end, statement.quotes))
            for context in group
            for statement in context.facts
        ]
        short = passages(document, _MISS_CHARS)
        if not all_allowed:
            short = self._places.few(short, self._options.first_miss_contexts, document)
        places = [(place.start, place.end, place.section) for place in short]
        is_whole = self._options.whole_documents or (
            len(group) == 1 and len(passages(document, self._options.context_chars)) == 1
        )
        if is_whole:
            places.append((group[0].span.start, group[0].span.end, group[0].passage.section))
        inputs = []
        for number, (start, end, section) in enumerate(places):
            elsewhere = tuple(
                statement
                for statement, spans in facts
                if spans and all(span.end <= start or span.start >= end for span in spans)
            )
            asked = MissCandidates(
                passage=self._places.passage(document, start, end, section),
                theme=theme,
                facts_elsewhere=elsewhere,
            )
            inputs.append((asked, document.span(start, end), is_whole and number == len(places) - 1))
        return inputs


def _by_document(contexts: Sequence[_Context]) -> list[list[_Context]]:
    groups: dict[str, list[_Context]] = {}
    for context in contexts:
        groups.setdefault(context.document.id, []).append(context)
    return list(groups.values())
