# SPDX-License-Identifier: LGPL-2.1-or-later
"""Segments, planes, feature tracks, motion, heights and obstacles as numpy arrays.

From files, without GStreamer: lines of JSON of the element rdpmetaconvert, and the binary forms of
gst_rdp_segmentation_to_bytes(), gst_rdp_planes_to_bytes(), gst_rdp_tracks_to_bytes(),
gst_rdp_motion_to_bytes(), gst_rdp_heights_to_bytes() and gst_rdp_obstacles_to_bytes(), one after the
other:

    import rdpsegment

    for frame in rdpsegment.read("segments.jsonl"):
        print(frame.info.width, frame.n_segments, frame.column(100)["last_row"])

From a pipeline (needs PyGObject and the library's typelib):

    for sample in rdpsegment.run("depthtestsrc num-buffers=3 ! rdpsegment ! appsink"):
        frame = rdpsegment.segments(sample)  # or planes(), tracks(), motion(), heights(), obstacles()

Of arrays (docs/python.md):

    planes = rdpsegment.find_planes(depth, focal_length=525.0, depth_unit=0.001)

Importing the module needs neither numpy nor PyGObject. What needs them says so.
"""

from __future__ import annotations

from typing import Any

from . import _frame, _heights, _motion, _obstacles, _planes, _tracks
from ._errors import Error, FormatError, LabelsLost, MissingModule, SegmentsLost, TracksLost
from ._frame import Frame, Ground, Info, SegmentClass
from ._heights import Heights, HeightsInfo, heights, heights_from_bytes
from ._kind import Placement
from ._library import batch, camera, read_cameras, segments
from ._motion import Motion, MotionFlags, MotionInfo, motion, motion_from_bytes
from ._obstacles import ObstacleFlags, Obstacles, ObstaclesInfo, obstacles, obstacles_from_bytes
from ._planes import Planes, PlanesInfo, planes, planes_from_bytes
from ._processor import Processed, Processor
from ._read import read
from ._run import Run, run
from ._segments import from_bytes
from ._short import StereoMatcher, Tracked, Tracker, find_obstacles, find_planes, find_segments
from ._tracks import LOST_REASONS, Tracks, TracksInfo, points_to_track, tracks, tracks_from_bytes

__version__ = "0.2.2"

__all__ = [
    "CORNER",
    "HEAD",
    "HEAD_TRACK",
    "LOST",
    "LOST_REASONS",
    "OBSTACLE",
    "PLANE",
    "SEGMENT",
    "SEGMENT_MOTION",
    "TRACK",
    "TRACK_MOTION",
    "TRACK_WARP",
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
    "ObstacleFlags",
    "Obstacles",
    "ObstaclesInfo",
    "Placement",
    "Planes",
    "PlanesInfo",
    "Processed",
    "Processor",
    "Run",
    "SegmentClass",
    "SegmentsLost",
    "StereoMatcher",
    "Tracked",
    "Tracker",
    "Tracks",
    "TracksInfo",
    "TracksLost",
    "batch",
    "camera",
    "find_obstacles",
    "find_planes",
    "find_segments",
    "from_bytes",
    "heights",
    "heights_from_bytes",
    "motion",
    "motion_from_bytes",
    "obstacles",
    "obstacles_from_bytes",
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


# Their dtypes are numpy's, which are made when they are asked for.
_ARRAYS = {
    "CORNER": _planes.CORNERS,
    "HEAD": _heights.HEADS,
    "HEAD_TRACK": _heights.HEAD_TRACKS,
    "LOST": _tracks.LOST,
    "OBSTACLE": _obstacles.OBJECTS,
    "PLANE": _planes.PLANES,
    "SEGMENT": _frame.SEGMENTS,
    "SEGMENT_MOTION": _motion.SEGMENTS,
    "TRACK": _tracks.TRACKS,
    "TRACK_MOTION": _motion.TRACKS,
    "TRACK_WARP": _tracks.WARPS,
}


def __getattr__(name: str) -> Any:
    if name in _ARRAYS:
        return _ARRAYS[name].dtype
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
