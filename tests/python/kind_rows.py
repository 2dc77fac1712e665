# SPDX-License-Identifier: LGPL-2.1-or-later
"""The kinds of metadata as rows: objects as the library makes them, their lines of JSON, and lines that are wrong."""

import dataclasses
import functools
import io
import math
from typing import Any, Callable

import gi
import numpy as np

import rdpsegment
from kind_rig import convert, filled, new_buffer

gi.require_version("Gst", "1.0")
gi.require_version("GstRdpSegment", "1.0")
from gi.repository import GstRdpSegment  # noqa: E402


def info_of(kind, **fields):
    """The information of one of the library's objects, as Python programs make it."""
    info = getattr(GstRdpSegment, kind + "Info")()
    info.init()
    return filled(info, **fields)


def boxes(boxed, names, rows):
    return [filled(boxed(), **dict(zip(names, row))) for row in rows]


@dataclasses.dataclass
class Kind:
    """A kind of metadata; `arrays` are the names of members and the rows of each array of `make()`."""

    name: str
    make: Callable[[], Any]
    arrays: dict[str, tuple[tuple[str, ...], list[tuple[Any, ...]]]]
    itemsizes: dict[str, int]
    info: Any
    words: str  # of repr()
    line: bytes = b""
    bad: tuple[tuple[bytes, bytes, str], ...] = ()
    others: tuple[Callable[[], Any], ...] = ()  # objects that are valid as well
    properties: str = ""  # of rdpmetaconvert, for the whole line
    size: str = "width=8,height=6"
    before: Callable[[Any], Any] = lambda buffer: None  # what has to be on a buffer, too
    whole: bool = True  # the line says everything

    def on(self, buffer, batch_index=0):
        return getattr(rdpsegment, self.name)(buffer, batch_index)

    def of_bytes(self, data):
        return getattr(rdpsegment, f"{self.name}_from_bytes")(data)

    def of_line(self, text=None):
        (found,) = rdpsegment.read(io.BytesIO(self.line if text is None else text))
        return found

    @property
    def library(self):
        return getattr(GstRdpSegment, self.name.capitalize())

    def add(self, buffer, made=None, **fields):
        add = getattr(GstRdpSegment, f"buffer_add_rdp_{self.name}_meta")
        return filled(add(buffer, made or self.make()), **fields)

    def buffer(self, made=None, **fields):
        """A frame with this object, or the row's own."""
        buffer = new_buffer()
        self.before(buffer)
        self.add(buffer, made, **fields)
        return buffer

    def convert(self, made=None, properties=None):
        return convert(self.buffer(made), self.properties if properties is None else properties, self.size)


# Segments of a frame of 3x10: two, none, one; the binary form has five versions.

SEGMENT = ("first_row", "last_row", "first_value", "last_value")
SEGMENT_ROWS_OF_FRAME = [(0, 4, 10, 20.5), (4, 9, 20.5, 7), (3, 3, 1, 1)]


class Segments(Kind):
    """Segments came first, and have names of their own."""

    def of_bytes(self, data):
        return rdpsegment.from_bytes(data)

    library = GstRdpSegment.Segmentation

    def add(self, buffer, made=None, **fields):
        return filled(GstRdpSegment.buffer_add_rdp_segment_meta(buffer, made or self.make()), **fields)


def new_segmentation(**fields):
    info = info_of("Segmentation", frame=2**63 + 1, width=3, height=10, epsilon=2.5, **fields)
    segments = boxes(GstRdpSegment.Segment, SEGMENT, SEGMENT_ROWS_OF_FRAME)
    return GstRdpSegment.Segmentation.new(info, [0, 2, 2, 3], segments)


def add_camera(buffer):
    camera = info_of("Camera", width=3, height=10, focal_length=4, focal_length_y=4, rectified=True, depth_unit=0.001,
                     measures=GstRdpSegment.Measure.DEPTH)  # fmt: skip
    GstRdpSegment.buffer_add_rdp_camera_meta(buffer, GstRdpSegment.Camera.new(camera))


