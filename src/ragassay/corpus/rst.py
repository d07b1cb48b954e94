"""reStructuredText to text and blocks, by way of the HTML that docutils makes of it."""

from __future__ import annotations

from ragassay.corpus.html import read_html
from ragassay.corpus.parsed import ParsedText


def read_rst(source: str) -> ParsedText:
    """Text and structure of a reStructuredText file. Files are never included and nothing is run."""
    from docutils.core import publish_parts

    parts = publish_parts(
        source,
        writer="html4css1",
        settings_overrides={
            "file_insertion_enabled": False,
            "raw_enabled": False,
            "_disable_config": True,
            "report_level": 5,
            "halt_level": 5,
            "doctitle_xform": False,
            "math_output": "LaTeX",
            "embed_stylesheet": False,
            "stylesheet_path": "",
            "syntax_highlight": "none",
        },
    )
    return read_html(parts["html_body"])
