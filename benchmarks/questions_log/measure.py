"""Measures ``ragassay questions`` on a log of which is known what a right answer is.

    python benchmarks/questions_log/measure.py LOG DOCS FOLDER

LOG: a line for each thing that is asked, ``ANSWER :: WORDING | WORDING``: a pattern that the references of a right
answer fit, or ``-`` where no page answers; personal details stand in braces. Thresholds were set on
developers_reference.txt (Debian package developers-reference 12.18) and other logs, and measured on debian_faq.txt
(debian-faq 11.1), which was written before. -v shows what is wrong.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

from ragassay.generate.asked.answered import ANSWERED, NO_PAGE
from ragassay.generate.asked.personal import Cleaner
from ragassay.jobs.make import log
from ragassay.records import Document, Example, read_jsonl


def share(part: int, whole: int) -> str:
    return f"{part / whole if whole else 0:.2f} ({part} of {whole})"


def measure(path: Path, documents: Path, folder: Path) -> None:
    intents = [line.split(" :: ") for line in path.read_text(encoding="utf-8").splitlines()]
    asked = [(place, text) for place, (_, of) in enumerate(intents) for text in of.split(" | ")]
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "log.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["question"], *([re.sub("[{}]", "", text)] for _, text in asked)])
    log._WORDINGS_KEPT = len(asked)
    out = folder / "out"
    done = log.ask_log(log.LogOptions(documents=(documents,), log=folder / "log.csv", out=out, overwrite=True))
    words = {
        word for each in read_jsonl(out / "documents.jsonl", Document) for word in re.findall(r"\w+", each.text.lower())
    }
    cleaner = Cleaner(frozenset(words))
    plain = [cleaner.cleaned(re.sub("[{}]", "", text)) for _, text in asked]
    named = dict(zip(plain, (text for text, _ in cleaner.without_names(dict.fromkeys(plain, 1))), strict=False))
    cleaned = [named[text] for text in plain]
    questions = [json.loads(line) for line in (out / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    record = {text: n for n, each in enumerate(questions) for text in (each["question"], *each["wordings"])}
    of = [record[text] for text in cleaned]
    no_page = [intents[place][0] == "-" for place, _ in asked]
    states = [questions[n]["said"]["state"] for n in of]
    open_ = [state == NO_PAGE for state in states]
    both = sum(a and b for a, b in zip(no_page, open_, strict=True))
    print("rows", len(asked), "states", dict(Counter(states)))
    print("no page answers: precision", share(both, sum(open_)), "recall", share(both, sum(no_page)))
    right = sum(s == ANSWERED and not n for s, n in zip(states, no_page, strict=True))
    print(
        "a page answers: precision", share(right, states.count(ANSWERED)), "recall", share(right, no_page.count(False))
    )
    pairs = list(combinations(range(len(asked)), 2))
    same = [asked[a][0] == asked[b][0] for a, b in pairs]
    joined = [of[a] == of[b] for a, b in pairs]
    both = sum(a and b for a, b in zip(same, joined, strict=True))
    print("duplicates joined: precision", share(both, sum(joined)), "recall", share(both, sum(same)))
    details = [(detail, text) for (_, raw), text in zip(asked, cleaned, strict=True)
               for detail in re.findall(r"\{(.+?)\}", raw)]  # fmt: skip
    gone = sum(detail not in text for detail, text in details)
    placed = sum(len(re.findall(r"\[[A-Za-z ]+\]", text)) for text in cleaned)
    needless = [text for (_, raw), text in zip(asked, cleaned, strict=True) if "{" not in raw and raw != text]
    print("personal details: precision", share(placed - len(needless), placed), "recall", share(gone, len(details)))
    good = []
    for example in read_jsonl(out / "examples.jsonl", Example):
        place = next(
            place for (place, _), n in zip(asked, of, strict=True) if questions[n]["question"] == example.question
        )
        held = " ".join(each.text for each in example.references)
        fits = intents[place][0] != "-" and re.search(intents[place][0], held, re.IGNORECASE) is not None
        good.append(fits)
        if "-v" in sys.argv and not fits:
            print("  WRONG", example.question, "->", example.answer[:160])
    print("set: right reference", share(sum(good), len(good)), "of", done.summary.different_questions, "questions")
    if "-v" in sys.argv:
        for (_, raw), n, state in zip(asked, no_page, states, strict=True):
            if (state == NO_PAGE) != n and state != "not known":
                print("  STATE", state, raw)
        for detail, text in details:
            if detail in text:
                print("  KEPT", text)
        print("  NEEDLESS", needless)
        for (a, b), one, other in zip(pairs, same, joined, strict=True):
            if other and not one:
                print("  JOINED", asked[a][1], "|", asked[b][1])


if __name__ == "__main__":
    measure(*map(Path, sys.argv[1:4]))
