"""The sentences of a passage with their parses, clauses and references: what every source of inference reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import Clause, clauses
from ragassay.models.embedded.prose.facts import first_sentences
from ragassay.models.embedded.prose.features import sentence_features
from ragassay.models.embedded.prose.markup import for_parsing
from ragassay.models.embedded.prose.parser import parse
from ragassay.models.embedded.prose.references import Resolved, resolve
from ragassay.models.embedded.prose.setting import Setting, as_sentence, plain_title
from ragassay.models.embedded.prose.whole_sentences import WholeSentence, raw_blocks, whole_sentences
from ragassay.models.embedded.prose.wording import Wording
from ragassay.tasks.statements import Passage

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    Pieces = list[Token | str]


@dataclass(slots=True)
class Told:
    """One sentence of a passage. step: whether it stands in a numbered list. features: for the choice of sentences."""

    sentence: WholeSentence
    doc: Doc
    resolved: Resolved
    wording: Wording
    clauses: list[Clause]
    step: bool
    features: Mapping[str, float]

    def write(
        self,
        pieces: Sequence[Token | str],
        *,
        asker: bool,
        forms: Mapping[int, str] | None = None,
        named: set[str] | None = None,
    ) -> str:
        return self.wording.write(pieces, asker=asker, forms=forms, named=named)


@dataclass(slots=True)
class Reading:
    """A passage as the sources see it."""

    setting: Setting
    told: list[Told]

    def main(self) -> Iterator[tuple[Told, Clause]]:
        """Every main clause of every sentence that states something."""
        for told in self.told:
            if "?" not in told.doc.text:
                for clause in told.clauses:
                    yield told, clause

    def following(self) -> Iterator[tuple[Told, Told]]:
        """Each two sentences in a row of one paragraph or item."""
        for first, second in zip(self.told, self.told[1:], strict=False):
            if first.sentence.paragraph == second.sentence.paragraph and "?" not in first.doc.text + second.doc.text:
                yield first, second


_NUMBERED = re.compile(r"\s*\(?\d{1,2}[.)]\s")


def _numbered(passage: Passage) -> set[int]:
    """The numbers of the blocks that are items of a numbered list."""
    blocks = passage.blocks or tuple(raw_blocks(passage.text))
    return {
        number
        for number, block in enumerate(blocks)
        if block.kind == "step"
        or (block.kind == "item" and _NUMBERED.match(passage.text[block.start : block.end]) is not None)
    }


def readings(passages: Sequence[Passage], themes: Sequence[str]) -> list[Reading]:
    """The passages, read. themes: a few words on each, used where a title says nothing.

    Raises ValueError where passages and themes differ in number.
    """
    if len(passages) != len(themes):
        raise ValueError(f"{len(passages)} passages, but {len(themes)} themes")
    sentences = [whole_sentences(passage) for passage in passages]
    plain = [[for_parsing(sentence.clean) for sentence in each] for each in sentences]
    docs = iter(list(parse([sentence.text for each in plain for sentence in each])))
    titles = dict.fromkeys(
        plain_title(text)
        for passage, theme in zip(passages, themes, strict=True)
        for text in (passage.title, *passage.section, theme)
    )
    title_docs = dict(zip(titles, parse([as_sentence(title) for title in titles]), strict=True))
    read: list[Reading] = []
    for passage, theme, each, texts in zip(passages, themes, sentences, plain, strict=True):
        own = [next(docs) for _ in each]
        setting = Setting(passage, theme, own, title_docs, list(parse(first_sentences(passage))))
        for doc in own:
            doc.user_data["people"] = setting.people
        resolved = resolve(setting, own, [s.paragraph for s in each], [text.literals for text in texts])
        steps = _numbered(passage)
        told = [
            Told(
                sentence,
                doc,
                references,
                Wording(doc, text.literals, references.references, setting.known_lower),
                clauses(doc),
                sentence.paragraph in steps,
                sentence_features(sentence, doc, references, setting, len(each), index),
            )
            for index, (sentence, doc, references, text) in enumerate(zip(each, own, resolved, texts, strict=True))
        ]
        read.append(Reading(setting, told))
    return read
