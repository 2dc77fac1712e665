#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares StereoMatcher with cv2.StereoSGBM: the time of each on the same rendered pairs, one thread.

The engine's time is what depthstereo states itself, without Python and pads. All methods take turns
for each pair, so that a busy machine slows all of them down alike.

Run it where GStreamer and Python find rdpsegment: installed, or with
  meson devenv -C build /usr/bin/python3 ../examples/python/compare_stereo.py
Needs OpenCV, PyGObject and numpy (Debian: python3-opencv python3-gi python3-numpy).
"""

import sys
import time

from comparison import arguments, at_least, engine_ms, modules, report


def pairs(options, rdpsegment):
    """Left and right images of the test source's street."""
    caps = f"video/x-raw,format=GRAY8,width={options.width},height={options.height}"
    for samples in rdpsegment.run(
        f"depthtestsrc view=left num-buffers={options.frames} ! {caps} ! appsink name=left "
        f"depthtestsrc view=right num-buffers={options.frames} ! {caps} ! appsink name=right", sinks=("left", "right")):  # fmt: skip
        yield [rdpsegment.Processed(sample).frame for sample in samples]


def main():
    parser = arguments(__doc__, "pairs", 1)
    parser.add_argument("--disparities", type=at_least(1), default=128, help="a multiple of 16 (%(default)s)")
    options = parser.parse_args()
    cv2, np, rdpsegment = modules()
    try:
        matcher = rdpsegment.StereoMatcher(disparities=options.disparities, threads=1)
        sgbm = {
            name: cv2.StereoSGBM_create(0, options.disparities, 5, 200, 800, 1, 63, 10, 100, 2, mode)
            for name, mode in (("3WAY", cv2.STEREO_SGBM_MODE_SGBM_3WAY), ("HH4", cv2.STEREO_SGBM_MODE_HH4))
        }
        methods = {
            "StereoMatcher": matcher.compute,
            **{f"cv2.StereoSGBM {name}": method.compute for name, method in sgbm.items()},
        }
        spent = {name: [] for name in ("engine", *methods)}
        # All of them first: rendering takes time of the other methods.
        for left, right in list(pairs(options, rdpsegment)):
            found = {}
            for name, method in methods.items():
                start = time.perf_counter()
                found[name] = method(left, right)
                spent[name].append(1e3 * (time.perf_counter() - start))
            spent["engine"].append(engine_ms(matcher.element))
    except (TypeError, ValueError, rdpsegment.Error) as error:
        sys.exit(str(error))
    report(spent, "cv2.StereoSGBM 3WAY", "pair")
    ours, theirs = found["StereoMatcher"], found["cv2.StereoSGBM 3WAY"]
    both = (ours >= 0) & (theirs >= 0)
    print(f"known: {(ours >= 0).mean():.0%} and {(theirs >= 0).mean():.0%} of the pixels; of both, "
          f"{(np.abs(ours - theirs)[both] <= 16).mean():.0%} within a pixel")  # fmt: skip


if __name__ == "__main__":
    main()
