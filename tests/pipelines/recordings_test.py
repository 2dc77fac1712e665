#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Records with each command of docs/recordings.md, replays it and compares. Reports in TAP.

The segments of the replay are those of the stream, byte for byte, but for timestamps; what becomes of
these, of the size and of the camera is what the page says.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import traceback

import gi

from tap import Tap

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

import rdpsegment  # noqa: E402

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/recordings.md"
SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
CAPS = "video/x-raw,format=GRAY16_LE,width=320,height=240,framerate=30/1"
FRAMES = 30
RAW = 320 * 240 * 2 * FRAMES
TIMEOUT = 60 * Gst.SECOND
PTS = re.compile(rb'"pts":(\d+)')
# What the page says of timestamps: how far they are from the recorded ones, at most, in ns; None
# where they are counted from the frame rate. Whether the replay starts at 0.
TIMES = {
    "PNG in QuickTime": (250000, True),
    "FFV1 in Matroska": (500000, False),
    "RVL in GDP": (0, False),
    "GDP": (0, False),
    "A folder of PNGs": (None, True),
    "Raw frames": (None, True),
}


def sections():
    """(heading, command that records, command that replays), each without gst-launch-1.0."""
    text = PAGE.read_text()
    marks = [(m[1], m.end()) for m in SECTION.finditer(text)]
    for (heading, start), end in zip(marks, [m.start() for m in SECTION.finditer(text)][1:] + [len(text)]):
        block = re.search(r"```sh\n(.*?)```", text[start:end], re.DOTALL)
        if block and heading in TIMES:
            record, replay = block[1].splitlines()
            yield heading, record.removeprefix("gst-launch-1.0 -e "), replay.removeprefix("gst-launch-1.0 ")


def stated_size(heading):
    row = re.search(rf"^\| \[{heading}\].*?\| (\d+) % \|", PAGE.read_text(), re.MULTILINE | re.IGNORECASE)
    return int(row[1])


def missing(*commands):
    """Elements of the commands that GStreamer does not have here."""
    names = {part.split()[0] for command in commands for part in command.split(" ! ")}
    return sorted(name for name in names if "/" not in name and not Gst.ElementFactory.find(name))


def run(launch, folder, frames=None):
    """Runs a pipeline in the folder. `frames`: (pts, bytes) that its appsrc called source pushes."""
    here = os.getcwd()
    os.chdir(folder)
    pipeline = Gst.parse_launch(launch)
    try:
        pipeline.set_state(Gst.State.PLAYING)
        if frames:
            source = pipeline.get_by_name("source")
            for pts, data in frames:
                buffer = Gst.Buffer.new_wrapped(data)
                buffer.pts, buffer.duration = pts, Gst.SECOND // 30
                source.emit("push-buffer", buffer)
            source.emit("end-of-stream")
        message = pipeline.get_bus().timed_pop_filtered(TIMEOUT, Gst.MessageType.EOS | Gst.MessageType.ERROR)
        assert message is not None, f"does not end: {launch}"
        assert message.type == Gst.MessageType.EOS, (message.parse_error(), launch)
        sink = pipeline.get_by_name("looked_at")
        return list(iter(lambda: sink.emit("try-pull-sample", 0), None)) if sink else []
    finally:
        pipeline.set_state(Gst.State.NULL)
        os.chdir(here)


def times_of(lines):
    return [int(number) for number in PTS.findall(lines)]


def without_times(lines):
    return PTS.sub(b'"pts":0', lines)


def watched(replay):
    """The replay up to the segments, to an appsink."""
    return replay.split(" ! rdpmetaconvert")[0] + " ! appsink name=looked_at sync=false wait-on-eos=false"


def reference(record, folder):
    """What the live stream gives: its lines, its camera, its frames, and where the encoder starts."""
    source, caps, *encoder = record.split(" ! ")
    assert caps == CAPS, caps
    segment = "rdpsegment epsilon=2 sample-scale=0.00390625"
    run(f"{source} ! {caps} ! {segment} ! rdpmetaconvert ! filesink location=live.jsonl", folder)
    samples = run(f"{source} ! {caps} ! appsink name=looked_at sync=false wait-on-eos=false", folder)
    frames = [s.get_buffer().extract_dup(0, s.get_buffer().get_size()) for s in samples]
    return (folder / "live.jsonl").read_bytes(), rdpsegment.camera(samples[0]), frames, " ! ".join(encoder)


