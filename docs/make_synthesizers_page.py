"""Writes the examples into docs/synthesizers.md: python docs/make_synthesizers_page.py

Ten examples are made by rules from demo/knowledge_base, ten with a scenario; every second one is shown.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from ragassay.pipeline.make.synthesis_options import SynthesizeOptions, SynthesizerName
from ragassay.pipeline.make.synthesize import synthesize_documents
from ragassay.records import Example

PAGE = Path(__file__).with_name("synthesizers.md")
DOCUMENTS = PAGE.parents[1] / "demo" / "knowledge_base"
WAYS: dict[str, SynthesizerName] = {"by rules": "statements", "scenario": "scenario"}
"""What needs no language model: what the page calls it, and its synthesizer."""
MADE, SHOWN = 10, 5
ANSWER_CHARS, REFERENCE_CHARS = 240, 160


def made(synthesizer: SynthesizerName, folder: Path) -> list[Example]:
    """Every second example, in the order of the set."""
    is_scenario = synthesizer == "scenario"
    options = SynthesizeOptions(
        documents=() if is_scenario else (DOCUMENTS,),
        schema="finance" if is_scenario else "",
        scenario_documents=5,
        out=folder / synthesizer,
        synthesizer=synthesizer,
        n=MADE,
    )
    return list(synthesize_documents(options).examples)[::2][:SHOWN]


def examples_block(of_each: dict[str, list[Example]]) -> Iterator[str]:
    """The questions side by side, then the examples of each in full."""
    yield _row(["", *of_each])
    yield _row(["---"] * (len(of_each) + 1))
    for number in range(SHOWN):
        shown = [examples[number].question if number < len(examples) else "" for examples in of_each.values()]
        yield _row([str(number + 1), *map(_cell, shown)])
    for name, examples in of_each.items():
        yield f"\n### {name}: in full\n"
        yield _row(["Question", "Answer", "Rests on", "Verified label, type"])
        yield _row(["---"] * 4)
        for example in examples:
            references = " … ".join(span.text for span in example.references) or "nothing: it is unanswerable"
            label = ", ".join(filter(None, (example.label, example.question_type)))
            answer = _cell(example.answer, ANSWER_CHARS) or "-"
            yield _row([_cell(example.question), answer, _cell(references, REFERENCE_CHARS), label])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(text: str, most: int = 400) -> str:
    """Text as data: one line, shortened, no sign that Markdown or HTML would take for its own."""
    line = " ".join(text.split())
    line = line if len(line) <= most else f"{line[:most].rstrip()} …"
    return re.sub(r"([\\`*_\[\]|<>#])", r"\\\1", line)


def replaced(page: str, block: str, content: str) -> str:
    """The page with what stands between the two marks of a block replaced."""
    pattern = re.compile(rf"(<!-- {block} -->\n).*?(<!-- /{block} -->)", re.DOTALL)
    return pattern.sub(lambda match: f"{match[1]}{content.strip()}\n{match[2]}", page)


def main() -> None:
    """Writes the page."""
    page = PAGE.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        of_each = {name: made(synthesizer, Path(folder)) for name, synthesizer in WAYS.items()}
    PAGE.write_text(replaced(page, "examples", "\n".join(examples_block(of_each))), encoding="utf-8")


if __name__ == "__main__":
    main()
