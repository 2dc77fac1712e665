#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Looks whether debian/ still says what meson.build and its options do. Reports in TAP."""

import pathlib
import re
import sys

from tap import Tap

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def text(path):
    return (ROOT / path).read_text()


def versions():
    """The version stands in meson.build. Other files have to say the same."""
    version = re.search(r"^  version: '([\d.]+)'", text("meson.build"), re.MULTILINE)[1]
    module = "gst/rdpsegment/python/rdpsegment/__init__.py"
    lines = {"NEWS": f"rdpsegment {version} (", "debian/changelog": f"rdpsegment ({version}-",
             module: f'__version__ = "{version}"'}  # fmt: skip
    return "\n".join(f"meson.build says version {version}: {path} has to have a line {words!r}"
                     for path, words in lines.items() if f"\n{words}" not in f"\n{text(path)}")  # fmt: skip


def options():
    """A part that is built where its dependencies are found would come and go with the machine."""
    named = set(re.findall(r"-D(\w+)=", text("debian/rules")))
    parts = re.findall(r"^option\('(\w+)', type: '(?:feature|boolean)'", text("meson_options.txt"),
                       re.MULTILINE)  # fmt: skip
    return "\n".join(f"meson_options.txt has {part}: debian/rules has to say -D{part}=..."
                     for part in parts if part not in named)  # fmt: skip


def build_dependencies():
    """What a build needs is in one list for the scripts, and in another one for packages."""
    control = text("debian/control").split("\n\n")[0]
    needed = re.findall(r"^build (\S+)$", text("examples/debian-packages"), re.MULTILINE)
    # What every build of a package has, and what Meson brings.
    needed = [n for n in needed if n not in ("g++", "ninja-build")]
    return "\n".join(f"examples/debian-packages: Build-Depends of debian/control lacks {name}"
                     for name in needed if not re.search(rf"^ {re.escape(name)}\b", control,
                                                         re.MULTILINE))  # fmt: skip


def python_packages():
    """What the tutorial's Python needs comes with its first step, and with the tests."""
    groups = re.findall(r"^(python|test) (\S+)$", text("examples/debian-packages"), re.MULTILINE)
    python, test = ({name for group, name in groups if group == wanted} for wanted in ("python", "test"))
    installed = re.search(r"^ *install_packages (.*)$", text("examples/quickstart.sh"), re.MULTILINE)[1].split()
    needed = {"python3-gi", "python3-numpy", "gobject-introspection", "gir1.2-gst-plugins-base-1.0"}
    if "python" not in installed or not needed <= python:
        return f"examples/quickstart.sh installs {installed}; python has {python}: expected {needed}"
    return "" if python <= test else f"examples/debian-packages: test lacks {python - test}"


def main():
    tap = Tap()
    if not (ROOT / "debian").is_dir():
        tap.skip("packages", "there is no folder debian: somebody else's packages")
        return tap.done()
    tap.check("versions", versions())
    tap.check("options", options())
    tap.check("build dependencies", build_dependencies())
    tap.check("packages for Python", python_packages())
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
