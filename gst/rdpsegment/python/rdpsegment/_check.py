# SPDX-License-Identifier: LGPL-2.1-or-later
"""The rules that make segments valid: the same as the library's."""

from __future__ import annotations

from typing import Any

from . import _errors, _fields
from ._fields import POSITIVE, Field
from ._frame import FIELDS, Info

def info_error(info: Info) -> str:
    """The fault of the info; empty: none."""
    return _fields.error(FIELDS, info) or _more_error(info)


def _more_error(info: Info) -> str:
    """Rules that rows of the table cannot express."""
    if info.domain == "inverse" and info.inverse_scale is not None:
        if wrong := Field("inverse_scale", "d", 0, POSITIVE).error(info.inverse_scale):
            return wrong
    if info.median not in (None, 0, 3, 5):
        return f"median: expected 0, 3 or 5, got {info.median!r}"
    if info.ground_per_row:
        limits = {"ground_per_row": (1, 2**44), "ground_per_column": (-(2**44), 2**44),
                  "ground_offset": (-(2**58), 2**58)}  # fmt: skip
        return _fields.error([Field(name, "q", 0, rule) for name, rule in limits.items()], info)
    for name in ("ground_offset", "ground_per_column"):
        if getattr(info, name) != 0:
            return f"{name}: expected 0, without a ground_per_row, got {getattr(info, name)!r}"
    return ""


def arrays_error(info: Info, offsets: Any, segments: Any) -> str:
    """The fault of the arrays, or "". The number of offsets is right."""
    np = _errors.numpy()
    if offsets[0] != 0:
        return f"the first offset: expected 0, got {offsets[0]}"
    if offsets[-1] != len(segments):
        return f"the last offset: expected the number of segments, {len(segments)}, got {offsets[-1]}"
    falls = np.flatnonzero(offsets[1:] < offsets[:-1])
    if len(falls):
        c = int(falls[0])
        return f"offset {c + 1}: expected {offsets[c]} or more, got {offsets[c + 1]}"

    def at(index: int) -> str:
        column = int(np.searchsorted(offsets, index, side="right")) - 1
        return f"column {column}, segment {index - int(offsets[column])}"

    first, last = segments["first_row"], segments["last_row"]
    for bad, expected, value in (
        (first > last, "its first row not below its last", lambda i: f"{first[i]} to {last[i]}"),
        (last >= info.height, f"rows below {info.height}", lambda i: f"row {last[i]}"),
        (
            ~(np.isfinite(segments["first_value"]) & np.isfinite(segments["last_value"])),
            "finite values",
            lambda i: f"{segments[i]['first_value']} and {segments[i]['last_value']}",
        ),
    ):
        if bad.any():
            index = int(np.argmax(bad))
            return f"{at(index)}: expected {expected}, got {value(index)}"
    if len(segments) > 1:
        starts = np.zeros(len(segments) + 1, bool)
        starts[offsets[:-1]] = True
        bad = ~starts[1:-1] & (first[1:] < last[:-1])
        if bad.any():
            index = int(np.argmax(bad)) + 1
            return (
                f"{at(index)}: expected it to begin at row {last[index - 1]} or below, where the "
                f"one above ends, got row {first[index]}"
            )
    counts = np.diff(offsets)
    if counts.max() > info.height:
        c = int(np.argmax(counts))
        return f"column {c}: expected at most {info.height} segments, got {counts[c]}"
    return ""
