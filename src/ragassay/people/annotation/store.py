"""One round of annotation in a SQLite file: sheets, who judges which, and every judgement as soon as it is made."""

from __future__ import annotations

import os
import random
import re
import secrets
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from ragassay.errors import InputError, RunFolderError, UsageError
from ragassay.people.annotation.sheets import Sheet, accepted
from ragassay.records import Annotation, content_id, from_json, to_json

FILE = "annotations.sqlite"
MOST_NOTE_CHARS = 10_000
_NAME = re.compile(r"\w[\w .@-]{0,59}")
_WAIT_S = 30.0
"""How long a writer waits for another one."""

_SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sheets (
    place INTEGER PRIMARY KEY, subject_id TEXT NOT NULL UNIQUE, n_asked INTEGER NOT NULL, sheet TEXT NOT NULL
);
CREATE TABLE turns (annotator TEXT, turn INTEGER, place INTEGER NOT NULL, PRIMARY KEY (annotator, turn)) WITHOUT ROWID;
CREATE TABLE judgements (
    number INTEGER PRIMARY KEY, annotator TEXT NOT NULL, subject_id TEXT NOT NULL, task TEXT NOT NULL,
    value TEXT NOT NULL, note TEXT NOT NULL, at TEXT NOT NULL
);
CREATE INDEX judged ON judgements (annotator, subject_id, task, number);
"""
_LATEST = """
SELECT annotator, subject_id, task, value, note FROM judgements
WHERE number IN (SELECT max(number) FROM judgements GROUP BY annotator, subject_id, task)
"""
_DONE = """
SELECT count(*) FROM (
    SELECT 1 FROM judgements JOIN sheets USING (subject_id) WHERE annotator = ?
    GROUP BY subject_id HAVING count(DISTINCT task) >= n_asked
)
"""


class Progress(NamedTuple):
    """done: items of which every question has an answer."""

    done: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One item as an annotator sees it. answers: their own judgements so far, task to value. note: theirs."""

    sheet: Sheet
    answers: dict[str, str]
    note: str

    @property
    def is_done(self) -> bool:
        return all(each.name in self.answers for each in self.sheet.asked)


