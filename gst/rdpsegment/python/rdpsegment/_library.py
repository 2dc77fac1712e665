# SPDX-License-Identifier: LGPL-2.1-or-later
"""Functions that need the library: segments on buffers, cameras and points."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from . import _errors
from ._frame import FIELDS, Frame, Info, Placement, segment_dtype

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# More surfaces than a batch can have.
_MAX_BATCH = 1024


def buffer_of(buffer: Any) -> Any:
    """Samples of an appsink have a buffer."""
    return buffer.get_buffer() if hasattr(buffer, "get_buffer") else buffer


def file_of(library: Any, buffer: Any) -> str | None:
    """The name of the file that a buffer was read from."""
    meta = library.buffer_get_rdp_file_meta(buffer)
    return None if meta is None else meta.name


def segments(buffer: Any, batch_index: int | None = None) -> Frame | None:
    """The segments on a Gst.Buffer (or in a Gst.Sample), or None where it has none.

    Of a batch of frames, `batch_index` says which one; the first by default. Segments that are on a
    GPU are fetched; raises SegmentsLost where that fails, because an empty frame would mean
    something else.
    """
    library = _errors.gir()
    buffer = buffer_of(buffer)
    if batch_index is None:
        meta = library.buffer_get_rdp_segment_meta(buffer)
        segmentation = library.buffer_get_segmentation(buffer)
    else:
        meta = library.buffer_get_rdp_segment_meta_of_batch(buffer, batch_index)
        segmentation = library.buffer_get_batch_segmentation(buffer, batch_index)
    if meta is None or segmentation is None:
        return None
    return _frame_of(library, buffer, meta, segmentation)


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


def _frame_of(library: Any, buffer: Any, meta: Any, segmentation: Any) -> Frame:
    np = _errors.numpy()
    glib_error = library_error()
    try:
        segmentation.fetch()
    except glib_error as error:
        raise _errors.SegmentsLost(error.message) from error
    offsets = np.frombuffer(segmentation.get_offsets().get_data(), "<u4")
    data = segmentation.get_segments().get_data() or b""
    pts = buffer.pts
    return Frame(
        _info_of(segmentation.get_info()),
        offsets,
        np.frombuffer(data, segment_dtype()),
        pts=None if pts == 2**64 - 1 else pts,
        batch_index=meta.batch_index,
        placement=Placement(*library.SegmentMeta.get_placement(buffer, meta)),
        camera=_segments_camera(library, buffer, meta, glib_error),
        library=segmentation,
        file=file_of(library, buffer),
    )


def _segments_camera(library: Any, buffer: Any, meta: Any, glib_error: Any) -> Any:
    """The camera of the segmented frame; the reason, where it was lost."""
    try:
        return library.SegmentMeta.get_camera(buffer, meta)
    except glib_error as error:
        return _errors.Error(error.message)


def library_error() -> Any:
    """The error that functions of the library raise."""
    from gi.repository import GLib

    return GLib.Error


def _info_of(info: Any) -> Info:
    return Info(**{field.name: field.value(getattr(info, field.name)) for field in FIELDS})


def segmentation_of(frame: Frame) -> Any:
    """A GstRdpSegment.Segmentation of a frame that came from a file."""
    from . import _binary

    library = _errors.gir()
    from gi.repository import GLib

    return library.Segmentation.new_from_bytes(GLib.Bytes.new(_binary.to_bytes(frame, fill=True)))


def camera(buffer: Any) -> dict[str, Any] | None:
    """The camera of what a buffer shows at this moment, or None where it has none.

    As docs/camera.md describes its JSON: `json.dump()` makes of it a file for the property
    `calibration`. Raises Error where the camera was lost on the way, with the reason.
    """
    library = _errors.gir()
    try:
        found = library.buffer_get_camera(buffer_of(buffer))
    except library_error() as error:
        raise _errors.Error(error.message) from error
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
    try:
        return list(library.Camera.read_files(os.fspath(files), unit, width, height))
    except library_error() as error:
        raise _errors.Error(error.message) from error


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
        try:
            return library.Camera.new_from_json(json.dumps(given))
        except library_error() as error:
            raise _errors.Error(error.message) from error
    return given


def points(segmentation: Any, given: Any) -> npt.NDArray[np.float32]:
    """Both ends of each segment in metres."""
    np = _errors.numpy()
    found = _camera_of(given, segmentation.get_info())
    try:
        data = segmentation.get_points(found).get_data()
    except library_error() as error:
        raise _errors.Error(error.message) from error
    result: npt.NDArray[np.float32] = np.frombuffer(data or b"", "<f4").reshape(-1, 2, 3)
    return result
