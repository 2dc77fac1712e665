# SPDX-License-Identifier: LGPL-2.1-or-later
"""Short forms of a Processor: a matcher and a tracker for those who come from OpenCV, and functions of one frame."""

from __future__ import annotations

import collections
import math
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator

from . import _errors
from ._frame import Frame
from ._obstacles import Obstacles
from ._planes import Planes
from ._processor import Processed, Processor, near
from ._tracks import points_to_track

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# The processors that functions keep in a thread.
_MOST_KEPT = 8
# The rows of a block.
_ROWS = 64


def _set(owner: str, element: Any, spec: Any, value: Any) -> None:
    said = f"{owner}: {spec.name.replace('-', '_')}: expected "
    if hasattr(spec, "enum_class"):
        names = [member.value_nick for member in spec.enum_class.__enum_values__.values()]
        if str(value) not in names:
            raise ValueError(f"{said}{' or '.join(map(repr, names))}, got {value!r}")
        _errors.gst().util_set_object_arg(element, spec.name, str(value))
        return
    if hasattr(spec, "minimum"):
        is_number = hasattr(value, "__index__" if isinstance(spec.minimum, int) else "__float__")
        if not is_number or not math.isfinite(value) or not spec.minimum <= value <= spec.maximum:
            kind = "a whole number" if isinstance(spec.minimum, int) else "a number"
            raise ValueError(f"{said}{kind} from {spec.minimum:g} to {spec.maximum:g}, got {value!r}")
        value = int(value) if isinstance(spec.minimum, int) else float(value)
    elif spec.value_type.name == "gboolean":
        if isinstance(value, str) or value not in (True, False):
            raise ValueError(f"{said}True or False, got {value!r}")
        value = bool(value)
    elif spec.value_type.name == "GstValueArray":
        given = value.strip(" <>").split(",") if isinstance(value, str) else value
        try:
            numbers = [float(number) for number in given]
        except (TypeError, ValueError):
            numbers = []
        if len(numbers) != 3 or not any(numbers) or not all(map(math.isfinite, numbers)):
            raise ValueError(f"{said}three numbers that are not all 0, such as (0, -1, 0), got {value!r}")
        _errors.gst().util_set_object_arg(element, spec.name, f"<{','.join(map(repr, numbers))}>")
        return
    elif spec.value_type.name == "gchararray":
        value = str(value)
    element.set_property(spec.name, value)


class _Gray(Processor):
    """A processor of gray images of one size."""

    _gray = True

    def _pass(self, buffers: list[Any], layouts: list[Any], pts: int) -> Any:
        if layouts[0].shape != layouts[-1].shape:
            sides = zip(self._inputs, (layout.shape for layout in layouts))
            sizes = ", ".join(f"{name.rpartition('.')[2]} is {width}x{height}" for name, (height, width) in sides)
            raise ValueError(f"expected images of one size, got others: {sizes}")
        return super()._pass(buffers, layouts, pts)


def _made(
    owner: str, names: tuple[str, ...], properties: dict[str, Any], kind: type[Processor] = Processor, **options: Any
) -> Processor:
    """The processor of elements, each named like its factory, with these properties."""
    processor = kind(" ! ".join(f"{name} name={name}" for name in names), **options)
    elements = list(map(processor.pipeline.get_by_name, names))
    for keyword, value in properties.items():
        name = keyword.replace("_", "-")
        element = next((e for e in elements if e.find_property(name) is not None), None)
        if element is None:
            other = near(name, elements).replace("-", "_")
            hint = f": did you mean {other}?" if other else ""
            raise TypeError(f"{owner}: expected a property of {' or '.join(names)}, got {keyword!r}{hint}")
        _set(owner, element, element.find_property(name), value)
    return processor


def _there(processor: Processor, result: Processed | None) -> Processed:
    if result is None:
        raise _errors.Error("the frame was dropped: {}: {}".format(*processor.dropped or ("", "")))
    return result


