#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes tables of what the papers published beside what was measured here.

  papers.py FOLDER MACHINE RESULTS...

In FOLDER, which is tests/bench/results or a copy, papers-NAME.csv get the cells that the results have; others stay.
MACHINE is the CPU's and the day ("AMD EPYC, 2026-11-28"); with "", the files keep theirs. RESULTS are what these
programs printed, one core each:

  paper_segments, cloud_bench, klt_bench --pyramid-step=4 and the same with --rows=25, heightmap_bench --threads=1,
  filter_bench

and on a GPU: gpu_kernels clouds, gpu_kernels tracks --pyramid-step=4 and the same with --rows=25, gpu_bench --only=growth
--frames="way scaled" --csv. The rest of a GPU comes from FOLDER's gpu-*.csv, which gpu_tables.py makes.
tests/bench/results/table.py shows the files in pages.
"""

import csv
import fnmatch
import itertools
import pathlib
import re
import sys

PAPER_SCHEME = "the paper's scheme: half-iteration"
CPU, GPU = "here, one core", "here, H200"


def rows_of(path):
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.2g}" if value < 1 else f"{value:.3g}"


def span(values):
    return f"{number(min(values))}–{number(max(values))}" if values else ""


def mean(values):
    return sum(values) / len(values)


def mean_and_span(values, unit):
    return f"{number(mean(values))} ({span(values)}) {unit}" if values else ""


class Measured:
    """What programs printed, found by what is in it."""

    def __init__(self, folder, files):
        self.folder, self.texts = folder, [path.read_text(encoding="utf-8") for path in files]

    def text(self, pattern):
        return next((text for text in self.texts if re.search(pattern, text, re.MULTILINE)), "")

    def found(self, text, pattern):
        match = re.search(pattern, text, re.MULTILINE)
        return float(match[1]) if match else None

    def frames(self, **wanted):
        """Rows of paper_segments; raw: of a matcher without filters of its own."""
        lines = [line for line in self.text("^# paper_segments").splitlines() if not line.startswith("#")]
        raw = wanted.pop("raw", False)
        return [row for row in csv.DictReader(lines) if row["frame"].endswith("_nofilter") == raw
                and all(row[key] == str(value) for key, value in wanted.items())]

    def cpu_over_gpu(self):
        """The engine on all cores over the GPU, at 1024 and 256 rows."""
        times = {(row["rival"], row["height"]): float(row["microseconds"])
                 for row in csv.DictReader(line for line in self.text("^growth,").splitlines(keepends=True)
                                           if not line.startswith("#")) if row["experiment"] == "growth"}
        keys = [(rival, height) for height in ("1024", "256") for rival in ("cpu", "ours")]
        if not times.keys() >= set(keys):
            return ""
        return "; ".join(number(times["cpu", height] / times["ours", height]) for height in ("1024", "256"))

    def gpu(self, name):
        return rows_of(self.folder / f"gpu-{name}.csv")


def ratio_of_means(above, below, column):
    pick = lambda rows: mean([float(row[column]) for row in rows])  # noqa: E731
    return number(pick(above) / pick(below)) if above and below else ""


def segments(measured):
    """Cebrian and Moure's Table 1 and Figures 9 and 10."""
    by_height = {n: measured.frames(height=n, median=5, epsilon=4) for n in (256, 512, 1024)}
    times = {column: [float(row[column]) for row in by_height[1024]] for column in ("reference_ms", "engine_ms")}
    us = [float(row["ours (us)"]) for row in measured.gpu("frames") if row["size"] == "1242x1024"
          and re.match("(?!.*nofilter|.*_est)(0000|kitti).* scaled", row["frame"])]
    growth = {row["height"]: row["ours / half the height"] for row in measured.gpu("growth")
              if row["frame"].endswith("way scaled")}
    joules = {row["kernels"]: row["above idle (mJ)"] for row in measured.gpu("energy")}
    cpu = [ratio_of_means(by_height[2 * n], by_height[n], "engine_ms") for n in (256, 512)]
    return {
        "Table 1: GPU*": {GPU: mean_and_span(us, "µs")},
        "Table 1: one core*": {CPU: mean_and_span(times["reference_ms"], "ms")},
        "the same, SIMD": {CPU: mean_and_span(times["engine_ms"], "ms")},
        "Figure 9*": {CPU: "; ".join(filter(None, cpu)), GPU: "; ".join(growth.get(n, "") for n in ("512", "1024"))
                      if growth else ""},
        "Figure 10*": {GPU: measured.cpu_over_gpu()},
        "Energy*": {GPU: number(float(joules["algorithm3"]) / float(joules["segments"]))
                    if {"algorithm3", "segments"} <= joules.keys() else ""}}


def levels(measured):
    """Figure 5, at 1024 rows."""
    cells = {}
    for raw, median, epsilon in itertools.product((False, True), (0, 5), (4, 8)):
        rows = measured.frames(height=1024, median=median, epsilon=epsilon, raw=raw)
        if not rows:
            continue
        of = {column: [float(row[column]) for row in rows] for column in rows[0] if column != "frame"}
        name = ("raw matcher*, " if raw else "matcher with*, ") + ("5x5 median" if median else "no median")
        row = cells.setdefault(name, {})
        row[f"ε {epsilon}: levels"] = f"{mean(of['levels_mean']):.1f} ± {mean(of['levels_deviation']):.1f}"
        row[f"ε {epsilon}: most"] = f"{max(of['levels_most']):.0f}"
        row[f"ε {epsilon}: segments"] = f"{mean(of['segments_a_column']):.1f}"
    return cells


