#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs every script and program of examples/ and looks at what it writes.

Usage: examples_test.py BUILD_DIRECTORY

Those that need a camera are run with --dry-run and their pipeline is parsed. Of long lists of calls a third is
taken, others in each run; SEED=N in the environment, which the report names, repeats them, and with EXAMPLES=all it
is all of them. Reports in TAP.
"""

import importlib.util
import json
import math
import os
import pathlib
import random
import re
import secrets
import shlex
import shutil
import struct
import sys
import tempfile
import zlib

import numpy as np

import oracle
import programs
import stand_ins
import workplace
import written
from tap import Tap

TIMEOUT = 240  # seconds
# Each way to call a script that needs a camera.
CAMERAS = [
    "v4l2-y16.sh",
    "v4l2-y16.sh --metric --device /dev/video3 --width 1280 --height 720 --fps 15 --frames 9",
    "realsense.sh --serial 1234",
    "realsense.sh --plugin aivero --serial 1234 --frames 3",
    "zed.sh --svo drive.svo2",
    "kinect-azure.sh --mode wfov_unbinned --recording room.mkv",
    "openni2.sh --frames 5 room.oni",
]
# Calls that must be refused with exit status 2 or 1, and a word of the reason.
REFUSED = [
    ("depth-folder.sh", "required"),
    ("depth-folder.sh nowhere", "neither a folder nor a file nowhere"),
    ("depth-folder.sh empty", "no .png"),
    ("depth-folder.sh depth/missing.png", "neither"),
    ("depth-folder.sh depth empty", "is a folder: name one folder alone"),
    ("depth-folder.sh --epsilon four depth", "--epsilon"),
    ("depth-folder.sh --disparity-scale 0 depth", "a number above 0, not '0'"),
    ("depth-folder.sh --depth-mm --disparity-scale 1 depth", "not allowed with"),
    ("depth-folder.sh --frames", "expected one argument"),
    ("depth-folder.sh --frames 0 depth", "at least 1"),
    ("depth-folder.sh --sepia depth", "--sepia"),
    ("depth-folder.sh depth -dash.png", "Put -- before files"),
    ("depth-folder.sh --set merge depth", "PROPERTY=VALUE"),
    ("depth-folder.sh --out o --set sepia=1 depth", "sepia"),
    ("depth-folder.sh --out depth.raw depth", "cannot write into the folder depth.raw"),
    ("depth-folder.sh --out o --calibration nothing.json depth", "nothing.json"),
    ("depth-folder.sh --sink nosuchsink depth", "nosuchsink"),
    ("depth-folder.sh --make film depth", "invalid choice: 'film'"),
    ("depth-folder.sh --make metres --out o depth", "expected --calibration"),
    ("depth-folder.sh --make ply --out o depth", "expected --calibration"),
    ("depth-folder.sh --make planes --out o depth", "the camera with its baseline"),
    ("depth-folder.sh --make planes --depth-mm --epsilon 3 --out o depth", "tolerance of segments"),
    ("depth-folder.sh --make mp4 depth", "expected --out"),
    ("raw-files.sh depth.raw", "--width"),
    ("raw-files.sh --width 160 --height 120 nothing.raw", "cannot read"),
    ("raw-files.sh --width 1600 --height 1200 depth.raw", "less than one frame"),
    ("raw-files.sh --width 160 --height 120 --stride 300 depth.raw", "at least 320"),
    ("raw-files.sh --width 160 --height 120 --format GRAY32 depth.raw", "GRAY16_BE"),
    ("v4l2-y16.sh --device /dev/no-camera", "no camera"),
    ("v4l2-y16.sh 640", "unexpected"),
    ("realsense.sh --plugin intel", "wkdsmrt"),
    ("realsense.sh --plugin aivero", "--serial"),
    ("zed.sh --fps fast", "whole number"),
    ("kinect-azure.sh --mode narrow", "nfov_unbinned"),
    ("openni2.sh --sepia 1", "unknown option"),
    ("quickstart.sh --frames none", "whole number"),
]


SEED = int(os.environ.get("SEED") or secrets.randbelow(2**32))
LOT = random.Random(SEED)


def some(calls):
    """A third of them, in their order."""
    calls = list(calls)
    if os.environ.get("EXAMPLES") == "all":
        return calls
    chosen = LOT.sample(range(len(calls)), -(-len(calls) // 3))
    return [calls[index] for index in sorted(chosen)]


class Examples:
    def __init__(self, build, folder):
        self.build = pathlib.Path(build).resolve()
        self.folder = folder
        self.environment = workplace.environment(folder, self.build)
        (folder / "empty").mkdir()
        probe = ["gst-inspect-1.0", "--exists", "--atleast-version=0.0.0", "pngfoldersrc"]
        self.reads_png = not self.run(probe).returncode

    def run(self, command):
        words = command if isinstance(command, list) else shlex.split(command)
        return programs.run(words, timeout=TIMEOUT, cwd=self.folder, env=self.environment)

    def must_run(self, command):
        result = self.run(command)
        if result.returncode:
            raise RuntimeError(f"{command}: status {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout

    def must_refuse(self, command, *words, statuses=(1, 2)):
        """Fails with these words, and says no more than Python's own programs should."""
        result = self.run(command)
        if result.returncode not in statuses or not all(word in result.stderr for word in words):
            raise RuntimeError(f"{command}: status {result.returncode}, says {result.stderr!r}, expected {words}")
        if "Traceback" in result.stderr:
            raise RuntimeError(f"{command}: {result.stderr}")

    def must_lack(self, program, module, *words, call=()):
        """Without this module, a Python program says these words."""
        code = (f"import sys, runpy; sys.modules[{module!r}] = None; sys.argv = {['x', *call]!r}; "
                f"sys.path.insert(0, {str(program.parent)!r}); runpy.run_path({str(program)!r}, run_name='__main__')")  # fmt: skip
        self.must_refuse([sys.executable, "-c", code], *words, statuses=(1,))

    def frames_of(self, name):
        """The lines of an output folder's segments.jsonl; fails unless each has its picture."""
        folder = self.folder / name
        pictures = sorted(folder.glob("overlay-*.png"))
        written.look_at_lines(folder / "segments.jsonl", len(pictures))
        lines = [json.loads(line) for line in open(folder / "segments.jsonl")]
        for picture, line in zip(pictures, lines):
            written.look_at_picture(picture, (line["width"], line["height"]))
        return lines

    def depth_frames(self):
        raw = np.fromfile(self.folder / "depth.raw", "<u2")
        return raw.reshape(workplace.FRAMES, workplace.HEIGHT, workplace.WIDTH)

    # Each test returns what is wrong, if anything is, or raises.

    def helps(self, script):
        text = self.must_run(f"examples/{script} --help")
        return "" if text.startswith("Usage: examples/") else text

    def camera(self, call, out):
        words = shlex.split(self.must_run(f"examples/{call} --dry-run {out}"))
        if words[0] != "gst-launch-1.0":
            return f"printed {words[0]}"
        stand_ins.parse(words[1:])
        return ""

    def depth_folder(self):
        """The pictures' values must reach rdpsegment unchanged, in natural order."""
        shutil.copytree(self.folder / "depth", self.folder / "named")
        for number, path in enumerate(sorted((self.folder / "named").iterdir())):
            path.rename(path.with_name(f"picture {number + 5}%d.PNG"))  # 5 to 16: 10 sorts before 5 as text
        (self.folder / "named/notes.txt").write_text("not a picture")
        text = self.must_run("examples/depth-folder.sh --disparity-scale 0.00390625 --epsilon 2 --out png named")
        words = ("12 pictures of 160x120, 16 bits: picture 5%d.PNG to picture 16%d.PNG", "1 other files", "12 frames")
        if not all(word in text for word in words):
            return text
        parameters = oracle.Parameters(epsilon=2.0, sample_scale=1 / 256)
        for frame, line in zip(self.depth_frames(), self.frames_of("png"), strict=True):
            if line["columns"] != oracle.segments(*oracle.filtered(frame, parameters), parameters):
                return f"frame {line['frame']} differs from its samples"
            if line["file"] != f"picture {line['frame'] + 5}%d.PNG":
                return f"frame {line['frame']} is said to be of {line['file']}"
        return ""

    def depth_folder_options(self):
        """Files instead of a folder, a part of them, other properties."""
        paths = [f"depth/{number:06d}.png" for number in (11, 9, 10, 8)]
        self.must_run(["examples/depth-folder.sh", "--set", "max-gap=3", "--frames", "3", "--fps", "4",
                       "--out", 'so "me" \\ 100%d !', *paths])  # fmt: skip
        self.must_run("examples/depth-folder.sh --set max-gap=3 --out all depth/")
        some, everything = self.frames_of('so "me" \\ 100%d !'), self.frames_of("all")
        if [f["columns"] for f in some] != [f["columns"] for f in everything[8:11]]:
            return f"{len(some)} frames, not those from 8 to 10"
        if [f["file"] for f in some] != [f"{number:06d}.png" for number in (8, 9, 10)]:
            return str([f["file"] for f in some])
        times = [f["pts"] for f in some]
        return "" if times == [0, 250000000, 500000000] else f"timestamps {times}"

    def write_png(self, path, samples, body=None):
        """A gray PNG of an array of u1 or >u2, or a colour one of (rows, columns, 3); or with another body."""
        height, width = samples.shape[:2]
        header = struct.pack(">IIBBBBB", width, height, 8 * samples.itemsize, 2 * (samples.ndim == 3), 0, 0, 0)
        body = zlib.compress(b"".join(b"\0" + row.tobytes() for row in samples)) if body is None else body
        chunks = [struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
                  for kind, data in ((b"IHDR", header), (b"IDAT", body), (b"IEND", b""))]  # fmt: skip
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"".join([b"\x89PNG\r\n\x1a\n", *chunks]))

    def write_garbled(self, name, body):
        self.write_png(self.folder / name, np.full((20, 30), 900, ">u2"), body)

    def metric_frames(self):
        raw = np.fromfile(self.folder / "depth-mm.raw", "<u2")
        return raw.reshape(-1, workplace.HEIGHT, workplace.WIDTH)

    def depth_folder_recognises(self):
        """Millimetres and disparity are told apart and named; what could be both is refused."""
        for number, frame in enumerate(self.metric_frames()):
            self.write_png(self.folder / f"millimetres/{number}.png", frame.astype(">u2"))
        text = self.must_run("examples/depth-folder.sh --out mm millimetres")
        lines = self.frames_of("mm")
        if "depth: " not in text or "Taken as millimetres" not in text or lines[0]["domain"] != "inverse":
            return text
        parameters = oracle.Parameters(epsilon=10.0, domain="inverse", inverse_scale=1e6, median="3x3")
        want = oracle.segments(*oracle.filtered(self.metric_frames()[0], parameters), parameters)
        if lines[0]["columns"] != want:
            return "other segments than of inverse depth"
        self.must_run("examples/depth-folder.sh --depth-mm --out mm2 millimetres")
        if self.frames_of("mm2") != lines:
            return "--depth-mm gives something else"
        text = self.must_run("examples/depth-folder.sh --dry-run depth")
        if "disparity: " not in text or "Taken as 1/256 px" not in text or "sample-scale=0.00390625" not in text:
            return text
        # Whoever says what they are not is believed, and warned.
        self.write_png(self.folder / "bytes/1.png", np.full((20, 30), 90, "u1"))
        for option, folder, warned in (("--disparity-scale 1", "millimetres", "look like depth"),
                                       ("--depth-mm", "depth", "look like disparity"),
                                       ("--depth-mm", "millimetres", ""),
                                       ("--depth-mm", "bytes", "as --depth-mm says, but the pictures have 8 bits"),
                                       ("--depth-unit 0.0002", "bytes", "nothing is farther than 0.051 m"),
                                       ("--depth-unit 0.05", "bytes", ""),
                                       ("--disparity-scale 0.00390625", "depth", "")):  # fmt: skip
            result = self.run(f"examples/depth-folder.sh --dry-run {option} {folder}")
            if result.returncode != 0 or warned not in result.stderr or bool(warned) != ("warning" in result.stderr):
                return f"{option} {folder}: status {result.returncode}, {result.stderr!r}"
        # Upside down, millimetres are straight in 1 / depth still, and the far end is below.
        self.write_png(self.folder / "flipped/1.png", self.metric_frames()[0][::-1].astype(">u2"))
        self.write_png(self.folder / "wall/1.png", np.full((120, 160), 2000, ">u2"))
        self.write_png(self.folder / "unknown/1.png", np.zeros((120, 160), ">u2"))
        noise = np.random.default_rng(2).integers(1, 65536, (120, 160)).astype(">u2")
        self.write_png(self.folder / "noise/1.png", noise)
        small = (self.depth_frames()[0] // 16).astype(">u2")
        mixed = np.concatenate([self.depth_frames()[0][:, :80], self.metric_frames()[0][:, 80:]], axis=1)
        self.write_png(self.folder / "mixed/1.png", mixed.astype(">u2"))
        self.write_png(self.folder / "sixteenths/1.png", small)
        for folder, word in (("flipped", "near end below"), ("wall", "only 0 pieces"),
                             ("mixed", "cannot tell"), ("noise", "cannot tell"),
                             ("unknown", "only 0 pieces"), ("sixteenths", "--disparity-scale 0.0625")):  # fmt: skip
            self.must_refuse(f"examples/depth-folder.sh --dry-run {folder}", word, "--disparity-scale", statuses=(2,))
        text = self.must_run("examples/depth-folder.sh --out l515 --depth-unit 0.00025 --frames 1 wall")
        (line,) = self.frames_of("l515")
        return "" if line["inverse-scale"] == 4e6 and line["columns"][0] == [[0, 119, 2000, 2000]] else text

    def depth_folder_refuses(self):
        """Pictures that cannot be read or ordered: each is named, with what to do."""
        gray, deep = np.full((20, 30), 90, "u1"), np.full((20, 30), 900, ">u2")
        good = (self.folder / "depth/000000.png").read_bytes()
        light = np.linspace(60, 180, 160) + np.random.default_rng(1).normal(0, 5, (120, 160))
        smooth = (self.depth_frames()[0] >> 8) + np.random.default_rng(2).integers(0, 2, (120, 160))
        self.write_png(self.folder / "smooth/1.png", smooth.astype("u1"))
        for options in ("", "--disparity-scale 1"):
            self.must_run(f"examples/depth-folder.sh --dry-run {options} smooth")
        folders = {
            "photographs": ({"1.png": light.astype("u1")}, "look like photographs", "Expected gray PNGs", "16 bits"),
            "jpeg": ({"1.jpg": b"\xff\xd8\xff"}, "1.jpg is no PNG but a photograph", "expected gray PNGs"),
            "others": ({"1.tiff": b"II*"}, 'no .png file in "bad/others"', ": name the folder of the pictures"),
            "zeros": ({"a1.png": deep, "a01.png": deep}, "a01.png", "leading zeros"),
            "bits": ({"1.png": deep, "2.png": gray}, '2.png" is gray with up to 8 bits', "pictures of one format"),
            "colour": ({"1.png": np.zeros((20, 30, 3), "u1")}, "1.png is a colour picture", "gray"),
            "later": ({"1.png": deep, "2.png": np.zeros((20, 30, 3), "u1")}, '2.png" is in colour', "1.png"),
            "text": ({"1.png": b"hello"}, '1.png" is no PNG', "got 68 65"),
            "nothing": ({"1.png": b""}, '1.png" is no PNG', "got nothing"),
            "cut": ({"1.png": good, "2.png": good[:-20]}, '2.png" is cut off', "Copy or write it again"),
            "damaged": ({"1.png": good, "2.png": good[:900] + b"\0\1\2" + good[903:]}, '2.png" is damaged', "checksum"),
        }  # fmt: skip
        for name, (files, *words) in folders.items():
            for file, content in files.items():
                path = self.folder / "bad" / name / file
                path.parent.mkdir(parents=True, exist_ok=True)
                if isinstance(content, bytes):
                    path.write_bytes(content)
                else:
                    self.write_png(path, content)
            call = f"examples/depth-folder.sh --disparity-scale 1 --out bad-out bad/{name}"
            self.must_refuse(call, *words, statuses=(1,))
        # Right checksums, and no samples, or filters that there are not.
        call = "examples/depth-folder.sh --depth-mm --out bad-out"
        for body in (b"no zlib stream" * 3, zlib.compress(b"\0" * 61), zlib.compress(b"\x09" + b"\0" * 60),
                     zlib.compress((b"\x09" + b"\0" * 60) * 20)):  # fmt: skip
            self.write_garbled("bad/garbled/1.png", body)
            words = '1.png" cannot be decoded', "expected 30x20 pixels", "Write it again"
            self.must_refuse(f"{call} bad/garbled", *words, statuses=(1,))
        (self.folder / "bad/dangling").mkdir()
        (self.folder / "bad/dangling/1.png").symlink_to("nowhere.png")
        self.must_refuse(f"{call} bad/dangling", 'Cannot open "bad/dangling/1.png"', statuses=(1,))

    def depth_folder_waits_for_reasons(self):
        """A bin fails its change of state before an error is on its bus: here long before."""
        self.write_garbled("late/1.png", b"body")
        program = workplace.ROOT / "examples/python"
        code = f"""
import sys, time
sys.path.insert(0, {str(program)!r})
import depth_pictures as d
gst, _ = d.gstreamer()
def hold(bus, message):
    if message.type == gst.MessageType.ERROR:
        time.sleep(0.2)
    return gst.BusSyncReply.PASS
class Held(d._Reader):
    def __enter__(self):
        self.pipeline.get_bus().set_sync_handler(hold)
        return self
d._Reader = Held
try:
    d.Pictures(["late"])
except d.Refused as error:
    print(error)
"""
        text = self.must_run([sys.executable, "-c", code])
        return "" if '1.png" cannot be decoded' in text else text or "nothing is refused"

    def depth_folder_calibration(self):
        """With a calibration segments have points in metres."""
        text = """P0: 100 0 79.5 0 0 100 59.5 0 0 0 1 0\nP1: 100 0 79.5 -54 0 100 59.5 0 0 0 1 0\n"""
        (self.folder / "p.txt").write_text(text)
        self.must_run("examples/depth-folder.sh --calibration p.txt --frames 2 --out metres depth")
        for line in self.frames_of("metres"):
            camera = line["camera"]
            if (camera["focal-length"], camera["baseline"], camera["measures"]) != (100, 0.54, "disparity"):
                return str(camera)
            for column, points in zip(line["columns"], line["points"], strict=True):
                for (_, _, first, _), point in zip(column, points, strict=True):
                    if abs(point[2] - 54 / (first / 256)) > 1e-4 * point[2]:
                        return f"{point} of the value {first}"
        for number, frame in enumerate(self.metric_frames()[:2]):
            self.write_png(self.folder / f"mm-camera/{number}.png", frame.astype(">u2"))
        for camera in ("--calibration p.txt", "--set focal-length=100"):
            self.must_run(f"examples/depth-folder.sh --depth-mm {camera} --out metres mm-camera")
            for line in self.frames_of("metres"):
                for column, points in zip(line["columns"], line["points"], strict=True):
                    for (_, _, first, _), point in zip(column, points, strict=True):
                        if abs(point[2] - 1000 / first) > 1e-4 * point[2]:
                            return f"{camera}: {point} of the inverse depth {first}"
        return self.depth_folder_units()

    def depth_folder_units(self):
        """Metres are in the unit that an option or the calibration says, which is the same."""
        camera = '{"size": [160, 120], "focal-length": 100.0, "measures": "%s", "%s-unit": %s}'
        for name, text in {"mm": camera % ("depth", "depth", "0.001"), "tum": camera % ("depth", "depth", "0.0002"),
                           "px": camera % ("disparity", "disparity", "0.00390625"),
                           "line": '{"frame": 1, "camera": ' + camera % ("depth", "depth", "0.0002") + "}",
                           "none": '{"size": [160, 120], "focal-length": 100.0}'}.items():  # fmt: skip
            (self.folder / f"{name}.json").write_text(text)
        script = "examples/depth-folder.sh --make metres --out units mm-camera"
        for options, unit in (("--calibration tum.json", 0.0002), ("--calibration line.json", 0.0002),
                              ("--calibration mm.json --depth-mm", 0.001), ("--set calibration=tum.json", 0.0002),
                              ("--calibration none.json --depth-unit 0.0002", 0.0002),
                              ("--calibration none.json --set depth-unit=0.0002", 0.0002)):  # fmt: skip
            self.must_run(f"{script} --frames 1 {options}")
            (line,) = self.frames_of("units")
            if line["camera"]["depth-unit"] != unit or abs(line["inverse-scale"] * unit / 1000 - 1) > 1e-9:
                return f"{options}: {line['camera']}"
        for options, word in (("--calibration tum.json --depth-mm", "tum.json says depth, 0.0002 m a step, but --depth-mm"),
                              ("--calibration tum.json --set depth-unit=0.001", "but --set depth-unit=0.001 says"),
                              ("--set focal-length=100 --depth-mm --set depth-unit=0.0002", "--depth-mm says depth, 0.001"),
                              ("--set focal-length=100 --set depth-unit=much", "--set depth-unit: expected a number"),
                              ("--calibration px.json --depth-unit 0.0002", "px.json says disparity, 0.00390625 px a step"),
                              ("--calibration none.json", "--depth-mm or --depth-unit 0.0002"),
                              ("--set focal-length=100 --make ply", "--depth-mm or --depth-unit 0.0002"),
                              ("--make planes", "--depth-mm or --depth-unit 0.0002")):  # fmt: skip
            self.must_refuse(f"{script} {options}", word, statuses=(2,))
        return ""

    def depth_folder_makes(self):
        """Planes, metres, PLY and films, of ten odd names; what is written of each is of its file."""
        names = ["a 1.png", "a 2.png", "a 10.png", "b.PNG", "b1.png", "b1x.png", "b02.png", "c%d.png", "c%s.png", "c_.png"]
        for name, frame in zip(names, self.metric_frames()):
            self.write_png(self.folder / "odd" / name, frame.astype(">u2"))
        (self.folder / "p.txt").write_text("P0: 92.75 0 79.5 0 0 92.75 54.74 0 0 0 1 0\nP1: 92.75 0 79.5 -50 0 92.75 54.74 0 0 0 1 0\n")
        call = "examples/depth-folder.sh --depth-mm --calibration p.txt --out odd-out odd --make "
        for make, file in (("segments", "segments"), ("metres", "segments"), ("planes", "planes"), ("mp4", "segments")):
            text = self.must_run(call + make)
            lines = [json.loads(line) for line in open(self.folder / f"odd-out/{file}.jsonl")]
            if [line["file"] for line in lines] != names or "10 frames" not in text:
                return f"{make}: {[line['file'] for line in lines]}, {text}"
            if make != "mp4" and len(list((self.folder / "odd-out").glob("overlay-*.png"))) != 10:
                return f"{make}: no pictures"
            if make != "planes" and not all("points" in line for line in lines):
                return f"{make}: no points"
            if make == "planes" and not all(line["calibrated"] for line in lines):
                return f"{make}: without the camera"
        self.must_run(call + "ply")
        plys = sorted((self.folder / "odd-out").iterdir())
        if [path.name for path in plys] != [f"frame-{number:05d}.ply" for number in range(10)]:
            return f"ply: {plys}"
        return ""

    def depth_folder_films(self):
        """With each encoder that is there, of odd sides; without any, its package is named."""
        for number, frame in enumerate(self.depth_frames()[:5, :79, :81]):
            self.write_png(self.folder / f"odd-sides/{number}.png", frame.astype(">u2"))
        program = workplace.ROOT / "examples/python"
        call = ["--make", "mp4", "--disparity-scale", "0.00390625", "--out", "film", "odd-sides"]
        code = (f"import sys; sys.path.insert(0, {str(program)!r}); import depth_folder as d; sys.argv[0] = 'x'; "
                "d.ENCODERS = {k: v for k, v in d.ENCODERS.items() if k == sys.argv[1]} or {'no': ('no', 'its-package')}; "
                "del sys.argv[1]; sys.exit(d.main())")  # fmt: skip
        made = 0
        for name in ("x264enc", "openh264enc", "avenc_mpeg4", "none"):
            result = self.run([sys.executable, "-c", code, name, *call])
            if result.returncode == 1 and "no encoder for --make mp4" in result.stderr:
                if name == "none" and "no (its-package)" not in result.stderr:
                    return result.stderr
                continue
            if result.returncode or "80x78 of 81x79" not in result.stdout:
                return f"{name}: {result.stdout} {result.stderr}"
            # GStreamer's parser of MPEG-4, which decodebin takes, keeps the last picture.
            decoder = ["qtdemux", "!", "avdec_mpeg4", "!", "videoconvert", "!", "video/x-raw,format=RGBA"]
            decoder = decoder if name == "avenc_mpeg4" else written.REPLAYED["mp4mux"]
            frames = written.replayed(self.folder / "film/overlay.mp4", decoder)
            if [picture.shape[:2] for _, picture in frames] != [(78, 80)] * 5:
                return f"{name}: {[picture.shape for _, picture in frames]}"
            made += 1
        print(f"# films by {made} encoders", flush=True)
        for width, height in ((17, 15), (2, 40)):
            folder = self.folder / f"small-{width}"
            self.write_png(folder / "1.png", self.depth_frames()[0, :height, :width].astype(">u2"))
            words = [sys.executable, str(program / "depth_folder.py"), *call[:-1], str(folder)]
            self.must_refuse(words, f"16x16 pixels or more, got {width}x{height}", statuses=(1,))
        return ""

    def depth_folder_without_gi(self):
        """A Python that lacks PyGObject is told what to install."""
        self.must_lack(workplace.ROOT / "examples/python/depth_folder.py", "gi", "python3-gi", call=["depth"])

    def raw_files(self):
        """Rows of an odd width, with and without something behind them, and in both byte orders."""
        frames = self.depth_frames()[:, :, :77].copy()
        padded = np.full((*frames.shape[:2], 80), 9, np.uint16)
        padded[:, :, :77] = frames
        calls = {"tight": (frames, ""), "padded": (padded, "--stride 160"),
                 "big": (frames.byteswap(), "--format GRAY16_BE")}  # fmt: skip
        results = {}
        for name, (samples, options) in calls.items():
            samples.tofile(self.folder / f"{name}.raw")
            self.must_run(
                f"examples/raw-files.sh --width 77 --height {workplace.HEIGHT} --frames 5 "
                f"--scale 0.00390625 {options} --out {name} {name}.raw"
            )
            results[name] = [f["columns"] for f in self.frames_of(name)]
        parameters = oracle.Parameters(sample_scale=1 / 256)
        want = [oracle.segments(*oracle.filtered(f, parameters), parameters) for f in frames[:5]]
        wrong = [name for name, got in results.items() if got != want]
        return f"{wrong} differ from the samples" if wrong else ""

    def window(self):
        self.must_run("examples/depth-folder.sh --sink fakesink depth")
        del_display = {**self.environment, "DISPLAY": "", "WAYLAND_DISPLAY": ""}
        words = ["examples/depth-folder.sh", "depth"]
        result = programs.run(words, timeout=TIMEOUT, cwd=self.folder, env=del_display)
        good = result.returncode == 1 and "--out" in result.stderr
        return "" if good else f"without a display: {result.returncode}, {result.stderr}"

    def make_pictures(self):
        """The documentation's pictures of the street are those that the elements draw today."""
        self.must_run("examples/make-pictures.sh pictures")
        for name in ("street-depth", "street-segments", "street-classes", "planes", "tracks", "motion"):
            paths = self.folder / "pictures" / f"{name}.png", workplace.ROOT / "docs/images" / f"{name}.png"
            pictures = [written.decoded(path) for path in paths]
            if not np.array_equal(pictures[0][1], pictures[1][1]):
                return f"docs/images/{name}.png is another picture: run examples/make-pictures.sh"
        # Put together and scaled by others, whose versions may differ by a step.
        for name in ("street-pair", "room", "crowd", "stereo", "heights", "obstacles", "desk"):
            path = self.folder / "pictures" / f"{name}.png"
            if name == "desk" and not path.exists():
                continue  # its frame is recorded, and there is none
            made = written.decoded(path)[1]
            kept = written.decoded(workplace.ROOT / "docs/images" / f"{name}.png")[1]
            if made.shape != kept.shape or np.abs(made.astype(int) - kept).mean() > 1:
                return f"docs/images/{name}.png is another picture: run examples/make-pictures.sh"
        made = {path.name for path in (self.folder / "pictures").iterdir()}
        pages = [(workplace.ROOT / f"docs/{name}.md").read_text() for name in ("concepts", "depthfilter")]
        figures = set(re.findall(r"images/([\w.-]+)", "".join(pages)))
        if figures & made and figures - made:  # none at all: no matplotlib
            return f"examples/make-pictures.sh does not make {figures - made}"
        return ""

    def blacklisted(self):
        """A plugin whose library is missing, and then is there: the page says how to get it loaded."""
        if self.environment.get("GST_REGISTRY_FORK") == "no":
            return ""  # without the scanner no plugin is blacklisted: sanitizers and emulators
        broken = self.folder / "broken"
        plugins, home = broken / "gst/elements", broken / "home"
        plugins.mkdir(parents=True)
        home.mkdir()
        shutil.copy(self.build / "gst/elements/libgstrdpsegment.so", plugins)
        paths = self.environment["LD_LIBRARY_PATH"].split(":")
        environment = {
            **{k: v for k, v in self.environment.items() if k not in ("GST_REGISTRY", "XDG_CACHE_HOME")},
            "HOME": str(home), "GST_PLUGIN_SYSTEM_PATH": "", "GST_PLUGIN_PATH": str(plugins),
            "LD_LIBRARY_PATH": ":".join(p for p in paths if not p.startswith(str(self.build))),
            "BUILD": str(broken), "LC_ALL": "C.UTF-8",
        }  # fmt: skip

        def shell(command):
            words = ["bash", "-c", command]
            result = programs.run(words, timeout=TIMEOUT, cwd=self.folder, env=environment)
            return result.returncode, result.stdout + result.stderr

        if "not found" not in shell(f"ldd {plugins}/libgstrdpsegment.so | grep libgstrdpsegment-1.0")[1]:
            return ""  # the library is installed as well, and cannot be missing
        page = (workplace.ROOT / "docs/troubleshooting.md").read_text()
        (block,) = re.findall(r"```text\n(gst-inspect-1.0 -b\n.*?)```", page, re.DOTALL)
        listed, why, forget = block.replace("/tmp/", f"{broken}/").splitlines()
        inspect = "gst-inspect-1.0 rdpsegment"
        missing = "libgstrdpsegment-1.0.so.0: cannot open shared object file"
        script = "examples/depth-folder.sh depth"
        (broken / "gst/lib").symlink_to(self.build / "gst/rdpsegment")
        mend = f"mv {broken}/gst/lib {broken}/gst/rdpsegment"  # the plugin's file stays as it is
        for command, fails, word in (
            (inspect, True, "No such element"), (listed, False, "libgstrdpsegment.so"), (why, True, missing),
            (mend, False, ""), (inspect, True, "No such element"), (script, True, "blacklisted"),
            (forget, False, ""), (inspect, False, "Factory Details"), (listed, False, "0 blacklisted"),
        ):  # fmt: skip
            status, text = shell(command)
            if bool(status) != fails or word not in text:
                return f"{command}: status {status}, {text!r}, expected {word!r}"
        return ""

    def slips(self):
        """docs/rdpsegment.md: what GStreamer says of a slip in a pad's properties, and where."""
        pipeline = ("gst-launch-1.0 -q depthtestsrc num-buffers=1 ! rdpsegment name=s overlay::style=clases "
                    "overlay::stile=classes s.overlay ! fakesink s.src ! fakesink")  # fmt: skip
        said = self.run(pipeline).stderr
        if said.strip():
            return f"{said!r}: the page says that nothing is said"
        said = self.run(f"env GST_DEBUG=2 GST_DEBUG_NO_COLOR=1 {pipeline}").stderr
        return "" if "overlay::stile" in said and 'property "style"' in said else f"GST_DEBUG=2: {said!r}"

    def quickstart(self):
        """What it runs and says; that it installs and builds is what tests/chroot.sh looks at."""
        text = self.must_run("examples/quickstart.sh --no-build --frames 3 --out quick")
        frames = self.frames_of("quick")
        written.look_at_picture(self.folder / "quick/stereo-disparity.png", (1242, 375))
        good = len(frames) == 3 and "segments a column" in text and "stereo-disparity.png" in text
        return "" if good else text

    def segment_file(self):
        program = self.build / "examples/segment_file"
        text = self.must_run([program, "--frames=3"])
        text += self.must_run([program, "depth/000000.png"])
        if text.count(" segments, ") != 4:
            return text
        for wrong in (["missing.png"], ["depth.raw"], ["a", "b"], ["--epsilon=-1"]):
            self.must_refuse([program, *wrong], "\n")  # it says something
        return ""

    def mcap_segments_refuses(self):
        """Files without segments, and what is no file; the page's commands are run elsewhere."""
        program = [sys.executable, workplace.ROOT / "examples/python/mcap_segments.py"]
        magic = b"\x89MCAP0\r\n"
        for name, data, words in (("no.mcap", None, "cannot be read: No such file"), ("a.mcap", b"a", "is no MCAP file"),
                                  ("none.mcap", magic + magic, "has no segments: put rdpsegment")):  # fmt: skip
            if data is not None:
                (self.folder / name).write_bytes(data)
            self.must_refuse([*program, name], f"{name} {words}", statuses=(1,))
        return ""

    def stereo(self):
        """The wall at disparity 12 and the box at 30, in 1/16 px."""
        program = self.build / "examples/stereo_segment"
        self.must_run([program, "--disparities=64", "--out=stereo", "left.png", "right.png"])
        (line,) = self.frames_of("stereo")
        for column, first, last, disparity in ((100, 20, 220, 12), (190, 90, 170, 30)):
            values = [value / 16 for s in line["columns"][column]
                      for row, value in zip(range(s[0], s[1] + 1), np.linspace(s[2], s[3], s[1] + 1 - s[0]))
                      if first <= row < last]  # fmt: skip
            if not values or abs(np.median(values) - disparity) > 0.5:
                return f"column {column}: disparity {np.median(values)}, expected {disparity}"
        for wrong in (["left.png"], ["left.png", "depth"], ["left.png", "depth/000000.png"], ["a", "b"]):
            self.must_refuse([program, *wrong], "stereo_segment: ", statuses=(1,))
        return ""

    def plot_column(self):
        (self.folder / "broken.json").write_text('{"fx": [1 2')
        program = [sys.executable, workplace.ROOT / "examples/python/plot_column.py"]
        raw = "rawvideoparse width=160 height=120 format=gray16-le"
        self.must_run([*program, "--help"])
        pictures = (
            ("column.png", "in px", ["--column=900"]),
            ("mine.png", "in px", ["--out=mine.png", f"filesrc location=depth.raw ! {raw}"]),
            ("metres.png", "in m", ["--out=metres.png", "--metres"]),
            ("own.png", "in m", ["--out=own.png", "--metres", "--focal-length=100", "--baseline=0.54",
                                 f"filesrc location=depth.raw ! {raw}"]),
            ("inverse.png", "in 1/km", ["--out=inverse.png", "--domain=inverse",
                                        f"filesrc location=depth-mm.raw ! {raw}"]),
            ("u.png", "in 5e+06 / sample", ["--out=u.png", "--domain=inverse", "--inverse-scale=5e6",
                                            f"filesrc location=depth-mm.raw ! {raw}"]),
            ("kitti.png", "in m", ["--out=kitti.png", "--metres", "--calibration=calibration.txt",
                                   f"filesrc location=depth.raw ! {raw}"]),
            ("gray.png", "in px", ["--out=gray.png", "--scale=1", "depthtestsrc ! video/x-raw,format=GRAY8"]),
        )  # fmt: skip
        for picture, unit, arguments in some(pictures):
            text = self.must_run([*program, *arguments])
            if (self.folder / picture).stat().st_size < 5000 or picture not in text or unit not in text:
                return f"{picture}: {text}"
        refused = (
            ("--column is 0 to 1241", ["--column=1242"]),
            ("nosuchsrc", ["nosuchsrc"]),
            ("missing.raw", ["filesrc location=missing.raw"]),
            ("can't handle caps", ["videotestsrc ! video/x-raw,format=RGB"]),
            ("syntax error", ["depthtestsrc ! !"]),
            ("no frame", ["depthtestsrc num-buffers=0"]),
            ("nowhere/column.png", ["--out=nowhere/column.png"]),
            ("column.docx", ["--out=column.docx"]),
            ("--epsilon", ["--epsilon=-1"]),
            ("--epsilon", ["--epsilon=nan"]),
            ("--scale", ["--scale=0"]),
            ("--inverse-scale", ["--domain=inverse", "--inverse-scale=0"]),
            ("--domain inverse", ["--inverse-scale=5"]),
            ("--focal-length", ["--metres", "--baseline=0.5", "--focal-length=0"]),
            ("baseline", ["--metres", "--focal-length=100", f"filesrc location=depth.raw ! {raw}"]),
            ("nothing.json", ["--metres", "--calibration=nothing.json"]),
            # Exceptions pass frames of C++ there, with matplotlib's runtime beside GStreamer's.
            ("broken.json", ["--metres", "--calibration=broken.json"]),
            ("no camera", ["--metres", f"filesrc location=depth.raw ! {raw}"]),
        )
        for word, wrong in some(refused):
            self.must_refuse([*program, *wrong], word)
        for module in ("numpy", "gi", "matplotlib", "rdpsegment"):
            self.must_lack(program[1], module, module)
        return ""

    def plot_trails(self):
        program = [sys.executable, workplace.ROOT / "examples/python/plot_trails.py"]
        self.must_run([*program, "--help"])
        source = "depthtestsrc view=left pattern=traffic num-buffers=6 ! video/x-raw,width=160,height=120"
        text = self.must_run([*program, "--out=mine.png", "--shortest=3", "--properties=cell=8 levels=3", source])
        found = re.fullmatch(r"mine.png: (\d+) of (\d+) features have 3 frames or more\n", text)
        if not found or not 20 < int(found[1]) < int(found[2]) or (self.folder / "mine.png").stat().st_size < 5000:
            return text
        for word, wrong in (
            ("nosuchsrc", ["nosuchsrc"]),
            ("could not link", ["videotestsrc ! video/x-raw,format=RGB"]),
            ("levels", ["--properties=levels=x"]),
            ("Cannot write nowhere/t.png", ["--frames=2", "--out=nowhere/t.png"]),
            ("at least 1, not '0'", ["--frames=0", source]),
            ("at least 1, not '-1'", ["--shortest=-1", source]),
        ):
            self.must_refuse([*program, *wrong], word)
        return ""

    def comparison(self, script, lines):
        """The times of each method, or what is missing."""
        program = workplace.ROOT / "examples/python" / script
        self.must_run([sys.executable, program, "--help"])
        result = self.run([sys.executable, program, "--frames=3", "--width=320", "--height=120"])
        if importlib.util.find_spec("cv2") is None:
            good = result.returncode == 1 and "python3-opencv" in result.stderr
        else:
            good = result.returncode == 0 and len(result.stdout.splitlines()) == lines and "nan" not in result.stdout
        return "" if good and "Traceback" not in result.stderr else f"{result.returncode}, {result.stdout}{result.stderr}"

    def count_people(self):
        """Who stands in one of two halves is counted in one of them."""
        program = [sys.executable, workplace.ROOT / "examples/python/count_people.py"]
        self.must_run([*program, "--help"])
        crowd = "depthtestsrc pattern=crowd view=left num-buffers=2 people=20 view-index={} ! video/x-raw,width=390,height=310"
        views = [crowd.format(view) for view in range(3)]
        halves = ["--area=west: -9,-9 0,-9 0,9 -9,9", "--area=east side: 0,9 9,9 9,-9 0,-9"]
        lines = self.must_run([*program, *halves, *views]).splitlines()
        for number, line in enumerate(lines):
            found = re.fullmatch(rf"frame {number}: (\d+) people: west (\d+), east side (\d+)", line)
            if not found or int(found[1]) != int(found[2]) + int(found[3]) or not 12 < int(found[1]) < 28:
                return "\n".join(lines)
        if len(lines) != 2 or min(int(found[2]), int(found[3])) == 0:
            return "\n".join(lines)
        if self.must_run([*program, *views[:2]]).count(" people\n") != 2:
            return "without areas"
        # All walk along Y, at 1.4 m/s for 1 s, in loops that are 9 m long: some 6 in each direction.
        last = self.must_run([*program, "--line=middle: -3,0 3,0", "--line=outside: 9,0 3,0"]).splitlines()[-1]
        found = re.fullmatch(r"frame 9: \d+ people: middle (\d+) left (\d+) right, outside 0 left 0 right", last)
        if not found or not all(2 <= int(number) <= 12 for number in found.groups()):
            return last
        for word, wrong in (
            ("nosuchsrc", ["nosuchsrc"]),
            ("three corners", ["--area=west: 0,0 1,1"]),
            ("three corners", ["--area=0,0 1,1 2,0"]),
            ("three corners", ["--area=west: 0,0 1,1 2,x"]),
            ("two places", ["--line=gate: 0,0 1,1 2,2"]),
            ("places that differ", ["--line=gate: 1,1 1,1"]),
            ("iterations", ["--properties=iterations=x"]),
        ):
            self.must_refuse([*program, *wrong], word)
        return ""

    def camera_program(self, script, module, slips):
        """The metres of the stand-in's scene, a camera that is missing or unplugged, and slips in its module's names."""
        program = workplace.ROOT / "examples/python" / script
        here = pathlib.Path(__file__).resolve().parent / "cameras"
        sys.path.insert(0, str(here))
        import scene

        def call(path, *words, unit="0.001"):
            environment = {**self.environment, "RDP_DEPTH_UNIT": unit,
                           "PYTHONPATH": f"{here}:{self.environment['PYTHONPATH']}"}  # fmt: skip
            return programs.run([sys.executable, path, *words], timeout=TIMEOUT, cwd=self.folder, env=environment)

        self.must_run([sys.executable, program, "--help"])
        pattern = r"camera above the ground: ([\d.]+) m, nearest obstacle: ([\d.]+) m"
        for unit in ("0.001", "0.0001") if "realsense" in script else ("0.001",):
            result = call(program, "--frames=4", unit=unit)
            lines = result.stdout.splitlines()
            found = [re.fullmatch(pattern, line) for line in lines[:-1]]
            if result.returncode or len(found) != 4 or not all(found) or lines[-1] != "stopped":
                return f"status {result.returncode}, {result.stdout}{result.stderr}"
            for number, metres in enumerate(found):
                height, nearest = map(float, metres.groups())
                if abs(height - scene.CAMERA_HEIGHT) > 0.02 or abs(nearest - scene.box_at(number)) > 0.02:
                    return f"unit {unit}, frame {number}: {metres[0]}, expected {scene.box_at(number):.2f} m"
        result = call(program)
        if result.returncode != 1 or result.stdout.count("nearest") != scene.FRAMES or "Traceback" in result.stderr:
            return f"unplugged: status {result.returncode}, {result.stdout}{result.stderr}"
        result = call(program, unit="0")
        if result.returncode != 1 or "camera: No " not in result.stderr or "Traceback" in result.stderr:
            return f"no camera: status {result.returncode}, {result.stderr}"
        self.must_lack(program, module, f"Something is missing: import of {module}", f"pip install {module}", "python3-gi")
        for right, wrong in slips:
            text = program.read_text()
            slip = self.folder / "slip.py"
            slip.write_text(text.replace(right, wrong))
            result = call(slip, "--frames=1")
            if text.count(right) != 1 or result.returncode == 0 or "Error: " not in result.stderr:
                return f"{wrong}: status {result.returncode}, {result.stdout}{result.stderr}"
        return ""

    def realsense_program(self):
        return self.camera_program("realsense.py", "pyrealsense2", [
            ("rs.stream.depth, rs.format.z16, 30", "rs.stream.depth, 848, 480"),
            (".as_video_stream_profile()", ""),
            ("depth.get_data()", "depth.get_array()"),
            ("np.asanyarray(depth.get_data())", "depth.get_data().astype(int)"),
        ])  # fmt: skip

    def depthai_program(self):
        return self.camera_program("depthai_camera.py", "depthai", [
            ("dai.node.Camera", "dai.node.MonoCamera"),  # as in version 2
            ("CAM_B, dai.CameraBoardSocket.CAM_C", "CAM_B, 2"),
            ("AlgorithmControl.DepthUnit.MILLIMETER", "AlgorithmControl.MILLIMETER"),
            ("maxSize=2", "size=2"),
        ])  # fmt: skip

    def robot_program(self, script, lacking):
        """The lines that a program with stand-ins for a robot's modules prints for a room; no module is said."""
        program = workplace.ROOT / "examples/python" / script
        here = pathlib.Path(__file__).resolve().parent / "robots"
        self.must_run([sys.executable, program, "--help"])
        self.must_lack(program, lacking, f"Something is missing: import of {lacking}")
        environment = {**self.environment, "PYTHONPATH": f"{here}:{self.environment['PYTHONPATH']}"}
        result = programs.run([sys.executable, program], timeout=TIMEOUT, cwd=self.folder, env=environment)
        if result.returncode or not result.stdout:
            raise RuntimeError(f"status {result.returncode}, {result.stdout}{result.stderr}")
        return [json.loads(line) for line in result.stdout.splitlines()]

    def ros2_program(self):
        """A scan and a grid of each frame, with the same nearest obstacle."""
        lines = self.robot_program("obstacles_ros2.py", "rclpy")
        for scan, grid in zip(lines[::2], lines[1::2], strict=True):
            if (scan["topic"], grid["topic"]) != ("scan", "local_costmap") or len(scan["ranges"]) != 360:
                return f"{scan}, {grid}"
            ranges = np.array(scan["ranges"])
            nearest = np.nanargmin(ranges)
            angle = scan["angle_min"] + scan["angle_increment"] * nearest
            cells = np.array(grid["data"]).reshape(grid["info"]["height"], grid["info"]["width"])
            row, column = np.nonzero(cells == 100)
            size, origin = grid["info"]["resolution"], grid["info"]["origin"]["position"]
            x, y = origin["x"] + size * (column + 0.5), origin["y"] + size * (row + 0.5)
            place = ranges[nearest] * math.cos(angle), ranges[nearest] * math.sin(angle)
            if np.hypot(x - place[0], y - place[1]).min() > 2 * size:
                return f"the nearest obstacle is at {place}, and no cell is occupied there"
        return ""

    def mavlink_program(self):
        """72 bearings from the left, which are those of the scan."""
        for message in self.robot_program("obstacles_mavlink.py", "pymavlink"):
            known = [cm for cm in message["distances"] if cm <= message["most"]]
            if (message["step"], message["offset"], message["frame"]) != (2.5, -88.75, 12) or len(known) < 10:
                return str(message)
        text = self.must_run(["gst-launch-1.0", "-q", *shlex.split(
            "depthtestsrc pattern=room num-buffers=1 ! depthplanes ! depthobstacles scan-bins=72 ! rdpmetaconvert ! "
            "filesink location=scan.jsonl")])  # fmt: skip
        scan = json.loads((self.folder / "scan.jsonl").read_text())["obstacles"]["scan"]
        first = self.robot_program("obstacles_mavlink.py", "pymavlink")[0]["distances"]
        for cm, metres, state in zip(first, scan["ranges"][::-1], scan["states"][::-1], strict=True):
            if cm != (round(100 * float(np.float32(metres))) if metres is not None else 65535 if state == "u" else 1001):
                return f"{text}{cm} cm of {metres} m, {state}"
        return ""

    def python_lacks(self):
        """What plot_column.py needs and is not there."""
        probe = "import gi, matplotlib; gi.require_version('GstRdpSegment', '1.0')"
        result = self.run([sys.executable, "-c", probe])
        return result.stderr.strip().splitlines()[-1] if result.returncode else ""


def cases(examples):
    """(name, function without arguments) of each test."""
    scripts = sorted(p.name for p in (workplace.ROOT / "examples").glob("*.sh"))
    for script in scripts:
        if script not in ("common.sh", "depth-source.sh"):
            yield f"{script} --help", lambda s=script: examples.helps(s)
    for call, word in some(c for c in REFUSED if examples.reads_png or "depth-folder" not in c[0]):
        yield f"{call}: refused", lambda c=call, w=word: examples.must_refuse(f"examples/{c}", w)
    for call in some(CAMERAS):
        yield f"{call}, to files", lambda c=call: examples.camera(c, "--out x")
        yield f"{call}, in a window", lambda c=call: examples.camera(c, "")
    if examples.reads_png:
        yield "depth-folder.sh", examples.depth_folder
        yield "depth-folder.sh with options", examples.depth_folder_options
        yield "depth-folder.sh tells depth from disparity", examples.depth_folder_recognises
        yield "depth-folder.sh on bad pictures", examples.depth_folder_refuses
        yield "depth-folder.sh waits for what was wrong", examples.depth_folder_waits_for_reasons
        yield "depth-folder.sh with a calibration", examples.depth_folder_calibration
        yield "depth-folder.sh makes planes, metres, PLY and MP4", examples.depth_folder_makes
        yield "depth-folder.sh --make mp4", examples.depth_folder_films
        yield "depth-folder.sh without PyGObject", examples.depth_folder_without_gi
        yield "depth-folder.sh in a window", examples.window
    yield "raw-files.sh", examples.raw_files
    if (examples.build / "examples/segment_file").exists():
        yield "segment_file", examples.segment_file
    if (examples.build / "examples/stereo_segment").exists():
        yield "stereo_segment", examples.stereo
    if not examples.python_lacks():
        yield "mcap_segments.py on files without segments", examples.mcap_segments_refuses
        yield "plot_column.py", examples.plot_column
        yield "plot_trails.py", examples.plot_trails
        yield "compare_stereo.py", lambda: examples.comparison("compare_stereo.py", 5)
        yield "compare_tracks.py", lambda: examples.comparison("compare_tracks.py", 4)
        yield "count_people.py", examples.count_people
        yield "realsense.py, with a stand-in for its camera", examples.realsense_program
        yield "depthai_camera.py, with a stand-in for its camera", examples.depthai_program
        yield "obstacles_ros2.py, with stand-ins for ROS 2", examples.ros2_program
        yield "obstacles_mavlink.py, with a stand-in for pymavlink", examples.mavlink_program
    yield "make-pictures.sh", examples.make_pictures
    yield "docs/troubleshooting.md, when the element is not found", examples.blacklisted
    yield "a slip in a pad's properties", examples.slips
    yield "quickstart.sh", examples.quickstart


def main(build):
    tap = Tap()
    print(f"# SEED={SEED}", flush=True)
    with tempfile.TemporaryDirectory(prefix="rdpsegment-") as name:
        examples = Examples(build, pathlib.Path(name))
        for title, test in cases(examples):
            try:
                wrong = test()
            except Exception as error:  # whatever it is, the case has failed and the next one runs
                wrong = f"{type(error).__name__}: {error}"
            tap.check(title, wrong)
        if not examples.reads_png:
            tap.skip("depth-folder.sh", "built without libpng")
        if examples.python_lacks():
            tap.skip("plot_column.py", examples.python_lacks())
    return tap.done()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
