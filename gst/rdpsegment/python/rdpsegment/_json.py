# SPDX-License-Identifier: LGPL-2.1-or-later
"""Values of lines of JSON."""

from __future__ import annotations

import math
from typing import Any

from . import _errors


def value_of(line: dict[str, Any], key: str, kinds: tuple[type, ...], expected: str) -> Any:
    if key not in line:
        raise _errors.FormatError(f'expected the key "{key}", and it is not there')
    value = line[key]
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise _errors.FormatError(f'"{key}": expected {expected}, got {short(value)}')
    return value


def whole(line: dict[str, Any], key: str) -> int:
    value = value_of(line, key, (int,), "a whole number")
    if value < 0:
        raise _errors.FormatError(f'"{key}": expected 0 or more, got {short(value)}')
    if value >= 2**64:
        raise _errors.FormatError(f'"{key}": expected less than 2^64, got {short(value)}')
    return int(value)


def number(line: dict[str, Any], key: str) -> float:
    value = value_of(line, key, (int, float), "a number")
    return as_float(value)


def as_float(value: float) -> float:
    """Infinite where a whole number is beyond all floats."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def short(value: Any) -> str:
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
    with np.errstate(over="ignore"):  # next to the largest float
        far = np.nextafter(near, towards.astype("<f4"))
    tie = np.abs(wanted - near.astype("f8")) == np.abs(far.astype("f8") - wanted)
    for i in np.flatnonzero(tie):
        if float(str(near[i])) != wanted[i] and float(str(far[i])) == wanted[i]:
            floats[rounded[i]] = far[i]
    return floats
