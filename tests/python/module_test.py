#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The Python module rdpsegment against the library: the same bits, whatever they were read from; and
what it says of files that are wrong. Reports in TAP."""

import dataclasses
import functools
import gc
import io
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

import gi
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pipelines"))
from kind_rig import expect_error  # noqa: E402
from tap import Tap  # noqa: E402

gi.require_version("Gst", "1.0")
gi.require_version("GstRdpSegment", "1.0")
from gi.repository import GLib, Gst, GstRdpSegment  # noqa: E402

import rdpsegment  # noqa: E402
from rdpsegment import _check, _library, _lines  # noqa: E402

MODULE = pathlib.Path(rdpsegment.__file__).parent
TIMEOUT = 20 * Gst.SECOND
SIZE = "video/x-raw,width=90,height=70,framerate=30/1"
SOURCE = f"depthtestsrc num-buffers=3 unknown-ratio=0.2 noise=1 ! {SIZE}"
# Properties of rdpsegment for each version of the binary form, and others.
SETTINGS = {
    "version 1": (1, "epsilon=2 sample-scale=0.00390625 column-width=4"),
    "version 1, inverse": (1, "epsilon=3 domain=inverse inverse-scale=2e6 median=3x3"),
    "version 2, refine": (2, "epsilon=2 sample-scale=0.00390625 refine=true max-gap=3"),
    "version 2, merge": (2, "epsilon=2 sample-scale=0.00390625 merge=true merge-cost=5.5"),
    "version 2, fit": (2, "epsilon=2 sample-scale=0.00390625 merge=true fit=absolute"),
    "version 2, fit alone": (2, "fit=absolute"),
    "version 3": (3, "epsilon=2 sample-scale=0.00390625 merge=true classify=true"),
    "version 3, no ground": (3, "epsilon=2 classify=true min-value=65535"),
    "version 3, a ground given": (3, "classify=true fit=absolute ground-slope=0.3 far-value=2"),
    "version 5": (5, "epsilon=2 sample-scale=0.00390625 merge=true merge-bounded=true"),
    "version 5, no merge": (5, "merge-bounded=true"),
}


def run(launch):
    """The buffers that arrive at the appsinks sink0, sink1... of `launch`, a list for each."""
    pipeline = Gst.parse_launch(launch)
    sinks = []
    while sink := pipeline.get_by_name(f"sink{len(sinks)}"):
        sink.set_property("sync", False)
        sink.set_property("wait-on-eos", False)
        sinks.append(sink)
    try:
        pipeline.set_state(Gst.State.PLAYING)
        message = pipeline.get_bus().timed_pop_filtered(
            TIMEOUT, Gst.MessageType.EOS | Gst.MessageType.ERROR)  # fmt: skip
        assert message is not None, "the pipeline does not end"
        assert message.type == Gst.MessageType.EOS, message.parse_error()
        return [list(iter(lambda s=sink: s.emit("try-pull-sample", 0), None)) for sink in sinks]
    finally:
        pipeline.set_state(Gst.State.NULL)


def segmented(settings):
    """Buffers of a stream, the library's segmentations of them, and their lines of JSON."""
    samples, lines = run(
        f"{SOURCE} ! rdpsegment {settings} ! tee name=t t. ! queue ! appsink name=sink0 "
        "t. ! queue ! rdpmetaconvert ! appsink name=sink1"
    )
    buffers = [sample.get_buffer() for sample in samples]
    text = [b.get_buffer().extract_dup(0, b.get_buffer().get_size()) for b in lines]
    return buffers, [GstRdpSegment.buffer_get_segmentation(b) for b in buffers], text


def c_arrays(segmentation):
    """The library's arrays: what everything is compared with."""
    segments = [
        (s.first_row, s.last_row, s.first_value, s.last_value)
        for c in range(segmentation.get_n_columns())
        for s in segmentation.get_column(c)
    ]
    offsets = [0]
    for c in range(segmentation.get_n_columns()):
        offsets.append(offsets[-1] + len(segmentation.get_column(c)))
    return offsets, segments


def same_segments(frame, segmentation):
    offsets, segments = c_arrays(segmentation)
    assert frame.offsets.dtype == np.uint32 and frame.offsets.tolist() == offsets
    assert frame.segments.dtype == rdpsegment.SEGMENT
    assert frame.segments.tolist() == segments
    assert frame.segments.tobytes() == segmentation.get_segments().get_data()
    assert not frame.segments.flags.writeable and not frame.offsets.flags.writeable


