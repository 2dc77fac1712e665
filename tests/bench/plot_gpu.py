#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws what gpu_bench measured.

  plot_gpu.py RESULTS.csv PICTURE.svg

RESULTS.csv is what gpu_bench --csv wrote; the picture's kind goes by its name (.svg, .png). Up to
three panels: the frames, each as a point for each rival; the growth with the height; several frames a launch.
"""

import csv
import importlib.util
import os
import sys

if importlib.util.find_spec("matplotlib") is None:
    # Another python3 that comes first on PATH need not have it; Debian's has (python3-matplotlib).
    DEBIAN = "/usr/bin/python3"
    if os.path.exists(DEBIAN) and os.path.realpath(sys.executable) != os.path.realpath(DEBIAN):
        os.execv(DEBIAN, [DEBIAN, *sys.argv])
    sys.exit("plot_gpu.py: no python3 here can import matplotlib (Debian: python3-matplotlib)")

import matplotlib  # noqa: E402

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

# Okabe and Ito's colours, which people with any colour vision can tell apart.
STYLES = {
    "algorithm 3": ("#D55E00", "s", "Algorithm 3"),
    "cpu": ("#999999", "^", "CPU engine, all threads"),
    "ours": ("#0072B2", "o", "this segmentation"),
    "ours alone": ("#56B4E9", "o", "this segmentation, one frame"),
    "queues": ("#CC79A7", "D", "its kernel with queues"),
    "floor": ("#009E73", "v", "reading and writing alone"),
}


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        lines = list(file)
    remarks = [line[1:].strip() for line in lines if line.startswith("#")]
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    for row in rows:
        for key in ("width", "height", "replays"):
            row[key] = int(row[key])
        for key in ("epsilon", "segments_a_column", "microseconds", "value"):
            row[key] = float(row[key])
    return remarks, rows


def frames_panel(axes, rows):
    """Time over segments a column, of frames of the paper's size."""
    rows = [r for r in rows if r["experiment"] == "frames" and (r["width"], r["height"]) == (1242, 1024)]
    for rival, (colour, marker, label) in STYLES.items():
        points = [(r["segments_a_column"], r["microseconds"]) for r in rows if r["rival"] == rival]
        if points:
            axes.scatter(*zip(*points), s=18, color=colour, marker=marker, label=label, alpha=0.75)
    axes.set(xscale="log", yscale="log", xlabel="segments a column", ylabel="µs a frame")
    axes.set_title("frames of 1242x1024")
    axes.legend(fontsize=8)


def growth_panel(axes, rows):
    """Time over height, each content a line."""
    rows = [r for r in rows if r["experiment"] == "growth"]
    named = set()
    for rival in ("algorithm 3", "ours", "floor"):
        colour, marker, label = STYLES[rival]
        for frame in sorted({r["frame"] for r in rows}):
            points = sorted(
                (r["height"], r["microseconds"])
                for r in rows
                if r["rival"] == rival and r["frame"] == frame
            )
            if points:
                axes.plot(*zip(*points), color=colour, marker=marker, markersize=4, linewidth=1,
                          label=None if label in named else label)
                named.add(label)
    axes.set_xscale("log", base=2)
    axes.set(yscale="log", xlabel="height of frames 1242 wide", ylabel="µs a frame")
    heights = sorted({r["height"] for r in rows})
    axes.set_xticks(heights, [str(height) for height in heights])
    axes.set_title("the same content at other heights")
    axes.legend(fontsize=8)


# What the panel of batches shows.
BATCHED = (
    ("street", 1024),
    ("000000 scaled", 1024),
    ("kitti2015_000046_10_3way scaled", 1024),
    ("kitti2015_000046_10_3way", 375),
    ("kitti2015_000046_10_nofilter scaled", 1024),
    ("disparity scaled", 1024),
    ("noise", 1024),
)


def batch_panel(axes, rows):
    """Time over the frames of a launch, and dashed that of the kernel with queues."""
    rows = [r for r in rows if r["experiment"] == "batch"]
    for number, (frame, height) in enumerate(BATCHED):
        for rival, line in (("ours", "-"), ("queues", "--")):
            points = sorted(
                (int(r["rival"].rsplit(" ", 1)[1]), r["microseconds"])
                for r in rows
                if (r["frame"], r["height"], r["rival"].split(" ")[0]) == (frame, height, rival)
            )
            if points:
                axes.plot(*zip(*points), color=f"C{number}", linestyle=line, marker="o", markersize=4,
                          linewidth=1, label=f"{frame}, {height} rows" if rival == "ours" else None)
    axes.plot([], [], color="#666666", linestyle="--", linewidth=1, label="with queues")
    axes.set_xscale("log", base=2)
    frames = sorted({int(r["rival"].rsplit(" ", 1)[1]) for r in rows})
    axes.set_xticks(frames, [str(count) for count in frames])
    axes.set(yscale="log", xlabel="frames a launch", ylabel="µs a frame")
    axes.set_title("batches")
    axes.legend(fontsize=7)


PANELS = {"frames": frames_panel, "growth": growth_panel, "batch": batch_panel}


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    remarks, rows = read(arguments[0])
    panels = [panel for name, panel in PANELS.items() if any(r["experiment"] == name for r in rows)]
    if not panels:
        sys.exit(f"plot_gpu.py: {arguments[0]} has none of the experiments {', '.join(PANELS)}")
    # The same file for the same numbers.
    matplotlib.rcParams["svg.hashsalt"] = "gpu_bench"
    figure, axes = plt.subplots(1, len(panels), figsize=(5.2 * len(panels), 4.6), squeeze=False)
    for panel, axis in zip(panels, axes[0]):
        panel(axis, rows)
        axis.grid(True, which="major", linewidth=0.4, alpha=0.6)
    figure.suptitle("\n".join(remarks), fontsize=8)
    figure.tight_layout()
    metadata = {"Date": None} if arguments[1].endswith(".svg") else None
    figure.savefig(arguments[1], metadata=metadata, dpi=110)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
