"""Questions as people ask them: one call drafts all pairs of a text, another answers, compares and mends them.

Statements come before their questions, as in Know Your RAG's statement extraction; the rest is ours
(docs/decisions/strong-models.md).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field

from ragassay.records import Label
from ragassay.tasks.base import (
    Material,
    ReplyData,
    TaskData,
    as_name,
    as_number,
    distinct_lines,
    filled,
    in_order,
    numbered,
    one_line,
    pieces,
    task,
)
from ragassay.tasks.languages import language_name
from ragassay.tasks.quoting import NO_QUOTE, located_quotes
from ragassay.tasks.statements import COPIED, Passage

Style = Literal["plain", "first_person", "keywords", "terse", "typos"]
FindingKind = Literal["contradiction", "ambiguous", "unfinished"]
Flaw = Literal[
    "not_alone", "ambiguous", "two_questions", "no_need", "gives_away", "copied", "pedantic", "one_text_enough"
]
Comparison = Literal["same", "lacks", "extra", "wrong", "unsupported", "both_open"]
Verdict = Literal["accept", "repair", "refuse"]
_TITLES_CHARS = 700


def _known_flaws(given: Any) -> Any:
    """The flaws that there are; a word of the judge's own for one does not make its review unreadable."""
    return [each for each in map(as_name, given) if each in get_args(Flaw)] if isinstance(given, list) else given


_SOURCE = "ours, after Know Your RAG (COLING 2025), statement extraction and labels"


class Surroundings(TaskData):
    """What is known of the collection. about: who comes to it and what for. titles: of other documents."""

    about: str
    titles: tuple[str, ...] = ()
    askers: tuple[str, ...] = ()


class DraftRequest(TaskData):
    """Texts to be asked about: one document or section; several small ones; two that belong together (is_joint).

    around: what stands before and after a section. wanted: label to number of pairs. styles: style to number, as a
    preference. asked: questions that the set has already. language: of the questions; empty for that of the text.
    """

    collection: Surroundings
    passages: tuple[Passage, ...]
    around: tuple[str, str] = ("", "")
    wanted: tuple[tuple[Label, int], ...]
    styles: tuple[tuple[Style, int], ...] = ()
    asked: tuple[str, ...] = ()
    language: str = ""
    is_joint: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(each.text for each in self.passages)


class DraftedPair(ReplyData):
    """A pair as it was drafted. asker: who asks, and what for."""

    asker: str = Field(description="who asks this and what for, at most 12 words")
    label: Annotated[Label, BeforeValidator(as_name)]
    quotes: tuple[str, ...] = Field(
        description=f"the shortest passages that the answer rests on, or that raise the topic, {COPIED}"
    )
    statement: str = Field(description="what the quotes settle, in one sentence; of an unanswerable one what is open")
    style: Annotated[Style, BeforeValidator(as_name)]
    question: str
    answer: str = Field(description="empty for an unanswerable one")
    keypoints: tuple[str, ...] = Field(description="empty for an unanswerable one")


class DraftedFinding(ReplyData):
    """What somebody who keeps the documents should mend."""

    kind: Annotated[FindingKind, BeforeValidator(as_name)]
    quotes: tuple[str, ...] = Field(description=f"the passages at odds, {COPIED}")
    note: str = Field(description="what differs and who would act wrongly, in one sentence")


class Drafts(ReplyData):
    """pairs: most worth asking first. findings: faults of the texts. fewer: why there are not as many as wanted."""

    pairs: tuple[DraftedPair, ...]
    findings: tuple[DraftedFinding, ...] = Field(description="empty if there are none")
    fewer: str = Field(description="why there are fewer than wanted; empty if there are not")


class ProposedPair(TaskData):
    """A pair to be checked; the answer is empty where the collection is said to leave the question open."""

    question: str
    answer: str
    keypoints: tuple[str, ...] = ()


class ReviewRequest(TaskData):
    """elsewhere: passages of the collection, outside the texts, that come nearest to questions said to be open."""

    collection: Surroundings
    passages: tuple[Passage, ...]
    around: tuple[str, str] = ("", "")
    pairs: tuple[ProposedPair, ...]
    elsewhere: tuple[str, ...] = ()
    is_joint: bool = False


