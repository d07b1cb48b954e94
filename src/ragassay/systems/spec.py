"""Which system is meant by ``--system``: a name with what belongs to it behind a colon, or a file that says it all.

rag                                   rag:retriever=bm25,chunk_size=512,prefix=title,top_k=5
http://localhost:8000/ask             http:http://localhost:8000/ask
function:my_module:answer             recorded:predictions.jsonl
my-system.toml
no_retrieval                          ground_truth_context
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ragassay.errors import InputError, UsageError
from ragassay.models.llm.masking import kept
from ragassay.settings import read_settings
from ragassay.systems.options import KINDS, MAIN_OPTION, Options, options_of

_FILES = (".toml", ".json", ".yaml", ".yml")
_BETWEEN = re.compile(r",(?=\s*[a-z_]+=)")
_NAME = re.compile(r"[a-z_]+")
_EXAMPLES = "rag, http://HOST:PORT/PATH, function:MODULE:NAME, recorded:FILE, or a .toml file"
_MAIN_EXAMPLES = {
    "http": "http://localhost:8000/ask",
    "function": "function:my_module:answer",
    "recorded": "recorded:predictions.jsonl",
}
_CALLABLE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
"""As ``my_module:answer``, which wants ``function:`` before it."""
_NOT_ASKED = frozenset({"concurrency", "timeout", "retries", "version"})
"""Options that decide how it is asked, not what: a run goes on under others. A version is compared by itself."""


@dataclass(frozen=True, slots=True)
class SystemSpec:
    """A kind of system and its options. folder: where files that a spec file names are looked for."""

    kind: str
    options: Options
    folder: Path

    def settings(self) -> dict[str, Any]:
        """Return what run folders keep, and what makes two systems the same: no value of the environment is in it."""
        said = self.options.model_dump(mode="json", exclude_defaults=True)
        return {"kind": self.kind} | {name: kept(name, value) for name, value in said.items() if name not in _NOT_ASKED}

    def file(self, name: str) -> Path:
        """Return the path of a file that an option names: beside the spec file, where there is one."""
        return self.folder / Path(name).expanduser()


def parse_spec(
    text: str, settings: Sequence[str] = (), more: Mapping[str, Any] | None = None, *, option: str = "--system"
) -> SystemSpec:
    """Return the system that a user named. settings: ``NAME=VALUE`` each, over what it says; more: over everything.

    Raises UsageError, one sentence that says how it is written; InputError for a file that cannot be read.
    """
    kind, values, folder = _by_file(Path(text), option) if _is_file(text) else _by_name(text.strip(), option)
    values |= dict(_setting(each, "--set") for each in settings)
    values |= {name: value for name, value in (more or {}).items() if value is not None}
    main = MAIN_OPTION.get(kind)
    if main is not None and not str(values.get(main) or "").strip():
        raise UsageError(f"{option}: {kind} needs its {main}; write it as {_MAIN_EXAMPLES[kind]}")
    return SystemSpec(kind, options_of(KINDS[kind], values, f"{option} {kind}"), folder)


def _is_file(text: str) -> bool:
    kind, colon, _ = text.partition(":")
    return text.lower().endswith(_FILES) and not (colon and (kind == "https" or kind in KINDS))


def _by_name(text: str, option: str) -> tuple[str, dict[str, Any], Path]:
    if re.match(r"https?://", text):
        return "http", {"url": text}, Path()
    kind, _, rest = text.partition(":")
    kind, rest = _plain_name(kind), rest.strip()
    if kind not in KINDS:
        near = get_close_matches(kind, KINDS, n=1)
        meant = f"function:{text[:80]}" if _CALLABLE.fullmatch(text) else near[0] if near else ""
        hint = f"did you mean {meant}? " if meant else ""
        raise UsageError(f"{option}: unknown system {text[:80]!r}; {hint}choose one of {_EXAMPLES}")
    if kind in MAIN_OPTION:
        return kind, {MAIN_OPTION[kind]: rest} if rest else {}, Path()
    if _CALLABLE.fullmatch(text) and rest not in KINDS[kind].model_fields:
        raise UsageError(f"{option}: must be NAME=VALUE, such as top_k=5, not {rest!r}; did you mean function:{text}?")
    return kind, dict(_setting(each, option) for each in _BETWEEN.split(rest) if each.strip()), Path()


def _plain_name(kind: str) -> str:
    return kind.strip().lower().replace("-", "_")


def _setting(text: str, option: str) -> tuple[str, Any]:
    """Return name and value; headers are objects, and everything else is made of its text where its type is known."""
    name, equals, value = text.partition("=")
    name, value = name.strip().replace("-", "_"), value.strip()
    if not equals or not _NAME.fullmatch(name):
        raise UsageError(f"{option}: must be NAME=VALUE, such as top_k=5, not {text[:80]!r}")
    if name != "headers":
        return name, value
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        raise UsageError('headers: must be JSON, such as headers=\'{"X-Key": "${MY_KEY}"}\'') from None


def _by_file(path: Path, option: str) -> tuple[str, dict[str, Any], Path]:
    try:
        values = read_settings(path)
    except InputError as error:
        raise InputError(f"{option}: {error}") from None
    kind = values.pop("kind", None) or values.pop("system", None)
    kind = _plain_name(kind) if isinstance(kind, str) else ""
    if kind not in KINDS:
        todo = f'write a line such as kind = "http", with one of {", ".join(KINDS)}'
        raise UsageError(f"{path}: kind is missing or unknown; {todo}")
    return kind, values, path.parent
