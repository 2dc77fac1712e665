#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Heights in Python: through GObject introspection, as the module rdpsegment gives them, as JSON."""

import io
import pathlib
import sys

import gi
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pipelines"))
from kind_rig import convert, expect_bad_lines, expect_same_taken, filled, new_buffer  # noqa: E402
from tap import run_tests  # noqa: E402

import rdpsegment  # noqa: E402

gi.require_version("Gst", "1.0")
gi.require_version("GstRdpSegment", "1.0")
from gi.repository import GLib, Gst, GstRdpSegment  # noqa: E402

HEAD = b'{"frame":7,"pts":9,"width":8,"height":6,'
HEIGHTS = (b'"views":3,"reference":1,"spread":1250000,"energy":18189424123,"iterations":40,"known":0.3125,'
           b'"ground-grid":{"origin":[-2.55,1.05],"cell":0.05,"size":[100,80]},'
           b'"heads":[{"pixel":[1,4],"ground":[-2.501,1.25],"height":1.775,"votes":6},'
           b'{"pixel":[7,5],"ground":[0.0,999.999],"height":2.0,"votes":15}]')  # fmt: skip
LINE = HEAD + HEIGHTS + b"}\n"
GROUND = {"ground_columns": 100, "ground_rows": 80, "ground_x": -2.55, "ground_y": 1.05, "ground_cell": 0.05}
INFO = {"frame": 7, "width": 8, "height": 6, "views": 3, "reference": 1, "energy": 18189424123,
        "known_pixels": 15, "spread": 1250000, "iterations": 40}  # fmt: skip
TRACKED = (b'"heads":[{"pixel":[1,4],"ground":[-2.501,1.25],"height":1.775,"votes":6,'
           b'"id":5,"age":7,"velocity":[1.25,-0.1]},'
           b'{"pixel":[7,5],"ground":[0.0,999.999],"height":2.0,"votes":15,"id":12,"age":0,"velocity":null}],'
           b'"lost-heads":[3,4000000000]')  # fmt: skip
TRACKED_LINE = LINE.replace(HEIGHTS[HEIGHTS.index(b'"heads"') :], TRACKED)
HEADS = [(1, 4, 6, -2.501, 1.25, 1.775), (7, 5, 15, 0, 999.999, 2)]


def new_heights(heads=HEADS, **fields):
    """A GstRdpSegment.Heights, as C makes it."""
    info = GstRdpSegment.HeightsInfo()
    info.init()
    assert info.views == 2 and info.ground_columns == 0
    filled(info, **{**INFO, **GROUND, **fields})
    names = ("column", "row", "votes", "x", "y", "height")
    return GstRdpSegment.Heights.new(info, [filled(GstRdpSegment.Head(), **dict(zip(names, h))) for h in heads])


def tracked():
    """The same with ids, one of them with a velocity; two others are lost."""
    own = rdpsegment.heights_from_bytes(new_heights().to_bytes().get_data())
    tracks = np.array([(5, 7, 1.25, -0.1), (12, 0, np.nan, np.nan)], rdpsegment.HEAD_TRACK)
    return rdpsegment.Heights(own.info, own.heads, tracks, np.array([3, 4000000000], "<u4"))


def nothing():
    """Nothing known, nobody, no ground."""
    none = dict.fromkeys(("reference", "energy", "known_pixels", "spread", "iterations", *GROUND), 0)
    return new_heights([], **none)


def on_buffer(heights, **fields):
    buffer = new_buffer()
    filled(GstRdpSegment.buffer_add_rdp_heights_meta(buffer, heights), **fields)
    return buffer


def same(one, other):
    arrays = ("heads", "head_tracks", "lost_heads")
    return one.info == other.info and all(getattr(one, a).tobytes() == getattr(other, a).tobytes() for a in arrays)


def test_introspection():
    heights = new_heights()
    assert heights.get_info().energy == 18189424123 and heights.get_known() == 15 / 48
    first, second = heights.peek_heads()
    del heights
    assert (first.column, first.row, first.votes, first.x) == (1, 4, 6, -2.501)
    assert (second.column, second.votes, second.y, second.height) == (7, 15, 999.999, 2)
    found = GstRdpSegment.Heights.new_with_tracks(
        filled(GstRdpSegment.HeightsInfo(), **INFO),
        [filled(GstRdpSegment.Head(), votes=1)], [filled(GstRdpSegment.HeadTrack(), id=3, vx=0.5)], [8, 9],
    )  # fmt: skip
    (track,) = found.peek_head_tracks()
    assert (track.id, track.vx, track.vy) == (3, 0.5, 0) and found.peek_lost_heads() == [8, 9]


