# SPDX-License-Identifier: LGPL-2.1-or-later
"""Heads on the ground that several cameras see: on buffers, in bytes, and in lines of JSON."""

from __future__ import annotations

import functools
import math
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _errors, _fields
from ._fields import FINITE, NOT_NEGATIVE, Field
from ._form import Form
from ._frame import MAX_SIDE
from ._json import as_float, number, short, value_of, whole
from ._result import NO_TIME, Result, found_on, library_object

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MOST_VIEWS = 16
# The library's, row by row.
FIELDS = (
    Field("frame", "Q", 8),
    Field("width", "I", 16, (1, MAX_SIDE)),
    Field("height", "I", 20, (1, MAX_SIDE)),
    Field("views", "I", 24, (2, MOST_VIEWS)),
    Field("reference", "I", 28),
    Field("energy", "q", 32, NOT_NEGATIVE),
    Field("known_pixels", "Q", 40),
    Field("spread", "Q", 48),
    Field("iterations", "I", 56),
    Field("ground_columns", "I", 64, (0, MAX_SIDE)),
    Field("ground_rows", "I", 68, (0, MAX_SIDE)),
    Field("ground_x", "d", 72, FINITE),
    Field("ground_y", "d", 80, FINITE),
    Field("ground_cell", "d", 88, NOT_NEGATIVE),
)


@dataclass(frozen=True)
class HeightsInfo:
    """The frame of heights, and the search's outcome: GstRdpHeightsInfo."""

    frame: int
    """The number of frames that the element had worked on before this one."""
    width: int
    """The width of the reference picture in pixels."""
    height: int
    views: int
    """The number of cameras, the reference included."""
    reference: int
    """The number of the view whose pixels have heights, from 0."""
    energy: int
    """The energy of the labelling: the lower, the better the views agree."""
    known_pixels: int
    """The number of pixels that have a height."""
    spread: int
    """From the earliest of the pictures to the latest, in nanoseconds."""
    iterations: int
    """The number of half-iterations that were done."""
    ground_columns: int = 0
    """The number of cells along X of the raster on the ground; 0: there is none."""
    ground_rows: int = 0
    """The number of cells along Y."""
    ground_x: float = 0.0
    """The smallest X of its cell 0, 0, in metres."""
    ground_y: float = 0.0
    """The smallest Y of it."""
    ground_cell: float = 0.0
    """The side of a cell, in metres."""


@functools.lru_cache(maxsize=None)
def head_dtype() -> np.dtype[Any]:
    """A head as GstRdpHead lies in memory: 32 bytes."""
    return _errors.numpy().dtype(
        [("column", "<u2"), ("row", "<u2"), ("votes", "<u4")]
        + [(name, "<f8") for name in ("x", "y", "height")]
    )


class Heights(Result):
    """The heads on the ground that several cameras see, of one frame of heights.

    The array is read-only. The heights themselves are the samples of the frame.
    """

    info: HeightsInfo
    """The frame they were found in, and the outcome."""
    heads: npt.NDArray[Any]
    """A structured array of the dtype `rdpsegment.HEAD`; lengths are in metres."""

    def __init__(self, info: HeightsInfo, heads: npt.NDArray[Any], **common: Any) -> None:
        super().__init__(**common)
        self.info = info
        self.heads = heads

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
        return FORM.header(1, vars(self.info), len(self.heads)) + self.heads.tobytes()

    def to_library(self) -> Any:
        """A GstRdpSegment.Heights with the same content: what a buffer takes.

        `GstRdpSegment.buffer_add_rdp_heights_meta (buffer, heights.to_library ())` puts it there.
        """
        return library_object("Heights", self.to_bytes())


def heights(buffer: Any, batch_index: int | None = None) -> Heights | None:
    """The heights on a Gst.Buffer (or in a Gst.Sample), or None where it has none.

    Of a batch of frames, `batch_index` says which one; the first by default.
    """
    found, common = found_on(buffer, "heights", batch_index)
    if found is None:
        return None
    info = found.get_info()
    return Heights(
        HeightsInfo(**{field.name: getattr(info, field.name) for field in FIELDS}),
        _errors.numpy().frombuffer(found.get_heads().get_data() or b"", head_dtype()),
        **common,
    )


def heights_from_bytes(data: bytes) -> Heights:
    """The heights in what gst_rdp_heights_to_bytes() has written; needs no GStreamer.

    The array is the memory of `data`, not a copy. Raises FormatError where the bytes are anything
    else, whatever they are.
    """
    found: Heights = FORM.from_bytes(data)
    return found


def _size(_: HeightsInfo, counts: tuple[int]) -> int:
    """The size of the array in bytes."""
    return int(head_dtype().itemsize * counts[0])


def _heights_of(info: HeightsInfo, counts: tuple[int], data: bytes, start: int) -> Heights:
    return _checked(Heights(info, _errors.numpy().frombuffer(data, head_dtype(), counts[0], start)))


FORM = Form(
    b"RDPH", "heights", (96,), FIELDS, struct.Struct("<I"), 60,
    lambda said, _: HeightsInfo(**said), _size, _heights_of,
)  # fmt: skip


