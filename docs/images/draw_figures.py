#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws two figures of docs/concepts.md: the cost that merge minimises, and the vote for the ground.

  draw_figures.py merge DEPTH.raw SPLIT.jsonl MERGED.jsonl PICTURE.svg
  draw_figures.py ground MERGED.jsonl PICTURE.svg

DEPTH.raw is a frame, GRAY16_LE without padding. The JSON lines are rdpmetaconvert's: of the split
alone, and with merge=true classify=true. The suffix of PICTURE sets its format (.svg, .png). Both
figures repeat rdpsegment's computation, and end with an error where the results differ.
examples/make-pictures.sh makes the frame and calls this. Needs matplotlib (Debian:
python3-matplotlib).
"""

import json
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
# Text stays text and names do not depend on chance, so that the same figure is the same file.
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "rdpsegment", "font.size": 9,
                            "axes.titlesize": 10, "legend.fontsize": 8, "legend.framealpha": 1})  # fmt: skip
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.collections import LineCollection  # noqa: E402

# Okabe and Ito's colours, which people with any colour vision can tell apart.
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#999999"
COLUMN = 342  # of the street: a road, a kerb, a pavement, a tree, a house
PAPER = "white"


def frame_of(path):
    with open(path, encoding="utf-8") as lines:
        return json.loads(lines.readline())


def check(condition, what):
    if not condition:
        sys.exit(f"draw_figures.py: {what}: this script no longer does what rdpsegment does")


def panels(*widths):
    return plt.subplots(1, len(widths), figsize=(10, 3.6), constrained_layout=True, gridspec_kw={"width_ratios": widths})


def save(figure, path):
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None)


# --- the merge's cost -----------------------------------------------------------------------------


def pieces_of(rows, values, segments):
    """The pieces between the cuts, as ranges of indices into a column's known samples."""
    starts = [0]
    for segment in segments[1:]:
        vertex = int(np.searchsorted(rows, segment[0]))
        before = abs(values[vertex] - values[vertex - 1])
        after = abs(values[vertex + 1] - values[vertex])
        cut = vertex if before >= after else vertex + 1
        if cut > starts[-1]:
            starts.append(cut)
    return list(zip(starts, [*starts[1:], len(rows)]))


def line_through(rows, values):
    return np.polyfit(rows, values, 1) if len(rows) > 1 else np.array([0.0, values[0]])


def cost_of(rows, values, pieces, joined, epsilon):
    """What the samples cost where `joined` are lists of pieces, each with one line."""
    total = 0.0
    for group in joined:
        here = slice(pieces[group[0]][0], pieces[group[-1]][1])
        line = line_through(rows[here], values[here])
        for piece in group:
            there = slice(*pieces[piece])
            squares = (values[there] - np.polyval(line, rows[there])) ** 2
            total += min(squares.sum(), len(squares) * epsilon**2)
    return total


def joined_by(rows, pieces, segments):
    """The pieces that each merged segment has."""
    groups = [[p for p, (start, end) in enumerate(pieces) if s[0] <= rows[start] and rows[end - 1] <= s[1]]
              for s in segments]  # fmt: skip
    check(sum(groups, []) == list(range(len(pieces))), "merged segments do not consist of pieces")
    return groups


def thing_panel(axes, epsilon, price):
    """Rows that stand out from a surface: in a segment of their own, or in their neighbour's."""
    rows = np.arange(0, 41)
    axes.axhline(price, color=BLUE, label="one more segment: merge-cost²")
    axes.plot(rows, rows * epsilon**2, color=ORANGE,
              label="in a neighbour's segment: n · ε²,\nif they stand out by ε or more")
    axes.plot(rows, rows * (epsilon / 2) ** 2, color=ORANGE, linestyle="--",
              label="the same, if they stand out by ε / 2")
    even = price / epsilon**2
    axes.plot(even, price, "o", color="black", markersize=5)
    axes.annotate(f"n = (merge-cost / ε)² = {even:g}", (even, price), (3, -16),
                  textcoords="offset points")
    axes.set(title="n rows that stand out from a surface", xlabel="n (rows)", ylabel="cost, px²",
             xlim=(0, 40), ylim=(0, 175))
    axes.legend(loc="upper left", facecolor=PAPER)


def totals_panel(axes, price, choices):
    names = [f"{name}:\n{count} segment{'s' if count > 1 else ''}" for name, count, _ in choices]
    segments = [count * price for _, count, _ in choices]
    samples = [cost for _, _, cost in choices]
    axes.bar(names, segments, 0.6, color=BLUE, label="segments: merge-cost² each")
    axes.bar(names, samples, 0.6, bottom=segments, color=ORANGE, label="samples: squared distances,\ntruncated")
    for place, (first, second) in enumerate(zip(segments, samples)):
        axes.annotate(f"{first + second:.0f}", (place, first + second), (0, 2),
                      textcoords="offset points", ha="center")
    highest = max(map(sum, zip(segments, samples)))
    axes.set(title=f"column {COLUMN}: the whole cost", ylabel="cost, px²", ylim=(0, 1.45 * highest))
    axes.legend(loc="upper right", facecolor=PAPER)


