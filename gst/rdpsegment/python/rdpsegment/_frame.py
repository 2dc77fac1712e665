# SPDX-License-Identifier: LGPL-2.1-or-later
"""One frame's segments, and what is known about them."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _errors
from ._fields import FINITE, MAX_SIDE, NOT_NEGATIVE, POSITIVE, SIDE, fields_of, row
from ._kind import Array, Placement, floats

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._heights import Heights
    from ._motion import Motion
    from ._obstacles import Obstacles
    from ._planes import Planes
    from ._tracks import Tracks

MAX_SAMPLE = 65535


class SegmentClass(enum.IntEnum):
    """The class of a segment: GstRdpSegmentClass."""

    OTHER = 0
    GROUND = 1
    UPRIGHT = 2
    FAR = 3


class Ground(NamedTuple):
    """The ground that segments were compared with to tell their classes."""

    slope: float
    """The rise of its values from one row to the next, in the unit of epsilon."""
    horizon: float
    """The row in which they reach 0, inside or outside of the frame; infinite where none has it."""


@dataclass(frozen=True)
class Info:
    """The segmented frame and the parameters: GstRdpSegmentationInfo.

    Lines of JSON do not say everything: what they leave out is None.
    """

    frame: int = field(metadata=row("Q", 8))
    """The number of frames that the element had segmented before this one."""
    width: int = field(metadata=row("I", 16, SIDE))
    height: int = field(metadata=row("I", 20, SIDE))
    epsilon: float = field(metadata=row("d", 24, NOT_NEGATIVE))
    """The tolerance, in sample steps times sample_scale."""
    sample_scale: float = field(metadata=row("d", 32, POSITIVE))
    domain: str = field(metadata=row("I", 48, (0, 1), words=("linear", "inverse")))
    """"linear": values are samples. "inverse": values are inverse_scale / sample."""
    column_width: int = field(metadata=row("I", 64, (1, 16)))
    """The number of pixel columns of one segmented column; the last may be narrower."""
    inverse_scale: float | None = field(default=None, metadata=row("d", 56, NOT_NEGATIVE, default=1e6))
    min_value: int | None = field(default=None, metadata=row("I", 40, (0, MAX_SAMPLE), default=1))
    max_value: int | None = field(default=None, metadata=row("I", 44, (0, MAX_SAMPLE), default=MAX_SAMPLE))
    median: int | None = field(default=None, metadata=row("I", 52, (0, 5), default=0))
    """0, 3 or 5: the side of the window."""
    merge_cost: float | None = field(default=None, metadata=row("d", 80, NOT_NEGATIVE, since=2, default=0.0))
    max_gap: int | None = field(default=None, metadata=row("I", 88, (0, MAX_SIDE), since=2, default=0))
    refine: bool | None = field(default=None, metadata=row("I", 92, since=2, bit=1, default=False))
    merge: bool | None = field(default=None, metadata=row("I", 92, since=2, bit=2, default=False))
    fit: str | None = field(
        default=None,
        metadata=row("I", 92, (0, 1), since=2, bit=8, words=("squares", "absolute"), default="squares"),
    )
    """"squares" or "absolute": where the lines of refine and merge lie."""
    classify: bool | None = field(default=None, metadata=row("I", 92, since=3, bit=4, default=False))
    ground_slope: float | None = field(default=None, metadata=row("d", 96, NOT_NEGATIVE, since=3, default=0.0))
    far_value: float | None = field(default=None, metadata=row("d", 104, FINITE, since=3, default=-1.0))
    ground_offset: int = field(default=0, metadata=row("q", 112, since=4))
    """The ground plane that classes were told by, in 2^-32 sample steps: its value in pixel (0, 0)."""
    ground_per_column: int = field(default=0, metadata=row("q", 120, since=4))
    """The rise of its value from one column to the next."""
    ground_per_row: int = field(default=0, metadata=row("q", 128, since=4))
    """And from one row to the next; 0: there is no such plane."""
    merge_bounded: bool | None = field(default=None, metadata=row("I", 92, since=5, bit=16, default=False))

    @property
    def n_columns(self) -> int:
        """The number of segmented columns."""
        return -(-self.width // self.column_width)


# The library's order of the rows.
_ORDER = (
    "frame", "width", "height", "epsilon", "sample_scale", "min_value", "max_value", "domain",
    "inverse_scale", "median", "column_width", "fit", "merge_cost", "max_gap", "refine", "merge",
    "merge_bounded", "classify", "ground_slope", "far_value", "ground_offset", "ground_per_column",
    "ground_per_row",
)  # fmt: skip
FIELDS = tuple(sorted(fields_of(Info), key=lambda field: _ORDER.index(field.name)))
OFFSETS = Array("offsets", "<u4")
SEGMENTS = Array(
    "segments", [("first_row", "<u2"), ("last_row", "<u2"), *floats("first_value", "last_value")]
)
"""A segment as GstRdpSegment lies in memory: 12 bytes."""


class _Unset:
    """Stands for what is worked out when it is first read."""


UNSET = _Unset()


class Frame:
    """The segments of one frame. Its arrays are read-only.

    The segments of all columns are in one array, column after column, each top to bottom. Those of
    column c are `frame.column(c)`; `frame.slice(c)` finds them in `segments`, `classes` and
    `points`.
    """

    info: Info
    """The segmented frame and the parameters."""
    pts: int | None
    """The presentation time in nanoseconds; None where there is none, or it is not known."""
    offsets: npt.NDArray[np.uint32]
    """The start of each column's segments; one more than there are columns."""
    segments: npt.NDArray[Any]
    """All segments: a structured array of the dtype `rdpsegment.SEGMENT`."""
    batch_index: int
    """The number of the frame in its buffer, from 0."""
    placement: Placement | None
    """Its place in the picture that its buffer showed; None if it comes from a file."""
    file: str | None
    """The name of the file that it was read from; None where nobody says it."""
    planes: Planes | None
    """The planes of the same frame, where a line of JSON has both."""
    tracks: Tracks | None
    """The feature tracks of the same frame, where a line of JSON has both."""
    motion: Motion | None
    """The motion of the segments, if a line of JSON has it."""
    heights: Heights | None
    """The heights of the same frame, where a line of JSON has both."""
    obstacles: Obstacles | None
    """The obstacles of the same frame, where a line of JSON has both."""

    def __init__(
        self,
        info: Info,
        offsets: npt.NDArray[np.uint32],
        segments: npt.NDArray[Any],
        *,
        pts: int | None = None,
        batch_index: int = 0,
        placement: Placement | None = None,
        classes: Any = UNSET,
        ground: Any = UNSET,
        points: Any = UNSET,
        camera: Any = None,
        library: Any = None,
        planes: Planes | None = None,
        file: str | None = None,
    ) -> None:
        self.info = info
        self.file = file
        self.planes = planes
        self.tracks = None
        self.motion = None
        self.heights = None
        self.obstacles = None
        self.offsets = offsets
        self.segments = segments
        self.pts = pts
        self.batch_index = batch_index
        self.placement = placement
        self._classes = classes
        self._ground = ground
        self._points = points
        self._camera = camera
        self._library = library

    def __repr__(self) -> str:
        info = self.info
        return (
            f"<rdpsegment.Frame {info.frame}: {info.width}x{info.height}, "
            f"{self.n_segments} segments in {self.n_columns} columns>"
        )

    @property
    def n_columns(self) -> int:
        """The number of segmented columns."""
        return len(self.offsets) - 1

    @property
    def n_segments(self) -> int:
        """The number of segments of all columns together."""
        return len(self.segments)

    def slice(self, column: int) -> slice:
        """The slice of a column's segments in `segments`, `classes` and `points`."""
        if not 0 <= column < self.n_columns:
            raise IndexError(f"column {column}: expected 0 to {self.n_columns - 1}")
        return slice(int(self.offsets[column]), int(self.offsets[column + 1]))

    def column(self, column: int) -> npt.NDArray[Any]:
        """The segments of a column, top to bottom: a view, not a copy."""
        return self.segments[self.slice(column)]

    @property
    def column_numbers(self) -> npt.NDArray[np.uint32]:
        """The column of each segment."""
        np = _errors.numpy()
        return np.repeat(np.arange(self.n_columns, dtype="<u4"), np.diff(self.offsets))

    @property
    def classes(self) -> npt.NDArray[np.uint8] | None:
        """The SegmentClass of each segment, a byte; None where none were asked for.

        The binary form does not hold them: the library works them out.
        """
        if self._classes is UNSET:
            self._classes = None
            if self.info.classify:
                data = self._segmentation().get_classes()
                if data is None:
                    raise MemoryError("no memory for the classes of the segments")
                self._classes = _errors.numpy().frombuffer(data.get_data() or b"", "u1")
        return self._classes

    @property
    def ground(self) -> Ground | None:
        """The ground that the classes were told by; None where there are none, or no ground."""
        if self._ground is UNSET:
            self._ground = None
            if self.info.classify:
                found, slope, horizon = self._segmentation().get_ground()
                self._ground = Ground(slope, horizon) if found else None
        return self._ground

    @property
    def camera(self) -> dict[str, Any] | None:
        """The camera that came with the frame, as docs/camera.md describes its JSON, or None.

        Raises Error where it was lost on the way, with the reason.
        """
        if isinstance(self._camera, Exception):
            raise _errors.Error(str(self._camera)) from self._camera
        if self._camera is not None and not isinstance(self._camera, dict):
            from . import _library

            return _library.camera_dict(self._camera)
        return self._camera

    @property
    def points(self) -> npt.NDArray[np.float32] | None:
        """Both ends of each segment in metres: x, y, z as floats, of the shape (segments, 2, 3).

        NaN where there is no distance. None where no camera came with the frame. Axes: x to the
        right, y down, z forward.
        """
        if self._points is UNSET:
            if isinstance(self._camera, Exception):
                raise _errors.Error(str(self._camera)) from self._camera
            self._points = None if self._camera is None else self.points_with(self._camera)
        return self._points

    def points_with(self, camera: Any) -> npt.NDArray[np.float32]:
        """`points`, with a camera of the frame that was segmented.

        It is the name of a calibration file, what `camera` or read_cameras() gave, or a
        GstRdpSegment.Camera.
        """
        from . import _library

        return _library.points(self._segmentation(), camera)

    def to_bytes(self) -> bytes:
        """The binary form, the same bytes as gst_rdp_segmentation_to_bytes() writes."""
        from . import _segments

        return _segments.to_bytes(self)

    def _segmentation(self) -> Any:
        """The library's own object."""
        if self._library is None:
            from . import _segments

            self._library = _segments.KIND.new_from_bytes(_segments.to_bytes(self, fill=True))
        return self._library
