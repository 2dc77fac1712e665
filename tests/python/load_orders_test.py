#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Errors of elements and of the metadata library where the program has loaded C++'s runtime and an
unwinder of its own: one process for each order. GStreamer is called through ctypes, so that it takes no
PyGObject; with it, PyGObject loads the libraries. Reports in TAP.

Usage: load_orders_test.py LIBRARY"""

import ctypes
import importlib
import importlib.util
import itertools
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pipelines"))
from tap import Tap  # noqa: E402

SECOND = 1_000_000_000
ERROR_OR_EOS = 1 << 1 | 1 << 0

# What loads the runtime of C++, and what brings GStreamer. Modules of both that are not installed are
# left out.
RUNTIMES = ["libstdc++.so.6", "libstdc++.so.6 for all", "PIL.Image", "cv2", "matplotlib.pyplot"]
FRAMEWORKS = ["libgstreamer-1.0.so.0 for all", "gi.repository.Gst", "gi.repository.GstRdpSegment", "rdpsegment"]
UNWINDERS = ["libunwind.so.8 for all", "libgcc_s.so.1 for all"]

# Each ends with an error that an exception has brought to it, or would have.
FAILING = {
    "pngfoldersrc": "pngfoldersrc location={folder}/pictures ! fakesink",
    "pointcloudsrc": "pointcloudsrc location={folder}/broken.pcd ! fakesink",
    "pointcloudsink": "pointcloudsrc location={folder}/one.pcd ! pointcloudsink location={folder}/nowhere/one.ply",
    "rdpsegment": "depthtestsrc num-buffers=1 ! rdpsegment calibration={folder}/broken.json ! fakesink",
    "depthplanes": "depthtestsrc num-buffers=1 ! depthplanes calibration={folder}/broken.yaml ! fakesink",
    "depthpoints": "depthtestsrc num-buffers=1 ! depthpoints calibration={folder}/broken.txt ! fakesink",
    "depthstereo": "depthtestsrc num-buffers=1 view=side-by-side ! "
    "depthstereo calibration={folder}/broken.json ! fakesink",
    "heightmap": "depthtestsrc num-buffers=1 pattern=crowd view=left ! h.sink_0 "
    "depthtestsrc num-buffers=1 pattern=crowd view=left view-index=1 ! h.sink_1 "
    "heightmap name=h calibration={folder}/broken.json ! fakesink",
    "rdpmetaconvert": "depthtestsrc num-buffers=1 ! rdpmetaconvert ! fakesink",
    "klttrack": "videotestsrc num-buffers=1 ! video/x-raw,format=GRAY8 ! "
    "klttrack mask={folder}/broken.pgm ! fakesink",
}  # fmt: skip


def write_files(folder):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    pixels = zlib.compress(bytes(8 * (1 + 2 * 8)))
    png = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 16, 0, 0, 0, 0))
           + chunk(b"IDAT", pixels))  # fmt: skip
    (folder / "pictures").mkdir()
    (folder / "pictures" / "0.png").write_bytes(png + chunk(b"IEND", b""))
    (folder / "pictures" / "1.png").write_bytes(png[:-9])
    header = "VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 1\nHEIGHT 1\nPOINTS 1\nDATA ascii\n"
    (folder / "one.pcd").write_text(header + "1 2 3\n")
    (folder / "broken.pcd").write_text(header + "1 2 many\n")
    (folder / "broken.json").write_text('{"size": [64, 48], "K": [[1, 2], "three"]}')
    (folder / "broken.yaml").write_text("%YAML:1.0\nK: !!opencv-matrix\n  rows: 3\n  cols: many\n  data: [1, 2]\n")
    (folder / "broken.txt").write_text("P0: 1 2 3\nP1: four\n")
    (folder / "broken.pgm").write_text("P5 8 8 255\nshort")


class Error(ctypes.Structure):
    _fields_ = [("domain", ctypes.c_uint32), ("code", ctypes.c_int), ("message", ctypes.c_char_p)]


def errors_of(folder, library):
    """What each pipeline says, and the metadata library of texts that are no cameras."""
    gst = ctypes.CDLL("libgstreamer-1.0.so.0")
    pointer = ctypes.c_void_p
    for name in ("parse_launch", "element_get_bus", "bus_timed_pop_filtered"):
        getattr(gst, "gst_" + name).restype = pointer
    gst.gst_init(None, None)
    for name, text in FAILING.items():
        error = ctypes.POINTER(Error)()
        pipeline = pointer(gst.gst_parse_launch(text.format(folder=folder).encode(), ctypes.byref(error)))
        if error:  # of a part of the build that is not there
            yield name, error.contents.message.decode()
            continue
        gst.gst_element_set_state(pipeline, 4)
        bus = pointer(gst.gst_element_get_bus(pipeline))
        message = gst.gst_bus_timed_pop_filtered(bus, ctypes.c_uint64(20 * SECOND), ERROR_OR_EOS)
        if message:
            gst.gst_message_parse_error(pointer(message), ctypes.byref(error), None)
        yield name, error.contents.message.decode() if error else "no error"
        gst.gst_element_set_state(pipeline, 1)
    rdp = ctypes.CDLL(library)
    for text in (b"{", b'{"size": "wide"}'):
        error = ctypes.POINTER(Error)()
        rdp.gst_rdp_camera_new_from_json(text, ctypes.byref(error))
        yield text.decode(), error.contents.message.decode() if error else "no error"


def load(step):
    file, _, for_all = step.partition(" for all")
    if ".so" in file:
        ctypes.CDLL(file, ctypes.RTLD_GLOBAL if "for all" in step else ctypes.RTLD_LOCAL)
        return
    if file.startswith("gi."):
        importlib.import_module("gi").require_version(file.rpartition(".")[2], "1.0")
    module = importlib.import_module(file)
    if file == "rdpsegment":
        module._errors.gst()
    elif file.endswith(".Gst"):  # only now PyGObject loads the library
        module.init(None)


def child(folder, library, steps):
    for step in steps:
        load(step)
    if "gi" in sys.modules:  # as every program does
        load("gi.repository.Gst")
    for name, said in errors_of(pathlib.Path(folder), library):
        print(f"{name}: {said}", flush=True)
    print("all of them", flush=True)
    os._exit(0)  # what libraries do at the end is not the subject


def wrong_with(folder, library, steps, preload=""):
    """What is wrong with the order. An error while a pipeline starts hangs it now and then in GStreamer
    1.22, whatever the element: one repeat."""
    environment = {**os.environ, "LD_PRELOAD": f"{preload} {os.environ.get('LD_PRELOAD', '')}".strip()}
    for _ in range(2):
        try:
            result = subprocess.run([sys.executable, __file__, library, "--child", str(folder), *steps],
                                    capture_output=True, text=True, timeout=120, env=environment)  # fmt: skip
        except subprocess.TimeoutExpired as error:
            end = f"hangs after {error.stdout!r}"
            continue
        lines = result.stdout.splitlines()
        if result.returncode or lines[-1:] != ["all of them"]:
            return f"exit status {result.returncode} after {lines[-1:]}\n{result.stderr}"
        silent = [line for line in lines if line.endswith(": no error")]
        return f"{silent} of\n{result.stdout}" if silent else ""
    return end


def wrong_with_reopening(library):
    """What is wrong where a program closes the metadata library and opens it again."""
    code = ("import _ctypes, ctypes, sys\n"
            "for _ in range(3):\n"
            "    handle = _ctypes.dlopen(sys.argv[1], 0)\n"
            "    rdp, error = ctypes.CDLL(sys.argv[1], handle=handle), ctypes.c_void_p()\n"
            "    rdp.gst_rdp_camera_new_from_json(b'{', ctypes.byref(error))\n"
            "    assert error and rdp.gst_rdp_camera_get_type()\n"
            "    _ctypes.dlclose(handle)\n")  # fmt: skip
    try:
        result = subprocess.run([sys.executable, "-c", code, library], capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "hangs"
    return f"exit status {result.returncode}\n{result.stderr}" if result.returncode or result.stderr else ""


def is_there(step):
    """Asked in a process of its own, which loads it."""
    code = f"import sys; sys.path.insert(0, {os.path.dirname(__file__)!r}); import load_orders_test as t; t.load({step!r})"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=120).returncode == 0


def orders(there):
    """With all that is there: a runtime before and after GStreamer, and unwinders at any place."""
    runtimes = [step for step in RUNTIMES if step in there]
    frameworks = [step for step in FRAMEWORKS if step in there]
    for runtime, framework in itertools.product(runtimes, frameworks):
        yield [runtime, framework]
        yield [framework, runtime]
    for unwinder in (step for step in UNWINDERS if step in there):
        yield from itertools.permutations([runtimes[0], unwinder, frameworks[0]])
    if len(frameworks) > 2:
        yield [runtimes[0], *frameworks]
        yield [*frameworks, runtimes[0]]


def main():
    library = sys.argv[1]
    if sys.argv[2:3] == ["--child"]:
        child(sys.argv[3], library, sys.argv[4:])
    tap = Tap()
    there = {step for step in RUNTIMES + FRAMEWORKS + UNWINDERS if is_there(step)}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_files(folder)
        for steps in orders(there):
            tap.check(", ".join(steps), wrong_with(folder, library, steps))
        # Of a program that is linked to it, an unwinder stands before all.
        for unwinder in (step.split()[0] for step in UNWINDERS if step in there):
            tap.check(f"{unwinder} in front", wrong_with(folder, library, [RUNTIMES[0]], unwinder))
    tap.check("closed and opened again", wrong_with_reopening(library))
    for step in RUNTIMES + FRAMEWORKS + UNWINDERS:
        if step not in there:
            tap.skip(step, "is not here")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
