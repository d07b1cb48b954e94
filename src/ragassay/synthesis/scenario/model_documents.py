"""Documents that a language model writes around given values, a section of all documents at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ragassay.models.base import Model
from ragassay.records import Block, BlockKind, Document, content_id
from ragassay.synthesis.scenario.configuration import Configuration
from ragassay.synthesis.scenario.schema import Schema, Section, fill
from ragassay.synthesis.scenario.writer import Written, says, section_fields
from ragassay.tasks.scenarios import SCENARIO_SECTION, SCENARIO_VALUE, SectionToWrite, ValueToWrite
from ragassay.text import sentence_spans

_SECTION_TRIES = 3
_LONGEST_VALUE = 120
_EXAMPLES_SHOWN = 3


@dataclass(slots=True)
class _Growing:
    """A document that a model is writing."""

    configuration: Configuration
    source: str
    title: str
    text: str
    blocks: list[Block] = field(default_factory=list)
    rewritten: int = 0

    def add(self, kind: BlockKind, text: str, level: int = 0) -> None:
        self.text += "\n\n"
        self.blocks.append(Block(kind=kind, start=len(self.text), end=len(self.text) + len(text), level=level))
        self.text += text


async def free_texts(schema: Schema, drawn: Sequence[Configuration], model: Model) -> list[Configuration]:
    """The configurations with their free texts written by the model; an option stays where it gave none."""
    names = [name for name, element in schema.fields.items() if element.type == "text"]
    places = [(at, name) for at in range(len(drawn)) for name in names if name in drawn[at].texts]
    asked = [
        ValueToWrite(
            scenario=schema.name,
            element=schema.fields[name].label or name,
            facts=_labelled(schema, drawn[at], [each for each in schema.fields if each not in names]),
            examples=schema.fields[name].options[:_EXAMPLES_SHOWN],
            language=schema.language,
        )
        for at, name in places
    ]
    values = [dict(each.values) for each in drawn]
    texts = [dict(each.texts) for each in drawn]
    for (at, name), reply in zip(places, await model.ask_all(SCENARIO_VALUE, asked), strict=True):
        if reply.value and len(reply.value.value) <= _LONGEST_VALUE:
            values[at][name] = texts[at][name] = reply.value.value
    return [replace(each, values=values[at], texts=texts[at]) for at, each in enumerate(drawn)]


def _labelled(schema: Schema, configuration: Configuration, names: Sequence[str]) -> tuple[str, ...]:
    said = [name for name in names if name in configuration.texts and name not in configuration.left_out]
    return tuple(f"{schema.fields[name].label or name}: {configuration.texts[name]}" for name in said)


async def write_documents(schema: Schema, configurations: Sequence[Configuration], model: Model) -> list[Written]:
    """One document for each configuration; what a document lost in spite of all tries is in its ``lost``."""
    growing = []
    for number, configuration in enumerate(configurations, 1):
        title = fill(schema.title, dict(configuration.texts))
        block = Block(kind="title", start=0, end=len(title), level=1)
        source = f"{schema.name}-{schema.language}-{number:04d}"
        growing.append(_Growing(configuration, source, title, title, [block]))
    for section in schema.sections:
        await _write_section(schema, section, growing, model)
    return [_finished(schema, each) for each in growing]


async def _write_section(schema: Schema, section: Section, growing: Sequence[_Growing], model: Model) -> None:
    """Writes a section of all documents, and again of those in which it lost values."""
    names = [name for name in schema.fields if name in section_fields(section)]
    best: list[tuple[str, list[str]]] = [("", names) for _ in growing]
    for tries in range(_SECTION_TRIES):
        open_places = [at for at, (text, lost) in enumerate(best) if not text or lost]
        asked = [
            _section_input(schema, section, growing[at], names, best[at][0], best[at][1] if tries else [])
            for at in open_places
        ]
        for at, reply in zip(open_places, await model.ask_all(SCENARIO_SECTION, asked), strict=True):
            growing[at].rewritten += tries == 1
            if reply.value is None:
                continue
            lost = _lost(reply.value.text, names, growing[at].configuration)
            if not best[at][0] or len(lost) < len(best[at][1]):
                best[at] = reply.value.text, lost
    for document, (text, _) in zip(growing, best, strict=True):
        if text:
            document.add("heading", section.name, level=2)
            for paragraph in text.split("\n\n"):
                document.add("paragraph", paragraph)


def _section_input(
    schema: Schema, section: Section, document: _Growing, names: Sequence[str], earlier: str, lost: Sequence[str]
) -> SectionToWrite:
    texts = document.configuration.texts
    return SectionToWrite(
        scenario=schema.name,
        title=document.title,
        section=section.name,
        facts=_labelled(schema, document.configuration, names),
        before=document.text,
        earlier=earlier,
        lost=tuple(texts[name] for name in lost) if earlier else (),
        language=schema.language,
    )


def _lost(text: str, names: Sequence[str], configuration: Configuration) -> list[str]:
    expected = [name for name in names if name in configuration.texts and name not in configuration.left_out]
    return [name for name in expected if not says(text, configuration.texts[name])]


def _finished(schema: Schema, growing: _Growing) -> Written:
    configuration, text = growing.configuration, growing.text
    document = Document(
        id=content_id("doc", growing.source, text),
        title=growing.title,
        source=growing.source,
        text=text,
        language=schema.language,
        metadata={name: configuration.texts[name] for name in schema.key} | {"scenario": schema.name},
        blocks=tuple(growing.blocks),
    )
    sentences = [span for span in sentence_spans(text) if span[0] > len(growing.title)]
    places = {
        name: tuple(span for span in sentences if says(text[span[0] : span[1]], configuration.texts[name]))
        for name in configuration.texts
    }
    said = {name: spans for name, spans in places.items() if spans}
    return Written(
        document, configuration, said, tuple(_lost(text, list(schema.fields), configuration)), growing.rewritten
    )
