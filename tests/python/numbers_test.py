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
from tap import Tap  # noqa: E402

import rdpsegment  # noqa: E402

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
PLANE = {
    "normal": [0, 0.6, 0.8], "distance": 1.5, "centroid": [0.5, 1, 2], "rms": 0.01, "inliers": 12, "area": 0.5,
    "box": [1, 1, 4, 3], "hull": [[1, 1], [4, 1], [4, 3]], "points": [[0, 0, 1], [1, 0, 1], [1, 1, 1]],
}  # fmt: skip
PLANES = {
    **HEAD, "unit": "m", "calibrated": True, "ground": 0, "camera-height": 1.5, "pitch": 0.1, "roll": 0.01,
    "noise": 0.001, "planes": [PLANE],
}  # fmt: skip
CLOUD = {
    **HEAD, "cloud": True, "calibrated": True, "n-points": 48, "ground": -1,
    "planes": [{"hull": PLANE["points"], **{key: PLANE[key] for key in PLANE if key not in ("hull", "points")}}],
}  # fmt: skip
TRACKS = {
    **HEAD, "template-pts": 30, "tracks": [[1, 2, 3.5, 4.5, 0.5, -0.5, 1.5, 9]],
    "lost": [[2, "texture", 1.5, 2.5]],
}  # fmt: skip
MOTION = {
    **SEGMENTS,
    "motion": {
        "dt": 0.04, "ego": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0],
        "columns": [[[2, 4, 1, 1, 0.5, 1, 1, 1, 0.5], None], [None]],
        "tracks": [[4, 0.5, 1, 2, 1, 1, 1, 0.5]],
    },
}  # fmt: skip
HEIGHTS = {
    **HEAD, "views": 2, "reference": 0, "spread": 5, "energy": 77, "iterations": 9, "known": 0.5,
    "ground-grid": {"origin": [-1.5, 2], "size": [4, 3], "cell": 0.25},
    "heads": [{"pixel": [2, 3], "ground": [0.5, 1], "height": 1.75, "votes": 9}],
}  # fmt: skip
OBSTACLES = {
    **HEAD, "unit": "m",
    "obstacles": {
        "ground": "planes", "refined": True, "camera-height": 1.5, "pitch": 0.25, "roll": -0.1,
        "scan": {"angle-min": -0.5, "angle-increment": 0.5, "range-max": 10, "states": "uou",
                 "ranges": [None, 2.5, None], "free": [1, 2, 3]},
        "objects": [{"id": 7, "age": 4, "x": 2.5, "y": -1, "length": 1, "width": 0.5, "height": 0.25, "yaw": 0.5,
                     "distance": 2.25, "samples": 40, "box": [1, 2, 3, 4], "cut": False, "velocity": [1, -0.5],
                     "over-ground": False}],
        "lost": [3], "hidden": [5],
        "grid": {"cell": 0.25, "x": 0, "y": -1, "columns": 3, "rows": 2, "runs": [[0, 2], [2, 1], [1, 3]],
                 "tops": [0.25]},
    },
}  # fmt: skip


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
    for name, line in (("segments", SEGMENTS), ("planes", PLANES), ("cloud", CLOUD), ("tracks", TRACKS),
                       ("motion", MOTION), ("heights", HEIGHTS), ("obstacles", OBSTACLES)):  # fmt: skip
        list(rdpsegment.read(io.StringIO(json.dumps(line))))  # it is good as it stands
        said = ((path, text, wrong_with(line, path, text)) for path in places_of(line) for text in NUMBERS)
        tap.check(name, "\n".join(f"{path} = {text[:40]}: {wrong}" for path, text, wrong in said if wrong))
        tap.check(f"{name}, pairs", wrong_with_pairs(line, random.Random(seed)))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
