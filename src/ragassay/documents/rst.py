"""reStructuredText to text and blocks, by way of the HTML that docutils makes of it.

Sphinx's directives and roles, which docutils does not know, are read for what a person sees of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from docutils import nodes
from docutils.core import publish_doctree, publish_from_doctree
from docutils.parsers.rst import Directive, directives, roles
from docutils.parsers.rst.languages import en
from docutils.parsers.rst.states import Inliner

from ragassay.documents.html import read_html
from ragassay.documents.parsed import ParsedText, UnreadableError

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
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){3,}")
"""docutils needs quadratic time for a run of blank lines."""
_UNRESOLVED = re.compile(r"\|(release|version|today)\|")
_DIRECTIVE = re.compile(r"^[ \t]*(?:\.\. |\S[^\n|]*\|[ \t]+)([a-zA-Z][\w:.+-]*?)::(?:\s|$)", re.MULTILINE)
_ROLE = re.compile(r":([a-zA-Z][\w:+.-]{0,80}):`")
"""Bounded: a line of ":a:a:a" would be searched to its end from every colon."""
_PROSE_ROLES = frozenset(
    "ref doc term any abbr guilabel menuselection numref dfn download pep rfc cve cwe source".split()
)
_DESCRIPTIONS = frozenset(
    """
    function method classmethod staticmethod decorator decoratormethod class exception attribute data property module
    type var macro member struct union enum enumerator option cmdoption envvar confval describe object opcode program
    pdbcommand program_option setting django-admin templatetag templatefilter fieldlookup
    """.split()
)
_DROPPED = frozenset(
    """
    toctree index currentmodule highlight literalinclude automodule autoclass autofunction autosummary tabularcolumns
    sectionauthor codeauthor default-domain testsetup testcleanup include raw meta image figure graphviz only-latex
    miscnews impl-detail-index sidebar contents role default-role module
    """.split()
)
_LISTINGS = frozenset("code-block sourcecode testcode testoutput doctest prompt parsed-literal productionlist".split())
_VERSIONS = {
    "versionadded": "Added in version {}",
    "versionchanged": "Changed in version {}",
    "deprecated": "Deprecated since version {}",
    "deprecated-removed": "Deprecated since version {}",
    "versionremoved": "Removed in version {}",
}


def read_rst(source: str) -> ParsedText:
    """Read text and structure of a reStructuredText file. Files are never included and nothing in it is run.

    Raises UnreadableError where a line is too long or the markup nested too deep.
    """
    longest = max(map(len, source.splitlines()), default=0)
    if longest > _LONGEST_LINE:
        raise UnreadableError(f"a line has {longest:,} characters, more than the limit of {_LONGEST_LINE:,}")
    known_directives: Mapping[str, str] = en.directives  # and whatever else the text names is made known here
    for name in set(_DIRECTIVE.findall(source)):
        if name.lower() not in known_directives or name in _DROPPED:
            directives.register_directive(name, _SphinxDirective)
    known_roles: Mapping[str, str] = en.roles
    for name in set(_ROLE.findall(source)):
        if name.lower() not in known_roles:
            roles.register_local_role(name, _role)  # type: ignore[arg-type]  # the stubs know only references
    try:
        tree = publish_doctree(_BLANK_LINES.sub("\n\n\n", _UNRESOLVED.sub("", source)), settings_overrides=_SETTINGS)
        for message in list(tree.findall(nodes.system_message)):
            message.parent.remove(message)
        for mark in list(tree.findall(nodes.problematic)):
            mark.parent.replace(mark, nodes.Text(mark.astext().strip("`|_*")))
        for literal in tree.findall(nodes.literal):
            literal["classes"].append("code")  # the writer makes <code> of these, and <span> of others
        page = publish_from_doctree(tree, writer="html5", settings_overrides=_SETTINGS)
    except RecursionError:
        raise UnreadableError("its markup is nested too deep") from None
    text = page.decode("utf-8") if isinstance(page, bytes) else str(page)
    return read_html(text[text.index("<body") :])  # the head would only name docutils' idea of the file as the title


class _AnyOption(dict[str, Callable[[str], str]]):
    """Takes every option of a directive as it is."""

    def __missing__(self, name: str) -> Callable[[str], str]:
        return directives.unchanged

    def __bool__(self) -> bool:
        return True


class _SphinxDirective(Directive):
    """A directive that docutils does not know, by its name; what is not listed above is read for its content."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[Any] = _AnyOption()

    def run(self) -> Sequence[nodes.Node]:
        short = self.name.rpartition(":")[2]
        if short in _DROPPED or short.startswith("auto"):
            return []
        if short in _LISTINGS:
            text = "\n".join(self.content)
            return [nodes.literal_block(text, text)] if text.strip() else []
        holder = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, holder)
        children = list(holder.children)
        argument = (self.arguments or [""])[0]
        if short in _VERSIONS:
            version, rest = [*argument.split(None, 1), "", ""][:2]
            lead = _VERSIONS[short].format(version)
            parsed, _ = self.state.inline_text(rest, self.lineno) if rest else ([], [])
            return [nodes.paragraph("", "", nodes.Text(lead + (": " if rest else ".")), *parsed), *children]
        if short == "seealso":
            return [nodes.paragraph("", "See also"), *children]
        signatures = [line.strip().rstrip("\\") for line in argument.split("\n") if line.strip()]
        if not signatures or not (short in _DESCRIPTIONS or ":" in self.name):
            return children
        term = nodes.term()
        for number, signature in enumerate(signatures):
            if number:
                term += nodes.Text(", ")
            term += nodes.literal(signature, signature)
        entry = nodes.definition_list_item("", term, nodes.definition("", *children))
        return [nodes.definition_list("", entry)]


def _role(
    name: str,
    rawtext: str,
    text: str,
    lineno: int,
    inliner: Inliner,
    options: Mapping[str, Any] | None = None,
    content: Sequence[str] = (),
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Read a cross reference: its title, or the last part of its target; in code unless it refers to prose."""
    title, _, target = text.removesuffix(">").rpartition("<")
    titled = text.endswith(">") and bool(title.strip()) and bool(target) and ">" not in target
    shown = title.rstrip() if titled else text.lstrip("!")
    if not titled and shown.startswith("~"):
        shown = shown[1:].rpartition(".")[2]
    shown = nodes.unescape(shown)
    short = name.rpartition(":")[2]
    if short in ("pep", "rfc") and not titled:
        shown = f"{short.upper()} {shown}"
    return [nodes.inline(shown, shown) if short in _PROSE_ROLES else nodes.literal(shown, shown)], []
