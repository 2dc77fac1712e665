# SPDX-License-Identifier: LGPL-2.1-or-later
"""A folder in which the commands of the documentation find what they name.

  depth/000000.png ...  16-bit pictures of disparity * 256, 160x120
  depth-mm/000000.png ... 16-bit pictures of depth in millimetres, 160x120
  depth.raw             the same frames without headers, GRAY16_LE
  depth-mm.raw          depth in millimetres, 160x120, GRAY16_LE
  calibration.txt       the camera of the former, as KITTI writes it
  camera.json           that of depthtestsrc at 320x240, as the library writes it
  left.png, right.png   a rectified stereo pair of 8-bit gray, 320x240
  left/000000.png ...   the views of depthtestsrc's cameras, 8-bit gray, 320x240; right/ the others
  tum/depth/1305031102.175304.png ... depth by the time; rgb/ the views, 15 ms later; groundtruth.txt the poses
  clouds/000000.pcd ... clouds of points; 000000.bin ... scans of KITTI; scan.ply
  examples, docs, build links to the repository's and to the build directory
"""

import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FRAMES, WIDTH, HEIGHT = 12, 160, 120
PAIRS = 4


def launch(*words):
    subprocess.run(["gst-launch-1.0", "-q", *" ".join(words).split()], check=True, timeout=120)


def make_data(folder):
    """What a user would have recorded, from depthtestsrc."""
    (folder / "depth").mkdir()
    source = f"depthtestsrc num-buffers={FRAMES} pattern=street"
    caps = f"video/x-raw,format=GRAY16_LE,width={WIDTH},height={HEIGHT},framerate=10/1"
    launch(f"{source} ! {caps} ! filesink location={folder}/depth.raw")
    launch(f"{source} domain=depth ! {caps} ! filesink location={folder}/depth-mm.raw")
    (folder / "depth-mm").mkdir()
    for raw, pictures in (("depth.raw", "depth"), ("depth-mm.raw", "depth-mm")):
        launch(
            f"filesrc location={folder}/{raw} ! rawvideoparse width={WIDTH} height={HEIGHT} "
            f"format=gray16-le ! videoconvert ! video/x-raw,format=GRAY16_BE ! pngenc ! "
            f"multifilesink location={folder}/{pictures}/%06d.png"
        )
    make_calibration(folder)
    make_stereo(folder)
    make_views(folder)
    make_tum(folder)
    make_clouds(folder)


def make_tum(folder):
    """A sequence as TUM's RGB-D data sets have it: names and poses are by the time since 1970."""
    start = 1305031102.175304
    sources = {"depth": ("domain=depth", "GRAY16_BE"), "rgb": ("view=left", "RGB")}
    for name, (source, written_as) in sources.items():
        below = folder / "tum" / name
        below.mkdir(parents=True)
        launch(
            f"depthtestsrc pattern=room {source} num-buffers={FRAMES} ! "
            f"video/x-raw,width=320,height=240,framerate=30/1 ! videoconvert ! "
            f"video/x-raw,format={written_as} ! pngenc ! multifilesink location={below}/%06d.png"
        )
        for number, picture in enumerate(sorted(below.iterdir())):
            time = start + number / 30 + 0.015 * (name == "rgb")
            picture.rename(below / f"{time:.6f}.png")
    with open(folder / "tum" / "groundtruth.txt", "w") as file:
        print("# timestamp tx ty tz qx qy qz qw", file=file)
        for number in range(60):
            print(f"{start - 0.05 + number / 100:.4f} {number / 500:.4f} 0 0 0 0 0 1", file=file)


def make_calibration(folder):
    """The two projections of the street's camera, which is 0.54 m left of the other."""
    f, x, y = 92.75, 79.5, 54.74
    for shift in (0.0, -0.54 * f):
        with open(folder / "calibration.txt", "a") as file:
            print(f, 0, x, shift, 0, f, y, 0, 0, 0, 1, 0, file=file)
    camera = {"size": [320, 240], "focal-length": 185.5, "principal-x": 159.5, "principal-y": 109.94,
              "rectified": True, "measures": "disparity", "baseline": 0.54, "disparity-unit": 1 / 256}  # fmt: skip
    (folder / "camera.json").write_text(json.dumps(camera))


