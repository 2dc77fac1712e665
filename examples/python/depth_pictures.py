# SPDX-License-Identifier: LGPL-2.1-or-later
"""PNG files of depth, as pngfoldersrc reads them: in natural order, each of them checked."""

import os
import pathlib
import re
import tempfile

POLL = 100_000_000  # ns
PATIENCE = 2_000_000_000  # ns, with an element that fails at once, for its reason
BITS = {"GRAY8": 8, "GRAY16_LE": 16}
WILDCARDS = re.compile(r"[*?\[]")
# What cameras and editors write, and depth never is in.
PHOTOGRAPHS = (".jpg", ".jpeg", ".heic", ".webp", ".bmp", ".gif", ".avif")
EXPECTED = ("expected gray PNGs whose samples are distances: depth or disparity, mostly of 16 bits, 0 where nothing is "
            "known. A photograph has none; a stereo pair of photographs gives disparity: docs/depthstereo.md")  # fmt: skip


class Refused(Exception):
    """What cannot be done and why, for the user; and the exit status."""

    def __init__(self, text, status=1):
        super().__init__(text)
        self.status = status


def gstreamer():
    try:
        import gi

        gi.require_version("Gst", "1.0")
        from gi.repository import GLib, Gst
    except (ImportError, ValueError) as error:
        raise Refused("this needs PyGObject and GStreamer's typelib (Debian: python3-gi gir1.2-gstreamer-1.0). "
                      f"$PYTHON names a Python that has them. {error}") from error  # fmt: skip
    Gst.init(None)
    return Gst, GLib