class _Short:
    """An object with a processor of one element."""

    element: Any
    """The Gst.Element, whose properties may change between calls."""

    def __init__(self, name: str, properties: dict[str, Any], **options: Any) -> None:
        self._processor = _made(type(self).__name__, (name,), properties, _Gray, **options)
        self.element = self._processor.pipeline.get_by_name(name)

    def close(self) -> None:
        """Stops its threads; so does letting go of it."""
        self._processor.close()


def _blocks(source: Any, target: Any) -> Iterator[tuple[Any, Any]]:
    """Rows of both, few enough that what is computed of them stays in the processor's cache."""
    for top in range(0, len(source), _ROWS):
        yield source[top : top + _ROWS], target[top : top + _ROWS]


class StereoMatcher(_Short):
    """Matches the images of a rectified stereo pair, in the place of cv2.StereoSGBM.

        matcher = rdpsegment.StereoMatcher(disparities=128)
        disparity = matcher.disparity(left, right)

    Takes the properties of the element depthstereo, with dashes or underscores. The images are uint8
    of two dimensions; of any size, which may change.
    """

    def __init__(self, **properties: Any) -> None:
        super().__init__("depthstereo", properties, inputs=("depthstereo.left", "depthstereo.right"))
        if self.element.get_property("output").value_nick != "disparity":
            raise ValueError("StereoMatcher: expected output='disparity': for depth use a Processor")

    def _match(self, left: Any, right: Any) -> tuple[Any, int, int]:
        """The samples, the least disparity, and the one that samples count from."""
        first = self.element.get_property("min-disparity")
        return _there(self._processor, self._processor(left, right)).frame, first, min(0, first)

    def compute(self, left: Any, right: Any) -> npt.NDArray[np.int16]:
        """The disparity of the left image as OpenCV has it: 16 steps a pixel, (least disparity - 1) * 16
        where it is unknown, which is -16."""
        np = _errors.numpy()
        samples, first, zero = self._match(left, right)
        steps = np.empty_like(samples, order="C")
        for part, out in _blocks(samples, steps):
            np.add(part, 8, out=out)
            out >>= 4
            out -= (part == 0).view("u1") * np.uint16(16 * (zero - first + 1) % 65536)
            if zero:
                out += np.uint16(16 * zero % 65536)
        return steps.view("i2")

    def disparity(self, left: Any, right: Any) -> npt.NDArray[np.float32]:
        """The disparity of the left image in pixels, NaN where it is unknown."""
        np = _errors.numpy()
        samples, _, zero = self._match(left, right)
        pixels: npt.NDArray[np.float32] = np.empty(samples.shape, "f4")
        for part, out in _blocks(samples, pixels):
            np.multiply(part, np.float32(1 / 256), out=out)
            bits = out.view("u4")
            bits |= (part == 0).view("u1") * np.uint32(0x7FC00000)  # NaN, where there is 0
            if zero:
                out += np.float32(zero)
        return pixels


@dataclass(frozen=True, eq=False)
class Tracked:
    """The features of a frame: `ids, points, lost = tracker.track(frame)`."""

    ids: npt.NDArray[np.uint32]
    """Their numbers, which stay from frame to frame."""
    points: npt.NDArray[np.float32]
    """Their places, N x 2 in pixels."""
    lost: npt.NDArray[Any]
    """The features that ended with this frame: a structured array of the dtype `rdpsegment.LOST`."""
    motion: npt.NDArray[np.float32]
    """Their displacements since the frame before, N x 2; 0 of new ones."""
    tracks: npt.NDArray[Any]
    """All of it: a structured array of the dtype `rdpsegment.TRACK`."""
    warps: npt.NDArray[Any] | None
    """The warp of each: a structured array of the dtype `rdpsegment.TRACK_WARP`; None without."""

    def __iter__(self) -> Iterator[Any]:
        return iter((self.ids, self.points, self.lost))


