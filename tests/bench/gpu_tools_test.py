#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gpu_tables.py and papers.py on made results; gpu_model.py, and the file that it writes."""

import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import gpu_model  # noqa: E402

HEAD = "experiment,frame,width,height,epsilon,segments_a_column,rival,microseconds,replays,value\n"
BENCH = f"""# A device
# a day
{HEAD}batch,"street, noisy",1242,1024,4,4.700,"ours 8",5.0000,51,12.5
batch,"street, noisy",1242,1024,4,4.700,"queues 8",10.0000,51,0
batch,"street, noisy",1242,1024,2,4.700,"ours 8",99.0000,51,12.5
change,"a to b",1242,1024,4,9.000,"frame 1",300.0000,15,0
change,"a to b",1242,1024,4,9.000,"frame 2",114.0000,15,1
change,"a to b",1242,1024,4,9.000,"frame 3",113.0000,15,1
change,"a to b",1242,1024,4,9.000,"frame 4",112.0000,15,1
goals,"one frame: median",0,0,0,0.000,"<= 0.80, missed",0.0000,1,0.85
"""


def run(script, *arguments, **environment):
    return subprocess.run([sys.executable, str(HERE / script), *map(str, arguments)], check=False,
                          capture_output=True, text=True, env={**os.environ, **environment})


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        for path in (HERE / "results").glob("papers-*.csv"):
            shutil.copy(path, self.folder)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path


class Tables(Folder):
    def test_files_of_a_folder(self):
        text = self.write("printed.txt", "16 threads\n\n| frame | elements |\n|---|---|\n| c | 8 |\n"
                                         "16 threads, read\n\n| frame | elements |\n|---|---|\n| d |  |\n")
        done = run("gpu_tables.py", self.folder, self.write("bench.csv", BENCH), text)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(sorted(path.name for path in self.folder.glob("gpu-*")),
                         ["gpu-batch.csv", "gpu-change.csv", "gpu-goals.csv", "gpu-streams.csv"])
        batch = (self.folder / "gpu-batch.csv").read_text(encoding="utf-8")
        self.assertTrue(batch.startswith("# A device\n# a day\nframe,size,segments a column,"), batch)
        self.assertTrue(batch.endswith('\n"street, noisy",1242x1024,4.7,8,5.00,10.00,0.50,12.5\n'), batch)
        streams = (self.folder / "gpu-streams.csv").read_text(encoding="utf-8")
        self.assertTrue(streams.endswith('\nrun,frame,elements\n16 threads,c,8\n"16 threads, read",d,\n'), streams)

    def test_energy(self):
        head = "| kernels | W | above idle (mJ) |\n|---|---|---|\n"
        text = self.write("energy.txt", "GPU, driver for CUDA 13.0\n2026-01-02, gpu_bench --energy=20\n"
                                        f"\nEnergy, 20 s a side in 4 turns\n\n{head}| idle | 90.0 |  |\n"
                                        "| segments | 400.0 | 5.5 |\n| algorithm3 | 500.0 | 33 |\n")
        self.assertEqual(run("gpu_tables.py", self.folder, text).returncode, 0)
        found = (self.folder / "gpu-energy.csv").read_text(encoding="utf-8")
        self.assertTrue(found.startswith("# GPU, driver for CUDA 13.0\n# 2026-01-02, gpu_bench --energy=20\n# Energy, "
                                         "20 s a side in 4 turns\nkernels,W,above idle (mJ)\n"), found)
        self.assertEqual(run("papers.py", self.folder, "machine").returncode, 0)
        found = (self.folder / "papers-segments.csv").read_text(encoding="utf-8")
        self.assertIn("Energy of Algorithm 3 over ours,,,6\n", found)


PAPER = "# paper_segments\nframe,height,median,epsilon,segments_a_column,levels_mean,levels_deviation,levels_most," \
        "reference_ms,engine_ms\n"


