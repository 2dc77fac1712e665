#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The metadata library through GObject introspection, as programs in Python use it."""

import gc
import json
import pathlib
import sys

import gi
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pipelines"))
from tap import run_tests  # noqa: E402

gi.require_version("Gst", "1.0")
gi.require_version("GstRdpSegment", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst, GstRdpSegment, GstVideo  # noqa: E402

SEGMENT = np.dtype([("first_row", "<u2"), ("last_row", "<u2"),
                    ("first_value", "<f4"), ("last_value", "<f4")])
TIMEOUT = 20 * Gst.SECOND


def arrays(segmentation):
    offsets = np.frombuffer(segmentation.get_offsets().get_data(), "<u4")
    segments = np.frombuffer(segmentation.get_segments().get_data(), SEGMENT)
    return offsets, segments


def new_info(width, height):
    info = GstRdpSegment.SegmentationInfo()
    info.init()
    info.width = width
    info.height = height
    return info


def new_segment(*values):
    segment = GstRdpSegment.Segment()
    segment.first_row, segment.last_row, segment.first_value, segment.last_value = values
    return segment


def new_segmentation():
    info = new_info(3, 10)
    info.frame = 2**63 + 1
    info.epsilon = 2.5
    info.domain = GstRdpSegment.Domain.INVERSE
    info.median = getattr(GstRdpSegment.Median, "3X3")
    segments = [new_segment(0, 4, 10, 20.5), new_segment(4, 9, 20.5, 7), new_segment(3, 3, 1, 1)]
    return GstRdpSegment.Segmentation.new(info, [0, 2, 2, 3], segments)


def run(launch, frames=(), caps=None):
    """The buffers that arrive at the appsinks sink0, sink1... of `launch`, a list for each. `frames`
    are pushed into its appsrc."""
    pipeline = Gst.parse_launch(launch)
    source = pipeline.get_by_name("source")
    if source:
        source.set_property("caps", Gst.Caps.from_string(caps))
        source.set_property("format", Gst.Format.TIME)
    sinks = []
    while sink := pipeline.get_by_name(f"sink{len(sinks)}"):
        sink.set_property("sync", False)
        sink.set_property("wait-on-eos", False)
        sinks.append(sink)
    try:
        pipeline.set_state(Gst.State.PLAYING)
        for number, frame in enumerate(frames):
            buffer = Gst.Buffer.new_wrapped(frame.tobytes())
            buffer.pts = number * Gst.SECOND
            source.emit("push-buffer", buffer)
        if source:
            source.emit("end-of-stream")
        message = pipeline.get_bus().timed_pop_filtered(
            TIMEOUT, Gst.MessageType.EOS | Gst.MessageType.ERROR)
        assert message is not None, "the pipeline does not end"
        assert message.type == Gst.MessageType.EOS, message.parse_error()
        return [buffers_of(sink) for sink in sinks]
    finally:
        pipeline.set_state(Gst.State.NULL)


def buffers_of(sink):
    buffers = []
    while sample := sink.emit("try-pull-sample", 0):
        buffers.append(sample.get_buffer())
    return buffers


def test_information():
    info = GstRdpSegment.SegmentationInfo()
    info.init()
    assert (info.epsilon, info.sample_scale, info.min_value, info.max_value) == (4.0, 1.0, 1, 65535)
    assert info.domain == GstRdpSegment.Domain.LINEAR and info.column_width == 1

    info = new_segmentation().get_info()
    gc.collect()
    assert (info.frame, info.width, info.height, info.epsilon) == (2**63 + 1, 3, 10, 2.5)
    assert info.domain == GstRdpSegment.Domain.INVERSE
    assert info.median == getattr(GstRdpSegment.Median, "3X3")


def test_columns():
    segmentation = new_segmentation()
    assert segmentation.fetch()  # raises GLib.Error where they are lost
    assert segmentation.get_n_columns() == 3 and segmentation.get_n_segments() == 3
    columns = [segmentation.get_column(c) for c in range(3)]
    del segmentation
    gc.collect()
    values = [[(s.first_row, s.last_row, s.first_value, s.last_value) for s in column]
              for column in columns]
    assert values == [[(0, 4, 10, 20.5), (4, 9, 20.5, 7)], [], [(3, 3, 1, 1)]], values


def test_arrays():
    offsets, segments = arrays(new_segmentation())
    gc.collect()
    assert offsets.tolist() == [0, 2, 2, 3]
    assert segments.tolist() == [(0, 4, 10, 20.5), (4, 9, 20.5, 7), (3, 3, 1, 1)]


def test_serialized():
    data = new_segmentation().to_bytes()
    copy = GstRdpSegment.Segmentation.new_from_bytes(data)
    assert copy.to_bytes().get_data() == data.get_data()
    assert copy.get_info().epsilon == 2.5
    broken = GLib.Bytes.new(data.get_data()[:-1])
    try:
        GstRdpSegment.Segmentation.new_from_bytes(broken)
    except GLib.Error as error:
        assert "invalid segmentation" in error.message, error
    else:
        raise AssertionError("a truncated segmentation was read")


def test_on_buffer():
    buffer = Gst.Buffer.new()
    assert GstRdpSegment.buffer_get_segmentation(buffer) is None
    assert GstRdpSegment.buffer_get_rdp_segment_meta(buffer) is None
    GstRdpSegment.buffer_add_rdp_segment_meta(buffer, new_segmentation())
    segmentation = GstRdpSegment.buffer_get_segmentation(buffer)
    meta = GstRdpSegment.buffer_get_rdp_segment_meta(buffer)
    assert (meta.scale_x, meta.scale_y, meta.offset_x, meta.offset_y) == (1, 1, 0, 0)
    del meta, buffer
    gc.collect()
    assert segmentation.get_n_segments() == 3
    assert arrays(segmentation)[1]["last_value"].tolist() == [20.5, 7, 1]


def test_placement():
    buffer = Gst.Buffer.new()
    # Python cannot set its fields: a crop at 0, 0.
    buffer.add_meta(GstVideo.VideoCropMeta.get_info(), None)
    GstRdpSegment.buffer_add_rdp_segment_meta(buffer, new_segmentation())
    meta = GstRdpSegment.buffer_get_rdp_segment_meta(buffer)
    meta.scale_x, meta.offset_y = 0.5, 3
    assert GstRdpSegment.SegmentMeta.get_placement(buffer, meta) == (0.5, 1, 0, 3)


def test_batch():
    buffer = Gst.Buffer.new()
    GstRdpSegment.buffer_add_rdp_segment_meta(buffer, new_segmentation())
    GstRdpSegment.buffer_add_rdp_segment_meta(buffer, new_segmentation()).batch_index = 3
    assert GstRdpSegment.buffer_get_batch_segmentation(buffer, 0).get_n_columns() > 0
    assert GstRdpSegment.buffer_get_batch_segmentation(buffer, 3).get_n_columns() > 0
    assert GstRdpSegment.buffer_get_batch_segmentation(buffer, 1) is None
    assert GstRdpSegment.buffer_get_rdp_segment_meta_of_batch(buffer, 3).batch_index == 3


def tents(width, height, frame):
    """Columns that rise to a peak of their own and fall again: two segments each, known exactly."""
    peaks = 10 + (np.arange(width) + frame) % (height - 20)
    rows = np.arange(height)[:, None]
    samples = np.where(rows <= peaks, 100 + 50 * rows, 100 + 50 * peaks - 5 * (rows - peaks))
    return peaks, samples.astype("<u2")


def test_live_pipeline():
    width, height = 64, 100
    scenes = [tents(width, height, frame) for frame in range(5)]
    [buffers] = run(
        "appsrc name=source ! rdpsegment epsilon=1 ! queue ! appsink name=sink0",
        [samples for _, samples in scenes],
        f"video/x-raw,format=GRAY16_LE,width={width},height={height},framerate=1/1")
    assert len(buffers) == len(scenes)
    for number, (buffer, (peaks, samples)) in enumerate(zip(buffers, scenes)):
        segmentation = GstRdpSegment.buffer_get_segmentation(buffer)
        assert segmentation.get_info().frame == number
        offsets, segments = arrays(segmentation)
        assert np.array_equal(offsets, np.arange(width + 1) * 2)
        up, down = segments[0::2], segments[1::2]
        assert np.all(up["first_row"] == 0) and np.all(down["last_row"] == height - 1)
        assert np.array_equal(up["last_row"], peaks) and np.array_equal(down["first_row"], peaks)
        columns = np.repeat(np.arange(width), 2)
        assert np.array_equal(segments["first_value"], samples[segments["first_row"], columns])
        assert np.array_equal(segments["last_value"], samples[segments["last_row"], columns])


def test_json_is_the_metadata():
    frames, lines = run(
        "depthtestsrc num-buffers=3 unknown-ratio=0.2 noise=1 ! "
        "video/x-raw,width=90,height=70,framerate=30/1 ! "
        "rdpsegment epsilon=2 sample-scale=0.00390625 column-width=4 ! tee name=t "
        "t. ! queue ! appsink name=sink0 "
        "t. ! queue ! rdpmetaconvert ! appsink name=sink1")
    assert len(frames) == len(lines) == 3
    for buffer, line in zip(frames, lines):
        text = line.extract_dup(0, line.get_size()).decode("ascii")
        assert text.endswith("}\n") and text.count("\n") == 1
        parsed = json.loads(text)
        assert list(parsed) == ["frame", "pts", "width", "height", "epsilon", "sample-scale",
                                "domain", "column-width", "columns"]
        segmentation = GstRdpSegment.buffer_get_segmentation(buffer)
        info = segmentation.get_info()
        assert parsed["pts"] == buffer.pts == line.pts and line.duration == buffer.duration
        assert (parsed["frame"], parsed["width"], parsed["height"]) == (info.frame, 90, 70)
        assert parsed["epsilon"] == 2.0 and parsed["sample-scale"] == 1 / 256
        assert parsed["domain"] == "linear" and parsed["column-width"] == 4
        offsets, segments = arrays(segmentation)
        assert len(segments) > 23
        assert [len(column) for column in parsed["columns"]] == np.diff(offsets).tolist()
        flat = [tuple(segment) for column in parsed["columns"] for segment in column]
        assert flat == segments.tolist()


def test_scaled():
    frames, = run("depthtestsrc num-buffers=1 ! video/x-raw,format=GRAY8,width=80,height=60 ! "
                  "rdpsegment ! videoscale add-borders=false ! video/x-raw,width=40,height=120 ! "
                  "appsink name=sink0")
    meta = GstRdpSegment.buffer_get_rdp_segment_meta(frames[0])
    assert (meta.scale_x, meta.scale_y) == (0.5, 2.0)
    info = GstRdpSegment.buffer_get_segmentation(frames[0]).get_info()
    assert (info.width, info.height) == (80, 60)


def main():
    Gst.init(None)
    return run_tests(globals())


if __name__ == "__main__":
    sys.exit(main())
