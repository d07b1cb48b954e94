"""Schemas inferred from documents of DragonBall without a language model, and scenarios made from them.

    python benchmarks/inferred_schemas.py OUT [--shared ../shared/data] [--seed 0] [--page docs/inferred-schemas.md]

For three domains, two languages, four and ten seeds at equal distances: ``schema infer``, ``scenario generate`` of 20
documents, ``scenario check``. Prints the table and the fields, or writes them between the marks of --page; OUT gets the
schemas, the scenarios and ``sheet.md`` for a reader: twenty documents, one or two of each scenario, and of each every
twentieth question from the eighth on.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

DOMAINS = {"Finance": "Finance", "Law": "Law", "Medical": "Medicine"}
LANGUAGES = {"en": "English", "zh": "Chinese"}
KINDS = {"option": "category", "text": "free text", "number": "amount", "records": "list of records"}
TABLE, FIELDS = ("<!-- table -->", "<!-- /table -->"), ("<!-- fields -->", "<!-- /fields -->")
HEADS = "| Seeds | Fields | Sections | Multi-hop patterns | Temporal patterns | Values | Questions missing |"


def ragassay(*arguments: str | Path) -> str:
    """What the command prints; ends the script with what it says if it fails."""
    command = [sys.executable, "-m", "ragassay", *map(str, arguments)]
    done = subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def made(name: str, seeds: list[dict[str, Any]], out: Path, seed: int) -> tuple[dict[str, Any], Path]:
    """The schema, and the folder of its scenario, which has no faults."""
    folder = out / name
    (folder / "seeds").mkdir(parents=True)
    suffix = "md" if seeds[0]["domain"] == "Law" else "txt"
    for place, row in enumerate(seeds):
        (folder / "seeds" / f"{place}.{suffix}").write_text(row["content"], "utf-8")
    schema = folder / "schema.toml"
    ragassay("schema", "infer", *sorted((folder / "seeds").iterdir()), "--name", name, "--out", schema)
    wanted = ("--schema", schema, "--documents", "20", "--seed", str(seed))
    ragassay("scenario", "generate", *wanted, "--out", folder / "scenario")
    ragassay("scenario", "check", folder / "scenario")
    return tomllib.loads(schema.read_text("utf-8")), folder / "scenario"


def row_of(title: str, schema: dict[str, Any], scenario: dict[str, Any]) -> str:
    missing = [f"{each['made']} of {each['wanted']} {each['question_type']}" for each in scenario["missing"]]
    said = scenario["values"] - scenario["values_left_out"] - scenario["values_lost"]
    counts = [len(told(schema)), *(len(schema.get(name, [])) for name in ("sections", "hops", "sequences"))]
    cells = [title, *map(str, counts), f"{said} of {scenario['values']}", "; ".join(missing) or "none"]
    return f"| {' | '.join(cells)} |"


def told(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The fields without those that others rest on."""
    helpers = {"city", "story", *(each.get("within_year") for each in schema["fields"].values())}
    return {name: each for name, each in schema["fields"].items() if name not in helpers}


def fields_of(title: str, schema: dict[str, Any]) -> str:
    by_type: dict[str, list[str]] = defaultdict(list)
    for name, each in told(schema).items():
        by_type[each["type"]].append(each.get("label") or name)
    lines = (f"- {KINDS.get(kind, kind)}: {', '.join(labels)}" for kind, labels in by_type.items())
    return "\n".join((f"### {title} seeds", "", *lines, ""))


def sheet_of(title: str, folder: Path, documents: int) -> str:
    rows = [[json.loads(line) for line in (folder / name).open(encoding="utf-8")] for name in FILES]
    texts = [
        f"## {title}: document {number}\n\n{each['text']}" for number, each in enumerate(rows[0][7 : 7 + documents])
    ]
    asked = [f"{number}. {each['question']}\n   {each['answer']}" for number, each in enumerate(rows[1])]
    return "\n\n".join((*texts, f"## {title}: questions", *asked[8::20]))


FILES = ("documents.jsonl", "examples.jsonl")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--shared", type=Path, default=Path("../shared/data"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    path = options.shared / "dragonball/documents.jsonl"
    rows = [json.loads(line) for line in path.open(encoding="utf-8")]
    table, fields, sheet = [HEADS, "| --- " * 7 + "|"], [], []
    for domain, language, n in [(d, lang, n) for d in DOMAINS for lang in LANGUAGES for n in (4, 10)]:
        title = f"{DOMAINS[domain]}, {LANGUAGES[language]}, {n}"
        documents = [row for row in rows if (row["domain"], row["language"]) == (domain, language)]
        seeds = [documents[place * len(documents) // n] for place in range(n)]
        schema, folder = made(f"{domain.lower()}-{language}-{n}", seeds, options.out, options.seed)
        table.append(row_of(title, schema, json.loads((folder / "scenario.json").read_text("utf-8"))))
        fields.append(fields_of(title, schema))
        sheet.append(sheet_of(title, folder, 2 if n == 10 or (language == "en" and domain != "Finance") else 1))
        print(table[-1], flush=True)
    (options.out / "sheet.md").write_text("\n\n".join(sheet), "utf-8")
    if options.page:
        text = options.page.read_text("utf-8")
        for (start, end), told_ in ((TABLE, table), (FIELDS, fields)):
            before, _, rest = text.partition(start)
            text = f"{before}{start}\n" + "\n".join(told_) + f"\n{end}{rest.partition(end)[2]}"
        options.page.write_text(text, "utf-8")
    else:
        print("\n".join(fields))


if __name__ == "__main__":
    main()
