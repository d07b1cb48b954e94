"""The options about models that commands share: each is declared here once.

A command names the roles that it has (``model: Model = EMBEDDED``), takes ``calls: Calls = DEFAULT_CALLS`` and
``spending: Spending = DEFAULT_SPENDING``, is decorated with ``expanded``, and makes ``ModelOptions`` of them with
``model_options``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_type_hints

import typer

if TYPE_CHECKING:
    from ragassay.pipeline.asking.model_options import ModelOptions, Panel

EMBEDDED = "embedded"
_MODELS = "Models"
_CALLS = "Calls to servers"
_SPENDING = "Spending"
_SERVERS = "openai:MODEL, ollama:MODEL or http://HOST:PORT/v1#MODEL runs on a server."

Model = Annotated[
    str,
    typer.Option(
        help=f"Model that writes, judges and answers. 'embedded' needs no key; {_SERVERS}",
        rich_help_panel=_MODELS,
    ),
]
JudgeModel = Annotated[
    str,
    typer.Option(
        "--model",
        "--judge",
        help=f"Model that judges. 'embedded' needs no key; 'lexical' is faster, for metrics only; {_SERVERS}",
        rich_help_panel=_MODELS,
    ),
]
"""For commands that only judge."""
JudgeModels = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        "--judge",
        help="Model that judges; repeat it for several judges, whose scores are joined. 'embedded', the default, needs "
        f"no key; 'lexical' is faster, for metrics only; {_SERVERS}",
        rich_help_panel=_MODELS,
        show_default=False,
    ),
]
Judges = Annotated[
    list[str] | None,
    typer.Option(
        "--judge",
        help="Model that judges; repeat it for several judges, whose scores are joined. Default: --model.",
        rich_help_panel=_MODELS,
        show_default=False,
    ),
]
PanelWay = Annotated[
    str,
    typer.Option(
        "--panel",
        help="How scores of several judges are joined: mean or majority.",
        rich_help_panel=_MODELS,
        hidden=True,
    ),
]
Judge = Annotated[
    str | None, typer.Option(help="Model that labels, rates and judges; default: --model.", rich_help_panel=_MODELS)
]
Answers = Annotated[
    str | None, typer.Option(help="Model that answers from chunks; default: --model.", rich_help_panel=_MODELS)
]
Embeddings = Annotated[
    str,
    typer.Option(
        help="Model for the vectors of retrieval: 'embedded', a model on a server, or sentence-transformers:MODEL.",
        rich_help_panel=_MODELS,
    ),
]
JudgeCheck = Annotated[
    Path | None,
    typer.Option(
        help="Folder from 'ragassay judge check --out' for this judge: shows its agreement with people next to its "
        "scores.",
        metavar="FOLDER",
        rich_help_panel=_MODELS,
        hidden=True,
    ),
]


@dataclass(frozen=True, slots=True)
class Calls:
    """How models on servers are called."""

    prompts: Annotated[
        Path | None,
        typer.Option(help="Folder with your own prompts; see 'ragassay prompts'.", rich_help_panel=_CALLS, hidden=True),
    ] = None
    temperature: Annotated[
        float | None,
        typer.Option(
            help="Temperature for all tasks; default: of each task, mostly 0.", rich_help_panel=_CALLS, hidden=True
        ),
    ] = None
    extra_body: Annotated[
        str, typer.Option(help="JSON object with extra fields for every call.", rich_help_panel=_CALLS, hidden=True)
    ] = ""
    max_in_flight: Annotated[
        int, typer.Option(help="Calls to a server at the same time.", rich_help_panel=_CALLS, hidden=True)
    ] = 64
    requests_per_minute: Annotated[
        float | None, typer.Option(help="Maximum calls per minute.", rich_help_panel=_CALLS, hidden=True)
    ] = None
    tokens_per_minute: Annotated[
        float | None, typer.Option(help="Maximum tokens per minute.", rich_help_panel=_CALLS, hidden=True)
    ] = None
    call_timeout: Annotated[
        float,
        typer.Option(help="Seconds before a call is abandoned and retried.", rich_help_panel=_CALLS, hidden=True),
    ] = 120
    judging: Annotated[
        str,
        typer.Option(
            help="Ask for all verdicts on a pair or answer in one call (joint), or for each by itself, as papers do "
            "(separate).",
            rich_help_panel=_CALLS,
            hidden=True,
        ),
    ] = "joint"
    coverage: Annotated[
        float,
        typer.Option(
            help="Exit with code 8 if servers answer less than this share of calls.",
            rich_help_panel=_CALLS,
            hidden=True,
        ),
    ] = 0.95


@dataclass(frozen=True, slots=True)
class Spending:
    """What calls may cost."""

    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Estimate calls, tokens and cost; send nothing.", rich_help_panel=_SPENDING),
    ] = False
    max_cost: Annotated[float | None, typer.Option(help="Stop at this many US dollars.", rich_help_panel=_SPENDING)] = (
        None
    )
    max_calls: Annotated[
        int | None, typer.Option(help="Stop after this many calls.", rich_help_panel=_SPENDING, hidden=True)
    ] = None
    max_tokens: Annotated[
        int | None, typer.Option(help="Stop after this many tokens.", rich_help_panel=_SPENDING, hidden=True)
    ] = None
    prices: Annotated[
        Path | None, typer.Option(help="TOML file with prices of models.", rich_help_panel=_SPENDING, hidden=True)
    ] = None


DEFAULT_CALLS = Calls()
DEFAULT_SPENDING = Spending()


def model_options(
    calls: Calls,
    spending: Spending,
    *,
    model: str,
    judge: str | None = None,
    answers: str | None = None,
    embeddings: str = EMBEDDED,
) -> ModelOptions:
    """The options in the form that pipelines take. Raises UsageError for a file or value that cannot be used."""
    from ragassay.options import read_settings_of  # imported late: --help answers in half a second
    from ragassay.pipeline.asking.model_options import ModelOptions

    own = {"judges": () if judge is None else (judge,), "answers": answers, "embeddings": embeddings}
    given = {**asdict(calls), **asdict(spending)}
    del given["dry_run"]
    if not given["extra_body"]:
        del given["extra_body"]
    if given["prompts"] is None:
        del given["prompts"]
    return read_settings_of(ModelOptions, {"model": model, **own, **given})


def with_judges(
    calls: Calls, spending: Spending, judges: Sequence[str], panel: str, embeddings: str = EMBEDDED
) -> ModelOptions:
    """The options of those who score, by one judge or several. Raises as ``model_options``."""
    first, *more = judges
    made = model_options(calls, spending, model=first, embeddings=embeddings)
    return replace(made, judges=(first, *more) if more else (), panel=cast("Panel", panel))


def expanded(command: Callable[..., None]) -> Callable[..., None]:
    """The command with every parameter whose type is a dataclass of options as these options, for typer to see.

    Parameters after such a one need defaults.
    """
    own = inspect.signature(command, eval_str=True)
    groups: dict[str, Any] = {
        name: each.annotation for name, each in own.parameters.items() if is_dataclass(each.annotation)
    }
    parameters: list[inspect.Parameter] = []
    for name, parameter in own.parameters.items():
        parameters += _options_of(groups[name]) if name in groups else [parameter]

    def with_options(**given: Any) -> None:
        made = {
            name: kind(**{each.name: given.pop(each.name) for each in fields(kind)}) for name, kind in groups.items()
        }
        command(**given, **made)

    with_options.__name__, with_options.__doc__ = command.__name__, command.__doc__
    with_options.__module__, with_options.__annotations__ = command.__module__, {}
    vars(with_options)["__signature__"] = own.replace(parameters=parameters)
    return with_options


def _options_of(kind: Any) -> list[inspect.Parameter]:
    hints = get_type_hints(kind, include_extras=True)
    return [
        inspect.Parameter(
            each.name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if each.default is MISSING else each.default,
            annotation=hints[each.name],
        )
        for each in fields(kind)
    ]
