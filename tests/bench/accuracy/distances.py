#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""How exact the distances of segments are, through the elements: rdpsegment, rdpmetaconvert, PLY.

  distances.py --truth=LIDAR.png DEPTH.png SETTINGS...
  distances.py --plane DEPTH.png SETTINGS...

DEPTH.png: 16 bits, what rdpsegment takes. SETTINGS: its properties, those of the camera included, one
argument for each row of the table. GST_PLUGIN_PATH names the folder of the plugin.

--truth: of every pixel that LIDAR.png (in the unit of DEPTH.png), DEPTH.png and a segment know, the
median of |Z - true Z| / true Z, of the segments and of DEPTH.png itself.
--plane: the largest plane in DEPTH.png, without its edges. How far its points are from the plane that
fits them best: of the segments and of DEPTH.png itself.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "pipelines"))
import written  # noqa: E402

# Of --plane, in 1/m: what a sample may be off by and still belong to the plane. Stereo cameras are as
# noisy in 1/Z near and far.
TOLERANCE = 0.004
TRIES = 400
EDGE = 9  # px


def segmented(depth, settings, convert, name):
    """Runs the elements on a PNG; the path of what rdpmetaconvert wrote."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="rdpsegment-"))
    command = f"""gst-launch-1.0 -q filesrc location={pathlib.Path(depth).resolve()} ! pngdec ! videoconvert
        ! video/x-raw,format=GRAY16_LE ! rdpsegment {settings} ! rdpmetaconvert {convert}
        ! filesink location={name}"""
    subprocess.run(command.split(), cwd=folder, check=True, stdout=sys.stderr)
    return folder / name


class Camera:
    """The camera of the frame, as the lines of JSON have it."""

    def __init__(self, depth, settings):
        line = segmented(depth, settings, "points=true", "line.json").read_text().splitlines()[0]
        self.values = json.loads(line)["camera"]

    def distances(self, samples):
        """Z of each sample, 0 where it is unknown."""
        of = self.values
        known = np.asarray(samples, float)
        if of["measures"] == "disparity":
            divisor = known * of["disparity-unit"] + of["disparity-offset"]
            return np.where(known > 0, of["focal-length"] * of["baseline"] / np.where(known > 0, divisor, 1), 0)
        return known * of["depth-unit"]

    def points(self, z, mask):
        rows, columns = np.nonzero(mask)
        x = (columns - self.values["principal-x"]) / self.values["focal-length"]
        y = (rows - self.values["principal-y"]) / self.values["focal-length-y"]
        return np.stack([x * z[mask], y * z[mask], z[mask]], 1)

    def pixels(self, vertices):
        """Row and column of each vertex."""
        x, y, z = (vertices["xyz"][:, i].astype(float) for i in range(3))
        columns = x / z * self.values["focal-length"] + self.values["principal-x"]
        rows = y / z * self.values["focal-length-y"] + self.values["principal-y"]
        return np.rint(rows).astype(int), np.rint(columns).astype(int)


def segment_distances(depth, settings, camera, shape):
    """Z of the segments in each pixel, 0 where there is none."""
    vertices, _ = written.ply_arrays(segmented(depth, settings, "format=ply", "frame.ply"))
    z = np.zeros(shape)
    z[camera.pixels(vertices)] = vertices["xyz"][:, 2]
    return z


def against_truth(truth, depth, settings):
    camera = Camera(depth, settings)
    samples = written.decoded(depth)[1].astype(float)
    z_true = camera.distances(written.decoded(truth)[1].astype(float))
    z_depth = camera.distances(samples)
    z = segment_distances(depth, settings, camera, samples.shape)
    both = (z_true > 0) & (z_depth > 0) & (z > 0)
    error = [100 * np.median(np.abs(of[both] / z_true[both] - 1)) for of in (z, z_depth)]
    return f"{both.sum()} | {error[0]:.2f} % | {error[1]:.2f} %"


def box_mean(values, mask, size):
    """The mean over the masked values in a window around each pixel; NaN where fewer than half are."""

    def sums(of):
        padded = np.pad(of, size // 2 + 1)[: of.shape[0] + size, : of.shape[1] + size]
        total = padded.cumsum(0).cumsum(1)
        return total[size:, size:] - total[:-size, size:] - total[size:, :-size] + total[:-size, :-size]

    count = sums(mask.astype(float))
    return np.where(count * 2 >= size * size, sums(np.where(mask, values, 0)) / np.maximum(count, 1), np.nan)


def largest_plane(near, known):
    """A mask of the pixels where the mean around lies on the plane that most of them lie on. A plane is
    linear in the pixels' rows and columns in 1/Z. Single samples may be off by whatever they are."""
    rows, columns = np.nonzero(known)
    place = np.stack([columns, rows, np.ones(len(rows))], 1).astype(float)
    values = near[known]
    random = np.random.default_rng(1)
    best, most = None, 0
    for _ in range(TRIES):
        chosen = random.choice(len(rows), 3, replace=False)
        if abs(np.linalg.det(place[chosen])) < 1:
            continue
        plane = np.linalg.solve(place[chosen], values[chosen])
        count = (np.abs(place @ plane - values) < TOLERANCE).sum()
        if count > most:
            best, most = plane, count
    for _ in range(5):
        on = np.abs(place @ best - values) < TOLERANCE
        best = np.linalg.lstsq(place[on], values[on], rcond=None)[0]
    grid = np.indices(near.shape)
    off = near - (best[0] * grid[1] + best[1] * grid[0] + best[2])
    inside = np.abs(np.nan_to_num(box_mean(off, known, EDGE), nan=1.0)) < TOLERANCE
    # Not at its edges, where other things begin.
    whole = np.nan_to_num(box_mean(inside.astype(float), np.ones_like(inside), EDGE)) > 0.99
    return whole & known


def from_plane(points):
    """Root of the mean square, and median, of the distances from the plane that fits best, in mm."""
    centred = points - points.mean(0)
    off = 1000 * centred @ np.linalg.svd(centred, full_matrices=False)[2][2]
    return f"{np.sqrt((off**2).mean()):.2f} | {np.median(np.abs(off)):.2f}"


def on_plane(depth, settings):
    camera = Camera(depth, settings)
    samples = written.decoded(depth)[1].astype(float)
    known = (samples > 0) & (samples < 65535)
    z_depth = camera.distances(samples)
    mask = largest_plane(1 / np.where(known, z_depth, 1), known)
    z = segment_distances(depth, settings, camera, samples.shape)
    mask &= z > 0
    return (
        f"{mask.sum()} | {np.median(z_depth[mask]):.2f} | {from_plane(camera.points(z, mask))} "
        f"| {from_plane(camera.points(z_depth, mask))}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--truth")
    kind.add_argument("--plane", action="store_true")
    parser.add_argument("depth")
    parser.add_argument("settings", nargs="+")
    options = parser.parse_args()
    name = pathlib.Path(options.depth).name
    if options.plane:
        print("| frame | settings | px | Z | segments: rms | median | samples: rms | median |\n|" + "---|" * 8)
    else:
        print("| frame | settings | px | segments | samples |\n|" + "---|" * 5)
    for settings in options.settings:
        row = on_plane(options.depth, settings) if options.plane else against_truth(
            options.truth, options.depth, settings
        )  # fmt: skip
        print(f"| {name} | `{settings}` | {row} |")


if __name__ == "__main__":
    main()
