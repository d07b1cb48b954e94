"""Documents from configurations: sections of sentence templates, each checked for the values that it should say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random

from ragassay.generate.scenario.configuration import Configuration
from ragassay.generate.scenario.schema import Say, Schema, Section, fill, mentioned, placeholders
from ragassay.records import Block, BlockKind, Document, content_id
from ragassay.text import sentence_spans

_TRIES = 8
"""Times that a section is written before what it still lacks counts as lost."""
Places = Mapping[str, tuple[tuple[int, int], ...]]
"""Field to the (start, end) of each sentence that says its value, in order."""


@dataclass(frozen=True, slots=True)
class Written:
    """A document with where it says what.

    lost: fields that should be in the document and are not; rewritten: sections written more than once.
    """

    document: Document
    configuration: Configuration
    places: Places
    lost: tuple[str, ...]
    rewritten: int = 0

    @property
    def unsaid(self) -> frozenset[str]:
        """Fields that the document is silent about, on purpose or not."""
        return self.configuration.left_out | set(self.lost)


@dataclass(slots=True)
class Draft:
    """A document as it grows. said: (start, end, fields) of each stretch that a template gave."""

    title: str
    configuration: Configuration
    text: str = ""
    blocks: list[Block] = field(default_factory=list)
    said: list[tuple[int, int, frozenset[str]]] = field(default_factory=list)
    rewritten: int = 0

    @classmethod
    def begun(cls, schema: Schema, configuration: Configuration) -> Draft:
        """A document with its title."""
        draft = cls(fill(schema.title, dict(configuration.texts)), configuration)
        draft.add("title", draft.title, level=1)
        return draft

    def add(self, kind: BlockKind, text: str, level: int = 0) -> int:
        """Append a block; return where it starts."""
        self.text += "\n\n" if self.text else ""
        start = len(self.text)
        self.text += text
        self.blocks.append(Block(kind=kind, start=start, end=len(self.text), level=level))
        return start

    def finished(self, schema: Schema, number: int, places: Places) -> Written:
        """The document, the so many-th of its scenario, with where it says what."""
        source, texts = f"{schema.name}-{schema.language}-{number:04d}", self.configuration.texts
        document = Document(
            id=content_id("doc", source, self.text),
            title=self.title,
            source=source,
            text=self.text,
            language=schema.language,
            metadata={name: texts[name] for name in schema.key} | {"scenario": schema.name},
            blocks=tuple(self.blocks),
        )
        lost = tuple(lost_values(self.text, texts, self.configuration))
        return Written(document, self.configuration, places, lost, self.rewritten)


@lru_cache(maxsize=1_024)
def _closed(text: str) -> str:
    """The text without spaces before % and after the sign of a currency."""
    return re.sub(r"(?<=\d)\s+(?=[%％])|(?<=[$€£¥￥])\s+(?=\d)", "", text)


def says(text: str, value: str) -> bool:
    """Whether a text holds a value as it is written, spaces beside signs aside, not within a longer number or word."""
    text, value = _closed(text), _closed(value)
    if not value or value not in text:  # most often; a pattern for each value takes far longer
        return False
    before = r"(?<![\d])(?<!\d[.,])" if value[0].isdigit() else r"(?<![A-Za-z])" if value[0].isascii() else ""
    after = r"(?![\d])(?![.,]\d)" if value[-1].isdigit() else r"(?![A-Za-z])" if value[-1].isascii() else ""
    return re.search(before + re.escape(value) + after, text) is not None


def lost_values(text: str, names: Iterable[str], configuration: Configuration) -> list[str]:
    """Those fields that a text should say and does not."""
    expected = [name for name in names if name in configuration.texts and name not in configuration.left_out]
    return [name for name in expected if not says(text, configuration.texts[name])]


def section_fields(section: Section) -> frozenset[str]:
    """Fields that a section can say."""
    return mentioned(sentence for say in section.say for sentence in say.sentences)


def write_document(schema: Schema, configuration: Configuration, random: Random, number: int) -> Written:
    """A document that says every value of the configuration but those left out, where its templates can.

    Each section is read again for the values that belong in it and written again while one is missing, a few times.
    """
    draft = Draft.begun(schema, configuration)
    found: set[str] = set()
    for section in schema.sections:
        draft = _with_section(schema, section, random, draft, found)
        found |= _values_in(draft.text, section_fields(section), configuration)
    return draft.finished(schema, number, _places(draft))


def _values_in(text: str, names: Iterable[str], configuration: Configuration) -> set[str]:
    return {name for name in names if name in configuration.texts and says(text, configuration.texts[name])}


def _with_section(schema: Schema, section: Section, random: Random, draft: Draft, before: set[str]) -> Draft:
    """The draft with the version of a section that lost least."""
    expected = section_fields(section) - draft.configuration.left_out - before
    best, most, tries = draft, -1, 0
    while most < len(expected) and tries < _TRIES:
        tries += 1
        version = replace(draft, blocks=list(draft.blocks), said=list(draft.said))
        _write(schema, section, random, version)
        kept = len(_values_in(version.text[len(draft.text) :], expected, draft.configuration))
        if kept > most:
            best, most = version, kept
    return replace(best, rewritten=draft.rewritten + (tries > 1))


def _write(schema: Schema, section: Section, random: Random, draft: Draft) -> None:
    left_out, texts = draft.configuration.left_out, dict(draft.configuration.texts)
    if not any(_sayable(say, left_out) for say in section.say):
        return
    headings = [each for each in section.headings if not left_out.intersection(placeholders(each))]
    draft.add("heading", fill(random.choice(headings or [section.name]), texts), level=2)
    paragraphs: list[list[str]] = []
    for say in section.say:
        usable = _sayable(say, left_out)
        if not usable:
            continue
        if say.paragraph or not paragraphs:
            paragraphs.append([])
        paragraphs[-1].append(random.choice(usable))
    for aside in random.sample(section.asides, min(len(section.asides), random.randint(1, 2))):
        random.choice(paragraphs).append(aside)
    space = schema.space
    for templates in paragraphs:
        sentences = [fill(template, texts) for template in templates]
        at = draft.add("paragraph", space.join(sentences))
        for template, sentence in zip(templates, sentences, strict=True):
            draft.said.append((at, at + len(sentence), frozenset(placeholders(template))))
            at += len(sentence) + len(space)


def _sayable(say: Say, left_out: frozenset[str]) -> list[str]:
    return [each for each in say.sentences if not left_out.intersection(placeholders(each))]


def _places(draft: Draft) -> Places:
    """Where templates say what; a template of several sentences counts where the value stands."""
    stretches = [
        (start + first, start + last, names)
        for start, end, names in draft.said
        for first, last in sentence_spans(draft.text[start:end])
    ]
    return places_in(draft, stretches)


def places_in(draft: Draft, sentences: Sequence[tuple[int, int, Iterable[str]]]) -> Places:
    """Field to the sentences that say it. sentences: (start, end, fields that it may say) of each."""
    texts, places = draft.configuration.texts, dict[str, list[tuple[int, int]]]()
    for start, end, names in sentences:
        for name in sorted(names):
            if name in texts and says(draft.text[start:end], texts[name]):
                places.setdefault(name, []).append((start, end))
    return {name: tuple(spans) for name, spans in places.items()}
