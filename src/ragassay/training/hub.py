"""Any model that transformers can load as something to train: causal or sequence-to-sequence, LoRA by peft."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from ragassay.errors import ModelError, RunFolderError, UsageError
from ragassay.models.fetching import hush_hub
from ragassay.models.small.adapters import Task
from ragassay.training.items import Branch, Item
from ragassay.training.options import TrainOptions, parse_layers
from ragassay.training.packing import collate
from ragassay.training.trainable import Losses, best_device, computes_bf16, of_tokens

_HEAD = "head.safetensors"
_ABOUT = "ragassay.json"
_SAME = 1e-3
"""Largest difference of hidden states, over their size, with which packed branches count as computed rightly."""


class HubModel:
    """A model of transformers with a LoRA adapter of peft."""

    def __init__(self, options: TrainOptions, task: Task, labels: Sequence[str]) -> None:
        """Raises UsageError where transformers or peft is missing, ModelError for a model that cannot be loaded."""
        hush_hub()
        try:
            import peft
            import transformers
        except ImportError:
            raise UsageError(
                "--base needs transformers and peft; install them with: "
                "pip install -c requirements/torch.txt 'ragassay[train]'"
            ) from None
        self._task, self._labels = task, tuple(labels)
        config, tokenizer, model = _loaded(transformers, options.base)
        self._tokenizer = tokenizer
        self.end = int(tokenizer.eos_token_id)
        self.identity = _identity(config, model)
        self._seq2seq = bool(config.is_encoder_decoder)
        if options.init is not None:
            model = _with_adapter(peft, model, options)
        else:
            torch.manual_seed(options.seed)
            model = peft.get_peft_model(model, _lora(peft, model, config, options, self._seq2seq))
        self._model = model.to(best_device())
        width = int(getattr(config, "hidden_size", 0) or config.d_model)
        self._head = nn.Linear(width, len(labels)).to(best_device()) if labels else None
        if self._head is not None:
            nn.init.zeros_(self._head.weight)
            nn.init.zeros_(self._head.bias)
            if options.init is not None and (options.init / _HEAD).is_file():
                from safetensors.torch import load_file

                self._head.load_state_dict(load_file(options.init / _HEAD))
        padding = tokenizer.pad_token_id
        inner = self._model.get_base_model()
        kind = _Seq2Seq if self._seq2seq else _Causal
        self.trainable = kind(inner, self._head, self.end if padding is None else int(padding))

    def encode(self, text: str) -> Sequence[int]:
        """Tokens of a text, none of them a control token."""
        ids: list[int] = self._tokenizer(text, add_special_tokens=False, split_special_tokens=True)["input_ids"]
        return ids

    def write(self, out: Path, about: Mapping[str, str]) -> None:
        """Writes a folder in peft's form, with the head of a verifier and ``about`` beside it."""
        part = out.with_name(out.name + ".new")
        try:
            shutil.rmtree(part, ignore_errors=True)
            self._model.save_pretrained(part)
            if self._head is not None:
                from safetensors.torch import save_file

                save_file({name: each.detach().cpu() for name, each in self._head.state_dict().items()}, part / _HEAD)
            said = {"task": self._task, "labels": list(self._labels), **about}
            (part / _ABOUT).write_text(json.dumps(said, indent=1, sort_keys=True) + "\n", encoding="utf-8")
            part.replace(out)
        except OSError as error:
            shutil.rmtree(part, ignore_errors=True)
            raise RunFolderError(f"{out} cannot be written: {error.strerror or error}") from error

    def generate(self, out: Path, prompts: Sequence[Sequence[int]], most: int) -> list[str]:
        """What the trained model writes after each prompt, at most ``most`` tokens, greedily."""
        written = []
        for prompt in prompts:
            ids = torch.tensor([[*prompt, self.end] if self._seq2seq else list(prompt)], device=best_device())
            with torch.no_grad():
                made = self._model.generate(
                    input_ids=ids,
                    attention_mask=torch.ones_like(ids),
                    max_new_tokens=most,
                    do_sample=False,
                    pad_token_id=self._tokenizer.pad_token_id or self.end,
                    eos_token_id=self.end,
                )[0]
            new = made if self._seq2seq else made[ids.shape[1] :]
            written.append(str(self._tokenizer.decode(new, skip_special_tokens=True)))
        return written


