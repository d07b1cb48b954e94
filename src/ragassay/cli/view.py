"""``ragassay view``: runs, looked at in a browser."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import click

from ragassay.cli.command import Command, Job
from ragassay.cli.output import print_json
from ragassay.options import Option, settings

command = Command(
    Job(
        options="ragassay.cli.view:ViewOptions",
        run="ragassay.cli.view:open_pages",
        show="ragassay.cli.view:serve",
        has_progress=False,
    ),
    """Browse runs: list, follow, open items, compare two.

    The pages change nothing. On any address but this machine's own, they only open with the key in the printed link.
    Ctrl-C stops them.

    Examples:

    ragassay view runs

    ragassay view runs --host 0.0.0.0 --port 9000
    """,
)


@settings
class ViewOptions:
    """Which runs, and where they are served."""

    runs: Annotated[Path, Option("Folder with runs, or one run.", metavar="RUNS", is_argument=True)]
    host: Annotated[str, Option("Address to listen on; by default only this machine can connect.")] = "127.0.0.1"
    port: Annotated[int, Option("Port; 0 picks a free one.")] = 8764


def open_pages(options: ViewOptions) -> tuple[str, Callable[[Callable[[], None]], None]]:
    """The link, and what serves the pages."""
    from ragassay.web.guard import is_loopback, key_of
    from ragassay.web.run_index import RunIndex
    from ragassay.web.serving import address_of, listening, names_of
    from ragassay.web.serving import serve as serve_pages
    from ragassay.web.view import view_app

    index = RunIndex(options.runs)
    secret = None if is_loopback(options.host) else secrets.token_hex(16)
    bound = listening(options.host, options.port)
    link = address_of(bound, options.host) + (f"/?key={key_of(secret, 'view')}" if secret else "/")
    return link, lambda say: serve_pages(view_app(index, names_of(options.host), secret), bound, say)


def serve(pages: tuple[str, Callable[[Callable[[], None]], None]], as_json: bool) -> None:
    """Say where the pages are, and serve them until Ctrl-C."""
    link, until_stopped = pages

    def say() -> None:
        if as_json:
            print_json({"link": link})
        else:
            click.echo(f"Open {link}\nCtrl-C stops the pages.")

    until_stopped(say)
