#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What programs.py makes of programs that hang. Reports in TAP."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

import programs
from tap import run_tests

# Prints, and hangs in a child the first time, or each time, that it runs in its folder.
HANGS = "echo '{}' >&2; echo x >>runs; if {}; then sleep 600 | cat; fi; exit 1"
ONCE = "[ $(wc -l <runs) = 1 ]"


def outcome(said, hangs):
    """(exit status or "hangs", how often it ran), and no child of it is left."""
    with tempfile.TemporaryDirectory(prefix="rdpsegment-") as folder:
        command = ["bash", "-c", HANGS.format(said, hangs)]
        try:
            result = programs.run(command, timeout=4, after_error=1, cwd=folder).returncode
        except subprocess.TimeoutExpired:
            result = "hangs"
        runs = (pathlib.Path(folder) / "runs").read_text().count("x")
        deadline = time.monotonic() + 20
        while left := [p for p in pathlib.Path("/proc").glob("[0-9]*/cwd") if leads_to(p, folder)]:
            assert time.monotonic() < deadline, left
            time.sleep(0.05)
    return result, runs


def leads_to(link, folder):
    try:
        return os.readlink(link).startswith(folder)
    except OSError:
        return False  # ended, or somebody else's


def test_an_error_that_ends():
    assert outcome("ERROR: from element", "false") == (1, 1)


def test_a_hang_after_an_error():
    assert outcome("ERROR: from element", ONCE) == (1, 2)


def test_two_hangs_after_an_error():
    assert outcome("ERROR: from element", "true") == ("hangs", 2)


def test_a_hang_without_an_error():
    assert outcome("Pipeline is PREROLLING", ONCE) == ("hangs", 1)


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
