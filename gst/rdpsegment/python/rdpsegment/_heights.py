# SPDX-License-Identifier: LGPL-2.1-or-later
"""Heads on the ground that several cameras see: on buffers, in bytes, and in lines of JSON."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _errors, _fields
from ._fields import FINITE, MAX_SIDE, NO_TIME, NOT_NEGATIVE, SIDE, fields_of, row
from ._json import as_float, below, number, parts_of, rows_of, size_keys, unexpected, value_of, values_of, whole
from ._kind import Array, KindDescription, Result, compares_nan, first_wrong, floats, no_length, read_only

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MOST_VIEWS = 16


@dataclass(frozen=True)
class HeightsInfo:
    """The frame of heights, and the search's outcome: GstRdpHeightsInfo."""

    frame: int = field(metadata=row("Q", 8))
    """The number of frames that the element had worked on before this one."""
    width: int = field(metadata=row("I", 16, SIDE))
    """The width of the reference picture in pixels."""
    height: int = field(metadata=row("I", 20, SIDE))
    views: int = field(metadata=row("I", 24, (2, MOST_VIEWS)))
    """The number of cameras, the reference included."""
    reference: int = field(metadata=row("I", 28))
    """The number of the view whose pixels have heights, from 0."""
    energy: int = field(metadata=row("q", 32, NOT_NEGATIVE))
    """The energy of the labelling: the lower, the better the views agree."""
    known_pixels: int = field(metadata=row("Q", 40))
    """The number of pixels that have a height."""
    spread: int = field(metadata=row("Q", 48))
    """From the earliest of the pictures to the latest, in nanoseconds."""
    iterations: int = field(metadata=row("I", 56))
    """The number of half-iterations that were done."""
    ground_columns: int = field(default=0, metadata=row("I", 64, (0, MAX_SIDE)))
    """The number of cells along X of the raster on the ground; 0: there is none."""
    ground_rows: int = field(default=0, metadata=row("I", 68, (0, MAX_SIDE)))
    """The number of cells along Y."""
    ground_x: float = field(default=0.0, metadata=row("d", 72, FINITE))
    """The smallest X of its cell 0, 0, in metres."""
    ground_y: float = field(default=0.0, metadata=row("d", 80, FINITE))
    """The smallest Y of it."""
    ground_cell: float = field(default=0.0, metadata=row("d", 88, NOT_NEGATIVE))
    """The side of a cell, in metres."""


FIELDS = fields_of(HeightsInfo)
HEADS = Array(
    "heads",
    [("column", "<u2"), ("row", "<u2"), ("votes", "<u4"), *floats("x", "y", "height", type="<f8")],
)
"""A head as GstRdpHead lies in memory: 32 bytes."""
HEAD_TRACKS = Array("head_tracks", [("id", "<u4"), ("age", "<u4"), *floats("vx", "vy")])
"""The track of a head as GstRdpHeadTrack lies in memory: 16 bytes."""
_ARRAYS = (HEADS, HEAD_TRACKS, Array("lost_heads", "<u4"))


class Heights(Result):
    """The heads on the ground that several cameras see, of one frame of heights.

    The arrays are read-only. The heights themselves are the samples of the frame.
    """

    info: HeightsInfo
    """The frame they were found in, and the outcome."""
    heads: npt.NDArray[Any]
    """A structured array of the dtype `rdpsegment.HEAD`; lengths are in metres."""
    head_tracks: npt.NDArray[Any]
    """The track of each head, of the dtype `rdpsegment.HEAD_TRACK`; empty without `track-heads`."""
    lost_heads: npt.NDArray[np.uint32]
    """The ids of heads that do not come back."""

    def __init__(
        self,
        info: HeightsInfo,
        heads: npt.NDArray[Any],
        head_tracks: npt.NDArray[Any] | None = None,
        lost_heads: npt.NDArray[np.uint32] | None = None,
        **common: Any,
    ) -> None:
        super().__init__(**common)
        np = _errors.numpy()
        self.info = info
        self.heads = heads
        self.head_tracks = np.empty(0, HEAD_TRACKS.dtype) if head_tracks is None else head_tracks
        self.lost_heads = np.empty(0, "<u4") if lost_heads is None else lost_heads

    def __repr__(self) -> str:
        info = self.info
        return (
            f"<rdpsegment.Heights {info.frame}: {info.width}x{info.height}, {info.views} views, "
            f"{self.known:.1%} known, {len(self.heads)} heads>"
        )

    def __len__(self) -> int:
        return len(self.heads)

    @property
    def known(self) -> float:
        """The share of the reference picture's pixels that have a height, 0 to 1."""
        return self.info.known_pixels / (self.info.width * self.info.height)

    @property
    def places(self) -> npt.NDArray[np.float64]:
        """The place of each head on the ground, in metres: rows of x and y."""
        np = _errors.numpy()
        result: npt.NDArray[np.float64] = np.stack([self.heads["x"], self.heads["y"]], axis=1)
        return result

    def to_bytes(self) -> bytes:
        """The binary form, the same bytes as gst_rdp_heights_to_bytes() writes."""
        arrays = [getattr(self, array.name) for array in _ARRAYS]
        counts = [len(array) for array in arrays]
        return KIND.to_bytes(vars(self.info), counts, *arrays, version=2 if any(counts[1:]) else 1)


