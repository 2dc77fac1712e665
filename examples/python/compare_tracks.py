#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares Tracker with cv2.calcOpticalFlowPyrLK, forward and backward: the time of each, one thread.

Both track the same features between the same rendered frames, with one window, levels and iterations.
The engine's time is what klttrack states itself; in it are new features, too.

Run it where GStreamer and Python find rdpsegment: installed, or with
  meson devenv -C build /usr/bin/python3 ../examples/python/compare_tracks.py
Needs OpenCV, PyGObject and numpy (Debian: python3-opencv python3-gi python3-numpy).
"""

import time

from comparison import arguments, engine_ms, modules, report

WINDOW, LEVELS, ITERATIONS, EPSILON = 12, 4, 10, 0.01


def main():
    options = arguments(__doc__, "frames", 2).parse_args()
    cv2, np, rdpsegment = modules()
    lk = dict(winSize=(WINDOW, WINDOW), maxLevel=LEVELS - 1,
              criteria=(cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, ITERATIONS, EPSILON))  # fmt: skip
    tracker = rdpsegment.Tracker(window=WINDOW, levels=LEVELS, max_iterations=ITERATIONS, epsilon=EPSILON, threads=1)
    spent, near, before = {"engine": [], "Tracker": [], "cv2, both ways": []}, [], None
    samples = rdpsegment.run(
        f"depthtestsrc view=left pattern=traffic num-buffers={options.frames} ! "
        f"video/x-raw,format=GRAY8,width={options.width},height={options.height} ! appsink")  # fmt: skip
    # All of them first: rendering takes time of the other methods.
    for frame in [rdpsegment.Processed(sample).frame for sample in samples]:
        start = time.perf_counter()
        found = tracker.track(frame)
        times = {"Tracker": 1e3 * (time.perf_counter() - start), "engine": engine_ms(tracker.element)}
        if before is not None:
            start = time.perf_counter()
            there, _, _ = cv2.calcOpticalFlowPyrLK(before[0], frame, before[1], None, **lk)
            back, _, _ = cv2.calcOpticalFlowPyrLK(frame, before[0], there, None, **lk)
            times["cv2, both ways"] = 1e3 * (time.perf_counter() - start)
            for name, ms in times.items():
                spent[name].append(ms)
            good = np.abs(back - before[1]).max(axis=1) < 0.5
            _, mine, theirs = np.intersect1d(found.ids, before[2][good], return_indices=True)
            near.append(np.hypot(*(found.points[mine] - there[good][theirs]).T))
        before = frame, np.ascontiguousarray(found.points), found.ids
    report(spent, "cv2, both ways", "frame")
    print(f"features of both: {np.mean(list(map(len, near))):.0f}, median distance {np.median(np.concatenate(near)):.3f} px")


if __name__ == "__main__":
    main()
