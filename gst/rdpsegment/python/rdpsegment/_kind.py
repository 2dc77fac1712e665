# SPDX-License-Identifier: LGPL-2.1-or-later
"""A kind of metadata in one description, from which its binary form and its way from a buffer follow.

To add a kind, write a dataclass of its info (`_fields.row()`), a subclass of Result, the Arrays, the
rules that tables cannot express, and the reader of a line of JSON; then a row of `_read.KINDS`.
"""

from __future__ import annotations

import functools
import struct
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Callable, Generic, Iterable, Mapping, NamedTuple, Sequence, TypeVar

from . import _errors, _fields
from ._fields import NO_TIME, Field

_CHUNK = 1 << 24
R = TypeVar("R")


class Placement(NamedTuple):
    """The place of the segmented frame in the picture that a buffer shows.

    Column x is at (x + 0.5) * scale_x + offset_x - 0.5, rows alike.
    """

    scale_x: float
    scale_y: float
    offset_x: float
    offset_y: float


class Result:
    """The result of an element for one frame."""

    pts: int | None
    """The presentation time in nanoseconds; None where there is none, or it is not known."""
    batch_index: int
    """The number of the frame in its buffer, from 0."""
    placement: Placement | None
    """The frame's place in the picture that its buffer showed; None if it comes from a file."""
    camera: dict[str, Any] | None
    """The camera in a line of JSON; None where there is none, and of what comes from elsewhere."""
    file: str | None
    """The name of the file that the frame was read from; None where nobody says it."""
    _kind: KindDescription[Any]

    def __init__(
        self,
        *,
        pts: int | None = None,
        batch_index: int = 0,
        placement: Placement | None = None,
        camera: dict[str, Any] | None = None,
        file: str | None = None,
    ) -> None:
        self.pts = pts
        self.batch_index = batch_index
        self.placement = placement
        self.camera = camera
        self.file = file

    def to_bytes(self) -> bytes:
        """The binary form, the same bytes as the library's to_bytes() writes."""
        raise NotImplementedError

    def to_library(self) -> Any:
        """The library's object with the same content, such as a GstRdpSegment.Tracks: what a buffer takes.

        `GstRdpSegment.buffer_add_rdp_tracks_meta (buffer, tracks.to_library ())` puts it there.
        """
        return self._kind.to_library(self.to_bytes())


class Array:
    """An array of a kind. The library's getter and the argument of the result have its name."""

    def __init__(self, name: str, members: Any, late: bool = False) -> None:
        self.name = name
        self._members = members
        self.late = late
        """The result itself asks the library for it."""

    @functools.cached_property
    def dtype(self) -> Any:
        """numpy's, made when it is asked for: an element as it lies in the library's memory."""
        return _errors.numpy().dtype(self._members)


def floats(*names: str, type: str = "<f4") -> list[tuple[str, str]]:
    """Members of an Array."""
    return [(name, type) for name in names]


def _nothing(*_: Any) -> dict[str, Any]:
    return {}


def _expect(good: bool, wrong: str) -> None:
    if not good:
        raise _errors.FormatError(wrong)


