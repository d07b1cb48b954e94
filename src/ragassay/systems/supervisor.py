"""Runs a program and ends all it started: ``python -I -S supervisor.py GRACE_S PARENT PROGRAM ARGUMENT...`` (Linux).

Whatever the program starts stays below this process, which its orphans are handed to (a child subreaper, prctl(2)),
also where they begin sessions of their own. When the program has ended, or this process gets SIGTERM and the grace is
over, they are killed one generation after the other. The end of the parent, however it came, is such a SIGTERM.
Ends as the program did: with its code, or by its signal.
"""

import ctypes
import os
import resource
import signal
import sys
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h
PATIENCE_S = 5.0
"""Processes that cannot be killed, such as one that waits for a dead disk, are not waited for any longer."""
NOT_STARTED = 127  # as shells have it


def run(grace_s: float, parent: int, words: list[str]) -> int:
    """The program's wait status."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})  # until there is somebody to pass it on to
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:  # it ended before it could be told
        os.kill(os.getpid(), signal.SIGTERM)
    program = os.fork()
    if program == 0:
        os.setsid()
        for sign in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and what it starts would too
            signal.signal(sign, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        try:
            os.execvp(words[0], words)
        except OSError as error:
            os.write(2, f"it cannot be started ({error.strerror})".encode())
            os._exit(NOT_STARTED)

    def ask_to_end(*_: object) -> None:
        for child in children():
            _signal(child, signal.SIGTERM)
        signal.setitimer(signal.ITIMER_REAL, grace_s)

    signal.signal(signal.SIGTERM, ask_to_end)
    signal.signal(signal.SIGALRM, lambda *_: _signal(program, signal.SIGKILL))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    # The pipes are the program's: who reads its output is to see the end when it ends.
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nothing, standard)
    ended = status = 0
    while ended != program:
        ended, status = os.wait()
    kill_children()
    return status


def kill_children() -> None:
    """Kills until there are none: those of one that was killed become children of this process."""
    until = time.monotonic() + PATIENCE_S
    while (left := children()) and time.monotonic() < until:
        for child in left:
            _signal(child, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)


def children() -> list[int]:
    """All processes whose parent is this one, by the system's table of them."""
    own = os.getpid()
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    # "number (name) state parent ..."; a name may hold spaces and brackets
                    parent = int(file.read().rpartition(b")")[2].split()[1])
            except OSError:  # gone meanwhile
                continue
            if parent == own:
                found.append(int(name))
    return found


def _signal(process: int, sign: signal.Signals) -> None:
    """To its whole group, if it leads one."""
    for send in (os.killpg, os.kill):
        try:
            send(process, sign)
        except OSError:
            continue


if __name__ == "__main__":
    status = run(float(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
    if os.WIFSIGNALED(status):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        sign = os.WTERMSIG(status)
        if sign != signal.SIGKILL:
            signal.signal(sign, signal.SIG_DFL)
        os.kill(os.getpid(), sign)
    os._exit(os.waitstatus_to_exitcode(status))