SEGMENTS = Segments(
    "segments", lambda: new_segmentation(classify=True, ground_slope=0.3),
    {"segments": (SEGMENT, SEGMENT_ROWS_OF_FRAME), "offsets": ((), [0, 2, 2, 3])}, {"SEGMENT": 12},
    rdpsegment.from_bytes(new_segmentation(classify=True, ground_slope=0.3).to_bytes().get_data()).info, "3x10",
    others=tuple(functools.partial(new_segmentation, **fields) for fields in (
        {"domain": GstRdpSegment.Domain.INVERSE}, {"max_gap": 3, "refine": True},
        {"classify": True, "ground_offset": -3 << 32, "ground_per_row": 1 << 30}, {"merge": True, "merge_bounded": True})),
    properties="points=true", size="width=3,height=10", before=add_camera, whole=False,
)  # fmt: skip

# Planes: a wall with a hull and a floor without, of a frame of 4x3, or of twelve points.

PLANE = ("normal_x", "normal_y", "normal_z", "distance", "centroid_x", "centroid_y", "centroid_z", "rms", "area",
         "inliers", "votes", "box_x", "box_y", "box_width", "box_height", "first_corner", "n_corners")  # fmt: skip
CORNER = ("column", "row", "x", "y", "z")
WALL = (0, 0, 1, 2, 0.5, 0, 0, 0.125, 1.5, 8, 9, 0, 0, 4, 2, 0, 3)
FLOOR = (0, 1, 0, 1.25, 0, 0, 0, 0, 0, 3, 0, 0, 2, 3, 1, 3, 0)
HULL = [(0, 0, -1.5, -1, 2), (3, 0, 1, -1, 2), (3, 1, 1.25, -1, 2)]
LABELS = [1] * 8 + [2] * 3 + [0]
OF_PLANES = {"frame": 2**63 + 1, "n_points": 12, "calibrated": True, "ground": 1, "camera_height": 1.25,
             "tolerance": 0.005, "min_inliers": 3}  # fmt: skip
OF_FRAME = {"width": 4, "height": 3, "focal_length": 3.5, "focal_length_y": 3.25, "principal_x": 1.5, "principal_y": 1,
            "noise": 0.001, "pitch": -0.5}  # fmt: skip


def new_planes(cloud=False):
    info = info_of("Planes", **OF_PLANES, cloud=cloud, **({} if cloud else OF_FRAME))
    planes = boxes(GstRdpSegment.Plane, PLANE, [row[:11] + (0,) * 4 + row[15:] if cloud else row for row in (WALL, FLOOR)])
    hull = [(-1, -1, *corner[2:]) if cloud else corner for corner in HULL]
    return GstRdpSegment.Planes.new(info, planes, boxes(GstRdpSegment.PlaneCorner, CORNER, hull), LABELS)


def no_planes(width=4, height=3):
    return GstRdpSegment.Planes.new(info_of("Planes", width=width, height=height, n_points=12), [], [], bytes(12))


PLANES = Kind(
    "planes", new_planes, {"planes": (PLANE, [WALL, FLOOR]), "corners": (CORNER, HULL)}, {"PLANE": 64, "CORNER": 20},
    rdpsegment.PlanesInfo(**{**OF_PLANES, **OF_FRAME, "cloud": False, "roll": 0}), "4x3, 2 planes",
    size="width=4,height=3", others=(lambda: new_planes(True), no_planes), whole=False,
)  # fmt: skip

# Tracks: one that is old and one that is new, with the warps of both or without.

TRACK = ("id", "age", "x", "y", "dx", "dy", "residual", "quality")
TRACKS_ROWS = [(3, 5, 1.5, 2.25, -0.5, 0.125, 1.75, 30.5), (9, 0, 7, 5, 0, 0, 0, 2.5)]
LOST = ("id", "reason", "x", "y")
WARPS = [(1.25, -0.5, 0.0625, 0.75, 3.5, 4), (1, 0, 0, 1, 0, 0)]
WARP = ("a", "b", "c", "d", "residual", "age")
TRACKS_LINE = (b'{"frame":7,"pts":9,"width":8,"height":6,"template-pts":40000000,'
               b'"tracks":[[3,5,1.5,2.25,-0.5,0.125,1.75,30.5],[9,0,7,5,0,0,0,2.5]],'
               b'"lost":[[1,"outside",0,3.0009766],[8,"crowded",4,4]]}\n')  # fmt: skip
WARPED_LINE = (TRACKS_LINE.replace(b'"outside"', b'"template"').removesuffix(b"}\n")
               + b',"warps":[[1.25,-0.5,0.0625,0.75,3.5,4],[1,0,0,1,0,0]]}\n')  # fmt: skip


