#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Numbers in lines of JSON: every one of every kind of line, in turn, replaced by those that do not fit.
read() gives what the line says, or raises FormatError; nothing else, and no warning. Reports in TAP."""

import copy
import io
import json
import os
import pathlib
import random
import sys
import warnings

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pipelines"))
from kind_rig import Gst  # noqa: E402
from kind_rows import MOTION, MOTION_TRACKS, OBSTACLES, PLANES, TRACKED, WARPED, new_planes  # noqa: E402
from tap import Tap  # noqa: E402

import rdpsegment  # noqa: E402

Gst.init(None)

# As they stand in a file. Only Python's own writers know the last three, and only Python reads them.
NUMBERS = [
    "-1", "0", "1", "1.5", "-0.5", "255", "256", "65535", "65536", "2147483647", "2147483648", "-2147483649",
    "4294967295", "4294967296", "9223372036854775807", "9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "18446744073709551616", "1e19", "3.5e38", "-3.5e38", "1e-46", "1e300", "-1e300",
    "1e308", "1e400", "-1e400", "1" + "0" * 30, "1" + "0" * 400, "-1" + "0" * 400, "1" + "0" * 5000,
    "true", "null", '"7"', "[]", "{}", "NaN", "Infinity", "-Infinity",
]  # fmt: skip
HEAD = {"frame": 3, "pts": 40, "batch-index": 1, "width": 8, "height": 6}
SEGMENTS = {
    **HEAD, "epsilon": 2.0, "sample-scale": 0.5, "domain": "inverse", "inverse-scale": 900.0, "column-width": 4,
    "columns": [[[0, 2, 7, 9.5], [2, 5, 9.5, 1]], [[1, 5, 3, 4]]], "classes": [[0, 1], [3]], "ground-slope": 0.25,
    "horizon": 1.5, "ground-plane": [1.0, 0.5, 0.25],
    "points": [[[0, 0, 1, 0.5, 0.5, 2], [0, 0, 1, 1, 1, 3]], [[0, 0, 1, 0.5, 0.5, 2]]],
}  # fmt: skip
# Texts of the rows, each with a number in a batch.
TEXTS = {
    "planes": PLANES.convert(properties="points=true"), "cloud": PLANES.convert(new_planes(True), "points=true"),
    "tracks": WARPED.line, "motion": MOTION.line[:-3] + MOTION_TRACKS + b"}}\n", "heights": TRACKED.line,
    "obstacles": OBSTACLES.line.replace(b'"ofu"', b'"ouu"'),  # of free bearings the range is infinite
}  # fmt: skip
LINES = {"segments": SEGMENTS, **{name: {"batch-index": 1, **json.loads(text)} for name, text in TEXTS.items()}}


def places_of(value, path=()):
    """Where the numbers are."""
    if isinstance(value, (dict, list)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places_of(part, (*path, key))
    elif type(value) in (int, float):
        yield path


def with_text(line, path, text):
    """The line with this text at a place."""
    changed = copy.deepcopy(line)
    part = changed
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = "HERE"
    return json.dumps(changed).replace('"HERE"', text)


def wrong_with(line, path, text):
    """What is wrong with the answer to this text at a place, or nothing."""
    changed = with_text(line, path, text)
    try:
        (found,) = rdpsegment.read(io.StringIO(changed))
    except rdpsegment.FormatError:
        return ""
    except Exception as error:
        return f"{error!r:.200}"
    if text in ("NaN", "Infinity", "-Infinity"):
        return "it was read"
    arrays = [part for part in vars(found).values() if isinstance(part, np.ndarray)]
    fields = [array[name] for array in arrays for name in array.dtype.names or ()] + arrays
    if any(np.isinf(field).any() for field in fields if field.dtype.kind == "f"):
        return "got an infinite number"
    name = path[0].replace("-", "_")
    got = vars(found.info).get(name) if len(path) == 1 and name != "known" else None
    said = json.loads(changed)[path[0]]
    same = got is None or got == said or (abs(said) < 1e308 and got == float(said))
    return "" if same else f"got {got!r}"


def wrong_with_pairs(line, randoms):
    """What is wrong with two numbers at a time, by lot."""
    places = list(places_of(line))
    for _ in range(1000):
        one, two = randoms.sample(places, 2)
        short = [text for text in NUMBERS if len(text) < 1000]
        changed = json.loads(with_text(line, one, randoms.choice(short)))
        wrong = wrong_with(changed, two, randoms.choice(NUMBERS))
        if wrong and "got 0.0" not in wrong:  # what a frame without ground says of it counts for nothing
            return f"{one}, {two}: {wrong}"
    return ""


def main():
    warnings.simplefilter("error")
    tap = Tap()
    seed = int(os.environ.get("SEED") or random.randrange(2**32))
    print(f"# SEED={seed}")
    for name, line in LINES.items():
        list(rdpsegment.read(io.StringIO(json.dumps(line))))  # it is good as it stands
        said = ((path, text, wrong_with(line, path, text)) for path in places_of(line) for text in NUMBERS)
        tap.check(name, "\n".join(f"{path} = {text[:40]}: {wrong}" for path, text, wrong in said if wrong))
        tap.check(f"{name}, pairs", wrong_with_pairs(line, random.Random(seed)))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
