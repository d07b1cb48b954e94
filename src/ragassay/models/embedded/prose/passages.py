"""Passages as limits, steps and events are read off them: sections of parsed, resolved sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.choice import load
from ragassay.models.embedded.prose.clauses import CONNECTIVE_PHRASES, CONNECTIVES, Clause, clauses
from ragassay.models.embedded.prose.facts import first_sentences
from ragassay.models.embedded.prose.features import sentence_features
from ragassay.models.embedded.prose.framing import framed
from ragassay.models.embedded.prose.markup import PlainSentence, for_parsing
from ragassay.models.embedded.prose.references import Resolved, resolve
from ragassay.models.embedded.prose.setting import Setting, as_sentence, plain_title
from ragassay.models.embedded.prose.whole_sentences import WholeSentence, whole_sentences
from ragassay.models.embedded.prose.wording import Wording, sentence_case, tidied
from ragassay.models.embedded.reading.parser import parse
from ragassay.tasks.statements import Passage

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of a passage with its parse and what its pronouns stand for.

    clauses: its main clauses. worth: how likely an expert asks of it, 0 to 1.
    """

    sentence: WholeSentence
    doc: Doc
    resolved: Resolved
    literals: Mapping[str, str]
    clauses: Sequence[Clause]
    wording: Wording
    worth: float = 0.0

    @property
    def span(self) -> tuple[int, int]:
        return self.sentence.start, self.sentence.end

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        lead = self.sentence.lead_span
        return (self.span,) if lead is None else (lead, self.span)

    def words(self, pieces: Iterable[Token | str], *, named: set[str] | None = None) -> str:
        return self.wording.write(pieces, asker=False, named=named)

    def whole(self, named: set[str] | None = None) -> str:
        """The sentence with names for its pronouns and without what ties it to the one before."""
        first = self.doc[0].i
        if self.clauses:
            own = [token.i for token in self.clauses[0].members + self.clauses[0].subject]
            own += [token.i for phrase in self.clauses[0].fronted for token in phrase]
            first = min(own)
            said = " ".join(token.lower_ for token in self.doc[:first] if not token.is_punct)
            if said not in CONNECTIVES and said not in CONNECTIVE_PHRASES:
                first = 0
            while first and self.doc[first - 1].text in ('"', "“", "(", "'"):
                first -= 1
        text = sentence_case(self.words(list(self.doc[first:]), named=named))
        return text if text.endswith(("?", "!", '."', ".”")) else text + "."


@dataclass(frozen=True, slots=True)
class Section:
    """The sentences below one heading, in order. setting: with this section's headings as the headings around it."""

    heading: tuple[str, ...]
    lines: Sequence[Line]
    setting: Setting


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """titles: parses of the headings, as ``plain_title`` gives them."""

    passage: Passage
    sections: Sequence[Section]
    titles: Mapping[str, Doc]

    @property
    def lines(self) -> list[Line]:
        return [line for section in self.sections for line in section.lines]


def read_passages(passages: Sequence[Passage], themes: Sequence[str]) -> list[ReadPassage]:
    """Passages with their sentences parsed, all in one batch. Raises ValueError where the two differ in number."""
    if len(passages) != len(themes):
        raise ValueError(f"{len(passages)} passages, but {len(themes)} themes")
    sentences = [whole_sentences(passage) for passage in passages]
    plain = [[for_parsing(sentence.clean) for sentence in each] for each in sentences]
    docs = list(parse([sentence.text for each in plain for sentence in each]))
    titles = dict.fromkeys(
        plain_title(text)
        for passage, theme, each in zip(passages, themes, sentences, strict=True)
        for text in (passage.title, *passage.section, theme, *(title for s in each for title in s.heading))
    )
    parsed_titles = dict(zip(titles, parse([as_sentence(title) for title in titles]), strict=True))
    openings = [list(parse(first_sentences(passage))) for passage in passages]
    found: list[ReadPassage] = []
    at = 0
    for passage, theme, each, texts, opening in zip(passages, themes, sentences, plain, openings, strict=True):
        own = docs[at : at + len(each)]
        at += len(each)
        sections = _sections(Setting(passage, theme, own, parsed_titles, opening), each, texts)
        found.append(ReadPassage(passage, sections, parsed_titles))
    return found


def _sections(setting: Setting, sentences: Sequence[WholeSentence], texts: Sequence[PlainSentence]) -> list[Section]:
    docs = setting.docs
    for doc in docs:
        doc.user_data["people"] = setting.people
    resolved = resolve(setting, docs, [s.paragraph for s in sentences], [text.literals for text in texts])
    sections: list[tuple[tuple[str, ...], list[Line]]] = []
    for index, (sentence, text, doc, references) in enumerate(zip(sentences, texts, docs, resolved, strict=True)):
        wording = Wording(doc, text.literals, references.references, setting.known_lower)
        worth = load("worth").probability(sentence_features(sentence, doc, references, setting, len(sentences), index))
        line = Line(sentence, doc, references, text.literals, clauses(doc), wording, worth)
        if not sections or sections[-1][0] != sentence.heading:
            sections.append((sentence.heading, []))
        sections[-1][1].append(line)
    return [Section(heading, lines, below(setting, heading)) for heading, lines in sections]


def below(setting: Setting, heading: tuple[str, ...]) -> Setting:
    """The setting of another section of the same passage."""
    passage = setting.passage.model_copy(update={"section": heading})
    return Setting(passage, setting.theme, setting.docs, setting.title_docs, setting.opening)


_BROKEN = re.compile(
    r"[\[\]{}<>|\\]|\.\.|\(\s*\)|[;:]|\b(\w+) \1\b(?<!that that)|(?<!\w)['’]s\b|\bi\.?e\b|^\W|\be\.?g\b|,\s*[?.,]", re.I
)
LONGEST_QUESTION = 28
SHORTEST_QUESTION = 4
"""Words."""


def finished(text: str) -> str:
    """A question with its capital and mark; empty if something in it is broken."""
    text = tidied(re.sub(r"^(what|which|who|when|where|why|how) ,", r"\1", text.strip().rstrip("?.")))
    if not text:
        return ""
    question = sentence_case(text) + "?"
    question = question[:1].upper() + question[1:]
    if not SHORTEST_QUESTION <= len(question.split()) <= LONGEST_QUESTION or _BROKEN.search(question):
        return ""
    if (
        question.count('"') % 2
        or question.count("“") != question.count("”")
        or question.count("(") != question.count(")")
    ):
        return ""
    return question


def themed(question: str, answer: str, setting: Setting, *, anchored: bool) -> str:
    """The question with its theme named, where it names nothing."""
    text = framed(question, answer, setting, anchored).question
    return text[:1].upper() + text[1:]