class Round:
    """A round of annotation in a folder. Any number of processes may work on it at once.

    Every judgement is on disk before ``judge`` returns (write-ahead log, synchronous). The latest of an annotator on a
    question counts; it can be taken back. annotators: those that have items, by name. data: the data set that it was
    begun with; None in earlier rounds.
    """

    def __init__(self, folder: Path) -> None:
        """Raises InputError where the folder holds no round."""
        self.file = folder / FILE
        if not self.file.is_file():
            raise InputError(f"{folder} holds no annotations; start with `ragassay annotate DATASET --out {folder}`")
        with self._connected() as database:
            about = dict(database.execute("SELECT name, value FROM about"))
            rows = database.execute("SELECT DISTINCT annotator FROM turns ORDER BY annotator")
            annotators = [name for (name,) in rows]
        self.task = about["task"]
        self.secret = about["secret"]
        self._seed = int(about["seed"])
        self._asked_of = about["asked"]
        self.data = Path(about["data"]) if "data" in about else None
        self.annotators = annotators

    @classmethod
    def begin(
        cls,
        folder: Path,
        task: str,
        sheets: Sequence[Sheet],
        annotators: Sequence[str],
        overlap: int,
        seed: int,
        *,
        in_order: bool = False,
        data: Path | None = None,
    ) -> Round:
        """A new round, or the one that was begun in this folder with the same sheets, annotators, overlap and seed.

        in_order: everybody gets their sheets in this order. data: where they come from.

        Raises RunFolderError where the folder holds another round or other files, UsageError for annotators or overlap.
        """
        turns = assign(len(sheets), annotators, overlap, seed, in_order=in_order)
        asked = content_id("round", task, str(seed), str(overlap), *annotators, *map(to_json, sheets))
        if (folder / FILE).exists():
            found = cls(folder)
            if found._asked_of != asked:
                raise RunFolderError(
                    f"{folder} holds a round with another data set or other options; continue it with "
                    f"`ragassay annotate --out {folder}`, or name a new folder"
                )
            return found
        _check_free(folder)
        part = folder / f"{FILE}.{secrets.token_hex(8)}.part"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            about = {"task": task, "seed": str(seed), "asked": asked}
            _write(part, about if data is None else {**about, "data": str(data.resolve())}, sheets, turns)
            os.link(part, folder / FILE)
            _sync(folder)
        except FileExistsError:  # another process has begun a round here meanwhile, which must not be lost
            return cls.begin(folder, task, sheets, annotators, overlap, seed, in_order=in_order, data=data)
        except (OSError, sqlite3.Error) as error:
            reason = getattr(error, "strerror", None) or error
            raise RunFolderError(f"--out: {folder} cannot be written ({reason}); name another folder") from None
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)
        return cls(folder)

    def turn(self, annotator: str, turn: int) -> Turn:
        """What an annotator sees at their turn, from 0 on. Raises UsageError where they have none of that number."""
        with self._connected() as database:
            row = database.execute(
                "SELECT sheet FROM turns JOIN sheets USING (place) WHERE annotator = ? AND turn = ?", (annotator, turn)
            ).fetchone()
            if row is None:
                raise UsageError(f"{annotator} has no item number {turn + 1}")
            sheet = from_json(Sheet, row[0])
            said = database.execute(
                "SELECT task, value, note FROM judgements WHERE annotator = ? AND subject_id = ? ORDER BY number",
                (annotator, sheet.subject_id),
            ).fetchall()
        if is_swapped(self._seed, annotator, sheet.subject_id):
            sheet = sheet.swapped()
        answers = {task: value for task, value, _ in said}
        return Turn(sheet=sheet, answers=answers, note=said[-1][2] if said else "")

    def judge(self, annotator: str, turn: int, task: str, value: str, note: str = "") -> Progress:
        """Keep one judgement; on disk when this returns. Raises UsageError for what was not asked there."""
        asked = {each.name: each for each in self.turn(annotator, turn).sheet.asked}
        if task not in asked:
            raise UsageError(f"task {task!r} does not apply to item {turn + 1} of {annotator}")
        value = accepted(asked[task], value)
        if len(note) > MOST_NOTE_CHARS:
            raise UsageError(f"the note must have at most {MOST_NOTE_CHARS} characters, not {len(note)}")
        with self._connected() as database, database:
            (subject_id,) = database.execute(
                "SELECT subject_id FROM turns JOIN sheets USING (place) WHERE annotator = ? AND turn = ?",
                (annotator, turn),
            ).fetchone()
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            database.execute(
                "INSERT INTO judgements (annotator, subject_id, task, value, note, at) VALUES (?, ?, ?, ?, ?, ?)",
                (annotator, subject_id, task, value, _whole(note), now),
            )
        return self.progress(annotator)

    def undo(self, annotator: str) -> int:
        """Take back their last judgement and return the turn that it was at. Raises UsageError where there is none."""
        with self._connected() as database, database:
            last = database.execute(
                "SELECT number, turn FROM judgements JOIN sheets USING (subject_id) "
                "JOIN turns USING (annotator, place) WHERE annotator = ? ORDER BY number DESC LIMIT 1",
                (annotator,),
            ).fetchone()
            if last is None:
                raise UsageError(f"{annotator} has no judgement to take back")
            database.execute("DELETE FROM judgements WHERE number = ?", last[:1])
        return int(last[1])

    def undone(self, annotator: str) -> list[int]:
        """Return the turns of an annotator that still lack an answer."""
        with self._connected() as database:
            # Turns with fewer questions answered than asked; only what is asked there is ever kept as answered.
            rows = database.execute(
                """
                SELECT turn FROM turns JOIN sheets USING (place) WHERE annotator = ?1 AND n_asked > (
                    SELECT count(DISTINCT task) FROM judgements
                    WHERE annotator = ?1 AND judgements.subject_id = sheets.subject_id
                ) ORDER BY turn
                """,
                (annotator,),
            )
            return [turn for (turn,) in rows]

    def progress(self, annotator: str) -> Progress:
        with self._connected() as database:
            (total,) = database.execute("SELECT count(*) FROM turns WHERE annotator = ?", (annotator,)).fetchone()
            (done,) = database.execute(_DONE, (annotator,)).fetchone()
            return Progress(done, total)

    def annotations(self) -> list[Annotation]:
        """Return the latest judgement of everybody on everything, by subject, annotator and task."""
        with self._connected() as database:
            places = dict(database.execute("SELECT subject_id, place FROM sheets"))
            rows = database.execute(_LATEST).fetchall()
        rows.sort(key=lambda row: (places[row[1]], row[0], row[2]))
        return [annotation(*row) for row in rows]

    def sheets(self) -> list[Sheet]:
        """Return what is asked of whomever, in the order of the data set."""
        with self._connected() as database:
            return [from_json(Sheet, sheet) for (sheet,) in database.execute("SELECT sheet FROM sheets ORDER BY place")]

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.file, timeout=_WAIT_S)) as database:
                database.execute("PRAGMA journal_mode = WAL")
                database.execute("PRAGMA synchronous = FULL")
                yield database
        except sqlite3.Error as error:
            raise RunFolderError(f"{self.file} cannot be used ({error})") from None


