#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads the segments of a live pipeline as numpy arrays and plots one column with its segments.

Run it where GStreamer and GObject introspection find rdpsegment: installed, or with
  meson devenv -C build /usr/bin/python3 ../examples/python/plot_column.py
Needs PyGObject, numpy and matplotlib (Debian: python3-gi python3-numpy python3-matplotlib).
"""

import argparse
import sys

import gi
import numpy as np

gi.require_version("Gst", "1.0")
gi.require_version("GstRdpSegment", "1.0")
from gi.repository import GLib, Gst, GstRdpSegment  # noqa: E402

SEGMENT = np.dtype([("first_row", "<u2"), ("last_row", "<u2"),
                    ("first_value", "<f4"), ("last_value", "<f4")])  # fmt: skip


def read_segments(buffer):
    """What was segmented and how, where each column's segments start, and all segments."""
    segmentation = GstRdpSegment.buffer_get_segmentation(buffer)
    offsets = np.frombuffer(segmentation.get_offsets().get_data(), "<u4")
    segments = np.frombuffer(segmentation.get_segments().get_data(), SEGMENT)
    return segmentation.get_info(), offsets, segments


def first_frame(source, epsilon, scale):
    """The first buffer that comes out of a pipeline from `source`, a launch line."""
    try:
        pipeline = Gst.parse_launch(
            f"{source} ! video/x-raw,format=GRAY16_LE "
            f"! rdpsegment epsilon={epsilon} sample-scale={scale} ! appsink name=sink"
        )
    except GLib.Error as error:
        sys.exit(f"The pipeline cannot be made: {error.message}")
    pipeline.set_state(Gst.State.PLAYING)
    sample = pipeline.get_by_name("sink").emit("try-pull-sample", 10 * Gst.SECOND)
    error = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if sample is None:
        sys.exit(error.parse_error()[0].message if error else "No frame came within 10 s.")
    return sample.get_buffer()


def plot(info, column, samples, segments, picture):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    known = np.flatnonzero(samples)
    scale = info.sample_scale
    pyplot.plot(samples[known] * scale, known, ".", color="0.7", label="known samples")
    ends = np.stack([segments["first_value"], segments["last_value"]]) * scale
    pyplot.plot(ends, np.stack([segments["first_row"], segments["last_row"]]), "o-", markersize=4)
    pyplot.gca().invert_yaxis()
    pyplot.gca().set(title=f"Column {column}: {len(known)} samples, {len(segments)} segments, "
                     f"tolerance {info.epsilon:g}", xlabel="value", ylabel="row")  # fmt: skip
    pyplot.legend()
    pyplot.savefig(picture)
    print(f"{picture}: column {column} of {info.width}, {len(known)} samples, "
          f"{len(segments)} segments")  # fmt: skip


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--column", type=int, help="which one (the middle one)")
    parser.add_argument("--out", default="column.png", help="the picture to write (%(default)s)")
    parser.add_argument("--epsilon", type=float, default=1.0, help="tolerance (%(default)s px)")
    parser.add_argument("--scale", type=float, default=1 / 256,
                        help="what a sample step is worth (%(default)s)")  # fmt: skip
    parser.add_argument("source", nargs="?", default="depthtestsrc",
                        help="a launch line that delivers depth frames (%(default)s)")  # fmt: skip
    options = parser.parse_args()
    if not 0 <= options.epsilon < float("inf"):
        parser.error(f"--epsilon is 0 or more, not {options.epsilon}")
    if not 0 < options.scale < float("inf"):
        parser.error(f"--scale is above 0, not {options.scale}")

    Gst.init(None)
    buffer = first_frame(options.source, options.epsilon, options.scale)
    info, offsets, segments = read_segments(buffer)
    column = info.width // 2 if options.column is None else options.column
    if not 0 <= column < info.width:
        parser.error(f"--column is 0 to {info.width - 1} with this source")
    # Rows may be longer than the picture is wide: GStreamer pads them to 4 bytes.
    rows = np.frombuffer(buffer.extract_dup(0, buffer.get_size()), "<u2").reshape(info.height, -1)
    plot(info, column, rows[:, column], segments[offsets[column] : offsets[column + 1]], options.out)


if __name__ == "__main__":
    main()
