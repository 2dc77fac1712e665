#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tracks points of your own: a pad probe puts them on a frame before klttrack.

The points are on a grid here; take those of your detector. New ones may come with any frame.

Run it where GStreamer and Python find rdpsegment: installed, or with
  meson devenv -C build /usr/bin/python3 ../examples/python/track_points.py
Needs PyGObject and numpy (Debian: python3-gi python3-numpy).
"""

import argparse
import sys

NEEDS = "Debian: python3-gi python3-numpy; the module rdpsegment: meson devenv -C build"


def grid(width, height, apart):
    """x and y of points."""
    return [(x, y) for y in range(apart, height - apart, apart) for x in range(apart, width - apart, apart)]


def bring_points(pad, info, options):
    """The probe: with every so many frames, new points."""
    import rdpsegment
    from gi.repository import GLib, Gst, GstRdpSegment

    options.frame += 1
    if (options.frame - 1) % options.every:
        return Gst.PadProbeReturn.OK
    caps = pad.get_current_caps().get_structure(0)
    width, height = caps.get_value("width"), caps.get_value("height")
    points = rdpsegment.points_to_track(grid(width, height, options.apart), width, height)
    # Python holds the frame as well, so that it cannot be changed: what is added goes to a copy, which
    # shares its memory and goes on in its place.
    flags = Gst.BufferCopyFlags
    everything = flags.FLAGS | flags.TIMESTAMPS | flags.META | flags.MEMORY
    frame = info.get_buffer().copy_region(everything, 0, GLib.MAXSIZE)
    GstRdpSegment.buffer_add_rdp_tracks_meta(frame, points.to_library())
    pad.get_peer().chain(frame)
    return Gst.PadProbeReturn.HANDLED


def positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number of at least 1, not {text!r}")
    return int(text)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--every", type=positive, default=10, help="frames from points to new points (%(default)s)")
    add("--apart", type=positive, default=40, help="pixels from one point to the next (%(default)s)")
    add("source", nargs="?",
        default="depthtestsrc view=left pattern=traffic num-buffers=12 ! video/x-raw,width=640,height=480",
        help="a launch line that delivers GRAY8, NV12 or I420 (%(default)s)")  # fmt: skip
    options = parser.parse_args()
    options.frame = 0
    try:
        import gi
        import rdpsegment

        for name in ("Gst", "GstRdpSegment"):
            gi.require_version(name, "1.0")
        from gi.repository import GLib, Gst
    except (ImportError, ValueError) as error:
        sys.exit(f"Something is missing: {error}\n{NEEDS}")
    try:
        # detector=none: klttrack finds no features of its own.
        pipeline = rdpsegment.run(f"{options.source} ! identity name=points ! klttrack detector=none ! appsink")
        pad = pipeline.pipeline.get_by_name("points").get_static_pad("src")
        pad.add_probe(Gst.PadProbeType.BUFFER, bring_points, options)
        for sample in pipeline:
            found = rdpsegment.tracks(sample)
            lost = " ".join(f"{id} ({reason})" for id, reason in zip(found.lost["id"], found.reasons()))
            born = int((found.tracks["age"] == 0).sum())
            print(f"frame {found.info.frame}: {len(found)} points, {born} of them new; lost: {lost or 'none'}")
    except GLib.Error as error:
        sys.exit(error.message)
    except rdpsegment.Error as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
