# SPDX-License-Identifier: LGPL-2.1-or-later
"""Files of segments, planes, tracks, motion, heights and obstacles, whatever their form."""

from __future__ import annotations

import json
import os
from typing import IO, Any, Callable, Iterator, NamedTuple, Union

from . import _errors, _heights, _motion, _obstacles, _planes, _segments, _tracks
from ._frame import Frame
from ._heights import Heights
from ._json import NoNumber, short, unexpected, whole
from ._kind import read_up_to
from ._motion import Motion
from ._obstacles import Obstacles
from ._planes import Planes
from ._tracks import Tracks


Found = Union[Frame, Planes, Tracks, Motion, Heights, Obstacles]
"""The result that a file has."""


class Kind(NamedTuple):
    """A kind of metadata as read() needs it: its marks, and the functions that read one."""

    name: str
    """In errors, and as the attribute of a frame that another kind before it has, too."""
    magic: bytes
    key: str
    """The key of a line of JSON that has this kind."""
    read_next: Callable[[Any, bytes], Any]
    of_line: Callable[[dict[str, Any], dict[str, Any]], Any]
    """From a line, and the arguments that the results of all kinds take."""


# In the order in which lines have them.
KINDS = [
    Kind(kind.name, kind.magic, kind.key, kind.read_next, kind.of_line)
    for kind in (_segments.KIND, _planes.KIND, _tracks.KIND, _motion.KIND, _heights.KIND,
                 _obstacles.KIND)  # fmt: skip
]

_NO_TEXT = "expected lines of JSON in UTF-8"


def read(source: str | os.PathLike[str] | IO[Any]) -> Iterator[Found]:
    """The frames of a file, one after the other, as it is read.

    `source` names a file, or is one that is open: lines of JSON, or segmentations, planes, tracks,
    motion, heights and obstacles in their binary form without anything between them. Of planes alone
    come Planes, of tracks alone Tracks and so on; a line that has several gives the first of them,
    with the others as `planes`, `tracks`, `motion`, `heights` and `obstacles`. A pipe or a socket will
    do, buffered or not: each frame comes as soon as its line is there. Raises FormatError at a frame
    that is wrong, with its line or its place in the file; those before it have been given. OSError
    where the file cannot be read.
    """
    _errors.numpy()  # before the first frame
    if hasattr(source, "read"):
        return _frames(source, str(getattr(source, "name", "the stream")))
    return _opened(source)


def _opened(path: str | os.PathLike[str]) -> Iterator[Found]:
    with open(path, "rb") as file:
        yield from _frames(file, os.fspath(path))


def _frames(file: Any, name: str) -> Iterator[Found]:
    try:
        start = read_up_to(file, 4)
    except UnicodeDecodeError as error:  # of a file that was opened as text
        raise _errors.FormatError(f"{name}, line 1: {_NO_TEXT}: {error}") from error
    if any(start == kind.magic for kind in KINDS):
        yield from _binary_frames(file, name, start)
    else:
        yield from _line_frames(file, name, start)


def _binary_frames(file: Any, name: str, start: bytes) -> Iterator[Found]:
    number = 0
    while start:
        kind = next((kind for kind in KINDS if kind.magic == start), KINDS[0])
        try:
            yield kind.read_next(file, start)
        except _errors.FormatError as error:
            raise _errors.FormatError(f"{name}, {kind.name} {number}: {error}") from error
        start = read_up_to(file, 4)
        number += 1


def _line_frames(file: Any, name: str, start: Any) -> Iterator[Found]:
    number = 0
    while True:
        number += 1
        try:
            line = start + file.readline()
        except UnicodeDecodeError as error:
            raise _errors.FormatError(f"{name}, line {number} or later: {_NO_TEXT}: {error}") from error
        start = start[:0]
        if not line:
            return
        if not line.strip():
            continue
        try:
            yield _of_line(line)
        except _errors.FormatError as error:
            raise _errors.FormatError(f"{name}, line {number}: {error}") from error


def _of_line(text: str | bytes) -> Any:
    """The result in a line of JSON: that of its first kind, with the others as attributes."""
    try:
        line = json.loads(
            text.lstrip("\ufeff") if isinstance(text, str) else text.decode("utf-8-sig"),
            parse_constant=NoNumber,
        )
    except (ValueError, RecursionError) as error:
        end = text.rstrip()[-20:]
        closed = end.endswith("}" if isinstance(end, str) else b"}")
        hint = "" if closed else f" It ends with {end!r}: was it cut off, or does it go on in the next line?"
        raise _errors.FormatError(f"expected a line of JSON, got {short(text)}: {error}.{hint}") from error
    if not isinstance(line, dict):
        raise _errors.FormatError(f"expected a JSON object, got {short(line)}")
    camera = line.get("camera")
    if camera is not None and not isinstance(camera, dict):
        raise unexpected("camera", "an object", camera)
    file = line.get("file")
    if file is not None and not isinstance(file, str):
        raise unexpected("file", "the name of a file", file)
    pts = line.get("pts")
    common = {
        "pts": None if pts is None else whole(line, "pts"),
        "batch_index": whole(line, "batch-index") if "batch-index" in line else 0,
        "camera": camera,
        "file": file,
    }
    present = [kind for kind in KINDS if kind.key in line]
    if not present:
        keys = ", ".join(f'"{kind.key}"' for kind in KINDS)
        raise _errors.FormatError(
            f"expected a line of rdpmetaconvert, with one of the keys {keys}, got the keys {short(list(line))}"
        )
    first, *others = present
    frame = first.of_line(line, common)
    for kind in others:
        setattr(frame, kind.name, kind.of_line(line, common))
    return frame