class Papers(Folder):
    def papers(self, name):
        return (self.folder / f"papers-{name}.csv").read_text(encoding="utf-8")

    def test_results_come_beside_what_was_published(self):
        cases = "".join(f"{frame},{n},5,4,{segments},5.2,1.5,11,{n / 100},{n / 1000}\n" for n in (256, 512, 1024)
                        for frame, segments in (("a", 6), ("b", 8), ("b_nofilter", 20)))
        tracks = "step 4\n| made, 640x480 | set-up and tracks | {} | 1.0 | {} | 3300 |\n"
        files = [self.write("segments.csv", PAPER + cases), self.write("3300.txt", tracks.format("40.0", 3300)),
                 self.write("1650.txt", tracks.format("23.5", 1650)),
                 self.write("cloud.txt", "rdp_cloud_nodes      9.0 |        1      5.0 |              6.0\n"
                                         "rdp_cloud_vote       9.0 |        2     20.0 |             21.0\n"),
                 self.write("growth.csv", HEAD + "".join(
                     f"growth,kitti_3way scaled,1242,{n},4,7,{rival},{us},51,0\n"
                     for n, rival, us in ((256, "cpu", 80), (256, "ours", 10), (1024, "cpu", 60), (1024, "ours", 20))))]
        done = run("papers.py", self.folder, "a machine, 2026-01-02", *files)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        segments = self.papers("segments")
        self.assertIn('"Table 1: one core, recursive",43.9; 40.1; 21.2 ms,10.2 (10.2–10.2) ms,\n', segments)
        self.assertIn("4.6; 6.8,,3; 8\n", segments)
        self.assertTrue(segments.startswith("# a machine, 2026-01-02\n# papers.py"), segments)
        levels = self.papers("levels")
        self.assertIn('"matcher with its own filters, 5x5 median",5.2 ± 1.5,11,7.0,', levels)
        self.assertIn('"raw matcher, 5x5 median",5.2 ± 1.5,11,20.0,', levels)
        self.assertIn(",40 µs\n", self.papers("tracks"))
        self.assertIn("; 5.02 ms,7; 33 µs\n", self.papers("tracks"))
        self.assertIn("0.005 + 0.02 = 0.025\n", self.papers("clouds"))
        # A cell that another machine does not measure stays.
        run("papers.py", self.folder, "")
        self.assertEqual(self.papers("levels"), levels)

    def test_usage(self):
        self.assertEqual(run("papers.py").returncode, 2)
        self.write("papers-levels.csv", "# a\n# b\nFigure 5,x\n")
        wrong = run("papers.py", self.folder, "machine", self.write("segments.csv", PAPER + "a,1024,5,4,6,5.2,1.5,11,1,1\n"))
        self.assertIn("expected one row like matcher", wrong.stderr)
        self.assertIn("cannot read or write", run("papers.py", self.folder, "machine", "none").stderr)


class Model(unittest.TestCase):
    def device(self, name):
        return next(device for device in gpu_model.DEVICES if device.name == name)

    def test_warps_that_fit(self):
        # 35 KiB a block of 8 columns at 1024 rows; 64, 164 and 228 KiB a multiprocessor.
        self.assertEqual([self.device(name).warps(1024) for name in ("T4", "AGX Orin 64GB", "H200")],
                         [12, 32, 40])
        self.assertEqual(self.device("T4").warps(375), 32)

    def test_time_of_a_frame(self):
        # 3000 x 1242 instructions on 132 x 4 schedulers, 0.71 of the slots at 1980 MHz: 5.02 us.
        time = gpu_model.seconds(self.device("H200"), 1242, 1024, 3000, 0.71)
        self.assertAlmostEqual(time * 1e6, 5.02, places=2)

    def test_the_file_is_the_model(self):
        lines = (HERE / "results" / "gpu-sizing.csv").read_text(encoding="utf-8").splitlines()
        head, expected = gpu_model.sizing()
        rows = [[str(cell) for cell in row] for row in (head, *expected)]
        self.assertEqual(list(csv.reader(line for line in lines if not line.startswith("#"))), rows)


if __name__ == "__main__":
    unittest.main()
