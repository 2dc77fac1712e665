#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws what accuracy_curves.py wrote, and prints its tables as Markdown.

  plot_accuracy.py RESULTS.csv… PICTURE.svg

The picture's kind goes by its name (.svg, .png). Panels whose experiment is in none of the files are
left out.
"""

import csv
import importlib.util
import os
import sys
from collections import defaultdict

if importlib.util.find_spec("matplotlib") is None:
    # Another python3 that comes first on PATH need not have it; Debian's has (python3-matplotlib).
    DEBIAN = "/usr/bin/python3"
    if os.path.exists(DEBIAN) and os.path.realpath(sys.executable) != os.path.realpath(DEBIAN):
        os.execv(DEBIAN, [DEBIAN, *sys.argv])
    sys.exit("plot_accuracy.py: no python3 here can import matplotlib (Debian: python3-matplotlib)")

import matplotlib  # noqa: E402

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

# Okabe and Ito's colours, which people with any colour vision can tell apart.
SETS = {"KITTI": "#0072B2", "SYNTHIA": "#D55E00", "Middlebury": "#009E73", "RGB-D": "#CC79A7"}
METHODS = {
    "split": ("#999999", "o", "split"),
    "refine": ("#56B4E9", "v", "split, refine"),
    "merge": ("#0072B2", "s", "split, merge"),
    "optimum": ("#009E73", "^", "cheapest there is"),
    "squared-optimum": ("#E69F00", "x", "cheapest, not truncated"),
}
# Of RGB-D, epsilon and errors are in 1/km; 10 of them are what 1 px is to a stereo camera.
RGBD_UNIT = 10
TEXT = {"experiment", "set", "frame", "method"}


def read(paths):
    rows = []
    for path in paths:
        with open(path, newline="", encoding="utf-8") as file:
            rows += list(csv.DictReader(file))
    for row in rows:
        for key, value in row.items():
            if key not in TEXT:
                row[key] = float(value) if value else None
        unit = RGBD_UNIT if row["set"] == "RGB-D" else 1
        row["steps"] = row["epsilon"] / unit
        row["error"] = row["mean"] / unit
        row["factor"] = row["merge_cost"] / row["epsilon"] if row["epsilon"] else 0
    return rows


def tick(axis, values):
    axis.set_ticks(values, [f"{value:g}" for value in values])
    axis.set_ticks([], minor=True)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def over_epsilon(axes, rows, key, methods):
    """The mean over a set's frames, for each epsilon."""
    for group, colour in SETS.items():
        for method, line in methods.items():
            points = defaultdict(list)
            for r in rows:
                if r["set"] == group and r["method"] == method:
                    points[r["steps"]].append(r[key])
            steps = sorted(points)
            if steps:
                label = group if line == "-" else None
                axes.plot(steps, [mean(points[s]) for s in steps], line, color=colour, linewidth=1.2,
                          label=label)
    axes.set_xscale("log")
    tick(axes.xaxis, [0.5, 1, 2, 4, 8, 16])
    axes.set_xlabel("ε in px (RGB-D: in 10 / km)")


def accuracy_panel(axes, rows):
    over_epsilon(axes, rows["epsilon"], "error", {"split": "--", "merge": "-"})
    axes.set(yscale="log", ylabel="mean |Δ| in px (10 / km)")
    tick(axes.yaxis, [0.05, 0.1, 0.2, 0.5, 1, 2])
    axes.set_title("error (dashed: split alone)")
    axes.legend(fontsize=8)


def compression_panel(axes, rows):
    over_epsilon(axes, rows["epsilon"], "rows_a_segment", {"split": "--", "merge": "-"})
    axes.set(yscale="log", ylabel="rows of a column per segment")
    tick(axes.yaxis, [10, 20, 50, 100, 200, 400])
    axes.set_title("compression (dashed: split alone)")
    axes.legend(fontsize=8)