class Review(ReplyData):
    """What a judge says of one pair. own_answer: empty where the texts do not answer the question."""

    number: Annotated[int, BeforeValidator(as_number)] = Field(description="of the question")
    own_quotes: tuple[str, ...] = Field(description=f"the shortest passages that answer the question, {COPIED}")
    own_answer: str = Field(description="as these answer it; empty if they leave it open")
    label: Annotated[Label, BeforeValidator(as_name)]
    comparison: Annotated[Comparison, BeforeValidator(as_name)]
    flaws: Annotated[tuple[Flaw, ...], BeforeValidator(_known_flaws)] = Field(description="empty if there are none")
    verdict: Annotated[Verdict, BeforeValidator(as_name)]
    question: str = Field(description="the question as it should be; empty unless it is repaired")
    answer: str = Field(description="the answer as it should be; empty unless it is repaired")
    keypoints: tuple[str, ...] = Field(description="of the answer as it should be; empty unless it is repaired")
    reason: str = Field(description="why it is repaired or refused, at most 20 words; empty if accepted")


class ReviewsReply(ReplyData):
    reviews: tuple[Review, ...] = Field(description="one for each question, in their order")


class Reviews(TaskData):
    """items: by place of the pair; None for one that the reply passes over."""

    items: tuple[Review | None, ...]


class TitlesSeen(TaskData):
    """Titles and first lines of documents of a collection, "title: first line"."""

    documents: tuple[str, ...]
    language: str = "und"


class Brief(ReplyData):
    """about: what a collection is, and for whom. askers: who comes to it with which need."""

    about: str = Field(description="one or two sentences: whose documents these are, on what, for whom")
    askers: tuple[str, ...] = Field(description="three to five kinds of people and what each needs, a line each")


class ConflictRequest(TaskData):
    """Pairs of a set, each a question and its answer, and passages from elsewhere that come near to them."""

    pairs: tuple[str, ...]
    passages: tuple[str, ...]


class Conflict(ReplyData):
    pair: Annotated[int, BeforeValidator(as_number)] = Field(description="its number")
    passage: Annotated[int, BeforeValidator(as_number)] = Field(description="number of the passage at odds with it")
    quote: str = Field(description="its words that are at odds with the answer, exactly as they stand, short")
    reason: str = Field(description="one short sentence: what each says, and of what")


class Conflicts(ReplyData):
    conflicts: tuple[Conflict, ...] = Field(description="empty if there are none")


def _collection(inputs: DraftRequest | ReviewRequest) -> list[Material]:
    titles, left = [], _TITLES_CHARS
    for title in inputs.collection.titles:
        left -= len(title)
        if left < 0:
            break
        titles.append(title)
    return [Material("collection", inputs.collection.about), Material("other titles", "\n".join(titles))]


def _texts(inputs: DraftRequest | ReviewRequest) -> list[Material]:
    before, after = inputs.around
    shown = [Material("text before", before)]
    for number, passage in enumerate(inputs.passages, 1):
        is_headed = passage.text.startswith(passage.title)
        heads = " > ".join(filter(None, ("" if is_headed else passage.title, *passage.section)))
        name = "text" if len(inputs.passages) == 1 else f"text {number}"
        shown.append(Material(name, f"[{heads}]\n{passage.text}" if heads else passage.text))
    return [*shown, Material("text after", after)]


def _wanted(inputs: DraftRequest) -> list[Material]:
    labels = ", ".join(f"{number} {label}" for label, number in inputs.wanted)
    styles = ", ".join(f"{number} {style}" for style, number in inputs.styles)
    wanted = f"{labels}; fewer rather than poor ones. Styles, where they suit: {styles or 'plain'}."
    if inputs.is_joint:
        wanted += " Each question needs both texts: with one of them alone it cannot be answered. Quote from both."
    elif len(inputs.passages) > 1:
        wanted += " Each question is about one of the texts; spread them over all by what these are worth."
    return [
        Material("askers", "\n".join(inputs.collection.askers)),
        Material("asked already", "\n".join(inputs.asked)),
        Material("language of the questions", language_name(inputs.language)),
        Material("wanted", wanted),
    ]


