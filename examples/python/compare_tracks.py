#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares Tracker with cv2.calcOpticalFlowPyrLK, forward and backward: the time of each, one thread.

Both track the same features between the same rendered frames, with one window, levels and iterations.
The engine's time is what klttrack states itself; in it are new features, too.

Run it where GStreamer and Python find rdpsegment: installed, or with
  meson devenv -C build /usr/bin/python3 ../examples/python/compare_tracks.py
Needs OpenCV, PyGObject and numpy (Debian: python3-opencv python3-gi python3-numpy).
"""

import argparse
import sys
import time

NEEDS = "Debian: python3-opencv python3-gi python3-numpy; the module rdpsegment: meson devenv -C build"
WINDOW, LEVELS, ITERATIONS, EPSILON = 12, 4, 10, 0.01


def positive(text):
    if not text.isdecimal() or int(text) < 2:
        raise argparse.ArgumentTypeError(f"a whole number of at least 2, not {text!r}")
    return int(text)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--frames", type=positive, default=200, help="frames (%(default)s)")
    add("--width", type=positive, default=1241, help="of a frame (%(default)s)")
    add("--height", type=positive, default=376, help="of a frame (%(default)s)")
    options = parser.parse_args()
    try:
        import cv2
        import numpy as np
        import rdpsegment
    except ImportError as error:
        sys.exit(f"Something is missing: {error}\n{NEEDS}")
    cv2.setNumThreads(1)
    lk = dict(winSize=(WINDOW, WINDOW), maxLevel=LEVELS - 1,
              criteria=(cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, ITERATIONS, EPSILON))  # fmt: skip
    tracker = rdpsegment.Tracker(window=WINDOW, levels=LEVELS, max_iterations=ITERATIONS, epsilon=EPSILON, threads=1)
    spent, near, before = {"engine": [], "Tracker": [], "cv2, both ways": []}, [], None
    for sample in rdpsegment.run(
        f"depthtestsrc view=left pattern=traffic num-buffers={options.frames} ! "
        f"video/x-raw,format=GRAY8,width={options.width},height={options.height} ! appsink"):  # fmt: skip
        frame = rdpsegment.Processed(sample).frame
        start = time.perf_counter()
        found = tracker.track(frame)
        times = {"Tracker": time.perf_counter() - start, "engine": tracker.element.get_property("stats").get_uint64("last-time")[1] / 1e9}
        if before is not None:
            start = time.perf_counter()
            there, _, _ = cv2.calcOpticalFlowPyrLK(before[0], frame, before[1], None, **lk)
            back, _, _ = cv2.calcOpticalFlowPyrLK(frame, before[0], there, None, **lk)
            times["cv2, both ways"] = time.perf_counter() - start
            for name, seconds in times.items():
                spent[name].append(1e3 * seconds)
            good = np.abs(back - before[1]).max(axis=1) < 0.5
            _, mine, theirs = np.intersect1d(found.ids, before[2][good], return_indices=True)
            near.append(np.hypot(*(found.points[mine] - there[good][theirs]).T))
        before = frame, np.ascontiguousarray(found.points), found.ids
    middle = {name: float(np.median(times)) for name, times in spent.items()}
    for name, ms in middle.items():
        print(f"{name:16} {ms:8.2f} ms a frame, {middle['cv2, both ways'] / ms:5.2f} of OpenCV's speed")
    print(f"features of both: {np.mean(list(map(len, near))):.0f}, median distance {np.median(np.concatenate(near)):.3f} px")


if __name__ == "__main__":
    main()
