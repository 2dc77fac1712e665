# SPDX-License-Identifier: LGPL-2.1-or-later
"""Obstacles and free space of depth frames: on buffers, in bytes, and in lines of JSON."""

from __future__ import annotations

import enum
import math
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _errors, _fields
from ._fields import FINITE, NOT_NEGATIVE, SIDE, fields_of, row
from ._json import number, parts_of, rows_of, size_keys, unexpected, value_of, values_of, whole
from ._kind import Array, KindDescription, Result, compares_nan, first_wrong, floats, no_length, read_only

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

GROUNDS = ("none", "segments", "planes", "pose", "given", "held")
_CELLS = (0, 2048)
_OCCUPIED = 2


class ObstacleFlags(enum.IntFlag):
    """Facts about an obstacle: GstRdpObstacleFlags."""

    CUT = 1
    """Its pixels touch the edge of the frame."""
    SPEED = 2
    """Its velocity is known."""
    OVER_GROUND = 4
    """The velocity is that over ground; without, it is relative to the camera."""
    MOTION = 8
    """The velocity is from the motion of segments. Lines of JSON do not say it."""


@dataclass(frozen=True)
class ObstaclesInfo:
    """The frame of obstacles, its ground, and the places of its grid and bearings: GstRdpObstaclesInfo."""

    frame: int = field(metadata=row("Q", 8))
    """The number of frames that the element had worked on before this one."""
    width: int = field(metadata=row("I", 16, SIDE))
    """The width of the depth frame in pixels."""
    height: int = field(metadata=row("I", 20, SIDE))
    refined: bool = field(default=False, metadata=row("I", 24, bit=1))
    """True if the ground was refined in this frame."""
    ground: str | None = field(default=None, metadata=row("I", 28, (0, len(GROUNDS) - 1), words=GROUNDS, none=0))
    """The source of the ground: "segments", "planes", "pose", "given" or "held"; None: there was none."""
    camera_height: float | None = field(default=None, metadata=row("d", 32, NOT_NEGATIVE, none=0))
    """The camera's height above the ground in metres; None without ground."""
    pitch: float = field(default=0.0, metadata=row("d", 40, FINITE))
    """In rad: the camera looks down where it is above 0."""
    roll: float = field(default=0.0, metadata=row("d", 48, FINITE))
    """In rad: the right side of the picture is lower where it is above 0."""
    grid_x: float = field(default=0.0, metadata=row("d", 56, FINITE))
    """The smallest x of the cell 0, 0, in metres."""
    grid_y: float = field(default=0.0, metadata=row("d", 64, FINITE))
    """The smallest y of it."""
    cell_size: float = field(default=0.0, metadata=row("d", 72, NOT_NEGATIVE))
    """The side of a cell, in metres; 0 without a grid, as in lines of JSON without grid=true."""
    grid_columns: int = field(default=0, metadata=row("I", 80, _CELLS))
    """The number of cells along x."""
    grid_rows: int = field(default=0, metadata=row("I", 84, _CELLS))
    """The number of cells along y."""
    angle_min: float = field(default=0.0, metadata=row("d", 88, FINITE))
    """The direction of the first bearing's middle in rad, from x towards y."""
    angle_increment: float = field(default=0.0, metadata=row("d", 96, NOT_NEGATIVE))
    """From one bearing to the next, in rad."""
    range_max: float = field(default=0.0, metadata=row("d", 104, NOT_NEGATIVE))
    """The range in metres: what is farther is unknown."""


# As the library checks them.
FIELDS = fields_of(ObstaclesInfo)
OBJECTS = Array("objects", [
    ("id", "<u4"), ("age", "<u4"),
    *floats("x", "y", "length", "width", "height", "yaw", "distance", "vx", "vy"),
    ("samples", "<u4"), ("cells", "<u4"), ("flags", "<u4"),
    ("column", "<u2"), ("row", "<u2"), ("columns", "<u2"), ("rows", "<u2"),
])  # fmt: skip
"""An object as GstRdpObstacle lies in memory: 64 bytes."""
_ARRAYS = (OBJECTS, Array("lost", "<u4"), Array("hidden", "<u4"), Array("ranges", "<f4"), Array("free", "<f4"),
           Array("states", "u1"), Array("tops", "<u2"))  # fmt: skip


