"""``ragassay synthesize``: an evaluation set from documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragassay.cli.command import Command, Job
from ragassay.cli.made import complain

if TYPE_CHECKING:
    from ragassay.pipeline.make.synthesis_options import SynthesizeOptions
    from ragassay.pipeline.make.synthesize import Synthesized

command = Command(
    Job(
        options="ragassay.pipeline.make.synthesis_options:SynthesizeOptions",
        run="ragassay.pipeline.make.synthesize:synthesize_documents",
        check="ragassay.cli.synthesize:check",
        counts_calls=True,
        shares_work=True,
    ),
    """Make an evaluation set from documents.

    A judge labels and rates every pair; pairs that fail are dropped and counted. Synthesizers: statements (answers
    first, all labels), simple (one prompt, one fact), per_chunk (several pairs from a passage in one reply) and
    creative (one inventive question per document, with baselines).

    Without --model rules make the set, checked by the small verifier. Other synthesizers than statements, --no-theme
    and --only-new need a language model.

    Examples:

    ragassay synthesize docs/ --out sets/first

    ragassay synthesize articles.jsonl -s per_chunk --model openai:gpt-4o-mini --where 'year>=2024' --out sets/new
    """,
)


def check(done: Synthesized, options: SynthesizeOptions) -> None:
    """Raise for what a script should hear of although there are results."""
    missing = [f"{each.missing} {each.name}" for each in done.summary.missing]
    why = "the table above, or 'missing' in JSON"
    complain(done, options, stopped_by=done.summary.stopped_by, missing=missing, why=why)
