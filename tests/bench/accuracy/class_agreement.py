#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""How far the classes of segments agree with those of a Stixels result of the same frame.

  class_agreement.py SEGMENTS.jsonl STIXELS.txt

SEGMENTS.jsonl: the frame's line from rdpmetaconvert, with classify=true and the column-width of the
Stixels. STIXELS.txt: a line for each column of "type,start,end,disparity;", type 0 ground, 1 object,
2 sky, rows counted from the bottom. Prints, for each pair of classes, the share of all samples that
both programs have a class for, as Markdown.
"""

import json
import sys

OURS = ["other", "ground", "upright", "far"]
THEIRS = ["ground", "object", "sky"]
SAME = {("ground", "ground"), ("upright", "object"), ("far", "sky")}


def classes_of_column(segments, classes, height):
    rows = [None] * height
    for (first, last, *_), number in zip(segments, classes):
        rows[first : last + 1] = [OURS[number]] * (last + 1 - first)
    return rows


def stixels_of_column(text, height):
    rows = [None] * height
    for stixel in text.strip().rstrip(";").split(";"):
        kind, start, end, _ = stixel.split(",")
        if not 0 <= int(start) <= int(end) < height:
            sys.exit(f"a Stixel from {start} to {end} in a frame of {height} rows")
        for row in range(int(start), int(end) + 1):
            rows[height - 1 - row] = THEIRS[int(kind)]
    return rows


def main(segments_file, stixels_file):
    with open(segments_file) as file:
        frame = json.loads(file.readline())
    if "classes" not in frame:
        sys.exit(f"{segments_file}: no classes; set classify=true on rdpsegment")
    with open(stixels_file) as file:
        stixels = [line for line in file.read().splitlines() if line.strip()]
    # The last column may be narrower, and Stixels may do without that one.
    if not len(stixels) <= len(frame["columns"]) <= len(stixels) + 1:
        sys.exit(f"{len(frame['columns'])} columns of segments, {len(stixels)} of Stixels: set column-width")
    pairs = {}
    for segments, classes, text in zip(frame["columns"], frame["classes"], stixels):
        ours = classes_of_column(segments, classes, frame["height"])
        for pair in zip(ours, stixels_of_column(text, frame["height"])):
            if None not in pair:
                pairs[pair] = pairs.get(pair, 0) + 1
    total = sum(pairs.values())
    if total == 0:
        sys.exit("the two have no sample in common")
    print(f"ground-slope {frame['ground-slope']}, horizon {frame['horizon']}\n")
    print("| | " + " | ".join(THEIRS) + " |\n|---|" + "---|" * len(THEIRS))
    for ours in OURS:
        shares = [f"{100 * pairs.get((ours, theirs), 0) / total:.1f} %" for theirs in THEIRS]
        print(f"| {ours} | " + " | ".join(shares) + " |")
    same = sum(count for pair, count in pairs.items() if pair in SAME)
    print(f"\n{100 * same / total:.1f} % of {total} samples agree")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
