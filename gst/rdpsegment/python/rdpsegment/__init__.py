# SPDX-License-Identifier: LGPL-2.1-or-later
"""The segments of rdpsegment and the planes of depthplanes as numpy arrays.

From files, without GStreamer: lines of JSON of the element rdpmetaconvert, and the binary forms of
gst_rdp_segmentation_to_bytes() and gst_rdp_planes_to_bytes(), one after the other:

    import rdpsegment

    for frame in rdpsegment.read("segments.jsonl"):
        print(frame.info.width, frame.n_segments, frame.column(100)["last_row"])

From a pipeline (needs PyGObject and the library's typelib):

    for sample in rdpsegment.run("depthtestsrc num-buffers=3 ! rdpsegment ! appsink"):
        frame = rdpsegment.segments(sample)  # planes(sample) where there are planes

Importing the module needs neither numpy nor PyGObject. What needs them says so.
"""

from __future__ import annotations

from typing import Any

from ._binary import from_bytes
from ._errors import Error, FormatError, LabelsLost, MissingModule, SegmentsLost
from ._frame import Frame, Ground, Info, Placement, SegmentClass, segment_dtype
from ._library import batch, camera, read_cameras, segments
from ._planes import Planes, PlanesInfo, corner_dtype, plane_dtype, planes, planes_from_bytes
from ._read import read
from ._run import Run, run

__all__ = [
    "CORNER",
    "PLANE",
    "SEGMENT",
    "Error",
    "FormatError",
    "Frame",
    "Ground",
    "Info",
    "LabelsLost",
    "MissingModule",
    "Placement",
    "Planes",
    "PlanesInfo",
    "Run",
    "SegmentClass",
    "SegmentsLost",
    "batch",
    "camera",
    "from_bytes",
    "planes",
    "planes_from_bytes",
    "read",
    "read_cameras",
    "run",
    "segments",
]


def __getattr__(name: str) -> Any:
    # The dtypes are numpy's: they are made when they are asked for.
    dtypes = {"CORNER": corner_dtype, "PLANE": plane_dtype, "SEGMENT": segment_dtype}
    if name in dtypes:
        return dtypes[name]()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