def lost_rows(reason):
    crowded = int(GstRdpSegment.LostReason.CROWDED)
    return [(1, int(getattr(GstRdpSegment.LostReason, reason)), 0, 3 + 1 / 1024), (8, crowded, 4, 4)]


def new_tracks(template_pts=40000000, warped=False):
    info = info_of("Tracks", frame=7, width=8, height=6, template_pts=template_pts)
    tracks = boxes(GstRdpSegment.Track, TRACK, TRACKS_ROWS)
    lost = boxes(GstRdpSegment.LostTrack, LOST, lost_rows("TEMPLATE" if warped else "OUTSIDE"))
    if not warped:
        return GstRdpSegment.Tracks.new(info, tracks, lost)
    return GstRdpSegment.Tracks.new_with_warps(info, tracks, lost, boxes(GstRdpSegment.TrackWarp, WARP, WARPS))


def lost_to_template():
    """A lost track has the second version of bytes alone, too."""
    own = rdpsegment.tracks_from_bytes(new_tracks(warped=True).to_bytes().get_data())
    return rdpsegment.Tracks(own.info, own.tracks, own.lost).to_library()


TRACKS = Kind(
    "tracks", new_tracks, {"tracks": (TRACK, TRACKS_ROWS), "lost": (LOST, lost_rows("OUTSIDE"))}, {"TRACK": 32, "LOST": 16},
    rdpsegment.TracksInfo(7, 8, 6, 40000000), "8x6, 2 tracks, 2 lost", TRACKS_LINE, (
        (b'"lost":[', b'"found":[', '"lost"'),
        (b"[3,5,", b"[3,-5,", "id, age"),
        (b"30.5]", b"30.5,1]", "8 values"),
        (b'"outside"', b'"tracked"', "reason"),
        (b'"outside"', b"[]", "reason"),
        (b"1.75", b"-1.75", "residual"),
        (b'"width":8', b'"width":0', "width"),
        (b'"template-pts":40000000,', b"", "template-pts"),
        (b"40000000", b"1" + 30 * b"0", "less than 2^64"),
        (b'"frame":7', b'"frame":1' + 400 * b"0", "less than 2^64"),
        (b"1.75", b"1" + 400 * b"0", "residual"),
        (b"[3,5,1.5,", b"[3,5,-1" + 400 * b"0" + b",", "expected x up to 3.4e38"),
    ), others=(lambda: new_tracks(2**64 - 1),),
)  # fmt: skip
WARPED = dataclasses.replace(
    TRACKS, make=lambda: new_tracks(warped=True), line=WARPED_LINE, itemsizes={"TRACK_WARP": 24},
    arrays={"tracks": (TRACK, TRACKS_ROWS), "lost": (LOST, lost_rows("TEMPLATE")), "warps": (WARP, WARPS)}, bad=(
        (b",[1,0,0,1,0,0]", b"", "one for each of 2 tracks, or none, got 1"),
        (b"[1.25,", b"[null,", "finite a, b, c and d"),
        (b",3.5,4]", b",-3.5,4]", "residual of 0 or more"),
        (b",3.5,4]", b",3.5,-4]", "a, b, c, d, residual, age"),
        (b'"warps":[', b'"warps":7,"other":[', "a list"),
    ), others=(lost_to_template,),
)  # fmt: skip

# Motion of two columns of one segment, one of none, one of two.

NAN = math.nan
EGO = [0.8, 0.0, 0.6, 0.0, 0.0, 1.0, 0.0, 0.0, -0.6, 0.0, 0.8, -1.25]
COLUMNS = b'"columns":[[[0,4,10,20]],[],[[0,1,1,1],[1,2,1,0]],[[5,5,3,3]]]'
MOTION_HEAD = (b'{"frame":3,"pts":9,"width":4,"height":6,"epsilon":4.0,"sample-scale":1.0,"domain":"linear",'
               b'"column-width":1,')  # fmt: skip
MOTION_KEY = (b'"motion":{"dt":0.1,"ego":[0.8,0.0,0.6,0.0,0.0,1.0,0.0,0.0,-0.6,0.0,0.8,-1.25],'
              b'"columns":[[[5,7,-1.5,0.25,0.125,10,0,-0.5,0.75]],[],'
              b'[[3,0,2,-0.0625,0,null,null,null,null],null],[[65535,4,null,null,null,1e-05,0.1,-3e+09,0]]]')  # fmt: skip
