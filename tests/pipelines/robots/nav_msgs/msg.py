# SPDX-License-Identifier: LGPL-2.1-or-later
"""Stands in for nav_msgs.msg of ROS 2."""

from ros_messages import Header, MapMetaData, message

OccupancyGrid = message("OccupancyGrid", header=Header, info=MapMetaData, data="i1[]")
