"""Any base by transformers and peft: a tiny random Llama, GPT-2 and T5 made here."""

from __future__ import annotations

import json
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra train)")
transformers = pytest.importorskip("transformers", reason="transformers is not installed (extra train)")
peft = pytest.importorskip("peft", reason="peft is not installed (extra train)")

from ragassay.errors import ModelError, UsageError  # noqa: E402
from ragassay.training.hub import HubModel  # noqa: E402
from ragassay.training.items import Branch, Item  # noqa: E402
from ragassay.training.options import TrainOptions  # noqa: E402
from ragassay.training.verifier import train_verifier  # noqa: E402
from ragassay.training.writer import train_writer  # noqa: E402

CONFIGS: dict[str, Any] = {
    "llama": lambda: transformers.LlamaConfig(
        vocab_size=300,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
    ),
    "gpt2": lambda: transformers.GPT2Config(
        vocab_size=300, n_embd=32, n_layer=2, n_head=4, n_positions=512, embd_pdrop=0.0
    ),
    "t5": lambda: transformers.T5Config(
        vocab_size=300, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4, decoder_start_token_id=0
    ),
}
ITEM = Item([5, 6, 7, 8], (Branch("fact", [9, 10], [11, 12, 1]), Branch("gap", [13, 14, 15], [16, 1])))


