"""A set from documents without a language model: read, drafted, chosen, checked, delivered, in this order.

Only what was chosen is read by a model; what fails gives its place to the next best.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from ragassay.documents.passages import is_licence, sorted_out
from ragassay.documents.store import DocumentStore, length_class, spread_order
from ragassay.generate.candidates import RULES, Candidate
from ragassay.generate.collection import Collection
from ragassay.generate.gates import SearchGates
from ragassay.generate.options import SetPlan, counts_of
from ragassay.generate.repeats import IN_OTHER_WORDS, IN_THE_SAME_WORDS, Repeats, holds, telling
from ragassay.generate.shortfall import Shortage
from ragassay.generate.synthesizer import BEFORE_LABELS, SynthesisResult
from ragassay.keyless.drafting import LANGUAGES, Checked, drafts_of, faults
from ragassay.keyless.naming import page_of
from ragassay.keyless.page import Draft
from ragassay.models.base import Encoder
from ragassay.models.embedded.judging.keypoints import keypoints_of
from ragassay.models.embedded.reading.question_types import expected_types
from ragassay.models.small import roles
from ragassay.records import Document, Span
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
OF_A_TABLE, OF_A_LONE_TABLE = 3, 10
"""Cells of one table that are asked for, each of another row; of one that is all of its document more. Of its other
drafts, which compare rows, one of a label is taken."""
_FORM_SHARE = 0.2
"""Largest share of a label that one form may have, while others can fill it."""
NO_DRAFT, NOT_NEEDED = "no rule found a question in it", "others came before its drafts"
CONTRADICTS = "another passage answers the same question otherwise"
ENOUGH_OF_TABLE = "its table gave as many as it may"
Progress = Callable[[str, int, int], None]
"""Told of the stage, and how many of how many documents or examples are done."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A draft with its document: the ordinal in the order of the visit, id and length in characters.

    of_table: drafts that its table may give, cells or others.
    """

    draft: Draft
    ordinal: int
    document_id: str
    characters: int
    of_table: int

    @property
    def source(self) -> tuple[str, str, str]:
        return self.document_id, self.draft.source, self.draft.form

    @property
    def table(self) -> tuple[str, str, int]:
        """The table that it was read off, and how many such drafts that may give; empty for others."""
        word, _, rest = self.draft.source.partition(" ")
        return (self.document_id, rest.split()[0], self.of_table) if word == "table" else ("", "", 0)


@dataclass(slots=True)
class _Pool:
    """Drafts that were not chosen so far, best first: documents and forms that gave little come before others."""

    options: SetPlan
    wanted: int
    waiting: list[tuple[tuple[float, ...], int, _Entry]] = field(default_factory=list)
    documents: Counter[str] = field(default_factory=Counter)
    forms: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    sources: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    tables: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    parked: dict[tuple[str, str, int], list[_Entry]] = field(default_factory=lambda: defaultdict(list))
    seen: set[str] = field(default_factory=set)
    numbers: Iterator[int] = field(default_factory=count)
    looked_at: int = 0

    def add(self, entry: _Entry) -> None:
        self.seen.add(entry.document_id)
        heapq.heappush(self.waiting, (self._rank(entry), next(self.numbers), entry))

    @property
    def is_rich(self) -> bool:
        """Whether there is choice enough, and from enough documents."""
        return len(self.waiting) >= _ENOUGH * self.wanted and len(self.seen) >= self.wanted

    def taken(self, most: int) -> list[_Entry]:
        """Take out the so many best that may still be taken."""
        found: list[_Entry] = []
        while self.waiting and len(found) < most and self.looked_at < _LOOKED_AT * (self.wanted + 1):
            rank, number, entry = heapq.heappop(self.waiting)
            now = self._rank(entry)
            if now > rank:  # ranks only get worse, so an outdated one is put back
                heapq.heappush(self.waiting, (now, number, entry))
            elif entry.table[0] and (self.sources[entry.source] or self.tables[entry.table] >= entry.of_table):
                self.parked[entry.table].append(entry)
            elif self.sources[entry.source] < PER_SOURCE:
                self.count(entry)
                self.looked_at += 1
                found.append(entry)
        return found

    def count(self, entry: _Entry, by: int = 1) -> None:
        """Count a draft that was chosen, or with ``by=-1`` one that gave its place back."""
        self.documents[entry.document_id] += by
        self.forms[entry.draft.form] += by
        self.kinds[expected_types(entry.draft.question)[0]] += by
        self.sources[entry.source] += by
        self.tables[entry.table] += by
        for parked in self.parked.pop(entry.table, ()) if by < 0 else ():
            self.add(parked)

    def _rank(self, entry: _Entry) -> tuple[float, ...]:
        used = self.documents[entry.document_id]
        share = max(1, round(_FORM_SHARE * self.wanted))
        is_own = entry.draft.worth >= 1  # people worded these, each in its own way
        return (
            used // self.options.allowance(entry.characters),
            self.options.has_enough(entry.draft.question, self.kinds, self.wanted),
            0 if is_own else self.forms[entry.draft.form] // share,
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

    strata: (folder, characters) of every document in the order of the store. gates: None where questions are asked of
    one document. encoder: tells questions that ask the same. left_out: why a document may not be asked about.
    """
    making = _Making(store, strata, gates, collection, options, encoder, left_out, progress)
    while making.read():
        making.fill()
    return making.result(model)


