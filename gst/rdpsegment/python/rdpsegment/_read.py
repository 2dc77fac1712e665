# SPDX-License-Identifier: LGPL-2.1-or-later
"""Files of segments and planes, whatever their form."""

from __future__ import annotations

import os
from typing import IO, Any, Iterator

from . import _binary, _errors, _lines, _planes
from ._frame import Frame
from ._planes import Planes

# The binary forms: what one is, and who reads the rest of it.
_KINDS = {_binary.MAGIC: ("segmentation", _binary.read_next), _planes.MAGIC: ("planes", _planes.read_next)}


def read(source: str | os.PathLike[str] | IO[Any]) -> Iterator[Frame | Planes]:
    """The frames of a file, one after the other, as it is read.

    `source` names a file, or is one that is open: lines of JSON, or segmentations and planes in
    their binary form without anything between them. Of planes alone come Planes, of a line that has
    both a Frame with `planes`. A pipe or a socket will do, buffered or not: each frame comes
    as soon as its line is there. Raises FormatError at a frame that is wrong, with its line or its place in the file; those
    before it have been given. OSError where the file cannot be read.
    """
    _errors.numpy()  # before the first frame
    if hasattr(source, "read"):
        return _frames(source, str(getattr(source, "name", "the stream")))
    return _opened(source)


def _opened(path: str | os.PathLike[str]) -> Iterator[Frame | Planes]:
    with open(path, "rb") as file:
        yield from _frames(file, os.fspath(path))


def _frames(file: Any, name: str) -> Iterator[Frame | Planes]:
    start = _binary.read_up_to(file, len(_binary.MAGIC))
    if start in _KINDS:
        yield from _binary_frames(file, name, start)
    else:
        yield from _line_frames(file, name, start)


def _binary_frames(file: Any, name: str, start: bytes) -> Iterator[Frame | Planes]:
    number = 0
    while start:
        kind, read_next = _KINDS.get(start, _KINDS[_binary.MAGIC])
        try:
            yield read_next(file, start)
        except _errors.FormatError as error:
            raise _errors.FormatError(f"{name}, {kind} {number}: {error}") from error
        start = _binary.read_up_to(file, len(_binary.MAGIC))
        number += 1


def _line_frames(file: Any, name: str, start: Any) -> Iterator[Frame | Planes]:
    number = 0
    while line := start + file.readline():
        number += 1
        start = start[:0]
        if not line.strip():
            continue
        try:
            yield _lines.frame_of(line)
        except _errors.FormatError as error:
            raise _errors.FormatError(f"{name}, line {number}: {error}") from error
