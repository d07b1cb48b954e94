"""``python -m ragassay``."""

from __future__ import annotations

from ragassay.cli import main

main()
