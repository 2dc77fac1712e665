#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is said of each member of an info is the same in the library, in Python and on the pages.

usage: fields_test.py PROGRAM SOURCES   (PROGRAM prints the library's tables)
"""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pipelines"))
from tap import run_tests  # noqa: E402

from rdpsegment import _fields, _frame, _heights, _motion, _obstacles, _planes, _tracks  # noqa: E402

PROGRAM, SOURCES = sys.argv[1], pathlib.Path(sys.argv[2])
KINDS = {
    "RDPS": (_frame.FIELDS, _frame.Info, "docs/internals/metadata-formats.md"),
    "RDPP": (_planes.FIELDS, _planes.PlanesInfo, "docs/internals/metadata-formats.md"),
    "RDPT": (_tracks.FIELDS, _tracks.TracksInfo, "docs/internals/metadata-formats.md"),
    "RDPM": (_motion.FIELDS, _motion.MotionInfo, "docs/internals/metadata-formats.md"),
    "RDPH": (_heights.FIELDS, _heights.HeightsInfo, "docs/internals/metadata-formats.md"),
    "RDPO": (_obstacles.FIELDS, _obstacles.ObstaclesInfo, "docs/internals/metadata-formats.md"),
}
RULES = {_fields.FINITE: "finite", _fields.NOT_NEGATIVE: "not-negative", _fields.POSITIVE: "positive"}
TYPES = {"I": "uint32", "i": "int32", "Q": "uint64", "q": "int64", "d": "float64"}


def row_of(kind, field):
    within = isinstance(field.rule, tuple)
    rule = "within" if within else RULES[field.rule] if field.rule else "any"
    least, most = field.rule if within else (0, 0)
    return (f"{kind} {field.name} {field.code} {field.at} {field.since} {field.bit} {rule} "
            f"{least} {most}")  # fmt: skip


def test_library_and_python():
    printed = subprocess.run([PROGRAM], check=True, capture_output=True, text=True).stdout
    rows = [row_of(kind, field) for kind, (fields, _, _) in KINDS.items() for field in fields]
    for ours, theirs in zip(rows, printed.splitlines()):
        assert ours == theirs, f"Python says {ours}, the library {theirs}"
    assert len(rows) == len(printed.splitlines()) > 0


def test_members_of_the_dataclasses():
    for fields, info, _ in KINDS.values():
        assert sorted(f.name for f in fields) == sorted(info.__dataclass_fields__)


def tables_of(kind, page):
    """The tables of the page that describe this kind: those with its letters in the head, or in a row."""
    tables = re.findall(r"(?:^\|.*\n)+", page, re.M)
    return "".join(table for table in tables if f"`{kind}`" in table)


def said_on_the_page(kind, field, page):
    table = tables_of(kind, page)
    if field.bit:
        since = rf" \(version {field.since}\)" if field.since > 2 else ""
        return re.search(rf"\b{field.bit} for `{field.name}\b[^,|]*`{since}", table) is not None
    for at, type_, text in re.findall(r"^\| ([\d, ]+) \| (\w+) \| (.*) \|$", table, re.M):
        places = dict(zip(map(int, at.split(",")), re.findall(r"`(\w+)`", text)))
        if places.get(field.at) == field.name:
            version = re.match(r"from version (\d)", text)
            return type_ == TYPES[field.code] and field.since == int(version[1] if version else 1)
    return False


def test_pages():
    for kind, (fields, _, name) in KINDS.items():
        page = (SOURCES / name).read_text()
        missing = [f.name for f in fields if not said_on_the_page(kind, f, page)]
        assert not missing, f"{name} does not say of {missing} where and what they are in {kind}"


sys.exit(run_tests(globals()))
