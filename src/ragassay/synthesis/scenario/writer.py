"""Documents from configurations: sections of sentence templates, each checked for the values that it should say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random

from ragassay.records import Block, Document, content_id
from ragassay.synthesis.scenario.configuration import Configuration
from ragassay.synthesis.scenario.schema import Say, Schema, Section, fill, mentioned, placeholders
from ragassay.text import sentence_spans

_TRIES = 8
"""Times that a section is written before what it still lacks counts as lost."""


@dataclass(frozen=True, slots=True)
class Written:
    """A document with where it says what.

    places: field to the (start, end) of each sentence that says its value, in order. lost: fields that should be in the
    document and are not; rewritten: sections written more than once.
    """

    document: Document
    configuration: Configuration
    places: Mapping[str, tuple[tuple[int, int], ...]]
    lost: tuple[str, ...]
    rewritten: int = 0

    @property
    def unsaid(self) -> frozenset[str]:
        """Fields that the document is silent about, on purpose or not."""
        return self.configuration.left_out | set(self.lost)


@dataclass(slots=True)
class _Draft:
    """A document as it grows. said: (start, end, fields) of each stretch that a template gave."""

    text: str = ""
    blocks: list[Block] = field(default_factory=list)
    said: list[tuple[int, int, frozenset[str]]] = field(default_factory=list)


def says(text: str, value: str) -> bool:
    """Whether a text holds a value as it is written, not as a part of a longer number or word."""
    return find_value(text, value) >= 0


def find_value(text: str, value: str) -> int:
    """Where a text first holds a value by itself, -1 where it does not."""
    if not value or value not in text:  # most often; a pattern for each value takes far longer
        return -1
    before = r"(?<![\d])(?<!\d[.,])" if value[0].isdigit() else r"(?<![A-Za-z])" if value[0].isascii() else ""
    after = r"(?![\d])(?![.,]\d)" if value[-1].isdigit() else r"(?![A-Za-z])" if value[-1].isascii() else ""
    match = re.search(before + re.escape(value) + after, text)
    return match.start() if match else -1


def write_document(schema: Schema, configuration: Configuration, random: Random, source: str) -> Written:
    """A document that says every value of the configuration but those left out, where its templates can.

    Each section is read again for the values that belong in it and written again while one is missing, a few times.
    """
    draft, rewritten = _Draft(), 0
    title = fill(schema.title, dict(configuration.texts))
    _block(draft, "title", title, level=1)
    found: set[str] = set()
    for section in schema.sections:
        tries, best = _section(schema, section, configuration, random, draft, found)
        rewritten += tries > 1
        draft = best
        found |= _values_in(draft.text, section_fields(section), configuration)
    document = Document(
        id=content_id("doc", source, draft.text),
        title=title,
        source=source,
        text=draft.text,
        language=schema.language,
        metadata={name: configuration.texts[name] for name in schema.key} | {"scenario": schema.name},
        blocks=tuple(draft.blocks),
    )
    expected = [name for name in configuration.texts if name not in configuration.left_out]
    lost = tuple(name for name in expected if not says(draft.text, configuration.texts[name]))
    return Written(document, configuration, _places(draft, configuration), lost, rewritten)


def section_fields(section: Section) -> frozenset[str]:
    """Fields that a section can say."""
    return mentioned(sentence for say in section.say for sentence in say.sentences)


def _values_in(text: str, names: Iterable[str], configuration: Configuration) -> set[str]:
    return {name for name in names if name in configuration.texts and says(text, configuration.texts[name])}


def _section(
    schema: Schema, section: Section, configuration: Configuration, random: Random, draft: _Draft, before: set[str]
) -> tuple[int, _Draft]:
    """How often a section was written, and the draft with the version that lost least."""
    expected = section_fields(section) - configuration.left_out - before
    best, most = draft, -1
    for tries in range(1, _TRIES + 1):
        version = _Draft(draft.text, list(draft.blocks), list(draft.said))
        _write(schema, section, configuration, random, version)
        kept = len(_values_in(version.text[len(draft.text) :], expected, configuration))
        if kept > most:
            best, most = version, kept
        if kept == len(expected):
            return tries, best
    return _TRIES, best


def _write(schema: Schema, section: Section, configuration: Configuration, random: Random, draft: _Draft) -> None:
    texts = dict(configuration.texts)
    if not any(_sayable(say, configuration) for say in section.say):
        return
    headings = [each for each in section.headings if not configuration.left_out.intersection(placeholders(each))]
    _block(draft, "heading", fill(random.choice(headings or [section.name]), texts), level=2)
    space = "" if schema.language == "zh" else " "
    paragraphs: list[list[tuple[str, str]]] = []  # what stands before each template, and the template
    for say in section.say:
        usable = _sayable(say, configuration)
        if not usable:
            continue
        if say.paragraph or not paragraphs:
            paragraphs.append([])
        paragraphs[-1].append(("\n" if say.line else space, random.choice(usable)))
    for aside in random.sample(section.asides, min(len(section.asides), random.randint(1, 2))):
        random.choice(paragraphs).append((space, aside))
    for paragraph in paragraphs:
        _paragraph(draft, paragraph, texts)


def _sayable(say: Say, configuration: Configuration) -> list[str]:
    return [each for each in say.sentences if not configuration.left_out.intersection(placeholders(each))]


def _block(draft: _Draft, kind: str, text: str, level: int = 0) -> None:
    if draft.text:
        draft.text += "\n\n"
    start = len(draft.text)
    draft.text += text
    draft.blocks.append(Block(kind=kind, start=start, end=len(draft.text), level=level))  # type: ignore[arg-type]


def _paragraph(draft: _Draft, templates: list[tuple[str, str]], texts: dict[str, str]) -> None:
    start = len(draft.text) + 2
    filled, stretches, at = "", [], start
    for space, template in templates:
        sentence = fill(template, texts)
        at = start + len(filled) + (len(space) if filled else 0)
        filled += (space if filled else "") + sentence
        stretches.append((at, at + len(sentence), frozenset(placeholders(template))))
    _block(draft, "paragraph", filled)
    draft.said += stretches


def _places(draft: _Draft, configuration: Configuration) -> dict[str, tuple[tuple[int, int], ...]]:
    """Field to the sentences that say it; a template of several sentences counts where the value stands."""
    places: dict[str, list[tuple[int, int]]] = {}
    for start, end, names in draft.said:
        for first, last in sentence_spans(draft.text[start:end]):
            sentence = draft.text[start + first : start + last]
            for name in sorted(names):
                if name in configuration.texts and says(sentence, configuration.texts[name]):
                    places.setdefault(name, []).append((start + first, start + last))
    return {name: tuple(spans) for name, spans in places.items()}
