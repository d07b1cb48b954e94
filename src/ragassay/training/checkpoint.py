"""The state of a training that was stopped: parameters, optimiser, place in the data, log."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from ragassay.errors import InputError, RunFolderError
from ragassay.training.adapter_file import write_tensors

_STATE = "state.safetensors"


class Checkpoints:
    """A folder beside the output that is there as long as the training is not done."""

    def __init__(self, out: Path, identity: str) -> None:
        """out: the adapter to be. identity: says which training this is; the folder of another one is refused."""
        self.folder = out.with_name(out.name + ".partial")
        self._identity = identity

    def save(self, tensors: Mapping[str, torch.Tensor], place: Mapping[str, Any]) -> None:
        """Replaces the state. place: what JSON can hold."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunFolderError(f"{self.folder} cannot be written: {error.strerror or error}") from error
        arrays = {name: each.detach().float().cpu().numpy() for name, each in tensors.items()}
        write_tensors(
            self.folder / _STATE, arrays, {"identity": self._identity, "place": json.dumps(place, sort_keys=True)}
        )

    def load(self) -> tuple[dict[str, torch.Tensor], dict[str, Any]] | None:
        """The state, or None where there is none.

        Raises RunFolderError for the state of another training, InputError for a damaged one.
        """
        from safetensors import SafetensorError, safe_open

        path = self.folder / _STATE
        if not path.exists():
            return None
        try:
            with safe_open(path, framework="pt") as file:
                metadata = file.metadata() or {}
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            place = json.loads(metadata.get("place", ""))
        except (SafetensorError, OSError, ValueError) as error:
            raise InputError(f"{path} is damaged ({error}); delete {self.folder} to start over") from error
        if metadata.get("identity") != self._identity:
            raise RunFolderError(
                f"{self.folder} holds the checkpoint of another training (other data or options); "
                "delete it, or choose another --out"
            )
        return tensors, place

    def remove(self) -> None:
        """Deletes the folder: the adapter is written."""
        shutil.rmtree(self.folder, ignore_errors=True)