@dataclass
class _Making:
    """others: language that rules do not read to number of documents. dropped: label to reason to number of drafts.

    unused: id of a document to why it gives nothing, or the last of its drafts was refused.
    """

    store: DocumentStore
    strata: Sequence[tuple[str, int]]
    gates: SearchGates | None
    collection: Collection
    options: SetPlan
    encoder: Encoder | None
    left_out: Callable[[Document], str]
    progress: Progress
    accepted: dict[Candidate, tuple[_Pool, _Entry]] = field(default_factory=dict)
    asked: dict[frozenset[str], Candidate] = field(default_factory=dict)
    others: Counter[str] = field(default_factory=Counter)
    dropped: dict[str, Counter[str]] = field(default_factory=dict)
    unused: dict[str, str] = field(default_factory=dict)
    visited: int = 0
    drafted: int = 0

    def __post_init__(self) -> None:
        self.requested = counts_of(self.options.n, self.options.mix)
        self.pools = {name: _Pool(self.options, wanted) for name, wanted in self.requested.items() if wanted}
        self.repeats = Repeats(self.encoder)
        strata = [(folder, length_class(characters)) for folder, characters in self.strata]
        self.order = spread_order(strata, self.options.seed)

    def read(self) -> bool:
        """Draft from further documents until there is choice enough; False where nothing is left to do."""
        first = self.visited
        for ordinal in self.order[first:]:
            is_over = self.drafted >= _DOCUMENTS * (self.options.n + 10)
            if is_over or all(pool.is_rich or self._have(name) >= pool.wanted for name, pool in self.pools.items()):
                break
            document = self._document(ordinal)
            self.visited += 1
            reason = self._passed_over(document)
            if reason:
                self.dropped.setdefault(BEFORE_LABELS, Counter())[reason] += 1
                self.unused[document.id] = reason
            else:
                self.drafted += 1
                self._draft(document, ordinal)
            self.progress("looking for questions", self.visited, len(self.order))
        return self.visited > first

    def _passed_over(self, document: Document) -> str:
        """Why a document is not asked about; empty where it is."""
        if document.language not in LANGUAGES:
            self.others[document.language] += 1
            return f"document in {language_name(document.language) or document.language}, not English"
        if reason := self.left_out(document):
            return reason
        if is_licence(document.text):
            return "licence"
        is_too_long = self.options.whole_documents and len(document.text) > self.options.max_context_chars
        return self.options.too_long if is_too_long else ""

    def _document(self, ordinal: int) -> Document:
        document = self.store[ordinal]
        return replace(document, language=self.collection.language_of(document))

    def _draft(self, document: Document, ordinal: int) -> None:
        # to the others drafts of further documents would only take up memory
        pools = {
            name: pool
            for name, pool in self.pools.items()
            if not (pool.is_rich and len(pool.waiting) >= _MOST_WAITING * pool.wanted)
        }
        self.unused[document.id] = NO_DRAFT
        page = page_of(document, self.collection)
        for draft in drafts_of(page):
            if self.options.counts_under(draft.label) in self.pools:
                self.unused[document.id] = NOT_NEEDED
            pool = pools.get(self.options.counts_under(draft.label))
            if pool is not None:
                of_table = 1 if draft.form != "table_cell" else OF_A_LONE_TABLE if page.is_table else OF_A_TABLE
                pool.add(_Entry(draft, ordinal, document.id, len(document.text), of_table))

    def _have(self, name: str) -> int:
        return sum(self.options.counts_under(each.label) == name for each in self.accepted)

    def fill(self) -> None:
        """Choose what is missing, check it, and do so again with the next best until nothing is missing or left."""
        while True:
            chosen = []
            for name, pool in self.pools.items():
                chosen += [(pool, entry) for entry in pool.taken(self.requested[name] - self._have(name))]
            if not chosen:
                return
            for start in range(0, len(chosen), _AT_ONCE):
                self._check(chosen[start : start + _AT_ONCE])
                self.progress("checking questions", len(self.accepted), self.options.n)

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
                self._give_back(*self.accepted.pop(rival), CONTRADICTS)
            reason = fault or (CONTRADICTS if rival is not None else self._over_limit(candidate))
            reason = reason or self.repeats.kept([candidate])[0]
            if reason is None:
                self.accepted[candidate] = (pool, entry)
                self.asked[telling(candidate.question)] = candidate
            else:
                self._give_back(pool, entry, reason)

    def _give_back(self, pool: _Pool, entry: _Entry, reason: str) -> None:
        pool.count(entry, -1)
        self.unused[entry.document_id] = f"its last draft was dropped: {reason.replace('_', ' ')}"
        self.dropped.setdefault(self.options.counts_under(entry.draft.label), Counter())[reason] += 1

    def _rival(self, candidate: Candidate) -> Candidate | None:
        """The accepted one that asks the same in the same words and has another answer."""
        other = self.asked.get(telling(candidate.question))
        if other is None or other not in self.accepted or not (other.answer and candidate.answer):
            return None
        return None if holds(telling(other.answer), telling(candidate.answer)) else other

    def _refused(self, candidates: list[Candidate]) -> list[str | None]:
        """Why a search or an earlier question rules each out, or None; notes how hard each is to find."""
        reasons = [
            repeated or self._over_limit(candidate)
            for candidate, repeated in zip(candidates, self.repeats.faults(candidates), strict=True)
        ]
        if self.gates is not None:
            for place, searched in enumerate(self.gates.searched(candidates)):
                candidates[place] = replace(candidates[place], difficulty=searched.difficulty)
                reasons[place] = reasons[place] or searched.fault
        return reasons

    def _over_limit(self, candidate: Candidate) -> str | None:
        home = candidate.context.document_id
        has_room = self.options.has_room(sum(each.context.document_id == home for each in self.accepted))
        return None if has_room else "its document has given as many as it may"

    def _checked(self, entry: _Entry, candidate: Candidate) -> Checked:
        document, nearest = self.store[entry.ordinal], []
        if entry.draft.label == "unanswerable" and self.gates is not None:
            nearest = self.gates.nearest([candidate.question])[0]
        return Checked(entry.draft, document.title, document.text, candidate.context.text, nearest)

    def _candidate(self, entry: _Entry) -> Candidate:
        draft, document = entry.draft, self._document(entry.ordinal)
        spans = [document.span(start, end) for start, end in draft.spans]
        statement = draft.claim or " ".join(" ".join(span.text.split()) for span in spans)
        keypoints = draft.keypoints
        if draft.answer and not keypoints:
            told = AnswerStatement(question=draft.question, answer=draft.answer, statements=(statement,))
            keypoints = keypoints_of(told)
        return Candidate(
            ordinal=entry.ordinal,
            label=draft.label,  # a rule's own, which no labeller gives again
            question=draft.question,
            answer=draft.answer,
            pattern=draft.form,
            statement=statement,
            keypoints=keypoints,
            context=_context(document, draft.spans, self.options),
            references=tuple(span for span in spans if not _is_head(document, span)),
            language=document.language,
            unanswerable_in=None if draft.answer else "document" if self.gates is None else "corpus",
            synthesizer=RULES,
        )

    def result(self, model: str) -> SynthesisResult:
        """The set in the order of documents, with an account of what is missing."""
        place = {ordinal: rank for rank, ordinal in enumerate(sorted(self.order))}
        picked = sorted(self.accepted, key=lambda each: (place[each.ordinal], each.context.start))
        have = Counter(self.options.counts_under(each.label) for each in picked)
        for name, pool in self.pools.items():
            if parked := sum(map(len, pool.parked.values())):
                self.dropped.setdefault(name, Counter())[ENOUGH_OF_TABLE] += parked
        return SynthesisResult(
            examples=tuple(each.as_example(model) for each in picked),
            requested=self.requested,
            shortages=tuple(
                self._shortage(name, asked, have[name]) for name, asked in self.requested.items() if have[name] < asked
            ),
            matrix={},
            dropped={name: dict(reasons) for name, reasons in self.dropped.items()},
            visited=self.visited,
            unused=self.unused,
        )

    def _shortage(self, name: str, asked: int, delivered: int) -> Shortage:
        lost = self.dropped.get(name, Counter())
        return Shortage(
            name=name,
            asked=asked,
            candidates=delivered + lost.total(),
            good=delivered,
            delivered=delivered,
            dropped=dict(lost.most_common()),
            reason=self._reason() + (_SPREAD if ENOUGH_OF_TABLE in lost else ""),
        )

    def _reason(self) -> str:
        if self.others.total() == self.visited > 0:
            language = self.others.most_common(1)[0][0]
            what = "the document is" if self.visited == 1 else f"the {self.visited:,} documents read are"
            scenario = ", or make documents and questions with `ragassay scenario`" if language == "zh" else ""
            return (
                f"{what} in {language_name(language) or language}; without a language model questions are "
                f"written in English only: name one with --model{scenario}"
            )
        of_all = f" ({self.visited:,} of {len(self.order):,} were read)" if self.visited < len(self.order) else ""
        n = self.others.total()
        left_out = f" ({n} {'is' if n == 1 else 'are'} not in English)" if n else ""
        return f"these documents{of_all}{left_out} yield no more questions without a language model"


_SPREAD = f"; a table gives {OF_A_TABLE} rows ({OF_A_LONE_TABLE} where it is the whole document) and one comparison"
_AT_ONCE = 32


def _is_head(document: Document, span: Span) -> bool:
    """Whether it is the heads of a table: a row is read with them, and found without them."""
    return {each.kind for each in document.blocks if span.start <= each.start < span.end} == {"header_cell"}


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
