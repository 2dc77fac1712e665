# SPDX-License-Identifier: LGPL-2.1-or-later
"""Lines of JSON, as the element rdpmetaconvert writes them."""

from __future__ import annotations

import itertools
import json
import math
from typing import Any

from . import _check, _errors
from ._frame import Frame, Ground, Info, segment_dtype


def _value(line: dict[str, Any], key: str, kinds: tuple[type, ...], expected: str) -> Any:
    if key not in line:
        raise _errors.FormatError(f'expected the key "{key}", and it is not there')
    value = line[key]
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise _errors.FormatError(f'"{key}": expected {expected}, got {_short(value)}')
    return value


def _whole(line: dict[str, Any], key: str) -> int:
    value = _value(line, key, (int,), "a whole number")
    if value < 0:
        raise _errors.FormatError(f'"{key}": expected 0 or more, got {_short(value)}')
    return int(value)


def _number(line: dict[str, Any], key: str) -> float:
    value = _value(line, key, (int, float), "a number")
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def exact_floats(values: Any) -> Any:
    """The floats whose shortest texts were read as these doubles.

    To round a text to a double and that to a float is to round twice. It makes a difference where
    the double lies in the middle between two floats: there it was written for the one whose text
    reads as this double.
    """
    np = _errors.numpy()
    with np.errstate(over="ignore"):
        floats = values.astype("<f4")
    (rounded,) = np.nonzero(np.isfinite(floats) & (floats != values))
    if not len(rounded):
        return floats
    near, wanted = floats[rounded], values[rounded]
    towards = np.where(wanted > near, np.float32(np.inf), np.float32(-np.inf))
    far = np.nextafter(near, towards.astype("<f4"))
    tie = np.abs(wanted - near.astype("f8")) == np.abs(far.astype("f8") - wanted)
    for i in np.flatnonzero(tie):
        if float(str(near[i])) != wanted[i] and float(str(far[i])) == wanted[i]:
            floats[rounded[i]] = far[i]
    return floats


def _nested(line: dict[str, Any], key: str, n_columns: int) -> tuple[list[Any], Any]:
    """A list for each column, one after the other, and how many entries each has."""
    columns = _value(line, key, (list,), "a list for each column")
    if len(columns) != n_columns:
        raise _errors.FormatError(
            f'"{key}": expected {n_columns} columns, got {len(columns)}'
        )
    np = _errors.numpy()
    try:
        counts = np.fromiter(map(len, columns), "i8", n_columns)
        return list(itertools.chain.from_iterable(columns)), counts
    except TypeError:
        odd = next(c for c, column in enumerate(columns) if not isinstance(column, list))
        raise _errors.FormatError(
            f'"{key}", column {odd}: expected a list, got {_short(columns[odd])}'
        ) from None


def _rows(line: dict[str, Any], key: str, entries: list[Any], length: int) -> Any:
    """Entries that are lists of so many numbers, as an array of doubles. null is NaN."""
    np = _errors.numpy()
    if not entries:
        return np.empty((0, length))
    kinds = (int, float, type(None))

    def odd(entry: Any) -> bool:
        return not (
            isinstance(entry, list)
            and len(entry) == length
            and all(isinstance(x, kinds) and not isinstance(x, bool) for x in entry)
        )

    if all(isinstance(entry, list) and len(entry) == length for entry in entries):
        try:
            array = np.array(entries)
            if array.dtype.kind in "iuf":
                return array.astype("f8")
            if not any(map(odd, entries)):  # null, or whole numbers that are too large
                return np.array(entries, dtype="f8")
        except (ValueError, TypeError, OverflowError):
            pass
    wrong = next(filter(odd, entries), entries[0])
    raise _errors.FormatError(
        f'"{key}": expected a list of {length} numbers for each segment, got {_short(wrong)}'
    )


def _segments(line: dict[str, Any], info: Info) -> tuple[Any, Any]:
    np = _errors.numpy()
    entries, counts = _nested(line, "columns", info.n_columns)
    offsets = np.zeros(info.n_columns + 1, "<u4")
    np.cumsum(counts, out=offsets[1:])
    values = _rows(line, "columns", entries, 4)
    rows = values[:, :2]
    bad = ~((rows >= 0) & (rows < info.height) & (rows == np.floor(rows))).all(axis=1)
    if bad.any():
        index = int(np.argmax(bad))
        column = int(np.searchsorted(offsets, index, side="right")) - 1
        raise _errors.FormatError(
            f'"columns", column {column}: expected rows of 0 to {info.height - 1}, got '
            f"{_short(entries[index])}"
        )
    segments = np.empty(len(entries), segment_dtype())
    segments["first_row"], segments["last_row"] = rows[:, 0], rows[:, 1]
    for name, column in (("first_value", 2), ("last_value", 3)):
        segments[name] = exact_floats(np.ascontiguousarray(values[:, column]))
    return offsets, segments


