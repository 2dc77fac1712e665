#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads the segments out of a file that mcapsink wrote, with numpy alone.

  python3 mcap_segments.py street.mcap

Prints a line for each frame: its time, its columns, its segments and the longest one. Chunks have to be
uncompressed (mcapsink compression=none): Python's own library reads neither zstd nor lz4.
"""

import struct
import sys

import numpy as np

MAGIC = b"\x89MCAP0\r\n"
SEGMENT = np.dtype([("first_row", "<u2"), ("last_row", "<u2"), ("first_value", "<f4"), ("last_value", "<f4")])
HEADS = {1: 80, 2: 96, 3: 112, 4: 136, 5: 136}  # bytes before the offsets, by version


def records(data, at=0):
    """(opcode, content) of each record. A cut file ends where its last whole record does."""
    while at + 9 <= len(data):
        opcode, length = struct.unpack_from("<BQ", data, at)
        if at + 9 + length > len(data):
            return
        yield opcode, data[at + 9 : at + 9 + length]
        at += 9 + length


def text(data, at):
    (length,) = struct.unpack_from("<I", data, at)
    return bytes(data[at + 4 : at + 4 + length]).decode(), at + 4 + length


def messages(data):
    """(topic, time in ns, bytes) of each message."""
    topics = {}
    for opcode, content in records(data, len(MAGIC)):
        if opcode == 0x04:
            topics[struct.unpack_from("<H", content)[0]] = text(content, 4)[0]
        elif opcode == 0x06:
            compression, at = text(content, 28)
            if compression:
                sys.exit(f"The chunks are compressed with {compression}: record with compression=none.")
            for inner, message in records(content[at + 8 :]):
                if inner == 0x05:
                    channel, _, time, _ = struct.unpack_from("<HIQQ", message)
                    yield topics.get(channel), time, message[22:]
        elif opcode == 0x0F:
            return


def items(message):
    """(name, bytes) of each item of a topic rdp: a std_msgs/msg/UInt8MultiArray."""
    (size,) = struct.unpack_from("<I", message, 12)
    data, at = message[16 : 16 + size], 0
    while at + 8 <= len(data):
        (length,) = struct.unpack_from("<I", data, at + 4)
        yield bytes(data[at : at + 4]), data[at + 8 : at + 8 + length]
        at += 8 + length


def segmentation(data):
    """Offsets of the columns, and all segments."""
    (version,) = struct.unpack_from("<I", data, 4)
    columns, count = struct.unpack_from("<IQ", data, 68)
    start = HEADS[version]
    offsets = np.frombuffer(data, "<u4", columns + 1, start)
    return offsets, np.frombuffer(data, SEGMENT, count, start + 4 * (columns + 1))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        with open(sys.argv[1], "rb") as file:
            data = memoryview(file.read())
    except OSError as error:
        sys.exit(f"{sys.argv[1]} cannot be read: {error.strerror}.")
    if data[: len(MAGIC)] != MAGIC:
        sys.exit(f"{sys.argv[1]} is no MCAP file.")
    frames = 0
    for topic, time, message in messages(data):
        if not (topic or "").endswith("/rdp"):
            continue
        for name, content in items(message):
            if name == b"RDPS":
                frames += 1
                offsets, segments = segmentation(content)
                rows = segments["last_row"].astype(int) - segments["first_row"] + 1
                longest = rows.max() if len(rows) else 0
                print(f"{time / 1e9:.3f} s: {len(offsets) - 1} columns, {len(segments)} segments, "
                      f"the longest of {longest} rows")  # fmt: skip
    if frames == 0:
        sys.exit(f"{sys.argv[1]} has no segments: put rdpsegment before mcapsink.")


if __name__ == "__main__":
    main()
