# SPDX-License-Identifier: LGPL-2.1-or-later
"""Functions that need the library: segments on buffers, cameras and points."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from . import _errors
from ._frame import Frame
from ._kind import buffer_of
from ._segments import KIND

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# More surfaces than a batch can have.
_MAX_BATCH = 1024

_frame_of = KIND.of_library
"""The Frame of the library, a buffer, its metadata and the library's object."""


def segments(buffer: Any, batch_index: int | None = None) -> Frame | None:
    """The segments on a Gst.Buffer (or in a Gst.Sample), or None where it has none.

    Of a batch of frames, `batch_index` says which one; the first by default. Segments that are on a
    GPU are fetched; raises SegmentsLost where that fails, because an empty frame would mean
    something else.
    """
    return KIND.on(buffer, batch_index)


def batch(buffer: Any) -> list[Frame]:
    """The segments of all frames on a buffer, in the order of their numbers in it."""
    library = _errors.gir()
    buffer = buffer_of(buffer)
    expected = buffer.get_n_meta(library.SegmentMeta.get_info().api)
    frames: list[Frame] = []
    for index in range(_MAX_BATCH):
        if len(frames) == expected:
            break
        frame = segments(buffer, index)
        if frame is not None:
            frames.append(frame)
    return frames


def camera(buffer: Any) -> dict[str, Any] | None:
    """The camera of what a buffer shows at this moment, or None where it has none.

    As docs/camera.md describes its JSON: `json.dump()` makes of it a file for the property
    `calibration`. Raises Error where the camera was lost on the way, with the reason.
    """
    library = _errors.gir()
    with _errors.library_errors():
        found = library.buffer_get_camera(buffer_of(buffer))
    return None if found is None else camera_dict(found)


def read_cameras(
    files: str | os.PathLike[str], unit: float = 1.0, width: int = 0, height: int = 0
) -> list[dict[str, Any]]:
    """The cameras of calibration files, in their order: those that `calibration` takes.

    Several names have commas between them. `unit` is how many metres a unit of a length is where the
    file does not say it; the size of the frames chooses where a file has cameras of several sizes.
    Raises Error where a file is wrong.
    """
    return [camera_dict(view) for view in _views(files, unit, width, height)]


def _views(files: str | os.PathLike[str], unit: float, width: int, height: int) -> list[Any]:
    library = _errors.gir()
    with _errors.library_errors():
        return list(library.Camera.read_files(os.fspath(files), unit, width, height))


def camera_dict(found: Any) -> dict[str, Any]:
    """A GstRdpSegment.Camera as its JSON says it."""
    result: dict[str, Any] = json.loads(found.to_json())
    return result


def _camera_of(given: Any, info: Any) -> Any:
    """The library's camera of what users give."""
    library = _errors.gir()
    if isinstance(given, (str, os.PathLike)):
        return _views(given, 1.0, info.width, info.height)[0]
    if isinstance(given, dict):
        with _errors.library_errors():
            return library.Camera.new_from_json(json.dumps(given))
    return given


def points(segmentation: Any, given: Any) -> npt.NDArray[np.float32]:
    """Both ends of each segment in metres."""
    np = _errors.numpy()
    found = _camera_of(given, segmentation.get_info())
    with _errors.library_errors():
        data = segmentation.get_points(found).get_data()
    result: npt.NDArray[np.float32] = np.frombuffer(data or b"", "<f4").reshape(-1, 2, 3)
    return result
