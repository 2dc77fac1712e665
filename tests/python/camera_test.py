#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Cameras through GObject introspection, as programs in Python use them."""

import gc
import json
import math
import pathlib
import sys
import tempfile

import gi
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pipelines"))
from tap import run_tests  # noqa: E402

gi.require_version("Gst", "1.0")
gi.require_version("GstRdpSegment", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst, GstRdpSegment, GstVideo  # noqa: E402

POSE = [[1.0, 0.0, 0.0, 1.5], [0.0, 0.0, 1.0, -2.5], [0.0, -1.0, 0.0, 3.0]]


def new_info(width=640, height=480):
    info = GstRdpSegment.CameraInfo()
    info.init()
    info.width = width
    info.height = height
    info.focal_length = info.focal_length_y = 500
    info.principal_x = (width - 1) / 2
    info.principal_y = (height - 1) / 2
    info.rectified = True
    info.baseline = 0.1
    info.measures = GstRdpSegment.Measure.DISPARITY
    info.disparity_unit = 1 / 256
    return info


def refused(call, *words):
    try:
        call()
    except GLib.Error as error:
        for word in words:
            assert word in error.message, (word, error.message)
        assert error.matches(Gst.LibraryError.quark(), Gst.LibraryError.SETTINGS), error
    else:
        raise AssertionError(f"no error with {words}")


def test_camera():
    camera = GstRdpSegment.Camera.new(new_info())
    assert camera.measures_metres()
    assert camera.get_depth(2560) == 5.0
    assert math.isnan(camera.get_depth(0))
    assert camera.unproject(569.5, 239.5) == (True, 0.5, 0.0)
    assert camera.project(1.0, 0.0, 2.0) == (True, 569.5, 239.5)
    assert camera.project(1.0, 0.0, -2.0)[0] is False
    half = camera.scale(320, 240)
    assert half.get_info().focal_length == 250 and half.get_depth(2560) == 5.0
    part = camera.crop(10, 20, 30, 40)
    info = part.get_info()
    del camera, half, part
    gc.collect()
    assert (info.width, info.height, info.principal_x) == (30, 40, 309.5)


def test_errors():
    info = new_info()
    info.focal_length = -1
    refused(lambda: GstRdpSegment.Camera.new(info), "focal_length is -1", "above 0")
    info = new_info()
    info.baseline = 0
    camera = GstRdpSegment.Camera.new(info)
    refused(camera.measures_metres, "set baseline")
    assert math.isnan(camera.get_depth(2560))


def test_json():
    camera = GstRdpSegment.Camera.new(new_info())
    parsed = json.loads(camera.to_json())
    assert parsed["size"] == [640, 480] and parsed["measures"] == "disparity"
    # What bindings cannot set are the lists.
    parsed["pose"] = POSE
    parsed["distortion"] = [0.1, 0, 0, 0, 0, 0, 0, 0.2]
    copy = GstRdpSegment.Camera.new_from_json(json.dumps(parsed))
    info = copy.get_info()
    assert list(info.pose) == sum(POSE, []) and info.has_pose
    assert list(info.distortion) == [0.1, 0, 0, 0, 0, 0, 0, 0.2]
    assert GstRdpSegment.Camera.new_from_json(copy.to_json()).to_json() == copy.to_json()
    refused(lambda: GstRdpSegment.Camera.new_from_json('{"focal-length":"x"}'), "focal-length",
            "a number")


def test_files():
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump([{"size": [640, 480], "focal-length": f} for f in (500, 600)], file)
        file.flush()
        for _ in range(20):
            views = GstRdpSegment.Camera.read_files(file.name, 1.0, 0, 0)
            first, second = views
            del views
            gc.collect()
            assert first.get_info().focal_length == 500 and second.get_info().focal_length == 600
            assert first.to_json() != second.to_json()
    refused(lambda: GstRdpSegment.Camera.read_files("no-such-file.json", 1.0, 0, 0),
            "no-such-file.json")


def test_on_buffer():
    camera = GstRdpSegment.Camera.new(new_info())
    buffer = Gst.Buffer.new()
    assert GstRdpSegment.buffer_get_camera(buffer) is None
    meta = GstRdpSegment.buffer_add_rdp_camera_meta(buffer, camera)
    assert meta.camera.to_json() == camera.to_json()
    copy = buffer.copy_deep()
    del buffer, meta
    gc.collect()
    assert GstRdpSegment.buffer_get_camera(copy).to_json() == camera.to_json()
    GstVideo.buffer_add_video_meta(copy, 0, GstVideo.VideoFormat.GRAY16_LE, 600, 480)
    refused(lambda: GstRdpSegment.buffer_get_camera(copy), "640x480", "600x480", "set calibration")


def test_points():
    info = GstRdpSegment.SegmentationInfo()
    info.init()
    info.width, info.height = 3, 10
    segments = []
    for values in [(0, 4, 2560, 1280), (4, 9, 1280, 0)]:
        segment = GstRdpSegment.Segment()
        segment.first_row, segment.last_row, segment.first_value, segment.last_value = values
        segments.append(segment)
    segmentation = GstRdpSegment.Segmentation.new(info, [0, 1, 1, 2], segments)
    camera = GstRdpSegment.Camera.new(new_info(3, 10))

    buffer = Gst.Buffer.new()
    GstRdpSegment.buffer_add_rdp_camera_meta(buffer, camera)
    meta = GstRdpSegment.buffer_add_rdp_segment_meta(buffer, segmentation)
    camera = GstRdpSegment.SegmentMeta.get_camera(buffer, meta)
    data = segmentation.get_points(camera)
    del segmentation, camera, buffer, meta
    gc.collect()
    points = np.frombuffer(data.get_data(), "<f4").reshape(-1, 2, 3)
    expected = np.array([[[-0.01, -0.045, 5], [-0.01 * 2, -0.01, 10]],
                         [[0.02, -0.01, 10], [np.nan] * 3]], "f4")
    np.testing.assert_allclose(points, expected, rtol=1e-6)


def main():
    Gst.init(None)
    return run_tests(globals())


if __name__ == "__main__":
    sys.exit(main())
