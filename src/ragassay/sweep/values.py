"""What came of one setting, question by question, and the file that keeps it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from ragassay.sweep.search import Rows
from ragassay.sweep.setting import Setting

Values = npt.NDArray[np.float64]

TOKENS_IN, TOKENS_OUT = "input_tokens", "output_tokens"
"""Beside the metrics: what the generator read and wrote for a question."""


@dataclass(frozen=True, slots=True, eq=False)
class SettingValues:
    """rows: the questions that were asked, rising. metrics: name to the values of these, NaN where there is none.

    reasons: metric to why values are missing, with counts.
    """

    setting: Setting
    rows: Rows
    metrics: Mapping[str, Values]
    reasons: Mapping[str, Mapping[str, int]]

    def on(self, metric: str, rows: Rows) -> Values:
        """The values of some of the questions asked."""
        return self.metrics[metric][np.searchsorted(self.rows, rows)]

    def save(self, path: Path) -> None:
        """Writes the file, whole or not at all."""
        part = path.with_name(f"{path.name}.part")
        arrays: dict[str, Any] = {f"metric {name}": values for name, values in self.metrics.items()}
        with part.open("wb") as file:
            np.savez(file, rows=self.rows, reasons=np.array(json.dumps(self.reasons)), **arrays)
        part.replace(path)

    @classmethod
    def load(cls, path: Path, setting: Setting) -> SettingValues | None:
        """What a file keeps; None where there is none that can be read."""
        try:
            with np.load(path, allow_pickle=False) as file:
                metrics = {
                    name.removeprefix("metric "): file[name] for name in file.files if name.startswith("metric ")
                }
                return cls(setting, file["rows"], metrics, json.loads(str(file["reasons"])))
        except (OSError, ValueError, KeyError, BadZipFile):
            return None
