#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Looks whether what the documentation names is there. Reports in TAP.

A link in a Markdown file of the repository leads to a file that exists, and to a heading or a place
that this file has. A path of the repository in backquotes exists; NAME and * stand for any name.
"""

import pathlib
import re
import sys

from tap import Tap

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILES = ["*.md", "docs/**/*.md", "examples/**/*.md", "gst/**/*.md", "kernels/*.md",
         "tests/**/*.md"]
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:common|docs|examples|gst|kernels|tests)/[\w./*-]+)(?: [^`]*)?`")
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def anchors(path):
    """The names that GitHub gives the headings of a file."""
    headings = HEADING.findall(BLOCK.sub("", path.read_text()))
    plain = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", h).lower() for h in headings]
    return {re.sub(r"[^\w -]", "", h).replace(" ", "-") for h in plain}


def wrong_link(path, link):
    if re.match(r"[a-z]+:", link):
        return ""  # another site
    name, _, anchor = link.partition("#")
    target = (path.parent / name).resolve() if name else path
    if not target.exists():
        return f"{link}: there is no {name}"
    if anchor and target.suffix == ".md" and anchor not in anchors(target):
        return f"{link}: {target.name} has no such heading"
    return ""


def wrong_path(name):
    if "NAME" in name or any(ROOT.glob(name.rstrip("/"))):
        return ""
    return f"there is no {name}"


def complaints(path):
    text = path.read_text()
    found = [wrong_link(path, link) for link in LINK.findall(BLOCK.sub("", text))]
    found += [wrong_path(name) for name in PATH.findall(BLOCK.sub("", text))]
    return "\n".join(filter(None, found))


def main():
    tap = Tap()
    paths = sorted({path for pattern in FILES for path in ROOT.glob(pattern)})
    for path in paths:
        tap.check(str(path.relative_to(ROOT)), complaints(path))
    if not paths:
        tap.fail("documentation", "no file was found")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