class _Trained:
    """A model of transformers with its head for the loop."""

    def __init__(self, model: Any, head: nn.Linear | None, padding: int) -> None:
        self._model, self._head, self._padding = model, head, padding
        self._device = best_device()
        self._bf16 = computes_bf16(self._device)
        model.eval()  # without dropout: a training that was stopped goes on to the same result

    def parameters(self) -> Mapping[str, torch.Tensor]:
        """What is learned."""
        learned = {name: each for name, each in self._model.named_parameters() if each.requires_grad}
        if self._head is not None:
            learned |= {f"head.{name}": each for name, each in self._head.named_parameters()}
        return learned

    def changed(self) -> None:
        """Nothing is derived from the parameters."""

    def _autocast(self) -> torch.autocast:
        return torch.autocast(self._device.type, dtype=torch.bfloat16, enabled=self._bf16)

    def _classified(self, hidden: torch.Tensor, labels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        assert self._head is not None
        scores = self._head(hidden.float())
        return functional.cross_entropy(scores, labels.to(self._device), reduction="none"), scores


class _Causal(_Trained):
    """Branches packed on their prefix where the model computes that rightly, else one a row."""

    def __init__(self, model: Any, head: nn.Linear | None, padding: int) -> None:
        super().__init__(model, head, padding)
        self._packs = self._packs_rightly()

    def losses(self, items: Sequence[Item]) -> Losses:
        """Cross-entropy of targets' tokens, or of labels."""
        if not self._packs:  # what was refused would need a mask, too
            items = [Item(item.prefix, (replace(branch, refused=()),)) for item in items for branch in item.branches]
        batch = collate(items, self._padding)
        with self._autocast():
            hidden = self._hidden(items)
            if len(batch.labels):
                values, scores = self._classified(hidden[batch.ends[0], batch.ends[1]], batch.labels)
                return Losses(values, batch.kinds, batch.size, scores)
            logits = self._model.get_output_embeddings()(hidden[batch.predicting[0], batch.predicting[1]])
        return of_tokens(logits, batch)

    def _hidden(self, items: Sequence[Item]) -> torch.Tensor:
        batch = collate(items, self._padding)
        ids = batch.ids.to(self._device)
        lone = all(len(each.branches) == 1 and not each.branches[0].refused for each in items)
        if lone:  # no mask is needed: what stands behind a row's end is seen by none before it
            states: torch.Tensor = self._model.base_model(input_ids=ids, use_cache=False).last_hidden_state
            return states
        seen = torch.zeros(batch.mask.shape, device=self._device)
        seen = seen.masked_fill_(~batch.mask.to(self._device), torch.finfo(torch.float32).min)[:, None]
        packed: torch.Tensor = self._model.base_model(
            input_ids=ids,
            attention_mask=seen.to(next(self._model.parameters()).dtype),
            position_ids=batch.positions.to(self._device),
            use_cache=False,
        ).last_hidden_state
        return packed

    def _packs_rightly(self) -> bool:
        """Whether two branches on one prefix come out as each would alone; not every model takes such masks."""
        most = min(self._model.config.vocab_size, 40)
        numbers = [3 + (7 * place) % (most - 4) for place in range(14)]
        branches = (Branch("", numbers[5:8], numbers[8:9]), Branch("", numbers[9:13], numbers[13:14]))
        item = Item(numbers[:5], branches)
        try:
            with torch.no_grad():
                packed = self._hidden([item])[0, 5:]
                alone = [self._hidden([Item(item.prefix, (each,))])[0, 5:] for each in branches]
        except (ValueError, TypeError, RuntimeError, IndexError):
            return False
        wanted = torch.cat(alone)
        return bool((packed - wanted).abs().max() <= _SAME * wanted.abs().max())


class _Seq2Seq(_Trained):
    """Prefix and prompt are read by the encoder, the target is written by the decoder."""

    def losses(self, items: Sequence[Item]) -> Losses:
        """Cross-entropy of targets' tokens, or of labels read off the decoder's first state."""
        rows = [(item.prefix, branch) for item in items for branch in item.branches]
        read = [[*prefix, *branch.prompt, int(self._model.config.eos_token_id)] for prefix, branch in rows]
        ids, mask = _padded(read, self._padding)
        start = int(self._model.config.decoder_start_token_id)
        labelled = rows[0][1].label is not None
        targets = [[start] if labelled else [start, *branch.target[:-1]] for _, branch in rows]
        written, seen = _padded(targets, self._padding)
        with self._autocast():
            found = self._model(
                input_ids=ids.to(self._device),
                attention_mask=mask.to(self._device),
                decoder_input_ids=written.to(self._device),
                decoder_attention_mask=seen.to(self._device),
                output_hidden_states=labelled,
                use_cache=False,
            )
        size = ids.numel() + written.numel()
        if labelled:
            first = found.decoder_hidden_states[-1][:, 0]
            values, scores = self._classified(first, torch.tensor([branch.label for _, branch in rows]))
            return Losses(values, [branch.kind for _, branch in rows], size, scores)
        logits = found.logits[seen.bool().to(self._device)]
        wanted = torch.tensor([token for _, branch in rows for token in branch.target], device=self._device)
        kinds = [branch.kind for _, branch in rows for _ in branch.target]
        return Losses(functional.cross_entropy(logits.float(), wanted, reduction="none"), kinds, size)


def _padded(rows: Sequence[Sequence[int]], padding: int) -> tuple[torch.Tensor, torch.Tensor]:
    width = max(map(len, rows))
    ids = torch.tensor([[*row, *[padding] * (width - len(row))] for row in rows])
    return ids, torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows])


