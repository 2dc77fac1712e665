#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prints the camera's height and the nearest obstacle of a RealSense camera, frame by frame.

For the D400 series, such as D435 and D455. pyrealsense2 opens the camera; a Processor takes its depth.
The depth unit and the lens come from the camera.

Run it where GStreamer and Python find rdpsegment: installed, or with
  meson devenv -C build python3 ../examples/python/realsense.py
Needs pyrealsense2, PyGObject and numpy (Debian: python3-gi python3-numpy).
"""

import argparse
import sys

NEEDS = "pip install pyrealsense2; Debian: python3-gi python3-numpy; the module rdpsegment: meson devenv -C build"
LINE = (
    "depthplanes focal-length={} focal-length-y={} principal-x={} principal-y={} depth-unit={} max-value=65534 "
    "! rdpsegment domain=inverse inverse-scale={} epsilon=10 max-value=65534 median=3x3 merge=true "
    "merge-bounded=true classify=true ground=planes"
)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--frames", type=int, default=-1, help="stop after so many frames (-1: never)")
    frames = parser.parse_args().frames
    try:
        import numpy as np
        import pyrealsense2 as rs
        import rdpsegment
    except ImportError as error:
        sys.exit(f"Something is missing: {error} ({sys.executable})\n{NEEDS}")

    pipeline, config = rs.pipeline(), rs.config()
    config.enable_stream(rs.stream.depth, rs.format.z16, 30)
    try:
        profile = pipeline.start(config)
    except RuntimeError as error:
        sys.exit(f"Cannot open a RealSense camera: {error}")
    try:
        unit = profile.get_device().first_depth_sensor().get_depth_scale()  # metres a step
        stream = profile.get_stream(rs.stream.depth).as_video_stream_profile()
        lens = stream.get_intrinsics()
        # Segments are of 1000 / metres, whatever the unit.
        process = rdpsegment.Processor(
            LINE.format(lens.fx, lens.fy, lens.ppx, lens.ppy, unit, 1000 / unit), rate=stream.fps()
        )
        first = None
        while frames:
            depth = pipeline.wait_for_frames().get_depth_frame()
            if not depth:
                continue
            samples = np.asanyarray(depth.get_data())
            time = depth.get_timestamp()  # in ms
            first = time if first is None else first
            result = process(samples, time=(time - first) / 1000)
            planes, found = result.planes, result.segments
            upright = found.classes == rdpsegment.SegmentClass.UPRIGHT
            if planes.info.ground >= 0:  # parts of the floor may be upright: their tops are low
                floor = planes.planes[planes.info.ground]
                upright &= floor["distance"] - found.points[:, 0] @ floor["normal"] > 0.1
            height = f"{planes.info.camera_height:.2f} m" if planes.info.ground >= 0 else "unknown"
            nearest = np.nanmin(found.points[upright][..., 2], initial=np.inf)
            print(f"camera above the ground: {height}, nearest obstacle: {nearest:.2f} m", flush=True)
            frames -= 1
    except KeyboardInterrupt:
        pass
    except (RuntimeError, rdpsegment.Error) as error:
        sys.exit(str(error))
    finally:
        pipeline.stop()


if __name__ == "__main__":
    main()