OCTREE = ("bounds", "mark", "count", "number", "sums", "chunks", "before", "nodes", "planar")
VOTES = ("vote", "filter", "peaks", "order", "nearest", "fit", "assign", "drop", "keep")


def clouds(measured):
    """Breda's sums; votes here have the search for peaks in them."""
    def summed(octree, votes):
        return f"{number(octree)} + {number(votes)} = {number(octree + votes)}"
    cpu = gpu = ""
    line = re.search(r"^ +112586 +(.*)$", measured.text("borders"), re.MULTILINE)
    if line:
        steps = [float(cell) for cell in line[1].split()][2:]
        cpu = summed(sum(steps[:5]), steps[5])
    adds = {name: float(time) * 1e-3 for name, time in
            re.findall(r"^rdp_cloud_(\w+) +[\d.]+ \| +\d+ +(-?[\d.]+) ", measured.text("rdp_cloud_vote"), re.MULTILINE)}
    if adds:
        gpu = summed(*(sum(adds.get(name, 0) for name in names) for names in (OCTREE, VOTES)))
    return {"Room*": {CPU: cpu, GPU: gpu}}


def per_window(texts, pattern, unit):
    """The whole, pyramid and windows, and a window, from runs of 3,300 and 1,650 windows."""
    matches = [match for text in texts if (match := re.search(pattern, text))]
    times = {int(match[2]): float(match[1]) for match in matches}
    if not {1650, 3300} <= times.keys():
        return "", "", ""
    one = (times[3300] - times[1650]) / 1650
    return (f"{number(times[3300])} {unit}", f"{number(times[3300] - 3300 * one)}; {number(3300 * one)} {unit}",
            f"{number(one * {'ms': 1000, 'µs': 1}[unit])} µs")


def tracks(measured):
    """Zucchi's numbers, at pyramid-step=4."""
    fourth = [text for text in measured.texts if "step 4" in text]
    cpu = per_window([text for text in fourth if "OpenCV" in text],
                     r"\| \w+, bias \| ([\d.]+) \| [\d.]+ \| [\d.]+ \| (\d+)", "ms")
    gpu = per_window([text for text in fourth if "OpenCV" not in text],
                     r"640x480 \| set-up and tracks \| ([\d.]+) \| [\d.]+ \| (\d+)", "µs")
    median = measured.found(measured.text("median 3x3"), r"median 3x3 \| [\d.]+ \| ([\d.]+)")
    on_gpu = next((row["3x3 (us)"] for row in measured.gpu("medians") if row["size"] == "1242x375"), None)
    cells = {row: {CPU: cpu[i], GPU: gpu[i]} for i, row in enumerate(("3,300*", "pyramid*", "another*"))}
    cells["3x3 median*"] = {GPU: f"{on_gpu} µs, 16 bits, 1242×375" if on_gpu else ""}
    cells["a median*"] = {CPU: f"{number(median * 1e6 / (1280 * 720))} ns, 16 bits" if median else ""}
    return cells


def heights(measured):
    """Rezaei, Pellicanò and Aldea's Tables 1 to 3."""
    text = measured.text("all pairs of labels, float")
    half = {row: measured.found(text, pattern) for row, pattern in (
        ("*all pairs*", r"all pairs of labels, float: half-iteration \| ([\d.]+)"),
        ("*linear*", r"plain C\+\+, linear time: half-iteration \| ([\d.]+)"),
        ("*iteration*", r"^\| [^|]*, table, 1 thread \| [\d.]+ \| [\d.]+ \| ([\d.]+)"))}
    cells = {row: {CPU: f"{number(time)} ms"} for row, time in half.items() if time}
    gpu = {row["height map"]: f"{row['median']} µs" for row in measured.gpu("heights")}
    if gpu:
        ours = gpu["half-iteration: a 60th of what 60 more take"]
        for row, cell in (("*precomputation*", gpu["rises and edges"]), ("*iteration*", ours),
                          ("*beliefs", gpu["labels and energy"]),
                          ("*seven*", f"last scheme {gpu[PAPER_SCHEME]}, ours {ours}")):
            cells.setdefault(row, {})[GPU] = cell
    return cells


def write(folder, name, cells, machine):
    """Fills in cells whose rows begin so."""
    path = folder / f"papers-{name}.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    remarks = [line for line in lines if line.startswith("#")]
    head, *rows = csv.reader(line for line in lines if not line.startswith("#"))
    for pattern, found in cells.items():
        matching = [row for row in rows if fnmatch.fnmatchcase(row[0], pattern)]
        if len(matching) != 1:
            raise ValueError(f"{path.name}: expected one row like {pattern}, got {len(matching)}")
        for column, cell in found.items():
            place = head.index(column)
            matching[0][place] = cell or matching[0][place]
    with path.open("w", newline="", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in ([f"# {machine}"] if machine else remarks[:1]) + remarks[1:])
        csv.writer(file, lineterminator="\n").writerows([head, *rows])


def main(arguments):
    if len(arguments) < 2 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    folder, machine = pathlib.Path(arguments[0]), arguments[1]
    try:
        measured = Measured(folder, [pathlib.Path(name) for name in arguments[2:]])
        for table in (segments, levels, clouds, tracks, heights):
            write(folder, table.__name__, table(measured), machine)
    except ValueError as error:
        sys.exit(f"papers.py: {error}")
    except OSError as error:
        sys.exit(f"papers.py: cannot read or write {error.filename}: {error.strerror}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
