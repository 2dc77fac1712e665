#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws the octree of a cloud and its votes, as Breda's thesis shows them in figures 2.1, 5.2 and 5.4.

  draw_clouds.py PARTS.json PICTURE.png

PARTS.json is what cloud_parts printed. From the left: the points, a stage of the octree, its planar nodes
in the colours of their planes, and the votes on the ball of directions: the more, the darker and the
farther from its middle. The picture's kind goes by its name (.png, .svg). Needs matplotlib
(Debian: python3-matplotlib).
"""

import colorsys
import json
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "rdpsegment", "font.size": 9})
import matplotlib.pyplot as plt  # noqa: E402
from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection  # noqa: E402

STAGE = 3  # the octree's level in the second part
VIEW = {"elev": 22, "azim": -162}
GREY = "#9a9a9a"


def colour(index):
    """As pictures and labels have them: neighbours in number differ in hue."""
    return GREY if index < 0 else colorsys.hsv_to_rgb(0.61803399 * index % 1.0, 0.75, 0.9)


def corners(at, size):
    return np.array([[at[0] + size * (i & 1), at[1] + size * (i >> 1 & 1), at[2] + size * (i >> 2)] for i in range(8)])


def edges(at, size):
    c = corners(at, size)
    return [(c[i], c[i | bit]) for i in range(8) for bit in (1, 2, 4) if not i & bit]


def faces(at, size):
    c = corners(at, size)
    return [c[list(face)] for face in
            ((0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5))]  # fmt: skip


class Parts:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            parts = json.load(file)
        self.corner, self.edge, self.depth = np.array(parts["corner"]), parts["edge"], parts["depth"]
        self.cells = np.array(parts["cells"])
        self.planar = parts["planar"]
        points = np.array(parts["points"])
        self.points = points[points[:, 3] >= 0]
        self.votes = np.array(parts["votes"], float)

    def cube(self, level, at):
        size = self.edge / (1 << level)
        return self.corner + np.array(at) * size, size

    def open_at(self, level):
        """The cubes of a level with points in them, but for those inside of planar nodes above it."""
        cubes = {tuple(cell >> (self.depth - level)) for cell in self.cells}
        inside = {(above, x, y, z) for above, x, y, z, _ in self.planar if above <= level}
        return [c for c in cubes
                if not any((above, *(k >> (level - above) for k in c)) in inside for above in range(level + 1))]  # fmt: skip


def draw_points(axes, parts, colours):
    axes.scatter(*parts.points[:, :3].T, s=0.3, c=colours, linewidths=0, rasterized=True)


def draw_nodes(axes, parts, nodes, alpha):
    for level, *at, owner in nodes:
        place, size = parts.cube(level, at)
        axes.add_collection3d(Poly3DCollection(faces(place, size), alpha=alpha, facecolor=colour(owner),
                                               edgecolor="#404040", linewidth=0.15))  # fmt: skip


def draw_votes(axes, parts):
    directions, votes = parts.votes[:, :3], parts.votes[:, 3]
    share = votes / max(votes.max(), 1.0)
    axes.scatter(*directions[votes == 0].T, s=0.6, c=GREY, linewidths=0)
    some = directions[votes > 0]
    ends = some * (1.0 + 0.6 * share[votes > 0, None])
    shades = matplotlib.cm.Blues(0.35 + 0.65 * np.sqrt(share[votes > 0]))
    axes.add_collection3d(Line3DCollection(list(zip(some, ends)), colors=shades, linewidths=1.6))
    axes.set(xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), zlim=(-1.3, 1.3))


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    parts = Parts(arguments[0])
    figure = plt.figure(figsize=(13, 3.3), constrained_layout=True)
    all_axes = [figure.add_subplot(1, 4, i + 1, projection="3d") for i in range(4)]
    titles = ("points", f"octree, level {STAGE}", f"{len(parts.planar)} planar nodes", "votes for directions")
    for axes, title in zip(all_axes, titles):
        axes.set_axis_off()
        axes.set_title(title)
        axes.view_init(**VIEW)
        axes.set_box_aspect((1, 1, 1), zoom=1.35)
    draw_points(all_axes[0], parts, parts.points[:, 2])
    draw_points(all_axes[1], parts, GREY)
    lines = [edge for cube in parts.open_at(STAGE) for edge in edges(*parts.cube(STAGE, cube))]
    all_axes[1].add_collection3d(Line3DCollection(lines, colors="#202020", linewidths=0.3))
    draw_nodes(all_axes[1], parts, [node for node in parts.planar if node[0] <= STAGE], 0.35)
    draw_nodes(all_axes[2], parts, parts.planar, 0.55)
    for axes in all_axes[:3]:
        ends = [(low, low + parts.edge) for low in parts.corner]
        axes.set(xlim=ends[0], ylim=ends[1], zlim=ends[2])
    draw_votes(all_axes[3], parts)
    figure.savefig(arguments[1], dpi=90, metadata={"Date": None} if arguments[1].endswith(".svg") else None)


if __name__ == "__main__":
    main(sys.argv[1:])
