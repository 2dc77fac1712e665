# SPDX-License-Identifier: LGPL-2.1-or-later
"""The planes of one frame or cloud: on buffers, in bytes, and in lines of JSON."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _errors, _fields
from ._fields import FINITE, MAX_SIDE, NOT_NEGATIVE, fields_of, row
from ._json import exact_floats, number, short, size_keys, unexpected, value_of, whole
from ._kind import Array, KindDescription, Result, compares_nan, first_wrong, floats, no_length, read_only

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_MAX_PLANES = 255


@dataclass(frozen=True)
class PlanesInfo:
    """The frame or cloud of planes, and the parameters: GstRdpPlanesInfo. Lengths are metres.

    Lines of JSON do not say everything: what they leave out is None.
    """

    frame: int = field(metadata=row("Q", 8))
    """The number of frames or clouds that the element had worked on before this one."""
    width: int = field(metadata=row("I", 16))
    """The width of the frame, or of an organised cloud; else 0."""
    height: int = field(metadata=row("I", 20))
    n_points: int = field(metadata=row("Q", 24))
    """The number of pixels or points, and of labels."""
    cloud: bool = field(metadata=row("I", 32, bit=1))
    calibrated: bool = field(metadata=row("I", 32, bit=2))
    """True if a camera was known; if not, angles and lengths follow from a guess."""
    ground: int = field(metadata=row("i", 36))
    """Index of the plane that is the ground, or -1."""
    focal_length: float | None = field(metadata=row("d", 40, NOT_NEGATIVE))
    focal_length_y: float | None = field(metadata=row("d", 48, NOT_NEGATIVE))
    principal_x: float | None = field(metadata=row("d", 56, FINITE))
    principal_y: float | None = field(metadata=row("d", 64, FINITE))
    noise: float = field(metadata=row("d", 72, NOT_NEGATIVE))
    """The depth noise at 1 m, in 1/m; 0 in clouds."""
    tolerance: float | None = field(metadata=row("d", 80, NOT_NEGATIVE))
    min_inliers: int | None = field(metadata=row("Q", 88))
    camera_height: float = field(metadata=row("d", 96, FINITE))
    """Above the ground; 0 without ground."""
    pitch: float = field(metadata=row("d", 104, FINITE))
    """In rad: the camera looks down where it is above 0."""
    roll: float = field(metadata=row("d", 112, FINITE))
    """In rad: the right side of the picture is lower where it is above 0."""


FIELDS = fields_of(PlanesInfo)
PLANES = Array("planes", [
    ("normal", "<f4", 3), ("distance", "<f4"), ("centroid", "<f4", 3), *floats("rms", "area"),
    ("inliers", "<u4"), ("votes", "<u4"), ("box", "<u2", 4), ("first_corner", "<u4"),
    ("n_corners", "<u4"), ("reserved", "<u4"),
])  # fmt: skip
"""A plane as GstRdpPlane lies in memory: 64 bytes."""
CORNERS = Array("corners", [("column", "<i4"), ("row", "<i4"), ("point", "<f4", 3)])
"""A corner as GstRdpPlaneCorner lies in memory: 20 bytes."""
LABELS = Array("labels", "u1", late=True)


class Planes(Result):
    """The planes of one frame or cloud, those with most inliers first. Its arrays are read-only."""

    info: PlanesInfo
    """The frame or cloud they were found in, and the parameters."""
    planes: npt.NDArray[Any]
    """A structured array of the dtype `rdpsegment.PLANE`."""
    corners: npt.NDArray[Any]
    """The corners of all hulls: a structured array of the dtype `rdpsegment.CORNER`."""

    def __init__(
        self,
        info: PlanesInfo,
        planes: npt.NDArray[Any],
        corners: npt.NDArray[Any],
        labels: npt.NDArray[np.uint8] | None = None,
        *,
        library: Any = None,
        **common: Any,
    ) -> None:
        super().__init__(**common)
        self.info = info
        self.planes = planes
        self.corners = corners
        self._labels = None if labels is None else self._shaped(labels)
        self._library = library

    def __repr__(self) -> str:
        info = self.info
        of = f"{info.width}x{info.height}" if info.width else f"{info.n_points} points"
        return f"<rdpsegment.Planes {info.frame}: {of}, {len(self.planes)} planes>"

    def __len__(self) -> int:
        return len(self.planes)

    def _shaped(self, labels: Any) -> Any:
        return labels.reshape(self.info.height, self.info.width) if self.info.width else labels

    def hull(self, plane: int) -> npt.NDArray[Any]:
        """The corners of a plane: a view, not a copy."""
        if not 0 <= plane < len(self.planes):
            raise IndexError(f"plane {plane}: expected 0 to {len(self.planes) - 1}")
        first = int(self.planes[plane]["first_corner"])
        return self.corners[first : first + int(self.planes[plane]["n_corners"])]

    @property
    def labels(self) -> npt.NDArray[np.uint8]:
        """The plane of each pixel or point: 0 for none, else 1 + the plane's index.

        Of the shape (height, width) in frames and organised clouds, else one for each point. Labels
        that are on a GPU are fetched when they are first read; raises LabelsLost where that fails.
        Lines of JSON have none: raises Error.
        """
        if self._labels is None and self._library is None:
            raise _errors.Error(
                "a line of JSON has no labels: read the binary form, or planes (buffer)"
            )
        if self._labels is None:
            with _errors.library_errors(_errors.LabelsLost):
                self._library.fetch_labels()
            data = self._library.get_labels().get_data() or b""
            self._labels = self._shaped(_errors.numpy().frombuffer(data, "u1"))
        return self._labels

    @property
    def ground(self) -> int | None:
        """The index of the plane that is the ground, or None."""
        return None if self.info.ground < 0 else self.info.ground

    def to_ply(self) -> bytes:
        """The hulls as a PLY file: see gst_rdp_planes_to_ply()."""
        data = self._object().to_ply()
        if data is None:
            raise MemoryError("no memory for the hulls as PLY")
        result: bytes = data.get_data()
        return result

    def to_bytes(self) -> bytes:
        """The binary form, the same bytes as gst_rdp_planes_to_bytes() writes."""
        labels = self.labels  # first: a line of JSON has neither them nor the whole info
        counts = (len(self.planes), len(self.corners))
        return KIND.to_bytes(vars(self.info), counts, self.planes, self.corners, labels)

    def _object(self) -> Any:
        """The library's own object."""
        if self._library is None:
            self._library = KIND.new_from_bytes(self.to_bytes())
        return self._library