def make_stereo(folder):
    """A textured wall at disparity 12 with a box at 30 in front of it."""
    rng = np.random.default_rng(5)
    texture = rng.integers(0, 256, (240, 400), np.uint8)
    left = texture[:, 40:360].copy()
    right = np.roll(texture, -12, axis=1)[:, 40:360].copy()
    box = rng.integers(0, 256, (100, 80), np.uint8)
    left[80:180, 150:230] = box
    right[80:180, 120:200] = box
    for name, picture in (("left", left), ("right", right)):
        raw = folder / f"{name}.gray"
        raw.write_bytes(picture.tobytes())
        launch(
            f"filesrc location={raw} ! rawvideoparse width=320 height=240 format=gray8 ! pngenc ! "
            f"filesink location={folder}/{name}.png"
        )
        raw.unlink()


def make_views(folder):
    """What the two cameras of depthtestsrc see, a folder for each."""
    for view in ("left", "right"):
        (folder / view).mkdir()
        launch(
            f"depthtestsrc view={view} num-buffers={PAIRS} ! video/x-raw,width=320,height=240 ! pngenc ! "
            f"multifilesink location={folder}/{view}/%06d.png"
        )


def make_clouds(folder):
    """A floor and a wall, a few points more in each file."""
    (folder / "clouds").mkdir()
    rng = np.random.default_rng(7)
    for number in range(4):
        points = rng.uniform(-2, 2, (4000 + number, 3)).astype("<f4")
        points[:2400, 2] = -1
        points[2400:, 0] = 2
        size = len(points)
        pcd = (
            f"# .PCD v0.7\nVERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH {size}\n"
            f"HEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS {size}\nDATA binary\n"
        )
        path = folder / "clouds" / f"{number:06}"
        path.with_suffix(".pcd").write_bytes(pcd.encode() + points.tobytes())
        scan = np.concatenate((points, np.full((size, 1), 0.5, "<f4")), axis=1)
        path.with_suffix(".bin").write_bytes(scan.tobytes())
    lines = "".join(f"{x} {y} {z}\n" for x, y, z in points * 1000)
    (folder / "clouds" / "scan.ply").write_text(
        f"ply\nformat ascii 1.0\nelement vertex {size}\nproperty float x\nproperty float y\n"
        f"property float z\nend_header\n{lines}"
    )


def make_programs(folder):
    """gst-launch-1.0 and meson as launch.py and this file want them to behave."""
    programs = folder / ".bin"
    programs.mkdir()
    scripts = {
        "gst-launch-1.0": f'exec "{sys.executable}" "{HERE / "launch.py"}" "$@"',
        # The environment of the tests is that of "meson devenv" already, which runs programs in the
        # build directory: here in another folder, so that none of their files gets there.
        "meson": '[ "$1 $2" = "devenv -C" ] || { echo "not a devenv: $*" >&2; exit 1; }\n'
        'mkdir -p .devenv && cd .devenv\nshift 3\n[ "$1" != -- ] || shift\nexec "$@"',
        "python3": f'exec "{sys.executable}" "$@"',
    }
    for name, body in scripts.items():
        path = programs / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return programs


def environment(folder, build):
    """The environment of commands that run in the folder; makes what they need."""
    real = shutil.which("gst-launch-1.0")
    for name in ("examples", "docs"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "build").symlink_to(build)
    # Meson names the stand-in driver to tests that depend on it. Most commands run without a GPU.
    libraries = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    libraries = [path for path in libraries if path and path != f"{build}/tests/standin"]
    make_data(folder)
    return {
        **os.environ,
        "PATH": f"{make_programs(folder)}:{os.environ['PATH']}",
        "REAL_GST_LAUNCH": real,
        "BUILD": str(build),
        "GI_TYPELIB_PATH": f"{build}/gst/rdpsegment",
        "PYTHONPATH": f"{ROOT}/gst/rdpsegment/python",
        "LD_LIBRARY_PATH": ":".join([f"{build}/gst/rdpsegment", *libraries]),
        "PKG_CONFIG_PATH": f"{build}/meson-uninstalled",
        "DISPLAY": ":none",  # launch.py shows nothing on it
        "PYTHONDONTWRITEBYTECODE": "1",
    }
