# SPDX-License-Identifier: LGPL-2.1-or-later
"""Stands in for pyrealsense2, with what examples/python/realsense.py uses of it, and no more.

Names, arguments, types and units are those of librealsense 2.56 (wrappers/python/pyrs_*.cpp): what is not in
it is not here either. RDP_DEPTH_UNIT in the environment is the depth unit in metres; 0: no camera. It is unplugged
after scene.FRAMES frames.
"""

import enum
import os

import scene

WIDTH, HEIGHT, FPS = 161, 120, 30  # an odd width: rows have to be filled up
FX, FY, PPX, PPY = 120.5, 119.5, 79.25, 52.5


class stream(enum.Enum):
    any, depth, color, infrared = range(4)


class format(enum.Enum):
    any, z16, disparity16, xyz32f = range(4)


class distortion(enum.Enum):
    none, modified_brown_conrady, inverse_brown_conrady, ftheta, brown_conrady = range(5)


def _unit():
    return float(os.environ.get("RDP_DEPTH_UNIT", "0.001"))


class intrinsics:
    def __init__(self):
        self.width, self.height = WIDTH, HEIGHT
        self.fx, self.fy, self.ppx, self.ppy = FX, FY, PPX, PPY
        self.model, self.coeffs = distortion.brown_conrady, [0.0] * 5


class BufData:
    """Has the buffer protocol alone; numpy knows this one."""

    def __init__(self, samples):
        self.__array_interface__ = samples.__array_interface__
        self._samples = samples


class depth_frame:
    def __init__(self, number):
        self._number = number

    def __bool__(self):
        return self._number >= 0

    def get_data(self):
        return BufData(scene.depth(self._number, WIDTH, HEIGHT, FX, FY, PPX, PPY, _unit()))

    def get_timestamp(self):
        return 1.7e12 + 1000 * self._number / FPS  # ms

    def get_units(self):
        return _unit()

    def get_width(self):
        return WIDTH

    def get_height(self):
        return HEIGHT


class composite_frame:
    def __init__(self, number):
        self._number = number

    def get_depth_frame(self):
        return depth_frame(self._number)


class video_stream_profile:
    def get_intrinsics(self):
        return intrinsics()

    @property
    def intrinsics(self):
        return intrinsics()

    def fps(self):
        return FPS

    def width(self):
        return WIDTH

    def height(self):
        return HEIGHT


class stream_profile:
    def as_video_stream_profile(self):
        return video_stream_profile()

    def fps(self):
        return FPS


class depth_sensor:
    def get_depth_scale(self):
        return _unit()


class device:
    def first_depth_sensor(self):
        return depth_sensor()


class pipeline_profile:
    def get_device(self):
        return device()

    def get_stream(self, stream_type, stream_index=-1):
        scene.check((stream_type, stream_index), stream, int)
        if stream_type != stream.depth:
            raise RuntimeError("Profile does not contain the requested stream")
        return stream_profile()


class config:
    def enable_stream(self, *arguments):
        """The overloads differ in their numbers of arguments."""
        kinds = {1: (stream,), 2: (stream, int), 3: (stream, format, int), 4: (stream, int, format, int),
                 5: (stream, int, int, format, int), 6: (stream, int, int, int, format, int)}  # fmt: skip
        scene.check(arguments, *kinds.get(len(arguments), ()))
        self._stream = arguments[0]


class pipeline:
    def __init__(self):
        self._number = None

    def start(self, wanted):
        scene.check((wanted,), config)
        if self._number is not None:
            raise RuntimeError("start() cannot be called before stop()")
        if not _unit():
            raise RuntimeError("No device connected")
        self._number = -2  # the first set has no depth
        return pipeline_profile()

    def wait_for_frames(self, timeout_ms=5000):
        scene.check((timeout_ms,), int)
        if self._number is None:
            raise RuntimeError("wait_for_frames cannot be called before start()")
        self._number += 1
        if self._number == scene.FRAMES:
            raise RuntimeError(f"Frame didn't arrive within {timeout_ms}")
        return composite_frame(self._number)

    def stop(self):
        if self._number is None:
            raise RuntimeError("stop() cannot be called before start()")
        self._number = None
        print("stopped")
