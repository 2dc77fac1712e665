# SPDX-License-Identifier: LGPL-2.1-or-later
"""Planes in lines of JSON, as the element rdpmetaconvert writes them."""

from __future__ import annotations

import math
from typing import Any

from . import _errors
from ._json import exact_floats, number, short, value_of, whole
from ._planes import Planes, PlanesInfo, corner_dtype, plane_dtype, planes_error

_SHAPES = {"normal": 3, "distance": 0, "centroid": 3, "rms": 0, "inliers": 0, "area": 0}
_MOST = 2**32 - 1


def _info_of(line: dict[str, Any]) -> PlanesInfo:
    size = ("planes-width", "planes-height") if "planes-width" in line else ("width", "height")
    width, height = (whole(line, key) if key in line else 0 for key in size)
    cloud = "cloud" in line
    calibrated = line.get("calibrated")
    if not isinstance(calibrated, bool) or line.get("cloud", True) is not True:
        raise _errors.FormatError(
            f'"calibrated" and "cloud": expected true or false, and true or nothing, got '
            f'{short(calibrated)} and {short(line.get("cloud"))}'
        )
    ground = value_of(line, "ground", (int,), "a whole number")
    with_ground = {
        key.replace("-", "_"): number(line, key) if ground >= 0 else 0.0
        for key in ("camera-height", "pitch", "roll")
    }
    return PlanesInfo(
        frame=whole(line, "frame"), width=width, height=height, cloud=cloud, calibrated=calibrated,
        n_points=whole(line, "n-points") if cloud else width * height, ground=ground,
        noise=number(line, "noise") if "noise" in line else 0.0, **with_ground,
        focal_length=None, focal_length_y=None, principal_x=None, principal_y=None,
        tolerance=None, min_inliers=None,
    )  # fmt: skip


def _numbers(plane: dict[str, Any], key: str, length: int) -> list[float]:
    """A number, or a list of so many."""
    if length == 0:
        return [number(plane, key)]
    return _list(value_of(plane, key, (list,), f"{length} numbers"), key, length)


def _list(values: Any, key: str, length: int) -> list[float]:
    good = isinstance(values, list) and len(values) == length
    if not good or not all(type(v) in (int, float) for v in values):
        raise _errors.FormatError(f'"{key}": expected {length} numbers, got {short(values)}')
    return [number({key: value}, key) for value in values]


def _whole_list(values: Any, key: str, length: int, most: int) -> list[int]:
    numbers = _list(values, key, length)
    if not all(type(v) is int and 0 <= v <= most for v in values):
        raise _errors.FormatError(
            f'"{key}": expected whole numbers of 0 to {most}, got {short(values)}'
        )
    return [int(v) for v in numbers]


def planes_of(line: dict[str, Any], common: dict[str, Any]) -> Planes:
    """The planes in a line that has some. Their labels are not there."""
    np = _errors.numpy()
    info = _info_of(line)
    entries = value_of(line, "planes", (list,), "a list of planes")
    planes = np.zeros(len(entries), plane_dtype())
    pixels: list[Any] = []
    points: list[Any] = []
    for i, entry in enumerate(entries):
        if not isinstance(entry, dict):
            raise _errors.FormatError(f'"planes", {i}: expected an object, got {short(entry)}')
        for key, length in _SHAPES.items():
            found = _numbers(entry, key, length)
            if key == "inliers":
                planes[key][i] = _whole_list([entry[key]], key, 1, _MOST)[0]
            else:
                floats = exact_floats(np.array(found, "f8"))
                planes[key][i] = floats if length else floats[0]
        if info.width:
            planes["box"][i] = _whole_list(entry.get("box"), "box", 4, 65535)
        hull = value_of(entry, "hull", (list,), "a list of corners")
        planes["first_corner"][i], planes["n_corners"][i] = len(points), len(hull)
        as_points = hull if info.cloud else entry.get("points", [[0, 0, 0]] * len(hull))
        if not isinstance(as_points, list) or len(as_points) != len(hull):
            raise _errors.FormatError(
                f'"points": expected one for each of {len(hull)} corners, got {short(as_points)}'
            )
        points += [_list(point, "hull" if info.cloud else "points", 3) for point in as_points]
        pixels += [[-1, -1] if info.cloud else _whole_list(c, "hull", 2, 65535) for c in hull]
    corners = np.zeros(len(points), corner_dtype())
    if points:
        corners["column"], corners["row"] = np.array(pixels).T
        corners["point"] = exact_floats(np.array(points, "f8").reshape(-1)).reshape(-1, 3)
    if wrong := planes_error(info, planes, corners, np.empty(0, "u1")):
        raise _errors.FormatError(wrong)
    if not info.cloud and not all("points" in entry for entry in entries):
        corners["point"] = math.nan  # pixels alone
    for array in (planes, corners):
        array.flags.writeable = False
    return Planes(info, planes, corners, **common)
