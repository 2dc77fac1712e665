# SPDX-License-Identifier: LGPL-2.1-or-later
"""Stands in for sensor_msgs.msg of ROS 2."""

from ros_messages import Header, message

LaserScan = message("LaserScan", header=Header, angle_min="f4", angle_max="f4", angle_increment="f4", time_increment="f4",
                    scan_time="f4", range_min="f4", range_max="f4", ranges="f4[]", intensities="f4[]")  # fmt: skip