class Obstacles(Result):
    """The obstacles and the free space of one depth frame. Its arrays are read-only.

    The axes of places are x forward, y left and z up, in metres, from the ground below the camera.
    """

    info: ObstaclesInfo
    """The frame, its ground, and the places of grid and bearings."""
    objects: npt.NDArray[Any]
    """The nearest first: a structured array of the dtype `rdpsegment.OBSTACLE`."""
    lost: npt.NDArray[np.uint32]
    """The ids of objects that do not come back."""
    hidden: npt.NDArray[np.uint32]
    """The ids of objects that this frame does not show, and that may come back."""
    ranges: npt.NDArray[np.float32]
    """The nearest obstacle of each bearing, from the right: infinity: free, NaN: unknown."""
    free: npt.NDArray[np.float32]
    """The free distance along each bearing."""
    states: npt.NDArray[np.uint8]
    """The grid, rows along y of columns along x: 0 unknown, 1 free, 2 occupied, 3 a drop."""
    tops: npt.NDArray[np.uint16]
    """The height of what is in each occupied cell of the grid, in mm."""
    axes: npt.NDArray[np.float64]
    """Forward, left and up as rows of unit vectors in the camera's axes."""

    def __init__(
        self,
        info: ObstaclesInfo,
        objects: npt.NDArray[Any],
        lost: npt.NDArray[np.uint32],
        hidden: npt.NDArray[np.uint32],
        ranges: npt.NDArray[np.float32],
        free: npt.NDArray[np.float32],
        states: npt.NDArray[np.uint8],
        tops: npt.NDArray[np.uint16],
        *,
        axes: npt.NDArray[np.float64],
        **common: Any,
    ) -> None:
        super().__init__(**common)
        self.info = info
        self.objects, self.lost, self.hidden, self.ranges, self.free = objects, lost, hidden, ranges, free
        self.states, self.tops = (cells.reshape(info.grid_rows, info.grid_columns) for cells in (states, tops))
        self.axes = axes

    def __repr__(self) -> str:
        info = self.info
        return (
            f"<rdpsegment.Obstacles {info.frame}: {info.width}x{info.height}, ground {info.ground}, "
            f"{len(self.objects)} objects, {len(self.ranges)} bearings>"
        )

    def __len__(self) -> int:
        return len(self.objects)

    @property
    def angles(self) -> npt.NDArray[np.float64]:
        """The direction of each bearing's middle in rad, from x towards y."""
        np = _errors.numpy()
        result: npt.NDArray[np.float64] = (
            self.info.angle_min + self.info.angle_increment * np.arange(len(self.ranges))
        )
        return result

    @property
    def occupancy(self) -> npt.NDArray[np.int8]:
        """The grid as ROS's OccupancyGrid has it: -1 unknown, 0 free, 100 occupied or a drop."""
        np = _errors.numpy()
        result: npt.NDArray[np.int8] = np.array([-1, 0, 100, 100], "i1")[self.states]
        return result

    def to_bytes(self) -> bytes:
        """The binary form, the same bytes as gst_rdp_obstacles_to_bytes() writes."""
        arrays = [getattr(self, array.name) for array in _ARRAYS]
        counts = (*self.axes.ravel(), *(len(array) for array in arrays[:4]))
        return KIND.to_bytes(vars(self.info), counts, *arrays)


def _info_error(info: ObstaclesInfo, axes: Any) -> str:
    """The fault of the info by rules that rows of the table cannot express."""
    np = _errors.numpy()
    ground = (info.camera_height or 0, info.pitch, info.roll, info.refined)
    grid = (info.grid_columns, info.grid_rows)
    for bad, expected, got in (
        (info.ground is None and any(ground), "camera_height, pitch, roll, refined: expected 0 without ground",
         ground),
        ((grid[0] == 0) != (grid[1] == 0), "grid_columns, grid_rows: expected 0 for both or for none", grid),
        ((grid[0] > 0) != (info.cell_size > 0), "cell_size: expected a number above 0, and 0 without a grid",
         info.cell_size),
        (not np.isfinite(axes).all(), "axes: expected nine finite numbers", axes.tolist()),
        (info.ground is None and (axes != np.eye(3)).any(), "axes: expected the identity without ground",
         axes.tolist()),
    ):  # fmt: skip
        if bad:
            return f"{expected}, got {got!r}"
    return ""


