# SPDX-License-Identifier: LGPL-2.1-or-later
"""Segments as a kind of metadata: docs/internals/metadata-formats.md describes versions 1 to 5 of their form."""

from __future__ import annotations

import struct
from typing import Any

from . import _check, _errors, _lines
from ._fields import fields_of
from ._frame import FIELDS, MAX_SAMPLE, OFFSETS, SEGMENTS, Frame, Info
from ._kind import KindDescription

# The element's defaults for members that a version, or a line of JSON, does not have.
_DEFAULTS = {field.name: field.default for field in fields_of(Info) if field.default is not None}


def _info_of(values: dict[str, Any], counts: tuple[int, ...]) -> Info:
    n_columns, n_segments = counts
    values = {**_DEFAULTS, **values}
    if values["domain"] not in ("linear", "inverse"):
        raise _errors.FormatError(
            f"domain: expected 0 (linear) or 1 (inverse), got {values['domain']}"
        )
    for name in ("min_value", "max_value"):
        values[name] = min(values[name], MAX_SAMPLE)
    info = Info(**values)
    if wrong := _check.info_error(info):
        raise _errors.FormatError(wrong)
    if n_columns != info.n_columns:
        raise _errors.FormatError(
            f"columns: expected {info.n_columns} of a frame {info.width} wide with column_width "
            f"{info.column_width}, got {n_columns}"
        )
    if n_segments > n_columns * info.height:
        raise _errors.FormatError(
            f"segments: expected at most one for each of {n_columns * info.height} samples, got "
            f"{n_segments}"
        )
    return info


def _camera_on(library: Any, buffer: Any, meta: Any) -> Any:
    """The camera of the segmented frame; the reason, where it was lost."""
    try:
        with _errors.library_errors():
            return library.SegmentMeta.get_camera(buffer, meta)
    except _errors.Error as error:
        return _errors.Error(str(error))  # without a traceback, which holds the buffer


KIND = KindDescription(
    "segmentation", b"RDPS", "columns", Info, Frame,
    sizes=(80, 96, 112, 136, 136), counts=struct.Struct("<IQ"), counts_at=68,
    arrays=(OFFSETS, SEGMENTS), fields=FIELDS,
    error=_check.arrays_error, of_line=_lines.segments_of, info_of=_info_of,
    what="a segmentation", meta="segment", lost=_errors.SegmentsLost,
    lengths=lambda info, counts: (info.n_columns + 1, counts[1]),
    extra_on=lambda library, buffer, meta, found: {
        "library": found, "camera": _camera_on(library, buffer, meta)
    },
)  # fmt: skip


def from_bytes(data: bytes) -> Frame:
    """The frame in what gst_rdp_segmentation_to_bytes() has written; needs no GStreamer.

    The arrays are the memory of `data`, not copies. Raises FormatError where the bytes are anything
    else, whatever they are.
    """
    return KIND.from_bytes(data)


def to_bytes(frame: Frame, fill: bool = False) -> bytes:
    """The binary form of a frame, of the lowest version that says all of it.

    With `fill`, what the info does not say gets the element's defaults.
    """
    info = frame.info
    unset = [name for name in _DEFAULTS if getattr(info, name) is None]
    if info.domain == "linear" and "inverse_scale" in unset:
        unset.remove("inverse_scale")  # nobody reads it
    if "merge_bounded" in unset:
        unset.remove("merge_bounded")  # programs for 0.1 do not know of it
    if unset and not fill:
        raise _errors.Error(
            "the binary form says how segments were made, and a line of JSON does not: it lacks "
            f"{', '.join(unset)}. Set them: dataclasses.replace(frame.info, ...)"
        )
    values = {**_DEFAULTS, **{name: value for name, value in vars(info).items() if value is not None}}
    since = [field.since for field in FIELDS if field.default not in (None, values.get(field.name))]
    version = max([4 if info.ground_per_row else 1, *since])
    counts = (frame.n_columns, frame.n_segments)
    return KIND.to_bytes(values, counts, frame.offsets, frame.segments, version=version)
