"""``ragassay completion``: a script that completes commands and options, without a call of ragassay at each key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import typer

SHELLS = ("bash", "zsh", "fish")


class Place(NamedTuple):
    """A command: name, with those of its groups before it. words: options, or the commands of a group, with texts."""

    name: str
    is_group: bool
    words: dict[str, str]


def completion(
    ctx: typer.Context,
    shell: Annotated[str, typer.Argument(help="bash, zsh or fish.", metavar="SHELL", show_default=False)],
) -> None:
    """Print a script for a shell that completes commands and options.

    Print it anew after an upgrade. Examples:

    ragassay completion bash > ~/.local/share/bash-completion/completions/ragassay

    ragassay completion zsh > ~/.zfunc/_ragassay

    ragassay completion fish > ~/.config/fish/completions/ragassay.fish
    """
    from ragassay.errors import UsageError

    if shell not in SHELLS:
        raise UsageError(f"SHELL: unknown shell {shell!r}; choose one of {', '.join(SHELLS)}")
    from ragassay.cli.app import app

    places = list(places_of(app, "", ctx))
    typer.echo({"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](places))


def places_of(command: Any, name: str, ctx: Any) -> Iterator[Place]:
    """The command itself and all commands below it."""
    options = {
        option: _first_sentence(getattr(each, "help", "") or "")
        for each in command.get_params(ctx)
        if each.param_type_name == "option" and not getattr(each, "hidden", False)
        for option in (*each.opts, *each.secondary_opts)
    }
    names = command.list_commands(ctx) if hasattr(command, "list_commands") else ()
    below = {key: _parsed(command.get_command(ctx, key)) for key in names}
    commands = {key: each.get_short_help_str(100) for key, each in below.items()}
    yield Place(name, bool(below), {**commands, **options})
    for key, each in below.items():
        yield from places_of(each, f"{name} {key}".strip(), ctx)


def _parsed(command: Any) -> Any:
    return getattr(command, "parsed", command)


def _first_sentence(text: str) -> str:
    return " ".join(text.split()).split("; ")[0].split(". ")[0].rstrip(".")


def _steps(places: list[Place]) -> list[str]:
    """What leads from one place to another: where one is, a blank, the next word."""
    return [" ".join(("", each.name)) if " " not in each.name else each.name for each in places if each.name]


def _bash(places: list[Place]) -> str:
    steps = "|".join(f'"{each}"' for each in _steps(places))
    cases = "\n".join(f'        "{each.name}") words="{" ".join(each.words)}" ;;' for each in places)
    groups = "|".join(f'"{each.name}"' for each in places if each.is_group)
    return f"""# Completion of ragassay for bash.
_ragassay() {{
    local place="" words="" word current=${{COMP_WORDS[COMP_CWORD]}}
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case "$place $word" in
            {steps}) place="${{place:+$place }}$word" ;;
        esac
    done
    case "$place" in
{cases}
    esac
    COMPREPLY=()
    case "$place" in
        {groups}) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
        *) [[ $current == -* ]] && COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    esac
    return 0
}}
complete -o default -F _ragassay ragassay"""


def _zsh(places: list[Place]) -> str:
    def quoted(word: str, text: str) -> str:
        return "'" + f"{word}:{text}".replace("'", "'\\''") + "'"

    steps = "|".join(f'"{each}"' for each in _steps(places))
    cases = "\n".join(
        f'        "{each.name}") found=({" ".join(quoted(*word) for word in each.words.items())}) ;;' for each in places
    )
    groups = "|".join(f'"{each.name}"' for each in places if each.is_group)
    return f"""#compdef ragassay
# Completion of ragassay for zsh.
_ragassay() {{
    local place="" word
    local -a found
    for word in "${{words[@]:1:$((CURRENT - 2))}}"; do
        case "$place $word" in
            {steps}) place="${{place:+$place }}$word" ;;
        esac
    done
    case "$place" in
{cases}
    esac
    case "$place" in
        {groups}) _describe ragassay found ;;
        *) if [[ $PREFIX == -* ]]; then _describe -o ragassay found; else _files; fi ;;
    esac
}}
if [[ $funcstack[1] == _ragassay ]]; then _ragassay "$@"; else compdef _ragassay ragassay; fi"""


def _fish(places: list[Place]) -> str:
    def quoted(text: str) -> str:
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines = []
    for each in places:
        for word, text in each.words.items():
            kind = (
                f"-l {word[2:]}" if word.startswith("--") else f"-s {word[1:]}" if word[0] == "-" else f"-f -a {word}"
            )
            lines.append(f"complete -c ragassay -n '__ragassay_at \"{each.name}\"' {kind} -d {quoted(text)}")
    steps = " ".join(f'"{each}"' for each in _steps(places))
    return f"""# Completion of ragassay for fish.
function __ragassay_at
    set -l place ""
    for word in (commandline -opc)[2..-1]
        switch "$place $word"
            case {steps}
                set place (string trim "$place $word")
        end
    end
    test "$place" = "$argv[1]"
end
{chr(10).join(lines)}"""