MOTION_TRACKS = (b',"tracks":[[3,1.5,-0.25,20,10,0,-0.5,1.5],[4294967295,-2,0.5,8,null,null,null,null],'
                 b'[9,null,null,null,null,null,null,null]]')  # fmt: skip
SEGMENT_MOTION = ("tracks", "flags", "dx", "dy", "spread", "vx", "vy", "vz", "sigma")
SEGMENT_ROWS = [
    (5, 7, -1.5, 0.25, 0.125, 10, 0, -0.5, 0.75),
    (3, 0, 2, -0.0625, 0, NAN, NAN, NAN, NAN),
    (0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN),
    (65535, 4, NAN, NAN, NAN, 1e-5, 0.1, -3e9, 0),
]
TRACK_MOTION = ("id", "x", "y", "z", "vx", "vy", "vz", "sigma")
TRACK_ROWS = [
    (3, 1.5, -0.25, 20, 10, 0, -0.5, 1.5),
    (2**32 - 1, -2, 0.5, 8, NAN, NAN, NAN, NAN),
    (9, NAN, NAN, NAN, NAN, NAN, NAN, NAN),
]


def new_motion(ego=EGO, dt=0.1, segments=SEGMENT_ROWS, tracks=TRACK_ROWS):
    """The library's object, of what the module makes: programs in Python cannot set `ego`."""
    arrays = np.array(segments, rdpsegment.SEGMENT_MOTION), np.array(tracks, rdpsegment.TRACK_MOTION)
    info = rdpsegment.MotionInfo(7, 4, 6, dt, ego is not None)
    return rdpsegment.Motion(info, *arrays, None if ego is None else np.array(ego).reshape(3, 4)).to_library()


def add_segments(buffer, batch_index=0):
    rows = [[(0, 4, 10, 20)], [], [(0, 1, 1, 1), (1, 2, 1, 0)], [(5, 5, 3, 3)]]
    segments = boxes(GstRdpSegment.Segment, SEGMENT, sum(rows, []))
    offsets = [sum(map(len, rows[:n])) for n in range(5)]
    segmentation = GstRdpSegment.Segmentation.new(info_of("Segmentation", frame=3, width=4, height=6), offsets, segments)
    GstRdpSegment.buffer_add_rdp_segment_meta(buffer, segmentation).batch_index = batch_index


MOTION = Kind(
    "motion", new_motion, {"segments": (SEGMENT_MOTION, SEGMENT_ROWS), "tracks": (TRACK_MOTION, TRACK_ROWS)},
    {"SEGMENT_MOTION": 32, "TRACK_MOTION": 32}, rdpsegment.MotionInfo(7, 4, 6, 0.1, True),
    "2 of 4 segments known, 1 moving", MOTION_HEAD + COLUMNS + b"," + MOTION_KEY + b"}}\n", (
        (b'"dt":0.1', b'"dt":0', '"motion.dt"'),
        (b'"dt":0.1', b'"dt":true', '"motion.dt"'),
        (b'"dt":0.1', b'"dt":1e999', '"motion.dt"'),
        (b'"dt":0.1,', b"", '"motion.dt"'),
        (b",-1.25]", b"]", "12 numbers"),
        (b",-1.25]", b",null]", "12 numbers"),
        (b"-1.25", b"1" + 400 * b"0", "12 finite"),
        (b'"ego"', b'"eg"', "12 numbers or null"),
        (b"[[5,7,", b"[[5,8,", "a sum of 1, 2 and 4"),
        (b"[[5,7,", b"[[5,3,", "4 among flags"),
        (b"[[5,7,", b"[[65536,7,", "tracks, flags"),
        (b"[[5,7,", b"[[0,7,", "without tracks"),
        (b"0.125,", b"null,", "dx, dy and spread"),
        (b"0.125,", b"-1,", "0 or more"),
        (b"-0.5,0.75", b"null,0.75", "where the flags have 4"),
        (b"0.75]", b"0.75,1]", "9 values"),
        (b"0.75]]", b"0.75],null]", "column 0: expected 1, one for each"),
        (b"null],[[65535", b"null],[],[[65535", "4 columns"),
        (b'"motion":{', b'"motion":[{}],"x":{', '"motion"'),
        (COLUMNS + b",", b'"planes":[],"unit":"m","calibrated":true,"ground":-1,', '"columns"'),
    ), others=(lambda: new_motion(None, None, [], []),), size="width=4,height=6", before=add_segments, whole=False,
)  # fmt: skip
BAD_MOTION_OF_TRACKS = (
    (b"[3,1.5,", b"[-3,1.5,", "id, x"),
    (b"[3,1.5,", b"[3,null,", "x, y and z"),
    (b"8,null,", b"8,1,", "vx, vy"),
    (b"1.5]", b"-1.5]", "0 or more"),
    (b"[3,1.5,-0.25,20,", b"[3,null,null,null,", "without x, y and z"),
    (b"[9,null,", b"null,[9,null,", "8 values"),
)

