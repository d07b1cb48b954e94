"""How this package starts onnxruntime, and what it asks of the processor."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    import onnxruntime


VNNI = frozenset({"avx512_vnni", "avx_vnni"})
"""Instructions of either kind multiply and add 8-bit integers at once."""


def cpu_flags() -> str:
    """The instructions that the processor knows, as Linux lists them; its name where they are not listed."""
    try:
        cpu = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2] for line in cpu.splitlines() if line.startswith("flags")), "")


def import_onnxruntime() -> ModuleType:
    """onnxruntime, told before its first import, and after it, that it is to send no telemetry."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()  # a program that imported it before us did not set the variable
    module: ModuleType = onnxruntime
    return module


def session_options(threads: int) -> onnxruntime.SessionOptions:
    """Options of every session: that many threads, errors only in the log."""
    options = import_onnxruntime().SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # Waiting threads that spin take the cores from other work: half the speed on a machine that does anything else.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def open_session(graph: Path, threads: int) -> onnxruntime.InferenceSession:
    """A session of a graph's file, which is run as it was written: there is nothing in it to be fused."""
    ort = import_onnxruntime()
    options = session_options(threads)
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    return ort.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
