#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Motion in Python: through GObject introspection, as the module rdpsegment gives it, as JSON."""

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

NAN = float("nan")
IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
EGO = [0.8, 0.0, 0.6, 0.0, 0.0, 1.0, 0.0, 0.0, -0.6, 0.0, 0.8, -1.25]
# Two columns of one segment, one of none, one of two.
SEGMENTS = b'"columns":[[[0,4,10,20]],[],[[0,1,1,1],[1,2,1,0]],[[5,5,3,3]]]'
SIZE = "width=4,height=6"
HEAD = (b'{"frame":3,"pts":9,"width":4,"height":6,"epsilon":4.0,"sample-scale":1.0,"domain":"linear",'
        b'"column-width":1,')  # fmt: skip
MOTION = (b'"motion":{"dt":0.1,"ego":[0.8,0.0,0.6,0.0,0.0,1.0,0.0,0.0,-0.6,0.0,0.8,-1.25],'
          b'"columns":[[[5,7,-1.5,0.25,0.125,10,0,-0.5,0.75]],[],'
          b'[[3,0,2,-0.0625,0,null,null,null,null],null],[[65535,4,null,null,null,1e-05,0.1,-3e+09,0]]]')  # fmt: skip
TRACKS = (b',"tracks":[[3,1.5,-0.25,20,10,0,-0.5,1.5],[4294967295,-2,0.5,8,null,null,null,null],'
          b'[9,null,null,null,null,null,null,null]]')  # fmt: skip
LINE = HEAD + SEGMENTS + b"," + MOTION + b"}}\n"


SEGMENT_ROWS = [
    (5, 7, -1.5, 0.25, 0.125, 10, 0, -0.5, 0.75),
    (3, 0, 2, -0.0625, 0, NAN, NAN, NAN, NAN),
    (0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN),
    (65535, 4, NAN, NAN, NAN, 1e-5, 0.1, -3e9, 0),
]
TRACK_ROWS = [
    (3, 1.5, -0.25, 20, 10, 0, -0.5, 1.5),
    (2**32 - 1, -2, 0.5, 8, NAN, NAN, NAN, NAN),
    (9, NAN, NAN, NAN, NAN, NAN, NAN, NAN),
]


def new_info(**fields):
    info = GstRdpSegment.MotionInfo()
    info.init()
    assert info.dt == 0 and not info.ego_known and list(info.ego) == IDENTITY
    return filled(info, frame=7, width=4, height=6, **fields)


def new_motion(ego=EGO, dt=0.1, segments=SEGMENT_ROWS, tracks=TRACK_ROWS):
    """A GstRdpSegment.Motion, of what the module makes."""
    info = rdpsegment.MotionInfo(7, 4, 6, dt, ego is not None)
    own = rdpsegment.Motion(
        info,
        np.array(segments, rdpsegment.SEGMENT_MOTION),
        np.array(tracks, rdpsegment.TRACK_MOTION),
        None if ego is None else np.array(ego).reshape(3, 4),
    )
    return own.to_library()


def add_segments(buffer, batch_index=0):
    info = GstRdpSegment.SegmentationInfo()
    info.init()
    filled(info, frame=3, width=4, height=6)
    rows = [[(0, 4, 10, 20)], [], [(0, 1, 1, 1), (1, 2, 1, 0)], [(5, 5, 3, 3)]]
    names = ("first_row", "last_row", "first_value", "last_value")
    segments = [filled(GstRdpSegment.Segment(), **dict(zip(names, row))) for column in rows for row in column]
    offsets = [sum(map(len, rows[:n])) for n in range(5)]
    segmentation = GstRdpSegment.Segmentation.new(info, offsets, segments)
    GstRdpSegment.buffer_add_rdp_segment_meta(buffer, segmentation).batch_index = batch_index


def on_buffer(motion, with_segments=True, **fields):
    buffer = new_buffer()
    if with_segments:
        add_segments(buffer)
    filled(GstRdpSegment.buffer_add_rdp_motion_meta(buffer, motion), **fields)
    return buffer


def bits(found):
    tracks = None if found.tracks is None else found.tracks.tobytes()
    ego = None if found.ego is None else found.ego.tolist()
    return found.info.dt, found.info.ego_known, ego, found.segments.tobytes(), tracks