# Heights with two heads; the same with ids, one of them with a velocity, where two others are lost.

HEIGHTS_HEAD = b'{"frame":7,"pts":9,"width":8,"height":6,'
HEIGHTS_KEYS = (b'"views":3,"reference":1,"spread":1250000,"energy":18189424123,"iterations":40,"known":0.3125,'
                b'"ground-grid":{"origin":[-2.55,1.05],"cell":0.05,"size":[100,80]},'
                b'"heads":[{"pixel":[1,4],"ground":[-2.501,1.25],"height":1.775,"votes":6},'
                b'{"pixel":[7,5],"ground":[0.0,999.999],"height":2.0,"votes":15}]')  # fmt: skip
TRACKED_KEYS = (b'"heads":[{"pixel":[1,4],"ground":[-2.501,1.25],"height":1.775,"votes":6,'
                b'"id":5,"age":7,"velocity":[1.25,-0.125]},'
                b'{"pixel":[7,5],"ground":[0.0,999.999],"height":2.0,"votes":15,"id":12,"age":0,"velocity":null}],'
                b'"lost-heads":[3,4000000000]')  # fmt: skip
HEIGHTS_LINE = HEIGHTS_HEAD + HEIGHTS_KEYS + b"}\n"
GROUND = {"ground_columns": 100, "ground_rows": 80, "ground_x": -2.55, "ground_y": 1.05, "ground_cell": 0.05}
SEARCH = {"frame": 7, "width": 8, "height": 6, "views": 3, "reference": 1, "energy": 18189424123, "known_pixels": 15,
          "spread": 1250000, "iterations": 40}  # fmt: skip
HEAD = ("column", "row", "votes", "x", "y", "height")
HEADS = [(1, 4, 6, -2.501, 1.25, 1.775), (7, 5, 15, 0, 999.999, 2)]
HEAD_TRACK = ("id", "age", "vx", "vy")
HEAD_TRACKS = [(5, 7, 1.25, -0.125), (12, 0, NAN, NAN)]


def new_heights(heads=HEADS, tracks=(), lost=(), **fields):
    info, heads = info_of("Heights", **{**SEARCH, **GROUND, **fields}), boxes(GstRdpSegment.Head, HEAD, heads)
    if not tracks and not lost:
        return GstRdpSegment.Heights.new(info, heads)
    return GstRdpSegment.Heights.new_with_tracks(info, heads, boxes(GstRdpSegment.HeadTrack, HEAD_TRACK, tracks), lost)


def no_heights(**fields):
    """Nothing known, no heads, no ground."""
    return new_heights([], **dict.fromkeys(("reference", "energy", "known_pixels", "spread", "iterations", *GROUND), 0))


