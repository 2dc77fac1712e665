#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Usage: read.py FOLDER

What the module rdpsegment reads of the outputs in FOLDER, lines of JSON with segments, segmentations, planes,
tracks, motion and heights in their binary form, goes into a file NAME.python for each file NAME.
"""

import pathlib
import re
import sys

import rdpsegment


def told(item, *names):
    values = {name: getattr(item, name) for name in names}
    lists = {name: v.tolist() if hasattr(v, "tolist") else v for name, v in values.items()}
    return f"{item.info}\n{lists}\n"


def look(path):
    if path.suffix == ".rdpp":
        all_planes = re.split(rb"(?=RDPP\x01\0\0\0)", path.read_bytes())[1:]
        for planes in map(rdpsegment.planes_from_bytes, all_planes):
            yield told(planes, "planes", "corners", "labels") + planes.to_bytes().hex()
        return
    if path.suffix == ".rdpt":
        for tracks in rdpsegment.read(path):
            yield told(tracks, "tracks", "lost") + tracks.to_bytes().hex()
        return
    if path.suffix == ".rdpm":
        for motion in rdpsegment.read(path):
            yield told(motion, "segments", "tracks", "ego") + motion.to_bytes().hex()
        return
    if path.suffix == ".rdph":
        for heights in rdpsegment.read(path):
            yield told(heights, "heads") + heights.to_bytes().hex()
        return
    if path.suffix == ".rdpo":
        for obstacles in rdpsegment.read(path):
            yield told(obstacles, "objects", "lost", "hidden", "ranges", "free", "states", "tops") + obstacles.to_bytes().hex()
        return
    for frame in rdpsegment.read(path):
        text = told(frame, "pts", "offsets", "segments", "classes", "ground", "camera", "points")
        if frame.motion is not None:
            text += told(frame.motion, "segments", "tracks", "ego")
        yield text + (frame.to_bytes().hex() if path.suffix == ".rdps" else "")


for path in pathlib.Path(sys.argv[1]).iterdir():
    if path.suffix in (".rdps", ".rdpp", ".rdpt", ".rdpm", ".rdph", ".rdpo") or re.match(r"segments.*\.json$", path.name):
        path.with_name(path.name + ".python").write_text("\n".join(look(path)))
