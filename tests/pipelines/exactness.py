#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""filesrc ! rawvideoparse ! rdpsegment ! rdpmetaconvert ! filesink, compared with oracle.py.

Usage: exactness.py SIMD_TARGETS_PROGRAM random|degenerate|recorded...

"random" is a twentieth of its cases, with other frames in each run; of the others each clip has a sixth
of its parameters, others in each run. SEED=N in the environment, which the report names, repeats
them. With EXACTNESS=all it is all of them.

Every sample, row and number in the output must be the expected one, for each SIMD target that this
machine can run and for several numbers of threads. Reports in TAP, a case for each clip and target.
"""

import concurrent.futures
import functools
import json
import os
import pathlib
import secrets
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import numpy as np

import frames
import oracle
import oracle_classes
from tap import Tap

SETS = {
    "random": frames.some_random_clips,
    "degenerate": lambda seed: frames.some_parameters(frames.degenerate_clips(seed), seed),
    "recorded": lambda seed: frames.some_parameters(frames.recorded_clips(seed), seed),
}
if os.environ.get("EXACTNESS") == "all":
    SETS = {
        "random": frames.random_clips,
        "degenerate": frames.degenerate_clips,
        "recorded": frames.recorded_clips,
    }
THREADS = [1, 2, 5]
FPS = 25  # rawvideoparse's own
CHAINS_AT_ONCE = 26
LAUNCH_TIMEOUT = 300  # seconds


@functools.lru_cache(maxsize=None)
def simd_targets(program):
    """The SIMD targets, after making sure that each of them is what a process gets when it asks."""
    # In a cross build Meson says what emulates the machine that the program is for.
    command = [*shlex.split(os.environ.get("MESON_EXE_WRAPPER", "")), program]
    targets = subprocess.check_output(command, text=True).split()[1:]
    for target in targets:
        asked = {**os.environ, "RDPSEGMENT_SIMD": target}
        used = subprocess.check_output(command, text=True, env=asked).split()[0]
        if used != target:
            raise RuntimeError(f"RDPSEGMENT_SIMD={target} gives {used}")
    return targets


def expected(frame, parameters):
    """(columns of segments, frame after output=reconstruct)"""
    samples, known = oracle.filtered(frame, parameters)
    found = oracle.segments(samples, known, parameters)
    return found, oracle.reconstructed(frame, parameters, found, known)


def expectations(clip):
    return [[expected(f, p) for f in clip.frames] for p in clip.parameters]


@dataclass
class Chain:
    """One pipeline from a clip's file, and the files it writes."""

    clip: frames.Clip
    index: int  # of the parameters
    threads: int
    folder: pathlib.Path

    @property
    def parameters(self):
        return self.clip.parameters[self.index]

    @property
    def name(self):
        return f"{self.index}-{self.threads}"

    @property
    def reconstruct(self):
        return self.threads > 1 and (self.index + self.threads) % 2 == 0

    @property
    def json_file(self):
        return self.folder / f"{self.name}.jsonl"

    @property
    def pixel_file(self):
        """None where the pixels are not looked at: the pipeline as one would type it."""
        return self.folder / f"{self.name}.raw" if self.threads > 1 else None

    def words(self):
        clip, parse, after = self.clip, "", ""
        height, width = clip.frames[0].shape
        if clip.layout != "default":
            parse = f" plane-strides=<(gint){clip.stride}> frame-size={clip.stride * height}"
        if self.pixel_file:
            after = (
                f"output={'reconstruct' if self.reconstruct else 'passthrough'} ! "
                f"tee name=t{self.name} t{self.name}. ! queue ! filesink location={self.pixel_file} "
                f"t{self.name}. ! queue "
            )
        return (
            f"filesrc location={self.folder}/input ! rawvideoparse width={width} height={height} "
            f"format={clip.format} framerate={FPS}/1{parse} ! "
            f"rdpsegment threads={self.threads} {self.parameters.properties()} {after}! "
            f"rdpmetaconvert ! filesink location={self.json_file}"
        ).split()


def run(chains, target):
    """Runs the chains, many in one process, which is also what threads may stumble over."""
    environment = {**os.environ, "RDPSEGMENT_SIMD": target}
    for first in range(0, len(chains), CHAINS_AT_ONCE):
        words = [w for chain in chains[first : first + CHAINS_AT_ONCE] for w in chain.words()]
        result = subprocess.run(
            ["gst-launch-1.0", "-q", *words], env=environment, timeout=LAUNCH_TIMEOUT,
            capture_output=True, text=True, errors="replace",
        )  # fmt: skip
        if result.returncode != 0 or "ERROR" in result.stderr:
            raise RuntimeError(f"gst-launch-1.0 {' '.join(words)}\n{result.stdout}{result.stderr}")


