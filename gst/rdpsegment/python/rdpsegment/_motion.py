# SPDX-License-Identifier: LGPL-2.1-or-later
"""Motion of the segments and tracks of one frame: on buffers, in bytes, and in lines of JSON."""

from __future__ import annotations

import enum
import math
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _errors, _fields
from ._fields import NOT_NEGATIVE, SIDE, fields_of, row
from ._json import as_float, parts_of, rows_of, short, unexpected, value_of, whole
from ._kind import Array, KindDescription, Result, compares_nan, first_wrong, floats, read_only
from ._lines import nested, same_counts

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_NO_MOTION = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)


class MotionFlags(enum.IntFlag):
    """Facts about the velocity of a segment: GstRdpMotionFlags."""

    MOVING = 1
    """It moves."""
    ABSOLUTE = 2
    """The velocity is that over ground; without, it is relative to the camera."""
    KNOWN = 4
    """There is a velocity."""


@dataclass(frozen=True)
class MotionInfo:
    """The frame that motion was found in: GstRdpMotionInfo."""

    frame: int = field(metadata=row("Q", 8))
    """The number of frames that the element had worked on before this one."""
    width: int = field(metadata=row("I", 16, SIDE))
    """The width of the depth frame in pixels."""
    height: int = field(metadata=row("I", 20, SIDE))
    dt: float | None = field(metadata=row("d", 24, NOT_NEGATIVE, none=0))
    """The time since the previous frame, in seconds; None if there is none."""
    ego_known: bool = field(metadata=row("I", 136, bit=1))
    """True if the camera's own motion is known: `Motion.ego`."""


FIELDS = fields_of(MotionInfo)
_DISPLACEMENT = ("dx", "dy", "spread")
_PLACE = ("x", "y", "z")
_VELOCITY = ("vx", "vy", "vz", "sigma")
SEGMENTS = Array("segments", [("tracks", "<u2"), ("flags", "<u2"), *floats(*_DISPLACEMENT, *_VELOCITY)])
"""The motion of a segment as GstRdpSegmentMotion lies in memory: 32 bytes."""
TRACKS = Array("tracks", [("id", "<u4"), *floats(*_PLACE, *_VELOCITY)])
"""The motion of a track as GstRdpTrackMotion lies in memory: 32 bytes."""


class Motion(Result):
    """The motion of the segments and tracks of one depth frame. Its arrays are read-only.

    What is not known is NaN.
    """

    info: MotionInfo
    """The frame it was found in."""
    segments: npt.NDArray[Any]
    """One row a segment, in the order of `Frame.segments`: dtype `rdpsegment.SEGMENT_MOTION`."""
    tracks: npt.NDArray[Any] | None
    """One row a track: dtype `rdpsegment.TRACK_MOTION`; None in lines of JSON without them."""
    ego: npt.NDArray[np.float64] | None
    """The camera's own motion, (R t) with 3 rows of 4; None where it is not known.

    It takes the camera's axes in the frame before to those in this one; t is in metres.
    """

    def __init__(
        self,
        info: MotionInfo,
        segments: npt.NDArray[Any],
        tracks: npt.NDArray[Any] | None,
        ego: npt.NDArray[np.float64] | None,
        **common: Any,
    ) -> None:
        super().__init__(**common)
        self.info = info
        self.segments = segments
        self.tracks = tracks
        self.ego = ego

    def __repr__(self) -> str:
        info = self.info
        return (
            f"<rdpsegment.Motion {info.frame}: {info.width}x{info.height}, {int(self.known.sum())} of "
            f"{len(self.segments)} segments known, {int(self.moving.sum())} moving>"
        )

    def __len__(self) -> int:
        return len(self.segments)

    @property
    def known(self) -> npt.NDArray[np.bool_]:
        """For each segment: True if its velocity is known."""
        return self._has(MotionFlags.KNOWN)

    @property
    def moving(self) -> npt.NDArray[np.bool_]:
        """For each segment: True if it moves."""
        return self._has(MotionFlags.MOVING)

    @property
    def absolute(self) -> npt.NDArray[np.bool_]:
        """For each segment: True if its velocity is over ground."""
        return self._has(MotionFlags.ABSOLUTE)

    def _has(self, flag: MotionFlags) -> npt.NDArray[np.bool_]:
        result: npt.NDArray[np.bool_] = (self.segments["flags"] & int(flag)) != 0
        return result

    def to_bytes(self) -> bytes:
        """The binary form, the same bytes as gst_rdp_motion_to_bytes() writes."""
        if self.tracks is None:
            raise _errors.Error(
                "the binary form has the tracks in space, and this line of JSON does not: write it "
                "with rdpmetaconvert points=true"
            )
        ego = _NO_MOTION if self.ego is None else self.ego.ravel()
        counts = (len(self.segments), len(self.tracks), *ego)
        return KIND.to_bytes(vars(self.info), counts, self.segments, self.tracks)


def _ego_of(known: Any, numbers: Any) -> Any:
    """The camera's motion as an array that nobody can write to."""
    if not known:
        return None
    ego = _errors.numpy().array(numbers, "f8").reshape(3, 4)
    ego.flags.writeable = False
    return ego


