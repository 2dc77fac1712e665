#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Segments a folder of PNG pictures of disparity or depth, or finds its planes.

examples/depth-folder.sh finds a Python and the elements for it.
"""

import argparse
import json
import math
import os
import pathlib
import shlex
import sys

from depth_pictures import EXPECTED, Pictures, Refused, gstreamer, quoted
from depth_recognition import ROUGH, SMOOTH, recognise, smoothness

NAME = "examples/depth-folder.sh"
TEXT = """
Segments gray PNG pictures of 8 or 16 bits: disparity (KITTI's, Middlebury's) or depth (RealSense,
Kinect, TUM). They may have any names and are read in natural order: 2 before 10. Each line that is
written has the "file" that it is of.

Neither names nor files say what the samples are. --depth-mm, --depth-unit or --disparity-scale does,
or a calibration that is JSON of this project, with "measures" and "depth-unit". Without them this
looks at the first pictures: a slanted plane, such as the ground, is straight in disparity, and in
depth its inverse is. What it finds is said; where it cannot tell, it stops. It does so, too, where
metres are to be made of depth in a unit that nobody has said."""
OVERLAYS, FILM, LINES, PLANES, POINTS = (
    "overlay-%05d.png", "overlay.mp4", "segments.jsonl", "planes.jsonl", "frame-%05d.ply",
)  # fmt: skip
# What --make takes, and what --out has of it.
MAKES = {
    "segments": (LINES, OVERLAYS),
    "metres": (LINES, OVERLAYS),
    "planes": (PLANES, OVERLAYS),
    "ply": (POINTS,),
    "mp4": (LINES, FILM),
}
# The first that is there makes the film; and where it is from.
ENCODERS = {
    "x264enc": ("x264enc", "gstreamer1.0-plugins-ugly"),
    "openh264enc": ("openh264enc bitrate=4000000 ! h264parse", "gstreamer1.0-plugins-bad"),
    "avenc_mpeg4": ("avenc_mpeg4 bitrate=4000000", "gstreamer1.0-libav"),
}


class Parser(argparse.ArgumentParser):
    def format_help(self):
        return "U" + super().format_help()[1:]

    def error(self, message):
        if message.startswith("unrecognized arguments") and ".png" in message.lower():
            message += ". Put -- before files whose names begin with -"
        print(f"{self.prog}: {message}\nsee: {self.prog} --help", file=sys.stderr)
        sys.exit(2)


def whole(smallest):
    def parse(text):
        if not text.isdecimal() or int(text) < smallest:
            raise argparse.ArgumentTypeError(f"a whole number of at least {smallest}, not {text!r}")
        return int(text)

    return parse


def number(above):
    """A finite number; above 0, or at least 0."""

    def parse(text):
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not (value > 0 if above else value >= 0) or value == float("inf"):
            raise argparse.ArgumentTypeError(f"a number {'above 0' if above else 'of 0 or more'}, not {text!r}")
        return value

    return parse


def setting(text):
    if "=" not in text[1:]:
        raise argparse.ArgumentTypeError(f"PROPERTY=VALUE, such as merge=true, not {text!r}")
    return text


def parse_arguments():
    parser = Parser(prog=NAME, description=TEXT.strip(), usage=f"{NAME} [OPTION]... FOLDER|FILE...",
                    formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)  # fmt: skip
    add = parser.add_argument
    add("pictures", nargs="+", metavar="FOLDER|FILE", help="a folder of .png files, or the files")
    add("--make", choices=MAKES, default="segments",
        help="segments; the same in metres; planes; a PLY file of each picture; or an MP4 beside the segments (%(default)s). Metres and PLY need --calibration")  # fmt: skip
    meaning = parser.add_mutually_exclusive_group()
    meaning.add_argument("--depth-mm", action="store_true", help="samples are millimetres of depth")
    meaning.add_argument("--depth-unit", type=number(True), metavar="M",
                         help="samples are depth, M metres a step: 0.00025 (L515), 0.0002 (TUM), 0.00390625 (KITTI's depth)")  # fmt: skip
    meaning.add_argument("--disparity-scale", type=number(True), metavar="S",
                         help="samples are disparity, S pixels a step: 0.00390625 (KITTI), 0.0625 (OpenCV)")  # fmt: skip
    add("--calibration", metavar="FILE", help="the camera's calibration, as rdpsegment's property takes it: segments get points in metres")  # fmt: skip
    add("--epsilon", type=number(False), metavar="E", help="the tolerance of segments (4 px; 10 1/km of inverse depth)")
    add("--set", action="append", default=[], type=setting, metavar="PROPERTY=VALUE",
        help="another property of rdpsegment (with --make planes of depthplanes), such as merge=true; can be given more than once")  # fmt: skip
    add("--frames", type=whole(1), metavar="N", help="stop after N pictures")
    add("--fps", type=whole(1), default=10, metavar="N", help="how fast they are shown (10)")
    add("--out", metavar="FOLDER", help="write there what --make says, overlay-00000.png ... among it; without it, the overlay is shown in a window")  # fmt: skip
    add("--sink", default="autovideosink", metavar="ELEMENT", help="what shows the overlay (%(default)s)")
    add("--dry-run", action="store_true", help="say what the pictures are, print the pipeline, run nothing")
    return parser.parse_args()


def say(text):
    print(text, flush=True)


def doubt(kind, unit, who, pictures):
    """The user decides, but hears where the pictures look like something else."""
    if pictures.bits == 8:
        expect_no_photographs(pictures, ROUGH)
        if kind == "depth" and 255 * unit < 1.0:
            print(f"{NAME}: warning: depth of {unit:g} m a step, as {who} says, but the pictures have 8 bits: no sample "
                  f"is above 255, so nothing is farther than {255 * unit:.3g} m. Give --depth-unit with the metres a "
                  "step, --disparity-scale, or pictures of 16 bits.", file=sys.stderr, flush=True)  # fmt: skip
        return
    found = recognise(pictures.decoded(most=3))
    if found.kind not in ("", kind):
        option = "--depth-mm or --depth-unit" if found.kind == "depth" else "--disparity-scale"
        remedy = f"give {option} in its place" if who.startswith("--") else f"correct {who}"
        print(f"{NAME}: warning: taken as {kind}, as {who} says, but the pictures look like {found.kind}: "
              f"{found.why}. If they are, {remedy}.", file=sys.stderr, flush=True)  # fmt: skip


def expect_no_photographs(pictures, least):
    """Of 8 bits: those of 16 have a unit that is found or said."""
    share = smoothness(pictures.decoded(most=3))
    if share < least:
        raise Refused(f"these look like photographs: only {share:.0%} of the samples are within 1 of the next one, of "
                      f"depth in 8 bits nearly all are. {EXPECTED[0].upper()}{EXPECTED[1:]}")  # fmt: skip


def calibration_of(options):
    """The file, from whichever option."""
    for text in reversed(options.set):
        if text.startswith("calibration="):
            return text.partition("=")[2]
    return options.calibration


def said_by_option(options):
    """(the option, "depth" or "disparity", the unit), or None."""
    said = None
    if options.depth_mm:
        said = "--depth-mm", "depth", 0.001
    elif options.depth_unit:
        said = "--depth-unit", "depth", options.depth_unit
    elif options.disparity_scale:
        said = "--disparity-scale", "disparity", options.disparity_scale
    for text in options.set:
        name, _, value = text.partition("=")
        if name in ("depth-unit", "disparity-unit"):
            try:
                also = f"--set {text}", name.removesuffix("-unit"), number(True)(value)
            except argparse.ArgumentTypeError as error:
                raise Refused(f"--set {name}: expected {error}", 2) from error
            must_agree(said, also)
            said = also
    return said


def must_agree(one, other):
    """Two that say what samples are, if both do."""
    if not one or not other or (one[1] == other[1] and math.isclose(one[2], other[2], rel_tol=1e-6)):
        return
    raise Refused(f"{one[0]} says {in_words(*one[1:])}, but {other[0]} says {in_words(*other[1:])}. Leave out what is "
                  "not so", 2)  # fmt: skip


def said_by_calibration(options, pictures):
    """The same of the calibration: only this project's JSON says what samples are."""
    path = calibration_of(options)
    try:
        data = json.loads(pathlib.Path(path or "").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None  # the element says what is wrong with a calibration
    cameras = [camera for camera in (data if isinstance(data, list) else [data]) if isinstance(camera, dict)]
    cameras = [camera["camera"] if isinstance(camera.get("camera"), dict) else camera for camera in cameras]
    size = [pictures.width, pictures.height]
    for camera in [camera for camera in cameras if camera.get("size") == size] or cameras:
        kind = camera.get("measures")
        unit = camera.get(f"{kind}-unit")
        if kind in ("depth", "disparity") and isinstance(unit, (int, float)) and 0 < unit < sys.float_info.max:
            return path, kind, float(unit)
    return None


def in_words(kind, unit):
    return f"{kind}, {unit:g} {'m' if kind == 'depth' else 'px'} a step"


def makes_lengths(options):
    """Whether what is made has metres, even if no camera is known."""
    return has_camera(options) or options.make == "planes"


def meaning_of(options, pictures):
    """("depth" or "disparity", its unit: metres or pixels a step); says where it was found out."""
    by_option, by_file = said_by_option(options), said_by_calibration(options, pictures)
    must_agree(by_file, by_option)
    if by_option or by_file:
        who, kind, unit = by_option or by_file
        if not by_option:
            say(f"{in_words(kind, unit)}, as {who} says.")
        doubt(kind, unit, who, pictures)
        return kind, unit
    if pictures.bits == 8:
        expect_no_photographs(pictures, SMOOTH)
        say("8 bits: taken as disparity in whole pixels. Otherwise set --disparity-scale.")
        return "disparity", 1.0
    found = recognise(pictures.decoded(most=3))
    if found.kind == "depth" and makes_lengths(options):
        raise Refused(f"depth: {found.why}; but in which unit? In millimetres the middle of the known samples is at "
                      f"{found.middle / 1000:.3g} m, in TUM's unit of 0.0002 m at {found.middle / 5000:.3g} m. "
                      "Say it, as metres are to be right: --depth-mm or --depth-unit 0.0002", 2)  # fmt: skip
    if found.kind == "depth":
        say(f"depth: {found.why}. Taken as millimetres, the middle of the known samples is at "
            f"{found.middle / 1000:.3g} m. --depth-unit or --disparity-scale overrules that.")  # fmt: skip
        return "depth", 0.001
    if found.kind == "disparity" and found.largest >= 4096:
        say(f"disparity: {found.why}. Taken as 1/256 px a step, the largest is "
            f"{found.largest / 256:.3g} px. --disparity-scale or --depth-mm overrules that.")  # fmt: skip
        return "disparity", 1 / 256
    if found.kind == "disparity":
        raise Refused(f"disparity: {found.why}; but no sample is above {found.largest}, which is too "
                      "small for 1/256 px a step. Say the unit: --disparity-scale 0.0625 (OpenCV's "
                      "1/16 px), 0.00390625 (KITTI's 1/256 px) or 1", 2)  # fmt: skip
    raise Refused(f"cannot tell depth from disparity: {found.why}. Say what the samples are: --depth-mm "
                  "(millimetres) or --disparity-scale S (0.00390625 where they are disparity * 256)", 2)  # fmt: skip


def has_camera(options):
    """Whether segments get points in metres: by a calibration, or by --set focal-length=..."""
    return bool(calibration_of(options)) or any(text.startswith("focal-length=") for text in options.set)


def properties(options, kind, unit):
    """Those of the element that works."""
    planes = options.make == "planes"
    if planes:
        result = ["max-value=65534"] if kind == "depth" else []
    elif kind == "depth":
        # In depth a plane is no straight line, its inverse is: 1/km. Some cameras write 65535 for unknown.
        epsilon = 10.0 if options.epsilon is None else options.epsilon
        result = [f"epsilon={epsilon:g}", "domain=inverse", f"inverse-scale={1000 / unit:.17g}", "max-value=65534",
                  "median=3x3"]
    else:
        epsilon = 4.0 if options.epsilon is None else options.epsilon
        result = [f"epsilon={epsilon:g}", f"sample-scale={unit:.17g}"]
    if options.calibration:
        result.append(f"calibration={quoted(options.calibration)}")
    if has_camera(options) or planes:
        name = "depth-unit" if kind == "depth" else "disparity-unit"
        result += [f"measures={kind}", f"{name}={unit:.17g}"]
    return result + options.set


def look_at(options, kind):
    """Whether what is to be made can be made of such pictures."""
    if options.make in ("metres", "ply") and not has_camera(options):
        raise Refused(f"--make {options.make} needs the camera: expected --calibration FILE, or --set "
                      "focal-length=PX and what else is known of it", 2)  # fmt: skip
    if options.make == "planes" and kind == "disparity" and not has_camera(options):
        raise Refused("planes of disparity need the camera with its baseline: expected --calibration FILE, or --set "
                      "focal-length=PX and --set baseline=M", 2)  # fmt: skip
    if options.make == "planes" and options.epsilon is not None:
        raise Refused("--epsilon is the tolerance of segments: with --make planes expected --set tolerance=... and "
                      "other properties of depthplanes", 2)  # fmt: skip
    if options.make in ("ply", "mp4") and not options.out:
        raise Refused(f"--make {options.make} writes files: expected --out FOLDER", 2)


def encoder():
    """The words of the first encoder that is there."""
    gst, _ = gstreamer()
    for name, (words, _) in ENCODERS.items():
        if all(gst.ElementFactory.find(word.split()[0]) for word in words.split(" ! ")):
            return words
    packages = ", ".join(f"{name} ({package})" for name, (_, package) in ENCODERS.items())
    raise Refused(f"no encoder for --make mp4 is there: expected one of {packages}. Install one of these packages")


def location_of(options, name):
    """In the folder, for an element that writes one file, or one for each number."""
    folder = options.out.replace("%", "%%") if "%" in name else options.out
    return f"location={quoted(os.path.join(folder, name))}"


def film_of(pictures):
    """What makes a film of RGBA: most players take colours at half the size alone, so sides are even."""
    width, height = pictures.width // 2 * 2, pictures.height // 2 * 2
    if min(width, height) < 16:
        raise Refused(f"--make mp4: encoders take 16x16 pixels or more, got {pictures.width}x{pictures.height}. "
                      "--make segments writes each overlay as a PNG")  # fmt: skip
    cut = " ".join(f"{side}=1" for side, length in (("right", pictures.width), ("bottom", pictures.height))
                   if length % 2)  # fmt: skip
    if cut:
        say(f"The film has {width}x{height} of {pictures.width}x{pictures.height} pixels: an MP4 has even sides.")
    box = f"videobox {cut} ! " if cut else ""
    return f"{box}videoconvert ! video/x-raw,format=I420 ! {encoder()} ! mp4mux"


def pipeline_of(options, pictures, words):
    element = "depthplanes" if options.make == "planes" else "rdpsegment"
    limit = f" num-buffers={options.frames}" if options.frames else ""
    start = f"{pictures.source()} framerate={options.fps}/1{limit} ! {element} name=made {' '.join(words)}"
    if not options.out:
        return f"{start} made.src ! queue ! fakesink sync=true made.overlay ! queue ! videoconvert ! {options.sink}"
    if options.make == "ply":
        return f"{start} ! rdpmetaconvert format=ply ! multifilesink {location_of(options, POINTS)}"
    points = " points=true" if has_camera(options) else ""
    lines = PLANES if options.make == "planes" else LINES
    # An encoder takes many pictures before it gives the first: lines wait for it.
    wait = "queue max-size-buffers=0 max-size-bytes=0 max-size-time=0"
    text = f"made.src ! rdpmetaconvert file-names=true{points} ! {wait} ! filesink {location_of(options, lines)}"
    if options.make == "mp4":
        return f"{start} {text} made.overlay ! queue ! {film_of(pictures)} ! filesink {location_of(options, FILM)}"
    return f"{start} {text} made.overlay ! queue ! pngenc ! multifilesink {location_of(options, OVERLAYS)}"


def written(options, name):
    """The files of that name, or of that pattern."""
    return list(pathlib.Path(options.out).glob(name.replace("%05d", "*")))


def prepare_output(options):
    if not options.out:
        if options.sink == "autovideosink" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            raise Refused("there is no display to show the overlay on: write it to files with --out FOLDER")
        return
    try:
        pathlib.Path(options.out).mkdir(parents=True, exist_ok=True)
        for old in {path for names in MAKES.values() for name in names for path in written(options, name)}:
            old.unlink(missing_ok=True)
    except OSError as error:
        raise Refused(f"cannot write into the folder {options.out}: {error.strerror}") from error


def report(options, pictures):
    if not options.out:
        return f"{pictures.count} pictures were shown"
    made = []
    for name in MAKES[options.make]:
        files = written(options, name)
        count = pictures.count if name == FILM and files and files[0].stat().st_size else len(files)
        if name in (LINES, PLANES):
            count = sum(path.read_bytes().count(b"\n") for path in files)
        if count != pictures.count:
            raise Refused(f"{pictures.count} pictures were read, but {name} has {count}")
        made.append(os.path.join(options.out, name.replace("%05d", "*")))
    return f"{pictures.count} frames: {', and '.join(made)}"


def run():
    options = parse_arguments()
    pictures = Pictures(options.pictures, options.frames)
    say(pictures.summary())
    kind, unit = meaning_of(options, pictures)
    look_at(options, kind)
    launch = pipeline_of(options, pictures, properties(options, kind, unit))
    if options.dry_run:
        say(f"gst-launch-1.0 -e {shlex.join(shlex.split(launch))}")
        return
    prepare_output(options)
    pictures.play(launch)
    say(report(options, pictures))


def main():
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # file names may be in any encoding
    try:
        run()
    except Refused as refused:
        print(f"{NAME}: {refused}", file=sys.stderr)
        return refused.status
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