def test_introspection():
    info = new_info(dt=0.5)
    segment = filled(GstRdpSegment.SegmentMotion(), tracks=2, flags=int(GstRdpSegment.MotionFlags.KNOWN), vz=-3)
    track = filled(GstRdpSegment.TrackMotion(), id=4, z=8, vz=-3, sigma=0.5)
    motion = GstRdpSegment.Motion.new(info, [segment], [track])
    assert motion.get_info().dt == 0.5 and list(motion.get_info().ego) == IDENTITY
    (segment,), (track,) = motion.peek_segments(), motion.peek_tracks()
    del motion
    assert (segment.tracks, segment.flags, segment.vz, track.id, track.sigma) == (2, 4, -3, 4, 0.5)
    flags = GstRdpSegment.MotionFlags.MOVING | GstRdpSegment.MotionFlags.ABSOLUTE
    assert int(flags) == 3 == rdpsegment.MotionFlags.MOVING | rdpsegment.MotionFlags.ABSOLUTE


def test_arrays():
    buffer = on_buffer(new_motion(), scale_x=0.5)
    found = rdpsegment.motion(buffer)
    assert rdpsegment.SEGMENT_MOTION.itemsize == rdpsegment.TRACK_MOTION.itemsize == 32
    assert found.info == rdpsegment.MotionInfo(7, 4, 6, 0.1, True) and found.pts == 9
    assert len(found) == 4 and found.segments["tracks"].tolist() == [5, 3, 0, 65535]
    assert found.tracks["id"].tolist() == [3, 2**32 - 1, 9] and found.placement == (0.5, 1, 0, 0)
    assert found.known.tolist() == [True, False, False, True]
    assert found.moving.tolist() == found.absolute.tolist() == [True, False, False, False]
    assert found.ego.shape == (3, 4) and found.ego.ravel().tolist() == EGO
    for array in (found.segments, found.tracks, found.ego):
        assert not array.flags.writeable
    assert "2 of 4 segments known, 1 moving" in repr(found)
    unknown = rdpsegment.motion(on_buffer(new_motion(ego=None, dt=None)))
    assert unknown.ego is None and unknown.info == rdpsegment.MotionInfo(7, 4, 6, None, False)
    assert rdpsegment.motion(Gst.Buffer.new()) is None
    filled(GstRdpSegment.buffer_add_rdp_motion_meta(buffer, new_motion()), batch_index=2)
    assert rdpsegment.motion(buffer, 2).batch_index == 2 and rdpsegment.motion(buffer, 1) is None


def test_no_copy():
    """The arrays are the memory of the library's object, and of the bytes."""
    motion = new_motion()
    found = rdpsegment.motion(on_buffer(motion))
    again = np.frombuffer(motion.get_segments().get_data(), "u1")
    assert found.segments.base is not None and again.tobytes() == found.segments.tobytes()
    data = motion.to_bytes().get_data()
    read = rdpsegment.motion_from_bytes(data)
    assert np.shares_memory(np.frombuffer(data, "u1"), read.segments.view("u1"))
    assert np.shares_memory(np.frombuffer(data, "u1"), read.tracks.view("u1"))


def test_line():
    text = convert(on_buffer(new_motion()), size=SIZE)
    assert text == LINE, text
    (frame,) = rdpsegment.read(io.BytesIO(text))
    assert isinstance(frame, rdpsegment.Frame) and frame.n_segments == 4 and frame.tracks is None
    found, own = frame.motion, rdpsegment.motion(on_buffer(new_motion()))
    assert bits(found) == (*bits(own)[:4], None) and found.info.frame == 3 and found.pts == 9
    try:
        found.to_bytes()
    except rdpsegment.Error as error:
        assert "points=true" in str(error)
    else:
        raise AssertionError("tracks that are not there were written")


def test_line_with_tracks():
    buffer = on_buffer(new_motion())
    camera = GstRdpSegment.CameraInfo()
    camera.init()
    filled(camera, width=4, height=6, focal_length=4, focal_length_y=4, rectified=True, depth_unit=0.001,
           measures=GstRdpSegment.Measure.DEPTH)  # fmt: skip
    GstRdpSegment.buffer_add_rdp_camera_meta(buffer, GstRdpSegment.Camera.new(camera))
    text = convert(buffer, "points=true", SIZE)
    start, _, end = text.partition(b',"camera":')
    assert start == HEAD + SEGMENTS and end.endswith(b"," + MOTION + TRACKS + b"}}\n"), text
    (frame,) = rdpsegment.read(io.BytesIO(text))
    own = rdpsegment.motion(buffer)
    assert bits(frame.motion) == bits(own)
    assert frame.motion.to_bytes()[16:] == own.to_bytes()[16:]  # but for the number of the frame


