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
        raise unexpected(key, expected, value)
    return value


def whole(line: dict[str, Any], key: str) -> int:
    value = value_of(line, key, (int,), "a whole number")
    if value < 0:
        raise unexpected(key, "0 or more", value)
    if value >= 2**64:
        raise unexpected(key, "less than 2^64", value)
    return int(value)


def below(line: dict[str, Any], key: str, bits: int) -> int:
    """A whole number of so many bits."""
    value = whole(line, key)
    if value >= 2**bits:
        raise unexpected(key, f"less than 2^{bits}", value)
    return value


def parts_of(line: dict[str, Any], key: str) -> dict[str, Any]:
    """The members of an object, with keys that name it: errors say them."""
    members = value_of(line, key, (dict,), "an object")
    return {f"{key}.{name}": value for name, value in members.items()}


def size_keys(line: dict[str, Any], kind: str) -> tuple[str, str]:
    """The keys of a kind's size, which is the line's where it has none of its own."""
    own = f"{kind}-width" in line
    return (f"{kind}-width", f"{kind}-height") if own else ("width", "height")


def number(line: dict[str, Any], key: str) -> float:
    value = value_of(line, key, (int, float), "a number")
    result = as_float(value)
    if not math.isfinite(result):
        raise unexpected(key, "a number up to 1.8e308", value)
    return result


def as_float(value: float) -> float:
    """Infinite where a whole number is beyond all floats."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


class NoNumber:
    """NaN and the like in a line: JSON has none of them, and null stands for what is not known."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


def short(value: Any) -> str:
    try:
        text = repr(value)
    except RecursionError:  # it takes more of the stack than to read it did
        text = f"a {type(value).__name__} that is nested too deeply"
    return text if len(text) <= 60 else text[:57] + "..."


def unexpected(key: str, expected: str, value: Any, place: str = "") -> _errors.FormatError:
    """The error of a value; `place` is in the key's."""
    return _errors.FormatError(f'"{key}"{place}: expected {expected}, got {short(value)}')


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


def too_large(floats: Any) -> int | None:
    """The index of the first number of a line that a float cannot hold, or None."""
    np = _errors.numpy()
    found = np.isinf(floats)
    return int(np.argmax(found)) if found.any() else None


def rows_of(
    key: str,
    entries: list[Any],
    dtype: Any,
    words: dict[int, dict[str, int]] | None = None,
    nothing: list[Any] | None = None,
) -> Any:
    """Entries that are lists of one value for each member, as an array. null is NaN.

    `words` says of the members that are words what these mean; `nothing` is the list that an entry
    stands for that is null, where there may be some. The other members are whole numbers as far as
    the dtype has them.
    """
    np = _errors.numpy()
    names = dtype.names
    most = {i: np.iinfo(dtype[name]).max for i, name in enumerate(names) if dtype[name].kind == "u"}
    table = np.zeros((len(entries), len(names)), "f8")
    for row, entry in enumerate(entries):
        if entry is None and nothing is not None:
            entry = nothing
        if not isinstance(entry, list) or len(entry) != len(names):
            raise unexpected(key, f"{len(names)} values", entry, f", {row}")
        for i, value in enumerate(entry):
            if words and i in words:
                number = words[i].get(value, 0) if isinstance(value, str) else 0
                good = number > 0
            elif i in most:
                good, number = type(value) is int and 0 <= value <= most[i], value
            else:
                good = value is None or type(value) in (int, float)
                number = math.nan if value is None else value
            if not good:
                raise unexpected(key, ", ".join(names), entry, f", {row}")
            table[row, i] = as_float(number)
    array = np.zeros(len(entries), dtype)
    for i, name in enumerate(names):
        column = np.ascontiguousarray(table[:, i])
        array[name] = column if i in most else exact_floats(column)
        if i not in most and (wrong := too_large(array[name])) is not None:
            raise unexpected(key, f"{name} up to 3.4e38", entries[wrong], f", {wrong}")
    return array


def values_of(part: dict[str, Any], key: str, type: str) -> Any:
    """A list of numbers as an array; null is NaN."""
    values = value_of(part, key, (list,), "a list")
    dtype = _errors.numpy().dtype([("value", type)])
    return rows_of(key, [[value] for value in values], dtype)["value"].copy()
