"""Where a path on remote storage lies here: every URL has one place in the cache folder, and every such place a URL."""

from __future__ import annotations

import re
from pathlib import Path

from ragassay.errors import UsageError, choices
from ragassay.models.cache_folder import cache_folder

SCHEMES = {"s3": "s3fs", "gs": "gcsfs", "az": "adlfs", "hf": "huggingface_hub", "memory": "fsspec"}
"""What fsspec reads, and the package that each needs."""
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/{1,2}([^/].*|)", re.DOTALL)
_IN_MESSAGES = re.compile(r"(\w[\w+.-]+:/{1,2})[^\s/@]*:[^\s/@]*@|\?\S*")


def is_url(path: str | Path) -> bool:
    """Whether a path is a URL, also one that ``Path`` took a slash from; a local file of such a name comes first."""
    return _URL.fullmatch(str(path)) is not None and not Path(path).exists()


def is_remote(path: str | Path) -> bool:
    """Whether a path is a URL of storage that can be read."""
    match = _URL.fullmatch(str(path))
    return match is not None and match[1] in SCHEMES and is_url(path)


def place_of(url: str | Path) -> Path:
    """The local place of a URL. Raises UsageError for one that cannot be read, without what is secret in it."""
    match = _URL.fullmatch(str(url))
    whole = f"{match[1]}://{match[2]}" if match else str(url)
    shown = masked(whole)
    if match is None or match[1] not in SCHEMES:
        raise UsageError(f"unknown scheme in {shown}; choose one of {choices(f'{name}://' for name in SCHEMES)}")
    rest = match[2].rstrip("/")
    if shown != whole:
        raise UsageError(f"{shown}: credentials do not belong in a path; set them in the environment")
    parts = rest.split("/")
    if not rest or any(part in {"", ".", ".."} or "\0" in part for part in parts):
        raise UsageError(f"{shown}: not a path; write scheme://bucket/folder, without empty parts and dots")
    return _root() / match[1] / Path(*parts)


def url_of(path: Path) -> str | None:
    """The URL of a place in the cache folder; None for any other path."""
    if not path.is_relative_to(_root()):
        return None
    scheme, *parts = path.relative_to(_root()).parts or ("",)
    return f"{scheme}://{'/'.join(parts)}" if scheme in SCHEMES and parts else None


def masked(text: str) -> str:
    """A URL, or a text with some, without names, passwords and signatures."""
    return _IN_MESSAGES.sub(lambda match: f"{match[1]}***@" if match[1] else "?***", text)


def _root() -> Path:
    return Path(cache_folder().absolute(), "remote")
