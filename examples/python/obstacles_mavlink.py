#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Sends depthobstacles to an autopilot: MAVLink's OBSTACLE_DISTANCE with 72 bearings, clockwise, in cm.

Run it where GStreamer and Python find rdpsegment: installed, or with
  meson devenv -C build /usr/bin/python3 ../examples/python/obstacles_mavlink.py
Needs PyGObject, numpy (Debian: python3-gi python3-numpy) and pymavlink (pip install pymavlink).
"""

import argparse
import math
import sys
import time

NEEDS = "pip install pymavlink; Debian: python3-gi python3-numpy; the module rdpsegment: meson devenv -C build"
BEARINGS, UNKNOWN = 72, 65535


def distances_of(obstacles):
    """Each bearing in cm from the left; one more than the range is free, 65535 unknown."""
    most = round(100 * obstacles.info.range_max)
    return [
        UNKNOWN if math.isnan(metres) else min(round(100 * metres), most) if math.isfinite(metres) else most + 1
        for metres in obstacles.ranges[::-1].tolist()
    ] + [UNKNOWN] * (BEARINGS - len(obstacles.ranges))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--link", default="udpout:127.0.0.1:14550", help="pymavlink's connection (%(default)s)")
    add("source", nargs="?",
        default="depthtestsrc pattern=room num-buffers=10 ! depthplanes ! depthobstacles scan-bins=72",
        help="a launch line that ends in depthobstacles scan-bins=72 (%(default)s)")  # fmt: skip
    options = parser.parse_args()
    try:
        import gi  # noqa: F401
        import numpy  # noqa: F401
        import rdpsegment
        from gi.repository import GLib
        from pymavlink import mavutil
    except (ImportError, ValueError) as error:
        sys.exit(f"Something is missing: {error} ({sys.executable})\n{NEEDS}")
    mavlink = mavutil.mavlink
    link = mavutil.mavlink_connection(
        options.link, source_component=mavlink.MAV_COMP_ID_OBSTACLE_AVOIDANCE
    )
    try:
        for sample in rdpsegment.run(f"{options.source} ! appsink max-buffers=1 drop=true"):
            found = rdpsegment.obstacles(sample)
            if found is None:
                continue
            if len(found.ranges) > BEARINGS:
                sys.exit(f"{len(found.ranges)} bearings are too many for MAVLink: set scan-bins={BEARINGS}")
            step = math.degrees(found.info.angle_increment)
            link.mav.obstacle_distance_send(
                int(1e6 * time.time()), mavlink.MAV_DISTANCE_SENSOR_UNKNOWN, distances_of(found), max(round(step), 1), 0,
                round(100 * found.info.range_max), step, -math.degrees(found.angles[-1]), mavlink.MAV_FRAME_BODY_FRD,
            )  # fmt: skip
    except (GLib.Error, rdpsegment.Error) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
