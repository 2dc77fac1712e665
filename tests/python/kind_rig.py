# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the tests of a kind of metadata in Python share: buffers, lines of JSON, and damage to both."""

import io
import random

import gi

import rdpsegment

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402


def filled(boxed, **fields):
    for name, value in fields.items():
        setattr(boxed, name, value)
    return boxed


def new_buffer():
    """A frame of which nobody looks at a pixel."""
    buffer = Gst.Buffer.new_allocate(None, 48, None)
    buffer.pts = 9
    return buffer


def convert(buffer, properties="", size="width=8,height=6"):
    """The text that rdpmetaconvert makes of the buffer, or its error, raised."""
    pipeline = Gst.parse_launch(f"appsrc name=in format=time caps=video/x-raw,format=GRAY8,{size},"
                                f"framerate=1/1 ! rdpmetaconvert {properties} ! appsink name=out")  # fmt: skip
    pipeline.set_state(Gst.State.PLAYING)
    source = pipeline.get_by_name("in")
    source.emit("push-buffer", buffer)
    source.emit("end-of-stream")
    sample = pipeline.get_by_name("out").emit("try-pull-sample", 10 * Gst.SECOND)
    message = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message:
        raise message.parse_error()[0]
    return sample.get_buffer().extract_dup(0, 65536) if sample else b""


def expect_bad_lines(line, cases):
    """Each case is what is replaced in a good line, by what, and a word of the error."""
    for old, new, word in cases:
        assert old in line, old
        try:
            list(rdpsegment.read(io.BytesIO(line.replace(old, new))))
        except rdpsegment.FormatError as error:
            assert word in str(error), error
        else:
            raise AssertionError(f"{new} was read")


def expect_same_taken(data, of_library, of_python, values=(0, 1, 5, 6, 127, 128, 255), times=2000):
    """Whatever bytes: Python takes what the library takes. How many damaged ones were taken."""
    randoms = random.Random(1)
    taken_at_all = 0
    for _ in range(times):
        changed = bytearray(data)
        for _ in range(randoms.randint(1, 3)):
            changed[randoms.randrange(4, len(changed))] = randoms.choice(values)
        try:
            of_library.new_from_bytes(GLib.Bytes.new(bytes(changed)))
            taken = True
        except GLib.Error:
            taken = False
        try:
            of_python(bytes(changed))
            assert taken, bytes(changed)
        except rdpsegment.FormatError as error:
            assert not taken, (error, bytes(changed))
        taken_at_all += taken
    return taken_at_all