def same_classes(frame, segmentation):
    data = segmentation.get_classes()
    if data is None:
        assert frame.classes is None and frame.ground is None
        return
    assert frame.classes.dtype == np.uint8
    assert frame.classes.tobytes() == (data.get_data() or b"")
    found, slope, horizon = segmentation.get_ground()
    assert frame.ground == (rdpsegment.Ground(slope, horizon) if found else None), frame.ground


def same_info(info, theirs):
    for field in dataclasses.fields(info):
        value, expected = getattr(info, field.name), getattr(theirs, field.name)
        if field.name in ("domain", "fit"):
            # PyGObject from 3.53 on has enums without a GType as Python's own, which have no nicks.
            expected = getattr(expected, "value_nick", None) or expected.name.lower()
        assert value == expected, (field.name, value, expected)


class Trickle(io.RawIOBase):
    """A pipe without a buffer into which somebody writes a few bytes at a time, or has not yet."""

    def __init__(self, content, size):
        self.rest = io.BytesIO(content)
        self.size = size

    def readable(self):
        return True

    def readinto(self, into):
        return None if self.size is None else self.rest.readinto(memoryview(into)[: self.size])


def wrong(function, *words):
    return expect_error(function, rdpsegment.FormatError, *words)


# Streams.


def compare_stream(version, settings):
    buffers, segmentations, lines = segmented(settings)
    assert len(buffers) == 3
    several = b""
    for buffer, segmentation, line in zip(buffers, segmentations, lines):
        frame = rdpsegment.segments(buffer)
        same_segments(frame, segmentation)
        same_classes(frame, segmentation)
        same_info(frame.info, segmentation.get_info())
        assert frame.pts == buffer.pts and frame.batch_index == 0
        assert frame.placement == (1, 1, 0, 0)
        assert frame.column_numbers.tolist() == np.repeat(
            np.arange(frame.n_columns), np.diff(c_arrays(segmentation)[0])).tolist()  # fmt: skip

        data = segmentation.to_bytes().get_data()
        assert data[4] == version, data[4]
        read = rdpsegment.from_bytes(data)
        same_segments(read, segmentation)
        same_info(read.info, segmentation.get_info())
        same_classes(read, segmentation)
        assert read.to_bytes() == frame.to_bytes() == data
        assert read.pts is None and read.placement is None
        several += data

        (of_line,) = rdpsegment.read(io.BytesIO(line))
        same_segments(of_line, segmentation)
        same_classes(of_line, segmentation)
        assert of_line.pts == buffer.pts
        for name in ("frame", "width", "height", "epsilon", "sample_scale", "domain",
                     "column_width", "n_columns"):  # fmt: skip
            assert getattr(of_line.info, name) == getattr(frame.info, name), name
        assert of_line.info.inverse_scale in (None, frame.info.inverse_scale)

    # All of them in files: in either form, named or open, of bytes or of text.
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (("s.rdps", several), ("s.jsonl", b"".join(lines))):
            path = pathlib.Path(folder) / name
            path.write_bytes(content)
            for source in (path, str(path), io.BytesIO(content), Trickle(content, 1), Trickle(content, 3)):
                frames = list(rdpsegment.read(source))
                assert len(frames) == 3
                for frame, segmentation in zip(frames, segmentations):
                    same_segments(frame, segmentation)
        assert len(list(rdpsegment.read(io.StringIO(b"".join(lines).decode())))) == 3


def test_stream_that_does_not_block():
    expect_error(lambda: rdpsegment.read(Trickle(b"", None)), BlockingIOError, "waits for its data", "os.set_blocking")


def test_lines_in_a_pipe():
    """Each frame comes as soon as its line is there."""
    _, segmentations, lines = segmented("epsilon=2000 column-width=16")
    assert max(map(len, lines)) < 4096  # a pipe takes a line as a whole
    reading, writing = os.pipe()
    with open(reading, "rb") as pipe, open(writing, "wb", buffering=0) as source:
        frames = rdpsegment.read(pipe)
        for line, segmentation in zip(lines, segmentations):
            source.write(line)
            same_segments(next(frames), segmentation)


def test_arrays_outlive_the_buffer():
    buffers, segmentations, _ = segmented(SETTINGS["version 3"][1])
    frame = rdpsegment.segments(buffers[0])
    expected = segmentations[0].get_segments().get_data()
    del buffers, segmentations
    gc.collect()
    assert frame.segments.tobytes() == expected and len(frame.classes) == frame.n_segments


