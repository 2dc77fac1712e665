# SPDX-License-Identifier: LGPL-2.1-or-later
"""The planes of one frame or cloud: on buffers, and in their binary form."""

from __future__ import annotations

import functools
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _errors, _fields, _library
from ._fields import FINITE, NOT_NEGATIVE, Field
from ._form import Form
from ._frame import MAX_SIDE
from ._result import Result, found_on

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_MAX_PLANES = 255
# The library's, row by row.
FIELDS = (
    Field("frame", "Q", 8),
    Field("width", "I", 16),
    Field("height", "I", 20),
    Field("n_points", "Q", 24),
    Field("cloud", "I", 32, bit=1),
    Field("calibrated", "I", 32, bit=2),
    Field("ground", "i", 36),
    Field("focal_length", "d", 40, NOT_NEGATIVE),
    Field("focal_length_y", "d", 48, NOT_NEGATIVE),
    Field("principal_x", "d", 56, FINITE),
    Field("principal_y", "d", 64, FINITE),
    Field("noise", "d", 72, NOT_NEGATIVE),
    Field("tolerance", "d", 80, NOT_NEGATIVE),
    Field("min_inliers", "Q", 88),
    Field("camera_height", "d", 96, FINITE),
    Field("pitch", "d", 104, FINITE),
    Field("roll", "d", 112, FINITE),
)


@dataclass(frozen=True)
class PlanesInfo:
    """The frame or cloud of planes, and the parameters: GstRdpPlanesInfo. Lengths are metres.

    Lines of JSON do not say everything: what they leave out is None.
    """

    frame: int
    """The number of frames or clouds that the element had worked on before this one."""
    width: int
    """The width of the frame, or of an organised cloud; else 0."""
    height: int
    n_points: int
    """The number of pixels or points, and of labels."""
    cloud: bool
    calibrated: bool
    """True if a camera was known; if not, angles and lengths follow from a guess."""
    ground: int
    """Index of the plane that is the ground, or -1."""
    focal_length: float | None
    focal_length_y: float | None
    principal_x: float | None
    principal_y: float | None
    noise: float
    """The depth noise at 1 m, in 1/m; 0 in clouds."""
    tolerance: float | None
    min_inliers: int | None
    camera_height: float
    """Above the ground; 0 without ground."""
    pitch: float
    """In rad: the camera looks down where it is above 0."""
    roll: float
    """In rad: the right side of the picture is lower where it is above 0."""


@functools.lru_cache(maxsize=None)
def plane_dtype() -> np.dtype[Any]:
    """A plane as GstRdpPlane lies in memory: 64 bytes."""
    return _errors.numpy().dtype([
        ("normal", "<f4", 3),
        ("distance", "<f4"),
        ("centroid", "<f4", 3),
        ("rms", "<f4"),
        ("area", "<f4"),
        ("inliers", "<u4"),
        ("votes", "<u4"),
        ("box", "<u2", 4),
        ("first_corner", "<u4"),
        ("n_corners", "<u4"),
        ("reserved", "<u4"),
    ])


@functools.lru_cache(maxsize=None)
def corner_dtype() -> np.dtype[Any]:
    """A corner as GstRdpPlaneCorner lies in memory: 20 bytes."""
    return _errors.numpy().dtype([("column", "<i4"), ("row", "<i4"), ("point", "<f4", 3)])


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
            try:
                self._library.fetch_labels()
            except _library.library_error() as error:
                raise _errors.LabelsLost(error.message) from error
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
        header = FORM.header(1, vars(self.info), len(self.planes), len(self.corners))
        return header + self.planes.tobytes() + self.corners.tobytes() + labels.tobytes()

    def _object(self) -> Any:
        """The library's own object."""
        if self._library is None:
            library = _errors.gir()
            from gi.repository import GLib

            self._library = library.Planes.new_from_bytes(GLib.Bytes.new(self.to_bytes()))
        return self._library


def planes(buffer: Any, batch_index: int | None = None) -> Planes | None:
    """The planes on a Gst.Buffer (or in a Gst.Sample), or None where it has none.

    Of a batch of frames, `batch_index` says which one; the first by default.
    """
    found, common = found_on(buffer, "planes", batch_index)
    if found is None:
        return None
    np = _errors.numpy()
    return Planes(
        _info_of(found.get_info()),
        np.frombuffer(found.get_planes().get_data() or b"", plane_dtype()),
        np.frombuffer(found.get_corners().get_data() or b"", corner_dtype()),
        library=found,
        **common,
    )


