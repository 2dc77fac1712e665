#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Obstacles in Python: as the module rdpsegment gives them, as JSON and CSV, and damaged."""

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

HEAD = b'{"frame":7,"pts":9,"width":8,"height":6,"unit":"m",'
OBSTACLES = (
    b'"obstacles":{"ground":"planes","refined":true,"camera-height":1.5,"pitch":0.0,"roll":0.0,"scan":'
    b'{"angle-min":-0.5,"angle-increment":0.5,"range-max":10.0,"states":"ofu","ranges":[1.234,null,null],'
    b'"free":[1,10,0.5]},"objects":[{"id":4,"age":9,"x":1.25,"y":-0.5,"length":0.75,"width":0.5,"height":0.375,'
    b'"yaw":-1.5,"distance":1.125,"samples":40,"box":[1,2,7,4],"cut":true,"velocity":[0.25,-0.125],'
    b'"over-ground":true},{"id":5,"age":0,"x":3.5,"y":1,"length":0.1,"width":0.1,"height":1,"yaw":0,"distance":3.4,'
    b'"samples":9,"box":[0,0,1,1],"cut":false,"velocity":null,"over-ground":false}],"lost":[1,3],"hidden":[2]')
GRID = (b',"grid":{"cell":0.05,"x":0.0,"y":-0.5,"columns":3,"rows":2,"runs":[[2,1],[1,2],[0,1],[2,1],[3,1]],'
        b'"tops":[0.375,0.065]}')  # fmt: skip
LINE = HEAD + OBSTACLES + GRID + b"}}\n"
AXES = np.array([[0, 0, 1], [-1, 0, 0], [0, -1, 0.0]])
COLUMNS = (b"time_s,id,age,x_m,y_m,length_m,width_m,height_m,yaw_deg,distance_m,vx_m_s,vy_m_s,samples,box_x,box_y,"
           b"box_width,box_height,cut\n")  # fmt: skip


def of_line(text=LINE):
    (found,) = rdpsegment.read(io.BytesIO(text))
    return found


def on_buffer(*all_of_batch):
    buffer = new_buffer()
    for index, one in enumerate(all_of_batch):
        filled(GstRdpSegment.buffer_add_rdp_obstacles_meta(buffer, one.to_library()), batch_index=index)
    return buffer


def without_ground():
    info = rdpsegment.ObstaclesInfo(3, 8, 6)
    nothing = np.zeros(0, "<u4")
    return rdpsegment.Obstacles(info, np.zeros(0, rdpsegment.OBSTACLE), nothing, nothing, np.full(2, np.nan, "<f4"),
                                np.zeros(2, "<f4"), np.zeros(0, "u1"), np.zeros(0, "<u2"), axes=np.eye(3))  # fmt: skip


def test_arrays():
    own = of_line()
    buffer = on_buffer(own, without_ground())
    found = rdpsegment.obstacles(buffer)
    assert rdpsegment.OBSTACLE.itemsize == 64 and found.to_bytes() == own.to_bytes() and found.pts == 9
    assert found.info == own.info and found.info.ground == "planes" and (found.axes == AXES).all()
    assert len(found) == 2 and found.objects["id"].tolist() == [4, 5] and found.objects["flags"].tolist() == [7, 0]
    assert found.lost.tolist() == [1, 3] and found.hidden.tolist() == [2] and not found.tops.flags.writeable
    assert found.angles.tolist() == [-0.5, 0, 0.5] and np.isposinf(found.ranges[1]) and np.isnan(found.ranges[2])
    assert found.occupancy.tolist() == [[100, 0, 0], [-1, 100, 100]] and found.tops[1, 1] == 65
    assert "8x6, ground planes, 2 objects, 3 bearings" in repr(found), repr(found)
    other = rdpsegment.obstacles(buffer, 1)
    assert other.info.ground is None and other.info.camera_height is None and other.states.shape == (0, 0)
    assert rdpsegment.obstacles(Gst.Buffer.new()) is None
    assert [one.to_bytes() for one in rdpsegment.read(io.BytesIO(2 * own.to_bytes()))] == 2 * [own.to_bytes()]


def test_line():
    buffer = on_buffer(of_line())
    assert convert(buffer, "grid=true") == LINE, convert(buffer, "grid=true")
    assert convert(buffer) == HEAD + OBSTACLES + b"}}\n" and len(of_line(convert(buffer)).tops) == 0
    text = convert(on_buffer(without_ground()))
    assert b'{"ground":null,"refined":false,"camera-height":null,"pitch":0.0,"roll":0.0,' in text, text
    assert of_line(text).to_bytes() == without_ground().to_bytes()
    # Behind planes, whose unit it is, too.
    info = GstRdpSegment.PlanesInfo()
    info.init()
    planes = GstRdpSegment.Planes.new(filled(info, width=4, height=3, n_points=12), [], [], bytes(12))
    GstRdpSegment.buffer_add_rdp_planes_meta(buffer, planes)
    text = convert(buffer, "grid=true")
    assert text.endswith(b',"obstacles-width":8,"obstacles-height":6,' + OBSTACLES + GRID + b"}}\n"), text
    assert text.count(b'"unit"') == 1 and of_line(text).obstacles.objects["id"].tolist() == [4, 5]


