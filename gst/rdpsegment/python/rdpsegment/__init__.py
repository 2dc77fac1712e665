# SPDX-License-Identifier: LGPL-2.1-or-later
"""Segments, planes, feature tracks, motion and heights as numpy arrays.

From files, without GStreamer: lines of JSON of the element rdpmetaconvert, and the binary forms of
gst_rdp_segmentation_to_bytes(), gst_rdp_planes_to_bytes(), gst_rdp_tracks_to_bytes(),
gst_rdp_motion_to_bytes() and gst_rdp_heights_to_bytes(), one after the other:

    import rdpsegment

    for frame in rdpsegment.read("segments.jsonl"):
        print(frame.info.width, frame.n_segments, frame.column(100)["last_row"])

From a pipeline (needs PyGObject and the library's typelib):

    for sample in rdpsegment.run("depthtestsrc num-buffers=3 ! rdpsegment ! appsink"):
        frame = rdpsegment.segments(sample)  # or planes(), tracks(), motion(), heights()

Importing the module needs neither numpy nor PyGObject. What needs them says so.
"""

from __future__ import annotations

from typing import Any

from ._binary import from_bytes
from ._errors import Error, FormatError, LabelsLost, MissingModule, SegmentsLost, TracksLost
from ._frame import Frame, Ground, Info, Placement, SegmentClass, segment_dtype
from ._heights import Heights, HeightsInfo, head_dtype, heights, heights_from_bytes
from ._library import batch, camera, read_cameras, segments
from ._motion import (
    Motion,
    MotionFlags,
    MotionInfo,
    motion,
    motion_from_bytes,
    segment_motion_dtype,
    track_motion_dtype,
)
from ._planes import Planes, PlanesInfo, corner_dtype, plane_dtype, planes, planes_from_bytes
from ._read import read
from ._run import Run, run
from ._tracks import (
    LOST_REASONS,
    Tracks,
    TracksInfo,
    lost_dtype,
    points_to_track,
    track_dtype,
    tracks,
    tracks_from_bytes,
)

__version__ = "0.2.2"

__all__ = [
    "CORNER",
    "HEAD",
    "LOST",
    "LOST_REASONS",
    "PLANE",
    "SEGMENT",
    "SEGMENT_MOTION",
    "TRACK",
    "TRACK_MOTION",
    "Error",
    "FormatError",
    "Frame",
    "Ground",
    "Heights",
    "HeightsInfo",
    "Info",
    "LabelsLost",
    "MissingModule",
    "Motion",
    "MotionFlags",
    "MotionInfo",
    "Placement",
    "Planes",
    "PlanesInfo",
    "Run",
    "SegmentClass",
    "SegmentsLost",
    "Tracks",
    "TracksInfo",
    "TracksLost",
    "batch",
    "camera",
    "from_bytes",
    "heights",
    "heights_from_bytes",
    "motion",
    "motion_from_bytes",
    "planes",
    "planes_from_bytes",
    "points_to_track",
    "read",
    "read_cameras",
    "run",
    "segments",
    "tracks",
    "tracks_from_bytes",
]


def __getattr__(name: str) -> Any:
    # The dtypes are numpy's: they are made when they are asked for.
    dtypes = {
        "CORNER": corner_dtype,
        "HEAD": head_dtype,
        "LOST": lost_dtype,
        "PLANE": plane_dtype,
        "SEGMENT": segment_dtype,
        "SEGMENT_MOTION": segment_motion_dtype,
        "TRACK": track_dtype,
        "TRACK_MOTION": track_motion_dtype,
    }
    if name in dtypes:
        return dtypes[name]()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
