#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gpu_tables.py, gpu_model.py and gpu_instructions.py on made results, with a made ncu; and the pages
whose tables they make."""

import csv
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
DOCS = HERE.parent.parent / "docs"
sys.path.insert(0, str(HERE))

import gpu_model  # noqa: E402
import gpu_tables  # noqa: E402

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
LAUNCHES = f"""# A device
{HEAD}launches,"{gpu_model.FRAME}",10,375,4,7.000,"warps 1",0.0000,1,1
launches,"{gpu_model.FRAME}",10,375,4,7.000,"merge 2",0.0000,2,3
"""
# Kernels 0 to 4: instructions, % issued, % of the warps, ns.
KERNELS = ((1, 1, 1, 1), (20000, 50, 40, 900), (1, 1, 1, 1), (30000, 60, 20, 100), ("1,010,000", 80, 60, 300))
FAKE_NCU = """#!/bin/sh
while [ "$1" != --log-file ]; do shift; done
cp "$FAKE_REPORT" "$2"
while [ "$1" != --kernel-name ]; do shift; done
shift 2
exec "$@"
"""
FAKE_BENCH = """#!/bin/sh
[ "$1" = --only=launches ] && [ "$2" = --csv ] && [ "$4" = --device=1 ] && cp "$FAKE_LAUNCHES" "$3"
"""


def report(kernels):
    names = ("smsp__inst_executed.sum", "smsp__issue_active.avg.pct_of_peak_sustained_elapsed",
             "sm__warps_active.avg.pct_of_peak_sustained_active", "gpu__time_duration.sum")
    lines = ["==PROF== Connected to process 1\n", '"ID","Kernel Name","Metric Name","Metric Value"\n']
    for number, kernel in enumerate(kernels):
        lines += [f'"{number}","k","{name}","{value}"\n' for name, value in zip(names, kernel)]
    return "".join(lines)


def run(script, *arguments, **environment):
    return subprocess.run([sys.executable, str(HERE / script), *map(str, arguments)], check=False,
                          capture_output=True, text=True, env={**os.environ, **environment})


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def write(self, name, text, executable=False):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        if executable:
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path


class Tables(Folder):
    def test_tables_take_the_place_of_those_of_their_names(self):
        page = self.write("page.md", "before\n<!-- table: batch -->\nold\n<!-- end of table -->\nbetween\n"
                                     "<!-- table: change -->\n<!-- end of table -->\n"
                                     "<!-- table: goals -->\n<!-- end of table -->\nafter\n")
        results = self.write("bench.csv", BENCH)
        for _ in range(2):  # a second time there is nothing to change
            done = run("gpu_tables.py", page, results)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            text = page.read_text(encoding="utf-8")
            self.assertIn("| street, noisy | 1242x1024 | 4.7 | 8 | 5.00 | 10.00 | 0.50 | 12.5 |\n", text)
            self.assertIn("| a to b | 300.0 | 114.0 q | 113.0 q | 112.0 q |\n", text)
            self.assertIn("| one frame: median | at most 0.80 | 0.85 | missed |\n", text)
            self.assertNotIn("old", text)
            self.assertNotIn("99", text)  # epsilon 2
            self.assertEqual([text.count(word) for word in ("before", "between", "after", "---")],
                             [1, 1, 1, 8 + 5 + 4])

    def test_a_table_without_results_stays(self):
        page = self.write("page.md", "<!-- table: merge -->\nold\n<!-- end of table -->\n")
        done = run("gpu_tables.py", page, self.write("bench.csv", BENCH))
        self.assertIn("merge stays as it is", done.stdout)
        self.assertIn("old", page.read_text(encoding="utf-8"))

    def test_tables_that_programs_have_printed(self):
        page = self.write("page.md", "<!-- table: reader -->\n<!-- end of table -->\n"
                                     "<!-- table: streams -->\n<!-- end of table -->\n")
        text = self.write("printed.txt", "a device\n\n| in CUDA memory | x |\n|---|---|\n| a | 1 |\n\nends.\n\n"
                                         "| from end to end, segments read by the CPU | y |\n|---|---|\n"
                                         "| b | 2 |\n16 threads; one context\n\n| frame | elements | z |\n"
                                         "|---|---|---|\n| c | 8 | 3 |\n")
        done = run("gpu_tables.py", page, text)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertEqual(page.read_text(encoding="utf-8"),
                         "<!-- table: reader -->\n\n| from end to end, segments read by the CPU | y |\n|---|---|\n"
                         "| b | 2 |\n\n<!-- end of table -->\n<!-- table: streams -->\n\n"
                         "16 threads; one context:\n\n| frame | elements | z |\n|---|---|---|\n| c | 8 | 3 |\n\n"
                         "<!-- end of table -->\n")

    def test_instructions_of_batches(self):
        page = self.write("page.md", "<!-- table: instructions -->\n<!-- end of table -->\n")
        frame = gpu_model.FRAME + " scaled"
        counted = self.write("counted.csv", "frame,width,height,case,frames,instructions_a_column,issue_percent\n" + "".join(
            f"{name},10,1024,{case},{frames},{number},50.0\n" for name, case, frames, number in (
                (frame, "warps", 1, 99), (frame, "warps", 32, 30), (frame, "merge", 32, 40),
                (frame, '"warps, load"', 32, 10), ("street", '"warps, load"', 32, 99))))
        self.assertEqual(run("gpu_tables.py", page, counted).returncode, 0)
        text = page.read_text(encoding="utf-8")
        self.assertIn(f"| {frame} | 1024 | all | 30 | 50.0 |  |  | 40 | 50.0 |\n", text)
        self.assertIn(f"| {frame} | 1024 | load | 10 | 50.0 |  |  |  |  |\n", text)
        self.assertNotIn("99", text)

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

    def test_an_unknown_name_is_an_error(self):
        page = self.write("page.md", "<!-- table: mergers -->\n<!-- end of table -->\n")
        done = run("gpu_tables.py", page, self.write("bench.csv", BENCH))
        self.assertEqual(done.returncode, 1)
        self.assertIn("mergers", done.stderr)


class Instructions(Folder):
    def count(self, kernels):
        self.write("ncu", FAKE_NCU, executable=True)
        bench = self.write("bench", FAKE_BENCH, executable=True)
        results = self.folder / "instructions.csv"
        done = run("gpu_instructions.py", bench, results, "--device=1",
                   PATH=f"{self.folder}{os.pathsep}{os.environ['PATH']}",
                   FAKE_REPORT=str(self.write("report", report(kernels))),
                   FAKE_LAUNCHES=str(self.write("launches.csv", LAUNCHES)))
        return done, results

    def test_each_launch_gets_its_kernels(self):
        done, results = self.count(KERNELS)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with results.open(newline="", encoding="utf-8") as file:
            one, two = csv.DictReader(file)
        self.assertEqual((one["case"], one["frames"], one["instructions_a_column"], one["issue_percent"]),
                         ("warps", "1", "2000", "50.0"))
        # 1,040,000 instructions of 20 columns; percents by the kernels' times.
        self.assertEqual((two["case"], two["frames"], two["instructions_a_column"], two["issue_percent"],
                          two["warps_percent"]), ("merge", "2", "52000", "75.0", "50.0"))

    def test_fewer_kernels_than_launches(self):
        done, _ = self.count(KERNELS[:4])
        self.assertEqual(done.returncode, 1)
        self.assertIn("ncu has seen 4", done.stderr)

    def test_ncu_counts_nothing(self):
        self.write("ncu", FAKE_NCU, executable=True)
        done = run("gpu_instructions.py", self.write("bench", FAKE_BENCH, executable=True), "out.csv",
                   PATH=f"{self.folder}{os.pathsep}{os.environ['PATH']}",
                   FAKE_LAUNCHES=os.devnull,
                   FAKE_REPORT=str(self.write("report", "==ERROR== ERR_NVGPUCTRPERM\n")))
        self.assertEqual(done.returncode, 1)
        self.assertIn("ERR_NVGPUCTRPERM", done.stderr)

    @unittest.skipIf(os.path.exists("/usr/local/cuda/bin/ncu"), "this machine has ncu")
    def test_without_ncu(self):
        done = run("gpu_instructions.py", "bench", "out.csv", PATH=str(self.folder))
        self.assertEqual(done.returncode, 1)
        self.assertIn("Nsight Compute", done.stderr)


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


def rows_of_table(text, name):
    """The cells of a page's table, without its head."""
    made = next(m[0] for m in gpu_tables.MARKED.finditer(text) if m[2] == name)
    lines = [line for line in made.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


class Pages(unittest.TestCase):
    def test_names_of_tables(self):
        for page in ("internals/performance-gpu.md", "internals/gpu-sizing.md", "gpu-sizing.md"):
            text = (DOCS / page).read_text(encoding="utf-8")
            names = [match[2] for match in gpu_tables.MARKED.finditer(text)]
            self.assertEqual(len(names), text.count("<!-- table:"), page)
            self.assertEqual(set(names) - set(gpu_tables.TABLES), set(), page)

    def test_the_model_is_of_the_instructions_that_the_page_has(self):
        text = (DOCS / "internals/gpu-sizing.md").read_text(encoding="utf-8")
        counted = [{"frame": row[0], "height": int(row[1]), "case": "warps", "frames": "32",
                    "instructions_a_column": row[3], "issue_percent": row[4]}
                   for row in rows_of_table(text, "instructions") if row[2] == "all"]
        _, expected = gpu_model.sizing(counted)
        text = (DOCS / "gpu-sizing.md").read_text(encoding="utf-8")
        self.assertEqual(rows_of_table(text, "sizing"), [[str(cell) for cell in row] for row in expected])


if __name__ == "__main__":
    unittest.main()
