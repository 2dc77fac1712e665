#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What written.py and launch.py must let pass, and what they must refuse. Reports in TAP."""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import written
from tap import Tap

SOURCE = "depthtestsrc num-buffers=2 noise=0.3 ! video/x-raw,width=62,height=40"
# Pipelines with a file each: whether it is as it has to be, and a word of the complaint.
PIPELINES = [
    ("videoconvert ! video/x-raw,format=GRAY16_BE ! pngenc ! multifilesink location=%02d.png", ""),
    # Where the format is left open, GStreamer 1.22 chooses 8 bits.
    ("videoconvert ! video/x-raw,format=GRAY8 ! pngenc ! multifilesink location=%02d.png", "8 bits"),
    ("videoconvert ! video/x-raw,format=RGB ! pngenc ! multifilesink location=%02d.png", "colour type 2"),
    ("queue ! video/x-raw,format=GRAY8 ! pngenc ! multifilesink location=%02d.png", ""),
    ("rdpsegment ! rdpmetaconvert ! filesink location=segments.jsonl", ""),
    ("rdpsegment min-value=65535 ! rdpmetaconvert ! filesink location=segments.jsonl", "no segment"),
    ("rdpsegment ! rdpmetaconvert points=true ! filesink location=segments.jsonl", ""),
    ("rdpsegment ! rdpmetaconvert format=ply ! multifilesink location=%d.ply", ""),
    ("rdpsegment ! rdpmetaconvert format=ply ply-content=lines ! multifilesink location=%d.ply", ""),
    ("rdpsegment ! rdpmetaconvert format=ply ! filesink location=0.ply", "bytes of"),
    ("rdpsegment min-value=65535 ! rdpmetaconvert format=ply ! multifilesink location=%d.ply", "0 points"),
    ("filesink location=depth.raw", ""),
    ("videoconvert ! video/x-raw,format=GRAY16_BE ! pngenc ! qtmux ! filesink location=depth.mov", ""),
    ("videoconvert ! video/x-raw,format=GRAY8 ! pngenc ! qtmux ! filesink location=depth.mov", "as GRAY8"),
    # Pictures may lose a little, depth nothing.
    ("queue ! video/x-raw,format=GRAY8 ! jpegenc quality=95 ! avimux ! filesink location=pictures.avi", ""),
    ("videoconvert ! video/x-raw,format=GRAY8 ! jpegenc ! avimux ! filesink location=depth.avi", "another picture"),
    ("rdpsegment name=s s.src ! rdpmetaconvert ! queue ! filesink location=segments.jsonl s.overlay ! videoconvert "
     "! video/x-raw,format=I420 ! x264enc ! h264parse ! mp4mux ! filesink location=film.mp4", ""),
    ("rdpsegment name=s s.src ! queue ! fakesink s.overlay ! videoconvert ! video/x-raw,format=GRAY8 ! videoconvert "
     "! video/x-raw,format=I420 ! x264enc ! h264parse ! mp4mux ! filesink location=film.mp4", "another picture"),
    ("jpegenc ! filesink location=depth.jpg", "does not know"),
    ("rdpsegment name=s s.src ! queue ! rdpmetaconvert ! filesink location=segments.jsonl "
     "s.overlay ! queue ! pngenc ! multifilesink location=%02d.png", ""),
    ("rdpsegment name=s s.src ! queue ! rdpmetaconvert ! filesink location=segments.jsonl s.overlay ! queue "
     "! videoconvert ! video/x-raw,format=GRAY8 ! pngenc ! multifilesink location=%02d.png", "no picture"),
]  # fmt: skip


def launch(pipeline, folder):
    """What launch.py says where it refuses the pipeline."""
    result = subprocess.run(
        [sys.executable, pathlib.Path(__file__).with_name("launch.py"), "-q", *pipeline.split()],
        cwd=folder, capture_output=True, text=True, timeout=120,
        env={**os.environ, "REAL_GST_LAUNCH": shutil.which("gst-launch-1.0")},
    )  # fmt: skip
    return result.stderr if result.returncode else ""


