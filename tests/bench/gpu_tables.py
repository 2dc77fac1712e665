#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes files of tables from what was measured on a GPU.

  gpu_tables.py FOLDER RESULTS...

RESULTS are what gpu_bench --csv wrote (*.csv), and what gpu_bench --energy, overhead gpu, gpu_streams and
gpu_kernels heights printed (other names). In FOLDER, each table that the results have
becomes gpu-NAME.csv; tests/bench/results/table.py shows such files in pages.
"""

import csv
import pathlib
import re
import sys


class Results:
    """The rows of all files, by the experiment; epsilon 4 only, but for `any_epsilon`."""

    def __init__(self, paths):
        self.remarks, self.measured, self.printed = [], [], []
        for path in map(pathlib.Path, paths):
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            if path.suffix != ".csv":
                self.printed.append("".join(lines))
                if len(lines) > 1 and "driver for CUDA" in lines[0]:
                    self.remarks += [line.strip() for line in lines[:2]]
                continue
            self.remarks += [line[1:].strip() for line in lines if line.startswith("#")]
            rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
            for row in rows:
                row["width"], row["height"] = int(row["width"]), int(row["height"])
            self.measured += rows

    def of(self, experiment, any_epsilon=False):
        rows = [row for row in self.measured if row["experiment"] == experiment]
        return [r for r in rows if any_epsilon or float(r["epsilon"]) in (0, 4)]

    def frames(self, experiment, any_epsilon=False):
        """[(row, {rival: microseconds}, {rival: value})] for each frame, size and epsilon."""
        found = {}
        for row in self.of(experiment, any_epsilon):
            key = (row["frame"], row["width"], row["height"], row["epsilon"])
            _, times, values = found.setdefault(key, (row, {}, {}))
            times[row["rival"]] = float(row["microseconds"])
            values[row["rival"]] = float(row["value"])
        return list(found.values())


def number(value, digits=1):
    return "-" if value is None else f"{value:.{digits}f}"


def ratio(above, below, digits=1):
    return "-" if not above or not below else number(above / below, digits)


def size(row):
    return f"{row['width']}x{row['height']}"


def table(head, rows):
    if not rows:
        return None
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(str(cell) for cell in line) + " |\n" for line in lines)


def goals(results):
    rows = []
    for row in results.of("goals"):
        goal, verdict = row["rival"].split(", ")
        goal = goal.replace(">= ", "at least ").replace("<= ", "at most ")
        rows.append([row["frame"], goal, number(float(row["value"]), 2), verdict])
    return table(["what", "goal", "measured", "verdict"], rows)


def frames(results):
    rows = []
    for row, us, _ in results.frames("frames"):
        ours, paper, cpu = us["ours"], us.get("algorithm 3"), us.get("cpu")
        rows.append([row["frame"], size(row), number(float(row["segments_a_column"])),
                     number(ours, 2), number(us.get("ours alone"), 2), number(us.get("queues"), 2),
                     ratio(ours, us.get("queues"), 2), number(paper), ratio(paper, ours),
                     number(us.get("floor"), 2), number(cpu, 0), ratio(cpu, ours)])
    return table(["frame", "size", "segments a column", "ours (us)", "alone (us)", "queues (us)", "ours / queues",
                  "Alg. 3 (us)", "Alg. 3 / ours", "floor (us)", "CPU (us)", "CPU / ours"], rows)


def median(values):
    return sorted(values)[len(values) // 2]


def epsilons(results):
    """A row for each tolerance, of the frames of 1242x1024."""
    by_epsilon = {}
    for row, us, values in results.frames("frames", any_epsilon=True):
        if (row["width"], row["height"]) == (1242, 1024):
            by_epsilon.setdefault(float(row["epsilon"]), []).append((row["frame"], us, values))
    rows = []
    for epsilon, found in sorted(by_epsilon.items()):
        named = {name: us["ours"] for name, us, _ in found}
        recorded = [us["ours"] for _, us, values in found if values["ours"] == 1]
        paper = [us["algorithm 3"] / us["ours"] for _, us, _ in found if "algorithm 3" in us]
        cpu = [us["cpu"] / us["ours"] for _, us, _ in found if "cpu" in us]
        rows.append([f"{epsilon:g} px", number(named.get("street")),
                     f"{min(recorded):.1f} to {max(recorded):.1f}" if recorded else "-",
                     number(named.get("noise"), 0), number(named.get("stairs"), 0),
                     number(median(paper)) if paper else "-", number(min(paper)) if paper else "-",
                     number(min(cpu)) if cpu else "-"])
    return table(["epsilon", "street (us)", "recorded frames (us)", "noise (us)", "stairs (us)", "x Alg. 3, median",
                  "x Alg. 3, worst", "x CPU, worst"], rows)


def batch(results):
    rows = []
    for row, us, shares in results.frames("batch"):
        for count in (1, 8, 32):
            ours, queues = us.get(f"ours {count}"), us.get(f"queues {count}")
            if ours is not None:
                rows.append([row["frame"], size(row), number(float(row["segments_a_column"])), count,
                             number(ours, 2), number(queues, 2), ratio(ours, queues, 2),
                             number(shares[f"ours {count}"])])
    return table(["frame", "size", "segments a column", "frames a launch", "ours (us a frame)", "queues (us a frame)",
                  "ours / queues", "share of a copy (%)"], rows)


def change(results):
    rows = []
    for row, us, queues in results.frames("change"):
        cells = [number(us[f"frame {i}"], 1) + (" q" if queues[f"frame {i}"] else "")
                 for i in range(1, 5)]
        rows.append([row["frame"], *cells])
    return table(["from, to", *(f"frame {i} (us)" for i in range(1, 5))], rows)


def merge(results):
    rows = []
    for row, us, more in results.frames("merge"):
        rows.append([row["frame"], size(row), number(float(row["segments_a_column"])),
                     number(us["split"], 2), number(us["merge"], 2), number(us["merge alone"], 2),
                     number(more["merge"], 0), number(us["cpu"], 0), ratio(us["cpu"], us["merge"])])
    return table(["frame", "size", "segments a column, merged", "split (us)", "merge (us)", "alone (us)",
                  "more than split (%)", "CPU (us)", "CPU / merge"], rows)


def fit(results):
    rows = [[row["frame"], size(row), number(us["squares"], 2), number(us["absolute"], 2),
             ratio(us["absolute"], us["squares"], 2), number(us["bounded"], 2),
             ratio(us["bounded"], us["squares"], 2)]
            for row, us, _ in results.frames("fit", any_epsilon=True)]
    return table(["frame", "size", "merge=true (us)", "fit=absolute (us)", "fit=absolute / merge=true",
                  "merge-bounded=true (us)", "merge-bounded=true / merge=true"], rows)


def fit_batches(results):
    rows = [[row["frame"], size(row), count, number(us[f"squares {count}"], 2),
             number(us[f"absolute {count}"], 2),
             ratio(us[f"absolute {count}"], us[f"squares {count}"], 2)]
            for row, us, _ in results.frames("fit", any_epsilon=True)
            for count in (8, 32) if f"squares {count}" in us]
    return table(["frame", "size", "frames a launch", "merge=true (us a frame)", "fit=absolute (us a frame)",
                  "fit=absolute / merge=true"], rows)


def growth(results):
    rows, before = [], {}
    for row, us, _ in results.frames("growth"):
        last = before.get(row["frame"], {})
        before[row["frame"]] = us
        ours, paper = us["ours"], us.get("algorithm 3")
        rows.append([row["frame"], row["height"], number(float(row["segments_a_column"])),
                     number(ours, 2), ratio(ours, last.get("ours"), 2), number(us["ours alone"], 2),
                     number(paper), ratio(paper, last.get("algorithm 3"), 2), number(us["floor"], 2)])
    return table(["frame", "height", "segments a column", "ours (us)", "ours / half the height", "alone (us)",
                  "Alg. 3 (us)", "Alg. 3 / half the height", "floor (us)"], rows)


def hard(results):
    rows = []
    for row, us, _ in results.frames("hard"):
        if "cpu" in us:
            ours = us["ours"]
            rows.append([row["frame"], number(float(row["segments_a_column"])), number(ours),
                         number(us["queues"]), number(us.get("algorithm 3")),
                         ratio(us.get("algorithm 3"), ours), number(us["cpu"], 0)])
    return table(["pattern", "segments a column", "ours (us)", "queues (us)", "Alg. 3 (us)", "Alg. 3 / ours", "CPU (us)"],
                 rows)


def medians(results):
    rows = []
    for row, us, share in results.frames("median"):
        bits, count = re.match(r"(\d+) bits, lanes (\d+)", row["frame"]).groups()
        rows.append([size(row), bits, count, number(us["3x3"], 2), number(share["3x3"], 0),
                     number(us["5x5"], 2), number(share["5x5"], 0), number(us.get("one sample"), 2),
                     number(us.get("two samples"), 2), number(us["copy"], 2)])
    return table(["size", "bits", "frames at once", "3x3 (us)", "3x3, share of a copy (%)", "5x5 (us)",
                  "5x5, share of a copy (%)", "1 sample a thread, 3x3 (us)", "2 samples a thread, 3x3 (us)", "copy (us)"],
                 rows)


def printed(results, first_cell, with_caption=False):
    """The tables whose head begins so, as a program has printed them, with the line before."""
    pattern = re.compile(r"^([^|\n]+)\n\n(\| " + re.escape(first_cell) + r" \|.*\n(?:\|.*\n)+)", re.MULTILINE)
    found = [match for text in results.printed for match in pattern.finditer(text)]
    if not found:
        return None
    return "\n".join((f"{match[1]}:\n\n" if with_caption else "") + match[2] for match in found)


def element(results):
    return printed(results, "in CUDA memory")


def reader(results):
    return printed(results, "from end to end, segments read by the CPU")


def streams(results):
    return printed(results, "frame | elements", with_caption=True)


def heights(results):
    return printed(results, "height map", with_caption=True)


def heights_element(results):
    return printed(results, "half-iterations", with_caption=True)


def energy(results):
    return printed(results, "kernels", with_caption=True)


TABLES = (goals, frames, epsilons, batch, change, merge, fit, fit_batches, growth, hard, medians, element, reader,
          streams, heights, heights_element, energy)


def write_files(folder, results):
    """A file for each table that the results have; several tables of one name have a column that tells them apart."""
    for function in TABLES:
        name, made = function.__name__, function(results)
        if made is None:
            continue
        tables = re.findall(r"(?:^([^|\n]+):\n\n)?((?:^\|.*\n)+)", made, re.MULTILINE)
        parsed = [(caption, [[cell.strip() for cell in line[2:-2].split(" | ")] for line in text.splitlines()])
                  for caption, text in tables]
        several = len(parsed) > 1
        captions = [] if several else [caption for caption, _ in parsed if caption]
        with (folder / f"gpu-{name.replace('_', '-')}.csv").open("w", newline="", encoding="utf-8") as file:
            file.writelines(f"# {remark}\n" for remark in dict.fromkeys([*results.remarks, *captions]))
            out = csv.writer(file, lineterminator="\n")
            out.writerow([*(["run"] if several else []), *parsed[0][1][0]])
            for caption, lines in parsed:
                out.writerows([*([caption] if several else []), *line] for line in lines[2:])


def main(arguments):
    if len(arguments) < 2 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        write_files(pathlib.Path(arguments[0]), Results(arguments[1:]))
    except OSError as error:
        sys.exit(f"gpu_tables.py: cannot write or read {error.filename}: {error.strerror}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