def levels_panel(axes, rows):
    """The paper's Fig. 5, after a median as there."""
    for offset, (group, colour) in enumerate(SETS.items()):
        points = defaultdict(list)
        for r in rows["median"]:
            if r["set"] == group and r["method"] == "split" and r["median"] == 5:
                points[r["steps"]].append(r)
        steps = sorted(points)
        if not steps:
            continue
        axes.errorbar([s * 1.03**offset for s in steps],
                      [mean(r["levels_mean"] for r in points[s]) for s in steps],
                      [mean(r["levels_deviation"] for r in points[s]) for s in steps],
                      color=colour, linewidth=1.2, elinewidth=0.7, capsize=2, label=group)
    axes.set_xscale("log")
    tick(axes.xaxis, [0.5, 1, 2, 4, 8, 16])
    axes.set(xlabel="ε in px (RGB-D: in 10 / km)", ylabel="splits within each other")
    axes.set_ylim(bottom=0)
    axes.set_title("levels, after a 5x5 median: mean and deviation")
    axes.legend(fontsize=8)


def frontier(rows):
    """Those that no other is both smaller and more exact than."""
    best = []
    for point in sorted(rows):
        if not best or point[1] < best[-1][1]:
            best.append(point)
    return best


def stixels_panel(axes, rows, key, factor, name):
    rows = [r for r in rows["stixels"] if r["column_width"] == 1]
    for method, (colour, marker, label) in METHODS.items():
        points = frontier(
            (r["segments"], factor * r[key])
            for r in rows
            if r["method"] == method and 200 < r["segments"] < 6000
        )
        if points:
            axes.plot(*zip(*points), color=colour, marker=marker, markersize=3, linewidth=1, label=label)
    for r in rows:
        if r["method"] == "stixels":
            axes.plot(r["segments"], factor * r[key], "*", color="#D55E00", markersize=11, label="GPU Stixels")
    axes.set(xscale="log", yscale="log", xlabel="segments in 204 columns", ylabel=name)
    tick(axes.xaxis, [500, 1000, 2000, 5000])
    tick(axes.yaxis, [0.05, 0.1, 0.2, 0.5, 1, 2] if factor == 1 else [0.5, 1, 2, 5, 10])
    axes.set_title("SYNTHIA against GPU Stixels")
    axes.legend(fontsize=7)


def truth_panel(axes, rows):
    for name, line in (("2015 000046", "-"), ("2015 000046, unfiltered", "--")):
        here = [r for r in rows["truth"] if r["frame"] == name and r["median"] == 0]
        for method, (colour, marker, label) in METHODS.items():
            points = frontier((-r["rows_a_segment"], r["truth_mean"]) for r in here if r["method"] == method)
            if points:
                axes.plot([-x for x, _ in points], [y for _, y in points], line, color=colour,
                          marker=marker, markersize=3, linewidth=1, label=label if line == "-" else None)
        if here:
            axes.axhline(here[0]["truth_mean_of_frame"], color="#D55E00", linestyle=line, linewidth=0.9,
                         label="the matcher itself" if line == "-" else None)
    axes.set(xlabel="rows of a column per segment", ylabel="mean |Δ| against lidar in px")
    axes.set_xlim(0, 160)
    axes.set_ylim(0.6, 1.3)
    axes.set_title("KITTI 2015 000046 (dashed: raw matcher output)")
    axes.legend(fontsize=8)


PANELS = [
    ("epsilon", accuracy_panel),
    ("epsilon", compression_panel),
    ("median", levels_panel),
    ("stixels", lambda axes, rows: stixels_panel(axes, rows, "mean", 1, "mean |Δ| in px")),
    ("stixels", lambda axes, rows: stixels_panel(axes, rows, "relative", 100, "relative error in %")),
    ("truth", truth_panel),
]


def draw(rows, path):
    panels = [panel for experiment, panel in PANELS if rows[experiment]]
    # The same file for the same numbers.
    matplotlib.rcParams["svg.hashsalt"] = "accuracy"
    matplotlib.rcParams["svg.fonttype"] = "none"
    columns = min(3, len(panels))
    lines = -(-len(panels) // columns)
    figure, axes = plt.subplots(lines, columns, figsize=(5.2 * columns, 4.4 * lines), squeeze=False)
    for panel, axis in zip(panels, axes.flat):
        panel(axis, rows)
        axis.grid(True, which="major", linewidth=0.4, alpha=0.6)
    for axis in axes.flat[len(panels) :]:
        axis.remove()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None, dpi=110)


