# SPDX-License-Identifier: LGPL-2.1-or-later
"""What rdpsegment must answer, worked out a second time from its documentation alone.

It shares no code and no data layout with the C++ sources, is slow, and uses nothing but integers and
fractions of integers where a decision of the split is made, so that a difference is never a matter of
rounding. Least-squares lines are worked out in the precision that their definition names.
Frames are numpy arrays of rows x columns, uint8 or uint16.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
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
    max_gap: int = 0
    refine: bool = False
    merge: bool = False
    fit: str = "squares"
    merge_cost: float = 0.0
    classify: bool = False
    ground_slope: float = 0.0
    far_value: float = -1.0
    merge_bounded: bool = False

    def steps256(self, distance):
        """A distance in 1/256 sample steps: halves are rounded up."""
        exact = 256.0 * distance / self.sample_scale
        return floor(Fraction(exact) + HALF)

    @property
    def epsilon256(self):
        return self.steps256(self.epsilon)

    @property
    def truncation256(self):
        """The distance beyond which a sample gets no dearer, not more than any sample can be away."""
        return clamp(self.epsilon256, 256, 65536 * 256)

    @property
    def cost256(self):
        if self.merge_cost > 0:
            return min(self.steps256(self.merge_cost), 65536 * 256 * 128)
        return 4 * self.truncation256

    @property
    def near(self):
        """The distance up to which samples have their whole weight, with fit="absolute"."""
        return f32_of(clamp(self.epsilon256 // 8, 64, 65536 * 256 // 8)) / f32(256)

    def properties(self):
        """The element's properties as gst-launch-1.0 takes them."""
        return (
            f"epsilon={self.epsilon!r} sample-scale={self.sample_scale!r} "
            f"min-value={self.min_value} max-value={self.max_value} median={self.median} "
            f"domain={self.domain} inverse-scale={self.inverse_scale!r} "
            f"column-width={self.column_width} max-gap={self.max_gap} "
            f"refine={str(self.refine).lower()} merge={str(self.merge).lower()} "
            f"fit={self.fit} merge-cost={self.merge_cost!r} classify={str(self.classify).lower()} "
            f"ground-slope={self.ground_slope!r} far-value={self.far_value!r} "
            f"merge-bounded={str(self.merge_bounded).lower()}"
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
    vertices = {0, len(rows) - 1}
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
            vertices.add(m)
            pending += [(f, m), (m, l)]
    return sorted(vertices)


def runs(rows, max_gap):
    """The parts of a column with no more than max_gap unknown rows in a row, as slices."""
    ends = np.flatnonzero(np.diff(rows) - 1 > max_gap) + 1 if max_gap > 0 else []
    bounds = [0, *(int(e) for e in ends), len(rows)]
    return [slice(a, b) for a, b in zip(bounds, bounds[1:]) if b > a]


def segments(samples, known, p):
    """For each column its [first row, last row, first value, last value], top to bottom."""
    result = []
    for column in range(samples.shape[1]):
        rows = np.flatnonzero(known[:, column])
        values = samples[rows, column]
        found = []
        for run in runs(rows, p.max_gap):
            found += segments_of_run(rows[run], values[run], p)
        result.append(found)
    return result


def segments_of_run(rows, values, p):
    ends = split_rows(rows, values, p.epsilon256) if len(rows) > 1 else [0, 0]
    if not (p.refine or p.merge):
        return [
            [int(rows[a]), int(rows[b]), int(values[a]), int(values[b])]
            for a, b in zip(ends, ends[1:])
        ]
    cuts = cuts_at(ends, values)
    if p.merge:
        cuts = merged_cuts(cuts, rows, values, p)
    found = [
        [int(rows[a]), int(rows[b - 1])]
        + [fitted_value(rows[a:b], values[a:b], int(r)) for r in rows[[a, b - 1]]]
        for a, b in zip(cuts, cuts[1:])
    ]
    return absolute_fit(rows, values, cuts, found, p) if p.fit == "absolute" else found


# Refine and merge. Sums are integers of any size; what the documentation says is rounded to single
# or double precision is rounded by numpy's types.

f32 = np.float32


def f32_of(integer):
    """The nearest float32, without a float64 in between."""
    return np.array([integer], np.int64).astype(np.float32)[0]


def cuts_at(ends, values):
    """Between which samples pieces are cut: a vertex stays with its nearer neighbour, or the lower."""
    cuts = [0]
    for v in ends[1:-1]:
        before = abs(int(values[v]) - int(values[v - 1]))
        after = abs(int(values[v]) - int(values[v + 1]))
        cut = v + 1 if before < after else v
        if cut != cuts[-1]:
            cuts.append(cut)
    return [*cuts, len(values)]


class Fit:
    """Sums over samples, and their least-squares line."""

    def __init__(self, rows, values):
        x, y = [int(r) for r in rows], [int(v) for v in values]
        self.n, self.x, self.y = len(x), sum(x), sum(y)
        self.xx = self.n * sum(r * r for r in x) - self.x**2
        self.xy = self.n * sum(r * v for r, v in zip(x, y)) - self.x * self.y
        self.yy = self.n * sum(v * v for v in y) - self.y**2
        self.slope = f32_of(self.xy) / f32_of(self.xx) if self.xx else f32(0)
        self.row = f32_of(self.x) / f32(self.n)
        self.value = f32_of(self.y) / f32(self.n)

    def at(self, row):
        """The line's value in a row."""
        return self.value + self.slope * (f32(row) - self.row)

    @cached_property
    def spread(self):
        return f32_of(self.xx) / f32(self.n)

    @cached_property
    def error(self):
        """The squared distances of the samples from their own line."""
        explained = float(self.xy) * (float(self.xy) / float(self.xx)) if self.xx else 0.0
        return f32(max(0.0, (float(self.yy) - explained) / self.n))


def merged_cuts(cuts, rows, values, p):
    square = lambda distance256: f32(distance256 / 256) * f32(distance256 / 256)
    truncation, price = square(p.truncation256), square(p.cost256)
    pieces = [Fit(rows[a:b], values[a:b]) for a, b in zip(cuts, cuts[1:])]

    ends = [[piece.at(rows[a]), piece.at(rows[b - 1])]
            for piece, a, b in zip(pieces, cuts, cuts[1:])]  # fmt: skip

    def too_far_out(line, first, end):
        margin = f32(p.truncation256 / 256)
        near = [value for piece in ends[first:end] for value in piece]
        far = [line.at(rows[cuts[first]]), line.at(rows[cuts[end] - 1])]
        return min(far) < min(near) - margin or max(far) > max(near) + margin

    def error(first, end, joins):
        """Of the pieces [first, end) as one segment."""
        line = Fit(rows[cuts[first] : cuts[end]], values[cuts[first] : cuts[end]])
        if p.merge_bounded and joins and too_far_out(line, first, end):
            return f32(np.inf)
        total = f32(0)
        for piece in pieces[first:end]:
            n = f32(piece.n)
            away = line.slope * (piece.row - line.row) - (piece.value - line.value)
            turn = line.slope - piece.slope
            distances = piece.error + (n * (away * away) + piece.spread * (turn * turn))
            total = total + min(distances, n * truncation)
        return total

    starts = list(range(len(cuts)))  # which cuts are left
    for _ in range(8):
        best = [(f32(0), None)]  # the smallest total up to each cut, and where its last segment starts
        for end in range(1, len(starts)):
            ways = [
                ((best[a][0] + price) + error(starts[a], starts[end], end - a > 1), a)
                for a in range(max(0, end - 8), end)
            ]
            best.append(min(ways))
        path = [len(starts) - 1]
        while path[-1] != 0:
            path.append(best[path[-1]][1])
        before = len(starts) - 1
        starts = [starts[i] for i in reversed(path)]
        if before <= 8 or len(starts) - 1 == before:
            break
    return [cuts[i] for i in starts]


def fitted_value(rows, values, row):
    """The value of the least-squares line of some samples in a row, in 1/256 sample steps."""
    fit = Fit(rows, values)
    value = float(fit.y)
    if fit.xx:
        value += float(fit.xy) / float(fit.xx) * float(fit.n * row - fit.x)
    return rounded_value(value / fit.n)


def rounded_value(value):
    """In 1/256 sample steps, halves up."""
    return clamp(floor(value * 256.0 + 0.5) / 256, -65535, 65535)


# fit=absolute. Distances, costs and weights are single precision, sums are integers, lines double.


def distances(segment, rows, values):
    """How far samples are above a segment's line, as float32."""
    first_row, last_row, first, last = segment
    slope = f32(0)
    if last_row > first_row:
        slope = (f32(last) - f32(first)) / f32(last_row - first_row)
    return values.astype(f32) - (f32(first) + slope * (rows - first_row).astype(f32))


def best_cut(rows, values, was, upper, lower):
    """With which sample the lower of two segments begins, so that the distances are least.

    `was` is the one with which it began.
    """
    first, last = (int(np.searchsorted(rows, (s[0] + s[1]) // 2)) for s in (upper, lower))
    first += 1

    def costs(segment):
        size = np.abs(distances(segment, rows[first:last], values[first:last])) * f32(256)
        return np.minimum(size, f32(2**24)).astype(np.int64)

    above, below = costs(upper), costs(lower)
    ways = []
    for cut in range(first, last + 1):
        moved = abs(int(rows[cut]) - int(rows[was]))
        if moved <= 15:
            cost = int(above[: cut - first].sum()) + int(below[cut - first :].sum())
            ways.append((cost, moved, cut))
    return min(ways)[2]


def weighted_segment(rows, values, segment, near):
    """The segment of some samples, each weighted by its distance from the line of `segment`."""
    size = np.abs(distances(segment, rows, values))
    weights = np.full(len(rows), 256, np.int64)
    far = size > near
    weights[far] = np.maximum((f32(256) * near / size[far]).astype(np.int64), 1)
    w, x, y = weights.tolist(), (rows - rows[0]).tolist(), values.tolist()
    n, sum_x, sum_y = sum(w), sum(a * b for a, b in zip(w, x)), sum(a * b for a, b in zip(w, y))
    xx = sum(a * b * b for a, b in zip(w, x))
    xy = sum(a * b * c for a, b, c in zip(w, x, y))
    n, sum_x, sum_y, xx, xy = (float(number) for number in (n, sum_x, sum_y, xx, xy))
    slope = (n * xy - sum_x * sum_y) / (n * xx - sum_x * sum_x) if sum_x else 0.0
    value = (sum_y - slope * sum_x) / n
    ends = [rounded_value(value + slope * row) for row in (0.0, float(x[-1]))]
    return [int(rows[0]), int(rows[-1]), *ends]


def absolute_fit(rows, values, cuts, found, p):
    moved = [best_cut(rows, values, *way) for way in zip(cuts[1:], found, found[1:])]
    cuts = [0, *moved, len(rows)]
    return [
        weighted_segment(rows[a:b], values[a:b], segment, p.near)
        for a, b, segment in zip(cuts, cuts[1:], found)
    ]


def line_value(segment, row):
    """The exact value of a segment in a row."""
    first, last = segment[:2]
    first_value, last_value = (Fraction(value) for value in segment[2:])
    if first == last:
        return first_value
    return first_value + (last_value - first_value) * (row - first) / (last - first)


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
                    value = scale / value if value > 0 else largest
                result[row, columns] = clamp(floor(value + HALF), p.min_value, largest)
    return result
