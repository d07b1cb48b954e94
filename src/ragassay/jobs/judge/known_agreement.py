"""How far the judge of a command agrees with people: from a folder of ``ragassay judge check``, or from the package."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ragassay.errors import InputError, UsageError
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.asking.models import Endpoints
from ragassay.jobs.folders.run_folder import CHECK_FILE, RUN_FILE
from ragassay.models import LEXICAL
from ragassay.models.embedded.model import EmbeddedModel, LexicalModel
from ragassay.models.embeddings import SentenceEncoder
from ragassay.people.agreement.judge_agreement import CheckFile, JudgeAgreement, is_same_judge, measured, rows_of_file
from ragassay.plain_files import read_object, read_plain
from ragassay.records import Example, from_json


def known_agreement(models: ModelOptions, endpoints: Endpoints, folder: Path | None) -> tuple[JudgeAgreement, ...]:
    """Rows about the judge that these options name. folder: of a check of it; None for what the package knows.

    Raises InputError or RecordError for a folder that holds no check, and UsageError for a check of another judge.
    """
    judge = judge_name(models, endpoints)
    if models.more_judges:
        if folder is not None:
            raise UsageError("--judge-check: measures one judge; leave it out, or name one judge")
        return ()
    if folder is None:
        return measured(judge)
    found = _read(folder)
    if not is_same_judge(found.model, judge):
        raise UsageError(f"--judge-check: {folder} measures {found.model}, but the judge is {judge}")
    return rows_of_file(found)


def own_work(judge: str, examples: Iterable[Example], answerers: Iterable[str]) -> tuple[str, ...]:
    """Return what of the data a judge, or one of a panel, wrote. answerers: the models that answered."""
    judges = {_model_of(name) for name in judge.split("; ")}
    writers = {"questions": {each.provenance.model for each in examples}, "answers": set(answerers)}
    return tuple(what for what, names in writers.items() if judges & set(map(_model_of, names)))


def _model_of(name: str) -> str:
    """The embedded model is the same one with and without its parts, ``embedded (ENCODER, VERIFIER)``."""
    return name.partition(" (")[0]


def answering_model(folder: Path) -> str:
    """Return which model of the built-in system gave the answers of a run folder; empty where it does not say."""
    found = read_object(folder / RUN_FILE)
    for key in ("identity", "models"):
        found = inner if isinstance(inner := found.get(key), dict) else {}
    roles = found.get("roles", {"answerer": found.get("model", "")})
    return str(roles.get("answerer", "")) if isinstance(roles, dict) else ""


def judge_name(models: ModelOptions, endpoints: Endpoints) -> str:
    """What reports call the judge."""
    endpoint = endpoints.of_role.get("judge")
    if endpoint is not None:
        return endpoint.name
    return LexicalModel.name if models.name_of("judge") == LEXICAL else EmbeddedModel(SentenceEncoder()).name


def _read(folder: Path) -> CheckFile:
    path = folder / CHECK_FILE
    try:
        return from_json(CheckFile, read_plain(path), where=str(path))
    except OSError as error:
        raise InputError(
            f"--judge-check: {path} cannot be read ({error.strerror}); name a folder that "
            "`ragassay judge check --out` wrote"
        ) from None
