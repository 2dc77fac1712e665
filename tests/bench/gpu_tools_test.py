#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gpu_tables.py on made results; gpu_model.py, and the file that it writes."""

import csv
import os
import pathlib
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
