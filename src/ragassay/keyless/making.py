"""A set from documents without a language model: read, drafted, chosen, checked, delivered, in this order.

What goes into the set is chosen before a model reads anything, and only that is read; what fails gives its place to the
next best.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from ragassay.corpus.passages import sorted_out
from ragassay.corpus.sampling import length_class, spread_order
from ragassay.corpus.store import DocumentStore
from ragassay.corpus.trivial import is_licence
from ragassay.keyless.checking import Checked, faults
from ragassay.keyless.drafting import LANGUAGES, drafts_of
from ragassay.keyless.naming import page_of
from ragassay.keyless.page import Draft
from ragassay.models.base import Encoder
from ragassay.models.embedded.judging.keypoints import keypoints_of
from ragassay.models.embedded.languages import no_questions_in
from ragassay.models.small import roles
from ragassay.records import Document, Span
from ragassay.synthesis.candidates import RULES, Candidate
from ragassay.synthesis.collection import Collection
from ragassay.synthesis.gates import SearchGates
from ragassay.synthesis.options import SetPlan, counts_of
from ragassay.synthesis.repeats import IN_OTHER_WORDS, IN_THE_SAME_WORDS, Repeats, holds, telling
from ragassay.synthesis.shortfall import Shortage
from ragassay.synthesis.synthesizer import BEFORE_LABELS, SynthesisResult
from ragassay.tasks.languages import language_name
from ragassay.tasks.verdicts import AnswerStatement

PER_SOURCE = 2
"""Drafts of one form that one table, record, section or sentence gives: the third asks the same again."""
_ENOUGH = 4
"""Drafts for each example wanted, from as many documents as examples wanted, after which no more documents are read."""
_MOST_WAITING = 20
"""Drafts for each example wanted that wait at most, but for those of the last document that was read."""
_DOCUMENTS = 5
"""Documents that are asked about at most for each example wanted, however scarce a label is."""
_LOOKED_AT = 6
"""Drafts of a label that are checked for each example that was asked for; of more, hardly one is good."""
_FORM_SHARE = 0.2
"""Largest share of a label that one rule may write, while others can fill it."""
CONTRADICTS = "another passage answers the same question otherwise"
Progress = Callable[[str, int, int], None]
"""Told of the stage, and how many of how many documents or examples are done."""


class _Entry(NamedTuple):
    """A draft with its document: the ordinal in the order of the visit, id and length in characters."""

    draft: Draft
    ordinal: int
    document_id: str
    characters: int

    @property
    def source(self) -> tuple[str, str, str]:
        """What counts for ``PER_SOURCE``."""
        return self.document_id, self.draft.source, self.draft.form


class _Pool:
    """Drafts that were not chosen so far, best first: documents and forms that gave little come before others.

    wanted: examples that are to come of it.
    """

    def __init__(self, options: SetPlan, wanted: int) -> None:
        self.wanted = wanted
        self._options = options
        self._share = max(1, round(_FORM_SHARE * wanted))
        self._waiting: list[tuple[tuple[float, ...], int, _Entry]] = []
        self._used: Counter[object] = Counter()
        self._seen: set[str] = set()
        self._numbers = count()
        self._looked_at = 0

    def add(self, entry: _Entry) -> None:
        """Let a draft wait."""
        self._seen.add(entry.document_id)
        heapq.heappush(self._waiting, (self._rank(entry), next(self._numbers), entry))

    @property
    def is_rich(self) -> bool:
        """Whether there is choice enough, and from enough documents."""
        return len(self._waiting) >= _ENOUGH * self.wanted and len(self._seen) >= self.wanted

    @property
    def is_full(self) -> bool:
        """Whether drafts of further documents would only take up memory."""
        return self.is_rich and len(self._waiting) >= _MOST_WAITING * self.wanted

    def taken(self, most: int) -> list[_Entry]:
        """Take out the so many best that may still be taken."""
        found: list[_Entry] = []
        while self._waiting and len(found) < most and self._looked_at < _LOOKED_AT * (self.wanted + 1):
            rank, number, entry = heapq.heappop(self._waiting)
            now = self._rank(entry)
            if now > rank:  # ranks only get worse, so an outdated one is put back
                heapq.heappush(self._waiting, (now, number, entry))
            elif self._used[entry.source] < PER_SOURCE:
                self.count(entry)
                self._looked_at += 1
                found.append(entry)
        return found

    def count(self, entry: _Entry, by: int = 1) -> None:
        """Count a draft that was chosen, or with ``by=-1`` one that gave its place back."""
        for what in (("document", entry.document_id), ("form", entry.draft.form), entry.source):
            self._used[what] += by

    def _rank(self, entry: _Entry) -> tuple[float, ...]:
        used = self._used["document", entry.document_id]
        is_own = entry.draft.worth >= 1  # people worded these, each in its own way
        return (
            used // self._options.allowance(entry.characters),
            0 if is_own else self._used["form", entry.draft.form] // self._share,
            used,
            -entry.draft.worth,
        )


def draft_set(
    store: DocumentStore,
    strata: Sequence[tuple[str, int]],
    gates: SearchGates | None,
    collection: Collection,
    options: SetPlan,
    encoder: Encoder | None,
    model: str,
    left_out: Callable[[Document], str] = lambda document: "",
    progress: Progress = lambda stage, done, total: None,
) -> SynthesisResult:
    """Make the set that ``options`` asks for, or as much of it as rules find in the documents.

    strata: (folder, characters) of every document in the order of the store, for an even spread.
    gates: None where questions are asked of one document, which is not searched for. encoder: tells questions that ask
    the same in other words. model: what provenance calls it. left_out: why a document may not be asked
    about; empty where it may.
    """
    making = _Making(store, strata, gates, collection, options, encoder, left_out, progress)
    while making.read():
        making.fill()
    return making.result(model)


class _Making:
    """One set on its way."""

    def __init__(
        self,
        store: DocumentStore,
        strata: Sequence[tuple[str, int]],
        gates: SearchGates | None,
        collection: Collection,
        options: SetPlan,
        encoder: Encoder | None,
        left_out: Callable[[Document], str],
        progress: Progress,
    ) -> None:
        self._store, self._gates, self._collection = store, gates, collection
        self._options, self._left_out, self._progress = options, left_out, progress
        self._requested = counts_of(options.n, options.mix)
        self._pools = {name: _Pool(options, wanted) for name, wanted in self._requested.items() if wanted}
        self._repeats = Repeats(encoder)
        self._order = spread_order([(folder, length_class(size)) for folder, size in strata], options.seed)
        self._accepted: dict[Candidate, tuple[_Pool, _Entry]] = {}
        self._asked: dict[frozenset[str], Candidate] = {}
        self._others: Counter[str] = Counter()  # languages that rules do not read
        self._dropped: dict[str, Counter[str]] = defaultdict(Counter)
        self._visited = self._drafted = 0

    def read(self) -> bool:
        """Draft from further documents, spread over the collection, until there is choice enough of what is missing.

        False once nothing is missing, or no document is left that may be read.
        """
        first = self._visited
        for ordinal in self._order[first:]:
            is_over = self._drafted >= _DOCUMENTS * (self._options.n + 10)
            if is_over or all(pool.is_rich or self._have(name) >= pool.wanted for name, pool in self._pools.items()):
                break
            document = self._document(ordinal)
            self._visited += 1
            if reason := self._passed_over(document):
                self._dropped[BEFORE_LABELS][reason] += 1
            else:
                self._drafted += 1
                self._draft(document, ordinal)
            self._progress("looking for questions", self._visited, len(self._order))
        return self._visited > first

    def _passed_over(self, document: Document) -> str:
        """Why a document is not asked about; empty where it is."""
        if document.language not in LANGUAGES:
            self._others[document.language] += 1
            return f"document in {language_name(document.language) or document.language}, not English"
        if reason := self._left_out(document):
            return reason
        if is_licence(document.text):
            return "licence"
        is_too_long = self._options.whole_documents and len(document.text) > self._options.max_context_chars
        return self._options.too_long if is_too_long else ""

    def _document(self, ordinal: int) -> Document:
        document = self._store[ordinal]
        return replace(document, language=self._collection.language_of(document))

    def _draft(self, document: Document, ordinal: int) -> None:
        pools = {name: pool for name, pool in self._pools.items() if not pool.is_full}
        for draft in drafts_of(page_of(document, self._collection)):
            if pool := pools.get(self._options.counts_under(draft.label)):
                pool.add(_Entry(draft, ordinal, document.id, len(document.text)))

    def _have(self, name: str) -> int:
        return sum(self._options.counts_under(candidate.label) == name for candidate in self._accepted)

    def fill(self) -> None:
        """Choose what is missing, check it, and do so again with the next best until nothing is missing or left."""
        while True:
            chosen = []
            for name, pool in self._pools.items():
                chosen += [(pool, entry) for entry in pool.taken(self._requested[name] - self._have(name))]
            if not chosen:
                return
            for start in range(0, len(chosen), _AT_ONCE):
                self._check(chosen[start : start + _AT_ONCE])
                self._progress("checking questions", len(self._accepted), self._options.n)

    def _check(self, chosen: Sequence[tuple[_Pool, _Entry]]) -> None:
        candidates = [self._candidate(entry) for _, entry in chosen]
        reasons = self._refused(candidates)
        for place, candidate in enumerate(candidates):
            if reasons[place] in {IN_THE_SAME_WORDS, IN_OTHER_WORDS} and self._rival(candidate):
                reasons[place] = None  # no mere repeat: it has to be read
        left = [place for place, reason in enumerate(reasons) if reason is None]
        items = [self._checked(chosen[place][1], candidates[place]) for place in left]
        for place, reason in zip(left, faults(items, roles.verifier()), strict=True):
            reasons[place] = reason
        for (pool, entry), candidate, fault in zip(chosen, candidates, reasons, strict=True):
            rival = None if fault else self._rival(candidate)
            if rival is not None:
                self._give_back(*self._accepted.pop(rival), CONTRADICTS)
            reason = fault or (CONTRADICTS if rival is not None else self._over_limit(candidate))
            reason = reason or self._repeats.kept([candidate])[0]
            if reason is None:
                self._accepted[candidate] = (pool, entry)
                self._asked[telling(candidate.question)] = candidate
            else:
                self._give_back(pool, entry, reason)

    def _give_back(self, pool: _Pool, entry: _Entry, reason: str) -> None:
        pool.count(entry, -1)
        self._dropped[self._options.counts_under(entry.draft.label)][reason] += 1

    def _rival(self, candidate: Candidate) -> Candidate | None:
        """The accepted one that asks the same in the same words and has another answer."""
        other = self._asked.get(telling(candidate.question))
        if other is None or other not in self._accepted or not (other.answer and candidate.answer):
            return None
        return None if holds(telling(other.answer), telling(candidate.answer)) else other

    def _refused(self, candidates: list[Candidate]) -> list[str | None]:
        """Why a search or an earlier question rules each out, or None; notes how hard each is to find."""
        reasons = [
            repeated or self._over_limit(candidate)
            for candidate, repeated in zip(candidates, self._repeats.faults(candidates), strict=True)
        ]
        if self._gates is not None:
            for place, searched in enumerate(self._gates.searched(candidates)):
                candidates[place] = replace(candidates[place], difficulty=searched.difficulty)
                reasons[place] = reasons[place] or searched.fault
        return reasons

    def _over_limit(self, candidate: Candidate) -> str | None:
        home = candidate.context.document_id
        has_room = self._options.has_room(sum(each.context.document_id == home for each in self._accepted))
        return None if has_room else "its document has given as many as it may"

    def _checked(self, entry: _Entry, candidate: Candidate) -> Checked:
        document, nearest = self._store[entry.ordinal], []
        if entry.draft.label == "unanswerable" and self._gates is not None:
            nearest = self._gates.nearest([candidate.question])[0]
        return Checked(entry.draft, document.title, document.text, candidate.context.text, nearest)

    def _candidate(self, entry: _Entry) -> Candidate:
        draft, document = entry.draft, self._document(entry.ordinal)
        references = tuple(document.span(start, end) for start, end in draft.spans)
        statement = draft.claim or " ".join(" ".join(span.text.split()) for span in references)
        keypoints = draft.keypoints
        if draft.answer and not keypoints:
            stated = AnswerStatement(question=draft.question, answer=draft.answer, statements=(statement,))
            keypoints = keypoints_of(stated)
        return Candidate(
            ordinal=entry.ordinal,
            label=draft.label,  # a rule's own, which no labeller gives again
            question=draft.question,
            answer=draft.answer,
            pattern=draft.form,
            statement=statement,
            keypoints=keypoints,
            context=_context(document, draft.spans, self._options),
            references=references,
            language=document.language,
            unanswerable_in=None if draft.answer else "document" if self._gates is None else "corpus",
            synthesizer=RULES,
        )

    def result(self, model: str) -> SynthesisResult:
        """The set in the order of documents, with an account of what is missing."""
        picked = sorted(self._accepted, key=lambda each: (each.ordinal, each.context.start))
        have = Counter(self._options.counts_under(each.label) for each in picked)
        shortages = tuple(
            Shortage.of(name, asked, have[name], have[name], self._dropped.get(name, Counter()), self._reason())
            for name, asked in self._requested.items()
            if have[name] < asked
        )
        return SynthesisResult(
            examples=tuple(each.as_example(model) for each in picked),
            requested=self._requested,
            shortages=shortages,
            matrix={},
            dropped={name: dict(reasons) for name, reasons in self._dropped.items()},
            visited=self._visited,
            passed=len(picked),
        )

    def _reason(self) -> str:
        if self._others.total() == self._visited > 0:
            return no_questions_in(self._others.most_common(1)[0][0])
        of_all = f" ({self._visited:,} of {len(self._order):,} were read)" if self._visited < len(self._order) else ""
        n = self._others.total()
        left_out = f" ({n} {'is' if n == 1 else 'are'} not in English)" if n else ""
        return f"these documents{of_all}{left_out} give no more that can be asked without a language model"


_AT_ONCE = 32
"""Drafts that are checked together, between two moves of the bar."""


def _context(document: Document, spans: Sequence[tuple[int, int]], options: SetPlan) -> Span:
    """The passage that holds what a draft rests on; the document, or its beginning, where it rests on nothing."""
    if options.whole_documents or (not spans and len(document.text) <= options.max_context_chars):
        return document.span(0, len(document.text))
    if not spans:
        return document.span(0, options.context_chars)
    start, end = min(span[0] for span in spans), max(span[1] for span in spans)
    for passage in sorted_out(document, options.context_chars).kept:
        if passage.start <= start and end <= passage.end:
            return document.span(passage.start, passage.end)
    return document.span(start, end)
