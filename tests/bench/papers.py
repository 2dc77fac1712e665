#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes tables of what the papers published beside what was measured here.

  papers.py FOLDER MACHINE RESULTS...

In FOLDER, papers-NAME.csv get the cells that the results have; others stay. MACHINE is the CPU's and the day ("AMD EPYC,
2026-11-28"); with "", the files keep theirs. RESULTS are what these programs printed, one core each:

  paper_segments, cloud_bench, klt_bench --pyramid-step=4 and the same with --rows=25, heightmap_bench --threads=1,
  filter_bench

and on a GPU: gpu_cloud_bench, gpu_klt_bench --pyramid-step=4 and the same with --rows=25, gpu_bench --only=growth
--frames="way scaled" --csv. The rest of a GPU comes from FOLDER's gpu-*.csv, which gpu_tables.py makes. tests/bench/results/table.py shows the files in pages.
"""

import csv
import pathlib
import re
import sys

KITTI = "1242x1024"
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
    cpu_growth = [f"{ratio_of_means(by_height[512], by_height[256], column)}; "
                  f"{ratio_of_means(by_height[1024], by_height[512], column)}" for column in times]
    frames = [row for row in measured.gpu("frames") if row["size"] == KITTI
              and re.match("(?!.*nofilter|.*_est)(0000|kitti).* scaled", row["frame"])]
    at = {int(row["height"]): row for row in measured.gpu("growth") if row["frame"].endswith("way scaled")}
    over = measured.cpu_over_gpu()
    us = [float(row["ours (us)"]) for row in frames]
    joules = {row["kernels"]: row["above idle (mJ)"] for row in measured.gpu("energy")}
    energy = number(float(joules["algorithm3"]) / float(joules["segments"])) if "algorithm3" in joules else ""
    return ["Cebrian and Moure", "Jetson Xavier", CPU, GPU], [
        ["Table 1: GPU, 10; 15; 30 W", "5.66; 2.33; 1.09 ms", "", mean_and_span(us, "µs")],
        ["Table 1: one core, recursive", "43.9; 40.1; 21.2 ms", mean_and_span(times["reference_ms"], "ms"), ""],
        ["the same, SIMD", "", mean_and_span(times["engine_ms"], "ms"), ""],
        ["Table 1: 2; 4; 8 cores", "23.3; 14.3; 4.97 ms", "", ""],
        ["Figure 9: 512 over 256 rows; 1024 over 512", "2.5; 6", cpu_growth[1] if frames and by_height[256] else "",
         "; ".join(at[n]["ours / half the height"] for n in (512, 1024)) if 1024 in at else ""],
        ["Figure 10: GPU over best CPU, 1024; 256 rows", "4.6; 6.8", "", over],
        ["Energy of Algorithm 3 over ours", "", "", energy]]


def levels(measured):
    """Figure 5, at 1024 rows."""
    def cells(raw, median):
        line = []
        for epsilon in (4, 8):
            rows = measured.frames(height=1024, median=median, epsilon=epsilon, raw=raw)
            of = lambda column: [float(row[column]) for row in rows]  # noqa: E731, B023
            line += [f"{mean(of('levels_mean')):.1f} ± {mean(of('levels_deviation')):.1f}",
                     f"{max(of('levels_most')):.0f}", f"{mean(of('segments_a_column')):.1f}"] if rows else [""] * 3
        return line
    head = [f"ε {e}: {what}" for e in (4, 8) for what in ("levels", "most", "segments")]
    return ["Figure 5, 1024 rows", *head], [
        ["the paper, SGM, medians of no stated size", *["mostly below 5 to 6", "8", "20 to 50"] * 2],
        ["matcher with its own filters, 5x5 median", *cells(False, 5)],
        ["matcher with its own filters, no median", *cells(False, 0)],
        ["raw matcher, 5x5 median", *cells(True, 5)],
        ["raw matcher, no median", *cells(True, 0)]]


# Breda's Tables 5.1 and 5.2, ms: octree and votes of the CPU, then of the hybrid version.
THESIS = [("Computer", "68,852", 5, 9, 1870, 1), ("Room", "112,586", 9, 20, 1460, 3),
          ("Utrecht", "160,256", 24, 5, 1610, 3), ("Museum", "179,744", 13, 7, 910, 2),
          ("Box", "964,806", 54, 8, 1400, 1), ("Bremen", "20,332,246", 2050, 37, 4940, 92)]
OCTREE = ("bounds", "mark", "count", "number", "sums", "chunks", "before", "nodes", "planar")
VOTES = ("vote", "filter", "peaks", "order", "nearest", "fit", "assign", "drop", "keep")


def clouds(measured):
    """Breda's sums; votes here have the search for peaks in them."""
    here = ["", ""]
    line = re.search(r"^ +112586 +(.*)$", measured.text("borders"), re.MULTILINE)
    if line:
        steps = [float(cell) for cell in line[1].split()][2:]
        here[0] = f"{number(sum(steps[:5]))} + {number(steps[5])} = {number(sum(steps[:6]))}"
    adds = {name: float(time) for name, time in
            re.findall(r"^rdp_cloud_(\w+) +[\d.]+ \| +\d+ +(-?[\d.]+) ", measured.text("rdp_cloud_vote"), re.MULTILINE)}
    if adds:
        parts = [sum(adds.get(name, 0) for name in names) * 1e-3 for names in (OCTREE, VOTES)]
        here[1] = f"{number(parts[0])} + {number(parts[1])} = {number(sum(parts))}"
    rows = []
    for name, points, *ms in THESIS:
        sums = [f"{a:,} + {b} = {a + b:,}" for a, b in (ms[:2], ms[2:])]
        rows.append([f"{name}, {points}", *sums, *(here if name == "Room" else ["", ""])])
    return ["octree + votes, ms", "i7-2600, 4 cores", "with GTX 970", CPU, GPU], rows


