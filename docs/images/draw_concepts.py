#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws the figures of docs/concepts.md from the output of rdpsegment for one frame.

  draw_concepts.py column DEPTH.raw SPLIT.jsonl PICTURE.svg
  draw_concepts.py lines DEPTH.raw SPLIT.jsonl REFINED.jsonl MERGED.jsonl PICTURE.svg
  draw_concepts.py fit DEPTH.raw MERGED.jsonl ABSOLUTE.jsonl PICTURE.svg
  draw_concepts.py depth DEPTH.raw MERGED.jsonl PICTURE.svg
  draw_concepts.py classes DEPTH.raw MERGED.jsonl PICTURE.svg
  draw_concepts.py stixels LEFT.png STIXELS.jsonl PICTURE.png

DEPTH.raw is the frame, GRAY16_LE without padding. The JSON lines are rdpmetaconvert's, MERGED.jsonl
and STIXELS.jsonl with classify=true and points=true. `column` computes the split again and ends with
an error where the results differ. examples/make-pictures.sh makes the files and calls this. Needs
matplotlib (Debian: python3-matplotlib).
"""

import sys

import numpy as np

from draw_figures import BLUE, COLUMN, GREEN, GREY, ORANGE, check, frame_of, plt, save  # first: sets matplotlib up
from matplotlib import ticker
from matplotlib.collections import PatchCollection
from matplotlib.patches import Polygon, Rectangle

plt.rcParams.update({"font.size": 10, "axes.titlesize": 10.5, "legend.fontsize": 9, "axes.spines.top": False,
                     "axes.spines.right": False})  # fmt: skip
BAND = "#CFE3F2"
CLASS_COLOURS = {1: GREEN, 2: ORANGE}
ROAD_COLUMN, CUT_COLUMN, CLASS_COLUMN = 533, 567, 239


class Column:
    """The known samples of one column, in px of disparity."""

    def __init__(self, raw, frame, column=COLUMN):
        samples = np.fromfile(raw, "<u2").reshape(frame["height"], frame["width"])[:, column]
        self.scale, self.epsilon, self.height = frame["sample-scale"], frame["epsilon"], frame["height"]
        self.rows = np.flatnonzero(samples)
        self.steps = samples[self.rows].astype(int)
        self.values = self.steps * self.scale

    def draw(self, axes, size=3.0):
        axes.plot(self.values, self.rows, ".", color=GREY, markersize=size, label="known samples", zorder=1)

    def set_axes(self, axes, title):
        axes.set(title=title, xlabel="disparity (px)", ylim=(self.height + 4, -6), xlim=(0, 72))


def segments_of(frame, column=COLUMN):
    """(first row, last row, first value, last value), values in px."""
    return [(s[0], s[1], s[2] * frame["sample-scale"], s[3] * frame["sample-scale"]) for s in frame["columns"][column]]


def draw_segment(axes, segment, colour, width=2.0, marker="o", **further):
    axes.plot(segment[2:], segment[:2], color=colour, linewidth=width, marker=marker, markersize=4, **further)


# --- the split ------------------------------------------------------------------------------------


def farthest(column, first, last):
    """(index, distance in px) of the sample that is farthest from the line between two samples."""
    rows, values = column.rows[first : last + 1], column.steps[first : last + 1]
    run = rows[-1] - rows[0]
    off = np.abs((values[-1] - values[0]) * (rows - rows[0]) - (values - values[0]) * run)
    index = int(np.argmax(off))
    return first + index, off[index] / max(run, 1) * column.scale


def split_by_levels(column):
    """Of each level the breakpoints so far, as indices into the known samples; the last is complete."""
    levels = [[0, len(column.rows) - 1]]
    while True:
        ends = set(levels[-1])
        for first, last in zip(levels[-1], levels[-1][1:]):
            index, distance = farthest(column, first, last)
            if distance > column.epsilon:
                ends.add(index)
        if len(ends) == len(levels[-1]):
            return levels
        levels.append(sorted(ends))


def step_panel(axes, column, ends, title):
    column.draw(axes)
    axes.plot(column.values[ends], column.rows[ends], "o-", color=ORANGE, markersize=5, linewidth=1.8, label="segments")
    label = "farthest sample"
    for first, last in zip(ends, ends[1:]):
        index, distance = farthest(column, first, last)
        if distance > column.epsilon:
            row = column.rows[index]
            at_line = np.interp(row, column.rows[[first, last]], column.values[[first, last]])
            axes.plot([column.values[index], at_line], [row, row], color=BLUE, linewidth=1.6, zorder=3)
            axes.plot(column.values[index], row, "D", color=BLUE, markersize=6, zorder=4, label=label)
            label = None
    column.set_axes(axes, title)


def draw_column(raw, split_path, path):
    frame = frame_of(split_path)
    column, split = Column(raw, frame), segments_of(frame)
    levels = split_by_levels(column)
    check([int(column.rows[i]) for i in levels[-1]] == [split[0][0], *(s[1] for s in split)], "another split")
    figure, axes = plt.subplots(1, 3, figsize=(10, 4.9), sharey=True, constrained_layout=True)
    step_panel(axes[0], column, levels[0], "1. A line from the first to the last sample")
    for row, value, name in ((22, 10, "house"), (108, 22, "tree"), (145, 10, "house"), (216, 24, "parked car"),
                             (318, 44, "road")):  # fmt: skip
        axes[0].annotate(name, (value, row), va="center", ha="right")
    axes[0].set(ylabel="row of the image")
    step_panel(axes[1], column, levels[2], "2. Split at the farthest samples (twice)")
    for i, s in enumerate(split):
        corners = [(s[2] + d, row) for d, row in ((-column.epsilon, s[0]), (column.epsilon, s[0]))]
        corners += [(s[3] + d, row) for d, row in ((column.epsilon, s[1]), (-column.epsilon, s[1]))]
        axes[2].add_patch(Polygon(corners, facecolor=BAND, zorder=0,
                                  label=None if i else f"± epsilon ({column.epsilon:g} px)"))  # fmt: skip
    step_panel(axes[2], column, levels[-1], f"3. All within ± epsilon: {len(split)} segments")
    for panel in axes:
        panel.legend(loc="upper right", frameon=False, borderaxespad=0)
    save(figure, path)


# --- lines ----------------------------------------------------------------------------------------


def draw_lines(raw, split_path, refined_path, merged_path, path):
    frames = [frame_of(p) for p in (split_path, refined_path, merged_path)]
    column = Column(raw, frames[0])
    figure, axes = plt.subplots(1, 3, figsize=(10, 4.6), sharey=True, constrained_layout=True)
    texts = (("split", ORANGE, "ends are samples,\nneighbours share them"),
             ("refine=true", GREEN, "least-squares lines,\ncut at the steps"),
             ("merge=true", BLUE, "fewest lines that\ncost little more"))  # fmt: skip
    for panel, frame, (name, colour, text) in zip(axes, frames, texts):
        segments = segments_of(frame)
        column.draw(panel)
        for s in segments:
            draw_segment(panel, s, colour)
        column.set_axes(panel, f"{name}: {len(segments)} segments")
        panel.annotate(text, (3, 356), va="bottom", color=colour)
    axes[2].annotate("6 rows: too few\nfor a segment", (16.2, 176), (37, 142), va="center",
                     arrowprops={"arrowstyle": "->"})  # fmt: skip
    axes[0].set(ylabel="row of the image")
    save(figure, path)


def fit_panel(axes, raw, frames, column, rows, values, title):
    shown = Column(raw, frames[0], column)
    shown.draw(axes, 6)
    for frame, colour, name, style in zip(frames, (ORANGE, BLUE), ("fit=squares", "fit=absolute"), ("-", "-")):
        label = name
        for s in segments_of(frame, column):
            if s[1] >= rows[0] and s[0] <= rows[1]:
                draw_segment(axes, s, colour, linestyle=style, label=label)
                label = None
    axes.set(title=title, xlabel="disparity (px)", ylim=rows[::-1], xlim=values)
    axes.legend(loc="lower left", frameon=False)


def draw_fit(raw, merged_path, absolute_path, path):
    frames = frame_of(merged_path), frame_of(absolute_path)
    figure, axes = plt.subplots(1, 2, figsize=(10, 3.9), constrained_layout=True)
    fit_panel(axes[0], raw, frames, COLUMN, (112, 190), (8, 19), "Outliers tilt a least-squares line")
    axes[0].annotate("6 outliers", (16, 172.5), (16.4, 160), va="center", arrowprops={"arrowstyle": "->"})
    fit_panel(axes[1], raw, frames, CUT_COLUMN, (240, 330), (28, 56), "The cut moves to where the lines meet")
    axes[0].set(ylabel="row of the image")
    save(figure, path)


# --- disparity and depth --------------------------------------------------------------------------


def step_of_depth(axes, product, disparity, text, place):
    near, far = product / (disparity + 0.5), product / (disparity - 0.5)
    axes.fill_between([0, disparity + 0.5], near, far, color=BAND, zorder=0, linewidth=0)
    axes.fill_between([disparity - 0.5, disparity + 0.5], 0, far, color=BAND, zorder=0, linewidth=0)
    axes.annotate(text, (disparity, product / disparity), place, va="center", arrowprops={"arrowstyle": "->"})


def draw_depth(raw, merged_path, path):
    frame = frame_of(merged_path)
    camera = frame["camera"]
    product = camera["focal-length"] * camera["baseline"]
    figure, axes = plt.subplots(1, 3, figsize=(10, 3.9), constrained_layout=True)
    disparities = np.linspace(5.5, 60, 400)
    axes[0].plot(disparities, product / disparities, color=BLUE, linewidth=2)
    for disparity, place in ((8, (17, 50)), (30, (31, 30))):
        size = product / (disparity - 0.5) - product / (disparity + 0.5)
        step_of_depth(axes[0], product, disparity, f"{disparity} px: 1 px is {size:.2g} m", place)
    axes[0].set(title="Depth Z = f · B / disparity", xlabel="disparity (px)", ylabel="depth Z (m)", xlim=(0, 60),
                ylim=(0, 72))  # fmt: skip
    axes[0].annotate(f"f = {camera['focal-length']:g} px\nB = {camera['baseline']:g} m", (58, 64), ha="right", va="center")
    depths = np.linspace(1, 60, 200)
    for step, colour, place in ((1, ORANGE, (37, 4.9)), (0.25, BLUE, (43, 1.9))):
        axes[1].plot(depths, depths**2 / product * step, color=colour, linewidth=2)
        axes[1].annotate(f"{step:g} px", place, color=colour, ha="right")
    axes[1].set(title="The step of depth grows with Z²", xlabel="depth Z (m)", ylabel="depth step (m)", xlim=(0, 60),
                ylim=(0, 9.5))  # fmt: skip
    column = Column(raw, frame, ROAD_COLUMN)
    road = column.rows > segments_of(frame, ROAD_COLUMN)[-1][0] + 2
    rows, values = column.rows[road], column.values[road]
    axes[2].plot(values, rows, ".", color=BLUE, markersize=4)
    axes[2].plot(product / values, rows, ".", color=ORANGE, markersize=4)
    axes[2].annotate("disparity:\nstraight", (50, 292), color=BLUE)
    axes[2].annotate("depth:\ncurved", (40, 222), color=ORANGE)
    axes[2].set(title="A flat road in one column", xlabel="disparity (px) or depth (m)", ylabel="row of the image",
                xlim=(0, 90), ylim=(380, 180))  # fmt: skip
    save(figure, path)


# --- the ground and the classes -------------------------------------------------------------------


def class_segments(frame):
    return list(zip(segments_of(frame, CLASS_COLUMN), frame["classes"][CLASS_COLUMN], frame["points"][CLASS_COLUMN]))


def draw_in_image(axes, column, frame):
    slope, horizon = frame["ground-slope"], frame["horizon"]
    rows = np.array([horizon, column.height])
    values = slope * (rows - horizon)
    band = max(column.epsilon, column.scale) + values / 8
    axes.fill_betweenx(rows, values - band, values + band, color="0.88", zorder=0, linewidth=0)
    axes.plot(values, rows, "--", color="black", linewidth=1.2)
    column.draw(axes)
    for segment, number, _ in class_segments(frame):
        draw_segment(axes, segment, CLASS_COLOURS[number], 2.6)
    axes.axhline(horizon, color="black", linewidth=0.8, linestyle=":")
    axes.annotate("horizon", (71, horizon - 4), ha="right")
    axes.annotate("the ground's line", (24, 236), (3, 290), arrowprops={"arrowstyle": "->"})
    column.set_axes(axes, "A column and the ground's line")
    axes.set(ylabel="row of the image")


def draw_from_side(axes, frame):
    height = frame["camera"]["baseline"] / frame["ground-slope"]
    for segment, number, point in class_segments(frame):
        ahead, up = [point[2], point[5]], [height - point[1], height - point[4]]
        axes.plot(ahead, up, color=CLASS_COLOURS[number], linewidth=2.6, marker="o", markersize=4)
    axes.plot(0, height, "s", color="black", markersize=8)
    axes.annotate("camera", (0, height), (1, height + 0.35))
    for name, place in (("house", (25.4, 1.5)), ("tree", (17.3, 3.4)), ("road", (9, 0.3)), ("pavement", (17, -0.55))):
        axes.annotate(name, place)
    axes.axhline(0, color="black", linewidth=0.8, linestyle="--", zorder=0)
    axes.set(title="The same segments from the side", xlabel="depth Z (m)", ylabel="height (m)", xlim=(-1, 33),
             ylim=(-1, 8.6))  # fmt: skip


def sector(axes, slopes, colour, name, place):
    """All lines through one point whose slopes, in units of the ground's, lie between two numbers."""
    angles = np.linspace(*(np.arctan(slope) for slope in slopes), 40)
    for side in (1, -1):
        corners = [(0, 0), *((side * np.sin(a), side * np.cos(a)) for a in angles)]
        axes.add_patch(Polygon(corners, facecolor=colour, edgecolor="white", alpha=0.8))
    axes.annotate(name, place, ha="center", va="center", color="white", weight="bold")


