#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Kinds of metadata in Python: through GObject introspection, as the module rdpsegment gives them, as lines and bytes.
Rows of kind_rows.py have what all kinds share; what only one does is a test of its own. Reports in TAP."""

import functools
import gc
import io
import pathlib
import sys

import gi
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pipelines"))
import kind_rows as rows  # noqa: E402
from kind_rig import (convert, expect_bad_lines, expect_error, expect_same_taken, filled, flat,  # noqa: E402
                      lines_taken, new_buffer)  # fmt: skip
from kind_rows import HEIGHTS, KINDS, MOTION, OBSTACLES, PLANES, TRACKS, without_ground  # noqa: E402
from tap import Tap  # noqa: E402

import rdpsegment  # noqa: E402

gi.require_version("Gst", "1.0")
gi.require_version("GstRdpSegment", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst, GstRdpSegment, GstVideo  # noqa: E402


def equal(one, other):
    """But for what is lost where a double becomes a float."""
    return np.allclose(np.array(one, "f8"), np.array(other, "f8"), rtol=6e-8, atol=0, equal_nan=True)


# All kinds.


def check_introspection(kind):
    """The arrays outlive the object; so does the information."""
    made = kind.make()
    assert not hasattr(made, "fetch") or made.fetch()  # raises GLib.Error where they are lost
    info, found = made.get_info(), {name: getattr(made, f"peek_{name}")() for name in kind.arrays}
    del made
    gc.collect()
    for name, value in vars(kind.info).items():
        assert isinstance(value, (str, type(None))) or getattr(info, name, value) == value, name
    for name, (members, expected) in kind.arrays.items():
        got = [tuple(getattr(box, member) for member in members) if members else box for box in found[name]]
        assert equal(got, expected), (name, got)


def check_on_buffer(kind):
    assert kind.on(Gst.Buffer.new()) is None
    buffer = kind.buffer(scale_x=0.5, offset_y=3)
    for found in (kind.on(buffer), kind.on(Gst.Sample.new(buffer, None, None, None))):
        gc.collect()
        assert found.info == kind.info and found.pts == 9 and found.batch_index == 0 and found.file is None
        assert found.placement == (0.5, 1, 0, 3) and kind.words in repr(found), repr(found)
    for name, (members, expected) in kind.arrays.items():
        array = getattr(found, name)
        got = [row[: len(members)] if members else row for row in flat(array)]
        assert equal(got, expected), (name, got)
        assert not array.flags.writeable, name
    for name, size in kind.itemsizes.items():
        assert getattr(rdpsegment, name).itemsize == size, name
    kind.add(buffer, batch_index=2)
    assert kind.on(buffer, 2).batch_index == 2 and kind.on(buffer, 1) is None
    for make in kind.others:
        assert kind.on(kind.buffer(make())).to_bytes() == make().to_bytes().get_data()


def check_bytes(kind):
    """The library's bytes and the module's are the same, also in files; arrays are the memory of bytes."""
    everything = [make().to_bytes().get_data() for make in (kind.make, *kind.others)]
    for data in everything:
        read = kind.of_bytes(data)
        again = kind.library.new_from_bytes(GLib.Bytes.new(data)) if kind is rows.SEGMENTS else read.to_library()
        assert read.to_bytes() == data == again.to_bytes().get_data()
        for name in kind.arrays:
            array = getattr(read, name)
            assert not np.size(array) or array is None or np.shares_memory(np.frombuffer(data, "u1"), array), name
        assert 0 < expect_same_taken(data, kind.library, kind.of_bytes)
    assert kind.on(kind.buffer()).to_bytes() == everything[0]
    assert [one.to_bytes() for one in rdpsegment.read(io.BytesIO(b"".join(everything)))] == everything
    what = "segmentation" if kind is rows.SEGMENTS else kind.name
    for wrong, word in ((everything[-1][:-1], f"{what} 1: truncated"), (b"RDPX", "expected b'RDPS'"),
                        (everything[0][:20], f"{what} 1: truncated")):  # fmt: skip
        expect_error(lambda: rdpsegment.read(io.BytesIO(everything[0] + wrong)), rdpsegment.FormatError, word)


def check_line(kind):
    text = kind.convert()
    assert text == (kind.line or text), text
    taken = lines_taken(text)
    assert 20 < taken < 1480, taken
    expect_bad_lines(text, kind.bad)
    if kind.whole:
        found = kind.of_line()
        assert found.to_bytes() == kind.make().to_bytes().get_data() and found.pts == 9
        for make in kind.others:
            assert kind.of_line(kind.convert(make())).to_bytes() == make().to_bytes().get_data()


# Segments: module_test.py has more.


def test_segments():
    info = GstRdpSegment.SegmentationInfo()
    info.init()
    assert (info.epsilon, info.sample_scale, info.min_value, info.max_value) == (4.0, 1.0, 1, 65535)
    assert info.domain == GstRdpSegment.Domain.LINEAR and info.column_width == 1
    made = rows.new_segmentation(median=getattr(GstRdpSegment.Median, "3X3"))
    assert made.get_info().median == getattr(GstRdpSegment.Median, "3X3")
    assert (made.get_n_columns(), made.get_n_segments()) == (3, 3)
    columns = [made.get_column(c) for c in range(3)]
    del made
    gc.collect()
    assert [[s.last_value for s in column] for column in columns] == [[20.5, 7], [], [1]]
    # In place of a crop, whose fields Python cannot set: at 0, 0.
    buffer = Gst.Buffer.new()
    buffer.add_meta(GstVideo.VideoCropMeta.get_info(), None)
    assert GstRdpSegment.buffer_get_segmentation(buffer) is None
    assert GstRdpSegment.buffer_get_rdp_segment_meta(buffer) is None
    for index in (0, 3):
        rows.SEGMENTS.add(buffer, batch_index=index, scale_x=0.5, offset_y=3)
        assert GstRdpSegment.buffer_get_batch_segmentation(buffer, index).get_n_columns() == 3
        meta = GstRdpSegment.buffer_get_rdp_segment_meta_of_batch(buffer, index)
        assert meta.batch_index == index and GstRdpSegment.SegmentMeta.get_placement(buffer, meta) == (0.5, 1, 0, 3)
    assert GstRdpSegment.buffer_get_batch_segmentation(buffer, 1) is None
    assert GstRdpSegment.buffer_get_segmentation(buffer).get_n_segments() == 3


# Planes.


def test_planes_arrays():
    found = PLANES.on(PLANES.buffer())
    assert len(found) == 2 and found.planes["normal"].tolist() == [[0, 0, 1], [0, 1, 0]]
    assert found.planes["box"].tolist() == [[0, 0, 4, 2], [0, 2, 3, 1]]
    assert found.hull(0)["point"].tolist() == [[-1.5, -1, 2], [1, -1, 2], [1.25, -1, 2]] and len(found.hull(1)) == 0
    assert found.labels.shape == (3, 4) and found.labels.ravel().tolist() == rows.LABELS and found.ground == 1
    assert not found.labels.flags.writeable and list(PLANES.make().peek_labels()) == rows.LABELS
    assert PLANES.make().fetch_labels() and (PLANES.make().get_n_planes(), PLANES.make().get_n_corners()) == (2, 3)
    expect_error(lambda: found.hull(2), IndexError, "expected 0 to 1")
    cloud = PLANES.on(PLANES.buffer(rows.new_planes(True)))
    assert cloud.info.cloud and cloud.info.width == 0 and cloud.labels.shape == (12,)
    assert cloud.hull(0)["row"].tolist() == [-1] * 3


def test_planes_lost():
    class Lost:
        """As planes are whose labels a GPU has lost."""

        def fetch_labels(self):
            raise GLib.Error("the labels of frame 7 are lost: the wire is cut")

    good = PLANES.on(PLANES.buffer())
    lost = rdpsegment.Planes(good.info, good.planes, good.corners, library=Lost())
    assert len(lost.hull(0)) == 3
    for read in (lambda: lost.labels, lost.to_bytes):
        expect_error(read, rdpsegment.LabelsLost, "the wire is cut")


def expect_as_written(found, expected, with_points, frame=2**63 + 1):
    """A line has what the buffer has, but for what lines leave out."""
    unsaid = ("focal_length", "focal_length_y", "principal_x", "principal_y", "tolerance", "min_inliers")
    for name, value in vars(found.info).items():
        wanted = None if name in unsaid else frame if name == "frame" else getattr(expected.info, name)
        assert value == wanted, name
    planes, corners = found.planes.copy(), found.corners.copy()
    planes["votes"] = expected.planes["votes"]
    if not with_points:
        assert np.isnan(corners["point"]).all()
        corners["point"] = expected.corners["point"]
    assert planes.tobytes() == expected.planes.tobytes() and corners.tobytes() == expected.corners.tobytes()
    for read in (lambda: found.labels, found.to_bytes):
        expect_error(read, rdpsegment.Error, "no labels")


def test_planes_lines():
    for cloud in (False, True):
        for settings in ("", "points=true"):
            text = PLANES.convert(rows.new_planes(cloud), settings)
            expected = PLANES.on(PLANES.buffer(rows.new_planes(cloud)))
            expect_as_written(PLANES.of_line(text), expected, cloud or settings)
            assert 20 < lines_taken(text, 1000) < 980
    # With segments, of a frame of the same size and of another.
    for width in (4, 5):
        buffer = PLANES.buffer()
        info = rows.info_of("Segmentation", width=width, height=3)
        nothing = GstRdpSegment.Segmentation.new(info, [0] * (width + 1), [])
        GstRdpSegment.buffer_add_rdp_segment_meta(buffer, nothing)
        frame = PLANES.of_line(convert(buffer, size=PLANES.size))
        assert frame.n_columns == width
        # The line's frame is that of the segments.
        expect_as_written(frame.planes, PLANES.on(PLANES.buffer()), False, 0)


def test_binary_file():
    """Planes one after the other, between segmentations."""
    planes = [rows.new_planes(cloud).to_bytes().get_data() for cloud in (False, True)]
    info = rows.info_of("Segmentation", width=1, height=1)
    segments = GstRdpSegment.Segmentation.new(info, [0, 0], []).to_bytes().get_data()
    found = list(rdpsegment.read(io.BytesIO(planes[0] + segments + planes[1])))
    assert [type(one).__name__ for one in found] == ["Planes", "Frame", "Planes"]
    assert [one.to_bytes() for one in found] == [planes[0], segments, planes[1]]


def test_ply():
    planes = PLANES.make()
    data = PLANES.on(PLANES.buffer(planes)).to_ply()
    assert data == planes.to_ply().get_data() == PLANES.of_bytes(planes.to_bytes().get_data()).to_ply()
    header, body = data.split(b"end_header\n", 1)
    assert b"element vertex 3\n" in header and b"element face 1\n" in header
    vertices = np.frombuffer(body, [("point", "<f4", 3), ("normal", "<f4", 3), ("colour", "u1", 3)], 3)
    assert vertices["normal"].tolist() == [[0, 0, -1]] * 3
    assert sorted(vertices["point"][:, 0].tolist()) == [-1.5, 1, 1.25]


# Tracks.


def test_tracks():
    info = GstRdpSegment.TracksInfo()
    info.init()
    assert info.template_pts == Gst.CLOCK_TIME_NONE
    made = TRACKS.make()
    assert GstRdpSegment.lost_reason_get_name(made.peek_lost()[1].reason) == "crowded"
    found = TRACKS.on(TRACKS.buffer())
    assert len(found) == 2 and found.reasons() == ["outside", "crowded"] and found.warps is None
    assert rows.WARPED.of_line().reasons() == ["template", "crowded"]
    assert TRACKS.on(TRACKS.buffer(rows.new_tracks(2**64 - 1))).info.template_pts is None
    sizes = [len(make().to_bytes().get_data()) for make in (rows.WARPED.make, rows.lost_to_template)]
    assert sizes == [192, 144] and rows.lost_to_template().to_bytes().get_data()[4] == 2
    # Places that are no numbers, and the farthest one that there is.
    none = rdpsegment.points_to_track([[np.nan, 1], [2, np.inf]], 8, 6)
    text = TRACKS.convert(none.to_library())
    assert b'"template-pts":null,"tracks":[[0,0,null,1,' in text and b'"lost":[]' in text
    found = TRACKS.of_line(text)
    assert found.info.template_pts is None and np.isnan(found.tracks["x"][0])
    found = TRACKS.of_line(TRACKS.line.replace(b"[3,5,1.5,", b"[3,5,3.4028235e+38,"))
    assert found.tracks["x"][0] == np.finfo("f4").max, found.tracks


def test_points_to_track():
    own = rdpsegment.points_to_track([(1, 2), (3.5, 4)], 8, 6, motion=[(0.5, 0), (0, -2)])
    library = own.to_library()
    assert [(t.age, t.x, t.dx, t.dy) for t in library.peek_tracks()] == [(0, 1, 0.5, 0), (0, 3.5, 0, -2)]
    wrong = rdpsegment.points_to_track([(1, 2)], 0, 6)
    expect_error(wrong.to_library, rdpsegment.FormatError, "1 to 16384")


# Motion.


def test_motion():
    info = GstRdpSegment.MotionInfo()
    info.init()
    assert info.dt == 0 and not info.ego_known and list(info.ego) == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
    info = filled(info, frame=7, width=4, height=6, dt=0.5)
    segment = filled(GstRdpSegment.SegmentMotion(), tracks=2, flags=int(GstRdpSegment.MotionFlags.KNOWN), vz=-3)
    track = filled(GstRdpSegment.TrackMotion(), id=4, z=8, vz=-3, sigma=0.5)
    motion = GstRdpSegment.Motion.new(info, [segment], [track])
    (segment,), (track,) = motion.peek_segments(), motion.peek_tracks()
    assert motion.get_info().dt == 0.5
    assert (segment.tracks, segment.flags, segment.vz, track.id, track.sigma) == (2, 4, -3, 4, 0.5)
    flags = GstRdpSegment.MotionFlags.MOVING | GstRdpSegment.MotionFlags.ABSOLUTE
    assert int(flags) == 3 == rdpsegment.MotionFlags.MOVING | rdpsegment.MotionFlags.ABSOLUTE
    found = MOTION.on(MOTION.buffer())
    assert len(found) == 4 and found.known.tolist() == [True, False, False, True]
    assert found.moving.tolist() == found.absolute.tolist() == [True, False, False, False]
    assert found.ego.shape == (3, 4) and found.ego.ravel().tolist() == rows.EGO and not found.ego.flags.writeable
    unknown = MOTION.on(MOTION.buffer(rows.new_motion(ego=None, dt=None)))
    assert unknown.ego is None and unknown.info == rdpsegment.MotionInfo(7, 4, 6, None, False)


def same_motion(one, other, tracks=True):
    """But for the number of the frame, which in lines is that of the segments."""
    assert one.info.dt == other.info.dt and one.ego.tolist() == other.ego.tolist() and one.info.frame == 3
    assert one.segments.tobytes() == other.segments.tobytes()
    assert one.tracks.tobytes() == other.tracks.tobytes() if tracks else one.tracks is None


def test_motion_lines():
    frame = MOTION.of_line()
    assert isinstance(frame, rdpsegment.Frame) and frame.n_segments == 4 and frame.tracks is None
    own = MOTION.on(MOTION.buffer())
    same_motion(frame.motion, own, tracks=False)
    assert frame.motion.pts == 9
    expect_error(frame.motion.to_bytes, rdpsegment.Error, "points=true")
    # With tracks, which are in metres.
    buffer = MOTION.buffer()
    camera = rows.info_of("Camera", width=4, height=6, focal_length=4, focal_length_y=4, rectified=True,
                          depth_unit=0.001, measures=GstRdpSegment.Measure.DEPTH)  # fmt: skip
    GstRdpSegment.buffer_add_rdp_camera_meta(buffer, GstRdpSegment.Camera.new(camera))
    text = convert(buffer, "points=true", MOTION.size)
    start, _, end = text.partition(b',"camera":')
    assert start == rows.MOTION_HEAD + rows.COLUMNS, text
    assert end.endswith(b"," + rows.MOTION_KEY + rows.MOTION_TRACKS + b"}}\n"), text
    found = MOTION.of_line(text).motion
    same_motion(found, own)
    assert found.to_bytes()[16:] == own.to_bytes()[16:]
    expect_bad_lines(MOTION.line[:-3] + rows.MOTION_TRACKS + b"}}\n", rows.BAD_MOTION_OF_TRACKS)
    # Nothing is known of the camera and of the time, and there are no tracks at all.
    none = [(0, 0) + 7 * (rows.NAN,)] * 4
    text = MOTION.convert(rows.new_motion(None, None, none, []))
    end = b',"motion":{"dt":null,"ego":null,"columns":[[null],[],[null,null],[null]]}}\n'
    assert text == rows.MOTION_HEAD + rows.COLUMNS + end, text
    found = MOTION.of_line(text).motion
    assert found.ego is None and found.info.dt is None and not found.known.any()
    # Frames without motion have no new key.
    rows.add_segments(buffer := new_buffer())
    assert convert(buffer, size=MOTION.size) == rows.MOTION_HEAD + rows.COLUMNS + b"}\n"


def test_motion_of_other_segments():
    """An error that says what was expected; passed over where what is missing is."""
    line = rows.MOTION_HEAD + rows.COLUMNS + b"}\n"
    alone, second = new_buffer(), MOTION.buffer(batch_index=1)
    MOTION.add(alone)
    other = GstRdpSegment.Motion.new(rows.info_of("Motion", width=3, height=6), [], [])
    for buffer, without, *words in (
        (MOTION.buffer(rows.new_motion(segments=rows.SEGMENT_ROWS[:3])), line, "4 segments in 4x6", "3 in 4x6",
         "Put rdpmotion behind"),
        (MOTION.buffer(other), line, "4 segments in 4x6", "0 in 3x6"),
        (alone, b"", "the 4 segments that it describes, got none"),
        (second, line, "got none"),
    ):  # fmt: skip
        try:
            convert(buffer, size=MOTION.size)
        except GLib.Error as error:
            assert error.matches(Gst.StreamError.quark(), Gst.StreamError.FORMAT), error
            assert all(word in error.message for word in words), error
        else:
            raise AssertionError(f"written without {words}")
        assert convert(buffer, "skip-missing=true", MOTION.size) == without
    rows.add_segments(second, batch_index=1)
    text = convert(second, size=MOTION.size)
    assert text.count(b"\n") == 2 and text.endswith(b'"batch-index":1,' + rows.MOTION_KEY + b"}}\n"), text


# Heights.


def test_heights():
    found = HEIGHTS.on(HEIGHTS.buffer())
    assert len(found) == 2 and found.known == HEIGHTS.make().get_known() == 15 / 48
    assert found.places.tolist() == [[-2.501, 1.25], [0, 999.999]]
    assert (len(found.to_bytes()), len(rows.no_heights().to_bytes().get_data())) == (96 + 2 * 32, 96)
    assert rows.TRACKED.make().to_bytes().get_size() == 104 + 2 * 48 + 8
    assert len(found.head_tracks) == len(found.lost_heads) == 0
    # In metres they are without a camera. Where there is nothing, there is no ground.
    assert HEIGHTS.convert(properties="points=true") == HEIGHTS.line
    assert HEIGHTS.convert(rows.no_heights()) == rows.HEIGHTS_HEAD + (
        b'"views":3,"reference":0,"spread":0,"energy":0,"iterations":0,"known":0.0,"heads":[]}\n')  # fmt: skip
    # Nobody is there any more.
    text = HEIGHTS.convert(rows.new_heights([], lost=[3, 4000000000]))
    assert text.endswith(b'"heads":[],"lost-heads":[3,4000000000]}\n'), text
    # Both versions in one file; the second as a library may write it that has nothing to say in it.
    one, two = (make().to_bytes().get_data() for make in (HEIGHTS.make, rows.TRACKED.make))
    assert [found.to_bytes() for found in rdpsegment.read(io.BytesIO(one + two))] == [one, two]
    nobody = rows.no_heights().to_bytes().get_data()
    newer = nobody[:4] + b"\2" + nobody[5:] + bytes(8)
    assert HEIGHTS.of_bytes(newer).to_bytes() == nobody
    assert GstRdpSegment.Heights.new_from_bytes(GLib.Bytes.new(newer)).to_bytes().get_data() == nobody


def test_millimetres():
    """Metres that are whole millimetres give these back, through all forms."""
    mm = np.random.default_rng(1).integers(-1000000, 1000000, (500, 3))
    mm[:, 2] %= 65536
    heads = np.zeros(500, rdpsegment.HEAD)
    heads["votes"] = 1
    for i, name in enumerate(("x", "y", "height")):
        heads[name] = mm[:, i] / 1000
    own = rdpsegment.Heights(rdpsegment.HeightsInfo(**rows.SEARCH), heads)
    for found in (HEIGHTS.of_bytes(own.to_bytes()), HEIGHTS.on(HEIGHTS.buffer(own.to_library())),
                  HEIGHTS.of_line(HEIGHTS.convert(own.to_library()))):  # fmt: skip
        for i, name in enumerate(("x", "y", "height")):
            assert (np.rint(found.heads[name] * 1000).astype("i8") == mm[:, i]).all()
    assert all(len(f"{value!r}") <= 8 for value in heads["x"].tolist())  # as -999.999


def test_share_of_any_count():
    """The share says how many pixels are known, to the pixel, in the largest picture too."""
    for width, height in ((781, 621), (16384, 16384)):
        for known in (0, 1, 2, 3, 7919, width * height // 3, width * height - 1, width * height):
            text = HEIGHTS.convert(rows.new_heights([], width=width, height=height, known_pixels=known))
            assert HEIGHTS.of_line(text).info.known_pixels == known, (text, known)


# Obstacles.


def test_obstacles():
    buffer = OBSTACLES.buffer()
    OBSTACLES.add(buffer, without_ground().to_library(), batch_index=1)
    found, axes = OBSTACLES.on(buffer), [[0, 0, 1], [-1, 0, 0], [0, -1, 0]]
    assert found.info.ground == "planes" and found.axes.tolist() == axes
    assert len(found) == 2 and found.objects["id"].tolist() == [4, 5] and found.objects["flags"].tolist() == [7, 0]
    assert found.angles.tolist() == [-0.5, 0, 0.5] and np.isposinf(found.ranges[1]) and np.isnan(found.ranges[2])
    assert found.occupancy.tolist() == [[100, 0, 0], [-1, 100, 100]] and found.tops[1, 1] == 65
    assert not found.tops.flags.writeable
    other = OBSTACLES.on(buffer, 1)
    assert other.info.ground is None and other.info.camera_height is None and other.states.shape == (0, 0)
    text = OBSTACLES.convert(properties="")
    assert text == rows.OBSTACLES_HEAD + rows.OBSTACLES_KEY + b"}}\n" and len(OBSTACLES.of_line(text).tops) == 0
    text = OBSTACLES.convert(without_ground().to_library())
    assert b'{"ground":null,"refined":false,"camera-height":null,"pitch":0.0,"roll":0.0,' in text, text


def test_axes_of_a_line():
    """The axes follow from pitch and roll, also where the camera looks down."""
    for pitch, roll in ((0.3, 0.2), (1.3, -0.4)):
        n = np.array([np.sin(roll) * np.cos(pitch), np.cos(roll) * np.cos(pitch), np.sin(pitch)])
        text = OBSTACLES.line.replace(b'"pitch":0.0', b'"pitch":%.17g' % pitch)
        axes = OBSTACLES.of_line(text.replace(b'"roll":0.0', b'"roll":%.17g' % roll)).axes
        assert np.allclose(axes @ axes.T, np.eye(3)) and np.isclose(np.linalg.det(axes), 1)
        assert np.allclose(axes[2], -n) and axes[0, 2] > 0 or pitch > 1 and axes[0, 1] < 0


COLUMNS = (b"time_s,id,age,x_m,y_m,length_m,width_m,height_m,yaw_deg,distance_m,vx_m_s,vy_m_s,samples,box_x,box_y,"
           b"box_width,box_height,cut\n")  # fmt: skip


def test_csv():
    frames = b"time_s,nearest_m,bearing_deg,objects,unknown\n0.000000009,1.234,-28.6479,2,0.3333\n"
    objects = (b"0.000000009,4,9,1.25,-0.5,0.75,0.5,0.375,-85.9437,1.125,0.25,-0.125,40,1,2,7,4,1\n"
               b"0.000000009,5,0,3.5,1,0.1,0.1,1,0,3.4,,,9,0,0,1,1,0\n")  # fmt: skip
    assert OBSTACLES.convert(properties="format=csv") == frames
    assert OBSTACLES.convert(properties="format=csv csv-content=objects") == COLUMNS + objects
    none = without_ground().to_library()
    assert OBSTACLES.convert(none, "format=csv csv-content=objects") == COLUMNS
    # The first bearing without a range, and of a batch a line for each frame.
    text = OBSTACLES.line.replace(b'"ofu","ranges":[1.234,null', b'"uou","ranges":[null,2.5')
    buffer = OBSTACLES.buffer(OBSTACLES.of_line(text).to_library())
    OBSTACLES.add(buffer, none, batch_index=1)
    text = convert(buffer, "format=csv")
    assert text == frames[:45] + b"0.000000009,2.5,0,2,0.6667\n0.000000009,,,0,1\n", text
    buffer = filled(OBSTACLES.buffer(), pts=2**64 - 1)
    assert convert(buffer, "format=csv").endswith(b"\n,1.234,-28.6479,2,0.3333\n")
    assert convert(new_buffer(), "format=csv skip-missing=true") == b""
    words = "no obstacles, which format=csv needs: put depthobstacles before"
    expect_error(lambda: convert(new_buffer(), "format=csv"), GLib.Error, words)


def test_header_once():
    """Frames without obstacles are left out, and so are empty texts."""
    caps = "video/x-raw,format=GRAY8,width=8,height=6,framerate=1/1"
    convert_objects = "rdpmetaconvert format=csv csv-content=objects skip-missing=true"
    pipeline = Gst.parse_launch(f"appsrc name=in format=time caps={caps} ! {convert_objects} ! appsink name=out")
    pipeline.set_state(Gst.State.PLAYING)
    for buffer in (OBSTACLES.buffer(), new_buffer(), OBSTACLES.buffer(without_ground().to_library()), OBSTACLES.buffer()):
        pipeline.get_by_name("in").emit("push-buffer", buffer)
    pipeline.get_by_name("in").emit("end-of-stream")
    sink, texts = pipeline.get_by_name("out"), []
    while sample := sink.emit("try-pull-sample", 10 * Gst.SECOND):
        assert sample.get_caps().to_string() == "text/csv"
        texts.append(sample.get_buffer().extract_dup(0, 65536))
    pipeline.set_state(Gst.State.NULL)
    assert [text.count(b"\n") for text in texts] == [3, 2] and texts[0] == COLUMNS + texts[1], texts


# Several kinds.


def test_several_kinds():
    """Behind the keys of others, and with a size of its own where that is another one; a batch has a line for each."""
    tracks = GstRdpSegment.Tracks.new(rows.info_of("Tracks", width=4, height=3), [], [])
    for kind, others, end in (
        (TRACKS, (), b'"planes":[],"tracks-width":8,"tracks-height":6,' + TRACKS.line[len(rows.HEIGHTS_HEAD) :]),
        (HEIGHTS, (tracks,), b'"tracks":[],"lost":[],"heights-width":8,"heights-height":6,' + rows.HEIGHTS_KEYS + b"}\n"),
        (OBSTACLES, (), b',"obstacles-width":8,"obstacles-height":6,' + rows.OBSTACLES_KEY + rows.GRID + b"}}\n"),
    ):  # fmt: skip
        buffer = kind.buffer()
        PLANES.add(buffer, rows.no_planes())
        for other in others:
            TRACKS.add(buffer, other)
        text = convert(buffer, kind.properties)
        assert text.endswith(end) and text.count(b'"unit"') == 1, text
        found = kind.of_line(text)
        assert isinstance(found, rdpsegment.Planes)
        # The number of the frame is that of the line's first kind.
        own = getattr(found, kind.name)
        assert own.to_bytes()[16:] == kind.make().to_bytes().get_data()[16:] and own.info.width == 8
    buffer = HEIGHTS.buffer()
    HEIGHTS.add(buffer, batch_index=1)
    first, second = rdpsegment.read(io.BytesIO(convert(buffer)))
    assert (first.batch_index, second.batch_index) == (0, 1) and first.to_bytes() == second.to_bytes()


def main():
    Gst.init(None)
    tap = Tap()
    for name, kind in KINDS.items():
        for check in (check_introspection, check_on_buffer, check_bytes, check_line):
            tap.run([(f"{name}: {check.__name__}", functools.partial(check, kind))])
    tap.run([item for item in globals().items() if item[0].startswith("test_")])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
