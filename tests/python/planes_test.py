#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Planes in Python: through GObject introspection, and as the module rdpsegment gives them."""

import dataclasses
import gc
import io
import pathlib
import random
import sys

import gi
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pipelines"))
from tap import run_tests  # noqa: E402

import rdpsegment  # noqa: E402

gi.require_version("Gst", "1.0")
gi.require_version("GstRdpSegment", "1.0")
from gi.repository import GLib, Gst, GstRdpSegment  # noqa: E402


def filled(boxed, **fields):
    for name, value in fields.items():
        setattr(boxed, name, value)
    return boxed


def new_planes(cloud=False):
    """A wall with a hull and a floor without: of a frame of 4x3, or of twelve points."""
    info = GstRdpSegment.PlanesInfo()
    info.init()
    filled(info, frame=2**63 + 1, n_points=12, calibrated=True, ground=1, camera_height=1.25,
           tolerance=0.005, min_inliers=3, cloud=cloud)
    if not cloud:
        filled(info, width=4, height=3, focal_length=3.5, focal_length_y=3.25, principal_x=1.5,
               principal_y=1, noise=0.001, pitch=-0.5)
    wall = filled(GstRdpSegment.Plane(), normal_z=1, distance=2, centroid_x=0.5, rms=0.125,
                  area=1.5, inliers=8, votes=9, n_corners=3)
    floor = filled(GstRdpSegment.Plane(), normal_y=1, distance=1.25, inliers=3, first_corner=3)
    if not cloud:
        filled(wall, box_width=4, box_height=2)
        filled(floor, box_y=2, box_width=3, box_height=1)
    places = [(-1, -1)] * 3 if cloud else [(0, 0), (3, 0), (3, 1)]
    corners = [filled(GstRdpSegment.PlaneCorner(), column=c, row=r, x=x, y=-1, z=2)
               for (c, r), x in zip(places, (-1.5, 1, 1.25))]
    return GstRdpSegment.Planes.new(info, [wall, floor], corners, [1] * 8 + [2] * 3 + [0])


def on_buffer(planes, **fields):
    buffer = Gst.Buffer.new()
    filled(GstRdpSegment.buffer_add_rdp_planes_meta(buffer, planes), **fields)
    return buffer


def test_introspection():
    planes = new_planes()
    info = planes.get_info()
    assert (info.frame, info.width, info.height, info.ground) == (2**63 + 1, 4, 3, 1)
    assert planes.get_n_planes() == 2 and planes.get_n_corners() == 3
    assert planes.fetch_labels()
    wall, floor = planes.peek_planes()
    corners = planes.peek_corners()
    labels = planes.peek_labels()
    del planes, info
    gc.collect()
    assert (wall.normal_z, wall.area, floor.distance, floor.box_y) == (1, 1.5, 1.25, 2)
    assert [(c.column, c.row, c.x) for c in corners] == [(0, 0, -1.5), (3, 0, 1), (3, 1, 1.25)]
    assert list(labels) == [1] * 8 + [2] * 3 + [0]


def test_arrays():
    found = rdpsegment.planes(on_buffer(new_planes()))
    gc.collect()
    assert rdpsegment.PLANE.itemsize == 64 and rdpsegment.CORNER.itemsize == 20
    assert len(found) == 2 and found.planes.dtype == rdpsegment.PLANE
    assert found.planes["normal"].tolist() == [[0, 0, 1], [0, 1, 0]]
    assert found.planes["distance"].tolist() == [2, 1.25]
    assert found.planes["centroid"][0].tolist() == [0.5, 0, 0]
    assert found.planes[0][["rms", "area", "inliers", "votes"]].tolist() == (0.125, 1.5, 8, 9)
    assert found.planes["box"].tolist() == [[0, 0, 4, 2], [0, 2, 3, 1]]
    assert found.hull(0)["column"].tolist() == [0, 3, 3] and len(found.hull(1)) == 0
    assert found.hull(0)["point"].tolist() == [[-1.5, -1, 2], [1, -1, 2], [1.25, -1, 2]]
    assert found.labels.shape == (3, 4) and found.labels.dtype == np.uint8
    assert found.labels.tolist() == [[1] * 4, [1] * 4, [2, 2, 2, 0]]
    assert found.ground == 1 and found.info.camera_height == 1.25 and found.info.calibrated is True
    for array in (found.planes, found.corners, found.labels):
        assert not array.flags.writeable
    try:
        found.hull(2)
    except IndexError as error:
        assert "expected 0 to 1" in str(error)
    else:
        raise AssertionError("a plane that is not there")


