# SPDX-License-Identifier: LGPL-2.1-or-later
"""The base of all elements' results: their frame, time and place."""

from __future__ import annotations

from typing import Any

from . import _errors, _library
from ._frame import Placement

NO_TIME = 2**64 - 1
"""GST_CLOCK_TIME_NONE."""


class Result:
    """The result of an element for one frame."""

    pts: int | None
    """The presentation time in nanoseconds; None where there is none, or it is not known."""
    batch_index: int
    """The number of the frame in its buffer, from 0."""
    placement: Placement | None
    """The frame's place in the picture that its buffer showed; None if it comes from a file."""
    camera: dict[str, Any] | None
    """The camera in a line of JSON; None where there is none, and of what comes from elsewhere."""
    file: str | None
    """The name of the file that the frame was read from; None where nobody says it."""

    def __init__(
        self,
        *,
        pts: int | None = None,
        batch_index: int = 0,
        placement: Placement | None = None,
        camera: dict[str, Any] | None = None,
        file: str | None = None,
    ) -> None:
        self.pts = pts
        self.batch_index = batch_index
        self.placement = placement
        self.camera = camera
        self.file = file


def found_on(buffer: Any, kind: str, batch_index: int | None) -> tuple[Any, dict[str, Any]]:
    """The library's object of a kind on a buffer or in a sample, and what its Result is made with.

    `kind` is its name in the library's functions. The object is None where the buffer has none.
    """
    library = _errors.gir()
    buffer = _library.buffer_of(buffer)
    if batch_index is None:
        meta = getattr(library, f"buffer_get_rdp_{kind}_meta")(buffer)
        found = getattr(library, f"buffer_get_{kind}")(buffer)
    else:
        meta = getattr(library, f"buffer_get_rdp_{kind}_meta_of_batch")(buffer, batch_index)
        found = getattr(library, f"buffer_get_batch_{kind}")(buffer, batch_index)
    if meta is None or found is None:
        return None, {}
    placement = getattr(library, f"{kind.capitalize()}Meta").get_placement(buffer, meta)
    return found, {
        "pts": None if buffer.pts == NO_TIME else buffer.pts,
        "batch_index": meta.batch_index,
        "placement": Placement(*placement),
        "file": _library.file_of(library, buffer),
    }


def library_object(name: str, data: bytes) -> Any:
    """The library's object of a class, of its binary form; raises FormatError where it is none."""
    library = _errors.gir()
    from gi.repository import GLib

    try:
        return getattr(library, name).new_from_bytes(GLib.Bytes.new(data))
    except GLib.Error as error:
        raise _errors.FormatError(error.message) from error
