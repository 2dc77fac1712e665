#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the commands of the documentation.

Usage: documented.py BUILD_DIRECTORY [MARKDOWN_FILE...]

Of README.md, CONTRIBUTING.md, docs/*.md and examples/*/*.md, or of these files:
- A block tagged sh or console, or a pipeline in backquotes in the last cell of a table's row, is run
  as a whole, by bash, if its first command is gst-launch-1.0, gst-inspect-1.0, meson devenv, python3,
  deepstream_segments or a script of examples/. In a console block, lines that start with "$ " are
  commands.
- A block tagged python that starts with an import is run, and once more with a missing file in the
  place of what it reads: then it ends by itself, with an error that names the file. A block tagged c
  that starts with an include is compiled.
- After <!-- needs: ... --> pipelines are only parsed; after <!-- needs: an NVIDIA GPU --> they run
  over the stand-in driver of tests/standin, where it is built.

A command runs in an empty folder with small recordings, which workplace.py makes. Displays are
replaced by fakesink, endless test sources end after 12 frames, an encoder that is not installed by
one that is and looks as far ahead (launch.py). Elements that are not installed are in stand_ins.py.

It passes if the exit status is 0, GStreamer reports neither error nor warning (but that an input is
slow, on a busy machine), and each file that is written is what written.py expects of its kind: other
kinds are refused until written.py knows them. Reports in TAP, a case for each block and a second one
for each program in Python.
"""

import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import programs
import stand_ins
import workplace
from tap import Tap

BLOCK = re.compile(
    r"(?:<!--\s*needs:\s*(?P<needs>[^>]*?)\s*-->\s*\n)?"
    r"^```(?P<kind>sh|console|python|c)[ \t]*\n(?P<body>.*?)^```[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
# A command in the last cell of a row of a table.
CELL = re.compile(
    r"^\|.*\| (?:<!-- needs: (?P<needs>[^>|]*?) --> )?`(?P<body>(?:gst-launch-1\.0|examples/)[^`]*)` \|$",
    re.MULTILINE,
)
OURS = re.compile(
    r"(?:\w+=\S+\s+)*(?:meson devenv -C build\s+)?"
    r"(?:(?:gst-(?:launch|inspect)-1\.0|python3|deepstream_segments)\s"
    r"|(?:\./)?examples/(?!quickstart))"
)
TIMEOUT = 180  # seconds
# What a program in Python reads, and the like of it that is not there.
MISSING = (
    (re.compile(r"depthtestsrc(?: [\w-]+=[^\s\"]+)*"),
     "filesrc location=missing ! rawvideoparse width=320 height=240 format=gray16-le"),
    (re.compile(r"pngfoldersrc location=[\w-]+"), "pngfoldersrc location=missing"),
    (re.compile(r'"[\w-]+\.(?:jsonl|txt|raw)"'), '"missing"'),
)  # fmt: skip
# What needs the typelib: the library, or the module that takes it for buffers.
LIBRARY = re.compile(r"GstRdpSegment|rdpsegment\.(?:run|find_\w+|Processor|StereoMatcher|Tracker)\b|plot_column|plot_trails|count_people")
GPU = "an NVIDIA GPU"
# Elements that need not be installed, as far as the documentation names them: any of the elements
# will do, and what has them.
LIBAV, BAD = "GStreamer's libav plugins", "GStreamer's bad plugins"
OPTIONAL = {
    "avenc_ffv1": (["avenc_ffv1"], LIBAV), "avdec_ffv1": (["avdec_ffv1"], LIBAV),
    "gdppay": (["gdppay"], BAD), "gdpdepay": (["gdpdepay"], BAD),
    "x264enc": (["x264enc", "openh264enc"], "GStreamer's ugly or bad plugins"),
    "mcapsink": (["mcapsink"], "elements of builds with zlib"),
    "mcapsrc": (["mcapsrc"], "elements of builds with zlib"),
    "pngfoldersrc": (["pngfoldersrc"], "elements of builds with libpng"),
}  # fmt: skip
# Programs are given to bash as they stand in the document.
WHOLE_PROGRAMS = {
    "python": ("import ", "python3 - <<'END'\n{}END\n"),
    "c": ("#include ", "cc -Wall -Werror -fsyntax-only -x c -"
          " $(pkg-config --cflags gstreamer-rdpsegment-1.0) <<'END'\n{}END\n"),
}  # fmt: skip


def script_of(kind, body):
    """The commands of a block."""
    if kind == "sh":
        return body
    commands, continued = [], False
    for line in body.splitlines():
        if line.startswith("$ ") or continued:
            commands.append(line.removeprefix("$ ").removeprefix("> "))
            continued = line.endswith("\\")
    return "\n".join(commands) + "\n"


def commands_of(script):
    joined = re.sub(r"\\\n\s*", " ", script)
    return [c.strip() for c in joined.splitlines() if c.strip() and not c.strip().startswith("#")]


def blocks(text):
    """(line number, what it needs or None, script, kind) of each block and cell that is to be tested."""
    for match in CELL.finditer(text):
        yield text.count("\n", 0, match.start("body")) + 1, match["needs"], match["body"] + "\n", "sh"
    for match in BLOCK.finditer(text):
        kind, body = match["kind"], match["body"]
        if kind in WHOLE_PROGRAMS:
            start, how = WHOLE_PROGRAMS[kind]
            tested, script = body.startswith(start), how.format(body)
        else:
            script = script_of(kind, body)
            tested = any(OURS.match(command) for command in commands_of(script)[:1])
        if tested:
            yield text.count("\n", 0, match.start("body")), match["needs"], script, kind


def parse_only(script, folder, environment):
    for command in commands_of(script):
        words = shlex.split(command, comments=True)
        while words and ("=" in words[0] or words[:2] == ["meson", "devenv"]):
            words = words[4:] if words[0] == "meson" else words[1:]
        if words[0].removeprefix("./").startswith("examples/"):
            dry = subprocess.run(
                [*words, "--dry-run"], cwd=folder, env=environment, timeout=TIMEOUT,
                capture_output=True, text=True,
            )  # fmt: skip
            if dry.returncode:
                return f"{command} --dry-run: {dry.stderr}"
            words = shlex.split(dry.stdout)
        if words[0] == "deepstream_segments":  # its last argument is as for gst-launch-1.0
            words = ["gst-launch-1.0", *shlex.split(words[-1])]
        if words[0] != "gst-launch-1.0":
            return f"{words[0]} runs no pipeline that could be parsed"
        try:
            stand_ins.parse(words[1:])
        except Exception as error:  # GLib.Error is no class that can be named before gi is loaded
            return f"{command}\n{error}"
    return ""


def bash(script):
    return ["bash", "-euo", "pipefail", "-c", script]


def run_without_input(script, folder, environment):
    """A program whose input is missing has to end by itself, and to say so."""
    broken, count = script, 0
    for present, absent in MISSING:
        broken, replaced = present.subn(absent, broken)
        count += replaced
    if count == 0:
        return f"{script}MISSING in tests/pipelines/documented.py does not know what it reads"
    result = programs.run(bash(broken), timeout=TIMEOUT, cwd=folder, env=environment)
    if result.returncode == 0 or "No such file" not in result.stderr or "missing" not in result.stderr:
        return f"{broken}exit status {result.returncode}, expected an error that names the file\n{result.stderr}"
    return ""


def run(script, folder, environment):
    result = programs.run(bash(script), timeout=TIMEOUT, cwd=folder, env=environment)
    if result.returncode:
        return f"{script}exit status {result.returncode}\n{result.stdout[-2000:]}{result.stderr}"
    return ""


def lacking(script, environment):
    """What has elements that the script names and that are not installed."""
    names = set(re.findall(r"[a-z0-9_]+", script)) & OPTIONAL.keys()
    probe = ["gst-inspect-1.0", "--exists", "--atleast-version=0.0.0"]

    def exists(element):
        return subprocess.run([*probe, element], env=environment).returncode == 0

    missing = [name for name in names if not any(map(exists, OPTIONAL[name][0]))]
    return ", ".join(sorted({OPTIONAL[name][1] for name in missing}))


def with_driver(build, folder, environment):
    """The environment with the stand-in for the CUDA driver, or None in a build without it."""
    driver = build / "tests" / "standin"
    if str(driver) in environment["LD_LIBRARY_PATH"].split(":"):
        sys.exit("every command would run on the stand-in driver: see environment() in workplace.py")
    changed = {
        **environment,
        "LD_LIBRARY_PATH": f"{driver}:{environment['LD_LIBRARY_PATH']}",
        "GST_REGISTRY": str(folder / ".registry-cuda.bin"),
    }
    probe = ["gst-inspect-1.0", "depthupload"]
    if (driver / "libcuda.so.1").exists():
        if subprocess.run(probe, env=changed, capture_output=True).returncode == 0:
            return changed
    return None


def has_typelib(environment):
    probe = "import gi; gi.require_version('GstRdpSegment', '1.0')"
    return subprocess.run([sys.executable, "-c", probe], env=environment, capture_output=True).returncode == 0


def look(path, folder, environments):
    """(name, what is wrong, why it is left out) of each case of a document, run in the folder."""
    environment, on_gpu, typelib = environments
    result = []
    for line, needs, script, kind in blocks(path.read_text()):
        name = f"{path.name}:{line}"
        without = "" if typelib or not LIBRARY.search(script) else "built without introspection"
        if not without and (missing := lacking(script, environment)):
            without = f"there are no {missing}"
        if not without and needs == GPU and on_gpu is None:
            without = "built without CUDA memory"
        if without:
            result.append((name, "", without))
            continue
        how = parse_only if needs and needs != GPU else run
        cases = [(f"{name}{' (parsed)' if how is parse_only else ''}", how)]
        if kind == "python":
            cases.append((f"{name} (input missing)", run_without_input))
        for case, function in cases:
            try:
                wrong = function(script, folder, on_gpu if needs == GPU else environment)
            except subprocess.TimeoutExpired as error:
                wrong = str(error)
            result.append((case, wrong, ""))
    return result


def main(build, *files):
    root = workplace.ROOT
    paths = [pathlib.Path(f) for f in files] or [
        root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").glob("**/*.md")),
        *sorted((root / "examples").glob("*/*.md")),
    ]  # fmt: skip
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="rdpsegment-") as name:
        folder = pathlib.Path(name) / "data"
        folder.mkdir()
        build = pathlib.Path(build).resolve()
        environment = workplace.environment(folder, build)
        environments = environment, with_driver(build, folder, environment), has_typelib(environment)

        def look_in_own_folder(item):
            number, path = item
            own = shutil.copytree(folder, folder.with_name(str(number)), symlinks=True)
            return look(path, own, environments)

        # Documents at the same time, the blocks of one in their order: what one writes, the next reads.
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for cases in pool.map(look_in_own_folder, enumerate(filter(pathlib.Path.is_file, paths))):
                for case, wrong, without in cases:
                    if without:
                        tap.skip(case, without)
                    else:
                        tap.check(case, wrong)
    if tap.count == 0:
        tap.fail("documentation", "no block that could be tested was found")
    return tap.done()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
