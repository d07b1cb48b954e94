"""Claims: a process never stands in its own way, others wait, and no claim outlives its owner."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ragassay.models.llm.call_claims import CallClaims

OTHER = """
import sys
from pathlib import Path
from ragassay.models.llm.call_claims import CallClaims
claims = CallClaims(Path(sys.argv[1]))
print(claims.take(b"key 1" * 3), claims.take(b"key 2" * 3), flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")
def test_a_call_belongs_to_one_process_until_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "claims"
    mine = CallClaims(path)
    assert mine.take(b"key 1" * 3)
    assert mine.take(b"key 1" * 3)
    other = subprocess.Popen(
        [sys.executable, "-c", OTHER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "False True\n"
    assert not mine.take(b"key 2" * 3)
    other.kill()
    other.wait()
    assert mine.take(b"key 2" * 3)
    mine.give_back(b"key 1" * 3)
    mine.close()
