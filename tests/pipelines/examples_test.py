#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs every script and program of examples/ and looks at what it writes.

Usage: examples_test.py BUILD_DIRECTORY

Those that need a camera are run with --dry-run and their pipeline is parsed. Reports in TAP.
"""

import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import oracle
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
    ("png-folder.sh", "folder"),
    ("png-folder.sh nowhere", "neither"),
    ("png-folder.sh empty", "no .png"),
    ("png-folder.sh --epsilon four depth", "--epsilon"),
    ("png-folder.sh --start 99 depth", "no file"),
    ("png-folder.sh --frames", "needs a value"),
    ("png-folder.sh --frames 0 depth", "at least 1"),
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


class Examples:
    def __init__(self, build, folder):
        self.build = pathlib.Path(build).resolve()
        self.folder = folder
        self.environment = workplace.environment(folder, self.build)
        (folder / "empty").mkdir()

    def run(self, command):
        return subprocess.run(
            command if isinstance(command, list) else shlex.split(command), cwd=self.folder,
            env=self.environment, timeout=TIMEOUT, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, errors="replace",
        )  # fmt: skip

    def must_run(self, command):
        result = self.run(command)
        if result.returncode:
            raise RuntimeError(f"{command}: status {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout

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

    # Each test returns what is wrong, or raises.

    def helps(self, script):
        text = self.must_run(f"examples/{script} --help")
        return "" if text.startswith("Usage: examples/") else text

    def refused(self, call, word):
        result = self.run(f"examples/{call}")
        if result.returncode not in (1, 2) or word not in result.stderr:
            return f"status {result.returncode}, says {result.stderr!r}, expected {word!r}"
        return ""

    def camera(self, call, out):
        words = shlex.split(self.must_run(f"examples/{call} --dry-run {out}"))
        if words[0] != "gst-launch-1.0":
            return f"printed {words[0]}"
        stand_ins.parse(words[1:])
        return ""

    def png_folder(self):
        """The pictures' values must reach rdpsegment unchanged."""
        self.must_run("examples/png-folder.sh --epsilon 2 --out png depth")
        parameters = oracle.Parameters(epsilon=2.0, sample_scale=1 / 256)
        for frame, line in zip(self.depth_frames(), self.frames_of("png"), strict=True):
            if line["columns"] != oracle.segments(*oracle.filtered(frame, parameters), parameters):
                return f"frame {line['frame']} differs from its samples"
        return ""

    def png_pattern(self):
        self.must_run("examples/png-folder.sh --start 4 --frames 3 --out some depth/%06d.png")
        self.must_run("examples/png-folder.sh --out all depth/")
        some, everything = self.frames_of("some"), self.frames_of("all")
        same = [f["columns"] for f in some] == [f["columns"] for f in everything[4:7]]
        return "" if same else f"{len(some)} frames, not those from 4 to 6"

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
        want = [
            oracle.segments(*oracle.filtered(f, parameters), parameters) for f in frames[:5]
        ]
        wrong = [name for name, got in results.items() if got != want]
        return f"{wrong} differ from the samples" if wrong else ""

    def window(self):
        self.must_run("examples/png-folder.sh depth")
        del_display = {**self.environment, "DISPLAY": "", "WAYLAND_DISPLAY": ""}
        result = subprocess.run(
            ["examples/png-folder.sh", "depth"], cwd=self.folder, env=del_display, timeout=TIMEOUT,
            capture_output=True, text=True,
        )  # fmt: skip
        good = result.returncode == 1 and "--out" in result.stderr
        return "" if good else f"without a display: {result.returncode}, {result.stderr}"

    def make_pictures(self):
        """The documentation's pictures of the street are those that the elements draw today."""
        self.must_run("examples/make-pictures.sh pictures")
        for name in ("street-depth", "street-segments", "street-classes"):
            paths = self.folder / "pictures" / f"{name}.png", workplace.ROOT / "docs/images" / f"{name}.png"
            pictures = [written.decoded(path) for path in paths]
            if not np.array_equal(pictures[0][1], pictures[1][1]):
                return f"docs/images/{name}.png is another picture: run examples/make-pictures.sh"
        return ""

    def blacklisted(self):
        """A plugin whose library is missing, and then is there: README says how to get it loaded."""
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
            result = subprocess.run(["bash", "-c", command], cwd=self.folder, env=environment,
                                    capture_output=True, text=True, timeout=TIMEOUT)  # fmt: skip
            return result.returncode, result.stdout + result.stderr

        if "not found" not in shell(f"ldd {plugins}/libgstrdpsegment.so | grep libgstrdpsegment-1.0")[1]:
            return ""  # the library is installed as well, and cannot be missing
        readme = (workplace.ROOT / "README.md").read_text()
        (block,) = re.findall(r"```text\n(gst-inspect-1.0 -b\n.*?)```", readme, re.DOTALL)
        listed, why, forget = block.replace("/tmp/", f"{broken}/").splitlines()
        inspect = "gst-inspect-1.0 rdpsegment"
        missing = "libgstrdpsegment-1.0.so.0: cannot open shared object file"
        script = "examples/png-folder.sh depth"
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

    def quickstart(self):
        """What it runs and says; that it installs and builds is what tests/chroot.sh looks at."""
        text = self.must_run("examples/quickstart.sh --no-build --frames 3 --out quick")
        frames = self.frames_of("quick")
        return "" if len(frames) == 3 and "segments a column" in text else text

    def segment_file(self):
        program = self.build / "examples/segment_file"
        text = self.must_run([program, "--frames=3"])
        text += self.must_run([program, "depth/000000.png"])
        if text.count(" segments, ") != 4:
            return text
        for wrong in (["missing.png"], ["depth.raw"], ["a", "b"], ["--epsilon=-1"]):
            result = self.run([program, *wrong])
            if result.returncode == 0 or not result.stderr.strip():
                return f"{wrong}: status {result.returncode}, {result.stderr!r}"
        return ""

    def stereo(self):
        """The wall at disparity 12 and the box at 30, in 1/16 px."""
        program = self.build / "examples/stereo_segment"
        self.must_run([program, "--disparities=64", "--out=stereo", "left.png", "right.png"])
        (line,) = self.frames_of("stereo")
        for column, first, last, disparity in ((100, 20, 220, 12), (190, 90, 170, 30)):
            values = [
                value / 16
                for s in line["columns"][column]
                for value in np.interp(np.arange(s[0], s[1] + 1), s[:2], s[2:])[
                    max(0, first - s[0]) : max(0, last - s[0])
                ]
            ]
            if not values or abs(np.median(values) - disparity) > 0.5:
                return f"column {column}: disparity {np.median(values)}, expected {disparity}"
        for wrong in (["left.png"], ["left.png", "depth"], ["left.png", "depth/000000.png"], ["a", "b"]):
            result = self.run([program, *wrong])
            if result.returncode != 1 or "stereo_segment: " not in result.stderr:
                return f"{wrong}: status {result.returncode}, {result.stderr!r}"
        return ""

    def plot_column(self):
        program = [sys.executable, workplace.ROOT / "examples/python/plot_column.py"]
        self.must_run([*program, "--help"])
        text = self.must_run([*program, "--column=900"])
        text += self.must_run(
            [*program, "--out=mine.png",
             "filesrc location=depth.raw ! rawvideoparse width=160 height=120 format=gray16-le"]
        )  # fmt: skip
        for picture in ("column.png", "mine.png"):
            if (self.folder / picture).stat().st_size < 5000 or picture not in text:
                return f"{picture}: {text}"
        for wrong in (["--column=1242"], ["nosuchsrc"], ["filesrc location=missing.raw"]):
            result = self.run([*program, *wrong])
            if result.returncode == 0 or "Traceback" in result.stderr:
                return f"{wrong}: status {result.returncode}, {result.stderr!r}"
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
    for call, word in REFUSED:
        yield f"{call}: refused", lambda c=call, w=word: examples.refused(c, w)
    for call in CAMERAS:
        yield f"{call}, to files", lambda c=call: examples.camera(c, "--out x")
        yield f"{call}, in a window", lambda c=call: examples.camera(c, "")
    yield "png-folder.sh", examples.png_folder
    yield "png-folder.sh with a pattern", examples.png_pattern
    yield "png-folder.sh in a window", examples.window
    yield "raw-files.sh", examples.raw_files
    if (examples.build / "examples/segment_file").exists():
        yield "segment_file", examples.segment_file
    if (examples.build / "examples/stereo_segment").exists():
        yield "stereo_segment", examples.stereo
    if not examples.python_lacks():
        yield "plot_column.py", examples.plot_column
    yield "make-pictures.sh", examples.make_pictures
    yield "README, when the element is not found", examples.blacklisted
    yield "quickstart.sh", examples.quickstart


def main(build):
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="rdpsegment-") as name:
        examples = Examples(build, pathlib.Path(name))
        for title, test in cases(examples):
            try:
                wrong = test()
            except Exception as error:  # whatever it is, the case has failed and the next one runs
                wrong = f"{type(error).__name__}: {error}"
            tap.check(title, wrong)
        if examples.python_lacks():
            tap.skip("plot_column.py", examples.python_lacks())
    return tap.done()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
