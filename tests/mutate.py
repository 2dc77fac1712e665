#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Plants defects in the product, one at a time, and says which tests notice.

  tests/mutate.py BUILD --tests NAME... [--count N] [--seed S] [--from FILE...] [--executed-by TEST]
                  [--build TARGET...] [--log FILE]

BUILD is a build folder of a checkout that nobody else works in: the files of the product are
changed there and put back, also when this is interrupted. For each of N mutants (5) a line is
drawn, by the seed, from FILES (all C++ of common/ and gst/), one folder after the other, and one
operator is applied to it: a comparison, a sum or a constant changed by one, && and ||, a condition
turned round, two arguments swapped, a statement left out. What the tests need is built again, or
the TARGETS, and each test has 60 seconds, a test that needs longer has noticed. A NAME with a slash in it is a program, such as
that of a test which is gone, in the build folder of a commit that had it.

--executed-by TEST draws from the lines that this test has executed: BUILD has to be configured with
-Db_coverage=true, and gcov is asked.

--log FILE keeps the lines, and goes on with the next mutant where FILE has some of the same seed.

Prints a line for each mutant, and how many each test has noticed. Exits with 1 if the first test
noticed one that no other did: it may not go yet.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 60


def swapped(match):
    return f"({match[2]}, {match[1]})"


OPERATORS = [
    ("comparison", re.compile(r" (<=|>=|==|!=) "), {"<=": "<", ">=": ">", "==": "!=", "!=": "=="}),
    ("comparison", re.compile(r" ([<>]) (?=[\w(])(?!.*>)"), {"<": "<=", ">": ">="}),
    ("logic", re.compile(r" (&&|\|\|) "), {"&&": "||", "||": "&&"}),
    ("one more", re.compile(r" ([+-]) 1\b"), {"+": "-", "-": "+"}),
    ("sum", re.compile(r"(?<=[\w)]) ([+-]) (?=[\w(])"), {"+": "-", "-": "+"}),
    ("constant", re.compile(r"(?<![\w.<\"])(\d)(?![\w.\"])"), lambda digit: str(int(digit) + 1)),
    ("constant", re.compile(r"\b(true|false|TRUE|FALSE)\b"),
     {"true": "false", "false": "true", "TRUE": "FALSE", "FALSE": "TRUE"}),
    ("condition", re.compile(r"\bif (\()(?=[^;{]*\) ?[{\w])"), {"(": "(!"}),
]
STATEMENT = re.compile(r"^\s+(return\b[^;]*;|[\w.>*-]+(\(.*\)|\s[+-]?=\s.*);)$")
ARGUMENTS = re.compile(r"\((\w+), (\w+)\)")


def mutants_of(line):
    """All (operator, line with a defect)."""
    code = line.split("//")[0]
    if not code.strip() or code.lstrip().startswith(("#", "*", "static_assert", "using", "GST_")):
        return []
    found = []
    for name, pattern, change in OPERATORS:
        for match in pattern.finditer(code):
            old = match[1]
            new = change(old) if callable(change) else change[old]
            text = line[: match.start(1)] + new + line[match.end(1):]
            if new == "(!":  # the whole condition
                end = text.rfind(")")
                text = text[: match.start(1)] + "(!(" + text[match.start(1) + 2: end] + "))" + text[end + 1:]
            found.append((name, text))
    for match in ARGUMENTS.finditer(code):
        found.append(("arguments", line[: match.start()] + swapped(match) + line[match.end():]))
    match = STATEMENT.match(code)
    if match and not match[1].startswith("return"):
        found.append(("statement", re.sub(r"\S.*", ";", line)))
    return found


def executed_lines(build, test):
    """By file, the lines that the test runs."""
    for data in build.rglob("*.gcda"):
        data.unlink()
    subprocess.run(["meson", "test", "-C", build, "--no-rebuild", test], stdout=subprocess.DEVNULL)
    lines = collections.defaultdict(set)
    with tempfile.TemporaryDirectory() as folder:
        for data in build.rglob("*.gcda"):
            report = subprocess.run(["gcov", "--stdout", data], cwd=folder, capture_output=True, text=True)
            source = None
            for line in report.stdout.splitlines():
                count, number, text = (line.split(":", 2) + ["", ""])[:3]
                if number.strip() == "0" and text.startswith("Source:"):
                    source = (build / text[7:]).resolve()
                elif count.strip().rstrip("*").isdigit() and number.strip().isdigit():
                    lines[source].add(int(number))
    return lines