def _drafts(inputs: DraftRequest, reply: Drafts) -> Drafts:
    """The pairs with quotes as the texts have them.

    A quote that stands in no text stays as it is: its pair is dropped, and counted, when it is located, as is one
    without question or answer. Raises ValueError where questions came and no quote is found.
    """
    text = "\n\n".join(inputs.texts)
    pairs, any_found = [], False
    for each in reply.pairs[: 2 * sum(count for _, count in inputs.wanted)]:  # a flood would only cost the judge
        quotes = located_quotes(each.quotes, text)
        any_found |= quotes.any_found
        is_open = each.label == "unanswerable"
        tidy = {
            "quotes": quotes.items,
            "question": one_line(each.question),
            "statement": one_line(each.statement),
            "answer": "" if is_open else one_line(each.answer),
            "keypoints": () if is_open else distinct_lines(each.keypoints),
        }
        pairs.append(each.model_copy(update=tidy))
    if any(each.question for each in pairs) and not any_found:
        raise ValueError(NO_QUOTE)
    findings = [
        each.model_copy(update={"quotes": located_quotes(each.quotes, text).items, "note": one_line(each.note)})
        for each in reply.findings
        if each.note.strip()
    ]
    return Drafts(pairs=tuple(pairs), findings=tuple(findings), fewer=one_line(reply.fewer))


def _questions(inputs: ReviewRequest) -> list[Material]:
    shown = [
        Material("elsewhere in the collection", "\n---\n".join(inputs.elsewhere)),
        numbered("questions", (each.question for each in inputs.pairs)),
    ]
    return [*shown, numbered("proposed answers", map(_proposed, inputs.pairs))]


def _proposed(pair: ProposedPair) -> str:
    if not pair.answer:
        return "(said to be left open by the whole collection)"
    return f"{pair.answer} [keypoints: {'; '.join(pair.keypoints)}]" if pair.keypoints else pair.answer


def _reviews(inputs: ReviewRequest, reply: ReviewsReply) -> Reviews:
    """The reviews in the order of the questions; of a reply that passes some over, by their numbers from 0 or 1.

    Raises ValueError where the numbers of a full reply are not in order, or none is that of a question.
    """
    text = "\n\n".join(each.text for each in inputs.passages)
    tidy = [
        each.model_copy(update={"own_quotes": located_quotes(each.own_quotes, text).items}) for each in reply.reviews
    ]
    numbers = [each.number for each in tidy]
    by_place: dict[int, Review] = {}
    if len(tidy) == len(inputs.pairs):
        by_place = {place: tidy[at] for place, at in enumerate(in_order(numbers, len(numbers), "question"))}
    for each in tidy if not by_place else ():
        by_place.setdefault(each.number - (0 not in numbers), each)
    found = tuple(by_place.get(place) for place in range(len(inputs.pairs)))
    if inputs.pairs and not any(found):
        raise ValueError(f"no review has a number of a question, 1 to {len(inputs.pairs)}")
    return Reviews(items=found)


def _brief(_: TitlesSeen, reply: Brief) -> Brief:
    filled(about=reply.about)
    return Brief(about=one_line(reply.about), askers=distinct_lines(reply.askers))


def _conflicts(inputs: ConflictRequest, reply: Conflicts) -> Conflicts:
    pairs, passages = range(1, len(inputs.pairs) + 1), range(1, len(inputs.passages) + 1)
    known = tuple(each for each in reply.conflicts if each.pair in pairs and each.passage in passages)
    return reply.model_copy(update={"conflicts": known})


BRIEF = task(
    _brief,
    name="collection_brief",
    source="ours",
    prompt="""\
You see titles and first lines of documents of one collection. Say whose documents these are, what they are about and
who turns to them, as far as that can be told, and who comes with which need. In English.""",
    material=pieces("documents"),
)

