#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Counts the instructions that the segmentation takes for a column, with NVIDIA's ncu.

  gpu_instructions.py GPU_BENCH RESULTS.csv [ARGUMENT...]

GPU_BENCH is the benchmark, which starts each kernel a few times (--only=launches); ARGUMENTs are
further ones of it. RESULTS.csv gets a row for each frame and kernel; the same is printed. gpu_tables.py
makes tables of it. Needs ncu, of the CUDA toolkit, on PATH or in /usr/local/cuda/bin, and the
permission to read the device's counters. A minute or two.
"""

import csv
import os
import shutil
import subprocess
import sys
import tempfile

KERNELS = "regex:^rdp_(segment_(warps|queues|fit)|fit)_"
INSTRUCTIONS = "smsp__inst_executed.sum"
ISSUED = "smsp__issue_active.avg.pct_of_peak_sustained_elapsed"
WARPS = "sm__warps_active.avg.pct_of_peak_sustained_active"
TIME = "gpu__time_duration.sum"
METRICS = (INSTRUCTIONS, ISSUED, WARPS, TIME)
FIELDS = ("frame", "width", "height", "case", "frames", "instructions_a_column", "issue_percent",
          "warps_percent")


def find_ncu():
    ncu = shutil.which("ncu", path=os.environ.get("PATH", "") + os.pathsep + "/usr/local/cuda/bin")
    if ncu is None:
        sys.exit("gpu_instructions.py: ncu is neither on PATH nor in /usr/local/cuda/bin. It is "
                 "NVIDIA's Nsight Compute, which comes with the CUDA toolkit "
                 "(cuda-nsight-compute-*); nothing was counted.")
    return ncu


def read_kernels(lines):
    """ncu's report: a dictionary of numbers for each kernel, in the order of their start."""
    lines = list(lines)
    starts = [i for i, line in enumerate(lines) if line.startswith('"ID"')]
    if not starts:
        said = "".join(line for line in lines if "==ERROR==" in line) or "".join(lines[-5:])
        sys.exit("gpu_instructions.py: ncu counted nothing. It said:\n" + said +
                 "ERR_NVGPUCTRPERM means: run as root, or let users read the counters.")
    kernels = {}
    for row in csv.DictReader(lines[starts[0]:]):
        if row["Metric Name"] in METRICS:
            number = float(row["Metric Value"].replace(",", ""))
            kernels.setdefault(int(row["ID"]), {})[row["Metric Name"]] = number
    return [kernels[number] for number in sorted(kernels)]


def read_launches(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return [row for row in rows if row["experiment"] == "launches"]


def count(launches, kernels):
    """A row of FIELDS for each launch."""
    rows = []
    for launch in launches:
        first, number = int(float(launch["value"])), int(launch["replays"])
        case, frames = launch["rival"].rsplit(" ", 1)
        mine = kernels[first:first + number]
        if len(mine) < number:
            sys.exit(f"gpu_instructions.py: the benchmark started kernel {first + number - 1}, but "
                     f"ncu has seen {len(kernels)}: do their names match {KERNELS}?")
        time = sum(kernel[TIME] for kernel in mine)

        def mean(metric):
            # Of several kernels, each counts by its time.
            return sum(kernel[metric] * kernel[TIME] for kernel in mine) / time

        columns = int(launch["width"]) * int(frames)
        rows.append({
            "frame": launch["frame"],
            "width": launch["width"],
            "height": launch["height"],
            "case": case,
            "frames": frames,
            "instructions_a_column": f"{sum(k[INSTRUCTIONS] for k in mine) / columns:.0f}",
            "issue_percent": f"{mean(ISSUED):.1f}",
            "warps_percent": f"{mean(WARPS):.1f}",
        })
    return rows


def main(arguments):
    if len(arguments) < 2 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    bench, results = arguments[:2]
    ncu = find_ncu()
    with tempfile.TemporaryDirectory() as folder:
        launches, report = os.path.join(folder, "launches.csv"), os.path.join(folder, "ncu.csv")
        command = [ncu, "--csv", "--print-units", "base", "--log-file", report, "--metrics",
                   ",".join(METRICS), "--kernel-name", KERNELS,
                   bench, "--only=launches", "--csv", launches, *arguments[2:]]
        status = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
        if not os.path.exists(report):
            sys.exit(f"gpu_instructions.py: ncu ended with status {status.returncode} and wrote no "
                     f"report. It said:\n{status.stdout}")
        with open(report, encoding="utf-8") as file:
            kernels = read_kernels(file)
        if status.returncode != 0:
            sys.exit(f"gpu_instructions.py: {bench} ended with status {status.returncode}:\n"
                     f"{status.stdout}")
        rows = count(read_launches(launches), kernels)
    with open(results, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{'frame':38} {'rows':>5} {'case':18} {'frames':>6} {'instr/col':>9} {'issue %':>8} "
          f"{'warps %':>8}")
    for row in rows:
        print(f"{row['frame']:38} {row['height']:>5} {row['case']:18} {row['frames']:>6} "
              f"{row['instructions_a_column']:>9} {row['issue_percent']:>8} {row['warps_percent']:>8}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
