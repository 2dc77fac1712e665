#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The oracle of the exactness test against the definition in fractions and columns done by hand."""

import sys
from fractions import Fraction

import numpy as np

import oracle
from oracle import Parameters
from tap import Tap


def column(*values, dtype=np.uint16):
    return np.array([values], dtype).T


def found(frame, p):
    return oracle.segments(*oracle.filtered(frame, p), p)


BY_HAND = [
    ("a line stays one segment", column(10, 20, 30, 40), Parameters(epsilon=0.0), [[0, 3, 10, 40]]),
    ("a tent is split at its top", column(1, 5, 9, 5, 1), Parameters(epsilon=4.0), [[0, 2, 1, 9], [2, 4, 9, 1]]),
    ("a distance of epsilon is no vertex", column(1, 5, 1), Parameters(epsilon=4.0), [[0, 2, 1, 1]]),
    ("the first of two equal distances is the vertex", column(10, 30, 10, 30, 10), Parameters(epsilon=15.0),
     [[0, 1, 10, 30], [1, 4, 30, 10]]),
    ("unknown rows are bridged", column(0, 10, 0, 0, 40, 0), Parameters(), [[1, 4, 10, 40]]),
    ("one known row", column(0, 7, 0), Parameters(), [[1, 1, 7, 7]]),
    ("nothing known", column(0, 0, 0), Parameters(), []),
    ("epsilon is in scaled units", column(1, 513, 1), Parameters(epsilon=2.0, sample_scale=1 / 256), [[0, 2, 1, 1]]),
    ("inverse depth", column(1000, 2000, 4000), Parameters(domain="inverse", epsilon=500.0),
     [[0, 2, 1000, 250]]),
    ("a gap that is too long ends a segment", column(10, 20, 0, 0, 50), Parameters(max_gap=1),
     [[0, 1, 10, 20], [4, 4, 50, 50]]),
    ("a gap that is not too long is bridged", column(10, 20, 0, 0, 50), Parameters(max_gap=2), [[0, 4, 10, 50]]),
    ("a step is one cut", column(9, 9, 9, 90, 90, 90), Parameters(refine=True), [[0, 2, 9, 9], [3, 5, 90, 90]]),
    ("the line of least squares", column(100, 100, 103), Parameters(refine=True), [[0, 2, 99.5, 102.5]]),
    ("its values are multiples of 1/256", column(100, 101, 100), Parameters(refine=True),
     [[0, 2, 100 + 85 / 256, 100 + 85 / 256]]),
    ("two steps that cost less than two segments", column(9, 9, 9, 9, 90, 9, 9, 9, 9), Parameters(merge=True, merge_cost=9.0),
     [[0, 8, 18, 18]]),
    ("and more", column(9, 9, 9, 9, 90, 9, 9, 9, 9), Parameters(merge=True, merge_cost=1.0),
     [[0, 3, 9, 9], [4, 4, 90, 90], [5, 8, 9, 9]]),
    ("a line that one sample does not turn", column(10, 10, 10, 10, 50, 10, 10, 10, 10),
     Parameters(merge=True, merge_cost=9.0, epsilon=4.0, fit="absolute"),
     [[0, 8, 10 + 135 / 256, 10 + 135 / 256]]),
    ("a line that ends 12.35 beyond what it joins", column(*[100] * 8, *[160] * 8), Parameters(merge=True, merge_cost=999.0, epsilon=13.0, merge_bounded=True),
     [[0, 15, 87.6484375, 172.3515625]]),
    ("and one that must not", column(*[100] * 8, *[160] * 8), Parameters(merge=True, merge_cost=999.0, epsilon=12.0, merge_bounded=True),
     [[0, 7, 100, 100], [8, 15, 160, 160]]),
    ("known range", column(5, 6, 9, 10), Parameters(min_value=6, max_value=9), [[1, 2, 6, 9]]),
]  # fmt: skip


