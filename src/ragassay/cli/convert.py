"""``ragassay convert``: a data set in another format, what it is made of, and the results of a run for other tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragassay.cli.command import Command, Job
from ragassay.cli.output import print_json

if TYPE_CHECKING:
    from ragassay.pipeline.data.convert import CheckedSet, Converted, ConvertOptions

FINDINGS_SHOWN = 20
command = Command(
    Job(
        options="ragassay.pipeline.data.convert:ConvertOptions",
        run="ragassay.pipeline.data.convert:convert",
        show="ragassay.cli.convert:show",
        check="ragassay.cli.convert:complain",
        has_progress=False,
    ),
    """Write a data set in another format, or check it.

    Also prints what that format cannot hold. Written: jsonl, csv, beir, ragas, deepeval; also read: squad,
    dragonball, otel and more, see the docs.

    Without OUTPUT, describes the set and lists its faults: places of references, ids, duplicates, empty texts. Exits
    with code 3 if there is an error; warnings do not count.

    Results of a run: --to scores is a table with a row for each example and system and a column for each metric.

    Examples:

    ragassay convert runs/first

    ragassay convert queries.jsonl --documents documents.jsonl

    ragassay convert runs/first for_beir --to beir

    ragassay convert runs/judged scores.csv --to scores

    ragassay convert log.jsonl log_set --map question=inputs.query --map 'contexts=outputs.docs[*].text'
    """,
)


def show(found: Converted | CheckedSet, as_json: bool) -> None:
    """Print what was written, or what the set is made of."""
    from ragassay.pipeline.data.convert import CheckedSet
    from ragassay.report.labels import blocks_of_card, blocks_of_conversion, blocks_of_findings, card_object
    from ragassay.report.terminal import show as print_blocks

    if isinstance(found, CheckedSet):
        if as_json:
            print_json(
                {
                    **card_object(found.card, found.findings, found.format, len(found.findings.kept)),
                    "notes": found.notes,
                }
            )
        else:
            print_blocks([*blocks_of_card(found.card), *blocks_of_findings(found.findings, FINDINGS_SHOWN)])
    elif as_json:
        counts = {"records": dict(found.records), "notes": dict(found.notes)}
        print_json({"out": str(found.out), "format": found.format, **counts})
    else:
        print_blocks(blocks_of_conversion(found.records, found.notes, f"{found.out} ({found.format})"))


def complain(found: Converted | CheckedSet, options: ConvertOptions) -> None:
    """Raise InputError for a set without examples; end with its code for one with errors, which are printed."""
    from ragassay.errors import InputError
    from ragassay.pipeline.data.convert import CheckedSet

    if isinstance(found, CheckedSet):
        if found.findings.errors:
            raise SystemExit(InputError.exit_code)
        if not found.card.examples:
            raise InputError(f"{options.data} holds no examples")
