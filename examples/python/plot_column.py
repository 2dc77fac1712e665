#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Plots one column of a frame with its segments: in the unit of the samples, or in metres.

Run it where GStreamer and Python find rdpsegment: installed, or with
  meson devenv -C build /usr/bin/python3 ../examples/python/plot_column.py
Needs PyGObject, numpy and matplotlib (Debian: python3-gi python3-numpy python3-matplotlib).
"""

import argparse
import sys

NEEDS = "Debian: python3-gi python3-numpy python3-matplotlib; the module rdpsegment: meson devenv -C build"


def first_frame(source, properties):
    """The first sample that comes out of a pipeline from `source`, a launch line."""
    import rdpsegment
    from gi.repository import GLib

    try:
        frames = rdpsegment.run(
            f"{source} ! capsfilter caps=video/x-raw,format={{GRAY16_LE,GRAY8}} "
            f"! rdpsegment {' '.join(properties)} ! appsink"
        )
    except GLib.Error as error:
        sys.exit(f"The pipeline cannot be made: {error.message}")
    try:
        sample = next(frames, None)
    except GLib.Error as error:
        sys.exit(error.message)
    if sample is None:
        sys.exit("There is no frame: the source ended before one.")
    return sample


def column_of(sample, column):
    """The samples of a column. Rows may be longer than the picture is wide: they are padded."""
    import numpy as np

    caps, buffer = sample.get_caps().get_structure(0), sample.get_buffer()
    kind = "<u2" if caps.get_value("format") == "GRAY16_LE" else "u1"
    data = np.frombuffer(buffer.extract_dup(0, buffer.get_size()), "u1")
    rows = data.reshape(caps.get_value("height"), -1)
    size = np.dtype(kind).itemsize
    return np.ascontiguousarray(rows[:, column * size : (column + 1) * size]).view(kind)[:, 0]


def depths(camera, samples):
    """Metres of samples."""
    if camera["measures"] == "disparity":
        disparity = samples * camera["disparity-unit"] + camera["disparity-offset"]
        return camera["focal-length"] * camera["baseline"] / disparity
    return samples * camera["depth-unit"]


class Axis:
    """What the values of the plot are: turns samples, and values of segments, into them."""

    def __init__(self, frame, metres):
        info = frame.info
        self.inverse_scale = info.inverse_scale if info.domain == "inverse" else None
        self.camera = frame.camera if metres else None
        self.scale = info.sample_scale
        if metres:
            if self.camera is None:
                sys.exit("There is no camera on the frames, so no metres: set --calibration, or "
                         "--focal-length and --baseline")  # fmt: skip
            frame.points  # says what is missing
            self.unit = "m"
        elif self.inverse_scale is None:
            self.unit = "px"
        else:
            self.unit = "1/km" if self.inverse_scale == 1e6 else f"{self.inverse_scale:g} / sample"

    def of_samples(self, samples):
        if self.camera:
            return depths(self.camera, samples)
        return samples * self.scale if self.inverse_scale is None else self.inverse_scale / samples

    def of_values(self, values):
        """Of what segments hold: samples, or their inverse."""
        if self.camera:
            return depths(self.camera, values if self.inverse_scale is None else self.inverse_scale / values)
        return values * self.scale


def plot(frame, axis, column, samples, picture):
    import matplotlib
    import numpy as np

    matplotlib.use("Agg")
    from matplotlib import pyplot

    info = frame.info
    known = np.flatnonzero(samples)
    segments = frame.column(column // info.column_width)
    pyplot.plot(axis.of_samples(samples[known].astype(float)), known, ".", color="0.7", label="known samples")
    # A line in disparity is a curve in metres.
    along = np.linspace(0, 1, 33 if axis.unit == "m" else 2)[:, None]
    ends = [segments[name].astype(float) for name in ("first_value", "last_value", "first_row", "last_row")]
    values, rows = ends[0] + (ends[1] - ends[0]) * along, ends[2] + (ends[3] - ends[2]) * along
    pyplot.plot(axis.of_values(values), rows, "-o", markersize=4, markevery=[0, len(along) - 1])
    pyplot.gca().invert_yaxis()
    pyplot.gca().set(title=f"Column {column}: {len(known)} samples, {len(segments)} segments, "
                     f"tolerance {info.epsilon:g}", xlabel=f"value in {axis.unit}", ylabel="row")  # fmt: skip
    pyplot.legend()
    try:
        pyplot.savefig(picture)
    except (OSError, ValueError) as error:
        sys.exit(f"Cannot write {picture}: {error}")
    print(f"{picture}: column {column} of {info.width}, {len(known)} samples, {len(segments)} segments, "
          f"values in {axis.unit}")  # fmt: skip


def number(above_0):
    def parse(text):
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not (0 < value if above_0 else 0 <= value) or value == float("inf"):
            raise argparse.ArgumentTypeError(f"a number {'above 0' if above_0 else 'of 0 or more'}, not {text!r}")
        return value

    return parse


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--column", type=int, help="which one (the middle one)")
    add("--out", default="column.png", help="the picture to write (%(default)s)")
    add("--epsilon", type=number(False), help="tolerance (1 px; 10 with --domain inverse)")
    add("--scale", type=number(True), help="pixels a sample step (1/256)")
    add("--domain", choices=["linear", "inverse"], default="linear",
        help="inverse: samples are metric depth, whose inverse is segmented")  # fmt: skip
    add("--inverse-scale", type=number(True), help="what is divided by the samples (1e6: 1/km of millimetres)")
    add("--metres", action="store_true", help="plot metres, of the frames' camera or of the options below")
    add("--calibration", metavar="FILE", help="the camera's calibration")
    add("--focal-length", type=number(True), metavar="PX", help="the camera's focal length")
    add("--baseline", type=number(True), metavar="M", help="from one camera of the pair to the other")
    add("source", nargs="?", default="depthtestsrc",
        help="a launch line that delivers depth frames (%(default)s)")  # fmt: skip
    options = parser.parse_args()
    if options.inverse_scale and options.domain == "linear":
        parser.error("--inverse-scale needs --domain inverse")
    return parser, options


def properties(options):
    """Those of rdpsegment."""
    if options.domain == "inverse":
        result = ["domain=inverse", f"inverse-scale={options.inverse_scale or 1e6:.17g}"]
        unit, default = f"measures=depth depth-unit={options.scale or 0.001:.17g}", 10.0
    else:
        scale = options.scale or 1 / 256
        result = [f"sample-scale={scale:.17g}"]
        unit, default = f"measures=disparity disparity-unit={scale:.17g}", 1.0
    result.append(f"epsilon={default if options.epsilon is None else options.epsilon:.17g}")
    if options.calibration:
        name = options.calibration.replace("\\", "\\\\").replace('"', '\\"')
        result.append(f'calibration="{name}"')
    for name in ("focal_length", "baseline"):
        if getattr(options, name):
            result.append(f"{name.replace('_', '-')}={getattr(options, name):.17g}")
    if options.calibration or options.focal_length:
        result.append(unit)
    return result


def main():
    parser, options = parse_arguments()
    try:
        import gi  # noqa: F401
        import matplotlib  # noqa: F401
        import numpy  # noqa: F401
        import rdpsegment
    except (ImportError, ValueError) as error:
        sys.exit(f"Something is missing: {error} ({sys.executable})\n{NEEDS}")
    sample = first_frame(options.source, properties(options))
    try:
        frame = rdpsegment.segments(sample)
        column = frame.info.width // 2 if options.column is None else options.column
        if not 0 <= column < frame.info.width:
            parser.error(f"--column is 0 to {frame.info.width - 1} with this source")
        plot(frame, Axis(frame, options.metres), column, column_of(sample, column), options.out)
    except rdpsegment.Error as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
