#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""class_agreement.py on two columns done by hand, and on files that do not belong together."""

import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# Sky, a wall, the ground, rows counted from the top; the second column has a row that is unknown.
FRAME = {
    "height": 8, "ground-slope": 1.0, "horizon": 2.0,
    "columns": [[[0, 1, 0, 0], [2, 3, 9, 9], [4, 7, 2, 5]], [[0, 2, 9, 9], [4, 7, 2, 5]]],
    "classes": [[3, 2, 1], [2, 1]],
}  # fmt: skip
STIXELS = ["0,0,3,4;1,4,5,9;2,6,7,0;", "0,0,3,4;1,4,5,9;2,6,7,0;"]


def run(frame, stixels):
    """(exit status, what it prints, its complaint)"""
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, name) for name in ("segments.jsonl", "stixels.txt")]
        for name, text in zip(names, (json.dumps(frame), "\n".join(stixels))):
            with open(name, "w") as file:
                file.write(text + "\n")
        result = subprocess.run(
            [sys.executable, os.path.join(HERE, "class_agreement.py"), *names], capture_output=True, text=True
        )
        return result.returncode, result.stdout, result.stderr


def check(name, condition, *seen):
    if not condition:
        sys.exit(f"{name}: {seen}")


# 15 samples: the second column's row 3 has no segment, and its rows 0 and 1 are sky to the other.
code, text, complaint = run(FRAME, STIXELS)
check("agreement", code == 0 and "86.7 % of 15 samples agree" in text, code, text, complaint)
check("the table", "| upright | 0.0 % | 20.0 % | 13.3 % |" in text, text)
code, text, complaint = run(FRAME, STIXELS[:1])
check("a last column that Stixels do without", code == 0 and "100.0 % of 8 samples" in text, code, text, complaint)
for name, frame, stixels, why in [
    ("another column width", FRAME, STIXELS * 2, "2 columns of segments, 4 of Stixels"),
    ("a frame that is lower", {**FRAME, "height": 7}, STIXELS, "a Stixel from 6 to 7 in a frame of 7 rows"),
    ("no classes", {key: FRAME[key] for key in FRAME if key != "classes"}, STIXELS, "classify=true"),
]:
    code, text, complaint = run(frame, stixels)
    check(name, code != 0 and why in complaint, code, text, complaint)
