#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Counts the people who stand in areas of the ground, and who cross lines, by the heads that heightmap finds.

An area is a name and a polygon in metres, such as --area "door: -2,-1 2,-1 2,0 -2,0". Somebody on the
line between two of them is in one of both. Without an area everybody is counted.

A line is a name and two places, such as --line "gate: -2,0 2,0". Crossings are counted by ids, to the
left and to the right of somebody who looks from the first place to the second. Who turns round within
--margin metres of a line has not crossed it.

Run it where GStreamer and Python find rdpsegment: installed, or with
  meson devenv -C build /usr/bin/python3 ../examples/python/count_people.py
Needs PyGObject and numpy (Debian: python3-gi python3-numpy).
"""

import argparse
import sys

NEEDS = "Debian: python3-gi python3-numpy; the module rdpsegment: meson devenv -C build"
CROWD = ("depthtestsrc pattern=crowd view=left num-buffers=10 view-index={} ! "
         "video/x-raw,width=390,height=310,framerate=10/1")  # fmt: skip


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


class Line:
    """A line, and who has crossed it."""

    def __init__(self, name, ends, margin):
        self.name, self.ends, self.margin = name, ends, margin
        self.left = self.right = 0
        self.known = {}  # the side and the place of each id that was last seen beyond the margin

    def look(self, tracks, places, lost):
        """Counts the crossings of a frame. False heads are rarely seen three times."""
        import numpy as np

        (ax, ay), (bx, by) = self.ends
        length = np.hypot(bx - ax, by - ay)
        x, y = places[:, 0] - ax, places[:, 1] - ay
        along = (x * (bx - ax) + y * (by - ay)) / length
        away = ((bx - ax) * y - (by - ay) * x) / length  # above 0 on the left
        rows = zip(tracks["id"].tolist(), tracks["age"].tolist(), along.tolist(), away.tolist())
        for id, age, along_now, away_now in rows:
            if age < 2 or abs(away_now) < self.margin:
                continue
            along_then, away_then = self.known.get(id, (along_now, away_now))
            self.known[id] = along_now, away_now
            if (away_then > 0) == (away_now > 0):
                continue
            # The place where the way meets the line: beyond its ends it was not crossed.
            crossed = along_then + (along_now - along_then) * away_then / (away_then - away_now)
            if 0 <= crossed <= length:
                self.left += away_now > 0
                self.right += away_now < 0
        for id in lost.tolist():
            self.known.pop(id, None)


def named_places(text, least, most, words):
    """A name and so many places."""
    name, separator, corners = text.partition(":")
    try:
        places = [tuple(float(number) for number in corner.split(",")) for corner in corners.split()]
    except ValueError:
        places = []
    if not separator or not least <= len(places) <= most or any(len(place) != 2 for place in places):
        raise argparse.ArgumentTypeError(f"{words} in metres, not {text!r}")
    return name.strip(), places


def area(text):
    """A name and its polygon."""
    return named_places(text, 3, len(text), '"name: x,y x,y x,y", three corners or more')


def line(text):
    """A name and the ends of a line."""
    name, (start, end) = named_places(text, 2, 2, '"name: x,y x,y", two places')
    if start == end:
        raise argparse.ArgumentTypeError(f"two places that differ, not {text!r}")
    return name, (start, end)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--area", type=area, action="append", default=[], help='"name: x,y x,y x,y", any number of times')
    add("--line", type=line, action="append", default=[], help='"name: x,y x,y", any number of times')
    add("--margin", type=float, default=0.1, help="metres beyond a line at which it is crossed (0.1)")
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
        sys.exit(f"Something is missing: {error} ({sys.executable})\n{NEEDS}")
    lines = [Line(name, ends, options.margin) for name, ends in options.line]
    tracks = "track-heads=true" if lines else ""
    views = " ".join(f"{view} ! heights.sink_{i}" for i, view in enumerate(options.views))
    try:
        for sample in rdpsegment.run(f"heightmap name=heights {tracks} {options.properties} ! appsink {views}"):
            found = rdpsegment.heights(sample)
            text = ", ".join(
                f"{name} {inside(corners, found.places).sum()}" for name, corners in options.area
            )
            for each in lines:
                each.look(found.head_tracks, found.places, found.lost_heads)
                text += f"{', ' if text else ''}{each.name} {each.left} left {each.right} right"
            print(f"frame {found.info.frame}: {len(found.heads)} people{': ' if text else ''}{text}", flush=True)
    except GLib.Error as error:
        sys.exit(error.message)
    except rdpsegment.Error as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
