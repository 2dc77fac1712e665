#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Segments and tracks travel between processes: unixfdsink in one, unixfdsrc in another, and what arrives is
what was sent, to the bit. Each process is this script, in another role:

  unixfd_test.py                             the test: starts the others and compares
  unixfd_test.py send SOCKET ELEMENTS        12 frames through ELEMENTS to unixfdsink
  unixfd_test.py receive SOCKET HOW ELEMENTS unixfdsrc through ELEMENTS, prepared as HOW says

Both print one line for each frame: its number, its place in the picture and the stored bytes of what
it carries.
"""

import pathlib
import subprocess
import sys
import tempfile
import time

import gi

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pipelines"))
from tap import Tap  # noqa: E402

gi.require_version("Gst", "1.0")
gi.require_version("GstRdpSegment", "1.0")
from gi.repository import Gst, GstRdpSegment  # noqa: E402

FRAMES = 12
TIMEOUT_S = 40

# What is sent: the elements before unixfdsink. Below GStreamer 1.26.7 unixfdsrc fails on a buffer whose
# metadata does not come in one piece, so the first ones are small.
SENT = {
    "split": "video/x-raw,width=160,height=120 ! rdpsegment epsilon=2 sample-scale=0.00390625",
    # Merged segments are stored in another version of the format.
    "merged, inverse depth": "video/x-raw,width=60,height=90 ! rdpsegment domain=inverse epsilon=10 "
                             "merge=true max-gap=4 median=3x3 column-width=3",
    # Where the segments lie in the picture travels, too.
    "scaled": "video/x-raw,width=40,height=30 ! rdpsegment ! videoscale add-borders=false "
              "! video/x-raw,width=80,height=20",
    "one pixel": "video/x-raw,width=1,height=1 ! rdpsegment",
    "tracks": "video/x-raw,format=GRAY8,width=60,height=40 ! klttrack max-features=20",
    "large": "video/x-raw,width=640,height=480 ! rdpsegment epsilon=0.5 sample-scale=0.00390625",
}
LARGE_SINCE = (1, 26, 7)

# Who receives: how the process has got to know the metadata before the first buffer comes.
RECEIVERS = {
    "a program that uses the library alone": ("library", "queue"),
    "a pipeline with one of the elements": ("element", "rdpmetaconvert"),
}


def print_frame(buffer):
    """What it carries, of one kind."""
    segments = GstRdpSegment.buffer_get_rdp_segment_meta(buffer)
    tracks = GstRdpSegment.buffer_get_rdp_tracks_meta(buffer)
    meta = segments or tracks
    if meta is None:
        print("nothing", flush=True)
        return
    found = segments.segmentation if segments else tracks.tracks
    place = (meta.scale_x, meta.scale_y, meta.offset_x, meta.offset_y, meta.batch_index)
    print(found.get_info().frame, *(float(v).hex() for v in place), found.to_bytes().get_data().hex(),
          flush=True)


def run(launch, watched):
    """Runs to the end and prints each frame that passes a pad of the element `watched`."""
    pipeline = Gst.parse_launch(launch)
    pad = pipeline.get_by_name(watched)
    pad = pad.get_static_pad("sink" if watched == "to" else "src")

    def passes(_, info):
        print_frame(info.get_buffer())
        return Gst.PadProbeReturn.OK

    pad.add_probe(Gst.PadProbeType.BUFFER, passes)
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        TIMEOUT_S * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message is None:
        sys.exit(f"{launch}: no end after {TIMEOUT_S} s")
    if message.type == Gst.MessageType.ERROR:
        sys.exit(f"{launch}: {message.parse_error()}")


def send(socket, elements):
    domain = "depth" if "domain=inverse" in elements else "disparity"
    view = "left" if "klttrack" in elements else "depth"
    run(f"depthtestsrc num-buffers={FRAMES} noise=0.3 unknown-ratio=0.1 domain={domain} view={view} ! {elements} "
        f"! unixfdsink name=to socket-path={socket} sync=false wait-for-connection=true", "to")


def receive(socket, how, elements):
    if how == "library":
        for kind in (GstRdpSegment.SegmentMeta, GstRdpSegment.TracksMeta):
            kind.get_info()
    # An element must know the metadata by itself.
    run(f"unixfdsrc name=from socket-path={socket} ! {elements} ! fakesink sync=false", "from")


def start(output, *words):
    """Into a file: nobody reads from both processes while they run."""
    with open(output, "w") as file:
        return subprocess.Popen([sys.executable, __file__, *words], stdout=file)


def difference(sent, received):
    """What is wrong, or nothing."""
    if len(sent) != FRAMES:
        return f"{len(sent)} frames were sent, not {FRAMES}"
    if any(len(line.split()) != 7 for line in sent):
        return f"sent without metadata: {sent[0][:80]}"
    if sent == received:
        return ""
    if len(sent) != len(received):
        return f"{len(received)} frames of {len(sent)} arrived"
    first = next(i for i in range(len(sent)) if sent[i] != received[i])
    return f"frame {first} left as {sent[first][:160]}... and arrived as {received[first][:160]}..."


def travel(folder, sent_elements, how, elements):
    socket, sent, received = (folder / name for name in ("socket", "sent", "received"))
    sender = start(sent, "send", str(socket), sent_elements)
    receiver = None
    try:
        # unixfdsrc does not wait for its peer.
        while not socket.exists() and sender.poll() is None:
            time.sleep(0.05)
        receiver = start(received, "receive", str(socket), how, elements)
        codes = receiver.wait(2 * TIMEOUT_S), sender.wait(2 * TIMEOUT_S)
        if codes != (0, 0):
            return f"exit status {codes[0]} of the receiver, {codes[1]} of the sender"
        return difference(sent.read_text().splitlines(), received.read_text().splitlines())
    finally:
        for process in (sender, receiver):
            if process is not None and process.poll() is None:
                process.kill()
                process.wait()


def main():
    tap = Tap()
    needed = "unixfdsink"
    if Gst.version() < (1, 24):
        tap.skip("unixfd", f"GStreamer {Gst.version_string()} serializes no metadata: 1.24 does")
    elif Gst.ElementFactory.find(needed) is None:
        tap.skip("unixfd", f"no {needed} here (GStreamer's bad plugins)")
    elif Gst.ElementFactory.make(needed).find_property("wait-for-connection") is None:
        tap.skip("unixfd", f"this {needed} cannot wait for its receiver: GStreamer 1.26 can")
    else:
        for what, sent in SENT.items():
            for receiver, (how, elements) in RECEIVERS.items():
                if how == "element" and what not in ("split", "tracks"):
                    continue
                case = f"{what}, to {receiver}"
                if what == "large" and Gst.version() < LARGE_SINCE:
                    tap.skip(case, f"unixfdsrc of {Gst.version_string()} fails on much metadata")
                else:
                    with tempfile.TemporaryDirectory() as folder:
                        tap.check(case, travel(pathlib.Path(folder), sent, how, elements))
    return tap.done()


if __name__ == "__main__":
    Gst.init(None)
    if len(sys.argv) > 1:
        {"send": send, "receive": receive}[sys.argv[1]](*sys.argv[2:])
    else:
        sys.exit(main())
