"""Writes judgements.md: thirty judgements of the verifier as they came out, on claims of kinds it was not trained on.

    python docs/make_judgements_page.py

The thirty are drawn with a seed from the claims that ``ragassay judge check --claims`` measures; nothing is picked.
"""

from __future__ import annotations

import json
import random
from importlib import resources
from pathlib import Path

from ragassay.models.small import roles, wording
from ragassay.models.small.verifier import Check

SEED = 30
COUNT = 30
OUT = Path(__file__).with_name("judgements.md")

HEAD = """# Thirty judgements

What the verifier says, right or wrong, of thirty claims drawn by chance (seed {seed}) from the 320 that
`ragassay judge check --claims` measures; they are of kinds of documents that it was not trained on. It reads title,
heading and the whole passage; the sentence that a claim is about is shown here. A claim counts as supported from a
probability of {threshold:.2f} on. **{right} of {count} are right.** `python docs/make_judgements_page.py` writes this
page.

| | Claim | The passage says | So the claim is | Probability of support |
| --- | --- | --- | --- | --- |
"""


def drawn() -> list[tuple[dict[str, str], dict[str, str]]]:
    """(passage, claim) of the thirty, in the order of the file."""
    text = resources.files("ragassay.agreement").joinpath("claims.jsonl").read_text("utf-8")
    pairs = [(row, claim) for row in map(json.loads, text.splitlines()) for claim in row["claims"]]
    numbers = sorted(random.Random(SEED).sample(range(len(pairs)), COUNT))
    return [pairs[number] for number in numbers]


def main() -> None:
    verifier = roles.verifier()
    if verifier is None:
        raise SystemExit("the small language model is switched off; unset RAGASSAY_SMALL_MODEL")
    rows, right = [], 0
    for passage, claim in drawn():
        check = Check(passage["text"], [claim["text"]], passage["title"], passage["heading"])
        ((judged,),) = verifier.judge([check])
        is_right = (judged.supported >= verifier.threshold()) == claim["supported"]
        right += is_right
        truth = "supported" if claim["supported"] else f"wrong ({claim['type']})"
        said = wording.sentence(claim["quote"]).replace("|", "\\|")
        asked = claim["text"].replace("|", "\\|")
        rows.append(f"| {'right' if is_right else '**wrong**'} | {asked} | {said} | {truth} | {judged.supported:.2f} |")
    head = HEAD.format(seed=SEED, threshold=verifier.threshold(), right=right, count=COUNT)
    OUT.write_text(head + "\n".join(rows) + "\n", "utf-8")


if __name__ == "__main__":
    main()
