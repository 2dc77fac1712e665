#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Keeps the kernels within bounds.txt, by the reports that ptxas wrote when they were compiled.

  reports_test.py BOUNDS OPTIONS NVCC-ARGUMENT... -- REPORT...

The arguments of nvcc say which architectures there must be reports for (-gencode=...,code=sm_NN).
OPTIONS, meson_options.txt, must ask for those of Jetson, and a build as it asks must have them.
Needs no GPU. Before the real reports come some that are wrong, which must not pass.
"""

import fnmatch
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "pipelines"))
import tap  # noqa: E402

ENTRY = re.compile(r"Compiling entry function '(\w+)' for '(sm_\w+)'")
MEMORY = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"Used (\d+) registers")
SHARED = re.compile(r"(\d+) bytes smem")
# What Jetson's GPUs run.
JETSON = {"sm_87": "Orin", "sm_110": "Thor"}


class Unreadable(Exception):
    pass


def read_report(text):
    """What a report says: (kernel, architecture) -> dict of numbers."""
    usage = {}
    kernel = None
    memory = None
    for line in text.splitlines():
        if match := ENTRY.search(line):
            if kernel:
                raise Unreadable(f"nothing is said of {' for '.join(kernel)}")
            kernel, memory = match.groups(), None
        elif (match := MEMORY.search(line)) and kernel:
            memory = [int(number) for number in match.groups()]
        elif (match := USED.search(line)) and kernel:
            if memory is None:
                raise Unreadable(f"nothing is said of the spills of {' for '.join(kernel)}")
            shared = SHARED.search(line)
            usage[kernel] = {
                "registers": int(match.group(1)),
                "shared": int(shared.group(1)) if shared else 0,
                "stack": memory[0],
                "spilled": memory[1] + memory[2],
            }
            kernel = None
    if kernel:
        raise Unreadable(f"nothing is said of {' for '.join(kernel)}")
    if not usage:
        raise Unreadable("there is no kernel in it")
    return usage


def read_bounds(text):
    """The lines of bounds.txt: (pattern, registers, shared)."""
    bounds = []
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if words:
            pattern, registers, shared = words
            bounds.append((pattern, int(registers), int(shared)))
    return bounds


def complaints(usage, bounds, architectures):
    """Kernel by kernel, what is wrong with it: (kernel, text), the text empty where nothing is."""
    for kernel in sorted({name for name, _ in usage}):
        wrong = []
        bound = next((b for b in bounds if fnmatch.fnmatchcase(kernel, b[0])), None)
        if bound is None:
            wrong.append("bounds.txt has no line for it")
        missing = [a for a in architectures if (kernel, a) not in usage]
        if missing:
            wrong.append(f"no report for {', '.join(missing)}")
        for (name, architecture), used in sorted(usage.items()):
            if name != kernel:
                continue
            if used["spilled"]:
                wrong.append(f"{architecture}: spills {used['spilled']} bytes")
            if used["stack"]:
                wrong.append(f"{architecture}: {used['stack']} bytes of local memory")
            if bound and used["registers"] > bound[1]:
                wrong.append(f"{architecture}: {used['registers']} registers, not {bound[1]}")
            if bound and used["shared"] > bound[2]:
                wrong.append(f"{architecture}: {used['shared']} bytes of shared memory, not {bound[2]}")
        yield kernel, "\n".join(wrong)


def unused(usage, bounds):
    """The patterns of bounds.txt that no kernel needs."""
    first = {
        next((b[0] for b in bounds if fnmatch.fnmatchcase(kernel, b[0])), None)
        for kernel, _ in usage
    }
    return [pattern for pattern, _, _ in bounds if pattern not in first]


def report_of(architecture="sm_90", registers=32, shared=16, stack=0, stores=0, loads=0):
    return (
        f"ptxas info    : Compiling entry function 'rdp_one' for '{architecture}'\n"
        "ptxas info    : Function properties for rdp_one\n"
        f"    {stack} bytes stack frame, {stores} bytes spill stores, {loads} bytes spill loads\n"
        f"ptxas info    : Used {registers} registers, used 1 barriers, {shared} bytes smem\n"
    )


def test_the_test(report):
    """Reports that are wrong in one way each must not pass, and one that is right must."""
    bounds = [("rdp_one", 32, 16)]

    def verdict(text, architectures=("sm_90",), table=bounds):
        try:
            return "".join(w for _, w in complaints(read_report(text), table, architectures))
        except Unreadable as why:
            return str(why)

    report.check("a kernel within its bounds passes", verdict(report_of()))
    for name, text, options in (
        ("a register too many", report_of(registers=33), {}),
        ("a byte of shared memory too many", report_of(shared=17), {}),
        ("spilled stores", report_of(stores=4), {}),
        ("spilled loads", report_of(loads=4), {}),
        ("local memory", report_of(stack=8), {}),
        ("one of two architectures", report_of() + report_of("sm_75", 64), {}),
        ("a missing architecture", report_of(), {"architectures": ("sm_90", "sm_120")}),
        ("a kernel without bounds", report_of(), {"table": [("rdp_two", 99, 99)]}),
        ("an empty report", "", {}),
        ("a report that breaks off", report_of().rsplit("ptxas", 1)[0], {}),
        ("mixed reports", report_of().rsplit("ptxas", 1)[0] + report_of("sm_75"), {}),
    ):
        report.check(f"refused: {name}", "" if verdict(text, **options) else "it passed")
    stale = unused(read_report(report_of()), bounds + [("rdp_gone", 1, 1)])
    report.check("refused: bounds of no kernel", "" if stale == ["rdp_gone"] else "they passed")


def default_architectures(options):
    """The architectures that a build has unless it is told otherwise."""
    line = next((line for line in options.splitlines() if "'gpu_architectures'" in line), "")
    value = re.search(r"value: \[([^]]*)\]", line)
    return {f"sm_{number}" for number in re.findall(r"'(\w+)'", value[1])} if value else set()


def check_jetson(report, asked, architectures, usage):
    kernels = {name for name, _ in usage}
    for architecture, name in JETSON.items():
        case = f"{architecture}, which is Jetson {name}"
        missing = sorted(kernel for kernel in kernels if (kernel, architecture) not in usage)
        if architecture not in asked:
            report.fail(case, "the default of gpu_architectures leaves it out")
        elif architecture not in architectures:
            report.skip(case, "left out by this build's gpu_architectures, or unknown to its nvcc")
        else:
            report.check(case, "" if kernels and not missing else f"not compiled for it: {missing}")


def main(arguments):
    bounds_file, options_file, *rest = arguments
    split = rest.index("--")
    architectures = sorted(set(re.findall(r"code=(sm_\w+)", " ".join(rest[:split]))))
    report = tap.Tap()
    test_the_test(report)
    report.check("architectures", "" if architectures else "nvcc was given none")
    bounds = read_bounds(pathlib.Path(bounds_file).read_text())
    usage = {}
    for path in rest[split + 1 :]:
        try:
            usage.update(read_report(pathlib.Path(path).read_text()))
        except (Unreadable, OSError) as why:
            report.fail(f"report {pathlib.Path(path).name}", why)
    for kernel, wrong in complaints(usage, bounds, architectures):
        report.check(kernel, wrong)
        for (name, architecture), used in sorted(usage.items()):
            if name == kernel:
                print(
                    f"# {architecture}: {used['registers']} registers, "
                    f"{used['shared']} bytes of shared memory"
                )
    asked = default_architectures(pathlib.Path(options_file).read_text())
    check_jetson(report, asked, architectures, usage)
    report.check("every line of bounds.txt is needed", ", ".join(unused(usage, bounds)))
    return report.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