def complaint(look, *arguments):
    try:
        look(*arguments)
    except written.Wrong as wrong:
        return str(wrong)
    return ""


def judged(said, word):
    """What is wrong where `said` is to have the word, or to be empty where there is none."""
    return "" if (word in said if word else not said) else f"says {said!r}, expected {word!r}"


def lines_cases(folder):
    """Changes of a good file of JSON lines that must be found."""
    launch(f"{SOURCE} ! rdpsegment ! rdpmetaconvert ! filesink location=segments.jsonl", folder)
    path = folder / "segments.jsonl"
    good = path.read_text()
    first, second = good.splitlines()
    changed = json.loads(first)
    changed["columns"][5][0][1] = 40  # below the last row

    def case(name, text, word):
        path.write_text(text)
        return name, judged(complaint(written.look_at_lines, path, 2), word)

    yield case("as written", good, "")
    yield case("a frame missing", first + "\n", "1 lines, expected 2")
    yield case("a frame twice", f"{first}\n{first}\n", "has frame 0")
    yield case("the end cut off", good[:-20], "no end")
    yield case("a line cut off", f"{first[:-9]}\n{second}\n", "line 0")
    yield case("a row outside", f"{json.dumps(changed)}\n{second}\n", "no segments of 40 rows")
    yield case("a column missing", first.replace("[[[", "[[", 1) + f"\n{second}\n", "line 0")


def points_cases(folder):
    """Changes of good points that must be found, in JSON lines and in PLY."""
    launch(f"{SOURCE} ! rdpsegment ! rdpmetaconvert points=true ! filesink location=segments.jsonl", folder)
    first = (folder / "segments.jsonl").read_text().splitlines()[0]

    def changed(change):
        line = json.loads(first)
        change(line)
        try:
            written.look_at_line(json.dumps(line), 0)
        except (written.Wrong, ValueError, KeyError) as error:
            return f"{type(error).__name__}: {error}"
        return ""

    yield "points as written", judged(changed(lambda line: None), "")
    yield "a point missing", judged(changed(lambda line: line["points"][5].pop()), "shorter")
    yield "half a point", judged(changed(lambda line: line["points"][5][0].pop()), "no two points")
    yield "no camera", judged(changed(lambda line: line.pop("camera")), "camera")
    for content in ("cloud", "lines"):
        launch(
            f"{SOURCE} ! rdpsegment ! rdpmetaconvert format=ply ply-content={content} "
            "! multifilesink location=%d.ply",
            folder,
        )
        path = folder / "0.ply"
        good = path.read_bytes()
        for name, file, word in (
            ("as written", good, ""),
            ("cut off", good[:-1], "bytes of"),
            ("another property", good.replace(b"float z", b"float w", 1), "header"),
            ("no header", good[9:], "header"),
        ):
            path.write_bytes(file)
            yield f"PLY of {content}, {name}", judged(complaint(written.look_at_ply, path), word)


def cloud_cases(folder):
    """Changes of a good cloud that must be found."""
    header = (b"ply\nformat binary_little_endian 1.0\nelement vertex 2\n"
              b"property float x\nproperty float y\nproperty float z\nend_header\n")
    good = header + bytes(12) + b"\0\0\x80\x3f" * 3
    path = folder / "cloud.ply"
    for name, file, word in (
        ("as written", good, ""),
        ("cut off", good[:-1], "23 bytes of 2 points"),
        ("one place", header + bytes(24), "all are the same"),
        ("an unknown point", header + bytes(12) + b"\xff" * 12, "1 of 2 points are known"),
    ):
        path.write_bytes(file)
        yield f"cloud, {name}", judged(complaint(written.look_at_cloud, path), word)


