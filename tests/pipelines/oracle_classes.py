# SPDX-License-Identifier: LGPL-2.1-or-later
"""Classes of segments, worked out a second time from docs/concepts.md and common/rdp/ground.h: see oracle.py.

The ground in a line of JSON must be as near to the exact medians as the documentation says; the
classes must be exactly those that follow from it.
"""

from fractions import Fraction
from math import floor

OTHER, GROUND, UPRIGHT, FAR = range(4)


def rules(p):
    """(tolerance, far, expected slope), in sample steps; the slope is None where the frame says it."""
    scale = Fraction(p.sample_scale)
    tolerance = Fraction(min(p.epsilon256, 65536 * 256), 256)
    far = tolerance if p.far_value < 0 else min(Fraction(p.far_value) / scale, 10**6)
    slope = min(Fraction(p.ground_slope) / scale, 10**6) if p.ground_slope > 0 else None
    return max(tolerance, 1), far, slope


def exact(segment):
    return segment[0], segment[1], Fraction(segment[2]), Fraction(segment[3])


def slope_of(segment):
    first, last, first_value, last_value = segment
    return (last_value - first_value) / (last - first)


def voters(columns, height, tolerance):
    found = []
    for column in columns:
        for segment in map(exact, column[:-65:-1]):
            first, last, first_value, last_value = segment
            if last > first and (last - first) * 16 >= height:
                if last_value - first_value >= 2 * tolerance:
                    found.append(segment)
                break
    return found


def weighted_median(votes):
    """The lower one of [(value, weight)]."""
    left = (sum(weight for _, weight in votes) - 1) // 2
    for value, weight in sorted(votes):
        if left < weight:
            return value
        left -= weight


def level(slope, ground):
    return ground / 2 <= slope <= 2 * ground


def ground_problem(line, p):
    """What is wrong with the ground of a line of JSON, or None."""
    tolerance, _, slope = rules(p)
    found = voters(line["columns"], line["height"], tolerance)
    if slope is None:
        if not found or 16 * len(found) < len(line["columns"]):
            return None if line["ground-slope"] is None else "there is no ground"
        slope = weighted_median([(slope_of(s), s[1] - s[0]) for s in found])
    if line["ground-slope"] is None:
        return f"there is a ground of {float(slope)} a row"
    got = Fraction(line["ground-slope"]) / Fraction(p.sample_scale)
    if abs(got - slope) > slope / 2000:
        return f"the ground's slope is {float(got)}, not {float(slope)}"
    horizons = [(s[1] - s[3] / got, s[1] - s[0]) for s in found if level(slope_of(s), got)]
    if not horizons:
        return None if line["horizon"] is None else "nothing has the horizon"
    if line["horizon"] is None:
        return "the horizon is missing"
    horizon = min(max(weighted_median(horizons), -16384), 49151)
    if abs(Fraction(line["horizon"]) - horizon) > Fraction("0.51"):
        return f"the horizon is {line['horizon']}, not {float(horizon)}"
    return None


def class_of(segment, line, p):
    tolerance, far, _ = rules(p)
    first, last, first_value, last_value = exact(segment)
    if first_value <= far and last_value <= far:
        return FAR
    if line["ground-slope"] is None:
        return UPRIGHT if last > first and abs(last_value - first_value) <= 2 * tolerance else OTHER
    ground = Fraction(line["ground-slope"]) / Fraction(p.sample_scale)

    def on_ground(row, value):
        if line["horizon"] is None:
            return False
        expected = ground * (row - Fraction(line["horizon"]))
        return abs(value - expected) <= tolerance + max(expected, 0) / 8

    if on_ground(first, first_value) and on_ground(last, last_value):
        return GROUND
    if first == last:
        return OTHER
    slope = (last_value - first_value) / (last - first)
    if level(slope, ground):
        return GROUND
    return UPRIGHT if abs(slope) < ground / 2 else OTHER


def problem(line, p):
    """What is wrong with the classes in a line of JSON, whose segments are right; None if nothing is."""
    if not p.classify:
        return "there are classes" if "classes" in line else None
    wrong = ground_problem(line, p)
    if wrong:
        return wrong
    expected = [[class_of(segment, line, p) for segment in column] for column in line["columns"]]
    if line["classes"] != expected:
        return f"classes {line['classes']}, expected {expected}"
    return None
