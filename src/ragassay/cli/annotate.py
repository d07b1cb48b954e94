"""``ragassay annotate``: people judge examples or answers, each on a page of their own."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragassay.cli.output import AsJson

if TYPE_CHECKING:
    from ragassay.annotation.store import Round


def annotate(
    data: Annotated[
        Path | None,
        typer.Argument(
            help="Examples, in any format that `ragassay convert` reads.", metavar="DATASET", show_default=False
        ),
    ] = None,
    *,
    out: Annotated[Path, typer.Option(help="Folder for the annotations.", metavar="FOLDER", show_default=False)],
    task: Annotated[
        str,
        typer.Option(
            help="What to judge: label, critique, quality, keypoints, preference, triples, statements, pairs or "
            "documents; or mend."
        ),
    ] = "label",
    annotators: Annotated[
        str, typer.Option(help="Names of the people, separated by commas.", metavar="NAMES", show_default=False)
    ] = "",
    overlap: Annotated[
        int | None, typer.Option(help="People who judge each item; default: all, or 1 for mend.", show_default=False)
    ] = None,
    predictions: Annotated[
        list[Path] | None,
        typer.Option(help="JSONL file of answers, if DATASET holds none.", metavar="FILE", show_default=False),
    ] = None,
    systems: Annotated[
        list[str] | None,
        typer.Option(
            "--system",
            help="System whose answers are judged; twice for preference.",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    quality: Annotated[
        str,
        typer.Option(
            help="pairs: faithfulness, answer_relevance or context_relevance, if the file does not say.", metavar="NAME"
        ),
    ] = "",
    items: Annotated[
        int | None, typer.Option(help="Number of items, spread over the labels; default: all.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of the order, and of who judges what.")] = 0,
    export: Annotated[
        Path | None, typer.Option(help="Write the annotations as .jsonl or .csv and exit.", metavar="FILE")
    ] = None,
    export_set: Annotated[
        Path | None,
        typer.Option(
            help="mend: write what was kept and mended to a file or, with all documents, a folder, and exit.",
            metavar="PATH",
        ),
    ] = None,
    untouched: Annotated[
        bool, typer.Option("--untouched", help="With --export-set: also the examples that nobody has judged.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="With --export-set: replace the file.")] = False,
    take_in: Annotated[
        Path | None, typer.Option("--import", help="Add annotations made elsewhere and exit.", metavar="FILE")
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on; by default only this machine can connect.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(help="Port; 0 picks a free one.")] = 8765,
    as_json: AsJson = False,
) -> None:
    """Let people judge examples or answers in a browser.

    Each person has a page of their own and sees no judgement of others or of models. Every click is saved at once. The
    same command, or --out alone, continues where it stopped; Ctrl-C stops the page.
    Examples:

    ragassay annotate runs/first/examples.jsonl --out judged --annotators ana,ben --overlap 2

    ragassay annotate runs/first --task preference --system "512 dense" --system "512 bm25" --out judged

    ragassay annotate pairs.jsonl --task pairs --annotators ana,ben --out pairs_judged

    ragassay annotate --out judged --export judged.csv

    ragassay annotate runs/first --task mend --annotators me --out mending

    ragassay annotate --out mending --export-set sets/mended
    """
    from ragassay.annotation.files import read_annotations, write_annotations
    from ragassay.annotation.rounds import RoundOptions, begin_round
    from ragassay.annotation.store import Round
    from ragassay.errors import UsageError

    if export_set is None and (untouched or overwrite):
        option = "--untouched" if untouched else "--overwrite"
        raise UsageError(f"{option}: only applies with --export-set; add that, or leave this out")
    if data is None:
        round_ = Round(out)
    else:
        options = RoundOptions(
            data=data,
            task=task,
            annotators=tuple(name.strip() for name in annotators.split(",") if name.strip()),
            overlap=overlap,
            n_items=items,
            seed=seed,
            predictions=tuple(predictions or ()),
            systems=tuple(systems or ()),
            quality=quality.strip().replace("-", "_"),
        )
        round_ = begin_round(out, options)
    if take_in is not None:
        found = read_annotations(take_in)
        new = round_.take_in(found)
        _say(as_json, {"read": len(found), "new": new}, f"{new} of {len(found)} annotations in {take_in} are new")
    elif export is not None:
        n = write_annotations(export, round_.annotations())
        _say(as_json, {"written": n, "file": str(export)}, f"{n} annotations written to {export}")
    elif export_set is not None:
        _export_set(round_, export_set, as_json, untouched=untouched, overwrite=overwrite)
    else:
        _serve(round_, host, port, as_json)


def _export_set(round_: Round, out: Path, as_json: bool, *, untouched: bool, overwrite: bool) -> None:
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
    _say(as_json, {**asdict(done), "file": str(out)}, "\n".join(map(visible, lines)))


def _serve(round_: Round, host: str, port: int, as_json: bool) -> None:
    from ragassay.web.annotate import annotation_app, link_of, overseer_link
    from ragassay.web.serving import address_of, listening, names_of, serve

    bound = listening(host, port)
    address = address_of(bound, host)
    links = {name: link_of(address, round_, name) for name in round_.annotators}

    def say() -> None:
        text = "\n".join(f"{name}: {link}" for name, link in links.items())
        overseer = overseer_link(address, round_)
        _say(
            as_json,
            {"task": round_.task, "links": links, "progress": overseer},
            f"Each annotator opens one link (it works as a key; do not share it):\n\n{text}\n\nProgress "
            f"of all: {overseer}\nCtrl-C stops the page; judgements are kept in {round_.file}",
        )

    serve(annotation_app(round_, names_of(host)), bound, say)


def _say(as_json: bool, described: dict[str, Any], text: str) -> None:
    typer.echo(json.dumps(described) if as_json else text)
