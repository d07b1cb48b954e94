"""``ragassay prices``: what calls are reckoned at, how old that is and where it comes from."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragassay.cli.output import AsJson, print_json

if TYPE_CHECKING:
    from ragassay.models.llm.prices import Price

OLD_DAYS = 365


def prices(
    models: Annotated[
        list[str] | None, typer.Argument(help="Names as --model takes them; default: all entries.", metavar="MODEL")
    ] = None,
    own: Annotated[
        Path | None, typer.Option("--prices", help="TOML file with prices of models.", metavar="FILE")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the prices that costs are computed with: age and source of each.

    US dollars for a million tokens. Examples:

    ragassay prices

    ragassay prices openai:gpt-4o-mini ollama:llama3.1

    ragassay prices --prices my-prices.toml
    """
    from ragassay.models.llm.prices import Prices

    table = Prices.load(own)
    found = {name: table.of(name) for name in models} if models else table.entries()
    rows = [_row(name, price, date.today()) for name, price in found.items()]
    if as_json:
        print_json({"prices": rows}, ascii_only=True)
        return
    from ragassay.report.calls import blocks_of_prices
    from ragassay.report.terminal import show

    show(blocks_of_prices(rows, OLD_DAYS))


def _row(name: str, price: Price | None, today: date) -> dict[str, Any]:
    """None throughout for a model whose price is not known."""
    as_of = price.as_of if price else None
    return {
        "model": name,
        "prompt": price.prompt if price else None,
        "cached": price.cached if price else None,
        "completion": price.completion if price else None,
        "as_of": as_of.isoformat() if as_of else None,
        "age_days": (today - as_of).days if as_of else None,
        "table": price.table or None if price else None,
        "source": price.source or None if price else None,
    }
