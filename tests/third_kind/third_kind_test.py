#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A third kind of metadata, through all that a kind goes through. Reports in TAP."""

import io
import struct
import sys

import gi
import numpy as np
from tap import run_tests

import rdpsegment
from rdpsegment._read import KINDS, Kind

for name in ("Gst", "GstRdpSegment", "ThirdKind"):
    gi.require_version(name, "1.0")
from gi.repository import GLib, Gst, GstRdpSegment, ThirdKind  # noqa: E402

KNOWN = [3, 8, 0, 5, 5, 1]
BYTES = struct.pack("<4sIQII6I", b"RDPR", 1, 0, 8, 6, *KNOWN)


def counts_of(rows):
    return np.frombuffer(rows.get_counts().get_data(), "<u4").tolist()


def read_next(file, start):
    head = start + file.read(20)
    data = head + file.read(4 * int.from_bytes(head[20:], "little"))
    return counts_of(ThirdKind.Rows.new_from_bytes(GLib.Bytes.new(data)))


KINDS.append(Kind("rows", b"RDPR", "known-rows", read_next, lambda line, _: line["known-rows"]))


def run(element, buffer):
    pipeline = Gst.parse_launch("appsrc name=in format=time caps=video/x-raw,format=GRAY16_LE,"
                                f"width=8,height=6,framerate=1/1 ! {element} ! appsink name=out")  # fmt: skip
    pipeline.set_state(Gst.State.PLAYING)
    pipeline.get_by_name("in").emit("push-buffer", buffer)
    sample = pipeline.get_by_name("out").emit("pull-sample")
    pipeline.set_state(Gst.State.NULL)
    return sample.get_buffer()


def test_all():
    buffer = Gst.Buffer.new_wrapped(bytes(2 * 8 * 6))
    ThirdKind.buffer_add_rdp_rows_meta(buffer, ThirdKind.Rows.new_from_bytes(GLib.Bytes.new(BYTES)))
    rows = ThirdKind.buffer_get_rows(buffer.copy_deep())
    assert counts_of(rows) == KNOWN and rows.get_info().width == 8
    assert rows.to_bytes().get_data() == BYTES
    binary = io.BytesIO(2 * BYTES)
    assert list(rdpsegment.read(binary)) == [KNOWN, KNOWN]
    text = run("rdpmetaconvert", buffer).extract_dup(0, 4096)
    assert text.startswith(b'{"frame":0,"pts":') and b'"width":8,"height":6,"known-rows":[' in text
    assert list(rdpsegment.read(io.BytesIO(text))) == [KNOWN]
    # With planes it is one line, and one frame.
    info = GstRdpSegment.PlanesInfo()
    info.init()
    info.width, info.height, info.n_points = 8, 6, 48
    planes = GstRdpSegment.Planes.new(info, [], [], bytes(48))
    GstRdpSegment.buffer_add_rdp_planes_meta(both := buffer.copy_deep(), planes)
    (frame,) = rdpsegment.read(io.BytesIO(run("rdpmetaconvert", both).extract_dup(0, 4096)))
    assert isinstance(frame, rdpsegment.Planes) and frame.rows == KNOWN


Gst.init(None)
sys.exit(run_tests(globals()))