class Tracker(_Short):
    """Tracks features from frame to frame, in the place of cv2.calcOpticalFlowPyrLK.

        tracker = rdpsegment.Tracker(cell=12)
        ids, points, lost = tracker.track(frame)

    Takes the properties of the element klttrack, with dashes or underscores. Frames are uint8 of two
    dimensions. With `detector="none"` there are only the points that you give.
    """

    def __init__(self, **properties: Any) -> None:
        super().__init__("klttrack", properties)

    def track(self, frame: Any, points: Any = None, time: float | None = None) -> Tracked:
        """The features in the next frame. `points`, N x 2, are tracked from this frame on, too; they get
        the next numbers in their order. A `time` before the last one begins anew."""
        np = _errors.numpy()
        if points is not None:
            points = np.asarray(points, "f8")
            if points.size and points.shape not in ((len(points), 2), (len(points), 1, 2)):
                raise ValueError(f"points: expected N x 2 or N x 1 x 2, x and y in pixels, got the shape {points.shape}")

        def add(buffer: Any) -> None:
            height, width = np.shape(frame)
            tracks = points_to_track(points, width, height).to_library()
            _errors.gir().buffer_add_rdp_tracks_meta(buffer, tracks)

        result = self._processor.process((frame,), time=time, prepare=None if points is None else add)
        found: Any = _there(self._processor, result).tracks
        floats = found.tracks.view("<f4").reshape(-1, 8)
        return Tracked(
            found.tracks["id"], floats[:, 2:4], found.lost, floats[:, 4:6], found.tracks, found.warps
        )


class _Kept(threading.local):
    """The processors of the functions: each thread has its own, those that it used last."""

    def __init__(self) -> None:
        self.processors: collections.OrderedDict[Any, Processor] = collections.OrderedDict()

    def call(self, owner: str, names: tuple[str, ...], frame: Any, properties: dict[str, Any], **options: Any) -> Any:
        """The Processed of a frame that has nothing to do with those before."""
        properties = {name: value.tolist() if hasattr(value, "tolist") else value for name, value in properties.items()}
        key = names, repr(sorted(properties.items())), *options.values()
        processor = self.processors.pop(key, None) or _made(owner, names, properties, **options)
        result = processor.process((frame,), time=0, anew=True)
        self.processors[key] = processor
        if len(self.processors) > _MOST_KEPT:
            self.processors.popitem(last=False)
        return _there(processor, result)


_kept = _Kept()


def find_planes(depth: Any, *, cloud: bool = False, **properties: Any) -> Planes:
    """The planes of a depth image: uint16 of two dimensions. With `cloud`, of points: float32, N x 3 or H x W x 3.

        planes = rdpsegment.find_planes(depth, focal_length=525.0, depth_unit=0.001)

    Takes the properties of the element depthplanes, with dashes or underscores. Nothing is kept between
    calls, but numbers of frames go on.
    """
    result: Planes = _kept.call("find_planes", ("depthplanes",), depth, properties, cloud=cloud).planes
    return result


def find_segments(depth: Any, **properties: Any) -> Frame:
    """The segments of a depth or disparity image: uint8 or uint16 of two dimensions.

        frame = rdpsegment.find_segments(depth, domain="inverse", epsilon=10)

    Takes the properties of the element rdpsegment, with dashes or underscores. Nothing is kept between
    calls.
    """
    result: Frame = _kept.call("find_segments", ("rdpsegment",), depth, properties).segments
    return result


def find_obstacles(depth: Any, **properties: Any) -> Obstacles:
    """The obstacles and the free space of a depth image: uint16 of two dimensions.

        obstacles = rdpsegment.find_obstacles(depth, focal_length=525.0, depth_unit=0.001)

    Takes the properties of the elements depthplanes, which finds the ground, and depthobstacles, with
    dashes or underscores. Nothing is kept between calls, so nothing has a speed: for a video use a
    Processor. Ids and numbers of frames go on.
    """
    elements = "depthplanes", "depthobstacles"
    result: Obstacles = _kept.call("find_obstacles", elements, depth, properties).obstacles
    return result
