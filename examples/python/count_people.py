#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Counts the people who stand in areas of the ground, by the heads that heightmap finds.

An area is a name and a polygon in metres, such as --area "door: -2,-1 2,-1 2,0 -2,0". Somebody on the
line between two of them is in one of both. Without an area everybody is counted.

Run it where GStreamer and Python find rdpsegment: installed, or with
  meson devenv -C build /usr/bin/python3 ../examples/python/count_people.py
Needs PyGObject and numpy (Debian: python3-gi python3-numpy).
"""

import argparse
import sys

NEEDS = "Debian: python3-gi python3-numpy; the module rdpsegment: meson devenv -C build"
CROWD = "depthtestsrc pattern=crowd view=left num-buffers=5 view-index={} ! video/x-raw,width=390,height=310"


def inside(corners, places):
    """Which places are in a polygon: by the even-odd rule, of an edge the side towards smaller x and y."""
    import numpy as np

    result = np.zeros(len(places), bool)
    x, y = places[:, 0], places[:, 1]
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1]):
        if ay > by:
            ax, ay, bx, by = bx, by, ax, ay
        beside = (y >= ay) & (y < by)
        result ^= beside & ((bx - ax) * (y - ay) > (x - ax) * (by - ay))
    return result


def area(text):
    """A name and its polygon."""
    name, separator, corners = text.partition(":")
    try:
        polygon = [tuple(float(number) for number in corner.split(",")) for corner in corners.split()]
    except ValueError:
        polygon = []
    if not separator or len(polygon) < 3 or any(len(corner) != 2 for corner in polygon):
        raise argparse.ArgumentTypeError(f'"name: x,y x,y x,y", three corners or more in metres, not {text!r}')
    return name.strip(), polygon


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--area", type=area, action="append", default=[], help='"name: x,y x,y x,y", any number of times')
    add("--properties", default="", help='of heightmap, such as "calibration=cameras.json"')
    add("views", nargs="*", default=[CROWD.format(view) for view in range(3)],
        help="a launch line for each camera, in the calibration's order (three cameras of the test source)")  # fmt: skip
    options = parser.parse_args()
    try:
        import gi  # noqa: F401
        import numpy  # noqa: F401
        import rdpsegment
        from gi.repository import GLib
    except (ImportError, ValueError) as error:
        sys.exit(f"Something is missing: {error}\n{NEEDS}")
    views = " ".join(f"{view} ! heights.sink_{i}" for i, view in enumerate(options.views))
    try:
        for sample in rdpsegment.run(f"heightmap name=heights {options.properties} ! appsink {views}"):
            found = rdpsegment.heights(sample)
            text = ", ".join(
                f"{name} {inside(corners, found.places).sum()}" for name, corners in options.area
            )
            print(f"frame {found.info.frame}: {len(found.heads)} people{': ' if text else ''}{text}", flush=True)
    except GLib.Error as error:
        sys.exit(error.message)
    except rdpsegment.Error as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
