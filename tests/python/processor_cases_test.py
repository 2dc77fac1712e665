#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random arrays through a Processor, and the same samples in files through a pipeline: the same bits.

A row of KINDS is an element or a chain of them with random properties; arrays have odd sizes, any
strides and orders. 40 cases a kind, 200 with CASES=200; SEED=N repeats them. Reports in TAP.
"""

import json
import os
import pathlib
import secrets
import sys
import tempfile
import warnings

import gi
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pipelines"))
from tap import Tap  # noqa: E402

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

import rdpsegment  # noqa: E402

CASES = int(os.environ.get("CASES", "40"))
FRAMES = 3
METADATA = ("segments", "planes", "tracks", "motion", "heights", "obstacles")


def disparity(rng, height, width):
    """Random steps on a ground, with holes."""
    frame = np.linspace(500, 9000, height)[:, None] + rng.integers(0, 400, (height, width))
    frame[:, rng.integers(0, width, 1 + width // 4)] += rng.integers(0, 20000)
    frame[rng.random((height, width)) < 0.1] = 0
    return frame.astype("u2")


def millimetres(rng, height, width):
    frame = 1e6 / (200 + 20 * np.arange(height)[:, None]) + rng.integers(0, 9, (height, width))
    frame[: height // 2, width // 3 :] = rng.integers(500, 4000)
    return frame.astype("u2")


def gray(rng, height, width):
    """Blocks of 4 by 4."""
    blocks = rng.integers(0, 256, (height // 4 + 1, width // 4 + 1), dtype="u1")
    return np.kron(blocks, np.ones((4, 4), "u1"))[:height, :width]


def colour(rng, height, width):
    return rng.integers(0, 256, (height, width, 3), dtype="u1")


def cloud(rng, height, width):
    points = rng.uniform(-2, 2, (height * width, 3)).astype("f4")
    points[: height * width // 2, 1] = 1.0
    return points


def pair(rng, height, width):
    left = gray(rng, height, width)
    return left, np.roll(left, -int(rng.integers(0, 9)), 1)


def choice(rng, *texts):
    return texts[rng.integers(len(texts))]


def stereo(rng):
    return (f"depthstereo name=d disparities={16 * rng.integers(1, 3)} focal-length=60 baseline=0.2 "
            f"paths={choice(rng, '4', '8')} min-disparity={rng.integers(-3, 4)}")  # fmt: skip


# Contents of arrays, elements, the pads that take and give frames; "" is the start and the end.
KINDS = {
    "segments of disparity": (disparity, lambda rng: f"rdpsegment epsilon={rng.integers(0, 9)} "
        f"sample-scale=0.00390625 merge={choice(rng, 'true', 'false')} median={choice(rng, 'none', '3x3')} "
        f"column-width={rng.integers(1, 5)} output={choice(rng, 'passthrough', 'reconstruct')}", [""], [""]),
    "segments of 8 bits": (gray, lambda rng: f"rdpsegment epsilon={rng.integers(0, 9)} classify=true", [""], [""]),
    "planes": (millimetres, lambda rng: f"depthplanes focal-length={rng.integers(40, 90)} depth-unit=0.001 "
        f"output={choice(rng, 'passthrough', 'labels')}", [""], [""]),
    "planes of clouds": (cloud, lambda rng: f"depthplanes tolerance={rng.uniform(0.01, 0.1)}", [""], [""]),
    "obstacles": (millimetres, lambda rng: "depthplanes focal-length=60 depth-unit=0.001 ! depthobstacles "
        f"camera-height={rng.uniform(0.5, 2)}", [""], [""]),
    "points": (millimetres, lambda rng: f"depthpoints focal-length={rng.integers(40, 90)} depth-unit=0.001", [""], [""]),
    "filtered": (millimetres, lambda rng: f"depthfilter depth-unit=0.001 temporal-frames={rng.integers(0, 5)} "
        f"hole-filling={choice(rng, 'none', 'gap')}", [""], [""]),
    "tracks": (gray, lambda rng: f"klttrack cell={4 * rng.integers(1, 5)} levels={rng.integers(1, 4)} "
        f"light={choice(rng, 'none', 'bias', 'gain-bias')}", [""], [""]),
    "stereo": (pair, lambda rng: f"{stereo(rng)} ! rdpsegment name=s sample-scale=0.00390625 epsilon=2",
        ["d.left", "d.right"], ["s.src", "d.confidence", "d.rectified", "d.overlay", "s.overlay"]),
    "motion": (pair, lambda rng: f"{stereo(rng)} ! rdpsegment sample-scale=0.00390625 merge=true ! m.depth "
        "d.rectified ! klttrack cell=8 ! m.video rdpmotion name=m", ["d.left", "d.right"], ["m.src"]),
    "overlays": (lambda rng, *size: (colour(rng, *size), disparity(rng, *size)), lambda rng: "rdpoverlay name=o style="
        f"{choice(rng, 'segments', 'classes')} rdpsegment name=s sample-scale=0.00390625 classify=true ! o.segments",
        ["o.video", "s.sink"], ["o.src"]),
    "heads": (lambda rng, *size: (gray(rng, *size), gray(rng, *size), gray(rng, *size)), lambda rng: "heightmap name=h "
        f"calibration=FOLDER/views.json iterations={rng.integers(1, 9)}",
        ["h.sink_0", "h.sink_1", "h.sink_2"], ["h.src"]),
    "colours": (colour, lambda rng: "tee name=t t. ! videoflip video-direction=180 name=f", [""], ["t.src_5", "f.src"]),
    "lines of JSON": (disparity, lambda rng: "rdpsegment epsilon=8 ! rdpmetaconvert", [""], [""]),
}  # fmt: skip


def dressed(rng, array):
    """The same samples, in memory of another order, with gaps, or read-only."""
    how = rng.integers(7)
    if how == 1 and array.ndim > 1:
        return np.asfortranarray(array)
    if how == 2:
        return array[::-1].copy()[::-1]
    if how == 3:
        room = np.zeros([2 * length for length in array.shape], array.dtype)
        view = room[tuple(slice(None, None, 2) for _ in array.shape)]
        view[...] = array
        return view
    if how == 4:
        room = np.zeros([length + 3 for length in array.shape], array.dtype)
        view = room[tuple(slice(1, 1 + length) for length in array.shape)]
        view[...] = array
        return view
    if how == 5:
        array = array.copy()
        array.flags.writeable = False
    if how == 6:  # at an odd address
        data = np.empty(array.nbytes + 1, "u1")[1:]
        view = np.ndarray(array.shape, array.dtype, data)
        view[...] = array
        return view
    return array


def source_of(path, frames):
    """Elements that read a file with the frames."""
    first = frames[0]
    if first.dtype.kind == "f":  # a cloud a file
        for number, frame in enumerate(frames):
            path.with_name(f"{path.name}{number}.bin").write_bytes(frame.tobytes())
        return f"pointcloudsrc location={path}%d.bin point-floats=3 axes=camera ! application/x-points,framerate=30/1"
    height, width = first.shape[:2]
    rows = [frame.reshape(height, -1) for frame in frames]
    padding = -rows[0].shape[1] * first.itemsize % 4 // first.itemsize
    path.write_bytes(b"".join(np.pad(row, ((0, 0), (0, padding))).tobytes() for row in rows))
    format = "bgr" if first.ndim == 3 else "gray8" if first.itemsize == 1 else "gray16-le"
    return f"filesrc location={path} ! rawvideoparse width={width} height={height} format={format} framerate=30/1"


def of_pipeline(folder, sets, elements, inputs, outputs):
    """The output of the pipeline with files: for each frame, the buffer of each output."""
    sources = [source_of(folder / f"in{i}", [frames[i] for frames in sets]) for i in range(len(inputs))]
    names = [f"out{i}" for i in range(len(outputs))]
    if inputs == [""]:
        text = f"{sources[0]} ! {elements}"
    else:
        text = " ".join([elements, *(f"{source} ! {pad}" for source, pad in zip(sources, inputs))])
    for name, pad in zip(names, outputs):
        never = "overlay::drop=never " if "overlay" in pad else ""
        text = text.replace(f"name={pad.split('.')[0]} ", f"name={pad.split('.')[0]} {never}", 1) if never else text
        text += f" {pad} ! appsink name={name}"
    return [[sample.get_buffer() for sample in samples] for samples in rdpsegment.run(text, sinks=names)]


def rows_of(buffer, like):
    """The samples of a buffer whose rows are padded to four bytes, as bytes."""
    data = np.frombuffer(buffer.extract_dup(0, buffer.get_size()), "u1")
    if like.ndim < 2 or like.dtype.kind != "u":
        return data.tobytes()
    row = like[0].nbytes
    return data.reshape(len(like), -1)[:, :row].tobytes()


def compare(result, buffer):
    """The difference between what a processor gives and a buffer; empty: none."""
    if result.frame.flags.writeable or result.frame.tobytes() != rows_of(buffer, result.frame):
        return "the frame"
    if result.buffer.pts != buffer.pts:
        return f"the time: {result.buffer.pts}, expected {buffer.pts}"
    for kind in METADATA:
        mine, theirs = getattr(result, kind), getattr(rdpsegment, kind)(buffer)
        if (mine is None) != (theirs is None) or (mine is not None and mine.to_bytes() != theirs.to_bytes()):
            return kind
    return "" if result.camera == rdpsegment.camera(buffer) else "the camera"


def case(kind, seed, folder):
    make, elements_of, inputs, outputs = KINDS[kind]
    rng = np.random.default_rng(seed)
    height, width = (int(side) for side in rng.integers(8, 70, 2))
    elements = elements_of(rng).replace("FOLDER", str(folder))
    # Three cameras 3 m above the ground that look down.
    views = [[[width, 0, -width / 2, (1.5 - x) * width], [0, -width, -height / 2, 1.5 * height], [0, 0, -1, 3]]
             for x in (0, -0.2, 0.2)]  # fmt: skip
    (folder / "views.json").write_text(json.dumps({"size": [width, height], "projection": views}))
    sets = [frames if isinstance(frames := make(rng, height, width), tuple) else (frames,) for _ in range(FRAMES)]
    expected = of_pipeline(folder, sets, elements, inputs, outputs)
    if len(expected) != FRAMES:
        return f"{elements}: the pipeline with files gives {len(expected)} frames"
    processor = rdpsegment.Processor(
        elements, inputs=None if inputs == [""] else inputs, outputs=None if outputs == [""] else outputs,
        format="BGR", cloud=True)  # fmt: skip
    with processor:
        for number, (frames, buffers) in enumerate(zip(sets, expected)):
            results = processor(*(dressed(rng, frame) for frame in frames))
            for pad, buffer in zip(outputs, buffers):
                result = results if pad == "" else results[pad]
                wrong = "nothing comes" if result is None else compare(result, buffer)
                if wrong:
                    return f"{elements}, {width}x{height}, frame {number}, output {pad!r}: {wrong}"
    return ""


def main():
    Gst.init(None)
    warnings.simplefilter("ignore")  # of settings that make no sense for such frames
    tap = Tap()
    seed = int(os.environ.get("SEED", secrets.randbits(32)))
    print(f"# SEED={seed}")
    for kind in KINDS:
        wrong = ""
        with tempfile.TemporaryDirectory() as folder:
            for number in range(CASES):
                wrong = case(kind, [seed, number], pathlib.Path(folder))
                if wrong:
                    wrong = f"SEED={seed} CASES={number + 1}: {wrong}"
                    break
        tap.check(kind, wrong)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