def _info_error(info: HeightsInfo) -> str:
    """The fault of the info by rules that rows of the table cannot express."""
    size = info.width * info.height
    ground = (info.ground_columns, info.ground_rows)
    place = (info.ground_x, info.ground_y, info.ground_cell)
    for bad, expected, got in (
        (info.reference >= info.views, f"reference: expected less than {info.views} views", info.reference),
        (info.known_pixels > size, f"known_pixels: expected at most {size}", info.known_pixels),
        (info.spread >= NO_TIME, "spread: expected a time in ns", info.spread),
        ((ground[0] == 0) != (ground[1] == 0), "ground_columns, ground_rows: expected 0 for both or for none",
         ground),
        (ground[0] == 0 and any(place), "ground_x, ground_y, ground_cell: expected 0 without ground", place),
        (ground[0] > 0 and info.ground_cell <= 0, "ground_cell: expected a number above 0", info.ground_cell),
    ):  # fmt: skip
        if bad:
            return f"{expected}, got {got!r}"
    return ""


@compares_nan
def _error(info: HeightsInfo, heads: Any, head_tracks: Any, lost_heads: Any) -> str:
    """The fault by the library's rules; empty: none."""
    if wrong := _fields.error(FIELDS, info) or _info_error(info):
        return wrong
    np = _errors.numpy()
    outside = (heads["column"] >= info.width) | (heads["row"] >= info.height)
    bad_votes = (heads["votes"] < 1) | (heads["votes"] > info.known_pixels)
    if len(head_tracks) not in (0, len(heads)):
        return f"expected a track for each of {len(heads)} heads, or none, got {len(head_tracks)}"
    vx, vy = head_tracks["vx"], head_tracks["vy"]
    speed = np.isfinite(vx) & np.isfinite(vy)
    return first_wrong("head", heads, (
        (outside, f"a pixel of the {info.width}x{info.height} picture"),
        (~(np.isfinite(heads["x"]) & np.isfinite(heads["y"])), "finite numbers x and y"),
        (no_length(heads["height"]), "a height of 0 or more"),
        (bad_votes, f"votes of 1 to known_pixels, {info.known_pixels}"),
    )) or first_wrong("track of head", head_tracks, (
        (head_tracks["id"] == 0, "an id of 1 or more"),
        (~(speed | (np.isnan(vx) & np.isnan(vy))), "two finite numbers vx and vy, or NaN for both"),
    ))  # fmt: skip


def _list_of(part: dict[str, Any], key: str, kinds: tuple[type, ...], most: float) -> Any:
    """A list of two numbers, none of them above `most`."""
    values = part.get(key)
    good = isinstance(values, list) and len(values) == 2
    good = good and all(type(value) in kinds and value <= most for value in values)
    if kinds == (int,):
        good = good and min(values) >= 0
    if not good:
        what = f"two whole numbers up to {most}" if kinds == (int,) else "two numbers"
        raise unexpected(key, what, values)
    return values


def _head_of_line(part: Any, index: int) -> tuple[Any, ...]:
    if not isinstance(part, dict):
        raise unexpected("heads", "an object", part, f", {index}")
    try:
        return (
            *_list_of(part, "pixel", (int,), MAX_SIDE),
            below(part, "votes", 32),
            *map(as_float, _list_of(part, "ground", (int, float), math.inf)),
            number(part, "height"),
        )
    except _errors.FormatError as error:
        raise _errors.FormatError(f'"heads", {index}, {error}') from error


def _track_of_line(part: dict[str, Any], index: int) -> list[Any]:
    """The values of a head's track in the order of HEAD_TRACKS."""
    velocity = part.get("velocity")
    if velocity is not None and not (isinstance(velocity, list) and len(velocity) == 2):
        raise unexpected("velocity", "two numbers, or null", velocity, f" of head {index}")
    return [part.get("id"), part.get("age"), *(velocity or [None, None])]


def _grid_of_line(line: dict[str, Any]) -> dict[str, Any]:
    if "ground-grid" not in line:
        return {}
    part = parts_of(line, "ground-grid")
    x, y = map(as_float, _list_of(part, "ground-grid.origin", (int, float), math.inf))
    columns, rows = _list_of(part, "ground-grid.size", (int,), MAX_SIDE)
    if min(columns, rows) < 1:
        raise unexpected("ground-grid.size", "1 or more columns and rows", [columns, rows])
    cell = number(part, "ground-grid.cell")
    return dict(ground_columns=columns, ground_rows=rows, ground_x=x, ground_y=y, ground_cell=cell)


def _of_line(line: dict[str, Any], common: dict[str, Any]) -> Heights:
    """The heights in a line that has some."""
    width, height = (whole(line, key) for key in size_keys(line, "heights"))
    known = number(line, "known")
    if not 0 <= known <= 1:
        raise unexpected("known", "a share of 0 to 1", line["known"])
    info = HeightsInfo(
        whole(line, "frame"), width, height, whole(line, "views"), whole(line, "reference"),
        below(line, "energy", 63), round(known * (width * height)), whole(line, "spread"),
        below(line, "iterations", 32), **_grid_of_line(line),
    )  # fmt: skip
    parts = value_of(line, "heads", (list,), "a list")
    heads = [_head_of_line(part, index) for index, part in enumerate(parts)]
    array = _errors.numpy().array(heads, HEADS.dtype)
    ids = any("id" in part for part in parts)
    tracks = [_track_of_line(part, index) for index, part in enumerate(parts)] if ids else []
    lost = values_of({"lost-heads": [], **line}, "lost-heads", "<u4")
    arrays = (array, rows_of("heads", tracks, HEAD_TRACKS.dtype), lost)
    KIND.check(info, *arrays)
    return Heights(info, *read_only(*arrays), **common)


KIND = KindDescription(
    "heights", b"RDPH", "heads", HeightsInfo, Heights,
    sizes=(96, 104), counts=struct.Struct("<I32xII"), counts_at=60,
    arrays=_ARRAYS, fields=FIELDS, error=_error, of_line=_of_line,
)  # fmt: skip
heights, heights_from_bytes = KIND.on, KIND.from_bytes
