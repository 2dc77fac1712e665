#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prints the camera's height and the nearest obstacle of an OAK stereo camera, frame by frame.

depthai, version 3, opens the camera and computes depth on it; a Processor takes the depth.
The lens comes with the first frame. Depth is in millimetres, as this program sets it.

Run it where GStreamer and Python find rdpsegment: installed, or with
  meson devenv -C build python3 ../examples/python/depthai_camera.py
Needs depthai, PyGObject and numpy (Debian: python3-gi python3-numpy).
"""

import argparse
import sys

NEEDS = "pip install depthai; Debian: python3-gi python3-numpy; the module rdpsegment: meson devenv -C build"
SIZE, RATE, UNIT = (640, 400), 15, 0.001  # of a view; frames a second; metres a step
LINE = (
    "depthplanes focal-length={} focal-length-y={} principal-x={} principal-y={} depth-unit={} max-value=65534 "
    "! rdpsegment domain=inverse epsilon=10 max-value=65534 median=3x3 merge=true "
    "merge-bounded=true classify=true ground=planes"
)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--frames", type=int, default=-1, help="stop after so many frames (-1: never)")
    frames = parser.parse_args().frames
    try:
        import depthai as dai
        import numpy as np
        import rdpsegment
    except ImportError as error:
        sys.exit(f"Something is missing: {error} ({sys.executable})\n{NEEDS}")

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
            process = None
            while frames and pipeline.isRunning():
                depth = queue.get()
                if process is None:
                    (fx, _, cx), (_, fy, cy), _ = depth.getTransformation().getIntrinsicMatrix()
                    process = rdpsegment.Processor(LINE.format(fx, fy, cx, cy, UNIT), rate=RATE)
                    first = depth.getTimestamp()
                result = process(depth.getFrame(), time=(depth.getTimestamp() - first).total_seconds())
                planes, found = result.planes, result.segments
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
    except (RuntimeError, rdpsegment.Error, dai.MessageQueue.QueueException) as error:
        sys.exit(f"No frame of an OAK camera: {error}")


if __name__ == "__main__":
    main()
