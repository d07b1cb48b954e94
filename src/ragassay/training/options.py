"""What can be set of the training of a verifier."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from ragassay.options import Count, Names, Option, Paths, Seed, settings


@settings
class VerifierOptions:
    """A verifier of claims on the built-in base."""

    claims: Annotated[Paths, Option("JSONL files: passages with claims or pairs.", metavar="CLAIMS", is_argument=True)]
    out: Annotated[Path, Option("File to write.", metavar="ADAPTER")]
    rank: Annotated[Count, Option("Rank of the adapter.", is_rare=True)] = 16
    alpha: Annotated[float, Field(gt=0), Option("Scale of the adapter; alpha / rank is what counts.", is_rare=True)] = (
        32.0
    )
    epochs: Annotated[Count, Option("Passes over the data.")] = 3
    batch: Annotated[Count, Option("Rows of one step.", is_rare=True)] = 16
    lr: Annotated[float, Field(gt=0), Option("Highest learning rate; it falls to 0.")] = 6e-4
    warm_up: Annotated[int, Field(ge=0), Option("Steps until the highest learning rate.", is_rare=True)] = 20
    seed: Annotated[Seed, Option("Random seed of the split, the order and the first weights.")] = 0
    leave_out: Annotated[Names, Option("Sources to leave out of both training and evaluation.", metavar="NAMES")] = ()
    hold_out_sources: Annotated[Names, Option("Sources to hold out for evaluation.", metavar="NAMES")] = ()
    hold_out_share: Annotated[
        float,
        Field(gt=0, lt=1),
        Option("Share of documents to hold out for evaluation, if no sources are named.", is_rare=True),
    ] = 0.1
