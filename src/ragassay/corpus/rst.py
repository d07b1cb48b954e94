"""reStructuredText to text and blocks, by way of the HTML that docutils makes of it."""

from __future__ import annotations

import re
from typing import Any

from ragassay.corpus.html import read_html
from ragassay.corpus.parsed import ParsedText, UnreadableError

_LONGEST_LINE = 10_000
"""docutils makes nothing of a text with a longer line: its expressions would take too long."""
_SETTINGS: dict[str, Any] = {
    "line_length_limit": _LONGEST_LINE,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "report_level": 5,
    "halt_level": 5,
    "doctitle_xform": False,
    "docinfo_xform": False,
    "math_output": "LaTeX",
    "embed_stylesheet": False,
    "stylesheet_path": "",
    "syntax_highlight": "none",
    "smart_quotes": False,
    "initial_header_level": 1,
}
_NESTED_TOO_DEEP = "its markup is nested too deep"
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){3,}")
"""docutils needs quadratic time for a run of blank lines."""
_UNRESOLVED = re.compile(r"\|(release|version|today)\|")


def read_rst(source: str) -> ParsedText:
    """Text and structure of a reStructuredText file. Files are never included and nothing in it is run.

    Sphinx's directives and roles are read for what a person sees of them. Raises UnreadableError when a line is too
    long, the markup nested too deep, or its substitutions make it absurdly long.
    """
    longest = max(map(len, source.splitlines()), default=0)
    if longest > _LONGEST_LINE:
        raise UnreadableError(f"a line has {longest:,} characters, more than the limit of {_LONGEST_LINE:,}")
    from docutils import nodes
    from docutils.core import publish_doctree, publish_from_doctree

    from ragassay.corpus import rst_substitutions, sphinx_markup

    sphinx_markup.register_unknown(source)
    try:
        tree = publish_doctree(
            _BLANK_LINES.sub("\n\n\n", _UNRESOLVED.sub("", source)),
            reader=rst_substitutions.Reader(),
            settings_overrides=_SETTINGS,
        )
        for message in list(tree.findall(nodes.system_message)):
            message.parent.remove(message)
        for mark in list(tree.findall(nodes.problematic)):
            mark.parent.replace(mark, nodes.Text(mark.astext().strip("`|_*")))
        for literal in tree.findall(nodes.literal):
            literal["classes"].append("code")  # the writer makes <code> of these, and <span> of others
        page = publish_from_doctree(tree, writer="html5", settings_overrides=_SETTINGS)
    except rst_substitutions.TooLongError as error:
        raise UnreadableError(str(error)) from None
    except RecursionError:
        raise UnreadableError(_NESTED_TOO_DEEP) from None
    text = page.decode("utf-8") if isinstance(page, bytes) else str(page)
    return read_html(text[text.index("<body") :])  # the head would only name docutils' idea of the file as the title
