# SPDX-License-Identifier: LGPL-2.1-or-later
"""The parts that compare_stereo.py and compare_tracks.py have in common."""

import argparse
import statistics
import sys

NEEDS = "Debian: python3-opencv python3-gi python3-numpy; the module rdpsegment: meson devenv -C build"


def at_least(least):
    def number(text):
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"a whole number of at least {least}, not {text!r}")
        return int(text)

    return number


def arguments(description, what, least):
    """A parser with the number of the frames, which has a least value, and their size."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=at_least(least), default=200, help=f"{what} (%(default)s)")
    parser.add_argument("--width", type=at_least(1), default=1241, help="of an image (%(default)s)")
    parser.add_argument("--height", type=at_least(1), default=376, help="of an image (%(default)s)")
    return parser


def modules():
    """OpenCV with one thread, numpy and rdpsegment."""
    try:
        import cv2
        import numpy as np
        import rdpsegment
    except ImportError as error:
        sys.exit(f"Something is missing: {error} ({sys.executable})\n{NEEDS}")
    cv2.setNumThreads(1)
    return cv2, np, rdpsegment


def engine_ms(element):
    """The time that an element states for its last frame."""
    return element.get_property("stats").get_uint64("last-time")[1] / 1e6


def report(spent, reference, of):
    """Prints the median of each method's milliseconds, and its speed beside the reference's."""
    middle = {name: statistics.median(times) for name, times in spent.items()}
    for name, ms in middle.items():
        print(f"{name:22} {ms:8.2f} ms a {of}, {middle[reference] / ms:5.2f} of the speed of {reference}")
