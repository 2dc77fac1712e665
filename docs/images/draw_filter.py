#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws the figure of docs/depthfilter.md: a frame before and after each step of depthfilter.

  draw_filter.py steps FOLDER PICTURE.png

FOLDER has STEP-before.raw and STEP-after.raw of each step: its last frame is drawn, GRAY16_LE without
padding. examples/make-pictures.sh makes them and calls this. Needs matplotlib (Debian:
python3-matplotlib).
"""

import pathlib
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
matplotlib.rcParams.update({"font.size": 8, "axes.titlesize": 8.5})
import matplotlib.pyplot as plt  # noqa: E402

# Step, title, size, part of it: left, top, width, height; whether samples are disparities; light on slopes.
STEPS = [
    ("range", "max-distance=2", (640, 480), (0, 0, 640, 480), False, 0),
    ("median", "median=3x3", (480, 160), (330, 50, 112, 66), True, 0),
    ("flying", "flying=true", (320, 240), (230, 88, 60, 36), False, 0),
    ("speckles", "speckle-size=100", (480, 160), (165, 0, 150, 88), True, 0),
    ("decimation", "decimation=4", (640, 480), (280, 160, 208, 124), False, 0),
    ("spatial", "spatial-radius=4", (640, 480), (280, 160, 208, 124), False, 0.5),
    ("temporal", "temporal-frames=4", (640, 240), (260, 90, 128, 76), True, 0.3),
    ("holes", "hole-filling=gap", (640, 480), (280, 160, 208, 124), False, 0),
]


def last_frame(path, width, height):
    samples = np.fromfile(path, "<u2")
    return samples[-width * height :].reshape(height, width).astype(float)


def coloured(samples, limits, is_disparity, light):
    """Near is bright, unknown is white. With light, slopes to the left are brighter: noise shows."""
    near = np.where(samples > 0, samples if is_disparity else 1e6 / np.maximum(samples, 1), np.nan)
    picture = plt.get_cmap("viridis")((near - limits[0]) / (limits[1] - limits[0]))[..., :3]
    if light:
        slope = np.nan_to_num(np.diff(near, axis=1, prepend=near[:, :1])) / (limits[1] - limits[0])
        picture *= np.clip(1 + light * 40 * slope, 0.3, 1.7)[..., None]
    picture[np.isnan(near)] = 1
    return np.clip(picture, 0, 1)


def draw(folder, picture):
    figure, axes = plt.subplots(4, 4, figsize=(10, 6.7), constrained_layout=True)
    for i, (name, title, (width, height), (left, top, wide, high), is_disparity, light) in enumerate(STEPS):
        before = last_frame(folder / f"{name}-before.raw", width, height)
        side = 4 if name == "decimation" else 1
        after = last_frame(folder / f"{name}-after.raw", width // side, height // side)
        part = before[top : top + high, left : left + wide]
        near = (part if is_disparity else 1e6 / np.maximum(part, 1))[part > 0]
        limits = np.percentile(near, 1), np.percentile(near, 99)
        panels = axes[i // 2][2 * (i % 2) : 2 * (i % 2) + 2]
        parts = part, after[top // side : (top + high) // side, left // side : (left + wide) // side]
        for panel, samples, name_of in zip(panels, parts, (f"{name}: before", title)):
            panel.imshow(coloured(samples, limits, is_disparity, light), interpolation="nearest", aspect="auto")
            panel.set_title(name_of)
            panel.set(xticks=[], yticks=[])
    figure.savefig(picture, dpi=90)


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] != "steps":
        sys.exit(__doc__)
    draw(pathlib.Path(sys.argv[2]), sys.argv[3])
