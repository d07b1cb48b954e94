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
from ragassay.synthesis.balance import worth_class
from ragassay.synthesis.candidates import (
    LEAST_WORTH,
    STATEMENTS,
    Candidate,
    from_miss,
    from_statement,
    located,
)
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
_BY_RULE = 0.5
"""The worth of a statement that rules found, which rate nothing, beside those that a parse rates."""
_GROWTH = 4
"""By how much more is drawn of a document at each visit: a few visits reach the end of the longest one."""
_SEARCHED_CHARS = 40_000
"""Of a longer document that much around a passage is searched for the answer to a question that it leaves open."""
_LOOKS = 3
"""First looks, as a multiple of the examples asked for, at which only the best goes on: a large collection is not read
to its end for a label that is scarce."""
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


class _Key(NamedTuple):
    """What drawing an item depends on. text: tells it from others of its document and label."""

    pattern: str
    text: str
    worth: float


class _Drawn(NamedTuple):
    """An item that is tried. text: tells it from others of its document and label."""

    document_id: str
    label: Label
    text: str
    item: Candidate | _Pick


def _key(item: Candidate | _Pick) -> _Key:
    if isinstance(item, Candidate):
        return _Key(item.pattern, f"{item.question} {item.context.start}", item.reckoned_worth)
    statement, draft = item.statement, item.statement.draft
    if draft is None or draft.quality is None:
        return _Key(draft.pattern if draft else "", statement.text, _BY_RULE)
    return _Key(draft.pattern, f"{statement.text} {draft.question}", draft.quality)  # several may rest on one statement


