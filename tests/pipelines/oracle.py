# SPDX-License-Identifier: LGPL-2.1-or-later
"""What rdpsegment must answer, worked out a second time from its documentation alone.

It shares no code and no data layout with the C++ sources, is slow, and uses nothing but integers and
fractions of integers where a decision is made, so that a difference is never a matter of rounding.
Frames are numpy arrays of rows x columns, uint8 or uint16.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import floor

import numpy as np

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Parameters:
    """The properties of the element of the same names."""

    epsilon: float = 4.0
    sample_scale: float = 1.0
    min_value: int = 1
    max_value: int = 65535
    median: str = "none"
    domain: str = "linear"
    inverse_scale: float = 1e6
    column_width: int = 1

    @property
    def epsilon256(self):
        """The tolerance in 1/256 sample steps: halves are rounded up."""
        exact = 256.0 * self.epsilon / self.sample_scale
        return floor(Fraction(exact) + HALF)

    def properties(self):
        """The element's properties as gst-launch-1.0 takes them."""
        return (
            f"epsilon={self.epsilon!r} sample-scale={self.sample_scale!r} "
            f"min-value={self.min_value} max-value={self.max_value} median={self.median} "
            f"domain={self.domain} inverse-scale={self.inverse_scale!r} "
            f"column-width={self.column_width}"
        )


def clamp(value, low, high):
    return max(low, min(high, value))


def inverse_depth(frame, p):
    """u = clamp(round(inverse-scale / z), 1, 65535) of every known z, 0 of every unknown one."""
    table = np.zeros(int(np.iinfo(frame.dtype).max) + 1, np.int64)
    scale = Fraction(p.inverse_scale)
    for z in np.unique(frame).tolist():
        if p.min_value <= z <= p.max_value:
            table[z] = clamp(floor(scale / z + HALF), 1, 65535) if z > 0 else 65535
    return table[frame]


def median(samples, side):
    """The median of the side x side window around each sample; the border is replicated."""
    height, width = samples.shape
    padded = np.pad(samples, side // 2, mode="edge")
    window = [padded[r : r + height, c : c + width] for r in range(side) for c in range(side)]
    return np.sort(np.stack(window), axis=0)[side * side // 2]


def join_columns(samples, known, k):
    """(samples, known) of the groups of k columns: lower median of the known samples of each row."""
    height, width = samples.shape
    groups = -(-width // k)
    joined = np.zeros((height, groups), np.int64)
    joined_known = np.zeros((height, groups), bool)
    for group in range(groups):
        columns = slice(group * k, min((group + 1) * k, width))
        for row in range(height):
            present = sorted(samples[row, columns][known[row, columns]].tolist())
            if present and 2 * len(present) >= samples[row, columns].size:
                joined[row, group] = present[(len(present) - 1) // 2]
                joined_known[row, group] = True
    return joined, joined_known


def filtered(frame, p):
    """(samples, known), int64 and bool: the columns that are segmented."""
    if p.domain == "inverse":
        samples, low, high = inverse_depth(frame, p), 1, 65535
    else:
        samples, low, high = frame.astype(np.int64), p.min_value, p.max_value
    if p.median != "none":
        samples = median(samples, int(p.median[0]))
    known = (samples >= low) & (samples <= high)
    return join_columns(samples, known, p.column_width) if p.column_width > 1 else (samples, known)


def split_rows(rows, values, epsilon256):
    """The ends of the segments of one column, as indices into its known samples, ascending.

    A segment is split at the first of the samples that lie farthest from the line through its ends,
    measured along the value, if that distance exceeds epsilon.
    """
    cuts = {0, len(rows) - 1}
    pending = [(0, len(rows) - 1)]
    while pending:
        f, l = pending.pop()
        if l - f < 2:
            continue
        length = int(rows[l] - rows[f])
        inner = slice(f + 1, l)
        # length times the distance: an integer, and the same factor for all samples of the segment.
        line = values[f] * length + (values[l] - values[f]) * (rows[inner] - rows[f])
        distance = np.abs(line - values[inner] * length)
        m = int(np.argmax(distance))  # the first maximum
        if int(distance[m]) * 256 > epsilon256 * length:
            m += f + 1
            cuts.add(m)
            pending += [(f, m), (m, l)]
    return sorted(cuts)


def segments(samples, known, p):
    """For each column its [first row, last row, first value, last value], top to bottom."""
    result = []
    for column in range(samples.shape[1]):
        rows = np.flatnonzero(known[:, column])
        values = samples[rows, column]
        if len(rows) == 0:
            result.append([])
            continue
        ends = split_rows(rows, values, p.epsilon256) if len(rows) > 1 else [0, 0]
        result.append(
            [
                [int(rows[a]), int(rows[b]), int(values[a]), int(values[b])]
                for a, b in zip(ends, ends[1:])
            ]
        )
    return result


def line_value(segment, row):
    """The exact value of a segment in a row."""
    first, last, first_value, last_value = segment
    if first == last:
        return Fraction(first_value)
    return first_value + Fraction((last_value - first_value) * (row - first), last - first)


def reconstructed(frame, p, found, known):
    """The frame with the segments written over every row that was known when it was segmented."""
    result = frame.copy()
    scale = Fraction(p.inverse_scale)
    largest = min(p.max_value, int(np.iinfo(frame.dtype).max))
    for group, column in enumerate(found):
        columns = slice(group * p.column_width, (group + 1) * p.column_width)
        for segment in column:
            for row in range(segment[0], segment[1] + 1):
                if not known[row, group]:
                    continue
                value = line_value(segment, row)
                if p.domain == "inverse":
                    value = clamp(floor(scale / value + HALF), p.min_value, largest)
                result[row, columns] = floor(value + HALF)
    return result
