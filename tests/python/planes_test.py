#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Planes in Python: through GObject introspection, and as the module rdpsegment gives them."""

import gc
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