HEIGHTS = Kind(
    "heights", new_heights, {"heads": (HEAD, HEADS)}, {"HEAD": 32}, rdpsegment.HeightsInfo(**SEARCH, **GROUND),
    "3 views, 31.2% known, 2 heads", HEIGHTS_LINE, (
        (b'"heads":[', b'"heads":3,"x":[', '"heads": expected a list'),
        (b'"heads":[', b'"heads":[1,', '"heads", 0: expected an object'),
        (b'"pixel":[1,4]', b'"pixel":[1]', '"heads", 0, "pixel"'),
        (b'"pixel":[1,4]', b'"pixel":[1,-4]', '"pixel": expected two whole'),
        (b'"pixel":[1,4]', b'"pixel":[1,4.0]', '"pixel": expected two whole'),
        (b'"pixel":[1,4]', b'"pixel":[8,4]', "head 0: expected a pixel"),
        (b'"pixel":[1,4]', b'"pixel":[65537,4]', '"pixel"'),
        (b'"pixel":[7,5]', b'"pixel":[7,6]', "head 1: expected a pixel"),
        (b'"ground":[-2.501,1.25]', b'"ground":[-2.501,null]', '"ground": expected two numbers'),
        (b'"ground":[-2.501,1.25]', b'"ground":[true,1.25]', '"ground": expected two numbers'),
        (b"-2.501", b"-1" + 400 * b"0", "finite numbers x and y"),
        (b"1.775", b"-1.775", "height of 0 or more"),
        (b"1.775", b"NaN", '"height": expected a number, got NaN'),
        (b"1.775", b'"tall"', '"heads", 0, "height"'),
        (b'"votes":6', b'"votes":0', "votes of 1 to known_pixels"),
        (b'"votes":15', b'"votes":16', "votes of 1 to known_pixels"),
        (b'"votes":6', b'"votes":4294967302', "less than 2^32"),
        (b'"views":3', b'"views":17', "views: expected 2 to 16"),
        (b'"reference":1', b'"reference":3', "reference: expected less than 3"),
        (b'"known":0.3125', b'"known":1.5', '"known": expected a share'),
        (b'"known":0.3125', b'"known":NaN', '"known": expected a number, got NaN'),
        (b'"spread":1250000', b'"spread":null', '"spread"'),
        (b'"spread":1250000', b'"spread":18446744073709551615', "spread: expected a time"),
        (b'"energy":1', b'"energy":-1', '"energy": expected 0 or more'),
        (b'"energy":18189424123', b'"energy":9223372036854775808', "less than 2^63"),
        (b'"iterations":40', b'"iterations":4294967296', "less than 2^32"),
        (b'"iterations":40', b'"iterations":4.5', '"iterations"'),
        (b'"origin":[-2.55,1.05]', b'"origin":[-2.55]', '"ground-grid.origin"'),
        (b'"origin":[-2.55,1.05]', b'"origin":[1' + 400 * b"0" + b",0]", "ground_x"),
        (b'"cell":0.05', b'"cell":0', "ground_cell: expected a number above 0"),
        (b'"cell":0.05', b'"cells":0.05', '"ground-grid.cell"'),
        (b'"size":[100,80]', b'"size":[0,0]', '"ground-grid.size": expected 1 or more'),
        (b'"size":[100,80]', b'"size":[100,16385]', '"ground-grid.size"'),
        (b'"ground-grid":{', b'"ground-grid":[],"x":{', '"ground-grid": expected an object'),
        (b'"width":8', b'"width":0', "width"),
    ), others=(no_heights,),
)  # fmt: skip
TRACKED = dataclasses.replace(
    HEIGHTS, make=lambda: new_heights(tracks=HEAD_TRACKS, lost=[3, 4000000000]), itemsizes={"HEAD_TRACK": 16},
    arrays={"heads": (HEAD, HEADS), "head_tracks": (HEAD_TRACK, HEAD_TRACKS), "lost_heads": ((), [3, 4000000000])},
    line=HEIGHTS_LINE.replace(HEIGHTS_KEYS[HEIGHTS_KEYS.index(b'"heads"') :], TRACKED_KEYS),
    bad=(
        (b'"id":5', b'"id":0', "track of head 0: expected an id of 1 or more"),
        (b'"id":5,', b"", '"heads", 0: expected id, age, vx, vy'),
        (b'"age":0', b'"age":-1', '"heads", 1: expected id, age, vx, vy'),
        (b"[1.25,-0.125]", b"[1.25]", '"velocity" of head 0: expected two numbers, or null'),
        (b"[1.25,-0.125]", b"[1.25,null]", "track of head 0: expected two finite numbers vx and vy"),
        (b"[3,4000000000]", b"[3,4294967296]", '"lost-heads", 1: expected value'),
        (b"[3,4000000000]", b"3", '"lost-heads": expected a list'),
    ), others=(lambda: new_heights([], lost=[3, 4000000000]),),
)  # fmt: skip

# Obstacles, and a frame without ground.