PLANES = ('{"frame":0,"pts":0,"width":64,"height":48,"unit":"m","calibrated":true,"ground":0,"planes":'
          '[{"normal":[0,0.6,0.8],"distance":2,"centroid":[0,0,2.5],"rms":4e-04,"inliers":99,"area":1.5,'
          '"box":[3,4,50,40],"hull":[[3,4],[52,4],[9,43]]}]}\n')  # fmt: skip
HULLS = (b"ply\nformat binary_little_endian 1.0\ncomment frame 0\nelement vertex 3\n"
         b"property float x\nproperty float y\nproperty float z\n"
         b"property float nx\nproperty float ny\nproperty float nz\n"
         b"property uchar red\nproperty uchar green\nproperty uchar blue\nelement face 1\n"
         b"property list uchar int vertex_indices\n"
         b"property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n"
         + 3 * struct.pack("<6f3B", 1, 2, 3, 0, 0, -1, 9, 8, 7)
         + struct.pack("<B3i3B", 3, 0, 1, 2, 9, 8, 7))  # fmt: skip


def planes_cases(folder):
    """Changes of good planes that must be found, in JSON lines and in PLY."""
    path = folder / "planes.jsonl"
    for name, text, word in (
        ("as written", PLANES, ""),
        ("a normal too long", PLANES.replace("0.6", "0.7"), "is no plane"),
        ("a hull outside of its box", PLANES.replace("[3,4],", "[2,4],"), "not in its frame"),
        ("a box outside of the frame", PLANES.replace('"width":64', '"width":52'), "not in its frame"),
        ("ground without plane", PLANES.replace('"ground":0', '"ground":1'), "ground 1 of 1"),
        ("none", '{"frame":0,"unit":"m","ground":-1,"planes":[]}\n', "no segment, plane"),
    ):
        path.write_text(text)
        yield f"planes, {name}", judged(complaint(written.look_at_lines, path, 1), word)
    path = folder / "hulls.ply"
    for name, file, word in (
        ("as written", HULLS, ""),
        ("cut off", HULLS[:-1], "before the end"),
        ("a byte too many", HULLS + b"0", "bytes after"),
        ("another property", HULLS.replace(b"float nz", b"float w", 1), "header"),
        ("another plane's vertex", HULLS[:-4] + b"\0" + HULLS[-3:-1] + b"0", "another plane"),
    ):
        path.write_bytes(file)
        yield f"PLY of planes, {name}", judged(complaint(written.look_at_ply, path), word)


TRACKS = ('{"frame":0,"pts":0,"width":64,"height":48,"template-pts":5,"tracks":'
          '[[3,5,1.5,2.25,-0.5,0.125,1.75,30.5],[9,0,63,47,0,0,0,2.5]],"lost":[[1,"check",4,4]]}\n')  # fmt: skip
WARPS = TRACKS.replace("}", ',"warps":[[1.25,-0.5,0.5,0.75,3.5,4],[1,0,0,1,0,0]]}')
MOTION = ('{"frame":0,"width":2,"height":8,"column-width":1,"columns":[[[0,4,1,2],[4,7,2,2]],[]],"motion":'
          '{"dt":0.1,"ego":null,"columns":[[[3,4,1,0,0,2,0,1,0.5],null],[]]}}\n')  # fmt: skip
HEIGHTS = ('{"frame":0,"pts":0,"width":64,"height":48,"views":3,"reference":0,"spread":0,"energy":9,"iterations":40,'
           '"known":0.25,"ground-grid":{"origin":[-1.0,0.0],"cell":0.05,"size":[40,20]},"heads":'
           '[{"pixel":[3,4],"ground":[-0.5,0.25],"height":1.75,"votes":50},'
           '{"pixel":[60,4],"ground":[0.5,0.25],"height":1.6,"votes":768}]}\n')  # fmt: skip


