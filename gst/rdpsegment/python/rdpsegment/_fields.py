# SPDX-License-Identifier: LGPL-2.1-or-later
"""The info of a kind of metadata as a table, with the same rows as the library's.

A row is the metadata of a member of the info's dataclass. It says where the member lies in the header
of the binary form, and which values it takes. Reading, writing and checking follow from it.
"""

from __future__ import annotations

import dataclasses
import math
import struct
from typing import Any, Mapping, NamedTuple, Sequence

FINITE, NOT_NEGATIVE, POSITIVE = "a finite number", "a number of 0 or more", "a number above 0"
MAX_SIDE = 16384
SIDE = (1, MAX_SIDE)
NO_TIME = 2**64 - 1
"""GST_CLOCK_TIME_NONE."""


class Field(NamedTuple):
    """A member of the info."""

    name: str
    code: str
    """As struct writes it; "I" of a flag, whose word others have bits of."""
    at: int
    rule: str | tuple[int, int] = ""
    """One of the constants above, or the least and the largest number."""
    since: int = 1
    """The first version that has it."""
    bit: int = 0
    words: tuple[str, ...] = ()
    """The names of the numbers from 0 on."""
    none: int | None = None
    """The number that stands for None."""
    default: Any = None
    """The value where neither the version nor a line of JSON has the member."""

    def value(self, number: Any) -> Any:
        """The info's value for a number of the header's, or the library's."""
        if self.none is not None and number == self.none:
            return None
        if self.words:
            return self.words[int(number)]
        return bool(number) if self.bit else number

    def error(self, value: Any) -> str:
        """The fault of a value; empty: none. A value of None is unset."""
        if value is None:
            return ""
        if self.words:
            good, expected = value in self.words, " or ".join(self.words)
        elif isinstance(self.rule, tuple):
            good, expected = self.rule[0] <= value <= self.rule[1], f"{self.rule[0]} to {self.rule[1]}"
        else:
            good, expected = not self.rule or math.isfinite(value), self.rule
            good = good and not (self.rule == NOT_NEGATIVE and value < 0)
            good = good and not (self.rule == POSITIVE and value <= 0)
        return "" if good else f"{self.name}: expected {expected}, got {value!r}"


def row(code: str, at: int, rule: str | tuple[int, int] = "", **more: Any) -> dict[str, Any]:
    """The metadata of a member of a dataclass: its Field without the name."""
    return {"code": code, "at": at, "rule": rule, **more}


def fields_of(info: Any) -> tuple[Field, ...]:
    """The rows of a dataclass."""
    return tuple(Field(member.name, **member.metadata) for member in dataclasses.fields(info))


class Layout:
    """The members that a version of the binary form has, and their places in its header."""

    def __init__(self, fields: Sequence[Field], version: int) -> None:
        self._fields = [field for field in fields if field.since <= version]
        places = sorted({field.at: field.code for field in self._fields}.items())
        ends = [0, *(at + struct.calcsize(code) for at, code in places)]
        codes = (f"{at - end}x{code}" for (at, code), end in zip(places, ends))
        self._struct = struct.Struct("<" + "".join(codes))
        self._places = [at for at, _ in places]
        self.flags = sum(field.bit for field in self._fields)
        """The bits that have a meaning."""
        self._flags_at = next((field.at for field in self._fields if field.bit), None)

    def read(self, header: bytes) -> tuple[dict[str, Any], int]:
        """The members, as numbers where words have no such one; and the word of the flags."""
        numbers = dict(zip(self._places, self._struct.unpack_from(header)))
        values = {}
        for field in self._fields:
            number = numbers[field.at]
            if field.bit:
                number = int(bool(number & field.bit))
            known = not field.words or number < len(field.words)
            values[field.name] = field.value(number) if known else number
        return values, numbers.get(self._flags_at, 0)


def write(fields: Sequence[Field], version: int, values: Mapping[str, Any], header: bytearray) -> None:
    """Into a header of zeros."""
    for field in fields:
        if field.since <= version:
            number = values[field.name]
            if number is None:
                number = field.none
            elif field.words:
                number = field.words.index(number)
            if field.bit:
                (others,) = struct.unpack_from("<I", header, field.at)
                number = others | (field.bit if number else 0)
            struct.pack_into("<" + field.code, header, field.at, number)


def error(fields: Sequence[Field], info: Any) -> str:
    """The fault of the first member with a bad value; empty: none."""
    for field in fields:
        if wrong := field.error(getattr(info, field.name)):
            return wrong
    return ""
