"""Ask a system that is a program: one process gets a batch of questions as JSON lines and answers with JSON lines.

To its standard input goes ``{"id": "q1", "question": "..."}`` a line; from its standard output comes
``{"id": "q1", "answer": "...", "chunks": [...]}`` a line, in any order. A question in a conversation has ``history``,
the turns before it, beside it. A line that is no JSON object is passed over and counted. A process that hangs, or whose
time is over, is ended with its process group.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import shutil
import signal
import sys
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ragassay.datasets.replies.places import UnreadableAnswerError
from ragassay.datasets.replies.reading import read_answer
from ragassay.errors import UsageError
from ragassay.models.llm.masking import environment_mask, kept, one_line
from ragassay.records import Prediction
from ragassay.systems.base import Question, Take, UnusableSystemError, failed, reason_of
from ragassay.systems.code import code_of_command
from ragassay.systems.options import CommandOptions
from ragassay.systems.template import ID, QUESTION, filled, filled_default, holds_turns, parse_template

MOST_LINE_BYTES = 16_000_000
LAST_WORDS_BYTES = 2_000
"""So much of what a process said last on standard error is read for the message."""
MOST_DEATHS = 3
"""Processes in a row that died without a single answer, after which no further one is started for a batch."""
GRACE_S = 2.0
"""Between the request to end and the end by force."""
TIME_OUT, NO_ANSWER, DIED = "time-out", "no answer", "command died"
NOT_IN_LINE = "no answer in the line"
_DEFAULT_INPUT = {"id": ID, "question": QUESTION}
_SHOWN = 200
_IDS = ("id", "example_id", "question_id")


class CommandSystem:
    """Runs a program for each batch of questions; see ``CommandOptions``."""

    most_at_once = 1

    def __init__(self, options: CommandOptions, folder: Path) -> None:
        """folder: where the program runs. Raises UsageError for a command that cannot be found."""
        try:
            self._words = shlex.split(options.command)
        except ValueError as error:
            raise UsageError(f"command: {options.command[:80]!r} cannot be parsed ({error})") from None
        program = self._words[0] if self._words else ""
        if not (os.access(folder / program, os.X_OK) if os.sep in program else shutil.which(program)):
            raise UsageError(f"command: program {program[:80]!r} not found; check its name, or give its path")
        self.mask = environment_mask()
        self.name = options.name or kept("command", " ".join(self._words))[:80]
        self.code = code_of_command(options.command, folder)
        self.batch = options.batch
        self.timeout_s = options.timeout_s
        self._places = options.places
        self._folder = folder
        self._has_answered = False
        self._input = None if options.input is None else parse_template(options.input, "input")
        self.takes_history = self._input is None or holds_turns(self._input)

    async def answer(self, questions: Sequence[Question], take: Take) -> None:
        """Ask one process, and another with what is left where that one died; what kills it alone is a failure.

        Raises UnusableSystemError where no question of the batch got an answer that can be read, nor any before.
        """
        left = {question.id: question for question in questions}
        blamed: list[Prediction] = []

        def told(prediction: Prediction) -> None:
            """Keep back what nothing could be read from, until an answer shows that the program can be used."""
            if not self._has_answered and reason_of(prediction.error or "") == NOT_IN_LINE:
                blamed.append(prediction)
                return
            self._has_answered = True
            take(prediction)

        deaths = 0
        while left:
            run = _Process(self, left, told)
            kind, detail = await run.ended()
            deaths = 0 if run.answered else deaths + 1
            given_up: list[Question] = []
            if deaths >= MOST_DEATHS or (deaths and kind == NO_ANSWER):
                given_up = list(left.values())
            elif deaths or kind == TIME_OUT:  # it worked on the first that is open
                given_up = list(left.values())[:1]
            for question in given_up:
                del left[question.id]
                blamed.append(failed(self.name, question, kind, detail))
        if len(blamed) == len(questions) and not self._has_answered:
            raise UnusableSystemError(self.name, blamed[-1].error or "")
        for prediction in blamed:
            take(prediction)

    async def close(self) -> None:
        """Hold nothing between batches."""

    async def start(self) -> asyncio.subprocess.Process:
        """Start a process in a session of its own. Raises UnusableSystemError where it cannot be started."""
        pipe = asyncio.subprocess.PIPE
        try:
            return await asyncio.create_subprocess_exec(
                *self._words,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                limit=MOST_LINE_BYTES,
                cwd=self._folder,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},  # an answer that waits in a buffer looks like none
                start_new_session=True,
            )
        except OSError as error:
            raise UnusableSystemError(self.name, f"it cannot be started ({error.strerror})") from None

    def line_of(self, question: Question) -> bytes:
        """Return what a process is told of a question."""
        value = filled_default(_DEFAULT_INPUT, question) if self._input is None else filled(self._input, question)
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace") + b"\n"

    def read(self, value: object, question: Question, latency_s: float) -> Prediction:
        """Return what a process said of a question."""
        try:
            return read_answer(value, self._places).prediction(question.id, self.name, latency_s)
        except UnreadableAnswerError as unreadable:
            return failed(self.name, question, NOT_IN_LINE, str(unreadable), latency_s)


class _Process:
    """One process and what came of it. What it answers is taken out of ``left``."""

    def __init__(self, system: CommandSystem, left: dict[str, Question], take: Take) -> None:
        self._system = system
        self._left = left
        self._take = take
        self._waiting = deque(left)
        self._unused_lines = 0
        self._first_unused = ""
        self._last_words = bytearray()
        self.answered = 0

    async def ended(self) -> tuple[str, str]:
        """Return why it ended, as a kind and a detail, in case something is left."""
        process = await self._system.start()
        sides = [asyncio.create_task(self._tell(process)), asyncio.create_task(self._listen(process))]
        try:
            given_up = await self._hear(process)
            if given_up is not None:
                return given_up
            with suppress(TimeoutError):  # one that closed its output and goes on is ended
                await asyncio.wait_for(process.wait(), GRACE_S)
        finally:
            # Without a reader of what is left in it, the pipe never ends, and for asyncio the process does not either.
            sides.append(asyncio.create_task(_read_away(process)))
            await _end(process)
            for side in sides:
                side.cancel()
            await asyncio.gather(*sides, return_exceptions=True)
        code = process.returncode or 0
        if code == 0:
            return NO_ANSWER, f"the command ended without one{self._noise()}"
        words = bytes(self._last_words)
        if len(words) == LAST_WORDS_BYTES:  # the first of them may be half a key
            words = words.partition(b" ")[2] or words.partition(b"\n")[2]
        said = one_line(words.decode("utf-8", "replace"))[-_SHOWN:]
        how = f"exit code {code}" if code > 0 else f"signal {-code}"
        return DIED, f"{how}{f', saying {said!r}' if said else ''}{self._noise()}"

    async def _tell(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        with suppress(ConnectionError):  # it does not listen: what it answers tells why
            for question in list(self._left.values()):
                process.stdin.write(self._system.line_of(question))
                await process.stdin.drain()
            process.stdin.close()
            await process.stdin.wait_closed()

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        """Keep the end of what it says on standard error, so that the pipe never fills up."""
        assert process.stderr is not None
        while part := await process.stderr.read(65_536):
            self._last_words += part
            del self._last_words[:-LAST_WORDS_BYTES]

    async def _hear(self, process: asyncio.subprocess.Process) -> tuple[str, str] | None:
        """Read answers until there are no more. Kind and detail where it was given up before."""
        assert process.stdout is not None
        begun = time.perf_counter()
        timeout_s = self._system.timeout_s
        # By the clock: a line that is there already is read without any waiting, and no time-out comes.
        while self._left and (rest_s := timeout_s - (time.perf_counter() - begun)) > 0:
            try:
                line = await asyncio.wait_for(process.stdout.readline(), rest_s)
            except TimeoutError:
                break
            except ValueError:  # asyncio drops a line that is longer than the limit
                self._cannot_use("(a line that is too long)")
                continue
            if not line:
                return None
            now = time.perf_counter()
            begun = now if self._took(line, round(now - begun, 4)) else begun
            await asyncio.sleep(0)  # the other tasks have their turn too
        return (TIME_OUT, f"no further answer within {timeout_s:g} s{self._noise()}") if self._left else None

    def _took(self, line: bytes, latency_s: float) -> bool:
        """Return whether a line answered a question that was open."""
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            if line.strip():
                self._cannot_use(one_line(line[:1000].decode("utf-8", "replace"))[:60])
            return False
        name = next((str(value[key]) for key in _IDS if value.get(key) is not None), None)
        if name is None:  # in the order of the questions
            name = next((waiting for waiting in self._waiting if waiting in self._left), "")
        question = self._left.pop(name, None)
        if question is None:
            self._cannot_use(f"an answer to {name[:40]!r}, which is not open")
            return False
        self.answered += 1
        self._take(self._system.read(value, question, latency_s))
        return True

    def _cannot_use(self, said: str) -> None:
        self._first_unused = self._first_unused or said
        self._unused_lines += 1

    def _noise(self) -> str:
        if not self._unused_lines:
            return ""
        lines = f"{self._unused_lines} line{'s' if self._unused_lines > 1 else ''}"
        return f"; {lines} of its output could not be used, the first being {self._first_unused!r}"


async def _read_away(process: asyncio.subprocess.Process) -> None:
    assert process.stdout is not None
    while await process.stdout.read(65_536):
        pass


async def _end(process: asyncio.subprocess.Process) -> None:
    """End a process with its group; on Windows it alone."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        if sys.platform == "win32":
            if process.returncode is None:
                process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, sign)
        if process.returncode is None:
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), 2 * GRACE_S)