def test_line_without_what_is_unknown():
    """Nothing is known of the camera and of the time, and there are no tracks at all."""
    none = [(0, 0) + 7 * (NAN,)] * 4
    text = convert(on_buffer(new_motion(None, None, none, [])), size=SIZE)
    end = b',"motion":{"dt":null,"ego":null,"columns":[[null],[],[null,null],[null]]}}\n'
    assert text == HEAD + SEGMENTS + end, text
    (frame,) = rdpsegment.read(io.BytesIO(text))
    assert frame.motion.ego is None and frame.motion.info.dt is None and not frame.motion.known.any()
    # Frames without motion have no new key.
    add_segments(buffer := new_buffer())
    assert convert(buffer, size=SIZE) == HEAD + SEGMENTS + b"}\n"


def expect_error(buffer, *words):
    try:
        convert(buffer, size=SIZE)
    except GLib.Error as error:
        assert error.matches(Gst.StreamError.quark(), Gst.StreamError.FORMAT), error
        assert all(word in error.message for word in words), error
    else:
        raise AssertionError(f"written without {words}")
    return convert(buffer, "skip-missing=true", SIZE)


def test_motion_of_other_segments():
    """An error that says what was expected; passed over where what is missing is."""
    line = HEAD + SEGMENTS + b"}\n"
    other = new_motion(segments=SEGMENT_ROWS[:3])
    assert expect_error(on_buffer(other), "4 segments in 4x6", "3 in 4x6", "Put rdpmotion behind") == line
    info = GstRdpSegment.MotionInfo()
    info.init()
    other = GstRdpSegment.Motion.new(filled(info, width=3, height=6), [], [])
    assert expect_error(on_buffer(other), "4 segments in 4x6", "0 in 3x6") == line
    # Alone, and in another frame of a batch.
    assert expect_error(on_buffer(new_motion(), False), "the 4 segments that it describes, got none") == b""
    buffer = on_buffer(new_motion(), batch_index=1)
    assert expect_error(buffer, "got none") == line
    add_segments(buffer, batch_index=1)
    text = convert(buffer, size=SIZE)
    assert text.count(b"\n") == 2 and text.endswith(b'"batch-index":1,' + MOTION + b"}}\n"), text


def test_bad_lines():
    expect_bad_lines(LINE, (
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
        (SEGMENTS + b",", b'"planes":[],"unit":"m","calibrated":true,"ground":-1,', '"columns"'),
    ))  # fmt: skip
    with_tracks = LINE[:-3] + TRACKS + b"}}\n"
    expect_bad_lines(with_tracks, (
        (b"[3,1.5,", b"[-3,1.5,", "id, x"),
        (b"[3,1.5,", b"[3,null,", "x, y and z"),
        (b"8,null,", b"8,1,", "vx, vy"),
        (b"1.5]", b"-1.5]", "0 or more"),
        (b"[3,1.5,-0.25,20,", b"[3,null,null,null,", "without x, y and z"),
        (b"[9,null,", b"null,[9,null,", "8 values"),
    ))  # fmt: skip


def test_bytes():
    motion = new_motion()
    found = rdpsegment.motion(on_buffer(motion))
    data = motion.to_bytes().get_data()
    assert found.to_bytes() == data
    assert bits(rdpsegment.motion_from_bytes(data)) == bits(found)
    one, two = rdpsegment.read(io.BytesIO(2 * data))
    assert bits(one) == bits(found) == bits(two)
    unknown = new_motion(None, None, [], []).to_bytes().get_data()
    assert rdpsegment.motion_from_bytes(unknown).to_bytes() == unknown and len(unknown) == 140
    for whole in (data, unknown):
        taken = expect_same_taken(whole, GstRdpSegment.Motion, rdpsegment.motion_from_bytes,
                                  (0, 1, 2, 4, 7, 63, 127, 128, 192, 255), 1000)  # fmt: skip
        assert 0 < taken < 1000


Gst.init(None)
sys.exit(run_tests(globals()))
