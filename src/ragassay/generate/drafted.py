"""A set by a strong model: texts drafted in one call each, checked and mended in another, what lacks once more.

Two serial rounds for a set that is full after the first, four at most; with a collection nobody described one before.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ragassay.documents.store import DocumentStore, length_class, spread_order
from ragassay.generate.balance import chosen, counted_as
from ragassay.generate.candidates import DRAFTS, Candidate
from ragassay.generate.collection import Collection
from ragassay.generate.conflicts import conflicting
from ragassay.generate.contexts import NOT_VERBATIM
from ragassay.generate.gates import SearchGates
from ragassay.generate.options import SetPlan, counts_of
from ragassay.generate.repeats import Repeats
from ragassay.generate.reviewed import language_fault, reviewed
from ragassay.generate.shortfall import Visits, shortages, spare
from ragassay.generate.synthesizer import (
    BEFORE_LABELS,
    Drafting,
    Finding,
    Progress,
    Refused,
    SynthesisResult,
    touching,
)
from ragassay.generate.units import STYLES, Unit, Units, joint_units, shared_out, those_in
from ragassay.models.base import Encoder, Model
from ragassay.records import LABELS, Document, Span
from ragassay.tasks.base import one_line
from ragassay.tasks.drafting import (
    BRIEF,
    DRAFT_PAIRS,
    REVIEWS,
    Brief,
    DraftedPair,
    DraftRequest,
    ProposedPair,
    ReviewRequest,
    Style,
    Surroundings,
    TitlesSeen,
)
from ragassay.text import words

_OVERSUPPLY = 1.12
_UNANSWERABLE_OVERSUPPLY = 1.4
"""Of open questions about a quarter turn out to be answered (22 became 16 in a trial)."""
_JOINT_SHARE = 0.1
"""Of reasoning, from two sections that are needed both."""
_TITLES_SEEN, _FIRST_LINE = 60, 120
_ELSEWHERE = 3
_REASON_CHARS, _STEM = 120, 5


@dataclass(frozen=True, kw_only=True)
class DraftPlan:
    """What the user says of the collection and of the askers; styles with their shares; language of the questions.

    findable: only take pairs whose document a search by words finds among its first chunks.
    """

    about: str = ""
    askers: tuple[str, ...] = ()
    styles: Mapping[Style, float] = field(default_factory=lambda: dict(STYLES))
    language: str = ""
    findable: bool = False


AS_USUAL = DraftPlan()


async def draft_set_by_model(
    store: DocumentStore,
    strata: Sequence[tuple[str, int]],
    collection: Collection,
    gates: SearchGates,
    writer: Model,
    judge: Model,
    encoder: Encoder,
    plan: SetPlan,
    drafting: DraftPlan,
    progress: Progress = lambda done, total: None,
    stopped: Callable[[], bool] = lambda: False,
    left_out: Callable[[Document], str] = lambda document: "",
) -> SynthesisResult:
    """Make the set that the plan asks for, or as much of it as the documents give.

    left_out: why a document is not asked about, or empty.
    """
    quotas = counts_of(plan.n, plan.mix)
    order = spread_order([(folder, length_class(characters)) for folder, characters in strata], plan.seed)
    work = _Work(store, collection, gates, writer, judge, encoder, plan, drafting)
    units = Units(store, strata, order, collection, plan, left_out)
    await work.describe(order)
    wanted = {
        label: round(count * (_UNANSWERABLE_OVERSUPPLY if label == "unanswerable" else _OVERSUPPLY) + 0.499)
        for label, count in quotas.items()
        if count
    }
    joint = round(_JOINT_SHARE * quotas.get("reasoning", 0))
    taken = units.take(sum(wanted.values()) - joint)
    joined = joint_units(taken, joint, encoder, plan.seed)
    if joined:
        wanted["reasoning"] -= len(joined)
    rounds = 1
    await work.round([*shared_out(taken, wanted, drafting.styles, plan.seed), *joined])
    await work.settle_conflicts()
    progress(len(work.accepted), plan.n)
    missing = work.lacking(quotas)
    if missing and not stopped():
        rounds = 2
        more = {label: round(count * 1.3 + 0.5) for label, count in missing.items()}
        new = units.take(sum(more.values()))
        further = new or sorted(taken, key=work.used)[: sum(more.values())]
        taken += new
        if sum(unit.capacity for unit in further) < len(more):  # labels without any come first
            more = {label: count for label, count in more.items() if missing[label] == quotas[label]} or more
        await work.round(shared_out(further, more, drafting.styles, plan.seed + 1))
        await work.settle_conflicts()
        progress(len(work.accepted), plan.n)
    lengths = {document_id: characters for document_id, (_, characters) in zip(store.ids, strata, strict=True)}
    picked = chosen(work.accepted, quotas, lengths, plan)
    dropped = {**work.dropped, BEFORE_LABELS: Counter(units.dropped + work.lost)}
    visits = Visits(
        visited=len(units.visited),
        documents=len(store),
        rounds=rounds,
        stopped=stopped(),
        good_for=sum(unit.capacity for unit in taken),
    )
    lost_before = dropped[BEFORE_LABELS] + work.fewer
    shares = [share for each in picked if (share := shared_share(each)) is not None]
    return SynthesisResult(
        examples=tuple(each.as_example(writer.name) for each in picked),
        requested=quotas,
        shortages=shortages(picked, work.accepted, quotas, work.dropped, lost_before, visits, plan),
        matrix={label: dict(+row) for label, row in work.matrix.items()},
        dropped={label: dict(row) for label, row in dropped.items() if row},
        visited=len(units.visited),
        rounds=rounds,
        spare=spare(picked, work.accepted, quotas, plan),
        drafting=Drafting(
            about=work.brief.about,
            refused=tuple(work.refused),
            findings=tuple(work.findings),
            shared_words=sum(shares) / len(shares) if shares else None,
        ),
    )


def shared_share(candidate: Candidate) -> float | None:
    """Share of a question's content words that stand in its references, by their stems; None without either."""
    asked = {word.lower()[:_STEM] for word in words(candidate.question) if len(word) > 3}
    held = {word.lower()[:_STEM] for span in candidate.references for word in words(span.text)}
    return len(asked & held) / len(asked) if asked and held else None


