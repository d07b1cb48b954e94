"""What "make docs" adds to the pages of docs/: pages beside that folder, what is made of the code, navigation, a check.

Nothing here imports the package: the site is built in an environment of its own.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src"
COMMANDS = ROOT / "build" / "commands.md"
"""Made by docs/site/commands.py."""
MOVED = {
    "README.md": "index.md",
    "docs/README.md": "pages.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "reporting.md",
    "examples/gated/README.md": "gated.md",
}
"""Files of the repository to pages; what is in docs/ keeps its name."""
SOURCES = {page: source for source, page in MOVED.items()}
LINK = re.compile(r"(?<=\]\()[^)\s]+(?=\))")
ASSET = re.compile(r"<(?:script|link|img|iframe|source|video|audio)\b[^>]*?\b(?:src|href)=[\"']?(?:https?:)?//[^>]*>")
REFERENCE = ("metrics.md", "functions.md", "commands.md")
RECORDS = "Document Span Example Chunk RankedChunk Prediction Score".split()


# navigation


def on_config(config: Any) -> Any:
    config.nav = [*_sections(), {"All pages, words": "pages.md"}]
    return config


def _sections() -> Iterator[dict[str, Any]]:
    """The lists of docs/README.md, and of the index of decisions, as they stand."""
    _, *parts = re.split(r"^## ", (ROOT / "docs" / "README.md").read_text("utf-8"), flags=re.MULTILINE)
    for part in parts:
        title, _, body = part.partition("\n")
        pages: list[Any] = [{name: _page("docs/README.md", target)} for name, target in _rows(body)]
        if title == "Reference":
            records = (ROOT / "docs" / "decisions" / "README.md").read_text("utf-8")
            pages += [{name: _page("docs/decisions/README.md", target)} for name, target in _rows(records)]
            pages[1:1] = [{"Functions and records": "functions.md"}, {"Commands": "commands.md"}]
        if title == "Evaluate a system":
            pages += [{"A gated system": "gated.md"}]
        if title == "Models and machines":
            pages += [{"Reporting a weakness": "reporting.md"}]
        if pages:
            yield {title: pages}


def _rows(text: str) -> list[tuple[str, str]]:
    return re.findall(r"^- \[([^\]]+)\]\(([^)#]+)\):", text, re.MULTILINE)


# pages beside docs/, and links to them


def on_files(files: Files, config: Any) -> Files:
    readme = files.get_file_from_path("README.md")
    assert readme is not None
    files.remove(readme)
    if not COMMANDS.is_file():
        raise PluginError(f"{COMMANDS} is missing; run make docs, which makes it")
    made = {page: (ROOT / source).read_text("utf-8") for source, page in MOVED.items()}
    made |= {"functions.md": "\n".join(_functions()), "commands.md": COMMANDS.read_text("utf-8")}
    for page, text in made.items():
        files.append(File.generated(config, page, content=text))
    for source in sorted(_linked_files()):
        files.append(File.generated(config, _page("", source), abs_src_path=str(ROOT / source)))
    return files


def _linked_files() -> Iterator[str]:
    """What pages link to that is no page and not in docs/."""
    pages = [*MOVED, *(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))]
    seen = set()
    for page in pages:
        for target in LINK.findall((ROOT / page).read_text("utf-8")):
            source = _source(page, target)
            if source and source not in MOVED and not source.startswith("docs/") and source not in seen:
                seen.add(source)
                yield source


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    here = page.file.src_uri
    page.meta["search"] = {"boost": 0.5 if here.startswith("decisions/") else 2 if here in REFERENCE else 1}
    if here == "metrics.md":
        page.meta["hide"] = ["toc"]  # its tables are wide
    source = SOURCES.get(here, f"docs/{here}")

    def relative(match: re.Match[str]) -> str:
        path, mark, anchor = match[0].partition("#")
        if not _source(source, path):
            return match[0]
        return posixpath.relpath(_page(source, path), posixpath.dirname(here) or ".") + mark + anchor

    return LINK.sub(relative, markdown)


def _source(page: str, target: str) -> str | None:
    """The file of the repository that a link of one of its pages names; None for a link that names none."""
    path = target.partition("#")[0]
    named = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
    return named if path and ":" not in path and (ROOT / named).is_file() else None


def _page(page: str, target: str) -> str:
    """Where the file that a link names is in the site; the link itself, which mkdocs then finds fault with, if none."""
    source = _source(page, target)
    if source is None:
        return target
    if source in MOVED:
        return MOVED[source]
    return source.removeprefix("docs/") if source.startswith("docs/") else f"files/{posixpath.basename(source)}.txt"


# functions and records


def _functions() -> Iterator[str]:
    """The page of all public functions and of the classes of what they return, for mkdocstrings."""
    yield "# Functions and records\n"
    yield "[From Python](python.md) shows how they go together. Made of the code.\n"
    public = _imports(PACKAGE / "ragassay" / "__init__.py")
    del public["__version__"]
    results: dict[str, str] = {}
    for module in dict.fromkeys(public.values()):
        tree, known = _tree(module), _imports(_path(module))
        yield f"## {str(ast.get_docstring(tree)).splitlines()[0].rstrip('.')}\n"
        for name in (name for name, home in public.items() if home == module):
            yield f"::: {module}.{name}\n"
            function = [each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == name][-1]
            returned = [each.id for each in ast.walk(function.returns or tree) if isinstance(each, ast.Name)]
            results |= {each: known[each] for each in returned if known.get(each, "").startswith("ragassay.")}
    yield "## Results\n"
    yield from (f"::: {module}.{name}\n" for name, module in sorted(results.items()))
    yield "## Records\n"
    yield from (f"::: ragassay.records.{name}\n" for name in RECORDS)


def _imports(path: Path) -> dict[str, str]:
    """Name to the module that it is imported from, anywhere in a file."""
    nodes = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ImportFrom))
    return {alias.asname or alias.name: str(node.module) for node in nodes for alias in node.names}


def _path(module: str) -> Path:
    return PACKAGE / f"{module.replace('.', '/')}.py"


def _tree(module: str) -> ast.Module:
    return ast.parse(_path(module).read_text("utf-8"))


# check


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Nothing in the site comes from another server."""
    found = ASSET.search(re.sub(r"<link[^>]*rel=\"?canonical[^>]*>", "", output))
    if found:
        raise PluginError(f"{page.file.src_uri}: the page loads from another server: {found[0]}")
    return output