@dataclass(frozen=True, eq=False)
class KindDescription(Generic[R]):
    """A kind of metadata."""

    name: str
    """In errors, in functions of the library, and as the attribute of a frame of another kind."""
    magic: bytes
    key: str
    """The key of a line of JSON that has this kind."""
    info: Callable[..., Any]
    """The dataclass with a row for each member."""
    result: Callable[..., R]
    """The class that is made with info, arrays and `extra`."""
    sizes: tuple[int, ...]
    """Header sizes of the versions from 1 on."""
    counts: struct.Struct
    counts_at: int
    """The lengths of arrays in the header, and their place in it: 0 for what earlier versions lack."""
    arrays: tuple[Array, ...]
    """In the order of the binary form."""
    fields: Sequence[Field]
    error: Callable[..., str]
    """The fault of info, arrays and `extra`; empty: none."""
    of_line: Callable[[dict[str, Any], dict[str, Any]], R]
    """The result in a line of JSON that has this kind, and the arguments that all kinds take."""
    what: str = ""
    """The words for one in errors, if not the name."""
    meta: str = ""
    """The name in functions of the buffer's metadata, if not the name."""
    lost: type[_errors.Error] | None = None
    """The error where arrays that are on a GPU cannot be fetched; None: they never are."""
    info_of: Callable[[dict[str, Any], tuple[Any, ...]], Any] | None = None
    """The info of a header's values and counts, checked; None: `info`, which `error` checks."""
    lengths: Callable[[Any, tuple[Any, ...]], Iterable[int]] = field(default=lambda _, counts: counts)
    """The lengths of the arrays, from info and counts."""
    extra: Callable[[Any, tuple[Any, ...]], dict[str, Any]] = _nothing
    """More arguments of the result, from info and counts."""
    extra_on: Callable[[Any, Any, Any, Any], dict[str, Any]] = _nothing
    """The same from the library, a buffer, its metadata and the library's object."""

    def __post_init__(self) -> None:
        setattr(self.result, "_kind", self)

    # The binary form.

    def from_bytes(self, data: bytes) -> R:
        """The result in what the library's to_bytes() has written; needs no GStreamer.

        The arrays are the memory of `data`, not copies. Raises FormatError where the bytes are anything
        else, whatever they are.
        """
        size = self._header_size(bytes(data[:8]))
        _expect(len(data) >= size, f"truncated: expected a header of {size} bytes, got {len(data)}")
        info, counts = self._parse(data)
        expected = size + self._arrays_size(info, counts)
        problem = "truncated" if len(data) < expected else "bytes after the end"
        _expect(len(data) == expected, f"{problem}: expected {expected} bytes, got {len(data)}")
        return self._made(info, counts, data, size)

    def read_next(self, file: BinaryIO, start: bytes) -> R:
        """The next result of a file, of which the first bytes were read already."""
        start += read_up_to(file, 8 - len(start))
        size = self._header_size(start)
        info, counts = self._parse(start + _read_exactly(file, size - len(start), "the header"))
        return self._made(info, counts, _read_exactly(file, self._arrays_size(info, counts), "arrays"), 0)

    def to_bytes(
        self, values: Mapping[str, Any], counts: Sequence[Any], *arrays: Any, version: int = 1
    ) -> bytes:
        """The binary form of the info's values and the arrays."""
        header = bytearray(self.sizes[version - 1])
        struct.pack_into("<4sI", header, 0, self.magic, version)
        packed = self.counts.pack(*counts)[: len(header) - self.counts_at]
        header[self.counts_at : self.counts_at + len(packed)] = packed
        _fields.write(self.fields, version, values, header)
        return b"".join([header, *(array.tobytes() for array in arrays)])

    def _header_size(self, start: bytes) -> int:
        """The size of the header that starts with these 8 bytes."""
        what, versions = self.what or self.name, len(self.sizes)
        _expect(start[:4] == self.magic, f"expected {self.magic!r} at the start of {what}, got {start[:4]!r}")
        _expect(len(start) == 8, f"truncated: expected a header of {self.sizes[0]} bytes, got {len(start)}")
        (version,) = struct.unpack_from("<I", start, 4)
        _expect(1 <= version <= versions,
                f"expected {what} of version 1 to {versions}, got version {version}: a newer rdpsegment may "
                "read it")  # fmt: skip
        return self.sizes[version - 1]

    def _parse(self, header: bytes) -> tuple[Any, tuple[Any, ...]]:
        """The info and the counts of a header."""
        (version,) = struct.unpack_from("<I", header, 4)
        layout = self._layout(version)
        values, flags = layout.read(header)
        _expect(not flags & ~layout.flags,
                f"flags: expected none but {layout.flags:#x} in version {version}, got {flags:#x}")  # fmt: skip
        packed = bytes(header[self.counts_at : self.sizes[version - 1]]).ljust(self.counts.size, b"\0")
        counts = self.counts.unpack_from(packed)
        return self.info_of(values, counts) if self.info_of else self.info(**values), counts

    @functools.lru_cache(maxsize=None)
    def _layout(self, version: int) -> _fields.Layout:
        return _fields.Layout(self.fields, version)

    def _arrays_size(self, info: Any, counts: tuple[Any, ...]) -> int:
        """The size of the arrays in bytes."""
        lengths = zip(self.arrays, self.lengths(info, counts))
        return sum(array.dtype.itemsize * length for array, length in lengths)

    def _made(self, info: Any, counts: tuple[Any, ...], data: bytes, start: int) -> R:
        """The result, of bytes in which the arrays begin there."""
        np = _errors.numpy()
        arrays: list[Any] = []
        for array, length in zip(self.arrays, self.lengths(info, counts)):
            arrays.append(np.frombuffer(data, array.dtype, length, start))
            start += arrays[-1].nbytes
        extra = self.extra(info, counts)
        self.check(info, *arrays, **extra)
        return self.result(info, *read_only(*arrays), **extra)

    def check(self, info: Any, *arrays: Any, **extra: Any) -> None:
        """Raises FormatError where the library would refuse them."""
        if wrong := self.error(info, *arrays, **extra):
            raise _errors.FormatError(wrong)

    # Buffers.

    def on(self, buffer: Any, batch_index: int | None = None) -> R | None:
        """The result on a Gst.Buffer (or in a Gst.Sample), or None where it has none.

        Of a batch of frames, `batch_index` says which one; the first by default. Arrays that are on a GPU
        are fetched. TracksLost and the like are raised where that fails, because an empty frame would mean
        something else.
        """
        library = _errors.gir()
        buffer = buffer_of(buffer)
        meta_name = f"buffer_get_rdp_{self.meta or self.name}_meta"
        if batch_index is None:
            meta = getattr(library, meta_name)(buffer)
            found = getattr(library, f"buffer_get_{self.name}")(buffer)
        else:
            meta = getattr(library, f"{meta_name}_of_batch")(buffer, batch_index)
            found = getattr(library, f"buffer_get_batch_{self.name}")(buffer, batch_index)
        return None if meta is None or found is None else self.of_library(library, buffer, meta, found)

    def of_library(self, library: Any, buffer: Any, meta: Any, found: Any) -> R:
        """The result of the library's object on a buffer."""
        np = _errors.numpy()
        if self.lost:
            with _errors.library_errors(self.lost):
                found.fetch()
        info = found.get_info()
        arrays = [
            np.frombuffer(getattr(found, f"get_{array.name}")().get_data() or b"", array.dtype)
            for array in self.arrays
            if not array.late
        ]
        placement = getattr(library, f"{(self.meta or self.name).capitalize()}Meta").get_placement
        file = library.buffer_get_rdp_file_meta(buffer)
        return self.result(
            self.info(**{field.name: field.value(getattr(info, field.name)) for field in self.fields}),
            *arrays,
            pts=None if buffer.pts == NO_TIME else buffer.pts,
            batch_index=meta.batch_index,
            placement=Placement(*placement(buffer, meta)),
            file=None if file is None else file.name,
            **self.extra_on(library, buffer, meta, found),
        )

    def to_library(self, data: bytes) -> Any:
        """The library's object of its binary form; raises FormatError where it is none."""
        with _errors.library_errors(_errors.FormatError):
            return self.new_from_bytes(data)

    def new_from_bytes(self, data: bytes) -> Any:
        """The same; raises GLib.Error."""
        library = _errors.gir()
        from gi.repository import GLib

        return getattr(library, self.name.capitalize()).new_from_bytes(GLib.Bytes.new(data))


