"""An evaluation set as tests use it: its examples, and its documents, in which chunks have their places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ragassay.datasets.placing import Placer
from ragassay.datasets.registry import read_dataset
from ragassay.errors import InputError
from ragassay.records import Document, Example, Prediction


@dataclass(frozen=True)
class ExampleSet:
    """documents: by their ids; empty where the set has none."""

    examples: Sequence[Example]
    documents: Mapping[str, Document]

    @cached_property
    def _placer(self) -> Placer:
        return Placer(self.documents.values())

    def close(self) -> None:
        """Removes what lies on disk."""
        if "_placer" in self.__dict__:
            self._placer.close()

    def placed(self, prediction: Prediction) -> Prediction:
        """The prediction with its chunks in their places, as ``evaluate`` puts them."""
        return self._placer.placed(prediction) if self.documents and prediction.chunks else prediction

    def documents_of(self, example: Example, prediction: Prediction) -> list[Document]:
        """Those that an example and its prediction name: all that a score needs."""
        spans = (example.context, *example.references)
        named = dict.fromkeys(
            [*(each.document_id for each in spans), *(each.document_id for each in prediction.chunks)]
        )
        return [self.documents[name] for name in named if name in self.documents]


def read_set(path: Path) -> ExampleSet:
    """A set in any format that ``ragassay convert`` reads. Raises InputError for one that holds no example."""
    if not path.exists():
        raise InputError(f"{path} does not exist; give the path of a set, counted from the test file")
    records = list(read_dataset(path))
    examples = [each for each in records if isinstance(each, Example)]
    if not examples:
        raise InputError(f"{path} holds no example; give a set with at least one question")
    return ExampleSet(examples, {each.id: each for each in records if isinstance(each, Document)})
