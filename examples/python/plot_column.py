#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads the segments of a live pipeline as numpy arrays and plots one column with its segments.

Usage: meson devenv -C build /usr/bin/python3 ../examples/python/plot_column.py [COLUMN [PNG [SOURCE]]]

SOURCE is a launch line that ends in depth frames of GRAY16_LE (depthtestsrc). Needs PyGObject, numpy
and matplotlib (Debian: python3-gi python3-numpy python3-matplotlib).
"""

import sys

import gi
import matplotlib
import numpy as np

gi.require_version("Gst", "1.0")
gi.require_version("GstRdpSegment", "1.0")
from gi.repository import Gst, GstRdpSegment  # noqa: E402

SEGMENT = np.dtype([("first_row", "<u2"), ("last_row", "<u2"),
                    ("first_value", "<f4"), ("last_value", "<f4")])


def read_segments(buffer):
    """What was segmented and how, where each column's segments start, and all segments."""
    segmentation = GstRdpSegment.buffer_get_segmentation(buffer)
    offsets = np.frombuffer(segmentation.get_offsets().get_data(), "<u4")
    segments = np.frombuffer(segmentation.get_segments().get_data(), SEGMENT)
    return segmentation.get_info(), offsets, segments


def main(column=None, png="column.png", source="depthtestsrc"):
    Gst.init(None)
    pipeline = Gst.parse_launch(
        f"{source} ! rdpsegment epsilon=1 sample-scale={1 / 256} ! appsink name=sink")
    pipeline.set_state(Gst.State.PLAYING)
    sample = pipeline.get_by_name("sink").emit("try-pull-sample", 10 * Gst.SECOND)
    error = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if sample is None:
        sys.exit(error.parse_error()[0].message if error else "No frame came within 10 s.")

    buffer = sample.get_buffer()
    info, offsets, segments = read_segments(buffer)
    column = info.width // 2 if column is None else int(column)
    mine = segments[offsets[column]:offsets[column + 1]]
    samples = np.frombuffer(buffer.extract_dup(0, buffer.get_size()), "<u2")
    samples = samples.reshape(info.height, -1)[:, column] * info.sample_scale

    matplotlib.use("Agg")
    from matplotlib import pyplot
    known = np.flatnonzero(samples)
    pyplot.plot(samples[known], known, ".", color="0.7")
    pyplot.plot(np.stack([mine["first_value"], mine["last_value"]]) * info.sample_scale,
                np.stack([mine["first_row"], mine["last_row"]]), "o-", markersize=4)
    pyplot.gca().invert_yaxis()
    pyplot.gca().set(title=f"Column {column}: {len(known)} samples, {len(mine)} segments, "
                           f"tolerance {info.epsilon}", xlabel="value", ylabel="row")
    pyplot.savefig(png)
    print(f"{png}: column {column} of {info.width}, {len(known)} samples in {len(mine)} segments")


if __name__ == "__main__":
    main(*sys.argv[1:])
