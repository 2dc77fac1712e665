#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Looks whether the pages stay short and plain. Reports in TAP.

Pages for users are README.md and docs/*.md. Each has a budget of words, and so has their sum. Few of
their sentences are longer than 25 words. Dates stand in the benchmarks and in docs/internals alone.
Comments begin with their noun.
"""

import pathlib
import re
import sys

from tap import Tap

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUDGET = 2000  # words of a page, if it is not named here
BUDGETS = {"README.md": 1000, "docs/reliability.md": 600, "docs/gpu-sizing.md": 750,
           "docs/calibration.md": 2200, "docs/depthstereo.md": 2400,
           "docs/heightmap.md": 3000, "docs/rdpsegment.md": 3000}  # fmt: skip
MOST_WORDS = {"pages for users": 54000, "all pages": 80000}
LONG = 25  # words
MOST_LONG = 0.05  # of the sentences
DATED = {"docs/benchmarks.md"}
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
DATE = re.compile(r"\b20\d\d-\d\d-\d\d\b")
RIDDLES = re.compile(r"(What|Of|Whether|Where|How|Who|Which|Those)\b")
SOURCES = {".h", ".cpp", ".cu", ".cuh", ".in"}


def user_pages():
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def words(paths):
    return sum(len(p.read_text().split()) for p in paths)


def sentences(text):
    """The sentences of a page: its paragraphs, items of lists and cells of tables, without code."""
    text = re.sub(r"<!--.*?-->", "", FENCE.sub("\n\n", text), flags=re.DOTALL)
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", text)
    for part in re.split(r"\n\s*\n|\n(?=\s*(?:[-*|#>]|\d+\.) ?)", text):
        for cell in part.strip().strip("|").split("|"):
            for sentence in re.split(r"(?<=[.!?])[\"')*_]*\s+", cell):
                if any(c.isalpha() for c in sentence):
                    yield " ".join(sentence.split())


def long_sentences(paths):
    found = {p: list(sentences(p.read_text())) for p in paths}
    long = [(p, s) for p in paths for s in found[p]
            if sum(any(map(str.isalnum, w)) for w in s.split()) > LONG]  # fmt: skip
    share = len(long) / max(1, sum(map(len, found.values())))
    if share <= MOST_LONG:
        return ""
    shown = "\n".join(f"{p.relative_to(ROOT)}: {s}" for p, s in long)
    return f"{share:.1%} of the sentences have more than {LONG} words:\n{shown}"


def comments(text):
    """The first words of each block of comments of a C++ source."""
    text = re.sub(r"\A(//|/\*) SPDX[^\n]*\n", "", text)
    text = re.sub(r"^\s*(//[^\n]*\n)(?:\s*//[^\n]*\n)*", r"\1", text, flags=re.MULTILINE)
    for match in re.finditer(r"^\s*//[/!<]*\s*(.*)|/\*[*!<]*\s*(?:\*\s*)?(?:\w+:\s*\n\s*\*\s*)?(.*)|[;{},)]\s+//[/!<]*\s*(.*)",
                             text, re.MULTILINE):  # fmt: skip
        yield next(filter(None, match.groups()), "")


def riddles(paths):
    return [f"{p.relative_to(ROOT)}: {c}" for p in paths if p.suffix in SOURCES
            for c in comments(p.read_text()) if RIDDLES.match(c)]  # fmt: skip


def main():
    tap = Tap()
    for page in user_pages():
        name = str(page.relative_to(ROOT))
        most, count = BUDGETS.get(name, BUDGET), words([page])
        tap.check(f"words of {name}",
                  "" if count <= most else f"{count} words, and may have {most}")  # fmt: skip
        dates = [] if name in DATED else DATE.findall(FENCE.sub("", page.read_text()))
        tap.check(f"no dates in {name}", " ".join(dates))
    for kind, paths in {"pages for users": user_pages(),
                        "all pages": [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]}.items():  # fmt: skip
        count, most = words(paths), MOST_WORDS[kind]
        tap.check(f"words of {kind}",
                  "" if count <= most else f"{count} words, and may have {most}")  # fmt: skip
    tap.check("long sentences", long_sentences(user_pages()))
    for top in ("common", "gst", "kernels"):
        tap.check(f"comments of {top}", "\n".join(riddles(sorted((ROOT / top).rglob("*")))))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
