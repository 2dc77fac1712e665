# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tells depth from disparity by their values.

Where a slanted plane crosses a column, disparity grows by the same amount from row to row; depth does
not, but its inverse does. So short pieces of columns are looked at whose values change, smoothly and
by 15 % or more: of each, five samples are compared with the straight line between the outer ones,
once as they are and once inverted. A piece counts for what it is straighter in, if it is so by a
factor of 2.

Also, what is lower in a picture is mostly nearer: disparity grows downwards, depth shrinks.

A photograph is told from both by its neighbours: of disparity or depth in 8 bits, nearly all samples are
within 1 of the next one in their row (19 of 20), of a photograph, with its texture and noise, about half
or less.

Sure is what 4 of 5 pieces say, at least 30 of them, and the direction does not contradict.
"""

from dataclasses import dataclass

COLUMNS = 160  # that many are looked at, at most
LEAST_PIECES = 30
SHARE = 0.8
# That much of a picture of depth in 8 bits is smooth; what has less than the second is nothing else than a
# photograph.
SMOOTH, ROUGH = 0.75, 0.6
ROWS = 60  # that many of a picture are looked at, at most


@dataclass
class Found:
    kind: str  # depth, disparity, or nothing
    why: str
    middle: int  # of the known samples
    largest: int


def crookedness(values):
    """How far values are from the line between the first and the last, of the way between these."""
    first, last = values[0], values[-1]
    steps = len(values) - 1
    return sum(abs(v - first - (last - first) * i / steps) for i, v in enumerate(values)) / abs(last - first)


def smooth(values):
    """Five values that only rise or only fall, no step much larger than the others."""
    steps = [b - a for a, b in zip(values, values[1:])]
    total = values[-1] - values[0]
    if not (all(step > 0 for step in steps) or all(step < 0 for step in steps)):
        return False
    low, high = min(values), max(values)
    return 1.15 * low <= high <= 4 * low and max(abs(step) for step in steps) <= 0.65 * abs(total)


def pieces(samples, width, height, row):
    """Five values of each piece of a column: means of three rows, without unknown ones."""
    for length in (height // 12, height // 6):
        quarter = length // 4
        if quarter < 2:
            continue
        for column in range(0, width, max(1, width // COLUMNS)):
            for top in range(1, height - 4 * quarter - 1, max(1, length // 2)):
                values = []
                for place in range(top, top + 4 * quarter + 1, quarter):
                    three = [samples[(place + k) * row + column] for k in (-1, 0, 1)]
                    if not all(three):
                        break
                    values.append(sum(three) / 3)
                if len(values) == 5 and smooth(values):
                    yield values


def recognise(pictures):
    """What pictures hold: (width, height, bytes in a row, bytes of GRAY16_LE) each."""
    straight, inverse, nearer_below, known = 0, 0, {"disparity": 0, "depth": 0}, []
    for width, height, stride, data in pictures:
        samples = memoryview(data).cast("H")
        known += [s for s in samples[:: max(1, len(samples) // 20000)] if s]
        for values in pieces(samples, width, height, stride // 2):
            as_it_is, inverted = crookedness(values), crookedness([1 / v for v in values])
            if 2 * as_it_is < inverted:
                straight += 1
                nearer_below["disparity"] += values[-1] > values[0]
            elif 2 * inverted < as_it_is:
                inverse += 1
                nearer_below["depth"] += values[-1] < values[0]
    known.sort()
    middle, largest = (known[len(known) // 2], known[-1]) if known else (0, 0)
    kind, votes = ("depth", inverse) if inverse > straight else ("disparity", straight)
    total = straight + inverse
    below = nearer_below[kind]
    if total < LEAST_PIECES:
        why = f"only {total} pieces of columns look like a slanted plane, and {LEAST_PIECES} are needed"
        return Found("", why, middle, largest)
    share = f"{votes} of {total} slanted pieces of columns are straight in {kind if kind == 'disparity' else '1 / depth'}"
    if votes < SHARE * total:
        return Found("", f"only {share}", middle, largest)
    direction = f"{below} of them have the near end below"
    if 2 * below < votes:
        return Found("", f"{share}, but only {direction}", middle, largest)
    return Found(kind, f"{share}, and {direction}", middle, largest)


def smoothness(pictures):
    """Which share of the samples is within 1 of the next one in its row: (width, height, bytes in a row, bytes of
    GRAY8) each. 1 where there are too few to tell."""
    pairs = near = 0
    for width, height, stride, data in pictures:
        for row in range(0, height, max(1, height // ROWS)):
            samples = data[row * stride : row * stride + width]
            steps = [abs(a - b) for a, b in zip(samples, samples[1:]) if a and b]
            pairs += len(steps)
            near += sum(step <= 1 for step in steps)
    return near / pairs if pairs >= 1000 else 1.0
