#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prints the camera's height and the nearest obstacle of a RealSense camera, frame by frame.

For the D400 series, such as D435 and D455. pyrealsense2 opens the camera; an appsrc passes its depth on.
The depth unit and the lens come from the camera.

Run it where GStreamer and Python find rdpsegment: installed, or with
  meson devenv -C build python3 ../examples/python/realsense.py
Needs pyrealsense2, PyGObject and numpy (Debian: python3-gi python3-numpy).
"""

import argparse
import json
import sys

NEEDS = "pip install pyrealsense2; Debian: python3-gi python3-numpy; the module rdpsegment: meson devenv -C build"
LINE = (
    "appsrc name=camera format=time caps=video/x-raw,format=GRAY16_LE,width={},height={},framerate={}/1 "
    "! depthplanes max-value=65534 "
    "! rdpsegment domain=inverse inverse-scale={} epsilon=10 max-value=65534 median=3x3 merge=true "
    "merge-bounded=true classify=true ground=planes ! appsink"
)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--frames", type=int, default=-1, help="stop after so many frames (-1: never)")
    frames = parser.parse_args().frames
    try:
        import gi
        import numpy as np
        import pyrealsense2 as rs
        import rdpsegment

        for name in ("Gst", "GstRdpSegment"):
            gi.require_version(name, "1.0")
        from gi.repository import GLib, Gst, GstRdpSegment
    except (ImportError, ValueError) as error:
        sys.exit(f"Something is missing: {error}\n{NEEDS}")

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
        camera = GstRdpSegment.Camera.new_from_json(json.dumps({
            "size": [lens.width, lens.height], "focal-length": lens.fx, "focal-length-y": lens.fy,
            "principal-x": lens.ppx, "principal-y": lens.ppy, "measures": "depth", "depth-unit": unit,
        }))  # fmt: skip
        # Segments are of 1000 / metres, whatever the unit.
        run = rdpsegment.run(LINE.format(lens.width, lens.height, stream.fps(), 1000 / unit))
        first = None
        while frames:
            depth = pipeline.wait_for_frames().get_depth_frame()
            if not depth:
                continue
            samples = np.asanyarray(depth.get_data())
            # GStreamer's rows begin at multiples of four bytes.
            rows = np.pad(samples, ((0, 0), (0, lens.width % 2)))
            buffer = Gst.Buffer.new_wrapped(rows.tobytes())
            time = depth.get_timestamp()  # in ms
            first = time if first is None else first
            buffer.pts = round((time - first) * Gst.MSECOND)
            GstRdpSegment.buffer_add_rdp_camera_meta(buffer, camera)
            run.pipeline.get_by_name("camera").emit("push-buffer", buffer)

            sample = next(run)
            planes, found = rdpsegment.planes(sample), rdpsegment.segments(sample)
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
    except (RuntimeError, GLib.Error) as error:
        sys.exit(str(error))
    finally:
        pipeline.stop()


if __name__ == "__main__":
    main()