class _Work:
    """What the rounds share. matrix, dropped: as those of ``SynthesisResult``; a pair without a review has no label.

    lost: reasons before a label. fewer: why texts gave fewer pairs than were wanted, to texts.
    """

    def __init__(
        self,
        store: DocumentStore,
        collection: Collection,
        gates: SearchGates,
        writer: Model,
        judge: Model,
        encoder: Encoder,
        plan: SetPlan,
        drafting: DraftPlan,
    ) -> None:
        self._store, self._collection, self._gates = store, collection, gates
        self._writer, self._judge, self._encoder = writer, judge, encoder
        self._plan, self._drafting = plan, drafting
        self._repeats = Repeats(encoder)
        self._titles: tuple[str, ...] = ()
        self._given: Counter[Span] = Counter()
        self.brief = Brief(about=drafting.about, askers=drafting.askers)
        self.accepted: list[Candidate] = []
        self.refused: list[Refused] = []
        self.findings: list[Finding] = []
        self.matrix: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.dropped: dict[str, Counter[str]] = {}
        self.lost: Counter[str] = Counter()
        self._settled = set[str]()
        self._at_odds: list[Span] = []
        self.fewer: Counter[str] = Counter()

    async def describe(self, order: Sequence[int]) -> None:
        """Have the collection described by its titles and first lines, unless the user did."""
        seen = [self._store[ordinal] for ordinal in order[:_TITLES_SEEN]]
        self._titles = tuple(dict.fromkeys(each.title for each in seen if each.title))
        if self._drafting.about or not seen:
            return
        lines = tuple(f"{each.title}: {one_line(each.text.removeprefix(each.title))[:_FIRST_LINE]}" for each in seen)
        (reply,) = await self._writer.ask_all(BRIEF, [TitlesSeen(documents=lines)])
        if reply.value is None:
            self.lost[f"no description of the collection: {reply.reason}"] += 1
            return
        self.brief = reply.value.model_copy(update={"askers": self._drafting.askers or reply.value.askers})

    def used(self, unit: Unit) -> float:
        """How much of what a unit is good for was taken."""
        return sum(self._given[each.span] for each in unit.contexts) / unit.capacity

    def lacking(self, quotas: Mapping[str, int]) -> dict[str, int]:
        have = Counter(counted_as(each, self._plan) for each in self.accepted)
        return {label: count - have[label] for label, count in quotas.items() if have[label] < count}

    async def round(self, units: Sequence[Unit]) -> None:
        """Draft and review; what is right and new joins the accepted ones."""
        replies = await self._writer.ask_all(DRAFT_PAIRS, [self._request(unit) for unit in units])
        drafted: list[list[Candidate]] = []
        for unit, reply in zip(units, replies, strict=True):
            if reply.value is None:
                self.lost[f"no drafts: {reply.reason}"] += 1
            pairs = reply.value.pairs if reply.value else ()
            if reply.value and reply.value.fewer and len(pairs) < sum(unit.wanted.values()):
                self.fewer[f"fewer pairs than wanted: {reply.value.fewer[:_REASON_CHARS]}"] += 1
            drafted.append([each for pair in pairs if (each := self._candidate(unit, pair)) is not None])
            self._given.update(each.context for each in drafted[-1])
            for finding in reply.value.findings if reply.value else ():
                places = tuple(span for context in unit.contexts for span in those_in(context, finding.quotes))
                is_new = self._note(Finding(kind=finding.kind, note=finding.note, places=places))
                self._at_odds += places if is_new and finding.kind == "contradiction" else ()
        flat = [each for of_unit in drafted for each in of_unit]
        faults = dict(zip(map(id, flat), self._repeats.faults(flat), strict=True))
        kept = [[each for each in of_unit if self._passes(each, faults[id(each)])] for of_unit in drafted]
        asked = [(unit, of_unit) for unit, of_unit in zip(units, kept, strict=True) if of_unit]
        requests = self._reviews(asked)
        judged = await self._judge.ask_all(REVIEWS, requests)
        for (unit, of_unit), judgement in zip(asked, judged, strict=True):
            if judgement.unheard:
                for candidate in of_unit:
                    self._drop(candidate.label or "", f"not judged: {judgement.reason}")
                continue
            reviews = judgement.value.items if judgement.value else (None,) * len(of_unit)
            found = []
            for candidate, review in zip(of_unit, reviews, strict=True):
                if review is None:
                    self._refuse(candidate, f"no review: {judgement.reason or 'the reply passes over it'}")
                    continue
                self.matrix[candidate.label or ""].subtract([""])
                self.matrix[candidate.label or ""][review.label] += 1
                mended = reviewed(unit, candidate, review)
                if isinstance(mended, str):
                    self._refuse(candidate, mended)
                else:
                    found.append(mended)
            for each, fault in zip(found, self._repeats.kept(found), strict=True):
                if fault:
                    self._refuse(each, fault)
                else:
                    self.accepted.append(each)
        self._measure_difficulty()

    def _measure_difficulty(self) -> None:
        searched = self._gates.searched(self.accepted)
        rated = [replace(each, difficulty=of.difficulty) for each, of in zip(self.accepted, searched, strict=True)]
        self.accepted = [each for each in rated if not self._drafting.findable or each.difficulty != "hard"]
        for each in rated:
            if self._drafting.findable and each.difficulty == "hard":
                self._refuse(each, "a search by words does not find its document (--findable)")

    def _surroundings(self, unit: Unit) -> Surroundings:
        own = {each.document.title for each in unit.contexts}
        titles = tuple(title for title in self._titles if title not in own)
        return Surroundings(about=self.brief.about, titles=titles, askers=self.brief.askers)

    def _request(self, unit: Unit) -> DraftRequest:
        ids = {each.document.id for each in unit.contexts}
        own = unit.contexts[0].document.language
        return DraftRequest(
            collection=self._surroundings(unit),
            passages=tuple(each.passage for each in unit.contexts),
            around=unit.around,
            wanted=tuple((label, unit.wanted[label]) for label in LABELS if unit.wanted.get(label)),
            styles=tuple(unit.styles.items()),
            asked=tuple(each.question for each in self.accepted if each.context.document_id in ids),
            language=self._drafting.language or (own if own not in ("en", "und") else ""),
            is_joint=unit.is_joint,
        )

    def _candidate(self, unit: Unit, pair: DraftedPair) -> Candidate | None:
        """The pair at its place; None, and counted, where it is not whole or a quote stands in no text of the unit."""
        self.matrix[pair.label][""] += 1
        is_open = pair.label == "unanswerable"
        place = unit.located(pair.quotes)
        if place is None or not pair.question or not (pair.answer or is_open):
            self._drop(pair.label, "no question or no answer" if place else NOT_VERBATIM)
            return None
        home, spans = place
        return Candidate(
            ordinal=home.ordinal,
            label=pair.label,
            question=pair.question,
            answer=pair.answer,
            statement=pair.statement,
            keypoints=pair.keypoints,
            context=home.span,
            references=() if is_open else spans,
            language=self._drafting.language or home.document.language,
            synthesizer=DRAFTS,
            pattern=pair.style,
            unanswerable_in="corpus" if is_open else None,
        )

    def _note(self, finding: Finding) -> bool:
        """Keep a finding that is new and has its places, of which a contradiction needs two."""
        is_known = any(map(finding.repeats, self.findings))
        if not is_known and len(set(finding.places)) >= (2 if finding.kind == "contradiction" else 1):
            self.findings.append(finding)
            return True
        return False

    def _passes(self, candidate: Candidate, fault: str | None) -> bool:
        fault = fault or language_fault(candidate)
        if fault:
            self._refuse(candidate, fault)
        return not fault

    def _reviews(self, asked: Sequence[tuple[Unit, Sequence[Candidate]]]) -> list[ReviewRequest]:
        """What the judge gets, with the passages of the corpus that come nearest to questions said to be open."""
        shown = [(place, each) for place, (_, of_unit) in enumerate(asked) for each in of_unit if not each.answer]
        nearest = self._gates.nearest_passages(
            [candidate.question for _, candidate in shown],
            _ELSEWHERE,
            self._encoder,
            [tuple(each.span for each in asked[place][0].contexts) for place, _ in shown],
        )
        elsewhere: defaultdict[int, dict[str, None]] = defaultdict(dict)
        for (place, _), passages in zip(shown, nearest, strict=True):
            elsewhere[place].update(dict.fromkeys(each.head + each.span.text for each in passages))
        return [
            ReviewRequest(
                collection=Surroundings(about=self.brief.about),
                passages=tuple(each.passage for each in unit.contexts),
                around=unit.around,
                pairs=tuple(
                    ProposedPair(question=each.question, answer=each.answer, keypoints=each.keypoints)
                    for each in of_unit
                ),
                elsewhere=tuple(elsewhere[place]),
                is_joint=unit.is_joint,
            )
            for place, (unit, of_unit) in enumerate(asked)
        ]

    def _refuse(self, candidate: Candidate, reason: str) -> None:
        self._drop(candidate.label or "unanswerable", reason)
        self.refused.append(
            Refused(
                label=candidate.label or "unanswerable",
                question=candidate.question,
                answer=candidate.answer,
                reason=reason,
                document_id=candidate.context.document_id,
            )
        )

    def _drop(self, label: str, reason: str) -> None:
        self.dropped.setdefault(label, Counter())[reason] += 1

    async def settle_conflicts(self) -> None:
        """Drop pairs that rest on a passage which another one contradicts: nobody can say which of the two is right."""
        new = [each for each in self.accepted if each.question not in self._settled]
        self._settled |= {each.question for each in new}
        found, unheard = await conflicting(new, self._judge, self._gates, self._encoder)
        self.lost += unheard
        for _, finding in found:
            self._note(finding)
            self._at_odds.append(finding.places[-1])
        contradicted = [pair for pair, _ in found]
        for pair in (*self.accepted,):
            if pair in contradicted or touching(pair.references, self._at_odds):
                self.accepted.remove(pair)
                self._refuse(pair, "another passage contradicts it, see the findings")