def draw_rules(axes):
    sector(axes, (-0.5, 0.5), ORANGE, "upright", (0, 0.65))
    sector(axes, (0.5, 2), GREEN, "ground", (0.52, 0.52))
    sector(axes, (2, np.inf), GREY, "other", (0.68, 0.16))
    sector(axes, (-np.inf, -0.5), GREY, "other", (-0.62, 0.2))
    axes.plot([-0.72, 0], [-0.72, 0], "--", color="black", linewidth=1.2)
    axes.plot(0, 0, "o", color="black", markersize=6)
    axes.annotate("the ground's slope", (-0.72, -0.72), (-1.08, -1.12), va="center", arrowprops={"arrowstyle": "->"})
    axes.set(title="Away from the line, the slope decides", xlim=(-1.1, 1.1), ylim=(1.1, -1.25), aspect="equal",
             xlabel="disparity", ylabel="row", xticks=[], yticks=[])  # fmt: skip


def draw_classes(raw, merged_path, path):
    frame = frame_of(merged_path)
    figure, axes = plt.subplots(1, 3, figsize=(10, 3.9), constrained_layout=True)
    draw_in_image(axes[0], Column(raw, frame, CLASS_COLUMN), frame)
    draw_from_side(axes[1], frame)
    draw_rules(axes[2])
    save(figure, path)


