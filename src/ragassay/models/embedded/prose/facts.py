"""Questions of fact from passages of English prose, best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.choice import load
from ragassay.models.embedded.prose.drafting import Written, written
from ragassay.models.embedded.prose.features import draft_features, sentence_features
from ragassay.models.embedded.prose.forms import FORMS, Form
from ragassay.models.embedded.prose.markup import for_parsing
from ragassay.models.embedded.prose.references import resolve
from ragassay.models.embedded.prose.setting import Setting, as_sentence, plain_title
from ragassay.models.embedded.prose.whole_sentences import whole_sentences
from ragassay.models.embedded.reading.parser import parse
from ragassay.tasks.statements import Passage

if TYPE_CHECKING:
    from spacy.tokens import Doc

WORTH_COUNTS = 0.5
"""The power of worth in the order of drafts: less than that of acceptability, which has seen worth already."""
OPENING_SENTENCES = 3


@dataclass(frozen=True, slots=True)
class FactDraft:
    """A question with its answer, ready to be judged by others.

    statement: the sentence that says so, with names for its pronouns. quotes: (start, end) of each stretch of the
    passage that it rests on. worth: how likely an expert asks of this sentence, 0 to 1. acceptability: how likely a
    strict reader takes question and answer as they are, 0 to 1. features: numbers for a ranker.
    """

    question: str
    answer: str
    statement: str
    quotes: tuple[tuple[int, int], ...]
    form: str
    worth: float
    acceptability: float
    features: Mapping[str, float]


def fact_drafts(
    passages: Sequence[Passage], themes: Sequence[str], forms: Mapping[str, Form] = FORMS
) -> list[list[FactDraft]]:
    """For each passage its drafts in the given forms, best first; several may ask of one sentence.

    themes: a few words on each passage, used where its title says nothing.
    Raises ValueError where passages and themes differ in number.
    """
    if len(passages) != len(themes):
        raise ValueError(f"{len(passages)} passages, but {len(themes)} themes")
    sentences = [whole_sentences(passage) for passage in passages]
    plain = [[for_parsing(sentence.clean) for sentence in each] for each in sentences]
    docs = list(parse([sentence.text for each in plain for sentence in each]))
    title_docs = parsed_titles(passages, themes)
    openings = [list(parse(first_sentences(passage))) for passage in passages]
    found: list[list[FactDraft]] = []
    at = 0
    for number, (passage, theme, each, texts) in enumerate(zip(passages, themes, sentences, plain, strict=True)):
        own = docs[at : at + len(each)]
        at += len(each)
        setting = Setting(passage, theme, own, title_docs, openings[number])
        n_sentences = len(each)
        for doc in own:
            doc.user_data["people"] = setting.people
            doc.user_data["human"] = setting.human
        resolved = resolve(setting, own, [s.paragraph for s in each], [text.literals for text in texts])
        drafts: list[FactDraft] = []
        for index, (sentence, doc, references, text) in enumerate(zip(each, own, resolved, texts, strict=True)):
            worth = load("worth").probability(sentence_features(sentence, doc, references, setting, n_sentences, index))
            for draft in written(setting, sentence, doc, references, text.literals, forms):
                if draft.unresolved or draft.outward:
                    continue
                drafts.append(_fact_draft(draft, setting, worth))
        found.append(sorted(drafts, key=lambda draft: (-quality(draft), draft.quotes, draft.question)))
    return found


def parsed_titles(passages: Sequence[Passage], themes: Sequence[str]) -> dict[str, Doc]:
    """The parses of all titles, headings and themes, by what ``plain_title`` makes of them."""
    titles = dict.fromkeys(
        plain_title(text)
        for passage, theme in zip(passages, themes, strict=True)
        for text in (passage.title, *passage.section, theme)
    )
    return dict(zip(titles, parse([as_sentence(title) for title in titles]), strict=True))


def first_sentences(passage: Passage) -> list[str]:
    """What the document says first, where the passage does not begin with it."""
    if not passage.opening or passage.text.startswith(passage.opening):
        return []
    opening = Passage(title=passage.title, text=passage.opening)
    return [for_parsing(sentence.clean).text for sentence in whole_sentences(opening)[:OPENING_SENTENCES]]


def quality(draft: FactDraft) -> float:
    """What drafts are ordered by: how likely it is accepted, and then how likely its sentence is asked of."""
    return float(draft.acceptability * draft.worth**WORTH_COUNTS)


def _fact_draft(draft: Written, setting: Setting, worth: float) -> FactDraft:
    sentence = draft.sentence
    spans = (*((sentence.lead_span,) if sentence.lead_span else ()), (sentence.start, sentence.end))
    features = {**draft_features(draft, setting), "worth": worth}
    acceptability = load("acceptability").probability(features)
    return FactDraft(draft.question, draft.answer, draft.statement, spans, draft.form, worth, acceptability, features)