def test_columns():
    _, segmentations, _ = segmented(SETTINGS["version 3"][1])
    frame = rdpsegment.from_bytes(segmentations[1].to_bytes().get_data())
    for c in range(frame.n_columns):
        theirs = segmentations[1].get_column(c)
        assert frame.column(c)["last_row"].tolist() == [s.last_row for s in theirs]
        assert np.shares_memory(frame.column(c), frame.segments) or not theirs
        assert len(frame.classes[frame.slice(c)]) == len(theirs)
    for wrong in (-1, frame.n_columns):
        words = f"column {wrong}: expected 0 to {frame.n_columns - 1}"
        expect_error(lambda: frame.column(wrong), IndexError, words)


def test_lost():
    """Segments that a GPU has lost are no empty frame."""

    class Lost:
        def fetch(self):
            raise GLib.Error("the GPU failed before they were read")

    buffers, _, _ = segmented(SETTINGS["version 1"][1])
    meta = GstRdpSegment.buffer_get_rdp_segment_meta(buffers[0])
    frame_of = functools.partial(_library._frame_of, GstRdpSegment, buffers[0], meta, Lost())
    expect_error(frame_of, rdpsegment.SegmentsLost, "the GPU failed")


def test_batch():
    buffer = Gst.Buffer.new()
    _, segmentations, _ = segmented(SETTINGS["version 1"][1])
    for index, segmentation in ((3, segmentations[1]), (0, segmentations[0])):
        GstRdpSegment.buffer_add_rdp_segment_meta(buffer, segmentation).batch_index = index
    frames = rdpsegment.batch(buffer)
    assert [frame.batch_index for frame in frames] == [0, 3]
    same_segments(frames[0], segmentations[0])
    same_segments(rdpsegment.segments(buffer, 3), segmentations[1])
    assert rdpsegment.segments(buffer, 2) is None


def test_file_names():
    """Of all kinds, on buffers and in lines; None where nobody says it."""
    library = rdpsegment._errors.gir()
    (samples,) = run(f"{SOURCE} ! depthplanes ! rdpsegment ! appsink name=sink0")
    for name in (None, "depth 1.png"):
        # A new one, which nobody else holds: PyGObject keeps a reference to what copy () returns.
        buffer = Gst.Buffer.new()
        source = samples[0].get_buffer()
        buffer.copy_into(source, Gst.BufferCopyFlags.META, 0, source.get_size())
        if name is not None:
            library.buffer_add_rdp_file_meta(buffer, name)
        assert rdpsegment.segments(buffer).file == name
        assert rdpsegment.planes(buffer).file == name
        assert [frame.file for frame in rdpsegment.batch(buffer)] == [name]
    frame, = read_line(line(file="1.png", unit="m", calibrated=True, ground=-1, planes=[]))
    assert (frame.file, frame.planes.file) == ("1.png", "1.png")


def test_batch_lines():
    """A batch has a line for each frame, which says which one it is."""
    _, _, lines = segmented(SETTINGS["version 1"][1])
    line = lines[0].rstrip()[:-1] + b',"batch-index":2}\n'
    (frame,) = rdpsegment.read(io.BytesIO(line))
    assert frame.batch_index == 2


def test_scaled():
    samples, = run(f"{SOURCE} ! rdpsegment ! videoscale add-borders=false ! "
                   "video/x-raw,width=45,height=140 ! appsink name=sink0")  # fmt: skip
    frame = rdpsegment.segments(samples[0])  # a sample will do, too
    assert frame.placement == rdpsegment.Placement(0.5, 2, 0, 0)
    assert (frame.info.width, frame.info.height) == (90, 70)


# The binary form, made by hand.


def made(version=1, n_columns=3, n_segments=3, offsets=(0, 2, 2, 3), segments=None, **fields):
    """The bytes of docs/internals/metadata-formats.md's table."""
    values = {"magic": b"RDPS", "version": version, "frame": 2**63 + 1, "width": 3, "height": 10,
              "epsilon": 2.5, "sample_scale": 1.0, "min": 1, "max": 65535, "domain": 0, "median": 0,
              "inverse_scale": 1e6, "column_width": 1, "merge_cost": 0.0, "max_gap": 0, "flags": 0,
              "ground_slope": 0.0, "far_value": -1.0, "ground_offset": -3 << 32,
              "ground_per_column": 5, "ground_per_row": 1 << 30}  # fmt: skip
    values.update(fields)
    names = list(values)
    data = struct.pack("<4sIQIIddIIIIdIIQ", *(values[n] for n in names[:13]), n_columns, n_segments)
    if version >= 2:
        data += struct.pack("<dII", *(values[n] for n in names[13:16]))
    if version >= 3:
        data += struct.pack("<dd", *(values[n] for n in names[16:18]))
    if version >= 4:
        data += struct.pack("<qqq", *(values[n] for n in names[18:21]))
    data += struct.pack(f"<{len(offsets)}I", *offsets)
    for segment in segments or [(0, 4, 10, 20.5), (4, 9, 20.5, -7), (3, 3, 1, 1)]:
        data += struct.pack("<HHff", *segment)
    return data