DRAFT_PAIRS = task(
    _drafts,
    name="drafts",
    source=_SOURCE,
    prompt="""\
You write questions that people will ask of a collection of documents, each with the reply that a colleague who knows
the documents would give. They test a system that answers from the collection. You see one text of it, or a few.

Begin with the person: somebody with a need that this text settles, who has not read it. What would most of them come
for? Write those questions first; details that nobody would miss are not asked. Find what the text settles, state it in
a sentence, then ask for it.

The question
- is in the words of the asker, everyday ones, rather than those of the text, as far as that stays natural: names and
  terms without another word for them stay;
- names what tells its subject from others in the collection (the product, the role, the kind of leave, the case; the
  organisation where the collection has several), but no document, section, page or text;
- asks for one thing, so that one reply settles it, and does not give that away;
- has a style: plain (a whole question), first_person (somebody's own situation and what they want to know),
  keywords (what one types into a search, no sentence), terse (as short as it can be), typos (a plain one with a slip or
  two of the keys, none in a name or number).
The answer
- is the colleague's reply, one sentence or two (for a summary up to four), understood without the question: it names
  its subject and has no "it", "she" or "this" for it; a question that takes yes or no has that first;
- has each condition, exception and limit that would change what the asker does, and nothing that was not asked;
- says only what the text says, or what follows from it for certain.
Labels
- fact_single: one fact with its conditions, stated at one place: a sentence or two, a row with what heads it.
- summary: the whole answer takes three to seven points of the text together: what to do, what counts, what is covered.
  Asked like any question, never as "summarise".
- reasoning: stated nowhere: a rule of the text applied to the asker's own case, whose facts stand in the question, or a
  sum or threshold that somebody would work out. The answer is the result, and the rule that decides in a clause. No
  comparing or counting for its own sake.
- unanswerable: the next thing that the same person wants to know, which the text raises and leaves open. Look through
  the whole text once more: nothing in it answers that, nor the better half of it, and no other title promises to. No
  pedantic detail.
Keypoints: what any complete reply must say, one claim with one condition each, understood alone; a condition without
which the answer would be wrong is one of its own. Examples and reasons are none.
Quotes: each within one paragraph, item or row, as short as will do; several rather than one with dots.
- No two pairs share an answer, and none asks what was asked already.
- Plans and unfinished things are asked about as such only.
- Where the text contradicts itself, or can be read in two ways that matter, ask nothing about that point: it is a
  finding. Report only what would make somebody act wrongly.
- Texts without anything worth asking (notices, menus, lists of links) give no pairs.
Questions, answers and keypoints are in the language of their text; if another one is named, all are in that.""",
    material=pieces(_collection, _texts, _wanted),
)

REVIEWS = task(
    _reviews,
    name="reviews",
    source=_SOURCE,
    prompt="""\
You check pairs for a test of systems that answer from a collection of documents. You see a text of it,
passages from elsewhere in the collection that may have to do with some questions, the questions, and at the very end
proposed answers. For each question, in this order:
1. Look at the text (and at what stands elsewhere), not at the proposed answer, and answer the question yourself: the
   shortest quotes, then the answer with each condition that would change what the asker does. Empty if it is left open;
   a list that is meant to be whole, or a rule that covers the case, does answer.
2. The label, by the way the texts answer: fact_single, one fact stated at one place, with its conditions; summary,
   three or more points that have to be brought together; reasoning, stated nowhere, but it follows for certain from a
   rule and the case in the question, or by a sum; unanswerable, neither the text nor the passages elsewhere say.
3. Compare the proposed answer with yours: same; lacks (a condition or point without which the asker would act
   otherwise; examples and reasons are none); extra (it says at length what was not asked; a short ground or a useful
   condition is none); wrong; unsupported (no text says so); both_open.
4. Flaws of the question: not_alone (one cannot tell what it speaks of without the text), ambiguous (two right answers),
   two_questions, no_need (nobody would ask), gives_away (it holds its answer; the facts of a case do not), copied (it
   takes over the wording of the text), pedantic; one_text_enough (of two texts that it should need).
5. The verdict. accept: the answer is right, complete and understood without the question, its keypoints say one needed
   claim each, and the question has no flaw; slips of the keys and search words without grammar are meant. repair:
   another wording of the question, answer or keypoints mends it: write all three anew, in the same language, from the
   text alone. A question said to be left open that needs another wording stays open: answer and keypoints are empty.
   One that the text does answer can be repaired to a pair with that answer; if it is answered elsewhere, or for the
   better half, refuse it; a neighbouring fact is no half of an answer. refuse: nobody needs it, or it cannot be mended.
   In doubt, repair or refuse.""",
    material=pieces(_collection, _texts, _questions),
)

CONFLICTS = task(
    _conflicts,
    name="conflicts",
    source="ours",
    prompt="""\
You see questions of a test with their answers, and passages from elsewhere in the same collection of documents. Say
which answers a passage contradicts: both speak of the same case, and whoever relies on one of them is wrong by the
other. Different products, places, groups, years or cases are no contradiction; nor are an exception beside its rule,
more or less detail, or silence. Say nothing of pairs that you are not sure of.""",
    material=pieces("pairs", "passages"),
)
