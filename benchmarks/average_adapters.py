"""The mean of two adapters of one shape, where the second went on from the first (model soups: Wortsman et al. 2022).

    python benchmarks/average_adapters.py FIRST SECOND --out MEAN

Two trainings that end near each other make different errors; their mean has fewer. Both are files that
``ragassay train`` wrote for the built-in base; the mean says in its metadata what it was made of.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save_file


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    tensors, metadata = [], {}
    for path in (arguments.first, arguments.second):
        with safe_open(path, "np") as file:
            tensors.append({name: file.get_tensor(name) for name in list(file.keys())})
            metadata = dict(file.metadata() or {})
    one, other = tensors
    if {name: value.shape for name, value in one.items()} != {name: value.shape for name, value in other.items()}:
        sys.exit(f"{arguments.first} and {arguments.second} are of different shapes; give two of one training")
    mean = {
        name: ((value.astype(np.float32) + other[name].astype(np.float32)) / 2).astype(value.dtype)
        for name, value in one.items()
    }
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (arguments.first, arguments.second)]
    metadata["command"] = f"python benchmarks/average_adapters.py {digests[0]} {digests[1]}"
    save_file(mean, arguments.out, metadata=metadata)


if __name__ == "__main__":
    main()
