# SPDX-License-Identifier: LGPL-2.1-or-later
"""Stands in for pymavlink.mavutil: OBSTACLE_DISTANCE as common.xml has it. A message is printed."""

import json
import math
import struct
import types

mavlink = types.SimpleNamespace(
    MAV_COMP_ID_OBSTACLE_AVOIDANCE=196, MAV_DISTANCE_SENSOR_UNKNOWN=4, MAV_FRAME_BODY_FRD=12
)


class _Mav:
    def obstacle_distance_send(self, time_usec, sensor_type, distances, increment, min_distance, max_distance,
                               increment_f=0, angle_offset=0, frame=0):  # fmt: skip
        struct.pack("<QHH72HBBffB", time_usec, min_distance, max_distance, *distances, increment, sensor_type,
                    increment_f, angle_offset, frame)  # fmt: skip
        assert math.isfinite(increment_f) and math.isfinite(angle_offset)
        print(json.dumps({"distances": distances, "increment": increment, "most": max_distance, "step": increment_f,
                          "offset": angle_offset, "frame": frame}))  # fmt: skip


def mavlink_connection(device, source_system=255, source_component=0):
    assert device.split(":")[0] in ("udpout", "tcp", "/dev/ttyACM0") and source_component == 196
    return types.SimpleNamespace(mav=_Mav())