def test_cloud():
    found = rdpsegment.planes(on_buffer(new_planes(cloud=True)))
    assert found.info.cloud is True and found.info.width == 0
    assert found.labels.shape == (12,)
    assert found.hull(0)["row"].tolist() == [-1] * 3


def test_on_buffer():
    assert rdpsegment.planes(Gst.Buffer.new()) is None
    buffer = on_buffer(new_planes(), scale_x=0.5, offset_y=3)
    buffer.pts = 7
    found = rdpsegment.planes(buffer)
    assert found.placement == (0.5, 1, 0, 3) and found.pts == 7 and found.batch_index == 0
    filled(GstRdpSegment.buffer_add_rdp_planes_meta(buffer, new_planes(True)), batch_index=3)
    assert rdpsegment.planes(buffer, 3).info.cloud
    assert rdpsegment.planes(buffer, 3).batch_index == 3
    assert rdpsegment.planes(buffer, 1) is None
    assert rdpsegment.planes(Gst.Sample.new(buffer, None, None, None)).info.width == 4


def test_lost():
    class Lost:
        """As planes are whose labels a GPU has lost."""

        def fetch_labels(self):
            raise GLib.Error("the labels of frame 7 are lost: the wire is cut")

    good = rdpsegment.planes(on_buffer(new_planes()))
    lost = rdpsegment.Planes(good.info, good.planes, good.corners, library=Lost())
    assert len(lost.hull(0)) == 3
    for read in (lambda: lost.labels, lost.to_bytes):
        try:
            read()
        except rdpsegment.LabelsLost as error:
            assert "the wire is cut" in str(error)
        else:
            raise AssertionError("lost labels were read")


def test_binary_form():
    for cloud in (False, True):
        data = new_planes(cloud).to_bytes().get_data()
        found = rdpsegment.planes_from_bytes(data)
        of_buffer = rdpsegment.planes(on_buffer(new_planes(cloud)))
        assert found.info == of_buffer.info
        for name in ("planes", "corners", "labels"):
            assert np.array_equal(getattr(found, name), getattr(of_buffer, name)), name
        assert found.to_bytes() == of_buffer.to_bytes() == data
        assert GstRdpSegment.Planes.new_from_bytes(
            GLib.Bytes.new(found.to_bytes())).get_n_planes() == 2


def library_reads(data):
    try:
        GstRdpSegment.Planes.new_from_bytes(GLib.Bytes.new(data))
        return True
    except GLib.Error:
        return False


def module_reads(data):
    try:
        rdpsegment.planes_from_bytes(data)
        return True
    except rdpsegment.FormatError as error:
        assert str(error)
        return False


def test_hostile_bytes():
    """What the library refuses the module refuses, and the other way round."""
    chance = random.Random(1)
    read = 0
    for good in (new_planes().to_bytes().get_data(), new_planes(True).to_bytes().get_data()):
        for size in range(len(good)):
            assert not module_reads(good[:size]), size
        assert not module_reads(good + b"\0")
        for _ in range(1500):
            data = bytearray(good)
            for _ in range(chance.randint(1, 3)):
                data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            expected = library_reads(bytes(data))
            assert module_reads(bytes(data)) == expected, bytes(data)
            read += expected
    assert 100 < read < 2900, read


def line_of(buffer, settings=""):
    """What rdpmetaconvert writes of a frame of 4x3."""
    pipeline = Gst.parse_launch(
        "appsrc name=in caps=video/x-raw,format=GRAY8,width=4,height=3,framerate=30/1 ! "
        f"rdpmetaconvert {settings} ! appsink name=out sync=false"
    )
    pipeline.set_state(Gst.State.PLAYING)
    pipeline.get_by_name("in").emit("push-buffer", buffer)
    sample = pipeline.get_by_name("out").emit("try-pull-sample", 5 * Gst.SECOND)
    pipeline.set_state(Gst.State.NULL)
    written = sample.get_buffer()
    return written.extract_dup(0, written.get_size())