OBSTACLES_HEAD = b'{"frame":7,"pts":9,"width":8,"height":6,"unit":"m",'
OBSTACLES_KEY = (
    b'"obstacles":{"ground":"planes","refined":true,"camera-height":1.5,"pitch":0.0,"roll":0.0,"scan":'
    b'{"angle-min":-0.5,"angle-increment":0.5,"range-max":10.0,"states":"ofu","ranges":[1.234,null,null],'
    b'"free":[1,10,0.5]},"objects":[{"id":4,"age":9,"x":1.25,"y":-0.5,"length":0.75,"width":0.5,"height":0.375,'
    b'"yaw":-1.5,"distance":1.125,"samples":40,"box":[1,2,7,4],"cut":true,"velocity":[0.25,-0.125],'
    b'"over-ground":true},{"id":5,"age":0,"x":3.5,"y":1,"length":0.1,"width":0.1,"height":1,"yaw":0,"distance":3.4,'
    b'"samples":9,"box":[0,0,1,1],"cut":false,"velocity":null,"over-ground":false}],"lost":[1,3],"hidden":[2]')
GRID = (b',"grid":{"cell":0.05,"x":0.0,"y":-0.5,"columns":3,"rows":2,"runs":[[2,1],[1,2],[0,1],[2,1],[3,1]],'
        b'"tops":[0.375,0.065]}')  # fmt: skip
OBSTACLES_LINE = OBSTACLES_HEAD + OBSTACLES_KEY + GRID + b"}}\n"


def of_line(text=OBSTACLES_LINE):
    (found,) = rdpsegment.read(io.BytesIO(text))
    return found


def without_ground():
    info = rdpsegment.ObstaclesInfo(3, 8, 6)
    nothing = np.zeros(0, "<u4")
    return rdpsegment.Obstacles(info, np.zeros(0, rdpsegment.OBSTACLE), nothing, nothing, np.full(2, np.nan, "<f4"),
                                np.zeros(2, "<f4"), np.zeros(0, "u1"), np.zeros(0, "<u2"), axes=np.eye(3))  # fmt: skip


OBSTACLES = Kind(
    "obstacles", lambda: of_line().to_library(), {"lost": ((), [1, 3]), "hidden": ((), [2])}, {"OBSTACLE": 64},
    of_line().info, "8x6, ground planes, 2 objects, 3 bearings", OBSTACLES_LINE, (
        (b'"ground":"planes"', b'"ground":"table"', '"obstacles.ground": expected segments'),
        (b'"ground":"planes"', b'"ground":null', "expected 0 without ground"),
        (b'"refined":true', b'"refined":1', '"obstacles.refined"'),
        (b'"states":"ofu"', b'"states":"oo"', '"obstacles.scan.states"'),
        (b'"states":"ofu"', b'"states":"oou"', '"obstacles.scan.states"'),
        (b'"ranges":[1.234,', b'"ranges":[-1,', "range 0"),
        (b'"free":[1,10,', b'"free":[1,null,', "free distance 1"),
        (b'"box":[1,2,7,4]', b'"box":[2,2,7,4]', "object 0: expected a box"),
        (b'"box":[1,2,7,4]', b'"box":7', '"box"'),
        (b'"velocity":null', b'"velocity":[1]', '"velocity"'),
        (b'"velocity":null', b'"velocity":[1,null]', "vx and vy"),
        (b'"over-ground":false', b'"over-ground":true', "flags"),
        (b'"id":4', b'"id":-4', '"obstacles.objects"'),
        (b'"lost":[1,3]', b'"lost":[1,3.5]', '"obstacles.lost"'),
        (b'"rows":2', b'"rows":3', '"obstacles.grid.runs": expected 9 cells'),
        (b'"rows":2', b'"rows":2049', "1 to 2048"),
        (b"[0,1]", b"[4,1]", "state 3"),
        (b'"tops":[0.375', b'"tops":[65.536', '"obstacles.grid.tops"'),
        (b'"tops":[0.375,', b'"tops":[', '"obstacles.grid.tops"'),
    ), others=(lambda: without_ground().to_library(),), properties="grid=true",
)  # fmt: skip

KINDS = {"segments": SEGMENTS, "planes": PLANES, "tracks": TRACKS, "tracks with warps": WARPED, "motion": MOTION,
         "heights": HEIGHTS, "heights with tracks": TRACKED, "obstacles": OBSTACLES}  # fmt: skip