def _loaded(transformers: Any, name: str) -> tuple[Any, Any, Any]:
    try:
        config = transformers.AutoConfig.from_pretrained(name)
        tokenizer = transformers.AutoTokenizer.from_pretrained(name)
        auto = transformers.AutoModelForSeq2SeqLM if config.is_encoder_decoder else transformers.AutoModelForCausalLM
        model = auto.from_pretrained(name, dtype=torch.float32)
    except (OSError, ValueError, KeyError, ImportError) as error:
        said = str(error).strip().partition("\n")[0]
        raise ModelError(f"--base: transformers cannot load {name!r}: {said}") from error
    if tokenizer.eos_token_id is None:
        raise ModelError(f"--base: the tokenizer of {name!r} has no token that ends a text")
    return config, tokenizer, model


def _identity(config: Any, model: Any) -> str:
    """Changes with the configuration and the weights: the embedding stands for them."""
    digest = hashlib.sha256(config.to_json_string().encode())
    digest.update(model.get_input_embeddings().weight.detach().float().numpy().tobytes())
    return digest.hexdigest()


def _lora(peft: Any, model: Any, config: Any, options: TrainOptions, seq2seq: bool) -> Any:
    """LoRA on every product of the layers that are adapted; of a sequence-to-sequence model on all layers."""
    outside = {id(model.get_output_embeddings())}
    products = [
        (name, module)
        for name, module in model.named_modules()
        if isinstance(module, nn.Linear) or type(module).__name__ == "Conv1D"
    ]
    first = 0 if seq2seq and options.layers is None else parse_layers(options.layers, int(config.num_hidden_layers))
    names = [
        name
        for name, module in products
        if id(module) not in outside and (number := _layer_of(name)) is not None and number >= first
    ]
    if not names:
        raise ModelError(f"--base: {options.base!r} has no layers that can take an adapter")
    return peft.LoraConfig(
        r=options.rank,
        lora_alpha=options.alpha,
        lora_dropout=0.0,
        target_modules=names,
        task_type="SEQ_2_SEQ_LM" if seq2seq else "CAUSAL_LM",
    )


def _layer_of(name: str) -> int | None:
    """The first number in a module's name: model.layers.7.mlp.up_proj is of layer 7."""
    return next((int(part) for part in name.split(".") if part.isdecimal()), None)


def _with_adapter(peft: Any, model: Any, options: TrainOptions) -> Any:
    try:
        made = peft.PeftModel.from_pretrained(model, str(options.init), is_trainable=True)
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        said = str(error).strip().partition("\n")[0]
        raise ModelError(f"--init: {options.init} is not an adapter for {options.base!r}: {said}") from error
    config = made.peft_config["default"]
    if config.r != options.rank:
        raise UsageError(f"--init: {options.init} has rank {config.r}; give --rank {config.r}")
    return made