def _info_error(info: HeightsInfo) -> str:
    """The fault of the first member with a bad value by the library's rules."""
    if wrong := _fields.error(FIELDS, info):
        return wrong
    ground = (info.ground_columns, info.ground_rows)
    place = (info.ground_x, info.ground_y, info.ground_cell)
    for bad, expected, got in (
        (info.reference >= info.views, f"reference: expected less than {info.views} views", info.reference),
        (info.known_pixels > info.width * info.height,
         f"known_pixels: expected at most {info.width * info.height}", info.known_pixels),
        (info.spread >= NO_TIME, "spread: expected a time in ns", info.spread),
        ((ground[0] == 0) != (ground[1] == 0), "ground_columns, ground_rows: expected 0 for both or for none",
         ground),
        (ground[0] == 0 and any(place), "ground_x, ground_y, ground_cell: expected 0 without ground", place),
        (ground[0] > 0 and info.ground_cell <= 0, "ground_cell: expected a number above 0", info.ground_cell),
    ):  # fmt: skip
        if bad:
            return f"{expected}, got {got!r}"
    return ""


def _checked(found: Heights) -> Heights:
    """The same heights, read-only; raises FormatError where the library would refuse them."""
    np = _errors.numpy()
    info, heads = found.info, found.heads
    if wrong := _info_error(info):
        raise _errors.FormatError(wrong)
    with np.errstate(invalid="ignore"):
        for bad, expected in (
            ((heads["column"] >= info.width) | (heads["row"] >= info.height),
             f"a pixel of the {info.width}x{info.height} picture"),
            (~(np.isfinite(heads["x"]) & np.isfinite(heads["y"])), "finite numbers x and y"),
            (~(np.isfinite(heads["height"]) & (heads["height"] >= 0)), "a height of 0 or more"),
            ((heads["votes"] < 1) | (heads["votes"] > info.known_pixels),
             f"votes of 1 to known_pixels, {info.known_pixels}"),
        ):  # fmt: skip
            if bad.any():
                index = int(np.argmax(bad))
                raise _errors.FormatError(f"head {index}: expected {expected}, got {heads[index]}")
    heads.flags.writeable = False
    return found


def _list_of(part: dict[str, Any], key: str, kinds: tuple[type, ...], most: float) -> Any:
    """A list of two numbers, none of them above `most`."""
    values = part.get(key)
    good = isinstance(values, list) and len(values) == 2
    good = good and all(type(value) in kinds and value <= most for value in values)
    if kinds == (int,):
        good = good and min(values) >= 0
    if not good:
        what = f"two whole numbers up to {most}" if kinds == (int,) else "two numbers"
        raise _errors.FormatError(f'"{key}": expected {what}, got {short(values)}')
    return values


def _below(part: dict[str, Any], key: str, bits: int) -> int:
    """A whole number of so many bits."""
    value = whole(part, key)
    if value >= 2**bits:
        raise _errors.FormatError(f'"{key}": expected less than 2^{bits}, got {short(value)}')
    return value


def _head_of_line(part: Any, index: int) -> tuple[Any, ...]:
    if not isinstance(part, dict):
        raise _errors.FormatError(f'"heads", {index}: expected an object, got {short(part)}')
    try:
        return (
            *_list_of(part, "pixel", (int,), MAX_SIDE),
            _below(part, "votes", 32),
            *map(as_float, _list_of(part, "ground", (int, float), math.inf)),
            number(part, "height"),
        )
    except _errors.FormatError as error:
        raise _errors.FormatError(f'"heads", {index}, {error}') from error


def _grid_of_line(line: dict[str, Any]) -> dict[str, Any]:
    if "ground-grid" not in line:
        return {}
    said = value_of(line, "ground-grid", (dict,), "an object")
    # Errors name a key as part of the other.
    part = {f"ground-grid.{key}": value for key, value in said.items()}
    x, y = map(as_float, _list_of(part, "ground-grid.origin", (int, float), math.inf))
    columns, rows = _list_of(part, "ground-grid.size", (int,), MAX_SIDE)
    if min(columns, rows) < 1:
        raise _errors.FormatError(
            f'"ground-grid.size": expected 1 or more columns and rows, got {[columns, rows]}'
        )
    return {
        "ground_columns": columns,
        "ground_rows": rows,
        "ground_x": x,
        "ground_y": y,
        "ground_cell": number(part, "ground-grid.cell"),
    }


def heights_of(line: dict[str, Any], common: dict[str, Any]) -> Heights:
    """The heights in a line that has some."""
    size = ("heights-width", "heights-height") if "heights-width" in line else ("width", "height")
    width, height = (whole(line, key) for key in size)
    known = number(line, "known")
    if not 0 <= known <= 1:
        raise _errors.FormatError(f'"known": expected a share of 0 to 1, got {short(line["known"])}')
    info = HeightsInfo(
        whole(line, "frame"),
        width,
        height,
        *(whole(line, key) for key in ("views", "reference")),
        _below(line, "energy", 63),
        round(known * (width * height)),
        whole(line, "spread"),
        _below(line, "iterations", 32),
        **_grid_of_line(line),
    )
    heads = value_of(line, "heads", (list,), "a list")
    rows = [_head_of_line(part, index) for index, part in enumerate(heads)]
    return _checked(Heights(info, _errors.numpy().array(rows, head_dtype()), **common))
