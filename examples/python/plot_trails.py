#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Plots the trails of the features that klttrack tracks through some frames.

Run it where GStreamer and Python find rdpsegment: installed, or with
  meson devenv -C build /usr/bin/python3 ../examples/python/plot_trails.py
Needs PyGObject, numpy and matplotlib (Debian: python3-gi python3-numpy python3-matplotlib).
"""

import argparse
import sys

NEEDS = "Debian: python3-gi python3-numpy python3-matplotlib; the module rdpsegment: meson devenv -C build"


def trails_of(source, frames, properties):
    """Of each feature its places, {id: [(x, y), ...]}; and the size of the frames."""
    import rdpsegment
    from gi.repository import GLib

    trails, size = {}, None
    try:
        pipeline = rdpsegment.run(f"{source} ! klttrack {properties} ! appsink")
        for number, sample in enumerate(pipeline):
            found = rdpsegment.tracks(sample)
            size = found.info.width, found.info.height
            for track in found.tracks:
                trails.setdefault(int(track["id"]), []).append((float(track["x"]), float(track["y"])))
            if number + 1 == frames:
                break
    except GLib.Error as error:
        sys.exit(error.message)
    if size is None:
        sys.exit("There is no frame: the source ended before one.")
    return trails, size


def plot(trails, size, shortest, picture):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    long_ones = [places for places in trails.values() if len(places) >= shortest]
    for places in long_ones:
        columns, rows = zip(*places)
        pyplot.plot(columns, rows, "-", linewidth=0.8)
        pyplot.plot(columns[-1:], rows[-1:], "k.", markersize=2)
    pyplot.gca().set(xlim=(0, size[0]), ylim=(size[1], 0), aspect="equal",
                     title=f"{len(long_ones)} features of {shortest} frames or more")  # fmt: skip
    try:
        pyplot.savefig(picture)
    except (OSError, ValueError) as error:
        sys.exit(f"Cannot write {picture}: {error}")
    print(f"{picture}: {len(long_ones)} of {len(trails)} features have {shortest} frames or more")


def positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number of at least 1, not {text!r}")
    return int(text)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--frames", type=positive, default=20, help="how many (%(default)s)")
    add("--shortest", type=positive, default=5, help="frames that a trail has at least (%(default)s)")
    add("--properties", default="", help='of klttrack, such as "cell=8 levels=5"')
    add("--out", default="trails.png", help="the picture to write (%(default)s)")
    add("source", nargs="?", default="depthtestsrc view=left pattern=traffic ! video/x-raw,width=640,height=480",
        help="a launch line that delivers GRAY8, NV12 or I420 (%(default)s)")  # fmt: skip
    options = parser.parse_args()
    try:
        import gi  # noqa: F401
        import matplotlib  # noqa: F401
        import numpy  # noqa: F401
        import rdpsegment
    except (ImportError, ValueError) as error:
        sys.exit(f"Something is missing: {error} ({sys.executable})\n{NEEDS}")
    try:
        trails, size = trails_of(options.source, options.frames, options.properties)
    except rdpsegment.Error as error:
        sys.exit(str(error))
    plot(trails, size, options.shortest, options.out)


if __name__ == "__main__":
    main()
