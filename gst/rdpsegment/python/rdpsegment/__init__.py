# SPDX-License-Identifier: LGPL-2.1-or-later
"""The segments of rdpsegment as numpy arrays.

From files, without GStreamer: lines of JSON of the element rdpmetaconvert, and the binary form of
gst_rdp_segmentation_to_bytes(), one segmentation after the other:

    import rdpsegment

    for frame in rdpsegment.read("segments.jsonl"):
        print(frame.info.width, frame.n_segments, frame.column(100)["last_row"])

From buffers of a pipeline (needs PyGObject and the library's typelib):

    frame = rdpsegment.segments(buffer)

Importing the module needs neither numpy nor PyGObject. What needs them says so.
"""

from __future__ import annotations

from typing import Any

from ._binary import from_bytes
from ._errors import Error, FormatError, MissingModule, SegmentsLost
from ._frame import Frame, Ground, Info, Placement, SegmentClass, segment_dtype
from ._library import batch, camera, read_cameras, segments
from ._read import read

__all__ = [
    "SEGMENT",
    "Error",
    "FormatError",
    "Frame",
    "Ground",
    "Info",
    "MissingModule",
    "Placement",
    "SegmentClass",
    "SegmentsLost",
    "batch",
    "camera",
    "from_bytes",
    "read",
    "read_cameras",
    "segments",
]


def __getattr__(name: str) -> Any:
    # The dtype is numpy's: it is made when it is asked for.
    if name == "SEGMENT":
        return segment_dtype()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
