"""``ragassay view``: runs, looked at in a browser."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Annotated

import typer

from ragassay.cli.output import AsJson


def view(
    runs: Annotated[Path, typer.Argument(help="Folder with runs, or one run.", metavar="RUNS", show_default=False)],
    host: Annotated[str, typer.Option(help="Address to listen on; by default only this machine can connect.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(help="Port; 0 picks a free one.")] = 8764,
    as_json: AsJson = False,
) -> None:
    """Browse runs: list, follow, open items, compare two.

    The pages change nothing. On any address but this machine's own, they only open with the key in the printed link.
    Ctrl-C stops them. Examples:

    ragassay view runs

    ragassay view runs --host 0.0.0.0 --port 9000
    """
    from ragassay.web.guard import is_loopback, key_of
    from ragassay.web.run_index import RunIndex
    from ragassay.web.serving import address_of, listening, names_of, serve
    from ragassay.web.view import view_app

    index = RunIndex(runs)
    secret = None if is_loopback(host) else secrets.token_hex(16)
    bound = listening(host, port)
    link = address_of(bound, host) + (f"/?key={key_of(secret, 'view')}" if secret else "/")

    def say() -> None:
        typer.echo(json.dumps({"link": link}) if as_json else f"Open {link}\nCtrl-C stops the pages.")

    serve(view_app(index, names_of(host), secret), bound, say)