def test_binary_by_hand():
    for version in (1, 2, 3, 4, 5):
        data = made(version)
        frame = rdpsegment.from_bytes(data)
        assert frame.info.frame == 2**63 + 1 and frame.info.epsilon == 2.5
        assert frame.segments.tolist() == [(0, 4, 10, 20.5), (4, 9, 20.5, -7), (3, 3, 1, 1)]
        assert frame.offsets.tolist() == [0, 2, 2, 3]
        assert np.shares_memory(frame.segments, np.frombuffer(data, "u1"))  # no copy
        same_segments(frame, GstRdpSegment.Segmentation.new_from_bytes(GLib.Bytes.new(data)))
        if version >= 2:
            assert frame.info.fit == "squares"
            data = made(version, flags=10)
            frame = rdpsegment.from_bytes(data)
            assert (frame.info.fit, frame.info.merge, frame.info.refine) == ("absolute", True, False)
            theirs = GstRdpSegment.Segmentation.new_from_bytes(GLib.Bytes.new(data))
            same_info(frame.info, theirs.get_info())
            wrong = _check.info_error(dataclasses.replace(frame.info, fit="lines"))
            assert wrong == "fit: expected squares or absolute, got 'lines'", wrong
    data = made(5, flags=18)
    frame = rdpsegment.from_bytes(data)
    assert frame.info.merge_bounded and frame.info.merge
    same_info(frame.info, GstRdpSegment.Segmentation.new_from_bytes(GLib.Bytes.new(data)).get_info())
    # Programs for 0.1 say all but that.
    frame.info = dataclasses.replace(frame.info, merge_bounded=None)
    assert not rdpsegment.from_bytes(frame.to_bytes()).info.merge_bounded
    # Earlier versions of the library wrote any number.
    assert rdpsegment.from_bytes(made(max=2**32 - 1)).info.max_value == 65535


# What is wrong, and words of what is said: what was expected, and what came.
WRONG_BYTES = [
    (b"", "expected b'RDPS'", "got b''"),
    (b"RDP", "expected b'RDPS'", "got b'RDP'"),
    (b"RIFF" + bytes(200), "expected b'RDPS'", "got b'RIFF'"),
    (b"RDPS\x01\x00", "header", "got 6"),
    (made()[:79], "header of 80 bytes", "got 79"),
    (made(3)[:111], "header of 112 bytes", "got 111"),
    (made(version=1, magic=b"RDPS")[:4] + b"\6" + made()[5:], "version 1 to 5", "got version 6"),
    (made()[:4] + b"\0" + made()[5:], "version 1 to 5", "got version 0"),
    (made()[:-1], "truncated: expected 132 bytes", "got 131"),
    (made() + b"x", "bytes after the end: expected 132", "got 133"),
    (made(n_columns=4), "columns: expected 3", "got 4"),
    (made(n_segments=31), "at most one for each of 30 samples", "got 31"),
    (made(n_segments=2**64 - 1), "at most one", "got 18446744073709551615"),
    (made(n_segments=4), "truncated: expected 144", "got 132"),
    (made(width=0), "width: expected 1 to 16384", "got 0"),
    (made(height=16385), "height: expected 1 to 16384", "got 16385"),
    (made(epsilon=float("nan")), "epsilon: expected", "got nan"),
    (made(sample_scale=0.0), "sample_scale: expected a number above 0", "got 0.0"),
    (made(domain=2), "domain: expected 0 (linear) or 1 (inverse)", "got 2"),
    (made(domain=1, inverse_scale=0.0), "inverse_scale: expected a number above 0", "got 0.0"),
    (made(median=4), "median: expected 0, 3 or 5", "got 4"),
    (made(column_width=0), "column_width: expected 1 to 16", "got 0"),
    (made(2, merge_cost=-1.0), "merge_cost: expected", "got -1.0"),
    (made(2, max_gap=16385), "max_gap: expected 0 to 16384", "got 16385"),
    (made(2, flags=4), "flags: expected none but 0xb", "got 0x4"),
    (made(3, flags=16), "flags: expected none but 0xf", "got 0x10"),
    (made(3, ground_slope=-1.0), "ground_slope: expected", "got -1.0"),
    (made(3, far_value=float("inf")), "far_value: expected a finite number", "got inf"),
    (made(offsets=(1, 2, 2, 3)), "first offset: expected 0", "got 1"),
    (made(offsets=(0, 2, 2, 2)), "last offset: expected the number of segments, 3", "got 2"),
    (made(offsets=(0, 3, 2, 3)), "offset 2: expected 3 or more", "got 2"),
    (made(offsets=(0, 2**32 - 1, 2, 3)), "offset 2: expected 4294967295 or more", "got 2"),
    (made(segments=[(5, 4, 1, 1), (6, 9, 1, 1), (3, 3, 1, 1)]), "column 0, segment 0", "got 5 to 4"),
    (made(segments=[(0, 4, 1, 1), (6, 10, 1, 1), (3, 3, 1, 1)]), "column 0, segment 1: expected rows below 10", "got row 10"),
    (made(segments=[(0, 4, 1, 1), (3, 9, 1, 1), (3, 3, 1, 1)]), "column 0, segment 1: expected it to begin at row 4", "got row 3"),
    (made(n_segments=11, offsets=(0, 11, 11, 11), segments=[(3, 3, 1, 1)] * 11), "column 0: expected at most 10 segments", "got 11"),
    (made(segments=[(0, 4, 1, 1), (4, 9, 1, 1), (3, 3, float("nan"), 1)]), "column 2, segment 0: expected finite", "got nan"),
]  # fmt: skip


