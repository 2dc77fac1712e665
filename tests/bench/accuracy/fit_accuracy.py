#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The lines of fit=absolute beside those of fit=squares, against lidar, as a table.

  fit_accuracy.py ACCURACY FOLDER [EPSILON…]

ACCURACY is the program accuracy_bench from the build directory, FOLDER what RDPSEGMENT_TEST_DATA
names. GST_PLUGIN_PATH names the folder of the plugin. The four pairs with lidar are matched by
depthstereo, and by OpenCV's StereoSGBM where python3 has cv2. Both fits of a row have the same
number of segments. Of each: mean error in px and outliers (more than 3 px and 5 %) in %, over what
lidar, the matcher and the segments know; x: how much time the segmentation takes, as a ratio.
"""

import csv
import io
import pathlib
import subprocess
import sys
import tempfile

DISPARITIES = 128
PAIRS = [  # name, left, right, truth
    ("2015 #46", "kitti/stereo/kitti2015_000046_10_L.png", "kitti/stereo/kitti2015_000046_10_R.png",
     "kitti/groundtruth/kitti2015_000046_10_disp_occ_0.png"),
    *((f"2012 #{int(n)}", f"stereo/kitti2012/{n}_10_image_0.png", f"stereo/kitti2012/{n}_10_image_1.png",
       f"stereo/kitti2012/{n}_10_disp_occ.png") for n in ("000074", "000138", "000151")),
]  # fmt: skip


def match_with_depthstereo(left, right, to):
    gray = "pngdec ! videoconvert ! video/x-raw,format=GRAY8"
    command = f"""gst-launch-1.0 -q depthstereo name=d disparities={DISPARITIES}
        ! video/x-raw,format=GRAY16_LE ! videoconvert ! video/x-raw,format=GRAY16_BE ! pngenc
        ! filesink location={to} filesrc location={left} ! {gray} ! d.left
        filesrc location={right} ! {gray} ! d.right"""
    subprocess.run(command.split(), check=True, stdout=sys.stderr)


def match_with_opencv(left, right, to):
    import cv2
    import numpy as np

    matcher = cv2.StereoSGBM_create(
        0, DISPARITIES, 3, P1=8 * 9, P2=32 * 9, disp12MaxDiff=1, uniquenessRatio=10,
        speckleWindowSize=100, speckleRange=2, mode=cv2.STEREO_SGBM_MODE_SGBM_3WAY,
    )  # fmt: skip
    sixteenths = matcher.compute(cv2.imread(str(left), 0), cv2.imread(str(right), 0))
    cv2.imwrite(str(to), (np.maximum(sixteenths, 0).astype(np.uint16) * 16))


def judged(accuracy, frame, truth, epsilon):
    methods = "refine,refine-absolute,merge,merge-absolute"
    command = [accuracy, f"--epsilon={epsilon}", f"--methods={methods}", f"--truth={truth}", frame]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return {line["method"]: line for line in csv.DictReader(io.StringIO(text))}


def cells(line):
    return f"{float(line['truth_mean']):.3f} | {100 * float(line['truth_outliers']):.2f} %"


def main():
    accuracy, folder, *epsilons = sys.argv[1:]
    matchers = [("depthstereo", match_with_depthstereo)]
    try:
        import cv2  # noqa: F401

        matchers.append(("OpenCV", match_with_opencv))
    except ImportError:
        print("python3 has no cv2: without OpenCV's matcher", file=sys.stderr)
    print("| pair | matcher | ε | lines | rows | matcher: mean | outliers | squares: mean | outliers "
          "| absolute: mean | outliers | x |")  # fmt: skip
    print("|---" * 12 + "|")
    with tempfile.TemporaryDirectory() as scratch:
        for name, left, right, truth in PAIRS:
            for matcher, match in matchers:
                frame = pathlib.Path(scratch) / "frame.png"
                match(pathlib.Path(folder) / left, pathlib.Path(folder) / right, frame)
                for epsilon in epsilons or ["2"]:
                    found = judged(accuracy, frame, pathlib.Path(folder) / truth, epsilon)
                    for lines in ("refine", "merge"):
                        squares, absolute = found[lines], found[f"{lines}-absolute"]
                        times = float(absolute["milliseconds"]) / float(squares["milliseconds"])
                        print(f"| {name} | {matcher} | {epsilon} | {lines} "
                              f"| {float(squares['rows_a_segment']):.0f} "
                              f"| {float(squares['truth_mean_of_frame']):.3f} "
                              f"| {100 * float(squares['truth_outliers_of_frame']):.2f} % "
                              f"| {cells(squares)} | {cells(absolute)} | {times:.2f} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