def per_window(texts, pattern, unit):
    """Pyramid and time of a window, from runs of 3,300 and 1,650 windows."""
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
    return ["Zucchi, 640×480", "GTX 480 or one core", CPU, GPU], [
        ["3,300 windows of 16×16, three levels, each a quarter of the side", "1.5 ms", cpu[0], gpu[0]],
        ["pyramid; tracks", "0.5; 1 ms", cpu[1], gpu[1]],
        ["another window", "0.3 µs", cpu[2], gpu[2]],
        ["3x3 median, 32 bits, 1; 3; 4 channels", "84; 175; 238 µs", "",
         f"{on_gpu} µs, 16 bits, 1242×375" if on_gpu else ""],
        ["a median of 9 in C; by qsort", "12.6; 170 ns",
         f"{number(median * 1e6 / (1280 * 720))} ns, 16 bits" if median else "", ""]]


def heights(measured):
    """Rezaei, Pellicanò and Aldea's Tables 1 to 3."""
    text = measured.text("all pairs of labels, float")
    half = {name: measured.found(text, pattern) for name, pattern in (
        ("pairs", r"all pairs of labels, float: half-iteration \| ([\d.]+)"),
        ("plain", r"plain C\+\+, linear time: half-iteration \| ([\d.]+)"),
        ("engine", r"^\| [^|]*, table, 1 thread \| [\d.]+ \| [\d.]+ \| ([\d.]+)"))}
    ms = lambda name: f"{number(half[name])} ms" if half[name] else ""  # noqa: E731
    gpu = {row["height map"]: f"{row['median']} µs" for row in measured.gpu("heights")}
    ours = gpu.get("half-iteration: a 60th of what 60 more take", "")
    return ["Rezaei et al., 781×621, 25 labels", "GTX 1080", CPU, GPU], [
        ["Table 1: precomputation, ten frames", "4.04 (3.66–5.03) ms", "", gpu.get("rises and edges", "")],
        ["Table 1: iteration, half of the messages", "4.05 (3.78–4.40) ms", ms("engine"), ours],
        ["Table 1: beliefs", "3.60 (3.05–5.42) ms", "", gpu.get("labels and energy", "")],
        ["Table 2: CPU, all pairs of labels", "11 s, i7-6900K", ms("pairs"), ""],
        ["Table 2: CPU, linear time", "", ms("plain"), ""],
        ["Table 2: seven versions, first to last", "11; 1; 0.25; 0.05; 0.02; 0.01; 0.004 s", "",
         f"last scheme {gpu.get('the paper' + chr(39) + 's scheme: half-iteration', '')}, ours {ours}" if gpu else ""],
        ["Table 3: pixels of 485,001 that differ from the CPU: height; head", "2–60; 1–112", "", "0; 0"]]


def write(folder, name, head, rows, machine):
    """Cells without a result keep what the file has."""
    path = folder / f"papers-{name}.csv"
    before = {row[head[0]]: row for row in rows_of(path)}
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    remarks = [line for line in lines if line.startswith("#")] if not machine else []
    with path.open("w", newline="", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in remarks or [f"# {machine}", "# papers.py; the H200 by gpu-*.csv: its dates are in them"])
        out = csv.writer(file, lineterminator="\n")
        out.writerow(head)
        for row in rows:
            kept = before.get(row[0], {})
            out.writerow([cell or kept.get(column, "") for column, cell in zip(head, row)])


def main(arguments):
    if len(arguments) < 2 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    folder, machine = pathlib.Path(arguments[0]), arguments[1]
    try:
        measured = Measured(folder, [pathlib.Path(name) for name in arguments[2:]])
        for table in (segments, levels, clouds, tracks, heights):
            write(folder, table.__name__, *table(measured), machine)
    except OSError as error:
        sys.exit(f"papers.py: cannot read or write {error.filename}: {error.strerror}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