def candidates(files, executed):
    """By folder, every (file, number of a line, operator, new line)."""
    folders = collections.defaultdict(list)
    for path in files:
        for number, line in enumerate(path.read_text().split("\n"), 1):
            if executed is not None and number not in executed.get(path, ()):
                continue
            for operator, text in mutants_of(line):
                folders[path.parent].append((path, number, operator, text))
    return folders


def draw(folders, count, rng):
    """From each folder in turn."""
    order = sorted(folders)
    rng.shuffle(order)
    drawn = []
    while len(drawn) < count and any(folders.values()):
        for folder in order:
            if folders[folder] and len(drawn) < count:
                drawn.append(folders[folder].pop(rng.randrange(len(folders[folder]))))
    return drawn


def say(line, log):
    print(line, flush=True)
    if log:
        with log.open("a") as file:
            print(line, file=file)


def run(command, seconds=None):
    try:
        return subprocess.run(command, timeout=seconds, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode
    except subprocess.TimeoutExpired:
        return 1


def notices(build, test):
    if "/" not in test:  # `meson test` multiplies the tests' own limits
        return run(["meson", "test", "-C", build, "--no-rebuild", "--setup=all", test], SECONDS) != 0
    return run(["meson", "devenv", "-C", build, test], SECONDS) != 0


def needed_by(build, tests):
    """The targets that the tests depend on, and the plugin."""
    kinds = ("targets", "tests")
    targets, known = (json.loads((build / f"meson-info/intro-{kind}.json").read_text()) for kind in kinds)
    files = {target["id"]: target["filename"] for target in targets}
    needed = {file for test in known if test["name"] in tests for each in test["depends"] for file in files[each]}
    return sorted({os.path.relpath(file, build) for file in needed} | {"gst/elements/libgstrdpsegment.so"})


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("build", type=pathlib.Path)
    words.add_argument("--tests", nargs="+", required=True)
    words.add_argument("--count", type=int, default=5)
    words.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    words.add_argument("--from", dest="files", nargs="+", type=pathlib.Path)
    words.add_argument("--executed-by", metavar="TEST")
    words.add_argument("--build", dest="targets", nargs="+", metavar="TARGET")
    words.add_argument("--log", type=pathlib.Path)
    given = words.parse_args()
    build = given.build.resolve()
    files = given.files or [*ROOT.glob("common/**/*.cpp"), *ROOT.glob("gst/**/*.cpp")]
    files = sorted(path.resolve() for path in files)
    executed = executed_lines(build, given.executed_by) if given.executed_by else None
    mutants = draw(candidates(files, executed), given.count, random.Random(given.seed))
    head = f"seed {given.seed}, {len(mutants)} mutants, tests: {' '.join(given.tests)}"
    done = given.log.read_text().splitlines() if given.log and given.log.exists() else []
    if done and done[0] != head:
        sys.exit(f"{given.log} is of something else: {done[0]}")
    if not done:
        say(head, given.log)
    targets = given.targets or needed_by(build, given.tests)
    if run(["ninja", "-C", build, *targets]) != 0:
        sys.exit(f"without a mutant this does not build: {' '.join(targets)}")
    failing = [test for test in given.tests if notices(build, test)]
    if failing:
        sys.exit(f"without a mutant these fail, or take more than {SECONDS} s: {' '.join(failing)}")
    caught = collections.Counter()
    alone = 0
    for line in done[1:]:
        noticed = [test for test in given.tests if test in line.rsplit(": ", 1)[1].split(", ")]
        caught.update(noticed)
        alone += given.tests[0] in noticed and len(given.tests) > 1 and len(noticed) == 1
    for path, number, operator, text in mutants[len(done[1:]):]:
        original = path.read_text()
        lines = original.split("\n")
        where = f"{path.relative_to(ROOT)}:{number}: {operator}: {lines[number - 1].strip()} -> {text.strip()}"
        lines[number - 1] = text
        try:
            path.write_text("\n".join(lines))
            if run(["ninja", "-C", build, *targets]) != 0:
                say(f"{where}: does not compile", given.log)
                continue
            noticed = [test for test in given.tests if notices(build, test)]
        finally:
            path.write_text(original)
            os.utime(path)
        caught.update(noticed)
        alone += given.tests[0] in noticed and len(given.tests) > 1 and len(noticed) == 1
        say(f"{where}: {', '.join(noticed) if noticed else 'survives'}", given.log)
    run(["ninja", "-C", build, *targets])
    for test in given.tests:
        print(f"{test}: {caught[test]} of {len(mutants)}")
    sys.exit(1 if alone else 0)


if __name__ == "__main__":
    main()
