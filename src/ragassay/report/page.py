"""What all pages share: templates in which every text is escaped, style and script with their policy, numbering."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ragassay.report import charts, compared_tables, judge_trust_tables, panel_tables, tables, wording
from ragassay.report.items import Items, embedded, packed
from ragassay.report.safe_text import visible


@cache
def environment() -> Environment:
    """Every expression in a template passes ``_printable`` and is then escaped, unless it is markup made here."""
    made = Environment(
        loader=PackageLoader("ragassay.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(charts=charts, compared_tables=compared_tables, tables=tables)
    made.globals.update(paneling=panel_tables, trusting=judge_trust_tables, words=wording)
    return made


def _printable(value: object) -> object:
    return value if isinstance(value, Markup) else visible(str(value))


def render_page(
    template: str, version: str, *, items: Items | None = None, results: str | None = None, **shown: object
) -> str:
    """The whole page as text, to be written as UTF-8: no network, all but its tables without a script.

    version: of ragassay, which makes the page. items: for the table of single items; none without. results: packed rows
    of the table of all results; none without. shown: what the template lays out.
    """
    tables = [*(["results.js"] if results else []), *(["items.js"] if items else [])]
    css = asset("report.css") + (asset("items.css") if tables else "")
    script = (table_script(*tables) if tables else "") + asset("report.js")
    return (
        environment()
        .get_template(template)
        .render(
            version=version,
            css=Markup(css),
            script=Markup(script),
            policy=content_security_policy(css, script),
            items_data=Markup(embedded(items)) if items else None,
            items_details=Markup(packed(items)) if items else None,
            results_data=Markup(results) if results else None,
            numbered=Numbering(),
            outline=[],
            **shown,
        )
    )


def asset(name: str) -> str:
    """A style sheet or script of the page as text."""
    return files("ragassay.report").joinpath("templates", name).read_text(encoding="utf-8")


def table_script(*names: str) -> str:
    """The scripts of tables, with what they share."""
    return asset("table.js") + "".join(map(asset, names))


def content_security_policy(css: str, script: str) -> str:
    """Only the page's own style and script run, known by their hashes; nothing is loaded from anywhere."""
    return (
        f"default-src 'none'; style-src {_source(css)}; script-src {_source(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def script_sources() -> str:
    """The hashes of all scripts that pages of this version have, for a policy."""
    every = asset("report.js")
    tables = [["items.js"], ["results.js"], ["results.js", "items.js"]]
    return " ".join(_source(table + every) for table in ("", *(table_script(*names) for names in tables)))


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


class Numbering:
    """Counts tables and figures in the order in which the page shows them."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def __call__(self, kind: str) -> str:
        self._counts[kind] += 1
        return f"{kind} {self._counts[kind]}."
