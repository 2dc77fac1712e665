#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Stands in for gst-launch-1.0 while a documented command runs.

Runs the pipeline with GStreamer's own program ($REAL_GST_LAUNCH), but shows nothing on a display and
ends by itself; an encoder that is not installed is replaced by one that is. Fails where the pipeline fails, where GStreamer reports an error, a warning or a
critical message, and where a file that the pipeline writes is not what it has to be: see written.py.
"""

import os
import re
import subprocess
import sys

import programs
import written

DISPLAYS = {"autovideosink", "glimagesink", "ximagesink", "xvimagesink", "waylandsink", "gtksink"}
ENDLESS = {"depthtestsrc", "videotestsrc"}
# Encoders that need not be installed: one that is, behind a queue that takes as many frames before it
# gives the first as they do.
ENCODERS = {"x264enc": "queue min-threshold-buffers=50 ! openh264enc bitrate=4000000"}
FRAMES = 12
TIMEOUT = 120  # seconds
TROUBLE = re.compile(r"ERROR|WARNING|CRITICAL|Warning:|erroneous pipeline")
# A busy machine takes this long for a frame of one input; where none would come, nothing would end.
SLOW = re.compile(r"WARNING: .*: No \w+ has come to the pad \S+ for 5 s, while the other pads have data\.")


def has(element):
    probe = ["gst-inspect-1.0", "--exists", "--atleast-version=0.0.0", element]
    return subprocess.run(probe, capture_output=True).returncode == 0


def bounded(words):
    result = []
    for group in written.elements(words):
        if group[0] in ENCODERS and not has(group[0]):
            group = ENCODERS[group[0]].split()
        if group[0] in DISPLAYS:
            group = ["fakesink"] + [w for w in group[1:] if w.startswith(("sync=", "name="))]
        elif group[0] in ENDLESS and not any(w.startswith("num-buffers=") for w in group):
            group.append(f"num-buffers={FRAMES}")
        result += [w for w in group if w not in ("loop=true", "is-live=true")]
    return result


def main(words):
    words = bounded(words)
    for group in written.elements(words):
        location = written.property_of(group, "location") if group[0] in written.SINKS else None
        for old in written.files_of(location) if location else []:
            if os.path.isfile(old):
                os.remove(old)
    environment = {k: v for k, v in os.environ.items() if k != "G_DEBUG"}
    if "GST_DEBUG" in environment:  # what somebody asked to see is no trouble
        trouble = re.compile(r"^ERROR|erroneous pipeline", re.MULTILINE)
    else:
        trouble = TROUBLE
    # In the group of the script that runs this: whoever stops that one stops both.
    result = programs.run(
        [os.environ["REAL_GST_LAUNCH"], *words], timeout=TIMEOUT, env=environment, start_new_session=False
    )
    sys.stdout.write(result.stdout)
    sys.stderr.write(result.stderr)
    if result.returncode:
        return result.returncode
    if trouble.search(SLOW.sub("", result.stdout + result.stderr)):
        print("launch.py: GStreamer reported trouble, see above", file=sys.stderr)
        return 1
    try:
        written.look(words)
    except written.Wrong as wrong:
        print(f"launch.py: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
