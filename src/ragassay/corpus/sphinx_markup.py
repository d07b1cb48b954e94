"""Sphinx's directives and roles for docutils, which does not know them: read for what a person sees of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive, directives, roles
from docutils.parsers.rst.languages import en
from docutils.parsers.rst.states import Inliner

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


class _AnyOption(dict[str, Callable[[str], str]]):
    """Takes every option of a directive as it is."""

    def __missing__(self, name: str) -> Callable[[str], str]:
        return directives.unchanged

    def __bool__(self) -> bool:
        return True


class _Lenient(Directive):
    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[Any] = _AnyOption()

    def _children(self) -> list[nodes.Node]:
        holder = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, holder)
        return list(holder.children)


class _Dropped(_Lenient):
    def run(self) -> Sequence[nodes.Node]:
        return []


class _Contents(_Lenient):
    """A directive of which the content is what counts."""

    def run(self) -> Sequence[nodes.Node]:
        return self._children()


class _Listing(_Lenient):
    def run(self) -> Sequence[nodes.Node]:
        text = "\n".join(self.content)
        return [nodes.literal_block(text, text)] if text.strip() else []


class _Described(_Lenient):
    """An object with its description: term and definition."""

    def run(self) -> Sequence[nodes.Node]:
        signatures = [line.strip().rstrip("\\") for line in (self.arguments or [""])[0].split("\n") if line.strip()]
        children = self._children()
        if not signatures:
            return children
        term = nodes.term()
        for number, signature in enumerate(signatures):
            if number:
                term += nodes.Text(", ")
            term += nodes.literal(signature, signature)
        entry = nodes.definition_list_item("", term, nodes.definition("", *children))
        return [nodes.definition_list("", entry)]


class _Version(_Lenient):
    """ "versionadded:: 3.2" and its like, as a sentence."""

    def run(self) -> Sequence[nodes.Node]:
        version, rest = [*(self.arguments or [""])[0].split(None, 1), "", ""][:2]
        lead = _VERSIONS[self.name].format(version)
        parsed, _ = self.state.inline_text(rest, self.lineno) if rest else ([], [])
        paragraph = nodes.paragraph("", "", nodes.Text(lead + (": " if rest else ".")), *parsed)
        return [paragraph, *self._children()]


class _SeeAlso(_Lenient):
    def run(self) -> Sequence[nodes.Node]:
        heading = nodes.paragraph("", "See also")
        return [heading, *self._children()]


def register_unknown(source: str) -> None:
    """Makes docutils understand every directive and role of a text that it does not know yet."""
    known_directives: Mapping[str, str] = en.directives
    for name in set(_DIRECTIVE.findall(source)):
        if name.lower() not in known_directives or name in _DROPPED:
            directives.register_directive(name, _directive_for(name))
    known_roles: Mapping[str, str] = en.roles
    for name in set(_ROLE.findall(source)):
        if name.lower() not in known_roles:
            roles.register_local_role(name, _role)  # type: ignore[arg-type]  # the stubs know only references


def _directive_for(name: str) -> type[Directive]:
    short = name.rpartition(":")[2]
    if short in _DROPPED or short.startswith("auto"):
        return _Dropped
    if short in _VERSIONS:
        return _Version
    if short in _LISTINGS:
        return _Listing
    if short == "seealso":
        return _SeeAlso
    return _Described if short in _DESCRIPTIONS or ":" in name else _Contents


def _role(
    name: str,
    rawtext: str,
    text: str,
    lineno: int,
    inliner: Inliner,
    options: Mapping[str, Any] | None = None,
    content: Sequence[str] = (),
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """A cross reference: its title, or the last part of its target; in code unless it refers to prose."""
    title, _, target = text.removesuffix(">").rpartition("<")
    titled = text.endswith(">") and bool(title.strip()) and bool(target) and ">" not in target
    if titled:
        shown = title.rstrip()
    else:
        shown = text.lstrip("!")
        if shown.startswith("~"):
            shown = shown[1:].rpartition(".")[2]
    shown = nodes.unescape(shown)
    short = name.rpartition(":")[2]
    if short in ("pep", "rfc") and not titled:
        shown = f"{short.upper()} {shown}"
    prose = short in _PROSE_ROLES
    return [nodes.inline(shown, shown) if prose else nodes.literal(shown, shown)], []