def test_arrays():
    buffer = on_buffer(new_heights(), scale_x=0.5)
    found = rdpsegment.heights(buffer)
    assert rdpsegment.HEAD.itemsize == 32
    assert found.info == rdpsegment.HeightsInfo(**INFO, **GROUND) and found.pts == 9
    assert len(found) == 2 and found.heads.tolist() == HEADS and found.known == 15 / 48
    assert found.places.tolist() == [[-2.501, 1.25], [0, 999.999]]
    assert found.placement == (0.5, 1, 0, 0) and not found.heads.flags.writeable
    assert "3 views, 31.2% known, 2 heads" in repr(found), repr(found)
    assert rdpsegment.heights(Gst.Buffer.new()) is None
    filled(GstRdpSegment.buffer_add_rdp_heights_meta(buffer, new_heights()), batch_index=2)
    assert rdpsegment.heights(buffer, 2).batch_index == 2 and rdpsegment.heights(buffer, 1) is None


def test_millimetres():
    """Metres that are whole millimetres give these back, through all forms."""
    mm = np.random.default_rng(1).integers(-1000000, 1000000, (500, 3))
    mm[:, 2] %= 65536
    heads = np.zeros(500, rdpsegment.HEAD)
    heads["votes"] = 1
    for i, name in enumerate(("x", "y", "height")):
        heads[name] = mm[:, i] / 1000
    own = rdpsegment.Heights(rdpsegment.HeightsInfo(**INFO), heads)
    text = convert(on_buffer(own.to_library()))
    for found in (
        rdpsegment.heights_from_bytes(own.to_bytes()),
        rdpsegment.heights(on_buffer(own.to_library())),
        *rdpsegment.read(io.BytesIO(text)),
    ):
        for i, name in enumerate(("x", "y", "height")):
            assert (np.rint(found.heads[name] * 1000).astype("i8") == mm[:, i]).all()
    assert all(len(f"{value!r}") <= 8 for value in heads["x"].tolist())  # as -999.999


def test_no_copy():
    """The array is the memory of the library's object, and of the bytes."""
    heights = new_heights()
    found = rdpsegment.heights(on_buffer(heights))
    again = np.frombuffer(heights.get_heads().get_data(), "u1")
    assert found.heads.base is not None and again.tobytes() == found.heads.tobytes()
    data = heights.to_bytes().get_data()
    read = rdpsegment.heights_from_bytes(data)
    assert np.shares_memory(np.frombuffer(data, "u1"), read.heads.view("u1"))


def test_line():
    text = convert(on_buffer(new_heights()))
    assert text == LINE, text
    (found,) = rdpsegment.read(io.BytesIO(LINE))
    assert isinstance(found, rdpsegment.Heights) and found.pts == 9
    assert same(found, rdpsegment.heights(on_buffer(new_heights())))
    # In metres they are without a camera.
    assert convert(on_buffer(new_heights()), "points=true") == LINE
    # Where there is nothing.
    text = convert(on_buffer(nothing()))
    assert text == HEAD + (b'"views":3,"reference":0,"spread":0,"energy":0,"iterations":0,"known":0.0,'
                           b'"heads":[]}\n'), text  # fmt: skip
    (found,) = rdpsegment.read(io.BytesIO(text))
    assert same(found, rdpsegment.heights(on_buffer(nothing()))) and found.info.ground_cell == 0


def test_tracks():
    own = tracked()
    data = own.to_bytes()
    assert rdpsegment.HEAD_TRACK.itemsize == 16 and len(data) == 104 + 2 * 48 + 8
    assert own.to_library().to_bytes().get_data() == data and same(rdpsegment.heights_from_bytes(data), own)
    found = rdpsegment.heights(on_buffer(own.to_library()))
    assert same(found, own) and found.head_tracks["id"].tolist() == [5, 12]
    assert not found.head_tracks.flags.writeable and found.lost_heads.tolist() == [3, 4000000000]
    text = convert(on_buffer(own.to_library()))
    assert text == TRACKED_LINE, text
    (found,) = rdpsegment.read(io.BytesIO(text))
    assert same(found, own)
    # Both versions in one file; that without tracks is what it was before there were any.
    plain = new_heights().to_bytes().get_data()
    one, two = rdpsegment.read(io.BytesIO(plain + data))
    assert len(one.head_tracks) == len(one.lost_heads) == 0 and same(two, own)
    # Nobody is there any more.
    last = rdpsegment.Heights(own.info, own.heads[:0], lost_heads=own.lost_heads)
    text = convert(on_buffer(last.to_library()))
    assert text.endswith(b'"heads":[],"lost-heads":[3,4000000000]}\n'), text
    (found,) = rdpsegment.read(io.BytesIO(text))
    assert same(found, last) and same(rdpsegment.heights_from_bytes(last.to_bytes()), last)
    # As a library may write it that knows of the version, and has nothing to say in it.
    nobody = nothing().to_bytes().get_data()
    newer = nobody[:4] + b"\2" + nobody[5:] + bytes(8)
    assert rdpsegment.heights_from_bytes(newer).to_bytes() == nobody
    assert GstRdpSegment.Heights.new_from_bytes(GLib.Bytes.new(newer)).to_bytes().get_data() == nobody
    assert 0 < expect_same_taken(data, GstRdpSegment.Heights, rdpsegment.heights_from_bytes) < 2000


