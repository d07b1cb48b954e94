"""Tests of promptfoo: a list in YAML, one question each, to be named as ``tests: file://tests.yaml``.

Source: https://www.promptfoo.dev/docs/configuration/test-cases/. promptfoo renders variables and values of assertions
as Nunjucks templates, a prompt once more with all that was put into it, and takes texts that begin with ``file://`` for
names of files: such texts are written as raw blocks, which come out as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ragassay.datasets.foreign import label_in
from ragassay.datasets.format import Format, Notes, Peek, Record, Source
from ragassay.datasets.lines import Row, note_other_fields, text_of, texts_of, without_surrogates
from ragassay.datasets.row_records import References
from ragassay.errors import InputError
from ragassay.plain_files import read_plain
from ragassay.records import Example

_TEMPLATE = re.compile(r"\{\{|\{%|\{#|\}\}|%\}|#\}")
_LOADED = re.compile(r"\s*(\w[\w+.-]*://|package:)")
"""``file://`` and ``package:``, which promptfoo loads, and other addresses, which it may."""
_RAW, _END = "{% raw %}", "{% endraw %}"
_BROKEN_END = re.compile(r"\{%-?\s*(?:end)?raw\s*-?%\}")
MOST_DEPTH = 100
"""Levels of lists and objects in each other."""
_SPLIT = "{% endraw %}{{ '{%' }}{% raw %}"
"""Stands for the two characters that begin the end of a raw block."""
_VARIABLE = re.compile(r"\{\{(?=\s*\w+\s*\}\})")
"""Names of variables are replaced in raw blocks, too, before these are read."""
_SPLIT_VARIABLE = "{% endraw %}{{ '{{' }}{% raw %}"
_LINE_ENDS = re.compile("[\x85\u2028\u2029]")
"""Line ends to YAML 1.1, which would be folded; not to 1.2, by which promptfoo reads."""


def quoted(text: str) -> str:
    """The text so that promptfoo gives it back as it is."""
    if not (_TEMPLATE.search(text) or _LOADED.match(text)):
        return text
    inner = text.replace("{%", _SPLIT) if _BROKEN_END.search(text) else text
    return f"{_RAW}{_VARIABLE.sub(_SPLIT_VARIABLE, inner)}{_END}"


def unquoted(text: str) -> str:
    """The text as it was before ``quoted``."""
    if text.startswith(_RAW) and text.endswith(_END):
        return text[len(_RAW) : -len(_END)].replace(_SPLIT_VARIABLE, "{{").replace(_SPLIT, "{%")
    return text


def _recognises(peek: Peek) -> bool:
    return peek.suffix in (".yaml", ".yml") and not peek.keys.isdisjoint(("tests", "vars"))


def _read(source: Source, notes: Notes) -> Iterator[Record]:
    references = References(source)
    yield from references.documents(notes)
    for number, test in enumerate(_tests(source.path), start=1):
        where = f"{source.path.name} test {number}"
        variables = test.get("vars") if isinstance(test, dict) else None
        if not isinstance(variables, dict):
            notes.fault(f"{where}: vars must be an object")
            continue
        question = next((name for name in ("question", "query", "input", "prompt") if name in variables), "question")
        meta = test.get("metadata") if isinstance(test.get("metadata"), dict) else {}
        row = Row(where, {**variables, "question": variables.get(question), "id": meta.get("id")})
        note_other_fields(row, frozenset({"question", question, "reference", "reference_contexts", "id"}), notes)
        asked, answer = text_of(row, "question", notes), text_of(row, "reference", notes, default="")
        contexts, name = texts_of(row, "reference_contexts", notes), text_of(row, "id", notes, default="")
        if asked is None or answer is None or contexts is None or name is None:
            continue
        documents, example = references.example(
            map(_plain, contexts),
            where,
            origin="promptfoo",
            question=_plain(asked),
            answer=_plain(answer),
            example_id=name or None,
            label=label_in(meta.get("label"), notes),
        )
        yield from documents
        yield example


def _plain(text: str) -> str:
    plain: str = without_surrogates(unquoted(text))
    return plain


def _tests(path: Path) -> list[Any]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        source = read_plain(path)
        depth = 0
        for event in yaml.parse(source, Loader=loader):  # loading goes as deep as the text, and dies of it
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > MOST_DEPTH:
                raise InputError(f"{path.name}: nested more than {MOST_DEPTH} levels deep; promptfoo tests never are")
        value = yaml.load(source, Loader=loader)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError) as error:
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        where = path.name if line is None else f"{path.name} line {line + 1}"
        raise InputError(f"{where}: not valid YAML ({_problem(error)})") from None
    tests = value.get("tests") if isinstance(value, dict) else value
    if not isinstance(tests, list):
        raise InputError(f"{path.name}: must hold a list of tests; name the promptfoo file that has them")
    return tests


def _problem(error: Exception) -> str:
    return getattr(error, "problem", None) or "out of range"


def _write(path: Path, records: Iterable[Record], notes: Notes) -> None:
    import yaml

    class Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
        """Writes line ends of YAML 1.1 as escapes."""

    def written(dumper: Any, text: str) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if _LINE_ENDS.search(text) else None)

    Dumper.add_representer(str, written)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        empty = True
        for record in records:
            if isinstance(record, Example):
                yaml.dump([_test(record)], file, Dumper=Dumper, allow_unicode=True, sort_keys=False, width=1_000_000)
                empty = False
        if empty:
            file.write("[]\n")


def _test(example: Example) -> dict[str, Any]:
    test: dict[str, Any] = {
        "vars": {"question": quoted(example.question), "reference": quoted(example.answer)},
        "options": {"disableVarExpansion": True},  # else a list of contexts would be one test each
        "metadata": {"id": example.id, "label": example.label},
    }
    if example.references:
        test["vars"]["reference_contexts"] = [quoted(span.text) for span in example.references]
    if example.answer:
        test["assert"] = [{"type": "factuality", "value": quoted(example.answer)}]
    return test


FORMAT = Format(
    name="promptfoo",
    title="promptfoo: tests in YAML",
    holds=frozenset({"example ids", "questions", "answers", "references"}),
    suffixes=(".yaml",),
    writes=(".yaml",),
    recognises=_recognises,
    read=_read,
    by_text=True,
    write=_write,
)