def _info_of(values: dict[str, Any], counts: tuple[Any, ...]) -> MotionInfo:
    info = MotionInfo(**values)
    if not info.ego_known and counts[2:] != _NO_MOTION:
        raise _errors.FormatError(
            f"ego: expected the identity and 0, since it is not known, got {short(list(counts[2:]))}"
        )
    return info


def _groups(array: Any, names: tuple[str, ...]) -> tuple[Any, Any]:
    """For each element: True if these members are all finite, and True if all are NaN."""
    np = _errors.numpy()
    values = np.stack([array[name] for name in names], axis=1)
    return np.isfinite(values).all(axis=1), np.isnan(values).all(axis=1)


def _segments_wrong(segments: Any) -> Any:
    """The wrong ones, and the expectation, by the library's rules."""
    np = _errors.numpy()
    flags, none = segments["flags"], segments["tracks"] == 0
    known = (flags & int(MotionFlags.KNOWN)) != 0
    has_displacement, no_displacement = _groups(segments, _DISPLACEMENT)
    has_velocity, no_velocity = _groups(segments, _VELOCITY)
    return (
        (flags > 7, "flags that are a sum of 1, 2 and 4"),
        (~known & (flags != 0), "4 among flags that are not 0"),
        (np.where(known, ~has_velocity, ~no_velocity), "vx, vy, vz and sigma where the flags have 4, else NaN"),
        (~(has_displacement | no_displacement), "dx, dy and spread, or NaN for all of them"),
        ((segments["spread"] < 0) | (segments["sigma"] < 0), "spread and sigma of 0 or more"),
        (none & (known | ~no_displacement), "flags 0 and NaN without tracks"),
    )  # fmt: skip


def _tracks_wrong(tracks: Any) -> Any:
    has_place, no_place = _groups(tracks, _PLACE)
    has_velocity, no_velocity = _groups(tracks, _VELOCITY)
    return (
        (~(has_place | no_place), "x, y and z, or NaN for all of them"),
        (~(has_velocity | no_velocity), "vx, vy, vz and sigma, or NaN for all of them"),
        (tracks["sigma"] < 0, "a sigma of 0 or more"),
        (has_velocity & ~has_place, "NaN for the velocity without x, y and z"),
    )


@compares_nan
def _error(info: MotionInfo, segments: Any, tracks: Any, ego: Any) -> str:
    """The fault by the library's rules; empty: none."""
    if wrong := _fields.error(FIELDS, info):
        return wrong
    if ego is not None and not _errors.numpy().isfinite(ego).all():
        return f"ego: expected 12 finite numbers, got {short(ego.ravel().tolist())}"
    if len(segments) > info.width * info.height:
        return (
            f"segments: expected at most one for each of {info.width * info.height} samples, got "
            f"{len(segments)}"
        )
    wrong = first_wrong("segment", segments, _segments_wrong(segments))
    return wrong or ("" if tracks is None else first_wrong("track", tracks, _tracks_wrong(tracks)))


def _ego_of_line(part: dict[str, Any]) -> tuple[bool, Any]:
    ego = part.get("motion.ego", 0)
    if ego is None:
        return False, None
    good = isinstance(ego, list) and len(ego) == 12
    if not good or not all(type(number) in (int, float) for number in ego):
        raise unexpected("motion.ego", "12 numbers or null", ego)
    return True, [as_float(number) for number in ego]


def _of_line(line: dict[str, Any], common: dict[str, Any]) -> Motion:
    """The motion in a line of segments that has some."""
    np = _errors.numpy()
    part = parts_of(line, "motion")
    columns = value_of(line, "columns", (list,), "the segments that the motion is of")
    dt = part.get("motion.dt", "")
    if dt is not None:
        if type(dt) not in (int, float) or not 0 < as_float(dt) < math.inf:
            raise unexpected("motion.dt", "null or a number above 0", dt)
        dt = as_float(dt)
    known, ego = _ego_of_line(part)
    entries, counts = nested(part, "motion.columns", len(columns))
    offsets = np.zeros(len(columns) + 1, "i8")
    np.cumsum([len(column) for column in columns], out=offsets[1:])
    same_counts("motion.columns", counts, offsets)
    dtype = SEGMENTS.dtype
    tracks = None
    if "motion.tracks" in part:
        list_of_tracks = value_of(part, "motion.tracks", (list,), "a list")
        tracks = rows_of("motion.tracks", list_of_tracks, TRACKS.dtype)
    info = MotionInfo(*(whole(line, key) for key in ("frame", "width", "height")), dt, known)
    segments = rows_of("motion.columns", entries, dtype, nothing=[0, 0] + [None] * (len(dtype.names) - 2))
    ego = _ego_of(known, ego)
    KIND.check(info, segments, tracks, ego)
    return Motion(info, *read_only(segments, tracks), ego, **common)


KIND = KindDescription(
    "motion", b"RDPM", "motion", MotionInfo, Motion,
    sizes=(140,), counts=struct.Struct("<II12d"), counts_at=32,  # the last twelve are `ego`
    arrays=(SEGMENTS, TRACKS), fields=FIELDS, error=_error, of_line=_of_line, info_of=_info_of,
    extra=lambda info, counts: {"ego": _ego_of(info.ego_known, counts[2:])},
    extra_on=lambda library, buffer, meta, found: {
        "ego": _ego_of(found.get_info().ego_known, found.get_info().ego)
    },
)  # fmt: skip
motion, motion_from_bytes = KIND.on, KIND.from_bytes