def header(clip, number, p):
    """What a line of JSON says beside the segments."""
    height, width = clip.frames[0].shape
    return {
        "frame": number, "pts": number * 10**9 // FPS, "width": width, "height": height,
        "epsilon": p.epsilon, "sample-scale": p.sample_scale, "domain": p.domain,
        "column-width": p.column_width,
    }  # fmt: skip


def json_difference(lines, clip, parameters, answers):
    if len(lines) != len(clip.frames):
        return f"{len(lines)} lines of JSON for {len(clip.frames)} frames"
    for number, (line, (columns, _)) in enumerate(zip(lines, answers)):
        got = json.loads(line)
        for key, value in header(clip, number, parameters).items():
            if key not in got or got[key] != value:
                return f"frame {number}: {key} is {got.get(key)!r}, expected {value!r}"
        if len(got["columns"]) != len(columns):
            return f"frame {number}: {len(got['columns'])} columns, expected {len(columns)}"
        for column, (ours, theirs) in enumerate(zip(columns, got["columns"])):
            # The shortest text that is the same single-precision number.
            theirs = [[*segment[:2], *(float(np.float32(v)) for v in segment[2:])] for segment in theirs]
            if ours != theirs:
                return f"frame {number}, column {column}: {theirs}, expected {ours}"
        wrong = oracle_classes.problem(got, parameters)
        if wrong:
            return f"frame {number}: {wrong}"
    return None


def pixel_difference(data, clip, reconstruct, answers):
    stored = clip.to_bytes()
    if not reconstruct:
        return None if data == stored else "passthrough changed the bytes of a frame"
    if len(data) != len(stored):
        return f"{len(data)} bytes of pixels, expected {len(stored)}"
    for number, (got, (_, want)) in enumerate(zip(clip.from_bytes(data), answers)):
        if (got != want).any():
            row, column = [int(i[0]) for i in (got != want).nonzero()]
            return (
                f"frame {number}: the pixel in row {row}, column {column} is {got[row, column]}, "
                f"expected {want[row, column]}"
            )
    return None


def difference(clip, target, answers, right):
    """What is wrong with a clip on a SIMD target; "" when nothing is.

    right: a set of the files that were compared with the answers and are right, which grows: the same
    bytes by another target or number of threads are right, too.
    """
    with tempfile.TemporaryDirectory(prefix="rdpsegment-") as name:
        folder = pathlib.Path(name)
        (folder / "input").write_bytes(clip.to_bytes())
        chains = [
            Chain(clip, index, threads, folder)
            for index in range(len(clip.parameters))
            for threads in THREADS
        ]
        run(chains, target)
        for chain in chains:
            answer = answers[chain.index]
            text = chain.json_file.read_bytes()
            wrong = None
            if (chain.index, text) not in right:
                wrong = json_difference(text.decode().splitlines(), clip, chain.parameters, answer)
                right.add((chain.index, text))
            if not wrong and chain.pixel_file:
                pixels = (chain.index, chain.reconstruct, chain.pixel_file.read_bytes())
                if pixels not in right:
                    wrong = pixel_difference(pixels[2], clip, chain.reconstruct, answer)
                    right.add(pixels)
            if wrong:
                right.clear()  # what is wrong was added, too
                return f"{' '.join(chain.words())}\n{wrong}"
    return ""


def ahead(function, items):
    """map() in other processes, ahead of whoever takes the results; in this one where the system has
    no semaphores for that, as in a chroot without /dev/shm."""
    try:
        pool = concurrent.futures.ProcessPoolExecutor()
    except (OSError, ImportError, NotImplementedError):
        yield from map(function, items)
        return
    with pool:
        yield from pool.map(function, items)


def main(program, *names):
    tap = Tap()
    targets = simd_targets(program)
    seed = int(os.environ.get("SEED") or secrets.randbelow(2**32))
    print(f"# SEED={seed}", flush=True)
    clips = [clip for name in names for clip in SETS[name](seed)]
    if not clips:
        tap.skip("recorded frames", "RDPSEGMENT_TEST_DATA names no folder that holds them")
    # The oracle is slow; while one clip runs, the next ones are worked out.
    for clip, answers in zip(clips, ahead(expectations, clips)):
        right = set()
        for target in targets:
            try:
                wrong = difference(clip, target, answers, right)
            except (RuntimeError, OSError, ValueError, subprocess.TimeoutExpired) as error:
                wrong = f"{type(error).__name__}: {error}"
            tap.check(f"{clip.name}, {target}", wrong and f"SEED={seed}\n{wrong}")
    return tap.done()


if __name__ == "__main__":
    if len(sys.argv) < 3 or not set(sys.argv[2:]) <= set(SETS):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