def _info_error(info: PlanesInfo, n_planes: int) -> str:
    """The fault of the info by the library's rules."""
    most = MAX_SIDE
    if not info.cloud and not (1 <= info.width <= most and 1 <= info.height <= most):
        return f"the frame's size: expected 1 to {most}, got {info.width}x{info.height}"
    if not info.cloud or info.width or info.height:
        if info.n_points != info.width * info.height:
            return f"n_points: expected {info.width * info.height}, got {info.n_points}"
    if wrong := _fields.error(FIELDS, info):
        return wrong
    if n_planes > _MAX_PLANES:
        return f"planes: expected at most {_MAX_PLANES}, got {n_planes}"
    if not -1 <= info.ground < n_planes:
        return f"ground: expected -1 to {n_planes - 1}, got {info.ground}"
    return ""


@compares_nan
def _error(info: PlanesInfo, planes: Any, corners: Any, labels: Any) -> str:
    """The fault by the library's rules; empty: none."""
    if wrong := _info_error(info, len(planes)):
        return wrong
    np = _errors.numpy()
    length = (planes["normal"].astype("f8") ** 2).sum(axis=1)
    bad_lengths = [no_length(planes[name]) for name in ("distance", "rms", "area")]
    box = planes["box"].astype("i8")
    first, count = planes["first_corner"].astype("i8"), planes["n_corners"].astype("i8")
    size = (info.width, info.height)
    if wrong := first_wrong("plane", planes, (
        (~(np.abs(length - 1) < 1e-4), "a normal of length 1"),
        (np.logical_or.reduce(bad_lengths), "distance, rms and area of 0 or more"),
        (~np.isfinite(planes["centroid"]).all(axis=1), "a finite centroid"),
        (planes["inliers"] > info.n_points, f"at most {info.n_points} inliers"),
        ((box[:, :2] + box[:, 2:] > size).any(axis=1), "a box in the frame"),
        (first + count > len(corners), f"corners up to {len(corners)}"),
        (planes["reserved"] != 0, "0 as the last word"),
    )):  # fmt: skip
        return wrong
    with_hull = count > 0
    if (first[with_hull][1:] < (first + count)[with_hull][:-1]).any():
        return "expected the corners of each plane after those of the planes before"
    pixel = np.stack([corners["column"], corners["row"]], axis=1)
    good = pixel == -1 if info.cloud else (pixel >= 0) & (pixel < size)
    bad = ~(good.all(axis=1) & np.isfinite(corners["point"]).all(axis=1))
    expected = "-1, -1" if info.cloud else "a pixel of the frame"
    if wrong := first_wrong("corner", corners, [(bad, f"{expected} and a finite point")]):
        return wrong
    if len(labels) and labels.max() > len(planes):
        return f"labels: expected 0 to {len(planes)}, got {labels.max()}"
    return ""