def table(head, lines):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for line in lines:
        print("| " + " | ".join(str(cell) for cell in line) + " |")
    print()


def epsilon_table(rows):
    """Split and merge, the mean over each set's frames."""
    lines = []
    for group in SETS:
        for steps in (1, 2, 4, 8):
            line = [group, f"{steps * (RGBD_UNIT if group == 'RGB-D' else 1):g}"]
            for method in ("split", "refine", "merge"):
                here = [r for r in rows if (r["set"], r["method"], r["steps"]) == (group, method, steps)]
                if here:
                    line += [f"{mean(r['rows_a_segment'] for r in here):.0f}",
                             f"{mean(r['mean'] for r in here):.3g}",
                             f"{100 * mean(r['relative'] for r in here):.1f} %"]
            if len(line) > 2:
                lines.append(line)
    table(["frames", "ε", "split: rows", "mean", "relative", "refine: rows", "mean", "relative",
           "merge: rows", "mean", "relative"], lines)


def levels_table(rows):
    lines = []
    for group in SETS:
        here = [r for r in rows if r["set"] == group and r["method"] == "split" and r["median"] == 5]
        cells = [group]
        for steps in (1, 2, 4, 8, 16):
            at = [r for r in here if r["steps"] == steps]
            if at:
                cells.append(f"{mean(r['levels_mean'] for r in at):.1f} ± "
                             f"{mean(r['levels_deviation'] for r in at):.1f}, "
                             f"{max(r['levels_most'] for r in at):.0f}")
        if len(cells) > 1:
            lines.append(cells)
    table(["frames", "ε 1", "2", "4", "8", "16"], lines)


def optimum_table(rows):
    cases = defaultdict(dict)
    for r in rows:
        cases[r["set"], r["frame"], r["epsilon"]][r["method"]] = r
    sets = defaultdict(list)
    for (group, _, _), case in cases.items():
        merge, best, squared = (case[m] for m in ("merge", "optimum", "squared-optimum"))
        sets[group].append((merge["cost"] / best["cost"] - 1, merge["segments"] / best["segments"] - 1,
                            best["milliseconds"] / merge["milliseconds"],
                            squared["milliseconds"] / merge["milliseconds"]))
    span = lambda values, form: f"{form(min(values))} to {form(max(values))}"
    percent = lambda x: f"{100 * x:+.1f} %"
    lines = []
    for group, values in sets.items():
        cost, segments, speed, squared = zip(*values)
        middle = lambda v: sorted(v)[len(v) // 2]
        lines.append([group, len(values), span(cost, percent), span(segments, percent),
                      f"{middle(speed):.0f} (least {min(speed):.0f})",
                      f"{middle(squared):.0f} (least {min(squared):.0f})"])
    table(["frames", "cases", "cost", "segments", "times as fast", "as fast as the quadratic one"], lines)


def truth_table(rows):
    lines = []
    for r in rows:
        if r["epsilon"] not in (1, 2, 4) or abs(r["factor"] - 4) > 1e-9 or r["median"] != 0:
            continue
        lines.append([r["frame"], r["method"], f"{r['epsilon']:g}", f"{r['rows_a_segment']:.0f}",
                      f"{r['truth_mean_of_frame']:.3f}", f"{100 * r['truth_outliers_of_frame']:.2f} %",
                      f"{r['truth_mean']:.3f}", f"{100 * r['truth_outliers']:.2f} %"])
    table(["frame", "method", "ε", "rows", "matcher: mean", "outliers", "segments: mean", "outliers"], lines)


TABLES = {"epsilon": epsilon_table, "median": levels_table, "optimum": optimum_table, "truth": truth_table}


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    rows = defaultdict(list)
    for row in read(arguments[:-1]):
        rows[row["experiment"]].append(row)
    for name, print_table in TABLES.items():
        if rows[name]:
            print_table(rows[name])
    draw(rows, arguments[-1])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
