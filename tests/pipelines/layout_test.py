#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Looks whether CONTRIBUTING.md still says where everything is. Reports in TAP.

The folders themselves are read, not the version control: a source archive has none. Build folders
and what an interpreter leaves are passed over.
"""

import os
import pathlib
import re
import sys

from tap import Tap

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCES = {".c", ".cc", ".cpp", ".cu", ".cuh", ".h", ".py", ".sh"}
MOST_WORDS = 1800  # of CONTRIBUTING.md: it is read to the end before the first change
MOST_LINES = 600  # of a file of the product
PRODUCT = ("common", "gst", "kernels", "examples")


def folders(top):
    """Each folder under a top one that has source files itself."""
    for name, below, files in os.walk(ROOT / top):
        built = "meson-private" in below
        below[:] = [] if built else [b for b in below if b[0] != "." and b != "__pycache__"]
        if not built and any(pathlib.Path(f).suffix in SOURCES for f in files):
            yield pathlib.Path(name).relative_to(ROOT)


def rows(page):
    """The paths in the first two columns of the tables of a page."""
    columns = re.findall(r"^\|([^|]*\|[^|]*)\|", (ROOT / page).read_text(), re.MULTILINE)
    return {pathlib.Path(p) for cells in columns for p in re.findall(r"`([\w./-]+)`", cells)}


def without_row(tops, page, deepest):
    """Folders without a row of their own. Below the deepest level one above them will do."""
    known = rows(page)
    seen = {pathlib.Path(*f.parts[:deepest]) for top in tops for f in folders(top)}
    missing = [f for f in sorted(seen) if len(f.parts) > 1 and f not in known]
    return "\n".join(f"{page}: {f} needs a row in the table of folders" for f in missing)


def too_long():
    paths = [p for top in PRODUCT for f in folders(top) for p in sorted((ROOT / f).iterdir())]
    lengths = {p: len(p.read_text().splitlines()) for p in paths if p.suffix in SOURCES}
    return "\n".join(f"{p.relative_to(ROOT)} has {lengths[p]} lines: more than one subject?"
                     for p in lengths if lengths[p] >= MOST_LINES)  # fmt: skip


def references_without_name():
    """The references that define the results: the rule names the folder of each."""
    rule = (ROOT / "CONTRIBUTING.md").read_text().split("**The rule above all others**")[1]
    rule = rule.split("\n\n")[0]
    found = sorted(ROOT.glob("common/*/*reference.cpp"))
    return "\n".join(f"CONTRIBUTING.md, the rule: {p.relative_to(ROOT)} is missing"
                     for p in found if f"`{p.parent.relative_to(ROOT)}`" not in rule
                     and f"`{p.relative_to(ROOT)}`" not in rule)  # fmt: skip


def main():
    tap = Tap()
    if not any(folders("gst")):
        tap.fail("sources", f"{ROOT} has none")
    tap.check("folders", without_row(["common", "kernels", "gst"], "CONTRIBUTING.md", 2))
    tap.check("elements", without_row(["gst/elements"], "CONTRIBUTING.md", 3))
    tap.check("tests", without_row(["tests"], "tests/README.md", 2))
    tap.check("references", references_without_name())
    words = len((ROOT / "CONTRIBUTING.md").read_text().split())
    tap.check("words", "" if words <= MOST_WORDS else
              f"CONTRIBUTING.md has {words} words, and may have {MOST_WORDS}: rarer things go to "
              "tests/README.md, docs/building.md and gst/elements/base/README.md")  # fmt: skip
    tap.check("lines", too_long())
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
