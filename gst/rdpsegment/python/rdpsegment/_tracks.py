# SPDX-License-Identifier: LGPL-2.1-or-later
"""The feature tracks of one frame: on buffers, in their binary form, and in lines of JSON."""

from __future__ import annotations

import functools
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _errors, _fields, _library
from ._fields import Field
from ._form import Form
from ._frame import MAX_SIDE
from ._json import rows_of, value_of, whole
from ._result import NO_TIME, Result, found_on, library_object

if TYPE_CHECKING:
    import numpy.typing as npt

# The library's, row by row.
FIELDS = (
    Field("frame", "Q", 8),
    Field("width", "I", 16, (1, MAX_SIDE)),
    Field("height", "I", 20, (1, MAX_SIDE)),
    Field("template_pts", "Q", 24),
)
LOST_REASONS = ("tracked", "texture", "outside", "residual", "check", "crowded")
"""The names of the numbers in `Tracks.lost["reason"]`; 0 is none."""


@dataclass(frozen=True)
class TracksInfo:
    """The frame that features were tracked in: GstRdpTracksInfo."""

    frame: int
    """The number of frames that the element had worked on before this one."""
    width: int
    height: int
    template_pts: int | None
    """When the frame was that displacements count from, in nanoseconds; None where there is none."""


@functools.lru_cache(maxsize=None)
def track_dtype() -> Any:
    """A track as GstRdpTrack lies in memory: 32 bytes."""
    return _errors.numpy().dtype(
        [("id", "<u4"), ("age", "<u4")]
        + [(name, "<f4") for name in ("x", "y", "dx", "dy", "residual", "quality")]
    )


@functools.lru_cache(maxsize=None)
def lost_dtype() -> Any:
    """A lost track as GstRdpLostTrack lies in memory: 16 bytes."""
    return _errors.numpy().dtype([("id", "<u4"), ("reason", "<u4"), ("x", "<f4"), ("y", "<f4")])


class Tracks(Result):
    """The feature tracks of one frame, in the order of their birth. Its arrays are read-only."""

    info: TracksInfo
    """The frame they were tracked in."""
    tracks: npt.NDArray[Any]
    """A structured array of the dtype `rdpsegment.TRACK`."""
    lost: npt.NDArray[Any]
    """The features lost with this frame: a structured array of the dtype `rdpsegment.LOST`."""

    def __init__(
        self,
        info: TracksInfo,
        tracks: npt.NDArray[Any],
        lost: npt.NDArray[Any] | None = None,
        **common: Any,
    ) -> None:
        super().__init__(**common)
        self.info = info
        self.tracks = tracks
        self.lost = _errors.numpy().empty(0, lost_dtype()) if lost is None else lost

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
        values = dict(vars(self.info))
        if values["template_pts"] is None:
            values["template_pts"] = NO_TIME
        header = FORM.header(1, values, len(self.tracks), len(self.lost))
        return header + self.tracks.tobytes() + self.lost.tobytes()

    def to_library(self) -> Any:
        """A GstRdpSegment.Tracks with the same content: what a buffer takes.

        `GstRdpSegment.buffer_add_rdp_tracks_meta (buffer, tracks.to_library ())` puts it there.
        """
        return library_object("Tracks", self.to_bytes())


def points_to_track(places: Any, width: int, height: int, motion: Any = None) -> Tracks:
    """Points that klttrack is to track: tracks of age 0, for a frame of this size.

    `places` are rows of x and y in pixels, of which whole numbers are the centres; `motion`, where it
    is given, rows of dx and dy: where the search begins.
    """
    np = _errors.numpy()
    places = np.asarray(places, "f8").reshape(-1, 2)
    tracks = np.zeros(len(places), track_dtype())
    tracks["x"], tracks["y"] = places.T
    if motion is not None:
        tracks["dx"], tracks["dy"] = np.asarray(motion, "f8").reshape(-1, 2).T
    return Tracks(TracksInfo(0, width, height, None), tracks)


