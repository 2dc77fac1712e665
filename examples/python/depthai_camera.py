#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prints the camera's height and the nearest obstacle of an OAK stereo camera, frame by frame.

depthai, version 3, opens the camera and computes depth on it; an appsrc passes the depth on.
The lens comes with each frame. Depth is in millimetres, as this program sets it.

Run it where GStreamer and Python find rdpsegment: installed, or with
  meson devenv -C build python3 ../examples/python/depthai_camera.py
Needs depthai, PyGObject and numpy (Debian: python3-gi python3-numpy).
"""

import argparse
import json
import sys

NEEDS = "pip install depthai; Debian: python3-gi python3-numpy; the module rdpsegment: meson devenv -C build"
SIZE, RATE, UNIT = (640, 400), 15, 0.001  # of a view; frames a second; metres a step
LINE = (
    "appsrc name=camera format=time caps=video/x-raw,format=GRAY16_LE,width={},height={},framerate={}/1 "
    "! depthplanes max-value=65534 "
    "! rdpsegment domain=inverse epsilon=10 max-value=65534 median=3x3 merge=true "
    "merge-bounded=true classify=true ground=planes ! appsink"
)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--frames", type=int, default=-1, help="stop after so many frames (-1: never)")
    frames = parser.parse_args().frames
    try:
        import depthai as dai
        import gi
        import numpy as np
        import rdpsegment

        for name in ("Gst", "GstRdpSegment"):
            gi.require_version(name, "1.0")
        from gi.repository import GLib, Gst, GstRdpSegment
    except (ImportError, ValueError) as error:
        sys.exit(f"Something is missing: {error}\n{NEEDS}")

    try:
        with dai.Pipeline() as pipeline:
            left, right = (
                pipeline.create(dai.node.Camera).build(socket).requestOutput(SIZE, fps=RATE)
                for socket in (dai.CameraBoardSocket.CAM_B, dai.CameraBoardSocket.CAM_C)
            )
            stereo = pipeline.create(dai.node.StereoDepth).build(left, right)
            stereo.initialConfig.setDepthUnit(dai.StereoDepthConfig.AlgorithmControl.DepthUnit.MILLIMETER)
            queue = stereo.depth.createOutputQueue(maxSize=2, blocking=False)
            pipeline.start()
            run = None
            while frames and pipeline.isRunning():
                depth = queue.get()
                width, height = depth.getWidth(), depth.getHeight()
                if run is None:
                    run = rdpsegment.run(LINE.format(width, height, RATE))
                    first = depth.getTimestamp()
                (fx, _, cx), (_, fy, cy), _ = depth.getTransformation().getIntrinsicMatrix()
                camera = GstRdpSegment.Camera.new_from_json(json.dumps({
                    "size": [width, height], "focal-length": fx, "focal-length-y": fy,
                    "principal-x": cx, "principal-y": cy, "measures": "depth", "depth-unit": UNIT,
                }))  # fmt: skip
                # GStreamer's rows begin at multiples of four bytes.
                rows = np.pad(depth.getFrame(), ((0, 0), (0, width % 2)))
                buffer = Gst.Buffer.new_wrapped(rows.tobytes())
                buffer.pts = round((depth.getTimestamp() - first).total_seconds() * Gst.SECOND)
                GstRdpSegment.buffer_add_rdp_camera_meta(buffer, camera)
                run.pipeline.get_by_name("camera").emit("push-buffer", buffer)

                sample = next(run)
                planes, found = rdpsegment.planes(sample), rdpsegment.segments(sample)
                upright = found.classes == rdpsegment.SegmentClass.UPRIGHT
                if planes.info.ground >= 0:  # parts of the floor may be upright: their tops are low
                    floor = planes.planes[planes.info.ground]
                    upright &= floor["distance"] - found.points[:, 0] @ floor["normal"] > 0.1
                above = f"{planes.info.camera_height:.2f} m" if planes.info.ground >= 0 else "unknown"
                nearest = np.nanmin(found.points[upright][..., 2], initial=np.inf)
                print(f"camera above the ground: {above}, nearest obstacle: {nearest:.2f} m", flush=True)
                frames -= 1
    except KeyboardInterrupt:
        pass
    except (RuntimeError, GLib.Error, dai.MessageQueue.QueueException) as error:
        sys.exit(f"No frame of an OAK camera: {error}")


if __name__ == "__main__":
    main()
