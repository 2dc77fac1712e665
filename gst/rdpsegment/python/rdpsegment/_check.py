# SPDX-License-Identifier: LGPL-2.1-or-later
"""What makes segments valid: the same rules as the library's."""

from __future__ import annotations

import math
from typing import Any

from . import _errors
from ._frame import Info

MAX_SIDE = 16384
MAX_SAMPLE = 65535
MAX_COLUMN_WIDTH = 16


def info_error(info: Info) -> str:
    """What is wrong with it, or nothing."""

    def number(name: str, good: bool, expected: str) -> str:
        return "" if good else f"{name}: expected {expected}, got {getattr(info, name)!r}"

    def within(name: str, low: int, high: int) -> str:
        value = getattr(info, name)
        return number(name, value is None or low <= value <= high, f"{low} to {high}")

    def at_least_0(name: str) -> str:
        value = getattr(info, name)
        good = value is None or (math.isfinite(value) and value >= 0)
        return number(name, good, "a number of 0 or more")

    def above_0(name: str) -> str:
        value = getattr(info, name)
        good = value is None or (math.isfinite(value) and value > 0)
        return number(name, good, "a number above 0")

    def ground_plane() -> str:
        if info.ground_per_row == 0:
            return number("ground_offset", info.ground_offset == 0, "0, without a ground_per_row") or (
                number("ground_per_column", info.ground_per_column == 0, "0, without a ground_per_row")
            )
        return (
            within("ground_per_row", 1, 2**44)
            or within("ground_per_column", -(2**44), 2**44)
            or within("ground_offset", -(2**58), 2**58)
        )

    inverse = info.domain == "inverse"
    return (
        within("width", 1, MAX_SIDE)
        or within("height", 1, MAX_SIDE)
        or at_least_0("epsilon")
        or above_0("sample_scale")
        or within("min_value", 0, MAX_SAMPLE)
        or within("max_value", 0, MAX_SAMPLE)
        or number("domain", info.domain in ("linear", "inverse"), "linear or inverse")
        or (above_0 if inverse else at_least_0)("inverse_scale")
        or number("median", info.median in (None, 0, 3, 5), "0, 3 or 5")
        or within("column_width", 1, MAX_COLUMN_WIDTH)
        or number("fit", info.fit in (None, "squares", "absolute"), "squares or absolute")
        or at_least_0("merge_cost")
        or within("max_gap", 0, MAX_SIDE)
        or at_least_0("ground_slope")
        or number(
            "far_value", info.far_value is None or math.isfinite(info.far_value), "a finite number"
        )
        or ground_plane()
    )


def arrays_error(info: Info, offsets: Any, segments: Any) -> str:
    """What is wrong with the arrays, or nothing. There are as many offsets as there have to be."""
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
