"""``ragassay annotate``: people judge examples or answers, each on a page of their own."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ragassay.cli.command import Command, Job

if TYPE_CHECKING:
    from ragassay.annotation.options import AnnotateOptions
    from ragassay.annotation.store import Round

command = Command(
    Job(
        options="ragassay.annotation.options:AnnotateOptions",
        run="ragassay.cli.annotate:annotate",
        show="ragassay.cli.annotate:show",
        has_progress=False,
    ),
    """Let people judge examples or answers in a browser.

    Each person has a page of their own and sees no judgement of others or of models. Every click is saved at once. The
    same command, or --out alone, continues where it stopped; Ctrl-C stops the page.

    Examples:

    ragassay annotate runs/first/examples.jsonl --out judged --annotators ana,ben --overlap 2

    ragassay annotate runs/first --task preference --system "512 dense" --system "512 bm25" --out judged

    ragassay annotate --out judged --export judged.csv

    ragassay annotate runs/first --task mend --annotators me --out mending

    ragassay annotate --out mending --export-set sets/mended
    """,
)


class Done(NamedTuple):
    """What was done, for scripts and for people; or the round to be judged, and where it is served."""

    described: dict[str, Any]
    text: str
    served: Round | None = None
    host: str = ""
    port: int = 0


def annotate(options: AnnotateOptions) -> Done:
    """Begin or continue a round; write it where that is asked."""
    from ragassay.annotation.files import write_annotations
    from ragassay.annotation.rounds import begin_round
    from ragassay.annotation.store import Round

    options.check()
    round_ = Round(options.out) if options.round.data is None else begin_round(options.out, options.round)
    if options.export is not None:
        n = write_annotations(options.export, round_.annotations())
        return Done({"written": n, "file": str(options.export)}, f"{n} annotations written to {options.export}")
    if options.export_set is not None:
        return _mended(round_, options.export_set, untouched=options.untouched, overwrite=options.overwrite)
    return Done({}, "", round_, options.host, options.port)


def show(done: Done, as_json: bool) -> None:
    """Print what was done, or serve the pages until Ctrl-C."""
    if done.served is None:
        click.echo(json.dumps(done.described) if as_json else done.text)
    else:
        _serve(done.served, done.host, done.port, as_json)


def _mended(round_: Round, out: Path, *, untouched: bool, overwrite: bool) -> Done:
    from ragassay.pipeline.data.mending import write_mended
    from ragassay.report.safe_text import visible
    from ragassay.report.wording import count

    done = write_mended(round_, out, untouched=untouched, overwrite=overwrite)
    left = "in it as they are" if untouched else "left out (--untouched keeps them)"
    lines = [
        f"{count(done.examples, 'example')} written to {out}: {done.kept} kept, {done.mended} mended, "
        f"{done.dropped} dropped; {done.untouched} that nobody has judged are {left}",
        *(f"{what} ({n} times)" for what, n in done.notes.items()),
        *(f"{name}: left out, another example asks the same" for name in done.repeats),
        *(f"{name}: the answer has no keypoints ({why})" for name, why in done.without_keypoints.items()),
        *(f"{name}: the labeller says {label}; the person's label stands" for name, label in done.doubted.items()),
    ]
    return Done({**asdict(done), "file": str(out)}, "\n".join(map(visible, lines)))


def _serve(round_: Round, host: str, port: int, as_json: bool) -> None:
    from ragassay.web.annotate import annotation_app, link_of, overseer_link
    from ragassay.web.serving import address_of, listening, names_of, serve

    bound = listening(host, port)
    address = address_of(bound, host)

    def say() -> None:
        links = {name: link_of(address, round_, name) for name in round_.annotators}
        overseer = overseer_link(address, round_)
        if as_json:
            click.echo(json.dumps({"task": round_.task, "links": links, "progress": overseer}))
            return
        click.echo("Each annotator opens one link (it works as a key; do not share it):\n")
        click.echo("\n".join(f"{name}: {link}" for name, link in links.items()))
        click.echo(f"\nProgress of all: {overseer}\nCtrl-C stops the page; judgements are kept in {round_.file}")

    serve(annotation_app(round_, names_of(host)), bound, say)
