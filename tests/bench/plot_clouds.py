#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws how the time for the planes of a cloud grows with its points, beside Breda's thesis.

  plot_clouds.py CLOUD_BENCH.txt PICTURE.svg [POINTS=MILLISECONDS]...

CLOUD_BENCH.txt is what cloud_bench printed; POINTS=MILLISECONDS was measured on a GPU (gpu_kernels clouds).
The picture's kind goes by its name (.svg, .png). Needs matplotlib (Debian: python3-matplotlib).
"""

import sys

import matplotlib

matplotlib.use("Agg")
# Text stays text and names do not depend on chance, so that the same figure is the same file.
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "rdpsegment", "font.size": 9})
import matplotlib.pyplot as plt  # noqa: E402

# V. Breda, 2015: points, then milliseconds of octree and votes on an i7 2600 and, with the faster one of
# its octrees, on a GTX 970. Its peaks, refits and labels are not in them.
THESIS = ((68852, 14, 1541), (112586, 29, 1463), (160256, 29, 1613), (179744, 20, 912),
          (964806, 62, 1401), (20332246, 2087, 5032))  # fmt: skip


def measured(path):
    """Points and milliseconds of cloud_bench's lines, by points."""
    rows = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if len(words) > 2 and words[0].isdigit():
                rows.append((int(words[0]), float(words[1])))
    if not rows:
        sys.exit(f"{path}: expected lines of cloud_bench, points and milliseconds first; found none")
    return sorted(rows)


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    gpu = [tuple(float(n) for n in a.split("=")) for a in arguments[2:]]
    figure, axes = plt.subplots(figsize=(7, 4), constrained_layout=True)
    axes.plot(*zip(*[(p, m) for p, _, m in THESIS]), "s", color="#CC79A7", label="thesis, octree and votes, GTX 970")
    axes.plot(*zip(*[(p, m) for p, m, _ in THESIS]), "s", color="#D55E00", label="thesis, octree and votes, i7 2600")
    axes.plot(*zip(*measured(arguments[0])), "o-", color="#0072B2", label="this, all steps, one core")
    if gpu:
        axes.plot(*zip(*sorted(gpu)), "v-", color="#009E73", label="this, all steps, H200")
    axes.set(xscale="log", yscale="log", xlabel="points", ylabel="ms", ylim=(0.2, 200000))
    axes.grid(alpha=0.3)
    axes.legend(loc="upper left")
    figure.savefig(arguments[1], metadata={"Date": None} if arguments[1].endswith(".svg") else None)


if __name__ == "__main__":
    main(sys.argv[1:])