def test_wrong_bytes():
    for data, *words in WRONG_BYTES:
        wrong(lambda: rdpsegment.from_bytes(data), *words)
        expect_error(lambda: GstRdpSegment.Segmentation.new_from_bytes(GLib.Bytes.new(data)), GLib.Error)


def test_wrong_files():
    good = made()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "s.rdps"
        for content, words in (
            (good + good[:-1], (f"{path}, segmentation 1: truncated: expected 52 bytes of arrays", "got 51")),
            (good + good[:50], (f"{path}, segmentation 1: truncated", "got 42")),
            (good + b"junk", (f"{path}, segmentation 1: expected b'RDPS'", "got b'junk'")),
            (good + b"RD", (f"{path}, segmentation 1", "got b'RD'")),
            (made(width=16384, height=16384, n_columns=16384, n_segments=2**28), ("truncated: expected 32",)),
        ):  # fmt: skip
            path.write_bytes(content)
            frames = rdpsegment.read(path)
            if content.startswith(good):
                next(frames)
            wrong(lambda: frames, *words)
        path.write_bytes(b"")
        assert list(rdpsegment.read(path)) == []
    nowhere = "/nowhere/segments.jsonl"
    expect_error(lambda: rdpsegment.read(nowhere), FileNotFoundError, nowhere)


# Lines of JSON, made by hand.

LINE = {"frame": 7, "pts": None, "width": 3, "height": 10, "epsilon": 4.0, "sample-scale": 1.0,
        "domain": "linear", "column-width": 1,
        "columns": [[[0, 4, 10, 20.5], [4, 9, 20.5, -7]], [], [[3, 3, 1, 1]]]}  # fmt: skip


def line(**changes):
    """LINE with changes; None leaves the key out."""
    changed = {**LINE, **{key.replace("_", "-"): value for key, value in changes.items()}}
    return json.dumps({key: v for key, v in changed.items() if v is not None or key == "pts"})


def read_line(text):
    return list(rdpsegment.read(io.BytesIO(text if isinstance(text, bytes) else text.encode())))


