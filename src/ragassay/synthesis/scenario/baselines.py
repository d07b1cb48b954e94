"""Documents by a language model that is told their kind alone, or shown one real document: zero-shot and one-shot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from ragassay.models.base import Model
from ragassay.records import Document, content_id
from ragassay.tasks.scenarios import WHOLE_DOCUMENT, DocumentToWrite

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
