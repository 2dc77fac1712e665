# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs programs with a time limit, and once more those that hang after an error.

gst-launch-1.0 of GStreamer 1.22 hangs in some runs after an error during preroll, whichever element
reported it. So a program that prints an error has a few seconds left. If it does not end, it is stopped
and runs once more, and has to end then. A program that hangs without an error, or twice, fails the test.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time

AFTER_ERROR = 30  # seconds
ERROR = "ERROR: "


class Hang(Exception):
    """The program did not end after an error."""


def run_once(command, timeout, after_error, start_new_session, options):
    begin = time.monotonic()
    left = timeout
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:

        def text(file):
            size = os.fstat(file.fileno()).st_size
            return os.pread(file.fileno(), size, 0).decode(errors="replace")

        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
            start_new_session=start_new_session, **options,
        )  # fmt: skip
        try:
            failed = False
            while True:
                try:
                    process.wait(0.5)
                    return subprocess.CompletedProcess(command, process.returncode, text(stdout), text(stderr))
                except subprocess.TimeoutExpired:
                    now = time.monotonic() - begin
                if not failed and ERROR in text(stderr):
                    failed = True
                    left = min(left, now + after_error)
                if now >= left:
                    if failed:
                        raise Hang
                    raise subprocess.TimeoutExpired(command, timeout, text(stdout), text(stderr))
        finally:
            if process.returncode is None:
                # With all that it started; a session of its own is a group of its own.
                (os.killpg if start_new_session else os.kill)(process.pid, signal.SIGKILL)
                process.wait()


def run(command, *, timeout, after_error=AFTER_ERROR, start_new_session=True, **options):
    """subprocess.run() of text; the time limit also ends the programs that the command started."""
    said = f"did not end within {after_error} s after an error"
    try:
        return run_once(command, timeout, after_error, start_new_session, options)
    except Hang:
        print(f"# run once more, because it {said}: {command}", file=sys.stderr, flush=True)
    try:
        return run_once(command, timeout, after_error, start_new_session, options)
    except Hang:
        raise subprocess.TimeoutExpired(f"{command}, which twice {said}", timeout) from None
