# SPDX-License-Identifier: LGPL-2.1-or-later
"""The feature tracks of one frame: on buffers, in their binary form, and in lines of JSON."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _errors, _fields
from ._fields import NO_TIME, SIDE, fields_of, row
from ._json import rows_of, size_keys, value_of, whole
from ._kind import Array, KindDescription, Result, compares_nan, first_wrong, floats, no_length, read_only

if TYPE_CHECKING:
    import numpy.typing as npt

LOST_REASONS = ("tracked", "texture", "outside", "residual", "check", "crowded", "template")
"""The names of the numbers in `Tracks.lost["reason"]`; 0 is none."""


@dataclass(frozen=True)
class TracksInfo:
    """The frame that features were tracked in: GstRdpTracksInfo."""

    frame: int = field(metadata=row("Q", 8))
    """The number of frames that the element had worked on before this one."""
    width: int = field(metadata=row("I", 16, SIDE))
    height: int = field(metadata=row("I", 20, SIDE))
    template_pts: int | None = field(metadata=row("Q", 24, none=NO_TIME))
    """When the frame was that displacements count from, in nanoseconds; None where there is none."""


FIELDS = fields_of(TracksInfo)
TRACKS = Array("tracks", [("id", "<u4"), ("age", "<u4"), *floats("x", "y", "dx", "dy", "residual", "quality")])
"""A track as GstRdpTrack lies in memory: 32 bytes."""
LOST = Array("lost", [("id", "<u4"), ("reason", "<u4"), *floats("x", "y")])
"""A lost track as GstRdpLostTrack lies in memory: 16 bytes."""
WARPS = Array("warps", [*floats("a", "b", "c", "d", "residual"), ("age", "<u4")])
"""The warp of a track as GstRdpTrackWarp lies in memory: 24 bytes."""


class Tracks(Result):
    """The feature tracks of one frame, in the order of their birth. Its arrays are read-only."""

    info: TracksInfo
    """The frame they were tracked in."""
    tracks: npt.NDArray[Any]
    """A structured array of the dtype `rdpsegment.TRACK`."""
    lost: npt.NDArray[Any]
    """The features lost with this frame: a structured array of the dtype `rdpsegment.LOST`."""
    warps: npt.NDArray[Any] | None
    """The warp of each track: a structured array of the dtype `rdpsegment.TRACK_WARP`; None without."""

    def __init__(
        self,
        info: TracksInfo,
        tracks: npt.NDArray[Any],
        lost: npt.NDArray[Any] | None = None,
        warps: npt.NDArray[Any] | None = None,
        **common: Any,
    ) -> None:
        super().__init__(**common)
        self.info = info
        self.tracks = tracks
        self.lost = _errors.numpy().empty(0, LOST.dtype) if lost is None else lost
        self.warps = None if warps is None or not len(warps) else warps

    def __repr__(self) -> str:
        info = self.info
        return (
            f"<rdpsegment.Tracks {info.frame}: {info.width}x{info.height}, {len(self.tracks)} tracks, "
            f"{len(self.lost)} lost>"
        )

    def __len__(self) -> int:
        return len(self.tracks)

    def reasons(self) -> list[str]:
        """Why each of `lost` was lost, in a word."""
        return [LOST_REASONS[reason] for reason in self.lost["reason"]]

    def to_bytes(self) -> bytes:
        """The binary form, the same bytes as gst_rdp_tracks_to_bytes() writes."""
        arrays = [self.tracks, self.lost, *([] if self.warps is None else [self.warps])]
        counts = [len(array) for array in arrays] + [0, 0]
        is_new = len(arrays) > 2 or LOST_REASONS.index("template") in self.lost["reason"]
        return KIND.to_bytes(vars(self.info), counts[:4], *arrays, version=1 + is_new)


def points_to_track(places: Any, width: int, height: int, motion: Any = None) -> Tracks:
    """Points that klttrack is to track: tracks of age 0, for a frame of this size.

    `places` are rows of x and y in pixels, of which whole numbers are the centres; `motion`, where it
    is given, rows of dx and dy: where the search begins.
    """
    np = _errors.numpy()
    places = np.asarray(places, "f8").reshape(-1, 2)
    tracks = np.zeros(len(places), TRACKS.dtype)
    tracks["x"], tracks["y"] = places.T
    if motion is not None:
        tracks["dx"], tracks["dy"] = np.asarray(motion, "f8").reshape(-1, 2).T
    return Tracks(TracksInfo(0, width, height, None), tracks)


def _info_of(values: dict[str, Any], counts: tuple[Any, ...]) -> TracksInfo:
    if counts[3]:
        raise _errors.FormatError(f"expected 0 at byte 44, got {counts[3]}")
    return TracksInfo(**values)


@compares_nan
def _error(info: TracksInfo, tracks: Any, lost: Any, warps: Any) -> str:
    """The fault by the library's rules; empty: none."""
    if wrong := _fields.error(FIELDS, info):
        return wrong
    for name in ("residual", "quality"):
        values = tracks[name]
        if wrong := first_wrong("track", values, [(no_length(values), f"a {name} of 0 or more")]):
            return wrong
    reasons = lost["reason"]
    bad = (reasons < 1) | (reasons >= len(LOST_REASONS))
    if wrong := first_wrong("lost track", reasons, [(bad, f"a reason of 1 to {len(LOST_REASONS) - 1}")]):
        return wrong
    if len(warps) not in (0, len(tracks)):
        return f"warps: expected one for each of {len(tracks)} tracks, or none, got {len(warps)}"
    isfinite = _errors.numpy().isfinite
    bad = ~(isfinite(warps["a"]) & isfinite(warps["b"]) & isfinite(warps["c"]) & isfinite(warps["d"]))
    rules = [(bad, "finite a, b, c and d"), (no_length(warps["residual"]), "a residual of 0 or more")]
    return first_wrong("warp", warps, rules)


def _of_line(line: dict[str, Any], common: dict[str, Any]) -> Tracks:
    """The tracks in a line that has some."""
    template = None if line.get("template-pts", 0) is None else whole(line, "template-pts")
    sizes = (whole(line, key) for key in ("frame", *size_keys(line, "tracks")))
    info = TracksInfo(*sizes, template)
    reasons = {name: number for number, name in enumerate(LOST_REASONS) if number > 0}
    tracks = rows_of("tracks", value_of(line, "tracks", (list,), "a list"), TRACKS.dtype)
    lost = rows_of("lost", value_of(line, "lost", (list,), "a list"), LOST.dtype, {1: reasons})
    list_of_warps = value_of(line, "warps", (list,), "a list") if "warps" in line else []
    warps = rows_of("warps", list_of_warps, WARPS.dtype)
    KIND.check(info, tracks, lost, warps)
    return Tracks(info, *read_only(tracks, lost, warps), **common)


KIND = KindDescription(
    "tracks", b"RDPT", "tracks", TracksInfo, Tracks,
    sizes=(40, 48), counts=struct.Struct("<4I"), counts_at=32,  # the last one is always 0
    arrays=(TRACKS, LOST, WARPS), fields=FIELDS, error=_error, of_line=_of_line, lost=_errors.TracksLost,
    info_of=_info_of,
)  # fmt: skip
tracks, tracks_from_bytes = KIND.on, KIND.from_bytes