def _info_of(info: Any) -> PlanesInfo:
    return PlanesInfo(**{field.name: field.value(getattr(info, field.name)) for field in FIELDS})


def planes_from_bytes(data: bytes) -> Planes:
    """The planes in what gst_rdp_planes_to_bytes() has written; needs no GStreamer.

    The arrays are the memory of `data`, not copies. Raises FormatError where the bytes are anything
    else, whatever they are.
    """
    found: Planes = FORM.from_bytes(data)
    return found


def _size(info: PlanesInfo, counts: tuple[int, int]) -> int:
    """The size of the arrays in bytes."""
    return plane_dtype().itemsize * counts[0] + corner_dtype().itemsize * counts[1] + info.n_points


def _planes_of(info: PlanesInfo, counts: tuple[int, int], data: bytes, start: int) -> Planes:
    np = _errors.numpy()
    n_planes, n_corners = counts
    all_planes = np.frombuffer(data, plane_dtype(), n_planes, start)
    corners = np.frombuffer(data, corner_dtype(), n_corners, start + all_planes.nbytes)
    labels = np.frombuffer(data, "u1", info.n_points, start + all_planes.nbytes + corners.nbytes)
    for array in (all_planes, corners, labels):
        array.flags.writeable = False
    if wrong := planes_error(info, all_planes, corners, labels):
        raise _errors.FormatError(wrong)
    return Planes(info, all_planes, corners, labels)


FORM = Form(
    b"RDPP", "planes", (128,), FIELDS, struct.Struct("<II"), 120,
    lambda said, _: PlanesInfo(**said), _size, _planes_of,
)  # fmt: skip


def planes_error(info: PlanesInfo, planes: Any, corners: Any, labels: Any) -> str:
    """The fault of the planes; empty: none."""
    return _info_error(info, len(planes)) or _arrays_error(info, planes, corners, labels)


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


def _arrays_error(info: PlanesInfo, planes: Any, corners: Any, labels: Any) -> str:
    np = _errors.numpy()
    with np.errstate(over="ignore", invalid="ignore"):
        length = (planes["normal"].astype("f8") ** 2).sum(axis=1)
        not_negative = [
            np.isfinite(planes[name]) & (planes[name] >= 0) for name in ("distance", "rms", "area")
        ]
    box = planes["box"].astype("i8")
    first, count = planes["first_corner"].astype("i8"), planes["n_corners"].astype("i8")
    with_hull = count > 0
    starts, ends = first[with_hull], (first + count)[with_hull]
    size = (info.width, info.height)
    for bad, expected in (
        (~(np.abs(length - 1) < 1e-4), "a normal of length 1"),
        (~np.logical_and.reduce(not_negative), "distance, rms and area of 0 or more"),
        (~np.isfinite(planes["centroid"]).all(axis=1), "a finite centroid"),
        (planes["inliers"] > info.n_points, f"at most {info.n_points} inliers"),
        ((box[:, :2] + box[:, 2:] > size).any(axis=1), "a box in the frame"),
        (first + count > len(corners), f"corners up to {len(corners)}"),
        (planes["reserved"] != 0, "0 as the last word"),
    ):
        if bad.any():
            index = int(np.argmax(bad))
            return f"plane {index}: expected {expected}, got {planes[index]}"
    if (starts[1:] < ends[:-1]).any():
        return "expected the corners of each plane after those of the planes before"
    pixel = np.stack([corners["column"], corners["row"]], axis=1)
    good = pixel == -1 if info.cloud else (pixel >= 0) & (pixel < size)
    bad = ~(good.all(axis=1) & np.isfinite(corners["point"]).all(axis=1))
    if bad.any():
        index = int(np.argmax(bad))
        expected = "-1, -1" if info.cloud else "a pixel of the frame"
        return f"corner {index}: expected {expected} and a finite point, got {corners[index]}"
    if len(labels) and labels.max() > len(planes):
        return f"labels: expected 0 to {len(planes)}, got {labels.max()}"
    return ""
