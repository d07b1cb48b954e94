"""From a built wheel to the first report, in an environment of its own: seconds and megabytes of each step.

    python benchmarks/first_contact.py
    python benchmarks/first_contact.py --borrow

The first line installs everything with pip and lets the first run fetch the weights. The second one borrows the
packages of this environment, fetches nothing and makes two questions; ``make package`` runs it to show that the wheel
holds all that it needs.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENTS = ROOT / "demo" / "knowledge_base"
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--borrow", action="store_true", help="use the packages of this environment")
    parser.add_argument("--documents", type=Path, default=DOCUMENTS)
    parser.add_argument("--n", type=int, default=100)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="first-contact-") as name:
        measure(Path(name), asked)


def measure(folder: Path, asked: argparse.Namespace) -> None:
    """Prints a line a step. Ends with the code of the step that failed."""
    wheels, own, cache = folder / "wheels", folder / "environment", folder / "cache"
    environment = {**os.environ, "RAGASSAY_CACHE": str(cache)}
    environment.pop("PYTHONPATH", None)
    documents, n = asked.documents.resolve(), asked.n
    if asked.borrow:
        environment |= {"RAGASSAY_OFFLINE": "1", "RAGASSAY_SMALL_MODEL": "off"}
        documents, n = min((DOCUMENTS / "vessels").glob("*.md")), 2

    def step(title: str, *command: object) -> None:
        started, spent = time.monotonic(), _spent()
        done = subprocess.run(list(map(str, command)), cwd=folder, env=environment, check=False, capture_output=True)
        if done.returncode:
            sys.stderr.write((done.stdout + done.stderr).decode(errors="replace"))
            sys.exit(f"{title}: failed with code {done.returncode}")
        sizes = f"{_megabytes(own):5} MB environment {_megabytes(cache):5} MB cache"
        print(f"{title:<12} {time.monotonic() - started:6.1f} s {_spent() - spent:6.1f} s CPU {sizes}", flush=True)

    step("wheel", *PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels, ROOT)
    (wheel,) = wheels.glob("ragassay-*.whl")
    print(f"{'':<12} {wheel.stat().st_size / 1e6:.1f} MB {wheel.name}")
    step("environment", sys.executable, "-m", "venv", *(["--without-pip"] if asked.borrow else []), own)
    if asked.borrow:
        packages = next((own / "lib").glob("python*/site-packages"))
        (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
        step("install", *PIP, "--python", own / "bin" / "python", "install", "--no-deps", "--no-index", wheel)
    else:
        step("install", own / "bin" / "python", *PIP[1:], "install", wheel)
    step("where", own / "bin" / "python", "-c", f"import ragassay; assert {str(own)!r} in ragassay.__file__")
    step("doctor", own / "bin" / "ragassay", "doctor")
    step("init", own / "bin" / "ragassay", "init", folder)
    step("first run", own / "bin" / "ragassay", "run", documents, "--out", folder / "run", "--n", n)
    assert (folder / "run" / "report.html").is_file()


def _spent() -> float:
    """Seconds of the processor that all steps so far took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _megabytes(folder: Path) -> int:
    return round(sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6)


if __name__ == "__main__":
    main()
