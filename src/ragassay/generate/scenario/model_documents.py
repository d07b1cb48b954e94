"""Documents by a language model: written around given values, or from their kind alone or one real document.

Around values: a section of all documents at a time. The others are baselines (zero-shot, one-shot) to compare with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, get_args

from ragassay.generate.scenario.configuration import Configuration
from ragassay.generate.scenario.schema import Schema, Section
from ragassay.generate.scenario.writer import Draft, Places, Written, lost_values, places_in, section_fields
from ragassay.models.base import Model
from ragassay.records import Document, content_id
from ragassay.tasks.scenarios import (
    SCENARIO_SECTION,
    SCENARIO_VALUES,
    WHOLE_DOCUMENT,
    DocumentToWrite,
    ElementToFill,
    SectionToWrite,
    ValuesToWrite,
)
from ragassay.text import sentence_spans

_SECTION_TRIES = 3
_LONGEST_VALUE = 120
_EXAMPLES_SHOWN = 3


async def free_texts(schema: Schema, drawn: Sequence[Configuration], model: Model) -> list[Configuration]:
    """The configurations with their free texts written by the model; an option stays where it gave none."""
    names = [name for name, element in schema.fields.items() if element.type == "text"]
    settled = [name for name in schema.fields if name not in names]
    open_names = [[name for name in names if name in each.texts] for each in drawn]
    asked = {
        at: ValuesToWrite(
            scenario=schema.name,
            facts=_labelled(schema, each, settled),
            elements=tuple(
                ElementToFill(
                    name=schema.fields[name].label or name, examples=schema.fields[name].options[:_EXAMPLES_SHOWN]
                )
                for name in open_names[at]
            ),
            language=schema.language,
        )
        for at, each in enumerate(drawn)
        if open_names[at]
    }
    found = list(drawn)
    for at, reply in zip(asked, await model.ask_all(SCENARIO_VALUES, list(asked.values())), strict=True):
        items = reply.value.items if reply.value else ()
        written = {
            name: text for name, text in zip(open_names[at], items, strict=False) if 0 < len(text) <= _LONGEST_VALUE
        }
        found[at] = replace(drawn[at], values={**drawn[at].values, **written}, texts={**drawn[at].texts, **written})
    return found


def _labelled(schema: Schema, configuration: Configuration, names: Sequence[str]) -> tuple[str, ...]:
    said = [name for name in names if name in configuration.texts and name not in configuration.left_out]
    return tuple(f"{schema.fields[name].label or name}: {configuration.texts[name]}" for name in said)


async def write_documents(schema: Schema, configurations: Sequence[Configuration], model: Model) -> list[Written]:
    """One document for each configuration; what a document lost in spite of all tries is in its ``lost``."""
    drafts = [Draft.begun(schema, configuration) for configuration in configurations]
    for section in schema.sections:
        await _write_section(schema, section, drafts, model)
    return [draft.finished(schema, number, _places(draft)) for number, draft in enumerate(drafts, 1)]


async def _write_section(schema: Schema, section: Section, drafts: Sequence[Draft], model: Model) -> None:
    """Write a section of all documents, and again of those in which it lost values."""
    names = [name for name in schema.fields if name in section_fields(section)]
    best: list[tuple[str, list[str]]] = [("", names) for _ in drafts]
    for tries in range(_SECTION_TRIES):
        open_places = [at for at, (text, lost) in enumerate(best) if not text or lost]
        asked = [_section_input(schema, section, drafts[at], names, *best[at]) for at in open_places]
        for at, reply in zip(open_places, await model.ask_all(SCENARIO_SECTION, asked), strict=True):
            drafts[at].rewritten += tries == 1
            if reply.value is None:
                continue
            lost = lost_values(reply.value.text, names, drafts[at].configuration)
            if not best[at][0] or len(lost) < len(best[at][1]):
                best[at] = reply.value.text, lost
    for draft, (text, _) in zip(drafts, best, strict=True):
        if text:
            draft.add("heading", section.name, level=2)
            for paragraph in text.split("\n\n"):
                draft.add("paragraph", paragraph)


def _section_input(
    schema: Schema, section: Section, draft: Draft, names: Sequence[str], earlier: str, lost: Sequence[str]
) -> SectionToWrite:
    """earlier: the best version so far, empty at first; lost: the fields that it does not say."""
    return SectionToWrite(
        scenario=schema.name,
        title=draft.title,
        section=section.name,
        facts=_labelled(schema, draft.configuration, names),
        before=draft.text,
        earlier=earlier,
        lost=tuple(draft.configuration.texts[name] for name in lost) if earlier else (),
        language=schema.language,
    )


def _places(draft: Draft) -> Places:
    spans = [span for span in sentence_spans(draft.text) if span[0] > len(draft.title)]
    return places_in(draft, [(start, end, draft.configuration.texts) for start, end in spans])


Way = Literal["zero_shot", "one_shot"]
WAYS: tuple[Way, ...] = get_args(Way)


class DocumentBaselines(NamedTuple):
    """documents: with metadata ``way``, and ``of``, which each stands beside. failed: why others are missing."""

    documents: tuple[Document, ...]
    failed: tuple[str, ...]


async def document_baselines(
    kind: str, documents: Sequence[Document], seeds: Sequence[Document], model: Model
) -> DocumentBaselines:
    """For each document one of the same kind, language and length by each way that can be gone.

    seeds: real documents, which are shown in turn; without any there is no one-shot document.
    """
    made, failed = [], []
    for way in WAYS if seeds else WAYS[:1]:
        inputs = [
            DocumentToWrite(
                kind=kind,
                language=each.language,
                chars=len(each.text),
                example=seeds[number % len(seeds)].text if way == "one_shot" else "",
                number=number,
            )
            for number, each in enumerate(documents)
        ]
        for home, reply in zip(documents, await model.ask_all(WHOLE_DOCUMENT, inputs), strict=True):
            if reply.value is None:
                failed.append(f"{way}: {reply.reason}")
                continue
            text = reply.value.text
            made.append(
                Document(
                    id=content_id("doc", way, home.id, text),
                    title="",
                    source=f"{way}/{home.source}",
                    text=text,
                    language=home.language,
                    metadata={"way": way, "of": home.id},
                )
            )
    return DocumentBaselines(tuple(made), tuple(failed))