def expect_as_written(found, buffer, with_points):
    """A line has what the buffer has, but for what lines leave out."""
    expected = rdpsegment.planes(buffer)
    for name, value in vars(found.info).items():
        unsaid = name in ("focal_length", "focal_length_y", "principal_x", "principal_y",
                          "tolerance", "min_inliers")  # fmt: skip
        assert value == (None if unsaid else getattr(expected.info, name)), name
    for name in found.planes.dtype.names:
        if name != "votes":
            assert np.array_equal(found.planes[name], expected.planes[name]), name
    for name in ("column", "row"):
        assert np.array_equal(found.corners[name], expected.corners[name]), name
    points = expected.corners["point"] if with_points else np.full((3, 3), np.nan, "f4")
    assert np.array_equal(found.corners["point"], points, equal_nan=True)
    for read in (lambda: found.labels, found.to_bytes):
        try:
            read()
        except rdpsegment.Error as error:
            assert "no labels" in str(error), error
        else:
            raise AssertionError("a line has no labels")


def test_lines():
    for cloud in (False, True):
        for settings in ("", "points=true"):
            buffer = on_buffer(new_planes(cloud))
            (found,) = rdpsegment.read(io.BytesIO(line_of(buffer, settings)))
            assert isinstance(found, rdpsegment.Planes) and found.pts is None
            expect_as_written(found, buffer, cloud or settings)
    # With segments, of a frame of the same size and of another.
    for width in (4, 5):
        buffer = on_buffer(new_planes())
        info = GstRdpSegment.SegmentationInfo()
        info.init()
        filled(info, width=width, height=3)
        nothing = GstRdpSegment.Segmentation.new(info, [0] * (width + 1), [])
        GstRdpSegment.buffer_add_rdp_segment_meta(buffer, nothing)
        (frame,) = rdpsegment.read(io.BytesIO(line_of(buffer)))
        assert frame.n_columns == width
        assert frame.planes.info.frame == 0, "the line's frame is that of the segments"
        whole = dataclasses.replace(frame.planes.info, frame=2**63 + 1)
        expect_as_written(rdpsegment.Planes(whole, frame.planes.planes, frame.planes.corners),
                          buffer, False)  # fmt: skip


def test_any_line():
    """Of a good line with some characters changed: planes, or a FormatError, and nothing else."""
    chance = random.Random(3)
    read = 0
    for cloud in (False, True):
        good = line_of(on_buffer(new_planes(cloud)), "points=true")
        for _ in range(1500):
            text = bytearray(good)
            for _ in range(chance.randint(1, 3)):
                text[chance.randrange(len(text) - 1)] = chance.choice(b'0123456789.-e[]{},:"ntrue ')
            try:
                read += sum(1 for _ in rdpsegment.read(io.BytesIO(bytes(text))))
            except rdpsegment.FormatError as error:
                assert "line 1: " in str(error) and len(str(error)) < 600, error
    assert 100 < read < 2900, read


def test_binary_file():
    """Planes one after the other, between segmentations, and what is wrong with one of them."""
    planes = [new_planes(cloud).to_bytes().get_data() for cloud in (False, True)]
    info = GstRdpSegment.SegmentationInfo()
    info.init()
    filled(info, width=1, height=1)
    segments = GstRdpSegment.Segmentation.new(info, [0, 0], []).to_bytes().get_data()
    found = list(rdpsegment.read(io.BytesIO(planes[0] + segments + planes[1])))
    assert [type(one).__name__ for one in found] == ["Planes", "Frame", "Planes"]
    assert [one.to_bytes() for one in found] == [planes[0], segments, planes[1]]
    for wrong, said in ((planes[1][:-1], "planes 1: truncated"), (b"RDPX", "expected b'RDPS'"),
                        (planes[1][:20], "planes 1: truncated")):  # fmt: skip
        try:
            list(rdpsegment.read(io.BytesIO(planes[0] + wrong)))
        except rdpsegment.FormatError as error:
            assert said in str(error), error
        else:
            raise AssertionError(said)


def test_ply():
    planes = new_planes()
    data = rdpsegment.planes(on_buffer(planes)).to_ply()
    assert data == planes.to_ply().get_data()
    assert data == rdpsegment.planes_from_bytes(planes.to_bytes().get_data()).to_ply()
    header, body = data.split(b"end_header\n", 1)
    assert b"element vertex 3\n" in header and b"element face 1\n" in header
    vertices = np.frombuffer(body, [("point", "<f4", 3), ("normal", "<f4", 3), ("colour", "u1", 3)], 3)
    assert vertices["normal"].tolist() == [[0, 0, -1]] * 3
    assert sorted(vertices["point"][:, 0].tolist()) == [-1.5, 1, 1.25]


def main():
    Gst.init(None)
    return run_tests(globals())


if __name__ == "__main__":
    sys.exit(main())