def look(heading, record, replay, folder):
    live, camera, frames, encoder = reference(record, folder)
    assert len(frames) == FRAMES and camera is not None
    run(record, folder)
    recorded = [p for p in folder.iterdir() if p.suffix in (".mov", ".mkv", ".gdp", ".png", ".raw")]
    size = sum(path.stat().st_size for path in recorded)
    percent = 100 * size / RAW
    print(f"# {heading}: {size} bytes, {percent:.1f} % of {RAW}")
    assert abs(percent - stated_size(heading)) < 2, f"{percent:.1f} %, the page says {stated_size(heading)}"

    # Byte for byte.
    run(replay, folder)
    replayed = (folder / "segments.jsonl").read_bytes()
    assert without_times(replayed) == without_times(live), "other segments"
    exact, (nearest, from_0) = times_of(live), TIMES[heading]
    assert len(times_of(replayed)) == FRAMES
    off = max(abs(a - b) for a, b in zip(times_of(replayed), exact))
    print(f"# {heading}: timestamps of a steady stream are off by {off} ns at most")
    assert off <= (FRAMES if nearest is None else nearest), times_of(replayed)
    if nearest == 0:
        assert replayed == live

    # One of them keeps the camera; the page's remedy brings it back to the others.
    kept = camera if heading == "RVL in GDP" else None
    assert all(rdpsegment.camera(sample) == kept for sample in run(watched(replay), folder))
    (folder / "camera.json").write_text(json.dumps(camera))
    again = watched(replay).replace("rdpsegment ", "rdpsegment calibration=camera.json ")
    assert all(rdpsegment.segments(sample).camera == camera for sample in run(again, folder))

    # A live stream's timestamps: they do not start at 0, jitter, and two frames were left out.
    times = [1234567890 + n * 33333333 + (n * 7919 % 11 - 5) * 300007 for n in range(FRAMES) if n not in (7, 8)]
    for path in recorded:
        path.unlink()
    run(f"appsrc name=source format=time caps={CAPS} ! {encoder}", folder, list(zip(times, frames)))
    run(replay, folder)
    got = times_of((folder / "segments.jsonl").read_bytes())
    assert len(got) == len(times), len(got)
    if nearest is None:
        expected = [n * Gst.SECOND // 30 for n in range(len(times))]
        assert max(abs(a - b) for a, b in zip(got, expected)) <= FRAMES, got
        return
    shift = times[0] if from_0 else 0
    off = max(abs(a + shift - b) for a, b in zip(got, times))
    print(f"# {heading}: timestamps of a live stream are off by {off} ns at most")
    assert (got[0] == 0) == from_0 and off <= nearest, (got, times)


def eight_bits(folder):
    """Without the caps before pngenc the recording has lost half of its bits, without a word."""
    record, replay = next(s[1:] for s in sections() if s[0] == "PNG in QuickTime")
    assert "! video/x-raw,format=GRAY16_BE !" in record
    live = reference(record, folder)[0]
    run(record.replace("! video/x-raw,format=GRAY16_BE !", "!"), folder)
    run(replay, folder)
    replayed = (folder / "segments.jsonl").read_bytes()
    assert without_times(replayed) != without_times(live), "nothing was lost: the page says otherwise"
    before, after = (
        len({value for frame in frames for value in frame.segments["first_value"].tolist()})
        for frames in (rdpsegment.read(folder / "live.jsonl"), rdpsegment.read(folder / "segments.jsonl"))
    )
    assert before > 1000 and after <= 256, (before, after)


def main():
    Gst.init(None)
    tap = Tap()
    found = list(sections())
    tap.check("every way has a command", "" if [s[0] for s in found] == list(TIMES) else str(found))
    cases = [(heading, [record, replay], lambda f, s=(heading, record, replay): look(*s, f))
             for heading, record, replay in found]  # fmt: skip
    cases.append(("8 bits without caps", ["qtmux", "qtdemux", "pngenc", "pngdec"], eight_bits))
    for name, commands, case in cases:
        if lacking := missing(*commands):
            tap.skip(name, f"GStreamer has no {', '.join(lacking)} here")
            continue
        with tempfile.TemporaryDirectory(prefix="rdpsegment-") as folder:
            try:
                case(pathlib.Path(folder))
                tap.ok(name)
            except Exception:
                tap.fail(name, traceback.format_exc())
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