def _classes(line: dict[str, Any], info: Info, offsets: Any) -> tuple[Any, Ground | None]:
    if "classes" not in line:
        return None, None
    np = _errors.numpy()
    entries, counts = _nested(line, "classes", info.n_columns)
    _same_counts("classes", counts, offsets)
    if not all(type(entry) is int and 0 <= entry <= 3 for entry in entries):
        odd = next(e for e in entries if not (type(e) is int and 0 <= e <= 3))
        raise _errors.FormatError(f'"classes": expected numbers of 0 to 3, got {_short(odd)}')
    classes = np.array(entries, dtype="u1")
    if line.get("ground-slope") is None:
        return classes, None
    horizon = line.get("horizon")
    return classes, Ground(
        _number(line, "ground-slope"), math.inf if horizon is None else _number(line, "horizon")
    )


def _ground_plane(line: dict[str, Any]) -> dict[str, int]:
    """The fields of the info that are the ground plane."""
    plane = line.get("ground-plane")
    if plane is None:
        return {}
    names = ("ground_offset", "ground_per_column", "ground_per_row")
    good = isinstance(plane, list) and len(plane) == 3
    if not good or not all(type(v) in (int, float) and math.isfinite(v) for v in plane):
        raise _errors.FormatError(f'"ground-plane": expected three numbers, got {_short(plane)}')
    return {name: round(value * 2**32) for name, value in zip(names, plane)}


def _points(line: dict[str, Any], info: Info, offsets: Any) -> Any:
    if line.get("points") is None:
        return None
    entries, counts = _nested(line, "points", info.n_columns)
    _same_counts("points", counts, offsets)
    values = _rows(line, "points", entries, 6)
    return exact_floats(values.reshape(-1)).reshape(-1, 2, 3)


def _same_counts(key: str, counts: Any, offsets: Any) -> None:
    np = _errors.numpy()
    differ = np.flatnonzero(counts != np.diff(offsets))
    if len(differ):
        c = int(differ[0])
        raise _errors.FormatError(
            f'"{key}", column {c}: expected {int(offsets[c + 1]) - int(offsets[c])}, one for each '
            f"segment, got {counts[c]}"
        )


def frame_of(text: str | bytes) -> Frame:
    """The frame in a line of JSON."""
    try:
        line = json.loads(text if isinstance(text, str) else text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        end = text.rstrip()[-20:]
        closed = end.endswith("}" if isinstance(end, str) else b"}")
        hint = "" if closed else f" It ends with {end!r}: was it cut off?"
        raise _errors.FormatError(f"expected a line of JSON, got {_short(text)}: {error}.{hint}") from error
    if not isinstance(line, dict):
        raise _errors.FormatError(f"expected a JSON object, got {_short(line)}")
    if "planes" in line and "columns" not in line:
        raise _errors.FormatError(
            "expected a line of segments, got one of planes alone: json.loads() gives its numbers"
        )
    pts = line.get("pts")
    domain = _value(line, "domain", (str,), "linear or inverse")
    classify = "classes" in line
    info = Info(
        _whole(line, "frame"), _whole(line, "width"), _whole(line, "height"),
        _number(line, "epsilon"), _number(line, "sample-scale"), domain,
        _whole(line, "column-width"),
        _number(line, "inverse-scale") if domain == "inverse" else None,
        classify=classify, **_ground_plane(line),
    )  # fmt: skip
    if wrong := _check.info_error(info):
        raise _errors.FormatError(wrong)
    offsets, segments = _segments(line, info)
    if wrong := _check.arrays_error(info, offsets, segments):
        raise _errors.FormatError(wrong)
    classes, ground = _classes(line, info, offsets)
    points = _points(line, info, offsets)
    for array in (offsets, segments, classes, points):
        if array is not None:
            array.flags.writeable = False
    camera = line.get("camera")
    if camera is not None and not isinstance(camera, dict):
        raise _errors.FormatError(f'"camera": expected an object, got {_short(camera)}')
    return Frame(
        info, offsets, segments, classes=classes, ground=ground, camera=camera,
        pts=None if pts is None else _whole(line, "pts"),
        batch_index=_whole(line, "batch-index") if "batch-index" in line else 0,
        **({} if points is None else {"points": points}),
    )  # fmt: skip
