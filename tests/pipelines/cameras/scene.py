# SPDX-License-Identifier: LGPL-2.1-or-later
"""The scene of the stand-ins for cameras: a level floor, a wall, and a box that comes nearer."""

import numpy as np

CAMERA_HEIGHT, WALL = 0.9, 5.5  # metres
BOX_WIDTH, BOX_HEIGHT = 0.8, 0.7
FRAMES = 6


def box_at(number):
    """How far the box is in a frame, in metres."""
    return 2.0 - 0.1 * number


def depth(number, width, height, fx, fy, cx, cy, unit):
    """Samples of a frame: Z in steps of so many metres, 0 where it is unknown."""
    column, row = np.meshgrid(np.arange(width), np.arange(height))
    x, y = (column - cx) / fx, (row - cy) / fy
    z = np.minimum(WALL, CAMERA_HEIGHT / np.maximum(y, 1e-9))
    box = box_at(number)
    in_box = (abs(x * box) <= BOX_WIDTH / 2) & (y * box >= CAMERA_HEIGHT - BOX_HEIGHT) & (z > box)
    steps = np.round(np.where(in_box, box, z) / unit)
    steps[: height // 8, : width // 8] = 0  # a corner that the camera does not know
    return steps.astype(np.uint16)


def check(arguments, *kinds):
    """As pybind11 has it: other types of arguments, and other numbers of them, are a TypeError."""
    if len(arguments) != len(kinds) or not all(map(isinstance, arguments, kinds)):
        raise TypeError(f"incompatible function arguments: got {arguments}, expected {kinds}")