def by_definition(rows, values, epsilon):
    """Step 2 of the definition word for word, recursive and in fractions."""
    f, l = 0, len(rows) - 1
    distances = [
        abs(values[f] + Fraction((values[l] - values[f]) * (rows[i] - rows[f]), rows[l] - rows[f]) - values[i])
        for i in range(f + 1, l)
    ]  # fmt: skip
    if not distances or max(distances) <= epsilon:
        return [[rows[f], rows[l], values[f], values[l]]]
    m = 1 + distances.index(max(distances))
    return by_definition(rows[: m + 1], values[: m + 1], epsilon) + by_definition(
        rows[m:], values[m:], epsilon
    )


def main():
    tap = Tap()
    for name, frame, p, want in BY_HAND:
        got = found(frame, p)[0]
        tap.check(name, "" if got == want else f"{got}, expected {want}")

    rng = np.random.default_rng(1)
    wrong = ""
    for number in range(300):
        top = int(rng.choice([3, 20, 65535]))
        frame = rng.integers(0, top, (int(rng.integers(2, 60)), 1), endpoint=True).astype(np.uint16)
        p = Parameters(epsilon=float(rng.choice([0, 0.5, 2, top / 3])))
        rows = [r for r in range(len(frame)) if frame[r, 0]]
        if len(rows) < 2:
            continue
        values = [int(frame[r, 0]) for r in rows]
        want = by_definition(rows, values, Fraction(p.epsilon256, 256))
        if found(frame, p)[0] != want:
            wrong = f"column {number}: {found(frame, p)[0]}, expected {want}"
    tap.check("300 random columns, word for word", wrong)

    samples = np.arange(12).reshape(3, 4)
    got = oracle.median(samples, 3).tolist()
    want = [[1, 2, 3, 3], [4, 5, 6, 7], [8, 8, 9, 10]]
    tap.check("median", "" if got == want else f"{got}, expected {want}")
    row = np.array([[1, 9, 0, 4, 0, 0, 7]])
    got = oracle.join_columns(row, row > 0, 3)
    want = ([[1, 0, 7]], [[True, False, True]])
    same = got[0].tolist() == want[0] and got[1].tolist() == want[1]
    tap.check("column groups", "" if same else f"{got}, expected {want}")
    # Where a cut at row 4 between the lines 10 and 30 is moved to.
    for name, values, want in (
        ("a cut goes to where the distances are least", [10, 10, 10, 29, 30, 30, 30, 30], 3),
        ("downwards, too", [10, 10, 10, 10, 11, 30, 30, 30], 5),
        ("it stays where nothing is better", [10, 10, 20, 20, 20, 20, 30, 30], 4),
        ("of two that are as good and as far, the upper one", [10, 10, 10, 30, 10, 30, 30, 30], 3),
        ("a segment keeps its middle", [10, 30, 30, 30, 30, 30, 30, 30], 2),
    ):
        lines = [0, 3, 10, 10], [4, 7, 30, 30]
        got = oracle.best_cut(np.arange(8), np.array(values), 4, *lines)
        tap.check(name, "" if got == want else f"{got}, expected {want}")
    rows = np.array([*range(7), *range(20, 27), 40, 41])  # row 40 is the middle, but 20 rows away
    lines = [0, 6, 10, 10], [20, 41, 30, 30]
    got = oracle.best_cut(rows, np.full(16, 10), 7, *lines)
    tap.check("a cut is moved by at most 15 rows", "" if got == 13 else f"{got}, expected 13")
    frame = column(10, 13, 11, 0)
    p = Parameters(epsilon=100.0)
    got = oracle.reconstructed(frame, p, found(frame, p), frame > 0)[:, 0].tolist()
    tap.check("halves are rounded up", "" if got == [10, 11, 11, 0] else got)
    frame = column(100, 100, 103, 0)
    p = Parameters(refine=True)  # 99.5, 101 and 102.5
    got = oracle.reconstructed(frame, p, found(frame, p), frame > 0)[:, 0].tolist()
    tap.check("fractions are reconstructed", "" if got == [100, 101, 103, 0] else got)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
