"""The package: quick to import, and no more public than it says."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import entry_points, version
from pathlib import Path

import ragassay


def loaded_by(statement: str) -> set[str]:
    """Top-level names of the modules that a fresh interpreter has after a statement."""
    code = f"{statement}\nimport json, sys\nprint(json.dumps(sorted({{name.split('.')[0] for name in sys.modules}})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return set(json.loads(done.stdout))


def test_importing_the_package_loads_no_library() -> None:
    heavy = {"numpy", "pydantic", "onnxruntime", "onnx", "tokenizers", "spacy", "rich", "typer", "bm25s", "asyncio"}
    heavy |= {"pandas", "pyarrow", "torch", "yaml", "jinja2", "httpx", "fastapi", "sqlite3"}
    assert loaded_by("import ragassay") & heavy == set()


def test_importing_the_command_line_loads_no_library() -> None:
    heavy = {"numpy", "pydantic", "onnxruntime", "tokenizers", "spacy", "typer"}
    assert loaded_by("import ragassay.cli") & heavy == set()


def test_importing_the_records_loads_no_pydantic() -> None:
    assert loaded_by("import ragassay.records") & {"pydantic", "numpy"} == set()


def test_the_help_needs_no_model_library() -> None:
    statement = "import sys; sys.argv = ['ragassay', '--help']\nfrom ragassay.cli.app import app"
    assert loaded_by(statement) & {"numpy", "onnxruntime", "tokenizers", "spacy", "pydantic"} == set()


def test_no_public_name_is_that_of_a_module() -> None:
    """Importing ``ragassay.sweep.plan`` makes ``ragassay.sweep`` the package: a function of that name would be lost."""
    folder = Path(ragassay.__file__).parent
    for name in ragassay.__all__[1:]:
        assert callable(getattr(ragassay, name))
        assert not (folder / name).exists()
        assert not (folder / f"{name}.py").exists()


def test_what_is_public() -> None:
    assert ragassay.__all__ == [
        "__version__",
        "agree",
        "check_dataset",
        "check_judge",
        "compare_runs",
        "compare_sets",
        "convert_dataset",
        "engine",
        "evaluate",
        "experiment",
        "gate",
        "label",
        "metric",
        "questions",
        "read_annotations",
        "refresh",
        "repeat_judge",
        "rubric",
        "run",
        "sweep_dataset",
        "synthesize",
        "write_report",
    ]


def test_the_version_is_that_of_the_installed_package() -> None:
    assert ragassay.__version__ == version("ragassay")


def test_the_console_script() -> None:
    (script,) = entry_points(group="console_scripts", name="ragassay")
    assert script.value == "ragassay.cli:main"
    from ragassay.cli import main

    assert script.load() is main
