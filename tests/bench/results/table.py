#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prints a CSV file of this folder as a Markdown table, or keeps such tables in a page.

  table.py FILE.csv [COLUMN=VALUE]...   prints the rows that have these values; without any: all
  table.py --write PAGE.md...           writes the tables of these pages anew
  table.py --check PAGE.md...           fails where a table of a page is not that of its file

A page has a table between <!-- csv: FILE.csv COLUMN=VALUE... --> and <!-- end of table -->. A value of
several words has quotes; VALUE may have * and ? as the names of files do, and != leaves rows out. The first lines of a file
begin with # and say machine, date and program.
"""

import csv
import fnmatch
import pathlib
import re
import shlex
import sys

HERE = pathlib.Path(__file__).resolve().parent
MARKED = re.compile(r"(<!-- csv: ([^\n]*?) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def read(name):
    """The remarks, the head and the rows of a file."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    remarks = [line[1:].strip() for line in lines if line.startswith("#")]
    head, *rows = csv.reader(line for line in lines if not line.startswith("#"))
    wrong = [row for row in rows if len(row) != len(head)]
    if wrong or not rows:
        raise ValueError(f"{name}: {len(head)} columns, but a row is {wrong[0]}" if wrong else f"{name}: no rows")
    return remarks, head, rows


def chosen(name, conditions):
    """The head and those rows for which COLUMN=VALUE or COLUMN!=VALUE holds."""
    _, head, rows = read(name)
    for condition in conditions:
        column, equals, value = condition.partition("!=" if "!=" in condition else "=")
        if not equals or column not in head:
            raise ValueError(f"{name}: {condition}: the columns are {', '.join(head)}")
        place = head.index(column)
        rows = [row for row in rows if fnmatch.fnmatchcase(row[place], value) == (equals == "=")]
    if not rows:
        raise ValueError(f"{name}: no row has {' '.join(conditions)}")
    return head, rows


def markdown(words):
    """The table of FILE.csv COLUMN=VALUE..."""
    name, *conditions = words
    head, rows = chosen(name, conditions)
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def renewed(text):
    """A page with its tables as the files have them."""
    return MARKED.sub(lambda m: f"{m[1]}\n{markdown(shlex.split(m[2]))}\n{m[3]}", text)


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__, file=sys.stderr)
        return 2
    status = 0
    try:
        if arguments[0] not in ("--write", "--check"):
            print(markdown(arguments), end="")
            return 0
        for page in map(pathlib.Path, arguments[1:]):
            text = page.read_text(encoding="utf-8")
            if arguments[0] == "--write":
                page.write_text(renewed(text), encoding="utf-8")
            elif renewed(text) != text:
                print(f"table.py: {page}: a table is not that of its file; table.py --write mends it", file=sys.stderr)
                status = 1
    except (OSError, ValueError) as error:
        sys.exit(f"table.py: {error}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
