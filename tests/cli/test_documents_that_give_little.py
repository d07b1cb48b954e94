"""Documents that a set cannot be made from without a key: one sentence that names them, and nothing half-written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

Cli = Callable[..., Any]

FRENCH = (
    "# Guide du ferry\n\nLe ferry part tous les jours à neuf heures du port de Ribe. Un billet coûte douze euros et "
    "les enfants voyagent gratuitement. Les passagers doivent arriver quinze minutes avant le départ.\n"
)
RUSSIAN = (
    "# Паром\n\nПаром отправляется каждый день в девять часов из порта. Билет стоит двенадцать евро, дети едут "
    "бесплатно. Пассажиры должны прибыть за пятнадцать минут до отправления.\n"
)
TABLE = "| City | Limit |\n| --- | --- |\n| Bergen | 140 euros |\n| Oslo | 190 euros |\n| Tromso | 120 euros |\n"
CODE = "```python\nimport os\n\ndef main(path):\n    return os.listdir(path)\n```\n"
MIXED = (
    "# Guide\n\nThe ferry to Ribe leaves at 9:00 every day. A ticket costs 12 euros. It was built in Oskay in 1998.\n\n"
    "## 指南\n\n渡轮每天上午九点开往里伯。车票价格为十二欧元。请提前十五分钟到达码头。\n\n"
    "Die Fähre fährt jeden Tag um neun Uhr. Eine Fahrkarte kostet zwölf Euro.\n"
)
_HAN = re.compile("[\u4e00-\u9fff]")


class Case(NamedTuple):
    """files: name to text. codes: that the command may exit with. said: in its sentence, if it ends with one."""

    files: Mapping[str, str]
    codes: frozenset[int]
    said: str = ""


MADE_OR_NOT = frozenset({0, 5})
CASES = {
    "an empty folder": Case({}, frozenset({3}), "is an empty folder"),
    "files of no text": Case({"a.md": "", "b.md": " \n"}, frozenset({3}), "every file was skipped, first a.md"),
    "code alone": Case({"main.py": "print(1)\n"}, frozenset({3}), "documents have one of the extensions .md"),
    "code in a page": Case({"main.md": CODE}, MADE_OR_NOT, "(--model)"),
    "one line each": Case({"a.md": "Parking is free.\n", "b.txt": "Dogs are allowed.\n"}, MADE_OR_NOT, "(--model)"),
    "a table alone": Case({"limits.md": TABLE}, MADE_OR_NOT, "(--model)"),
    "a page in three languages": Case({"guide.md": MIXED}, MADE_OR_NOT, "(--model)"),
    "French": Case({"guide.md": FRENCH}, frozenset({5}), "The documents are in French: without"),
    "Russian": Case({"guide.md": RUSSIAN}, frozenset({5}), "The documents are in Russian: without"),
}


@pytest.mark.parametrize("command", ["synthesize", "run"])
@pytest.mark.parametrize("name", CASES)
def test_documents_that_give_little(cli: Cli, tmp_path: Path, name: str, command: str) -> None:
    case, documents, out = CASES[name], tmp_path / "documents", tmp_path / "out"
    documents.mkdir()
    for file, text in case.files.items():
        (documents / file).write_text(text, "utf-8")
    outcome = cli(command, documents, "--out", out, "--n", "4", "--json")
    assert outcome.code in case.codes, outcome.err
    told = [line for line in outcome.err.splitlines() if line.startswith("ragassay: ")]
    assert told == outcome.err.splitlines()  # no traceback, no warning
    if outcome.code:
        assert case.said in told[-1]
        assert str(documents) in told[-1]
    if outcome.code == 3:
        assert (outcome.out, out.exists()) == ("", False)
        return
    assert json.loads((out / "run.json").read_text("utf-8"))["state"] == "finished"
    assert not [path.name for path in out.rglob("*") if path.name.startswith(("progress", ".")) or ".part" in path.name]
    examples = [json.loads(line) for line in (out / "examples.jsonl").read_text("utf-8").splitlines()]
    assert len(examples) == outcome.json["examples"]
    assert bool(examples) is (outcome.code == 0)
    for example in examples:  # asked in a language of its passage
        assert not _HAN.search(example["question"]) or _HAN.search(example["context"]["text"])