def quoted(text):
    """As a launch line takes it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def name_of(buffer):
    """The file that a buffer is from; nothing where the library has no typelib here."""
    try:
        import gi

        gi.require_version("GstRdpSegment", "1.0")
        from gi.repository import GstRdpSegment
    except (ImportError, ValueError):
        return ""
    meta = GstRdpSegment.buffer_get_rdp_file_meta(buffer)
    return meta.name if meta else ""


class Pictures:
    """A folder, files that a pattern fits, or files: what they are is asked of pngfoldersrc."""

    def __init__(self, given, most=None):
        self.links = None
        self.given = {}  # by the paths of links to them
        self.location = self._location(given)
        self._refuse_photographs(given)
        gst, _ = gstreamer()
        with _Reader(self) as reader:
            caps, first = reader.first()
            self.format = caps.get_value("format")
            self.found = reader.count()
            self.count = min(self.found, most or self.found)
            last = reader.at(self.count - 1) if self.count > 1 else None
            self.names = [name_of(sample.get_buffer()) for sample in (first, last) if sample]
        self.width, self.height = (caps.get_value(side) for side in ("width", "height"))
        if self.format not in BITS:
            raise Refused(f"{self.names[0] or self.location} is a colour picture: {EXPECTED}")
        self.bits = BITS[self.format]
        self.others = 0
        if os.path.isdir(self.location) and not self.links:
            self.others = sum(not name.startswith(".") for name in os.listdir(self.location)) - self.found

    def _location(self, given):
        if len(given) == 1 and (os.path.exists(given[0]) or WILDCARDS.search(given[0])):
            return given[0]
        for path in given:
            if os.path.isdir(path):
                raise Refused(f"{path} is a folder: name one folder alone, or files", 2)
            if not os.path.exists(path):
                raise Refused(f"there is neither a folder nor a file {path}", 2)
        # Files of any names are no pattern: links to them are.
        self.links = tempfile.TemporaryDirectory(prefix="depth-folder-")
        for path in map(pathlib.Path, given):
            link = pathlib.Path(self.links.name) / path.name
            if link.is_symlink():
                raise Refused(f"cannot tell which comes first, {self.given[str(link)]} or {path}: their names are the "
                              "same. Rename one of them")  # fmt: skip
            link.symlink_to(path.resolve())
            self.given[str(link)] = str(path)
        return f"{self.links.name}/*"

    def _refuse_photographs(self, given):
        """By their names. Others are found out when they are read."""
        folder = given[0] if len(given) == 1 and os.path.isdir(given[0]) else None
        names = os.listdir(folder) if folder else given
        photographs = [name for name in names if name.lower().endswith(PHOTOGRAPHS)]
        if photographs and not (folder and any(name.lower().endswith(".png") for name in names)):
            raise Refused(f"{min(photographs)} is no PNG but a photograph, by its name: {EXPECTED}")

    def source(self):
        return f"pngfoldersrc location={quoted(self.location)}"

    def of_user(self, text):
        """A message of pngfoldersrc, with the paths that the user has named, and without its property."""
        text = text.replace("set location to", "name").replace("Set location to", "Name")
        for link, path in self.given.items():
            text = text.replace(f'"{link}"', f'"{path}"')
        return text

    def summary(self):
        text = f"{self.count} pictures of {self.width}x{self.height}, {self.bits} bits"
        if self.names[0]:
            text += ": " + " to ".join(self.names)
        if self.found > self.count:
            text += f", the first of {self.found}"
        if self.others:
            text += f"; {self.others} other files in the folder are left alone"
        return text

    def decoded(self, most):
        """(width, height, bytes in a row, samples as bytes) of a few pictures."""
        chosen = min(most, self.count)
        results = []
        with _Reader(self) as reader:
            reader.first()
            for i in range(chosen):
                sample = reader.at(i * self.count // chosen)
                caps, buffer = sample.get_caps().get_structure(0), sample.get_buffer()
                width, height = caps.get_value("width"), caps.get_value("height")
                data = buffer.extract_dup(0, buffer.get_size())
                results.append((width, height, (width * self.bits // 8 + 3) // 4 * 4, data))
        return results

    def play(self, launch):
        """A whole pipeline that begins with source()."""
        gst, glib = gstreamer()
        pipeline = parsed(gst, glib, launch)
        bus = pipeline.get_bus()
        kinds = gst.MessageType.EOS | gst.MessageType.ERROR | gst.MessageType.WARNING
        try:
            pipeline.set_state(gst.State.PLAYING)
            while True:
                message = bus.timed_pop_filtered(POLL, kinds)
                if message is None:
                    continue
                if message.type == gst.MessageType.EOS:
                    return
                if message.type == gst.MessageType.ERROR:
                    raise failed(message, self)
                print(f"warning: {message.parse_warning()[0].message}", flush=True)
        finally:
            pipeline.set_state(gst.State.NULL)


def parsed(gst, glib, launch):
    try:
        return gst.parse_launch_full(launch, None, gst.ParseFlags.FATAL_ERRORS)
    except glib.Error as error:
        raise Refused(f"the pipeline cannot be made: {error.message}\n{launch}") from error


def failed(message, pictures):
    """What an element has said, as an exception."""
    error, details = message.parse_error()
    element = message.src.get_name()
    if element.startswith("pngfoldersrc"):
        return Refused(pictures.of_user(error.message))
    more = [line for line in (details or "").splitlines()[1:] if line.strip()]
    return Refused(f"{element}: {error.message}" + "".join(f"\n  {line}" for line in more))


class _Reader:
    """The pictures one by one, in any order."""

    def __init__(self, pictures):
        self.gst, glib = gstreamer()
        self.pictures = pictures
        self.pipeline = parsed(self.gst, glib, f"{pictures.source()} ! appsink name=sink sync=false")
        self.sink = self.pipeline.get_by_name("sink")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.pipeline.set_state(self.gst.State.NULL)

    def _shown(self, begun):
        """The picture that the sink waits with, once what has begun is done."""
        # The bus says it, not get_state(): a bin fails its change of state before it hands on the error that it
        # fails for, so that get_state() returns while the bus has no reason yet.
        bus, kinds = self.pipeline.get_bus(), self.gst.MessageType.ASYNC_DONE | self.gst.MessageType.ERROR
        message = bus.timed_pop_filtered(self.gst.CLOCK_TIME_NONE if begun else PATIENCE, kinds)
        if message and message.type == self.gst.MessageType.ERROR:
            raise failed(message, self.pictures)
        sample = self.sink.emit("pull-preroll") if message else None
        if sample is None:
            raise Refused("there is no picture")
        return sample

    def first(self):
        begun = self.pipeline.set_state(self.gst.State.PAUSED) != self.gst.StateChangeReturn.FAILURE
        sample = self._shown(begun)
        return sample.get_caps().get_structure(0), sample

    def count(self):
        return self.pipeline.query_duration(self.gst.Format.DEFAULT)[1]

    def at(self, number):
        return self._shown(self.pipeline.seek_simple(self.gst.Format.DEFAULT, self.gst.SeekFlags.FLUSH, number))
