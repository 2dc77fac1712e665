#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes a large cloud of a small one, for benchmarks of what takes clouds.

  resample_cloud.py CLOUD.pcd OUT.pcd|OUT.bin --points=N [--noise=METRES] [--seed=N]

CLOUD.pcd: binary, with x, y and z. N of its known points are drawn with replacement, and moved by
Gaussian noise along each axis: 8 mm, if nothing else is said. OUT.pcd is binary, OUT.bin is as KITTI's
scans are (x, y, z, and an intensity of 0). The same arguments give the same file, with one version of
numpy.
"""

import argparse
import pathlib
import sys

import numpy as np

AT_ONCE = 1_000_000
HEADER = """# .PCD v0.7 - Point Cloud Data file format
VERSION 0.7
FIELDS x y z
SIZE 4 4 4
TYPE F F F
COUNT 1 1 1
WIDTH {0}
HEIGHT 1
VIEWPOINT 0 0 0 1 0 0 0
POINTS {0}
DATA binary
"""


def read_points(path):
    """The known points of a binary PCD, a row each."""
    content = pathlib.Path(path).read_bytes()
    header = {}
    begin = 0
    while "DATA" not in header:
        end = content.find(b"\n", begin)
        if end < 0:
            sys.exit(f"{path}: expected a PCD, found no DATA line")
        words = content[begin:end].decode("ascii", "replace").split()
        begin = end + 1
        if words and not words[0].startswith("#"):
            header[words[0]] = words[1:]
    if header["DATA"] != ["binary"]:
        sys.exit(f"{path}: expected DATA binary, found {' '.join(header['DATA'])}; convert it first")
    counts = header.get("COUNT", ["1"] * len(header["FIELDS"]))
    kinds = {"F": "f", "I": "i", "U": "u"}
    record = np.dtype([
        (f"{name}.{i}" if name not in "xyz" else name, f"<{kinds[kind]}{size}", (int(count),))
        for i, (name, size, kind, count) in enumerate(
            zip(header["FIELDS"], header["SIZE"], header["TYPE"], counts))
    ])  # fmt: skip
    missing = [axis for axis in "xyz" if axis not in record.names]
    if missing:
        sys.exit(f"{path}: expected fields x, y and z, found {' '.join(header['FIELDS'])}")
    records = np.frombuffer(content, record, int(header["POINTS"][0]), begin)
    points = np.column_stack([records[axis][:, 0] for axis in "xyz"]).astype(np.float32)
    return points[np.isfinite(points).all(axis=1)]


def resampled(points, count, noise, seed):
    """That many points, some at a time."""
    random = np.random.default_rng(seed)
    for done in range(0, count, AT_ONCE):
        part = min(AT_ONCE, count - done)
        moved = points[random.integers(0, len(points), part)]
        moved += np.float32(noise) * random.standard_normal((part, 3), np.float32)
        yield moved


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cloud")
    parser.add_argument("out")
    parser.add_argument("--points", type=int, required=True)
    parser.add_argument("--noise", type=float, default=0.008, help="standard deviation, m (default 0.008)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    kind = pathlib.Path(arguments.out).suffix
    if kind not in (".pcd", ".bin"):
        parser.error(f"OUT is {arguments.out}, expected a name that ends in .pcd or .bin")
    if arguments.points < 1:
        parser.error(f"--points is {arguments.points}, expected 1 at least")
    points = read_points(arguments.cloud)
    if len(points) == 0:
        sys.exit(f"{arguments.cloud}: expected known points, found none")
    with open(arguments.out, "wb") as out:
        if kind == ".pcd":
            out.write(HEADER.format(arguments.points).encode())
        for part in resampled(points, arguments.points, arguments.noise, arguments.seed):
            if kind == ".bin":
                part = np.column_stack([part, np.zeros(len(part), np.float32)])
            out.write(part.astype("<f4").tobytes())


if __name__ == "__main__":
    main()
