# SPDX-License-Identifier: LGPL-2.1-or-later
"""PNG files of depth in natural order, checked and pushed through a pipeline one by one."""

import os
import pathlib
import re
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOURS = {2: "RGB", 3: "a palette", 4: "gray with alpha", 6: "RGBA"}
LARGEST = 16384
POLL = 100_000_000  # ns


class Refused(Exception):
    """What cannot be done and why, for the user; and the exit status."""

    def __init__(self, text, status=1):
        super().__init__(text)
        self.status = status


def natural(path):
    """What natural order compares: numbers count as numbers."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"([0-9]+)", path.stem)]


def reason(error):
    return error.strerror or str(error)


def header(path):
    """Width, height and bits of a gray PNG."""
    try:
        with open(path, "rb") as file:
            start = file.read(33)
    except OSError as error:
        raise Refused(f"cannot read {path}: {reason(error)}") from error
    if start[:8] != SIGNATURE or start[12:16] != b"IHDR" or len(start) < 33:
        raise Refused(f"{path} is no PNG: expected it to start with {SIGNATURE!r} and IHDR, got {start[:16]!r}")
    width, height, bits, colour = struct.unpack(">IIBB", start[16:26])
    if colour != 0:
        raise Refused(f"{path} is a colour picture ({COLOURS.get(colour, colour)}): expected gray, as depth is. "
                      "Take the folder of the depth pictures")  # fmt: skip
    if bits not in (8, 16):
        raise Refused(f"{path} has {bits} bits a sample: expected 8 or 16")
    if not (1 <= width <= LARGEST and 1 <= height <= LARGEST):
        raise Refused(f"{path} is {width}x{height}: expected 1 to {LARGEST} pixels a side")
    return width, height, bits


def contents(path):
    """The whole file; refuses one that is damaged: pngdec makes a frame even of one without samples."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Refused(f"cannot read {path}: {reason(error)}") from error
    place, kind = len(SIGNATURE), b""
    inflater, size_inflated = zlib.decompressobj(), 0
    while kind != b"IEND":
        if place + 12 > len(data):
            raise Refused(f"{path} is cut off: it ends after {len(data)} bytes, before its end marker")
        (size,) = struct.unpack_from(">I", data, place)
        kind = data[place + 4 : place + 8]
        end = place + 8 + size
        if end + 4 > len(data):
            raise Refused(f"{path} is cut off: expected {end + 4} bytes or more, got {len(data)}")
        (expected,) = struct.unpack_from(">I", data, end)
        got = zlib.crc32(memoryview(data)[place + 4 : end])
        if got != expected:
            raise Refused(f"{path} is damaged at byte {place}: expected the checksum {expected:08x}, got {got:08x}. "
                          "Copy or write it again")  # fmt: skip
        if kind == b"IDAT":
            try:
                size_inflated += len(inflater.decompress(memoryview(data)[place + 8 : end]))
            except zlib.error as error:
                raise Refused(f"{path} cannot be decoded: {error}. Write it again") from error
        place = end + 4
    width, height, bits = struct.unpack(">IIB", data[16:25])
    expected = height * (1 + width * bits // 8)  # interlaced pictures have more
    if size_inflated < expected:
        raise Refused(f"{path} cannot be decoded: expected {expected} bytes of samples, got {size_inflated}. "
                      "Write it again")  # fmt: skip
    return data


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


class Pictures:
    """The files, checked so far as their headers tell."""

    def __init__(self, names, most=None):
        self.others = 0
        paths = self._paths([pathlib.Path(name) for name in names])
        paths.sort(key=natural)
        for one, next_one in zip(paths, paths[1:]):
            if natural(one) == natural(next_one):
                raise Refused(f"cannot tell which comes first, {one} or {next_one}: their names differ only in "
                              "leading zeros or in .png and .PNG. Rename one of them")  # fmt: skip
        self.found = len(paths)
        self.paths = paths[:most]
        self.width, self.height, self.bits = first = header(self.paths[0])
        for path in self.paths[1:]:
            if (this := header(path)) != first:
                sizes = [f"{width}x{height} with {bits} bits" for width, height, bits in (this, first)]
                raise Refused(f"{path} is {sizes[0]}, but {self.paths[0]}, the first, is {sizes[1]}. "
                              "Segment pictures of one kind at a time")  # fmt: skip

    def _paths(self, given):
        if len(given) == 1 and given[0].is_dir():
            folder = given[0]
            try:
                names = [p for p in folder.iterdir() if not p.name.startswith(".")]
            except OSError as error:
                raise Refused(f"cannot read the folder {folder}: {reason(error)}") from error
            pictures = [p for p in names if p.suffix.lower() == ".png" and not p.is_dir()]
            self.others = len(names) - len(pictures)
            if not pictures:
                raise Refused(f"there is no .png file in {folder}; it holds {self.others} others")
            return pictures
        for path in given:
            if path.is_dir():
                raise Refused(f"{path} is a folder: name one folder alone, or files", 2)
            if not path.exists():
                raise Refused(f"there is neither a folder nor a file {path}", 2)
        return given

    def summary(self):
        text = f"{len(self.paths)} pictures of {self.width}x{self.height}, {self.bits} bits: {self.paths[0].name}"
        if len(self.paths) > 1:
            text += f" to {self.paths[-1].name}"
        if self.found > len(self.paths):
            text += f", the first of {self.found}"
        if self.others:
            text += f"; {self.others} other files in the folder are left alone"
        shapes = {tuple(part for part in natural(path) if isinstance(part, str)) for path in self.paths}
        if 1 < len(shapes) < len(self.paths):
            text += f"\nTheir names are of {len(shapes)} kinds: they are read one kind after the other."
        return text

    def decoded(self, most):
        """(width, height, bytes in a row, samples as bytes) of a few pictures of 16 bits."""
        count = min(most, len(self.paths))
        chosen = [self.paths[i * len(self.paths) // count] for i in range(count)]
        gst, _ = gstreamer()
        launch = ("appsrc name=source format=time caps=image/png,framerate=1/1 ! pngdec ! videoconvert "
                  "! video/x-raw,format=GRAY16_LE ! appsink name=sink sync=false wait-on-eos=false")  # fmt: skip
        stride = (2 * self.width + 3) // 4 * 4
        results = []

        def take(pipeline):
            while sample := pipeline.get_by_name("sink").emit("try-pull-sample", 0):
                buffer = sample.get_buffer()
                results.append((self.width, self.height, stride, buffer.extract_dup(0, buffer.get_size())))

        self._push(gst, launch, chosen, 1, take)
        return results

    def play(self, launch, fps):
        """All pictures through a pipeline from an appsrc called source."""
        gst, _ = gstreamer()
        self._push(gst, launch, self.paths, fps, lambda pipeline: None)

    def _push(self, gst, launch, paths, fps, at_end):
        _, glib = gstreamer()
        try:
            pipeline = gst.parse_launch_full(launch, None, gst.ParseFlags.FATAL_ERRORS)
        except glib.Error as error:
            raise Refused(f"the pipeline cannot be made: {error.message}\n{launch}") from error
        state = {"next": 0, "wrong": None}

        def need_data(source, _size):
            number = state["next"]
            if number == len(paths):
                source.emit("end-of-stream")
                return
            try:
                buffer = gst.Buffer.new_wrapped(contents(paths[number]))
            except Refused as refused:
                state["wrong"] = refused
                source.emit("end-of-stream")
                return
            buffer.pts = number * gst.SECOND // fps
            buffer.duration = (number + 1) * gst.SECOND // fps - buffer.pts
            state["next"] += 1
            source.emit("push-buffer", buffer)

        source = pipeline.get_by_name("source")
        source.set_property("max-bytes", 1)  # one picture at a time: the last one is what fails
        source.connect("need-data", need_data)
        bus = pipeline.get_bus()
        kinds = gst.MessageType.EOS | gst.MessageType.ERROR | gst.MessageType.WARNING
        try:
            pipeline.set_state(gst.State.PLAYING)
            while True:
                message = bus.timed_pop_filtered(POLL, kinds)
                if message is None:
                    continue
                if message.type == gst.MessageType.EOS:
                    break
                if message.type == gst.MessageType.WARNING:
                    print(f"warning: {message.parse_warning()[0].message}", flush=True)
                    continue
                self._failed(message, paths, state)
            if state["wrong"]:
                raise Refused(f"{state['wrong']}. {state['next']} of {len(paths)} pictures were read before it")
            at_end(pipeline)
        finally:
            pipeline.set_state(gst.State.NULL)

    @staticmethod
    def _failed(message, paths, state):
        error, details = message.parse_error()
        element = message.src.get_name()
        # They work on one picture at a time.
        if state["next"] and (element == "source" or element.startswith("pngdec")):
            raise Refused(f"{paths[state['next'] - 1]} cannot be decoded: {error.message} Write it again")
        more = [line for line in (details or "").splitlines()[1:] if line.strip()]
        raise Refused(f"{element}: {error.message}" + "".join(f"\n  {line}" for line in more))
