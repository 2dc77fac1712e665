# SPDX-License-Identifier: LGPL-2.1-or-later
"""Segments in lines of JSON, as the element rdpmetaconvert writes them."""

from __future__ import annotations

import itertools
import math
from typing import Any

from . import _check, _errors
from ._frame import SEGMENTS, Frame, Ground, Info
from ._json import as_float, exact_floats, number, too_large, unexpected, value_of, whole
from ._kind import read_only


def nested(line: dict[str, Any], key: str, n_columns: int) -> tuple[list[Any], Any]:
    """A list for each column, one after the other, and how many entries each has."""
    columns = value_of(line, key, (list,), "a list for each column")
    if len(columns) != n_columns:
        raise unexpected(key, f"{n_columns} columns", len(columns))
    np = _errors.numpy()
    try:
        counts = np.fromiter(map(len, columns), "i8", n_columns)
        return list(itertools.chain.from_iterable(columns)), counts
    except TypeError:
        wrong = next(c for c, column in enumerate(columns) if not isinstance(column, list))
        raise unexpected(key, "a list", columns[wrong], f", column {wrong}") from None


def _rows(line: dict[str, Any], key: str, entries: list[Any], length: int) -> Any:
    """Entries that are lists of so many numbers, as an array of doubles. null is NaN."""
    np = _errors.numpy()
    if not entries:
        return np.empty((0, length))

    def is_wrong(entry: Any) -> bool:
        return not (
            isinstance(entry, list)
            and len(entry) == length
            and all(x is None or type(x) in (int, float) and math.isfinite(as_float(x)) for x in entry)
        )

    if all(isinstance(entry, list) and len(entry) == length for entry in entries):
        try:
            array = np.array(entries)
            if array.dtype.kind in "iuf":
                return array.astype("f8")
            if not any(map(is_wrong, entries)):  # null, or whole numbers that are too large
                return np.array(entries, dtype="f8")
        except (ValueError, TypeError, OverflowError):
            pass
    wrong = next(filter(is_wrong, entries), entries[0])
    raise unexpected(key, f"a list of {length} numbers for each segment", wrong)


def _segments(line: dict[str, Any], info: Info) -> tuple[Any, Any]:
    np = _errors.numpy()
    entries, counts = nested(line, "columns", info.n_columns)
    offsets = np.zeros(info.n_columns + 1, "<u4")
    np.cumsum(counts, out=offsets[1:])
    values = _rows(line, "columns", entries, 4)
    rows = values[:, :2]
    bad = ~((rows >= 0) & (rows < info.height) & (rows == np.floor(rows))).all(axis=1)
    if bad.any():
        index = int(np.argmax(bad))
        column = int(np.searchsorted(offsets, index, side="right")) - 1
        expected = f"rows of 0 to {info.height - 1}"
        raise unexpected("columns", expected, entries[index], f", column {column}")
    segments = np.empty(len(entries), SEGMENTS.dtype)
    segments["first_row"], segments["last_row"] = rows[:, 0], rows[:, 1]
    for name, column in (("first_value", 2), ("last_value", 3)):
        segments[name] = exact_floats(np.ascontiguousarray(values[:, column]))
    return offsets, segments


def _classes(line: dict[str, Any], info: Info, offsets: Any) -> tuple[Any, Ground | None]:
    if "classes" not in line:
        return None, None
    np = _errors.numpy()
    entries, counts = nested(line, "classes", info.n_columns)
    same_counts("classes", counts, offsets)
    if not all(type(entry) is int and 0 <= entry <= 3 for entry in entries):
        wrong = next(e for e in entries if not (type(e) is int and 0 <= e <= 3))
        raise unexpected("classes", "numbers of 0 to 3", wrong)
    classes = np.array(entries, dtype="u1")
    if line.get("ground-slope") is None:
        return classes, None
    horizon = line.get("horizon")
    return classes, Ground(
        number(line, "ground-slope"), math.inf if horizon is None else number(line, "horizon")
    )


def _ground_plane(line: dict[str, Any]) -> dict[str, int]:
    """The fields of the info that are the ground plane."""
    plane = line.get("ground-plane")
    if plane is None:
        return {}
    names = ("ground_offset", "ground_per_column", "ground_per_row")
    good = isinstance(plane, list) and len(plane) == 3
    good = good and all(type(v) in (int, float) for v in plane)
    steps = [as_float(v) * 2**32 for v in plane] if good else [math.nan]
    if not all(map(math.isfinite, steps)):
        raise unexpected("ground-plane", "three numbers", plane)
    return {name: round(value) for name, value in zip(names, steps)}


def _points(line: dict[str, Any], info: Info, offsets: Any) -> Any:
    if line.get("points") is None:
        return None
    entries, counts = nested(line, "points", info.n_columns)
    same_counts("points", counts, offsets)
    values = _rows(line, "points", entries, 6)
    points = exact_floats(values.reshape(-1)).reshape(-1, 2, 3)
    if (wrong := too_large(points)) is not None:
        raise unexpected("points", "metres up to 3.4e38", entries[wrong // 6])
    return points


def same_counts(key: str, counts: Any, offsets: Any) -> None:
    np = _errors.numpy()
    differ = np.flatnonzero(counts != np.diff(offsets))
    if len(differ):
        c = int(differ[0])
        expected = f"{int(offsets[c + 1]) - int(offsets[c])}, one for each segment"
        raise unexpected(key, expected, int(counts[c]), f", column {c}")


def segments_of(line: dict[str, Any], common: dict[str, Any]) -> Frame:
    """The segments in a line that has some."""
    domain = value_of(line, "domain", (str,), "linear or inverse")
    classify = "classes" in line
    info = Info(
        whole(line, "frame"), whole(line, "width"), whole(line, "height"),
        number(line, "epsilon"), number(line, "sample-scale"), domain,
        whole(line, "column-width"),
        number(line, "inverse-scale") if domain == "inverse" else None,
        classify=classify, **_ground_plane(line),
    )  # fmt: skip
    if wrong := _check.info_error(info):
        raise _errors.FormatError(wrong)
    offsets, segments = _segments(line, info)
    if wrong := _check.arrays_error(info, offsets, segments):
        raise _errors.FormatError(wrong)
    classes, ground = _classes(line, info, offsets)
    points = _points(line, info, offsets)
    read_only(offsets, segments, classes, points)
    return Frame(
        info, offsets, segments, classes=classes, ground=ground,
        **common, **({} if points is None else {"points": points}),
    )  # fmt: skip