_SHAPES = {"normal": 3, "distance": 0, "centroid": 3, "rms": 0, "inliers": 0, "area": 0}
_MOST = 2**32 - 1


def _info_of(line: dict[str, Any]) -> PlanesInfo:
    keys = size_keys(line, "planes")
    width, height = (whole(line, key) if key in line else 0 for key in keys)
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
        raise unexpected(key, f"{length} numbers", values)
    return [number({key: value}, key) for value in values]


def _whole_list(values: Any, key: str, length: int, most: int) -> list[int]:
    numbers = _list(values, key, length)
    if not all(type(v) is int and 0 <= v <= most for v in values):
        raise unexpected(key, f"whole numbers of 0 to {most}", values)
    return [int(v) for v in numbers]


def _of_line(line: dict[str, Any], common: dict[str, Any]) -> Planes:
    """The planes in a line that has some. Their labels are not there."""
    np = _errors.numpy()
    info = _info_of(line)
    entries = value_of(line, "planes", (list,), "a list of planes")
    planes = np.zeros(len(entries), PLANES.dtype)
    pixels: list[Any] = []
    points: list[Any] = []
    for i, entry in enumerate(entries):
        if not isinstance(entry, dict):
            raise unexpected("planes", "an object", entry, f", {i}")
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
            raise unexpected("points", f"one for each of {len(hull)} corners", as_points)
        points += [_list(point, "hull" if info.cloud else "points", 3) for point in as_points]
        pixels += [[-1, -1] if info.cloud else _whole_list(c, "hull", 2, 65535) for c in hull]
    corners = np.zeros(len(points), CORNERS.dtype)
    if points:
        corners["column"], corners["row"] = np.array(pixels).T
        corners["point"] = exact_floats(np.array(points, "f8").reshape(-1)).reshape(-1, 3)
    KIND.check(info, planes, corners, np.empty(0, "u1"))
    if not info.cloud and not all("points" in entry for entry in entries):
        corners["point"] = math.nan  # pixels alone
    return Planes(info, *read_only(planes, corners), **common)


KIND = KindDescription(
    "planes", b"RDPP", "planes", PlanesInfo, Planes,
    sizes=(128,), counts=struct.Struct("<II"), counts_at=120,
    arrays=(PLANES, CORNERS, LABELS), fields=FIELDS, error=_error, of_line=_of_line,
    lengths=lambda info, counts: (*counts, info.n_points),
    extra_on=lambda library, buffer, meta, found: {"library": found},
)  # fmt: skip
planes, planes_from_bytes = KIND.on, KIND.from_bytes
