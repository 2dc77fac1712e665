#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs `accuracy_bench` over recorded frames: curves over epsilon, median and merge-cost as CSV.

  accuracy_curves.py ACCURACY FOLDER RESULTS.csv [EXPERIMENT…]

ACCURACY is the program from the build directory, FOLDER what RDPSEGMENT_TEST_DATA names. The
experiments (all, where none is named):

  epsilon   split, refine and merge over epsilon, for each frame
  median    the same frames after a 3x3 and a 5x5 median
  stixels   the frame that GPU Stixels has a result for, over epsilon and merge-cost
  optimum   the merge against the cheapest segments there are, for each frame: half an hour
  truth     the frames that have ground truth
"""

import os
import subprocess
import sys

DISPARITY = []  # in 1/256 px
# Millimetres and 1/5000 m become 1/km.
MILLIMETRES = ["--sample-scale=1", "--inverse-scale=1e6", "--max-value=65534"]
KINECT = ["--sample-scale=1", "--inverse-scale=5e6", "--max-value=65534"]
MIDDLEBURY_8 = ["--sample-scale=0.25"]

FRAMES = [  # set, name, file, options
    ("KITTI", "odometry 06, 000000", "kitti/sequence/000000.png", DISPARITY),
    ("KITTI", "odometry 06, 000008", "kitti/sequence/000008.png", DISPARITY),
    ("KITTI", "raw 0926 0048, 0", "kitti/kitti_raw0926_0048_0_3way.png", DISPARITY),
    ("KITTI", "2015 000046", "kitti/kitti2015_000046_10_3way.png", DISPARITY),
    ("KITTI", "2015 000046, 8 paths", "kitti/kitti2015_000046_10_hh.png", DISPARITY),
    ("KITTI", "2015 000046, unfiltered", "kitti/kitti2015_000046_10_nofilter.png", DISPARITY),
    ("KITTI", "2015 000151", "kitti/kitti2015_aanet_000151_10_3way.png", DISPARITY),
    ("KITTI", "redtail", "kitti/kitti_redtail_3way.png", DISPARITY),
    ("KITTI", "object", "kitti/kitti_obj_stereorcnn_3way.png", DISPARITY),
    ("KITTI", "stereo 000000", "kitti/kitti_soft_000000_3way.png", DISPARITY),
    ("SYNTHIA", "city", "synthia/disparity.png", DISPARITY),
    ("Middlebury", "motorcycle", "middlebury/motorcycle_disp0GT_x256.png", DISPARITY),
    ("Middlebury", "teddy", "middlebury/teddy_disp2_x4.png", MIDDLEBURY_8),
    ("Middlebury", "cones", "middlebury/cones_disp2_x4.png", MIDDLEBURY_8),
    ("RGB-D", "TUM fr1", "rgbd/tum_fr_1_depth.png", KINECT),
    ("RGB-D", "RealSense table 0", "rgbd/realsense_felix_0.png", MILLIMETRES),
    ("RGB-D", "RealSense moving 0", "rgbd/sequence/000000.png", MILLIMETRES),
    ("RGB-D", "Xtion copyroom", "rgbd/xtion_copyroom.png", MILLIMETRES),
    ("RGB-D", "ICL livingroom", "rgbd/icl_livingroom_00000.png", MILLIMETRES),
]  # fmt: skip

SYNTHIA = ["--mean-columns=5", "--min-value=0"]  # 204 columns; zero is a value
STEPS = [0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16]


def numbers(values, unit=""):
    return ",".join(f"{value:g}{unit}" for value in values)


def unit_of(options):
    """What is like 1 px of disparity: 10 / km, which is 1 cm at 1 m and 25 cm at 5 m."""
    return 10 if any(o.startswith("--inverse-scale") for o in options) else 1


def over_frames(experiment, *more, steps=STEPS):
    return [
        (experiment, group, name, file,
         [*options, f"--epsilon={numbers(unit_of(options) * e for e in steps)}", *more])
        for group, name, file, options in FRAMES
    ]  # fmt: skip


def epsilon(folder):
    return over_frames("epsilon", "--methods=split,refine,merge")


def median(folder):
    return over_frames("median", "--methods=split,merge", "--median=3,5")


def stixels(folder):
    result = folder + "/synthia/gpu-stixels-result.txt"
    file = "synthia/disparity.png"
    factors = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 4.75, 5, 5.25, 5.5, 5.75, 6, 6.5, 7, 8, 9, 10]
    costs = f"--merge-cost={numbers(factors, 'x')}"
    few = f"--merge-cost={numbers(factors[3::2], 'x')}"
    jobs = [
        [f"--stixels={result}", "--methods=split,refine", f"--epsilon={numbers(STEPS)}"],
        ["--methods=merge", "--epsilon=0.5,0.75,1,1.25,1.5,2,3,4", costs],
        ["--methods=merge", "--epsilon=1,1.5,2", "--column-width=2", costs],
    ] + [["--methods=optimum,squared-optimum", f"--epsilon={e}", few] for e in (1, 1.5, 2)]
    return [("stixels", "SYNTHIA", "204 columns", file, [*SYNTHIA, *job]) for job in jobs]


def optimum(folder):
    jobs = over_frames("optimum", "--methods=merge,optimum,squared-optimum", steps=(1, 2, 4))
    jobs = [job for job in jobs if job[1] != "SYNTHIA"]
    options = [*SYNTHIA, "--methods=merge,optimum,squared-optimum", "--epsilon=1,2,4"]
    return jobs + [("optimum", "SYNTHIA", "204 columns", "synthia/disparity.png", options)]


def truth(folder):
    frames = [
        (f"2015 000046{name}", f"kitti/kitti2015_000046_10_{file}.png", "kitti2015_000046_10_disp_occ_0")
        for name, file in (("", "3way"), (", 8 paths", "hh"), (", unfiltered", "nofilter"))
    ] + [("2015 devkit", "kitti/groundtruth/kitti2015_devkit_disp_est.png", "kitti2015_devkit_disp_gt")]
    return [
        ("truth", "KITTI", name, file,
         [f"--truth={folder}/kitti/groundtruth/{gt}.png", "--methods=split,refine,merge",
          "--median=0,5", "--epsilon=0.5,1,2,3,4,6,8", "--merge-cost=2x,3x,4x,5x,6x,8x"])
        for name, file, gt in frames
    ]  # fmt: skip


EXPERIMENTS = {f.__name__: f for f in (epsilon, median, stixels, optimum, truth)}


def main(arguments):
    if len(arguments) < 3 or not set(arguments[3:]) <= set(EXPERIMENTS):
        print(__doc__, file=sys.stderr)
        return 2
    program, folder, results = arguments[:3]
    jobs = [job for name in arguments[3:] or EXPERIMENTS for job in EXPERIMENTS[name](folder)]
    missing = sorted({job[3] for job in jobs if not os.path.isfile(f"{folder}/{job[3]}")})
    if missing:
        sys.exit(f"accuracy_curves.py: {folder} lacks {', '.join(missing)}")

    def run(job):
        experiment, group, name, file, options = job
        text = subprocess.run(
            [program, "--name=", *options, f"{folder}/{file}"], check=True, text=True,
            stdout=subprocess.PIPE,
        ).stdout.splitlines()  # fmt: skip
        quoted = f'"{name}"'
        return text[0], [f"{experiment},{group},{quoted}{line}" for line in text[1:]]

    # One at a time: the times count.
    with open(results, "w", encoding="utf-8") as out:
        for number, job in enumerate(jobs):
            print(f"{number + 1} of {len(jobs)}: {job[0]}, {job[1]} {job[2]}", file=sys.stderr)
            head, lines = run(job)
            if number == 0:
                out.write(f"experiment,set,{head}\n")
            out.write("".join(line + "\n" for line in lines))
            out.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
