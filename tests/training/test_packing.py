"""Packed rows: every branch comes out as it would alone; and our Llama is transformers' Llama."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra train)")

from ragassay.models.small.gguf import Gguf  # noqa: E402
from ragassay.training import trainable  # noqa: E402
from ragassay.training.built_in import adapter_tensors, to_halves  # noqa: E402
from ragassay.training.items import Branch, Item  # noqa: E402
from ragassay.training.llama import Llama, _additive  # noqa: E402
from ragassay.training.packing import batches, collate  # noqa: E402
from ragassay.training.trainable import PackedLlama  # noqa: E402

PREFIX = [5, 6, 7, 8]
FIRST = Branch("fact", [9, 10], [11, 12, 2])
SECOND = Branch("gap", [13, 14, 15], [16, 2])
ASKED = Branch("ask", [9, 10], [11, 12, 2], refused=([14, 2], [11, 15, 2]))


def loaded(path: Path, first: int, labels: int = 0) -> Llama:
    gguf = Gguf(path)
    names = [f"blk.{i}.{part}" for i in range(3) for part in ("attn_q", "attn_k", "attn_v", "attn_output")]
    names += [f"blk.{i}.{part}" for i in range(3) for part in ("ffn_gate", "ffn_up", "ffn_down")]
    norms = [f"blk.{i}.{norm}" for i in range(3) for norm in ("attn_norm", "ffn_norm")]
    weights = {f"{each}.weight": gguf.matrix(f"{each}.weight") for each in [*names, "token_embd"]}
    weights |= {f"{each}.weight": gguf.vector(f"{each}.weight") for each in [*norms, "output_norm"]}
    tensors = {name: torch.from_numpy(np.array(value)) for name, value in weights.items()}
    return Llama(tensors, gguf.architecture, first=first, rank=2, alpha=4.0, labels=labels, seed=0)


def stirred(model: Llama) -> Llama:
    """With an adapter that changes something."""
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for module in model.adapted.values():
            module.b.copy_(torch.randn(module.b.shape, generator=generator) * 0.1)
    model.merge()
    return model


def states(model: Llama, items: Sequence[Item]) -> Any:
    batch = collate(items, 2)
    return model(batch.ids, batch.positions, batch.mask)


def test_rows_of_a_multiple_of_eight_tokens_say_the_same(tiny_gguf: Path) -> None:
    model = stirred(loaded(tiny_gguf, first=1))
    items = [Item(PREFIX, (FIRST, SECOND)), Item([5], (FIRST,))]
    bare, padded = collate(items, 2), collate(items, 2, 8)
    assert (bare.ids.shape[1], padded.ids.shape[1]) == (14, 16)
    for same in ("predicting", "wanted", "learned", "texts"):
        assert torch.equal(getattr(bare, same), getattr(padded, same))
    plain = model(bare.ids, bare.positions, bare.mask)
    wide = model(padded.ids, padded.positions, padded.mask)[:, : plain.shape[1]]
    assert torch.allclose(wide[0], plain[0], atol=1e-5)
    assert torch.allclose(wide[1, : items[1].tokens], plain[1, : items[1].tokens], atol=1e-5)


def test_a_mask_has_the_type_of_the_products() -> None:
    mask = collate([Item(PREFIX, (FIRST,))], 2).mask
    x = torch.zeros(1, 9, 4)
    assert _additive(mask, x).dtype == torch.float32
    with torch.autocast("cpu", dtype=torch.bfloat16):
        seen = _additive(mask, x)
    assert seen.dtype == torch.bfloat16
    assert torch.equal(seen[0, 0] == 0, mask[0])


def test_a_row_holds_the_prefix_once_and_says_what_is_learned() -> None:
    batch = collate([Item(PREFIX, (FIRST, SECOND))], 2)
    assert batch.ids.tolist() == [[5, 6, 7, 8, 9, 10, 11, 12, 2, 13, 14, 15, 16, 2]]
    assert batch.positions.tolist() == [[0, 1, 2, 3, 4, 5, 6, 7, 8, 4, 5, 6, 7, 8]]
    # 10 predicts 11, 11 predicts 12, 12 the end; 15 predicts 16, 16 the end
    assert batch.predicting.tolist() == [[0] * 5, [5, 6, 7, 11, 12]]
    assert batch.wanted.tolist() == [11, 12, 2, 16, 2]
    assert batch.kinds == ("fact", "fact", "fact", "gap", "gap")
    assert batch.mask[0, 9].tolist() == [True] * 4 + [False] * 5 + [True] + [False] * 4


def test_what_was_refused_is_packed_behind_the_same_prompt() -> None:
    item = Item(PREFIX, (ASKED, SECOND))
    batch = collate([item], 2)
    # prefix 0-3; prompt 4-5, target 6-8, refused 9-10 and 11-13; the other branch 14-18
    assert batch.ids.tolist() == [[5, 6, 7, 8, 9, 10, 11, 12, 2, 14, 2, 11, 15, 2, 13, 14, 15, 16, 2]]
    assert batch.positions.tolist() == [[*range(9), 6, 7, 6, 7, 8, 4, 5, 6, 7, 8]]
    assert (ASKED.tokens, SECOND.tokens, item.tokens, batch.size) == (10, 5, 19, 19)
    # The prompt's last token, in column 5, predicts the first of the target and of each refused text.
    assert batch.predicting[1].tolist() == [5, 6, 7, 5, 9, 5, 11, 12, 16, 17]
    assert batch.wanted.tolist() == [11, 12, 2, 14, 2, 11, 15, 2, 16, 2]
    assert batch.learned.tolist() == [True] * 3 + [False] * 5 + [True] * 2
    assert batch.texts.tolist() == [0, 0, 0, 1, 1, 2, 2, 2, 3, 3]
    assert batch.preferred.tolist() == [[0, 0], [1, 2]]
    assert batch.kinds == ("ask", "ask", "ask", "gap", "gap")


def test_what_was_refused_sees_prefix_and_prompt_and_nothing_of_what_was_taken() -> None:
    mask = collate([Item(PREFIX, (ASKED, SECOND)), Item([5], (FIRST,))], 2).mask

    def seen(column: int, row: int = 0) -> list[int]:
        columns: list[int] = mask[row, column].nonzero().flatten().tolist()
        return columns

    shared = [0, 1, 2, 3, 4, 5]
    assert seen(5) == shared
    assert seen(8) == [*shared, 6, 7, 8]
    assert seen(10) == [*shared, 9, 10]
    assert seen(13) == [*shared, 11, 12, 13]
    assert seen(18) == [0, 1, 2, 3, 14, 15, 16, 17, 18]
    assert seen(5, row=1) == [0, 1, 2, 3, 4, 5]
    assert all(row in seen(row, row=1) and not {0, 1, 5} & set(seen(row, row=1)) for row in range(6, 19))  # padding


def test_texts_are_numbered_through_a_batch() -> None:
    other = Branch("ask", [9], [7, 2], refused=([8, 2],))
    batch = collate([Item(PREFIX, (ASKED,)), Item([5], (SECOND, other))], 2)
    # of the first row target 0, refused 1 and 2; of the second 3; target 4, refused 5
    assert batch.preferred.tolist() == [[0, 0, 4], [1, 2, 5]]
    assert batch.texts.tolist()[-6:] == [3, 3, 4, 4, 5, 5]
    # of the second row prefix 0, the first branch 1-5, prompt 6, target 7-8, refused 9-10
    assert batch.predicting[:, -4:].tolist() == [[1] * 4, [6, 7, 6, 9]]
    assert batch.positions[1, 6:11].tolist() == [1, 2, 3, 2, 3]


def test_nothing_is_preferred_where_nothing_was_refused() -> None:
    batch = collate([Item(PREFIX, (FIRST, SECOND))], 2)
    assert batch.preferred.shape == (2, 0)
    assert batch.learned.all()
    labelled = collate([Item(PREFIX, (Branch("number", [9, 10], (), 1),))], 2)
    assert (labelled.ends.tolist(), labelled.labels.tolist(), labelled.kinds) == ([[0], [5]], [1], ("number",))
    assert (labelled.wanted.tolist(), labelled.preferred.shape) == ([], (2, 0))


def test_a_packed_branch_is_what_it_is_alone(tiny_gguf: Path) -> None:
    model = stirred(loaded(tiny_gguf, first=1))
    longer = Item([9] * 6, (Branch("fact", [20, 21, 22, 23], [24, 25, 26, 2]),))
    packed = states(model, [Item(PREFIX, (FIRST, SECOND)), longer])[0]
    first, second = (states(model, [Item(PREFIX, (each,))])[0] for each in (FIRST, SECOND))
    torch.testing.assert_close(packed[:9], first, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(packed[9:14], second[4:], atol=1e-5, rtol=1e-5)


def test_packed_texts_are_what_they_are_alone(tiny_gguf: Path) -> None:
    model = stirred(loaded(tiny_gguf, first=1))
    packed = states(model, [Item(PREFIX, (ASKED, SECOND)), Item([9] * 30, (FIRST,))])[0]
    texts = [[11, 12, 2], [14, 2], [11, 15, 2]]
    alone = [states(model, [Item(PREFIX, (Branch("", [9, 10], text),))])[0] for text in texts]
    torch.testing.assert_close(packed[:9], alone[0], atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(packed[9:11], alone[1][6:], atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(packed[11:14], alone[2][6:], atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(packed[14:19], states(model, [Item(PREFIX, (SECOND,))])[0][4:], atol=1e-5, rtol=1e-5)


@pytest.fixture
def packed_llama(tiny_gguf: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], PackedLlama]:
    monkeypatch.setattr(trainable, "computes_bf16", lambda device: False)  # exact on every processor
    return lambda: PackedLlama(stirred(loaded(tiny_gguf, first=2)), 2, torch.device("cpu"))


def test_losses_of_texts_are_those_of_each_alone(packed_llama: Callable[[], PackedLlama]) -> None:
    model = packed_llama()
    found = model.losses([Item(PREFIX, (ASKED, SECOND))])
    alone = [
        model.losses([Item(PREFIX, (Branch("", prompt, text),))]).values
        for prompt, text in (([9, 10], [11, 12, 2]), ([13, 14, 15], [16, 2]))
    ]
    torch.testing.assert_close(found.values, torch.cat(alone), atol=1e-4, rtol=1e-4)
    refused = [model.losses([Item(PREFIX, (Branch("", [9, 10], list(text)),))]).values.sum() for text in ASKED.refused]
    assert found.preferences is not None
    for preference, each in zip(found.preferences, refused, strict=True):
        # -log sigmoid(0.1 (log p(taken) - log p(refused))); a sum of losses is -log p
        wanted = -torch.log(torch.sigmoid(0.1 * (each - alone[0].sum())))
        torch.testing.assert_close(preference, wanted, atol=1e-5, rtol=1e-4)


def test_kept_states_of_the_same_tokens_are_not_mixed_up(packed_llama: Callable[[], PackedLlama]) -> None:
    ways = [
        Branch("ask", [9, 10], [11, 2, 14, 2]),
        Branch("ask", [9, 10], [11, 2], refused=([14, 2],)),
        Branch("ask", [9, 10], [11], refused=([2, 14, 2],)),
    ]
    one = packed_llama()
    for branch in [*ways, *ways]:
        fresh, kept = (model.losses([Item(PREFIX, (branch,))]).total for model in (packed_llama(), one))
        assert torch.equal(fresh, kept)


def test_what_was_refused_becomes_less_likely_than_what_was_taken(packed_llama: Callable[[], PackedLlama]) -> None:
    model = packed_llama()
    items = [Item(PREFIX, (Branch("ask", [9, 10], [11, 2], refused=([14, 2],)),))]
    optimiser = torch.optim.AdamW(model.parameters().values(), lr=1e-2)
    before = model.losses(items).preferences
    for _ in range(20):
        model.losses(items).total.backward()
        optimiser.step()
        optimiser.zero_grad()
        model.changed()
    after = model.losses(items).preferences
    assert before is not None
    assert after is not None
    assert after.item() < min(before.item(), math.log(2))  # log 2 is that of two that are equally likely


def test_states_and_gradients_are_those_of_transformers(tiny_gguf: Path) -> None:
    transformers = pytest.importorskip("transformers", reason="transformers is not installed (extra train)")
    model = stirred(loaded(tiny_gguf, first=1))
    gguf = Gguf(tiny_gguf)
    shape = gguf.architecture
    reference = transformers.LlamaModel(
        transformers.LlamaConfig(
            vocab_size=shape.vocabulary,
            hidden_size=shape.hidden,
            intermediate_size=shape.feed_forward,
            num_hidden_layers=shape.layers,
            num_attention_heads=shape.heads,
            num_key_value_heads=shape.kv_heads,
            rms_norm_eps=shape.epsilon,
            rope_parameters={"rope_type": "default", "rope_theta": shape.rope_base},
        )
    )
    parts = {
        "attn_q": "self_attn.q_proj",
        "attn_k": "self_attn.k_proj",
        "attn_v": "self_attn.v_proj",
        "attn_output": "self_attn.o_proj",
        "ffn_gate": "mlp.gate_proj",
        "ffn_up": "mlp.up_proj",
        "ffn_down": "mlp.down_proj",
        "attn_norm": "input_layernorm",
        "ffn_norm": "post_attention_layernorm",
    }
    changes = adapter_tensors(model)
    values = {"embed_tokens.weight": gguf.matrix("token_embd.weight"), "norm.weight": gguf.vector("output_norm.weight")}
    for layer in range(shape.layers):
        for ours, theirs in parts.items():
            name = f"blk.{layer}.{ours}"
            value = np.array(gguf.vector(f"{name}.weight") if "norm" in ours else gguf.matrix(f"{name}.weight"))
            if ours in {"attn_q", "attn_k"}:
                value = gguf.head_rows(f"{name}.weight", shape.heads if ours == "attn_q" else shape.kv_heads)
            if f"{name}.a" in changes:
                module = model.adapted[f"{layer}_{ours}"]
                b = module.b.detach().numpy()
                b = b[to_halves(len(b), shape.head_size)] if ours in {"attn_q", "attn_k"} else b
                np.testing.assert_allclose(changes[f"{name}.b"].astype(np.float32), b, atol=1e-3)
                value = value + 2.0 * (b @ module.a.detach().numpy())  # alpha 4 / rank 2
            values[f"layers.{layer}.{theirs}.weight"] = value
    reference.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in values.items()})
    item = Item(PREFIX, (FIRST,))
    ours, theirs = states(model, [item]), reference(torch.tensor([[*PREFIX, 9, 10, 11, 12, 2]])).last_hidden_state
    torch.testing.assert_close(ours, theirs, atol=2e-5, rtol=1e-4)
    # The gradient of A is k B^T dW, that of B is k dW A^T, where dW is that of the merged weight.
    direction = torch.randn(ours.shape, generator=torch.Generator().manual_seed(2))
    (ours * direction).sum().backward()
    (theirs * direction).sum().backward()
    for layer in (1, 2):
        for name in ("attn_v", "attn_output", "ffn_gate", "ffn_down"):
            module = model.adapted[f"{layer}_{name}"]
            whole = reference.get_parameter(f"layers.{layer}.{parts[name]}.weight").grad
            torch.testing.assert_close(module.a.grad, 2 * module.b.T @ whole, atol=2e-4, rtol=1e-3)
            torch.testing.assert_close(module.b.grad, 2 * whole @ module.a.T, atol=2e-4, rtol=1e-3)


def test_what_is_below_the_adapted_layers_does_not_depend_on_the_adapter(tiny_gguf: Path) -> None:
    batch = collate([Item(PREFIX, (FIRST,))], 2)
    below = [
        model.lower(batch.ids, batch.positions, batch.mask)
        for model in (loaded(tiny_gguf, first=2), stirred(loaded(tiny_gguf, first=2)))
    ]
    assert torch.equal(*below)
    assert not below[0].requires_grad


def test_batches_hold_everything_once_and_keep_to_their_size() -> None:
    random_ = random.Random(0)
    items = [Item([1] * random_.randint(5, 60), (FIRST,)) for _ in range(100)]
    made = batches(items, 256, random.Random(1))
    assert sorted(id(each) for group in made for each in group) == sorted(map(id, items))
    assert all(len(group) * max(each.tokens for each in group) <= 256 for group in made)
    assert sum(len(group) * max(each.tokens for each in group) for group in made) < 1.15 * sum(x.tokens for x in items)
    assert made == batches(items, 256, random.Random(1))
    assert made != batches(items, 256, random.Random(2))


def test_an_item_that_is_too_long_is_a_batch_of_its_own() -> None:
    items = [Item([1] * 300, (FIRST,)), Item([1] * 10, (FIRST,))]
    assert [len(each) for each in batches(items, 64)] == [1, 1]
