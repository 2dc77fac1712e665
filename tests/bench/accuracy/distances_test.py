#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""distances.py on frames of one plane: exact ones, and noisy ones that segments average."""

import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CAMERA = "focal-length=90 baseline=0.54 sample-scale=0.00390625 disparity-unit=0.00390625"
DEPTH_CAMERA = "focal-length=90 depth-unit=0.001 domain=inverse"


def make(path, properties):
    command = f"""gst-launch-1.0 -q depthtestsrc num-buffers=1 pattern=ramp {properties}
        ! video/x-raw,format=GRAY16_LE,width=160,height=120 ! videoconvert ! video/x-raw,format=GRAY16_BE
        ! pngenc ! filesink location={path}"""
    subprocess.run(command.split(), check=True)


def rows(*arguments):
    """The cells of the rows of the table."""
    result = subprocess.run(
        [sys.executable, HERE / "distances.py", *arguments], capture_output=True, text=True, check=True
    )
    return [[cell.strip(" `%") for cell in line.split("|")[1:-1]] for line in result.stdout.splitlines()[2:]]


def check(name, condition, *seen):
    if not condition:
        sys.exit(f"{name}: {seen}")


with tempfile.TemporaryDirectory(prefix="rdpsegment-") as folder:
    exact, noisy, depth = (f"{folder}/{name}.png" for name in ("exact", "noisy", "depth"))
    make(exact, "")
    make(noisy, "noise=0.5 unknown-ratio=0.1")
    make(depth, "noise=0.02 domain=depth")
    (row,) = rows(f"--truth={exact}", exact, f"{CAMERA} epsilon=0")
    check("the same frame", row[2:] == ["19200", "0.00", "0.00"], row)
    split, fitted = rows(f"--truth={exact}", noisy, f"{CAMERA} epsilon=8", f"{CAMERA} epsilon=8 refine=true")
    check("settings", fitted[1] == f"{CAMERA} epsilon=8 refine=true", fitted)
    check("unknown samples", split[2] == fitted[2] and 16000 < int(fitted[2]) < 18500, fitted)
    check("samples", split[4] == fitted[4] and 1 < float(split[4]) < 10, split)
    check("lines average", float(fitted[3]) < float(fitted[4]) / 3, fitted)
    (row,) = rows("--plane", depth, f"{DEPTH_CAMERA} epsilon=10 refine=true")
    check("the whole plane", int(row[2]) > 15000 and 3 < float(row[3]) < 25, row)
    check("a plane's lines average", float(row[4]) < float(row[6]) / 3 and float(row[6]) > 1, row)
