"""The fingerprint of a system's code changes with what it does, and with nothing else."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from ragassay.systems.code import code_of

RAG = '''
"""Answers."""
import json
TOP_K = 3
WORDS = {"say": "tell"}

def rank(question):
    WORDS[question] = question
    return sorted(question.split())[:TOP_K]

def answer(question):
    """Answers a question."""
    return " ".join(rank(question))  # joined

def made(prompt):
    def inner(question):
        return prompt + answer(question)
    return inner

class Rag:
    """A system."""
    def __init__(self, k=2):
        self.k = k
        self.cache = {"prompt": "Say it."}
    def __call__(self, question):
        return self.shown(question)[: self.k]
    def shown(self, question):
        return answer(question)
'''


@pytest.fixture
def load(tmp_path: Path) -> Any:
    count = 0

    def loaded(source: str) -> Any:
        nonlocal count
        count += 1
        path = tmp_path / f"rag_{count}.py"
        path.write_text(source, "utf-8")
        spec = importlib.util.spec_from_file_location("rag", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return loaded


@pytest.mark.parametrize(
    ("old", "new", "is_seen"),
    [
        ("# joined", "# put together", False),
        ('"""Answers."""\n', '\n\n\n"""Answers."""\n', False),
        ("Answers a question.", "Answers one question.", True),  # a docstring may be a prompt
        ('" ".join', '", ".join', True),
        ("sorted(question.split())", "question.split()", True),  # in a function that it calls
        ("TOP_K = 3", "TOP_K = 4", True),  # in a constant that that one uses
        ('"say": "tell"', '"say": "shout"', True),
    ],
)
def test_changes_of_a_function(load: Any, old: str, new: str, is_seen: bool) -> None:
    assert old in RAG
    before, after = load(RAG), load(RAG.replace(old, new))
    before.answer("what fills while it runs is no code")
    assert (code_of(before.answer) != code_of(after.answer)) is is_seen
    assert (code_of(before.Rag()) != code_of(after.Rag())) is is_seen


@pytest.mark.parametrize("more", ["+" + "+".join("1" * 1500), f"  # {'x' * 1_000_000}"], ids=["deep", "large"])
def test_code_whose_syntax_is_not_looked_at_counts_as_it_stands(load: Any, more: str) -> None:
    one, other = (load(f"def answer(question):\n    return {number}{more}\n").answer for number in (1, 2))
    assert code_of(one) not in (code_of(other), None)


def test_values_that_a_system_keeps(load: Any) -> None:
    module = load(RAG)
    assert code_of(module.made("a")) == code_of(module.made("a"))
    assert code_of(module.made("a")) != code_of(module.made("b"))
    assert code_of(module.Rag(2)) == code_of(module.Rag(2))
    assert code_of(module.Rag(2)) != code_of(module.Rag(3))
    assert code_of(module.Rag(2).shown) == code_of(module.Rag(2).shown)
    used = module.Rag(2)
    used.cache["question"] = "answer"
    used.created, used.session = 1_790_000_000.5, "0f8fad5b-d9cb-469f-a165-70867728950e"
    assert code_of(used) == code_of(module.Rag(2))


LAYOUTS = {
    "cut by a local module": {
        "rag.py": "import cutting\nP = cutting.cut('a b')\ndef answer(q):\n    return P[0]\n",
        "cutting.py": "from splitting import split\ndef cut(t):\n    return split(t)\n",
        "splitting.py": "def split(t):\n    return t.split('X')\n",
    },
    "imported when it is needed": {
        "rag.py": "def answer(q):\n    from cutting import cut\n    return cut(q)\n",
        "cutting.py": "def cut(t):\n    return t.split('X')\n",
    },
    "a package": {
        "rag/__init__.py": "from .answering import answer\n",
        "rag/answering.py": "from . import cutting\nP = cutting.cut('a b')\ndef answer(q):\n    return P[0]\n",
        "rag/cutting.py": "def cut(t):\n    return t.split('X')\n",
    },
    "behind a decorator of a library": {
        "rag.py": "import functools\ndef cut(t):\n    return t.split('X')\n"
        "@functools.lru_cache\ndef answer(q):\n    return cut(q)\n"
    },
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_done_at_import_and_by_what_is_imported_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, layout: str
) -> None:
    """Only what ``answer`` calls was looked at once: a cut of the documents at import was none of it."""
    monkeypatch.syspath_prepend(str(tmp_path))
    names = ("rag", "rag.answering", "rag.cutting", "cutting", "splitting")
    for name in names:  # which other tests have, too: gone from there at the end
        monkeypatch.setitem(sys.modules, name, sys)
    codes = []
    for by in ("X", " ", "X"):
        for name, text in LAYOUTS[layout].items():
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text.replace("'X'", f"{by!r}"), "utf-8")
        for name in names:
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        codes.append(code_of(importlib.import_module("rag").answer))
    assert codes[0] is not None
    assert codes[0] == codes[2] != codes[1]
