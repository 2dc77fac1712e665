#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes results/gpu-sizing.csv: how many frames a second GPUs should segment on which nothing was measured.

docs/gpu-sizing.md says how. The instructions and shares are those of results/gpu-instructions.csv, which NVIDIA's ncu
counted: smsp__inst_executed.sum over the columns, and smsp__issue_active.avg.pct_of_peak_sustained_elapsed.
"""

import csv
import pathlib
from dataclasses import dataclass

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
# Warps of the run in which instructions are counted.
MEASURED_WARPS = 40
# A multiprocessor of every architecture since Volta starts so many warp instructions a clock.
ISSUE_RATE = 4
# Clocks that one such frame takes however large the device is: 18.8 us of an H200 at 1980 MHz.
LATENCY_CLOCKS = 18.8 * 1980
SIZES = ((640, 480), (1242, 375), (1280, 720), (1242, 1024))


@dataclass
class Device:
    name: str
    capability: str
    multiprocessors: int
    mhz: int
    shared_kib: int  # of a multiprocessor
    most_warps: int  # of a multiprocessor

    def warps(self, height):
        """Warps of the kernel with a warp for each column that a multiprocessor holds."""
        # As kernels/rdp/warp_layout.h: blocks of 8 columns, or of 4 where three such blocks do not
        # fit; the system takes 1 KiB of a block.
        words = (height + 31) // 32
        column = (words * 32 + 8) * 2 + words * 4 + words * 64 + 16
        shared = self.shared_kib * 1024
        columns = 8 if 3 * 8 * column <= shared else 4
        most = min(40, self.most_warps) // columns
        return columns * min(most, shared // (columns * column + 1024))


DEVICES = (
    Device("Orin Nano 4GB", "8.7", 4, 625, 164, 48),
    Device("Orin Nano 8GB", "8.7", 8, 625, 164, 48),
    Device("Orin Nano 8GB, Super", "8.7", 8, 1020, 164, 48),
    Device("Orin NX 16GB", "8.7", 8, 918, 164, 48),
    Device("AGX Orin 64GB", "8.7", 16, 1300, 164, 48),
    Device("Thor T5000", "11.0", 20, 1575, 228, 48),
    Device("T4", "7.5", 40, 1590, 64, 32),
    Device("H200", "9.0", 132, 1980, 228, 64),
)


def seconds(device, width, height, instructions, issue):
    """A frame of a batch, where the kernel has `issue` of the slots with MEASURED_WARPS."""
    reached = issue * min(1, device.warps(height) / MEASURED_WARPS)
    rate = device.multiprocessors * ISSUE_RATE * reached * device.mhz * 1e6
    return instructions * width / rate


def counted(height):
    """(instructions a column, share of the issue slots) at this height or the next that was counted."""
    lines = (RESULTS / "gpu-instructions.csv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    found = [(int(row["rows"]), float(row["instructions a column"]), float(row["issued (%)"]) / 100) for row in rows]
    return min(row for row in found if row[0] >= height)[1:]


def rounded(rate):
    """Two digits: a model has no more."""
    digits = max(len(str(int(rate))) - 2, 0)
    return f"{round(rate, -digits):,.0f}"


def sizing():
    head = ["GPU", "compute capability", "multiprocessors x MHz", "warps at 1024 rows",
            *[f"{width}x{height}" for width, height in SIZES]]
    lines = []
    for device in DEVICES:
        line = [device.name, device.capability, f"{device.multiprocessors} x {device.mhz}",
                device.warps(1024)]
        for width, height in SIZES:
            batch = seconds(device, width, height, *counted(height))
            single = batch + LATENCY_CLOCKS / (device.mhz * 1e6)
            line.append(f"{rounded(1 / single)} / {rounded(1 / batch)}")
        lines.append(line)
    return head, lines


def main():
    with (RESULTS / "gpu-sizing.csv").open("w", newline="", encoding="utf-8") as file:
        file.write("# a model, of gpu-instructions.csv\n# 2026-11-26, gpu_model.py; one frame at a time / in batches\n")
        out = csv.writer(file, lineterminator="\n")
        head, lines = sizing()
        out.writerows([head, *lines])


if __name__ == "__main__":
    main()