def stixel_patches(frame, wanted):
    """(rectangle, depth of the nearer end) of all segments of one class."""
    width = frame["column-width"]
    for i, (segments, classes, points) in enumerate(zip(frame["columns"], frame["classes"], frame["points"])):
        for segment, number, point in zip(segments, classes, points):
            if number == wanted:
                yield Rectangle((i * width - 0.5, segment[0] - 0.5), width, segment[1] - segment[0] + 1), min(point[2], point[5])


def draw_stixels(left, stixels_path, path):
    frame = frame_of(stixels_path)
    picture = plt.imread(left)
    figure, axes = plt.subplots(figsize=(12.42, 3.72), dpi=100, constrained_layout=True)
    axes.imshow(picture, cmap="gray", vmin=0, vmax=1)
    upright = list(stixel_patches(frame, 2))
    drawn = PatchCollection([patch for patch, _ in upright], cmap="turbo_r", alpha=0.62, edgecolor="black", linewidth=0.4)
    drawn.set_array(np.log10([depth for _, depth in upright]))
    drawn.set_clim(np.log10(5), np.log10(100))
    axes.add_collection(drawn)
    bar = figure.colorbar(drawn, ax=axes, pad=0.01, fraction=0.025, aspect=18, ticks=ticker.FixedLocator(np.log10([5, 10, 20, 50, 100])))
    bar.ax.set_yticklabels(["5 m", "10 m", "20 m", "50 m", "100 m"])
    bar.solids.set_alpha(1)
    bar.ax.tick_params(labelsize=13)
    one = max((patch for patch, _ in upright if patch.get_x() < frame["width"] / 2 <= patch.get_x() + patch.get_width()),
              key=lambda patch: patch.get_y())  # fmt: skip
    near = next(depth for patch, depth in upright if patch is one)
    axes.add_patch(Rectangle(one.get_xy(), one.get_width(), one.get_height(), fill=False, edgecolor="white", linewidth=2))
    text = (f"one stixel:\nrows {one.get_y() + 0.5:.0f} to "
            f"{one.get_y() + one.get_height() - 0.5:.0f},\n{near:.1f} m ahead")  # fmt: skip
    axes.annotate(text, (one.get_x() + 3, one.get_y()), (600, 45), ha="center", va="center", fontsize=13,
                  arrowprops={"arrowstyle": "->", "linewidth": 1.5})  # fmt: skip
    axes.spines[:].set_visible(False)
    axes.set(xticks=[], yticks=[], xlim=(-0.5, frame["width"] - 0.5), ylim=(frame["height"] - 0.5, -0.5))
    save(figure, path)


DRAWERS = {"column": draw_column, "lines": draw_lines, "fit": draw_fit, "depth": draw_depth, "classes": draw_classes,
           "stixels": draw_stixels}  # fmt: skip

if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[1] not in DRAWERS:
        sys.exit(__doc__)
    DRAWERS[sys.argv[1]](*sys.argv[2:])