def tracks(buffer: Any, batch_index: int | None = None) -> Tracks | None:
    """The tracks on a Gst.Buffer (or in a Gst.Sample), or None where it has none.

    Of a batch of frames, `batch_index` says which one; the first by default. Tracks that are on a GPU
    are fetched; raises TracksLost where that fails, because an empty frame would mean something else.
    """
    found, common = found_on(buffer, "tracks", batch_index)
    if found is None:
        return None
    try:
        found.fetch()
    except _library.library_error() as error:
        raise _errors.TracksLost(error.message) from error
    np = _errors.numpy()
    info = found.get_info()
    return Tracks(
        _info_of({field.name: getattr(info, field.name) for field in FIELDS}),
        np.frombuffer(found.get_tracks().get_data() or b"", track_dtype()),
        np.frombuffer(found.get_lost().get_data() or b"", lost_dtype()),
        **common,
    )


def tracks_from_bytes(data: bytes) -> Tracks:
    """The tracks in what gst_rdp_tracks_to_bytes() has written; needs no GStreamer.

    The arrays are the memory of `data`, not copies. Raises FormatError where the bytes are anything
    else, whatever they are.
    """
    found: Tracks = FORM.from_bytes(data)
    return found


def _info_of(said: dict[str, Any]) -> TracksInfo:
    template = said["template_pts"]
    return TracksInfo(
        said["frame"], said["width"], said["height"], None if template == NO_TIME else template
    )


def _size(_: TracksInfo, counts: tuple[int, int]) -> int:
    """The size of the arrays in bytes."""
    n_tracks, n_lost = counts
    return int(track_dtype().itemsize * n_tracks + lost_dtype().itemsize * n_lost)


def _tracks_of(info: TracksInfo, counts: tuple[int, int], data: bytes, start: int) -> Tracks:
    np = _errors.numpy()
    all_tracks = np.frombuffer(data, track_dtype(), counts[0], start)
    lost = np.frombuffer(data, lost_dtype(), counts[1], start + all_tracks.nbytes)
    return _checked(Tracks(info, all_tracks, lost))


FORM = Form(
    b"RDPT", "tracks", (40,), FIELDS, struct.Struct("<II"), 32,
    lambda said, _: _info_of(said), _size, _tracks_of,
)  # fmt: skip


def _checked(found: Tracks) -> Tracks:
    """The same tracks, read-only; raises FormatError where the library would refuse them."""
    np = _errors.numpy()
    if wrong := _fields.error(FIELDS, found.info):
        raise _errors.FormatError(wrong)
    for name in ("residual", "quality"):
        values = found.tracks[name]
        with np.errstate(invalid="ignore"):
            bad = ~(np.isfinite(values) & (values >= 0))
        if bad.any():
            index = int(np.argmax(bad))
            raise _errors.FormatError(
                f"track {index}: expected a {name} of 0 or more, got {values[index]}"
            )
    reasons = found.lost["reason"]
    bad = (reasons < 1) | (reasons >= len(LOST_REASONS))
    if bad.any():
        index = int(np.argmax(bad))
        raise _errors.FormatError(
            f"lost track {index}: expected a reason of 1 to {len(LOST_REASONS) - 1}, got {reasons[index]}"
        )
    for array in (found.tracks, found.lost):
        array.flags.writeable = False
    return found


def tracks_of(line: dict[str, Any], common: dict[str, Any]) -> Tracks:
    """The tracks in a line that has some."""
    size = ("tracks-width", "tracks-height") if "tracks-width" in line else ("width", "height")
    template = None if line.get("template-pts", 0) is None else whole(line, "template-pts")
    reasons = {name: number for number, name in enumerate(LOST_REASONS) if number > 0}
    return _checked(
        Tracks(
            TracksInfo(whole(line, "frame"), *(whole(line, key) for key in size), template),
            rows_of("tracks", value_of(line, "tracks", (list,), "a list"), track_dtype()),
            rows_of("lost", value_of(line, "lost", (list,), "a list"), lost_dtype(), {1: reasons}),
            **common,
        )
    )
