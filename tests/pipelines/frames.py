# SPDX-License-Identifier: LGPL-2.1-or-later
"""The frames of the exactness test: made up, and recorded ones where there are any."""

import os
import pathlib
import subprocess
import tempfile
from dataclasses import dataclass, field, replace

import numpy as np

from oracle import Parameters

FORMATS = {"gray8": np.uint8, "gray16-le": np.uint16}


@dataclass
class Clip:
    """Frames of one size and type, how they lie in a file, and what is done to them."""

    name: str
    frames: list
    layout: str = "default"  # of the rows in the file: default, tight or padded
    parameters: list = field(default_factory=lambda: [Parameters()])

    @property
    def format(self):
        return "gray8" if self.frames[0].dtype == np.uint8 else "gray16-le"

    @property
    def stride(self):
        """Bytes from one row to the next."""
        height, width = self.frames[0].shape
        row = width * self.frames[0].itemsize
        return {"default": -(-row // 4) * 4, "tight": row, "padded": row + 37 + row % 2}[self.layout]

    def to_bytes(self):
        """What the file holds. Between the rows lies what would be seen if it were ever read."""
        height, width = self.frames[0].shape
        row = width * self.frames[0].itemsize
        data = np.random.default_rng(7).integers(
            0, 256, (len(self.frames), height, self.stride), np.uint8
        )
        for picture, frame in zip(data, self.frames):
            picture[:, :row] = np.ascontiguousarray(frame).view(np.uint8).reshape(height, row)
        return data.tobytes()

    def from_bytes(self, data):
        """The frames in a file of the same layout."""
        height, width = self.frames[0].shape
        row = width * self.frames[0].itemsize
        rows = np.frombuffer(data, np.uint8).reshape(len(self.frames), height, self.stride)[:, :, :row]
        return [np.ascontiguousarray(f).view(self.frames[0].dtype).reshape(height, width) for f in rows]


# Each property away from its default at least once, alone and with others.
PARAMETERS = [
    Parameters(),
    Parameters(epsilon=0.0),
    Parameters(epsilon=0.7, sample_scale=1 / 256),
    Parameters(epsilon=0.3, sample_scale=0.001, min_value=10, max_value=200),
    Parameters(epsilon=2.5, min_value=0),
    Parameters(epsilon=1e300),
    Parameters(epsilon=3.0, median="3x3"),
    Parameters(epsilon=10.0, median="5x5", column_width=5),
    Parameters(epsilon=3.0, domain="inverse", inverse_scale=1e6),
    Parameters(epsilon=1.5, domain="inverse", inverse_scale=54321.125, median="3x3", column_width=3),
    Parameters(epsilon=8.0, domain="inverse", inverse_scale=3e9, min_value=0, median="5x5"),
    Parameters(epsilon=6.0, column_width=2, max_value=60000),
    Parameters(epsilon=20.0, column_width=16, min_value=5),
    Parameters(epsilon=2.0, max_gap=1),
    Parameters(epsilon=2.0, refine=True, max_gap=2),
    Parameters(epsilon=3.0, merge=True),
    Parameters(epsilon=0.0, merge=True, merge_cost=9.5, min_value=0),
    Parameters(epsilon=500.0, merge=True, merge_cost=700.0, median="3x3", column_width=2, max_gap=3),
    Parameters(epsilon=3.0, merge=True, merge_bounded=True),
    Parameters(epsilon=500.0, merge=True, merge_cost=9000.0, max_gap=3, merge_bounded=True, fit="absolute"),
    Parameters(epsilon=2.0, domain="inverse", inverse_scale=2e5, merge=True, merge_cost=20.0),
    Parameters(epsilon=2.0, refine=True, fit="absolute"),
    Parameters(epsilon=0.0, refine=True, min_value=0, max_gap=2, fit="absolute"),
    Parameters(epsilon=3.0, merge=True, fit="absolute"),
    Parameters(epsilon=500.0, merge=True, merge_cost=700.0, column_width=2, max_gap=3, fit="absolute"),
    Parameters(epsilon=2.0, domain="inverse", inverse_scale=2e5, median="3x3", merge=True,
               merge_cost=20.0, fit="absolute"),
    Parameters(epsilon=1e300, merge=True, fit="absolute"),
    Parameters(epsilon=0.5, sample_scale=0.25, min_value=0, classify=True),
    Parameters(epsilon=60.0, merge=True, classify=True, ground_slope=1.5, far_value=40.0),
]


def noise(rng, shape, top):
    return rng.integers(0, top, shape, endpoint=True)


def small(rng, shape, top):
    """Few different values: many samples are equally far from a line."""
    return rng.integers(0, min(top, 9), shape)


def planes(rng, shape, top):
    """Slanted and upright pieces with a little noise and holes, as a camera sees them."""
    height, width = shape
    rows = np.arange(height)[:, None]
    pieces = rng.integers(0, top, (1 + height // 20, width))
    frame = pieces[rows[:, 0] // 20] + rows % 20 * rng.integers(-top // 60 - 1, top // 60 + 2, width)
    frame += rng.integers(-3, 4, shape)
    frame = np.clip(frame, 1, top)
    frame[rng.random(shape) < 0.25] = 0
    return frame


KINDS = [noise, small, planes]
SIZES = [  # width, height
    (1, 1), (2, 1), (1, 2), (3, 2), (1, 257), (257, 1), (5, 3), (7, 9), (17, 33), (31, 63),
    (64, 64), (67, 50), (70, 129), (131, 40), (33, 300),
]  # fmt: skip


def random_clips(seed):
    layouts = ["default", "tight", "padded"]
    for number, (width, height) in enumerate(SIZES):
        for which, (name, dtype) in enumerate(FORMATS.items()):
            rng = np.random.default_rng([seed, number, which])
            top = int(np.iinfo(dtype).max)
            frames = [kind(rng, (height, width), top).astype(dtype) for kind in KINDS]
            layout = layouts[(number + which) % 3]
            yield Clip(f"random {width}x{height} {name} {layout}", frames, layout, PARAMETERS)


def some_random_clips(seed):
    """A twentieth of them: a third of the clips, with 4 of the 27 parameters."""
    rng = np.random.default_rng(seed)
    clips = list(random_clips(seed))
    for number in sorted(rng.choice(len(clips), len(clips) // 3, replace=False)):
        chosen = sorted(rng.choice(len(PARAMETERS), 4, replace=False))
        yield replace(clips[number], parameters=[PARAMETERS[index] for index in chosen])


def some_parameters(clips, seed):
    """All clips, each with a sixth of its parameters."""
    rng = np.random.default_rng(seed)
    for clip in clips:
        count = len(clip.parameters)
        chosen = sorted(rng.choice(count, -(-count // 6), replace=False))
        yield replace(clip, parameters=[clip.parameters[index] for index in chosen])


def moved_cuts():
    """Columns that are split at an outlier in row 20 and bend further down: the cut follows, up to
    its limit. The same upside down, and with unknown rows."""
    rows, bend = np.arange(65)[:, None], np.arange(21, 60)
    frame = 1000 + np.maximum(rows - bend, 0) * 900 // (64 - bend)
    frame[19:21] = [[1001], [500]]  # the outlier belongs to the row after it
    holes = np.where((rows * 7 + bend) % 5, frame, 0)
    return [frame, frame[::-1], holes, holes[::-1]]


def degenerate_clips(_):
    bent = [Parameters(epsilon=500.0, refine=True, fit="absolute"),
            Parameters(epsilon=500.0, merge=True, merge_cost=300.0, fit="absolute")]  # fmt: skip
    yield Clip("degenerate cuts", [f.astype(np.uint16) for f in moved_cuts()], "tight", bent)
    for name, dtype in FORMATS.items():
        top = int(np.iinfo(dtype).max)
        rows = np.arange(65)[:, None] + np.zeros((1, 19), int)
        saw = np.where(rows % 2, top, 1)
        lone = np.zeros((65, 19), int)
        lone[(np.arange(19) * 7) % 65, np.arange(19)] = top
        pair = lone.copy()
        pair[-1] = 1
        # Each split takes off one row: the deepest tree that there is.
        deep = np.minimum(1 + (rows * rows * 17) % (2 * top), top)
        frames = {"all unknown": 0 * rows, "constant": 0 * rows + 77, "largest": 0 * rows + top,
                  "ramp": rows + 1, "falling": top - rows, "saw": saw, "one known": lone,
                  "ends known": pair, "deep": deep, "step": np.where(rows < 32, 1, top),
                  "only first": np.where(rows == 0, 5, 0), "only last": np.where(rows == 64, 5, 0)}  # fmt: skip
        yield Clip(f"degenerate {name}", [f.astype(dtype) for f in frames.values()], "padded", PARAMETERS)
    # The limits of the sizes, with the largest numbers that the arithmetic must hold.
    rng = np.random.default_rng(3)
    extremes = [Parameters(epsilon=4.0), Parameters(epsilon=30000.0, min_value=0),
                Parameters(epsilon=20000.0, min_value=0, merge=True, merge_cost=1e6),
                Parameters(epsilon=20000.0, min_value=0, merge=True, merge_cost=1e6, fit="absolute")]
    tall = np.array([rng.choice([0, 1, 65534, 65535], 16384), np.linspace(1, 65535, 16384),
                     65535 - np.linspace(0, 65534, 16384) ** 2 / 65534], np.int64).T  # fmt: skip
    yield Clip("degenerate 3x16384 gray16-le", [tall.astype(np.uint16)], "tight", extremes)
    wide = noise(rng, (3, 16384), 65535).astype(np.uint16)
    yield Clip("degenerate 16384x3 gray16-le", [wide], "default", extremes)
    yield Clip("degenerate 16384x3 gray8", [(wide >> 8).astype(np.uint8)], "default", extremes)


METRIC = [
    Parameters(epsilon=30.0),
    Parameters(epsilon=8.0, domain="inverse", inverse_scale=1e6, median="3x3", merge=True, classify=True),
]
DISPARITY = [
    Parameters(epsilon=4.0, sample_scale=1 / 256),
    Parameters(epsilon=2.0, sample_scale=1 / 256, median="5x5", column_width=5, classify=True),
    Parameters(epsilon=1.0, sample_scale=1 / 256, merge=True, max_gap=4, classify=True, far_value=8.0),
    Parameters(epsilon=2.0, sample_scale=1 / 256, merge=True, fit="absolute"),
    Parameters(epsilon=1.0, sample_scale=1 / 256, merge=True, merge_bounded=True),
]
RECORDED = [
    ("kitti/sequence/000000.png", DISPARITY),
    ("kitti/sequence/000009.png", DISPARITY),
    ("kitti/kitti2015_000046_10_nofilter.png", [Parameters(epsilon=1.0, sample_scale=1 / 256)]),
    ("kitti/groundtruth/kitti2015_000046_10_disp_occ_0.png", DISPARITY),
    ("synthia/disparity.png", DISPARITY[:1]),
    ("rgbd/sequence/000004.png", METRIC),
    ("rgbd/tum_fr_1_depth.png", METRIC[:1]),
    ("middlebury/teddy_disp2_x4.png", [Parameters(epsilon=4.0), Parameters(median="3x3")]),
    ("middlebury/motorcycle_disp0GT_x256.png", DISPARITY[:1]),
]


def read_png(path):
    """A single-channel PNG of 8 or 16 bits, decoded by GStreamer."""
    with open(path, "rb") as png:
        header = png.read(25)
    width, height, bits = (int.from_bytes(header[a:b], "big") for a, b in ((16, 20), (20, 24), (24, 25)))
    gst_format, dtype = ("GRAY16_LE", np.uint16) if bits == 16 else ("GRAY8", np.uint8)
    with tempfile.NamedTemporaryFile() as raw:
        subprocess.run(
            ["gst-launch-1.0", "-q", "filesrc", f"location={path}", "!", "pngdec", "!",
             "videoconvert", "!", f"video/x-raw,format={gst_format}", "!", "filesink",
             f"location={raw.name}"],
            check=True, timeout=60,
        )  # fmt: skip
        rows = np.fromfile(raw.name, np.uint8).reshape(height, -1)
    return np.ascontiguousarray(rows[:, : width * dtype().itemsize]).view(dtype)


def recorded_clips(_):
    folder = pathlib.Path(os.environ.get("RDPSEGMENT_TEST_DATA", "/nonexistent"))
    for path, parameters in RECORDED:
        if (folder / path).is_file():
            yield Clip(f"recorded {path}", [read_png(folder / path)], "default", parameters)
