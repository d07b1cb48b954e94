"""A set from a German page, with the replies of a server written by hand: the prompt, the checks, the set."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import stub_replies
import stub_server

PAGE = """# Ausleihe

Die Bücherei am Markt verleiht Bücher für vier Wochen. Wer ein Buch nicht rechtzeitig zurückgibt, zahlt 1,50 Euro für
jede angefangene Woche. Eine Verlängerung um zwei Wochen ist einmal möglich, sofern niemand das Buch vorgemerkt hat.

Seit dem 3. März 2024 öffnet die Bücherei auch samstags von zehn bis vierzehn Uhr. An Feiertagen bleibt sie geschlossen.

Einen Ausweis bekommt, wer in der Stadt wohnt oder arbeitet. Er kostet nichts und gilt zwei Jahre. Geht er verloren,
stellt die Bücherei für fünf Euro einen neuen aus. Kinder unter sieben Jahren brauchen die Unterschrift eines
Erziehungsberechtigten, und ihre Ausweise gelten nur für die Abteilung mit den Bilderbüchern. Zeitschriften und Karten
werden nicht verliehen, können aber im Lesesaal angesehen und dort für zehn Cent je Seite kopiert werden.
"""
FEE = "Wer ein Buch nicht rechtzeitig zurückgibt, zahlt 1,50 Euro"
SATURDAY = "Seit dem 3. März 2024 öffnet die Bücherei auch samstags von zehn bis vierzehn Uhr."


def pair(label: str, quote: str, question: str, answer: str) -> dict[str, Any]:
    return {
        "asker": "Leserin", "label": label, "quotes": [quote], "statement": answer or question, "style": "plain",
        "question": question, "answer": answer, "keypoints": [answer] if answer else [],
    }  # fmt: skip


PAIRS = (
    pair(
        "fact_single", SATURDAY, "Since when has the library been open on Saturdays, and how long?",
        "It has been open on Saturdays from ten until two since the third of March 2024.",
    ),
    pair("fact_single", FEE, "Was kostet es, wenn ich ein Buch zu spät bringe?", "1,50 Euro je angefangene Woche."),
    pair("unanswerable", SATURDAY, "Wie viele Leute arbeiten samstags in der Bücherei am Markt?", ""),
)  # fmt: skip


def review(number: int, label: str, quote: str, answer: str) -> dict[str, Any]:
    return {
        "number": number, "label": label, "own_quotes": [quote] if answer else [], "own_answer": answer, "flaws": [],
        "comparison": "same" if answer else "both_open", "verdict": "accept", "question": "", "answer": "",
        "keypoints": [], "reason": "",
    }  # fmt: skip


class ByHand(stub_server.Stub):
    """Drafts the three pairs once, and accepts the German ones."""

    def value(self, body: dict[str, Any], chance: random.Random) -> Any:
        task, pieces = body["response_format"]["json_schema"]["name"], stub_replies.pieces_of(body["messages"])
        if task == "drafts":
            again = pieces.get("asked already", "").strip()
            return {"pairs": [] if again else PAIRS, "findings": [], "fewer": "Mehr steht nicht da."}
        if task == "reviews":
            accepted = ((each["label"], each["quotes"][0], each["answer"]) for each in PAIRS[1:])
            return {"reviews": [review(number, *each) for number, each in enumerate(accepted, 1)]}
        return {"conflicts": []}


def test_a_set_from_a_german_page(cli: Any, tmp_path: Path) -> None:
    page, out = tmp_path / "ausleihe.md", tmp_path / "set"
    page.write_text(PAGE, "utf-8")
    running = stub_server.RunningStub(ByHand(stub_server.Settings()))
    running.stub.keeps_bodies = True
    try:
        about = ("--about", "Regeln einer Bücherei", "--mix", "fact_single=0.67,unanswerable=0.33")
        made = cli("synthesize", page, "--n", "3", *about, "--model", f"{running.url}#hand", "--out", out, "--json")
    finally:
        running.stop()
    first = stub_replies.pieces_of(running.stub.bodies[0]["messages"])
    assert first["language of the questions"] == "German"
    examples = [json.loads(line) for line in (out / "examples.jsonl").read_text("utf-8").splitlines()]
    assert {(each["question"], each["verified_label"], each["language"]) for each in examples} == {
        (PAIRS[1]["question"], "fact_single", "de"),
        (PAIRS[2]["question"], "unanswerable", "de"),
    }, made.err
    assert "in English, not German" in (out / "refused.jsonl").read_text("utf-8")