def _check_free(folder: Path) -> None:
    """Raises RunFolderError where a round would begin among files of something else."""
    with suppress(OSError):  # a folder that is not there, or cannot be: who writes to it says why
        if folder.exists() and not folder.is_dir():
            raise RunFolderError(f"--out: {folder} is a file; name a folder")
        if any(not path.name.startswith(FILE) for path in folder.iterdir()):
            raise RunFolderError(f"--out: {folder} holds other files; name an empty or new folder")


def annotation(annotator: str, subject_id: str, task: str, value: str, note: str = "") -> Annotation:
    """Return the record of one judgement; its id depends on who judged what, not on the value."""
    return Annotation(
        id=content_id("annotation", annotator, subject_id, task),
        subject_id=subject_id,
        annotator=annotator,
        task=task,
        value=value,
        note=note,
    )


def _write(part: Path, about: dict[str, str], sheets: Sequence[Sheet], turns: Mapping[str, Sequence[int]]) -> None:
    with closing(sqlite3.connect(part)) as database, database:
        database.executescript(_SCHEMA)
        secret = {"secret": secrets.token_hex(16)}
        database.executemany("INSERT INTO about VALUES (?, ?)", {**about, **secret}.items())
        rows = ((place, each.subject_id, len(each.asked), to_json(each)) for place, each in enumerate(sheets))
        database.executemany("INSERT INTO sheets VALUES (?, ?, ?, ?)", rows)
        of_all = ((name, turn, place) for name, places in turns.items() for turn, place in enumerate(places))
        database.executemany("INSERT INTO turns VALUES (?, ?, ?)", of_all)


def _whole(note: str) -> str:
    """Return the note without half a character: a browser may cut one through at the end."""
    return note.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _sync(folder: Path) -> None:
    place = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)


def assign(
    n_items: int, annotators: Sequence[str], overlap: int, seed: int, *, in_order: bool = False
) -> dict[str, list[int]]:
    """Annotator to the places of their items, each in an order of their own.

    Items that several judge come to all of them in the same pairs: people who have done a few have those in common, so
    that their agreement is known early. overlap: how many annotators judge each item. in_order: everybody gets theirs
    in the order of the items.
    Loads differ by one at most. Raises UsageError where the names are not different, or the overlap is not between 1
    and their number.
    """
    for name in annotators:
        if not _NAME.fullmatch(name):
            raise UsageError(f"--annotators: invalid name {name!r}; use at most 60 letters, digits, spaces and . _ @ -")
    if not annotators or len(set(annotators)) < len(annotators):
        raise UsageError(f"--annotators: must be different names, not {', '.join(annotators) or 'none'}")
    if not 1 <= overlap <= len(annotators):
        raise UsageError(f"--overlap: must be between 1 and the {len(annotators)} annotators, not {overlap}")
    chance = random.Random(seed)
    places: dict[str, list[int]] = {name: [] for name in annotators}
    items = list(range(n_items))
    chance.shuffle(items)
    for place in items:
        drawn = {name: chance.random() for name in annotators}
        for name in sorted(annotators, key=lambda name: (len(places[name]), drawn[name]))[:overlap]:
            places[name].append(place)
    pair_of = {place: number // 2 for number, place in enumerate(items)}
    for name in annotators:
        chance.shuffle(places[name])
        if in_order or overlap > 1:
            places[name].sort(key=None if in_order else pair_of.__getitem__)
    return places


def is_swapped(seed: int, annotator: str, subject_id: str) -> bool:
    """Whether this annotator sees the two answers of a subject in the other order: a fair coin, always the same."""
    return random.Random(f"{seed}\x00{annotator}\x00{subject_id}").random() < 0.5
