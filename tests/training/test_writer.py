"""The writer's training on tiny random bases made here: from sets to a folder in peft's form, stopped and continued."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra train)")
transformers = pytest.importorskip("transformers", reason="transformers is not installed (extra train)")
peft = pytest.importorskip("peft", reason="peft is not installed (extra train)")

from ragassay.datasets.format import Notes  # noqa: E402
from ragassay.errors import RunFolderError  # noqa: E402
from ragassay.training.loop import Fitted, Progress  # noqa: E402
from ragassay.training.options import Job, TrainOptions  # noqa: E402
from ragassay.training.pairs import read_pairs  # noqa: E402
from ragassay.training.writer import train_writer  # noqa: E402

SMALL = {"num_hidden_layers": 2, "num_attention_heads": 4}
MODELS: dict[str, Callable[[], Any]] = {
    "llama": lambda: transformers.LlamaForCausalLM(
        transformers.LlamaConfig(vocab_size=259, hidden_size=32, intermediate_size=48, num_key_value_heads=2, **SMALL)
    ),
    "t5": lambda: transformers.T5ForConditionalGeneration(
        transformers.T5Config(
            vocab_size=280, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4, decoder_start_token_id=0
        )
    ),
}


@pytest.fixture(scope="module")
def bases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders with a random model and a tokenizer of single bytes; of one every row of the vocabulary is taken."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    signs = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {sign: place for place, sign in enumerate(["<pad>", "</s>", "<unk>", *signs])}
    tokenizer = Tokenizer(models.BPE(vocabulary, [], unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="</s>", pad_token="<pad>", unk_token="<unk>"
    )
    folders = {}
    for name, build in MODELS.items():
        torch.manual_seed(0)
        folders[name] = tmp_path_factory.mktemp(name)
        build().save_pretrained(folders[name])
        fast.save_pretrained(folders[name])
    return folders


def job(base: Path, out: Path, **options: Any) -> Job:
    chosen = {"rank": 2, "alpha": 4.0, "epochs": 2, "batch": 8, "lr": 2e-2, "warm_up": 0} | options
    return Job(task="writer", base=str(base), out=out, options=TrainOptions(**chosen), command="ragassay train writer")


def train(pairs: Path, job: Job, show: Callable[[Progress], None] = lambda progress: None) -> Fitted:
    return train_writer([pairs], job, show)


def log_of(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.with_name(out.name + ".log.jsonl").read_text().splitlines()]


def auto_again(auto: Any, base: Path, tokenizer: Any) -> Any:
    torch.manual_seed(7)
    model = auto.from_pretrained(base)
    if len(tokenizer) > model.get_input_embeddings().num_embeddings:
        model.resize_token_embeddings(len(tokenizer))
    return model


@pytest.mark.parametrize("name", list(MODELS))
def test_from_pairs_to_an_adapter_that_peft_loads(
    name: str, bases: dict[str, Path], pairs_file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "writer"
    seen: list[Progress] = []
    trained = train(pairs_file, job(bases[name], out, epochs=6, hold_out_sources=("tents",)), seen.append)
    held_out = [line["eval_loss"] for line in log_of(out) if "eval_loss" in line]
    assert held_out[5] < held_out[0] - 0.05
    assert [each.done for each in seen] == sorted(each.done for each in seen)
    assert seen[-1].done == 1
    assert {each.name for each in tmp_path.iterdir()} == {
        "pairs.jsonl",
        "writer",
        "writer.card.md",
        "writer.log.jsonl",
    }
    card = (tmp_path / "writer.card.md").read_text()
    assert "Trained on: 30 rows (lamps 30; fact_single 15, summary 15)." in card
    assert "Held out: 30 rows (tents 30; fact_single 15, summary 15)." in card
    assert trained.figures["held-out contexts written for"] == "30"
    assert all(f"| {figure} | {value} |" in card for figure, value in trained.figures.items())

    # What somebody does who uses it.
    tokenizer = transformers.AutoTokenizer.from_pretrained(out)
    auto = transformers.AutoModelForSeq2SeqLM if name == "t5" else transformers.AutoModelForCausalLM
    base = auto.from_pretrained(bases[name])
    if len(tokenizer) > base.get_input_embeddings().num_embeddings:
        base.resize_token_embeddings(len(tokenizer))
    writer = peft.PeftModel.from_pretrained(base, out).eval()
    mark = tokenizer.convert_tokens_to_ids("<a>")
    assert tokenizer("x <a> y")["input_ids"].count(mark) == 1
    texts = ["<<summary>> Charge it. <a>", "<<fact_single>> Keep it dry. <a>"]
    losses = []
    for text in texts:
        ids = torch.tensor([tokenizer(text)["input_ids"]])
        with torch.no_grad():
            losses.append(float(writer(input_ids=ids, labels=ids).loss))
            again = peft.PeftModel.from_pretrained(auto_again(auto, bases[name], tokenizer), out).eval()
            assert float(again(input_ids=ids, labels=ids).loss) == losses[-1]  # nothing in it is drawn anew


@pytest.mark.parametrize("name", list(MODELS))
@pytest.mark.parametrize("stop_at", [3, 10])
def test_stopped_and_continued_gives_the_same_adapter(
    name: str, stop_at: int, bases: dict[str, Path], pairs_file: Path, tmp_path: Path
) -> None:
    undisturbed, stopped = tmp_path / "a" / "w", tmp_path / "b" / "w"
    train(pairs_file, job(bases[name], undisturbed))

    steps = 0

    def stop(progress: Progress) -> None:
        nonlocal steps
        steps += 1
        if steps == stop_at:
            signal.raise_signal(signal.SIGTERM)

    with pytest.raises(KeyboardInterrupt):
        train(pairs_file, job(bases[name], stopped), stop)
    assert steps == stop_at
    assert not stopped.exists()
    with pytest.raises(RunFolderError, match="another training"):
        train(pairs_file, job(bases[name], stopped, lr=1e-3))
    seen: list[Progress] = []
    train(pairs_file, job(bases[name], stopped), seen.append)
    assert len(seen) == 14 - stop_at  # 54 rows in batches of 8, twice
    weights = "adapter_model.safetensors"
    assert (stopped / weights).read_bytes() == (undisturbed / weights).read_bytes()
    assert not (tmp_path / "b" / "w.partial").exists()


def test_sets_give_the_papers_rows(tmp_path: Path) -> None:
    rows = [
        {"input": f"<<{label}>> Text {number}.", "target": f"<<{label}>> Which {number}? <a> {number}"}
        for number in range(25)
        for label in ("fact_single", "reasoning")
    ]
    path = tmp_path / "hotpot.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in [*rows, rows[0]]))
    notes = Notes()
    pairs, digest = read_pairs([path, path], notes)
    assert [{"input": pair.input, "target": pair.target} for pair in pairs] == rows
    assert {pair.source for pair in pairs} == {"hotpot"}  # what --leave-out names: whole sets
    assert len({pair.document for pair in pairs}) == 25
    assert digest == read_pairs([path], Notes())[1]
