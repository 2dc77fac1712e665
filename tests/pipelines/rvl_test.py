#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares the lossless code of depth with a decoder and an encoder of its own. Reports in TAP.

These are written from the format's description, nibble by nibble, and know nothing of common/rvl. The
pair of lines over TCP of docs/depthrvlenc.md runs on a free port of this machine.
"""

import pathlib
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

import gi

from tap import run_tests

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/depthrvlenc.md"
PATIENCE = 60  # seconds


def decode(code, count):
    """The samples of a code, and how many of its bytes they take."""
    words = struct.unpack(f"<{len(code) // 4}I", code)
    nibbles = [word >> shift & 15 for word in words for shift in range(28, -4, -4)]
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            nibble = nibbles[at]
            at += 1
            value |= (nibble & 7) << shift
            shift += 3
            if nibble < 8:
                return value

    samples, previous = [], 0
    while len(samples) < count:
        samples += [0] * number()
        for _ in range(number()):
            p = number()
            previous += -(p + 1) // 2 if p % 2 else p // 2
            samples.append(previous)
    return samples, (at + 7) // 8 * 4


def encode(samples):
    nibbles = []

    def number(value):
        while value > 7:
            nibbles.append(8 | value % 8)
            value //= 8
        nibbles.append(value)

    at = previous = 0
    while at < len(samples):
        first = next((i for i in range(at, len(samples)) if samples[i]), len(samples))
        end = next((i for i in range(first, len(samples)) if not samples[i]), len(samples))
        number(first - at)
        number(end - first)
        for sample in samples[first:end]:
            number(2 * (sample - previous) if sample >= previous else 2 * (previous - sample) - 1)
            previous = sample
        at = end
    nibbles += [0] * (-len(nibbles) % 8)
    return b"".join(
        sum(nibble << shift for nibble, shift in zip(nibbles[i:i + 8], range(28, -4, -4))).to_bytes(4, "little")
        for i in range(0, len(nibbles), 8)
    )  # fmt: skip


def bytes_of(sample):
    buffer = sample.get_buffer()
    return buffer.extract_dup(0, buffer.get_size())


def run(launch, pushed=()):
    """What comes to the appsinks of a pipeline, by their names; `pushed` goes into its appsrc."""
    pipeline = Gst.parse_launch(launch)
    try:
        pipeline.set_state(Gst.State.PLAYING)
        if source := pipeline.get_by_name("source"):
            for data in pushed:
                source.emit("push-buffer", Gst.Buffer.new_wrapped(data))
            source.emit("end-of-stream")
        message = pipeline.get_bus().timed_pop_filtered(PATIENCE * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
        assert message is not None and message.type == Gst.MessageType.EOS, message and message.parse_error()
        return {name: list(iter(lambda: sink.emit("try-pull-sample", 0), None))
                for name in ("raw", "out") if (sink := pipeline.get_by_name(name))}  # fmt: skip
    finally:
        pipeline.set_state(Gst.State.NULL)


def look(source, width, height, count=2):
    sink = "appsink sync=false wait-on-eos=false name"
    came = run(f"{source} num-buffers={count} ! video/x-raw,format=GRAY16_LE,width={width},height={height} ! "
               f"tee name=t ! queue ! {sink}=raw t. ! queue ! depthrvlenc ! {sink}=out")  # fmt: skip
    assert len(came["raw"]) == len(came["out"]) == count
    for raw, code in zip(came["raw"], came["out"]):
        rows = bytes_of(raw)
        stride = (2 * width + 3) // 4 * 4
        samples = [sample for r in range(height)
                   for sample in struct.unpack_from(f"<{width}H", rows, r * stride)]  # fmt: skip
        decoded, used = decode(bytes_of(code), width * height)
        assert decoded == samples, "other samples"
        assert used == len(bytes_of(code)), (used, len(bytes_of(code)))
        assert encode(samples) == bytes_of(code), "another code"


def test_street():
    look("depthtestsrc", 320, 240)


def test_room_with_noise_and_holes_of_odd_width():
    look("depthtestsrc pattern=room domain=depth noise=0.3 unknown-ratio=0.3", 161, 79)


def test_codes_of_another_encoder():
    """Also with a word behind the code, which some encoders write."""
    draw = random.Random(1)
    frames = [[draw.choice((0, draw.randrange(65536))) for _ in range(64 * 8)] for _ in range(8)]
    frames += [[0] * 512, [65535] * 512, [1, 65535] * 256, [7] * 500 + [0] * 12]
    codes = [encode(frame) + bytes(4 * (i % 2)) for i, frame in enumerate(frames)]
    came = run("appsrc name=source format=time caps=image/x-rvl,width=64,height=8,framerate=30/1 ! depthrvldec ! "
               "appsink name=out sync=false wait-on-eos=false", codes)["out"]  # fmt: skip
    assert [list(struct.unpack("<512H", bytes_of(sample))) for sample in came] == frames


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def without_times(line):
    return re.sub(rb'"(frame|pts)":\d+', b"", line)


def test_lines_over_tcp():
    """Frames arrive with their camera: lines of JSON are those of the same pipeline without a wire."""
    if not Gst.ElementFactory.find("gdppay") or not Gst.ElementFactory.find("tcpserversink"):
        return
    section = PAGE.read_text().split("## Over TCP")[1]
    port = free_port()
    send, receive = (line.replace("port=5000", f"port={port}").split()
                     for line in re.search(r"```sh\n(.*?)```", section, re.DOTALL)[1].splitlines())  # fmt: skip
    assert f"port={port}" in send and f"port={port}" in receive
    end = time.monotonic() + PATIENCE
    with tempfile.TemporaryDirectory(prefix="rdpsegment-") as folder:
        written = pathlib.Path(folder) / "segments.jsonl"
        server = subprocess.Popen(send, cwd=folder, stdout=subprocess.DEVNULL)
        client = None
        try:
            while client is None or client.poll() is not None:  # until the server listens
                assert time.monotonic() < end, client and client.stderr.read()
                client = subprocess.Popen(receive, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                while client.poll() is None and not (written.exists() and written.stat().st_size):
                    time.sleep(0.05)
            server.send_signal(signal.SIGINT)
            said = client.communicate(timeout=PATIENCE)[1].decode()
        finally:
            for process in filter(None, (server, client)):
                process.kill()
                process.wait()
        assert client.returncode == 0 and "ERROR" not in said, said
        received = [without_times(line) for line in written.read_bytes().splitlines(keepends=True)]
    made = receive[receive.index("rdpsegment"):receive.index("filesink") - 1]
    out = run(f"depthtestsrc num-buffers=300 ! {' '.join(made)} ! appsink name=out sync=false wait-on-eos=false")["out"]
    expected = [without_times(bytes_of(sample)) for sample in out]
    assert b'"camera":{' in received[0]
    assert received[0] in expected, "another frame"
    first = expected.index(received[0])
    assert received == expected[first:first + len(received)], "other frames"


if __name__ == "__main__":
    Gst.init(None)
    sys.exit(run_tests(globals()))
