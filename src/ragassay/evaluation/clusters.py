"""Which questions a figure is of, and which hang together: a system does well or badly on all of one document."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from ragassay.records import Example

Clusters = npt.NDArray[np.int64]
"""(n_examples,) The number of the cluster that each example belongs to."""


def clusters_of(examples: Sequence[Example]) -> Clusters:
    """Examples of one document are a cluster; one that names no document is a cluster of its own.

    An example of several documents belongs to the first: that of its context, else that of its first reference.
    """
    return numbered([_document(each) or None for each in examples])


def numbered(keys: Sequence[Hashable | None]) -> Clusters:
    """Equal keys get one number, in the order in which they come; each None one of its own."""
    numbers: dict[Hashable, int] = {}
    named = [("", place) if key is None else (key,) for place, key in enumerate(keys)]
    return np.array([numbers.setdefault(name, len(numbers)) for name in named], dtype=np.int64)


def _document(example: Example) -> str:
    return example.context.document_id or next((each.document_id for each in example.references), "")


ANSWERABLE = "answerable"
"""All questions together but the unanswerable: these have no passage to find and no answer to give."""


def answerable_rows(labels: Sequence[str]) -> npt.NDArray[np.int64]:
    """The places of the questions whose label is not ``unanswerable``."""
    return np.flatnonzero(np.array(labels, dtype=object) != "unanswerable")
