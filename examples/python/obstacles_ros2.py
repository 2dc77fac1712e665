#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Publishes depthobstacles as ROS 2 messages: LaserScan on scan, OccupancyGrid on local_costmap.

Both are in the frame base_footprint: x forward, y left, z up, from the ground below the camera.

Run it in a ROS 2 environment where GStreamer and Python find rdpsegment: installed, or with
  meson devenv -C build /usr/bin/python3 ../examples/python/obstacles_ros2.py
Needs PyGObject, numpy (Debian: python3-gi python3-numpy), and ROS 2's rclpy, sensor_msgs and nav_msgs.
"""

import argparse
import sys

NEEDS = "ROS 2: source /opt/ros/…/setup.sh; Debian: python3-gi python3-numpy; the module rdpsegment: meson devenv -C build"
FRAME = "base_footprint"


def scan_of(obstacles, stamp, LaserScan):
    """The bearings from the right: infinity is free, NaN is unknown, as in REP 117."""
    scan = LaserScan()
    scan.header.stamp, scan.header.frame_id = stamp, FRAME
    angles = obstacles.angles
    scan.angle_min, scan.angle_max = float(angles[0]), float(angles[-1])
    scan.angle_increment, scan.range_max = obstacles.info.angle_increment, obstacles.info.range_max
    scan.ranges = obstacles.ranges.tolist()
    return scan


def grid_of(obstacles, stamp, OccupancyGrid):
    """The cells in rows along x: -1 is unknown, 0 free, 100 occupied or a drop."""
    grid = OccupancyGrid()
    grid.header.stamp, grid.header.frame_id = stamp, FRAME
    grid.info.map_load_time, grid.info.resolution = stamp, obstacles.info.cell_size
    grid.info.height, grid.info.width = obstacles.states.shape
    grid.info.origin.position.x, grid.info.origin.position.y = obstacles.info.grid_x, obstacles.info.grid_y
    grid.info.origin.orientation.w = 1.0
    grid.data = obstacles.occupancy.ravel().tolist()
    return grid


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "source", nargs="?",
        default="depthtestsrc pattern=room num-buffers=10 ! depthplanes ! depthobstacles",
        help="a launch line that ends in depthobstacles (%(default)s)")  # fmt: skip
    options = parser.parse_args()
    try:
        import gi  # noqa: F401
        import numpy  # noqa: F401
        import rclpy
        import rdpsegment
        from gi.repository import GLib
        from nav_msgs.msg import OccupancyGrid
        from sensor_msgs.msg import LaserScan
    except (ImportError, ValueError) as error:
        sys.exit(f"Something is missing: {error} ({sys.executable})\n{NEEDS}")
    rclpy.init()
    node = rclpy.create_node("depthobstacles")
    scans = node.create_publisher(LaserScan, "scan", 10)
    grids = node.create_publisher(OccupancyGrid, "local_costmap", 10)
    try:
        for sample in rdpsegment.run(f"{options.source} ! appsink max-buffers=1 drop=true"):
            found = rdpsegment.obstacles(sample)
            if found is None or not rclpy.ok():
                continue
            stamp = node.get_clock().now().to_msg()
            scans.publish(scan_of(found, stamp, LaserScan))
            grids.publish(grid_of(found, stamp, OccupancyGrid))
    except (GLib.Error, rdpsegment.Error) as error:
        sys.exit(str(error))
    finally:
        node.destroy_node()
        rclpy.try_shutdown()


if __name__ == "__main__":
    main()
