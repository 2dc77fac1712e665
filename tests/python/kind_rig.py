# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the tests of kinds of metadata in Python share: buffers, lines of JSON, and damage to both."""

import io
import random

import gi
import numpy as np

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


def expect_error(call, kind, *words):
    """The call raises an error of this kind with these words; its text."""
    try:
        result = call()
        if hasattr(result, "__next__"):
            list(result)
    except kind as error:
        assert all(word in str(error) for word in words), (words, error)
        return str(error)
    raise AssertionError(f"nothing was raised, expected {words}")


def expect_bad_lines(line, cases):
    """Each case is what is replaced in a good line, by what, and a word of the error."""
    for old, new, word in cases:
        assert old in line, old
        expect_error(lambda: rdpsegment.read(io.BytesIO(line.replace(old, new))), rdpsegment.FormatError, word)


def flat(array):
    """The rows of an array, without the arrays in them; of plain numbers these."""
    names = array.dtype.names
    return [tuple(np.hstack([np.ravel(row[name]) for name in names]).tolist()) if names else row for row in array]


def expect_same_taken(good, of_library, of_python, times=1500):
    """Whatever bytes: Python takes what the library takes, and writes the same. How many damaged ones were taken."""
    randoms, values = random.Random(1), (0, 1, 2, 3, 4, 5, 6, 7, 63, 64, 127, 128, 192, 240, 255)
    damaged = [good[:size] for size in range(len(good))] + [good + b"\0"]
    for number in range(times):
        changed = bytearray(good)
        for _ in range(randoms.randint(1, 3)):
            place = randoms.randrange(len(good) if number % 3 else 64)
            changed[place] = changed[place] ^ 1 << randoms.randrange(8) if number % 2 else randoms.choice(values)
        damaged.append(bytes(changed))
    taken_at_all = 0
    for number, changed in enumerate(damaged):
        try:
            made = of_library.new_from_bytes(GLib.Bytes.new(changed)).to_bytes().get_data()
        except GLib.Error:
            made = None
        taken = made is not None
        try:
            read = of_python(changed).to_bytes()
            assert taken and len(read) == len(made), changed
            signs_of_0 = ((0, 128), (128, 0))  # of what None stands for
            assert all(one == other or (one, other) in signs_of_0 for one, other in zip(read, made)), changed
        except rdpsegment.FormatError as error:
            assert str(error) and not taken, (error, changed)
        assert not taken or number > len(good), changed
        taken_at_all += taken
    return taken_at_all


def lines_taken(good, times=1500):
    """How many frames a good line has with some characters changed: else it is a FormatError, and nothing else."""
    chance, read = random.Random(3), 0
    for _ in range(times):
        text = bytearray(good)
        for _ in range(chance.randint(1, 3)):
            text[chance.randrange(len(text) - 1)] = chance.choice(b'0123456789.-e[]{},:"nulltrue ')
        try:
            read += sum(1 for _ in rdpsegment.read(io.BytesIO(bytes(text))))
        except rdpsegment.FormatError as error:
            assert "line 1: " in str(error) and len(str(error)) < 600, error
    return read
