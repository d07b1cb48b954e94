"""Models of other packages: a function of what stands behind the colon, which gives back what is asked."""

from __future__ import annotations

from typing import NamedTuple

from ragassay.errors import UsageError
from ragassay.models.llm.endpoints import OWN_URL, SCHEMES, Endpoint
from ragassay.models.own_model import check_own_model
from ragassay.models.plug_ins import NamedPlugIns, PlugIn, named_plug_ins, plug_in_name
from ragassay.models.sentence_transformers_encoder import PREFIX as SENTENCE_TRANSFORMERS

_ELSEWHERE = ("embedded", "lexical", "own", "http", "https", SENTENCE_TRANSFORMERS)
"""Names that mean something before servers are thought of."""
_BUILT_IN = frozenset(plug_in_name(each.rstrip(":")) for each in (*SCHEMES, *_ELSEWHERE))


class _Named(NamedTuple):
    plug_in: PlugIn
    argument: str


def model_plug_ins() -> NamedPlugIns:
    """All that are installed, by the names that stand in front of the colon."""
    return named_plug_ins("model", _BUILT_IN)


def plug_in_model_name(name: str) -> str | None:
    """What reports, fingerprints and the call log call it: with package and version; None for any other model."""
    found = _named(name)
    return f"{name.strip()} ({found.plug_in.origin})" if found is not None else None


def plug_in_endpoint(name: str) -> Endpoint | None:
    """The model, made now; None where no plug-in has the name. Raises UsageError for one that cannot be asked."""
    found, shown = _named(name), plug_in_model_name(name)
    if found is None or shown is None:
        return None
    target = found.plug_in.made(found.argument)
    try:
        check_own_model(target)
    except UsageError as error:
        raise UsageError(f"{found.plug_in} cannot be used: {error}") from None
    return Endpoint(shown, OWN_URL, shown, own=target)


def _named(name: str) -> _Named | None:
    scheme, _, argument = name.strip().partition(":")
    scheme = plug_in_name(scheme)
    if scheme in _BUILT_IN:  # without a look at what other packages bring
        return None
    found = model_plug_ins().by_name.get(scheme)
    return None if found is None else _Named(found, argument)