def test_axes_of_a_line():
    """The axes follow from pitch and roll, also where the camera looks down."""
    for pitch, roll in ((0.3, 0.2), (1.3, -0.4)):
        n = np.array([np.sin(roll) * np.cos(pitch), np.cos(roll) * np.cos(pitch), np.sin(pitch)])
        text = LINE.replace(b'"pitch":0.0', b'"pitch":%.17g' % pitch).replace(b'"roll":0.0', b'"roll":%.17g' % roll)
        axes = of_line(text).axes
        assert np.allclose(axes @ axes.T, np.eye(3)) and np.isclose(np.linalg.det(axes), 1)
        assert np.allclose(axes[2], -n) and axes[0, 2] > 0 or pitch > 1 and axes[0, 1] < 0


def test_csv():
    own, none = of_line(), without_ground()
    frames = b"time_s,nearest_m,bearing_deg,objects,unknown\n0.000000009,1.234,-28.6479,2,0.3333\n"
    assert convert(on_buffer(own), "format=csv") == frames
    # The first bearing without a range, and of a batch a line for each frame.
    text = convert(on_buffer(of_line(LINE.replace(b'"ofu","ranges":[1.234,null', b'"uou","ranges":[null,2.5')), none),
                   "format=csv")  # fmt: skip
    assert text == frames[:45] + b"0.000000009,2.5,0,2,0.6667\n0.000000009,,,0,1\n", text
    text = convert(on_buffer(own), "format=csv csv-content=objects")
    assert text == COLUMNS + (b"0.000000009,4,9,1.25,-0.5,0.75,0.5,0.375,-85.9437,1.125,0.25,-0.125,40,1,2,7,4,1\n"
                              b"0.000000009,5,0,3.5,1,0.1,0.1,1,0,3.4,,,9,0,0,1,1,0\n"), text  # fmt: skip
    assert convert(on_buffer(none), "format=csv csv-content=objects") == COLUMNS
    buffer = on_buffer(own)
    buffer.pts = 2**64 - 1
    assert convert(buffer, "format=csv").endswith(b"\n,1.234,-28.6479,2,0.3333\n")
    assert convert(new_buffer(), "format=csv skip-missing=true") == b""
    try:
        convert(new_buffer(), "format=csv")
    except GLib.Error as error:
        assert "no obstacles, which format=csv needs: put depthobstacles before" in str(error), error
    else:
        raise AssertionError("a frame without obstacles was written")


def test_header_once():
    """Frames without obstacles are left out, and so are empty texts."""
    caps = "video/x-raw,format=GRAY8,width=8,height=6,framerate=1/1"
    convert_objects = "rdpmetaconvert format=csv csv-content=objects skip-missing=true"
    pipeline = Gst.parse_launch(f"appsrc name=in format=time caps={caps} ! {convert_objects} ! appsink name=out")
    pipeline.set_state(Gst.State.PLAYING)
    for buffer in (on_buffer(of_line()), new_buffer(), on_buffer(without_ground()), on_buffer(of_line())):
        pipeline.get_by_name("in").emit("push-buffer", buffer)
    pipeline.get_by_name("in").emit("end-of-stream")
    sink, texts = pipeline.get_by_name("out"), []
    while sample := sink.emit("try-pull-sample", 10 * Gst.SECOND):
        assert sample.get_caps().to_string() == "text/csv"
        texts.append(sample.get_buffer().extract_dup(0, 65536))
    pipeline.set_state(Gst.State.NULL)
    assert [text.count(b"\n") for text in texts] == [3, 2] and texts[0] == COLUMNS + texts[1], texts


def test_bad_lines():
    expect_bad_lines(LINE, (
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
    ))  # fmt: skip


def test_damaged_bytes():
    for whole in (of_line().to_bytes(), without_ground().to_bytes()):
        taken = expect_same_taken(whole, GstRdpSegment.Obstacles, rdpsegment.obstacles_from_bytes,
                                  (0, 1, 2, 3, 64, 127, 128, 240, 255), 1500)  # fmt: skip
        assert 0 < taken < 1500


Gst.init(None)
sys.exit(run_tests(globals()))