def draw_merge(raw, split_path, merged_path, path):
    split, merged = frame_of(split_path), frame_of(merged_path)
    epsilon, scale = merged["epsilon"], merged["sample-scale"]
    price = (4 * epsilon) ** 2  # merge-cost=0
    frame = np.fromfile(raw, "<u2").reshape(split["height"], split["width"])
    rows = np.flatnonzero(frame[:, COLUMN])
    values = frame[rows, COLUMN] * scale
    before, after = split["columns"][COLUMN], merged["columns"][COLUMN]
    pieces = pieces_of(rows, values, before)
    groups = joined_by(rows, pieces, after)
    each, everything = [[p] for p in range(len(pieces))], [list(range(len(pieces)))]
    choices = [(name, len(joined), cost_of(rows, values, pieces, joined, epsilon))
               for name, joined in (("pieces", each), ("merged", groups), ("all in one", everything))]
    totals = [count * price + cost for _, count, cost in choices]
    check(totals[1] == min(totals), "the merge is not the cheapest")
    figure, axes = panels(1.3, 1)
    thing_panel(axes[0], epsilon, price)
    totals_panel(axes[1], price, choices)
    save(figure, path)


# --- the ground's vote ----------------------------------------------------------------------------


def vote_of(column, height, tolerance):
    """The segment by which a column votes, or None."""
    for segment in reversed(column[-64:]):
        if segment[1] > segment[0] and (segment[1] - segment[0]) * 16 >= height:
            return segment if segment[3] - segment[2] >= 2 * tolerance else None
    return None


def weighted_median(values, weights):
    order = np.argsort(values)
    return values[order][np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)]


def lines_panel(axes, votes, level, slope, horizon, tolerance, height):
    for chosen, colour, label in ((level, GREEN, "votes near the ground's slope"),
                                  (~level, ORANGE, "other votes")):
        lines = [[(v[2], v[0]), (v[3], v[1])] for v in votes[chosen][::8]]
        axes.add_collection(LineCollection(lines, colors=colour, linewidths=0.7, alpha=0.6, label=label))
    rows = np.array([horizon, height])
    values = slope * (rows - horizon)
    band = tolerance + values / 8
    axes.plot(values, rows, "--", color="black", linewidth=1.2, label="slope · (row − horizon)")
    axes.fill_betweenx(rows, values - band, values + band, color="0.85", zorder=0,
                       label="± (tolerance + 1/8)")
    axes.axhline(horizon, color="black", linewidth=0.8, linestyle=":")
    axes.annotate(f"horizon: row {horizon:g}", (1, horizon), (-4, 4), xycoords=("axes fraction", "data"),
                  textcoords="offset points", ha="right")
    axes.set(title="the votes (every 8th is drawn)", xlabel="disparity, px", ylabel="row",
             xlim=(-2, None), ylim=(height, horizon - 20))
    axes.legend(loc="lower left", facecolor=PAPER)


def votes_panel(axes, values, weights, edges, middle, median):
    axes.hist(values, bins=edges, weights=weights, color=GREEN, histtype="stepfilled")
    axes.axvline(middle, color="black", linestyle="--", label=f"weighted median: {median}")
    axes.set(ylabel="weight of the votes (rows)", yscale="log", ylim=(50, 3e6))
    axes.legend(loc="upper right", facecolor=PAPER)


def draw_ground(merged_path, path):
    frame = frame_of(merged_path)
    scale, height = frame["sample-scale"], frame["height"]
    tolerance, slope, horizon = frame["epsilon"], frame["ground-slope"], frame["horizon"]
    found = (vote_of([[*s[:2], s[2] * scale, s[3] * scale] for s in column], height, tolerance)
             for column in frame["columns"])
    votes = np.array([v for v in found if v is not None], float)
    weights = votes[:, 1] - votes[:, 0]
    slopes = (votes[:, 3] - votes[:, 2]) / weights
    level = (slopes >= slope / 2) & (slopes <= 2 * slope)
    horizons = votes[level, 1] - votes[level, 3] / slope
    check(abs(weighted_median(slopes, weights) - slope) < slope / 1000, "another slope")
    check(abs(weighted_median(horizons, weights[level]) - horizon) <= 1, "another horizon")
    figure, axes = panels(1.5, 1, 1)
    lines_panel(axes[0], votes, level, slope, horizon, tolerance, height)
    edges = np.linspace(0, 3 * slope, 61)
    votes_panel(axes[1], slopes, weights, edges, slope, f"{slope:.3f}")
    axes[1].axvspan(slope / 2, 2 * slope, color="0.85", zorder=0, label="half to twice that")
    axes[1].legend(loc="upper right", facecolor=PAPER)  # again, with the range
    axes[1].set(title="1. slopes of the votes", xlabel="slope, px a row")
    edges = np.arange(horizon - 40.5, horizon + 41.5)
    votes_panel(axes[2], horizons, weights[level], edges, horizon, f"row {horizon:g}")
    axes[2].set(title="2. horizons of the votes", xlabel="row in which the line reaches 0")
    save(figure, path)


if __name__ == "__main__":
    if len(sys.argv) == 6 and sys.argv[1] == "merge":
        draw_merge(*sys.argv[2:])
    elif len(sys.argv) == 4 and sys.argv[1] == "ground":
        draw_ground(*sys.argv[2:])
    else:
        sys.exit(__doc__)