def _objects_wrong(info: ObstaclesInfo, objects: Any) -> Any:
    """The wrong ones, and the expectation, by the library's rules."""
    np = _errors.numpy()
    flags = objects["flags"]
    speed = (flags & 2) != 0
    vx, vy = objects["vx"], objects["vy"]
    places = [np.isfinite(objects[name]) for name in ("x", "y", "yaw")]
    lengths = [no_length(objects[name]) for name in ("length", "width", "height", "distance")]
    end_column = objects["column"].astype("u4") + objects["columns"]
    end_row = objects["row"].astype("u4") + objects["rows"]
    return (
        (~np.logical_and.reduce(places), "finite numbers x, y and yaw"),
        (np.logical_or.reduce(lengths), "length, width, height and distance of 0 or more"),
        ((flags > 15) | (~speed & (flags > 1)), "flags that are a sum of 1, 2, 4, 8, with 2 where 4 or 8 are"),
        (np.where(speed, ~(np.isfinite(vx) & np.isfinite(vy)), ~(np.isnan(vx) & np.isnan(vy))),
         "vx and vy where the flags have 2, else NaN"),
        ((end_column > info.width) | (end_row > info.height), f"a box in the {info.width}x{info.height} frame"),
    )  # fmt: skip


@compares_nan
def _error(
    info: ObstaclesInfo, objects: Any, lost: Any, hidden: Any, ranges: Any, free: Any, states: Any, tops: Any,
    *, axes: Any,
) -> str:  # fmt: skip
    """The fault by the library's rules; empty: none."""
    if wrong := _fields.error(FIELDS, info) or _info_error(info, axes):
        return wrong
    return (
        first_wrong("object", objects, _objects_wrong(info, objects))
        or first_wrong("range", ranges, [(ranges < 0, "0 or more, infinity, or NaN")])
        or first_wrong("free distance", free, [(no_length(free), "a number of 0 or more")])
        or first_wrong("state", states, [(states > 3, "0 to 3")])
        or first_wrong("top", tops, [((states != _OCCUPIED) & (tops > 0), "0 where a cell is not occupied")])
    )


def _lengths(info: ObstaclesInfo, counts: tuple[Any, ...]) -> tuple[int, ...]:
    cells = info.grid_columns * info.grid_rows
    return (*counts[9:12], counts[12], counts[12], cells, cells)


def _axes_of(numbers: Any) -> dict[str, Any]:
    axes = _errors.numpy().array(numbers, "f8").reshape(3, 3)
    return {"axes": read_only(axes)[0]}


def _axes_of_ground(pitch: float, roll: float) -> list[list[float]]:
    """The axes of a camera with this pitch and roll."""
    n = (math.sin(roll) * math.cos(pitch), math.cos(roll) * math.cos(pitch), math.sin(pitch))
    steep = n[2] * n[2] > 0.75
    e = (n[1] * n[0], n[1] * n[1] - 1, n[1] * n[2]) if steep else (-n[2] * n[0], -n[2] * n[1], 1 - n[2] * n[2])
    length = math.hypot(*e)
    forward = [part / length for part in e]
    up = [-part for part in n]
    left = [up[i - 2] * forward[i - 1] - up[i - 1] * forward[i - 2] for i in range(3)]
    return [forward, left, up]


def _flag(part: Any, key: str) -> bool:
    if not isinstance(part.get(key), bool):
        raise unexpected(key, "true or false", part.get(key))
    return bool(part[key])


def _object_of_line(part: Any, index: int) -> list[Any]:
    """The values of an object in the order of OBJECTS; what it does not have is null."""
    if not isinstance(part, dict):
        raise unexpected("obstacles.objects", "an object", part, f", {index}")
    velocity, box = part.get("velocity"), part.get("box")
    if not isinstance(box, list) or len(box) != 4:
        raise unexpected("box", "four whole numbers", box, f" of object {index}")
    if velocity is not None and not (isinstance(velocity, list) and len(velocity) == 2):
        raise unexpected("velocity", "two numbers, or null", velocity, f" of object {index}")
    flags = int(_flag(part, "cut")) + 2 * (velocity is not None) + 4 * _flag(part, "over-ground")
    names = ("id", "age", "x", "y", "length", "width", "height", "yaw", "distance")
    return [*map(part.get, names), *(velocity or [None, None]), part.get("samples"), 0, flags, *box]


def _scan_of_line(part: dict[str, Any]) -> tuple[dict[str, float], Any, Any]:
    """The info's members, the ranges and the free distances."""
    np = _errors.numpy()
    scan = parts_of(part, "obstacles.scan")
    info = {name: number(scan, "obstacles.scan." + name.replace("_", "-"))
            for name in ("angle_min", "angle_increment", "range_max")}  # fmt: skip
    text = value_of(scan, "obstacles.scan.states", (str,), "a letter for each bearing")
    ranges, free = (values_of(scan, f"obstacles.scan.{key}", "<f4") for key in ("ranges", "free"))
    states = np.array(list(text), "U1")
    good = len(states) == len(ranges) == len(free) and np.isin(states, ["u", "o", "f"]).all()
    if not good or (np.isnan(ranges) == (states == "o")).any():
        raise unexpected("obstacles.scan.states", "u, o or f for each bearing, and a range where it is o", text)
    ranges[states == "f"] = np.inf
    return info, ranges, free