def test_share_of_any_count():
    """The share says how many pixels are known, to the pixel, in the largest picture too."""
    for width, height in ((781, 621), (16384, 16384)):
        for known in (0, 1, 2, 3, 7919, width * height // 3, width * height - 1, width * height):
            fields = {"width": width, "height": height, "known_pixels": known}
            text = convert(on_buffer(new_heights([], **fields)))
            (found,) = rdpsegment.read(io.BytesIO(text))
            assert found.info.known_pixels == known, (text, known)


def test_line_of_several_kinds():
    """Behind the keys of others; with a size of its own where that is another one."""
    info = GstRdpSegment.PlanesInfo()
    info.init()
    planes = GstRdpSegment.Planes.new(filled(info, width=4, height=3, n_points=12), [], [], bytes(12))
    info = GstRdpSegment.TracksInfo()
    info.init()
    tracks = GstRdpSegment.Tracks.new(filled(info, width=4, height=3), [], [])
    buffer = on_buffer(new_heights())
    GstRdpSegment.buffer_add_rdp_tracks_meta(buffer, tracks)
    GstRdpSegment.buffer_add_rdp_planes_meta(buffer, planes)
    text = convert(buffer)
    assert text.endswith(b'"tracks":[],"lost":[],"heights-width":8,"heights-height":6,' + HEIGHTS + b"}\n"), text
    (found,) = rdpsegment.read(io.BytesIO(text))
    assert isinstance(found, rdpsegment.Planes) and len(found.tracks) == 0
    assert found.heights.heads.tolist() == HEADS and found.heights.info.width == 8
    # A batch.
    buffer = on_buffer(new_heights())
    GstRdpSegment.buffer_add_rdp_heights_meta(buffer, new_heights()).batch_index = 1
    first, second = rdpsegment.read(io.BytesIO(convert(buffer)))
    assert (first.batch_index, second.batch_index) == (0, 1) and same(first, second)


def test_bad_lines():
    expect_bad_lines(LINE, (
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
    ))  # fmt: skip
    expect_bad_lines(TRACKED_LINE, (
        (b'"id":5', b'"id":0', "track of head 0: expected an id of 1 or more"),
        (b'"id":5,', b"", '"heads", 0: expected id, age, vx, vy'),
        (b'"age":0', b'"age":-1', '"heads", 1: expected id, age, vx, vy'),
        (b"[1.25,-0.1]", b"[1.25]", '"velocity" of head 0: expected two numbers, or null'),
        (b"[1.25,-0.1]", b"[1.25,null]", "track of head 0: expected two finite numbers vx and vy"),
        (b"[3,4000000000]", b"[3,4294967296]", '"lost-heads", 1: expected value'),
        (b"[3,4000000000]", b"3", '"lost-heads": expected a list'),
    ))  # fmt: skip


def test_bytes():
    heights = new_heights()
    found = rdpsegment.heights(on_buffer(heights))
    data = heights.to_bytes().get_data()
    assert found.to_bytes() == data and len(data) == 96 + 2 * 32
    assert same(rdpsegment.heights_from_bytes(data), found)
    assert found.to_library().to_bytes().get_data() == data
    one, two = rdpsegment.read(io.BytesIO(2 * data))
    assert same(one, found) and same(one, two)
    empty = nothing().to_bytes().get_data()
    assert rdpsegment.heights_from_bytes(empty).to_bytes() == empty and len(empty) == 96
    for whole in (data, empty):
        taken = expect_same_taken(whole, GstRdpSegment.Heights, rdpsegment.heights_from_bytes,
                                  (0, 1, 2, 3, 64, 127, 128, 240, 255), 1500)  # fmt: skip
        assert 0 < taken < 1500


Gst.init(None)
sys.exit(run_tests(globals()))
