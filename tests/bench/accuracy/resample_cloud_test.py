#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""resample_cloud.py: as many points as asked for, around those of the file, the same again."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

SCRIPT = pathlib.Path(__file__).with_name("resample_cloud.py")
KNOWN = np.array([[0, 0, 0], [10, 20, 30], [-10, 5, 0]], np.float32)


class ResampleCloud(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.cloud = pathlib.Path(self.folder.name) / "cloud.pcd"
        records = np.zeros(4, [("rgb", "<u4"), ("xyz", "<f4", 3)])
        records["xyz"] = np.concatenate([KNOWN, [[np.nan, 1, 1]]])
        header = "VERSION 0.7\nFIELDS rgb x y z\nSIZE 4 4 4 4\nTYPE U F F F\nPOINTS 4\nDATA binary\n"
        self.cloud.write_bytes(header.encode() + records.tobytes())

    def run_script(self, out, *options):
        path = pathlib.Path(self.folder.name) / out
        done = subprocess.run(
            [sys.executable, SCRIPT, self.cloud, path, *options], capture_output=True, text=True
        )
        return path, done

    def test_points(self):
        path, done = self.run_script("a.bin", "--points=1000003")
        self.assertEqual(done.returncode, 0, done.stderr)
        points = np.fromfile(path, "<f4").reshape(-1, 4)
        self.assertEqual(points.shape, (1000003, 4))
        self.assertTrue((points[:, 3] == 0).all())
        nearest = np.abs(points[:, None, :3] - KNOWN).sum(axis=2).argmin(axis=1)
        off = points[:, :3] - KNOWN[nearest]
        self.assertTrue((np.abs(off.std(axis=0) - 0.008) < 1e-4).all(), off.std(axis=0))
        self.assertTrue((np.abs(np.bincount(nearest) - 333334) < 3000).all())

    def test_pcd_is_the_same_again(self):
        first, _ = self.run_script("a.pcd", "--points=1000", "--seed=5")
        second, _ = self.run_script("b.pcd", "--points=1000", "--seed=5")
        other, _ = self.run_script("c.pcd", "--points=1000", "--seed=6")
        self.assertEqual(first.read_bytes(), second.read_bytes())
        self.assertNotEqual(first.read_bytes(), other.read_bytes())
        header, body = first.read_bytes().split(b"DATA binary\n")
        self.assertIn(b"POINTS 1000\n", header)
        self.assertEqual(len(body), 12000)
        scan, _ = self.run_script("a.bin", "--points=1000", "--seed=5")
        of_scan = np.fromfile(scan, "<f4").reshape(-1, 4)[:, :3]
        self.assertTrue((np.frombuffer(body, "<f4").reshape(-1, 3) == of_scan).all())

    def test_errors(self):
        self.assertIn("expected a name that ends in", self.run_script("a.ply", "--points=5")[1].stderr)
        self.assertIn("expected 1 at least", self.run_script("a.pcd", "--points=0")[1].stderr)
        self.cloud.write_text("VERSION 0.7\nFIELDS x y z\nPOINTS 1\nDATA ascii\n1 2 3\n")
        self.assertIn("expected DATA binary", self.run_script("a.pcd", "--points=5")[1].stderr)


if __name__ == "__main__":
    unittest.main()