def _grid_of_line(part: dict[str, Any]) -> tuple[dict[str, Any], Any, Any]:
    """The info's members, the states and the tops."""
    np = _errors.numpy()
    if "obstacles.grid" not in part:
        return {}, np.zeros(0, "u1"), np.zeros(0, "<u2")
    grid = parts_of(part, "obstacles.grid")
    columns, rows = (whole(grid, f"obstacles.grid.{key}") for key in ("columns", "rows"))
    has_cells = 0 < columns <= _CELLS[1] and 0 < rows <= _CELLS[1]
    if not has_cells and (columns, rows) != (0, 0):  # without ground there are none
        raise unexpected("obstacles.grid", f"1 to {_CELLS[1]} columns and rows, or 0 of both", [columns, rows])
    runs = rows_of("obstacles.grid.runs", value_of(grid, "obstacles.grid.runs", (list,), "a list"),
                   np.dtype([("state", "u1"), ("length", "<u4")]))  # fmt: skip
    if int(runs["length"].sum(dtype="u8")) != columns * rows:
        raise unexpected("obstacles.grid.runs", f"{columns * rows} cells", int(runs["length"].sum(dtype="u8")))
    states = np.repeat(runs["state"], runs["length"])
    heights = np.rint(values_of(grid, "obstacles.grid.tops", "<f4") * 1000.0)
    if len(heights) != np.count_nonzero(states == _OCCUPIED) or not ((heights >= 0) & (heights < 65536)).all():
        raise unexpected("obstacles.grid.tops", "0 to 65.535 for each occupied cell", heights.tolist())
    tops = np.zeros(len(states), "<u2")
    tops[states == _OCCUPIED] = heights
    x, y, cell = (number(grid, f"obstacles.grid.{key}") for key in ("x", "y", "cell"))
    return dict(grid_x=x, grid_y=y, cell_size=cell, grid_columns=columns, grid_rows=rows), states, tops


def _of_line(line: dict[str, Any], common: dict[str, Any]) -> Obstacles:
    """The obstacles in a line that has some."""
    width, height = (whole(line, key) for key in size_keys(line, "obstacles"))
    part = parts_of(line, "obstacles")
    ground = part.get("obstacles.ground", "")
    if ground is not None and ground not in GROUNDS[1:]:
        raise unexpected("obstacles.ground", " or ".join(GROUNDS[1:]) + ", or null", ground)
    pitch, roll = (number(part, f"obstacles.{key}") for key in ("pitch", "roll"))
    above = None if ground is None else number(part, "obstacles.camera-height")
    scan, ranges, free = _scan_of_line(part)
    grid, states, tops = _grid_of_line(part)
    info = ObstaclesInfo(
        whole(line, "frame"), width, height, _flag(part, "obstacles.refined"), ground, above, pitch, roll,
        **scan, **grid,
    )  # fmt: skip
    objects = value_of(part, "obstacles.objects", (list,), "a list")
    rows = [_object_of_line(one, index) for index, one in enumerate(objects)]
    lost, hidden = (values_of(part, f"obstacles.{key}", "<u4") for key in ("lost", "hidden"))
    arrays = (rows_of("obstacles.objects", rows, OBJECTS.dtype), lost, hidden, ranges, free, states, tops)
    axes = _axes_of([[1, 0, 0], [0, 1, 0], [0, 0, 1]] if ground is None else _axes_of_ground(pitch, roll))
    KIND.check(info, *arrays, **axes)
    return Obstacles(info, *read_only(*arrays), **axes, **common)


KIND = KindDescription(
    "obstacles", b"RDPO", "obstacles", ObstaclesInfo, Obstacles,
    sizes=(200,), counts=struct.Struct("<9d4I"), counts_at=112,  # the first nine are `axes`
    arrays=_ARRAYS, fields=FIELDS, error=_error, of_line=_of_line, lengths=_lengths,
    extra=lambda info, counts: _axes_of(counts[:9]),
    extra_on=lambda library, buffer, meta, found: _axes_of(found.get_info().axes),
)  # fmt: skip
obstacles, obstacles_from_bytes = KIND.on, KIND.from_bytes
