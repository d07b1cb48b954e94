"""``drafts`` from documents to pairs with recorded replies of a strong writer and judge, on four pages of the demo."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import stub_replies
import stub_server


def read_lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


RECORDED = read_lines(Path(__file__).with_name("recorded_drafts.jsonl"))
DEMO = Path(__file__).parents[2] / "demo" / "knowledge_base"
PAGES = (
    "policies/refunds-and-compensation.html",
    "policies/remote-work.md",
    "help/travelling-with-animals.html",
    "help/when-your-sailing-is-disrupted.html",
)


class Recorded(stub_server.Stub):
    """Gives the reply whose first quote stands in the prompt."""

    def value(self, body: dict[str, Any], chance: random.Random) -> Any:
        task = body["response_format"]["json_schema"]["name"]
        if task == "conflicts":
            return {"conflicts": []}
        text = " ".join(" ".join(stub_replies.pieces_of(body["messages"]).values()).split())
        for each in RECORDED:
            (_, items), *_ = each["reply"].items()
            quote = next(
                " ".join(quote.split()) for item in items for quote in item.get("quotes") or item["own_quotes"]
            )
            if each["task"] == task and quote in text:
                return each["reply"]
        raise AssertionError(body)


@pytest.fixture
def server() -> Iterator[stub_server.RunningStub]:
    running = stub_server.RunningStub(Recorded(stub_server.Settings()))
    try:
        yield running
    finally:
        running.stop()


def test_twelve_pairs_of_four_pages_for_eight_calls(cli: Any, server: stub_server.RunningStub, tmp_path: Path) -> None:
    out, pages = tmp_path / "set", [DEMO / page for page in PAGES]
    about = ("--about", "help pages and policies of a ferry company, for its customers and staff")
    made = cli("synthesize", *pages, "--n", "12", *about, "--model", f"{server.url}#strong", "--out", out, "--json")
    assert made.code == 0, made.err
    assert made.json["delivered"] == made.json["requested"]
    assert server.stats.requests <= 8  # three texts, each drafted and judged, and held against other passages
    examples = read_lines(out / "examples.jsonl")
    texts = {each["id"]: each["text"] for each in read_lines(out / "documents.jsonl")}
    for example in examples:
        assert bool(example["references"]) == bool(example["answer"]) == bool(example["keypoints"])
        for span in (example["context"], *example["references"]):
            assert texts[span["document_id"]][span["start"] : span["end"]] == span["text"]
    late = next(each for each in examples if each["question"] == "Ferry left late: what am I owed?")
    assert (
        "A delay on departure of 60 to 119 minutes brings a refreshment voucher for £5.00." in late["keypoints"]
    )  # mended
    assert len({each["context"]["document_id"] for each in examples}) == 4
    assert len({each["provenance"]["pattern"] for each in examples}) > 3  # styles
    (finding,) = made.json["drafting"]["findings"]
    assert finding["places"][0]["text"] == "nobody is allowed on the car deck once the ship has sailed"
    assert made.json["drafting"]["shared_words"] < 0.5