WRONG_LINES = [
    ("", None),  # of an empty line nothing is wrong
    ("{", "expected a line of JSON", "'{'"),
    (line()[:-20], "cut off"),
    (line()[:-20] + "\n" + line(), "line 1: expected a line of JSON"),
    ("[1]", "expected a JSON object", "got [1]"),
    ("[" * 100000, "expected a line of JSON"),
    (b"\xff\xfe{}", "expected a line of JSON"),
    ("{\n\"frame\": 3\n}", "go on in the next line"),
    ("{}", 'one of the keys "columns", "planes"', "got the keys []"),
    ('{"frame": 1, "people": []}', 'one of the keys "columns"', "got the keys ['frame', 'people']"),
    (line(width=None), 'the key "width"'),
    (line(width="3"), '"width": expected a whole number', "got '3'"),
    (line(width=True), '"width": expected a whole number', "got True"),
    (line(width=-3), '"width": expected 0 or more', "got -3"),
    (line(width=0), "width: expected 1 to 16384", "got 0"),
    (line(epsilon="big"), '"epsilon": expected a number', "got 'big'"),
    (line(epsilon=float("nan")), "\"epsilon\": expected", "got NaN"),
    (line(domain="logarithmic"), "domain: expected linear or inverse", "got 'logarithmic'"),
    (line(domain="inverse"), 'the key "inverse-scale"'),
    (line(domain="inverse", inverse_scale=0), "inverse_scale: expected a number above 0", "got 0"),
    (line(column_width=2), '"columns": expected 2 columns', "got 3"),
    (line(columns=[[], []]), '"columns": expected 3 columns', "got 2"),
    (line(columns=7), '"columns": expected a list for each column', "got 7"),
    (line(columns=[1, [], []]), '"columns", column 0: expected a list', "got 1"),
    (line(columns=[[1], [], []]), "expected a list of 4 numbers", "got 1"),
    (line(columns=[[[0, 4, 1]], [], []]), "expected a list of 4 numbers", "got [0, 4, 1]"),
    (line(columns=[[["0", 4, 1, 1]], [], []]), "got ['0', 4, 1, 1]"),
    (line(columns=[[[0, 4, None, 1]], [], []]), "column 0, segment 0: expected finite values"),
    (line(columns=[[[0, 4, 1e39, 1]], [], []]), "column 0, segment 0: expected finite values"),
    (line(columns=[[], [[0.5, 4, 1, 1]], []]), "column 1: expected rows of 0 to 9", "got [0.5, 4, 1, 1]"),
    (line(columns=[[], [[0, 10, 1, 1]], []]), "column 1: expected rows of 0 to 9", "got [0, 10, 1, 1]"),
    (line(columns=[[[4, 9, 1, 1], [0, 4, 1, 1]], [], []]), "column 0, segment 1", "got row 0"),
    (line(classes=[[1], [], [0]]), '"classes", column 0: expected 2', "got 1"),
    (line(classes=[[1, 4], [], [0]]), "expected numbers of 0 to 3", "got 4"),
    (line(points=[[[0] * 6], [], [[0] * 6]]), '"points", column 0: expected 2', "got 1"),
    (line(points=[[[0] * 5, [0] * 6], [], [[0] * 6]]), "expected a list of 6 numbers"),
    (line(camera=3), '"camera": expected an object', "got 3"),
    (line(file=3), '"file": expected the name of a file', "got 3"),
]  # fmt: skip


def test_wrong_lines():
    for text, *words in WRONG_LINES:
        if words == [None]:
            assert read_line(text) == []
            continue
        said = wrong(lambda: read_line(text), *words)
        assert said.startswith("the stream, line 1: "), said
    wrong(lambda: read_line(f"{line()}\n\n{line(width=0)}\n"), "line 3: ")
    # Nested as deep as json reads it, and deeper than repr() does; the limit depends on the stack.
    for depth in range(300, 1001):
        deep = line().replace('"width": 3', f'"width": {"[" * depth}{"]" * depth}')
        wrong(lambda: read_line(deep), "the stream, line 1: ")
    # A file that was opened as text, with bytes that are none.
    for start in (b"", line().encode() + b"\n"):
        stream = io.TextIOWrapper(io.BytesIO(start + b"\xff\xfe{}\n"), "utf-8")
        wrong(lambda: rdpsegment.read(stream), "expected lines of JSON in UTF-8")


def test_good_lines():
    (frame,) = read_line(line())
    assert frame.info.n_columns == frame.n_columns == 3 and frame.pts is None
    assert frame.info.frame == 7 and frame.info.median is None and frame.info.classify is False
    assert frame.classes is None and frame.ground is None and frame.points is None
    assert frame.camera is None and frame.file is None
    assert read_line(line(file="1.png"))[0].file == "1.png"
    assert len(read_line(b"\xef\xbb\xbf" + line().encode())) == 1  # as Windows begins files
    expect_error(frame.to_bytes, rdpsegment.Error, "merge_cost", "median")
    # Keys that later versions may add.
    (frame,) = read_line(line(weather=["rain"]))
    assert frame.n_segments == 3


def test_points_of_lines():
    points = [[[1.5, -2, 3, None, None, None], [0.1, 0, 1, 0, 0, 1]], [], [[9, 8, 7, 6, 5, 4]]]
    (frame,) = read_line(line(points=points, camera={"focal-length": 700.0}))
    assert frame.points.shape == (3, 2, 3) and frame.points.dtype == np.float32
    assert np.isnan(frame.points[0, 1]).all() and frame.points[0, 0].tolist() == [1.5, -2, 3]
    assert frame.points[1, 0, 0] == np.float32(0.1)
    assert frame.camera == {"focal-length": 700.0} and not frame.points.flags.writeable