@pytest.fixture(scope="module", params=list(CONFIGS))
def base(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a random model and a tokenizer of single bytes."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    folder = tmp_path_factory.mktemp(request.param)
    torch.manual_seed(0)
    config = CONFIGS[request.param]()
    config.pad_token_id, config.eos_token_id, config.bos_token_id = 0, 1, 1
    kind = transformers.AutoModelForSeq2SeqLM if config.is_encoder_decoder else transformers.AutoModelForCausalLM
    kind.from_config(config).save_pretrained(folder)
    signs = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({sign: place for place, sign in enumerate(["<pad>", "</s>", *signs])}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>"
    ).save_pretrained(folder)
    return folder


def options(base: Path, **other: Any) -> TrainOptions:
    chosen = {"rank": 2, "alpha": 4.0, "epochs": 1, "lr": 1e-2, "tokens_per_batch": 1024, "threads": 1}
    return TrainOptions(base=str(base), **(chosen | other))


def test_losses_are_those_of_each_branch_alone(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragassay.training.hub.computes_bf16", lambda device: False)  # exact on every processor
    model = HubModel(options(base, layers="all"), "writer", ())
    together = model.trainable.losses([ITEM, Item([5], (Branch("fact", [6] * 9, [7, 1]),))])
    assert list(together.kinds) == ["fact"] * 3 + ["gap"] * 2 + ["fact"] * 2
    inner = model._model.get_base_model()
    for branch, found in zip(ITEM.branches, together.values.split([3, 2, 2]), strict=False):
        read = torch.tensor([[*ITEM.prefix, *branch.prompt]])
        target = torch.tensor([branch.target])
        if inner.config.is_encoder_decoder:
            read = torch.cat([read, torch.tensor([[1]])], 1)
            logits = inner(input_ids=read, labels=target).logits[0]
        else:
            logits = inner(input_ids=torch.cat([read, target], 1)).logits[0, read.shape[1] - 1 : -1]
        wanted = torch.nn.functional.cross_entropy(logits, target[0], reduction="none")
        torch.testing.assert_close(found, wanted, atol=1e-4, rtol=1e-4)


def test_what_was_refused(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragassay.training.hub.computes_bf16", lambda device: False)
    model = HubModel(options(base, layers="all"), "writer", ())
    other = ITEM.branches[1]
    asked = Branch("ask", [9, 10], [11, 12, 1], refused=([13, 1], [14, 15, 1]))
    item, unrefused = (Item(ITEM.prefix, (each, other)) for each in (asked, replace(asked, refused=())))
    found = model.trainable.losses([item])

    def surprise(*target: int) -> Any:
        return model.trainable.losses([Item(ITEM.prefix, (Branch("", [9, 10], target),))]).values.sum()

    assert list(found.kinds) == ["ask"] * 3 + ["gap"] * 2
    if model._seq2seq:  # it learns to ask, and no more
        assert found.preferences is None
        assert torch.equal(found.values, model.trainable.losses([unrefused]).values)
        return
    assert model.trainable._packs
    torch.testing.assert_close(found.values[:3].sum(), surprise(11, 12, 1), atol=1e-4, rtol=1e-4)
    # -log sigmoid(0.1 (log p(taken) - log p(refused))); a sum of losses is -log p
    ahead = torch.stack([surprise(13, 1), surprise(14, 15, 1)]) - surprise(11, 12, 1)
    torch.testing.assert_close(found.preferences, -torch.log(torch.sigmoid(0.1 * ahead)), atol=1e-5, rtol=1e-4)
    alone = model.trainable.losses([Item(ITEM.prefix, (asked,))])  # one branch, and still a mask
    torch.testing.assert_close(alone.preferences, found.preferences, atol=1e-5, rtol=1e-4)

    monkeypatch.setattr(model.trainable, "_packs", False)
    single = model.trainable.losses([item])
    assert single.preferences is None
    assert list(single.kinds) == list(found.kinds)
    torch.testing.assert_close(single.values, found.values, atol=1e-4, rtol=1e-4)
    assert torch.equal(single.values, model.trainable.losses([unrefused]).values)


def test_a_text_cannot_end_itself(base: Path) -> None:
    model = HubModel(options(base, layers="all"), "writer", ())
    assert model.end not in model.encode("one</s>two")
    assert len(model.encode("one</s>two")) == 10


def test_an_adapter_that_peft_loads(base: Path, pairs_file: Path, tmp_path: Path) -> None:
    from safetensors import safe_open

    out = tmp_path / "adapter"
    done = train_writer([pairs_file], out, options(base), command="train", show=lambda progress: None)
    first = done.trained.held_out["all"]
    about = json.loads((out / "ragassay.json").read_text())
    assert (about["task"], about["command"]) == ("writer", "train")
    config = peft.PeftConfig.from_pretrained(str(out))
    assert config.r == 2
    seq2seq = transformers.AutoConfig.from_pretrained(base).is_encoder_decoder
    with safe_open(out / "adapter_model.safetensors", framework="pt") as file:
        layers = {int(part) for name in file.keys() for part in name.split(".") if part.isdecimal()}  # noqa: SIM118
    assert layers >= ({0, 1} if seq2seq else {1})
    assert seq2seq or 0 not in layers  # the upper half
    again = train_writer(
        [pairs_file], tmp_path / "b", options(base, init=out, lr=1e-9), command="", show=lambda progress: None
    )
    assert again.trained.held_out["all"] == pytest.approx(first, abs=1e-3)
    with pytest.raises(UsageError, match="has rank 2; give --rank 2"):
        train_writer(
            [pairs_file], tmp_path / "c", options(base, init=out, rank=3), command="", show=lambda progress: None
        )


def test_gone_on_with_is_the_same(base: Path, pairs_file: Path, tmp_path: Path) -> None:
    quiet = lambda progress: None  # noqa: E731
    train_writer([pairs_file], tmp_path / "a", options(base), command="", show=quiet)
    steps = 0

    def stop(progress: object) -> None:
        nonlocal steps
        steps += 1
        if steps == 2:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        train_writer([pairs_file], tmp_path / "b", options(base), command="", show=stop)
    train_writer([pairs_file], tmp_path / "b", options(base), command="", show=quiet)
    name = "adapter_model.safetensors"
    assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_verifier_keeps_its_head(base: Path, claims_file: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file

    out = tmp_path / "verifier"
    done = train_verifier([claims_file], [], out, options(base), command="", show=lambda progress: None)
    assert load_file(out / "head.safetensors")["weight"].shape == (3, 32)
    assert done.figures["held-out claims"] == "9"
    again = train_verifier(
        [claims_file], [], tmp_path / "b", options(base, init=out, lr=1e-9), command="", show=lambda progress: None
    )
    assert again.trained.held_out["all"] == pytest.approx(done.trained.held_out["all"], abs=1e-3)


def test_a_base_that_is_none(tmp_path: Path, pairs_file: Path) -> None:
    with pytest.raises(ModelError, match="--base: transformers cannot load"):
        train_writer([pairs_file], tmp_path / "a", options(tmp_path), command="", show=lambda progress: None)
    assert not list(tmp_path.glob("a*"))
