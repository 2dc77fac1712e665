#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Counts the classes and the files that one frame of an element passes.

  tests/frame_path.py BUILD [--list] [ELEMENT...]

BUILD is a build folder with debugging information (-Ddebug=true). Each ELEMENT (rdpsegment
depthstereo heightmap) works with one thread on frames under valgrind's callgrind, once on 3 of them
and once on 6. An instruction that the longer run executes at least 3 times more is on the way of a
frame; addr2line tells the functions that it is in, also those that were inlined. Classes are those
of functions and the types of their parameters; what makes frames for the others is left out.
--list names all of them. Exits with 77 where valgrind or addr2line is not installed.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FRAMES = (3, 6)
PRODUCT = re.compile(r"^(gst|common|kernels)/")
SOURCES = re.compile(r"^(common/scene/|gst/elements/depthtestsrc/|gst/elements/base/frame_source)")
SOURCE_TYPES = re.compile(r"^rdp::(scene::|Test|Scene|Span)")
SIZE = "video/x-raw,width=160,height=120"
VIEW = f"depthtestsrc num-buffers=%(n)d view={{0}} ! {SIZE} ! e.{{0}}"
CROWD = (f"depthtestsrc num-buffers=%(n)d pattern=crowd view=left view-index={{0}} ! {SIZE} ! "
         "e.sink_{0}")
PIPELINES = {
    "rdpsegment": f"depthtestsrc num-buffers=%(n)d ! {SIZE} ! rdpsegment threads=1 backend=cpu ! "
                  "fakesink",
    "depthstereo": "depthstereo name=e threads=1 backend=cpu disparities=32 ! fakesink " +
                   " ".join(VIEW.format(view) for view in ("left", "right")),
    "heightmap": "heightmap name=e threads=1 backend=cpu iterations=4 ! fakesink " +
                 " ".join(CROWD.format(view) for view in range(2)),
}


def executed(profile):
    """{(object, address): executions} of callgrind's file, of the product's objects."""
    counts = collections.Counter()
    names = {}
    current = None
    after_call = False
    with profile.open(errors="replace") as lines:
        for line in lines:
            if line.startswith("ob="):
                number, _, name = line[3:].strip().partition(" ")
                current = names.setdefault(number, name) or None
                if current and "rdpsegment" not in current:
                    current = None
            elif line.startswith("cob="):
                number, _, name = line[4:].strip().partition(" ")
                names.setdefault(number, name)
            elif line.startswith("calls="):
                after_call = True
            elif line.startswith("0x"):
                if current and not after_call:
                    address, _, cost = line.split()
                    counts[(current, address)] += int(cost)
                after_call = False
    return counts


def run(build, pipeline, frames, folder):
    profile = folder / f"{frames}.callgrind"
    environment = dict(os.environ, GST_REGISTRY=str(folder / "registry.bin"),
                       GST_REGISTRY_FORK="no", GST_PLUGIN_PATH=str(build / "gst" / "elements"),
                       LD_LIBRARY_PATH=str(build / "gst" / "rdpsegment"))
    command = ["valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no",
               f"--callgrind-out-file={profile}", "-q", "gst-launch-1.0", "-q",
               *(pipeline % {"n": frames}).split()]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return executed(profile)


def functions_at(root, library, addresses):
    """{(function, path below the root)} of instructions, also of functions that are inlined."""
    told = subprocess.run(["addr2line", "-a", "-f", "-i", "-C", "-e", library],
                          input="\n".join(addresses), capture_output=True, text=True, check=True)
    lines = [line for line in told.stdout.splitlines() if not line.startswith("0x")]
    found = set()
    for function, place in zip(lines[::2], lines[1::2]):
        path = os.path.relpath(place.rpartition(":")[0] or "?", root)
        # The linker keeps one copy of a template of the standard library, from any file.
        foreign = re.search(r"\b(std|__gnu_cxx)::", function) and "rdp::" not in function
        if PRODUCT.match(path) and not SOURCES.match(path) and not foreign:
            found.add((function, path))
    return found


def types_of(name, c_types):
    """The project's types in a function's name."""
    # A GObject's functions begin with its name in C.
    prefixes = [prefix for prefix in c_types if name.startswith(prefix + "_")]
    found = {c_types[max(prefixes, key=len)]} if prefixes else set()
    for path in re.findall(r"\brdp::[\w:~]*\w", name.replace("(anonymous namespace)", "anonymous")):
        parts = [part for part in path.split("::") if not re.match(r"N_[A-Z0-9_]+$", part)]
        while parts and (not re.match(r"[A-Z]", parts[-1]) or parts[-1] in parts[:-1]):
            parts.pop()  # the function, or the class once more, as its constructor
        name = "::".join(part for part in parts if part != "anonymous")
        if name and not SOURCE_TYPES.match(name):
            found.add(name)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("elements", nargs="*", default=list(PIPELINES), metavar="ELEMENT")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    for program in ("valgrind", "addr2line"):
        if not shutil.which(program):
            print(f"{program} is not installed: nothing is counted", file=sys.stderr)
            sys.exit(77)
    build = options.build.resolve()
    info = json.loads((build / "meson-info" / "meson-info.json").read_text())
    root = pathlib.Path(info["directories"]["source"])
    c_types = {}
    for source in root.glob("gst/**/*.cpp"):
        for name, prefix in re.findall(r"G_DEFINE_\w*TYPE\w*\(\s*(\w+),\s*(\w+),",
                                       source.read_text()):
            c_types[prefix] = name
    print("element       classes  of gst   files  of gst")
    for element in options.elements:
        with tempfile.TemporaryDirectory() as folder:
            few, more = (run(build, PIPELINES[element], frames,
                             pathlib.Path(folder)) for frames in FRAMES)
        addresses = collections.defaultdict(list)
        for (library, address), count in more.items():
            if count - few[(library, address)] >= FRAMES[1] - FRAMES[0]:
                addresses[library].append(address)
        classes = collections.defaultdict(set)  # of each file
        for library, its in addresses.items():
            for function, path in functions_at(root, library, its):
                classes[path] |= types_of(function, c_types)
        if not classes:
            sys.exit(f"{options.build} has no debugging information: configure it with "
                     "-Ddebug=true")
        of_gst = {path: types for path, types in classes.items() if path.startswith("gst/")}
        all_types = set().union(*classes.values())
        gst_types = set().union(*of_gst.values())
        print(f"{element:12} {len(all_types):8} {len(gst_types):7} {len(classes):7} "
              f"{len(of_gst):7}", flush=True)
        if options.list:
            for line in [*sorted(all_types), *sorted(classes)]:
                print("  " + line)


if __name__ == "__main__":
    main()