def buffer_of(buffer: Any) -> Any:
    """Samples of an appsink have a buffer."""
    return buffer.get_buffer() if hasattr(buffer, "get_buffer") else buffer


def read_only(*arrays: Any) -> tuple[Any, ...]:
    """The same arrays, which nobody can write to."""
    for array in arrays:
        if array is not None:
            array.flags.writeable = False
    return arrays


def first_wrong(what: str, array: Any, rules: Iterable[tuple[Any, str]]) -> str:
    """The fault of the first element that breaks a rule; empty: none.

    A rule has the mask of the elements that break it, and the words for what is expected.
    """
    for bad, expected in rules:
        if bad.any():
            index = int(bad.argmax())
            return f"{what} {index}: expected {expected}, got {array[index]}"
    return ""


def compares_nan(rules: Callable[..., str]) -> Callable[..., str]:
    """The same function; numpy warns nobody that it compares NaN."""

    @functools.wraps(rules)
    def error(*arguments: Any, **extra: Any) -> str:
        with _errors.numpy().errstate(over="ignore", invalid="ignore"):
            return rules(*arguments, **extra)

    return error


def no_length(values: Any) -> Any:
    """The mask of values that are not finite, or below 0."""
    return ~(_errors.numpy().isfinite(values) & (values >= 0))


def read_up_to(file: Any, size: int) -> Any:
    """As many bytes, or characters, as there are up to the end: less than `size` only there.

    Pipes and sockets without a buffer give what has arrived. They are read in pieces, so that no
    more memory is asked for than there are bytes.
    """
    pieces, missing = [], size
    while missing:
        piece = file.read(min(missing, _CHUNK))
        if piece is None:
            raise BlockingIOError(
                "expected a stream that waits for its data, got one that does not block: "
                "os.set_blocking(stream.fileno(), True)"
            )
        pieces.append(piece)
        if not piece:
            break
        missing -= len(piece)
    return pieces[0][:0].join(pieces) if pieces else b""


def _read_exactly(file: BinaryIO, size: int, what: str) -> bytes:
    """So many bytes; an error where the file ends before."""
    data: bytes = read_up_to(file, size)
    _expect(len(data) == size, f"truncated: expected {size} bytes of {what}, got {len(data)}")
    return data
