# SPDX-License-Identifier: LGPL-2.1-or-later
"""Parses a pipeline description without the cameras and plugins that it was written for.

Elements that GStreamer lacks here are replaced by general ones with the same caps; their properties
and pads are checked against what the originals have. So misspelt names, wrong links and caps that do
not fit are still found.
"""

import re
import threading
from dataclasses import dataclass, field

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

DEPTH = "video/x-raw,format=GRAY16_LE"
COLOUR = "video/x-raw,format=RGB"
BGRA = "video/x-raw,format=BGRA"
# Its caps on one side say nothing of those on the other: the pipeline is cut in two there.
CONVERTER = "fakesink appsrc"
PARSING = threading.Lock()


@dataclass
class StandIn:
    properties: tuple = ()
    caps: str = None  # what a source delivers
    pads: dict = field(default_factory=dict)  # what a demuxer delivers: {pad: caps}
    words: str = "tee"  # what takes the place of one that is no source


# From the documentation and the sources of the plugins that the examples name. Two plugins have an
# element called realsensesrc.
STAND_INS = {
    "realsensesrc": StandIn(
        ("cam-serial-number", "stream-type", "align", "imu-on", "num-buffers")
        + ("serial", "enable-depth", "enable-color"),
        "ANY",
    ),
    "rsdemux": StandIn(pads={"color": COLOUR, "depth": DEPTH}),
    "k4asrc": StandIn(
        ("serial", "recording-location", "enable-depth", "enable-color", "depth-mode", "num-buffers"),
        "ANY",
    ),
    "rgbddemux": StandIn(pads={"src_color": COLOUR, "src_depth": DEPTH}),
    "zedsrc": StandIn(
        ("stream-type", "camera-fps", "svo-file-path", "depth-mode", "num-buffers"), DEPTH
    ),
    "zeddemux": StandIn(
        ("is-depth",), pads={"src_left": BGRA, "src_aux": DEPTH}, words="fakesink tee"
    ),
    "nvvideoconvert": StandIn(("nvbuf-memory-type", "compute-hw", "gpu-id"), words=CONVERTER),
    "nvstreammux": StandIn(
        ("batch-size", "width", "height", "live-source", "batched-push-timeout", "sync-inputs"),
        words="funnel",
    ),
    "nvarguscamerasrc": StandIn(("sensor-id", "num-buffers"), "video/x-raw(memory:NVMM)"),
    "nvh264dec": StandIn(words=CONVERTER),
    "nvdsosd": StandIn(("process-mode", "gpu-id"), words="identity"),
    "nv3dsink": StandIn(("sync",), words="fakesink"),
    "openni2src": StandIn(("location", "sourcetype", "num-buffers"), DEPTH),
    "v4l2src": StandIn(("device", "num-buffers"), "video/x-raw,format={GRAY16_LE,GRAY8}"),
}


def replaced(words):
    """The words of a pipeline with stand-ins in the place of elements that are not installed."""
    result, demuxers, current = [], {}, None
    for word in words:
        key, equals, value = word.partition("=")
        pad = re.fullmatch(r"(\w+)\.(\w+)", word)
        if word in STAND_INS and not Gst.ElementFactory.find(word):
            current = word
            stand_in = STAND_INS[word]
            if stand_in.caps:
                result += ["appsrc", "!", "capsfilter", f"caps={stand_in.caps}"]
            else:
                result += stand_in.words.split()
        elif current and equals and "/" not in key:
            if key == "name":
                if STAND_INS[current].pads:
                    demuxers[value] = STAND_INS[current]
                result.append(word)
            elif key not in STAND_INS[current].properties:
                raise ValueError(f"{current} has no property {key}")
        elif pad and pad[1] in demuxers:
            current = None
            caps = demuxers[pad[1]].pads.get(pad[2])
            if not caps:
                raise ValueError(f"{word}: there is no such pad")
            result += [f"{pad[1]}.", "!", "capsfilter", f"caps={caps}"]
        else:
            current = None
            result.append(word)
    return result


def parse(words):
    """Parses the arguments of gst-launch-1.0; raises GLib.Error or ValueError where they are wrong."""
    with PARSING:
        Gst.init(None)
        words = replaced([w for w in words if w not in ("-e", "-q", "-v")])
        Gst.parse_launchv_full(words, None, Gst.ParseFlags.FATAL_ERRORS).set_state(Gst.State.NULL)
