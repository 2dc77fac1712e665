# SPDX-License-Identifier: LGPL-2.1-or-later
"""The binary form of a segmentation, versions 1 to 5: docs/metadata-formats.md describes it."""

from __future__ import annotations

import struct
from typing import Any

from . import _check, _errors
from ._form import Form
from ._frame import FIELDS, MAX_SAMPLE, Frame, Info, segment_dtype

_SEGMENT_SIZE = 12
# The element's defaults for members that a version does not have.
_DEFAULTS = {"merge_cost": 0.0, "max_gap": 0, "refine": False, "merge": False,
             "fit": "squares", "classify": False, "ground_slope": 0.0, "far_value": -1.0,
             "merge_bounded": False}  # fmt: skip
# Members that lines of JSON lack, for library functions that ignore them.
_OTHER_DEFAULTS = {"inverse_scale": 1e6, "min_value": 1, "max_value": 65535, "median": 0}


def _info_of(said: dict[str, Any], counts: tuple[int, int]) -> Info:
    n_columns, n_segments = counts
    values = {**_DEFAULTS, **said}
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


def _size(info: Info, counts: tuple[int, int]) -> int:
    return 4 * (info.n_columns + 1) + _SEGMENT_SIZE * counts[1]


def _frame_of(info: Info, counts: tuple[int, int], data: bytes, start: int) -> Frame:
    np = _errors.numpy()
    n_offsets = info.n_columns + 1
    offsets = np.frombuffer(data, "<u4", n_offsets, start)
    segments = np.frombuffer(data, segment_dtype(), counts[1], start + 4 * n_offsets)
    for array in (offsets, segments):
        array.flags.writeable = False
    if wrong := _check.arrays_error(info, offsets, segments):
        raise _errors.FormatError(wrong)
    return Frame(info, offsets, segments)


FORM = Form(
    b"RDPS", "a segmentation", (80, 96, 112, 136, 136), FIELDS, struct.Struct("<IQ"), 68,
    _info_of, _size, _frame_of,
)  # fmt: skip


def from_bytes(data: bytes) -> Frame:
    """The frame in what gst_rdp_segmentation_to_bytes() has written; needs no GStreamer.

    The arrays are the memory of `data`, not copies. Raises FormatError where the bytes are anything
    else, whatever they are.
    """
    frame: Frame = FORM.from_bytes(data)
    return frame


def to_bytes(frame: Frame, fill: bool = False) -> bytes:
    """The binary form of a frame, of the lowest version that says all of it.

    With `fill`, what the info does not say gets the element's defaults.
    """
    info = frame.info
    values: dict[str, Any] = {**_OTHER_DEFAULTS, **_DEFAULTS}
    unsaid = [name for name in values if getattr(info, name) is None]
    if info.domain == "linear" and "inverse_scale" in unsaid:
        unsaid.remove("inverse_scale")  # nobody reads it
    if "merge_bounded" in unsaid:
        unsaid.remove("merge_bounded")  # programs for 0.1 do not know of it
    if unsaid and not fill:
        raise _errors.Error(
            "the binary form says how segments were made, and a line of JSON does not: it lacks "
            f"{', '.join(unsaid)}. Set them: dataclasses.replace(frame.info, ...)"
        )
    said = {field.name: getattr(info, field.name) for field in FIELDS}
    values.update({name: value for name, value in said.items() if value is not None})
    version = 1
    after_the_split = ("merge_cost", "max_gap", "refine", "merge", "fit")
    if any(values[name] != _DEFAULTS[name] for name in after_the_split):
        version = 2
    if any(values[name] != _DEFAULTS[name] for name in ("classify", "ground_slope", "far_value")):
        version = 3
    if info.ground_per_row:
        version = 4
    if values["merge_bounded"]:
        version = 5
    header = FORM.header(version, values, frame.n_columns, frame.n_segments)
    return header + frame.offsets.tobytes() + frame.segments.tobytes()
