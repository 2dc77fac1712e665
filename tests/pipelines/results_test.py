#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Looks whether the tables of the documentation are those of tests/bench/results. Reports in TAP.

Each file says its machine, date and program, and has rows. Each marked table of a page is what
table.py prints of its file. The page of benchmarks has no other tables.
"""

import pathlib
import re
import sys

from tap import Tap

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "bench" / "results"))

import table  # noqa: E402

DATE = re.compile(r"\b20\d\d-\d\d-\d\d\b|\bdates in the rows\b|\bthe same on every machine\b")


def wrong_file(path):
    try:
        remarks, head, _ = table.read(path.name)
    except ValueError as error:
        return str(error)
    if len(remarks) < 2 or not DATE.search("\n".join(remarks)):
        return "its first lines, with #, are to say machine, date and program"
    return "" if all(head) else "a column has no name"


def wrong_page(text):
    try:
        return "" if table.renewed(text) == text else "a table is not that of its file: table.py --write PAGE.md"
    except (OSError, ValueError) as error:
        return str(error)


def test_of_the_test():
    """A changed cell, a row too few, a file and a column that are not there are found."""
    page = "<!-- csv: gpu-epsilons.csv -->\n<!-- end of table -->\n"
    good = table.renewed(page)
    bad = [page, good.replace("4 px", "5 px"), good.replace("epsilons.csv", "none.csv"),
           good.replace(".csv -->", ".csv colour=4 -->")]  # fmt: skip
    passed = [text for text in bad if not wrong_page(text)]
    return "\n".join(passed) if not wrong_page(good) else wrong_page(good)


def main():
    tap = Tap()
    tap.check("the test itself", test_of_the_test())
    for path in sorted((ROOT / "tests" / "bench" / "results").glob("*.csv")):
        tap.check(path.name, wrong_file(path))
    pages = sorted((ROOT / "docs").glob("**/*.md"))
    for path in pages:
        text = path.read_text()
        if "<!-- csv:" in text:
            tap.check(str(path.relative_to(ROOT)), wrong_page(text))
    text = table.MARKED.sub("", (ROOT / "docs" / "benchmarks.md").read_text())
    tap.check("benchmarks.md has tables of files only", "\n".join(re.findall(r"^\|.*$", text, re.MULTILINE)))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
