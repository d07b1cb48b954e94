"""The verifier's training on a tiny base in the place of the built-in one: claims in, the file of models/small out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra train)")
pytest.importorskip("transformers", reason="transformers is not installed (extra train)")
pytest.importorskip("peft", reason="peft is not installed (extra train)")

from ragassay.models.small import weights, wording  # noqa: E402
from ragassay.models.small.adapters import PARTS, read_adapter  # noqa: E402
from ragassay.models.small.model import SmallModel  # noqa: E402
from ragassay.models.small.weights import Gguf  # noqa: E402
from ragassay.training.loop import Fitted, Progress  # noqa: E402
from ragassay.training.options import VerifierOptions  # noqa: E402
from ragassay.training.verifier import VerifierBase, train_verifier  # noqa: E402

pytestmark = pytest.mark.usefixtures("tiny_base")


def options(out: Path, *claims: Path, **chosen: Any) -> VerifierOptions:
    small = {"rank": 2, "alpha": 4.0, "epochs": 2, "batch": 8, "lr": 1e-2, "warm_up": 0}
    return VerifierOptions(claims=claims, out=out, **small | chosen)


def train(claims: Path, out: Path, show: Callable[[Progress], None] = lambda progress: None, **chosen: Any) -> Fitted:
    return train_verifier(options(out, claims, **chosen), "x", show)


def test_a_verifier_learns_and_the_package_reads_it_alike(
    claims_file: Path, tmp_path: Path, tiny_base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "v"
    trained = train(claims_file, out, epochs=8)
    adapter = read_adapter(out, Gguf(tiny_base).architecture, weights.WEIGHTS_SHA256)
    assert adapter.scale == 2.0
    assert adapter.labels == wording.LABELS
    assert set(adapter.changes) == {f"blk.1.{part}" for part in PARTS}  # the upper half
    assert any(abs(factors.b).max() > 0 for factors in adapter.changes.values())
    # Every claim of a price is unstated, the only such sentence: that much a model of this size learns.
    assert trained.figures["right, unstated (not supported)"].startswith("100.0%")
    assert float(trained.figures["AUROC"]) >= 0.5
    card = (tmp_path / "v.card.md").read_text()
    assert all(f"| {name} | {value} |" in card for name, value in trained.figures.items())

    monkeypatch.setenv("RAGASSAY_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("ragassay.models.published.Published.verify", lambda *of: None)
    small = SmallModel.load(out, kind="fp32", threads=1)
    base, learned = VerifierBase(options(tmp_path / "unused")), trained.trainer.model.cpu().eval()
    text, claim = (
        wording.prefix("Guide", "Use", "Charge lamp 3 for 13 hours."),
        wording.claim_prompt("Lamps cost little."),
    )
    tokens = small.tokenizer.encode(text) + small.tokenizer.encode(claim)
    batch = base.collate([{"input_ids": tokens, "labels": 0}, {"input_ids": [*tokens, 9, 9], "labels": 0}])
    with torch.no_grad():
        scores = learned(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits.float().numpy()
    # the file has 16 bits of each value
    np.testing.assert_allclose(scores[0], small.classify_branches(text, [claim])[0], atol=1e-3)


def test_stopped_and_continued_gives_the_same_bytes(
    claims_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragassay.training.loop.CHECKPOINT_EVERY_STEPS", 3)
    steps: list[float] = []
    train(claims_file, tmp_path / "a" / "v")

    def stop(progress: Progress) -> None:
        steps.append(progress.done)
        if len(steps) in (5, 9):
            raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            train(claims_file, tmp_path / "b" / "v", stop)
    assert steps[5] == pytest.approx(steps[3])  # it went on from the third step
    train(claims_file, tmp_path / "b" / "v")
    assert (tmp_path / "b" / "v").read_bytes() == (tmp_path / "a" / "v").read_bytes()
