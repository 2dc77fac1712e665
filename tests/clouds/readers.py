#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Has other programs read what pointcloudsink writes. Reports in TAP.

Usage: meson devenv -C BUILD -w "$PWD" tests/clouds/readers.py

Debian's packages: python3-meshio, python3-open3d, pcl-tools. What is not installed is skipped.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pipelines"))
from tap import Tap  # noqa: E402

POINTS = 50
FIELDS = ("x", "y", "z", "red", "green", "blue", "intensity", "label")
# Fields of PCD behind x, y and z: names, sizes, types.
FORMS = {
    "colours": ("rgb", "4", "U"),
    "all": ("rgb intensity label", "4 4 4", "U F U"),
    "alpha": ("rgba", "4", "U"),
    "intensity": ("intensity", "4", "F"),
    "labels": ("label", "4", "U"),
}


def cloud():
    """The values of each field, from the same numbers every time."""
    random = np.random.default_rng(3)
    values = {name: random.normal(size=POINTS).astype(np.float32) for name in FIELDS[:3]}
    values |= {name: random.integers(0, 256, POINTS) for name in FIELDS[3:6]}
    values["intensity"] = random.random(POINTS, np.float32)
    values["label"] = random.integers(0, 70000, POINTS)
    return values


def write_text(path, form, values):
    names, sizes, types = FORMS[form]
    packed = 0xFF000000 | values["red"] << 16 | values["green"] << 8 | values["blue"]
    columns = {**values, "rgb": packed & 0xFFFFFF, "rgba": packed}
    more = names.split()
    rows = zip(*(columns[name].tolist() for name in ("x", "y", "z", *more)))
    lines = ["VERSION 0.7", f"FIELDS x y z {names}", f"SIZE 4 4 4 {sizes}", f"TYPE F F F {types}",
             f"COUNT {' '.join('1' * (3 + len(more)))}", f"WIDTH {POINTS}", "HEIGHT 1",
             f"POINTS {POINTS}", "DATA ascii", *(" ".join(map(repr, row)) for row in rows)]  # fmt: skip
    path.write_text("\n".join(lines) + "\n")


def write_files(folder, form, values):
    """The cloud as pointcloudsink writes it: PLY and PCD."""
    text = folder / f"{form}-text.pcd"
    write_text(text, form, values)
    files = [folder / f"{form}.{kind}" for kind in ("ply", "pcd")]
    for file in files:
        subprocess.run(["gst-launch-1.0", "-q", "pointcloudsrc", f"location={text}", "!", "pointcloudsink",
                        f"location={file}"], check=True)  # fmt: skip
    return files


def by_meshio(path):
    import meshio

    mesh = meshio.read(path)
    # Some of its versions take PLY's uchar for signed bytes.
    bytes_of = {key: values.view(np.uint8) if values.dtype == np.int8 else values for key, values in mesh.point_data.items()}
    return {**dict(zip("xyz", mesh.points.T)), **bytes_of}


def by_open3d(path):
    import open3d

    read = open3d.io.read_point_cloud(str(path))
    values = dict(zip("xyz", np.asarray(read.points).T))
    if read.has_colors():
        values |= dict(zip(FIELDS[3:6], np.rint(255 * np.asarray(read.colors)).T))
    return values


def by_open3d_tensors(path):
    import open3d

    read = open3d.t.io.read_point_cloud(str(path)).point
    attributes = {key: read[key].numpy() for key in ("positions", "colors", "intensity", "label") if key in read}
    values = dict(zip("xyz", attributes["positions"].T))
    if "colors" in attributes:
        values |= dict(zip(FIELDS[3:6], attributes["colors"].T))
    return values | {key: attributes[key].ravel() for key in ("intensity", "label") if key in attributes}


def by_pcl(path):
    """PCL's own tools: PLY to PCD, and PCD to text."""
    binary, text = path.with_suffix(".of-ply.pcd"), path.with_suffix(".text.pcd")
    if path.suffix == ".ply":
        subprocess.run(["pcl_ply2pcd", path, binary], check=True, capture_output=True)
        path = binary
    subprocess.run(["pcl_convert_pcd_ascii_binary", path, text, "0"], check=True, capture_output=True)
    lines = text.read_text().splitlines()
    names = next(line.split()[1:] for line in lines if line.startswith("FIELDS"))
    table = np.array([line.split() for line in lines[lines.index("DATA ascii") + 1 :]], float).T
    values = dict(zip(names, table))
    for name in ("rgb", "rgba"):
        if name in values:
            packed = values[name].astype(np.int64)
            if not (packed == values[name]).all():  # a float's bits
                packed = values[name].astype(np.float32).view(np.uint32).astype(np.int64)
            values |= {part: packed >> shift & 255 for part, shift in (("red", 16), ("green", 8), ("blue", 0))}
    return values


# Each with what is needed, the kinds of files, and the fields that it reads. Open3D reads no labels of 32
# bits (0.16).
READERS = {
    "meshio": (by_meshio, "meshio", (".ply",), FIELDS),
    "Open3D": (by_open3d, "open3d", (".ply", ".pcd"), FIELDS[:6]),
    "Open3D's tensors": (by_open3d_tensors, "open3d", (".ply",), FIELDS[:7]),
    "PCL": (by_pcl, "pcl_ply2pcd", (".ply", ".pcd"), FIELDS),
}


def is_there(need):
    if shutil.which(need):
        return True
    try:
        __import__(need)
        return True
    except ImportError:
        return False


def difference(got, values, form, fields):
    names = FORMS[form][0].split()
    expected = {*FIELDS[:3], *names} | (set(FIELDS[3:6]) if {"rgb", "rgba"} & set(names) else set())
    for name in sorted(expected & set(fields)):
        if name not in got:
            return f"no {name}; there are {sorted(got)}"
        if not np.allclose(got[name], values[name], rtol=1e-6, atol=1e-6):
            return f"{name}: {got[name][:4]}, expected {values[name][:4]}"
    return ""


def main():
    tap, values = Tap(), cloud()
    with tempfile.TemporaryDirectory() as name:
        for form in FORMS:
            for path in write_files(pathlib.Path(name), form, values):
                for reader, (read, need, kinds, fields) in READERS.items():
                    title = f"{reader} reads {path.name}"
                    if path.suffix not in kinds:
                        continue
                    if not is_there(need):
                        tap.skip(title, f"{need} is not installed")
                        continue
                    tap.check(title, difference(read(path), values, form, fields))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