def test_floats_to_the_bit():
    """The shortest text of each float is read as that float, those in the middle of two as well."""
    rng = np.random.default_rng(3)
    bits = rng.integers(0, 2**32, 200000, dtype=np.uint64).astype("<u4")
    values = bits.view("<f4")
    values = values[np.isfinite(values)]
    # Known to be wrong where a text is rounded to a double first.
    values = np.concatenate([values, np.array([7.038531e-26], "f8").astype("<f4")])
    values = np.concatenate([values, np.nextafter(values[-1:], np.float32(1)),
                             np.nextafter(values[-1:], np.float32(-1))])  # fmt: skip
    doubles = np.array([float(str(value)) for value in values])
    assert np.array_equal(_lines.exact_floats(doubles).view("<u4"), values.view("<u4"))
    assert (doubles.astype("<f4").view("<u4") != values.view("<u4")).any(), "none was a tie"


def test_large_line():
    """A frame of noise, a segment a row: a line of megabytes."""
    samples, lines = run(
        "depthtestsrc num-buffers=1 pattern=noise ! video/x-raw,format=GRAY16_LE,width=400,height=1024 "
        "! rdpsegment epsilon=0 ! tee name=t t. ! queue ! appsink name=sink0 "
        "t. ! queue ! rdpmetaconvert ! appsink name=sink1"
    )
    buffer = lines[0].get_buffer()
    text = buffer.extract_dup(0, buffer.get_size())
    assert len(text) > 5e6, len(text)
    (frame,) = rdpsegment.read(io.BytesIO(text))
    theirs = GstRdpSegment.buffer_get_segmentation(samples[0].get_buffer())
    assert frame.segments.tobytes() == theirs.get_segments().get_data()
    assert frame.offsets.tobytes() == theirs.get_offsets().get_data()
    said = wrong(lambda: rdpsegment.read(io.BytesIO(text[: len(text) // 2])), "cut off")
    assert len(said) < 1000, said


# Cameras.

CAMERA = ("focal-length=100 principal-x=80.25 baseline=0.5 disparity-unit=0.00390625 "
          "sample-scale=0.00390625 epsilon=2 median=3x3")  # fmt: skip


def test_points():
    """From a buffer, from each file, with a camera in each form: the bits of the C library."""
    buffers, segmentations, lines = segmented(CAMERA)
    meta = GstRdpSegment.buffer_get_rdp_segment_meta(buffers[1])
    camera = GstRdpSegment.SegmentMeta.get_camera(buffers[1], meta)
    expected = segmentations[1].get_points(camera).get_data()
    frame = rdpsegment.segments(buffers[1])
    assert frame.points.shape == (frame.n_segments, 2, 3) and frame.points.tobytes() == expected
    assert np.isfinite(frame.points).any() and not frame.points.flags.writeable
    assert frame.camera == rdpsegment.camera(buffers[1]) == json.loads(camera.to_json())
    assert frame.camera["focal-length"] == 100 and frame.camera["principal-x"] == 80.25

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "camera.json"
        path.write_text(json.dumps(frame.camera) + "\n")
        assert rdpsegment.read_cameras(path) == [frame.camera]
        pair = [frame.camera, {**frame.camera, "focal-length": 120.0}]
        path.with_name("pair.json").write_text(json.dumps(pair))
        assert rdpsegment.read_cameras(path.with_name("pair.json")) == pair
        (of_line,) = rdpsegment.read(io.BytesIO(lines[1]))
        for read in (of_line, rdpsegment.from_bytes(frame.to_bytes())):
            assert read.points is None and read.camera is None
            for given in (camera, frame.camera, path, str(path)):
                assert read.points_with(given).tobytes() == expected, given
    # A line that has the camera and not the points.
    of_line = json.loads(lines[1])
    (read,) = read_line(json.dumps({**of_line, "camera": frame.camera}))
    assert read.points.tobytes() == expected


def test_no_points():
    buffers, _, _ = segmented(CAMERA)
    frame = rdpsegment.segments(buffers[0])
    for given, word in (
        ({"focal-length": 3, "principal-x": 1, "principal-y": 1}, "measures"),
        ({"focal-length": -3, "principal-x": 1, "principal-y": 1}, "expected pixels, above 0"),
        ({"focal-length": 3}, "principal-x"),
        ({**frame.camera, "baseline": 0.0}, "baseline"),
        ({**frame.camera, "size": [91, 70]}, "91x70"),
        ("/nowhere.json", "/nowhere.json"),
    ):
        expect_error(lambda: frame.points_with(given), rdpsegment.Error, word)
    buffer = Gst.Buffer.new()
    assert rdpsegment.camera(buffer) is None
    GstRdpSegment.buffer_add_rdp_segment_meta(buffer, GstRdpSegment.buffer_get_segmentation(buffers[0]))
    frame = rdpsegment.segments(buffer)
    assert frame.camera is None and frame.points is None


def test_lost_camera():
    """A camera that was lost on the way is no frame without one."""
    # From 1.28 on videoscale says where its borders are, and the camera follows.
    lose = ("videoscale add-borders=true ! video/x-raw,width=70,height=70,pixel-aspect-ratio=1/1"
            if Gst.version() < (1, 28) else "videoflip video-direction=180")  # fmt: skip
    samples, = run(f"{SOURCE} ! rdpsegment {CAMERA} ! {lose} ! appsink name=sink0")
    for read in (lambda: rdpsegment.camera(samples[0]), lambda: rdpsegment.segments(samples[0]).points):
        said = expect_error(read, rdpsegment.Error)
        assert "lost" in said or "expected" in said, said


# Without what is optional.


def without(module, code):
    """What a Python says that lacks a module."""
    blocked = f"import sys; sys.modules[{module!r}] = None; "
    return subprocess.run(
        [sys.executable, "-c", blocked + code], capture_output=True, text=True, timeout=60,
        env={**os.environ, "PYTHONPATH": str(MODULE.parent)},
    )  # fmt: skip


def test_without_gi():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "s"
        path.write_bytes(made(3))
        reading = f"import rdpsegment; print(*[f.n_segments for f in rdpsegment.read({str(path)!r})])"
        result = without("gi", reading)
        assert result.stdout == "3\n", result.stderr
        path.write_text(line() + "\n")
        assert without("gi", reading).stdout == "3\n"
    result = without("gi", "import rdpsegment; rdpsegment.segments(None)")
    assert "MissingModule" in result.stderr and "python3-gi" in result.stderr, result.stderr
    result = without("gi", f"import rdpsegment; rdpsegment.from_bytes({made(3, flags=4)!r}).classes")
    assert "MissingModule" in result.stderr and "classes" in result.stderr, result.stderr


def test_without_numpy():
    result = without("numpy", "import rdpsegment; print(rdpsegment.SegmentClass.GROUND.value)")
    assert result.stdout == "1\n", result.stderr
    for code in ("rdpsegment.read('s.jsonl')", f"rdpsegment.from_bytes({made()!r})", "rdpsegment.SEGMENT"):
        result = without("numpy", f"import rdpsegment; {code}")
        assert "MissingModule" in result.stderr and "python3-numpy" in result.stderr, result.stderr
        assert "such as /usr/bin/python3. " in result.stderr, result.stderr


def test_without_typelib():
    code = "import rdpsegment; rdpsegment.segments(None)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60,
        env={**os.environ, "PYTHONPATH": str(MODULE.parent), "GI_TYPELIB_PATH": ""},
    )  # fmt: skip
    installed = result.stderr.strip().splitlines()[-1].startswith("TypeError")
    assert installed or "GI_TYPELIB_PATH" in result.stderr, result.stderr


def test_where_it_is_installed():
    """Below a prefix that this Python knows, where it looks; else where Meson says."""
    program = MODULE.parent / "find_site.py"

    def found(prefix, chosen):
        command = [sys.executable, program, prefix, chosen]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    searched = [path for path in sys.path if path.endswith("-packages")]
    for folder in searched:
        prefix = folder.split("/lib/")[0]
        assert found(prefix, folder) == folder
        assert found(prefix, folder.removeprefix(prefix + "/")) == folder
        assert found(prefix, "lib/python3/elsewhere-packages") in searched
    assert found("/opt/nowhere", "lib/python3/dist-packages") == "/opt/nowhere/lib/python3/dist-packages"


def test_documented():
    """All that is public has a text, and the package says that it has types."""
    for name in rdpsegment.__all__:
        assert name.isupper() or getattr(rdpsegment, name).__doc__, name
    for name, member in vars(rdpsegment.Frame).items():
        assert name.startswith("_") or member.__doc__, name
    assert (MODULE / "py.typed").exists()
    files = {path.name for path in MODULE.iterdir() if path.suffix == ".py"} | {"py.typed"}
    listed = (MODULE.parent / "meson.build").read_text()
    assert all(f"'rdpsegment/{name}'" in listed for name in files), files


def main():
    Gst.init(None)
    tap = Tap()
    tests = [item for item in globals().items() if item[0].startswith("test_")]
    for name, (version, settings) in SETTINGS.items():
        tests.append((f"stream of {name}", lambda v=version, s=settings: compare_stream(v, s)))
    tap.run(tests)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
