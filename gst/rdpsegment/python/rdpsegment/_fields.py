# SPDX-License-Identifier: LGPL-2.1-or-later
"""The info of a kind of metadata as one table, with the same rows as the library's.

A row says where a member lies in the header of the binary form, and which values it takes. Reading,
writing and checking follow from it.
"""

from __future__ import annotations

import math
import struct
from typing import Any, Mapping, NamedTuple, Sequence

FINITE, NOT_NEGATIVE, POSITIVE = "a finite number", "a number of 0 or more", "a number above 0"


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

    def value(self, number: Any) -> Any:
        """The info's value for a number of the header's, or the library's."""
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


def read(fields: Sequence[Field], version: int, header: bytes) -> dict[str, Any]:
    """The members that the version has; as numbers where words have no such one."""
    values = {}
    for field in fields:
        if field.since <= version:
            (number,) = struct.unpack_from("<" + field.code, header, field.at)
            if field.bit:
                number = int(bool(number & field.bit))
            known = not field.words or number < len(field.words)
            values[field.name] = field.value(number) if known else number
    return values


def write(fields: Sequence[Field], version: int, values: Mapping[str, Any], header: bytearray) -> None:
    """Into a header of zeros."""
    for field in fields:
        if field.since <= version:
            number = values[field.name]
            if field.words:
                number = field.words.index(number)
            if field.bit:
                (others,) = struct.unpack_from("<I", header, field.at)
                number = others | (field.bit if number else 0)
            struct.pack_into("<" + field.code, header, field.at, number)


def flags(fields: Sequence[Field], version: int, header: bytes) -> tuple[int, int]:
    """The bits that the version has, and the word that is there."""
    known = [field for field in fields if field.bit and field.since <= version]
    bits = sum(field.bit for field in known)
    return bits, struct.unpack_from("<I", header, known[0].at)[0] if known else 0


def error(fields: Sequence[Field], info: Any) -> str:
    """The fault of the first member with a bad value; empty: none."""
    for field in fields:
        if wrong := field.error(getattr(info, field.name)):
            return wrong
    return ""