class Extractor:
    """Makes candidates from batches of documents, rarer patterns first.

    Two documents of one theme cannot be told apart by a question; the second is passed over and counted.
    """

    name = STATEMENTS

    def __init__(self, model: Model, collection: Collection, options: SetPlan) -> None:
        self._model = model
        self._places = Contexts(collection, options)
        self._options = options
        self._themes: dict[str, str] = {}
        self._patterns: Counter[str] = Counter()
        self._tried: set[tuple[str, Label, str]] = set()
        self._worths: dict[tuple[str, Label, str], float] = {}
        self._looked_at = 0
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
        self._looked_at += 0 if all_allowed else len(documents)
        contexts = [
            context for ordinal, document in documents for context in self._contexts(document, ordinal, all_allowed)
        ]
        if self._options.theme:
            await self._name_themes(contexts)
            contexts = [context for context in contexts if context.theme]
        await self._find_statements(contexts, wanted)
        if all_allowed:
            is_known = not self._options.economical or any(self._visits[document.id] for _, document in documents)
            self._visits.update(document.id for _, document in documents)
            if is_known:
                self.dropped = counted  # these documents were visited, and their losses counted, before
        self.dropped -= self._named_late
        self._named_late.clear()
        drawn = await self._drawn(_by_document(contexts), wanted, all_allowed)
        self._patterns.update(candidate.pattern for candidate in drawn)
        return drawn

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
                self.dropped["theme shared with another document"] += 1
                theme = ""
            for context in group:
                context.theme = theme

    async def _find_statements(self, contexts: Sequence[_Context], wanted: Sequence[Label]) -> None:
        on_theme = [PassageOnTheme(passage=context.passage, theme=context.theme) for context in contexts]
        for context, reply in zip(contexts, await self._model.ask_all(FACTS, on_theme), strict=True):
            self._count_failure("facts", reply)
            context.facts = reply.value.items if reply.value else ()
            context.found["fact_single"] = context.facts
        # The embedded model knows lists and sections that hold no single fact; others would be asked in vain.
        composed = [context for context in contexts if context.facts or not self._options.economical]
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
        """A few candidates a label from each document, rare patterns first, the rest by chance."""
        misses = await self._misses(groups, all_allowed) if "unanswerable" in wanted else {}
        drawn: list[_Drawn] = []
        room: dict[tuple[str, Label], int] = {}
        for group in groups:
            document = group[0].document
            most = self._most_tries(document, all_allowed)
            for label in wanted:
                found: Sequence[Candidate | _Pick] = (
                    misses[document.id]
                    if label == "unanswerable"
                    else [_Pick(label, context, each) for context in group for each in context.found.get(label, ())]
                )
                room[document.id, label] = most
                keys = [_key(each) for each in found]
                places = self._varied(keys, document, label, most * self._options.choice)
                drawn += [_Drawn(document.id, label, keys[place].text, found[place]) for place in places]
        candidates = await self._asked([each.item for each in drawn])
        worths = [each.reckoned_worth if each is not None else 0.0 for each in candidates]
        # What its writer reckons best of each document and label; what is left over may be drawn again.
        kept: set[int] = set()
        for place in sorted(range(len(drawn)), key=lambda place: -worth_class(worths[place])):
            document_id, label, text, _ = drawn[place]
            if candidates[place] is not None and worths[place] < LEAST_WORTH[-1]:
                self.dropped["hardly a question that somebody would ask"] += 1
            elif candidates[place] is not None:
                if not room[document_id, label] or worths[place] < self._least_worth(document_id):
                    self._worths[document_id, label, text] = worths[place]
                    continue
                room[document_id, label] -= 1
                kept.add(place)
            self._tried.add((document_id, label, text))
        return [each for place, each in enumerate(candidates) if each is not None and place in kept]

    def _least_worth(self, document_id: str) -> float:
        """What goes on at this visit; once enough documents were looked at, a first look takes whatever it finds."""
        visits = self._visits[document_id]
        if not visits and self._looked_at > _LOOKS * self._options.n:
            return LEAST_WORTH[-1]
        return LEAST_WORTH[min(visits, len(LEAST_WORTH) - 1)]

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

    def _varied(self, keys: Sequence[_Key], document: Document, label: Label, most: int) -> list[int]:
        """Which of the items to try, ``most`` of them: places in ``keys``.

        Those that are worth most come first, then patterns drawn least so far; chance decides among equals. What was
        tried before is left out, and what is known to be worth too little at this visit; what is known to be worth
        enough comes before what was not asked so far.
        """
        chance = random.Random(f"{self._options.seed} {document.id} {label}")
        least = self._least_worth(document.id)
        known = [self._worths.get((document.id, label, key.text)) for key in keys]
        places = [
            place
            for place, key in enumerate(keys)
            if (document.id, label, key.text) not in self._tried and (known[place] or least) >= least
        ]
        chance.shuffle(places)
        seen: Counter[str] = Counter()
        ranks = {}
        for place in places:
            pattern = keys[place].pattern
            drawn = self._patterns[pattern] + seen[pattern] * max(1, self._patterns.total() // 4)
            ranks[place] = (known[place] is None, -worth_class(known[place] or keys[place].worth), drawn)
            seen[pattern] += 1
        return sorted(places, key=lambda place: ranks[place])[:most]

    async def _misses(self, groups: Sequence[Sequence[_Context]], all_allowed: bool) -> dict[str, list[Candidate]]:
        """Near misses by document id: of its short passages, with the facts that stand outside each."""
        inputs: list[MissCandidates] = []
        places: list[tuple[Document, int, Span, bool]] = []
        for group in groups:
            document, ordinal = group[0].document, group[0].ordinal
            for miss_input, span in self._miss_inputs(group, all_allowed):
                inputs.append(miss_input)
                places.append((document, ordinal, span, miss_input.whole_document))
        found: dict[str, list[Candidate]] = {group[0].document.id: [] for group in groups}
        for (document, ordinal, span, is_whole), reply in zip(
            places, await self._model.ask_all(NEAR_MISSES, inputs), strict=True
        ):
            self._count_failure("near misses", reply)
            for miss in reply.value.items if reply.value else ():
                found[document.id].append(from_miss(document, ordinal, span, miss, is_whole=is_whole))
        return found

    def _miss_inputs(self, group: Sequence[_Context], all_allowed: bool) -> list[tuple[MissCandidates, Span]]:
        """The short passages of one document, and the document itself where it is short."""
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
                whole_document=is_whole and number == len(places) - 1,
                document=around(document.text, start, end),
            )
            inputs.append((asked, document.span(start, end)))
        return inputs


def around(text: str, start: int, end: int) -> str:
    """A document, or as much of it on both sides of a passage as ``_SEARCHED_CHARS`` allows."""
    if len(text) <= _SEARCHED_CHARS:
        return text
    first = max(0, min(start - (_SEARCHED_CHARS - (end - start)) // 2, len(text) - _SEARCHED_CHARS))
    return text[first : first + _SEARCHED_CHARS]


def _by_document(contexts: Sequence[_Context]) -> list[list[_Context]]:
    groups: dict[str, list[_Context]] = {}
    for context in contexts:
        groups.setdefault(context.document.id, []).append(context)
    return list(groups.values())