def lists_cases(folder):
    """Changes of good tracks, motion and heights that must be found."""
    path = folder / "lists.jsonl"
    for name, text, word in (
        ("tracks, as written", TRACKS, ""),
        ("tracks, an id twice", TRACKS.replace("[1,", "[9,"), "each one's own"),
        ("tracks, outside", TRACKS.replace("63,47", "63.5,47"), "is no track"),
        ("tracks, a new one that moves", TRACKS.replace("47,0", "47,1"), "is no track"),
        ("tracks, no template", TRACKS.replace('-pts":5', '-pts":null'), "is no track"),
        ("tracks, none", TRACKS.split('"tracks"')[0] + '"tracks":[],"lost":[]}\n', "no segment, plane"),
        ("warps, as written", WARPS, ""),
        ("warps, one too few", WARPS.replace(",[1,0,0,1,0,0]", ""), "1 warps"),
        ("warps, a patch older than its track", WARPS.replace("3.5,4", "3.5,6"), "a patch of 6 frames"),
        ("warps, no patch, and a residual", WARPS.replace("0,0]]}", "0.5,0]]}"), "a patch of 0 frames"),
        ("motion, as written", MOTION, ""),
        ("motion, one for too few segments", MOTION.replace(",null],[]]}}", "],[]]}}"), "for each segment"),
        ("motion, no velocity", MOTION.replace("0.5]", "null]"), "is no motion"),
        ("motion, flags that are not known", MOTION.replace("[3,4", "[3,3"), "is no motion"),
        ("motion, no time", MOTION.replace("0.1", "0"), "dt 0"),
        ("motion, no camera", MOTION.replace('"ego":null', '"ego":[1,0]'), "ego [1, 0]"),
        ("heights, as written", HEIGHTS, ""),
        ("heights, a reference that is no view", HEIGHTS.replace('"views":3', '"views":0'), "are no heights"),
        ("heights, more than all known", HEIGHTS.replace("0.25,", "1.25,", 1), "are no heights"),
        ("heights, more votes than pixels", HEIGHTS.replace("768", "769"), "is no head"),
        ("heights, a head outside", HEIGHTS.replace("[60,4]", "[64,4]"), "is no head"),
        ("heights, a place twice", HEIGHTS.replace("[-0.5,", "[0.5,"), "is no head"),
        ("heights, no raster", HEIGHTS.replace("[40,20]", "[0,20]"), "is no raster"),
        ("heights, nobody", HEIGHTS.split('"heads"')[0] + '"heads":[]}\n', "no segment, plane, track or head"),
    ):
        path.write_text(text)
        yield name, judged(complaint(written.look_at_lines, path, 1), word)


def depth_cases(folder):
    """Other samples than the frame's must be found, in PNGs and in raw files."""
    for name in ("mine", "other"):
        seed = "seed=1" if name == "other" else ""
        source = SOURCE.replace("depthtestsrc", f"depthtestsrc {seed}")
        launch(
            f"{source} ! videoconvert ! video/x-raw,format=GRAY16_BE ! pngenc "
            f"! multifilesink location={name}-%d.png",
            folder,
        )
    groups = written.elements(f"{SOURCE} ! fakesink".split())
    frames = written.samples_of(groups, len(groups) - 1)
    for name, word in (("mine", ""), ("other", "other samples")):
        said = complaint(written.look_at_depth, folder / f"{name}-0.png", *frames[0])
        yield f"{name}.png", judged(said, word)
    launch(f"{SOURCE} ! filesink location=depth.raw", folder)
    path = folder / "depth.raw"
    yield "raw", judged(complaint(written.look_at_raw, [path], frames), "")
    path.write_bytes(path.read_bytes()[:-2])
    yield "raw, cut off", judged(complaint(written.look_at_raw, [path], frames), "bytes, expected")


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="rdpsegment-") as name:
        folder = pathlib.Path(name)
        for pipeline, word in PIPELINES:
            tap.check(pipeline, judged(launch(f"{SOURCE} ! {pipeline}", folder), word))
            for path in folder.iterdir():
                path.unlink()
        cases = [lines_cases, points_cases, planes_cases, lists_cases, cloud_cases, depth_cases]
        for title, wrong in [case for of in cases for case in of(folder)]:
            tap.check(title, wrong)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
